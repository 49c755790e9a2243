/* The steps of all ranks, numbered, and which send meets which receive: what every check starts
   from.  */
#ifndef TOURNEY_SCHEDULE_MATCH_H
#define TOURNEY_SCHEDULE_MATCH_H

#include <tourney/schedule.h>

#include "schedule/steps.h"
#include "schedule/words.h"

/* Steps have ids: rank r's are first[r] .. first[r + 1] - 1, in list order. */
struct tny_match {
  const struct tny_schedule *schedule; /* borrowed */
  uint32_t step_count;
  uint32_t *first;              /* rank_count + 1 */
  const struct tny_step **step; /* by id; borrowed from the schedule */
  uint32_t *rank_of;            /* by id */
  uint32_t *partner;            /* by id: the other end; TNY_NONE for a copy */
  uint32_t *previous;           /* by id: the step before it in its queue; TNY_NONE for the first */
  struct tny_arena *arena;
};

/* Checks that the steps are well formed and that every message and token has two ends of the same
   shape. Owns: the match is the caller's, tny_match_release. Errors: TNY_BROKEN. */
enum tny_status tny_match_make(const struct tny_schedule *schedule, struct tny_match *match,
                               struct tny_error *error) TNY_MUST_CHECK;
void tny_match_release(struct tny_match *match);

static inline const struct tny_steps *tny_match_steps(const struct tny_match *match, uint32_t id)
{
  return &match->schedule->ranks[match->rank_of[id]];
}

/* The step's index in its rank's list. */
static inline uint32_t tny_match_index(const struct tny_match *match, uint32_t id)
{
  return id - match->first[match->rank_of[id]];
}

static inline const struct tny_step *tny_match_step(const struct tny_match *match, uint32_t id)
{
  return match->step[id];
}

/* The id of the i-th step that `id` waits for. */
static inline uint32_t tny_match_after(const struct tny_match *match, uint32_t id, uint32_t i)
{
  const uint32_t entry = tny_match_step(match, id)->after_first + i;
  return match->first[match->rank_of[id]] + tny_match_steps(match, id)->after[entry];
}

/* "rank 3 step 5 (send to 1)" */
struct tny_words tny_match_words(const struct tny_match *match, uint32_t id);

#endif
