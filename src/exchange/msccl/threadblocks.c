/* Queues cut into MSCCL's threadblocks. A threadblock takes as many pieces as its steps allow at
   both ends of the connection; the next threadblock of the queue waits for it. Each connection
   gets the first channel that has room at both ends. Connections take their turns by distance,
   receiver minus sender modulo the number of ranks. So all ranks fill their channels alike, and
   where all send to the same distances, no channel more is used than is needed. */
#include "exchange/msccl/threadblocks.h"

#include "core/alloc.h"
#include "core/arena.h"
#include "core/error.h"
#include "exchange/list.h"
#include "exchange/msccl/limits.h"
#include "exchange/msccl/walk.h"

/* A connection: the queues of its two ends. */
struct connection {
  uint32_t from, to;
  struct tny_msccl_queue *sends, *receives;
};

static enum tny_status add_cut(struct tny_msccl_threadblocks *blocks, uint32_t piece,
                               struct tny_error *error)
{
  struct tny_msccl_cut *cuts =
      tny_list_reserve(blocks->cuts, blocks->cut_count, &blocks->cut_room, sizeof *cuts);
  if (!cuts)
    return tny_error_memory(error);
  blocks->cuts = cuts;
  cuts[blocks->cut_count++] = (struct tny_msccl_cut){.piece = piece};
  return TNY_OK;
}

static bool fits(const struct tny_msccl_walk *walk)
{
  return walk->xml_step + tny_msccl_walk_cost(walk) <= TNY_MSCCL_STEPS_MAX;
}

/* Walks a queue that isn't cut yet. */
static struct tny_msccl_walk walk_uncut(const struct tny_msccl_threadblocks *blocks, uint32_t rank,
                                        const struct tny_msccl_queue *queue)
{
  return tny_msccl_walk_begin(blocks->schedule, rank, &blocks->ranks[rank], queue, NULL);
}

/* Cuts the queues at `ends` of one connection alike, or a queue of copies. */
static enum tny_status cut(struct tny_msccl_threadblocks *blocks, struct tny_msccl_walk *ends,
                           uint32_t end_count, struct tny_error *error)
{
  enum tny_status status = add_cut(blocks, 0, error);
  while (status == TNY_OK && ends[0].step != TNY_NONE) {
    if (!fits(&ends[0]) || !fits(&ends[end_count - 1])) {
      for (uint32_t i = 0; i < end_count; i++)
        tny_msccl_walk_enter_block(&ends[i]);
      status = add_cut(blocks, ends[0].piece_of_queue, error);
    }
    for (uint32_t i = 0; status == TNY_OK && i < end_count; i++) {
      if (!fits(&ends[i]))
        return tny_error_set(error, TNY_REFUSED,
                             "rank %u step %u waits for %u others, and a threadblock of MSCCL has "
                             "no more than %d steps: plan with fewer ranks or chunks",
                             ends[i].rank, ends[i].step, tny_msccl_walk_waits(&ends[i]),
                             TNY_MSCCL_STEPS_MAX);
      tny_msccl_walk_step(&ends[i]);
    }
  }
  return status;
}

/* The queue is cut by the cuts from `first` on. */
static void set_cuts(const struct tny_msccl_threadblocks *blocks, struct tny_msccl_queue *queue,
                     uint32_t first)
{
  queue->cut_first = first;
  queue->block_count = blocks->cut_count - first;
}

static int compare_ends(const void *first, const void *second)
{
  const struct connection *a = first, *b = second;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  return (a->to > b->to) - (a->to < b->to);
}

/* A rank's connections to others, `connections` having room for them, and its own copies, which
   are cut here: they have no other end. */
static enum tny_status list_connections(struct tny_msccl_threadblocks *blocks, uint32_t rank,
                                        struct connection *connections, uint32_t *count,
                                        struct tny_error *error)
{
  struct tny_msccl_rank *queued = &blocks->ranks[rank];
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; status == TNY_OK && i < queued->queue_count; i++) {
    struct tny_msccl_queue *queue = &queued->queues[i];
    if (queue->kind == TNY_SEND)
      connections[(*count)++] =
          (struct connection){.from = rank, .to = queue->peer, .sends = queue};
    if (queue->kind == TNY_COPY) {
      struct tny_msccl_walk walk = walk_uncut(blocks, rank, queue);
      const uint32_t first = blocks->cut_count;
      status = cut(blocks, &walk, 1, error);
      set_cuts(blocks, queue, first);
    }
  }
  return status;
}

