/* What a profile says goes before what is predicted: its fastest planned algorithm is tried first.
 */
#include "plan.h"

#include "core/error.h"

/* Moves a candidate to the front of the ranking. */
static void put_first(struct tny_ranking *ranking, uint32_t index)
{
  const struct tny_candidate moved = ranking->list[index];
  for (uint32_t i = index; i > 0; i--)
    ranking->list[i] = ranking->list[i - 1];
  ranking->list[0] = moved;
}

/* The place of a compared algorithm; `compared` where it isn't one. */
static uint32_t find(const struct plan_choice *choice, const struct tny_algorithm_choice *wanted)
{
  uint32_t at = 0;
  while (at < choice->compared && (choice->ranking.list[at].choice.algorithm != wanted->algorithm ||
                                   choice->ranking.list[at].choice.parameter != wanted->parameter))
    at++;
  return at;
}

enum tny_status plan_choice_by_profile(struct plan *plan, struct tny_error *error)
{
  enum { CANDIDATES = 32 };
  struct tny_profile_candidate list[CANDIDATES];
  struct tny_fingerprint here;
  struct plan_choice *choice = &plan->choice;
  const struct tny_profile *profile = plan->request->profile;
  if (!profile)
    return TNY_OK;
  const enum tny_status status = tny_fingerprint_make(&plan->mapping.network, &here, error);
  if (status != TNY_OK)
    return status;
  const char *difference = tny_fingerprint_difference(&profile->fingerprint, &here);
  if (difference)
    return tny_error_set(error, TNY_REFUSED,
                         "the profile was measured on %s: give the cluster, --ranks and --map that "
                         "it is of, or make one by 'tourney tune'",
                         difference);
  const uint32_t count =
      tny_profile_candidates(profile, plan->wanted.collective, plan->wanted.rank_count,
                             choice->ranked_bytes, list, CANDIDATES);
  for (uint32_t i = count; i-- > 0;) {
    const uint32_t at = list[i].choice.algorithm ? find(choice, &list[i].choice) : choice->compared;
    if (!list[i].choice.algorithm)
      choice->native_ns = list[i].ns;
    if (at == choice->compared)
      continue;
    put_first(&choice->ranking, at);
    choice->measured_ns = list[i].ns;
  }
  struct tny_profile_best best;
  if (tny_profile_find_best(profile, plan->wanted.collective, plan->wanted.rank_count,
                            choice->ranked_bytes, &best))
    plan->left_native = !best.candidate.choice.algorithm;
  return TNY_OK;
}
