/* The clusters that every algorithm is proved on. Each is made from a number, so that they are the
   same each time, and a counterexample names the cluster. */
#include "cases.h"

#include <inttypes.h>
#include <stdarg.h>

#include "core/error.h"
#include "core/text.h"

/* --- one line each, by a generator --- */

static enum tny_status generate(struct tny_cluster **cluster, struct tny_error *error,
                                const char *format, ...) TNY_PRINTF(3, 4);

static enum tny_status generate(struct tny_cluster **cluster, struct tny_error *error,
                                const char *format, ...)
{
  char text[80];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return tny_cluster_generate(text, cluster, error);
}

/* The hosts of a number: 1 to 64, then larger odd ones. */
enum { HOSTS_IN_ROW = 64, HOSTS_LARGER = 5, LISTED_LAST = HOSTS_IN_ROW + HOSTS_LARGER };

static uint32_t listed_hosts(uint32_t number)
{
  static const uint32_t larger[HOSTS_LARGER] = {65, 81, 97, 127, 129};
  return number <= HOSTS_IN_ROW ? number : larger[number - HOSTS_IN_ROW - 1];
}

static enum tny_status make_single(uint32_t number, struct tny_cluster **cluster,
                                   struct tny_error *error)
{
  return generate(cluster, error, "single:%" PRIu32, listed_hosts(number));
}

/* As many as the number says. */
static uint32_t as_many_hosts(uint32_t number)
{
  return number;
}

static enum tny_status make_many(uint32_t number, struct tny_cluster **cluster,
                                 struct tny_error *error)
{
  return generate(cluster, error, "single:%" PRIu32, number);
}

static enum tny_status make_halves(uint32_t number, struct tny_cluster **cluster,
                                   struct tny_error *error)
{
  const uint32_t p = listed_hosts(number);
  return generate(cluster, error, "switches:%" PRIu32 "+%" PRIu32, p - p / 2, p / 2);
}

/* A line of three switches, with few hosts in the middle. */
static enum tny_status make_line(uint32_t number, struct tny_cluster **cluster,
                                 struct tny_error *error)
{
  const uint32_t p = listed_hosts(number), middle = p / 4 ? p / 4 : 1, last = (p - middle) / 2;
  return generate(cluster, error, "switches:%" PRIu32 "+%" PRIu32 "+%" PRIu32, p - middle - last,
                  middle, last);
}

enum { PAIR_SIDE = 16 };

static uint32_t pair_hosts(uint32_t number)
{
  return 2 + number / PAIR_SIDE + number % PAIR_SIDE;
}

static enum tny_status make_pair(uint32_t number, struct tny_cluster **cluster,
                                 struct tny_error *error)
{
  return generate(cluster, error, "zones:%" PRIu32 "+%" PRIu32, 1 + number / PAIR_SIDE,
                  1 + number % PAIR_SIDE);
}

enum { TRIPLE_SIDE = 8 };

static uint32_t triple_hosts(uint32_t number)
{
  return 3 + number / (TRIPLE_SIDE * TRIPLE_SIDE) + number / TRIPLE_SIDE % TRIPLE_SIDE +
         number % TRIPLE_SIDE;
}

static enum tny_status make_triple(uint32_t number, struct tny_cluster **cluster,
                                   struct tny_error *error)
{
  return generate(cluster, error, "zones:%" PRIu32 "+%" PRIu32 "+%" PRIu32 ",delay=10ms",
                  1 + number / (TRIPLE_SIDE * TRIPLE_SIDE), 1 + number / TRIPLE_SIDE % TRIPLE_SIDE,
                  1 + number % TRIPLE_SIDE);
}

static enum tny_status make_ring(uint32_t number, struct tny_cluster **cluster,
                                 struct tny_error *error)
{
  return generate(cluster, error, "ring:%" PRIu32, number);
}

/* 4x4, 8x8, 12x12, 16x16 */
static uint32_t torus_hosts(uint32_t number)
{
  return 16 * number * number;
}

static enum tny_status make_torus(uint32_t number, struct tny_cluster **cluster,
                                  struct tny_error *error)
{
  return generate(cluster, error, "torus:%" PRIu32 "x%" PRIu32, 4 * number, 4 * number);
}

/* 2 to 10 switches, of 7 to 13 hosts in the mean. */
static uint32_t irregular_switches(uint32_t number)
{
  return 2 + number % 9;
}

static uint32_t irregular_hosts(uint32_t number)
{
  return irregular_switches(number) * (7 + number / 9 % 7);
}

static enum tny_status make_irregular(uint32_t number, struct tny_cluster **cluster,
                                      struct tny_error *error)
{
  return generate(cluster, error, "irregular:%" PRIu32 ",switches=%" PRIu32 ",seed=%" PRIu32,
                  irregular_hosts(number), irregular_switches(number), number);
}

/* 2 to 5 groups of 1 to 4 switches, with a host or two each. */
static uint32_t dragonfly_groups(uint32_t number)
{
  return 2 + number / 4 % 4;
}

