/* The places are numbers with a digit for each step, the last step's first: the ternary digit of
   the node's coordinate that counts distances as long as the step's. So ranks that are alike in the
   digits of the shortest distances, as all are whose blocks go in a message of 3^k nodes, are in a
   row. What is left of a coordinate where its side isn't 3^k is a digit at the next step along it.
   */
#include "collectives/trees/trivance_in_place.h"

#include "collectives/shared/after.h"
#include "collectives/trees/trivance.h"
#include "core/alloc.h"
#include "core/error.h"

enum { RADIX = 3 };

/* --- places --- */

/* Of the steps along a side, those at distances that divide it have a ternary digit. The next one
   has what is left; steps behind that have nothing, a digit of one value. */
static uint32_t radix_of(uint32_t side, uint32_t distance)
{
  if (side % distance != 0)
    return 1;
  const uint32_t left = side / distance;
  return left % RADIX == 0 ? RADIX : left;
}

/* A node's place, by its index in the lattice. */
static uint32_t place_of(const struct tny_trivance *trivance, uint32_t index)
{
  uint32_t place = 0;
  for (uint32_t i = trivance->step_count; i-- > 0;) {
    const struct tny_trivance_step *step = &trivance->steps[i];
    const uint32_t x = tny_lattice_coordinate(&trivance->lattice, index, step->dimension);
    const uint32_t radix = radix_of(trivance->lattice.size[step->dimension], step->distance);
    place = place * radix + x / step->distance % radix;
  }
  return place;
}

static uint32_t part(const struct tny_problem *problem, uint32_t rank)
{
  const struct tny_trivance *trivance = problem->prepared;
  return place_of(trivance, tny_lattice_index(problem, &trivance->lattice, rank));
}

/* Are the blocks of each message in a row? What is left of a side, of 4 nodes, takes two steps, and
   between these half of another such side would be held. */
static bool has_rows(const struct tny_trivance *trivance)
{
  uint32_t fours = 0, others = 0;
  for (uint32_t d = 0; d < trivance->lattice.dimensions; d++) {
    uint32_t left = trivance->lattice.size[d];
    while (left % RADIX == 0)
      left /= RADIX;
    fours += left == 4;
    others += left != 1 && left != 2 && left != 4;
  }
  return fours <= 1 && others == 0;
}

/* --- the steps --- */

struct journey {
  const struct tny_trivance *trivance;
  struct tny_builder *builder;
  uint32_t here; /* index in the lattice */
  uint32_t rank_count;
  uint32_t wait_first, wait_end; /* what the last step received */
  uint32_t *places;              /* of what is on the list, for this rank */
  bool *goes;                    /* by place; all false between messages */
};

static void find_places(const struct journey *journey)
{
  const struct tny_trivance *trivance = journey->trivance;
  for (uint32_t i = 0; i < journey->rank_count; i++)
    journey->places[i] =
        place_of(trivance, tny_trivance_index(trivance, journey->here, &trivance->list[i]));
}

/* The next row of what goes, from a place on, which is noted no longer then. */
static struct tny_span next_row(const struct journey *journey, uint32_t from)
{
  uint32_t first = from, end;
  while (first < journey->rank_count && !journey->goes[first])
    first++;
  for (end = first; end < journey->rank_count && journey->goes[end]; end++)
    journey->goes[end] = false;
  return tny_span_blocks(TNY_OUTPUT, first, end - first);
}

static uint32_t peer(const struct journey *journey, const struct tny_trivance_step *step,
                     uint32_t side)
{
  return tny_lattice_rank(&journey->trivance->lattice,
                          tny_trivance_neighbour(journey->trivance, step, journey->here, side));
}

/* To the rank that has this one on that side. The first message of a step waits for what came in
   the step before, and with it all behind it. */
static void send(struct journey *journey, const struct tny_trivance_step *step, uint32_t side,
                 uint32_t phase)
{
  const uint32_t other = side == TNY_TRIVANCE_ABOVE ? TNY_TRIVANCE_BELOW : TNY_TRIVANCE_ABOVE;
  struct tny_trivance_offset there;
  for (uint32_t i = 0; i < step->held; i++)
    if (tny_trivance_arrives(journey->trivance, step, side, i, &there))
      journey->goes[journey->places[i]] = true;
  for (struct tny_span row = next_row(journey, 0); row.count > 0;
       row = next_row(journey, row.first + row.count)) {
    tny_builder_send(journey->builder, peer(journey, step, other), row, phase);
    tny_after_receives(journey->builder, journey->wait_first, journey->wait_end);
    journey->wait_end = journey->wait_first;
  }
}

/* What comes stands on the list from `first` on. */
static void receive(struct journey *journey, const struct tny_trivance_step *step, uint32_t side,
                    uint32_t first, uint32_t phase)
{
  for (uint32_t i = 0; i < step->counts[side]; i++)
    journey->goes[journey->places[first + i]] = true;
  for (struct tny_span row = next_row(journey, 0); row.count > 0;
       row = next_row(journey, row.first + row.count))
    tny_builder_recv(journey->builder, peer(journey, step, side), row, phase);
}

static void exchange(struct journey *journey, uint32_t phase)
{
  const struct tny_trivance_step *step = &journey->trivance->steps[phase];
  const uint32_t from_below = step->held + step->counts[TNY_TRIVANCE_ABOVE];
  send(journey, step, TNY_TRIVANCE_ABOVE, phase);
  send(journey, step, TNY_TRIVANCE_BELOW, phase);
  journey->wait_first = journey->builder->steps.count;
  receive(journey, step, TNY_TRIVANCE_ABOVE, step->held, phase);
  receive(journey, step, TNY_TRIVANCE_BELOW, from_below, phase);
  journey->wait_end = journey->builder->steps.count;
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_trivance *trivance = problem->prepared;
  struct journey journey = {.trivance = trivance,
                            .builder = builder,
                            .here = tny_lattice_index(problem, &trivance->lattice, rank),
                            .rank_count = problem->rank_count,
                            .places = tny_new(problem->rank_count, sizeof *journey.places),
                            .goes = tny_new(problem->rank_count, sizeof *journey.goes)};
  if (journey.places && journey.goes) {
    find_places(&journey);
    tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, 0, 1),
                     tny_span_blocks(TNY_OUTPUT, journey.places[0], 1));
    for (uint32_t phase = 0; phase < trivance->step_count; phase++)
      exchange(&journey, phase);
  } else {
    tny_error_memory(&builder->error);
  }
  tny_free(journey.places);
  tny_free(journey.goes);
}

/* Two messages in a phase take two rounds: no promise of rounds. */
static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_trivance *trivance = problem->prepared;
  return (struct tny_claim){.phases = trivance->step_count,
                            .blocks_sent_max = problem->rank_count - 1,
                            .port_messages = has_rows(trivance) ? TNY_TRIVANCE_SIDES : 0};
}

const struct tny_algorithm tny_trivance_in_place = {
    .collective = TNY_ALLGATHER,
    .name = "trivance",
    .source = "juerss2026b",
    .needs = "any p",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .joins_blocks = true,
    .prepare = tny_trivance_prepare,
    .release = tny_trivance_release,
    .part = part,
    .claim = claim,
    .emit = emit,
};
