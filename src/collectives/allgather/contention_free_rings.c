/* All-gather, rings whose messages share no link, on any cluster; several rings at once where
   trunks are slow.

   Source: the ring in switch order of Jacunski, Sadayappan, Panda, "All-to-all broadcast on
           switch-based clusters of workstations", carried on to all clusters: there it may collide
   Needs:  any p, the cluster
   Shape:  p=4, ranks 0 2 on one switch, 1 3 on the other:  0 -> 2 => 1 -> 3 => 0
           (=> crosses the trunk)
   Cost:   p-1 phases for each R pieces of a block, R rings; each rank sends p-1 blocks, or a few
           more where switches are unlike
   Links:  a ring puts one message a phase on any link, each way, wherever such a ring is found: on
           all networks tried. R rings put R on a port
   Prefer: for long blocks on networks with cycles (tori, meshes, irregular ones), where the ring in
           switch order collides: 3 times as fast for 256 KiB on torus:8x8, predicted. With several
           rings also where trunks are slower than ports (docs/allgather.md)

   The rings are those of planner/rings/rings.h. Ring j carries the j-th of R equal parts of each
   block. In phase t every rank receives, on each ring, the block of the rank t+1 positions before
   it. It receives that block from the rank just before it. But a block from its own host needn't
   come in over the host's port: the host's ranks form a ring of their own, on which the last of
   them hands on to the first. Where trunks are slower than ports, the ranks of a switch do so too,
   so that less goes over trunks. So each block goes round the smallest ring that has both ends
   (nested_rings.h). That is never a longer way than the whole ring, so the block arrives in time to
   be sent on. */
#include "collectives/list.h"
#include "core/alloc.h"
#include "core/error.h"
#include "planner/rings/nested_rings.h"

static enum tny_status prepare(const struct tny_problem *problem, void **prepared,
                               struct tny_error *error)
{
  struct tny_nested_rings *nested;
  const enum tny_status status = tny_nested_rings_make(problem, problem->parameter, &nested, error);
  *prepared = nested;
  return status;
}

static void release(void *prepared)
{
  tny_nested_rings_free(prepared);
}

static const char *refuse(const struct tny_problem *problem)
{
  if (!problem->network)
    return "needs the cluster";
  return problem->parameter > TNY_RINGS_MAX ? "plans at most 16 rings" : NULL;
}

/* As many on each ring. */
static uint32_t pieces(const struct tny_problem *problem, uint32_t wanted)
{
  const struct tny_nested_rings *nested = problem->prepared;
  const uint32_t rings = nested ? nested->rings->count : 1;
  return (wanted + rings - 1) / rings * rings;
}

/* --- steps --- */

struct emission {
  const struct tny_nested_rings *nested;
  struct tny_builder *builder;
  uint32_t p, rank;
  uint32_t ring_count, ring_pieces, piece_count;
  uint32_t *received; /* receives: by piece, then by the rank whose block it is */
};

/* A phase of a ring, and the piece that it carries. */
struct turn {
  uint32_t ring, piece, phase, number; /* number: of the phase */
};

/* Who starts the block that `rank` receives in a phase. */
static uint32_t source_of(const struct emission *emission, const struct turn *turn, uint32_t rank)
{
  const struct tny_rings *rings = emission->nested->rings;
  const uint32_t index = tny_rings_position(rings, turn->ring)[rank];
  const uint32_t behind = turn->phase + 1;
  return tny_rings_order(
      rings, turn->ring)[index >= behind ? index - behind : index + emission->p - behind];
}

static struct tny_span span_of(const struct emission *emission, const struct turn *turn,
                               uint32_t source, bool is_own)
{
  return (struct tny_span){.buffer = is_own ? TNY_INPUT : TNY_OUTPUT,
                           .first = is_own ? 0 : source,
                           .count = 1,
                           .chunk = turn->piece,
                           .chunk_count = emission->piece_count,
                           .chunks = 1};
}

/* Sends, in each ring that this rank is in, the block that its successor is to receive in this
   phase. */
