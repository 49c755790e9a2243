/* All-gathers by pairs at swinging distances, on tori of any shape.

   Words. A grid index is a rank's number in the torus, whose dimension 0 are the ranks of a node;
   a core node is one that isn't folded. What a core node holds is listed in the order of arrival
   and by relative node: how far up from an even coordinate, or down from an odd one. So the list is
   the same for all. A core node comes with those that are folded onto it, as its group. */
#include "collectives/trees/swing.h"

#include <assert.h>

#include "collectives/shared/after.h"
#include "collectives/shared/copies.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/log2.h"

enum { DIMENSIONS = 4, STEPS_MAX = 32 + DIMENSIONS };

/* What is exchanged in a step: on the list from `first` on, before the next step's. */
struct swing_step {
  uint32_t first, dimension, distance; /* upwards from even coordinates, less than the size */
  bool packs;                          /* what is sent isn't in one piece */
};

struct swing {
  const struct tny_placement *torus; /* NULL: by rank */
  uint32_t size[DIMENSIONS], core_size[DIMENSIONS];
  uint32_t fold_count, folded[DIMENSIONS]; /* dimensions */
  uint32_t core_count, step_count;
  struct swing_step steps[STEPS_MAX + 1]; /* the last one is the list's end */
  uint32_t *list;   /* core_count relative nodes, numbered as grid indices are */
  uint32_t *source; /* by place on the list: the place on that of who sends it */
  struct tny_claim claim;
};

/* A grid index taken apart. */
struct point {
  uint32_t at[DIMENSIONS];
};

static struct point point_of(const uint32_t *size, uint32_t number)
{
  struct point point;
  for (uint32_t d = 0; d < DIMENSIONS; number /= size[d], d++)
    point.at[d] = number % size[d];
  return point;
}

static uint32_t number_of(const uint32_t *size, const struct point *point)
{
  uint32_t number = 0;
  for (uint32_t d = DIMENSIONS; d-- > 0;)
    number = number * size[d] + point->at[d];
  return number;
}

static struct point point_of_rank(const struct swing *swing, uint32_t rank)
{
  uint32_t index = rank;
  if (swing->torus) {
    index = swing->torus->node_of[rank] * swing->torus->ranks_a_node;
    while (swing->torus->rank_at[index] != rank)
      index++;
  }
  return point_of(swing->size, index);
}

static uint32_t rank_of_point(const struct swing *swing, const struct point *point)
{
  const uint32_t index = number_of(swing->size, point);
  return swing->torus ? swing->torus->rank_at[index] : index;
}

/* So far up from an even coordinate, or down from an odd one. */
static uint32_t swung(uint32_t from, uint32_t distance, uint32_t size)
{
  return from % 2 == 0 ? (from + distance) % size : (from + size - distance) % size;
}

static uint32_t peer(const struct swing *swing, struct point node, uint32_t dimension,
                     uint32_t coordinate)
{
  node.at[dimension] = coordinate;
  return rank_of_point(swing, &node);
}

/* The core node that a place on a core node's list is about. */
static struct point listed(const struct swing *swing, const struct point *node, uint32_t place)
{
  struct point point = point_of(swing->core_size, swing->list[place]);
  for (uint32_t d = 0; d < DIMENSIONS; d++)
    point.at[d] = swung(node->at[d], point.at[d], swing->core_size[d]);
  return point;
}

/* Is the member of this number in the core node's group? Bit i: at the far end of folded dimension
   i, where the core node is at 0. */
static bool is_member(const struct swing *swing, const struct point *core, uint32_t member)
{
  for (uint32_t i = 0; i < swing->fold_count; i++)
    if (member >> i & 1 && core->at[swing->folded[i]] != 0)
      return false;
  return true;
}

static uint32_t group_size(const struct swing *swing, const struct point *core)
{
  uint32_t size = 1;
  for (uint32_t i = 0; i < swing->fold_count; i++)
    size *= core->at[swing->folded[i]] == 0 ? 2 : 1;
  return size;
}

static void add_step(struct swing *swing, uint32_t dimension, uint32_t turn)
{
  /* The first turn + 1 powers of -2. */
  const int64_t power = (int64_t)2 << turn;
  const int64_t distance = (turn % 2 == 0 ? 1 + power : 1 - power) / 3;
  const int64_t size = swing->core_size[dimension];
  swing->steps[swing->step_count++] = (struct swing_step){
      .dimension = dimension, .distance = (uint32_t)((distance % size + size) % size)};
}

