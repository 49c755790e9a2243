/* What is fastest for a size, as far as it was measured. */
#include <tourney/profile.h>

#include "profile/log_log.h"

__extension__ typedef unsigned __int128 wide;

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

static bool is_near(const struct neighbours *found, uint64_t bytes)
{
  return (found->below && bytes - found->below->block_bytes <= found->below->block_bytes) ||
         (found->above && found->above->block_bytes - bytes <= bytes);
}

static uint64_t between(const struct neighbours *found, uint64_t bytes)
{
  return tny_log_log((struct tny_sized_time){found->below->block_bytes, found->below->median_ns},
                     (struct tny_sized_time){found->above->block_bytes, found->above->median_ns},
                     bytes);
}

/* Native's time; 0 where it isn't between two measured sizes. */
static uint64_t native_between(const struct lookup *lookup, uint64_t bytes)
{
  const struct lookup at = {lookup->profile, lookup->collective, bytes};
  const struct neighbours found = find_neighbours(&at, &(struct tny_algorithm_choice){0});
  return found.below && found.above ? between(&found, bytes) : 0;
}

/* ns * to / from without overflow. */
static uint64_t scale(uint64_t ns, uint64_t to, uint64_t from)
{
  const wide scaled = (wide)ns * to / from;
  return scaled > UINT64_MAX ? UINT64_MAX : scaled > 0 ? (uint64_t)scaled : 1;
}

/* The time of an algorithm; false where nothing is known of it. */
static bool find_time(const struct lookup *lookup, const struct tny_algorithm_choice *choice,
                      uint64_t *ns)
{
  const struct neighbours found = find_neighbours(lookup, choice);
  if (!is_near(&found, lookup->bytes))
    return false;
  if (found.below && found.above) {
    *ns = between(&found, lookup->bytes);
    return true;
  }
  const struct tny_profile_point *nearest = found.below ? found.below : found.above;
  const uint64_t here = native_between(lookup, lookup->bytes);
  const uint64_t there = native_between(lookup, nearest->block_bytes);
  *ns = here && there ? scale(nearest->median_ns, here, there) : nearest->median_ns;
  return true;
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

uint32_t tny_profile_candidates(const struct tny_profile *profile, enum tny_collective collective,
                                uint32_t rank_count, uint64_t block_bytes,
                                struct tny_profile_candidate *list, uint32_t max)
{
  const struct lookup lookup = {profile, collective, block_bytes};
  uint32_t count = 0;
  if (rank_count != profile->fingerprint.rank_count || block_bytes == 0)
    return 0;
  for (uint32_t i = 0; i < profile->point_count; i++) {
    const struct tny_profile_point *point = &profile->points[i];
    struct tny_profile_candidate candidate = {.choice = point->choice};
    if (point->collective == collective && is_first(profile, i) &&
        find_time(&lookup, &point->choice, &candidate.ns))
      count = insert(list, count, max, candidate);
  }
  return count;
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
    struct tny_profile_candidate best;
    if (point->collective != collective || point->block_bytes >= least)
      continue;
    if (tny_profile_candidates(profile, collective, profile->fingerprint.rank_count,
                               point->block_bytes, &best, 1) &&
        best.choice.algorithm)
      least = point->block_bytes;
  }
  return least == UINT64_MAX ? least : size_before(profile, collective, least);
}
