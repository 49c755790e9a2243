/* All-gather, ring both ways: every block goes half-way round a ring of all ranks, on both sides at
   once. So a rank has two blocks under way, and its port is busy while its software still works on
   one of them; it's half as far, too. The ring walks round a tree of switches, with some ranks at
   each coming, so that it never goes further than to a next switch: its messages share no link with
   others of their phase, however networks route.

   Source: the ring of Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based clusters
           of workstations", 3.1.1, both ways as on bidirectional rings; how the ring is found is
           ours (planner/rings/rings.h)
   Needs:  any p, the cluster
   Shape:  p=4, a ring 0 1 2 3:  0 -> 1 -> 2 -> 3 -> 0,  then 0 -> 3 -> 2 -> 1 -> 0 with the same
           blocks,  then 0 -> 1 -> 2 -> 3 -> 0 with what came first
   Cost:   p-1 rounds, p-1 blocks sent by each rank; each block goes p/2 hops, not p-1
   Links:  one message a link and phase, on any cluster whose switches have as many hosts with ranks
           as they have neighbours on the tree; else on trees
   Prefer: for blocks whose time on the link is no longer than what software takes for a message,
           on networks of switches with as many hosts as neighbours: it keeps the port busy
           meanwhile, 1.11 of the bound against 1.6 for a ring one way (docs/allgather.md) */
#include "collectives/list.h"
#include "planner/position.h"
#include "planner/rings/rings.h"

/* One of the two ways round. */
struct way {
  uint32_t offset; /* from a rank to the next: 1, or p-1 */
  struct tny_span sent;
  uint32_t received; /* the step in which that came; TNY_NONE: it's the own block */
};

static enum tny_status prepare(const struct tny_problem *problem, void **prepared,
                               struct tny_error *error)
{
  struct tny_rings *ring;
  const enum tny_status status = tny_rings_make_along_tree(problem, &ring, error);
  *prepared = ring;
  return status;
}

static void release(void *prepared)
{
  tny_rings_free(prepared);
}

/* In each phase all ranks send one way, in the next the other. */
static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_rings *ring = problem->prepared;
  const uint32_t *order = tny_rings_order(ring, 0);
  const uint32_t p = problem->rank_count, here = tny_rings_position(ring, 0)[rank];
  const struct tny_span own = tny_span_blocks(TNY_INPUT, 0, 1);
  struct way ways[2] = {{1, own, TNY_NONE}, {p - 1, own, TNY_NONE}};
  for (uint32_t phase = 0; phase + 1 < p; phase++) {
    struct way *way = &ways[phase % 2];
    const uint32_t hops = phase / 2 + 1; /* that what comes now has gone */
    tny_builder_send(builder, tny_position_rank(order, p, here, way->offset), way->sent, phase);
    if (way->received != TNY_NONE)
      tny_builder_after(builder, way->received);
    const uint32_t from = way->offset == 1 ? p - hops : hops;
    way->sent = tny_span_blocks(TNY_OUTPUT, tny_position_rank(order, p, here, from), 1);
    way->received = tny_builder_recv(builder, tny_position_rank(order, p, here, p - way->offset),
                                     way->sent, phase);
  }
  tny_builder_copy(builder, own, tny_span_blocks(TNY_OUTPUT, rank, 1));
}

static const char *refuse(const struct tny_problem *problem)
{
  return problem->network ? NULL : "needs the cluster";
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const uint32_t rounds = problem->rank_count - 1;
  return (struct tny_claim){.rounds = rounds,
                            .phases = rounds,
                            .blocks_sent_max = rounds,
                            .port_messages = 1,
                            .tree_link_messages = 1};
}

const struct tny_algorithm tny_allgather_two_way_ring = {
    .collective = TNY_ALLGATHER,
    .name = "two-way-ring",
    .source = "jacunski1999",
    .summary = "ring through neighbouring switches, each block half-way round on both sides",
    .needs = "any p, the cluster",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .refuse = refuse,
    .prepare = prepare,
    .release = release,
    .single_blocks = true,
    .claim = claim,
    .emit = emit,
};
