/* Queues cut into MSCCL's threadblocks. A threadblock takes as many pieces as its steps allow at
   both ends of the connection; the next threadblock of the queue waits for it. Connections get
   channels, each the first that has room at both ends; they're taken by their distance, receiver
   minus sender around all ranks, so that all ranks fill their channels alike: no channel more than
   needed where all ranks send to the same distances. */
#include "exchange/msccl_blocks.h"

#include "core/alloc.h"
#include "core/arena.h"
#include "core/error.h"

/* A connection: the queues of its two ends. */
struct link {
  uint32_t from, to;
  struct tny_msccl_queue *sends, *receives;
};

uint32_t tny_msccl_chunks(const struct tny_schedule *schedule, enum tny_buffer buffer)
{
  const uint32_t blocks =
      buffer == TNY_SCRATCH ? schedule->scratch_blocks
                            : tny_buffer_blocks(schedule->collective, buffer, schedule->rank_count);
  return blocks * schedule->chunk_count;
}

struct tny_step tny_msccl_step(const struct tny_schedule *schedule, uint32_t rank, uint32_t index)
{
  if (index < schedule->ranks[rank].count)
    return schedule->ranks[rank].steps[index];
  return (struct tny_step){.kind = TNY_COPY,
                           .peer = TNY_NONE,
                           .span = tny_span_blocks(TNY_INPUT, 0, 1),
                           .target = tny_span_blocks(TNY_OUTPUT, 0, 1),
                           .phase = TNY_NONE};
}

/* Chunks of a span that lie together: all of them, or those of each block. */
static uint32_t run_of(const struct tny_schedule *schedule, const struct tny_span *span)
{
  const bool is_whole = span->chunk_count == 1 || span->chunks == schedule->chunk_count;
  return is_whole ? span->count * schedule->chunk_count : span->chunks;
}

static uint32_t pieces_of_run(uint32_t run)
{
  return (run + TNY_MSCCL_COUNT_MAX - 1) / TNY_MSCCL_COUNT_MAX;
}

uint32_t tny_msccl_pieces(const struct tny_schedule *schedule, const struct tny_span *span)
{
  const uint32_t run = run_of(schedule, span);
  const uint64_t chunks = tny_span_pieces(span, schedule->chunk_count);
  return run ? (uint32_t)(chunks / run) * pieces_of_run(run) : 0;
}

struct tny_msccl_piece tny_msccl_piece(const struct tny_schedule *schedule,
                                       const struct tny_span *span, uint32_t k)
{
  static const char *const letters[] = {[TNY_INPUT] = "i", [TNY_OUTPUT] = "o", [TNY_SCRATCH] = "s"};
  const uint32_t run = run_of(schedule, span), pieces = pieces_of_run(run);
  const uint32_t before = k % pieces * TNY_MSCCL_COUNT_MAX;
  const uint32_t first = (span->first + k / pieces) * schedule->chunk_count +
                         (span->chunk_count == 1 ? 0 : span->chunk);
  const uint32_t rest = run - before;
  return (struct tny_msccl_piece){letters[span->buffer], first + before,
                                  rest < TNY_MSCCL_COUNT_MAX ? rest : TNY_MSCCL_COUNT_MAX};
}

static uint32_t pieces_at(const struct tny_msccl_walk *walk)
{
  if (walk->step == TNY_NONE)
    return 0;
  const struct tny_step step = tny_msccl_step(walk->blocks->schedule, walk->rank, walk->step);
  return tny_msccl_pieces(walk->blocks->schedule, &step.span);
}

struct tny_msccl_walk tny_msccl_walk_begin(const struct tny_msccl_blocks *blocks, uint32_t rank,
                                           const struct tny_msccl_queue *queue)
{
  struct tny_msccl_walk walk = {
      .blocks = blocks, .rank = rank, .queue = queue, .step = queue->first, .begins_block = true};
  walk.piece_count = pieces_at(&walk);
  return walk;
}

uint32_t tny_msccl_walk_waits(const struct tny_msccl_walk *walk)
{
  const struct tny_msccl_placed *placed = walk->blocks->ranks[walk->rank].placed;
  return (walk->piece == 0 ? placed[walk->step].wait_count : 0) +
         (walk->begins_block && walk->block > 0);
}

uint32_t tny_msccl_walk_cost(const struct tny_msccl_walk *walk)
{
  const uint32_t waits = tny_msccl_walk_waits(walk);
  return waits > 0 ? waits : 1;
}

/* The piece at hand is the first of the next threadblock. */
static void enter_block(struct tny_msccl_walk *walk)
{
  walk->block++;
  walk->place = 0;
  walk->begins_block = true;
}

