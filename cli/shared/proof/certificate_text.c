/* Writes certificates as text and as JSON. */
#include <inttypes.h>
#include <string.h>

#include "certificate.h"
#include "cli/shared/json.h"
#include "cli/shared/link.h"
#include "proof.h"

struct tny_quantity certificate_count(double count)
{
  struct tny_quantity quantity;
  const uint64_t whole = (uint64_t)(count + 0.5);
  const double rest = count - (double)whole;
  if (rest < 5e-3 && rest > -5e-3)
    snprintf(quantity.text, sizeof quantity.text, "%" PRIu64, whole);
  else
    snprintf(quantity.text, sizeof quantity.text, "%.2f", count);
  return quantity;
}

static void describe_taken(const struct proof *proof, struct tny_text *text)
{
  const struct certificate *certificate = &proof->certificate;
  const struct tny_quantity taken = certificate_count(certificate->taken);
  const struct tny_quantity least = certificate_count(certificate->least);
  if (certificate->by_rounds) {
    tny_text_add(text, "  rounds        %s, at least %s by the ranks' ports alone\n", taken.text,
                 least.text);
    return;
  }
  tny_text_add(text, "  phases        %" PRIu32, proof->report.phases);
  if (strcmp(taken.text, certificate_count(proof->report.phases).text))
    tny_text_add(text, ", as long as %s that carry one piece a link", taken.text);
  tny_text_add(text, "; at least %s", least.text);
  tny_text_add(text, "\n  time          %.3f ms, at least %.3f ms, at the raw rates\n",
               1e3 * certificate->seconds, 1e3 * certificate->seconds_least);
}

static void describe_zones(const struct zone_traffic *traffic, struct tny_text *text)
{
  if (traffic->zone_count == 0)
    return;
  tny_text_add(text, "  wide links    %" PRIu64 " messages with %s between %" PRIu32 " zones; ",
               traffic->messages, tny_bytes_format(traffic->bytes).text, traffic->zone_count);
  tny_text_add(text, "at least %" PRIu64 " such with %s\n", traffic->messages_least,
               tny_bytes_format(traffic->bytes_least).text);
}

static void describe_gap(const struct certificate *certificate, struct tny_text *text)
{
  if (certificate->is_below_bound)
    tny_text_add(text,
                 "  gap           0 %%: below the bound, which is of messages that go straight\n");
  else if (certificate->gap_percent > 0)
    tny_text_add(text, "  gap           %.*f %%\n", certificate->gap_percent < 0.1 ? 3 : 1,
                 certificate->gap_percent);
  else
    tny_text_add(text, "  gap           0 %%: the bound is reached\n");
}

void certificate_describe(const struct proof_subject *subject, const struct proof *proof,
                          struct tny_text *text)
{
  const struct tny_cluster *cluster = subject->network->routes->cluster;
  const struct certificate *certificate = &proof->certificate;
  tny_text_add(text, "\ncertificate\n");
  describe_taken(proof, text);
  tny_text_add(text, "  bound         %s\n", certificate->reason);
  if (certificate->fullest_link != TNY_NONE) {
    const uint64_t bytes = proof->load_bytes[certificate->fullest_link];
    char name[LINK_NAME_CHARS];
    link_name(cluster, certificate->fullest_link, name);
    tny_text_add(text, "  fullest link  %s: %s, %.3f ms\n", name, tny_bytes_format(bytes).text,
                 1e3 * link_busy_seconds(cluster, certificate->fullest_link, bytes));
  }
  describe_zones(&certificate->between_zones, text);
  bundles_describe(cluster, subject->all_links, text);
  describe_gap(certificate, text);
}

static json_t *zones_json(const struct zone_traffic *traffic)
{
  if (traffic->zone_count == 0)
    return json_null();
  return json_pack("{s:I, s:I, s:I, s:I, s:I}", "zones", (json_int_t)traffic->zone_count,
                   "messages", (json_int_t)traffic->messages, "messages_least",
                   (json_int_t)traffic->messages_least, "bytes", (json_int_t)traffic->bytes,
                   "bytes_least", (json_int_t)traffic->bytes_least);
}

json_t *certificate_json(const struct proof_subject *subject, const struct proof *proof)
{
  const struct certificate *certificate = &proof->certificate;
  const struct tny_cluster *cluster = subject->network->routes->cluster;
  const bool by_rounds = certificate->by_rounds;
  return json_pack(
      "{s:s, s:f, s:f, s:o, s:o, s:{s:s, s:s}, s:o, s:o, s:o, s:f, s:b}", "unit",
      by_rounds ? "rounds" : "phases", "taken", certificate->taken, "least", certificate->least,
      "seconds", by_rounds ? json_null() : json_real(certificate->seconds), "seconds_least",
      json_real(certificate->seconds_least), "bound", "kind",
      certificate->by_doubling ? "pieces" : tny_bound_reason_name(proof->bound.reason), "text",
      certificate->reason, "fullest_link", json_link(cluster, certificate->fullest_link),
      "wide_links", zones_json(&certificate->between_zones), "bundles", bundles_json(cluster),
      "gap_percent", certificate->gap_percent, "bound_reached",
      (int)(certificate->gap_percent <= 0 && !certificate->is_below_bound));
}
