/* What was found for people and programs. */
#include "show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/shared/columns.h"
#include "cli/shared/csv.h"
#include "cli/shared/json.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/hostlist.h"
#include "core/units.h"

static struct tny_quantity rate(const struct tny_found_cable *cable)
{
  return tny_bandwidth_format(tny_discovered_rounded(cable->bps));
}

static void write_rate(const struct tny_found_cable *cable, char text[COLUMNS_CELL])
{
  snprintf(text, COLUMNS_CELL, "%s%s", cable->is_least ? "at least " : "", rate(cable).text);
}

/* How it is known. */
static const char *rate_basis(const struct tny_found_cable *cable)
{
  return cable->is_least ? "at least" : "measured";
}

static const char *buffer_basis(const struct tny_found_cable *cable)
{
  return cable->buffer_bytes == 0 ? "unknown" : cable->is_measured ? "measured" : "as others";
}

static void write_buffer(const struct tny_found_cable *cable, char text[COLUMNS_CELL])
{
  if (cable->buffer_bytes > 0)
    snprintf(text, COLUMNS_CELL, "%.1f KiB, %s", cable->buffer_bytes / 1024, buffer_basis(cable));
  else
    snprintf(text, COLUMNS_CELL, "unknown");
}

static const struct tny_tree *tree_of(const struct discover_network *network)
{
  return &network->found.tree;
}

/* A trunk shows where two hosts or more are on either side. */

static void add_summary(const struct discover_network *network, const char *before,
                        struct tny_text *text)
{
  const struct tny_tree *tree = tree_of(network);
  tny_text_add(text, "%s%" PRIu32 " hosts", before, tree->host_count);
  if (tree->host_count < TNY_TREE_HOSTS_LEAST) {
    tny_text_add(text, "; that is too few to see trunks between them: %d are the least\n",
                 TNY_TREE_HOSTS_LEAST);
    return;
  }
  tny_text_add(text, " at %" PRIu32 " switch%s; round trips are sure to %.2g us",
               tree->switch_count, tree->switch_count == 1 ? "" : "es", tree->error_ns / 1e3);
  if (tree->trunk_count)
    tny_text_add(text, ", a trunk takes %.2g us of them", tree->hop_ns / 1e3);
  else
    tny_text_add(text, ", so that no trunk shows that takes less than %.2g us",
                 TNY_TREE_ERRORS_LEAST * tree->error_ns / 1e3);
  tny_text_add(text, "\n");
}

/* --- text --- */

static bool is_like(const struct tny_found_cable *a, const struct tny_found_cable *b)
{
  return a->bps == b->bps && a->is_least == b->is_least && a->buffer_bytes == b->buffer_bytes;
}

/* Hosts at one switch with like cables, as a row each; `names` has room for all. */
static void add_hosts(const struct discover_network *network, uint32_t at, const char **names,
                      struct columns *columns)
{
  const struct tny_tree *tree = tree_of(network);
  const struct tny_found_cable *hosts = network->found.hosts;
  for (uint32_t first = 0; first < tree->host_count; first++) {
    uint32_t count = 0;
    bool is_first = tree->switch_of[first] == at, is_measured = false;
    for (uint32_t host = 0; host < tree->host_count; host++) {
      if (tree->switch_of[host] != at || !is_like(&hosts[host], &hosts[first]))
        continue;
      is_first &= host >= first;
      is_measured |= hosts[host].is_measured;
      names[count++] = network->names[host];
    }
    char(*row)[COLUMNS_CELL] = is_first ? columns_add(columns) : NULL;
    if (!row)
      continue;
    struct tny_text list = {0};
    struct tny_found_cable cable = hosts[first];
    cable.is_measured = is_measured;
    tny_hostlist_fold(&list, names, count);
    tny_discovered_switch(&network->discovered, at, row[0]);
    snprintf(row[1], COLUMNS_CELL, "%.90s", list.bytes ? list.bytes : "");
    write_rate(&cable, row[2]);
    write_buffer(&cable, row[3]);
    tny_text_release(&list);
  }
}

static void add_host_table(const struct discover_network *network, struct tny_text *text)
{
  struct columns columns = {.column_count = 4, .left_count = 2};
  const char **names = tny_new(tree_of(network)->host_count, sizeof *names);
  char(*row)[COLUMNS_CELL] = columns_add(&columns);
  if (row && names) {
    snprintf(row[0], COLUMNS_CELL, "switch");
    snprintf(row[1], COLUMNS_CELL, "hosts");
    snprintf(row[2], COLUMNS_CELL, "rate");
    snprintf(row[3], COLUMNS_CELL, "port's buffer");
    for (uint32_t at = 0; at < tree_of(network)->switch_count; at++)
      add_hosts(network, at, names, &columns);
  }
  text->failed |= !names;
  columns_write_text(&columns, text);
  columns_release(&columns);
  tny_free(names);
}

