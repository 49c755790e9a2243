/* The clusters that every algorithm is proved on. Each is made from a number, so that they are the
   same each time, and a counterexample names the cluster. */
#include "cases.h"

#include <inttypes.h>
#include <stdarg.h>

#include "switch_trees.h"

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

/* As many as the number says. */
static uint32_t as_many_hosts(uint32_t number)
{
  return number;
}

static enum tny_status make_single(uint32_t number, struct tny_cluster **cluster,
                                   struct tny_error *error)
{
  return generate(cluster, error, "single:%" PRIu32, number);
}

static enum tny_status make_halves(uint32_t number, struct tny_cluster **cluster,
                                   struct tny_error *error)
{
  return generate(cluster, error, "switches:%" PRIu32 "+%" PRIu32, number - number / 2, number / 2);
}

static enum tny_status make_listed_halves(uint32_t number, struct tny_cluster **cluster,
                                          struct tny_error *error)
{
  return make_halves(listed_hosts(number), cluster, error);
}

/* Every sixteenth number, of odd and even ones. */
static uint32_t sixteen_apart(uint32_t number)
{
  return 16 * number - number % 16;
}

static enum tny_status make_sixteen_apart(uint32_t number, struct tny_cluster **cluster,
                                          struct tny_error *error)
{
  return make_single(sixteen_apart(number), cluster, error);
}

/* Hosts for as many ranks as the number says: three each, a few less on the last. */
static uint32_t third_of_hosts(uint32_t number)
{
  return (number + 2) / 3;
}

