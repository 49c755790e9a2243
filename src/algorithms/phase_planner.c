/* Phases for messages: first fit in a few orders, then repair.

   In order, each message gets the first phase in which all of its tracks are free. Messages with
   many tracks come first, equal ones by chance: what crosses few links finds room between others.
   On a single switch, or where it is as if (fat trees), the order of shift exchange is exact: all
   ranks to the next, all to the one after, ... On tori, messages get the phases that
   grid_wishes.h has for them as far as they fit, the others the first that does.

   Where that takes more phases than the most loaded track has messages, the same is tried with the
   number of phases held to a target between these two, and what doesn't fit is brought in by
   phase_repair.h; the target is halved in between as far as the effort lasts. What it couldn't
   bring in gets phases of its own, so each try gives a plan, and the best is kept.

   Uneven messages: the longer first. A phase lasts as long as its longest message, and in any plan
   the i-th longest phase takes as long as the i-th longest message of any track at least. These
   times, stretched to the target, are the shape that phases are held to: a message gets no phase
   that is shorter than itself. */
#include "algorithms/phase_planner.h"

#include <stdlib.h>

#include "algorithms/grid_wishes.h"
#include "algorithms/phase_repair.h"
#include "algorithms/place.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/random.h"

enum {
  ORDERS = 3,
  EFFORT_A_MESSAGE = 4000, /* words looked at, about a nanosecond each */
  CLOSE = 200              /* a target is met where it is missed by 1 of 200 */
};

enum order { BY_WISH, BY_TRACKS, BY_SHIFT };

/* What an order gives at once. */
struct entry {
  uint32_t phases; /* 0: not tried */
  uint64_t bytes;
};

struct planner {
  const struct tny_problem *problem;
  struct tny_traffic traffic;
  struct tny_draft draft;
  uint32_t *order; /* messages */
  uint32_t *wish;  /* by message; NULL: none */
  uint32_t *share; /* by message: the phases it may have where they are the fewest there can be */
  uint32_t *limit; /* by message: the same for the target */
  uint64_t bytes_least;
  struct entry result; /* of the last try */
  uint32_t *best;      /* phase by message */
  struct entry kept;   /* of the best */
  uint64_t effort;     /* left */
};

/* --- orders --- */

struct key {
  uint64_t bytes;
  uint32_t first, second; /* the higher the sooner, the lower the sooner */
  uint32_t message;
};

static int compare_keys(const void *a, const void *b)
{
  const struct key *left = a, *right = b;
  if (left->bytes != right->bytes)
    return left->bytes > right->bytes ? -1 : 1;
  if (left->first != right->first)
    return left->first > right->first ? -1 : 1;
  if (left->second != right->second)
    return left->second < right->second ? -1 : 1;
  return (left->message > right->message) - (left->message < right->message);
}

static struct key key_of(const struct planner *planner, enum order order, uint32_t message,
                         uint64_t *seed)
{
  const struct tny_traffic *traffic = &planner->traffic;
  struct key key = {.bytes = tny_traffic_bytes(traffic, message), .message = message};
  if (order == BY_SHIFT) {
    const uint32_t *positions = tny_place_positions(planner->problem);
    const uint32_t p = planner->problem->rank_count;
    const uint32_t from = tny_place_position(positions, traffic->from[message]);
    const uint32_t to = tny_place_position(positions, traffic->to[message]);
    key.first = p - (to + p - from) % p;
    key.second = from;
  } else {
    key.first = tny_traffic_tracks(traffic, message).count;
    key.second = (uint32_t)(tny_random_next(seed) >> 32);
  }
  return key;
}

static enum tny_status sort_messages(struct planner *planner, enum order order,
                                     struct tny_error *error)
{
  const uint32_t count = planner->traffic.count;
  uint64_t seed = 1;
  struct key *keys = tny_new(count, sizeof *keys);
  if (!keys)
    return tny_error_memory(error);
  for (uint32_t message = 0; message < count; message++)
    keys[message] = key_of(planner, order, message, &seed);
  qsort(keys, count, sizeof *keys, compare_keys);
  for (uint32_t i = 0; i < count; i++)
    planner->order[i] = keys[i].message;
  tny_free(keys);
  return TNY_OK;
}

