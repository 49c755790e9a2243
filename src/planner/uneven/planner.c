/* Open shop with preemption, on any network: first fit in a timetable, in a few orders.

   On one switch the most loaded port is the bound, and a decomposition of the matrix into
   permutations reaches it (Birkhoff, von Neumann; Gonzalez, Sahni, "Open shop scheduling to
   minimize finish time", 1976). It takes as many permutations as there are messages, and has no
   counterpart where messages share links between switches. So the timetable is a little longer
   than the bound, and each message gets the first phases in which all its tracks are free; a phase
   of which it needs just a part is split.

   Messages whose tracks have much to carry come first, and long ones: what others leave free in one
   of a message's tracks must be free in all of them. Messages that had no room are the first ones
   in the next try, as in "squeaky wheel" optimization (Joslin, Clements 1999). */
#include "planner/uneven/planner.h"

#include "core/alloc.h"
#include "core/error.h"
#include "planner/uneven/order.h"
#include "planner/uneven/timetable.h"

enum {
  SLACK = 50,     /* a timetable is longer than the bound by 1 of 50 at first */
  NEAR = 25,      /* what is longer than the bound by 1 of 25 isn't worth another try */
  TRIES = 4,      /* in each order */
  PARTS = 2,      /* of a mean message on the fullest track: no more of a phase is lost */
  FINE_PARTS = 8, /* of such a part: so much always may be */
};

/* By what messages are put in order. */
enum order { BY_BYTES, BY_LOADS, ORDERS };

struct planner {
  struct tny_traffic traffic;
  uint64_t *load;    /* by track */
  uint64_t *most;    /* by message: the load of its most loaded track */
  uint64_t length;   /* of a timetable at first */
  uint64_t part;     /* of a phase: no more of it is lost */
  bool *had_no_room; /* by message, in the last try */
  struct tny_placing *order, *room;
  struct tny_timetable draft, best;
};

/* --- loads --- */

static enum tny_status make_room(struct planner *planner, struct tny_error *error)
{
  const uint32_t count = planner->traffic.count;
  planner->load = tny_new(planner->traffic.track_count, sizeof *planner->load);
  planner->most = tny_new(count, sizeof *planner->most);
  planner->had_no_room = tny_new(count, sizeof *planner->had_no_room);
  planner->order = tny_new(count, sizeof *planner->order);
  planner->room = tny_new(count, sizeof *planner->room);
  if (!planner->load || !planner->most || !planner->had_no_room || !planner->order ||
      !planner->room)
    return tny_error_memory(error);
  return TNY_OK;
}

static void find_loads(struct planner *planner)
{
  const struct tny_traffic *traffic = &planner->traffic;
  for (uint32_t message = 0; message < traffic->count; message++) {
    const struct tny_tracks tracks = tny_traffic_tracks(traffic, message);
    for (uint32_t i = 0; i < tracks.count; i++)
      planner->load[tracks.at[i]] += tny_traffic_bytes(traffic, message);
  }
  for (uint32_t message = 0; message < traffic->count; message++) {
    const struct tny_tracks tracks = tny_traffic_tracks(traffic, message);
    for (uint32_t i = 0; i < tracks.count; i++)
      if (planner->load[tracks.at[i]] > planner->most[message])
        planner->most[message] = planner->load[tracks.at[i]];
  }
}

/* --- orders --- */

/* By how full the message's most loaded track is, squared, and its bytes. */
static double key_by_bytes(const struct planner *planner, uint32_t message)
{
  const double share = (double)planner->most[message] / (double)planner->traffic.bytes_most;
  return share * share * (double)tny_traffic_bytes(&planner->traffic, message);
}

/* By how full its tracks are, all together; nearly full ones count most. */
static double key_by_loads(const struct planner *planner, uint32_t message)
{
  const struct tny_tracks tracks = tny_traffic_tracks(&planner->traffic, message);
  double sum = 0;
  for (uint32_t i = 0; i < tracks.count; i++) {
    double share = (double)planner->load[tracks.at[i]] / (double)planner->traffic.bytes_most;
    share *= share;
    share *= share;
    sum += share * share;
  }
  return sum;
}

/* Of equal messages, those of the shift exchange follow each other: all ranks to the next one, then
   all to the one after. It is exact where all are equal and there is one switch. */
