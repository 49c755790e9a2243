/* How long a plan would take: phase by phase, the fullest link of each, and for every round the
   latency of its longest way. All in whole numbers, so that every rank predicts the same. */
#include <tourney/model.h>

#include "cluster/route.h"
#include "core/alloc.h"
#include "core/error.h"
#include "model/predict.h"
#include "model/sample.h"

/* What isn't paced, and is more than a port buffer takes, loses frames, and TCP waits for its
   timer: measured on all-to-alls of 8 to 128 KiB, at least a quarter of a second, and 1.75 times as
   long.  */
enum { LOSS_NS = 250000000, LOSS_PERCENT = 75 };

/* Nanoseconds times bytes pass 64 bits. */
__extension__ typedef unsigned __int128 wide;

static uint64_t least_of(wide value)
{
  return value > UINT64_MAX ? UINT64_MAX : (uint64_t)value;
}

static uint64_t link_ns(uint64_t bandwidth_bps, wide bytes)
{
  return least_of(bytes * 8 * 1000000000 / bandwidth_bps);
}

/* Extrapolates a sum over the sample to all phases. */
static uint64_t scaled(const struct tny_messages *messages, uint64_t value)
{
  return least_of((wide)value * messages->total / messages->looked_at);
}

/* --- messages by zones --- */

/* Counts the messages from one zone to another. */
static enum tny_status count_inter_zone(const struct tny_placement *placement,
                                        const struct tny_messages *messages, uint64_t *count,
                                        struct tny_error *error)
{
  if (!placement || placement->zone_count < 2)
    return TNY_OK;
  uint32_t *zone_of = tny_new(placement->rank_count, sizeof *zone_of);
  if (!zone_of)
    return tny_error_memory(error);
  for (uint32_t zone = 0; zone < placement->zone_count; zone++)
    for (uint32_t i = placement->zone_first[zone]; i < placement->zone_first[zone + 1]; i++)
      zone_of[placement->order[i]] = zone;
  for (size_t i = 0; i < messages->count; i++)
    *count += zone_of[messages->list[i].from] != zone_of[messages->list[i].to];
  *count = scaled(messages, *count);
  tny_free(zone_of);
  return TNY_OK;
}

/* --- time by phases --- */

static int compare_phases(const void *a, const void *b)
{
  const struct tny_wire_message *x = a, *y = b;
  return (x->phase > y->phase) - (x->phase < y->phase);
}

/* Bytes by link: of all messages, and of the phase that is being added up, with the links that this
   one has used so far. */
struct loads {
  uint64_t *all, *phase; /* the second all zero between phases */
  uint32_t *used, used_count;
};

/* Of one phase: how long its fullest link is busy, and the latency of its longest route. */
struct phase_times {
  uint64_t busy_ns, route_ns;
};

static struct phase_times add_phase(const struct tny_network *network,
                                    const struct tny_wire_message *first,
                                    const struct tny_wire_message *end, struct loads *loads)
{
  const struct tny_link *links = network->routes->cluster->links;
  struct phase_times times = {0};
  for (const struct tny_wire_message *message = first; message < end; message++) {
    struct tny_route route = tny_route_begin(network, message->from, message->to);
    uint64_t latency_ns = 0;
    uint32_t link;
    while ((link = tny_route_next(&route)) != TNY_NONE) {
      if (loads->phase[link] == 0)
        loads->used[loads->used_count++] = link;
      loads->phase[link] += message->bytes;
      latency_ns += links[link].latency_ns;
    }
    times.route_ns = latency_ns > times.route_ns ? latency_ns : times.route_ns;
  }
  while (loads->used_count > 0) {
    const uint32_t link = loads->used[--loads->used_count];
    const uint64_t ns = link_ns(links[link].bandwidth_bps, loads->phase[link]);
    times.busy_ns = ns > times.busy_ns ? ns : times.busy_ns;
    loads->all[link] += loads->phase[link];
    loads->phase[link] = 0;
  }
  return times;
}

/* The times that the messages' links take. */
struct times {
  uint64_t phases_sum, phase_longest, fullest_link;
  uint64_t round_ns;  /* a message without its bytes, in a phase as they usually are: the mean */
  uint64_t window_ns; /* of the link that takes longest with a window of its port buffer */
  bool is_much;       /* on some link more than its port's buffer */
};

/* How long so many bytes take over a link where at most a port buffer's worth is in flight: a
   buffer's worth in each round trip. */
static uint64_t window_link_ns(const struct tny_link *link, wide bytes)
{
  return least_of(bytes * 2 * link->latency_ns / link->buffer_bytes);
}

