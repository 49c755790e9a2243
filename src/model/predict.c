/* How long a plan would take: phase by phase, the fullest link of each, and for every round the
   latency of its ways. All in whole numbers, so that every rank predicts the same. */
#include <tourney/model.h>

#include "cluster/links.h"
#include "cluster/route.h"
#include "core/alloc.h"
#include "core/error.h"
#include "model/chain.h"
#include "model/cost.h"
#include "model/loads.h"
#include "model/predict.h"
#include "model/sample.h"

enum {
  /* What isn't paced, and is more than a port buffer takes, loses frames, and TCP waits for its
     timer: measured on all-to-alls of 8 to 128 KiB, at least a quarter of a second. */
  LOSS_NS = 250000000,
  /* And such all-to-alls take so much longer, with and without losses; those with phases that
     nothing holds apart this much (8 hosts at 1 Gbit/s, buffers of 8 MiB, 16 and 64 KiB). */
  CROWDED_PERCENT = 75,
  UNLIMITED_PERCENT = 40,
  CROWDED_BYTES =
      10 * TNY_FRAME_BYTES, /* what TCP sends at once; for shorter blocks less happens */
};

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
  *count = tny_messages_scaled(messages, *count);
  tny_free(zone_of);
  return TNY_OK;
}

/* --- time of the whole --- */

/* Where receives pace ranks, a chunk waits for the one a window ago, and where credits do, for the
   answer to that: on long links this takes longer than the bytes. Answers are counted between
   zones; elsewhere they come while the rank has other chunks to send. */
static uint64_t waiting_ns(const struct tny_subject *subject, const struct tny_busy_times *times,
                           uint64_t rounds_ns)
{
  const struct tny_pace *pace = &subject->pace;
  const struct tny_placement *placement = subject->problem->placement;
  if (pace->window == 0)
    return 0;
  if (tny_pacing_is_by_credits(subject->algorithm->pacing))
    return placement && placement->zone_count > 1 ? times->answers_ns / pace->window : 0;
  const bool by_receives = subject->algorithm->pacing == TNY_PACE_RECEIVES;
  return by_receives && tny_is_cut_by_pass(subject->algorithm)
             ? rounds_ns * pace->chunk_count / pace->window
             : 0;
}

/* Where ranks send no blocks but their own, none waits for another's data: then a window of chunks,
   or of the links, lets ranks run ahead of the phase. */
static bool is_windowed(const struct tny_subject *subject)
{
  const struct tny_algorithm *algorithm = subject->algorithm;
  const bool is_direct = tny_collective_is_pairwise(algorithm->collective) &&
                         subject->whole_claim.blocks_sent_max < subject->problem->rank_count;
  const bool has_window = subject->pace.window > 0 || subject->pace.limit_message_bytes > 0;
  return is_direct && has_window && tny_is_cut_by_pass(algorithm);
}

/* Do phases run into each other without a loss? They do where ranks may be more than a phase ahead
   and half of every buffer has room for the windows of all: then only the fullest link counts
   (mesh:2x4 and fattree:4 at 1 Gbit/s, buffers of 8 MiB: a shuffle of 64 KiB reaches 90 % of that,
   though its phases add up to 1.5 times as much). */
static bool runs_free(const struct tny_subject *subject)
{
  const struct tny_pace *pace = &subject->pace;
  const uint64_t all_bytes =
      (subject->block_bytes / pace->chunk_count + 1) * pace->window * subject->problem->rank_count;
  return is_windowed(subject) && pace->window > 1 &&
         all_bytes <= tny_cluster_least_buffer(subject->problem->network->routes->cluster) / 2;
}

/* What isn't paced, or has phases but no limit that holds them apart since buffers have room for
   all: messages meet, and TCP shares links among them less well than they are filled one by one.
   Short ones are over before. Percent of the time. */
static uint64_t crowding_percent(const struct tny_subject *subject,
                                 const struct tny_busy_times *times)
{
  if (subject->block_bytes <= CROWDED_BYTES ||
      !tny_collective_is_pairwise(subject->algorithm->collective))
    return times->is_much && subject->algorithm->pacing == TNY_PACE_NONE ? CROWDED_PERCENT : 0;
  if (subject->algorithm->pacing == TNY_PACE_NONE)
    return CROWDED_PERCENT;
  const bool is_unlimited = subject->pace.window == 0 && !times->is_much;
  return is_unlimited ? UNLIMITED_PERCENT : 0;
}

/* What comes beside the bytes: a rank waits in each round for what the round before brings. A
   window covers the rounds; then only the last one's latency is seen. */
static uint64_t latency_ns(const struct tny_subject *subject, const struct tny_busy_times *times,
                           uint64_t rounds_ns)
{
  const uint64_t longest_ns = times->latency_longest;
  return is_windowed(subject) || rounds_ns < longest_ns ? longest_ns : rounds_ns;
}

/* The first chunk of a pipeline goes through all its phases, and the others follow it one phase
   apart. */
