/* `tourney plan` without --algorithm: all algorithms of the collective side by side. */
#include <inttypes.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/units.h"
#include "json.h"
#include "plan.h"

enum { RUNNERS_UP = 3 };

/* Some seconds of comparing, at most. Where every algorithm sends more, the standard is taken. */
static const struct tny_ranking_limits limits = {.planner_ranks = 256, .steps = 1 << 18};

enum tny_status plan_choice_make(struct plan *plan, struct tny_error *error)
{
  struct plan_choice *choice = &plan->choice;
  choice->ranked_bytes = tny_model_size_class(plan->block_bytes);
  const enum tny_status status = tny_model_rank(&plan->scene.model, &plan->wanted, limits,
                                                choice->ranked_bytes, &choice->ranking, error);
  if (status != TNY_OK)
    return status;
  while (choice->compared < choice->ranking.count &&
         !choice->ranking.list[choice->compared].why_not)
    choice->compared++;
  choice->failures = tny_new(choice->ranking.count, sizeof *choice->failures);
  return choice->failures ? TNY_OK : tny_error_memory(error);
}

void plan_choice_release(struct plan_choice *choice)
{
  tny_ranking_free(&choice->ranking);
  tny_free(choice->failures);
  *choice = (struct plan_choice){0};
}

static double milliseconds(const struct tny_candidate *candidate)
{
  return (double)candidate->prediction.ns / 1e6;
}

/* How its time is known. */
static const char *known(const struct tny_candidate *candidate)
{
  return candidate->prediction.is_estimate ? "estimated" : "predicted";
}

/* Is one that comes after it predicted to be faster? */
static bool is_kept_in_front(const struct plan_choice *choice)
{
  const struct tny_candidate *list = choice->ranking.list;
  for (uint32_t i = choice->chosen + 1; i < choice->compared; i++)
    if (list[i].prediction.ns < list[choice->chosen].prediction.ns)
      return true;
  return false;
}

/* What puts a candidate in front of faster ones. */
static const char *advantage(const struct tny_candidate *candidate)
{
  const struct tny_algorithm *algorithm = candidate->choice.algorithm;
  return algorithm == tny_model_default_algorithm(algorithm->collective)
             ? "the standard, little behind the fastest"
             : "the fewest messages between zones";
}

void plan_choice_why(const struct plan *plan, struct tny_text *text)
{
  const struct plan_choice *choice = &plan->choice;
  const struct tny_candidate *chosen = &choice->ranking.list[choice->chosen];
  const char *untried = choice->chosen > 0 ? " of those that could be proved" : "";
  if (plan->options->algorithm)
    tny_text_add(text, "asked for");
  else if (choice->chosen == choice->compared)
    tny_text_add(text, "the standard: too many steps to compare algorithms");
  else if (is_kept_in_front(choice))
    tny_text_add(text, "%s: %.3f ms %s", advantage(chosen), milliseconds(chosen), known(chosen));
  else
    tny_text_add(text, "the fastest of %" PRIu32 " compared%s: %.3f ms %s", choice->compared,
                 untried, milliseconds(chosen), known(chosen));
  if (!plan->options->algorithm && choice->chosen < choice->compared &&
      choice->ranked_bytes != plan->block_bytes)
    tny_text_add(text, " for %s", tny_bytes_format(choice->ranked_bytes).text);
}

/* 0 where that isn't known without planning. */
static uint32_t phases_of(const struct plan *plan, const struct tny_candidate *candidate)
{
  const struct tny_algorithm *algorithm = candidate->choice.algorithm;
  if (algorithm->prepare)
    return 0;
  struct tny_problem problem = plan->wanted;
  problem.parameter = candidate->choice.parameter;
  const struct tny_problem settled = tny_plan_problem(algorithm, &problem, 1);
  return algorithm->claim(&settled).phases;
}

static void describe_candidate(const struct plan *plan, const struct tny_candidate *candidate,
                               const char *label, struct tny_text *text)
{
  const uint32_t phases = phases_of(plan, candidate);
  char name[TNY_ALGORITHM_CHOICE_CHARS];
  tny_algorithm_choice_write(&candidate->choice, name);
  tny_text_add(text, "%-13s %-24s %10.3f ms", label, name, milliseconds(candidate));
  if (phases > 0)
    tny_text_add(text, ", %" PRIu32 " phase%s uncut", phases, phases == 1 ? "" : "s");
  tny_text_add(text, "\n");
}

void plan_choice_describe(const struct plan *plan, struct tny_text *text)
{
  const struct plan_choice *choice = &plan->choice;
  const struct tny_candidate *list = choice->ranking.list;
  const struct tny_algorithm_choice served = {plan->algorithm, plan->problem.parameter};
  char name[TNY_ALGORITHM_CHOICE_CHARS];
  tny_algorithm_choice_write(&served, name);
  tny_text_add(text, "algorithm     %s (", name);
  plan_choice_why(plan, text);
  tny_text_add(text, ")\n");
  if (plan->left_native)
    tny_text_add(text,
                 "              the runtime would leave this call to the native collective\n");
  for (uint32_t i = 0; i < choice->chosen && i < choice->compared; i++)
    tny_text_add(text, "              %s was tried before: %s\n", list[i].choice.algorithm->name,
                 choice->failures[i].text);
  const uint32_t first = choice->chosen + 1;
  for (uint32_t i = first; i < choice->compared && i < first + RUNNERS_UP; i++)
    describe_candidate(plan, &list[i], i == first ? "runners-up" : "", text);
}

static json_t *candidate_json(const struct plan *plan, uint32_t place)
{
  const struct plan_choice *choice = &plan->choice;
  const struct tny_candidate *candidate = &choice->ranking.list[place];
  const bool compared = place < choice->compared;
  const uint32_t phases = compared ? phases_of(plan, candidate) : 0;
  char name[TNY_ALGORITHM_CHOICE_CHARS];
  tny_algorithm_choice_write(&candidate->choice, name);
  const struct tny_error *failure = &choice->failures[place];
  return json_pack("{s:s, s:o, s:o, s:o, s:s?, s:s?}", "name", name, "predicted_seconds",
                   compared ? json_real(milliseconds(candidate) / 1e3) : json_null(), "estimated",
                   compared ? json_boolean(candidate->prediction.is_estimate) : json_null(),
                   "phases_uncut", phases ? json_integer(phases) : json_null(), "not_compared",
                   candidate->why_not, "not_proved",
                   failure->status == TNY_OK ? NULL : failure->text);
}

json_t *plan_choice_json(const struct plan *plan)
{
  if (plan->options->algorithm)
    return json_null();
  json_t *candidates = json_array();
  for (uint32_t i = 0; i < plan->choice.ranking.count; i++)
    json_add(&candidates, candidate_json(plan, i));
  return candidates;
}
