/* All-to-all, Bruck by levels: first among the ranks of a host, then between the hosts of a switch,
   then between switches, then between zones, each time by the digits of the way between the parts,
   in a radix of the level.

   Source: Bruck, Ho, Kipnis, Upfal, Weathersby, "Efficient algorithms for all-to-all
           communications in multiport message-passing systems", the index algorithm, on each level
   Needs:  any p, any radices from 1 on, the cluster. The radices are those among the ranks of a
           host, between hosts, between switches, between zones, as in 2.2.1.1; 1: straight there,
           in one message to each part. A level that the cluster hasn't takes none
   Shape:  p=4, two switches, 0 1 | 2 3:  0 <-> 1 and 2 <-> 3, the blocks for 1, 3 and for 0, 2;
           then 0 <=> 2 and 1 <=> 3, two blocks each way, from both ranks of a switch
   Cost:   on a level of n parts in radix r (r-1)*x + floor((n-1)/r^x) rounds, r^x the highest power
           of r below n; straight n-1. A rank sends as many messages, each with p/n blocks for each
           way that has the digit. Where parts differ in size no promise of rounds. Scratch for what
           arrives on all levels, and for the most that is packed at once
   Links:  one message a port and phase. Between two parts of a level, straight: one message a rank
           (where they differ in size: a receiving rank), and no block crosses twice on that level
   Prefer: for short blocks on several switches, shared hosts or zones: bytes cross wide links once,
           and in few messages (10.3 ms against 19.1 ms of bruck for 64 bytes on
           zones:8+8,delay=10ms, predicted). The parts of a level should have the same sizes

   Standard is 2.2.1.1: fewest messages where only ports are in use; fewest bytes, and long ways at
   the same time, where links are shared.

   representatives.h says who exchanges with whom. On the way up the levels, a rank has the blocks
   from each rank of its own part for those that it represents; they are listed in `blocks`, by
   receiver and then by sender. The blocks for the same part in the same peer set are a bundle,
   which stays together on this level. Scratch begins with what is packed; all that ever arrives
   comes behind it, so that only packing waits. */
#include "collectives/list.h"
#include "collectives/shared/after.h"
#include "collectives/shared/bruck_traffic.h"
#include "collectives/shared/copies.h"
#include "collectives/shared/hierarchical.h"
#include "core/alloc.h"
#include "core/error.h"
#include "planner/position.h"

enum { RADIX_BITS = 8, RADIX_MASK = (1 << RADIX_BITS) - 1, RADIX_STANDARD = 0x01010202 };

/* What `claim` and `emit` follow from. */
struct plan {
  struct tny_hierarchical shared;     /* first, so that a pointer to it is one to this */
  uint32_t radix[TNY_TIER_COUNT + 1]; /* by level; 1: straight */
  uint32_t packed_max;                /* blocks packed at once, by any rank */
};

/* A digit other than 0 at a weight: each peer set sends a message for it. */
struct digit {
  uint64_t weight;
  uint32_t value, radix;
};

/* --- digits and ways, which are below the n parts --- */

static struct digit first_digit(uint32_t radix, uint32_t n)
{
  return (struct digit){.weight = 1, .value = 1, .radix = radix == 1 ? n : radix};
}

/* False behind the last. */
static bool is_digit(const struct digit *digit, uint32_t n)
{
  return digit->weight * digit->value < n;
}

static struct digit next_digit(struct digit digit, uint32_t n)
{
  digit.value++;
  if (digit.value == digit.radix || !is_digit(&digit, n))
    digit = (struct digit){digit.weight * digit.radix, 1, digit.radix};
  return digit;
}

/* The weight of the next digit: what has moved by this one has come its way modulo that. */
static uint64_t cycle_of(const struct digit *digit)
{
  return digit->weight * digit->radix;
}

