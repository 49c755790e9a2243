/* All-gather, Trivance: along a ring, ranks exchange all that they hold with those 3^i away, on and
   back at once, from the longest distance to the shortest.

   Source: Juerss, Addanki, Schmid, "Trivance: latency-optimal allreduce by shortcutting multiport
           networks" (arXiv 2602.17254), the second half of the variant for the most bandwidth.
           Only the abstract was at hand, and the authors' simulator
           (github.com/ajuerss/sst-trivance, TRIVANCE_ALLGATHER): distances that triple, on both
           ports, a third of what is left in each step of the reduce-scatter, which is this turned
           round; on tori dimensions take turns. There blocks for which several ways are left on
           sides that aren't 3^k are shared out one by one. What is done for such sides here, by
           ternary digits, is ours, and that one port serves both ways
   Needs:  any p. On a ring or torus with as many ranks on each host, the dimensions are those of
           the network, and behind them that of the ranks of a host. Elsewhere the ranks in switch
           order are one ring
   Shape:  p=4, blocks a b c d, rank 0:  a to 1, d from 3; then a to 3, b from 1, and d to 1, c from
           3
   Cost:   the sum of ceil(log3 side) phases of one or two messages, each of them a round on one
           port; p-1 blocks sent by each rank. Each block is copied out of scratch. Where sides
           aren't 3^k, some are copied to be packed: p blocks of scratch and those
   Links:  up to two messages a port and phase. Along a ring of 3^k nodes, phase i puts 3^(k-1-i)
           messages of 3^i blocks on each link, a third of all blocks in each phase
   Prefer: on rings and tori for short blocks: of 64 bytes on ring:27 it takes 112 us, swing 203,
           combining 284, as simulated. Of 4 KiB swing takes 2.7 ms, this one 4.8, a
           ring 1.8; long ones go by contention-free-rings or two-way-ring, each of whose messages
           crosses one cable

   Which offsets there are, and in which order blocks arrive, is in trees/trivance.h. All ranks
   keep them in this order in scratch space. */
#include "collectives/trees/trivance.h"
#include "collectives/list.h"
#include "collectives/shared/copies.h"

enum { BELOW = TNY_TRIVANCE_BELOW, ABOVE = TNY_TRIVANCE_ABOVE, SIDES = TNY_TRIVANCE_SIDES };

struct journey {
  const struct tny_trivance *trivance;
  struct tny_builder *builder;
  uint32_t here;                 /* index in the lattice */
  uint32_t pack_first;           /* free scratch space */
  uint32_t wait_first, wait_end; /* what the last step received */
};

static uint32_t peer(const struct journey *journey, const struct tny_trivance_step *step,
                     uint32_t side)
{
  return tny_lattice_rank(&journey->trivance->lattice,
                          tny_trivance_neighbour(journey->trivance, step, journey->here, side));
}

static struct tny_copies copies_after(const struct journey *journey)
{
  return (struct tny_copies){.builder = journey->builder,
                             .wait_first = journey->wait_first,
                             .wait_end = journey->wait_end};
}

/* What goes to a rank that has this one on that side: all that is held, or some of it, packed. Also
   what would be in one piece is packed: turned round, what has come so far of each block then stays
   in one piece with its neighbours, as it is where all get a message. */
static struct tny_span row_of(struct journey *journey, const struct tny_trivance_step *step,
                              uint32_t side, struct tny_copies *copies)
{
  if (step->counts[side] == step->held)
    return tny_span_blocks(TNY_SCRATCH, 0, step->held);
  const uint32_t first = journey->pack_first;
  struct tny_trivance_offset there;
  for (uint32_t place = 0; place < step->held; place++)
    if (tny_trivance_arrives(journey->trivance, step, side, place, &there))
      tny_copies_add(copies, tny_span_blocks(TNY_SCRATCH, place, 1),
                     tny_span_blocks(TNY_SCRATCH, journey->pack_first++, 1));
  tny_copies_finish(copies);
  return tny_span_blocks(TNY_SCRATCH, first, step->counts[side]);
}

static void send(struct journey *journey, const struct tny_trivance_step *step, uint32_t side,
                 uint32_t phase, struct tny_copies *copies)
{
  if (step->counts[side] == 0)
    return;
  const struct tny_span row = row_of(journey, step, side, copies);
  tny_copies_send(copies, peer(journey, step, side == ABOVE ? BELOW : ABOVE), row, phase);
}