static uint32_t dragonfly_switches(uint32_t number)
{
  return 1 + number % 4;
}

static uint32_t dragonfly_hosts(uint32_t number)
{
  return dragonfly_groups(number) * dragonfly_switches(number) * (1 + number / 16 % 2);
}

static enum tny_status make_dragonfly(uint32_t number, struct tny_cluster **cluster,
                                      struct tny_error *error)
{
  return generate(cluster, error, "dragonfly:%" PRIu32 "x%" PRIu32 "x%" PRIu32,
                  dragonfly_groups(number), dragonfly_switches(number), 1 + number / 16 % 2);
}

/* Boards of 1x1 to 3x2, two or three a row and a column. */
static uint32_t hammingmesh_hosts(uint32_t number)
{
  return (1 + number % 3) * (1 + number / 3 % 2) * (2 + number / 6 % 2) * (2 + number / 12 % 2);
}

static enum tny_status make_hammingmesh(uint32_t number, struct tny_cluster **cluster,
                                        struct tny_error *error)
{
  return generate(cluster, error, "hammingmesh:%" PRIu32 "x%" PRIu32 ",boards=%" PRIu32 "x%" PRIu32,
                  1 + number % 3, 1 + number / 3 % 2, 2 + number / 6 % 2, 2 + number / 12 % 2);
}

/* --- trees of switches, in the flat form --- */

enum { SWITCHES_MAX = 16 };

/* A tree: each switch but the first is a child of one before it. */
struct tree {
  uint32_t switch_count, host_count;
  uint32_t above[SWITCHES_MAX];
  bool begins_zone[SWITCHES_MAX]; /* its cable upwards has a long delay, so that a zone begins */
};

/* Host h is on switch home[h]. */
static enum tny_status make_tree(const char *name, const struct tree *tree, const uint32_t *home,
                                 struct tny_cluster **cluster, struct tny_error *error)
{
  static const char cable[] = "1000000000 5000 65536", long_delay[] = "1000000000 10000000 65536";
  struct tny_text text = {0};
  char *flat;
  tny_text_add(&text, "cluster 1 %s\n", name);
  for (uint32_t host = 0; host < tree->host_count; host++)
    tny_text_add(&text, "host h%" PRIu32 "\n", host);
  for (uint32_t node = 0; node < tree->switch_count; node++)
    tny_text_add(&text, "switch s%" PRIu32 "\n", node);
  for (uint32_t node = 1; node < tree->switch_count; node++)
    tny_text_add(&text, "cable s%" PRIu32 " s%" PRIu32 " %s\n", tree->above[node], node,
                 tree->begins_zone[node] ? long_delay : cable);
  for (uint32_t host = 0; host < tree->host_count; host++)
    tny_text_add(&text, "cable s%" PRIu32 " h%" PRIu32 " %s\n", home[host], host, cable);
  enum tny_status status = tny_text_take(&text, &flat, error);
  if (status == TNY_OK)
    status = tny_cluster_read_flat(flat, cluster, error);
  tny_text_free(flat);
  return status;
}

enum { TREE_HOSTS_MAX = 129 };

/* A core switch without hosts, and two leaves or more with about as many hosts as there are leaves,
   dealt out in turn. */
static enum tny_status make_star(uint32_t number, struct tny_cluster **cluster,
                                 struct tny_error *error)
{
  char name[32];
  uint32_t home[TREE_HOSTS_MAX];
  const uint32_t p = listed_hosts(number);
  uint32_t leaves = 2;
  while (leaves * leaves < p)
    leaves++;
  const struct tree tree = {.switch_count = 1 + leaves,
                            .host_count = p}; /* all are children of s0 */
  for (uint32_t host = 0; host < p; host++)
    home[host] = 1 + host % leaves;
  snprintf(name, sizeof name, "star:%" PRIu32 "x%" PRIu32, leaves, p);
  return make_tree(name, &tree, home, cluster, error);
}

static uint32_t next_random(uint32_t *state, uint32_t below)
{
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % below;
}

/* Of every `zone_every` switches one begins a zone; 0: none does. */
static enum tny_status grow_tree(const char *kind, uint32_t number, uint32_t zone_every,
                                 struct tny_cluster **cluster, struct tny_error *error)
{
  char name[32];
  uint32_t home[TREE_HOSTS_MAX], state = 7919 * number;
  const uint32_t p = listed_hosts(number);
  struct tree tree = {.switch_count = 2 + next_random(&state, SWITCHES_MAX - 1), .host_count = p};
  for (uint32_t node = 1; node < tree.switch_count; node++)
    tree.above[node] = next_random(&state, node);
  for (uint32_t host = 0; host < p; host++)
    home[host] = next_random(&state, tree.switch_count);
  for (uint32_t node = 1; node < tree.switch_count && zone_every > 0; node++)
    tree.begins_zone[node] = next_random(&state, zone_every) == 0;
  snprintf(name, sizeof name, "%s:%" PRIu32, kind, number);
  return make_tree(name, &tree, home, cluster, error);
}

