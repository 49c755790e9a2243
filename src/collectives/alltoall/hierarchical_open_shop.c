/* All-to-all of blocks that differ in size, all known, where hosts have several ranks: open shop
   among hosts, whose ranks take turns at their port.

   Source: Lei and others, "FAST: an efficient scheduler for all-to-all GPU communication" (arXiv
           2505.09764), of which the two levels are: it plans by the bytes from server to server.
           Its servers have a port for each GPU, and it first evens out the bytes among these. Here
           ranks of a host share one port, which is as busy whoever sends: blocks go straight
   Needs:  the cluster, several hosts, one with several ranks, and a pattern
   Shape:  p=4, two hosts, 0 1 | 2 3, 0 has 2 units for 2 and all others 1:
             0>2 2>0   0>2 3>1   1>3 2>1   0>3 3>0   1>2   and within hosts 0>1 1>0 2>3 3>2 beside
   Cost:   as long as the most loaded link carries bytes, and some 2 % more; each rank sends what
           the pattern says. For h hosts as many messages are placed as by open-shop for h ranks
   Links:  the messages of one pair of hosts on a link in a phase, four at the most, together about
           as long as one message; where blocks aren't cut, one message
   Prefer: to open-shop where hosts have several ranks. As simulated on single:16 with 4 ranks a
           host, blocks of 1:8 reach 80 % of the bound, by open-shop 66 and by shuffle 75; by Zipf's
           law 93, 88 and 37 (docs/planner.md). Where sizes are about alike, shuffle

   What one host has for another is a queue: block after block, the next one from the next rank and
   to the next rank. The plan cuts queues into pieces. A phase of the plan is divided where some
   queue has got through so many blocks, and then into phases of about the length of a message; each
   of these carries what of the queue lies in it, up to the nearest part of a block. So few messages
   of a phase share a link, and what is in flight can be limited by counting messages. Uncut blocks
   have a phase each, in the order of the queue.

   What a rank has for others on its host is a queue of its own, of which a message's length is sent
   at a time, spread over all phases: memory is much faster than links. */
#include "collectives/list.h"
#include "collectives/shared/parts_by_bytes.h"
#include "core/alloc.h"
#include "core/error.h"
#include "planner/uneven/planner.h"

enum { BLOCKS_A_STRETCH = 3 };

/* A stretch of a phase of the plan, in which no queue gets through more than BLOCKS_A_STRETCH
   blocks. */
struct stretch {
  uint32_t phase;
  uint64_t from, bytes; /* of each of the phase's pieces, as far as they go */
};

struct prepared {
  struct tny_uneven_plan *plan; /* its ranks are the placement's hosts */
  struct stretch *stretches;
  uint32_t stretch_count;
  uint64_t longest;  /* block, in bytes */
  uint32_t *host_of; /* by rank */
  uint64_t *before;  /* by block: bytes in its queue before it */
  uint32_t *number;  /* by block: how many blocks are */
  uint64_t *within;  /* by rank: bytes for others on its host */
};

static const char *refuse(const struct tny_problem *problem)
{
  const struct tny_placement *placement = problem->placement;
  if (!problem->network || !placement)
    return "needs the cluster";
  if (placement->host_count < 2 || placement->host_count == placement->rank_count)
    return "needs several hosts, and several ranks on one of them";
  if (!problem->pattern)
    return "needs a pattern, the bytes of all blocks";
  return NULL;
}

/* --- hosts and queues --- */

static uint32_t ranks_on(const struct tny_placement *placement, uint32_t host)
{
  return placement->host_first[host + 1] - placement->host_first[host];
}

static uint32_t rank_on(const struct tny_placement *placement, uint32_t host, uint32_t index)
{
  return placement->order[placement->host_first[host] + index];
}

/* What one host has for another. */
struct queue {
  const struct tny_problem *problem;
  uint32_t from, to;
};

static struct queue queue_of(const struct tny_problem *problem,
                             const struct tny_uneven_piece *piece)
{
  return (struct queue){problem, piece->from, piece->to};
}

static uint32_t queue_length(const struct queue *queue)
{
  const struct tny_placement *placement = queue->problem->placement;
  return ranks_on(placement, queue->from) * ranks_on(placement, queue->to);
}

