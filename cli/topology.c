/* `tourney topology`: shows, checks, bounds, converts and draws a cluster. */
#include "cli.h"

#include <getopt.h>
#include <inttypes.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/hostlist.h"
#include "core/text.h"
#include "core/units.h"
#include "draw.h"
#include "routing.h"
#include "scene.h"
#include "topology_routes.h"

static const char help[] =
    "usage: tourney topology show|check|bounds|routes|flat|dot CLUSTER [OPTION...]\n"
    "CLUSTER is a Graphviz file, the flat form of one, or a generator: single:16, switches:8+8,\n"
    "ring:8, torus:8x8, mesh:4x4x4, fattree:4, zones:8+8,delay=10ms,rate=1Gbit/s or\n"
    "irregular:128,switches=10,seed=7, with "
    ",link=20Mbit/s,trunk=1Gbit/s,latency=5us,buffer=64KiB\n\n"
    "  show     hosts, switches, cables and the kind of routes\n"
    "  check    whether the file is right, and the routes lead from every host to every other\n"
    "           and can't deadlock\n"
    "  bounds   the least time that {and} need, and what limits them\n"
    "  routes   which way messages take, and how long the ways are\n"
    "  flat     the cluster in the flat form, which the runtime reads\n"
    "  dot      the cluster as a Graphviz file\n\n"
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
    "                     how (auto: shortest on a tree, dimension-order on a ring, torus or "
    "mesh,\n"
    "                     else up-down); balanced: the same ways, but what is for a ring's\n"
    "                     first half takes lane 0, all else lane 1; a file holds tables\n"
    "  --check            whether messages can wait for each other in a circle, and which\n"
    "  --from H --to H    also show the way between these hosts\n\n"
    "  --help             this text\n";

enum letter {
  LETTER_SVG = 1,
  LETTER_BYTES,
  LETTER_RANKS,
  LETTER_MAP,
  LETTER_ROOT,
  LETTER_CSV,
  LETTER_JSON,
  LETTER_ROUTING,
  LETTER_CHECK,
  LETTER_FROM,
  LETTER_TO,
  LETTER_HELP,
};

static const struct option names[] = {
    {"svg", required_argument, NULL, LETTER_SVG},
    {"bytes", required_argument, NULL, LETTER_BYTES},
    {"ranks", required_argument, NULL, LETTER_RANKS},
    {"map", required_argument, NULL, LETTER_MAP},
    {"root", required_argument, NULL, LETTER_ROOT},
    {"csv", no_argument, NULL, LETTER_CSV},
    {"json", no_argument, NULL, LETTER_JSON},
    {"routing", required_argument, NULL, LETTER_ROUTING},
    {"check", no_argument, NULL, LETTER_CHECK},
    {"from", required_argument, NULL, LETTER_FROM},
    {"to", required_argument, NULL, LETTER_TO},
    {"help", no_argument, NULL, LETTER_HELP},
    {NULL, 0, NULL, 0},
};

#define SIZES_MAX 64

enum form { FORM_TABLE, FORM_CSV, FORM_JSON };

struct options {
  const char *cluster, *svg;
  const char *bounds_only, *routes_only; /* an option given that only these have, or NULL */
  struct topology_question question;
  uint32_t ranks, root;
  enum tny_map map;
  enum form form;
  bool help;
  uint64_t sizes[SIZES_MAX];
  uint32_t size_count;
};

/* --- show --- */

static void add_rates(struct tny_text *text, const struct tny_cluster *cluster, uint32_t link)
{
  const struct tny_link *forth = &cluster->links[link], *back = &cluster->links[link ^ 1];
  tny_text_add(text, "%s, latency %s, buffer %s", tny_bandwidth_format(forth->bandwidth_bps).text,
               tny_time_format(forth->latency_ns).text, tny_bytes_format(forth->buffer_bytes).text);
  if (back->buffer_bytes != forth->buffer_bytes)
    tny_text_add(text, " (%s the other way)", tny_bytes_format(back->buffer_bytes).text);
  tny_text_add(text, "\n");
}

