/* Scatter, level by level: the blocks of each zone go to a leader in it, there those of each switch
   to one on it, those of each host to one on that, and from there to its ranks.

   Source: Kielmann, Hofman, Bal, Plaat, Bhoedjang, "MagPIe: MPI's collective communication
           operations for clustered wide area systems": each block crosses a wide link once, in one
           message with all others for that cluster, and all these messages go at the same time.
           What is done within a zone is ours
   Needs:  any p, any root, the cluster
   Shape:  p=8, zones 0-3, 4 5 and 6 7, the first of switches 0 1 and 2 3, root 0, blocks a to h:
           0 => 4 ef, 0 => 6 gh, 0 -> 2 cd, 0 -> 1 b;  4 -> 5 f, 6 -> 7 h, 2 -> 3 d   (=> crosses a
           wide link)
   Cost:   with Z zones of S switches of H hosts of R ranks, up to Z-1 + S-1 + ceil(log2 H) +
           ceil(log2 R) rounds; p-1 blocks sent by the root. Up to p-1 blocks of scratch: leaders
           keep there what they hand on, and the root packs what isn't in a row
   Links:  one message a port and phase. Wide links: one message to each other zone. Without zones,
           one message a phase on any link of a tree of switches, and each block once over each
           trunk on its way
   Prefer: for short blocks over several zones or switches: a wide link is waited for once, and
           takes one message for all ranks behind it; linear sends one for each. On one switch
           binomial. Long blocks fill the root's port whatever the order: then linear, which hands
           nothing on

   Zones, and switches: the leader sends to each, so that nothing for another switch goes over a
   port on the way. Hosts, and ranks of a host: binomial. What leads further away is sent first. A
   leader but the root gets blocks in the order in which it hands them on, its own first. */
#include "collectives/list.h"
#include "collectives/shared/copies.h"
#include "collectives/trees/leaders.h"
#include "planner/position.h"

static enum tny_leaders_tree tree_of(const struct tny_led_group *led)
{
  const enum tny_tier tier = led->group.tier;
  return tier == TNY_TIER_ZONE || tier == TNY_TIER_SWITCH ? TNY_LEADERS_STAR : TNY_LEADERS_BINOMIAL;
}

static uint32_t root_position(const struct tny_problem *problem)
{
  return tny_position_of(tny_problem_positions(problem), problem->root);
}

/* The blocks that come to the leader of a vertex. */
static uint32_t blocks_for(const struct tny_led_group *led, uint32_t vertex)
{
  return tny_led_group_size(led, vertex, tny_leaders_below(tree_of(led), led->n, vertex));
}

/* --- the claim --- */

struct reach {
  uint32_t rounds;   /* until a rank has sent all it had to so far */
  uint32_t received; /* blocks, by a rank */
};

/* Follows the blocks from `level` on through all ranks below a leader that has come so far. */
static void follow(const struct tny_levels *levels, uint32_t level, uint32_t leader,
                   uint32_t rounds, struct reach *most)
{
  if (level > levels->count) {
    most->rounds = rounds > most->rounds ? rounds : most->rounds;
    return;
  }
  const struct tny_led_group led = tny_led_group_of(levels, level, leader);
  const enum tny_leaders_tree tree = tree_of(&led);
  for (uint32_t vertex = 0; vertex < led.n; vertex++) {
    const uint32_t blocks = vertex > 0 ? blocks_for(&led, vertex) : 0;
    most->received = blocks > most->received ? blocks : most->received;
    follow(levels, level + 1, tny_led_group_leader(&led, vertex),
           rounds + tny_leaders_arrival(tree, led.n, vertex) +
               tny_leaders_child_count(tree, led.n, vertex),
           most);
  }
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_levels levels = tny_levels_find(problem);
  const bool has_zones = levels.count > 0 && levels.tier[1] == TNY_TIER_ZONE;
  struct reach most = {0};
  follow(&levels, 1, root_position(problem), 0, &most);
  return (struct tny_claim){.rounds = most.rounds,
                            .phases = most.rounds,
                            .blocks_sent_max = problem->rank_count - 1,
                            .blocks_received_max = most.received,
                            .scratch_blocks = problem->rank_count - 1,
                            .port_messages = 1,
                            .tree_link_messages = has_zones ? 0 : 1};
}

/* --- the steps --- */

/* Appending one rank's steps. */
struct writer {
  const struct tny_problem *problem;
  struct tny_builder *builder;
  bool is_root;
  uint32_t received;   /* TNY_NONE: not yet, or it is the root */
  uint32_t pack_first; /* the root's free scratch space */
};

static uint32_t rank_of(const struct writer *writer, uint32_t position)
{
  return tny_position_rank(tny_problem_order(writer->problem), writer->problem->rank_count,
                           position, 0);
}

