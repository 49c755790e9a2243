/* Data: every rank ends with exactly the right blocks; where an all-to-all says which blocks are
   wanted, with those. hazards.c shows that what a step reads is the same in every interleaving. So
   one run, followed block for block, proves it for all. */
#include "verify/data.h"
#include "core/alloc.h"
#include "core/error.h"
#include "schedule/words.h"
#include "verify/locations.h"
#include "verify/run.h"

/* The most locations of all ranks together: more would take more than 1 GiB, at 8 bytes each. */
#define LOCATIONS_MAX ((uint64_t)1 << 27)

struct data {
  const struct tny_match *match;
  struct tny_locations locations;
  /* By rank and location: 1 + block of all ranks' inputs (rank * input blocks + block); 0: nothing.
     Chunks need no name: messages and copies keep the chunk number. */
  uint64_t *content;
};

struct tny_locations tny_locations_of(const struct tny_schedule *schedule)
{
  struct tny_locations locations = {.chunk_count = 1};
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++)
      if (schedule->ranks[rank].steps[i].span.chunk_count > 1)
        locations.chunk_count = schedule->chunk_count;
  const uint32_t inputs = tny_buffer_blocks(schedule->collective, TNY_INPUT, schedule->rank_count);
  const uint32_t outputs =
      tny_buffer_blocks(schedule->collective, TNY_OUTPUT, schedule->rank_count);
  locations.first_block[TNY_OUTPUT] = inputs;
  locations.first_block[TNY_SCRATCH] = inputs + outputs;
  locations.count = ((uint64_t)inputs + outputs + schedule->scratch_blocks) * locations.chunk_count;
  return locations;
}

static uint32_t input_blocks(const struct data *data)
{
  const struct tny_schedule *schedule = data->match->schedule;
  return tny_buffer_blocks(schedule->collective, TNY_INPUT, schedule->rank_count);
}

static void fill_inputs(struct data *data)
{
  const struct tny_schedule *schedule = data->match->schedule;
  const uint32_t blocks = input_blocks(data);
  const struct tny_span whole = tny_span_blocks(TNY_INPUT, 0, blocks);
  const uint64_t pieces = tny_span_pieces(&whole, data->locations.chunk_count);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    const struct tny_locations locations = tny_locations_of_rank(&data->locations, rank);
    for (uint64_t k = 0; k < pieces; k++)
      data->content[rank * locations.count + tny_location_at(&locations, &whole, k)] =
          1 + rank * (uint64_t)blocks + k / locations.chunk_count;
  }
}

static void move(struct data *data, uint32_t from_rank, const struct tny_span *from,
                 uint32_t to_rank, const struct tny_span *to)
{
  const uint64_t pieces = tny_span_pieces(from, data->locations.chunk_count);
  const struct tny_locations from_locations = tny_locations_of_rank(&data->locations, from_rank);
  const struct tny_locations to_locations = tny_locations_of_rank(&data->locations, to_rank);
  const uint64_t *source = data->content + from_rank * data->locations.count;
  uint64_t *target = data->content + to_rank * data->locations.count;
  for (uint64_t k = 0; k < pieces; k++)
    target[tny_location_at(&to_locations, to, k)] =
        source[tny_location_at(&from_locations, from, k)];
}

/* Moves the data of a step that is complete: of a copy, or of a message, given by its send. */
static void complete(struct data *data, uint32_t id)
{
  const struct tny_match *match = data->match;
  const struct tny_step *step = tny_match_step(match, id);
  const uint32_t rank = match->rank_of[id];
  if (step->kind == TNY_COPY)
    move(data, rank, &step->span, rank, &step->target);
  else if (step->kind == TNY_SEND)
    move(data, rank, &step->span, step->peer, &tny_match_step(match, match->partner[id])->span);
}

/* Any run will do: the one that showed progress, or one with unlimited windows. */
static enum tny_status replay(struct data *data, const struct tny_progress *progress,
                              struct tny_error *error)
{
  struct tny_run run;
  if (progress) {
    for (uint32_t i = 0; i < progress->node_count; i++)
      complete(data, progress->nodes[i]);
    return TNY_OK;
  }
  const enum tny_status status = tny_run_make(data->match, &run, error);
  for (uint32_t i = 0; status == TNY_OK && i < run.event_count; i++)
    if (run.events[i] % 2)
      complete(data, run.events[i] / 2);
  return status;
}