static void add_phases(const struct tny_network *network, struct tny_messages *messages,
                       struct loads *loads, struct times *times)
{
  const struct tny_wire_message *end = messages->list + messages->count, *next;
  uint64_t phase_count = 0, routes_sum = 0, busy_sum = 0;
  qsort(messages->list, messages->count, sizeof *messages->list, compare_phases);
  for (const struct tny_wire_message *first = messages->list; first < end; first = next) {
    for (next = first + 1; next < end && next->phase == first->phase;)
      next++;
    const struct phase_times phase = add_phase(network, first, next, loads);
    busy_sum += phase.busy_ns;
    routes_sum += phase.route_ns;
    phase_count++;
    times->phase_longest =
        phase.busy_ns > times->phase_longest ? phase.busy_ns : times->phase_longest;
  }
  times->phases_sum = scaled(messages, busy_sum);
  times->round_ns += routes_sum / phase_count;
}

static enum tny_status add_up(const struct tny_network *network, struct tny_messages *messages,
                              struct times *times, struct tny_error *error)
{
  const struct tny_cluster *cluster = network->routes->cluster;
  struct loads loads = {.all = tny_new(cluster->link_count, sizeof *loads.all),
                        .phase = tny_new(cluster->link_count, sizeof *loads.phase),
                        .used = tny_new(cluster->link_count, sizeof *loads.used)};
  const bool has_room = loads.all && loads.phase && loads.used;
  if (has_room && messages->count > 0) {
    add_phases(network, messages, &loads, times);
    for (uint32_t link = 0; link < cluster->link_count; link++) {
      const uint64_t bytes = scaled(messages, loads.all[link]);
      const uint64_t ns = link_ns(cluster->links[link].bandwidth_bps, bytes);
      times->fullest_link = ns > times->fullest_link ? ns : times->fullest_link;
      const uint64_t window_ns = window_link_ns(&cluster->links[link], bytes);
      times->window_ns = window_ns > times->window_ns ? window_ns : times->window_ns;
      times->is_much = times->is_much || bytes > cluster->links[link].buffer_bytes;
    }
  }
  tny_free(loads.all);
  tny_free(loads.phase);
  tny_free(loads.used);
  return has_room ? TNY_OK : tny_error_memory(error);
}

/* --- time of the whole --- */

/* Where receives pace ranks, a chunk waits for the one a window ago: on long links that takes
   longer than the bytes. */
static uint64_t waiting_ns(const struct tny_subject *subject, uint64_t rounds_ns)
{
  const struct tny_pace *pace = &subject->pace;
  const bool by_receives = subject->algorithm->pacing == TNY_PACE_RECEIVES && pace->window > 0;
  if (!by_receives || !tny_is_cut_by_pass(subject->algorithm))
    return 0;
  return rounds_ns * pace->chunk_count / pace->window;
}

/* The first chunk of a pipeline goes through all its phases, and the others follow it one phase
   apart. */
static void settle(const struct tny_subject *subject, const struct times *times,
                   struct tny_prediction *prediction)
{
  const struct tny_algorithm *algorithm = subject->algorithm;
  const struct tny_claim claim = subject->whole_claim;
  const uint64_t hops = claim.rounds ? claim.rounds : claim.phases,
                 chunks = subject->pace.chunk_count;
  const uint64_t rounds_ns = (hops ? hops : 1) * times->round_ns;
  prediction->ns = times->phases_sum;
  if (claim.phases == 0)
    prediction->ns = times->fullest_link;
  else if (algorithm->cut == TNY_CUT_PIPELINED)
    prediction->ns = times->phase_longest / chunks * (chunks + claim.phases - 1);
  if (prediction->ns < times->fullest_link)
    prediction->ns = times->fullest_link;
  prediction->ns += rounds_ns;
  const uint64_t waiting = waiting_ns(subject, rounds_ns);
  if (prediction->ns < waiting)
    prediction->ns = waiting;
  if (subject->pace.limit_message_bytes > 0 && prediction->ns < times->window_ns)
    prediction->ns = times->window_ns;
  if (algorithm->pacing == TNY_PACE_NONE && times->is_much) {
    const uint64_t longer = prediction->ns / 100 * LOSS_PERCENT;
    prediction->ns += longer > LOSS_NS ? longer : LOSS_NS;
  }
}

static enum tny_status predict_messages(const struct tny_model *model,
                                        const struct tny_subject *subject,
                                        struct tny_messages *messages,
                                        struct tny_prediction *prediction, struct tny_error *error)
{
  struct times times = {.round_ns = model->software_ns};
  enum tny_status status = add_up(subject->problem->network, messages, &times, error);
  if (status == TNY_OK)
    status = count_inter_zone(subject->problem->placement, messages,
                              &prediction->inter_zone_messages, error);
  if (status == TNY_OK)
    settle(subject, &times, prediction);
  prediction->message_bytes_max = messages->bytes_max;
  return status;
}

/* The messages of a phase that a link has at most, as promised; 0 where nothing paces the senders,
   for then phases run into each other. */
