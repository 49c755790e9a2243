/* Proving a schedule and telling what was found. */
#include "proof.h"

#include <inttypes.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/units.h"

/* Messages a link, up to which those in flight are counted: some seconds of work. */
enum { IN_FLIGHT_MESSAGES_MAX = 5000 };

static uint64_t message_bytes_max(const struct tny_schedule *schedule, uint64_t block_bytes)
{
  uint64_t most = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind != TNY_SEND)
        continue;
      const uint64_t cuts = step->span.chunk_count;
      const uint64_t bytes = step->span.count * (block_bytes / cuts + (block_bytes % cuts != 0));
      if (bytes > most)
        most = bytes;
    }
  }
  return most;
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
  enum tny_status status = tny_verify_links(subject->schedule, network, subject->link_messages_max,
                                            &proof->report, error);
  if (status == TNY_OK)
    status =
        tny_verify_load(subject->schedule, network, subject->block_bytes, proof->load_bytes, error);
  if (status != TNY_OK)
    return status;
  status = tny_verify_in_flight(subject->schedule, network, IN_FLIGHT_MESSAGES_MAX,
                                proof->in_flight, &proof->uncounted);
  if (status == TNY_OK)
    return TNY_OK;
  tny_free(proof->in_flight);
  proof->in_flight = NULL;
  return status == TNY_REFUSED ? TNY_OK : tny_error_set(error, status, "%s", proof->uncounted.text);
}

enum tny_status proof_make(const struct proof_subject *subject, struct proof *proof,
                           struct tny_error *error)
{
  *proof = (struct proof){.report = {.phase_link = TNY_NONE}};
  enum tny_status status = tny_verify_data(subject->schedule, error);
  if (status == TNY_OK)
    status = tny_verify_progress(subject->schedule, &proof->report, error);
  if (status == TNY_OK && subject->network)
    status = prove_links(subject, proof, error);
  proof->message_bytes_max = message_bytes_max(subject->schedule, subject->block_bytes);
  return status;
}

void proof_release(struct proof *proof)
{
  tny_free(proof->load_bytes);
  tny_free(proof->in_flight);
  *proof = (struct proof){0};
}

static double link_seconds(const struct tny_link *link, uint64_t bytes)
{
  return 8.0 * (double)bytes / (double)link->bandwidth_bps;
}

struct line_context {
  const struct tny_cluster *cluster;
  const struct proof *proof;
  double bound_seconds;
};

static uint64_t in_flight_bytes(const struct line_context *context, uint32_t link)
{
  return context->proof->in_flight[link] * context->proof->message_bytes_max;
}

static bool overflows(const struct line_context *context, uint32_t link)
{
  return in_flight_bytes(context, link) > context->cluster->links[link].buffer_bytes;
}

static bool any_overflows(const struct line_context *context)
{
  for (uint32_t link = 0; link < context->cluster->link_count; link++)
    if (overflows(context, link))
      return true;
  return false;
}

static void describe_link(const struct line_context *context, const char *name, uint32_t link,
                          struct tny_text *text)
{
  const struct tny_link *at = &context->cluster->links[link];
  const double seconds = link_seconds(at, context->proof->load_bytes[link]);
  char share[16] = "-", in_flight[64] = "not counted";
  if (context->bound_seconds > 0)
    snprintf(share, sizeof share, "%.1f %%", 100 * seconds / context->bound_seconds);
  if (context->proof->in_flight)
    snprintf(in_flight, sizeof in_flight, "%" PRIu32 " = %s%s", context->proof->in_flight[link],
             tny_bytes_format(in_flight_bytes(context, link)).text,
             overflows(context, link) ? " !" : "");
  tny_text_add(text, "  %-24s %10s %12.3f %9s  %-16s %s\n", name,
               tny_bytes_format(context->proof->load_bytes[link]).text, 1e3 * seconds, share,
               in_flight, tny_bytes_format(at->buffer_bytes).text);
}

/* Is link a fuller than link b? By time, then by what is in flight. */
static bool is_fuller(const struct line_context *context, uint32_t a, uint32_t b)
{
  const struct proof *proof = context->proof;
  const double time_a = link_seconds(&context->cluster->links[a], proof->load_bytes[a]);
  const double time_b = link_seconds(&context->cluster->links[b], proof->load_bytes[b]);
  if (time_a > time_b || time_a < time_b)
    return time_a > time_b;
  return proof->in_flight && proof->in_flight[a] > proof->in_flight[b];
}

