/* All-to-all, multi-leader: several leaders a host collect the blocks of their teams, exchange them
   with leaders of other hosts, then with the others of their host, and hand them out.

   Source: Kinkead, Wesley, Schonbein, DeBonis, Dosanjh, Bienz, "Scaling all-to-all operations
           across emerging many-core supercomputers" (arXiv 2601.17606). Only the abstract was at
           hand; what its variants send is as in the authors' library
           (github.com/mpi-advance/locality_aware). That hosts may differ in size is ours
   Needs:  any p, the cluster. The numbers are those of leaders a part and of parts a host, from 1
           on, as in 2.1; the second left out is 1. L.1 is the source's multi-leader node-aware
           exchange, 1.L its multi-leader one, in which each leader exchanges with all others, and
           1.1 the hierarchical one, with a leader a host. With a leader for each rank nothing is
           collected: 255.1 is the node-aware exchange, 255.G the locality-aware one of G groups a
           host. Where each host has one rank, switches stand in for hosts. All parts have the same
           number of leaders, at most as many as the smallest part has ranks
   Shape:  p=4, two hosts, 0 1 | 2 3, one leader:  1 -> 0 and 3 -> 2, all four blocks;  0 <-> 2,
           four blocks;  0 -> 1 and 2 -> 3, four blocks
   Cost:   with P parts, L leaders in each and teams of t: 2(t-1) + (P-1) + (L-1) rounds, where all
           teams have the same size, else no promise. A leader sends t p blocks between parts, but
           for those of its own part, as many to the other leaders of its part, but for those of its
           team, and (t-1) p to its team. A leader has scratch space for up to 4 t p blocks then. A
           block is copied up to three times
   Links:  one message a port and phase. With one part a host, L messages go from a host to another,
           and no block crosses twice
   Prefer: for short blocks on hosts with many ranks: of 64 bytes on 8 hosts of 8 ranks, where a
           message costs its hosts 5 us, multi-leader:2 takes 301 us, hierarchical-bruck:1.1.1.1 323
           and bruck 530, as simulated. That hierarchical-bruck is the node-aware exchange the other
           way round, among the ranks of a host first, and goes level by level beyond

   Positions count ranks in switch order. A part is a run of positions, and so is a team, whose
   first rank leads it. The sources of a leader are the ranks of all teams with its number, over all
   parts: what they send to its part comes to it. Bundles between leaders have blocks by receiver,
   then by sender. */
#include "collectives/list.h"
#include "collectives/shared/copies.h"
#include "collectives/shared/groups.h"
#include "core/alloc.h"
#include "core/error.h"
#include "planner/position.h"

enum { NUMBER_BITS = 8, NUMBER_MASK = (1 << NUMBER_BITS) - 1 };
enum { LEADERS = 4, PARTS = 1 };

struct plan {
  uint32_t ranks, parts, leaders;
  uint32_t longest_team;
  bool even; /* all parts have the same size, and all teams */
  /* In one piece of memory: */
  uint32_t *part_first;                     /* parts + 1 positions */
  uint32_t *source_first;                   /* leaders + 1: a leader's sources in source_at */
  uint32_t *source_at;                      /* positions: by leader, part and position */
  uint32_t *part_of, *leader_of, *index_of; /* by position: its part, its leader's number there, its
                                               index among that leader's sources */
};

static uint32_t size_of(const struct plan *plan, uint32_t part)
{
  return plan->part_first[part + 1] - plan->part_first[part];
}

/* The first position of a team; that of team `leaders` is behind the part. */
static uint32_t team_first(const struct plan *plan, uint32_t part, uint32_t leader)
{
  return plan->part_first[part] +
         (uint32_t)((uint64_t)leader * size_of(plan, part) / plan->leaders);
}

static uint32_t team_size(const struct plan *plan, uint32_t part, uint32_t leader)
{
  return team_first(plan, part, leader + 1) - team_first(plan, part, leader);
}

