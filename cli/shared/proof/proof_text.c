/* What a proof found, as text. */
#include <inttypes.h>

#include "certificate.h"
#include "cli/shared/link.h"
#include "core/units.h"
#include "proof.h"

enum { TRUNKS_SHOWN_MAX = 24 }; /* with more, only the fullest, unless all links are wanted */

/* A proof on a cluster. */
struct finding {
  const struct proof_subject *subject;
  const struct proof *proof;
  const struct tny_cluster *cluster;
};

static bool any_overflows(const struct finding *finding)
{
  for (uint32_t link = 0; link < finding->cluster->link_count; link++)
    if (in_flight_overflows(&finding->proof->in_flight, link))
      return true;
  return false;
}

static void describe_link(const struct finding *finding, const char *name, uint32_t link,
                          struct tny_text *text)
{
  const struct proof *proof = finding->proof;
  const double seconds = proof_link_seconds(finding->subject, proof, link);
  char share[16] = "-", in_flight[64] = "not counted";
  if (proof->bound.seconds > 0)
    snprintf(share, sizeof share, "%.1f %%", 100 * seconds / proof->bound.seconds);
  if (proof->in_flight.messages)
    snprintf(in_flight, sizeof in_flight, "%s%" PRIu32 " = %s%s",
             proof->in_flight.is_exact[link] ? "" : "<= ", proof->in_flight.messages[link],
             tny_bytes_format(in_flight_bytes(&proof->in_flight, link)).text,
             in_flight_overflows(&proof->in_flight, link) ? " !" : "");
  tny_text_add(text, "  %-24s %10s %12.3f %9s  %-16s %s\n", name,
               tny_bytes_format(proof->load_bytes[link]).text, 1e3 * seconds, share, in_flight,
               tny_bytes_format(finding->cluster->links[link].buffer_bytes).text);
}

/* Is link a fuller than link b? By time, then by what is in flight. */
static bool is_fuller(const struct finding *finding, uint32_t a, uint32_t b)
{
  const struct proof *proof = finding->proof;
  const double time_a = proof_link_seconds(finding->subject, proof, a);
  const double time_b = proof_link_seconds(finding->subject, proof, b);
  if (time_a > time_b || time_a < time_b)
    return time_a > time_b;
  const uint32_t *in_flight = proof->in_flight.messages;
  return in_flight && in_flight[a] > in_flight[b];
}

static void describe_fullest(const struct finding *finding, enum link_kind kind,
                             struct tny_text *text)
{
  const struct tny_cluster *cluster = finding->cluster;
  uint32_t fullest = TNY_NONE;
  char name[LINK_NAME_CHARS];
  for (uint32_t link = 0; link < cluster->link_count; link++)
    if (link_kind_of(cluster, link) == kind &&
        (fullest == TNY_NONE || is_fuller(finding, link, fullest)))
      fullest = link;
  if (fullest == TNY_NONE)
    return;
  const struct tny_link *link = &cluster->links[fullest];
  const char *from = cluster->node_names[link->from], *to = cluster->node_names[link->to];
  if (kind == LINK_TRUNK)
    snprintf(name, sizeof name, "fullest trunk %.20s -> %.20s", from, to);
  else
    snprintf(name, sizeof name, "fullest port %s %.40s",
             kind == LINK_OUT_OF_HOST ? "out of" : "into", kind == LINK_OUT_OF_HOST ? from : to);
  describe_link(finding, name, fullest, text);
}

static uint32_t count_trunks(const struct tny_cluster *cluster)
{
  uint32_t count = 0;
  for (uint32_t link = 0; link < cluster->link_count; link++)
    count += link_kind_of(cluster, link) == LINK_TRUNK;
  return count;
}