static uint32_t promised_messages(const struct tny_subject *subject)
{
  if (subject->algorithm->pacing == TNY_PACE_NONE)
    return 0;
  return tny_promised_messages(&subject->whole_claim, &subject->whole,
                               subject->whole.network->routes->cluster);
}

/* Predicts from the promise that so many messages share a link in a phase: as if the slowest link
   had so many in every phase, and every phase the longest route. */
static void predict_promised(const struct tny_model *model, const struct tny_subject *subject,
                             uint64_t messages, struct tny_prediction *prediction)
{
  const struct tny_claim claim = subject->paced_claim;
  const uint32_t chunks = subject->pace.chunk_count;
  const uint64_t bytes = tny_wire_bytes(subject->block_bytes, chunks) / subject->paced.piece_count;
  struct times times = {.round_ns = model->step_ns};
  times.phase_longest = link_ns(model->link_bps, (wide)bytes * messages);
  times.phases_sum = link_ns(model->link_bps, (wide)bytes * messages * claim.phases);
  times.fullest_link = times.phase_longest;
  const struct tny_cluster *cluster = subject->problem->network->routes->cluster;
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    const wide all = (wide)bytes * messages * claim.phases;
    const uint64_t window_ns = window_link_ns(&cluster->links[link], all);
    times.window_ns = window_ns > times.window_ns ? window_ns : times.window_ns;
  }
  prediction->message_bytes_max = subject->block_bytes / chunks;
  if (subject->problem->placement->zone_count > 1)
    prediction->inter_zone_messages = tny_claimed_messages(&claim, subject->problem->rank_count);
  settle(subject, &times, prediction);
}

/* --- all or some --- */

enum tny_status tny_subject_pace(const struct tny_model *model, struct tny_subject *subject,
                                 struct tny_error *error)
{
  uint64_t chunk_budget_bytes;
  const struct tny_problem *problem = subject->problem;
  const enum tny_status status = tny_model_chunk_budget(
      subject->algorithm, problem, problem->network, &chunk_budget_bytes, error);
  if (status == TNY_OK)
    tny_subject_set_pace(subject, tny_model_pace(model, subject->algorithm, problem,
                                                 chunk_budget_bytes, subject->block_bytes));
  return status;
}

enum tny_status tny_predict_exactly(const struct tny_model *model,
                                    const struct tny_subject *subject,
                                    struct tny_prediction *prediction, struct tny_error *error)
{
  struct tny_messages messages;
  *prediction = (struct tny_prediction){0};
  if (subject->problem->rank_count < 2)
    return TNY_OK;
  enum tny_status status = tny_messages_collect(subject, &messages, error);
  if (status == TNY_OK)
    status = predict_messages(model, subject, &messages, prediction, error);
  tny_messages_release(&messages);
  return status;
}

/* The pieces that a plan of so many steps at most has room for, if they are enough to see what all
   do; else 0. Where pieces follow each other like the chunks of a pipeline, every rank must have
   its first one before the last one starts; where the phases are as many for each, a few do. */
static uint32_t pieces_in(const struct tny_subject *subject, struct tny_steps_room room)
{
  const struct tny_algorithm *algorithm = subject->algorithm;
  if (algorithm->cut != TNY_CUT_OWN || algorithm->pacing == TNY_PACE_NONE)
    return 0;
  const uint64_t wanted = least_of((wide)subject->pace.chunk_count * room.most / room.needed);
  const uint64_t least = tny_has_phases_for_each(subject) ? 1 : subject->whole_claim.phases;
  const uint32_t pieces =
      tny_plan_problem(algorithm, subject->problem, (uint32_t)wanted).piece_count;
  return wanted >= least && pieces <= wanted ? pieces : 0;
}

bool tny_can_estimate(const struct tny_subject *subject, struct tny_steps_room room)
{
  return subject->algorithm->peer || promised_messages(subject) > 0 || pieces_in(subject, room) > 0;
}

enum tny_status tny_predict_roughly(const struct tny_model *model,
                                    const struct tny_subject *subject, struct tny_steps_room room,
                                    struct tny_prediction *prediction, struct tny_error *error)
{
  struct tny_messages messages = {0};
  enum tny_status status = TNY_OK;
  const bool has_peer = subject->algorithm->peer;
  const uint32_t pieces = has_peer ? 0 : pieces_in(subject, room);
  *prediction = (struct tny_prediction){.is_estimate = true};
  if (has_peer)
    status = tny_messages_sample(subject, &messages, error);
  else if (pieces > 0)
    status = tny_messages_of_pieces(subject, pieces, &messages, error);
  else
    predict_promised(model, subject, promised_messages(subject), prediction);
  if (status == TNY_OK && messages.looked_at > 0)
    status = predict_messages(model, subject, &messages, prediction, error);
  tny_messages_release(&messages);
  return status;
}
