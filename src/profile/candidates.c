/* What is fastest for a size, as far as it was measured. */
#include <tourney/profile.h>

#include "profile/log_log.h"

/* What is looked up. */
struct lookup {
  const struct tny_profile *profile;
  enum tny_collective collective;
  uint64_t bytes;
};

static bool is_of(const struct tny_profile_point *point, enum tny_collective collective,
                  const struct tny_algorithm_choice *choice)
{
  return point->collective == collective && point->choice.algorithm == choice->algorithm &&
         point->choice.parameter == choice->parameter;
}

/* The measured sizes of an algorithm next to one that is looked up; NULL: there is none. */
struct neighbours {
  const struct tny_profile_point *below, *above; /* the same where just that size was measured */
};

static struct neighbours find_neighbours(const struct lookup *lookup,
                                         const struct tny_algorithm_choice *choice)
{
  struct neighbours found = {0};
  for (uint32_t i = 0; i < lookup->profile->point_count; i++) {
    const struct tny_profile_point *point = &lookup->profile->points[i];
    if (!is_of(point, lookup->collective, choice))
      continue;
    if (point->block_bytes <= lookup->bytes &&
        (!found.below || point->block_bytes > found.below->block_bytes))
      found.below = point;
    if (point->block_bytes >= lookup->bytes &&
        (!found.above || point->block_bytes < found.above->block_bytes))
      found.above = point;
  }
  return found;
}

static uint64_t between(const struct neighbours *found, uint64_t below_ns, uint64_t above_ns,
                        uint64_t bytes)
{
  return tny_log_log((struct tny_sized_time){found->below->block_bytes, below_ns},
                     (struct tny_sized_time){found->above->block_bytes, above_ns}, bytes);
}

/* The times of an algorithm between two of its measured sizes, one of which is within a factor of
   2; false where there are none. */
static bool find_between(const struct lookup *lookup, struct tny_profile_candidate *candidate)
{
  const struct neighbours found = find_neighbours(lookup, &candidate->choice);
  const uint64_t bytes = lookup->bytes;
  if (!found.below || !found.above ||
      (bytes - found.below->block_bytes > found.below->block_bytes &&
       found.above->block_bytes - bytes > bytes))
    return false;
  candidate->ns = between(&found, found.below->median_ns, found.above->median_ns, bytes);
  candidate->q1_ns = between(&found, found.below->q1_ns, found.above->q1_ns, bytes);
  candidate->q3_ns = between(&found, found.below->q3_ns, found.above->q3_ns, bytes);
  candidate->sample_count = found.below->sample_count < found.above->sample_count
                                ? found.below->sample_count
                                : found.above->sample_count;
  return true;
}

/* The measured size of the collective next to `bytes`, within a factor of 2; 0: there is none. */
static uint64_t find_nearest(const struct lookup *lookup)
{
  uint64_t nearest = 0, distance = UINT64_MAX;
  for (uint32_t i = 0; i < lookup->profile->point_count; i++) {
    const struct tny_profile_point *point = &lookup->profile->points[i];
    const uint64_t size = point->block_bytes, bytes = lookup->bytes;
    const uint64_t away = size > bytes ? size - bytes : bytes - size;
    if (point->collective == lookup->collective && away < distance &&
        away <= (size > bytes ? bytes : size)) {
      nearest = size;
      distance = away;
    }
  }
  return nearest;
}

/* Has no earlier point the same algorithm? */
static bool is_first(const struct tny_profile *profile, uint32_t index)
{
  const struct tny_profile_point *point = &profile->points[index];
  for (uint32_t i = 0; i < index; i++)
    if (is_of(&profile->points[i], point->collective, &point->choice))
      return false;
  return true;
}

/* Inserts behind those that are as fast. Returns the new count. */
static uint32_t insert(struct tny_profile_candidate *list, uint32_t count, uint32_t max,
                       struct tny_profile_candidate candidate)
{
  uint32_t at = count;
  while (at > 0 && list[at - 1].ns > candidate.ns)
    at--;
  if (at >= max)
    return count;
  const uint32_t grown = count < max ? count + 1 : max;
  for (uint32_t i = grown - 1; i > at; i--)
    list[i] = list[i - 1];
  list[at] = candidate;
  return grown;
}

/* Those that are known between two sizes. */
static uint32_t list_between(const struct lookup *lookup, struct tny_profile_candidate *list,
                             uint32_t max)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < lookup->profile->point_count; i++) {
    const struct tny_profile_point *point = &lookup->profile->points[i];
    struct tny_profile_candidate candidate = {.choice = point->choice};
    if (point->collective == lookup->collective && is_first(lookup->profile, i) &&
        find_between(lookup, &candidate))
      count = insert(list, count, max, candidate);
  }
  return count;
}

