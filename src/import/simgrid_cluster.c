/* SimGrid's <cluster> and <cabinet>: hosts whose names are counted, and what joins them: a switch
   (FLAT), a torus, a fat tree, a dragonfly. Cables are those that SimGrid makes of the parameters.
   Switches, which have no names there, are called by the cluster and a number. */
#include "import/simgrid_cluster.h"

#include <limits.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/hostlist.h"
#include "import/simgrid_values.h"

#define SIDES_MAX 16
#define LEVELS_MAX 8

struct maker {
  struct tny_platform *platform;
  const struct tny_xml_element *element;
  const char *id, *prefix, *suffix;
  struct tny_link_rates rates;
  uint32_t *hosts; /* their places, in the order of radical */
  uint32_t count, room;
};

/* --- hosts: prefix, number, suffix --- */

static enum tny_status add_host(struct maker *maker, unsigned long number, struct tny_error *error)
{
  char name[TNY_NAME_BYTES_MAX + 2];
  if (maker->count == TNY_HOSTS_MAX)
    return tny_xml_refuse(maker->element, error, "radical names more than %u hosts", TNY_HOSTS_MAX);
  if (maker->count == maker->room) {
    const uint32_t room = maker->room ? 2 * maker->room : 64;
    uint32_t *grown = tny_resize(maker->hosts, room, sizeof *grown);
    if (!grown)
      return tny_error_memory(error);
    maker->hosts = grown;
    maker->room = room;
  }
  snprintf(name, sizeof name, "%s%lu%s", maker->prefix, number, maker->suffix);
  return tny_platform_add_point(maker->platform, name, TNY_KIND_HOST, maker->element->line,
                                &maker->hosts[maker->count++], error);
}

static enum tny_status refuse_radical(const struct maker *maker, const char *text,
                                      struct tny_error *error)
{
  return tny_xml_refuse(maker->element, error,
                        "radical=\"%.60s\" isn't a list of numbers, as in \"0-15,20\"", text);
}

/* A number, and where it ends; ULONG_MAX: there is none of at most 9 digits. */
static unsigned long read_number(const char **text)
{
  const size_t digits = strspn(*text, "0123456789");
  if (digits == 0 || digits > 9)
    return ULONG_MAX;
  const unsigned long number = strtoul(*text, NULL, 10);
  *text += digits;
  return number;
}

static enum tny_status add_hosts(struct maker *maker, struct tny_error *error)
{
  const char *radical;
  enum tny_status status = tny_xml_require(maker->element, "radical", &radical, error);
  for (const char *at = radical; !status;) {
    const unsigned long first = read_number(&at);
    unsigned long last = first;
    if (first != ULONG_MAX && *at == '-') {
      at++;
      last = read_number(&at);
    }
    if (first == ULONG_MAX || last == ULONG_MAX || last < first || (*at && *at != ','))
      return refuse_radical(maker, radical, error);
    for (unsigned long number = first; !status && number <= last; number++)
      status = add_host(maker, number, error);
    if (!*at)
      break;
    at++;
  }
  return status;
}

/* --- cables --- */

static enum tny_status connect(struct maker *maker, uint32_t a, uint32_t b, uint32_t lanes,
                               struct tny_error *error)
{
  struct tny_platform_edge edge = {
      .ends = {a, b}, .rates = maker->rates, .line = maker->element->line};
  edge.rates.bps *= lanes;
  return tny_platform_add_edge(maker->platform, &edge, error);
}

static enum tny_status add_switch(struct maker *maker, const char *what, uint32_t number,
                                  uint32_t *place, struct tny_error *error)
{
  char name[TNY_NAME_BYTES_MAX + 2];
  snprintf(name, sizeof name, "%.200s-%s%u", maker->id, what, number);
  return tny_platform_add_point(maker->platform, name, TNY_KIND_SWITCH, maker->element->line, place,
                                error);
}

static enum tny_status check_room(const struct maker *maker, uint64_t cables,
                                  struct tny_error *error)
{
  return tny_platform_check_room(maker->platform, cables, maker->element->line, error);
}

/* Whether a network has so many nodes, or one of them is counted out; the caller refuses. */
static bool multiply(uint32_t *product, uint32_t factor)
{
  if (factor == 0 || *product > TNY_NODES_MAX / factor)
    return false;
  *product *= factor;
  return true;
}

