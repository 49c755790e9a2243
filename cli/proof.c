/* Proving a schedule. */
#include "proof.h"

#include "core/alloc.h"
#include "core/error.h"
#include "core/units.h"

/* Messages a link, up to which those in flight are counted: some seconds of work. */
enum { IN_FLIGHT_MESSAGES_MAX = 5000 };

/* The longest message, in bytes and in pieces. */
static void measure_messages(const struct proof_subject *subject, uint64_t *bytes_max,
                             uint64_t *pieces_max)
{
  const struct tny_schedule *schedule = subject->schedule;
  *bytes_max = *pieces_max = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind != TNY_SEND)
        continue;
      const uint64_t bytes = tny_span_bytes(&step->span, subject->block_bytes);
      const uint64_t pieces = tny_span_pieces(&step->span, schedule->chunk_count);
      *bytes_max = bytes > *bytes_max ? bytes : *bytes_max;
      *pieces_max = pieces > *pieces_max ? pieces : *pieces_max;
    }
  }
}

/* The phases that carry what the bound's link must carry, a longest message each. */
static uint32_t least_phases(const struct proof_subject *subject, const struct tny_bound *bound,
                             uint64_t pieces_max)
{
  const struct tny_cluster *cluster = subject->network->routes->cluster;
  if (pieces_max == 0 || bound->link == TNY_NONE)
    return 0;
  const double block_seconds =
      8.0 * (double)subject->block_bytes / (double)cluster->links[bound->link].bandwidth_bps;
  const uint64_t blocks = (uint64_t)(bound->seconds / block_seconds + 0.5);
  const uint64_t pieces = blocks * subject->schedule->chunk_count;
  return (uint32_t)(pieces / pieces_max + (pieces % pieces_max != 0));
}

static enum tny_status prove_links(const struct proof_subject *subject, struct proof *proof,
                                   struct tny_error *error)
{
  const struct tny_network *network = subject->network;
  const uint32_t link_count = network->routes->cluster->link_count;
  proof->load_bytes = tny_new(link_count, sizeof *proof->load_bytes);
  proof->in_flight = tny_new(link_count, sizeof *proof->in_flight);
  if (!proof->load_bytes || !proof->in_flight)
    return tny_error_memory(error);
  progress_show(subject->progress, "proving: links");
  enum tny_status status = tny_verify_links(subject->schedule, network, subject->link_messages_max,
                                            &proof->report, error);
  if (status == TNY_OK && !subject->pattern)
    status =
        tny_verify_load(subject->schedule, network, subject->block_bytes, proof->load_bytes, error);
  if (status != TNY_OK)
    return status;
  progress_show(subject->progress, "proving: what is in flight");
  status = tny_verify_in_flight(subject->schedule, network, IN_FLIGHT_MESSAGES_MAX,
                                proof->in_flight, &proof->uncounted);
  if (status == TNY_OK)
    return TNY_OK;
  tny_free(proof->in_flight);
  proof->in_flight = NULL;
  return status == TNY_REFUSED ? TNY_OK : tny_error_set(error, status, "%s", proof->uncounted.text);
}

/* Adds what one rank has for the others to what the links carry, in bytes and in messages. */
static void load_pattern_of(const struct proof_subject *subject, uint32_t sender,
                            uint64_t *load_bytes, uint64_t *messages)
{
  const struct tny_routes *routes = subject->network->routes;
  const uint32_t *host_of_rank = subject->network->host_of_rank;
  const uint64_t *row = subject->pattern->bytes + (size_t)sender * subject->pattern->rank_count;
  for (uint32_t receiver = 0; receiver < subject->pattern->rank_count; receiver++) {
    uint32_t node = host_of_rank[sender], link;
    if (row[receiver] == 0)
      continue;
    while ((link = tny_routes_next(routes, node, host_of_rank[receiver])) != TNY_NONE) {
      load_bytes[link] += row[receiver];
      messages[link]++;
      node = routes->cluster->links[link].to;
    }
  }
}

/* A pattern's messages go straight, so that what its links carry is the bound. */
static enum tny_status load_pattern(const struct proof_subject *subject, struct proof *proof,
                                    struct tny_error *error)
{
  const struct tny_cluster *cluster = subject->network->routes->cluster;
  const uint32_t chunks = subject->schedule->chunk_count;
  struct tny_bound *bound = &proof->bound;
  uint64_t *messages = tny_new(cluster->link_count, sizeof *messages), most = 0;
  if (!messages)
    return tny_error_memory(error);
  for (uint32_t sender = 0; sender < subject->pattern->rank_count; sender++)
    load_pattern_of(subject, sender, proof->load_bytes, messages);
  bound->reason = TNY_BOUND_LINK;
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    const double seconds = proof_link_seconds(subject, proof, link);
    if (seconds > bound->seconds) {
      bound->seconds = seconds;
      bound->link = link;
    }
    if (messages[link] > most)
      most = messages[link];
  }
  const struct tny_link *fullest = &cluster->links[bound->link];
  snprintf(bound->text, sizeof bound->text, "%.90s -> %.90s carries %s of the pattern",
           cluster->node_names[fullest->from], cluster->node_names[fullest->to],
           tny_bytes_format(proof->load_bytes[bound->link]).text);
  proof->phases_least = (uint32_t)(most * chunks);
  tny_free(messages);
  return TNY_OK;
}

/* The least time and the least phases, to hold the plan against. */
static enum tny_status find_bounds(const struct proof_subject *subject, uint64_t pieces_max,
                                   struct proof *proof, struct tny_error *error)
{
  const struct tny_schedule *schedule = subject->schedule;
  const struct tny_network *network = subject->network;
  if (subject->pattern)
    return load_pattern(subject, proof, error);
  const enum tny_status status = tny_bound_compute(
      network->routes, network->host_of_rank, schedule->rank_count, schedule->collective,
      schedule->root, subject->block_bytes, &proof->bound, error);
  if (status == TNY_OK)
    proof->phases_least = least_phases(subject, &proof->bound, pieces_max);
  return status;
}

enum tny_status proof_make(const struct proof_subject *subject, struct proof *proof,
                           struct tny_error *error)
{
  uint64_t pieces_max;
  *proof = (struct proof){.report = {.phase_link = TNY_NONE}};
  progress_show(subject->progress, "proving: data");
  enum tny_status status = tny_verify_data(subject->schedule, error);
  progress_show(subject->progress, "proving: progress");
  if (status == TNY_OK)
    status = tny_verify_progress(subject->schedule, &proof->report, error);
  if (status != TNY_OK)
    return status;
  measure_messages(subject, &proof->message_bytes_max, &pieces_max);
  if (subject->network)
    status = prove_links(subject, proof, error);
  if (status == TNY_OK && subject->network)
    status = find_bounds(subject, pieces_max, proof, error);
  return status;
}

void proof_release(struct proof *proof)
{
  tny_free(proof->load_bytes);
  tny_free(proof->in_flight);
  *proof = (struct proof){0};
}

double proof_link_seconds(const struct proof_subject *subject, const struct proof *proof,
                          uint32_t link)
{
  const struct tny_link *at = &subject->network->routes->cluster->links[link];
  return 8.0 * (double)proof->load_bytes[link] / (double)at->bandwidth_bps;
}

uint64_t proof_in_flight_bytes(const struct proof *proof, uint32_t link)
{
  return proof->in_flight[link] * proof->message_bytes_max;
}

bool proof_overflows(const struct proof_subject *subject, const struct proof *proof, uint32_t link)
{
  return proof_in_flight_bytes(proof, link) >
         subject->network->routes->cluster->links[link].buffer_bytes;
}