/* The positions of a group from one on, cyclically. */
struct row {
  const struct writer *writer;
  uint32_t first, group_first, group_end;
};

static struct tny_span input_at(const void *context, uint32_t index)
{
  const struct row *row = context;
  const uint32_t to_end = row->group_end - row->first;
  const uint32_t position =
      index < to_end ? row->first + index : row->group_first + (index - to_end);
  return tny_span_blocks(TNY_INPUT, rank_of(row->writer, position), 1);
}

/* The root sends a vertex what it has for it, packed where that isn't in a row. */
static void send_input(struct writer *writer, const struct tny_led_group *led, uint32_t vertex,
                       uint32_t phase)
{
  const uint32_t leader = tny_led_group_leader(led, vertex);
  const struct row row = {.writer = writer,
                          .first = leader,
                          .group_first = tny_level_group_first(&led->group, 0),
                          .group_end = tny_level_group_first(&led->group, led->n)};
  const struct tny_block_list blocks = {
      .at = input_at, .context = &row, .count = blocks_for(led, vertex)};
  struct tny_copies copies = {.builder = writer->builder};
  const struct tny_span room = tny_span_blocks(TNY_SCRATCH, writer->pack_first, blocks.count);
  const struct tny_span sent = tny_copies_in_a_row(&copies, &blocks, room);
  if (sent.buffer == TNY_SCRATCH)
    writer->pack_first += blocks.count;
  tny_copies_send(&copies, rank_of(writer, leader), sent, phase);
}

/* Another leader sends a vertex what came for it with its own. */
static void send_on(const struct writer *writer, const struct tny_led_group *led, uint32_t here,
                    uint32_t vertex, uint32_t phase)
{
  const uint32_t before = tny_led_group_size(led, here, vertex - here);
  tny_builder_send(writer->builder, rank_of(writer, tny_led_group_leader(led, vertex)),
                   tny_span_blocks(TNY_SCRATCH, before, blocks_for(led, vertex)), phase);
  tny_builder_after(writer->builder, writer->received);
}

/* Emits the steps of the leader of a vertex, which has its blocks by round `came`: it receives them
   from its parent, unless it has them from a level above, and sends on what is for others. */
static void lead(struct writer *writer, const struct tny_led_group *led, uint32_t vertex,
                 uint32_t came)
{
  const enum tny_leaders_tree tree = tree_of(led);
  if (vertex > 0) {
    const uint32_t from = tny_led_group_leader(led, tny_leaders_parent(tree, vertex));
    const uint32_t blocks = blocks_for(led, vertex);
    writer->received = tny_builder_recv(
        writer->builder, rank_of(writer, from),
        tny_span_blocks(blocks > 1 ? TNY_SCRATCH : TNY_OUTPUT, 0, blocks), came - 1);
    if (blocks > 1) {
      tny_builder_copy(writer->builder, tny_span_blocks(TNY_SCRATCH, 0, 1),
                       tny_span_blocks(TNY_OUTPUT, 0, 1));
      tny_builder_after(writer->builder, writer->received);
    }
  }
  for (uint32_t k = 0, to; (to = tny_leaders_child(tree, led->n, vertex, k)) != TNY_NONE; k++)
    if (writer->is_root)
      send_input(writer, led, to, came + k);
    else
      send_on(writer, led, vertex, to, came + k);
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_levels levels = tny_levels_find(problem);
  const uint32_t here = tny_position_of(tny_problem_positions(problem), rank);
  struct writer writer = {.problem = problem,
                          .builder = builder,
                          .is_root = rank == problem->root,
                          .received = TNY_NONE};
  uint32_t leader = root_position(problem), ready = 0;
  for (uint32_t level = 1; level <= levels.count; level++) {
    const struct tny_led_group led = tny_led_group_of(&levels, level, leader);
    const enum tny_leaders_tree tree = tree_of(&led);
    const uint32_t vertex = tny_led_group_vertex(&led, here);
    const uint32_t came = ready + tny_leaders_arrival(tree, led.n, vertex);
    leader = tny_led_group_leader(&led, vertex);
    ready = came + tny_leaders_child_count(tree, led.n, vertex);
    if (leader == here)
      lead(&writer, &led, vertex, came);
  }
  if (writer.is_root)
    tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, rank, 1),
                     tny_span_blocks(TNY_OUTPUT, 0, 1));
}

const struct tny_algorithm tny_scatter_hierarchical = {
    .collective = TNY_SCATTER,
    .name = "hierarchical",
    .source = "kielmann1999",
    .summary = "blocks to each zone, there to each switch, host, rank: a message a wide link",
    .needs = "any p, any root, the cluster",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_LINKS,
    .by_name_only = true,
    .joins_blocks = true,
    .claim = claim,
    .emit = emit,
};