static void name_link(const struct tny_cluster *cluster, uint32_t link, char *name, size_t room)
{
  snprintf(name, room, "%s -> %s", cluster->node_names[cluster->links[link].from],
           cluster->node_names[cluster->links[link].to]);
}

/* The fullest of the links that lead out of hosts, or into them. */
static void describe_ports(const struct line_context *context, bool out, struct tny_text *text)
{
  const struct tny_cluster *cluster = context->cluster;
  uint32_t fullest = TNY_NONE;
  char name[64];
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    const uint32_t end = out ? cluster->links[link].from : cluster->links[link].to;
    if (end < cluster->host_count && (fullest == TNY_NONE || is_fuller(context, link, fullest)))
      fullest = link;
  }
  if (fullest == TNY_NONE)
    return;
  const uint32_t host = out ? cluster->links[fullest].from : cluster->links[fullest].to;
  snprintf(name, sizeof name, "fullest port %s %.40s", out ? "out of" : "into",
           cluster->node_names[host]);
  describe_link(context, name, fullest, text);
}

static void describe_links(const struct proof_subject *subject, const struct line_context *context,
                           struct tny_text *text)
{
  const struct tny_cluster *cluster = context->cluster;
  char name[64];
  tny_text_add(text, "\n  %-24s %10s %12s %9s  %-16s %s\n", "link", "carries", "at least ms",
               "of bound", "most in flight", "port buffer");
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    const bool is_port = cluster->links[link].from < cluster->host_count ||
                         cluster->links[link].to < cluster->host_count;
    if (is_port && !subject->all_links)
      continue;
    name_link(cluster, link, name, sizeof name);
    describe_link(context, name, link, text);
  }
  if (!subject->all_links) {
    describe_ports(context, true, text);
    describe_ports(context, false, text);
  }
  if (!context->proof->in_flight)
    tny_text_add(text, "  in flight: %s\n", context->proof->uncounted.text);
  else if (any_overflows(context))
    tny_text_add(text,
                 "  ! more than the port buffer, if a receiving program stands still that long\n");
}

static enum tny_status describe_network(const struct proof_subject *subject,
                                        const struct proof *proof, struct tny_text *text,
                                        struct tny_error *error)
{
  const struct tny_network *network = subject->network;
  const struct tny_schedule *schedule = subject->schedule;
  const struct tny_cluster *cluster = network->routes->cluster;
  struct tny_bound bound;
  const enum tny_status status =
      tny_bound_compute(network->routes, network->host_of_rank, schedule->rank_count,
                        schedule->collective, schedule->root, subject->block_bytes, &bound, error);
  if (status != TNY_OK)
    return status;
  if (proof->report.phases > 0) {
    char name[64] = "none is used";
    if (proof->report.phase_link != TNY_NONE)
      name_link(cluster, proof->report.phase_link, name, sizeof name);
    tny_text_add(text,
                 "phases        %" PRIu32 ", at most %" PRIu32 " messages of one on a link"
                 " (%s)\n",
                 proof->report.phases, proof->report.phase_link_messages, name);
  }
  tny_text_add(text, "bound         %.3f ms at the raw rates: %s\n", 1e3 * bound.seconds,
               bound.text);
  describe_links(subject, &(struct line_context){cluster, proof, bound.seconds}, text);
  return TNY_OK;
}

enum tny_status proof_describe(const struct proof_subject *subject, const struct proof *proof,
                               struct tny_text *text, struct tny_error *error)
{
  const struct tny_report *report = &proof->report;
  tny_text_add(text, "data          every rank ends with the right blocks\n");
  tny_text_add(text, "progress      no deadlock, with any window and any speeds\n");
  tny_text_add(text, "steps         %" PRIu64 ": %" PRIu64 " messages, %" PRIu64 " tokens\n",
               report->steps, report->messages, report->tokens);
  tny_text_add(text, "rounds        %" PRIu32 ", a message taking one\n", report->rounds);
  tny_text_add(text, "sent          %" PRIu64 " blocks by a rank, at most\n",
               report->blocks_sent_max);
  return subject->network ? describe_network(subject, proof, text, error) : TNY_OK;
}
