/* All-to-all, local group: on two clusters, what has to cross is first gathered within each, so
   that each pair (i, i + n1*s) exchanges one message over the wide link, and nothing else does.

   Source: Jeannot, Steffenel, "Fast and efficient total exchange on two clusters", 4, Algorithm 1.
           Read: floor(i/n1) for [i/n1]; i from 0 on; s for e. Where n1 doesn't divide n2, the node
           that is to keep some blocks of the last, partial group isn't there: here the same node of
           the last full group keeps them, and sends them along with its own, so that it stays at
           2*max(n1,n2) messages (abstract and 4.2)
   Needs:  ranks on two switches; or on two hosts of one switch, where a host is a cluster, its
           link the wide one. C1 is the one with fewer (of equals the first), n1 <= n2
   Shape:  n1=2 (0 1), n2=2 (2 3):  0-1 and 2-3 exchange their own and, in a second message, what
           the other is to carry across; then 0-2 and 1-3 exchange 2 blocks each way
   Cost:   with q = ceil(n2/n1), r = n2 mod n1: q wide rounds behind n2+n1-2+r local ones in C2 and
           (n1-1)(q+1) in C1; together max(n2+n1-2, (n1-1)(q+1)) + q rounds, or n2+n1-1+r where that
           is more and r > 0. n1+n2-1 + (n1-1)*q blocks sent by a rank at most
   Links:  one message a port and phase; n1 messages a phase on the wide link, each block once

   Local phases are shifts within a cluster: first everyone's own blocks, then what is kept for the
   other side. Sends of a rank follow each other; its wide messages wait until its local ones are
   complete. */
#include "algorithms/after.h"
#include "algorithms/copies.h"
#include "algorithms/groups.h"
#include "algorithms/list.h"

/* A cluster: a run of positions. Its nodes count from 0. */
struct side {
  const uint32_t *order;
  uint32_t first, size;
};

/* Both, and what the rounds follow from. */
struct sides {
  struct side small, large;
  uint32_t crossings;  /* messages over the wide link that a node of C1 sends at most: q */
  uint32_t rest;       /* nodes in the last, partial group of C2 */
  uint32_t wide_phase; /* the first after all local ones */
  bool by_number;      /* ranks of a side have consecutive numbers */
};

/* Nodes of C2: first .. first + count - 1. */
struct nodes {
  uint32_t first, count;
};

/* Appending one rank's steps. `last_send` is TNY_NONE before the first. */
struct writer {
  struct tny_builder *builder;
  uint32_t last_send;
};

static uint32_t rank_at(const struct side *side, uint32_t node)
{
  return side->order[side->first + node];
}

static bool is_by_number(const struct side *side)
{
  for (uint32_t node = 1; node < side->size; node++)
    if (rank_at(side, node) != rank_at(side, 0) + node)
      return false;
  return true;
}

static struct sides sides_of(const struct tny_problem *problem)
{
  const struct tny_groups groups = tny_groups_two(problem);
  const uint32_t fewer = tny_groups_size(&groups, 1) < tny_groups_size(&groups, 0);
  struct side side[2];
  for (uint32_t i = 0; i < 2; i++)
    side[i] = (struct side){problem->placement->order, tny_groups_first(&groups, i),
                            tny_groups_size(&groups, i)};
  struct sides sides = {.small = side[fewer], .large = side[!fewer]};
  const uint32_t n1 = sides.small.size, n2 = sides.large.size;
  sides.crossings = n2 / n1 + (n2 % n1 != 0);
  sides.rest = n2 % n1;
  const uint32_t in_small = (n1 - 1) * (sides.crossings + 1), in_large = n2 + n1 - 2 + sides.rest;
  sides.wide_phase = in_small > in_large ? in_small : in_large;
  sides.by_number = is_by_number(&sides.small) && is_by_number(&sides.large);
  return sides;
}

