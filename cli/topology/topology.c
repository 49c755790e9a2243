/* `tourney topology`: shows, checks, converts and draws a cluster. Bounds are in bounds.c, routes
   in routes.c, other tools' files in import.c. */

#include <getopt.h>
#include <inttypes.h>

#include "bounds.h"
#include "cli/shared/drawing/draw.h"
#include "cli/shared/help.h"
#include "cli/shared/mapping.h"
#include "cli/shared/options.h"
#include "cli/shared/report.h"
#include "cli/shared/routing.h"
#include "cli/shared/subcommands.h"
#include "cluster/links.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/hostlist.h"
#include "core/text.h"
#include "core/units.h"
#include "import.h"
#include "routes.h"

static const char help[] =
    "usage: tourney topology show|check|bounds|routes|flat|dot|simgrid CLUSTER [OPTION...]\n"
    "       tourney topology import FILE... [OPTION...]\n"
    "CLUSTER is a Graphviz file, the flat form of one, or a generator: single:16, switches:8+8,\n"
    "ring:8, torus:8x8, mesh:4x4x4, fattree:4, zones:8+8,delay=10ms,rate=1Gbit/s,\n"
    "irregular:128,switches=10,seed=7, dragonfly:9x4x2,global=2 or hammingmesh:2x2,boards=4x4,\n"
    "with ,link=20Mbit/s,trunk=1Gbit/s,latency=5us,buffer=64KiB\n\n"
    "  show     hosts, switches, cables and the kind of routes\n"
    "  check    whether the file is right, and the routes lead from every host to every other\n"
    "           and can't deadlock\n"
    "  bounds   the least time that {and} need, and what limits them\n"
    "  routes   which way messages take, and how long the ways are\n"
    "  flat     the cluster in the flat form, which the runtime reads\n"
    "  dot      the cluster as a Graphviz file\n"
    "  simgrid  the cluster, with its routes, as a platform file for SimGrid and its smpirun\n"
    "  import   what another tool knows of a network as a Graphviz file: Slurm's topology.conf\n"
    "           and topology.yaml;\n"
    "           InfiniBand's, as ibnetdiscover prints it, with dump_lfts's forwarding tables\n"
    "           and the order of hosts that OpenSM's ftree routing writes;\n"
    "           what lldpcli prints as JSON, a file for each host;\n"
    "           a topology.dot for Cumulus Linux's PTM;\n"
    "           a model or graph of NVIDIA topograph's;\n"
    "           a platform file of SimGrid's;\n"
    "           beside any of these, or alone, hwloc's XML of hosts, as lstopo writes it\n\n"
    "  --svg FILE         also draw the cluster there, by Graphviz's dot\n"
    "of bounds:\n"
    "  --bytes LIST       what one rank has for one receiver (1KiB,64KiB,1MiB; bcast: the whole\n"
    "                     message)\n"
    "  --ranks N          instead of one a host\n"
    "  --map block|interleaved   where the ranks sit (block)\n"
    "  --root R           of bcast (0)\n"
    "  --csv, --json      instead of a table\n"
    "of routes:\n"
    "  --routing " ROUTING_VALUES "\n"
    "                     how (auto: what the cluster asks for, else shortest on a tree,\n"
    "                     dimension-order on a ring, torus or mesh, and up-down on any other);\n"
    "                     shortest-lanes: the same ways as shortest, in lanes by\n"
    "                     the trunks left; balanced: those of dimension-order, but what is for a\n"
    "                     ring's first half takes lane 0, all else lane 1; a file holds tables\n"
    "  --check            whether messages can wait for each other in a cycle, and which\n"
    "  --from H --to H    also show the way between these hosts\n"
    "of import:\n"
    "  --format NAME      instead of what the first file begins like:\n"
    "                     slurm-conf, slurm-yaml,\n"
    "                     ibnetdiscover,\n"
    "                     lldp,\n"
    "                     ptm,\n"
    "                     topograph,\n"
    "                     simgrid,\n"
    "                     hwloc\n"
    "  --link RATE        of the hosts' cables, where the files tell none: 25Gbit/s\n"
    "  --trunk RATE       of the cables between switches (as --link)\n"
    "  --multipath HOW    parallel cables and ways of equal length are used alike, and are\n"
    "                     taken together: flow (a hash chooses) or packet (all are used)\n"
    "  --topology NAME    which of a topology.yaml's (the one with cluster_default)\n"
    "  --interface LIST   of hosts with several interfaces, those that count: 'eth1,ib*'\n"
    "                     (lldp, ptm, hwloc)\n"
    "  --without LIST     systems that are left out: 'mgmt-*' (lldp, ptm, hwloc)\n"
    "  --output FILE      write there, whole or not at all, instead of to standard output\n"
    "  --routes FILE      write the routes of forwarding tables there, for --routing FILE\n\n"
    "  --help             this text\n";

