/* The steps of the local-group algorithms: within a zone shifts, first of everyone's own blocks,
   then of what is gathered for one other zone after the other; then the messages across. */
#include "collectives/shared/lg.h"

#include "collectives/shared/after.h"
#include "collectives/shared/copies.h"
#include "collectives/shared/levels.h"
#include "collectives/shared/lg_plan.h"

/* The topmost level; hosts with a rank each are no zones. */
static struct tny_groups find_zones(const struct tny_problem *problem)
{
  const struct tny_levels levels = tny_levels_find(problem);
  const struct tny_groups none = {.count = 1, .rank_count = problem->rank_count};
  if (levels.count == 0 || levels.tier[1] == TNY_TIER_RANK)
    return none;
  if (levels.tier[1] == TNY_TIER_HOST && levels.groups[1].count == problem->rank_count)
    return none;
  return levels.groups[1];
}

uint32_t tny_lg_zone_count(const struct tny_problem *problem)
{
  return find_zones(problem).count;
}

enum tny_status tny_lg_prepare(const struct tny_problem *problem, void **prepared,
                               struct tny_error *error)
{
  const struct tny_groups zones = find_zones(problem);
  struct tny_lg_plan *plan;
  const enum tny_status status = tny_lg_plan_make(&zones, problem->placement->order, &plan, error);
  *prepared = plan;
  return status;
}

void tny_lg_release(void *prepared)
{
  tny_lg_plan_free(prepared);
}

/* Of two zones: see alltoall/lg.c. */
static uint32_t rounds_of_two(const struct tny_lg_plan *plan)
{
  const struct tny_lg_pair pair = tny_lg_plan_pair(plan, 0, 1);
  const uint32_t n1 = pair.n1, rest = tny_lg_pair_rest(&pair), wide = plan->wide_rounds;
  const uint32_t in_small = (n1 - 1) * (wide + 1), in_large = pair.n2 + n1 - 2;
  const uint32_t rounds = (in_small > in_large ? in_small : in_large) + wide;
  const uint32_t by_rest = rest > 0 ? in_large + rest + 1 : 0;
  return rounds > by_rest ? rounds : by_rest;
}

/* On any link of any tree. Of two zones on the wide link one for each node of C1, or on a link
   between halves of C2 as many as it has; of more, one for each rank on one side. */
static uint32_t link_messages(const struct tny_lg_plan *plan)
{
  if (plan->zones.count > 2)
    return plan->zones.rank_count / 2;
  const struct tny_lg_pair pair = tny_lg_plan_pair(plan, 0, 1);
  return pair.n1 > pair.n2 / 2 ? pair.n1 : pair.n2 / 2;
}

struct tny_claim tny_lg_claim(const struct tny_problem *problem)
{
  const struct tny_lg_plan *plan = problem->prepared;
  return (struct tny_claim){.rounds = plan->zones.count == 2 ? rounds_of_two(plan) : 0,
                            .phases = plan->wide_phase + plan->wide_rounds,
                            .blocks_sent_max = plan->blocks_sent_max,
                            .scratch_blocks = plan->scratch_blocks,
                            .port_messages = 1,
                            .tree_link_messages = link_messages(plan)};
}

/* Appending one rank's steps. */
struct writer {
  const struct tny_lg_plan *plan;
  struct tny_builder *builder;
  uint32_t zone, node;
  uint32_t last_send; /* TNY_NONE before the first */
};

static uint32_t rank_at(const struct tny_lg_plan *plan, uint32_t zone, uint32_t node)
{
  return plan->order[tny_groups_first(&plan->zones, zone) + node];
}

/* To a node of its own zone. */
static void send_local(struct writer *writer, uint32_t to, uint32_t block, uint32_t phase)
{
  const uint32_t earlier = writer->last_send;
  writer->last_send = tny_builder_send(writer->builder, rank_at(writer->plan, writer->zone, to),
                                       tny_span_blocks(TNY_INPUT, block, 1), phase);
  if (earlier != TNY_NONE)
    tny_builder_after(writer->builder, earlier);
}

static void receive_local(struct writer *writer, uint32_t from, struct tny_span span,
                          uint32_t phase)
{
  tny_builder_recv(writer->builder, rank_at(writer->plan, writer->zone, from), span, phase);
}