/* --- the shape of phases --- */

/* Fills `share` and bytes_least: `longest` gets, for each of the fewest phases, the longest of the
   messages that come at this place on their tracks. The order has the longer messages first. */
static void find_shape(struct planner *planner, uint64_t *longest, uint32_t *on_track)
{
  const struct tny_traffic *traffic = &planner->traffic;
  for (uint32_t i = 0; i < traffic->count; i++) {
    const struct tny_tracks tracks = tny_traffic_tracks(traffic, planner->order[i]);
    const uint64_t bytes = tny_traffic_bytes(traffic, planner->order[i]);
    for (uint32_t k = 0; k < tracks.count; k++) {
      const uint32_t place = on_track[tracks.at[k]]++;
      longest[place] = bytes > longest[place] ? bytes : longest[place];
    }
  }
  for (uint32_t i = 0, phases = 0; i < traffic->count; i++) {
    while (phases < traffic->most &&
           longest[phases] >= tny_traffic_bytes(traffic, planner->order[i]))
      planner->bytes_least += longest[phases++];
    planner->share[planner->order[i]] = phases;
  }
}

static enum tny_status make_shape(struct planner *planner, struct tny_error *error)
{
  const struct tny_traffic *traffic = &planner->traffic;
  uint64_t *longest = tny_new(traffic->most, sizeof *longest);
  uint32_t *on_track = tny_new(traffic->track_count, sizeof *on_track);
  enum tny_status status = longest && on_track ? TNY_OK : tny_error_memory(error);
  for (uint32_t i = 0; i < traffic->count; i++)
    planner->order[i] = i;
  if (status == TNY_OK && traffic->bytes)
    status = sort_messages(planner, BY_TRACKS, error);
  if (status == TNY_OK)
    find_shape(planner, longest, on_track);
  tny_free(longest);
  tny_free(on_track);
  return status;
}

/* --- a try --- */

/* A phase from `from` on, with room for it made where need be. */
static enum tny_status find_phase(struct planner *planner, uint32_t message, uint32_t from,
                                  uint32_t *phase, struct tny_error *error)
{
  const struct tny_tracks tracks = tny_traffic_tracks(&planner->traffic, message);
  struct tny_board *board = &planner->draft.board;
  enum tny_status status = TNY_OK;
  while (status == TNY_OK && from >= tny_board_room(board))
    status = tny_board_grow(board, error);
  if (status != TNY_OK)
    return status;
  *phase = tny_board_find(board, tracks, from);
  return *phase == tny_board_room(board) ? tny_board_grow(board, error) : TNY_OK;
}

static bool may_have(const struct planner *planner, uint32_t message, uint32_t phase)
{
  return phase < planner->limit[message];
}

static enum tny_status grant_wishes(struct planner *planner, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t message = 0; status == TNY_OK && message < planner->traffic.count; message++) {
    const struct tny_tracks tracks = tny_traffic_tracks(&planner->traffic, message);
    const uint32_t wish = planner->wish[message];
    if (wish == TNY_NONE || !may_have(planner, message, wish))
      continue;
    while (status == TNY_OK && wish >= tny_board_room(&planner->draft.board))
      status = tny_board_grow(&planner->draft.board, error);
    if (status == TNY_OK && tny_board_is_free(&planner->draft.board, tracks, wish))
      tny_draft_put(&planner->draft, message, wish);
  }
  return status;
}

/* Gives all that have none the first phase from `from` on that they may have. */
static enum tny_status first_fit(struct planner *planner, uint32_t from, struct tny_error *error)
{
  for (uint32_t i = 0; i < planner->traffic.count; i++) {
    const uint32_t message = planner->order[i];
    uint32_t phase;
    if (planner->draft.phase_of[message] != TNY_NONE)
      continue;
    const enum tny_status status = find_phase(planner, message, from, &phase, error);
    if (status != TNY_OK)
      return status;
    if (may_have(planner, message, phase))
      tny_draft_put(&planner->draft, message, phase);
  }
  return TNY_OK;
}

