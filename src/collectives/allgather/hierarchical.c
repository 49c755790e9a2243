/* All-gather, level by level: first between the zones, then between the switches of each, then
   between hosts, then on each host, everyone with those that stand alike in the other parts; on
   each level by the exchange that suits its links.

   Source: Kielmann, Hofman, Bal, Plaat, Bhoedjang, "MagPIe: MPI's collective communication
           operations for clustered wide area systems": a block crosses a wide link once for each
           zone beyond, all at the same time. There one rank of a zone sends for all; here each
           carries its share, so that no port has more to do than another
   Needs:  any p, the cluster
   Shape:  p=8, zones 0-3 and 4-7 of switches 0 1 | 2 3 and 4 5 | 6 7:
           0 <=> 4, 1 <=> 5, ...;  0 <-> 2, 1 <-> 3, ... two blocks;  0 <-> 1, ... four
   Cost:   with Z zones of S switches of H hosts of R ranks Z-1 + S-1 + ceil(log2 H) + ceil(log2 R)
           rounds, and p-1 blocks sent by each rank. Where parts differ in size no promise of
           rounds: a rank of a small part stands in for several. p blocks of scratch
   Links:  one message a port and phase. Each block once to each other zone; within a zone once over
           each trunk each way

   Zones: each sends to all others, so that the long ways are gone at the same time. Switches: the
   ring in switch order. Hosts, and ranks of a host: combining, as only ports are in use.
   carriers.h says who stands alike. Scratch begins with the own block; what arrives comes behind,
   so that what is sent on always lies together. */
#include "collectives/list.h"
#include "collectives/shared/copies.h"
#include "collectives/shared/representatives.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/log2.h"
#include "planner/position.h"

/* What `claim` and `emit` follow from. */
struct plan {
  struct tny_carriers carriers;
  uint32_t phase_first[TNY_TIER_COUNT + 1]; /* by level */
  struct tny_claim claim;
};

/* One exchange in a column: what is here of `count` parts, from `first` ahead on, goes `distance`
   parts back; and the same comes from as far ahead. */
struct move {
  uint32_t distance, first, count;
};

static uint32_t move_count(const struct tny_family *family)
{
  if (family->tier == TNY_TIER_ZONE || family->tier == TNY_TIER_SWITCH)
    return family->count - 1;
  return tny_log2_ceil(family->count);
}

static struct move move_of(const struct tny_family *family, uint32_t number)
{
  if (family->tier == TNY_TIER_ZONE)
    return (struct move){number + 1, 0, 1};
  if (family->tier == TNY_TIER_SWITCH)
    return (struct move){1, number, 1};
  const uint32_t distance = (uint32_t)1 << number, rest = family->count - distance;
  return (struct move){distance, 0, distance < rest ? distance : rest};
}

/* Blocks of `count` parts from `first` ahead on. */
static uint32_t blocks_of(const struct tny_column *column, uint32_t first, uint32_t count)
{
  uint32_t blocks = 0;
  for (uint32_t ahead = first; ahead < first + count; ahead++)
    blocks += tny_column_share(column, ahead);
  return blocks;
}

/* --- the plan --- */

static uint32_t step_count(const struct tny_family *family, const void *context)
{
  (void)context;
  return move_count(family);
}

/* For summing up what each rank sends. */
struct sums {
  enum tny_tier tier;
  uint64_t *sent; /* by position */
};

static void add_column(const struct tny_whole_column *whole, void *context)
{
  const struct sums *sums = context;
  const uint32_t n = whole->n;
  for (uint32_t part = 0; part < whole->differing; part++) {
    const uint64_t *shares = whole->shares + part;
    uint64_t *sent = &sums->sent[whole->positions[part]];
    if (sums->tier == TNY_TIER_ZONE)
      *sent += (n - 1) * (shares[1] - shares[0]);
    else if (sums->tier == TNY_TIER_SWITCH)
      *sent += shares[n - 1] - shares[0];
    else
      for (uint32_t held = 1; held < n; held *= 2)
        *sent += shares[held < n - held ? held : n - held] - shares[0];
  }
}

static enum tny_status make_claim(struct plan *plan, uint32_t p, struct tny_error *error)
{
  const struct tny_carriers *carriers = &plan->carriers;
  struct tny_claim claim = {.scratch_blocks = p > 1 ? p : 0, .port_messages = 1};
  struct sums sums = {.sent = tny_new(p, sizeof *sums.sent)};
  enum tny_status status = sums.sent ? TNY_OK : tny_error_memory(error);
  for (uint32_t level = 1; status == TNY_OK && level <= carriers->levels.count; level++) {
    plan->phase_first[level] = claim.phases;
    claim.phases += tny_carriers_phases(carriers, level, step_count, NULL);
    sums.tier = carriers->levels.tier[level];
    status = tny_carriers_sweep(carriers, level, add_column, &sums, error);
  }
  for (uint32_t i = 0; status == TNY_OK && i < p; i++)
    claim.blocks_sent_max =
        sums.sent[i] > claim.blocks_sent_max ? sums.sent[i] : claim.blocks_sent_max;
  claim.rounds = carriers->even ? claim.phases : 0;
  plan->claim = claim;
  tny_free(sums.sent);
  return status;
}