/* Numbers with commas between them, up to a semicolon or the end. 0: it isn't such a list. */
static uint32_t read_numbers(const char **text, uint32_t *numbers, uint32_t room)
{
  for (uint32_t count = 0; count < room;) {
    *text += strspn(*text, " ");
    const unsigned long number = read_number(text);
    if (number == ULONG_MAX)
      return 0;
    numbers[count++] = (uint32_t)number;
    *text += strspn(*text, " ");
    if (**text != ',')
      return count;
    ++*text;
  }
  return 0;
}

static bool read_separator(const char **text)
{
  if (**text != ';')
    return false;
  ++*text;
  return true;
}

static enum tny_status refuse_parameters(const struct maker *maker, const char *topology,
                                         const char *form, struct tny_error *error)
{
  const char *text = tny_xml_attribute(maker->element, "topo_parameters");
  return tny_xml_refuse(maker->element, error, "topo_parameters=\"%.60s\" doesn't make a %s: %s",
                        text ? text : "", topology, form);
}

static enum tny_status check_count(const struct maker *maker, uint32_t wanted,
                                   struct tny_error *error)
{
  if (maker->count == wanted)
    return TNY_OK;
  return tny_xml_refuse(maker->element, error,
                        "topo_parameters make a network of %u hosts, and radical names %u: make "
                        "them as many",
                        wanted, maker->count);
}

/* --- FLAT: a switch, the router of the cluster, with its backbone --- */

static enum tny_status make_flat(struct maker *maker, struct tny_error *error)
{
  const struct tny_xml_element *element = maker->element;
  const char *router = tny_xml_attribute(element, "router_id");
  char name[TNY_NAME_BYTES_MAX + 2];
  snprintf(name, sizeof name, "%s%s_router%s", maker->prefix, maker->id, maker->suffix);
  uint32_t middle;
  enum tny_status status =
      tny_platform_add_point(maker->platform, router && *router ? router : name, TNY_KIND_SWITCH,
                             element->line, &middle, error);
  for (uint32_t i = 0; !status && i < maker->count; i++)
    status = connect(maker, maker->hosts[i], middle, 1, error);
  if (status || !tny_xml_attribute(element, "bb_bw"))
    return status;
  struct tny_platform_edge backbone = {
      .ends = {middle, middle}, .rates = {.sharing = TNY_SHARED}, .line = element->line};
  status = tny_simgrid_read_rate(element, "bb_bw", &backbone.rates.bps, error);
  if (!status)
    status = tny_simgrid_read_time(element, "bb_lat", &backbone.rates.latency_ns, error);
  if (!status)
    status = tny_simgrid_read_sharing(element, "bb_sharing_policy", &backbone.rates.sharing, error);
  return status ? status : tny_platform_add_edge(maker->platform, &backbone, error);
}

/* --- TORUS: hosts are joined to their neighbours; x runs fastest --- */

static uint64_t count_ring(uint32_t nodes, uint32_t side)
{
  return side > 2 ? nodes : nodes / 2 * (side - 1);
}

/* Of two in a row, only the cable to the next one is used, not the one around. */
static enum tny_status make_ring(struct maker *maker, uint32_t side, uint32_t step,
                                 struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; !status && side > 1 && i < maker->count; i++) {
    const uint32_t at = i / step % side;
    if (at + 1 < side)
      status = connect(maker, maker->hosts[i], maker->hosts[i + step], 1, error);
    else if (side > 2)
      status = connect(maker, maker->hosts[i], maker->hosts[i - at * step], 1, error);
  }
  return status;
}

static enum tny_status make_torus(struct maker *maker, struct tny_error *error)
{
  const char *text = tny_xml_attribute(maker->element, "topo_parameters");
  uint32_t sides[SIDES_MAX], product = 1, step = 1;
  uint64_t cables = 0;
  const uint32_t count = text ? read_numbers(&text, sides, SIDES_MAX) : 0;
  bool fits = count && !*text;
  for (uint32_t i = 0; fits && i < count; i++)
    fits = multiply(&product, sides[i]);
  if (!fits)
    return refuse_parameters(maker, "torus", "it has the nodes of each side, as in \"4,4,2\"",
                             error);
  for (uint32_t i = 0; i < count; i++)
    cables += count_ring(product, sides[i]);
  enum tny_status status = check_count(maker, product, error);
  if (!status)
    status = check_room(maker, cables, error);
  for (uint32_t i = 0; !status && i < count; i++) {
    status = make_ring(maker, sides[i], step, error);
    step *= sides[i];
  }
  return status;
}

