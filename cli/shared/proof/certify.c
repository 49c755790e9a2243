/* Makes certificates: what the phases take, one after the other, against the least that any
   schedule takes. Rounds are counted as if only ports could be full. */
#include <inttypes.h>

#include "certificate.h"
#include "cli/shared/link.h"
#include "cli/shared/route.h"
#include "core/alloc.h"
#include "core/error.h"
#include "proof.h"

#define GAP_NONE_PERCENT 0.005 /* pieces that differ by a byte, and rounding */

struct message {
  uint32_t phase, from, to;
  uint64_t bytes;
};

uint64_t proof_message_bytes(const struct proof_subject *subject, size_t id, uint32_t rank,
                             const struct tny_step *step)
{
  const struct tny_pattern *pattern = subject->pattern;
  if (subject->message_bytes)
    return subject->message_bytes[id];
  const uint64_t block_bytes = pattern
                                   ? pattern->bytes[(size_t)rank * pattern->rank_count + step->peer]
                                   : subject->block_bytes;
  return tny_span_bytes(&step->span, block_bytes);
}

static int compare_phases(const void *a, const void *b)
{
  const struct message *x = a, *y = b;
  return (x->phase > y->phase) - (x->phase < y->phase);
}

/* All messages by phase. Owns: *list by tny_free. */
static enum tny_status list_messages(const struct proof_subject *subject, struct message **list,
                                     size_t count, struct tny_error *error)
{
  const struct tny_schedule *schedule = subject->schedule;
  struct message *next = *list = tny_new(count, sizeof **list);
  if (!*list)
    return tny_error_memory(error);
  size_t id = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++, id++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (tny_step_starts_message(step->kind))
        *next++ = (struct message){step->phase, rank, step->peer,
                                   proof_message_bytes(subject, id, rank, step)};
    }
  qsort(*list, count, sizeof **list, compare_phases);
  return TNY_OK;
}

/* How long the fullest link of a phase is busy. `busy` has an element for each link, all 0
   between phases. */
static double phase_seconds(const struct tny_network *network, const struct message *first,
                            const struct message *end, double *busy)
{
  const struct tny_cluster *cluster = network->routes->cluster;
  double longest = 0;
  uint32_t link;
  for (const struct message *message = first; message < end; message++) {
    struct route route = route_begin(network, message->from, message->to);
    while ((link = route_next(&route)) != TNY_NONE) {
      busy[link] += link_busy_seconds(cluster, link, message->bytes);
      longest = busy[link] > longest ? busy[link] : longest;
    }
  }
  for (const struct message *message = first; message < end; message++) {
    struct route route = route_begin(network, message->from, message->to);
    while ((link = route_next(&route)) != TNY_NONE)
      busy[link] = 0;
  }
  return longest;
}

/* All phases, one after the other. */
static enum tny_status add_phases(const struct proof_subject *subject, size_t message_count,
                                  double *seconds, struct tny_error *error)
{
  struct message *list = NULL;
  double *busy = tny_new(subject->network->routes->cluster->link_count, sizeof *busy);
  enum tny_status status =
      busy ? list_messages(subject, &list, message_count, error) : tny_error_memory(error);
  const struct message *next = list;
  for (size_t left = message_count; status == TNY_OK && left > 0;) {
    const struct message *first = next;
    for (; left > 0 && next->phase == first->phase; left--)
      next++;
    *seconds += phase_seconds(subject->network, first, next, busy);
  }
  tny_free(list);
  tny_free(busy);
  return status;
}

static uint32_t doublings(uint32_t count)
{
  uint32_t doublings = 0;
  while (UINT64_C(1) << doublings < count)
    doublings++;
  return doublings;
}

static uint64_t ceil_divide(uint64_t count, uint64_t by)
{
  return count / by + (count % by != 0);
}

/* The fastest port of a host with ranks. */
static uint64_t fastest_port_bps(const struct proof_subject *subject)
{
  const struct tny_cluster *cluster = subject->network->routes->cluster;
  uint64_t fastest_bps = 1;
  for (uint32_t rank = 0; rank < subject->schedule->rank_count; rank++) {
    const uint32_t host = subject->network->host_of_rank[rank];
    const uint64_t bps = cluster->links[cluster->out_links[cluster->first_out[host]]].best_bps;
    fastest_bps = bps > fastest_bps ? bps : fastest_bps;
  }
  return fastest_bps;
}

/* One message in n pieces: the root's port sends the last one after n - 1 others, and the hosts
   that have it at most double while a piece is sent. */