/* Numbers the phases that are in use without gaps, and measures them. */
static enum tny_status measure(struct planner *planner, struct tny_error *error)
{
  const struct tny_traffic *traffic = &planner->traffic;
  const uint32_t room = tny_board_room(&planner->draft.board);
  uint32_t *phase_of = planner->draft.phase_of;
  uint64_t *longest = tny_new(room, sizeof *longest);
  uint32_t *number = tny_new(room, sizeof *number);
  planner->result = (struct entry){0};
  for (uint32_t i = 0; longest && number && i < traffic->count; i++)
    if (tny_traffic_bytes(traffic, i) > longest[phase_of[i]])
      longest[phase_of[i]] = tny_traffic_bytes(traffic, i);
  for (uint32_t phase = 0; longest && number && phase < room; phase++) {
    number[phase] = planner->result.phases;
    planner->result.phases += longest[phase] > 0;
    planner->result.bytes += longest[phase];
  }
  for (uint32_t i = 0; longest && number && i < traffic->count; i++)
    phase_of[i] = number[phase_of[i]];
  const bool failed = !longest || !number;
  tny_free(longest);
  tny_free(number);
  return failed ? tny_error_memory(error) : TNY_OK;
}

static void keep_the_better(struct planner *planner)
{
  const struct entry *result = &planner->result, *kept = &planner->kept;
  if (kept->phases > 0 && (result->bytes > kept->bytes ||
                           (result->bytes == kept->bytes && result->phases >= kept->phases)))
    return;
  uint32_t *worse = planner->best;
  planner->best = planner->draft.phase_of;
  planner->draft.phase_of = worse;
  planner->kept = planner->result;
}

/* Places all messages, in `target` phases as far as the effort lets it; TNY_NONE: any number. */
static enum tny_status place_all(struct planner *planner, uint32_t target, uint64_t *effort,
                                 struct tny_error *error)
{
  const struct tny_traffic *traffic = &planner->traffic;
  struct tny_draft *draft = &planner->draft;
  const uint32_t most = traffic->most;
  for (uint32_t i = 0; i < traffic->count; i++) {
    const uint64_t share = planner->share[i];
    draft->phase_of[i] = TNY_NONE;
    planner->limit[i] =
        target == TNY_NONE ? TNY_NONE : (uint32_t)((share * target + most - 1) / most);
  }
  draft->phases = target;
  draft->seed = target;
  enum tny_status status = TNY_OK;
  if (planner->wish)
    status = grant_wishes(planner, error);
  if (status == TNY_OK)
    status = first_fit(planner, 0, error);
  if (status == TNY_OK && target != TNY_NONE) {
    status = tny_draft_repair(draft, effort, error);
    for (uint32_t i = 0; i < traffic->count; i++)
      planner->limit[i] = TNY_NONE;
    if (status == TNY_OK)
      status = first_fit(planner, target, error);
  }
  return status;
}

static enum tny_status attempt(struct planner *planner, uint32_t target, uint64_t *effort,
                               struct tny_error *error)
{
  const struct tny_traffic *traffic = &planner->traffic;
  const uint32_t phases = target == TNY_NONE ? traffic->most : target;
  enum tny_status status =
      tny_board_init(&planner->draft.board, traffic->track_count, phases + phases / 8, error);
  if (status == TNY_OK)
    status = place_all(planner, target, effort, error);
  if (status == TNY_OK)
    status = measure(planner, error);
  if (status == TNY_OK)
    keep_the_better(planner);
  tny_board_release(&planner->draft.board);
  return status;
}

/* --- tries --- */

static bool is_least(const struct planner *planner)
{
  return planner->kept.phases > 0 && planner->kept.bytes == planner->bytes_least;
}

