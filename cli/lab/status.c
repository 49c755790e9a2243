/* `tourney lab status`: says what is up, as text and as JSON. */
#include "status.h"

#include <getopt.h>
#include <inttypes.h>

#include "cli/shared/json.h"
#include "cli/shared/report.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/text.h"
#include "core/units.h"
#include "lab/lab.h"
#include "options.h"

/* The least and the most of a link attribute, for a line that tells one or both. */
struct range {
  uint64_t least, most;
};

static void widen(struct range *range, uint64_t value)
{
  if (value < range->least)
    range->least = value;
  if (value > range->most)
    range->most = value;
}

static void link_ranges(const struct tny_cluster *cluster, struct range *rate, struct range *buffer)
{
  *rate = *buffer = (struct range){UINT64_MAX, 0};
  for (uint32_t l = 0; l < cluster->link_count; l++) {
    widen(rate, cluster->links[l].bandwidth_bps);
    widen(buffer, cluster->links[l].buffer_bytes);
  }
}

static void add_names(struct tny_text *text, const struct tny_cluster *cluster, bool hosts)
{
  const uint32_t first = hosts ? 0 : cluster->host_count;
  const uint32_t end = hosts ? cluster->host_count : first + cluster->switch_count;
  for (uint32_t node = first; node < end; node++)
    tny_text_add(text, " %s", cluster->node_names[node]);
  tny_text_add(text, "\n");
}

static void add_people_links(struct tny_text *text, const struct tny_cluster *cluster,
                             const struct tny_lab_count *counts)
{
  tny_text_add(text, "\n%-22s %-22s %12s %14s %10s %8s\n", "from", "to", "rate", "bytes", "packets",
               "dropped");
  for (uint32_t l = 0; l < cluster->link_count; l++) {
    const struct tny_link *link = &cluster->links[l];
    tny_text_add(text, "%-22s %-22s %12s %14" PRIu64 " %10" PRIu64 " %8" PRIu64 "\n",
                 cluster->node_names[link->from], cluster->node_names[link->to],
                 tny_bandwidth_format(link->bandwidth_bps).text, counts[l].sent_bytes,
                 counts[l].sent_packets, counts[l].dropped_packets);
  }
}

static double late_mean_us(const struct tny_lab_relay_count *count)
{
  return count->packets ? 1e-3 * (double)count->late_sum_ns / (double)count->packets : 0;
}

/* The relay's own table; nothing where the lab has no relay. */
static void add_people_relay(struct tny_text *text, const struct tny_cluster *cluster,
                             const struct tny_lab_count *counts)
{
  bool any = false;
  for (uint32_t l = 0; l < cluster->link_count; l++) {
    const struct tny_link *link = &cluster->links[l];
    const struct tny_lab_relay_count *count = &counts[l].relay;
    if (!count->relayed)
      continue;
    if (!any)
      tny_text_add(text, "\n%-22s %-22s %12s %14s %10s %8s %12s %12s\n", "relayed from", "to",
                   "latency", "bytes", "packets", "dropped", "late, mean", "late, most");
    any = true;
    tny_text_add(text,
                 "%-22s %-22s %12s %14" PRIu64 " %10" PRIu64 " %8" PRIu64 " %9.0f us %9.0f us\n",
                 cluster->node_names[link->from], cluster->node_names[link->to],
                 tny_time_format(link->latency_ns).text, count->bytes, count->packets,
                 count->dropped_packets, late_mean_us(count), 1e-3 * (double)count->late_max_ns);
  }
}

static void add_people(struct tny_text *text, const struct tny_lab *lab,
                       const struct tny_lab_count *counts)
{
  const struct tny_cluster *cluster = lab->cluster;
  struct range rate, buffer;
  link_ranges(cluster, &rate, &buffer);
  tny_text_add(text, "lab         %s\ncluster     %s\n", lab->name, cluster->name);
  tny_text_add(text, "hosts    %3u", cluster->host_count);
  add_names(text, cluster, true);
  tny_text_add(text, "switches %3u", cluster->switch_count);
  add_names(text, cluster, false);
  tny_text_add(text, "rate        %s", tny_bandwidth_format(rate.least).text);
  if (rate.most != rate.least)
    tny_text_add(text, " to %s", tny_bandwidth_format(rate.most).text);
  tny_text_add(text, "\nbuffer      %s", tny_bytes_format(buffer.least).text);
  if (buffer.most != buffer.least)
    tny_text_add(text, " to %s", tny_bytes_format(buffer.most).text);
  tny_text_add(text, "\ncongestion  %s\nkeeper      process %d\nup          %.0f s\n",
               lab->congestion, (int)lab->keeper, lab->up_seconds);
  if (counts) {
    add_people_links(text, cluster, counts);
    add_people_relay(text, cluster, counts);
  }
}

