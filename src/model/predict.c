/* How long a plan would take: phase by phase, the fullest link of each, and a step's latency for
   every round. All in whole numbers, so that every rank predicts the same. */
#include <tourney/model.h>

#include "cluster/route.h"
#include "core/alloc.h"
#include "core/error.h"

enum { /* what bytes cost beside, on an Ethernet under TCP */
       FRAME_BYTES = 1448,
       FRAME_COST_BYTES = 66,
       MESSAGE_COST_BYTES = 40, /* MPI's own header */
};

/* What nothing holds back and no buffer can take loses frames, and TCP waits them out: measured on
   all-to-alls of 8 to 128 KiB, at least a quarter of a second, and 1.75 times as long. */
enum { LOSS_NS = 250000000, LOSS_PERCENT = 75 };

/* Nanoseconds times bytes pass 64 bits. */
__extension__ typedef unsigned __int128 wide;

struct message {
  uint32_t phase, from, to;
  uint64_t bytes; /* on the wire */
};

struct messages {
  struct message *list;
  size_t count, room;
  uint64_t bytes_max; /* in one that travels as it is */
};

static uint64_t link_ns(const struct tny_link *link, uint64_t bytes)
{
  const wide ns = (wide)bytes * 8 * 1000000000 / link->bandwidth_bps;
  return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

/* A message on the wire, sent in so many chunks. */
static uint64_t wire_bytes(uint64_t bytes, uint32_t chunks)
{
  const uint64_t frames = bytes / chunks / FRAME_BYTES + 1;
  return bytes + chunks * (MESSAGE_COST_BYTES + frames * FRAME_COST_BYTES);
}

static bool is_cut_by_pass(const struct tny_algorithm *algorithm)
{
  return algorithm->cut != TNY_CUT_NEVER && algorithm->cut != TNY_CUT_OWN;
}

/* What is predicted, and in how many chunks. */
struct question {
  const struct tny_algorithm *algorithm;
  const struct tny_problem *problem;
  uint64_t block_bytes;
  struct tny_pace pace;
};

static enum tny_status make_room(struct messages *messages, size_t more, struct tny_error *error)
{
  if (messages->room - messages->count >= more)
    return TNY_OK;
  const size_t room = 2 * messages->room + more;
  struct message *list = tny_resize(messages->list, room, sizeof *list);
  if (!list)
    return tny_error_memory(error);
  messages->list = list;
  messages->room = room;
  return TNY_OK;
}

/* Adds what a rank sends. Where the pass would cut its messages they are looked at whole: their
   chunks go the same way. */
static enum tny_status add_rank(const struct question *question, uint32_t rank,
                                struct messages *messages, struct tny_error *error)
{
  struct tny_steps steps;
  const bool by_pass = is_cut_by_pass(question->algorithm);
  const uint32_t chunks = by_pass ? question->pace.chunk_count : 1;
  const struct tny_pace pace = {.chunk_count = by_pass ? 1 : question->pace.chunk_count};
  enum tny_status status =
      tny_plan_rank(question->algorithm, question->problem, pace, rank, &steps, error);
  if (status != TNY_OK)
    return status;
  status = make_room(messages, steps.count, error);
  for (uint32_t i = 0; status == TNY_OK && i < steps.count; i++) {
    const struct tny_step *step = &steps.steps[i];
    if (step->kind != TNY_SEND)
      continue;
    const uint64_t bytes = tny_span_bytes(&step->span, question->block_bytes);
    messages->list[messages->count++] =
        (struct message){step->phase, rank, step->peer, wire_bytes(bytes, chunks)};
    if (bytes / chunks > messages->bytes_max)
      messages->bytes_max = bytes / chunks;
  }
  tny_steps_release(&steps);
  return status;
}

/* How many messages go from one zone to another. */
static enum tny_status count_wide(const struct tny_placement *placement,
                                  const struct messages *messages, uint64_t *count,
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
  tny_free(zone_of);
  return TNY_OK;
}

static int compare_phases(const void *a, const void *b)
{
  const struct message *x = a, *y = b;
  return (x->phase > y->phase) - (x->phase < y->phase);
}

/* Bytes by link: of all messages, and of the phase that is being added up. */
struct loads {
  uint64_t *all, *phase; /* the second all zero between phases */
};

/* Adds the messages of one phase; returns how long its fullest link is busy. */
static uint64_t phase_ns(const struct tny_network *network, const struct message *first,
                         const struct message *end, const struct loads *loads)
{
  const struct tny_link *links = network->routes->cluster->links;
  uint64_t longest = 0;
  uint32_t link;
  for (const struct message *message = first; message < end; message++) {
    struct tny_route route = tny_route_begin(network, message->from, message->to);
    while ((link = tny_route_next(&route)) != TNY_NONE) {
      loads->all[link] += message->bytes;
      loads->phase[link] += message->bytes;
      const uint64_t ns = link_ns(&links[link], loads->phase[link]);
      longest = ns > longest ? ns : longest;
    }
  }
  for (const struct message *message = first; message < end; message++) {
    struct tny_route route = tny_route_begin(network, message->from, message->to);
    while ((link = tny_route_next(&route)) != TNY_NONE)
      loads->phase[link] = 0;
  }
  return longest;
}

/* The times that the messages' links take. */
struct times {
  uint64_t phases_sum, phase_longest, fullest_link;
  bool is_much; /* on some link more than its port's buffer */
};

static enum tny_status add_up(const struct tny_network *network, struct messages *messages,
                              struct times *times, struct tny_error *error)
{
  const struct tny_cluster *cluster = network->routes->cluster;
  struct loads loads = {.all = tny_new(cluster->link_count, sizeof *loads.all),
                        .phase = tny_new(cluster->link_count, sizeof *loads.phase)};
  const bool has_room = loads.all && loads.phase;
  if (has_room && messages->count > 0) {
    const struct message *end = messages->list + messages->count, *next;
    qsort(messages->list, messages->count, sizeof *messages->list, compare_phases);
    for (const struct message *first = messages->list; first < end; first = next) {
      for (next = first + 1; next < end && next->phase == first->phase;)
        next++;
      const uint64_t ns = phase_ns(network, first, next, &loads);
      times->phases_sum += ns;
      times->phase_longest = ns > times->phase_longest ? ns : times->phase_longest;
    }
    for (uint32_t link = 0; link < cluster->link_count; link++) {
      const uint64_t ns = link_ns(&cluster->links[link], loads.all[link]);
      times->fullest_link = ns > times->fullest_link ? ns : times->fullest_link;
      times->is_much = times->is_much || loads.all[link] > cluster->links[link].buffer_bytes;
    }
  }
  tny_free(loads.all);
  tny_free(loads.phase);
  return has_room ? TNY_OK : tny_error_memory(error);
}

/* Where receives are the clock, a chunk waits for the one a window ago: on long links that takes
   longer than the bytes. */
static uint64_t waiting_ns(const struct tny_model *model, const struct question *question,
                           uint64_t hops)
{
  const struct tny_pace *pace = &question->pace;
  const bool by_receives = question->algorithm->pacing == TNY_PACE_RECEIVES && pace->window > 0;
  if (!by_receives || !is_cut_by_pass(question->algorithm))
    return 0;
  return hops * pace->chunk_count / pace->window * model->step_ns;
}

/* The first chunk of a pipeline goes through all its phases, and the others follow it one phase
   apart. */
static void settle(const struct tny_model *model, const struct question *question,
                   const struct times *times, struct tny_prediction *prediction)
{
  const struct tny_problem whole = tny_plan_problem(question->algorithm, question->problem, 1);
  const struct tny_claim claim = question->algorithm->claim(&whole);
  const uint64_t hops = claim.rounds ? claim.rounds : claim.phases,
                 chunks = question->pace.chunk_count;
  prediction->link_ns = times->fullest_link;
  prediction->ns = times->phases_sum;
  if (claim.phases == 0)
    prediction->ns = times->fullest_link;
  else if (question->algorithm->cut == TNY_CUT_PIPELINED)
    prediction->ns = times->phase_longest / chunks * (chunks + claim.phases - 1);
  if (prediction->ns < prediction->link_ns)
    prediction->ns = prediction->link_ns;
  prediction->ns += (hops ? hops : 1) * model->step_ns;
  const uint64_t waiting = waiting_ns(model, question, hops);
  if (prediction->ns < waiting)
    prediction->ns = waiting;
  if (question->algorithm->pacing == TNY_PACE_NONE && times->is_much) {
    const uint64_t longer = prediction->ns / 100 * LOSS_PERCENT;
    prediction->ns += longer > LOSS_NS ? longer : LOSS_NS;
  }
}

enum tny_status tny_model_predict(const struct tny_model *model,
                                  const struct tny_algorithm *algorithm,
                                  const struct tny_problem *problem, uint64_t block_bytes,
                                  struct tny_prediction *prediction, struct tny_error *error)
{
  uint64_t slot_bytes;
  *prediction = (struct tny_prediction){0};
  enum tny_status status =
      tny_model_slot_bytes(algorithm, problem, problem->network, &slot_bytes, error);
  if (status != TNY_OK || problem->rank_count < 2)
    return status;
  struct messages messages = {0};
  struct times times = {0};
  const struct tny_pace pace = tny_model_pace(model, algorithm, problem, slot_bytes, block_bytes);
  const struct question question = {algorithm, problem, block_bytes, pace};
  prediction->footprint = tny_model_footprint(model, algorithm, problem, &pace, block_bytes);
  for (uint32_t rank = 0; status == TNY_OK && rank < problem->rank_count; rank++)
    status = add_rank(&question, rank, &messages, error);
  if (status == TNY_OK)
    status = add_up(problem->network, &messages, &times, error);
  if (status == TNY_OK)
    status = count_wide(problem->placement, &messages, &prediction->wide_messages, error);
  if (status == TNY_OK)
    settle(model, &question, &times, prediction);
  prediction->message_bytes_max = messages.bytes_max;
  tny_free(messages.list);
  return status;
}