/* Targets between the least and what first fit takes, halved. */
static enum tny_status improve(struct planner *planner, uint32_t phases, uint64_t effort,
                               struct tny_error *error)
{
  const uint32_t most = planner->traffic.most;
  uint32_t missed = most - 1, met = phases + (planner->traffic.bytes != NULL);
  enum tny_status status = TNY_OK;
  while (status == TNY_OK && met - missed > 1 + most / CLOSE && effort > 0) {
    const uint32_t target = missed + (met - missed) / 2;
    uint64_t part = effort / 2, left = part;
    status = attempt(planner, target, &left, error);
    effort -= part - left;
    if (planner->result.phases <= target)
      met = target;
    else
      missed = target;
    if (effort < planner->traffic.count)
      break;
  }
  return status;
}

/* Gets ready to place messages in that order. */
static enum tny_status take_order(struct planner *planner, enum order order,
                                  struct tny_error *error)
{
  tny_free(planner->wish);
  planner->wish = NULL;
  enum tny_status status = sort_messages(planner, order, error);
  if (status != TNY_OK || order != BY_WISH)
    return status;
  planner->wish = tny_new(planner->traffic.count, sizeof *planner->wish);
  if (!planner->wish)
    return tny_error_memory(error);
  return tny_wishes_make(planner->problem, &planner->traffic, planner->wish, error);
}

static bool suits(const struct planner *planner, enum order order)
{
  if (order == BY_WISH)
    return !planner->traffic.bytes && tny_wishes_exist(planner->problem);
  return order == BY_TRACKS || !planner->traffic.bytes;
}

static enum tny_status search(struct planner *planner, struct tny_error *error)
{
  struct entry first[ORDERS] = {{0}};
  enum tny_status status = TNY_OK;
  uint64_t no_effort = 0;
  for (uint32_t order = 0; status == TNY_OK && order < ORDERS && !is_least(planner); order++) {
    if (!suits(planner, order))
      continue;
    status = take_order(planner, order, error);
    if (status == TNY_OK)
      status = attempt(planner, TNY_NONE, &no_effort, error);
    first[order] = planner->result;
  }
  const uint64_t near = planner->kept.bytes + planner->kept.bytes / 10;
  const uint64_t effort = (uint64_t)EFFORT_A_MESSAGE * planner->traffic.count;
  for (uint32_t order = 0; status == TNY_OK && order < ORDERS && !is_least(planner); order++) {
    if (first[order].phases == 0 || first[order].bytes > near)
      continue;
    status = take_order(planner, order, error);
    if (status == TNY_OK)
      status = improve(planner, first[order].phases, effort, error);
  }
  return status;
}

/* --- the plan --- */

/* Deals the messages out to their ranks: by phase, as `sorted` has them. */
static void deal_out(const struct planner *planner, const uint32_t *sorted,
                     struct tny_phase_plan *plan)
{
  const struct tny_traffic *traffic = &planner->traffic;
  for (uint32_t i = 0; i < traffic->count; i++) {
    plan->first_send[traffic->from[i] + 1]++;
    plan->first_receive[traffic->to[i] + 1]++;
  }
  for (uint32_t rank = 0; rank < plan->rank_count; rank++) {
    if (plan->first_send[rank + 1] > plan->sends_most)
      plan->sends_most = plan->first_send[rank + 1];
    plan->first_send[rank + 1] += plan->first_send[rank];
    plan->first_receive[rank + 1] += plan->first_receive[rank];
  }
  for (uint32_t i = traffic->count; i-- > 0;) {
    const uint32_t message = sorted[i], phase = planner->best[message];
    const uint32_t from = traffic->from[message], to = traffic->to[message];
    plan->sends[--plan->first_send[from + 1]] = (struct tny_phase_turn){phase, to};
    plan->receives[--plan->first_receive[to + 1]] = (struct tny_phase_turn){phase, from};
  }
  /* Now each count stands where its rank's messages begin, a place too far. */
  memmove(plan->first_send, plan->first_send + 1, plan->rank_count * sizeof *plan->first_send);
  memmove(plan->first_receive, plan->first_receive + 1,
          plan->rank_count * sizeof *plan->first_receive);
  plan->first_send[plan->rank_count] = plan->first_receive[plan->rank_count] = traffic->count;
}

