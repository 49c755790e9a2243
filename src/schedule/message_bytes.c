/* Runs the schedule's data moves, both ends of a message at once, which is one of the executions of
   a verified schedule; so it is known which block lies where, and how many bytes each message has.
   The prover follows blocks by code of its own (verify/data.c). */
#include "schedule/message_bytes.h"

#include "core/alloc.h"
#include "core/error.h"
#include "schedule/block_cut.h"

struct play {
  const struct tny_match *match;
  const struct tny_block_sizes *sizes;
  uint64_t *bytes; /* by step */
  uint32_t chunk_count;
  uint64_t piece_bytes; /* by which blocks are cut whose bytes all ranks know; 0: there are none */
  uint64_t input_blocks, output_blocks, rank_locations;
  uint32_t *block_at; /* by rank and location: the number of a block, or TNY_NONE */
  uint32_t *head[2];  /* by rank: the first step of its queue that isn't complete */
  bool *is_complete;  /* by step */
  bool has_moved;
};

static uint64_t location_of(const struct play *play, uint32_t rank, const struct tny_span *span,
                            uint64_t piece)
{
  const uint64_t before = span->buffer == TNY_INPUT    ? 0
                          : span->buffer == TNY_OUTPUT ? play->input_blocks
                                                       : play->input_blocks + play->output_blocks;
  const uint32_t pieces = span->chunk_count == 1 ? play->chunk_count : span->chunks;
  const uint32_t first = span->chunk_count == 1 ? 0 : span->chunk;
  const uint64_t block = before + span->first + piece / pieces;
  return rank * play->rank_locations + block * play->chunk_count + first + piece % pieces;
}

/* The bytes of a piece of a block, the first of which are a byte longer where they don't divide. */
static uint64_t piece_bytes(const struct play *play, uint32_t block, uint32_t piece)
{
  const uint64_t whole = play->sizes->bytes_of[block];
  const struct tny_span span = {.chunk_count = play->chunk_count, .chunk = piece, .chunks = 1};
  const struct tny_block_cut cut = play->piece_bytes
                                       ? tny_block_cut_make(whole, play->piece_bytes, block)
                                       : (struct tny_block_cut){0};
  const struct tny_block_parts parts = tny_block_cut_parts(cut, &span);
  if (parts.first == parts.end)
    return 0;
  return whole / parts.count + (parts.first < whole % parts.count);
}

/* Returns the bytes that a span covers of what lies there. */
static uint64_t bytes_at(const struct play *play, uint32_t rank, const struct tny_span *span)
{
  uint64_t bytes = 0;
  for (uint64_t piece = 0; piece < tny_span_pieces(span, play->chunk_count); piece++) {
    const uint64_t location = location_of(play, rank, span, piece);
    if (play->block_at[location] != TNY_NONE)
      bytes +=
          piece_bytes(play, play->block_at[location], (uint32_t)(location % play->chunk_count));
  }
  return bytes;
}

/* Returns the bytes that move. */
static uint64_t move(const struct play *play, uint32_t from, const struct tny_span *span,
                     uint32_t to, const struct tny_span *target)
{
  const uint64_t bytes = bytes_at(play, from, span);
  for (uint64_t piece = 0; piece < tny_span_pieces(span, play->chunk_count); piece++)
    play->block_at[location_of(play, to, target, piece)] =
        play->block_at[location_of(play, from, span, piece)];
  return bytes;
}

static bool is_free(const struct play *play, uint32_t id)
{
  for (uint32_t i = 0; i < tny_match_step(play->match, id)->after_count; i++)
    if (!play->is_complete[tny_match_after(play->match, id, i)])
      return false;
  return true;
}

/* The step is complete: the next one of its queue comes to the head. */
static void finish(struct play *play, uint32_t id)
{
  const struct tny_match *match = play->match;
  const uint32_t rank = match->rank_of[id];
  const bool receives = tny_step_receives(tny_match_step(match, id)->kind);
  play->is_complete[id] = true;
  uint32_t next = id + 1;
  while (next < match->first[rank + 1] &&
         tny_step_receives(tny_match_step(match, next)->kind) != receives)
    next++;
  play->head[receives][rank] = next;
  play->has_moved = true;
}

/* Moves what a copy moves, or a message, given by its send. What a reduce leaves is as long as what
   was there. */
static void carry_out(const struct play *play, uint32_t id)
{
  const struct tny_match *match = play->match;
  const struct tny_step *step = tny_match_step(match, id);
  const uint32_t rank = match->rank_of[id], partner = match->partner[id];
  switch (step->kind) {
  case TNY_COPY:
    move(play, rank, &step->span, rank, &step->target);
    break;
  case TNY_SEND:
    play->bytes[id] = play->bytes[partner] =
        move(play, rank, &step->span, step->peer, &tny_match_step(match, partner)->span);
    break;
  case TNY_REDUCE_LEFT:
  case TNY_REDUCE_RIGHT:
    play->bytes[id] = bytes_at(play, rank, &step->span);
    break;
  case TNY_RECV:
  case TNY_TOKEN_OUT:
  case TNY_TOKEN_IN:
    break;
  }
}

