/* Proves schedules in other tools' forms, and writes what was found as text. */
#include "foreign.h"

#include <inttypes.h>

#include "cli/shared/link.h"
#include "cli/shared/mapping.h"
#include "cli/shared/proof/proof.h"
#include "cli/shared/words.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/units.h"

enum { LINKS_SHOWN = 3 }; /* the fullest, unless all are wanted */

static void describe_head(const struct tny_foreign_about *about, struct tny_text *text)
{
  tny_text_add(text, "%s", about->form == TNY_FORM_GOAL ? "GOAL" : "MSCCL XML");
  if (about->head)
    tny_text_add(text, ", %s %s", tny_collective_name(about->head->collective),
                 about->head->algorithm);
  tny_text_add(text, ", %" PRIu32 " rank%s", about->rank_count, plural(about->rank_count));
  if (about->head)
    tny_text_add(text, ", %" PRIu32 " chunk%s a block", about->head->chunk_count,
                 plural(about->head->chunk_count));
  if (about->form == TNY_FORM_MSCCL)
    tny_text_add(text, ", %s", about->in_place ? "in place" : "out of place");
  tny_text_add(text, "\n");
}

static void describe_report(const struct tny_foreign_about *about,
                            const struct tny_foreign_report *report, struct tny_text *text)
{
  static const char *const data[] = {[TNY_DATA_PROVED] = "every rank ends with the right blocks",
                                     [TNY_DATA_BY_SIZES] = "right, by the sizes: ",
                                     [TNY_DATA_UNKNOWN] = "not in this form: ",
                                     [TNY_DATA_NONE] = PROOF_SYNCHRONIZES};
  tny_text_add(text, "%-13s %s%s\n", report->data == TNY_DATA_NONE ? "order" : "data",
               data[report->data], report->why);
  if (report->rendezvous_deadlock[0])
    tny_text_add(text,
                 "progress      no deadlock, if each connection buffers a message; without that\n"
                 "              %s\n",
                 report->rendezvous_deadlock);
  else
    tny_text_add(text, "progress      no deadlock, at any speeds\n");
  tny_text_add(text, "messages      %" PRIu64, report->messages);
  if (about->form == TNY_FORM_GOAL)
    tny_text_add(text, ", %s in all", tny_bytes_format(report->message_bytes).text);
  tny_text_add(text, "; %" PRIu64 " operations\n", report->operations);
  tny_text_add(text, "chain         %" PRIu32 " message%s, each only after the one before\n",
               report->chain, plural(report->chain));
}

/* Links, and how long each is busy. */
struct loads {
  const struct tny_cluster *cluster;
  uint64_t *load_bytes;
};

static double seconds_of(const struct loads *loads, uint32_t link)
{
  return link_busy_seconds(loads->cluster, link, loads->load_bytes[link]);
}

static void describe_link(const struct loads *loads, uint32_t link, struct tny_text *text)
{
  char name[LINK_NAME_CHARS];
  link_name(loads->cluster, link, name);
  tny_text_add(text, "  %-24s %10s %12.3f\n", name, tny_bytes_format(loads->load_bytes[link]).text,
               1e3 * seconds_of(loads, link));
}

/* The fullest of those that aren't shown yet; of equals the first. */
static uint32_t next_fullest(const struct loads *loads, const bool *is_shown)
{
  uint32_t fullest = TNY_NONE;
  for (uint32_t link = 0; link < loads->cluster->link_count; link++)
    if (!is_shown[link] &&
        (fullest == TNY_NONE || seconds_of(loads, link) > seconds_of(loads, fullest)))
      fullest = link;
  return fullest;
}

static enum tny_status describe_loads(const struct verify_foreign *subject,
                                      const struct loads *loads, struct tny_text *text,
                                      struct tny_error *error)
{
  const uint32_t count = loads->cluster->link_count;
  bool *is_shown = tny_new(count, sizeof *is_shown);
  if (!is_shown)
    return tny_error_memory(error);
  tny_text_add(text, "\n  %-24s %10s %12s\n", subject->all_links ? "link" : "fullest links",
               "carries", "at least ms");
  for (uint32_t i = 0; i < count && (subject->all_links || i < LINKS_SHOWN); i++) {
    const uint32_t link = subject->all_links ? i : next_fullest(loads, is_shown);
    is_shown[link] = true;
    describe_link(loads, link, text);
  }
  tny_free(is_shown);
  return TNY_OK;
}

static enum tny_status describe_links(const struct verify_foreign *subject, struct tny_text *text,
                                      struct tny_error *error)
{
  struct mapping mapping = {0};
  struct loads loads = {0};
  enum tny_status status = mapping_open(&mapping, subject->where, error);
  if (status == TNY_OK) {
    loads.cluster = mapping.cluster;
    loads.load_bytes = tny_new(mapping.cluster->link_count, sizeof *loads.load_bytes);
    if (!loads.load_bytes)
      status = tny_error_memory(error);
  }
  if (status == TNY_OK) {
    tny_foreign_load(subject->foreign, &mapping.network, subject->block_bytes, loads.load_bytes);
    if (mapping.is_routing_asked)
      mapping_describe_routes(&mapping, text);
    status = describe_loads(subject, &loads, text, error);
  }
  tny_free(loads.load_bytes);
  mapping_close(&mapping);
  return status;
}

enum tny_status verify_foreign(const struct verify_foreign *subject, struct tny_text *text,
                               struct tny_error *error)
{
  const struct tny_foreign_about about = tny_foreign_about(subject->foreign);
  struct tny_foreign_report report;
  if (subject->wanted && about.head && about.head->collective != subject->wanted->collective)
    return tny_error_set(error, TNY_BAD_INPUT, "this is a schedule of %s, not of %s",
                         tny_collective_name(about.head->collective),
                         tny_collective_name(subject->wanted->collective));
  const enum tny_status status =
      tny_foreign_verify(subject->foreign, subject->wanted, &report, error);
  if (status != TNY_OK)
    return status;
  describe_head(&about, text);
  describe_report(&about, &report, text);
  return subject->where->cluster ? describe_links(subject, text, error) : TNY_OK;
}