static enum tny_status make_third(uint32_t number, struct tny_cluster **cluster,
                                  struct tny_error *error)
{
  return make_single(third_of_hosts(number), cluster, error);
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

static enum tny_status make_listed_ring(uint32_t number, struct tny_cluster **cluster,
                                        struct tny_error *error)
{
  return make_ring(listed_hosts(number), cluster, error);
}

/* A switch for each host, in a line. */
static enum tny_status make_chain(uint32_t number, struct tny_cluster **cluster,
                                  struct tny_error *error)
{
  return generate(cluster, error, "mesh:%" PRIu32, listed_hosts(number));
}

/* The shorter side, of at least `least` nodes, of the squarest grid of so many; 1: there is none.
 */
static uint32_t side_of(uint32_t nodes, uint32_t least)
{
  uint32_t side = 1;
  for (uint32_t width = least; width * width <= nodes; width++)
    if (nodes % width == 0)
      side = width;
  return side;
}

static enum tny_status make_squarest_mesh(uint32_t nodes, struct tny_cluster **cluster,
                                          struct tny_error *error)
{
  const uint32_t side = side_of(nodes, 2);
  return side > 1 ? generate(cluster, error, "mesh:%" PRIu32 "x%" PRIu32, nodes / side, side)
                  : generate(cluster, error, "mesh:%" PRIu32, nodes);
}

/* Of a prime number of nodes, a line. */
static enum tny_status make_mesh(uint32_t number, struct tny_cluster **cluster,
                                 struct tny_error *error)
{
  return make_squarest_mesh(listed_hosts(number), cluster, error);
}

/* Where so many nodes make no torus, a ring. */
static enum tny_status make_torus(uint32_t number, struct tny_cluster **cluster,
                                  struct tny_error *error)
{
  const uint32_t nodes = listed_hosts(number), side = side_of(nodes, 3);
  return side > 1 ? generate(cluster, error, "torus:%" PRIu32 "x%" PRIu32, nodes / side, side)
                  : make_ring(nodes, cluster, error);
}

/* A torus where so many nodes make one, else a mesh where they have two sides, else a ring. */
static enum tny_status make_grid(uint32_t number, struct tny_cluster **cluster,
                                 struct tny_error *error)
{
  const uint32_t side = side_of(number, 3);
  if (side > 1)
    return generate(cluster, error, "torus:%" PRIu32 "x%" PRIu32, number / side, side);
  return side_of(number, 2) > 1 ? make_squarest_mesh(number, cluster, error)
                                : make_ring(number, cluster, error);
}

/* 4x4, 8x8, 12x12, 16x16 */
static uint32_t square_hosts(uint32_t number)
{
  return 16 * number * number;
}

static enum tny_status make_square(uint32_t number, struct tny_cluster **cluster,
                                   struct tny_error *error)
{
  return generate(cluster, error, "torus:%" PRIu32 "x%" PRIu32, 4 * number, 4 * number);
}

/* Grids of three sides: a mesh by an even number, a torus by an odd one. */
struct sides {
  uint32_t x, y, z;
};

static struct sides sides_of(uint32_t number)
{
  static const struct sides sides[] = {{2, 2, 2}, {3, 3, 3}, {3, 2, 2}, {4, 3, 3}, {4, 3, 2},
                                       {5, 4, 3}, {4, 4, 4}, {4, 4, 4}, {5, 4, 3}, {5, 5, 5}};
  return sides[number];
}

static uint32_t cuboid_hosts(uint32_t number)
{
  const struct sides sides = sides_of(number);
  return sides.x * sides.y * sides.z;
}

static enum tny_status make_cuboid(uint32_t number, struct tny_cluster **cluster,
                                   struct tny_error *error)
{
  const struct sides sides = sides_of(number);
  return generate(cluster, error, "%s:%" PRIu32 "x%" PRIu32 "x%" PRIu32,
                  number % 2 ? "torus" : "mesh", sides.x, sides.y, sides.z);
}

/* Of switches with 2, 4, 6 and 8 ports. */
static uint32_t fat_tree_hosts(uint32_t number)
{
  return 2 * number * number * number;
}

static enum tny_status make_fat_tree(uint32_t number, struct tny_cluster **cluster,
                                     struct tny_error *error)
{
  return generate(cluster, error, "fattree:%" PRIu32, 2 * number);
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

/* --- trees of switches --- */

static enum tny_status make_star(uint32_t number, struct tny_cluster **cluster,
                                 struct tny_error *error)
{
  return verify_star_make(listed_hosts(number), cluster, error);
}

static enum tny_status make_random_tree(uint32_t number, struct tny_cluster **cluster,
                                        struct tny_error *error)
{
  return verify_random_tree_make(number, listed_hosts(number), cluster, error);
}

static enum tny_status make_zone_tree(uint32_t number, struct tny_cluster **cluster,
                                      struct tny_error *error)
{
  return verify_zone_tree_make(number, listed_hosts(number), cluster, error);
}

/* --- the list --- */

/* Each number of ranks is proved for every root: on one switch, and of algorithms that don't serve
   it on shared hosts, two switches, a ring or a grid. In all families but these, 1 to 64 and some
   larger numbers of ranks are enough, and some roots. */
const struct verify_family verify_families[] = {
    {.name = "one switch, 1 to 129 ranks, each",
     .hosts = as_many_hosts,
     .make = make_single,
     .first = 1,
     .last = 129,
     .roots = VERIFY_EVERY_ROOT,
     .quick = {17, 31}},
    {.name = "shared hosts, 2 to 129 ranks, each",
     .hosts = third_of_hosts,
     .ranks = as_many_hosts,
     .make = make_third,
     .first = 2,
     .last = 129,
     .fills_in = true,
     .roots = VERIFY_EVERY_ROOT,
     .quick = {12, 31}},
    {.name = "two switches, 2 to 129 ranks, each",
     .hosts = as_many_hosts,
     .make = make_halves,
     .first = 2,
     .last = 129,
     .fills_in = true,
     .roots = VERIFY_EVERY_ROOT,
     .quick = {12, 31}},
    {.name = "rings of 3 to 129, each",
     .hosts = as_many_hosts,
     .make = make_ring,
     .first = 3,
     .last = 129,
     .fills_in = true,
     .roots = VERIFY_EVERY_ROOT,
     .quick = {12, 31}},
    {.name = "grids of 3 to 129, each",
     .hosts = as_many_hosts,
     .make = make_grid,
     .first = 3,
     .last = 129,
     .fills_in = true,
     .roots = VERIFY_EVERY_ROOT,
     .quick = {12, 31}},
    {.name = "two switches, 2 to 129 ranks",
     .hosts = listed_hosts,
     .make = make_listed_halves,
     .first = 2,
     .last = LISTED_LAST,
     .quick = {12, 20}},
    {.name = "two switches, ranks interleaved",
     .hosts = listed_hosts,
     .make = make_listed_halves,
     .first = 2,
     .last = LISTED_LAST,
     .map = TNY_MAP_INTERLEAVED,
     .quick = {12, 20}},
    {.name = "lines of three switches",
     .hosts = listed_hosts,
     .make = make_line,
     .first = 3,
     .last = LISTED_LAST,
     .map = TNY_MAP_INTERLEAVED,
     .quick = {12, 16}},
    {.name = "chains of 2 to 129 switches",
     .hosts = listed_hosts,
     .make = make_chain,
     .first = 2,
     .last = LISTED_LAST,
     .quick = {6, 16}},
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
    {.name = "fat trees of 2 to 128 hosts",
     .hosts = fat_tree_hosts,
     .make = make_fat_tree,
     .first = 1,
     .last = 4,
     .quick = {2, 0}},
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
    {.name = "rings of 3 to 129",
     .hosts = listed_hosts,
     .make = make_listed_ring,
     .first = 3,
     .last = LISTED_LAST,
     .quick = {9, 16}},
    {.name = "meshes of 4 to 129",
     .hosts = listed_hosts,
     .make = make_mesh,
     .first = 4,
     .last = LISTED_LAST,
     .quick = {5, 16}},
    {.name = "tori of 9 to 129",
     .hosts = listed_hosts,
     .make = make_torus,
     .first = 9,
     .last = LISTED_LAST,
     .quick = {1, 16}},
    {.name = "square tori of 4x4 to 16x16",
     .hosts = square_hosts,
     .make = make_square,
     .first = 1,
     .last = 4,
     .quick = {2, 0}},
    {.name = "meshes and tori of three sides, up to 5x5x5",
     .hosts = cuboid_hosts,
     .make = make_cuboid,
     .first = 0,
     .last = 9,
     .quick = {3, 0}},
    {.name = "irregular clusters",
     .hosts = irregular_hosts,
     .make = make_irregular,
     .first = 1,
     .last = 1000,
     .quick = {10, 125}},
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
     .hosts = as_many_hosts,
     .make = make_single,
     .first = 1,
     .last = 32,
     .ranks_a_host = 2,
     .quick = {8, 8}},
    {.name = "one switch, up to 3 ranks a host",
     .hosts = third_of_hosts,
     .ranks = as_many_hosts,
     .make = make_third,
     .first = 2,
     .last = 64,
     .quick = {8, 30}},
    {.name = "two switches, 3 ranks a host",
     .hosts = as_many_hosts,
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
    {.name = "square tori, 3 ranks a node",
     .hosts = square_hosts,
     .make = make_square,
     .first = 1,
     .last = 2,
     .ranks_a_host = 3,
     .quick = {1, 0}},
    {.name = "circulant on one switch, 130 to 4096 ranks",
     .hosts = as_many_hosts,
     .make = make_single,
     .first = 130,
     .last = 4096,
     .only = "circulant",
     .moves_only = true,
     .roots = VERIFY_ONE_ROOT,
     .quick = {1, 64}},
    {.name = "the same and its reductions, every sixteenth",
     .hosts = sixteen_apart,
     .make = make_sixteen_apart,
     .first = 9,
     .last = 256,
     .only = "circulant",
     .roots = VERIFY_ONE_ROOT,
     .quick = {1, 64}},
};
const uint32_t verify_family_count = sizeof verify_families / sizeof *verify_families;

uint32_t verify_rank_count(const struct verify_family *family, uint32_t number)
{
  if (family->ranks)
    return family->ranks(number);
  return family->hosts(number) * (family->ranks_a_host > 0 ? family->ranks_a_host : 1);
}
