/* Within a rank: of any two steps that use the same location, one of them writing, the earlier in
   the list must be complete before the later starts, and a copy writes nothing that it reads. A
   reduce reads its target and writes it. Then
   what each step reads is fixed, for every interleaving. In place, locations of the input are such
   of the output like any other, but for being there at the start.

   What is complete before what follows from the queues: step j starts after all it waits for are
   complete, not before the step in front of it in its queue has started, and after a copy in front
   of it is complete. As each queue starts in order, all that follows the completion of a step is
   given by two numbers: the first step of each queue that starts after it. */
#include "core/alloc.h"
#include "core/error.h"
#include "schedule/words.h"
#include "verify/locations.h"

/* What comes after an event in this rank, by queue (sends, receives): the index of the first step
   that starts after it; TNY_NONE: there is none. */
struct follow {
  uint32_t first[2];
};

struct location {
  uint32_t writer;      /* 1 + the last step that wrote it, 0: none yet */
  struct follow usable; /* all that used it so far are complete for steps from here on */
};

struct rank_check {
  const struct tny_match *match;
  struct tny_locations locations; /* of the rank */
  uint32_t rank;
  const struct tny_steps *steps;
  struct follow *started, *complete; /* by step */
  struct location *location;         /* by location */
};

static void take_earlier(struct follow *follow, const struct follow *other)
{
  for (int queue = 0; queue < 2; queue++)
    if (other->first[queue] < follow->first[queue])
      follow->first[queue] = other->first[queue];
}

/* Walks from the last step back to the first. After a step's start come the starts behind it in its
   queue, and what comes after its completion. */
static void find_follows(struct rank_check *check)
{
  const struct tny_steps *steps = check->steps;
  uint32_t next[2] = {TNY_NONE, TNY_NONE};
  for (uint32_t i = 0; i < steps->count; i++)
    check->started[i] = check->complete[i] = (struct follow){{TNY_NONE, TNY_NONE}};
  for (uint32_t i = steps->count; i-- > 0;) {
    const struct tny_step *step = &steps->steps[i];
    const bool queue = tny_step_receives(step->kind);
    if (next[queue] != TNY_NONE) {
      take_earlier(&check->started[i], &check->started[next[queue]]);
      if (tny_step_is_local(step->kind))
        take_earlier(&check->complete[i], &check->started[next[queue]]);
    }
    take_earlier(&check->started[i], &check->complete[i]);
    check->started[i].first[queue] = i;
    next[queue] = i;
    for (uint32_t k = 0; k < step->after_count; k++)
      take_earlier(&check->complete[steps->after[step->after_first + k]], &check->started[i]);
  }
}

static bool is_complete_before(const struct follow *complete, const struct tny_steps *steps,
                               uint32_t later)
{
  return complete->first[tny_step_receives(steps->steps[later].kind)] <= later;
}

/* One location as a span, in words. */
static struct tny_words words_of(const struct rank_check *check, const struct tny_span *span,
                                 uint64_t k)
{
  struct tny_span piece = *span;
  const bool is_cut = check->locations.chunk_count > 1;
  const uint64_t per_block = is_cut && span->chunk_count == 1 ? check->locations.chunk_count : 1;
  piece.first += (uint32_t)(k / per_block);
  piece.count = 1;
  if (is_cut && span->chunk_count == 1)
    piece.chunk = (uint32_t)(k % per_block);
  piece.chunk_count = check->locations.chunk_count;
  return tny_words_span(&piece);
}

/* Is the location one of the rank's input? */
static bool is_input(const struct rank_check *check, uint64_t location)
{
  const struct tny_locations *locations = &check->locations;
  const uint64_t block = location / locations->chunk_count;
  return block >= locations->first_block[TNY_INPUT] &&
         block - locations->first_block[TNY_INPUT] < locations->input_blocks;
}

static enum tny_status check_read(const struct rank_check *check, uint32_t index,
                                  const struct tny_span *span, struct tny_error *error)
{
  const uint64_t pieces = tny_span_pieces(span, check->locations.chunk_count);
  if (span->buffer == TNY_INPUT && !check->locations.in_place)
    return TNY_OK;
  for (uint64_t k = 0; k < pieces; k++) {
    const uint64_t at = tny_location_at(&check->locations, span, k);
    const struct location *location = &check->location[at];
    if (location->writer == 0 && is_input(check, at))
      continue;
    if (location->writer == 0)
      return tny_error_set(error, TNY_BROKEN,
                           "rank %u %s reads %s, where nothing is written before", check->rank,
                           tny_words_step(check->steps, index).text, words_of(check, span, k).text);
    if (!is_complete_before(&check->complete[location->writer - 1], check->steps, index))
      return tny_error_set(
          error, TNY_BROKEN, "rank %u %s reads %s, but doesn't wait for %s, which writes it",
          check->rank, tny_words_step(check->steps, index).text, words_of(check, span, k).text,
          tny_words_step(check->steps, location->writer - 1).text);
  }
  return TNY_OK;
}

static bool covers(const struct tny_locations *locations, const struct tny_span *span,
                   uint64_t location)
{
  const uint64_t pieces = tny_span_pieces(span, locations->chunk_count);
  for (uint64_t k = 0; k < pieces; k++)
    if (tny_location_at(locations, span, k) == location)
      return true;
  return false;
}