static void sort_messages(struct planner *planner, enum order order)
{
  const uint32_t count = planner->traffic.count;
  const struct tny_traffic *traffic = &planner->traffic;
  for (uint32_t message = 0; message < count; message++) {
    const uint32_t to = traffic->to[message], from = traffic->from[message];
    planner->order[message] = (struct tny_placing){
        .message = message, .key = to < from ? from - to : UINT32_MAX - (to - from)};
  }
  tny_placing_sort(planner->order, count, planner->room);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t message = planner->order[i].message;
    const double key =
        order == BY_BYTES ? key_by_bytes(planner, message) : key_by_loads(planner, message);
    planner->order[i].key = tny_placing_key(key);
  }
  tny_placing_sort(planner->order, count, planner->room);
}

/* Those that had no room come first. */
static void promote(struct planner *planner)
{
  const uint32_t count = planner->traffic.count;
  uint32_t placed = 0;
  for (int has_room = 0; has_room < 2; has_room++)
    for (uint32_t i = 0; i < count; i++)
      if (planner->had_no_room[planner->order[i].message] == !has_room)
        planner->room[placed++] = planner->order[i];
  struct tny_placing *room = planner->order;
  planner->order = planner->room;
  planner->room = room;
}

/* --- tries --- */

/* What may be lost of a phase's length: as much as the message's most loaded track has to lose, for
   all its messages alike, within limits that keep phases from getting too many or too few. */
static uint64_t spare_of(const struct planner *planner, uint32_t message)
{
  const struct tny_traffic *traffic = &planner->traffic;
  const uint64_t length = planner->length, part = planner->part, least = part / FINE_PARTS;
  const double free = (double)(length - planner->most[message]) / (double)planner->most[message];
  const uint64_t share = (uint64_t)(free * (double)tny_traffic_bytes(traffic, message));
  return share > part ? part : share < least ? least : share;
}

static void keep_the_better(struct planner *planner)
{
  const struct tny_timetable draft = planner->draft;
  if (planner->best.bytes > 0 && planner->best.bytes <= draft.bytes)
    return;
  planner->draft = planner->best;
  planner->best = draft;
}

static void place(struct planner *planner, uint32_t message, struct tny_error *error)
{
  struct tny_timetable *draft = &planner->draft;
  struct tny_uneven_need need = {.message = message,
                                 .bytes = tny_traffic_bytes(&planner->traffic, message),
                                 .spare = spare_of(planner, message)};
  need.bytes = tny_timetable_place(draft, &need, error);
  if (need.bytes > 0 && draft->status == TNY_OK)
    need.bytes = tny_timetable_make_way(draft, &need, error);
  planner->had_no_room[message] = need.bytes > 0;
  if (need.bytes > 0 && draft->status == TNY_OK)
    tny_timetable_append(draft, &need, error);
}

static enum tny_status place_all(struct planner *planner, struct tny_error *error)
{
  const struct tny_traffic *traffic = &planner->traffic;
  struct tny_timetable *draft = &planner->draft;
  enum tny_status status = TNY_OK;
  if (!draft->traffic)
    status = tny_timetable_init(draft, traffic, error);
  if (status != TNY_OK)
    return status;
  tny_timetable_clear(draft, planner->length);
  for (uint32_t i = 0; draft->status == TNY_OK && i < traffic->count; i++)
    place(planner, planner->order[i].message, error);
  status = draft->status;
  if (status == TNY_OK)
    keep_the_better(planner);
  return status;
}

static bool is_close(const struct planner *planner)
{
  return planner->best.bytes > 0 &&
         planner->best.bytes <= planner->traffic.bytes_most + planner->traffic.bytes_most / NEAR;
}

static enum tny_status plan_messages(struct planner *planner, struct tny_error *error)
{
  enum tny_status status = make_room(planner, error);
  if (status != TNY_OK || planner->traffic.count == 0)
    return status;
  find_loads(planner);
  planner->length = planner->traffic.bytes_most + planner->traffic.bytes_most / SLACK;
  planner->part = planner->length / planner->traffic.most / PARTS;
  for (enum order order = 0; status == TNY_OK && order < ORDERS && !is_close(planner); order++) {
    sort_messages(planner, order);
    status = place_all(planner, error);
    for (int i = 1; status == TNY_OK && i < TRIES && !is_close(planner); i++) {
      promote(planner);
      status = place_all(planner, error);
    }
  }
  return status;
}

/* --- the plan --- */

/* Deals a message's bytes to its phases in the order of time: the last ones may stay empty. */
struct dealing {
  const struct planner *planner;
  struct tny_uneven_plan *plan;
  uint64_t unit;   /* bytes that count as 1 */
  uint64_t *dealt; /* by message */
};

