/* What the links have carried, by the statistics that tc prints in every node, and by the relay's
   counts. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "core/error.h"
#include "core/text.h"
#include "lab/enter.h"
#include "lab/relay.h"
#include "lab/wiring.h"

/* Prints the relay's counts, a line for each link that passes through it. Where the lab has no
   relay there is no file of them. */
static void print_relayed(const struct tny_lab *lab)
{
  char path[TNY_LAB_PATH_MAX];
  struct tny_lab_relay_count count;
  tny_lab_folder_path(lab->directory, TNY_LAB_RELAY_COUNTS, path);
  FILE *file = fopen(path, "re");
  for (uint32_t link = 0; file && fread(&count, sizeof count, 1, file) == 1; link++)
    if (count.relayed)
      dprintf(STDOUT_FILENO,
              "relay %" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
              link, count.packets, count.bytes, count.dropped_packets, count.late_sum_ns,
              count.late_max_ns);
  if (file)
    fclose(file);
}

/* Prints each node's index and tc's statistics to the entered process's output. */
static int print_statistics(const struct tny_lab_entered *entered)
{
  char tc[256];
  struct tny_error error = {0};
  const struct tny_cluster *cluster = entered->lab->cluster;
  enum tny_status status = tny_lab_tool_find("tc", "iproute2", tc, &error);
  for (uint32_t node = 0; status == TNY_OK && node < cluster->host_count + cluster->switch_count;
       node++) {
    char *said = NULL;
    char *const argv[] = {tc, "-s", "qdisc", "show", NULL};
    const struct tny_lab_helper helper = {.argv = argv, .input = "", .netns = -1};
    status = tny_lab_node_enter(entered->lab->directory, cluster->node_names[node], &error);
    if (status == TNY_OK)
      status = tny_lab_helper_run(&helper, &said, &error);
    if (status == TNY_OK)
      dprintf(STDOUT_FILENO, "node %" PRIu32 "\n%s", node, said);
    tny_text_free(said);
  }
  if (status != TNY_OK)
    tny_lab_entered_fail(entered, &error);
  print_relayed(entered->lab);
  return 0;
}

static void collect(void *context, const char *bytes, size_t count)
{
  tny_text_add(context, "%.*s", (int)count, bytes);
}

/* Finds the link that a node's port sends into; TNY_NONE where there is none. */
static uint32_t find_link(const struct tny_cluster *cluster, uint32_t node, const char *port)
{
  for (uint32_t at = cluster->first_out[node]; at < cluster->first_out[node + 1]; at++) {
    char name[16];
    tny_lab_wiring_port(cluster, cluster->out_links[at], name);
    if (strcmp(name, port) == 0)
      return cluster->out_links[at];
  }
  return TNY_NONE;
}

/* Reads a line of print_relayed. */
static bool parse_relayed(const struct tny_cluster *cluster, const char *line,
                          struct tny_lab_count *counts)
{
  uint32_t link;
  struct tny_lab_relay_count count = {.relayed = 1};
  if (sscanf(line, "relay %" SCNu32 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
             &link, &count.packets, &count.bytes, &count.dropped_packets, &count.late_sum_ns,
             &count.late_max_ns) != 6 ||
      link >= cluster->link_count)
    return false;
  counts[link].relay = count;
  return true;
}

/* For each port tc prints a line "qdisc tbf 1: dev PORT ...", and behind it
   " Sent B bytes P pkt (dropped D, ...". */
static void parse(const struct tny_cluster *cluster, const char *text, struct tny_lab_count *counts)
{
  uint32_t node = 0, link = TNY_NONE;
  for (const char *line = text; *line;) {
    char port[16];
    struct tny_lab_count count = {0};
    if (parse_relayed(cluster, line, counts) || sscanf(line, "node %" SCNu32, &node) == 1)
      link = TNY_NONE;
    else if (sscanf(line, "qdisc tbf %*s dev %15s", port) == 1)
      link = find_link(cluster, node, port);
    else if (strncmp(line, "qdisc", 5) == 0)
      link = TNY_NONE;
    else if (link != TNY_NONE &&
             sscanf(line, " Sent %" SCNu64 " bytes %" SCNu64 " pkt (dropped %" SCNu64,
                    &count.sent_bytes, &count.sent_packets, &count.dropped_packets) == 3)
      counts[link] = count;
    line += strcspn(line, "\n");
    line += *line == '\n';
  }
}

enum tny_status tny_lab_count_links(const struct tny_lab *lab, struct tny_lab_count *counts,
                                    struct tny_error *error)
{
  struct tny_text text = {0};
  struct tny_lab_end end;
  struct tny_lab_task task = {.node = lab->cluster->node_names[0],
                              .body = print_statistics,
                              .watch = {.output = -1, .receive = collect, .context = &text}};
  char *all = NULL;
  for (uint32_t l = 0; l < lab->cluster->link_count; l++)
    counts[l] = (struct tny_lab_count){0};
  enum tny_status status = tny_lab_enter(lab, &task, &end, error);
  if (status == TNY_OK)
    status = tny_text_take(&text, &all, error);
  else
    tny_text_release(&text);
  if (status == TNY_OK)
    parse(lab->cluster, all, counts);
  tny_text_free(all);
  return status;
}