/* Ways with the digit, falling, so that what arrives comes in the senders' order. */
static uint32_t first_way(const struct digit *digit, uint32_t n)
{
  const uint64_t first = digit->value * digit->weight;
  const uint64_t run = first + (n - 1 - first) / cycle_of(digit) * cycle_of(digit);
  return (uint32_t)(n - run < digit->weight ? n : run + digit->weight) - 1;
}

/* TNY_NONE behind the last. */
static uint32_t next_way(const struct digit *digit, uint32_t way)
{
  if (way % digit->weight > 0)
    return way - 1;
  return way >= cycle_of(digit) ? (uint32_t)(way - cycle_of(digit) + digit->weight - 1) : TNY_NONE;
}

/* The blocks of a bundle once it has gone its way modulo `gone`: from all ranks of the part where
   it started, for those whom its receiver represents. */
static uint32_t bundle_blocks(const struct tny_peers *peers, uint32_t way, uint64_t gone)
{
  const struct tny_member *member = peers->member;
  const uint32_t n = member->group.count, back = (uint32_t)(way % gone);
  const uint32_t represented = tny_peers_represented(peers, way - back);
  return represented > 0
             ? represented * tny_level_group_size(&member->group, (member->part + n - back) % n)
             : 0;
}

/* The blocks that a peer set's message for this digit has; with `gone` beyond the digit, as it
   arrives. */
static uint32_t message_blocks(const struct tny_peers *peers, const struct digit *digit,
                               uint64_t gone)
{
  uint32_t blocks = 0;
  for (uint32_t way = first_way(digit, peers->member->group.count); way != TNY_NONE;
       way = next_way(digit, way))
    blocks += bundle_blocks(peers, way, gone);
  return blocks;
}

/* --- the plan --- */

static void read_radices(struct plan *plan, uint32_t parameter)
{
  const struct tny_levels *levels = &plan->shared.representatives.levels;
  for (uint32_t level = 1; level <= levels->count; level++) {
    const uint32_t shift = RADIX_BITS * (uint32_t)(TNY_TIER_RANK - levels->tier[level]);
    const uint32_t radix = parameter >> shift & RADIX_MASK;
    plan->radix[level] = radix ? radix : (uint32_t)RADIX_STANDARD >> shift & RADIX_MASK;
  }
}

/* `context`: the level's radix. */
static uint32_t digit_count(const struct tny_level_group *group, const void *context)
{
  const uint32_t *radix = context, n = group->count;
  uint32_t count = 0;
  for (struct digit d = first_digit(*radix, n); is_digit(&d, n); d = next_digit(d, n))
    count++;
  return count;
}

static void make_claim(struct plan *plan, const struct tny_bruck_traffic *traffic)
{
  const struct tny_representatives *representatives = &plan->shared.representatives;
  struct tny_claim claim = {.blocks_sent_max = traffic->sent,
                            .scratch_blocks = (uint32_t)(traffic->packed + traffic->received),
                            .port_messages = 1};
  for (uint32_t level = representatives->levels.count; level > 0; level--) {
    plan->shared.phase_first[level] = claim.phases;
    claim.phases +=
        tny_representatives_phases(representatives, level, digit_count, &plan->radix[level]);
  }
  claim.rounds = representatives->even ? claim.phases : 0;
  plan->shared.claim = claim;
  plan->packed_max = (uint32_t)traffic->packed;
}

static enum tny_status fill(const struct tny_problem *problem, void *prepared,
                            struct tny_error *error)
{
  struct plan *plan = prepared;
  struct tny_bruck_traffic traffic;
  read_radices(plan, problem->parameter);
  const enum tny_status status =
      tny_bruck_traffic(&plan->shared.representatives, plan->radix, &traffic, error);
  if (status == TNY_OK)
    make_claim(plan, &traffic);
  return status;
}

static enum tny_status prepare(const struct tny_problem *problem, void **prepared,
                               struct tny_error *error)
{
  return tny_hierarchical_prepare(problem, sizeof(struct plan), fill, prepared, error);
}

/* --- the steps --- */

/* The location of a block: a number in the input, or from p on in scratch; TNY_NONE: it is in the
   output already. */