static void describe_links(const struct finding *finding, struct tny_text *text)
{
  const struct tny_cluster *cluster = finding->cluster;
  const bool all_links = finding->subject->all_links;
  const bool all_trunks = all_links || count_trunks(cluster) <= TRUNKS_SHOWN_MAX;
  char name[LINK_NAME_CHARS];
  tny_text_add(text, "\n  %-24s %10s %12s %9s  %-16s %s\n", "link", "carries", "at least ms",
               "of bound", "most in flight", "port buffer");
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    if (!(link_kind_of(cluster, link) == LINK_TRUNK ? all_trunks : all_links))
      continue;
    link_name(cluster, link, name);
    describe_link(finding, name, link, text);
  }
  if (!all_trunks)
    describe_fullest(finding, LINK_TRUNK, text);
  if (!all_links) {
    describe_fullest(finding, LINK_OUT_OF_HOST, text);
    describe_fullest(finding, LINK_INTO_HOST, text);
  }
  if (finding->proof->in_flight.messages && any_overflows(finding))
    tny_text_add(text,
                 "  ! more than the port buffer, if a receiving program stands still that long\n");
}

static void describe_phases(const struct finding *finding, struct tny_text *text)
{
  const struct proof *proof = finding->proof;
  const struct tny_report *report = &proof->report;
  char name[LINK_NAME_CHARS] = "none is used";
  if (report->phase_link != TNY_NONE)
    link_name(finding->cluster, report->phase_link, name);
  tny_text_add(text,
               "phases        %" PRIu32 ", at most %" PRIu32 " messages of one on a link (%s)\n",
               report->phases, report->phase_link_messages, name);
}

/* Of a reduction: what results are combined of, and which have the same bits. */
static void describe_results(enum tny_collective collective, const struct tny_bits_found *bits,
                             struct tny_text *text)
{
  static const char *const words_of_one[2] = {"other ones for other sizes",
                                              "the same for every size"};
  static const char *const words[2][2] = {
      {"other ones on other ranks and for other sizes",
       "the same for every size, not on all ranks"},
      {"the same on all ranks, not for every size", "the same on all ranks and for every size"}};
  tny_text_add(text, "data          every result has each contribution once, %s\n",
               bits->in_rank_order ? "in rank order" : "for operations that commute");
  tny_text_add(text, "bits          %s\n",
               tny_collective_shares_result(collective)
                   ? words[bits->on_all_ranks][bits->in_all_chunks]
                   : words_of_one[bits->in_all_chunks]);
}

void proof_describe(const struct proof_subject *subject, const struct proof *proof,
                    struct tny_text *text)
{
  const struct tny_report *report = &proof->report;
  const bool has_data = !tny_collective_synchronizes(subject->schedule->collective);
  const bool may_be_in_place = tny_collective_has_own_block(subject->schedule->collective);
  if (tny_collective_reduces(subject->schedule->collective))
    describe_results(subject->schedule->collective, &report->bits, text);
  else if (!has_data)
    tny_text_add(text, "order         %s\n", PROOF_SYNCHRONIZES);
  else
    tny_text_add(text, "data          every rank ends with the right blocks%s\n",
                 may_be_in_place && proof->in_place == TNY_OK ? ", in place too" : "");
  if (may_be_in_place && proof->in_place != TNY_OK)
    tny_text_add(text, "in place      wrong, it needs a copy of the input: %s\n",
                 proof->in_place_fault.text);
  tny_text_add(text, "progress      no deadlock, with any window and any speeds\n");
  tny_text_add(text, "steps         %" PRIu64 ": %" PRIu64 " messages, %" PRIu64 " tokens\n",
               report->steps, report->messages, report->tokens);
  tny_text_add(text, "rounds        %" PRIu32 ", a message taking one\n", report->rounds);
  if (has_data)
    tny_text_add(text, "sent          %" PRIu64 " blocks by a rank, at most\n",
                 report->blocks_sent_max);
  if (!subject->network)
    return;
  const struct finding finding = {subject, proof, subject->network->routes->cluster};
  if (report->phases > 0)
    describe_phases(&finding, text);
  describe_links(&finding, text);
  certificate_describe(subject, proof, text);
}
