/* Where no algorithm is asked for: all algorithms of the collective compared, by what the model
   predicts for each. How they are listed for people: plan/candidates.c. */
#include <inttypes.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/units.h"
#include "plan.h"

/* So that comparing takes some seconds at most. Where every algorithm sends more, the default one
   is taken. */
static const struct tny_ranking_limits limits = {.planner_ranks = 256, .steps = 1 << 18};

enum tny_status plan_choice_make(struct plan *plan, struct tny_error *error)
{
  struct plan_choice *choice = &plan->choice;
  choice->ranked_bytes = tny_model_size_class(plan->block_bytes);
  const enum tny_status status = tny_model_rank(&plan->mapping.model, &plan->wanted, limits,
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

double plan_candidate_ms(const struct tny_candidate *candidate)
{
  return (double)candidate->prediction.ns / 1e6;
}

/* Whether its time was computed from its plan or estimated. */
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
  if (plan->request->algorithm)
    tny_text_add(text, "asked for");
  else if (choice->measured_ns && choice->chosen == 0)
    tny_text_add(text, "the fastest planned one in the profile: %.3f ms measured, native %.3f",
                 (double)choice->measured_ns / 1e6, (double)choice->native_ns / 1e6);
  else if (choice->chosen == choice->compared)
    tny_text_add(text, "the standard: too many steps to compare algorithms");
  else if (is_kept_in_front(choice))
    tny_text_add(text, "%s: %.3f ms %s", advantage(chosen), plan_candidate_ms(chosen),
                 known(chosen));
  else
    tny_text_add(text, "the fastest of %" PRIu32 " compared%s: %.3f ms %s", choice->compared,
                 untried, plan_candidate_ms(chosen), known(chosen));
  if (!plan->request->algorithm && choice->chosen < choice->compared && plan->block_bytes > 0 &&
      choice->ranked_bytes != plan->block_bytes)
    tny_text_add(text, " for %s", tny_bytes_format(choice->ranked_bytes).text);
}