/* The blocks that go one way in a peer set. */
struct bundle {
  uint32_t at; /* its first block: an index in writer.blocks, or once moved a location */
  bool is_moved;
};

/* Appending one rank's steps. Arrays are as long as the longest of any level. */
struct writer {
  const struct tny_problem *problem;
  const struct plan *plan;
  struct tny_builder *builder;
  uint32_t here;
  uint32_t *blocks, *regrouped; /* locations of the blocks: of this level, of the one above */
  uint32_t *message;            /* the same for one message */
  struct bundle *bundles;       /* by index of the peer set and way */
  uint32_t packed, arrived;     /* scratch in use */
  uint32_t due, waited; /* a weight begins when all before `due` is done; some is waited for */
};

static uint32_t rank_of(const struct writer *writer, uint32_t position)
{
  return tny_position_rank(tny_problem_order(writer->problem), writer->problem->rank_count,
                           position, 0);
}

static struct tny_span span_at(const struct writer *writer, uint32_t location, uint32_t count)
{
  const uint32_t p = writer->problem->rank_count;
  return location < p ? tny_span_blocks(TNY_INPUT, location, count)
                      : tny_span_blocks(TNY_SCRATCH, location - p, count);
}

/* Do the first `count` blocks of the message lie together? */
static bool is_one_span(const struct writer *writer, uint32_t count)
{
  const uint32_t *at = writer->message, p = writer->problem->rank_count;
  for (uint32_t i = 1; i < count; i++)
    if (at[i] != at[0] + i || at[i] == p)
      return false;
  return true;
}

static uint32_t location_of(const struct writer *writer, const struct bundle *bundle,
                            uint32_t block)
{
  if (bundle->is_moved)
    return bundle->at == TNY_NONE ? TNY_NONE : bundle->at + block;
  return writer->blocks[bundle->at + block];
}

/* The blocks of a message, which wait for the weight before, in one span. */
static struct tny_span pack(struct writer *writer, uint32_t count)
{
  if (is_one_span(writer, count))
    return span_at(writer, writer->message[0], count);
  const struct tny_span packed = tny_span_blocks(TNY_SCRATCH, writer->packed, count);
  struct tny_copies copies = {
      .builder = writer->builder, .wait_first = writer->waited, .wait_end = writer->due};
  for (uint32_t i = 0; i < count; i++)
    tny_copies_add(&copies, span_at(writer, writer->message[i], 1),
                   tny_span_blocks(TNY_SCRATCH, packed.first + i, 1));
  tny_copies_finish(&copies);
  writer->waited = writer->due;
  writer->packed += count;
  return packed;
}

static void send(struct writer *writer, const struct tny_peers *peers, const struct bundle *bundles,
                 const struct digit *digit, uint32_t phase)
{
  const uint32_t n = peers->member->group.count;
  uint32_t count = 0;
  for (uint32_t way = first_way(digit, n); way != TNY_NONE; way = next_way(digit, way)) {
    const uint32_t blocks = bundle_blocks(peers, way, digit->weight);
    for (uint32_t i = 0; i < blocks; i++)
      writer->message[count++] = location_of(writer, &bundles[way], i);
  }
  if (count == 0)
    return;
  const uint32_t distance = (uint32_t)(digit->weight * digit->value);
  const uint32_t to = rank_of(writer, tny_peers_position(peers, distance));
  tny_builder_send(writer->builder, to, pack(writer, count), phase);
  tny_after_messages(writer->builder, writer->waited, writer->due);
  writer->waited = writer->due;
}

/* Can the message be received where it belongs in the end? It can where it is one bundle, all for
   this rank, from ranks with consecutive numbers. */
