/* Data: every rank ends with exactly the right blocks; where a schedule says which ones are wanted,
   with those; and where blocks are reduced, with what is combined as it should be. hazards.c shows that what a step reads is the same in every interleaving. So one run,
   followed block for block, proves it for all. */
#include "verify/data.h"
#include "core/alloc.h"
#include "core/error.h"
#include "schedule/words.h"
#include "verify/locations.h"
#include "verify/reductions.h"
#include "verify/run.h"

/* The most locations of all ranks together: more would take more than 1 GiB, at 8 bytes each. */
#define LOCATIONS_MAX ((uint64_t)1 << 27)

struct data {
  const struct tny_match *match;
  struct tny_locations locations;
  /* By rank and location: an input block, or a tree of them, by its number; 0: nothing. Chunks need
     no name: messages, copies and reduces keep the chunk number. */
  uint64_t *content;
  struct tny_trees trees;
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

static void fill_inputs(struct data *data)
{
  const struct tny_schedule *schedule = data->match->schedule;
  const uint32_t blocks = data->trees.input_blocks;
  const struct tny_span whole = tny_span_blocks(TNY_INPUT, 0, blocks);
  const uint64_t pieces = tny_span_pieces(&whole, data->locations.chunk_count);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    const struct tny_locations locations = tny_locations_of_rank(&data->locations, rank);
    for (uint64_t k = 0; k < pieces; k++)
      data->content[rank * locations.count + tny_location_at(&locations, &whole, k)] =
          tny_trees_leaf(&data->trees,
                         (struct tny_origin){rank, (uint32_t)(k / locations.chunk_count)});
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

/* Combines, piece by piece, what a reduce reads with what is in its target. hazards.c has shown
   that there is something in both. */
static enum tny_status reduce(struct data *data, uint32_t rank, const struct tny_step *step,
                              bool from_left, struct tny_error *error)
{
  const uint64_t pieces = tny_span_pieces(&step->span, data->locations.chunk_count);
  const struct tny_locations locations = tny_locations_of_rank(&data->locations, rank);
  uint64_t *content = data->content + rank * data->locations.count;
  enum tny_status status = TNY_OK;
  for (uint64_t k = 0; status == TNY_OK && k < pieces; k++) {
    const uint64_t from = content[tny_location_at(&locations, &step->span, k)];
    uint64_t *into = &content[tny_location_at(&locations, &step->target, k)];
    status = tny_trees_combine(&data->trees, from_left ? from : *into, from_left ? *into : from,
                               into, error);
  }
  return status;
}

/* Does what a step does that is complete: a copy, a reduce, or a message, given by its send. */
static enum tny_status complete(struct data *data, uint32_t id, struct tny_error *error)
{
  const struct tny_match *match = data->match;
  const struct tny_step *step = tny_match_step(match, id);
  const uint32_t rank = match->rank_of[id];
  switch (step->kind) {
  case TNY_COPY:
    move(data, rank, &step->span, rank, &step->target);
    break;
  case TNY_SEND:
    move(data, rank, &step->span, step->peer, &tny_match_step(match, match->partner[id])->span);
    break;
  case TNY_REDUCE_LEFT:
    return reduce(data, rank, step, true, error);
  case TNY_REDUCE_RIGHT:
    return reduce(data, rank, step, false, error);
  case TNY_RECV:
  case TNY_TOKEN_OUT:
  case TNY_TOKEN_IN:
    break;
  }
  return TNY_OK;
}

/* Any run will do: the one that showed progress, or one with unlimited windows. */
static enum tny_status replay(struct data *data, const struct tny_progress *progress,
                              struct tny_error *error)
{
  struct tny_run run;
  enum tny_status status = TNY_OK;
  if (progress) {
    for (uint32_t i = 0; status == TNY_OK && i < progress->node_count; i++)
      status = complete(data, progress->nodes[i], error);
    return status;
  }
  status = tny_run_make(data->match, &run, error);
  for (uint32_t i = 0; status == TNY_OK && i < run.event_count; i++)
    if (run.events[i] % 2)
      status = complete(data, run.events[i] / 2, error);
  return status;
}

/* The last step of a rank that writes one location; TNY_NONE: none. */
static uint32_t writer_of(const struct data *data, uint32_t rank, uint64_t location)
{
  const struct tny_steps *steps = &data->match->schedule->ranks[rank];
  for (uint32_t i = steps->count; i-- > 0;) {
    const struct tny_span *span = tny_step_written(&steps->steps[i]);
    const uint64_t pieces = span ? tny_span_pieces(span, data->locations.chunk_count) : 0;
    for (uint64_t k = 0; k < pieces; k++)
      if (tny_location_at(&data->locations, span, k) == location)
        return i;
  }
  return TNY_NONE;
}

/* A block in words: "block 1 of rank 3". */
static struct tny_words block_words(struct tny_origin origin)
{
  struct tny_words words;
  snprintf(words.text, sizeof words.text, "block %u of rank %u", origin.block, origin.rank);
  return words;
}

static enum tny_status wrong_block(const struct data *data, uint32_t rank,
                                   const struct tny_span *where, uint64_t wanted,
                                   struct tny_error *error)
{
  const uint64_t location = tny_location_at(&data->locations, where, 0);
  const uint64_t found = data->content[rank * data->locations.count + location];
  const uint32_t writer = writer_of(data, rank, location);
  const struct tny_words belongs = block_words(tny_trees_origin(&data->trees, wanted));
  if (found == 0 || writer == TNY_NONE)
    return tny_error_set(error, TNY_BROKEN, "rank %u ends without %s: nothing writes %s", rank,
                         belongs.text, tny_words_span(where).text);
  return tny_error_set(error, TNY_BROKEN, "rank %u %s leaves %s in %s, where %s belongs", rank,
                       tny_words_step(&data->match->schedule->ranks[rank], writer).text,
                       tny_trees_is_inner(&data->trees, found)
                           ? "what is combined of several blocks"
                           : block_words(tny_trees_origin(&data->trees, found)).text,
                       tny_words_span(where).text, belongs.text);
}

/* Says where the result lies of which `what` is wrong. */
static enum tny_status wrong_result(const struct data *data, uint32_t rank,
                                    const struct tny_span *where, const struct tny_error *what,
                                    struct tny_error *error)
{
  const uint32_t writer = writer_of(data, rank, tny_location_at(&data->locations, where, 0));
  if (what->status != TNY_BROKEN)
    return tny_error_set(error, what->status, "%s", what->text);
  if (writer == TNY_NONE)
    return tny_error_set(error, TNY_BROKEN, "rank %u ends without a result: nothing writes %s",
                         rank, tny_words_span(where).text);
  return tny_error_set(error, TNY_BROKEN, "rank %u %s leaves in %s what %s", rank,
                       tny_words_step(&data->match->schedule->ranks[rank], writer).text,
                       tny_words_span(where).text, what->text);
}

/* --- what should be there --- */

struct outputs {
  const struct data *data;
  struct tny_reductions *reductions; /* NULL: blocks aren't reduced */
  struct tny_bits *bits;
};

/* Is in one chunk of an output block what should be? */
static enum tny_status check_output(const struct outputs *outputs, uint32_t rank,
                                    const struct tny_span *where, struct tny_error *error)
{
  const struct data *data = outputs->data;
  const struct tny_schedule *schedule = data->match->schedule;
  const uint64_t found =
      data->content[rank * data->locations.count + tny_location_at(&data->locations, where, 0)];
  if (!outputs->reductions) {
    const uint64_t wanted =
        tny_trees_leaf(&data->trees, tny_collective_origin(schedule->collective, schedule->root,
                                                           rank, where->first));
    return found == wanted ? TNY_OK : wrong_block(data, rank, where, wanted, error);
  }
  const struct tny_result result = {rank, found};
  struct tny_error what = {0};
  bool in_order = false;
  if (found == 0)
    what.status = TNY_BROKEN;
  else if (tny_reductions_check(outputs->reductions, &result, &in_order, &what) == TNY_OK)
    what.status = TNY_OK;
  outputs->bits->in_rank_order &= in_order;
  return what.status == TNY_OK ? TNY_OK : wrong_result(data, rank, where, &what, error);
}

static enum tny_status check_rank(const struct outputs *outputs, uint32_t rank,
                                  struct tny_error *error)
{
  const struct tny_schedule *schedule = outputs->data->match->schedule;
  const uint32_t chunks = outputs->data->locations.chunk_count;
  const uint32_t blocks =
      tny_rank_blocks(schedule->collective, TNY_OUTPUT, schedule->rank_count, schedule->root, rank);
  enum tny_status status = TNY_OK;
  for (uint32_t block = 0; block < blocks; block++)
    for (uint32_t chunk = 0; tny_schedule_wants(schedule, block, rank) && chunk < chunks; chunk++) {
      const struct tny_span where = {TNY_OUTPUT, block, 1, chunk, chunks, 1};
      status = check_output(outputs, rank, &where, error);
      if (status != TNY_OK)
        return status;
    }
  return status;
}

static enum tny_status check_outputs(const struct outputs *outputs, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t rank = 0; status == TNY_OK && rank < outputs->data->match->schedule->rank_count;
       rank++)
    status = check_rank(outputs, rank, error);
  return status;
}

/* Are the trees of a rank's chunks all the same, and the same as those of the other ranks? */
static void compare_trees(const struct data *data, struct tny_bits *bits)
{
  const struct tny_schedule *schedule = data->match->schedule;
  const uint32_t chunks = data->locations.chunk_count;
  const uint64_t first = data->locations.first_block[TNY_OUTPUT] * (uint64_t)chunks;
  const uint64_t *one = NULL;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    const uint64_t *content = data->content + rank * data->locations.count + first;
    if (tny_rank_blocks(schedule->collective, TNY_OUTPUT, schedule->rank_count, schedule->root,
                        rank) == 0)
      continue;
    one = one ? one : content;
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
      bits->in_all_chunks &= content[chunk] == content[0];
      bits->on_all_ranks &= content[chunk] == one[chunk];
    }
  }
}