/* --- FAT_TREE: level 0 are the hosts. Nodes of a level are counted by a digit for each level, the
   lowest first: of those below the node's own level as many values as a node has nodes above it, of
   the others as many as one has below it. A node and its upper ones differ in the digit between
   them. --- */

struct fat_tree {
  uint32_t levels, down[LEVELS_MAX], up[LEVELS_MAX], cables[LEVELS_MAX];
  uint32_t counts[LEVELS_MAX + 1];  /* nodes of each level */
  uint32_t *places[LEVELS_MAX + 1]; /* theirs; those of hosts are the maker's */
};

static bool read_fat_tree(const char *text, struct fat_tree *tree)
{
  uint32_t *lists[] = {tree->down, tree->up, tree->cables};
  if (!text || read_numbers(&text, &tree->levels, 1) != 1 || tree->levels > LEVELS_MAX)
    return false;
  for (int i = 0; i < 3; i++)
    if (!read_separator(&text) || read_numbers(&text, lists[i], LEVELS_MAX) != tree->levels)
      return false;
  for (uint32_t i = 0; i < tree->levels; i++)
    if (tree->cables[i] == 0 || tree->cables[i] > TNY_CABLES_MAX)
      return false;
  return !*text;
}

/* How many nodes a level has; false: too many, or none. */
static bool size_of_level(const struct fat_tree *tree, uint32_t level, uint32_t *count)
{
  *count = 1;
  bool fits = true;
  for (uint32_t i = 0; fits && i < tree->levels; i++)
    fits = multiply(count, i < level ? tree->up[i] : tree->down[i]);
  return fits;
}

/* Counted up to where there are more than a cluster may have. */
static uint64_t count_fat_tree(const struct fat_tree *tree)
{
  uint64_t cables = 0;
  for (uint32_t i = 0; i < tree->levels && cables <= TNY_CABLES_MAX; i++)
    cables += (uint64_t)tree->counts[i] * tree->up[i] * tree->cables[i];
  return cables;
}

/* Joins the nodes of a level to those above it. */
static enum tny_status join_levels(struct maker *maker, const struct fat_tree *tree, uint32_t level,
                                   struct tny_error *error)
{
  const uint32_t *below = tree->places[level], *above = tree->places[level + 1];
  const uint32_t count = tree->counts[level];
  uint32_t low = 1;
  for (uint32_t i = 0; i < level; i++)
    low *= tree->up[i];
  enum tny_status status = TNY_OK;
  for (uint32_t node = 0; !status && node < count; node++) {
    const uint32_t lower = node % low, higher = node / low / tree->down[level];
    for (uint32_t up = 0; !status && up < tree->up[level]; up++)
      for (uint32_t cable = 0; !status && cable < tree->cables[level]; cable++)
        status = connect(maker, below[node], above[lower + low * (up + tree->up[level] * higher)],
                         1, error);
  }
  return status;
}

static enum tny_status add_level(struct maker *maker, struct fat_tree *tree, uint32_t level,
                                 struct tny_error *error)
{
  char what[24];
  snprintf(what, sizeof what, "level%u-", level);
  tree->places[level] = tny_new(tree->counts[level], sizeof **tree->places);
  enum tny_status status = tree->places[level] ? TNY_OK : tny_error_memory(error);
  for (uint32_t i = 0; !status && i < tree->counts[level]; i++)
    status = add_switch(maker, what, i, &tree->places[level][i], error);
  return status;
}

static enum tny_status make_fat_tree(struct maker *maker, struct tny_error *error)
{
  struct fat_tree tree = {.places = {maker->hosts}};
  bool fits = read_fat_tree(tny_xml_attribute(maker->element, "topo_parameters"), &tree);
  for (uint32_t level = 0; fits && level <= tree.levels; level++)
    fits = size_of_level(&tree, level, &tree.counts[level]);
  if (!fits)
    return refuse_parameters(maker, "fat tree",
                             "it has the levels, and for each of them the nodes below a switch, "
                             "the switches above a node and the cables to each, as in "
                             "\"2;4,4;1,2;1,1\"",
                             error);
  enum tny_status status = check_count(maker, tree.counts[0], error);
  if (!status)
    status = check_room(maker, count_fat_tree(&tree), error);
  for (uint32_t level = 0; !status && level < tree.levels; level++) {
    status = add_level(maker, &tree, level + 1, error);
    if (!status)
      status = join_levels(maker, &tree, level, error);
  }
  for (uint32_t level = 1; level <= tree.levels; level++)
    tny_free(tree.places[level]);
  return status;
}