/* Returns how long the phase's longest piece is. */
static uint64_t deal_phase(struct dealing *dealing, uint32_t phase, uint32_t *piece_count)
{
  const struct tny_timetable *timetable = &dealing->planner->best;
  const struct tny_traffic *traffic = &dealing->planner->traffic;
  uint64_t longest = 0;
  for (uint32_t entry = timetable->first[phase]; entry != TNY_NONE;
       entry = timetable->entries[entry].next) {
    const uint32_t message = timetable->entries[entry].message;
    const uint64_t offset = dealing->dealt[message];
    const uint64_t left = tny_traffic_bytes(traffic, message) - offset;
    const uint64_t bytes = left < timetable->length[phase] ? left : timetable->length[phase];
    if (bytes == 0)
      continue;
    dealing->dealt[message] += bytes;
    longest = bytes > longest ? bytes : longest;
    dealing->plan->pieces[(*piece_count)++] =
        (struct tny_uneven_piece){.from = traffic->from[message],
                                  .to = traffic->to[message],
                                  .offset = offset * dealing->unit,
                                  .bytes = bytes * dealing->unit};
  }
  return longest;
}

static void deal(struct dealing *dealing)
{
  const struct tny_timetable *timetable = &dealing->planner->best;
  struct tny_uneven_plan *plan = dealing->plan;
  uint32_t piece_count = 0;
  for (uint32_t phase = 0; phase != TNY_NONE; phase = timetable->after[phase]) {
    const uint64_t longest = deal_phase(dealing, phase, &piece_count);
    if (longest == 0)
      continue;
    plan->lengths[plan->phase_count] = longest * dealing->unit;
    plan->bytes += longest * dealing->unit;
    plan->first_piece[++plan->phase_count] = piece_count;
  }
}

/* Where all messages are of one length, that is what their traffic counts in. */
static uint64_t unit_of(const struct planner *planner, const struct tny_pattern *pattern)
{
  const struct tny_traffic *traffic = &planner->traffic;
  if (traffic->bytes || traffic->count == 0)
    return 1;
  return pattern->bytes[(size_t)traffic->from[0] * pattern->rank_count + traffic->to[0]];
}

static enum tny_status make_plan(const struct planner *planner, const struct tny_pattern *pattern,
                                 struct tny_uneven_plan *plan, struct tny_error *error)
{
  const struct tny_timetable *timetable = &planner->best;
  struct dealing dealing = {.planner = planner,
                            .plan = plan,
                            .unit = unit_of(planner, pattern),
                            .dealt = tny_new(planner->traffic.count, sizeof *dealing.dealt)};
  *plan = (struct tny_uneven_plan){
      .rank_count = pattern->rank_count,
      .bytes_least = planner->traffic.bytes_most * dealing.unit,
      .first_piece = tny_new((size_t)timetable->phase_count + 1, sizeof *plan->first_piece),
      .pieces = tny_new(timetable->entry_count, sizeof *plan->pieces),
      .lengths = tny_new(timetable->phase_count, sizeof *plan->lengths)};
  const bool has_memory = dealing.dealt && plan->first_piece && plan->pieces && plan->lengths;
  if (has_memory && timetable->phase_count > 0)
    deal(&dealing);
  tny_free(dealing.dealt);
  return has_memory ? TNY_OK : tny_error_memory(error);
}

static void release(struct planner *planner)
{
  tny_traffic_release(&planner->traffic);
  tny_free(planner->load);
  tny_free(planner->most);
  tny_free(planner->had_no_room);
  tny_free(planner->order);
  tny_free(planner->room);
  tny_timetable_release(&planner->draft);
  tny_timetable_release(&planner->best);
}

enum tny_status tny_uneven_plan_make(const struct tny_problem *problem,
                                     struct tny_uneven_plan **plan, struct tny_error *error)
{
  struct planner planner = {0};
  *plan = tny_new(1, sizeof **plan);
  enum tny_status status = *plan ? TNY_OK : tny_error_memory(error);
  if (status == TNY_OK)
    status = tny_traffic_make(problem, &planner.traffic, error);
  if (status == TNY_OK)
    status = plan_messages(&planner, error);
  if (status == TNY_OK)
    status = make_plan(&planner, problem->pattern, *plan, error);
  release(&planner);
  if (status != TNY_OK) {
    tny_uneven_plan_free(*plan);
    *plan = NULL;
  }
  return status;
}

void tny_uneven_plan_free(struct tny_uneven_plan *plan)
{
  if (!plan)
    return;
  tny_free(plan->first_piece);
  tny_free(plan->pieces);
  tny_free(plan->lengths);
  tny_free(plan);
}