/* To the next piece, in the same threadblock. */
static void step_on(struct tny_msccl_walk *walk)
{
  walk->place += tny_msccl_walk_cost(walk);
  walk->begins_block = false;
  walk->piece_of_queue++;
  if (++walk->piece < walk->piece_count)
    return;
  walk->step = walk->blocks->ranks[walk->rank].placed[walk->step].next;
  walk->piece = 0;
  walk->piece_count = pieces_at(walk);
}

void tny_msccl_walk_next(struct tny_msccl_walk *walk)
{
  const struct tny_msccl_queue *queue = walk->queue;
  step_on(walk);
  if (walk->block + 1 < queue->block_count &&
      walk->blocks->cuts[queue->cut_first + walk->block + 1].piece == walk->piece_of_queue)
    enter_block(walk);
}

static enum tny_status add_cut(struct tny_msccl_blocks *blocks, uint32_t piece,
                               struct tny_error *error)
{
  if (blocks->cut_count == blocks->cut_room) {
    const uint32_t room = blocks->cut_room ? 2 * blocks->cut_room : 64;
    void *grown = tny_resize(blocks->cuts, room, sizeof *blocks->cuts);
    if (!grown)
      return tny_error_memory(error);
    blocks->cuts = grown;
    blocks->cut_room = room;
  }
  blocks->cuts[blocks->cut_count++] = (struct tny_msccl_cut){.piece = piece};
  return TNY_OK;
}

static bool fits(const struct tny_msccl_walk *walk)
{
  return walk->place + tny_msccl_walk_cost(walk) <= TNY_MSCCL_STEPS_MAX;
}

/* Cuts the queues at `ends` of one connection alike, or a queue of copies. */
static enum tny_status cut(struct tny_msccl_blocks *blocks, struct tny_msccl_walk *ends,
                           uint32_t end_count, struct tny_error *error)
{
  enum tny_status status = add_cut(blocks, 0, error);
  while (status == TNY_OK && ends[0].step != TNY_NONE) {
    if (!fits(&ends[0]) || !fits(&ends[end_count - 1])) {
      for (uint32_t i = 0; i < end_count; i++)
        enter_block(&ends[i]);
      status = add_cut(blocks, ends[0].piece_of_queue, error);
    }
    for (uint32_t i = 0; status == TNY_OK && i < end_count; i++) {
      if (!fits(&ends[i]))
        return tny_error_set(error, TNY_REFUSED,
                             "rank %u step %u waits for %u others, and a threadblock of MSCCL has "
                             "no more than %d steps: plan with fewer ranks or chunks",
                             ends[i].rank, ends[i].step, tny_msccl_walk_waits(&ends[i]),
                             TNY_MSCCL_STEPS_MAX);
      step_on(&ends[i]);
    }
  }
  return status;
}

/* The queue is cut by the cuts from `first` on. */
static void set_cuts(const struct tny_msccl_blocks *blocks, struct tny_msccl_queue *queue,
                     uint32_t first)
{
  queue->cut_first = first;
  queue->block_count = blocks->cut_count - first;
}

static int compare_ends(const void *first, const void *second)
{
  const struct link *a = first, *b = second;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  return (a->to > b->to) - (a->to < b->to);
}

/* A rank's connections to others, `links` having room for them, and its own copies, which are cut
   here: they have no other end. */
static enum tny_status list_links(struct tny_msccl_blocks *blocks, uint32_t rank,
                                  struct link *links, uint32_t *count, struct tny_error *error)
{
  struct tny_msccl_rank *queued = &blocks->ranks[rank];
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; status == TNY_OK && i < queued->queue_count; i++) {
    struct tny_msccl_queue *queue = &queued->queues[i];
    if (tny_step_starts_message(queue->kind))
      links[(*count)++] = (struct link){.from = rank, .to = queue->peer, .sends = queue};
    if (tny_step_is_local(queue->kind)) {
      struct tny_msccl_walk walk = tny_msccl_walk_begin(blocks, rank, queue);
      const uint32_t first = blocks->cut_count;
      status = cut(blocks, &walk, 1, error);
      set_cuts(blocks, queue, first);
    }
  }
  return status;
}

