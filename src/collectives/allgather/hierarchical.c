/* All-gather, level by level: first between the zones, then between the switches of each zone, then
   between hosts, then on each host. On each level every rank exchanges with its peers, one in each
   of the other parts, in the way that suits the links of the level.

   Source: Kielmann, Hofman, Bal, Plaat, Bhoedjang, "MagPIe: MPI's collective communication
           operations for clustered wide area systems": a block crosses a wide link once for each
           zone beyond, all at the same time. There one rank of a zone sends for all; here all ranks
           of the zone share that work, so that no port has more to do than another
   Needs:  any p, the cluster
   Shape:  p=8, zones 0-3 and 4-7 of switches 0 1 | 2 3 and 4 5 | 6 7:
           0 <=> 4, 1 <=> 5, ...;  0 <-> 2, 1 <-> 3, ... two blocks;  0 <-> 1, ... four
   Cost:   with Z zones of S switches of H hosts of R ranks Z-1 + S-1 + ceil(log2 H) + ceil(log2 R)
           rounds, and p-1 blocks sent by each rank. Where parts differ in size no promise of
           rounds: a rank of a small part stands in for several. p blocks of scratch
   Links:  one message a port and phase. Each block once to each other zone; within a zone once over
           each trunk each way
   Prefer: for short blocks on several switches, and for all but the longest ones over wide links,
           where it waits for the long way only once: 11 ms against 21 ms of the switch-ordered ring
           for 4 KiB on zones:8+8,delay=10ms, predicted. Zones, switches and hosts should have the
           same sizes

   Zones: each sends to all others, so that the long ways are gone at the same time. Switches: the
   ring in switch order. Hosts, and ranks of a host: combining, as only ports are in use.
   representatives.h says who are peers. Scratch begins with the own block, and what arrives comes
   behind it, so that what is sent on always lies in one piece. */
#include "collectives/shared/hierarchical.h"
#include "collectives/list.h"
#include "collectives/shared/copies.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/log2.h"
#include "planner/position.h"

/* One exchange of a peer set. The blocks that are here of `count` parts, from offset `first` on, go
   to the part `distance` before; and as many come from the part `distance` after. */
struct move {
  uint32_t distance, first, count;
};

static uint32_t move_count(const struct tny_level_group *group)
{
  if (group->tier == TNY_TIER_ZONE || group->tier == TNY_TIER_SWITCH)
    return group->count - 1;
  return tny_log2_ceil(group->count);
}

static struct move move_of(const struct tny_level_group *group, uint32_t number)
{
  if (group->tier == TNY_TIER_ZONE)
    return (struct move){number + 1, 0, 1};
  if (group->tier == TNY_TIER_SWITCH)
    return (struct move){1, number, 1};
  const uint32_t distance = (uint32_t)1 << number, rest = group->count - distance;
  return (struct move){distance, 0, distance < rest ? distance : rest};
}

/* The blocks of `count` parts from offset `first` on. */
static uint32_t blocks_of(const struct tny_peers *peers, uint32_t first, uint32_t count)
{
  uint32_t blocks = 0;
  for (uint32_t offset = first; offset < first + count; offset++)
    blocks += tny_peers_represented(peers, offset);
  return blocks;
}

/* --- the plan --- */

static uint32_t step_count(const struct tny_level_group *group, const void *context)
{
  (void)context;
  return move_count(group);
}

/* For summing up what each rank sends. */
struct sums {
  enum tny_tier tier;
  uint64_t *sent; /* by position */
};

static void add_peers(const struct tny_peer_totals *totals, void *context)
{
  const struct sums *sums = context;
  const uint32_t n = totals->n;
  for (uint32_t part = 0; part < totals->differing; part++) {
    const uint64_t *represented = totals->represented + part;
    uint64_t *sent = &sums->sent[totals->positions[part]];
    if (sums->tier == TNY_TIER_ZONE)
      *sent += (n - 1) * (represented[1] - represented[0]);
    else if (sums->tier == TNY_TIER_SWITCH)
      *sent += represented[n - 1] - represented[0];
    else
      for (uint32_t held = 1; held < n; held *= 2)
        *sent += represented[held < n - held ? held : n - held] - represented[0];
  }
}

static enum tny_status fill(const struct tny_problem *problem, void *prepared,
                            struct tny_error *error)
{
  struct tny_hierarchical *plan = prepared;
  const struct tny_representatives *representatives = &plan->representatives;
  const uint32_t p = problem->rank_count;
  struct tny_claim claim = {.scratch_blocks = p > 1 ? p : 0, .port_messages = 1};
  struct sums sums = {.sent = tny_new(p, sizeof *sums.sent)};
  enum tny_status status = sums.sent ? TNY_OK : tny_error_memory(error);
  for (uint32_t level = 1; status == TNY_OK && level <= representatives->levels.count; level++) {
    plan->phase_first[level] = claim.phases;
    claim.phases += tny_representatives_phases(representatives, level, step_count, NULL);
    sums.tier = representatives->levels.tier[level];
    status = tny_representatives_sweep(representatives, level, add_peers, &sums, error);
  }
  for (uint32_t i = 0; status == TNY_OK && i < p; i++)
    claim.blocks_sent_max =
        sums.sent[i] > claim.blocks_sent_max ? sums.sent[i] : claim.blocks_sent_max;
  claim.rounds = representatives->even ? claim.phases : 0;
  plan->claim = claim;
  tny_free(sums.sent);
  return status;
}