static bool is_delivered(const struct writer *writer, const struct tny_peers *peers,
                         const struct digit *digit)
{
  const struct tny_member *member = peers->member;
  const uint32_t n = member->group.count, way = first_way(digit, n);
  const bool is_for_here = member->level == 1 && tny_peers_represented(peers, 0) > 0;
  if (!is_for_here || way >= cycle_of(digit) || next_way(digit, way) != TNY_NONE)
    return false;
  const uint32_t part = (member->part + n - way) % n;
  const uint32_t first = tny_level_group_first(&member->group, part);
  for (uint32_t i = 1; i < tny_level_group_size(&member->group, part); i++)
    if (rank_of(writer, first + i) != rank_of(writer, first) + i)
      return false;
  return true;
}

/* What arrives takes the place of what went. */
static void receive(struct writer *writer, const struct tny_peers *peers, struct bundle *bundles,
                    const struct digit *digit, uint32_t phase)
{
  const struct tny_level_group *group = &peers->member->group;
  const uint32_t n = group->count, p = writer->problem->rank_count;
  const uint32_t count = message_blocks(peers, digit, cycle_of(digit));
  const uint32_t distance = (uint32_t)(digit->weight * digit->value);
  const uint32_t from = tny_peers_position(peers, n - distance);
  struct tny_span span = tny_span_blocks(TNY_SCRATCH, writer->arrived, count);
  if (is_delivered(writer, peers, digit)) {
    const uint32_t first = tny_level_group_first(group, tny_level_group_find(group, from));
    span = tny_span_blocks(TNY_OUTPUT, rank_of(writer, first), count);
  }
  for (uint32_t way = first_way(digit, n); way != TNY_NONE; way = next_way(digit, way)) {
    const uint32_t at = span.buffer == TNY_OUTPUT ? TNY_NONE : p + writer->arrived;
    bundles[way] = (struct bundle){.at = at, .is_moved = true};
    if (span.buffer == TNY_SCRATCH)
      writer->arrived += bundle_blocks(peers, way, cycle_of(digit));
  }
  if (count > 0)
    tny_builder_recv(writer->builder, rank_of(writer, from), span, phase);
}

/* Nothing has moved yet: bundles stand as in the list of those whom this rank represents. */
static void begin_level(struct writer *writer, const struct tny_member *member)
{
  const uint32_t n = member->group.count;
  uint32_t at = 0;
  for (uint32_t index = 0; index < member->peers_count; index++) {
    const struct tny_peers peers = tny_member_peers(member, index);
    for (uint32_t way = 0; way < n; way++) {
      writer->bundles[(size_t)index * n + way] = (struct bundle){.at = at};
      at += bundle_blocks(&peers, way, 1);
    }
  }
}

/* Regroups what has arrived, which is from all ranks of the group: by receiver, and then by
   sender. */
static void end_level(struct writer *writer, const struct tny_member *member)
{
  const struct tny_level_group *group = &member->group;
  const uint32_t n = group->count, first = tny_level_group_first(group, 0);
  const uint32_t stride = tny_level_group_first(group, n) - first;
  const uint32_t represented =
      writer->plan->shared.representatives.represented[member->level - 1][writer->here];
  for (uint32_t way = 0; way < n; way++) {
    const uint32_t part = (member->part + n - way) % n;
    const uint32_t size = tny_level_group_size(group, part);
    uint32_t *to = writer->regrouped + (tny_level_group_first(group, part) - first);
    for (uint32_t i = 0; i < represented; i++)
      for (uint32_t sender = 0; sender < size; sender++)
        to[i * stride + sender] = location_of(writer, &writer->bundles[way], i * size + sender);
  }
  uint32_t *kept = writer->blocks;
  writer->blocks = writer->regrouped;
  writer->regrouped = kept;
}