/* --- DRAGONFLY: groups of chassis of blades, which are routers, with nodes --- */

struct dragonfly {
  uint32_t groups, blue;   /* cables between two groups, as one of so many times the rate */
  uint32_t chassis, black; /* of a group, and between the same blades of its chassis */
  uint32_t blades, green;  /* of a chassis, and between them */
  uint32_t nodes;          /* of a blade */
};

static bool read_dragonfly(const char *text, struct dragonfly *fly)
{
  uint32_t pairs[3][2];
  if (!text)
    return false;
  for (int i = 0; i < 3; i++)
    if (read_numbers(&text, pairs[i], 2) != 2 || !read_separator(&text) || !pairs[i][1] ||
        pairs[i][1] > 1000)
      return false;
  if (read_numbers(&text, &fly->nodes, 1) != 1 || *text)
    return false;
  *fly = (struct dragonfly){.groups = pairs[0][0],
                            .blue = pairs[0][1],
                            .chassis = pairs[1][0],
                            .black = pairs[1][1],
                            .blades = pairs[2][0],
                            .green = pairs[2][1],
                            .nodes = fly->nodes};
  return true;
}

static uint64_t count_pairs(uint64_t of)
{
  return of ? of * (of - 1) / 2 : 0;
}

static uint64_t count_dragonfly(const struct dragonfly *fly, uint32_t routers)
{
  const uint64_t hosts = (uint64_t)routers * fly->nodes;
  const uint64_t green = count_pairs(fly->blades) * fly->chassis * fly->groups;
  const uint64_t black = count_pairs(fly->chassis) * fly->blades * fly->groups;
  return hosts + green + black + count_pairs(fly->groups);
}

/* The routers of a group, from its first one on: each blade to the others of its chassis and to
   those of its number in the other chassis. */
static enum tny_status join_group(struct maker *maker, const struct dragonfly *fly,
                                  const uint32_t *routers, struct tny_error *error)
{
  const uint32_t count = fly->chassis * fly->blades;
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; !status && i < count; i++) {
    const uint32_t chassis_end = (i / fly->blades + 1) * fly->blades;
    for (uint32_t j = i + 1; !status && j < chassis_end; j++)
      status = connect(maker, routers[i], routers[j], fly->green, error);
    for (uint32_t j = i + fly->blades; !status && j < count; j += fly->blades)
      status = connect(maker, routers[i], routers[j], fly->black, error);
  }
  return status;
}

/* Router j of group i leads to router i of group j. */
static enum tny_status join_groups(struct maker *maker, const struct dragonfly *fly,
                                   const uint32_t *routers, struct tny_error *error)
{
  const uint32_t size = fly->chassis * fly->blades;
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; !status && i < fly->groups; i++) {
    status = join_group(maker, fly, routers + (size_t)i * size, error);
    for (uint32_t j = i + 1; !status && j < fly->groups; j++)
      status = connect(maker, routers[i * size + j], routers[j * size + i], fly->blue, error);
  }
  return status;
}

static enum tny_status make_dragonfly(struct maker *maker, struct tny_error *error)
{
  struct dragonfly fly = {0};
  uint32_t routers = 1;
  if (!read_dragonfly(tny_xml_attribute(maker->element, "topo_parameters"), &fly) ||
      !multiply(&routers, fly.groups) || !multiply(&routers, fly.chassis) ||
      !multiply(&routers, fly.blades))
    return refuse_parameters(maker, "dragonfly",
                             "it has groups, chassis and blades, each with its cables, and the "
                             "nodes of a blade, as in \"3,4;4,3;5,1;2\"",
                             error);
  if (fly.groups > fly.blades)
    return refuse_parameters(maker, "dragonfly",
                             "group number G is reached by the blade of that number, so there "
                             "must be as many blades as groups",
                             error);
  uint32_t count = routers;
  if (!multiply(&count, fly.nodes))
    count = 0;
  enum tny_status status = check_count(maker, count, error);
  if (!status)
    status = check_room(maker, count_dragonfly(&fly, routers), error);
  uint32_t *places = tny_new(routers, sizeof *places);
  if (!status && !places)
    status = tny_error_memory(error);
  maker->platform->routing = TNY_ROUTING_SHORTEST_LANES; /* as of the generator */
  for (uint32_t i = 0; !status && i < routers; i++)
    status = add_switch(maker, "router", i, &places[i], error);
  for (uint32_t i = 0; !status && i < count; i++)
    status = connect(maker, maker->hosts[i], places[i / fly.nodes], 1, error);
  if (!status)
    status = join_groups(maker, &fly, places, error);
  tny_free(places);
  return status;
}