static void exchange_own(struct writer *writer)
{
  const uint32_t size = tny_groups_size(&writer->plan->zones, writer->zone);
  for (uint32_t offset = 1; offset < size; offset++) {
    const uint32_t to = (writer->node + offset) % size;
    const uint32_t from = (writer->node + size - offset) % size;
    const uint32_t source = rank_at(writer->plan, writer->zone, from);
    send_local(writer, to, rank_at(writer->plan, writer->zone, to), offset - 1);
    receive_local(writer, from, tny_span_blocks(TNY_OUTPUT, source, 1), offset - 1);
  }
}

/* In C1: for one group of C2 after the other, the block for each of its nodes goes to that node's
   partner. */
static void gather_small(const struct tny_lg_pair *pair, struct writer *writer)
{
  const struct tny_lg_plan *plan = writer->plan;
  const struct tny_lg_other *other = tny_lg_plan_other(plan, pair->small, pair->large);
  const uint32_t n1 = pair->n1, node = writer->node, own = tny_lg_pair_first(pair, node);
  uint32_t phase = other->phase;
  for (uint32_t first = 0; first < pair->n2; first += n1) {
    const bool represents = first + own < pair->n2;
    const uint32_t gathered = other->gathered + first;
    if (represents)
      tny_builder_copy(writer->builder,
                       tny_span_blocks(TNY_INPUT, rank_at(plan, pair->large, first + own), 1),
                       tny_span_blocks(TNY_SCRATCH, gathered + node, 1));
    for (uint32_t offset = 1; offset < n1; offset++, phase++) {
      const uint32_t to = (node + offset) % n1, from = (node + n1 - offset) % n1;
      const uint32_t receiver = first + tny_lg_pair_first(pair, to);
      if (receiver < pair->n2)
        send_local(writer, to, rank_at(plan, pair->large, receiver), phase);
      if (represents)
        receive_local(writer, from, tny_span_blocks(TNY_SCRATCH, gathered + from, 1), phase);
    }
  }
}

/* In C2: within its group, the block for each node of C1 goes to the node that represents it
   there. */
static void gather_large(const struct tny_lg_pair *pair, struct writer *writer)
{
  const struct tny_lg_plan *plan = writer->plan;
  const struct tny_lg_other *other = tny_lg_plan_other(plan, pair->large, pair->small);
  const uint32_t node = writer->node;
  const struct tny_lg_nodes group = tny_lg_pair_group(pair, node);
  const struct tny_lg_nodes kept = tny_lg_pair_kept(pair, node);
  const uint32_t index = node - group.first, gathered = other->gathered - kept.first;
  const uint32_t partner = tny_lg_pair_partner(pair, node);
  uint32_t phase = other->phase;
  tny_builder_copy(writer->builder,
                   tny_span_blocks(TNY_INPUT, rank_at(plan, pair->small, partner), 1),
                   tny_span_blocks(TNY_SCRATCH, gathered + node, 1));
  for (uint32_t offset = 1; offset < group.count; offset++, phase++) {
    const uint32_t to = group.first + (index + offset) % group.count;
    const uint32_t from = group.first + (index + group.count - offset) % group.count;
    if (tny_lg_pair_keeps(pair, to, node))
      send_local(writer, to, rank_at(plan, pair->small, tny_lg_pair_partner(pair, to)), phase);
    if (tny_lg_pair_keeps(pair, node, from))
      receive_local(writer, from, tny_span_blocks(TNY_SCRATCH, gathered + from, 1), phase);
  }
}

/* Where blocks from nodes of another zone arrive: directly in the output, if they are in one piece
   there. */
static struct tny_span arrival(const struct writer *writer, uint32_t zone,
                               struct tny_lg_nodes sources)
{
  const uint32_t arrived = tny_lg_plan_other(writer->plan, writer->zone, zone)->arrived;
  if (arrived == TNY_NONE)
    return tny_span_blocks(TNY_OUTPUT, rank_at(writer->plan, zone, sources.first), sources.count);
  return tny_span_blocks(TNY_SCRATCH, arrived + sources.first, sources.count);
}

