/* Proves a schedule: data and progress, then links, what is in flight, and the bound. */
#include "proof.h"

#include "certificate.h"
#include "cli/shared/link.h"
#include "cli/shared/progress.h"
#include "cli/shared/route.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/units.h"
#include "schedule/message_bytes.h"

/* How many bytes a message has, in a segment; `id` counts the steps of all ranks. */
static uint64_t bytes_of(const struct proof_subject *subject, size_t id, uint32_t rank,
                         const struct tny_span *span)
{
  const struct tny_pattern *pattern = subject->pattern;
  const uint32_t segments = subject->segment_count > 0 ? subject->segment_count : 1;
  const uint64_t whole_bytes =
      subject->message_bytes ? subject->message_bytes[id]
      : pattern              ? pattern->bytes[(size_t)rank * pattern->rank_count + span->first]
                             : subject->block_bytes;
  const uint64_t part_bytes = whole_bytes / segments + (whole_bytes % segments != 0);
  return subject->message_bytes ? part_bytes : tny_span_bytes(span, part_bytes);
}

/* The longest message, in bytes and in pieces. */
static void measure_messages(const struct proof_subject *subject, struct proof *proof)
{
  const struct tny_schedule *schedule = subject->schedule;
  uint64_t *bytes_max = &proof->message_bytes_max, *pieces_max = &proof->message_pieces_max;
  size_t id = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++, id++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (!tny_step_starts_message(step->kind))
        continue;
      const uint64_t bytes = bytes_of(subject, id, rank, &step->span);
      const uint64_t pieces = tny_span_pieces(&step->span, schedule->chunk_count);
      *bytes_max = bytes > *bytes_max ? bytes : *bytes_max;
      *pieces_max = pieces > *pieces_max ? pieces : *pieces_max;
    }
  }
}

static enum tny_status find_in_flight(const struct proof_subject *subject, struct proof *proof,
                                      struct tny_error *error)
{
  const struct in_flight_subject flights = {.schedule = subject->schedule,
                                            .network = subject->network,
                                            .message_bytes = proof->message_bytes_max};
  progress_show(subject->progress, "proving: what is in flight");
  return in_flight_find(&flights, &proof->in_flight, error);
}

static enum tny_status prove_links(const struct proof_subject *subject, struct proof *proof,
                                   struct tny_error *error)
{
  const struct tny_network *network = subject->network;
  proof->load_bytes = tny_new(network->routes->cluster->link_count, sizeof *proof->load_bytes);
  if (!proof->load_bytes)
    return tny_error_memory(error);
  progress_show(subject->progress, "proving: links");
  enum tny_status status = tny_verify_links(subject->schedule, network, subject->link_messages_max,
                                            &proof->report, error);
  if (status == TNY_OK && !subject->pattern)
    status =
        tny_verify_load(subject->schedule, network, subject->block_bytes, proof->load_bytes, error);
  if (status == TNY_OK && !subject->without_in_flight)
    status = find_in_flight(subject, proof, error);
  return status;
}

/* Adds what one rank has for the others to what the links carry. */
static void load_pattern_of(const struct proof_subject *subject, uint32_t sender,
                            uint64_t *load_bytes)
{
  const uint64_t *row = subject->pattern->bytes + (size_t)sender * subject->pattern->rank_count;
  for (uint32_t receiver = 0; receiver < subject->pattern->rank_count; receiver++) {
    struct route route = route_begin(subject->network, sender, receiver);
    uint32_t link;
    while (row[receiver] > 0 && (link = route_next(&route)) != TNY_NONE)
      load_bytes[link] += row[receiver];
  }
}

/* The bound of a pattern is what its links carry where all messages go straight. */
static void load_pattern(const struct proof_subject *subject, struct proof *proof)
{
  const struct tny_cluster *cluster = subject->network->routes->cluster;
  struct tny_bound *bound = &proof->bound;
  for (uint32_t sender = 0; sender < subject->pattern->rank_count; sender++)
    load_pattern_of(subject, sender, proof->load_bytes);
  bound->reason = TNY_BOUND_LINK;
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    const double seconds = proof_link_seconds(subject, proof, link);
    if (seconds > bound->seconds) {
      bound->seconds = seconds;
      bound->link = link;
    }
  }
  const struct tny_link *fullest = &cluster->links[bound->link];
  snprintf(bound->text, sizeof bound->text, "%.90s -> %.90s carries %s of the pattern",
           cluster->node_names[fullest->from], cluster->node_names[fullest->to],
           tny_bytes_format(proof->load_bytes[bound->link]).text);
}

