/* Phases for messages: first fit in a few orders, then repair.

   First fit takes the messages in an order and gives each the first phase in which all of its
   tracks are free. One order takes messages with many tracks first and equal ones at random, as
   messages with few tracks find room between others. Another is the order of the shift exchange,
   all ranks to the next one, then all to the one after, ...: it is exact on a single switch, and on
   networks that behave like one (fat trees). On tori, messages first get their preferred phases
   (preferred_phases.h) as far as these are free, and then first fit.

   Where that takes more phases than the most loaded track has messages, repair.h empties phase
   after phase, within a fixed effort: for the best order, and for one that comes near it.

   Where messages are uneven, longer ones come first. A phase lasts as long as its longest message.
   In any plan, the i-th longest phase lasts at least as long as the i-th longest message of any
   track. */
#include "planner/phases/planner.h"

#include <stdlib.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/random.h"
#include "planner/phases/preferred_phases.h"
#include "planner/phases/repair.h"
#include "planner/position.h"

enum order { BY_PREFERENCE, BY_TRACKS, BY_SHIFT, ORDERS };

/* Looks, of a nanosecond each or a few. */
enum { EFFORT_LEAST = 5000000, EFFORT_A_MESSAGE = 2000, EFFORT_MOST = 200000000 };
enum { ENOUGH = 100 }; /* what is longer than the least by 1 of 100 isn't worth more effort */

/* How long phases last together; messages where all are even. */
struct length {
  uint32_t phases; /* 0: none were made */
  uint64_t bytes;
};

struct planner {
  const struct tny_problem *problem;
  struct tny_traffic traffic;
  struct tny_draft draft;
  uint32_t *order;     /* messages */
  uint32_t *preferred; /* by message; NULL: none */
  uint64_t bytes_least, bytes_enough;
  struct length made; /* by the last try */
  uint32_t *best;     /* phase by message */
  struct length kept; /* of the best */
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
    const uint32_t *positions = tny_problem_positions(planner->problem);
    const uint32_t p = planner->problem->rank_count;
    const uint32_t from = tny_position_of(positions, traffic->from[message]);
    const uint32_t to = tny_position_of(positions, traffic->to[message]);
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

/* The least time that the phases can take together: for each of the fewest phases, the longest of
   the messages that are the i-th longest on their tracks. */
static enum tny_status find_least(struct planner *planner, struct tny_error *error)
{
  const struct tny_traffic *traffic = &planner->traffic;
  planner->bytes_least = traffic->most;
  if (!traffic->bytes)
    return TNY_OK;
  uint64_t *longest = tny_new(traffic->most, sizeof *longest);
  uint32_t *on_track = tny_new(traffic->track_count, sizeof *on_track);
  enum tny_status status = longest && on_track ? TNY_OK : tny_error_memory(error);
  if (status == TNY_OK)
    status = sort_messages(planner, BY_TRACKS, error);
  for (uint32_t i = 0; status == TNY_OK && i < traffic->count; i++) {
    const struct tny_tracks tracks = tny_traffic_tracks(traffic, planner->order[i]);
    const uint64_t bytes = traffic->bytes[planner->order[i]];
    for (uint32_t k = 0; k < tracks.count; k++) {
      const uint32_t index = on_track[tracks.at[k]]++;
      longest[index] = bytes > longest[index] ? bytes : longest[index];
    }
  }
  planner->bytes_least = 0;
  for (uint32_t index = 0; status == TNY_OK && index < traffic->most; index++)
    planner->bytes_least += longest[index];
  tny_free(longest);
  tny_free(on_track);
  return status;
}

/* --- a try --- */

static enum tny_status make_room_for(struct tny_board *board, uint32_t phase,
                                     struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  while (status == TNY_OK && phase >= tny_board_room(board))
    status = tny_board_grow(board, error);
  return status;
}

static enum tny_status place_preferred(struct planner *planner, struct tny_error *error)
{
  struct tny_board *board = &planner->draft.board;
  enum tny_status status = TNY_OK;
  for (uint32_t message = 0; status == TNY_OK && message < planner->traffic.count; message++) {
    const struct tny_tracks tracks = tny_traffic_tracks(&planner->traffic, message);
    const uint32_t preferred = planner->preferred[message];
    if (preferred == TNY_NONE)
      continue;
    status = make_room_for(board, preferred, error);
    if (status == TNY_OK && tny_board_is_free(board, tracks, preferred))
      tny_draft_put(&planner->draft, message, preferred);
  }
  return status;
}

/* Gives all that have none the first phase. */
static enum tny_status first_fit(struct planner *planner, struct tny_error *error)
{
  struct tny_board *board = &planner->draft.board;
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; status == TNY_OK && i < planner->traffic.count; i++) {
    const uint32_t message = planner->order[i];
    if (planner->draft.phase_of[message] != TNY_NONE)
      continue;
    const uint32_t phase = tny_board_find(board, tny_traffic_tracks(&planner->traffic, message));
    status = make_room_for(board, phase, error);
    if (status == TNY_OK)
      tny_draft_put(&planner->draft, message, phase);
  }
  return status;
}