static uint32_t source_count(const struct plan *plan, uint32_t leader)
{
  return plan->source_first[leader + 1] - plan->source_first[leader];
}

/* --- the plan --- */

static uint32_t number_of(const struct tny_problem *problem, uint32_t index, uint32_t standard)
{
  const uint32_t number = problem->parameter >> NUMBER_BITS * index & NUMBER_MASK;
  return number ? number : standard;
}

/* Cuts each host in as many parts as are asked for, or as it has ranks. */
static void find_parts(struct plan *plan, const struct tny_groups *hosts, uint32_t parts_a_host)
{
  for (uint32_t host = 0; host < hosts->count; host++) {
    const uint32_t size = tny_groups_size(hosts, host);
    const uint32_t parts = parts_a_host < size ? parts_a_host : size;
    for (uint32_t i = 0; i < parts; i++)
      plan->part_first[plan->parts++] =
          tny_groups_first(hosts, host) + (uint32_t)((uint64_t)i * size / parts);
  }
  plan->part_first[plan->parts] = plan->ranks;
}

static void find_leaders(struct plan *plan, uint32_t leaders)
{
  plan->leaders = leaders;
  for (uint32_t part = 0; part < plan->parts; part++)
    if (size_of(plan, part) < plan->leaders)
      plan->leaders = size_of(plan, part);
  plan->even = true;
  for (uint32_t part = 0; part < plan->parts; part++)
    for (uint32_t leader = 0; leader < plan->leaders; leader++) {
      const uint32_t size = team_size(plan, part, leader);
      plan->even = plan->even && size == team_size(plan, 0, 0);
      plan->longest_team = size > plan->longest_team ? size : plan->longest_team;
    }
}

static void find_sources(struct plan *plan)
{
  uint32_t at = 0;
  for (uint32_t leader = 0; leader < plan->leaders; leader++) {
    plan->source_first[leader] = at;
    for (uint32_t part = 0; part < plan->parts; part++)
      for (uint32_t i = 0; i < team_size(plan, part, leader); i++) {
        const uint32_t position = team_first(plan, part, leader) + i;
        plan->part_of[position] = part;
        plan->leader_of[position] = leader;
        plan->index_of[position] = at - plan->source_first[leader];
        plan->source_at[at++] = position;
      }
  }
  plan->source_first[plan->leaders] = at;
}

static enum tny_status prepare(const struct tny_problem *problem, void **prepared,
                               struct tny_error *error)
{
  const struct tny_groups hosts = tny_groups_lowest(problem);
  const size_t p = problem->rank_count;
  struct plan *plan = tny_new(1, sizeof *plan);
  uint32_t *memory = tny_new(6 * p + 2, sizeof *memory);
  if (!plan || !memory) {
    tny_free(plan);
    tny_free(memory);
    return tny_error_memory(error);
  }
  *plan = (struct plan){.ranks = problem->rank_count,
                        .part_first = memory,
                        .source_first = memory + p + 1,
                        .source_at = memory + 2 * p + 2,
                        .part_of = memory + 3 * p + 2,
                        .leader_of = memory + 4 * p + 2,
                        .index_of = memory + 5 * p + 2};
  find_parts(plan, &hosts, number_of(problem, 1, PARTS));
  find_leaders(plan, number_of(problem, 0, LEADERS));
  find_sources(plan);
  *prepared = plan;
  return TNY_OK;
}

static void release(void *prepared)
{
  struct plan *plan = prepared;
  if (plan)
    tny_free(plan->part_first);
  tny_free(plan);
}

/* --- the steps --- */

/* Scratch has what the team gave, what came from other parts, what came from other leaders of the
   part, and what is packed in a stage. */
struct writer {
  const struct tny_problem *problem;
  const struct plan *plan;
  uint32_t here, part, leader; /* of a leader; here: its position */
  uint32_t team;               /* its ranks */
  uint32_t from_parts, from_leaders, packed;
  uint32_t used; /* of what is packed in this stage */
  struct tny_copies copies;
};