static enum tny_status check_reductions(const struct data *data, struct tny_bits *bits,
                                        struct tny_error *error)
{
  struct tny_reductions reductions;
  const struct outputs outputs = {data, &reductions, bits};
  enum tny_status status =
      tny_reductions_init(&reductions, data->match->schedule, &data->trees, error);
  *bits = (struct tny_bits){true, true, true};
  if (status == TNY_OK)
    status = check_outputs(&outputs, error);
  if (status == TNY_OK)
    compare_trees(data, bits);
  tny_reductions_release(&reductions);
  return status;
}

static enum tny_status check_contents(struct data *data, const struct tny_progress *progress,
                                      struct tny_bits *bits, struct tny_error *error)
{
  enum tny_status status = tny_hazards_check(data->match, &data->locations, error);
  if (status != TNY_OK)
    return status;
  data->content =
      tny_new(data->match->schedule->rank_count * data->locations.count, sizeof *data->content);
  if (!data->content)
    return tny_error_memory(error);
  tny_trees_init(&data->trees, data->match->schedule);
  fill_inputs(data);
  status = replay(data, progress, error);
  if (status == TNY_OK && tny_collective_reduces(data->match->schedule->collective))
    status = check_reductions(data, bits, error);
  else if (status == TNY_OK)
    status = check_outputs(&(struct outputs){.data = data}, error);
  tny_free(data->content);
  tny_trees_release(&data->trees);
  return status;
}

enum tny_status tny_data_check(const struct tny_match *match, const struct tny_progress *progress,
                               bool in_place, struct tny_bits *bits, struct tny_error *error)
{
  const struct tny_schedule *schedule = match->schedule;
  struct data data = {.match = match, .locations = tny_locations_of(schedule)};
  data.locations.in_place = in_place;
  if (data.locations.count > LOCATIONS_MAX / schedule->rank_count)
    return tny_error_set(error, TNY_REFUSED,
                         "%u ranks with %llu chunks of blocks each are too many to prove here",
                         schedule->rank_count, (unsigned long long)data.locations.count);
  struct tny_bits unasked;
  return check_contents(&data, progress, bits ? bits : &unasked, error);
}
