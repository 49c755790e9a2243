/* The algorithms that were compared, as text and as JSON. How they are compared:
   shared/planning/choice.c. */
#include <inttypes.h>

#include "cli/shared/json.h"
#include "show.h"

enum { RUNNERS_UP = 3 };

/* The phases that the algorithm claims for whole blocks; 0 where they are known only by planning.
   */
static uint32_t phases_of(const struct plan *plan, const struct tny_candidate *candidate)
{
  const struct tny_algorithm *algorithm = candidate->choice.algorithm;
  if (tny_algorithm_origin(algorithm)->prepare)
    return 0;
  struct tny_problem problem = plan->wanted;
  problem.parameter = candidate->choice.parameter;
  const struct tny_problem settled = tny_plan_problem(algorithm, &problem, 1);
  return tny_algorithm_claim(algorithm, &settled).phases;
}

static void describe_candidate(const struct plan *plan, const struct tny_candidate *candidate,
                               const char *label, struct tny_text *text)
{
  const uint32_t phases = phases_of(plan, candidate);
  char name[TNY_ALGORITHM_CHOICE_CHARS];
  tny_algorithm_choice_write(&candidate->choice, name);
  tny_text_add(text, "%-13s %-24s %10.3f ms", label, name, plan_candidate_ms(candidate));
  if (phases > 0)
    tny_text_add(text, ", %" PRIu32 " phase%s uncut", phases, phases == 1 ? "" : "s");
  tny_text_add(text, "\n");
}

void plan_candidates_describe(const struct plan *plan, struct tny_text *text)
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

static json_t *candidate_json(const struct plan *plan, uint32_t index)
{
  const struct plan_choice *choice = &plan->choice;
  const struct tny_candidate *candidate = &choice->ranking.list[index];
  const bool compared = index < choice->compared;
  const uint32_t phases = compared ? phases_of(plan, candidate) : 0;
  char name[TNY_ALGORITHM_CHOICE_CHARS];
  tny_algorithm_choice_write(&candidate->choice, name);
  const struct tny_error *failure = &choice->failures[index];
  return json_pack(
      "{s:s, s:o, s:o, s:o, s:s?, s:s?}", "name", name, "predicted_seconds",
      compared ? json_real(plan_candidate_ms(candidate) / 1e3) : json_null(), "estimated",
      compared ? json_boolean(candidate->prediction.is_estimate) : json_null(), "phases_uncut",
      phases ? json_integer(phases) : json_null(), "not_compared", candidate->why_not, "not_proved",
      failure->status == TNY_OK ? NULL : failure->text);
}

json_t *plan_candidates_json(const struct plan *plan)
{
  if (plan->request->algorithm)
    return json_null();
  json_t *candidates = json_array();
  for (uint32_t i = 0; i < plan->choice.ranking.count; i++)
    json_add(&candidates, candidate_json(plan, i));
  return candidates;
}
