/* The schedule as an object: made, freed, and what its buffers hold. */
#include <tourney/schedule.h>

#include "core/alloc.h"
#include "core/error.h"
#include "schedule/steps.h"

void tny_steps_release(struct tny_steps *steps)
{
  tny_free(steps->steps);
  tny_free(steps->after);
  *steps = (struct tny_steps){0};
}

/* The text form writes the name as one word. */
static enum tny_status check_name(const char *algorithm, struct tny_error *error)
{
  const size_t length = strlen(algorithm);
  if (length == 0 || length >= sizeof((struct tny_schedule *)NULL)->algorithm)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "an algorithm's name has 1 to 63 characters, \"%.80s\" has %zu", algorithm,
                         length);
  for (size_t i = 0; i < length; i++)
    if (algorithm[i] <= ' ' || algorithm[i] > '~' || algorithm[i] == '#')
      return tny_error_set(error, TNY_BAD_INPUT,
                           "an algorithm's name is one printable word without '#': \"%s\"",
                           algorithm);
  return TNY_OK;
}

enum tny_status tny_schedule_new(enum tny_collective collective, uint32_t rank_count, uint32_t root,
                                 const char *algorithm, struct tny_schedule **schedule,
                                 struct tny_error *error)
{
  *schedule = NULL;
  const enum tny_status status = check_name(algorithm, error);
  if (status != TNY_OK)
    return status;
  if (rank_count == 0 || rank_count == TNY_NONE || root >= rank_count)
    return tny_error_set(error, TNY_BAD_INPUT, "root %u does not exist among %u ranks", root,
                         rank_count);
  struct tny_schedule *made = tny_new(1, sizeof *made);
  if (!made)
    return tny_error_memory(error);
  made->collective = collective;
  made->rank_count = rank_count;
  made->root = root;
  made->chunk_count = 1;
  memcpy(made->algorithm, algorithm, strlen(algorithm) + 1);
  made->ranks = tny_new(rank_count, sizeof *made->ranks);
  if (!made->ranks) {
    tny_free(made);
    return tny_error_memory(error);
  }
  *schedule = made;
  return TNY_OK;
}

void tny_schedule_free(struct tny_schedule *schedule)
{
  if (!schedule)
    return;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    tny_steps_release(&schedule->ranks[rank]);
  tny_free(schedule->ranks);
  tny_free(schedule->wanted);
  tny_free(schedule);
}

static size_t wanted_bytes(const struct tny_schedule *schedule)
{
  return ((size_t)schedule->rank_count * schedule->rank_count + 7) / 8;
}

enum tny_status tny_schedule_want_none(struct tny_schedule *schedule, struct tny_error *error)
{
  if (!tny_collective_is_pairwise(schedule->collective))
    return tny_error_set(error, TNY_REFUSED, "only an alltoall can leave blocks out, %s %s can't",
                         tny_collective_article(schedule->collective),
                         tny_collective_name(schedule->collective));
  if (schedule->rank_count > TNY_WANTED_RANKS_MAX)
    return tny_error_set(error, TNY_REFUSED, "a pattern is of up to %d ranks, not %u",
                         TNY_WANTED_RANKS_MAX, schedule->rank_count);
  uint8_t *wanted = tny_new(wanted_bytes(schedule), 1);
  if (!wanted)
    return tny_error_memory(error);
  tny_free(schedule->wanted);
  schedule->wanted = wanted;
  return TNY_OK;
}

enum tny_status tny_schedule_new_like(const struct tny_schedule *in, struct tny_schedule **schedule,
                                      struct tny_error *error)
{
  enum tny_status status =
      tny_schedule_new(in->collective, in->rank_count, in->root, in->algorithm, schedule, error);
  if (status != TNY_OK)
    return status;
  (*schedule)->chunk_count = in->chunk_count;
  (*schedule)->scratch_blocks = in->scratch_blocks;
  (*schedule)->commutes = in->commutes;
  if (!in->wanted)
    return TNY_OK;
  status = tny_schedule_want_none(*schedule, error);
  if (status == TNY_OK) {
    memcpy((*schedule)->wanted, in->wanted, wanted_bytes(in));
  } else {
    tny_schedule_free(*schedule);
    *schedule = NULL;
  }
  return status;
}

/* Does it put an input block somewhere, as it is? */
static bool copies_input(const struct tny_step *step)
{
  switch (step->kind) {
  case TNY_COPY:
    return step->span.buffer == TNY_INPUT;
  case TNY_SEND:
  case TNY_RECV:
  case TNY_REDUCE_LEFT:
  case TNY_REDUCE_RIGHT:
  case TNY_TOKEN_OUT:
  case TNY_TOKEN_IN:
    break;
  }
  return false;
}

bool tny_steps_keep_input(const struct tny_steps *steps, uint32_t rank)
{
  for (uint32_t i = 0; i < steps->count; i++) {
    const struct tny_step *step = &steps->steps[i];
    const struct tny_span *written = tny_step_written(step);
    if (!written)
      continue;
    const bool is_own_block = written->buffer == TNY_OUTPUT && rank >= written->first &&
                              rank - written->first < written->count;
    if (is_own_block && !copies_input(step))
      return false;
  }
  return true;
}

bool tny_schedule_keeps_input(const struct tny_schedule *schedule)
{
  if (!tny_collective_has_own_block(schedule->collective))
    return false;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    if (!tny_steps_keep_input(&schedule->ranks[rank], rank))
      return false;
  return true;
}
