/* Checks that every step is well formed: a schedule may come from a file or another program. */
#include "schedule/well_formed.h"

#include "core/error.h"
#include "schedule/steps.h"
#include "schedule/words.h"

static uint32_t blocks_of(const struct tny_schedule *schedule, uint32_t rank,
                          enum tny_buffer buffer)
{
  if (buffer == TNY_SCRATCH)
    return schedule->scratch_blocks;
  return tny_rank_blocks(schedule->collective, buffer, schedule->rank_count, schedule->root, rank);
}

static enum tny_status check_span(const struct tny_schedule *schedule, uint32_t rank,
                                  uint32_t index, const struct tny_span *span,
                                  struct tny_error *error)
{
  const struct tny_steps *steps = &schedule->ranks[rank];
  if (span->buffer > TNY_SCRATCH)
    return tny_error_set(error, TNY_BROKEN, "rank %u %s names no known buffer", rank,
                         tny_words_step(steps, index).text);
  const uint32_t blocks = blocks_of(schedule, rank, span->buffer);
  if (span->count == 0 || span->first >= blocks || span->count > blocks - span->first)
    return tny_error_set(error, TNY_BROKEN, "rank %u %s uses %s, but that buffer has %u blocks",
                         rank, tny_words_step(steps, index).text, tny_words_span(span).text,
                         blocks);
  const bool is_whole = span->chunk_count == 1;
  if ((!is_whole && span->chunk_count != schedule->chunk_count) ||
      span->chunk >= span->chunk_count || span->chunks == 0 ||
      span->chunks > span->chunk_count - span->chunk)
    return tny_error_set(
        error, TNY_BROKEN, "rank %u %s uses %s, but this schedule's blocks have %u chunks", rank,
        tny_words_step(steps, index).text, tny_words_span(span).text, schedule->chunk_count);
  return TNY_OK;
}

/* Do two spans of one rank have memory in common? */
static bool do_overlap(const struct tny_span *a, const struct tny_span *b)
{
  if (a->buffer != b->buffer || a->first >= b->first + (uint64_t)b->count ||
      b->first >= a->first + (uint64_t)a->count)
    return false;
  return a->chunk_count == 1 || b->chunk_count == 1 ||
         (a->chunk < b->chunk + (uint64_t)b->chunks && b->chunk < a->chunk + (uint64_t)a->chunks);
}

static enum tny_status check_local(const struct tny_schedule *schedule, uint32_t rank,
                                   uint32_t index, struct tny_error *error)
{
  const struct tny_steps *steps = &schedule->ranks[rank];
  const struct tny_span *from = &steps->steps[index].span, *to = &steps->steps[index].target;
  const enum tny_status status = check_span(schedule, rank, index, to, error);
  if (status != TNY_OK)
    return status;
  if (from->count != to->count || from->chunk != to->chunk || from->chunks != to->chunks ||
      from->chunk_count != to->chunk_count)
    return tny_error_set(error, TNY_BROKEN, "rank %u %s reads %s, but writes %s", rank,
                         tny_words_step(steps, index).text, tny_words_span(from).text,
                         tny_words_span(to).text);
  if (do_overlap(from, to))
    return tny_error_set(error, TNY_BROKEN,
                         "rank %u %s reads %s and writes %s, which overlap: what it leaves depends "
                         "on the order of its parts",
                         rank, tny_words_step(steps, index).text, tny_words_span(from).text,
                         tny_words_span(to).text);
  return TNY_OK;
}

/* A step of a collective in which no rank has a block: a message that carries nothing. */
static enum tny_status check_empty(const struct tny_schedule *schedule, uint32_t rank,
                                   uint32_t index, struct tny_error *error)
{
  const struct tny_steps *steps = &schedule->ranks[rank];
  const struct tny_step *step = &steps->steps[index];
  const struct tny_span *span = &step->span;
  if (!tny_step_is_local(step->kind) && span->buffer == TNY_INPUT && span->first == 0 &&
      span->count == 0 && span->chunk == 0 && span->chunk_count == 1 && span->chunks == 1)
    return TNY_OK;
  return tny_error_set(error, TNY_BROKEN, "rank %u %s moves data, but no rank of a %s has any",
                       rank, tny_words_step(steps, index).text,
                       tny_collective_name(schedule->collective));
}

static enum tny_status check_step(const struct tny_schedule *schedule, uint32_t rank,
                                  uint32_t index, struct tny_error *error)
{
  const struct tny_steps *steps = &schedule->ranks[rank];
  const struct tny_step *step = &steps->steps[index];
  if (!tny_step_is_known(step->kind))
    return tny_error_set(error, TNY_BROKEN, "rank %u step %u is of no known kind", rank, index);
  if (!tny_step_is_local(step->kind) && (step->peer >= schedule->rank_count || step->peer == rank))
    return tny_error_set(error, TNY_BROKEN, "rank %u %s names no other rank of %u", rank,
                         tny_words_step(steps, index).text, schedule->rank_count);
  if (step->after_first > steps->after_total ||
      step->after_count > steps->after_total - step->after_first)
    return tny_error_set(error, TNY_BROKEN, "rank %u %s waits for steps beyond the list", rank,
                         tny_words_step(steps, index).text);
  for (uint32_t i = 0; i < step->after_count; i++)
    if (steps->after[step->after_first + i] >= index)
      return tny_error_set(error, TNY_BROKEN, "rank %u %s waits for step %u, which isn't earlier",
                           rank, tny_words_step(steps, index).text,
                           steps->after[step->after_first + i]);
  if (tny_step_is_token(step->kind))
    return TNY_OK;
  if (tny_collective_synchronizes(schedule->collective))
    return check_empty(schedule, rank, index, error);
  const enum tny_status status = check_span(schedule, rank, index, &step->span, error);
  if (status != TNY_OK || !tny_step_is_local(step->kind))
    return status;
  return check_local(schedule, rank, index, error);
}

enum tny_status tny_well_formed_check_rank(const struct tny_schedule *schedule, uint32_t rank,
                                           struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t index = 0; status == TNY_OK && index < schedule->ranks[rank].count; index++)
    status = check_step(schedule, rank, index, error);
  return status;
}

enum tny_status tny_well_formed_check(const struct tny_schedule *schedule, struct tny_error *error)
{
  uint64_t step_count = 0;
  if (schedule->chunk_count == 0 || schedule->root >= schedule->rank_count)
    return tny_error_set(error, TNY_BROKEN, "%u chunks a block and root %u of %u ranks can't be",
                         schedule->chunk_count, schedule->root, schedule->rank_count);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    step_count += schedule->ranks[rank].count;
    if (step_count > TNY_STEPS_MAX)
      return tny_error_set(error, TNY_REFUSED, "more than %u steps are too many to prove here",
                           TNY_STEPS_MAX);
    const enum tny_status status = tny_well_formed_check_rank(schedule, rank, error);
    if (status != TNY_OK)
      return status;
  }
  return TNY_OK;
}