/* The steps from the last to the first: within a node, then in turns along the dimensions. */
static void add_steps(struct swing *swing)
{
  const uint32_t within = tny_log2_ceil(swing->core_size[0]);
  for (uint32_t turn = 0; turn < within; turn++)
    add_step(swing, 0, turn);
  for (uint32_t turn = 0, before = TNY_NONE; before != swing->step_count; turn++) {
    before = swing->step_count;
    for (uint32_t d = 1; d < DIMENSIONS; d++)
      if (turn < tny_log2_ceil(swing->core_size[d]))
        add_step(swing, d, turn);
  }
  for (uint32_t i = 0; i < swing->step_count / 2; i++) {
    const struct swing_step other = swing->steps[i];
    swing->steps[i] = swing->steps[swing->step_count - 1 - i];
    swing->steps[swing->step_count - 1 - i] = other;
  }
}

/* What a partner at this distance holds as relative node `number`, it counts from its own end. */
static uint32_t seen_from_partner(const struct swing *swing, const struct swing_step *step,
                                  uint32_t number)
{
  struct point point = point_of(swing->core_size, number);
  const uint32_t size = swing->core_size[step->dimension];
  point.at[step->dimension] = (step->distance + size - point.at[step->dimension]) % size;
  return number_of(swing->core_size, &point);
}

/* has: a flag for each relative node, none set. */
static void fill_list(struct swing *swing, bool *has)
{
  uint32_t count = 1;
  has[0] = true;
  for (uint32_t i = 0; i < swing->step_count; i++) {
    struct swing_step *step = &swing->steps[i];
    step->first = count;
    for (uint32_t place = 0; place < step->first; place++) {
      const uint32_t number = seen_from_partner(swing, step, swing->list[place]);
      if (has[number])
        continue;
      has[number] = true;
      step->packs |= count > step->first && swing->source[count - 1] + 1 != place;
      swing->list[count] = number;
      swing->source[count++] = place;
    }
  }
  swing->steps[swing->step_count].first = count;
  assert(count == swing->core_count);
}

/* What a core node sends in a step: in one piece, or packed behind all that it holds. */
struct parcel {
  uint32_t first, count;
};

/* Calls tny_copies_add for what is packed where `copies` isn't NULL. */
static struct parcel parcel_of(const struct swing *swing, const struct point *node, uint32_t index,
                               uint32_t pack_first, struct tny_copies *copies)
{
  const struct swing_step *step = &swing->steps[index];
  struct parcel parcel = {.first = step->packs ? pack_first : 0};
  uint32_t next = step->first, offset = 0;
  for (uint32_t place = 0; place < step->first && next < step[1].first; place++) {
    const struct point core = listed(swing, node, place);
    const uint32_t blocks = group_size(swing, &core);
    if (swing->source[next] == place) {
      if (next++ == step->first && !step->packs)
        parcel.first = offset;
      if (step->packs && copies)
        tny_copies_add(copies, tny_span_blocks(TNY_SCRATCH, offset, blocks),
                       tny_span_blocks(TNY_SCRATCH, pack_first + parcel.count, blocks));
      parcel.count += blocks;
    }
    offset += blocks;
  }
  return parcel;
}

/* A node that is folded last gets all blocks, and what was folded to it before. */
static uint32_t received_max(const struct swing *swing, uint32_t rank_count)
{
  const uint32_t folds = swing->fold_count;
  return rank_count + (folds > 0 ? (uint32_t)1 << (folds - 1) : 0) - 1;
}

