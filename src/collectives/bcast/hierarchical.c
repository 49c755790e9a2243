/* Broadcast, level by level: to a leader in each zone, in it to one on each switch, there to one on
   each host, and to all of its ranks; on each level by the tree that suits its links.

   Source: Kielmann, Hofman, Bal, Plaat, Bhoedjang, "MagPIe: MPI's collective communication
           operations for clustered wide area systems": wide links are crossed once, all at the same
           time. The trees within a zone are ours
   Needs:  any p, any root, the cluster
   Shape:  p=8, zones 0-3, 4 5 and 6 7, the first of switches 0 1 and 2 3, root 0:
           0 => 4, 0 => 6, 0 -> 2, 0 -> 1;  2 -> 3, 4 -> 5, 6 -> 7   (=> crosses a wide link)
   Cost:   with Z zones of S switches of H hosts of R ranks, up to Z-1 + S-1 + ceil(log2 H) +
           ceil(log2 R) rounds; the root sends the message as often, but once to switches
   Links:  one message a port and phase. Wide links: the message once to each other zone, from the
           root. Without zones, one message a phase on any link of a tree of switches, and each
           trunk has the message at most once each way
   Prefer: for short messages over several zones: each wide link is crossed once, all at the same
           time, whatever the zones' sizes (20.3 ms against 30.3 ms of switch-ordered-binomial for 1
           KiB on zones:5+3+6,delay=10ms, predicted). Long messages go faster by
           switch-ordered-chain

   Zones: the root sends to each, so that the long ways are gone at the same time. Switches: a chain
   in switch order, of which each trunk is one link. Hosts, and ranks of a host: binomial, as only
   ports are in use. The leader of what the root is in is the root, else the first rank. What leads
   further away is sent first. */
#include "collectives/list.h"
#include "collectives/shared/levels.h"
#include "core/log2.h"
#include "planner/position.h"

/* Trees over vertices 0 .. n-1, where vertex 0 has the message. In the binomial one, vertex i gets
   the message from the vertex without its lowest bit, and each sends to the farthest vertex
   first. */

/* The k-th vertex that a vertex sends to; TNY_NONE: it sends to fewer. */
static uint32_t child_of(enum tny_tier tier, uint32_t n, uint32_t vertex, uint32_t k)
{
  if (tier == TNY_TIER_ZONE)
    return vertex == 0 && k + 1 < n ? k + 1 : TNY_NONE;
  if (tier == TNY_TIER_SWITCH)
    return k == 0 && vertex + 1 < n ? vertex + 1 : TNY_NONE;
  uint32_t distance = vertex ? vertex & -vertex : (uint32_t)1 << tny_log2_ceil(n);
  do
    distance /= 2;
  while (distance > 0 && vertex + distance >= n);
  return distance >> k ? vertex + (distance >> k) : TNY_NONE;
}

static uint32_t parent_of(enum tny_tier tier, uint32_t vertex)
{
  if (tier == TNY_TIER_ZONE)
    return 0;
  return tier == TNY_TIER_SWITCH ? vertex - 1 : vertex & (vertex - 1);
}

static uint32_t child_count(enum tny_tier tier, uint32_t n, uint32_t vertex)
{
  uint32_t k = 0;
  while (child_of(tier, n, vertex, k) != TNY_NONE)
    k++;
  return k;
}

/* Rounds until a vertex has the message. */
static uint32_t arrival(enum tny_tier tier, uint32_t n, uint32_t vertex)
{
  uint32_t rounds = 0;
  if (tier == TNY_TIER_ZONE || tier == TNY_TIER_SWITCH)
    return vertex;
  for (; vertex > 0; vertex = parent_of(tier, vertex), rounds++)
    for (uint32_t k = 0; child_of(tier, n, parent_of(tier, vertex), k) != vertex; k++)
      rounds++;
  return rounds;
}

/* A group of the level above in which one rank, the leader, has the message. */
struct spread {
  struct tny_level_group group;
  uint32_t leader; /* its position */
  uint32_t part;   /* where it is */
  uint32_t n;      /* parts; that of the leader is vertex 0 */
};

static struct spread spread_of(const struct tny_levels *levels, uint32_t level, uint32_t leader)
{
  struct spread spread = {.group = tny_levels_group(levels, level, leader), .leader = leader};
  spread.part = tny_level_group_find(&spread.group, leader);
  spread.n = spread.group.count;
  return spread;
}

/* The position of the rank that leads the part of a vertex. */
static uint32_t leader_of(const struct spread *spread, uint32_t vertex)
{
  return vertex == 0 ? spread->leader
                     : tny_level_group_first(&spread->group, (spread->part + vertex) % spread->n);
}

