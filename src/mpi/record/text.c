/* Writes the JSON by hand, as the runtime links nothing but the MPI and libc. */
#include "mpi/record/text.h"

#include <inttypes.h>
#include <math.h>

/* How long a character of UTF-8 is that begins here; 0: this is none. */
static size_t character_length(const unsigned char *at)
{
  const size_t length = at[0] < 0x80                    ? 1
                        : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
                        : at[0] >= 0xe0 && at[0] < 0xf0 ? 3
                        : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
                                                        : 0;
  for (size_t i = 1; i < length; i++)
    if ((at[i] & 0xc0) != 0x80)
      return 0;
  const bool is_overlong = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xf0 && at[1] < 0x90);
  const bool is_surrogate = at[0] == 0xed && at[1] >= 0xa0;
  const bool is_beyond = at[0] == 0xf4 && at[1] >= 0x90;
  return is_overlong || is_surrogate || is_beyond ? 0 : length;
}

/* A string; NULL is null. What isn't UTF-8, as JSON is, becomes a question mark. */
static void add_words(struct tny_text *text, const char *words)
{
  if (!words) {
    tny_text_add(text, "null");
    return;
  }
  tny_text_add(text, "\"");
  for (const unsigned char *at = (const unsigned char *)words; *at;) {
    const size_t length = character_length(at);
    if (length == 0)
      tny_text_add(text, "?");
    else if (*at < ' ')
      tny_text_add(text, "\\u%04x", *at);
    else
      tny_text_add(text, "%s%.*s", *at == '"' || *at == '\\' ? "\\" : "", (int)length,
                   (const char *)at);
    at += length ? length : 1;
  }
  tny_text_add(text, "\"");
}

static void add_member(struct tny_text *text, const char *name, const char *words)
{
  tny_text_add(text, "\"%s\": ", name);
  add_words(text, words);
  tny_text_add(text, ", ");
}

/* --- the run --- */

static void add_cluster(struct tny_text *text, const struct tny_record_about *about)
{
  char *flat = NULL;
  struct tny_error error;
  if (!about->cluster) {
    tny_text_add(text, " \"cluster\": null,\n");
    return;
  }
  if (tny_cluster_write_flat(about->cluster, &flat, &error) != TNY_OK)
    text->failed = true;
  tny_text_add(text, " \"cluster\": {");
  add_member(text, "name", about->cluster->name);
  add_member(text, "origin", about->origin);
  add_member(text, "flat", flat ? flat : "");
  tny_text_add(text, "\"host_of_rank\": [");
  for (uint32_t rank = 0; rank < about->rank_count; rank++)
    tny_text_add(text, "%s%" PRIu32, rank ? "," : "", about->host_of_rank[rank]);
  tny_text_add(text, "]},\n");
  tny_text_free(flat);
}

static void add_host(struct tny_text *text, const struct tny_record_host *host)
{
  static const char *const names[TNY_COUNTER_COUNT] = {[TNY_COUNT_SEGMENTS] = "segments",
                                                       [TNY_COUNT_RETRANSMITTED] = "retransmitted",
                                                       [TNY_COUNT_TIMEOUTS] = "timeouts",
                                                       [TNY_COUNT_INTERFACE_DROPS] =
                                                           "interface_drops"};
  tny_text_add(text, "\n  {\"name\": ");
  add_words(text, host->name);
  for (int i = 0; host->counted.is_known && i < TNY_COUNTER_COUNT; i++)
    tny_text_add(text, ", \"%s\": %" PRIu64, names[i], host->counted.list[i]);
  tny_text_add(text, "}");
}

static void add_about(struct tny_text *text, const struct tny_record_about *about)
{
  add_member(text, "version", about->version);
  add_member(text, "mpi", about->mpi);
  add_member(text, "program", about->program);
  tny_text_add(text, "\n \"began_s\": %" PRId64 ", \"took_ns\": %.0f, \"ranks\": %" PRIu32 ", ",
               about->began_s, about->took_ns, about->rank_count);
  add_member(text, "why_native", about->why_native);
  tny_text_add(text, "\"guard\": %s,\n", about->has_guard ? "true" : "false");
  add_cluster(text, about);
  tny_text_add(text, " \"has_all_hosts\": %s, \"hosts\": [",
               about->has_all_hosts ? "true" : "false");
  for (uint32_t i = 0; i < about->host_count; i++) {
    tny_text_add(text, "%s", i ? "," : "");
    add_host(text, &about->hosts[i]);
  }
  tny_text_add(text, "],\n");
}