/* A bundle for the team or part, or one of its ranks, that begins at position `to`. */
struct bundle {
  const struct writer *writer;
  uint32_t to;
};

static uint32_t rank_of(const struct writer *writer, uint32_t position)
{
  return tny_position_rank(tny_problem_order(writer->problem), writer->plan->ranks, position, 0);
}

/* The block from a rank of the team, which are named by their positions here and below. */
static struct tny_span collected(const struct writer *writer, uint32_t from, uint32_t to)
{
  const uint32_t rank = rank_of(writer, to), p = writer->plan->ranks;
  if (from == writer->here)
    return tny_span_blocks(TNY_INPUT, rank, 1);
  return tny_span_blocks(TNY_SCRATCH, (from - writer->here - 1) * p + rank, 1);
}

/* Behind which of a leader's sources, outside its own part, those of a part stand. */
static uint32_t sources_before(const struct writer *writer, uint32_t part)
{
  const uint32_t index = writer->plan->index_of[team_first(writer->plan, part, writer->leader)];
  return part > writer->part ? index - writer->team : index;
}

/* The block from a source of the leader to a rank of its part. */
static struct tny_span exchanged(const struct writer *writer, uint32_t from, uint32_t to)
{
  const struct plan *plan = writer->plan;
  const uint32_t part = plan->part_of[from], size = size_of(plan, writer->part);
  if (part == writer->part)
    return collected(writer, from, to);
  const uint32_t receiver = to - plan->part_first[writer->part];
  const uint32_t sender = from - team_first(plan, part, writer->leader);
  return tny_span_blocks(TNY_SCRATCH,
                         writer->from_parts + size * sources_before(writer, part) +
                             receiver * team_size(plan, part, writer->leader) + sender,
                         1);
}

/* Where what came from another leader of the part begins. */
static uint32_t from_leader(const struct writer *writer, uint32_t leader)
{
  const uint32_t before = writer->plan->source_first[leader];
  const uint32_t own = leader > writer->leader ? source_count(writer->plan, writer->leader) : 0;
  return writer->from_leaders + writer->team * (before - own);
}

/* The block from any rank to one of the team. */
static struct tny_span united(const struct writer *writer, uint32_t from, uint32_t to)
{
  const struct plan *plan = writer->plan;
  const uint32_t leader = plan->leader_of[from];
  if (leader == writer->leader)
    return exchanged(writer, from, to);
  return tny_span_blocks(TNY_SCRATCH,
                         from_leader(writer, leader) +
                             (to - writer->here) * source_count(plan, leader) +
                             plan->index_of[from],
                         1);
}

static struct tny_span block_for_part(const void *context, uint32_t index)
{
  const struct bundle *bundle = context;
  const uint32_t team = bundle->writer->team;
  return collected(bundle->writer, bundle->writer->here + index % team, bundle->to + index / team);
}

static struct tny_span block_for_team(const void *context, uint32_t index)
{
  const struct bundle *bundle = context;
  const struct plan *plan = bundle->writer->plan;
  const uint32_t leader = bundle->writer->leader, sources = source_count(plan, leader);
  const uint32_t from = plan->source_at[plan->source_first[leader] + index % sources];
  return exchanged(bundle->writer, from, bundle->to + index / sources);
}

/* By rank. */
static struct tny_span block_for_member(const void *context, uint32_t index)
{
  const struct bundle *bundle = context;
  const uint32_t from = tny_position_of(tny_problem_positions(bundle->writer->problem), index);
  return united(bundle->writer, from, bundle->to);
}