static enum tny_status prepare(const struct tny_problem *problem, void **prepared,
                               struct tny_error *error)
{
  return tny_hierarchical_prepare(problem, sizeof(struct tny_hierarchical), fill, prepared, error);
}

/* --- the steps --- */

/* Appends one rank's steps. Scratch has what this rank got on the levels above, then what each of
   its peer sets brings; the first set, the one that it owns, continues what was there. */
struct writer {
  const struct tny_problem *problem;
  struct tny_builder *builder;
  uint32_t here;
  uint32_t waited; /* receives before this step are waited for */
};

static uint32_t rank_of(const struct writer *writer, uint32_t position)
{
  return tny_position_rank(tny_problem_order(writer->problem), writer->problem->rank_count,
                           position, 0);
}

/* The last appended step waits for all that has arrived so far. */
static void wait_for_receives(struct writer *writer)
{
  struct tny_builder *builder = writer->builder;
  for (; writer->waited < builder->steps.count; writer->waited++)
    if (tny_step_ends_message(builder->steps.steps[writer->waited].kind))
      tny_builder_after(builder, writer->waited);
}

/* Emits all exchanges of a peer set, whose blocks lie from `first` on. Between zones, only what was
   there at the beginning is sent. */
static void emit_peers(struct writer *writer, const struct tny_peers *peers, uint32_t first,
                       uint32_t phase)
{
  const struct tny_level_group *group = &peers->member->group;
  uint32_t sent_at = first, end = first + tny_peers_represented(peers, 0);
  for (uint32_t k = 0; k < move_count(group); k++) {
    const struct move move = move_of(group, k);
    const uint32_t sent = blocks_of(peers, move.first, move.count);
    const uint32_t received = blocks_of(peers, move.first + move.distance, move.count);
    if (sent > 0)
      tny_builder_send(writer->builder,
                       rank_of(writer, tny_peers_position(peers, group->count - move.distance)),
                       tny_span_blocks(TNY_SCRATCH, sent_at, sent), phase + k);
    if (sent > 0 && group->tier != TNY_TIER_ZONE)
      wait_for_receives(writer);
    if (received > 0)
      tny_builder_recv(writer->builder, rank_of(writer, tny_peers_position(peers, move.distance)),
                       tny_span_blocks(TNY_SCRATCH, end, received), phase + k);
    if (group->tier == TNY_TIER_SWITCH)
      sent_at = end;
    end += received;
  }
}

/* Peer sets go by number, so that phases follow each other; their blocks lie by index. */
static void emit_level(struct writer *writer, const struct tny_hierarchical *plan, uint32_t level)
{
  const struct tny_member member =
      tny_representatives_member(&plan->representatives, level, writer->here);
  const struct tny_level_group *group = &member.group;
  uint32_t first = 0;
  for (uint32_t index = 0; index < tny_member_peers_index(&member, 0); index++) {
    const struct tny_peers peers = tny_member_peers(&member, index);
    first += blocks_of(&peers, 0, group->count);
  }
  for (uint32_t nth = 0; nth < member.peers_count; nth++) {
    const uint32_t index = tny_member_peers_index(&member, nth);
    const struct tny_peers peers = tny_member_peers(&member, index);
    first = index > 0 ? first : 0;
    emit_peers(writer, &peers, first,
               plan->phase_first[level] + tny_peers_subphase(&peers) * move_count(group));
    first += blocks_of(&peers, 0, group->count);
  }
}

/* All but the own block, from scratch; `list` has room for p. */
static void copy_out(struct writer *writer, const struct tny_hierarchical *plan, uint32_t *list)
{
  struct tny_copies copies = {.builder = writer->builder,
                              .wait_first = writer->waited,
                              .wait_end = writer->builder->steps.count};
  tny_representatives_list(&plan->representatives, plan->representatives.levels.count, writer->here,
                           list);
  for (uint32_t i = 1; i < writer->problem->rank_count; i++)
    tny_copies_add(&copies, tny_span_blocks(TNY_SCRATCH, i, 1),
                   tny_span_blocks(TNY_OUTPUT, rank_of(writer, list[i]), 1));
  tny_copies_finish(&copies);
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_hierarchical *plan = problem->prepared;
  const struct tny_span own = tny_span_blocks(TNY_INPUT, 0, 1);
  struct writer writer = {.problem = problem,
                          .builder = builder,
                          .here = tny_position_of(tny_problem_positions(problem), rank)};
  uint32_t *list = tny_new(problem->rank_count, sizeof *list);
  if (!list) {
    tny_error_memory(&builder->error);
    return;
  }
  tny_builder_copy(builder, own, tny_span_blocks(TNY_OUTPUT, rank, 1));
  if (problem->rank_count > 1)
    tny_builder_copy(builder, own, tny_span_blocks(TNY_SCRATCH, 0, 1));
  for (uint32_t level = 1; level <= plan->representatives.levels.count; level++)
    emit_level(&writer, plan, level);
  copy_out(&writer, plan, list);
  tny_free(list);
}

const struct tny_algorithm tny_allgather_hierarchical = {
    .collective = TNY_ALLGATHER,
    .name = "hierarchical",
    .source = "kielmann1999",
    .summary = "between zones, switches, hosts, ranks: wide links first, once, at the same time",
    .needs = "any p, the cluster",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .holds_blocks = true,
    .lies_in_scratch = true,
    .prepare = prepare,
    .release = tny_hierarchical_release,
    .claim = tny_hierarchical_claim,
    .emit = emit,
};