/* All connections, with both ends, cut. Owns: *connections, tny_free. */
static enum tny_status cut_all(struct tny_msccl_threadblocks *blocks,
                               struct connection **connections, uint32_t *count,
                               struct tny_error *error)
{
  size_t queues = 0;
  for (uint32_t rank = 0; rank < blocks->schedule->rank_count; rank++)
    queues += blocks->ranks[rank].queue_count;
  *count = 0;
  *connections = tny_new(queues, sizeof **connections);
  enum tny_status status = *connections ? TNY_OK : tny_error_memory(error);
  for (uint32_t rank = 0; status == TNY_OK && rank < blocks->schedule->rank_count; rank++)
    status = list_connections(blocks, rank, *connections, count, error);
  if (status != TNY_OK || *count == 0)
    return status;
  qsort(*connections, *count, sizeof **connections, compare_ends);
  for (uint32_t rank = 0; rank < blocks->schedule->rank_count; rank++) {
    for (uint32_t i = 0; i < blocks->ranks[rank].queue_count; i++) {
      struct tny_msccl_queue *queue = &blocks->ranks[rank].queues[i];
      const struct connection key = {.from = queue->peer, .to = rank};
      if (queue->kind == TNY_RECV)
        ((struct connection *)bsearch(&key, *connections, *count, sizeof key, compare_ends))
            ->receives = queue;
    }
  }
  for (uint32_t i = 0; status == TNY_OK && i < *count; i++) {
    const struct connection *connection = &(*connections)[i];
    struct tny_msccl_walk ends[] = {walk_uncut(blocks, connection->from, connection->sends),
                                    walk_uncut(blocks, connection->to, connection->receives)};
    const uint32_t first = blocks->cut_count;
    status = cut(blocks, ends, 2, error);
    set_cuts(blocks, connection->sends, first);
    set_cuts(blocks, connection->receives, first);
  }
  return status;
}

/* The first channel with room at both ends, for each threadblock of a connection one of its own.
   `taken`: threadblocks by rank, those that send and those that receive, and by channel. */
static enum tny_status take_channels(struct tny_msccl_threadblocks *blocks,
                                     const struct connection *connection,
                                     uint8_t (*taken)[2][TNY_MSCCL_CHANNELS_MAX],
                                     struct tny_error *error)
{
  uint8_t *from = taken[connection->from][0], *to = taken[connection->to][1];
  uint32_t channel = 0;
  for (uint32_t i = 0; i < connection->sends->block_count; i++, channel++) {
    while (channel < TNY_MSCCL_CHANNELS_MAX &&
           (from[channel] == TNY_MSCCL_PEERS_MAX || to[channel] == TNY_MSCCL_PEERS_MAX))
      channel++;
    if (channel == TNY_MSCCL_CHANNELS_MAX)
      return tny_error_set(
          error, TNY_REFUSED,
          "the messages from rank %u to rank %u find no channel of MSCCL with room "
          "(%d channels, with %d senders and receivers of a rank each, and %d steps "
          "for each): plan with fewer chunks or ranks",
          connection->from, connection->to, TNY_MSCCL_CHANNELS_MAX, TNY_MSCCL_PEERS_MAX,
          TNY_MSCCL_STEPS_MAX);
    blocks->cuts[connection->sends->cut_first + i].channel = channel;
    from[channel]++;
    to[channel]++;
    if (blocks->channel_count <= channel)
      blocks->channel_count = channel + 1;
  }
  return TNY_OK;
}