/* Tokens have no data; and in place, a copy of the input to its own location changes nothing. */
static bool uses_no_location(const struct rank_check *check, const struct tny_step *step)
{
  switch (step->kind) {
  case TNY_TOKEN_OUT:
  case TNY_TOKEN_IN:
    return true;
  case TNY_COPY:
    return tny_copy_stays(&check->locations, step);
  case TNY_SEND:
  case TNY_RECV:
  case TNY_REDUCE_LEFT:
  case TNY_REDUCE_RIGHT:
    break;
  }
  return false;
}

static bool does_cover(const struct rank_check *check, const struct tny_span *span,
                       uint64_t location)
{
  return span && covers(&check->locations, span, location);
}

/* The earlier step that may still use a location when step `index` starts to write it. */
static uint32_t user_of(const struct rank_check *check, uint32_t index, uint64_t location,
                        bool *writes)
{
  for (uint32_t i = index; i-- > 0;) {
    const struct tny_step *step = &check->steps->steps[i];
    if (uses_no_location(check, step) ||
        is_complete_before(&check->complete[i], check->steps, index))
      continue;
    *writes = does_cover(check, tny_step_written(step), location);
    if (*writes || does_cover(check, tny_step_read(step), location))
      return i;
  }
  return index;
}

static enum tny_status check_write(const struct rank_check *check, uint32_t index,
                                   const struct tny_span *span, struct tny_error *error)
{
  const uint64_t pieces = tny_span_pieces(span, check->locations.chunk_count);
  if (span->buffer == TNY_INPUT)
    return tny_error_set(error, TNY_BROKEN, "rank %u %s writes %s; inputs are only read",
                         check->rank, tny_words_step(check->steps, index).text,
                         tny_words_span(span).text);
  for (uint64_t k = 0; k < pieces; k++) {
    const uint64_t location = tny_location_at(&check->locations, span, k);
    const uint32_t usable =
        check->location[location].usable.first[tny_step_receives(check->steps->steps[index].kind)];
    if (usable <= index)
      continue;
    bool writes = false;
    const uint32_t user = user_of(check, index, location, &writes);
    if (user == index)
      return tny_error_set(error, TNY_BROKEN, "rank %u %s writes %s, which it reads itself",
                           check->rank, tny_words_step(check->steps, index).text,
                           words_of(check, span, k).text);
    return tny_error_set(error, TNY_BROKEN,
                         "rank %u %s writes %s, but doesn't wait for %s, which %s it", check->rank,
                         tny_words_step(check->steps, index).text, words_of(check, span, k).text,
                         tny_words_step(check->steps, user).text, writes ? "writes" : "reads");
  }
  return TNY_OK;
}

/* Notes that a step used the locations of a span. */
static void note_use(const struct rank_check *check, uint32_t index, const struct tny_span *span,
                     bool writes)
{
  const uint64_t pieces = tny_span_pieces(span, check->locations.chunk_count);
  for (uint64_t k = 0; k < pieces; k++) {
    struct location *location = &check->location[tny_location_at(&check->locations, span, k)];
    if (writes)
      location->writer = index + 1;
    for (int queue = 0; queue < 2; queue++)
      if (check->complete[index].first[queue] > location->usable.first[queue])
        location->usable.first[queue] = check->complete[index].first[queue];
  }
}

static enum tny_status check_step(const struct rank_check *check, uint32_t index,
                                  struct tny_error *error)
{
  const struct tny_step *step = &check->steps->steps[index];
  if (uses_no_location(check, step))
    return TNY_OK;
  const struct tny_span *read = tny_step_read(step), *written = tny_step_written(step);
  enum tny_status status = TNY_OK;
  if (read) {
    status = check_read(check, index, read, error);
    note_use(check, index, read, false);
  }
  if (status == TNY_OK && tny_step_reduces(step->kind))
    status = check_read(check, index, written, error);
  /* A local step's own read is noted by now: it isn't complete before the step writes. */
  if (status == TNY_OK && written) {
    status = check_write(check, index, written, error);
    note_use(check, index, written, true);
  }
  return status;
}

static enum tny_status check_rank(struct rank_check *check, const struct tny_locations *locations,
                                  uint32_t rank, struct tny_error *error)
{
  check->rank = rank;
  check->locations = tny_locations_of_rank(locations, rank);
  check->steps = &check->match->schedule->ranks[rank];
  find_follows(check);
  memset(check->location, 0, check->locations.count * sizeof *check->location);
  for (uint32_t i = 0; i < check->steps->count; i++) {
    const enum tny_status status = check_step(check, i, error);
    if (status != TNY_OK)
      return status;
  }
  return TNY_OK;
}

enum tny_status tny_hazards_check(const struct tny_match *match,
                                  const struct tny_locations *locations, struct tny_error *error)
{
  struct rank_check check = {.match = match};
  uint32_t steps_max = 0;
  for (uint32_t rank = 0; rank < match->schedule->rank_count; rank++)
    if (match->schedule->ranks[rank].count > steps_max)
      steps_max = match->schedule->ranks[rank].count;
  check.started = tny_new(steps_max, sizeof *check.started);
  check.complete = tny_new(steps_max, sizeof *check.complete);
  check.location = tny_new(locations->count, sizeof *check.location);
  enum tny_status status = TNY_OK;
  if (!check.started || !check.complete || !check.location)
    status = tny_error_memory(error);
  for (uint32_t rank = 0; status == TNY_OK && rank < match->schedule->rank_count; rank++)
    status = check_rank(&check, locations, rank, error);
  tny_free(check.started);
  tny_free(check.complete);
  tny_free(check.location);
  return status;
}