static void add_json_names(struct tny_text *text, const struct tny_cluster *cluster, uint32_t first,
                           uint32_t count)
{
  tny_text_add(text, "[");
  for (uint32_t i = 0; i < count; i++) {
    tny_text_add(text, "%s", i ? ", " : "");
    json_quote(text, cluster->node_names[first + i]);
  }
  tny_text_add(text, "]");
}

static void add_json_link(struct tny_text *text, const struct tny_cluster *cluster, uint32_t l,
                          const struct tny_lab_count *count)
{
  const struct tny_link *link = &cluster->links[l];
  tny_text_add(text, "    {\"from\": ");
  json_quote(text, cluster->node_names[link->from]);
  tny_text_add(text, ", \"to\": ");
  json_quote(text, cluster->node_names[link->to]);
  tny_text_add(text, ", \"bandwidth_bps\": %" PRIu64 ", \"buffer_bytes\": %" PRIu64,
               link->bandwidth_bps, link->buffer_bytes);
  if (count)
    tny_text_add(text,
                 ", \"sent_bytes\": %" PRIu64 ", \"sent_packets\": %" PRIu64
                 ", \"dropped_packets\": %" PRIu64,
                 count->sent_bytes, count->sent_packets, count->dropped_packets);
  if (count && count->relay.relayed)
    tny_text_add(text,
                 ", \"latency_ns\": %" PRIu64 ", \"relay_bytes\": %" PRIu64
                 ", \"relay_packets\": %" PRIu64 ", \"relay_dropped_packets\": %" PRIu64
                 ", \"relay_late_mean_us\": %.1f, \"relay_late_max_us\": %.1f",
                 link->latency_ns, count->relay.bytes, count->relay.packets,
                 count->relay.dropped_packets, late_mean_us(&count->relay),
                 1e-3 * (double)count->relay.late_max_ns);
  tny_text_add(text, "}%s\n", l + 1 < cluster->link_count ? "," : "");
}

static void add_json(struct tny_text *text, const struct tny_lab *lab,
                     const struct tny_lab_count *counts)
{
  const struct tny_cluster *cluster = lab->cluster;
  tny_text_add(text, "{\n  \"name\": ");
  json_quote(text, lab->name);
  tny_text_add(text, ",\n  \"cluster\": ");
  json_quote(text, cluster->name);
  tny_text_add(text, ",\n  \"hosts\": ");
  add_json_names(text, cluster, 0, cluster->host_count);
  tny_text_add(text, ",\n  \"switches\": ");
  add_json_names(text, cluster, cluster->host_count, cluster->switch_count);
  tny_text_add(text, ",\n  \"congestion\": ");
  json_quote(text, lab->congestion);
  tny_text_add(text, ",\n  \"keeper\": %d,\n  \"up_seconds\": %.3f,\n  \"links\": [\n",
               (int)lab->keeper, lab->up_seconds);
  for (uint32_t l = 0; l < cluster->link_count; l++)
    add_json_link(text, cluster, l, counts ? &counts[l] : NULL);
  tny_text_add(text, "  ]\n}\n");
}

static int show(const struct tny_lab *lab, bool links, bool json)
{
  struct tny_error error = {0};
  struct tny_text text = {0};
  struct tny_lab_count *counts = NULL;
  char *all = NULL;
  enum tny_status status = TNY_OK;
  if (links) {
    counts = tny_new(lab->cluster->link_count, sizeof *counts);
    status = counts ? tny_lab_count_links(lab, counts, &error) : tny_error_memory(&error);
  }
  if (status == TNY_OK) {
    (json ? add_json : add_people)(&text, lab, counts);
    status = tny_text_take(&text, &all, &error);
  }
  tny_free(counts);
  return cli_finish(status, all, &error);
}

int cli_lab_status(int argc, char **argv)
{
  static const struct option names[] = {{"name", required_argument, NULL, 'N'},
                                        {"links", no_argument, NULL, 'l'},
                                        {"json", no_argument, NULL, 'j'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};
  const char *name = NULL;
  bool links = false, json = false;
  for (int letter; (letter = cli_lab_option(argc, argv, "+:h", names)) != -1;) {
    if (letter == 'h')
      return cli_lab_help();
    if (letter == '?')
      return CLI_USAGE;
    if (letter == 'N')
      name = optarg;
    links |= letter == 'l';
    json |= letter == 'j';
  }
  const int code = cli_lab_no_arguments(argc, argv);
  if (code != CLI_OK)
    return code;
  struct tny_error error = {0};
  struct tny_lab *lab;
  if (tny_lab_open(name, &lab, &error) != TNY_OK)
    return cli_fail(&error);
  const int shown = show(lab, links, json);
  tny_lab_close(lab);
  return shown;
}