/* Messages by phase, by counting; `count` has a place for each phase and one more, all 0. */
static void sort_by_phase(const struct planner *planner, uint32_t *count, uint32_t *sorted)
{
  for (uint32_t i = 0; i < planner->traffic.count; i++)
    count[planner->best[i] + 1]++;
  for (uint32_t phase = 0; phase < planner->kept.phases; phase++)
    count[phase + 1] += count[phase];
  for (uint32_t i = 0; i < planner->traffic.count; i++)
    sorted[count[planner->best[i]]++] = i;
}

static enum tny_status make_plan(const struct planner *planner, struct tny_phase_plan *plan,
                                 struct tny_error *error)
{
  const struct tny_traffic *traffic = &planner->traffic;
  *plan = (struct tny_phase_plan){.rank_count = planner->problem->rank_count,
                                  .phase_count = planner->kept.phases,
                                  .phases_least = traffic->most,
                                  .bytes = planner->kept.bytes,
                                  .bytes_least = planner->bytes_least,
                                  .bytes_on_link = traffic->bytes_most};
  plan->first_send = tny_new((size_t)plan->rank_count + 1, sizeof *plan->first_send);
  plan->first_receive = tny_new((size_t)plan->rank_count + 1, sizeof *plan->first_receive);
  plan->sends = tny_new(traffic->count, sizeof *plan->sends);
  plan->receives = tny_new(traffic->count, sizeof *plan->receives);
  uint32_t *count = tny_new((size_t)plan->phase_count + 1, sizeof *count);
  uint32_t *sorted = tny_new(traffic->count, sizeof *sorted);
  const bool ready =
      plan->first_send && plan->first_receive && plan->sends && plan->receives && count && sorted;
  if (ready) {
    sort_by_phase(planner, count, sorted);
    deal_out(planner, sorted, plan);
  }
  tny_free(count);
  tny_free(sorted);
  return ready ? TNY_OK : tny_error_memory(error);
}

static enum tny_status plan_messages(struct planner *planner, struct tny_error *error)
{
  const uint32_t count = planner->traffic.count;
  planner->order = tny_new(count, sizeof *planner->order);
  planner->share = tny_new(count, sizeof *planner->share);
  planner->limit = tny_new(count, sizeof *planner->limit);
  planner->best = tny_new(count, sizeof *planner->best);
  planner->draft.phase_of = tny_new(count, sizeof *planner->draft.phase_of);
  planner->draft.limit = planner->limit;
  planner->draft.traffic = &planner->traffic;
  if (!planner->order || !planner->share || !planner->limit || !planner->best ||
      !planner->draft.phase_of)
    return tny_error_memory(error);
  if (count == 0)
    return TNY_OK;
  const enum tny_status status = make_shape(planner, error);
  return status == TNY_OK ? search(planner, error) : status;
}

enum tny_status tny_phase_plan_make(const struct tny_problem *problem, struct tny_phase_plan **plan,
                                    struct tny_error *error)
{
  struct planner planner = {.problem = problem};
  *plan = tny_new(1, sizeof **plan);
  enum tny_status status = *plan ? TNY_OK : tny_error_memory(error);
  if (status == TNY_OK)
    status = tny_traffic_make(problem, &planner.traffic, error);
  if (status == TNY_OK)
    status = plan_messages(&planner, error);
  if (status == TNY_OK)
    status = make_plan(&planner, *plan, error);
  tny_traffic_release(&planner.traffic);
  tny_free(planner.order);
  tny_free(planner.wish);
  tny_free(planner.share);
  tny_free(planner.limit);
  tny_free(planner.best);
  tny_free(planner.draft.phase_of);
  if (status != TNY_OK) {
    tny_phase_plan_free(*plan);
    *plan = NULL;
  }
  return status;
}

void tny_phase_plan_free(struct tny_phase_plan *plan)
{
  if (!plan)
    return;
  tny_free(plan->first_send);
  tny_free(plan->first_receive);
  tny_free(plan->sends);
  tny_free(plan->receives);
  tny_free(plan);
}