static void send(struct writer *writer, uint32_t position, const struct tny_block_list *blocks,
                 uint32_t phase)
{
  const struct tny_span room =
      tny_span_blocks(TNY_SCRATCH, writer->packed + writer->used, blocks->count);
  const struct tny_span span = tny_copies_in_a_row(&writer->copies, blocks, room);
  tny_copies_send(&writer->copies, rank_of(writer, position), span, phase);
  writer->used += blocks->count;
}

static void receive(struct writer *writer, uint32_t position, uint32_t first, uint32_t count,
                    uint32_t phase)
{
  tny_builder_recv(writer->copies.builder, rank_of(writer, position),
                   tny_span_blocks(TNY_SCRATCH, first, count), phase);
}

/* What follows waits for the messages of the stage that began with this step, if there are any. */
static void end_stage(struct writer *writer, uint32_t first)
{
  writer->used = 0;
  if (writer->copies.builder->steps.count == first)
    return;
  writer->copies.wait_first = first;
  writer->copies.wait_end = writer->copies.builder->steps.count;
}

static void collect(struct writer *writer)
{
  const uint32_t p = writer->plan->ranks, first = writer->copies.builder->steps.count;
  for (uint32_t i = 1; i < writer->team; i++)
    receive(writer, writer->here + i, (i - 1) * p, p, i - 1);
  end_stage(writer, first);
}

static void exchange_between_parts(struct writer *writer, uint32_t phase)
{
  const struct plan *plan = writer->plan;
  const uint32_t size = size_of(plan, writer->part), first = writer->copies.builder->steps.count;
  for (uint32_t shift = 1; shift < plan->parts; shift++) {
    const uint32_t to = (writer->part + shift) % plan->parts;
    const uint32_t from = (writer->part + plan->parts - shift) % plan->parts;
    const struct bundle bundle = {writer, plan->part_first[to]};
    const struct tny_block_list blocks = {block_for_part, &bundle,
                                          writer->team * size_of(plan, to)};
    send(writer, team_first(plan, to, writer->leader), &blocks, phase + shift - 1);
    receive(writer, team_first(plan, from, writer->leader),
            writer->from_parts + size * sources_before(writer, from),
            size * team_size(plan, from, writer->leader), phase + shift - 1);
  }
  end_stage(writer, first);
}

static void exchange_between_leaders(struct writer *writer, uint32_t phase)
{
  const struct plan *plan = writer->plan;
  const uint32_t first = writer->copies.builder->steps.count;
  for (uint32_t shift = 1; shift < plan->leaders; shift++) {
    const uint32_t to = (writer->leader + shift) % plan->leaders;
    const uint32_t from = (writer->leader + plan->leaders - shift) % plan->leaders;
    const struct bundle bundle = {writer, team_first(plan, writer->part, to)};
    const struct tny_block_list blocks = {block_for_team, &bundle,
                                          team_size(plan, writer->part, to) *
                                              source_count(plan, writer->leader)};
    send(writer, bundle.to, &blocks, phase + shift - 1);
    receive(writer, team_first(plan, writer->part, from), from_leader(writer, from),
            writer->team * source_count(plan, from), phase + shift - 1);
  }
  end_stage(writer, first);
}

static void hand_out(struct writer *writer, uint32_t phase)
{
  const uint32_t p = writer->plan->ranks;
  const struct bundle own = {writer, writer->here};
  for (uint32_t i = 1; i < writer->team; i++) {
    const struct bundle bundle = {writer, writer->here + i};
    const struct tny_block_list blocks = {block_for_member, &bundle, p};
    send(writer, bundle.to, &blocks, phase + i - 1);
  }
  for (uint32_t rank = 0; rank < p; rank++)
    tny_copies_add(&writer->copies, block_for_member(&own, rank),
                   tny_span_blocks(TNY_OUTPUT, rank, 1));
  tny_copies_finish(&writer->copies);
}