/* The last step of a rank that writes one location; TNY_NONE: none. */
static uint32_t writer_of(const struct data *data, uint32_t rank, uint64_t location)
{
  const struct tny_steps *steps = &data->match->schedule->ranks[rank];
  for (uint32_t i = steps->count; i-- > 0;) {
    const struct tny_step *step = &steps->steps[i];
    if (step->kind != TNY_RECV && step->kind != TNY_COPY)
      continue;
    const struct tny_span *span = step->kind == TNY_COPY ? &step->target : &step->span;
    const uint64_t pieces = tny_span_pieces(span, data->locations.chunk_count);
    for (uint64_t k = 0; k < pieces; k++)
      if (tny_location_at(&data->locations, span, k) == location)
        return i;
  }
  return TNY_NONE;
}

static enum tny_status wrong_block(const struct data *data, uint32_t rank,
                                   const struct tny_span *where, uint64_t wanted,
                                   struct tny_error *error)
{
  const uint32_t inputs = input_blocks(data);
  const uint64_t location = tny_location_at(&data->locations, where, 0);
  const uint64_t found = data->content[rank * data->locations.count + location];
  const uint32_t writer = writer_of(data, rank, location);
  const uint64_t wanted_rank = (wanted - 1) / inputs, wanted_block = (wanted - 1) % inputs;
  if (found == 0 || writer == TNY_NONE)
    return tny_error_set(error, TNY_BROKEN,
                         "rank %u ends without block %llu of rank %llu: nothing writes %s", rank,
                         (unsigned long long)wanted_block, (unsigned long long)wanted_rank,
                         tny_words_span(where).text);
  return tny_error_set(
      error, TNY_BROKEN,
      "rank %u %s leaves block %llu of rank %llu in %s, where block %llu of rank %llu belongs",
      rank, tny_words_step(&data->match->schedule->ranks[rank], writer).text,
      (unsigned long long)(found - 1) % inputs, (unsigned long long)(found - 1) / inputs,
      tny_words_span(where).text, (unsigned long long)wanted_block,
      (unsigned long long)wanted_rank);
}

/* 1 + the input block that belongs in a rank's output block. */
static uint64_t wanted_in(const struct tny_schedule *schedule, uint32_t rank, uint32_t block)
{
  switch (schedule->collective) {
  case TNY_BROADCAST:
    return 1 + (uint64_t)schedule->root;
  case TNY_ALLGATHER:
    return 1 + (uint64_t)block;
  case TNY_ALLTOALL:
    break;
  }
  return 1 + block * (uint64_t)schedule->rank_count + rank;
}

static enum tny_status check_outputs(const struct data *data, struct tny_error *error)
{
  const struct tny_schedule *schedule = data->match->schedule;
  const uint32_t chunks = data->locations.chunk_count;
  const uint32_t blocks = tny_buffer_blocks(schedule->collective, TNY_OUTPUT, schedule->rank_count);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    if (schedule->collective == TNY_BROADCAST && rank == schedule->root)
      continue;
    const uint64_t *content = data->content + rank * data->locations.count +
                              data->locations.first_block[TNY_OUTPUT] * (uint64_t)chunks;
    for (uint32_t block = 0; block < blocks; block++) {
      if (!tny_schedule_wants(schedule, block, rank))
        continue;
      const uint64_t wanted = wanted_in(schedule, rank, block);
      for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        const struct tny_span where = {TNY_OUTPUT, block, 1, chunk, chunks, 1};
        if (content[block * (uint64_t)chunks + chunk] != wanted)
          return wrong_block(data, rank, &where, wanted, error);
      }
    }
  }
  return TNY_OK;
}

static enum tny_status check_contents(struct data *data, const struct tny_progress *progress,
                                      struct tny_error *error)
{
  enum tny_status status = tny_hazards_check(data->match, &data->locations, error);
  if (status != TNY_OK)
    return status;
  data->content =
      tny_new(data->match->schedule->rank_count * data->locations.count, sizeof *data->content);
  if (!data->content)
    return tny_error_memory(error);
  fill_inputs(data);
  status = replay(data, progress, error);
  if (status == TNY_OK)
    status = check_outputs(data, error);
  tny_free(data->content);
  return status;
}

enum tny_status tny_data_check(const struct tny_match *match, const struct tny_progress *progress,
                               bool in_place, struct tny_error *error)
{
  const struct tny_schedule *schedule = match->schedule;
  struct data data = {.match = match, .locations = tny_locations_of(schedule)};
  data.locations.in_place = in_place;
  if (data.locations.count > LOCATIONS_MAX / schedule->rank_count)
    return tny_error_set(error, TNY_REFUSED,
                         "%u ranks with %llu chunks of blocks each are too many to prove here",
                         schedule->rank_count, (unsigned long long)data.locations.count);
  return check_contents(&data, progress, error);
}