struct options {
  const char *cluster, *svg;
  /* An option given that only these have, or NULL. */
  const char *bounds_only, *routes_only, *import_only;
  struct topology_bounds bounds;
  struct topology_question question;
  struct topology_import import;
  bool help;
};

/* --- show --- */

static void add_rates(struct tny_text *text, const struct tny_cluster *cluster, uint32_t link)
{
  const struct tny_link *forth = &cluster->links[link], *back = &cluster->links[link ^ 1];
  if (forth->cable_count > 1)
    tny_text_add(text, "%u x ", forth->cable_count);
  tny_text_add(text, "%s, ", tny_bandwidth_format(tny_link_cable_bps(forth)).text);
  if (forth->cable_count > 1)
    tny_text_add(text, "spread by %s: %s relied on, ", tny_spreading_name(forth->spread),
                 tny_bandwidth_format(forth->bandwidth_bps).text);
  tny_text_add(text, "latency %s, buffer %s", tny_time_format(forth->latency_ns).text,
               tny_bytes_format(tny_link_port_bytes(forth)).text);
  if (back->buffer_bytes != forth->buffer_bytes)
    tny_text_add(text, " (%s the other way)", tny_bytes_format(tny_link_port_bytes(back)).text);
  tny_text_add(text, "\n");
}

static bool same_direction(const struct tny_link *a, const struct tny_link *b)
{
  return a->bandwidth_bps == b->bandwidth_bps && a->latency_ns == b->latency_ns &&
         a->buffer_bytes == b->buffer_bytes && a->cable_count == b->cable_count &&
         a->spread == b->spread;
}

static bool same_rates(const struct tny_cluster *cluster, uint32_t a, uint32_t b)
{
  return same_direction(&cluster->links[a], &cluster->links[b]) &&
         same_direction(&cluster->links[a ^ 1], &cluster->links[b ^ 1]);
}

/* One line for each run of hosts with the same rates. `hosts` has host_count entries. */
static void show_switch(struct tny_text *text, const struct tny_cluster *cluster, uint32_t node,
                        const char **hosts)
{
  uint32_t count = 0, first = 0;
  bool any = false;
  for (uint32_t i = cluster->first_out[node]; i < cluster->first_out[node + 1]; i++) {
    const uint32_t link = cluster->out_links[i];
    if (cluster->links[link].to >= cluster->host_count)
      continue;
    if (count == 0)
      first = link;
    hosts[count++] = cluster->node_names[cluster->links[link].to];
    uint32_t next = i + 1;
    while (next < cluster->first_out[node + 1] &&
           cluster->links[cluster->out_links[next]].to >= cluster->host_count)
      next++;
    if (next < cluster->first_out[node + 1] && same_rates(cluster, cluster->out_links[next], first))
      continue;
    tny_text_add(text, "  %s: %u host%s ", cluster->node_names[node], count, count > 1 ? "s" : "");
    tny_hostlist_fold(text, hosts, count);
    tny_text_add(text, " at ");
    add_rates(text, cluster, first);
    count = 0;
    any = true;
  }
  if (!any)
    tny_text_add(text, "  %s: no hosts\n", cluster->node_names[node]);
}

static int print_text(struct tny_text *text)
{
  struct tny_error error = {0};
  char *taken;
  const enum tny_status status = tny_text_take(text, &taken, &error);
  return cli_finish(status, taken, &error);
}

static void add_counts(struct tny_text *text, const struct tny_cluster *cluster)
{
  uint64_t cables = 0;
  for (uint32_t link = 0; link < cluster->link_count; link += 2)
    cables += cluster->links[link].cable_count;
  tny_text_add(text, "%u host%s, %u switch%s, %" PRIu64 " cable%s", cluster->host_count,
               cluster->host_count == 1 ? "" : "s", cluster->switch_count,
               cluster->switch_count == 1 ? "" : "es", cables, cables == 1 ? "" : "s");
}

static int show(const struct tny_cluster *cluster, const struct options *options)
{
  (void)options;
  struct tny_error error = {0};
  struct tny_text text = {0};
  const char **hosts = tny_new(cluster->host_count, sizeof *hosts);
  if (!hosts) {
    tny_error_memory(&error);
    return cli_fail(&error);
  }
  tny_text_add(&text, "%s: ", cluster->name);
  add_counts(&text, cluster);
  tny_text_add(&text, "\n");
  for (uint32_t s = 0; s < cluster->switch_count; s++)
    show_switch(&text, cluster, cluster->host_count + s, hosts);
  for (uint32_t link = 0; link < cluster->link_count; link += 2) {
    const struct tny_link *cable = &cluster->links[link];
    if (cluster->switch_count &&
        (cable->from < cluster->host_count || cable->to < cluster->host_count))
      continue;
    tny_text_add(&text, "  %s %s -- %s: ", cluster->switch_count ? "trunk" : "cable",
                 cluster->node_names[cable->from], cluster->node_names[cable->to]);
    add_rates(&text, cluster, link);
  }
  tny_text_add(&text, "  %s; routes: %s\n", tny_cluster_is_tree(cluster) ? "a tree" : "has cycles",
               tny_routing_title(tny_routing_default(cluster)));
  tny_free(hosts);
  return print_text(&text);
}