/* --- calls and decisions --- */

static void add_row(struct tny_text *text, const struct tny_record_row *row)
{
  tny_text_add(text, "\n  {");
  add_member(text, "collective", row->collective);
  add_member(text, "algorithm", row->algorithm);
  add_member(text, "why", row->why);
  tny_text_add(text,
               "\"ranks\": %" PRIu32 ", \"class_bytes\": %" PRIu64 ", \"calls\": %" PRIu64
               ", \"bytes\": %" PRIu64,
               row->rank_count, row->class_bytes, row->calls, row->bytes);
  if (row->root >= 0)
    tny_text_add(text, ", \"root\": %" PRId64, row->root);
  const struct tny_record_times *times = row->times;
  if (times)
    tny_text_add(text,
                 ", \"timed\": %" PRIu64
                 ", \"total_ns\": %.0f, \"least_ns\": %.0f, \"q1_ns\": %.0f, \"median_ns\": %.0f, "
                 "\"q3_ns\": %.0f, \"most_ns\": %.0f",
                 times->count, times->total_ns, times->least_ns, tny_record_quantile(times, 0.25),
                 tny_record_quantile(times, 0.5), tny_record_quantile(times, 0.75), times->most_ns);
  tny_text_add(text, "}");
}

/* A time that is there, or null. */
static void add_time(struct tny_text *text, const char *name, double ns, bool is_there)
{
  if (is_there)
    tny_text_add(text, ", \"%s\": %.0f", name, ns);
  else
    tny_text_add(text, ", \"%s\": null", name);
}

static void add_decision(struct tny_text *text, const struct tny_record_decision *made)
{
  const struct tny_decision *decision = &made->decision;
  tny_text_add(text, "\n  {\"at_ns\": %.0f, ", made->at_ns);
  add_member(text, "collective", decision->collective);
  add_member(text, "served", decision->served[0] ? decision->served : "native");
  tny_text_add(text,
               "\"own_op\": %s, \"ranks\": %" PRIu32 ", \"class_bytes\": %" PRIu64
               ", \"trials\": %" PRIu32,
               decision->is_own ? "true" : "false", decision->rank_count, decision->class_bytes,
               decision->trials);
  add_time(text, "native_ns", decision->native_ns, decision->native_ns > 0);
  tny_text_add(text, ", \"tried\": [");
  const char *comma = "";
  for (size_t i = 0; i < sizeof decision->tried / sizeof *decision->tried; i++) {
    const double ns = decision->tried[i].ns, predicted_ns = decision->tried[i].predicted_ns;
    if (!decision->tried[i].name[0])
      continue;
    tny_text_add(text, "%s{", comma);
    add_member(text, "name", decision->tried[i].name);
    tny_text_add(text, "\"can_run\": %s", isinf(ns) ? "false" : "true");
    add_time(text, "seen_ns", ns, ns >= 0 && isfinite(ns));
    add_time(text, "predicted_ns", predicted_ns, predicted_ns > 0 && isfinite(predicted_ns));
    tny_text_add(text, "}");
    comma = ", ";
  }
  tny_text_add(text, "]}");
}

enum tny_status tny_record_text(const struct tny_record *record,
                                const struct tny_record_about *about, char **taken,
                                struct tny_error *error)
{
  struct tny_text text = {0};
  tny_text_add(&text, "{\"tourney_record\": 1, ");
  add_about(&text, about);
  tny_text_add(&text, " \"trials_ns\": %.0f, \"left_out\": %" PRIu64 ",\n \"calls\": [",
               record->trials_ns, record->left_out);
  for (uint32_t i = 0; i < record->row_count; i++) {
    tny_text_add(&text, "%s", i ? "," : "");
    add_row(&text, &record->rows[i]);
  }
  tny_text_add(&text, "],\n \"decisions\": [");
  for (uint32_t i = 0; i < record->decision_count; i++) {
    tny_text_add(&text, "%s", i ? "," : "");
    add_decision(&text, &record->decisions[i]);
  }
  tny_text_add(&text, "]}\n");
  return tny_text_take(&text, taken, error);
}