/* Without folded dimensions all do the same; else core nodes differ in their groups. */
static void fill_claim(struct swing *swing, uint32_t rank_count)
{
  const uint32_t phases = swing->step_count + 2 * swing->fold_count;
  uint32_t sent_max = 0, packed_max = 0;
  for (uint32_t i = 0; i < (swing->fold_count > 0 ? swing->core_count : 1); i++) {
    const struct point node = point_of(swing->core_size, i);
    uint32_t sent = 0, packed = 0;
    for (uint32_t step = 0; step < swing->step_count; step++) {
      const uint32_t count = parcel_of(swing, &node, step, 0, NULL).count;
      sent += count;
      packed += swing->steps[step].packs ? count : 0;
    }
    for (uint32_t fold = 0; fold < swing->fold_count; fold++)
      sent += node.at[swing->folded[fold]] == 0 ? rank_count : 0;
    sent_max = sent > sent_max ? sent : sent_max;
    packed_max = packed > packed_max ? packed : packed_max;
  }
  swing->claim = (struct tny_claim){.rounds = phases,
                                    .phases = phases,
                                    .blocks_sent_max = sent_max,
                                    .blocks_received_max = received_max(swing, rank_count),
                                    .scratch_blocks = rank_count + packed_max,
                                    .port_messages = 1};
}

static enum tny_status prepare(const struct tny_problem *problem, const struct swing *shape,
                               void **prepared, struct tny_error *error)
{
  struct swing *swing = tny_new(1, sizeof *swing);
  if (!swing)
    return tny_error_memory(error);
  *swing = *shape;
  swing->core_count = 1;
  for (uint32_t d = 0; d < DIMENSIONS; d++) {
    const bool folds = swing->size[d] > 1 && swing->size[d] % 2 == 1;
    swing->core_size[d] = swing->size[d] - folds;
    swing->core_count *= swing->core_size[d];
    if (folds)
      swing->folded[swing->fold_count++] = d;
  }
  swing->list = tny_new(swing->core_count, sizeof *swing->list);
  swing->source = tny_new(swing->core_count, sizeof *swing->source);
  bool *has = tny_new(swing->core_count, sizeof *has);
  if (!swing->list || !swing->source || !has) {
    tny_free(has);
    tny_swing_release(swing);
    return tny_error_memory(error);
  }
  add_steps(swing);
  fill_list(swing, has);
  fill_claim(swing, problem->rank_count);
  tny_free(has);
  *prepared = swing;
  return TNY_OK;
}

enum tny_status tny_swing_prepare_ring(const struct tny_problem *problem, void **prepared,
                                       struct tny_error *error)
{
  const struct swing shape = {.size = {problem->rank_count, 1, 1, 1}};
  return prepare(problem, &shape, prepared, error);
}

enum tny_status tny_swing_prepare_torus(const struct tny_problem *problem, void **prepared,
                                        struct tny_error *error)
{
  const struct tny_placement *torus = problem->placement;
  const uint32_t *size = torus->grid.size;
  const struct swing shape = {.torus = torus,
                              .size = {torus->ranks_a_node, size[0], size[1], size[2]}};
  return prepare(problem, &shape, prepared, error);
}

void tny_swing_release(void *prepared)
{
  struct swing *swing = prepared;
  tny_free(swing->list);
  tny_free(swing->source);
  tny_free(swing);
}

struct tny_claim tny_swing_claim(const struct tny_problem *problem)
{
  return ((const struct swing *)problem->prepared)->claim;
}

/* A rank's way through the rounds. */
struct journey {
  const struct swing *swing;
  struct tny_builder *builder;
  struct point here;
  uint32_t held;                 /* blocks in scratch, from its start on */
  uint32_t wait_first, wait_end; /* the steps that received since the last one that sent */
};

static void send_scratch(struct journey *journey, uint32_t to, struct parcel parcel, uint32_t phase)
{
  tny_builder_send(journey->builder, to, tny_span_blocks(TNY_SCRATCH, parcel.first, parcel.count),
                   phase);
  tny_after_messages(journey->builder, journey->wait_first, journey->wait_end);
  journey->wait_first = journey->wait_end = 0;
}

/* Receives follow each other where no send lies between. */
static void note_received(struct journey *journey, uint32_t step)
{
  if (journey->wait_end == 0)
    journey->wait_first = step;
  journey->wait_end = step + 1;
}

static void receive_scratch(struct journey *journey, uint32_t from, uint32_t count, uint32_t phase)
{
  const struct tny_span span = tny_span_blocks(TNY_SCRATCH, journey->held, count);
  note_received(journey, tny_builder_recv(journey->builder, from, span, phase));
  journey->held += count;
}