static void emit_sends(const struct emission *emission, const struct turn *turn)
{
  const struct tny_nested_rings *nested = emission->nested;
  const uint32_t rank = emission->rank;
  for (enum tny_ring_level level = TNY_RING_HOST; level <= TNY_RING_ALL; level++) {
    const uint32_t next = nested->next[tny_nested_rings_index(nested, turn->ring, level, rank)];
    const uint32_t source = source_of(emission, turn, next);
    if (tny_nested_rings_common(nested, next, source) != level)
      continue;
    tny_builder_send(emission->builder, next, span_of(emission, turn, source, source == rank),
                     turn->number);
    if (source != rank)
      tny_builder_after(emission->builder,
                        emission->received[(size_t)turn->piece * emission->p + source]);
  }
}

static void emit_receive(const struct emission *emission, const struct turn *turn)
{
  const struct tny_nested_rings *nested = emission->nested;
  const uint32_t source = source_of(emission, turn, emission->rank);
  const enum tny_ring_level level = tny_nested_rings_common(nested, emission->rank, source);
  const uint32_t before =
      nested->before[tny_nested_rings_index(nested, turn->ring, level, emission->rank)];
  emission->received[(size_t)turn->piece * emission->p + source] = tny_builder_recv(
      emission->builder, before, span_of(emission, turn, source, false), turn->number);
}

/* All pieces of a phase, those of different rings beside each other, then the next phase. */
static void emit_all(const struct emission *emission)
{
  for (uint32_t phase = 0; phase + 1 < emission->p; phase++)
    for (uint32_t i = 0; i < emission->ring_pieces; i++)
      for (uint32_t ring = 0; ring < emission->ring_count; ring++) {
        const struct turn turn = {.ring = ring,
                                  .piece = ring * emission->ring_pieces + i,
                                  .phase = phase,
                                  .number = phase * emission->ring_pieces + i};
        emit_sends(emission, &turn);
        emit_receive(emission, &turn);
      }
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_nested_rings *nested = problem->prepared;
  struct emission emission = {.nested = nested,
                              .builder = builder,
                              .p = problem->rank_count,
                              .rank = rank,
                              .ring_count = nested->rings->count,
                              .ring_pieces = problem->piece_count / nested->rings->count,
                              .piece_count = problem->piece_count};
  emission.received = tny_new((size_t)problem->piece_count * emission.p, sizeof *emission.received);
  if (!emission.received) {
    tny_error_memory(&builder->error);
    return;
  }
  emit_all(&emission);
  tny_free(emission.received);
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, 0, 1), tny_span_blocks(TNY_OUTPUT, rank, 1));
}

/* --- claim --- */

/* Does each rank send one message a phase on a ring? It does where all hosts have the same number
   of ranks: in a phase in which the last rank of a host sends nothing to the next host, it sends to
   the host's first rank. */
static bool is_steady(const struct tny_nested_rings *nested)
{
  bool is_even = !nested->has_switches;
  for (uint32_t rank = 1; rank < nested->rings->rank_count; rank++)
    is_even &= tny_nested_rings_size(nested, TNY_RING_HOST, rank) ==
               tny_nested_rings_size(nested, TNY_RING_HOST, 0);
  return is_even;
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_nested_rings *nested = problem->prepared;
  const uint32_t rings = nested->rings->count, hops = problem->rank_count - 1;
  struct tny_claim promised = {.rounds = is_steady(nested) ? hops * problem->piece_count : 0,
                               .phases = hops * (problem->piece_count / rings),
                               .blocks_sent_max = (nested->blocks_sent_max + rings - 1) / rings,
                               .port_messages = rings,
                               .tree_link_messages = nested->link_messages,
                               .link_messages = nested->link_messages};
  if (problem->network->routes->cluster->shape.dimension_count > 0)
    promised.grid_link_messages = nested->link_messages;
  return promised;
}

const struct tny_algorithm tny_allgather_contention_free_rings = {
    .collective = TNY_ALLGATHER,
    .name = "contention-free-rings",
    .source = "jacunski1999",
    .summary = "rings found so that no two of their messages share a link, on any cluster",
    .needs = "any p, the cluster",
    .parameter = {.name = "rings", .standard = 0, .least = 1},
    .cut = TNY_CUT_OWN,
    .holds_blocks = true,
    .pacing = TNY_PACE_RECEIVES,
    .pieces = pieces,
    .refuse = refuse,
    .prepare = prepare,
    .release = release,
    .single_blocks = true,
    .claim = claim,
    .emit = emit,
};