/* What links carry where blocks are forwarded. */
static void load_messages(const struct proof_subject *subject, struct proof *proof)
{
  const struct tny_schedule *schedule = subject->schedule;
  size_t id = 0;
  memset(proof->load_bytes, 0,
         subject->network->routes->cluster->link_count * sizeof *proof->load_bytes);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++, id++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (!tny_step_starts_message(step->kind))
        continue;
      struct route route = route_begin(subject->network, rank, step->peer);
      uint32_t link;
      while ((link = route_next(&route)) != TNY_NONE)
        proof->load_bytes[link] += subject->message_bytes[id];
    }
}

static enum tny_status find_bound(const struct proof_subject *subject, struct proof *proof,
                                  struct tny_error *error)
{
  const struct tny_schedule *schedule = subject->schedule;
  const struct tny_network *network = subject->network;
  if (!subject->pattern)
    return tny_bound_compute(network->routes, network->host_of_rank, schedule->rank_count,
                             schedule->collective, schedule->root, subject->block_bytes,
                             &proof->bound, error);
  load_pattern(subject, proof);
  if (subject->message_bytes)
    load_messages(subject, proof);
  return TNY_OK;
}

enum tny_status proof_message_bytes_find(const struct proof_subject *subject, uint64_t **bytes,
                                         struct tny_error *error)
{
  struct tny_match match;
  *bytes = NULL;
  if (!subject->pattern || tny_sends_straight(subject->schedule))
    return TNY_OK;
  enum tny_status status = tny_match_make(subject->schedule, &match, error);
  if (status != TNY_OK)
    return status;
  *bytes = tny_new(match.step_count, sizeof **bytes);
  const struct tny_block_sizes sizes = {.bytes_of = subject->pattern->bytes};
  status = *bytes ? tny_message_bytes_find(&match, &sizes, *bytes, error) : tny_error_memory(error);
  tny_match_release(&match);
  return status;
}

/* With the schedule proved, and the bytes of its messages known. */
static enum tny_status prove_more(const struct proof_subject *subject, struct proof *proof,
                                  struct tny_error *error)
{
  measure_messages(subject, proof);
  if (!subject->network)
    return TNY_OK;
  enum tny_status status = prove_links(subject, proof, error);
  if (status == TNY_OK)
    status = find_bound(subject, proof, error);
  return status == TNY_OK ? certificate_make(subject, proof, error) : status;
}

enum tny_status proof_make(const struct proof_subject *subject, struct proof *proof,
                           struct tny_error *error)
{
  uint64_t *message_bytes;
  *proof = (struct proof){.report = {.phase_link = TNY_NONE}};
  progress_show(subject->progress, "proving: data and progress");
  enum tny_status status = tny_verify_schedule(subject->schedule, &proof->report, error);
  if (status != TNY_OK)
    return status;
  if (tny_collective_has_own_block(subject->schedule->collective))
    proof->in_place = tny_verify_in_place(subject->schedule, &proof->in_place_fault);
  if (proof->in_place == TNY_NO_MEMORY)
    return tny_error_memory(error);
  status = proof_message_bytes_find(subject, &message_bytes, error);
  if (status == TNY_OK) {
    struct proof_subject known = *subject;
    known.message_bytes = message_bytes;
    status = prove_more(&known, proof, error);
  }
  tny_free(message_bytes);
  return status;
}

void proof_release(struct proof *proof)
{
  tny_free(proof->load_bytes);
  in_flight_release(&proof->in_flight);
  *proof = (struct proof){0};
}

double proof_link_seconds(const struct proof_subject *subject, const struct proof *proof,
                          uint32_t link)
{
  return link_busy_seconds(subject->network->routes->cluster, link, proof->load_bytes[link]);
}