/* --- the whole --- */

static const struct {
  const char *name;
  enum tny_status (*make)(struct maker *maker, struct tny_error *error);
} topologies[] = {{"FLAT", make_flat},
                  {"TORUS", make_torus},
                  {"FAT_TREE", make_fat_tree},
                  {"DRAGONFLY", make_dragonfly}};

static enum tny_status make(struct maker *maker, struct tny_error *error)
{
  const char *topology = tny_xml_attribute(maker->element, "topology");
  for (size_t i = 0; i < sizeof topologies / sizeof *topologies; i++)
    if (!strcmp(topology ? topology : "FLAT", topologies[i].name))
      return topologies[i].make(maker, error);
  return tny_xml_refuse(maker->element, error,
                        "topology=\"%.40s\" isn't known: there are FLAT, TORUS, FAT_TREE and "
                        "DRAGONFLY",
                        topology);
}

static enum tny_status begin(struct maker *maker, struct tny_error *error)
{
  const struct tny_xml_element *element = maker->element;
  const char *prefix = tny_xml_attribute(element, "prefix");
  const char *suffix = tny_xml_attribute(element, "suffix");
  maker->prefix = prefix ? prefix : "";
  maker->suffix = suffix ? suffix : "";
  enum tny_status status = tny_xml_require(element, "id", &maker->id, error);
  if (!status)
    status = tny_simgrid_read_rate(element, "bw", &maker->rates.bps, error);
  if (!status)
    status = tny_simgrid_read_time(element, "lat", &maker->rates.latency_ns, error);
  return status ? status : add_hosts(maker, error);
}

/* A host's limiter takes what it sends and receives together: it bounds each of both, which the
   rate becomes; what it bounds besides is left out. */
static enum tny_status limit(struct maker *maker, struct tny_error *error)
{
  uint64_t limit_bps;
  const char *text = tny_xml_attribute(maker->element, "limiter_link");
  if (!text || !strcmp(text, "0"))
    return TNY_OK;
  const enum tny_status status =
      tny_simgrid_read_rate(maker->element, "limiter_link", &limit_bps, error);
  if (status)
    return status;
  const char *topology = tny_xml_attribute(maker->element, "topology");
  const bool is_flat = !topology || !strcmp(topology, "FLAT");
  if (!is_flat || limit_bps / 2 < maker->rates.bps)
    maker->platform->guesses.limited += maker->count;
  if (limit_bps < maker->rates.bps)
    maker->rates.bps = limit_bps;
  return TNY_OK;
}

enum tny_status tny_simgrid_add_cluster(struct tny_platform *platform,
                                        const struct tny_xml_element *element,
                                        struct tny_error *error)
{
  struct maker maker = {.platform = platform, .element = element, .rates = {.sharing = TNY_SPLIT}};
  enum tny_status status = begin(&maker, error);
  if (!status)
    status = tny_simgrid_read_sharing(element, "sharing_policy", &maker.rates.sharing, error);
  if (!status)
    status = limit(&maker, error);
  if (!status)
    status = make(&maker, error);
  tny_free(maker.hosts);
  return status;
}

enum tny_status tny_simgrid_add_cabinet(struct tny_platform *platform,
                                        const struct tny_xml_element *element, uint32_t middle,
                                        struct tny_error *error)
{
  struct maker maker = {.platform = platform, .element = element, .rates = {.sharing = TNY_SPLIT}};
  enum tny_status status = begin(&maker, error);
  for (uint32_t i = 0; !status && i < maker.count; i++)
    status = connect(&maker, maker.hosts[i], middle, 1, error);
  tny_free(maker.hosts);
  return status;
}