static enum tny_status make_random_tree(uint32_t number, struct tny_cluster **cluster,
                                        struct tny_error *error)
{
  return grow_tree("random-tree", number, 0, cluster, error);
}

static enum tny_status make_zone_tree(uint32_t number, struct tny_cluster **cluster,
                                      struct tny_error *error)
{
  return grow_tree("zone-tree", number, 3, cluster, error);
}

/* --- the list --- */

const struct verify_family verify_families[] = {
    {.name = "one switch, 1 to 129 ranks",
     .hosts = listed_hosts,
     .make = make_single,
     .first = 1,
     .last = LISTED_LAST,
     .quick = {17, 16}},
    {.name = "two switches, 2 to 129 ranks",
     .hosts = listed_hosts,
     .make = make_halves,
     .first = 2,
     .last = LISTED_LAST,
     .quick = {12, 16}},
    {.name = "two switches, ranks interleaved",
     .hosts = listed_hosts,
     .make = make_halves,
     .first = 2,
     .last = LISTED_LAST,
     .map = TNY_MAP_INTERLEAVED,
     .quick = {12, 16}},
    {.name = "lines of three switches",
     .hosts = listed_hosts,
     .make = make_line,
     .first = 3,
     .last = LISTED_LAST,
     .map = TNY_MAP_INTERLEAVED,
     .quick = {12, 16}},
    {.name = "stars of switches",
     .hosts = listed_hosts,
     .make = make_star,
     .first = 1,
     .last = LISTED_LAST,
     .quick = {12, 16}},
    {.name = "random trees of switches",
     .hosts = listed_hosts,
     .make = make_random_tree,
     .first = 1,
     .last = LISTED_LAST,
     .map = TNY_MAP_INTERLEAVED,
     .quick = {12, 16}},
    {.name = "two zones of 1 to 16 and 1 to 16 hosts",
     .hosts = pair_hosts,
     .make = make_pair,
     .first = 0,
     .last = PAIR_SIDE * PAIR_SIDE - 1,
     .quick = {16, 20}},
    {.name = "three zones of 1 to 8 hosts each",
     .hosts = triple_hosts,
     .make = make_triple,
     .first = 0,
     .last = TRIPLE_SIDE * TRIPLE_SIDE * TRIPLE_SIDE - 1,
     .roots = VERIFY_ONE_ROOT,
     .quick = {8, 70}},
    {.name = "rings of 4 to 64",
     .hosts = as_many_hosts,
     .make = make_ring,
     .first = 4,
     .last = 64,
     .quick = {9, 12}},
    {.name = "tori of 4x4 to 16x16",
     .hosts = torus_hosts,
     .make = make_torus,
     .first = 1,
     .last = 4,
     .quick = {2, 0}},
    {.name = "irregular clusters",
     .hosts = irregular_hosts,
     .make = make_irregular,
     .first = 1,
     .last = 1000,
     .quick = {10, 40}},
    {.name = "dragonflies of 2 to 40 hosts",
     .hosts = dragonfly_hosts,
     .make = make_dragonfly,
     .first = 0,
     .last = 31,
     .quick = {0, 13}},
    {.name = "Hamming meshes of 4 to 54 hosts",
     .hosts = hammingmesh_hosts,
     .make = make_hammingmesh,
     .first = 0,
     .last = 23,
     .quick = {0, 11}},
    {.name = "one switch, 2 ranks a host",
     .hosts = listed_hosts,
     .make = make_single,
     .first = 1,
     .last = 32,
     .ranks_a_host = 2,
     .quick = {8, 8}},
    {.name = "two switches, 3 ranks a host",
     .hosts = listed_hosts,
     .make = make_halves,
     .first = 2,
     .last = 24,
     .ranks_a_host = 3,
     .quick = {8, 8}},
    {.name = "random trees, 2 ranks a host",
     .hosts = listed_hosts,
     .make = make_random_tree,
     .first = 1,
     .last = 32,
     .ranks_a_host = 2,
     .map = TNY_MAP_INTERLEAVED,
     .quick = {8, 8}},
    {.name = "zones of random trees, 2 ranks a host",
     .hosts = listed_hosts,
     .make = make_zone_tree,
     .first = 1,
     .last = 32,
     .ranks_a_host = 2,
     .quick = {8, 8}},
    {.name = "rings, 2 ranks a node",
     .hosts = as_many_hosts,
     .make = make_ring,
     .first = 4,
     .last = 16,
     .ranks_a_host = 2,
     .quick = {5, 4}},
    {.name = "tori, 3 ranks a node",
     .hosts = torus_hosts,
     .make = make_torus,
     .first = 1,
     .last = 2,
     .ranks_a_host = 3,
     .quick = {1, 0}},
    {.name = "circulant on one switch, 1 to 4096 ranks",
     .hosts = as_many_hosts,
     .make = make_many,
     .first = 1,
     .last = 4096,
     .only = "circulant",
     .roots = VERIFY_ONE_ROOT,
     .quick = {64, 64}},
};
const uint32_t verify_family_count = sizeof verify_families / sizeof *verify_families;