static uint32_t root_position(const struct tny_problem *problem)
{
  return tny_position_of(tny_problem_positions(problem), problem->root);
}

/* --- the claim --- */

struct reach {
  uint32_t rounds; /* until a rank has sent all it had to so far */
  uint32_t sends;  /* by a rank */
};

/* Follows the message from `level` on through all ranks below a leader that has come so far. `most`
   gets the most rounds and the most sends. */
static void follow(const struct tny_levels *levels, uint32_t level, uint32_t leader,
                   struct reach from, struct reach *most)
{
  if (level > levels->count) {
    most->rounds = from.rounds > most->rounds ? from.rounds : most->rounds;
    most->sends = from.sends > most->sends ? from.sends : most->sends;
    return;
  }
  const struct spread spread = spread_of(levels, level, leader);
  for (uint32_t vertex = 0; vertex < spread.n; vertex++) {
    const uint32_t sends = child_count(spread.group.tier, spread.n, vertex);
    const uint32_t came = from.rounds + arrival(spread.group.tier, spread.n, vertex);
    follow(levels, level + 1, leader_of(&spread, vertex),
           (struct reach){came + sends, sends + (vertex == 0 ? from.sends : 0)}, most);
  }
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_levels levels = tny_levels_find(problem);
  const bool has_zones = levels.count > 0 && levels.tier[1] == TNY_TIER_ZONE;
  const struct reach none = {0};
  struct reach most = {0};
  follow(&levels, 1, root_position(problem), none, &most);
  return (struct tny_claim){.rounds = most.rounds,
                            .phases = most.rounds,
                            .blocks_sent_max = most.sends,
                            .port_messages = 1,
                            .tree_link_messages = has_zones ? 0 : 1};
}

/* --- the steps --- */

/* Appending one rank's steps. */
struct writer {
  const struct tny_problem *problem;
  struct tny_builder *builder;
  uint32_t received; /* TNY_NONE: not yet, or it is the root */
  struct tny_span message;
};

static uint32_t rank_of(const struct writer *writer, uint32_t position)
{
  return tny_position_rank(tny_problem_order(writer->problem), writer->problem->rank_count,
                           position, 0);
}

/* Emits the steps of the leader of a vertex, which has the message by round `came`: it receives the
   message from its parent, unless it has it from a level above, and sends it on. */
static void lead(struct writer *writer, const struct spread *spread, uint32_t vertex, uint32_t came)
{
  const enum tny_tier tier = spread->group.tier;
  if (vertex > 0) {
    const uint32_t from = leader_of(spread, parent_of(tier, vertex));
    writer->received =
        tny_builder_recv(writer->builder, rank_of(writer, from), writer->message, came - 1);
  }
  for (uint32_t k = 0, to; (to = child_of(tier, spread->n, vertex, k)) != TNY_NONE; k++) {
    tny_builder_send(writer->builder, rank_of(writer, leader_of(spread, to)), writer->message,
                     came + k);
    if (writer->received != TNY_NONE)
      tny_builder_after(writer->builder, writer->received);
  }
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_levels levels = tny_levels_find(problem);
  const uint32_t here = tny_position_of(tny_problem_positions(problem), rank);
  struct writer writer = {
      .problem = problem,
      .builder = builder,
      .received = TNY_NONE,
      .message = tny_span_blocks(rank == problem->root ? TNY_INPUT : TNY_OUTPUT, 0, 1)};
  uint32_t leader = root_position(problem), ready = 0;
  for (uint32_t level = 1; level <= levels.count; level++) {
    const struct spread spread = spread_of(&levels, level, leader);
    const uint32_t part = tny_level_group_find(&spread.group, here);
    const uint32_t vertex = (part + spread.n - spread.part) % spread.n;
    const uint32_t came = ready + arrival(spread.group.tier, spread.n, vertex);
    leader = leader_of(&spread, vertex);
    ready = came + child_count(spread.group.tier, spread.n, vertex);
    if (leader == here)
      lead(&writer, &spread, vertex, came);
  }
}

const struct tny_algorithm tny_bcast_hierarchical = {
    .collective = TNY_BROADCAST,
    .name = "hierarchical",
    .source = "kielmann1999",
    .summary = "to each zone, there to each switch, host, rank: wide links once, at the same time",
    .needs = "any p, any root, the cluster",
    .cut = TNY_CUT_BY_CHUNK,
    .pacing = TNY_PACE_CREDITS,
    .claim = claim,
    .emit = emit,
};