static void add_trunk_table(const struct discover_network *network, struct tny_text *text)
{
  const struct tny_tree *tree = tree_of(network);
  struct columns columns = {.column_count = 4, .left_count = 1};
  char(*row)[COLUMNS_CELL] = columns_add(&columns);
  if (row) {
    snprintf(row[0], COLUMNS_CELL, "trunk");
    snprintf(row[1], COLUMNS_CELL, "rate");
    snprintf(row[2], COLUMNS_CELL, "port's buffer");
    snprintf(row[3], COLUMNS_CELL, "confidence");
  }
  for (uint32_t t = 0; t < tree->trunk_count; t++) {
    const struct tny_found_cable *cable = &network->found.trunks[t];
    char a[32], b[32];
    row = columns_add(&columns);
    if (!row)
      break;
    tny_discovered_switch(&network->discovered, tree->trunks[t].a, a);
    tny_discovered_switch(&network->discovered, tree->trunks[t].b, b);
    snprintf(row[0], COLUMNS_CELL, "%s -- %s", a, b);
    write_rate(cable, row[1]);
    write_buffer(cable, row[2]);
    snprintf(row[3], COLUMNS_CELL, "%.0f times the noise", discover_network_sureness(network, t));
  }
  columns_write_text(&columns, text);
  columns_release(&columns);
}

static void show_text(const struct discover_network *network, struct tny_text *text)
{
  add_summary(network, "", text);
  tny_text_add(text, "\n");
  add_host_table(network, text);
  if (tree_of(network)->trunk_count) {
    tny_text_add(text, "\n");
    add_trunk_table(network, text);
  }
}

/* --- CSV and JSON --- */

static void add_csv_cable(const struct tny_found_cable *cable, struct tny_text *text)
{
  tny_text_add(text, ",%.0f,%s,%.0f,%s", cable->bps, rate_basis(cable), cable->buffer_bytes,
               buffer_basis(cable));
}

static void show_csv(const struct discover_network *network, struct tny_text *text)
{
  const struct tny_tree *tree = tree_of(network);
  char a[32], b[32];
  tny_text_add(text, "kind,from,to,bandwidth_bps,bandwidth_is,buffer_bytes,buffer_is,"
                     "round_trip_ns,times_noise\n");
  for (uint32_t host = 0; host < tree->host_count; host++) {
    tny_discovered_switch(&network->discovered, tree->switch_of[host], a);
    tny_text_add(text, "host,");
    csv_add_field(text, network->names[host]);
    tny_text_add(text, ",%s", a);
    add_csv_cable(&network->found.hosts[host], text);
    tny_text_add(text, ",,\n");
  }
  for (uint32_t t = 0; t < tree->trunk_count; t++) {
    tny_discovered_switch(&network->discovered, tree->trunks[t].a, a);
    tny_discovered_switch(&network->discovered, tree->trunks[t].b, b);
    tny_text_add(text, "trunk,%s,%s", a, b);
    add_csv_cable(&network->found.trunks[t], text);
    tny_text_add(text, ",%.0f,%.1f\n", tree->trunks[t].ns, discover_network_sureness(network, t));
  }
}

static json_t *json_cable(const char *from, const char *to, const struct tny_found_cable *cable)
{
  return json_pack("{s:s, s:s, s:I, s:s, s:I, s:s}", "from", from, "to", to, "bandwidth_bps",
                   (json_int_t)cable->bps, "bandwidth_is", rate_basis(cable), "buffer_bytes",
                   (json_int_t)cable->buffer_bytes, "buffer_is", buffer_basis(cable));
}

static enum tny_status show_json(const struct discover_network *network, char **shown,
                                 struct tny_error *error)
{
  const struct tny_tree *tree = tree_of(network);
  json_t *hosts = json_array(), *trunks = json_array();
  char a[32], b[32];
  for (uint32_t host = 0; host < tree->host_count; host++) {
    tny_discovered_switch(&network->discovered, tree->switch_of[host], a);
    json_add(&hosts, json_cable(network->names[host], a, &network->found.hosts[host]));
  }
  for (uint32_t t = 0; t < tree->trunk_count; t++) {
    tny_discovered_switch(&network->discovered, tree->trunks[t].a, a);
    tny_discovered_switch(&network->discovered, tree->trunks[t].b, b);
    json_t *trunk = json_cable(a, b, &network->found.trunks[t]);
    if (trunk && (json_object_set_new(trunk, "round_trip_ns", json_real(tree->trunks[t].ns)) ||
                  json_object_set_new(trunk, "times_noise",
                                      json_real(discover_network_sureness(network, t))))) {
      json_decref(trunk);
      trunk = NULL;
    }
    json_add(&trunks, trunk);
  }
  return json_take(json_pack("{s:f, s:I, s:o, s:o}", "noise_ns", tree->error_ns, "misfits",
                             (json_int_t)tree->misfits, "hosts", hosts, "trunks", trunks),
                   shown, error);
}