/* The index of a queue's block among all blocks. */
static size_t block_at(const struct queue *queue, uint32_t index)
{
  const struct tny_placement *placement = queue->problem->placement;
  const uint32_t senders = ranks_on(placement, queue->from);
  const uint32_t sender = index % senders, turn = index / senders;
  const uint32_t receiver = (sender + turn) % ranks_on(placement, queue->to);
  return (size_t)rank_on(placement, queue->from, sender) * queue->problem->rank_count +
         rank_on(placement, queue->to, receiver);
}

/* --- preparation --- */

static void release(void *of)
{
  struct prepared *prepared = of;
  if (!prepared)
    return;
  tny_uneven_plan_free(prepared->plan);
  tny_free(prepared->stretches);
  tny_free(prepared->host_of);
  tny_free(prepared->before);
  tny_free(prepared->number);
  tny_free(prepared->within);
  tny_free(prepared);
}

static enum tny_status make_room(const struct tny_problem *problem, struct prepared *prepared,
                                 struct tny_error *error)
{
  const size_t p = problem->rank_count;
  prepared->host_of = tny_new(p, sizeof *prepared->host_of);
  prepared->before = tny_new(p * p, sizeof *prepared->before);
  prepared->number = tny_new(p * p, sizeof *prepared->number);
  prepared->within = tny_new(p, sizeof *prepared->within);
  return prepared->host_of && prepared->before && prepared->number && prepared->within
             ? TNY_OK
             : tny_error_memory(error);
}

/* Puts the blocks from one host to another into their queue; returns its bytes. */
static uint64_t fill_queue(const struct queue *queue, struct prepared *prepared)
{
  const uint64_t *bytes = queue->problem->pattern->bytes;
  uint64_t before = 0;
  uint32_t number = 0;
  for (uint32_t i = 0; i < queue_length(queue); i++) {
    const size_t block = block_at(queue, i);
    prepared->before[block] = before;
    prepared->number[block] = number;
    before += bytes[block];
    number += bytes[block] > 0;
  }
  return before;
}

/* The same of each rank of a host and the others there. */
static void fill_within(const struct tny_problem *problem, uint32_t host, struct prepared *prepared)
{
  const struct tny_placement *placement = problem->placement;
  const uint32_t count = ranks_on(placement, host);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t rank = rank_on(placement, host, i);
    for (uint32_t turn = 1; turn < count; turn++) {
      const uint32_t other = rank_on(placement, host, (i + turn) % count);
      const size_t block = (size_t)rank * problem->rank_count + other;
      prepared->before[block] = prepared->within[rank];
      prepared->within[rank] += problem->pattern->bytes[block];
    }
  }
}

/* Fills all queues, and a pattern of the hosts with their bytes. */
static void fill_queues(const struct tny_problem *problem, struct prepared *prepared,
                        struct tny_pattern *of_hosts)
{
  const struct tny_placement *placement = problem->placement;
  for (uint32_t from = 0; from < placement->host_count; from++) {
    for (uint32_t i = 0; i < ranks_on(placement, from); i++)
      prepared->host_of[rank_on(placement, from, i)] = from;
    fill_within(problem, from, prepared);
    for (uint32_t to = 0; to < placement->host_count; to++) {
      const struct queue queue = {problem, from, to};
      if (from != to)
        of_hosts->bytes[(size_t)from * placement->host_count + to] = fill_queue(&queue, prepared);
    }
  }
}

/* Plans the hosts' messages as those of one rank each. */
static enum tny_status plan_hosts(const struct tny_problem *problem,
                                  const struct tny_pattern *pattern, struct prepared *prepared,
                                  struct tny_error *error)
{
  const struct tny_placement *placement = problem->placement;
  uint32_t *hosts = tny_new(placement->host_count, sizeof *hosts);
  if (!hosts)
    return tny_error_memory(error);
  for (uint32_t host = 0; host < placement->host_count; host++)
    hosts[host] = problem->network->host_of_rank[rank_on(placement, host, 0)];
  const struct tny_network network = {problem->network->routes, hosts, placement->host_count};
  const struct tny_problem of_hosts = {.collective = problem->collective,
                                       .rank_count = placement->host_count,
                                       .network = &network,
                                       .pattern = pattern};
  const enum tny_status status = tny_uneven_plan_make(&of_hosts, &prepared->plan, error);
  tny_free(hosts);
  return status;
}

