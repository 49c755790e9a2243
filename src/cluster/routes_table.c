/* Routes read from a file, which has a line for each switch, destination hosts and next node
   (docs/cluster-files.md).

     routes 1
     s0 h[4-7] s1      to these hosts, s0 sends to s1; by parallel cables in turn, by host
     s0 h8 s1#1        by the second cable to s1
     s0 * s2           to all other hosts

   A switch's own hosts need no line. */
#include "cluster/router.h"

#include "core/alloc.h"
#include "core/error.h"
#include "core/hostlist.h"
#include "core/scan.h"
#include "core/text.h"

#define HEADING "routes 1"

/* Where a line sends to. */
struct target {
  uint32_t trunk; /* TNY_NONE: not given */
  uint32_t cable; /* of the trunk; TNY_NONE: in turn */
  unsigned line;
};

struct name_entry {
  const char *name;
  uint32_t node;
};

struct reader {
  const struct tny_cluster *cluster;
  struct tny_tables *tables;
  const char *file;
  unsigned line;
  struct name_entry *names; /* all nodes, by name */
  uint32_t *lines;          /* as the tables' given: where each was given, 0: not */
  struct target *otherwise; /* by switch: the default */
  uint32_t at;              /* the line being read: its switch, and where that sends to */
  struct target target;
  uint32_t to_host; /* its next node, where that is a host: TNY_NONE: it isn't */
};

static enum tny_status refuse(const struct reader *reader, struct tny_error *error, const char *why,
                              const char *name)
{
  return tny_error_at(error, TNY_BAD_INPUT, reader->file, reader->line, 0, "%.100s %s", name, why);
}

static int compare_names(const void *a, const void *b)
{
  return strcmp(((const struct name_entry *)a)->name, ((const struct name_entry *)b)->name);
}

static uint32_t find_node(const struct reader *reader, const char *name)
{
  const struct name_entry wanted = {.name = name};
  const struct name_entry *found =
      bsearch(&wanted, reader->names, reader->cluster->host_count + reader->cluster->switch_count,
              sizeof *found, compare_names);
  return found ? found->node : TNY_NONE;
}

/* --- one line --- */

/* "s1" or "s1#0"; cuts the number off. A name may have a number sign itself. */
static enum tny_status find_next(const struct reader *reader, char *text, uint32_t *next,
                                 uint32_t *cable)
{
  char *sign = strrchr(text, '#');
  *cable = TNY_NONE;
  *next = find_node(reader, text);
  if (*next != TNY_NONE || !sign)
    return TNY_OK;
  uint64_t number;
  if (!tny_scan_whole(sign + 1, &number) || number >= TNY_NONE)
    return TNY_BAD_INPUT;
  *cable = (uint32_t)number;
  *sign = '\0';
  *next = find_node(reader, text);
  return TNY_OK;
}

static enum tny_status read_next(struct reader *reader, char *text, struct tny_error *error)
{
  const struct tny_cluster *cluster = reader->cluster;
  const struct tny_tables *tables = reader->tables;
  uint32_t next;
  reader->target = (struct target){.trunk = TNY_NONE, .line = reader->line};
  reader->to_host = TNY_NONE;
  if (find_next(reader, text, &next, &reader->target.cable))
    return refuse(reader, error, "has no number of a cable behind its #", text);
  if (next == TNY_NONE)
    return refuse(reader, error, "is no node of the cluster", text);
  if (next < cluster->host_count) {
    reader->to_host = next;
    return TNY_OK;
  }
  uint32_t trunk = tables->first_trunk[reader->at];
  while (trunk < tables->first_trunk[reader->at + 1] &&
         tables->trunks[trunk].to != next - cluster->host_count)
    trunk++;
  if (trunk == tables->first_trunk[reader->at + 1])
    return tny_error_at(error, TNY_BAD_INPUT, reader->file, reader->line, 0,
                        "%.100s and %.100s have no cable between them",
                        cluster->node_names[cluster->host_count + reader->at], text);
  if (reader->target.cable != TNY_NONE && reader->target.cable >= tables->trunks[trunk].cable_count)
    return tny_error_at(error, TNY_BAD_INPUT, reader->file, reader->line, 0,
                        "there is no cable %u from %.100s to %.100s: the last is number %u",
                        reader->target.cable, cluster->node_names[cluster->host_count + reader->at],
                        text, tables->trunks[trunk].cable_count - 1);
  reader->target.trunk = trunk;
  return TNY_OK;
}

static void give(struct reader *reader, const struct target *target, uint32_t at, uint32_t host)
{
  const struct tny_tables *tables = reader->tables;
  const size_t place = (size_t)at * reader->cluster->host_count + host;
  tables->given[place] =
      target->cable == TNY_NONE
          ? tny_routes_cable(tables, target->trunk, host)
          : tables->cables[tables->trunks[target->trunk].first_cable + target->cable];
  reader->lines[place] = target->line;
}