/* The phases of a stage: teams, then parts, then leaders, then teams again. */
static uint32_t phases_before(const struct plan *plan, uint32_t stage)
{
  const uint32_t team = plan->longest_team - 1;
  const uint32_t phases[] = {team, plan->parts - 1, plan->leaders - 1, team};
  uint32_t before = 0;
  for (uint32_t i = 0; i < stage; i++)
    before += phases[i];
  return before;
}

static void lead(struct writer *writer)
{
  collect(writer);
  exchange_between_parts(writer, phases_before(writer->plan, 1));
  exchange_between_leaders(writer, phases_before(writer->plan, 2));
  hand_out(writer, phases_before(writer->plan, 3));
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct plan *plan = problem->prepared;
  const uint32_t here = tny_position_of(tny_problem_positions(problem), rank), p = plan->ranks;
  const uint32_t part = plan->part_of[here], leader = plan->leader_of[here];
  const uint32_t first = team_first(plan, part, leader), team = team_size(plan, part, leader);
  struct writer writer = {.problem = problem,
                          .plan = plan,
                          .here = first,
                          .part = part,
                          .leader = leader,
                          .team = team,
                          .from_parts = (team - 1) * p,
                          .copies = {.builder = builder}};
  if (here > first) {
    const uint32_t to = rank_of(&writer, first), phase = here - first - 1;
    tny_builder_send(builder, to, tny_span_blocks(TNY_INPUT, 0, p), phase);
    tny_builder_recv(builder, to, tny_span_blocks(TNY_OUTPUT, 0, p),
                     phases_before(plan, 3) + phase);
    return;
  }
  const uint32_t sources = source_count(plan, leader);
  writer.from_leaders = writer.from_parts + size_of(plan, part) * (sources - team);
  writer.packed = writer.from_leaders + team * (p - sources);
  lead(&writer);
}

/* --- the claim --- */

static uint64_t larger(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

/* What a leader sends, and its scratch space. */
static void count_leader(const struct plan *plan, uint32_t part, uint32_t leader, uint64_t *sent,
                         uint64_t *scratch)
{
  const uint64_t p = plan->ranks, size = size_of(plan, part), team = team_size(plan, part, leader);
  const uint64_t sources = source_count(plan, leader);
  const uint64_t to_parts = team * (p - size), to_leaders = (size - team) * sources;
  const uint64_t to_team = (team - 1) * p;
  *sent = to_parts + to_leaders + to_team;
  *scratch = to_team + size * (sources - team) + team * (p - sources) +
             larger(to_parts, larger(to_leaders, to_team));
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct plan *plan = problem->prepared;
  uint64_t sent_most = plan->longest_team > 1 ? plan->ranks : 0, scratch_most = 0;
  for (uint32_t part = 0; part < plan->parts; part++)
    for (uint32_t leader = 0; leader < plan->leaders; leader++) {
      uint64_t sent, scratch;
      count_leader(plan, part, leader, &sent, &scratch);
      sent_most = larger(sent_most, sent);
      scratch_most = larger(scratch_most, scratch);
    }
  const uint32_t phases = phases_before(plan, 4);
  return (struct tny_claim){.rounds = plan->even ? phases : 0,
                            .phases = phases,
                            .blocks_sent_max = sent_most,
                            .scratch_blocks = (uint32_t)scratch_most,
                            .port_messages = 1};
}

const struct tny_algorithm tny_alltoall_multi_leader = {
    .collective = TNY_ALLTOALL,
    .name = "multi-leader",
    .source = "kinkead2026",
    .summary = "leaders of hosts collect blocks, exchange them between hosts, hand them out",
    .needs = "any p, the cluster; short blocks",
    .parameter = {.name = "leaders",
                  .standard = PARTS << NUMBER_BITS | LEADERS,
                  .least = 1,
                  .numbers = 2},
    .cut = TNY_CUT_NEVER,
    .pacing = TNY_PACE_NONE,
    .by_name_only = true,
    .prepare = prepare,
    .release = release,
    .claim = claim,
    .emit = emit,
};