/* Numbers the phases that are in use without gaps, and measures them. */
static enum tny_status measure(struct planner *planner, struct tny_error *error)
{
  const struct tny_traffic *traffic = &planner->traffic;
  const uint32_t room = tny_board_room(&planner->draft.board);
  uint32_t *phase_of = planner->draft.phase_of;
  uint64_t *longest = tny_new(room, sizeof *longest);
  uint32_t *number = tny_new(room, sizeof *number);
  planner->made = (struct length){0};
  for (uint32_t i = 0; longest && number && i < traffic->count; i++)
    if (tny_traffic_bytes(traffic, i) > longest[phase_of[i]])
      longest[phase_of[i]] = tny_traffic_bytes(traffic, i);
  for (uint32_t phase = 0; longest && number && phase < room; phase++) {
    number[phase] = planner->made.phases;
    planner->made.phases += longest[phase] > 0;
    planner->made.bytes += longest[phase];
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
  const struct length *made = &planner->made, *kept = &planner->kept;
  if (kept->phases > 0 &&
      (made->bytes > kept->bytes || (made->bytes == kept->bytes && made->phases >= kept->phases)))
    return;
  uint32_t *worse = planner->best;
  planner->best = planner->draft.phase_of;
  planner->draft.phase_of = worse;
  planner->kept = planner->made;
}

/* Places all messages in that order, and with effort in fewer phases. */
static enum tny_status place_all(struct planner *planner, uint64_t effort, struct tny_error *error)
{
  const struct tny_traffic *traffic = &planner->traffic;
  struct tny_draft *draft = &planner->draft;
  for (uint32_t i = 0; i < traffic->count; i++)
    draft->phase_of[i] = TNY_NONE;
  enum tny_status status =
      tny_board_init(&draft->board, traffic->track_count, traffic->most + traffic->most / 8, error);
  if (status == TNY_OK && planner->preferred)
    status = place_preferred(planner, error);
  if (status == TNY_OK)
    status = first_fit(planner, error);
  if (status == TNY_OK && effort > 0)
    status = tny_draft_tighten(draft, planner->bytes_enough, effort, error);
  if (status == TNY_OK)
    status = measure(planner, error);
  if (status == TNY_OK)
    keep_the_better(planner);
  tny_board_release(&draft->board);
  return status;
}

/* --- tries --- */

static bool is_close(const struct planner *planner)
{
  return planner->kept.phases > 0 && planner->kept.bytes <= planner->bytes_enough;
}

static bool suits(const struct planner *planner, enum order order)
{
  if (order == BY_PREFERENCE)
    return !planner->traffic.bytes && tny_preferred_phases_exist(planner->problem);
  return order == BY_TRACKS || !planner->traffic.bytes;
}

static enum tny_status try_order(struct planner *planner, enum order order, uint64_t effort,
                                 struct tny_error *error)
{
  tny_free(planner->preferred);
  planner->preferred = NULL;
  enum tny_status status = sort_messages(planner, order, error);
  if (status == TNY_OK && order == BY_PREFERENCE) {
    planner->preferred = tny_new(planner->traffic.count, sizeof *planner->preferred);
    status = planner->preferred ? tny_preferred_phases_make(planner->problem, &planner->traffic,
                                                            planner->preferred, error)
                                : tny_error_memory(error);
  }
  return status == TNY_OK ? place_all(planner, effort, error) : status;
}

/* First fit in every order that suits; then effort for the best of them, and for the order by
   tracks where it comes near. */
static enum tny_status try_all(struct planner *planner, struct tny_error *error)
{
  struct length made[ORDERS] = {{0}};
  enum tny_status status = TNY_OK;
  enum order best = BY_TRACKS;
  for (enum order order = 0; status == TNY_OK && order < ORDERS && !is_close(planner); order++) {
    if (!suits(planner, order))
      continue;
    status = try_order(planner, order, 0, error);
    made[order] = planner->made;
    if (made[best].phases == 0 || made[order].bytes < made[best].bytes)
      best = order;
  }
  const uint64_t near = made[best].bytes + made[best].bytes / 10;
  uint64_t effort = EFFORT_LEAST + EFFORT_A_MESSAGE * (uint64_t)planner->traffic.count;
  effort = effort < EFFORT_MOST ? effort : EFFORT_MOST;
  if (status == TNY_OK && !is_close(planner))
    status = try_order(planner, best, effort, error);
  if (status == TNY_OK && !is_close(planner) && best != BY_TRACKS && made[BY_TRACKS].bytes <= near)
    status = try_order(planner, BY_TRACKS, effort, error);
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
  /* Now each entry has the begin of its rank's messages, one index too far. */
  memmove(plan->first_send, plan->first_send + 1, plan->rank_count * sizeof *plan->first_send);
  memmove(plan->first_receive, plan->first_receive + 1,
          plan->rank_count * sizeof *plan->first_receive);
  plan->first_send[plan->rank_count] = plan->first_receive[plan->rank_count] = traffic->count;
}

/* Messages by phase, by counting; `count` has an entry for each phase and one more, all 0. */
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
  planner->best = tny_new(count, sizeof *planner->best);
  planner->draft.phase_of = tny_new(count, sizeof *planner->draft.phase_of);
  planner->draft.traffic = &planner->traffic;
  if (!planner->order || !planner->best || !planner->draft.phase_of)
    return tny_error_memory(error);
  if (count == 0)
    return TNY_OK;
  const enum tny_status status = find_least(planner, error);
  planner->bytes_enough = planner->bytes_least + planner->bytes_least / ENOUGH;
  return status == TNY_OK ? try_all(planner, error) : status;
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
  tny_free(planner.preferred);
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