static enum tny_status take_host(void *state, const char *name, struct tny_error *error)
{
  struct reader *reader = state;
  const struct tny_cluster *cluster = reader->cluster;
  const uint32_t host = find_node(reader, name);
  if (host == TNY_NONE || host >= cluster->host_count)
    return refuse(reader, error, "is no host of the cluster", name);
  const bool at_home = tny_routes_home(cluster, host) == reader->at;
  if (at_home && reader->to_host == host)
    return TNY_OK;
  if (at_home)
    return tny_error_at(error, TNY_BAD_INPUT, reader->file, reader->line, 0,
                        "%.100s is plugged into %.100s, which sends it nowhere else: leave it out",
                        name, cluster->node_names[cluster->host_count + reader->at]);
  if (reader->to_host != TNY_NONE)
    return refuse(reader, error, "is a host: what is for another host can't go there",
                  cluster->node_names[reader->to_host]);
  if (reader->lines[(size_t)reader->at * cluster->host_count + host])
    return tny_error_at(error, TNY_BAD_INPUT, reader->file, reader->line, 0,
                        "the way from %.100s to %.100s is given twice, first in line %u",
                        cluster->node_names[cluster->host_count + reader->at], name,
                        reader->lines[(size_t)reader->at * cluster->host_count + host]);
  give(reader, &reader->target, reader->at, host);
  return TNY_OK;
}

static enum tny_status take_default(struct reader *reader, struct tny_error *error)
{
  const struct tny_cluster *cluster = reader->cluster;
  struct target *otherwise = &reader->otherwise[reader->at];
  if (reader->to_host != TNY_NONE)
    return refuse(reader, error, "is a host: what is for another host can't go there",
                  cluster->node_names[reader->to_host]);
  if (otherwise->line)
    return refuse(reader, error, "has a line for * already",
                  cluster->node_names[cluster->host_count + reader->at]);
  *otherwise = reader->target;
  return TNY_OK;
}

/* The next word of *rest, or NULL. */
static char *cut_word(char **rest)
{
  *rest += strspn(*rest, " \t\r");
  char *word = *rest;
  *rest += strcspn(*rest, " \t\r");
  if (**rest)
    *(*rest)++ = '\0';
  return *word ? word : NULL;
}

static enum tny_status read_line(struct reader *reader, char *line, struct tny_error *error)
{
  char *words[4] = {NULL};
  for (uint32_t i = 0; i < 4 && (words[i] = cut_word(&line)); i++)
    ;
  if (!words[0] || words[0][0] == '#')
    return TNY_OK;
  if (!words[2] || words[3])
    return refuse(reader, error, "begins a line that isn't of the form SWITCH HOSTS NEXT",
                  words[0]);
  const uint32_t node = find_node(reader, words[0]);
  if (node == TNY_NONE)
    return refuse(reader, error, "is no switch of the cluster", words[0]);
  if (node < reader->cluster->host_count)
    return refuse(reader, error, "is a host, whose one cable is its way: lines are for switches",
                  words[0]);
  reader->at = node - reader->cluster->host_count;
  enum tny_status status = read_next(reader, words[2], error);
  if (status)
    return status;
  if (!strcmp(words[1], "*"))
    return take_default(reader, error);
  struct tny_error cause = {0};
  status = tny_hostlist_expand(words[1], take_host, reader, &cause);
  if (status)
    tny_error_at(error, status, reader->file, reader->line, 0, "%s", cause.text);
  return status;
}

/* `text` is ours to cut. */
static enum tny_status read_lines(struct reader *reader, char *text, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (char *line = text; !status && line;) {
    char *end = strchr(line, '\n');
    if (end)
      *end = '\0';
    reader->line++;
    const size_t length = strcspn(line, "\r");
    if (reader->line > 1)
      status = read_line(reader, line, error);
    else if (length != strlen(HEADING) || strncmp(line, HEADING, length))
      status = tny_error_at(error, TNY_BAD_INPUT, reader->file, 1, 0,
                            "tables of routes begin with the line \"" HEADING "\"");
    line = end ? end + 1 : NULL;
  }
  return status;
}

/* --- the whole --- */

static enum tny_status fill_holes(struct reader *reader, struct tny_error *error)
{
  const struct tny_cluster *cluster = reader->cluster;
  for (uint32_t s = 0; s < cluster->switch_count; s++)
    for (uint32_t host = 0; host < cluster->host_count; host++) {
      if (reader->lines[(size_t)s * cluster->host_count + host] ||
          tny_routes_home(cluster, host) == s)
        continue;
      const char *at = cluster->node_names[cluster->host_count + s];
      if (!reader->otherwise[s].line)
        return tny_error_at(
            error, TNY_BAD_INPUT, reader->file, 0, 0,
            "no line says how to get from %.60s to %.60s: add \"%.60s %.60s NEXT\", "
            "or \"%.60s * NEXT\" for all hosts that have no line",
            at, cluster->node_names[host], at, cluster->node_names[host], at);
      give(reader, &reader->otherwise[s], s, host);
    }
  return TNY_OK;
}