static void release(void *prepared)
{
  struct plan *plan = prepared;
  tny_carriers_release(&plan->carriers);
  tny_free(plan);
}

static enum tny_status prepare(const struct tny_problem *problem, void **prepared,
                               struct tny_error *error)
{
  struct plan *plan = tny_new(1, sizeof *plan);
  if (!plan)
    return tny_error_memory(error);
  enum tny_status status = tny_carriers_init(problem, &plan->carriers, error);
  if (status == TNY_OK)
    status = make_claim(plan, problem->rank_count, error);
  if (status == TNY_OK)
    *prepared = plan;
  else
    release(plan);
  return status;
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct plan *plan = problem->prepared;
  return plan->claim;
}

/* --- the steps --- */

/* Appending one rank's steps. Scratch has what this rank got on levels above, then what each of its
   columns brings; the first column, its own, continues that. */
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
    if (builder->steps.steps[writer->waited].kind == TNY_RECV)
      tny_builder_after(builder, writer->waited);
}

/* All moves of a column, whose blocks lie from `first` on. Between zones only what was there at the
   beginning is sent. */
static void emit_column(struct writer *writer, const struct tny_column *column, uint32_t first,
                        uint32_t phase)
{
  const struct tny_family *family = &column->member->family;
  uint32_t sent_at = first, end = first + tny_column_share(column, 0);
  for (uint32_t k = 0; k < move_count(family); k++) {
    const struct move move = move_of(family, k);
    const uint32_t sent = blocks_of(column, move.first, move.count);
    const uint32_t received = blocks_of(column, move.first + move.distance, move.count);
    if (sent > 0)
      tny_builder_send(writer->builder,
                       rank_of(writer, tny_column_position(column, family->count - move.distance)),
                       tny_span_blocks(TNY_SCRATCH, sent_at, sent), phase + k);
    if (sent > 0 && family->tier != TNY_TIER_ZONE)
      wait_for_receives(writer);
    if (received > 0)
      tny_builder_recv(writer->builder, rank_of(writer, tny_column_position(column, move.distance)),
                       tny_span_blocks(TNY_SCRATCH, end, received), phase + k);
    if (family->tier == TNY_TIER_SWITCH)
      sent_at = end;
    end += received;
  }
}

/* Columns by number, so that phases follow each other, though they lie by index. */
static void emit_level(struct writer *writer, const struct plan *plan, uint32_t level)
{
  const struct tny_member member = tny_carriers_member(&plan->carriers, level, writer->here);
  const struct tny_family *family = &member.family;
  uint32_t first = 0;
  for (uint32_t index = 0; index < tny_member_index(&member, 0); index++) {
    const struct tny_column column = tny_member_column(&member, index);
    first += blocks_of(&column, 0, family->count);
  }
  for (uint32_t turn = 0; turn < member.column_count; turn++) {
    const uint32_t index = tny_member_index(&member, turn);
    const struct tny_column column = tny_member_column(&member, index);
    first = index > 0 ? first : 0;
    emit_column(writer, &column, first,
                plan->phase_first[level] + tny_column_lane(&column) * move_count(family));
    first += blocks_of(&column, 0, family->count);
  }
}

/* All but the own block, from scratch; `list` has room for p. */
static void copy_out(struct writer *writer, const struct plan *plan, uint32_t *list)
{
  struct tny_copies copies = {.builder = writer->builder,
                              .wait_first = writer->waited,
                              .wait_end = writer->builder->steps.count};
  tny_carriers_list(&plan->carriers, plan->carriers.levels.count, writer->here, list);
  for (uint32_t i = 1; i < writer->problem->rank_count; i++)
    tny_copies_add(&copies, tny_span_blocks(TNY_SCRATCH, i, 1),
                   tny_span_blocks(TNY_OUTPUT, rank_of(writer, list[i]), 1));
  tny_copies_finish(&copies);
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct plan *plan = problem->prepared;
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
  for (uint32_t level = 1; level <= plan->carriers.levels.count; level++)
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
    .prepare = prepare,
    .release = release,
    .claim = claim,
    .emit = emit,
};