/* All connections, with both ends, cut. Owns: *links, tny_free. */
static enum tny_status cut_all(struct tny_msccl_blocks *blocks, struct link **links,
                               uint32_t *count, struct tny_error *error)
{
  size_t queues = 0;
  for (uint32_t rank = 0; rank < blocks->schedule->rank_count; rank++)
    queues += blocks->ranks[rank].queue_count;
  *count = 0;
  *links = tny_new(queues, sizeof **links);
  enum tny_status status = *links ? TNY_OK : tny_error_memory(error);
  for (uint32_t rank = 0; status == TNY_OK && rank < blocks->schedule->rank_count; rank++)
    status = list_links(blocks, rank, *links, count, error);
  if (status != TNY_OK || *count == 0)
    return status;
  qsort(*links, *count, sizeof **links, compare_ends);
  for (uint32_t rank = 0; rank < blocks->schedule->rank_count; rank++) {
    for (uint32_t i = 0; i < blocks->ranks[rank].queue_count; i++) {
      struct tny_msccl_queue *queue = &blocks->ranks[rank].queues[i];
      const struct link key = {.from = queue->peer, .to = rank};
      if (tny_step_ends_message(queue->kind))
        ((struct link *)bsearch(&key, *links, *count, sizeof key, compare_ends))->receives = queue;
    }
  }
  for (uint32_t i = 0; status == TNY_OK && i < *count; i++) {
    const struct link *link = &(*links)[i];
    struct tny_msccl_walk ends[] = {tny_msccl_walk_begin(blocks, link->from, link->sends),
                                    tny_msccl_walk_begin(blocks, link->to, link->receives)};
    const uint32_t first = blocks->cut_count;
    status = cut(blocks, ends, 2, error);
    set_cuts(blocks, link->sends, first);
    set_cuts(blocks, link->receives, first);
  }
  return status;
}

/* The first channel with room at both ends, for each threadblock of a connection one of its own.
   `taken`: threadblocks by rank, those that send and those that receive, and by channel. */
static enum tny_status take_channels(struct tny_msccl_blocks *blocks, const struct link *link,
                                     uint8_t (*taken)[2][TNY_MSCCL_CHANNELS_MAX],
                                     struct tny_error *error)
{
  uint8_t *from = taken[link->from][0], *to = taken[link->to][1];
  uint32_t channel = 0;
  for (uint32_t i = 0; i < link->sends->block_count; i++, channel++) {
    while (channel < TNY_MSCCL_CHANNELS_MAX &&
           (from[channel] == TNY_MSCCL_PEERS_MAX || to[channel] == TNY_MSCCL_PEERS_MAX))
      channel++;
    if (channel == TNY_MSCCL_CHANNELS_MAX)
      return tny_error_set(
          error, TNY_REFUSED,
          "the messages from rank %u to rank %u find no channel of MSCCL with room "
          "(%d channels, with %d senders and receivers of a rank each, and %d steps "
          "for each): plan with fewer chunks or ranks",
          link->from, link->to, TNY_MSCCL_CHANNELS_MAX, TNY_MSCCL_PEERS_MAX, TNY_MSCCL_STEPS_MAX);
    blocks->cuts[link->sends->cut_first + i].channel = channel;
    from[channel]++;
    to[channel]++;
    if (blocks->channel_count <= channel)
      blocks->channel_count = channel + 1;
  }
  return TNY_OK;
}

/* Gives every connection its channels, by distance. */
static enum tny_status assign_channels(struct tny_msccl_blocks *blocks, const struct link *links,
                                       uint32_t count, struct tny_error *error)
{
  const uint32_t rank_count = blocks->schedule->rank_count;
  uint8_t(*taken)[2][TNY_MSCCL_CHANNELS_MAX] = tny_new(rank_count, sizeof *taken);
  uint32_t *start = tny_new((size_t)rank_count + 1, sizeof *start);
  const struct link **ordered = tny_new(count, sizeof *ordered);
  enum tny_status status = taken && start && ordered ? TNY_OK : tny_error_memory(error);
  /* A counting sort. */
  for (uint32_t i = 0; status == TNY_OK && i < count; i++)
    start[(links[i].to + rank_count - links[i].from) % rank_count + 1]++;
  for (uint32_t distance = 0; status == TNY_OK && distance < rank_count; distance++)
    start[distance + 1] += start[distance];
  for (uint32_t i = 0; status == TNY_OK && i < count; i++)
    ordered[start[(links[i].to + rank_count - links[i].from) % rank_count]++] = &links[i];
  blocks->channel_count = 1;
  for (uint32_t i = 0; status == TNY_OK && i < count; i++)
    status = take_channels(blocks, ordered[i], taken, error);
  tny_free(ordered);
  tny_free(start);
  tny_free(taken);
  return status;
}

/* Says where each step of a queue ends, and which of the rank's threadblocks are waited for. */
static uint32_t place_queue(struct tny_msccl_blocks *blocks, uint32_t rank,
                            const struct tny_msccl_queue *queue, bool *is_waited)
{
  struct tny_msccl_walk walk = tny_msccl_walk_begin(blocks, rank, queue);
  uint32_t steps = 0;
  for (; walk.step != TNY_NONE; tny_msccl_walk_next(&walk)) {
    struct tny_msccl_placed *placed = &blocks->ranks[rank].placed[walk.step];
    placed->block = queue->block_first + walk.block;
    placed->last = walk.place + tny_msccl_walk_cost(&walk) - 1;
    steps += tny_msccl_walk_cost(&walk);
    if (walk.begins_block && walk.block > 0)
      is_waited[placed->block - 1] = true;
    if (walk.piece + 1 == walk.piece_count && placed->is_waited)
      is_waited[placed->block] = true;
  }
  return steps;
}