static const char *refuse(const struct tny_problem *problem)
{
  return tny_groups_two(problem).count == 2 ? NULL : "needs ranks on two switches, or on two hosts";
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct sides sides = sides_of(problem);
  const uint32_t n1 = sides.small.size, n2 = sides.large.size;
  const uint32_t in_small = (n1 - 1) * (sides.crossings + 1), in_large = n2 + n1 - 2;
  const uint32_t rounds = (in_small > in_large ? in_small : in_large) + sides.crossings;
  const uint32_t by_rest = sides.rest > 0 ? in_large + sides.rest + 1 : 0;
  return (struct tny_claim){.rounds = rounds > by_rest ? rounds : by_rest,
                            .phases = sides.wide_phase + sides.crossings,
                            .blocks_sent_max = n1 + n2 - 1 + (n1 - 1) * (uint64_t)sides.crossings,
                            .scratch_blocks = n1 * sides.crossings + (sides.by_number ? 0 : n2),
                            .port_messages = 1,
                            /* The wide link, or a link between hosts with half of C2 each. */
                            .tree_link_messages = n1 > n2 / 2 ? n1 : n2 / 2};
}

/* The group of a node of C2: n1 nodes, one for each node of C1; the last group has the rest too. */
static struct nodes group_of(const struct sides *sides, uint32_t node)
{
  const uint32_t n1 = sides->small.size, last = sides->large.size / n1 - 1;
  const uint32_t group = node / n1 < last ? node / n1 : last;
  return (struct nodes){group * n1, n1 + (group == last ? sides->rest : 0)};
}

/* Within a group, one of the first n1 nodes carries for all of these; for the rest too, unless one
   of the rest has the same partner in C1, which then does. */
static struct nodes kept_by(const struct sides *sides, uint32_t node)
{
  const struct nodes group = group_of(sides, node);
  const uint32_t n1 = sides->small.size, place = node - group.first, rest = group.count - n1;
  const uint32_t first = place < n1 ? 0 : n1, end = place < rest ? n1 : group.count;
  return (struct nodes){group.first + first, end - first};
}

static bool keeps(const struct sides *sides, uint32_t node, uint32_t source)
{
  const struct nodes kept = kept_by(sides, node);
  return source >= kept.first && source - kept.first < kept.count;
}

static void send_local(struct writer *writer, uint32_t to, uint32_t block, uint32_t phase)
{
  const uint32_t earlier = writer->last_send;
  writer->last_send =
      tny_builder_send(writer->builder, to, tny_span_blocks(TNY_INPUT, block, 1), phase);
  if (earlier != TNY_NONE)
    tny_builder_after(writer->builder, earlier);
}

static void exchange_own(const struct side *side, uint32_t node, struct writer *writer)
{
  for (uint32_t ahead = 1; ahead < side->size; ahead++) {
    const uint32_t to = rank_at(side, (node + ahead) % side->size);
    const uint32_t from = rank_at(side, (node + side->size - ahead) % side->size);
    send_local(writer, to, to, ahead - 1);
    tny_builder_recv(writer->builder, from, tny_span_blocks(TNY_OUTPUT, from, 1), ahead - 1);
  }
}

/* In C1: for one group of C2 after the other, the block for its i-th node goes to node i. */
static void gather_small(const struct sides *sides, uint32_t node, struct writer *writer)
{
  const struct side *small = &sides->small, *large = &sides->large;
  const uint32_t n1 = small->size;
  uint32_t phase = n1 - 1;
  for (uint32_t first = 0; first < large->size; first += n1) {
    const bool carries = first + node < large->size;
    if (carries)
      tny_builder_copy(writer->builder, tny_span_blocks(TNY_INPUT, rank_at(large, first + node), 1),
                       tny_span_blocks(TNY_SCRATCH, first + node, 1));
    for (uint32_t ahead = 1; ahead < n1; ahead++, phase++) {
      const uint32_t to = (node + ahead) % n1, from = (node + n1 - ahead) % n1;
      if (first + to < large->size)
        send_local(writer, rank_at(small, to), rank_at(large, first + to), phase);
      if (carries)
        tny_builder_recv(writer->builder, rank_at(small, from),
                         tny_span_blocks(TNY_SCRATCH, first + from, 1), phase);
    }
  }
}

