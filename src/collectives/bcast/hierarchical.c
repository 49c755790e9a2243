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
#include "collectives/trees/leaders.h"
#include "planner/position.h"

/* On each level. */
static enum tny_leaders_tree tree_of(enum tny_tier tier)
{
  if (tier == TNY_TIER_ZONE)
    return TNY_LEADERS_STAR;
  return tier == TNY_TIER_SWITCH ? TNY_LEADERS_CHAIN : TNY_LEADERS_BINOMIAL;
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
  const struct tny_led_group led = tny_led_group_of(levels, level, leader);
  const enum tny_leaders_tree tree = tree_of(led.group.tier);
  for (uint32_t vertex = 0; vertex < led.n; vertex++) {
    const uint32_t sends = tny_leaders_child_count(tree, led.n, vertex);
    const uint32_t came = from.rounds + tny_leaders_arrival(tree, led.n, vertex);
    follow(levels, level + 1, tny_led_group_leader(&led, vertex),
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
static void lead(struct writer *writer, const struct tny_led_group *led, uint32_t vertex,
                 uint32_t came)
{
  const enum tny_leaders_tree tree = tree_of(led->group.tier);
  if (vertex > 0) {
    const uint32_t from = tny_led_group_leader(led, tny_leaders_parent(tree, vertex));
    writer->received =
        tny_builder_recv(writer->builder, rank_of(writer, from), writer->message, came - 1);
  }
  for (uint32_t k = 0, to; (to = tny_leaders_child(tree, led->n, vertex, k)) != TNY_NONE; k++) {
    tny_builder_send(writer->builder, rank_of(writer, tny_led_group_leader(led, to)),
                     writer->message, came + k);
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
    const struct tny_led_group led = tny_led_group_of(&levels, level, leader);
    const enum tny_leaders_tree tree = tree_of(led.group.tier);
    const uint32_t vertex = tny_led_group_vertex(&led, here);
    const uint32_t came = ready + tny_leaders_arrival(tree, led.n, vertex);
    leader = tny_led_group_leader(&led, vertex);
    ready = came + tny_leaders_child_count(tree, led.n, vertex);
    if (leader == here)
      lead(&writer, &led, vertex, came);
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