static void settle(const struct tny_subject *subject, const struct tny_busy_times *times,
                   struct tny_prediction *prediction)
{
  const struct tny_algorithm *algorithm = subject->algorithm;
  const struct tny_claim claim = subject->whole_claim;
  const uint64_t hops = claim.rounds ? claim.rounds : claim.phases,
                 chunks = subject->pace.chunk_count;
  const uint64_t pipelines = tny_collective_shares_result(algorithm->collective) ? 2 : 1;
  const uint64_t rounds_ns = (hops ? hops : 1) * times->latency_ns;
  prediction->ns = times->phases_sum;
  if (claim.phases == 0 || runs_free(subject))
    prediction->ns = times->fullest_link;
  else if (tny_algorithm_origin(algorithm)->cut == TNY_CUT_PIPELINED)
    prediction->ns = times->phase_longest / chunks * (pipelines * chunks + claim.phases - 1);
  if (prediction->ns < times->fullest_link)
    prediction->ns = times->fullest_link;
  prediction->ns += latency_ns(subject, times, rounds_ns);
  if (prediction->ns < times->busiest_rank)
    prediction->ns = times->busiest_rank;
  const uint64_t waiting = waiting_ns(subject, times, rounds_ns);
  if (prediction->ns < waiting)
    prediction->ns = waiting;
  if (subject->pace.limit_message_bytes > 0 && prediction->ns < times->window_ns)
    prediction->ns = times->window_ns;
  const uint64_t longer = prediction->ns / 100 * crowding_percent(subject, times);
  const bool has_losses = algorithm->pacing == TNY_PACE_NONE && times->is_much;
  prediction->ns += has_losses && longer < LOSS_NS ? LOSS_NS : longer;
}

/* Where no rank has data, the longest chain of messages is all that counts, but for their headers,
   phase by phase. */
static enum tny_status settle_chain(const struct tny_model *model,
                                    const struct tny_subject *subject,
                                    const struct tny_busy_times *times,
                                    struct tny_prediction *prediction, struct tny_error *error)
{
  uint64_t chain_ns = 0;
  const enum tny_status status = tny_chain_ns(model, subject, &chain_ns, error);
  prediction->ns = times->phases_sum + chain_ns;
  return status;
}