/* The blocks of a message between a node of this zone and one of another: whose they are, and where
   they begin in the scratch of the sender. */
struct message {
  uint32_t gathered;
  struct tny_lg_nodes sources;
};

static struct message message_between(const struct tny_lg_pair *pair, uint32_t from, uint32_t to,
                                      bool is_from_small)
{
  if (is_from_small)
    return (struct message){to - to % pair->n1, {0, pair->n1}};
  return (struct message){0, tny_lg_pair_kept(pair, from)};
}

static void send_across(struct writer *writer, const struct tny_lg_crossing *crossing)
{
  const struct tny_lg_plan *plan = writer->plan;
  const uint32_t zone = tny_groups_find(&plan->zones, crossing->peer);
  const uint32_t to = crossing->peer - tny_groups_first(&plan->zones, zone);
  const struct tny_lg_pair pair = tny_lg_plan_pair(plan, writer->zone, zone);
  const struct message message =
      message_between(&pair, writer->node, to, pair.small == writer->zone);
  const uint32_t gathered = tny_lg_plan_other(plan, writer->zone, zone)->gathered;
  tny_builder_send(writer->builder, plan->order[crossing->peer],
                   tny_span_blocks(TNY_SCRATCH, gathered + message.gathered, message.sources.count),
                   plan->wide_phase + crossing->round);
}

static void receive_across(struct writer *writer, const struct tny_lg_crossing *crossing)
{
  const struct tny_lg_plan *plan = writer->plan;
  const uint32_t zone = tny_groups_find(&plan->zones, crossing->peer);
  const uint32_t from = crossing->peer - tny_groups_first(&plan->zones, zone);
  const struct tny_lg_pair pair = tny_lg_plan_pair(plan, writer->zone, zone);
  const struct message message = message_between(&pair, from, writer->node, pair.small == zone);
  tny_builder_recv(writer->builder, plan->order[crossing->peer],
                   arrival(writer, zone, message.sources), plan->wide_phase + crossing->round);
}

/* Appends the messages to other zones. The first of them waits for all local steps, which are all
   there are so far. */
static void cross(struct writer *writer, uint32_t position)
{
  const struct tny_lg_plan *plan = writer->plan;
  const uint32_t local = writer->builder->steps.count;
  for (uint32_t i = plan->first[position]; i < plan->first[position + 1]; i++) {
    send_across(writer, &plan->sends[i]);
    if (i == plan->first[position])
      tny_after_messages(writer->builder, 0, local);
    receive_across(writer, &plan->receives[i]);
  }
}

/* Copies from scratch to output once all has arrived; the wide messages are the steps from `wide`
   on. */
static void spread(struct writer *writer, uint32_t wide)
{
  const struct tny_lg_plan *plan = writer->plan;
  struct tny_copies copies = {writer->builder, wide, writer->builder->steps.count, {0}, {0}};
  for (uint32_t zone = 0; zone < plan->zones.count; zone++) {
    if (tny_lg_plan_other(plan, writer->zone, zone)->arrived == TNY_NONE)
      continue;
    for (uint32_t node = 0; node < tny_groups_size(&plan->zones, zone); node++)
      tny_copies_add(&copies, arrival(writer, zone, (struct tny_lg_nodes){node, 1}),
                     tny_span_blocks(TNY_OUTPUT, rank_at(plan, zone, node), 1));
  }
  tny_copies_finish(&copies);
}

void tny_lg_emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_lg_plan *plan = problem->prepared;
  const uint32_t position = problem->placement->position[rank];
  const uint32_t zone = tny_groups_find(&plan->zones, position);
  struct writer writer = {plan, builder, zone, position - tny_groups_first(&plan->zones, zone),
                          TNY_NONE};
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, rank, 1),
                   tny_span_blocks(TNY_OUTPUT, rank, 1));
  exchange_own(&writer);
  for (uint32_t other = 0; other < plan->zones.count; other++) {
    if (other == zone)
      continue;
    const struct tny_lg_pair pair = tny_lg_plan_pair(plan, zone, other);
    (pair.small == zone ? gather_small : gather_large)(&pair, &writer);
  }
  const uint32_t wide = builder->steps.count;
  cross(&writer, position);
  spread(&writer, wide);
}
