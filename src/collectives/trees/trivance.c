/* The exchanges of Trivance, and the list of what they bring. */
#include "collectives/trees/trivance.h"

#include <assert.h>

#include "core/alloc.h"
#include "core/error.h"

enum { RADIX = 3 };

static void find_reach(struct tny_trivance *trivance, uint32_t dimension)
{
  int64_t *reach = trivance->reach[dimension], power = 1;
  for (uint32_t left = trivance->lattice.size[dimension] - 1; left > 0; left /= RADIX) {
    reach[TNY_TRIVANCE_BELOW] += left % RADIX == 2 ? power : 0;
    reach[TNY_TRIVANCE_ABOVE] += left % RADIX > 0 ? power : 0;
    power *= RADIX;
  }
}

/* Adds the step of a turn, if the dimension has one. */
static bool add_step(struct tny_trivance *trivance, uint32_t dimension, uint32_t turn)
{
  uint64_t distance = 1;
  for (uint32_t i = 0; i < turn; i++)
    distance *= RADIX;
  if (distance >= trivance->lattice.size[dimension])
    return false;
  trivance->steps[trivance->step_count++] = (struct tny_trivance_step){
      .dimension = dimension, .distance = (uint32_t)distance, .turn = turn};
  return true;
}

/* From the last to the first: within a host, then in turns along the dimensions. */
static void add_steps(struct tny_trivance *trivance)
{
  const struct tny_lattice *lattice = &trivance->lattice;
  for (uint32_t d = 0; d < lattice->cables_from; d++)
    for (uint32_t turn = 0; add_step(trivance, d, turn);)
      turn++;
  bool has_more = true;
  for (uint32_t turn = 0; has_more; turn++) {
    has_more = false;
    for (uint32_t d = lattice->cables_from; d < lattice->dimensions; d++)
      has_more |= add_step(trivance, d, turn);
  }
  for (uint32_t i = 0; i < trivance->step_count / 2; i++) {
    const struct tny_trivance_step other = trivance->steps[i];
    trivance->steps[i] = trivance->steps[trivance->step_count - 1 - i];
    trivance->steps[trivance->step_count - 1 - i] = other;
  }
}

bool tny_trivance_arrives(const struct tny_trivance *trivance, const struct tny_trivance_step *step,
                          uint32_t side, uint32_t place, struct tny_trivance_offset *offset)
{
  const int64_t *reach = trivance->reach[step->dimension];
  int64_t *along = &offset->along[step->dimension];
  *offset = trivance->list[place];
  *along += side == TNY_TRIVANCE_ABOVE ? (int64_t)step->distance : -(int64_t)step->distance;
  return *along >= -reach[TNY_TRIVANCE_BELOW] && *along <= reach[TNY_TRIVANCE_ABOVE];
}

/* Appends what comes from a side. Returns how many there are then. */
static uint32_t append(struct tny_trivance *trivance, struct tny_trivance_step *step, uint32_t side,
                       uint32_t count)
{
  for (uint32_t place = 0; place < step->held; place++) {
    struct tny_trivance_offset offset;
    if (!tny_trivance_arrives(trivance, step, side, place, &offset))
      continue;
    step->counts[side]++;
    trivance->list[count++] = offset;
  }
  return count;
}

enum tny_status tny_trivance_prepare(const struct tny_problem *problem, void **prepared,
                                     struct tny_error *error)
{
  struct tny_trivance *trivance = tny_new(1, sizeof *trivance);
  struct tny_trivance_offset *list = tny_new(problem->rank_count, sizeof *list);
  if (!trivance || !list) {
    tny_free(list);
    tny_free(trivance);
    return tny_error_memory(error);
  }
  trivance->list = list;
  trivance->lattice =
      tny_lattice_has_grid(problem, true) ? tny_lattice_grid(problem) : tny_lattice_line(problem);
  assert(trivance->lattice.dimensions <= TNY_TRIVANCE_DIMENSIONS);
  for (uint32_t d = 0; d < trivance->lattice.dimensions; d++)
    find_reach(trivance, d);
  add_steps(trivance);
  uint32_t count = 1;
  for (uint32_t i = 0; i < trivance->step_count; i++) {
    trivance->steps[i].held = count;
    count = append(trivance, &trivance->steps[i], TNY_TRIVANCE_ABOVE, count);
    count = append(trivance, &trivance->steps[i], TNY_TRIVANCE_BELOW, count);
  }
  assert(count == problem->rank_count);
  *prepared = trivance;
  return TNY_OK;
}

void tny_trivance_release(void *prepared)
{
  struct tny_trivance *trivance = prepared;
  tny_free(trivance->list);
  tny_free(trivance);
}

uint32_t tny_trivance_index(const struct tny_trivance *trivance, uint32_t from,
                            const struct tny_trivance_offset *offset)
{
  uint32_t index = 0, stride = 1;
  for (uint32_t d = 0; d < trivance->lattice.dimensions; d++) {
    const int64_t size = trivance->lattice.size[d];
    const int64_t at = from / stride % size + size + offset->along[d];
    index += (uint32_t)(at % size) * stride;
    stride *= trivance->lattice.size[d];
  }
  return index;
}

uint32_t tny_trivance_neighbour(const struct tny_trivance *trivance,
                                const struct tny_trivance_step *step, uint32_t from, uint32_t side)
{
  struct tny_trivance_offset offset = {{0}};
  offset.along[step->dimension] =
      side == TNY_TRIVANCE_ABOVE ? (int64_t)step->distance : -(int64_t)step->distance;
  return tny_trivance_index(trivance, from, &offset);
}