static enum tny_status predict_messages(const struct tny_model *model,
                                        const struct tny_subject *subject,
                                        struct tny_messages *messages,
                                        struct tny_prediction *prediction, struct tny_error *error)
{
  struct tny_busy_times times;
  enum tny_status status =
      tny_busy_times_add_up(model, subject->problem->network, messages, &times, error);
  if (status == TNY_OK)
    status = count_inter_zone(subject->problem->placement, messages,
                              &prediction->inter_zone_messages, error);
  if (prediction->is_estimate) /* as if one rank sent every other chunk to one other */
    times.answers_ns = (times.latency_longest - model->software_ns) * subject->pace.chunk_count;
  const bool is_chain =
      !prediction->is_estimate && tny_collective_synchronizes(subject->algorithm->collective);
  if (status == TNY_OK && is_chain)
    status = settle_chain(model, subject, &times, prediction, error);
  else if (status == TNY_OK)
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

/* How long a rank takes for as many messages as one sends or gets at most, by what the algorithm
   claims. Of a broadcast, every rank receives each piece, and most send as many. */
static uint64_t claimed_rank_ns(const struct tny_model *model, const struct tny_subject *subject)
{
  const uint32_t chunks = subject->pace.chunk_count;
  const struct tny_claim *claim = &subject->paced_claim;
  const uint64_t blocks = claim->blocks_sent_max > claim->blocks_received_max
                              ? claim->blocks_sent_max
                              : claim->blocks_received_max;
  tny_wide messages = (tny_wide)blocks * chunks / subject->paced.piece_count;
  if (tny_collective_is_one_message(subject->algorithm->collective) && messages < chunks)
    messages = chunks;
  const uint64_t bytes = subject->block_bytes / chunks;
  const bool combines = tny_collective_reduces(subject->algorithm->collective);
  return tny_narrow(messages * (tny_rank_ns(&model->machine, bytes) +
                                (combines ? tny_combine_ns(&model->machine, bytes) : 0)));
}

/* Predicts from the promise that so many messages share a link in a phase: as if the slowest link
   had so many in every phase, and every phase the longest route. */
static void predict_promised(const struct tny_model *model, const struct tny_subject *subject,
                             uint64_t messages, struct tny_prediction *prediction)
{
  const struct tny_claim claim = subject->paced_claim;
  const uint32_t chunks = subject->pace.chunk_count;
  const uint64_t bytes = tny_wire_bytes(subject->block_bytes, chunks) / subject->paced.piece_count;
  struct tny_busy_times times = {.latency_ns = model->step_ns,
                                 .latency_longest = model->step_ns,
                                 .answers_ns = (model->step_ns - model->software_ns) * chunks,
                                 .phase_longest =
                                     tny_link_ns(model->link_bps, (tny_wide)bytes * messages),
                                 .busiest_rank = claimed_rank_ns(model, subject)};
  times.phases_sum = tny_narrow((tny_wide)times.phase_longest * claim.phases);
  times.fullest_link = times.phase_longest;
  const struct tny_cluster *cluster = subject->problem->network->routes->cluster;
  const uint64_t all_bytes = tny_narrow((tny_wide)bytes * messages * claim.phases);
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    const uint64_t window_ns = tny_window_ns(&cluster->links[link], all_bytes);
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
  const uint64_t wanted = tny_narrow((tny_wide)subject->pace.chunk_count * room.most / room.needed);
  const uint64_t least = tny_has_phases_for_each(subject) ? 1 : subject->whole_claim.phases;
  const uint32_t pieces =
      tny_plan_problem(algorithm, subject->problem, (uint32_t)wanted).piece_count;
  return wanted >= least && pieces <= wanted ? pieces : 0;
}

/* From the messages of some phases? */
static bool is_sampled(const struct tny_subject *subject)
{
  return tny_algorithm_origin(subject->algorithm)->peer;
}

bool tny_can_estimate(const struct tny_subject *subject, struct tny_steps_room room)
{
  struct tny_problem problem;
  const struct tny_subject origin = tny_subject_origin(subject, &problem);
  if (is_sampled(subject))
    return true;
  if (subject->algorithm->mirrors && !tny_goes_back_alike(&origin))
    return false;
  return promised_messages(&origin) > 0 || pieces_in(&origin, room) > 0;
}

/* All messages of a plan by sizes, which are as many as room is for and so much longer: its phases
   aren't the same again for each piece, and many are shorter than a message. */
static enum tny_status collect_longer(const struct tny_subject *subject, struct tny_steps_room room,
                                      struct tny_messages *messages, struct tny_error *error)
{
  const uint32_t held = subject->algorithm->pieces_a_message;
  const uint64_t wanted = tny_narrow((tny_wide)subject->pace.chunk_count * room.most / room.needed);
  struct tny_subject longer = *subject;
  struct tny_pace pace = subject->pace;
  pace.chunk_count = wanted > held ? (uint32_t)wanted : held;
  tny_subject_set_pace(&longer, pace);
  return tny_messages_collect(&longer, messages, error);
}

static enum tny_status estimate(const struct tny_model *model, const struct tny_subject *subject,
                                struct tny_steps_room room, struct tny_prediction *prediction,
                                struct tny_error *error)
{
  struct tny_messages messages = {0};
  enum tny_status status = TNY_OK;
  const bool is_by_sizes = subject->algorithm->pieces_a_message > 0;
  const uint32_t pieces = is_sampled(subject) || is_by_sizes ? 0 : pieces_in(subject, room);
  if (is_by_sizes)
    status = collect_longer(subject, room, &messages, error);
  else if (is_sampled(subject))
    status = tny_messages_sample(subject, &messages, error);
  else if (pieces > 0)
    status = tny_messages_of_pieces(subject, pieces, &messages, error);
  else
    predict_promised(model, subject, promised_messages(subject), prediction);
  if (status == TNY_OK && messages.looked_at > 0)
    status = predict_messages(model, subject, &messages, prediction, error);
  tny_messages_release(&messages);
  const uint64_t busiest_rank = pieces > 0 ? claimed_rank_ns(model, subject) : 0;
  if (prediction->ns < busiest_rank)
    prediction->ns = busiest_rank;
  return status;
}

/* What the origin takes; of an all-reduce there and back. A rank combines a chunk before it sends
   it on, and as much as the origin has it send. */
static enum tny_status estimate_mirror(const struct tny_model *model,
                                       const struct tny_subject *subject,
                                       struct tny_steps_room room,
                                       struct tny_prediction *prediction, struct tny_error *error)
{
  struct tny_problem problem;
  const struct tny_subject origin = tny_subject_origin(subject, &problem);
  const uint64_t ways = tny_collective_shares_result(subject->algorithm->collective) ? 2 : 1;
  const enum tny_status status = estimate(model, &origin, room, prediction, error);
  const uint64_t combined = origin.paced_claim.blocks_sent_max * origin.block_bytes;
  const uint64_t busiest_rank =
      ways * claimed_rank_ns(model, &origin) + tny_combine_ns(&model->machine, combined);
  const uint64_t chunk_bytes = origin.block_bytes / origin.pace.chunk_count;
  prediction->ns = tny_narrow((tny_wide)prediction->ns * ways +
                              (tny_wide)origin.whole_claim.phases *
                                  tny_combine_ns(&model->machine, chunk_bytes));
  prediction->inter_zone_messages *= ways;
  if (prediction->ns < busiest_rank)
    prediction->ns = busiest_rank;
  return status;
}

enum tny_status tny_predict_roughly(const struct tny_model *model,
                                    const struct tny_subject *subject, struct tny_steps_room room,
                                    struct tny_prediction *prediction, struct tny_error *error)
{
  *prediction = (struct tny_prediction){.is_estimate = true};
  const bool is_mirror = subject->algorithm->mirrors && !is_sampled(subject);
  return (is_mirror ? estimate_mirror : estimate)(model, subject, room, prediction, error);
}
