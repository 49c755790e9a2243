/* One run of a schedule, followed block for block. hazards.c shows that what a step reads is the
   same in every interleaving. So what one run leaves, all do. */
#include "verify/contents.h"

#include "core/alloc.h"
#include "core/error.h"
#include "verify/run.h"

/* The most locations of all ranks together: more would take more than 1 GiB, at 8 bytes each. */
#define LOCATIONS_MAX ((uint64_t)1 << 27)

struct tny_locations tny_locations_of(const struct tny_schedule *schedule, bool in_place)
{
  struct tny_locations locations = {
      .chunk_count = 1, .collective = schedule->collective, .in_place = in_place};
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++)
      if (schedule->ranks[rank].steps[i].span.chunk_count > 1)
        locations.chunk_count = schedule->chunk_count;
  const uint32_t inputs = tny_buffer_blocks(schedule->collective, TNY_INPUT, schedule->rank_count);
  const uint32_t outputs =
      tny_buffer_blocks(schedule->collective, TNY_OUTPUT, schedule->rank_count);
  const uint32_t longer = inputs > outputs ? inputs : outputs;
  locations.input_blocks = inputs;
  locations.first_block[TNY_OUTPUT] = in_place ? 0 : inputs;
  locations.first_block[TNY_SCRATCH] = in_place ? longer : inputs + outputs;
  locations.count = ((uint64_t)locations.first_block[TNY_SCRATCH] + schedule->scratch_blocks) *
                    locations.chunk_count;
  return locations;
}

static void fill_inputs(struct tny_contents *contents)
{
  const struct tny_schedule *schedule = contents->match->schedule;
  const uint32_t blocks = contents->trees->input_blocks;
  const struct tny_span whole = tny_span_blocks(TNY_INPUT, 0, blocks);
  const uint64_t pieces = tny_span_pieces(&whole, contents->locations.chunk_count);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    const struct tny_locations locations = tny_locations_of_rank(&contents->locations, rank);
    for (uint64_t k = 0; k < pieces; k++)
      contents->of[rank * locations.count + tny_location_at(&locations, &whole, k)] =
          tny_trees_leaf(contents->trees,
                         (struct tny_origin){rank, (uint32_t)(k / locations.chunk_count)});
  }
}

static void move(struct tny_contents *contents, uint32_t from_rank, const struct tny_span *from,
                 uint32_t to_rank, const struct tny_span *to)
{
  const uint64_t pieces = tny_span_pieces(from, contents->locations.chunk_count);
  const struct tny_locations from_locations =
      tny_locations_of_rank(&contents->locations, from_rank);
  const struct tny_locations to_locations = tny_locations_of_rank(&contents->locations, to_rank);
  const uint64_t *source = contents->of + from_rank * contents->locations.count;
  uint64_t *target = contents->of + to_rank * contents->locations.count;
  for (uint64_t k = 0; k < pieces; k++)
    target[tny_location_at(&to_locations, to, k)] =
        source[tny_location_at(&from_locations, from, k)];
}

/* Combines, piece by piece, what a reduce reads with what is in its target. hazards.c has shown
   that there is something in both. */
static enum tny_status reduce(struct tny_contents *contents, uint32_t rank,
                              const struct tny_step *step, bool from_left, struct tny_error *error)
{
  const uint64_t pieces = tny_span_pieces(&step->span, contents->locations.chunk_count);
  const struct tny_locations locations = tny_locations_of_rank(&contents->locations, rank);
  uint64_t *of_rank = contents->of + rank * contents->locations.count;
  enum tny_status status = TNY_OK;
  for (uint64_t k = 0; status == TNY_OK && k < pieces; k++) {
    const uint64_t from = of_rank[tny_location_at(&locations, &step->span, k)];
    uint64_t *into = &of_rank[tny_location_at(&locations, &step->target, k)];
    status = tny_trees_combine(contents->trees, from_left ? from : *into, from_left ? *into : from,
                               into, error);
  }
  return status;
}

/* Does what a step does that is complete: a copy, a reduce, or a message, given by its send. */
static enum tny_status complete(struct tny_contents *contents, uint32_t id, struct tny_error *error)
{
  const struct tny_match *match = contents->match;
  const struct tny_step *step = tny_match_step(match, id);
  const uint32_t rank = match->rank_of[id];
  switch (step->kind) {
  case TNY_COPY:
    move(contents, rank, &step->span, rank, &step->target);
    break;
  case TNY_SEND:
    move(contents, rank, &step->span, step->peer, &tny_match_step(match, match->partner[id])->span);
    break;
  case TNY_REDUCE_LEFT:
    return reduce(contents, rank, step, true, error);
  case TNY_REDUCE_RIGHT:
    return reduce(contents, rank, step, false, error);
  case TNY_RECV:
  case TNY_TOKEN_OUT:
  case TNY_TOKEN_IN:
    break;
  }
  return TNY_OK;
}

/* Any run will do: the one that showed progress, or one with unlimited windows. */
static enum tny_status replay(struct tny_contents *contents, const struct tny_progress *progress,
                              struct tny_error *error)
{
  struct tny_run run;
  enum tny_status status = TNY_OK;
  if (progress) {
    for (uint32_t i = 0; status == TNY_OK && i < progress->node_count; i++)
      status = complete(contents, progress->nodes[i], error);
    return status;
  }
  status = tny_run_make(contents->match, &run, error);
  for (uint32_t i = 0; status == TNY_OK && i < run.event_count; i++)
    if (run.events[i] % 2)
      status = complete(contents, run.events[i] / 2, error);
  return status;
}

enum tny_status tny_contents_make(const struct tny_match *match,
                                  const struct tny_progress *progress,
                                  struct tny_contents *contents, struct tny_error *error)
{
  const struct tny_schedule *schedule = match->schedule;
  contents->match = match;
  contents->locations = tny_locations_of(schedule, contents->in_place);
  if (contents->locations.count > LOCATIONS_MAX / schedule->rank_count)
    return tny_error_set(error, TNY_REFUSED,
                         "%u ranks with %llu chunks of blocks each are too many to prove here",
                         schedule->rank_count, (unsigned long long)contents->locations.count);
  enum tny_status status = tny_hazards_check(match, &contents->locations, error);
  if (status != TNY_OK)
    return status;
  contents->of = tny_new(schedule->rank_count * contents->locations.count, sizeof *contents->of);
  if (!contents->of)
    return tny_error_memory(error);
  fill_inputs(contents);
  return replay(contents, progress, error);
}

void tny_contents_release(struct tny_contents *contents)
{
  tny_free(contents->of);
}