static uint32_t follow(const struct reader *reader, uint32_t at, uint32_t host)
{
  const struct tny_cluster *cluster = reader->cluster;
  const uint32_t link = reader->tables->given[(size_t)at * cluster->host_count + host];
  return cluster->links[link].to - cluster->host_count;
}

static enum tny_status refuse_loop(const struct reader *reader, uint32_t at, uint32_t host,
                                   struct tny_error *error)
{
  const struct tny_cluster *cluster = reader->cluster;
  const char *const *names = cluster->node_names + cluster->host_count;
  const uint32_t next = follow(reader, at, host), third = follow(reader, next, host);
  return tny_error_at(
      error, TNY_BAD_INPUT, reader->file, reader->lines[(size_t)at * cluster->host_count + host], 0,
      "what is for %.60s goes around in a loop and never gets there: %.60s -> %.60s "
      "-> %.60s%s: change where one of them sends it",
      cluster->node_names[host], names[at], names[next], names[third],
      third == at ? "" : " -> ...");
}

/* Walks from each switch until where an earlier walk has been. `seen` has an entry a switch, all 0:
   the number of the walk that came by last. */
static enum tny_status check_loops(const struct reader *reader, uint64_t *seen,
                                   struct tny_error *error)
{
  const struct tny_cluster *cluster = reader->cluster;
  uint64_t walk = 0;
  for (uint32_t host = 0; host < cluster->host_count; host++) {
    const uint32_t home = tny_routes_home(cluster, host);
    const uint64_t first_walk = walk + 1;
    for (uint32_t s = 0; s < cluster->switch_count; s++) {
      uint32_t at = s;
      walk++;
      while (at != home && seen[at] < first_walk) {
        seen[at] = walk;
        at = follow(reader, at, host);
      }
      if (at != home && seen[at] == walk)
        return refuse_loop(reader, at, host, error);
    }
  }
  return TNY_OK;
}

static enum tny_status read_all(struct reader *reader, char *text, struct tny_error *error)
{
  const struct tny_cluster *cluster = reader->cluster;
  const uint32_t node_count = cluster->host_count + cluster->switch_count;
  for (uint32_t node = 0; node < node_count; node++)
    reader->names[node] = (struct name_entry){cluster->node_names[node], node};
  qsort(reader->names, node_count, sizeof *reader->names, compare_names);
  enum tny_status status = read_lines(reader, text, error);
  if (!status)
    status = fill_holes(reader, error);
  if (status)
    return status;
  uint64_t *seen = tny_new(cluster->switch_count, sizeof *seen);
  if (!seen)
    return tny_error_memory(error);
  status = check_loops(reader, seen, error);
  tny_free(seen);
  return status;
}

/* Reads into routes that have their trunks. */
static enum tny_status fill(struct tny_routes *routes, char *text, const char *file,
                            struct tny_error *error)
{
  const struct tny_cluster *cluster = routes->cluster;
  struct tny_tables *tables = routes->tables;
  const size_t n = cluster->switch_count, node_count = cluster->host_count + n;
  enum tny_status status =
      tny_routes_fit(cluster, cluster->host_count, sizeof *tables->given, error);
  if (status)
    return status;
  struct reader reader = {.cluster = cluster,
                          .tables = tables,
                          .file = file,
                          .names = tny_new(node_count, sizeof *reader.names),
                          .lines = tny_new(n * cluster->host_count, sizeof *reader.lines),
                          .otherwise = tny_new(n, sizeof *reader.otherwise)};
  tables->given = tny_new(n * cluster->host_count, sizeof *tables->given);
  if (tables->given && reader.names && reader.lines && reader.otherwise)
    status = read_all(&reader, text, error);
  else
    status = tny_error_memory(error);
  tny_free(reader.names);
  tny_free(reader.lines);
  tny_free(reader.otherwise);
  return status;
}

enum tny_status tny_routes_read(const struct tny_cluster *cluster, const char *text,
                                const char *name, struct tny_routes **routes,
                                struct tny_error *error)
{
  enum tny_status status = tny_routes_new(cluster, &tny_router_table, routes, error);
  if (status)
    return status;
  char *copy = tny_copy_text(text);
  status = copy ? fill(*routes, copy, name, error) : tny_error_memory(error);
  tny_free(copy);
  if (status) {
    tny_routes_free(*routes);
    *routes = NULL;
  }
  return status;
}

static struct tny_lane choose(const struct tny_routes *routes, uint32_t at, uint32_t to_host)
{
  const size_t place = (size_t)at * routes->cluster->host_count + to_host;
  return (struct tny_lane){.link = routes->tables->given[place]};
}

const struct tny_router tny_router_table = {.routing = TNY_ROUTING_TABLE, .choose = choose};