static void bound_by_doubling(const struct proof_subject *subject, struct certificate *certificate)
{
  const struct tny_schedule *schedule = subject->schedule;
  const uint32_t hosts = subject->placement->host_count, pieces = schedule->chunk_count;
  if (!tny_collective_is_one_message(schedule->collective) || hosts < 2)
    return;
  const double piece_seconds =
      8.0 * (double)subject->block_bytes / pieces / (double)fastest_port_bps(subject);
  const double seconds = piece_seconds * (pieces - 1.0 + doublings(hosts));
  if (seconds <= certificate->seconds_least)
    return;
  certificate->seconds_least = seconds;
  certificate->by_doubling = true;
  char before[64] = "";
  if (pieces > 1)
    snprintf(before, sizeof before, "%" PRIu32 " pieces out of the root, then ", pieces - 1);
  snprintf(certificate->reason, sizeof certificate->reason,
           "%s%" PRIu32 " doublings until %s piece is at %" PRIu32 " hosts", before,
           doublings(hosts), pieces > 1 ? "the last" : "the", hosts);
}

/* The most messages that a rank has to send or to receive, as long as the longest are. */
static uint64_t least_messages(const struct proof_subject *subject, const struct proof *proof)
{
  const struct tny_schedule *schedule = subject->schedule;
  const uint32_t p = schedule->rank_count;
  uint64_t most = 0;
  for (uint32_t i = 0; i < 2; i++) { /* as if the rank were the root, and as if it weren't */
    const struct tny_sides out = {1, p - 1, i == 0, i == 1}, in = {p - 1, 1, i == 1, i == 0};
    const uint64_t sent = tny_collective_load(schedule->collective, out);
    const uint64_t received = tny_collective_load(schedule->collective, in);
    most = sent > most ? sent : most;
    most = received > most ? received : most;
  }
  if (subject->pattern) {
    most = 0;
    for (uint32_t rank = 0; rank < p; rank++) {
      uint64_t out = 0, in = 0;
      for (uint32_t other = 0; other < p; other++) {
        out += other != rank && subject->pattern->bytes[(size_t)rank * p + other] > 0;
        in += other != rank && subject->pattern->bytes[(size_t)other * p + rank] > 0;
      }
      most = out > most ? out : most;
      most = in > most ? in : most;
    }
  }
  return ceil_divide(most * schedule->chunk_count, proof->message_pieces_max);
}

/* Rounds, a message of a rank in each. */
static void count_rounds(const struct proof_subject *subject, const struct proof *proof,
                         struct certificate *certificate)
{
  const struct tny_schedule *schedule = subject->schedule;
  const uint64_t own = least_messages(subject, proof);
  const uint64_t doubling = doublings(schedule->rank_count);
  certificate->by_rounds = true;
  certificate->taken = proof->report.rounds;
  certificate->least = (double)own;
  if (tny_collective_is_one_message(schedule->collective))
    certificate->least += (double)doubling - 1;
  else if (!subject->pattern && certificate->least < (double)doubling)
    certificate->least = (double)doubling;
}

/* Rounds of a barrier: with each a rank can have heard of at most twice as many as before. */
static void count_barrier_rounds(const struct proof_subject *subject, const struct proof *proof,
                                 struct certificate *certificate)
{
  certificate->by_rounds = true;
  certificate->taken = proof->report.rounds;
  certificate->least = doublings(subject->schedule->rank_count);
}

/* Phases, each as long as its fullest link, in pieces over the bound's link. */
static enum tny_status count_phases(const struct proof_subject *subject, const struct proof *proof,
                                    struct certificate *certificate, struct tny_error *error)
{
  const struct tny_schedule *schedule = subject->schedule;
  const struct tny_link *links = subject->network->routes->cluster->links;
  bound_by_doubling(subject, certificate);
  const enum tny_status status =
      add_phases(subject, proof->report.messages, &certificate->seconds, error);
  if (status != TNY_OK || proof->bound.link == TNY_NONE)
    return status;
  const double piece_seconds = 8.0 * (double)subject->block_bytes / schedule->chunk_count /
                               (double)links[proof->bound.link].best_bps;
  certificate->taken = certificate->seconds / piece_seconds;
  certificate->least = certificate->seconds_least / piece_seconds;
  return TNY_OK;
}

static void find_gap(struct certificate *certificate)
{
  const double share = certificate->least > 0 ? certificate->taken / certificate->least : 1;
  certificate->gap_percent = 100 * (share - 1);
  certificate->is_below_bound = certificate->gap_percent <= -GAP_NONE_PERCENT;
  if (certificate->gap_percent < GAP_NONE_PERCENT)
    certificate->gap_percent = 0;
}