static void emit_level(struct writer *writer, uint32_t level)
{
  const struct plan *plan = writer->plan;
  const struct tny_member member =
      tny_representatives_member(&plan->shared.representatives, level, writer->here);
  const uint32_t n = member.group.count;
  uint32_t phase = plan->shared.phase_first[level];
  begin_level(writer, &member);
  for (struct digit d = first_digit(plan->radix[level], n); is_digit(&d, n);
       d = next_digit(d, n), phase += tny_level_group_subphases(&member.group)) {
    if (d.value == 1) {
      writer->due = writer->builder->steps.count;
      writer->packed = 0;
    }
    for (uint32_t nth = 0; nth < member.peers_count; nth++) {
      const uint32_t index = tny_member_peers_index(&member, nth);
      const struct tny_peers peers = tny_member_peers(&member, index);
      struct bundle *bundles = writer->bundles + (size_t)index * n;
      send(writer, &peers, bundles, &d, phase + tny_peers_subphase(&peers));
      receive(writer, &peers, bundles, &d, phase + tny_peers_subphase(&peers));
    }
  }
  end_level(writer, &member);
}

static void copy_out(struct writer *writer)
{
  struct tny_copies copies = {.builder = writer->builder,
                              .wait_first = writer->waited,
                              .wait_end = writer->builder->steps.count};
  for (uint32_t sender = 0; sender < writer->problem->rank_count; sender++)
    if (writer->blocks[sender] != TNY_NONE)
      tny_copies_add(&copies, span_at(writer, writer->blocks[sender], 1),
                     tny_span_blocks(TNY_OUTPUT, rank_of(writer, sender), 1));
  tny_copies_finish(&copies);
}

static void emit_all(struct writer *writer)
{
  const struct tny_representatives *representatives = &writer->plan->shared.representatives;
  const uint32_t count = representatives->levels.count;
  const uint32_t *end =
      tny_representatives_list(representatives, count, writer->here, writer->blocks);
  for (uint32_t *to = writer->blocks; to < end; to++)
    *to = rank_of(writer, *to);
  for (uint32_t level = count; level > 0; level--)
    emit_level(writer, level);
  copy_out(writer);
}

/* The most blocks that the rank has on any level, and the most bundles. */
struct room {
  size_t blocks, bundles;
};

static struct room room_of(const struct tny_representatives *representatives, uint32_t here)
{
  struct room room = {.blocks = representatives->represented[representatives->levels.count][here]};
  for (uint32_t level = 1; level <= representatives->levels.count; level++) {
    const struct tny_member member = tny_representatives_member(representatives, level, here);
    const struct tny_level_group *group = &member.group;
    const size_t bundles = (size_t)member.peers_count * group->count;
    const size_t all = tny_level_group_first(group, group->count) - tny_level_group_first(group, 0);
    const size_t blocks = representatives->represented[level - 1][here] * all;
    room.blocks = blocks > room.blocks ? blocks : room.blocks;
    room.bundles = bundles > room.bundles ? bundles : room.bundles;
  }
  return room;
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct plan *plan = problem->prepared;
  struct writer writer = {.problem = problem,
                          .plan = plan,
                          .builder = builder,
                          .here = tny_position_of(tny_problem_positions(problem), rank),
                          .arrived = plan->packed_max};
  const struct room room = room_of(&plan->shared.representatives, writer.here);
  uint32_t *memory = tny_new(2 * room.blocks + plan->packed_max, sizeof *memory);
  writer.bundles = tny_new(room.bundles, sizeof *writer.bundles);
  if (memory && writer.bundles) {
    writer.blocks = memory;
    writer.regrouped = memory + room.blocks;
    writer.message = memory + 2 * room.blocks;
    emit_all(&writer);
  } else {
    tny_error_memory(&builder->error);
  }
  tny_free(memory);
  tny_free(writer.bundles);
}

const struct tny_algorithm tny_alltoall_hierarchical_bruck = {
    .collective = TNY_ALLTOALL,
    .name = "hierarchical-bruck",
    .source = "bruck1997",
    .summary = "bruck within hosts, then between hosts, switches, zones, a radix for each",
    .needs = "any p, the cluster; short blocks",
    .parameter = {.name = "radices", .standard = RADIX_STANDARD, .least = 1, .numbers = 4},
    .cut = TNY_CUT_NEVER,
    .pacing = TNY_PACE_NONE,
    .prepare = prepare,
    .release = tny_hierarchical_release,
    .claim = tny_hierarchical_claim,
    .emit = emit,
};