/* Gives every connection its channels, by distance. */
static enum tny_status assign_channels(struct tny_msccl_threadblocks *blocks,
                                       const struct connection *connections, uint32_t count,
                                       struct tny_error *error)
{
  const uint32_t rank_count = blocks->schedule->rank_count;
  uint8_t(*taken)[2][TNY_MSCCL_CHANNELS_MAX] = tny_new(rank_count, sizeof *taken);
  uint32_t *start = tny_new((size_t)rank_count + 1, sizeof *start);
  const struct connection **ordered = tny_new(count, sizeof *ordered);
  enum tny_status status = taken && start && ordered ? TNY_OK : tny_error_memory(error);
  /* A counting sort. */
  for (uint32_t i = 0; status == TNY_OK && i < count; i++)
    start[(connections[i].to + rank_count - connections[i].from) % rank_count + 1]++;
  for (uint32_t distance = 0; status == TNY_OK && distance < rank_count; distance++)
    start[distance + 1] += start[distance];
  for (uint32_t i = 0; status == TNY_OK && i < count; i++)
    ordered[start[(connections[i].to + rank_count - connections[i].from) % rank_count]++] =
        &connections[i];
  blocks->channel_count = 1;
  for (uint32_t i = 0; status == TNY_OK && i < count; i++)
    status = take_channels(blocks, ordered[i], taken, error);
  tny_free(ordered);
  tny_free(start);
  tny_free(taken);
  return status;
}

/* Says where each step of a queue ends, and which of the rank's threadblocks are waited for. */
static uint32_t locate_steps(struct tny_msccl_threadblocks *blocks, uint32_t rank,
                             const struct tny_msccl_queue *queue, bool *is_waited)
{
  struct tny_msccl_walk walk =
      tny_msccl_walk_begin(blocks->schedule, rank, &blocks->ranks[rank], queue, blocks->cuts);
  uint32_t steps = 0;
  for (; walk.step != TNY_NONE; tny_msccl_walk_next(&walk)) {
    struct tny_msccl_entry *entry = &blocks->ranks[rank].entries[walk.step];
    entry->block = queue->block_first + walk.block;
    entry->last = walk.xml_step + tny_msccl_walk_cost(&walk) - 1;
    steps += tny_msccl_walk_cost(&walk);
    if (walk.begins_block && walk.block > 0)
      is_waited[entry->block - 1] = true;
    if (walk.piece + 1 == walk.piece_count && entry->is_waited)
      is_waited[entry->block] = true;
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

static enum tny_status number_rank(struct tny_msccl_threadblocks *blocks, uint32_t rank,
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
    elements += locate_steps(blocks, rank, &queued->queues[i], is_waited);
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

enum tny_status tny_msccl_threadblocks_make(const struct tny_schedule *schedule,
                                            struct tny_msccl_threadblocks *blocks,
                                            struct tny_error *error)
{
  const uint32_t count = schedule->rank_count;
  struct connection *connections = NULL;
  uint32_t connection_count = 0;
  *blocks = (struct tny_msccl_threadblocks){.schedule = schedule};
  enum tny_status status = tny_match_make(schedule, &blocks->match, error);
  if (status != TNY_OK)
    return status;
  blocks->arena = tny_arena_new();
  blocks->ranks = blocks->arena ? tny_new(count, sizeof *blocks->ranks) : NULL;
  if (!blocks->ranks)
    status = tny_error_memory(error);
  for (uint32_t rank = 0; status == TNY_OK && rank < count; rank++)
    status = tny_msccl_queue_rank(schedule, rank, blocks->arena, &blocks->ranks[rank], error);
  if (status == TNY_OK)
    status = cut_all(blocks, &connections, &connection_count, error);
  if (status == TNY_OK)
    status = assign_channels(blocks, connections, connection_count, error);
  tny_free(connections);
  for (uint32_t rank = 0; status == TNY_OK && rank < count; rank++)
    status = number_rank(blocks, rank, error);
  return status;
}

void tny_msccl_threadblocks_release(struct tny_msccl_threadblocks *blocks)
{
  for (uint32_t rank = 0; blocks->ranks && rank < blocks->schedule->rank_count; rank++)
    tny_free(blocks->ranks[rank].waits);
  tny_free(blocks->ranks);
  tny_free(blocks->cuts);
  tny_arena_free(blocks->arena);
  tny_match_release(&blocks->match);
}