/* Those that were measured at just this size. */
static uint32_t list_measured(const struct lookup *lookup, uint64_t bytes,
                              struct tny_profile_candidate *list, uint32_t max)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < lookup->profile->point_count; i++) {
    const struct tny_profile_point *point = &lookup->profile->points[i];
    const struct tny_profile_candidate candidate = {point->choice, point->median_ns, point->q1_ns,
                                                    point->q3_ns, point->sample_count};
    if (point->collective == lookup->collective && point->block_bytes == bytes)
      count = insert(list, count, max, candidate);
  }
  return count;
}

uint32_t tny_profile_candidates(const struct tny_profile *profile, enum tny_collective collective,
                                uint32_t rank_count, uint64_t block_bytes,
                                struct tny_profile_candidate *list, uint32_t max)
{
  const struct lookup lookup = {profile, collective, block_bytes};
  if (rank_count != profile->fingerprint.rank_count || block_bytes == 0 || max == 0)
    return 0;
  const uint32_t count = list_between(&lookup, list, max);
  return count ? count : list_measured(&lookup, find_nearest(&lookup), list, max);
}

/* What isn't native has to be faster by one part in so many, 4 %: less is noise. */
enum { GAIN_PART = 25, QUARTILES_FROM = 3 /* samples */ };

static uint64_t whole_root(uint64_t number)
{
  uint64_t root = 0;
  while ((root + 1) * (root + 1) <= number)
    root++;
  return root;
}

/* A plan's quartiles must be apart from native's. Of the MPI's own algorithms, which are many and
   aren't tried again, the medians must be apart by three times their standard errors, which are
   0.93 of the quartiles' distance over the root of the number of samples. */
static bool is_doubtful(const struct tny_profile_candidate *best,
                        const struct tny_profile_candidate *native)
{
  if (best->sample_count < QUARTILES_FROM || native->sample_count < QUARTILES_FROM)
    return best->ns + best->ns / 2 > native->ns;
  if (best->choice.algorithm)
    return best->q3_ns >= native->q1_ns;
  const uint32_t samples =
      best->sample_count < native->sample_count ? best->sample_count : native->sample_count;
  return (native->ns - best->ns) * whole_root(samples) <
         2 * (best->q3_ns - best->q1_ns + native->q3_ns - native->q1_ns);
}

bool tny_profile_find_best(const struct tny_profile *profile, enum tny_collective collective,
                           uint32_t rank_count, uint64_t block_bytes, struct tny_profile_best *best)
{
  struct tny_profile_candidate list[TNY_PROFILE_POINTS_MAX];
  const uint32_t count = tny_profile_candidates(profile, collective, rank_count, block_bytes, list,
                                                TNY_PROFILE_POINTS_MAX);
  uint32_t native = 0;
  while (native < count && !tny_choice_is_native(&list[native].choice))
    native++;
  if (count == 0)
    return false;
  *best = (struct tny_profile_best){.candidate = list[0]};
  if (native == count)
    return true;
  best->native_ns = list[native].ns;
  const uint64_t most_ns = best->native_ns - best->native_ns / GAIN_PART;
  uint32_t clear = 0;
  while (clear < native && is_doubtful(&list[clear], &list[native]))
    clear++;
  best->is_doubtful = list[0].ns <= most_ns && list[clear].ns > most_ns;
  if (list[0].ns > most_ns)
    best->candidate = list[native];
  else if (!best->is_doubtful)
    best->candidate = list[clear];
  return true;
}

/* The greatest measured size below `bytes`; half of `bytes` where there is none. */
static uint64_t size_before(const struct tny_profile *profile, enum tny_collective collective,
                            uint64_t bytes)
{
  uint64_t before = 0;
  for (uint32_t i = 0; i < profile->point_count; i++) {
    const struct tny_profile_point *point = &profile->points[i];
    if (point->collective == collective && point->block_bytes < bytes &&
        point->block_bytes > before)
      before = point->block_bytes;
  }
  return before ? before : bytes / 2 + bytes % 2;
}

uint64_t tny_profile_bytes_min(const struct tny_profile *profile, enum tny_collective collective)
{
  uint64_t least = UINT64_MAX;
  for (uint32_t i = 0; i < profile->point_count; i++) {
    const struct tny_profile_point *point = &profile->points[i];
    struct tny_profile_best best;
    if (point->collective != collective || point->block_bytes >= least)
      continue;
    if (tny_profile_find_best(profile, collective, profile->fingerprint.rank_count,
                              point->block_bytes, &best) &&
        !tny_choice_is_native(&best.candidate.choice))
      least = point->block_bytes;
  }
  return least == UINT64_MAX ? least : size_before(profile, collective, least);
}