/* Completes the head of a rank's sends, if it can be. */
static bool try_head(struct play *play, uint32_t rank)
{
  const struct tny_match *match = play->match;
  const uint32_t id = play->head[false][rank];
  if (id == match->first[rank + 1] || !is_free(play, id))
    return false;
  const uint32_t partner = match->partner[id];
  if (partner == TNY_NONE) {
    carry_out(play, id);
    finish(play, id);
    return true;
  }
  const uint32_t to = match->rank_of[partner];
  if (play->head[true][to] != partner || !is_free(play, partner))
    return false;
  carry_out(play, id);
  finish(play, id);
  finish(play, partner);
  return true;
}

/* The number of a block that a rank has from the start. */
static uint32_t number_of(const struct play *play, uint32_t rank, uint64_t index)
{
  const struct tny_schedule *schedule = play->match->schedule;
  const uint32_t block = (uint32_t)index;
  if (tny_collective_is_pairwise(schedule->collective))
    return rank * schedule->rank_count + block;
  return tny_collective_reduces(schedule->collective) ? block : rank;
}

static void set_up(struct play *play)
{
  const struct tny_match *match = play->match;
  const uint32_t rank_count = match->schedule->rank_count;
  for (uint64_t location = 0; location < rank_count * play->rank_locations; location++)
    play->block_at[location] = TNY_NONE;
  for (uint32_t rank = 0; rank < rank_count; rank++) {
    for (uint64_t location = 0; location < play->input_blocks * play->chunk_count; location++)
      play->block_at[rank * play->rank_locations + location] =
          number_of(play, rank, location / play->chunk_count);
    for (int receives = 0; receives < 2; receives++) {
      uint32_t id = match->first[rank];
      while (id < match->first[rank + 1] &&
             tny_step_receives(tny_match_step(match, id)->kind) != receives)
        id++;
      play->head[receives][rank] = id;
    }
  }
}

static enum tny_status play_all(struct play *play, struct tny_error *error)
{
  const uint32_t rank_count = play->match->schedule->rank_count;
  set_up(play);
  do {
    play->has_moved = false;
    for (uint32_t rank = 0; rank < rank_count; rank++)
      while (try_head(play, rank))
        continue;
  } while (play->has_moved);
  for (uint32_t id = 0; id < play->match->step_count; id++)
    if (!play->is_complete[id])
      return tny_error_set(error, TNY_BROKEN,
                           "steps wait for each other; `tourney verify` names them");
  return TNY_OK;
}

bool tny_sends_straight(const struct tny_schedule *schedule)
{
  bool is_straight = true;
  for (uint32_t rank = 0; is_straight && rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; is_straight && i < schedule->ranks[rank].count; i++) {
      const struct tny_span *read = tny_step_read(&schedule->ranks[rank].steps[i]);
      is_straight = !read || (read->buffer == TNY_INPUT && read->count == 1);
    }
  return is_straight;
}

static enum tny_status check(const struct tny_schedule *schedule, struct tny_error *error)
{
  const enum tny_collective collective = schedule->collective;
  const bool has_sizes =
      tny_collective_uneven_name(collective) && !tny_collective_has_root(collective);
  if (has_sizes && schedule->rank_count <= TNY_WANTED_RANKS_MAX)
    return TNY_OK;
  return tny_error_set(error, TNY_REFUSED,
                       "only the blocks of an all-to-all, all-gather or reduce-scatter of at most "
                       "%u ranks may differ in size",
                       TNY_WANTED_RANKS_MAX);
}

enum tny_status tny_message_bytes_find(const struct tny_match *match,
                                       const struct tny_block_sizes *sizes, uint64_t *bytes,
                                       struct tny_error *error)
{
  const struct tny_schedule *schedule = match->schedule;
  const uint32_t rank_count = schedule->rank_count, chunk_count = schedule->chunk_count;
  enum tny_status status = check(schedule, error);
  if (status != TNY_OK)
    return status;
  const bool is_known = !tny_collective_is_pairwise(schedule->collective);
  struct play play = {
      .match = match,
      .sizes = sizes,
      .bytes = bytes,
      .chunk_count = chunk_count,
      .piece_bytes = is_known ? sizes->planned_bytes / chunk_count + 1 : 0,
      .input_blocks = tny_rank_blocks(schedule->collective, TNY_INPUT, rank_count, 0, 0),
      .output_blocks = tny_rank_blocks(schedule->collective, TNY_OUTPUT, rank_count, 0, 0)};
  play.rank_locations =
      (play.input_blocks + play.output_blocks + schedule->scratch_blocks) * chunk_count;
  play.block_at = tny_new(rank_count * play.rank_locations, sizeof *play.block_at);
  play.head[0] = tny_new(rank_count, sizeof *play.head[0]);
  play.head[1] = tny_new(rank_count, sizeof *play.head[1]);
  play.is_complete = tny_new(match->step_count, sizeof *play.is_complete);
  const bool has_room = play.block_at && play.head[0] && play.head[1] && play.is_complete;
  status = has_room ? play_all(&play, error) : tny_error_memory(error);
  tny_free(play.block_at);
  tny_free(play.head[0]);
  tny_free(play.head[1]);
  tny_free(play.is_complete);
  return status;
}