/* In C2: within its group, the block for node i of C1 goes to the node that carries it. */
static void gather_large(const struct sides *sides, uint32_t node, struct writer *writer)
{
  const struct side *small = &sides->small, *large = &sides->large;
  const struct nodes group = group_of(sides, node), kept = kept_by(sides, node);
  const uint32_t place = node - group.first;
  uint32_t phase = large->size - 1;
  tny_builder_copy(writer->builder,
                   tny_span_blocks(TNY_INPUT, rank_at(small, node % small->size), 1),
                   tny_span_blocks(TNY_SCRATCH, node - kept.first, 1));
  for (uint32_t ahead = 1; ahead < group.count; ahead++, phase++) {
    const uint32_t to = group.first + (place + ahead) % group.count;
    const uint32_t from = group.first + (place + group.count - ahead) % group.count;
    if (keeps(sides, to, node))
      send_local(writer, rank_at(large, to), rank_at(small, to % small->size), phase);
    if (keeps(sides, node, from))
      tny_builder_recv(writer->builder, rank_at(large, from),
                       tny_span_blocks(TNY_SCRATCH, from - kept.first, 1), phase);
  }
}

/* Where blocks from nodes of the other side arrive: at once in the output, where that is in one
   piece. */
static struct tny_span arrival(const struct sides *sides, const struct side *other,
                               struct nodes sources)
{
  if (sides->by_number)
    return tny_span_blocks(TNY_OUTPUT, rank_at(other, sources.first), sources.count);
  const uint32_t gathered = sides->small.size * sides->crossings;
  return tny_span_blocks(TNY_SCRATCH, gathered + sources.first, sources.count);
}

/* Local steps are all there are so far: the wide ones wait for them, from the first on. */
static void cross_from_small(const struct sides *sides, uint32_t node, struct tny_builder *builder)
{
  const uint32_t n1 = sides->small.size, local = builder->steps.count;
  for (uint32_t crossing = 0; crossing * n1 + node < sides->large.size; crossing++) {
    const uint32_t other = crossing * n1 + node, peer = rank_at(&sides->large, other);
    const uint32_t phase = sides->wide_phase + crossing;
    tny_builder_send(builder, peer, tny_span_blocks(TNY_SCRATCH, crossing * n1, n1), phase);
    if (crossing == 0)
      tny_after_messages(builder, 0, local);
    tny_builder_recv(builder, peer, arrival(sides, &sides->large, kept_by(sides, other)), phase);
  }
}

static void cross_from_large(const struct sides *sides, uint32_t node, struct tny_builder *builder)
{
  const uint32_t n1 = sides->small.size, local = builder->steps.count;
  const uint32_t peer = rank_at(&sides->small, node % n1), phase = sides->wide_phase + node / n1;
  const struct nodes all = {0, n1};
  tny_builder_send(builder, peer, tny_span_blocks(TNY_SCRATCH, 0, kept_by(sides, node).count),
                   phase);
  tny_after_messages(builder, 0, local);
  tny_builder_recv(builder, peer, arrival(sides, &sides->small, all), phase);
}

/* From scratch to output, once all has arrived: steps from `wide` on. */
static void spread(const struct sides *sides, const struct side *other, uint32_t wide,
                   struct tny_builder *builder)
{
  struct tny_copies copies = {builder, wide, builder->steps.count, {0}, {0}};
  for (uint32_t node = 0; node < other->size && !sides->by_number; node++)
    tny_copies_add(&copies, arrival(sides, other, (struct nodes){node, 1}),
                   tny_span_blocks(TNY_OUTPUT, rank_at(other, node), 1));
  tny_copies_finish(&copies);
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct sides sides = sides_of(problem);
  const uint32_t position = problem->placement->position[rank];
  const bool is_small = position - sides.small.first < sides.small.size;
  const struct side *own = is_small ? &sides.small : &sides.large;
  const struct side *other = is_small ? &sides.large : &sides.small;
  const uint32_t node = position - own->first;
  struct writer writer = {builder, TNY_NONE};
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, rank, 1),
                   tny_span_blocks(TNY_OUTPUT, rank, 1));
  exchange_own(own, node, &writer);
  (is_small ? gather_small : gather_large)(&sides, node, &writer);
  const uint32_t wide = builder->steps.count;
  (is_small ? cross_from_small : cross_from_large)(&sides, node, builder);
  spread(&sides, other, wide, builder);
}

const struct tny_algorithm tny_alltoall_lg = {
    .collective = TNY_ALLTOALL,
    .name = "lg",
    .source = "jeannot2007",
    .summary = "two clusters: gather within each, then one message a pair across",
    .needs = "two switches, or two hosts",
    .cut = TNY_CUT_NEVER,
    .pacing = TNY_PACE_NONE,
    .refuse = refuse,
    .claim = claim,
    .emit = emit,
};