static bool same_direction(const struct tny_link *a, const struct tny_link *b)
{
  return a->bandwidth_bps == b->bandwidth_bps && a->latency_ns == b->latency_ns &&
         a->buffer_bytes == b->buffer_bytes;
}

static bool same_rates(const struct tny_cluster *cluster, uint32_t a, uint32_t b)
{
  return same_direction(&cluster->links[a], &cluster->links[b]) &&
         same_direction(&cluster->links[a ^ 1], &cluster->links[b ^ 1]);
}

/* One line for each run of hosts with the same rates. `hosts` has host_count places. */
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
  if (tny_text_take(text, &taken, &error) != TNY_OK)
    return cli_fail(&error);
  const int code = cli_print(taken);
  tny_text_free(taken);
  return code;
}

static void add_counts(struct tny_text *text, const struct tny_cluster *cluster)
{
  const uint32_t cables = cluster->link_count / 2;
  tny_text_add(text, "%u host%s, %u switch%s, %u cable%s", cluster->host_count,
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

/* --- bounds --- */

/* One line of the answer, and where the ranks sit. */
struct row {
  const struct options *options;
  struct tny_routes *routes;
  uint32_t *host_of_rank, rank_count;
  enum tny_collective collective;
  uint64_t bytes;
  struct tny_bound bound;
};

static void add_json_text(struct tny_text *text, const char *value)
{
  tny_text_add(text, "\"");
  for (const char *c = value; *c; c++)
    if ((unsigned char)*c < ' ')
      tny_text_add(text, "\\u%04x", (unsigned)*c);
    else
      tny_text_add(text, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
  tny_text_add(text, "\"");
}

static void add_csv_text(struct tny_text *text, const char *value)
{
  tny_text_add(text, "\"");
  for (const char *c = value; *c; c++)
    tny_text_add(text, "%s%c", *c == '"' ? "\"" : "", *c);
  tny_text_add(text, "\"");
}

static void add_duration(struct tny_text *text, double seconds)
{
  static const struct {
    double factor;
    const char *unit;
  } scales[] = {{1, "s "}, {1e3, "ms"}, {1e6, "us"}, {1e9, "ns"}};
  size_t i = 1;
  if (seconds >= 10)
    i = 0;
  while (i < 3 && seconds > 0 && seconds * scales[i].factor < 1)
    i++;
  tny_text_add(text, "%10.3f %s", seconds * scales[i].factor, scales[i].unit);
}

static const char *reason_name(enum tny_bound_reason reason)
{
  static const char *const reasons[] = {
      [TNY_BOUND_PORT] = "port", [TNY_BOUND_LINK] = "link", [TNY_BOUND_CUT] = "cut"};
  return reasons[reason];
}

static void add_row(struct tny_text *text, const struct row *row)
{
  const char *cluster = row->routes->cluster->name, *map = scene_map_name(row->options->map);
  const char *collective = tny_collective_name(row->collective);
  const char *reason = reason_name(row->bound.reason);
  switch (row->options->form) {
  case FORM_TABLE:
    tny_text_add(text, "%-10s %9s ", collective, tny_bytes_format(row->bytes).text);
    add_duration(text, row->bound.seconds);
    tny_text_add(text, "  %s\n", row->bound.text);
    break;
  case FORM_CSV:
    add_csv_text(text, cluster);
    tny_text_add(text, ",%s,%u,%u,%s,%" PRIu64 ",%.9g,%s,", map, row->rank_count,
                 row->options->root, collective, row->bytes, row->bound.seconds * 1e3, reason);
    add_csv_text(text, row->bound.text);
    tny_text_add(text, "\n");
    break;
  case FORM_JSON:
    tny_text_add(text, "  {\"cluster\": ");
    add_json_text(text, cluster);
    tny_text_add(text,
                 ", \"map\": \"%s\", \"ranks\": %u, \"root\": %u, \"collective\": \"%s\", "
                 "\"bytes\": %" PRIu64 ", \"bound_ms\": %.9g, \"reason\": \"%s\", \"text\": ",
                 map, row->rank_count, row->options->root, collective, row->bytes,
                 row->bound.seconds * 1e3, reason);
    add_json_text(text, row->bound.text);
    tny_text_add(text, "}");
    break;
  }
}

static enum tny_status add_rows(struct tny_text *text, struct row *row, struct tny_error *error)
{
  const struct options *options = row->options;
  bool first = true;
  for (unsigned collective = 0; collective < TNY_COLLECTIVE_COUNT; collective++)
    for (uint32_t i = 0; i < options->size_count; i++) {
      row->collective = (enum tny_collective)collective;
      row->bytes = options->sizes[i];
      const enum tny_status status =
          tny_bound_compute(row->routes, row->host_of_rank, row->rank_count, row->collective,
                            options->root, row->bytes, &row->bound, error);
      if (status != TNY_OK)
        return status;
      if (options->form == FORM_JSON && !first)
        tny_text_add(text, ",\n");
      add_row(text, row);
      first = false;
    }
  return TNY_OK;
}

static void add_heading(struct tny_text *text, const struct row *row)
{
  if (row->options->form == FORM_CSV)
    tny_text_add(text, "cluster,map,ranks,root,collective,bytes,bound_ms,reason,text\n");
  else if (row->options->form == FORM_JSON)
    tny_text_add(text, "[\n");
  else
    tny_text_add(text,
                 "%s: %u rank%s, map %s, root %u\n"
                 "collective     bytes    least time  limited by\n",
                 row->routes->cluster->name, row->rank_count, row->rank_count == 1 ? "" : "s",
                 scene_map_name(row->options->map), row->options->root);
}

static int bounds(const struct tny_cluster *cluster, const struct options *options)
{
  struct tny_error error = {0};
  struct tny_text text = {0};
  struct row row = {.options = options,
                    .rank_count = options->ranks ? options->ranks : cluster->host_count};
  enum tny_status status = scene_ranks_check(cluster, row.rank_count, &error);
  if (status == TNY_OK) {
    row.host_of_rank = tny_new(row.rank_count, sizeof *row.host_of_rank);
    status = row.host_of_rank ? TNY_OK : tny_error_memory(&error);
  }
  if (status == TNY_OK)
    status = tny_map_ranks(cluster, options->map, row.rank_count, row.host_of_rank, &error);
  if (status == TNY_OK)
    status = tny_routes_make(cluster, &row.routes, &error);
  if (status == TNY_OK) {
    add_heading(&text, &row);
    status = add_rows(&text, &row, &error);
  }
  if (options->form == FORM_JSON)
    tny_text_add(&text, "\n]\n");
  tny_routes_free(row.routes);
  tny_free(row.host_of_rank);
  if (status == TNY_OK)
    return print_text(&text);
  tny_text_release(&text);
  return cli_fail(&error);
}

/* --- routes, flat, dot, and drawing --- */

static int routes(const struct tny_cluster *cluster, const struct options *options)
{
  return topology_routes(cluster, &options->question);
}

static int flat(const struct tny_cluster *cluster, const struct options *options)
{
  (void)options;
  struct tny_error error = {0};
  char *text;
  if (tny_cluster_write_flat(cluster, &text, &error) != TNY_OK)
    return cli_fail(&error);
  const int code = cli_print(text);
  tny_text_free(text);
  return code;
}

static int dot(const struct tny_cluster *cluster, const struct options *options)
{
  (void)options;
  struct tny_error error = {0};
  char *text;
  if (tny_cluster_write_dot(cluster, &text, &error) != TNY_OK)
    return cli_fail(&error);
  const int code = cli_print(text);
  tny_text_free(text);
  return code;
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
    {"show", show},     {"check", check}, {"bounds", bounds},
    {"routes", routes}, {"flat", flat},   {"dot", dot},
};
#define ACTION_COUNT (sizeof actions / sizeof *actions)

static enum tny_status read_sizes(const char *list, struct options *options,
                                  struct tny_error *error)
{
  options->size_count = 0;
  for (const char *item = list; item;) {
    char number[64];
    const size_t length = strcspn(item, ",");
    if (options->size_count == SIZES_MAX)
      return tny_error_set(error, TNY_BAD_INPUT, "--bytes has more than %d sizes", SIZES_MAX);
    snprintf(number, sizeof number, "%.*s", (int)(length < 63 ? length : 63), item);
    const enum tny_status status =
        scene_bytes_parse(number, SCENE_BYTES_MAX, &options->sizes[options->size_count++], error);
    if (status != TNY_OK)
      return status;
    item = item[length] ? item + length + 1 : NULL;
  }
  return TNY_OK;
}

static enum tny_status read_option(void *into, int letter, struct tny_error *error)
{
  struct options *options = into;
  static const uint32_t from_zero[] = {0, 1000000}, from_one[] = {1, 1000000};
  if (letter > LETTER_SVG && letter <= LETTER_JSON)
    options->bounds_only = names[letter - 1].name;
  if (letter > LETTER_JSON && letter < LETTER_HELP)
    options->routes_only = names[letter - 1].name;
  switch (letter) {
  case LETTER_SVG:
    options->svg = optarg;
    return TNY_OK;
  case LETTER_BYTES:
    return read_sizes(optarg, options, error);
  case LETTER_RANKS:
    return scene_number_parse("--ranks", optarg, from_one, &options->ranks, error);
  case LETTER_MAP:
    return scene_map_parse("--map", optarg, &options->map, error);
  case LETTER_ROOT:
    return scene_number_parse("--root", optarg, from_zero, &options->root, error);
  case LETTER_CSV:
  case LETTER_JSON:
    options->form = letter == LETTER_CSV ? FORM_CSV : FORM_JSON;
    return TNY_OK;
  case LETTER_ROUTING:
    options->question.routing = optarg;
    return TNY_OK;
  case LETTER_CHECK:
    options->question.check = true;
    return TNY_OK;
  case LETTER_FROM:
    options->question.from = optarg;
    return TNY_OK;
  case LETTER_TO:
    options->question.to = optarg;
    return TNY_OK;
  default:
    options->help = true;
    return TNY_OK;
  }
}

static int run(size_t action, const struct options *options)
{
  struct tny_error error = {0};
  struct tny_cluster *cluster;
  if (cli_cluster_open(options->cluster, &cluster, &error) != TNY_OK)
    return cli_fail(&error);
  int code = actions[action].run(cluster, options);
  if (code == CLI_OK && options->svg)
    code = draw(cluster, options->svg);
  tny_cluster_free(cluster);
  return code;
}

int cli_topology(int argc, char **argv)
{
  struct options options = {.sizes = {1 << 10, 1 << 16, 1 << 20}, .size_count = 3};
  const struct cli_options reader = {.names = names, .read = read_option, .into = &options};
  struct tny_error refused = {0};
  if (cli_options_read(argc, argv, &reader, &refused) != TNY_OK)
    return cli_usage_error("topology", "%s", refused.text);
  if (options.help)
    return cli_print_help(help);
  const char *wanted = optind < argc ? argv[optind] : "";
  size_t action = 0;
  while (action < ACTION_COUNT && strcmp(wanted, actions[action].name))
    action++;
  if (action == ACTION_COUNT)
    return cli_usage_error("topology", "say show, check, bounds, routes, flat or dot%s%s%s",
                           *wanted ? ", not '" : "", wanted, *wanted ? "'" : "");
  if (argc - optind != 2)
    return cli_usage_error("topology", "%s wants one cluster, a file or a generator", wanted);
  if (options.bounds_only && actions[action].run != bounds)
    return cli_usage_error("topology", "%s has no --%s; bounds has", wanted, options.bounds_only);
  if (options.routes_only && actions[action].run != routes)
    return cli_usage_error("topology", "%s has no --%s; routes has", wanted, options.routes_only);
  if (!options.question.from != !options.question.to)
    return cli_usage_error("topology", "--from and --to go together");
  options.cluster = argv[optind + 1];
  return run(action, &options);
}