enum tny_status discover_show(const struct discover_network *network, enum cli_format format,
                              char **shown, struct tny_error *error)
{
  struct tny_text text = {0};
  if (format == CLI_JSON)
    return show_json(network, shown, error);
  if (format == CLI_CSV)
    show_csv(network, &text);
  else
    show_text(network, &text);
  return tny_text_take(&text, shown, error);
}

/* --- a file --- */

enum tny_status discover_write_graph(const struct discover_network *network, char **graph,
                                     struct tny_error *error)
{
  const struct tny_tree *tree = tree_of(network);
  struct tny_text text = {0};
  struct tny_cluster *cluster = NULL;
  char *body = NULL, a[32], b[32];
  enum tny_status status = tny_discovered_cluster(&network->discovered, &cluster, error);
  if (status == TNY_OK)
    status = tny_cluster_write_dot(cluster, &body, error);
  add_summary(network, "// Found by tourney discover: ", &text);
  for (uint32_t t = 0; t < tree->trunk_count; t++) {
    const struct tny_found_cable *cable = &network->found.trunks[t];
    tny_discovered_switch(&network->discovered, tree->trunks[t].a, a);
    tny_discovered_switch(&network->discovered, tree->trunks[t].b, b);
    tny_text_add(&text, "// %s -- %s: rate %s, buffer %s, %.0f times the noise\n", a, b,
                 rate_basis(cable), buffer_basis(cable), discover_network_sureness(network, t));
  }
  for (uint32_t host = 0; host < tree->host_count; host++) {
    const struct tny_found_cable *cable = &network->found.hosts[host];
    if (cable->is_measured || cable->is_least)
      tny_text_add(&text, "// %s: rate %s, buffer %s\n", network->names[host], rate_basis(cable),
                   buffer_basis(cable));
  }
  tny_text_add(&text, "// other hosts: rate measured, buffer as others\n");
  if (status == TNY_OK) {
    tny_text_add(&text, "%s", body);
    status = tny_text_take(&text, graph, error);
  }
  tny_text_release(&text);
  tny_text_free(body);
  tny_cluster_free(cluster);
  return status;
}

/* --- what differs --- */

enum tny_status discover_show_faults(const struct tny_faults *faults, const char *file,
                                     enum cli_format format, char **shown, struct tny_error *error)
{
  struct tny_text text = {0};
  json_t *list = format == CLI_JSON ? json_array() : NULL;
  if (format == CLI_CSV)
    tny_text_add(&text, "kind,what,text\n");
  if (format == CLI_TEXT)
    tny_text_add(&text, "%s: %s%" PRIu32 " difference%s\n", file, faults->count ? "" : "fits, ",
                 faults->count, faults->count == 1 ? "" : "s");
  for (uint32_t i = 0; i < faults->count; i++) {
    const struct tny_fault *fault = &faults->at[i];
    const char *kind = tny_fault_kind_name(fault->kind);
    if (format == CLI_JSON) {
      json_add(&list, json_pack("{s:s, s:s, s:s}", "kind", kind, "what", fault->what, "text",
                                fault->text));
    } else if (format == CLI_CSV) {
      tny_text_add(&text, "%s,", kind);
      csv_add_field(&text, fault->what);
      tny_text_add(&text, ",");
      csv_add_field(&text, fault->text);
      tny_text_add(&text, "\n");
    } else {
      tny_text_add(&text, "  %s\n", fault->text);
    }
  }
  if (format == CLI_TEXT && faults->unjudged)
    tny_text_add(&text,
                 "not judged: the rate of %" PRIu32
                 " trunk%s, which the hosts' streams together don't fill\n",
                 faults->unjudged, faults->unjudged == 1 ? "" : "s");
  if (format == CLI_JSON)
    return json_take(json_pack("{s:s, s:I, s:o}", "file", file, "unjudged",
                               (json_int_t)faults->unjudged, "faults", list),
                     shown, error);
  return tny_text_take(&text, shown, error);
}