static void receive(struct journey *journey, const struct tny_trivance_step *step, uint32_t side,
                    uint32_t phase)
{
  const uint32_t before = side == ABOVE ? 0 : step->counts[ABOVE];
  const uint32_t count = step->counts[side];
  if (count > 0)
    tny_builder_recv(journey->builder, peer(journey, step, side),
                     tny_span_blocks(TNY_SCRATCH, step->held + before, count), phase);
}

static void exchange(struct journey *journey, uint32_t phase)
{
  const struct tny_trivance_step *step = &journey->trivance->steps[phase];
  struct tny_copies copies = copies_after(journey);
  send(journey, step, ABOVE, phase, &copies);
  send(journey, step, BELOW, phase, &copies);
  journey->wait_first = journey->builder->steps.count;
  receive(journey, step, ABOVE, phase);
  receive(journey, step, BELOW, phase);
  journey->wait_end = journey->builder->steps.count;
}

/* The rank's own block, which may be there already, comes from where it was. */
static void copy_to_output(const struct journey *journey, uint32_t rank, uint32_t rank_count)
{
  const struct tny_trivance *trivance = journey->trivance;
  struct tny_copies copies = copies_after(journey);
  tny_copies_add(&copies, tny_span_blocks(TNY_INPUT, 0, 1), tny_span_blocks(TNY_OUTPUT, rank, 1));
  for (uint32_t place = 1; place < rank_count; place++) {
    const uint32_t index = tny_trivance_index(trivance, journey->here, &trivance->list[place]);
    tny_copies_add(&copies, tny_span_blocks(TNY_SCRATCH, place, 1),
                   tny_span_blocks(TNY_OUTPUT, tny_lattice_rank(&trivance->lattice, index), 1));
  }
  tny_copies_finish(&copies);
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_trivance *trivance = problem->prepared;
  struct journey journey = {.trivance = trivance,
                            .builder = builder,
                            .here = tny_lattice_index(problem, &trivance->lattice, rank),
                            .pack_first = problem->rank_count};
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, 0, 1), tny_span_blocks(TNY_SCRATCH, 0, 1));
  for (uint32_t phase = 0; phase < trivance->step_count; phase++)
    exchange(&journey, phase);
  copy_to_output(&journey, rank, problem->rank_count);
}

/* --- the claim --- */

/* The messages on a link where each node of a ring gets one from the node so many on, unless that
   is more than half-way round: then they go the other way. */
static uint32_t load_of(uint32_t side, uint32_t nodes)
{
  return 2 * (uint64_t)nodes <= side ? nodes : 0;
}

/* The most messages on a link of the ring along which a step goes, in either direction. */
static uint32_t link_messages(const struct tny_trivance *trivance,
                              const struct tny_trivance_step *step)
{
  const uint32_t size = trivance->lattice.size[step->dimension];
  const uint32_t near = load_of(size, step->distance), round = load_of(size, size - step->distance);
  const bool from_above = step->counts[ABOVE] > 0;
  const bool from_below = step->counts[BELOW] > 0;
  const uint32_t down = (from_above ? near : 0) + (from_below ? round : 0);
  const uint32_t up = (from_below ? near : 0) + (from_above ? round : 0);
  return down > up ? down : up;
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_trivance *trivance = problem->prepared;
  struct tny_claim claim = {.phases = trivance->step_count,
                            .blocks_sent_max = problem->rank_count - 1,
                            .scratch_blocks = problem->rank_count};
  for (uint32_t i = 0; i < trivance->step_count; i++) {
    const struct tny_trivance_step *step = &trivance->steps[i];
    uint32_t messages = 0;
    for (uint32_t side = 0; side < SIDES; side++) {
      messages += step->counts[side] > 0;
      claim.scratch_blocks += step->counts[side] < step->held ? step->counts[side] : 0;
    }
    claim.rounds += messages;
    if (messages > claim.port_messages)
      claim.port_messages = messages;
    if (step->dimension >= trivance->lattice.cables_from &&
        link_messages(trivance, step) > claim.grid_link_messages)
      claim.grid_link_messages = link_messages(trivance, step);
  }
  return claim;
}

const struct tny_algorithm tny_allgather_trivance = {
    .collective = TNY_ALLGATHER,
    .name = "trivance",
    .source = "juerss2026b",
    .summary = "three times as much held a step, on and back along rings, the farthest first",
    .needs = "any p",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .by_name_only = true,
    .joins_blocks = true,
    .lies_in_scratch = true,
    .prepare = tny_trivance_prepare,
    .release = tny_trivance_release,
    .claim = claim,
    .emit = emit,
};