/* The first of a queue's blocks that ends behind an offset; its length: none does. */
static uint32_t block_behind(const struct queue *queue, const struct prepared *prepared,
                             double offset)
{
  const uint64_t *bytes = queue->problem->pattern->bytes;
  uint32_t low = 0, high = queue_length(queue);
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const size_t block = block_at(queue, middle);
    if ((double)(prepared->before[block] + bytes[block]) > offset)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* Where in its phase a piece has got through the blocks of a stretch that begins at `from`;
   UINT64_MAX: it ends before. */
static uint64_t end_of_stretch(const struct tny_problem *problem, const struct prepared *prepared,
                               const struct tny_uneven_piece *piece, uint64_t from)
{
  const struct queue queue = queue_of(problem, piece);
  const uint64_t *bytes = problem->pattern->bytes;
  uint32_t blocks = 0;
  for (uint32_t i = block_behind(&queue, prepared, (double)(piece->offset + from));
       from < piece->bytes && i < queue_length(&queue); i++) {
    const size_t block = block_at(&queue, i);
    blocks += bytes[block] > 0;
    const uint64_t end = prepared->before[block] + bytes[block] - piece->offset;
    if (blocks == BLOCKS_A_STRETCH)
      return end <= piece->bytes ? end : UINT64_MAX;
  }
  return UINT64_MAX;
}

static void divide_phase(const struct tny_problem *problem, uint32_t phase,
                         struct prepared *prepared)
{
  const struct tny_uneven_plan *plan = prepared->plan;
  const uint64_t length = plan->lengths[phase];
  for (uint64_t from = 0, end; from < length; from = end) {
    end = length;
    for (uint32_t i = plan->first_piece[phase]; i < plan->first_piece[phase + 1]; i++) {
      const uint64_t own = end_of_stretch(problem, prepared, &plan->pieces[i], from);
      end = own < end ? own : end;
    }
    prepared->stretches[prepared->stretch_count++] = (struct stretch){phase, from, end - from};
  }
}

/* Each stretch but the last of a phase has BLOCKS_A_STRETCH blocks of some queue end. */
static enum tny_status divide_phases(const struct tny_problem *problem, struct prepared *prepared,
                                     struct tny_error *error)
{
  const size_t p = problem->rank_count, phases = prepared->plan->phase_count;
  prepared->stretches = tny_new(p * p / BLOCKS_A_STRETCH + phases, sizeof *prepared->stretches);
  if (!prepared->stretches)
    return tny_error_memory(error);
  for (uint32_t phase = 0; phase < phases; phase++)
    divide_phase(problem, phase, prepared);
  return TNY_OK;
}

static enum tny_status prepare(const struct tny_problem *problem, void **of,
                               struct tny_error *error)
{
  struct prepared *prepared = tny_new(1, sizeof *prepared);
  struct tny_pattern *of_hosts = NULL;
  *of = prepared;
  if (!prepared)
    return tny_error_memory(error);
  *prepared = (struct prepared){.longest = tny_pattern_longest(problem->pattern)};
  enum tny_status status = make_room(problem, prepared, error);
  if (status == TNY_OK)
    status = tny_pattern_new(problem->placement->host_count, &of_hosts, error);
  if (status == TNY_OK) {
    fill_queues(problem, prepared, of_hosts);
    status = plan_hosts(problem, of_hosts, prepared, error);
  }
  if (status == TNY_OK)
    status = divide_phases(problem, prepared, error);
  tny_pattern_free(of_hosts);
  return status;
}

/* --- phases --- */

/* A run of a queue's bytes; of whole blocks, the one that is sent, by its number. */
struct run {
  double from, to;
  uint32_t number;
};

/* What of a piece lies in a stretch. */
static struct run run_in_stretch(const struct stretch *stretch,
                                 const struct tny_uneven_piece *piece)
{
  const double offset = (double)piece->offset, bytes = (double)piece->bytes;
  const double from = (double)stretch->from, end = from + (double)stretch->bytes;
  return (struct run){.from = offset + fmin(from, bytes), .to = offset + fmin(end, bytes)};
}

/* How many of a queue's blocks end before an offset, whole blocks at the nearest end. */
static uint32_t blocks_before(const struct queue *queue, double offset)
{
  const struct prepared *prepared = queue->problem->prepared;
  const uint32_t length = queue_length(queue), index = block_behind(queue, prepared, offset);
  const size_t block = block_at(queue, index < length ? index : length - 1);
  const uint64_t bytes = queue->problem->pattern->bytes[block];
  if (index == length)
    return prepared->number[block] + (bytes > 0);
  const double inside = offset - (double)prepared->before[block];
  return prepared->number[block] + (inside > 0 ? tny_parts_at(bytes, inside, 1) : 0);
}

/* How many phases a stretch is divided into. */
static uint32_t divisions_of(const struct tny_problem *problem, const struct stretch *stretch)
{
  const struct prepared *prepared = problem->prepared;
  const struct tny_uneven_plan *plan = prepared->plan;
  uint32_t most = 0;
  if (problem->piece_count > 1)
    return tny_parts_divisions(stretch->bytes, prepared->longest, problem->piece_count);
  for (uint32_t i = plan->first_piece[stretch->phase]; i < plan->first_piece[stretch->phase + 1];
       i++) {
    const struct queue queue = queue_of(problem, &plan->pieces[i]);
    const struct run run = run_in_stretch(stretch, &plan->pieces[i]);
    const uint32_t count = blocks_before(&queue, run.to) - blocks_before(&queue, run.from);
    most = count > most ? count : most;
  }
  return most;
}

/* A phase of a stretch. */
struct division {
  const struct stretch *stretch;
  uint32_t index, count;
};

/* What of a piece is sent in a division. These are as long as each other; a piece that is shorter
   than its phase ends in an earlier one. */
static struct run run_in(const struct tny_problem *problem, const struct division *division,
                         const struct tny_uneven_piece *piece)
{
  struct run run = run_in_stretch(division->stretch, piece);
  if (problem->piece_count == 1) {
    const struct queue queue = queue_of(problem, piece);
    run.number = blocks_before(&queue, run.from) + division->index;
    if (run.number >= blocks_before(&queue, run.to))
      run.number = TNY_NONE;
    return run;
  }
  const double length = (double)division->stretch->bytes / division->count;
  const double begin = run.from, end = run.to;
  run.from = fmin(begin + division->index * length, end);
  if (division->index + 1 < division->count)
    run.to = fmin(begin + (division->index + 1) * length, end);
  return run;
}

/* The parts of a block that lie in a run of its queue; there may be none. */
static struct tny_span span_in(const struct tny_problem *problem, size_t block,
                               const struct run *run)
{
  const struct prepared *prepared = problem->prepared;
  const uint64_t bytes = problem->pattern->bytes[block];
  const double before = (double)prepared->before[block];
  const double from = fmax(run->from - before, 0), to = fmin(run->to - before, (double)bytes);
  struct tny_span span = {.count = 1, .chunk_count = problem->piece_count};
  if (bytes == 0 || from >= to)
    return span;
  span.chunk = tny_parts_at(bytes, from, problem->piece_count);
  span.chunks = tny_parts_at(bytes, to, problem->piece_count) - span.chunk;
  return span;
}

/* The same of a queue between hosts, where uncut blocks have their own phases. */
static struct tny_span span_between(const struct tny_problem *problem, size_t block,
                                    const struct run *run)
{
  const struct prepared *prepared = problem->prepared;
  if (problem->piece_count > 1)
    return span_in(problem, block, run);
  struct tny_span span = tny_span_blocks(TNY_INPUT, 0, 1);
  span.chunks = problem->pattern->bytes[block] > 0 && prepared->number[block] == run->number;
  return span;
}

/* Does some block have a part in this division? */
static bool is_used(const struct tny_problem *problem, const struct division *division)
{
  const struct prepared *prepared = problem->prepared;
  const struct tny_uneven_plan *plan = prepared->plan;
  const uint32_t phase = division->stretch->phase;
  bool found = false;
  for (uint32_t i = plan->first_piece[phase]; !found && i < plan->first_piece[phase + 1]; i++) {
    const struct queue queue = queue_of(problem, &plan->pieces[i]);
    const struct run run = run_in(problem, division, &plan->pieces[i]);
    for (uint32_t k = block_behind(&queue, prepared, run.from); !found && k < queue_length(&queue);
         k++)
      found = span_between(problem, block_at(&queue, k), &run).chunks > 0;
  }
  return found;
}

/* The last divisions may be empty, where blocks aren't cut finely enough for them. Where hosts have
   nothing for each other, what ranks of a host have is one phase. */
static uint32_t count_phases(const struct tny_problem *problem)
{
  const struct prepared *prepared = problem->prepared;
  uint32_t phases = 0, used = 0;
  for (uint32_t i = 0; i < prepared->stretch_count; i++)
    phases += divisions_of(problem, &prepared->stretches[i]);
  for (uint32_t i = prepared->stretch_count; used == 0 && i-- > 0;) {
    struct division division = {.stretch = &prepared->stretches[i]};
    division.count = divisions_of(problem, division.stretch);
    for (division.index = division.count; used == 0 && division.index-- > 0; phases--)
      used = is_used(problem, &division) ? phases : 0;
  }
  return used > 0 ? used : prepared->longest > 0;
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_pattern_most most = tny_pattern_most(problem->pattern);
  const uint32_t link_messages = problem->piece_count == 1; /* else no promise */
  return (struct tny_claim){.phases = count_phases(problem),
                            .blocks_sent_max = most.sent,
                            .blocks_received_max = most.received,
                            .tree_link_messages = link_messages,
                            .link_messages = link_messages};
}

/* --- steps --- */

/* Appending one rank's steps. */
struct writer {
  const struct tny_problem *problem;
  struct tny_builder *builder;
  uint32_t rank, host;
  uint32_t index; /* on its host */
  uint32_t phase, phase_count;
};

static void send(const struct writer *writer, uint32_t to, struct tny_span span)
{
  span.buffer = TNY_INPUT;
  span.first = to;
  if (span.chunks > 0)
    tny_builder_send(writer->builder, to, span, writer->phase);
}

static void receive(const struct writer *writer, uint32_t from, struct tny_span span)
{
  span.buffer = TNY_OUTPUT;
  span.first = from;
  if (span.chunks > 0)
    tny_builder_recv(writer->builder, from, span, writer->phase);
}

/* What the rank sends or receives of a piece in a division, in the order of the queue. */
static void exchange_between(const struct writer *writer, const struct division *division,
                             const struct tny_uneven_piece *piece)
{
  const struct tny_problem *problem = writer->problem;
  const struct prepared *prepared = problem->prepared;
  const struct queue queue = queue_of(problem, piece);
  const struct run run = run_in(problem, division, piece);
  for (uint32_t i = block_behind(&queue, prepared, run.from); i < queue_length(&queue); i++) {
    const size_t block = block_at(&queue, i);
    const uint32_t from = (uint32_t)(block / problem->rank_count);
    const uint32_t to = (uint32_t)(block % problem->rank_count);
    if ((double)prepared->before[block] >= run.to)
      break;
    if (from == writer->rank)
      send(writer, to, span_between(problem, block, &run));
    if (to == writer->rank)
      receive(writer, from, span_between(problem, block, &run));
  }
}

/* The turns of a rank's queue for its own host that fall into the writer's phase. */
struct turns {
  uint32_t first, end, count; /* count: of all phases */
};

static struct turns turns_of(const struct writer *writer, uint32_t rank)
{
  const struct prepared *prepared = writer->problem->prepared;
  const uint64_t bytes = prepared->within[rank], phases = writer->phase_count;
  if (bytes == 0)
    return (struct turns){0};
  const uint32_t parts = writer->problem->piece_count;
  const uint64_t count = tny_parts_divisions(bytes, prepared->longest, parts);
  const uint64_t first = writer->phase * count, end = first + count;
  return (struct turns){.first = (uint32_t)((first + phases - 1) / phases),
                        .end = (uint32_t)((end + phases - 1) / phases),
                        .count = (uint32_t)count};
}

/* What of a rank's queue for its own host is sent in a turn. */
static struct run run_of(const struct prepared *prepared, uint32_t rank, const struct turns *turns,
                         uint32_t turn)
{
  const double bytes = (double)prepared->within[rank], length = bytes / turns->count;
  return (struct run){.from = turn * length,
                      .to = turn + 1 == turns->count ? bytes : (turn + 1) * length};
}

/* What the rank exchanges with another of its host. */
static void exchange_within(const struct writer *writer, uint32_t to, uint32_t from)
{
  const struct tny_problem *problem = writer->problem;
  const size_t p = problem->rank_count;
  const struct turns sent = turns_of(writer, writer->rank), received = turns_of(writer, from);
  for (uint32_t turn = sent.first; turn < sent.end; turn++) {
    const struct run run = run_of(problem->prepared, writer->rank, &sent, turn);
    send(writer, to, span_in(problem, writer->rank * p + to, &run));
  }
  for (uint32_t turn = received.first; turn < received.end; turn++) {
    const struct run run = run_of(problem->prepared, from, &received, turn);
    receive(writer, from, span_in(problem, from * p + writer->rank, &run));
  }
}

static void emit_within(const struct writer *writer)
{
  const struct tny_placement *placement = writer->problem->placement;
  const uint32_t count = ranks_on(placement, writer->host);
  for (uint32_t turn = 1; turn < count; turn++)
    exchange_within(writer, rank_on(placement, writer->host, (writer->index + turn) % count),
                    rank_on(placement, writer->host, (writer->index + count - turn) % count));
}

/* The steps of a rank in one stretch. */
static void emit_stretch(struct writer *writer, const struct stretch *stretch)
{
  const struct prepared *prepared = writer->problem->prepared;
  const struct tny_uneven_plan *plan = prepared->plan;
  const struct tny_uneven_piece *end = &plan->pieces[plan->first_piece[stretch->phase + 1]];
  struct division division = {.stretch = stretch};
  division.count = divisions_of(writer->problem, stretch);
  for (; division.index < division.count && writer->phase < writer->phase_count;
       division.index++, writer->phase++) {
    for (const struct tny_uneven_piece *piece = &plan->pieces[plan->first_piece[stretch->phase]];
         piece < end; piece++)
      if (piece->from == writer->host || piece->to == writer->host)
        exchange_between(writer, &division, piece);
    emit_within(writer);
  }
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct prepared *prepared = problem->prepared;
  const size_t own = (size_t)rank * problem->rank_count + rank;
  struct writer writer = {.problem = problem,
                          .builder = builder,
                          .rank = rank,
                          .host = prepared->host_of[rank],
                          .phase_count = count_phases(problem)};
  writer.index = problem->placement->position[rank] - problem->placement->host_first[writer.host];
  if (problem->pattern->bytes[own] > 0)
    tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, rank, 1),
                     tny_span_blocks(TNY_OUTPUT, rank, 1));
  for (uint32_t i = 0; i < prepared->stretch_count; i++)
    emit_stretch(&writer, &prepared->stretches[i]);
  if (prepared->stretch_count == 0 && writer.phase_count > 0)
    emit_within(&writer);
}

const struct tny_algorithm tny_alltoall_hierarchical_open_shop = {
    .collective = TNY_ALLTOALL,
    .name = "hierarchical-open-shop",
    .source = "lei2025",
    .summary = "open-shop from host to host, whose ranks take turns at their port",
    .needs = "the cluster, several ranks a host and a pattern",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_LINKS,
    .pieces_a_message = TNY_PARTS_A_MESSAGE,
    .is_by_name_only = tny_has_blocks_alike,
    .takes_patterns = true,
    .plans_bytes = true,
    .refuse = refuse,
    .prepare = prepare,
    .release = release,
    .single_blocks = true,
    .claim = claim,
    .emit = emit,
};