/* --- check --- */

static int check(const struct tny_cluster *cluster, const struct options *options)
{
  (void)options;
  struct tny_error error = {0};
  struct tny_text text = {0};
  struct tny_routes *routes;
  struct topology_lengths lengths;
  if (tny_routes_make(cluster, &routes, &error) != TNY_OK)
    return cli_fail(&error);
  enum tny_status status = tny_routes_check(routes, false, NULL, &error);
  if (status == TNY_OK)
    status = topology_measure(routes, &lengths, &error);
  if (status == TNY_OK) {
    add_counts(&text, cluster);
    tny_text_add(&text,
                 ": right; %s leads every host to every other over at most %u link%s, without "
                 "deadlock\n",
                 routes->name, lengths.longest, lengths.longest == 1 ? "" : "s");
  }
  tny_routes_free(routes);
  return status == TNY_OK ? print_text(&text) : cli_fail(&error);
}

/* --- bounds, routes, flat, dot, simgrid, import, and drawing --- */

static int bounds(const struct tny_cluster *cluster, const struct options *options)
{
  return topology_bounds(cluster, &options->bounds);
}

static int routes(const struct tny_cluster *cluster, const struct options *options)
{
  return topology_routes(cluster, &options->question);
}

static int flat(const struct tny_cluster *cluster, const struct options *options)
{
  (void)options;
  struct tny_error error = {0};
  char *text = NULL;
  const enum tny_status status = tny_cluster_write_flat(cluster, &text, &error);
  return cli_finish(status, text, &error);
}

static int dot(const struct tny_cluster *cluster, const struct options *options)
{
  (void)options;
  struct tny_error error = {0};
  char *text = NULL;
  const enum tny_status status = tny_cluster_write_dot(cluster, &text, &error);
  return cli_finish(status, text, &error);
}

static int simgrid(const struct tny_cluster *cluster, const struct options *options)
{
  (void)options;
  struct tny_error error = {0};
  struct tny_routes *cluster_routes = NULL;
  char *text = NULL;
  enum tny_status status = tny_routes_make(cluster, &cluster_routes, &error);
  if (status == TNY_OK)
    status = tny_cluster_write_simgrid(cluster_routes, &text, &error);
  tny_routes_free(cluster_routes);
  return cli_finish(status, text, &error);
}

static int import(const struct tny_cluster *cluster, const struct options *options)
{
  struct tny_text counts = {0};
  add_counts(&counts, cluster);
  if (!counts.failed)
    fprintf(stderr, "tourney: read as %s: %s\n", options->import.format, counts.bytes);
  tny_text_release(&counts);
  return topology_import_write(cluster, &options->import);
}

static int draw(const struct tny_cluster *cluster, const char *svg)
{
  struct tny_error error = {0};
  char *text = NULL;
  enum tny_status status = tny_cluster_write_dot(cluster, &text, &error);
  if (status == TNY_OK)
    status = draw_as(text, "svg", svg, &error);
  tny_text_free(text);
  return status == TNY_OK ? CLI_OK : cli_fail(&error);
}

/* --- the command line --- */

static const struct {
  const char *name;
  int (*run)(const struct tny_cluster *cluster, const struct options *options);
} actions[] = {
    {"show", show}, {"check", check}, {"bounds", bounds},   {"routes", routes},
    {"flat", flat}, {"dot", dot},     {"simgrid", simgrid}, {"import", import},
};
#define ACTION_COUNT (sizeof actions / sizeof *actions)

static enum tny_status add_size(void *into, char *item, struct tny_error *error)
{
  struct topology_bounds *bounds = into;
  if (bounds->size_count == TOPOLOGY_SIZES_MAX)
    return tny_error_set(error, TNY_BAD_INPUT, "--bytes has more than %d sizes",
                         TOPOLOGY_SIZES_MAX);
  return cli_bytes_parse(item, CLI_BYTES_MAX, &bounds->sizes[bounds->size_count++], error);
}

static int run(size_t action, struct options *options)
{
  struct tny_error error = {0};
  struct tny_cluster *cluster;
  const enum tny_status status = actions[action].run == import
                                     ? topology_import_open(&options->import, &cluster, &error)
                                     : cli_cluster_open(options->cluster, &cluster, &error);
  if (status != TNY_OK)
    return cli_fail(&error);
  int code = actions[action].run(cluster, options);
  if (code == CLI_OK && options->svg)
    code = draw(cluster, options->svg);
  tny_cluster_free(cluster);
  tny_text_free(options->import.routes_text);
  return code;
}