/* Numbers a rank's threadblocks. Where not every number can be waited for, those that are waited
   for come first. */
static enum tny_status number_blocks(struct tny_msccl_rank *queued, const bool *is_waited,
                                     uint32_t rank, struct tny_error *error)
{
  uint32_t waited = 0, next;
  for (uint32_t i = 0; i < queued->block_count; i++)
    waited += is_waited[i];
  if (waited > TNY_MSCCL_WAITED_MAX)
    return tny_error_set(error, TNY_REFUSED,
                         "%u of rank %u's threadblocks are waited for, and MSCCL's executors tell "
                         "no more than %d apart: plan with fewer ranks or chunks",
                         waited, rank, TNY_MSCCL_WAITED_MAX);
  const bool sorts = queued->block_count > TNY_MSCCL_WAITED_MAX;
  next = waited;
  waited = 0;
  for (uint32_t i = 0; i < queued->block_count; i++)
    queued->ids[i] = !sorts ? i : is_waited[i] ? waited++ : next++;
  return TNY_OK;
}

static enum tny_status place_rank(struct tny_msccl_blocks *blocks, uint32_t rank,
                                  struct tny_error *error)
{
  struct tny_msccl_rank *queued = &blocks->ranks[rank];
  uint64_t elements = 1 + (uint64_t)blocks->schedule->rank_count;
  for (uint32_t i = 0; i < queued->queue_count; i++) {
    queued->queues[i].block_first = queued->block_count;
    queued->block_count += queued->queues[i].block_count;
  }
  bool *is_waited = tny_new(queued->block_count, sizeof *is_waited);
  queued->ids = tny_arena_take(blocks->arena, queued->block_count, sizeof *queued->ids);
  if (!is_waited || !queued->ids) {
    tny_free(is_waited);
    return tny_error_memory(error);
  }
  for (uint32_t i = 0; i < queued->queue_count; i++)
    elements += place_queue(blocks, rank, &queued->queues[i], is_waited);
  elements += queued->block_count;
  enum tny_status status = number_blocks(queued, is_waited, rank, error);
  tny_free(is_waited);
  if (status == TNY_OK && queued->block_count > TNY_MSCCL_BLOCKS_MAX)
    status =
        tny_error_set(error, TNY_REFUSED,
                      "rank %u needs %u threadblocks, and MSCCL's executors take %d: plan with "
                      "fewer ranks or chunks",
                      rank, queued->block_count, TNY_MSCCL_BLOCKS_MAX);
  if (status == TNY_OK && elements > TNY_MSCCL_ELEMENTS_MAX)
    status =
        tny_error_set(error, TNY_REFUSED,
                      "rank %u reads %llu elements of XML, and MSCCL's executors read %d: plan "
                      "with fewer ranks or chunks",
                      rank, (unsigned long long)elements, TNY_MSCCL_ELEMENTS_MAX);
  return status;
}

enum tny_status tny_msccl_blocks_make(const struct tny_schedule *schedule,
                                      struct tny_msccl_blocks *blocks, struct tny_error *error)
{
  const uint32_t count = schedule->rank_count;
  struct link *links = NULL;
  uint32_t link_count = 0;
  *blocks = (struct tny_msccl_blocks){.schedule = schedule};
  enum tny_status status = tny_match_make(schedule, &blocks->match, error);
  if (status != TNY_OK)
    return status;
  blocks->arena = tny_arena_new();
  blocks->ranks = blocks->arena ? tny_new(count, sizeof *blocks->ranks) : NULL;
  if (!blocks->ranks)
    status = tny_error_memory(error);
  for (uint32_t rank = 0; status == TNY_OK && rank < count; rank++) {
    const bool is_root =
        tny_collective_has_one_buffer(schedule->collective) && schedule->root == rank;
    blocks->ranks[rank].step_count = schedule->ranks[rank].count + is_root;
    status = tny_msccl_queue_rank(blocks, rank, error);
  }
  if (status == TNY_OK)
    status = cut_all(blocks, &links, &link_count, error);
  if (status == TNY_OK)
    status = assign_channels(blocks, links, link_count, error);
  tny_free(links);
  for (uint32_t rank = 0; status == TNY_OK && rank < count; rank++)
    status = place_rank(blocks, rank, error);
  return status;
}

void tny_msccl_blocks_release(struct tny_msccl_blocks *blocks)
{
  for (uint32_t rank = 0; blocks->ranks && rank < blocks->schedule->rank_count; rank++)
    tny_free(blocks->ranks[rank].waits);
  tny_free(blocks->ranks);
  tny_free(blocks->cuts);
  tny_arena_free(blocks->arena);
  tny_match_release(&blocks->match);
}