/* Returns the fold in which the rank hands over what it has; of a core node fold_count. */
static uint32_t fold(struct journey *journey)
{
  const struct swing *swing = journey->swing;
  for (uint32_t i = 0; i < swing->fold_count; i++) {
    const uint32_t d = swing->folded[i], last = swing->size[d] - 1;
    if (journey->here.at[d] == last) {
      send_scratch(journey, peer(swing, journey->here, d, 0), (struct parcel){0, journey->held}, i);
      return i;
    }
    if (journey->here.at[d] == 0)
      receive_scratch(journey, peer(swing, journey->here, d, last), journey->held, i);
  }
  return swing->fold_count;
}

static struct tny_copies copies_after(const struct journey *journey)
{
  return (struct tny_copies){.builder = journey->builder,
                             .wait_first = journey->wait_first,
                             .wait_end = journey->wait_end};
}

static void exchange(struct journey *journey, uint32_t rank_count)
{
  const struct swing *swing = journey->swing;
  uint32_t pack_first = rank_count;
  for (uint32_t i = 0; i < swing->step_count; i++) {
    const struct swing_step *step = &swing->steps[i];
    const uint32_t d = step->dimension;
    const uint32_t partner = peer(swing, journey->here, d,
                                  swung(journey->here.at[d], step->distance, swing->core_size[d]));
    struct tny_copies copies = copies_after(journey);
    const struct parcel parcel = parcel_of(swing, &journey->here, i, pack_first, &copies);
    tny_copies_finish(&copies);
    if (step->packs)
      pack_first += parcel.count;
    send_scratch(journey, partner, parcel, swing->fold_count + i);
    uint32_t count = 0;
    for (uint32_t place = step->first; place < step[1].first; place++) {
      const struct point core = listed(swing, &journey->here, place);
      count += group_size(swing, &core);
    }
    receive_scratch(journey, partner, count, swing->fold_count + i);
  }
}

/* The rank's own block, which may be there already, comes from where it was. */
static void copy_to_output(const struct journey *journey, uint32_t rank)
{
  const struct swing *swing = journey->swing;
  struct tny_copies copies = copies_after(journey);
  uint32_t from = 0;
  for (uint32_t place = 0; place < swing->core_count; place++) {
    const struct point core = listed(swing, &journey->here, place);
    for (uint32_t member = 0; member < 1u << swing->fold_count; member++) {
      if (!is_member(swing, &core, member))
        continue;
      struct point node = core;
      for (uint32_t i = 0; i < swing->fold_count; i++)
        if (member >> i & 1)
          node.at[swing->folded[i]] = swing->size[swing->folded[i]] - 1;
      const uint32_t block = rank_of_point(swing, &node);
      tny_copies_add(&copies,
                     block == rank ? tny_span_blocks(TNY_INPUT, 0, 1)
                                   : tny_span_blocks(TNY_SCRATCH, from, 1),
                     tny_span_blocks(TNY_OUTPUT, block, 1));
      from++;
    }
  }
  tny_copies_finish(&copies);
}

/* Everything goes back the way on which a rank's blocks came, from the last fold to the first. */
static void unfold(struct journey *journey, uint32_t folded_in, uint32_t rank_count)
{
  const struct swing *swing = journey->swing;
  const struct tny_span all = tny_span_blocks(TNY_OUTPUT, 0, rank_count);
  const uint32_t last_phase = swing->step_count + 2 * swing->fold_count - 1;
  if (folded_in < swing->fold_count) {
    const uint32_t from = peer(swing, journey->here, swing->folded[folded_in], 0);
    note_received(journey, tny_builder_recv(journey->builder, from, all, last_phase - folded_in));
  }
  for (uint32_t i = folded_in; i-- > 0;) {
    const uint32_t d = swing->folded[i];
    if (journey->here.at[d] != 0)
      continue;
    tny_builder_send(journey->builder, peer(swing, journey->here, d, swing->size[d] - 1), all,
                     last_phase - i);
    tny_after_messages(journey->builder, journey->wait_first, journey->wait_end);
  }
}

void tny_swing_emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  struct journey journey = {.swing = problem->prepared,
                            .builder = builder,
                            .here = point_of_rank(problem->prepared, rank),
                            .held = 1};
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, 0, 1), tny_span_blocks(TNY_SCRATCH, 0, 1));
  const uint32_t folded_in = fold(&journey);
  if (folded_in == journey.swing->fold_count) {
    exchange(&journey, problem->rank_count);
    copy_to_output(&journey, rank);
  }
  unfold(&journey, folded_in, problem->rank_count);
}
