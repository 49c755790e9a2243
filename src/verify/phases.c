/* The phases of a schedule's steps. */
#include "verify/phases.h"

#include "core/error.h"
#include "schedule/words.h"

uint32_t tny_phases_of(const struct tny_schedule *schedule)
{
  uint32_t count = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const uint32_t phase = schedule->ranks[rank].steps[i].phase;
      if (phase != TNY_NONE && phase >= count)
        count = phase + 1;
    }
  }
  return count;
}

enum tny_status tny_phases_agree(const struct tny_match *match, struct tny_error *error)
{
  for (uint32_t id = 0; id < match->step_count; id++) {
    const struct tny_step *step = tny_match_step(match, id);
    const uint32_t partner = match->partner[id];
    if (step->kind == TNY_SEND && tny_match_step(match, partner)->phase != step->phase)
      return tny_error_set(error, TNY_BROKEN, "%s and its receive, %s, are not of the same phase",
                           tny_match_words(match, id).text, tny_match_words(match, partner).text);
  }
  return TNY_OK;
}

static int compare_phases(const void *a, const void *b, void *context)
{
  const struct tny_match *match = context;
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  const uint32_t x_phase = tny_match_step(match, x)->phase;
  const uint32_t y_phase = tny_match_step(match, y)->phase;
  return x_phase != y_phase ? (x_phase > y_phase) - (x_phase < y_phase) : (x > y) - (x < y);
}

void tny_phases_sort(const struct tny_match *match, uint32_t *ids, size_t count)
{
  if (count > 1)
    qsort_r(ids, count, sizeof *ids, compare_phases, (void *)(uintptr_t)match);
}