static uint32_t find_fullest(const struct proof_subject *subject, const struct proof *proof)
{
  const struct tny_cluster *cluster = subject->network->routes->cluster;
  uint32_t fullest = TNY_NONE;
  double longest = 0;
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    const double seconds = link_busy_seconds(cluster, link, proof->load_bytes[link]);
    if (seconds > longest) {
      longest = seconds;
      fullest = link;
    }
  }
  return fullest;
}

/* The least that any schedule sends from zone to zone, in blocks and in bytes: every item once. */
static void least_between_zones(const struct proof_subject *subject, const uint32_t *zone_of,
                                uint64_t *blocks, uint64_t *bytes)
{
  const struct tny_schedule *schedule = subject->schedule;
  const struct tny_placement *placement = subject->placement;
  const struct tny_pattern *pattern = subject->pattern;
  const uint32_t p = schedule->rank_count, zones = placement->zone_count;
  *blocks = 0;
  for (uint32_t zone = 0; zone < zones; zone++) {
    const uint64_t inside = placement->zone_first[zone + 1] - placement->zone_first[zone];
    const bool has_root = zone_of[schedule->root] == zone;
    const struct tny_sides sides = {p - inside, inside, !has_root, has_root};
    *blocks += tny_collective_load(schedule->collective, sides);
  }
  *bytes = *blocks * subject->block_bytes;
  if (!pattern)
    return;
  *blocks = *bytes = 0;
  for (uint32_t from = 0; from < p; from++)
    for (uint32_t to = 0; to < p; to++) {
      const uint64_t here = pattern->bytes[(size_t)from * p + to];
      *blocks += zone_of[from] != zone_of[to] && here > 0;
      *bytes += zone_of[from] != zone_of[to] ? here : 0;
    }
}

/* Adds what the schedule sends from zone to zone; returns the pieces of the longest message. */
static uint64_t add_between_zones(const struct proof_subject *subject, const uint32_t *zone_of,
                                  struct zone_traffic *traffic)
{
  const struct tny_schedule *schedule = subject->schedule;
  uint64_t pieces_max = 1;
  size_t id = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++, id++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (!tny_step_starts_message(step->kind) || zone_of[rank] == zone_of[step->peer])
        continue;
      const uint64_t pieces = tny_span_pieces(&step->span, schedule->chunk_count);
      traffic->messages++;
      traffic->bytes += proof_message_bytes(subject, id, rank, step);
      pieces_max = pieces > pieces_max ? pieces : pieces_max;
    }
  return pieces_max;
}

static enum tny_status count_between_zones(const struct proof_subject *subject,
                                           struct zone_traffic *traffic, struct tny_error *error)
{
  const struct tny_placement *placement = subject->placement;
  uint64_t blocks;
  if (placement->zone_count < 2)
    return TNY_OK;
  uint32_t *zone_of = tny_new(placement->rank_count, sizeof *zone_of);
  if (!zone_of)
    return tny_error_memory(error);
  for (uint32_t zone = 0; zone < placement->zone_count; zone++)
    for (uint32_t i = placement->zone_first[zone]; i < placement->zone_first[zone + 1]; i++)
      zone_of[placement->order[i]] = zone;
  traffic->zone_count = placement->zone_count;
  least_between_zones(subject, zone_of, &blocks, &traffic->bytes_least);
  const uint64_t pieces_max = add_between_zones(subject, zone_of, traffic);
  traffic->messages_least = ceil_divide(blocks * subject->schedule->chunk_count, pieces_max);
  /* Before one of z zones has heard of all, z - 1 messages have come, and the last of them tells
     that one alone: each other zone needs one more. */
  if (tny_collective_synchronizes(subject->schedule->collective))
    traffic->messages_least = 2 * (uint64_t)(placement->zone_count - 1);
  tny_free(zone_of);
  return TNY_OK;
}

enum tny_status certificate_make(const struct proof_subject *subject, struct proof *proof,
                                 struct tny_error *error)
{
  struct certificate *certificate = &proof->certificate;
  enum tny_status status = TNY_OK;
  *certificate = (struct certificate){.seconds_least = proof->bound.seconds,
                                      .fullest_link = find_fullest(subject, proof)};
  snprintf(certificate->reason, sizeof certificate->reason, "%s", proof->bound.text);
  if (tny_collective_synchronizes(subject->schedule->collective))
    count_barrier_rounds(subject, proof, certificate);
  else if (proof->report.messages == 0 || proof->bound.seconds <= 0)
    certificate->taken = certificate->least = 0;
  else if (proof->report.unphased > 0)
    count_rounds(subject, proof, certificate);
  else
    status = count_phases(subject, proof, certificate, error);
  find_gap(certificate);
  return status == TNY_OK ? count_between_zones(subject, &certificate->between_zones, error)
                          : status;
}
