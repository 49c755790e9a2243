/* Hamming meshes: cables counted from the definition, where they lead, and how long ways are. What
   is refused is in test_cluster_generators.c. */
#include "support/cluster.h"

#include <tourney/routing.h>

/* The sides of a board, and boards. */
static const struct mesh {
  const char *text;
  uint32_t a, b, columns, rows;
} meshes[] = {
    {"hammingmesh:2x2,boards=2x2", 2, 2, 2, 2}, {"hammingmesh:4x2,boards=3x2", 4, 2, 3, 2},
    {"hammingmesh:1x1,boards=3x4", 1, 1, 3, 4}, {"hammingmesh:3x5,boards=2x3", 3, 5, 2, 3},
    {"hammingmesh:1x3,boards=2x2", 1, 3, 2, 2}, {"hammingmesh:4x4,boards=4x4", 4, 4, 4, 4},
};
enum { MESHES = sizeof meshes / sizeof *meshes };

/* Where an accelerator is: its board, and its place on it. */
struct place {
  uint32_t board_x, board_y, x, y;
};

static struct place place_of(const struct mesh *mesh, uint32_t host)
{
  const uint32_t board = host / (mesh->a * mesh->b), on_board = host % (mesh->a * mesh->b);
  return (struct place){board % mesh->columns, board / mesh->columns, on_board % mesh->a,
                        on_board / mesh->a};
}

static uint32_t apart(uint32_t a, uint32_t b)
{
  return a > b ? a - b : b - a;
}

/* Cables that a router at coordinate x of a line of `side` has to the line's switch. */
static uint32_t ends(uint32_t x, uint32_t side)
{
  return (x == 0 ? 1u : 0u) + (x == side - 1 ? 1u : 0u);
}

static uint32_t degree(const struct tny_cluster *cluster, uint32_t node)
{
  return cluster->first_out[node + 1] - cluster->first_out[node];
}

/* The router of a host: its cable to it, those to its neighbours, and those to both of its lines'
   switches, of which the rows' come first; and no other one. */
static void expect_router(const struct tny_cluster *cluster, const struct mesh *mesh, uint32_t host)
{
  const uint32_t hosts = cluster->host_count, router = hosts + host;
  const uint32_t rows = mesh->b * mesh->rows, columns = mesh->a * mesh->columns;
  const struct place at = place_of(mesh, host);
  assert_int_equal(degree(cluster, router), 5);
  assert_int_equal(tny_cluster_switch_of(cluster, host), router);
  for (uint32_t other = 0; other < hosts; other++) {
    const struct place to = place_of(mesh, other);
    const bool adjacent = at.board_x == to.board_x && at.board_y == to.board_y &&
                          apart(at.x, to.x) + apart(at.y, to.y) == 1;
    assert_int_equal(cables_between(cluster, router, hosts + other), adjacent);
  }
  for (uint32_t row = 0; row < rows; row++)
    assert_int_equal(cables_between(cluster, router, 2 * hosts + row),
                     row == at.board_y * mesh->b + at.y ? ends(at.x, mesh->a) : 0);
  for (uint32_t column = 0; column < columns; column++)
    assert_int_equal(cables_between(cluster, router, 2 * hosts + rows + column),
                     column == at.board_x * mesh->a + at.x ? ends(at.y, mesh->b) : 0);
}

static void both_ends_of_a_line_are_wired_to_its_switch(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < MESHES; i++) {
    const struct mesh *mesh = &meshes[i];
    struct tny_cluster *cluster = open_cluster(mesh->text);
    const uint32_t boards = mesh->columns * mesh->rows, hosts = boards * mesh->a * mesh->b;
    const uint32_t rows = mesh->b * mesh->rows, columns = mesh->a * mesh->columns;
    const uint32_t on_board = (mesh->a - 1) * mesh->b + mesh->a * (mesh->b - 1);
    assert_int_equal(cluster->host_count, hosts);
    assert_int_equal(cluster->switch_count, hosts + rows + columns);
    assert_int_equal(cluster->link_count / 2,
                     hosts + boards * (on_board + 2 * mesh->a + 2 * mesh->b));
    for (uint32_t host = 0; host < hosts; host++)
      expect_router(cluster, mesh, host);
    for (uint32_t row = 0; row < rows; row++)
      assert_int_equal(degree(cluster, 2 * hosts + row), 2 * mesh->columns);
    for (uint32_t column = 0; column < columns; column++)
      assert_int_equal(degree(cluster, 2 * hosts + rows + column), 2 * mesh->rows);
    assert_string_equal(cluster->node_names[hosts + 1], "s1");
    assert_string_equal(cluster->node_names[2 * hosts], "r0");
    assert_string_equal(cluster->node_names[2 * hosts + rows + 1], "c1");
    tny_cluster_free(cluster);
  }
}

/* Trunks between two coordinates of a line: along the board, or out to the switch and in. */
static uint32_t along(uint32_t from, uint32_t to, uint32_t side, bool same_board)
{
  const uint32_t out = from < side - 1 - from ? from : side - 1 - from;
  const uint32_t in = to < side - 1 - to ? to : side - 1 - to;
  const uint32_t around = out + in + 2, inside = apart(from, to);
  return same_board && inside < around ? inside : around;
}

/* A way in one dimension doesn't change the place in the other one. */
static void ways_are_the_shortest_of_both_dimensions_together(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < MESHES; i++) {
    const struct mesh *mesh = &meshes[i];
    struct tny_cluster *cluster = open_cluster(mesh->text);
    struct tny_routes *routes = make_routes(cluster);
    for (uint32_t from = 0; from < cluster->host_count; from++)
      for (uint32_t to = 0; to < cluster->host_count; to++) {
        const struct place a = place_of(mesh, from), b = place_of(mesh, to);
        uint32_t links = 0;
        for (uint32_t node = from, link; (link = tny_routes_next(routes, node, to)) != TNY_NONE;
             node = cluster->links[link].to)
          links++;
        assert_int_equal(links, from == to ? 0
                                           : 2 + along(a.x, b.x, mesh->a, a.board_x == b.board_x) +
                                                 along(a.y, b.y, mesh->b, a.board_y == b.board_y));
      }
    tny_routes_free(routes);
    tny_cluster_free(cluster);
  }
}

static void messages_cannot_deadlock(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < MESHES; i++)
    assert_no_cycle_on(meshes[i].text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_ends_of_a_line_are_wired_to_its_switch),
      cmocka_unit_test(ways_are_the_shortest_of_both_dimensions_together),
      cmocka_unit_test(messages_cannot_deadlock),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