static enum tny_status read_sizes(void *into, const char *list, struct tny_error *error)
{
  struct topology_bounds *bounds = into;
  bounds->size_count = 0;
  return cli_list_parse(list, add_size, bounds, error);
}

static enum tny_status read_options(int argc, char **argv, struct options *options,
                                    struct tny_error *error)
{
  struct topology_bounds *wanted = &options->bounds;
  struct topology_question *question = &options->question;
  struct topology_import *imported = &options->import;
  const char **bounds_only = &options->bounds_only, **routes_only = &options->routes_only;
  const char **import_only = &options->import_only;
  const struct cli_option table[] = {
      {.name = "svg", .text = &options->svg},
      {.name = "bytes", .take = read_sizes, .into = wanted, .given_name = bounds_only},
      {.name = "ranks",
       .number = &wanted->ranks,
       .least = 1,
       .most = CLI_COUNT_MAX,
       .given_name = bounds_only},
      {.name = "map", .map = &wanted->map, .given_name = bounds_only},
      {.name = "root", .number = &wanted->root, .most = CLI_COUNT_MAX, .given_name = bounds_only},
      {.name = "csv", .format = &wanted->format, .shorthand = CLI_CSV, .given_name = bounds_only},
      {.name = "json", .format = &wanted->format, .shorthand = CLI_JSON, .given_name = bounds_only},
      {.name = "routing", .text = &question->routing, .given_name = routes_only},
      {.name = "check", .flag = &question->check, .given_name = routes_only},
      {.name = "from", .text = &question->from, .given_name = routes_only},
      {.name = "to", .text = &question->to, .given_name = routes_only},
      {.name = "format", .text = &imported->format, .given_name = import_only},
      {.name = "topology", .text = &imported->topology, .given_name = import_only},
      {.name = "link",
       .take = topology_import_read_rate,
       .into = &imported->link_bps,
       .given_name = import_only},
      {.name = "trunk",
       .take = topology_import_read_rate,
       .into = &imported->trunk_bps,
       .given_name = import_only},
      {.name = "multipath",
       .take = topology_import_read_multipath,
       .into = &imported->multipath,
       .given_name = import_only},
      {.name = "interface", .text = &imported->interfaces, .given_name = import_only},
      {.name = "without", .text = &imported->without, .given_name = import_only},
      {.name = "output", .text = &imported->output, .given_name = import_only},
      {.name = "routes", .text = &imported->routes, .given_name = import_only},
      {.name = "help", .flag = &options->help},
      {0}};
  return cli_options_read(argc, argv, table, error);
}

/* What the action hasn't, though it was asked for. */
static int refuse_option(const char *action, const char *option, const char *owner)
{
  return cli_usage_error("topology", "%s has no --%s; %s has", action, option, owner);
}

static int check_and_run(size_t action, int argc, char **argv, struct options *options)
{
  const char *wanted = actions[action].name;
  const bool imports = actions[action].run == import;
  if (imports && argc < 1)
    return cli_usage_error("topology", "import wants a file, or several");
  if (!imports && argc != 1)
    return cli_usage_error("topology", "%s wants one cluster, a file or a generator", wanted);
  if (options->bounds_only && actions[action].run != bounds)
    return refuse_option(wanted, options->bounds_only, "bounds");
  if (options->routes_only && actions[action].run != routes)
    return refuse_option(wanted, options->routes_only, "routes");
  if (options->import_only && !imports)
    return refuse_option(wanted, options->import_only, "import");
  if (!options->question.from != !options->question.to)
    return cli_usage_error("topology", "--from and --to go together");
  options->cluster = argv[0];
  options->import.paths = argv;
  options->import.path_count = (uint32_t)argc;
  return run(action, options);
}

int cli_topology(int argc, char **argv)
{
  struct options options = {.bounds = {.sizes = {1 << 10, 1 << 16, 1 << 20}, .size_count = 3}};
  struct tny_error refused = {0};
  if (read_options(argc, argv, &options, &refused) != TNY_OK)
    return cli_usage_error("topology", "%s", refused.text);
  if (options.help)
    return cli_print_help(help);
  const char *wanted = optind < argc ? argv[optind] : "";
  size_t action = 0;
  while (action < ACTION_COUNT && strcmp(wanted, actions[action].name))
    action++;
  if (action == ACTION_COUNT)
    return cli_usage_error("topology",
                           "say show, check, bounds, routes, flat, dot, simgrid or import%s%s%s",
                           *wanted ? ", not '" : "", wanted, *wanted ? "'" : "");
  return check_and_run(action, argc - optind - 1, argv + optind + 1, &options);
}
