/* Patterns of traffic, batches, and what a network carries when it's full, against an independent
   simulator's figures and what the fullest link allows. */
#include "fabric_support.h"
#include "support/memory.h"

#include <math.h>

#include <tourney/simulate.h>

struct network {
  struct tny_cluster *cluster;
  struct tny_routes *routes;
  struct tny_network_model model;
};

static void open_network(struct network *network, const char *cluster, enum tny_routing routing,
                         const struct tny_network_model *model)
{
  struct tny_error error = {0};
  *network = (struct network){.cluster = open_cluster(cluster), .model = *model};
  if (tny_routes_make_as(network->cluster, routing, &network->routes, &error))
    fail_msg("%s: %s", cluster, error.text);
  network->model.routes = network->routes;
}

static void close_network(struct network *network)
{
  tny_routes_free(network->routes);
  tny_cluster_free(network->cluster);
}

static struct tny_load_report measure(const struct network *network, const struct tny_load *load)
{
  struct tny_load_report report;
  struct tny_error error = {0};
  if (tny_simulate_load(&network->model, load, &report, NULL, &error))
    fail_msg("%s", error.text);
  return report;
}

static double link_load(const struct network *network, enum tny_traffic traffic)
{
  double load;
  assert_int_equal(tny_traffic_link_load(network->routes, traffic, &load, NULL), TNY_OK);
  return load;
}

/* --- patterns --- */

/* Dally and Towles' loads of the fullest link: uniform k / 8 on tori, k / 4 on meshes; the others
   counted by hand on 8 nodes a side. A hotspot's own link carries all. */
static void the_fullest_link_is_as_full_as_the_pattern_says(void **state)
{
  (void)state;
  static const struct {
    const char *cluster;
    double loads[TNY_TRAFFIC_HOTSPOT + 1];
  } known[] = {{"torus:8x8", {1, 4, 3, 2, 64}}, {"mesh:8x8", {2, 7, 3, 4, 64}}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    struct network network;
    open_network(&network, known[i].cluster, TNY_ROUTING_AUTO, &tny_booksim_routers);
    for (int traffic = 0; traffic <= TNY_TRAFFIC_HOTSPOT; traffic++)
      if (link_load(&network, (enum tny_traffic)traffic) != known[i].loads[traffic])
        fail_msg("%s, traffic %d: %f", known[i].cluster, traffic,
                 link_load(&network, (enum tny_traffic)traffic));
    close_network(&network);
  }
}

static void patterns_that_a_network_cannot_have_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *cluster;
    enum tny_traffic traffic;
    const char *says;
  } cases[] = {{"torus:4x8", TNY_TRAFFIC_TRANSPOSE, "needs a square grid"},
               {"ring:16", TNY_TRAFFIC_TRANSPOSE, "needs a square grid"},
               {"single:16", TNY_TRAFFIC_TORNADO, "needs a ring, a torus or a mesh"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct network network;
    struct tny_error error = {0}, other = {0};
    struct tny_load_report report;
    double load;
    const struct tny_load traffic = {
        .traffic = cases[i].traffic, .packet_flits = 1, .batch_packets = 1};
    open_network(&network, cases[i].cluster, TNY_ROUTING_AUTO, &quick);
    assert_int_equal(tny_simulate_load(&network.model, &traffic, &report, NULL, &error),
                     TNY_REFUSED);
    assert_non_null(strstr(error.text, cases[i].says));
    assert_int_equal(tny_traffic_link_load(network.routes, cases[i].traffic, &load, &other),
                     TNY_REFUSED);
    assert_string_equal(other.text, error.text);
    close_network(&network);
  }
}

/* --- batches --- */

/* On every pattern, everything comes, no sooner than the fullest link allows. */
static void a_batch_takes_at_least_what_its_fullest_link_does(void **state)
{
  (void)state;
  static const char *const clusters[] = {"torus:8x8", "mesh:8x8", "torus:4x4"};
  for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++)
    for (int traffic = 0; traffic <= TNY_TRAFFIC_HOTSPOT; traffic++) {
      struct network network;
      open_network(&network, clusters[i], TNY_ROUTING_AUTO, &tny_booksim_routers);
      const struct tny_load batch = {
          .traffic = (enum tny_traffic)traffic, .packet_flits = 16, .batch_packets = 10};
      const struct tny_load_report report = measure(&network, &batch);
      const uint32_t hosts = network.cluster->host_count;
      assert_int_equal(report.packets, 10 * hosts);
      /* Uniform traffic is drawn: its link load is the mean one. */
      if (traffic != TNY_TRAFFIC_UNIFORM)
        assert_true((double)report.batch_cycles > 160 * link_load(&network, batch.traffic));
      assert_true(report.accepted * (double)report.batch_cycles > 159.99);
      close_network(&network);
    }
}

/* Tornado on a 4x4 torus: every flow has its links for itself. BookSim 2.0, two virtual channels
   for each one here; buffers shorter than the loop of credits tell how long that is, and many
   packets how soon the next one goes by the same channel. Measured for 2 channels and packets of
   1,024; the others follow from its rules, which give the measured ones to the cycle, too. */
static void a_flow_alone_shows_how_long_the_loop_of_credits_is(void **state)
{
  (void)state;
  static const struct {
    uint32_t packets, flits, channels, depth;
    uint64_t cycles;
  } cases[] = {
      {10, 1024, 2, 4, 17936}, {10, 1024, 2, 6, 11986}, {10, 1024, 2, 7, 10286},
      {10, 1024, 1, 4, 17972}, {10, 1024, 1, 5, 14384}, {10, 1024, 1, 6, 12004},
      {10, 1024, 1, 7, 10304}, {100, 16, 1, 4, 3212},   {100, 16, 1, 5, 2714},
      {100, 16, 1, 6, 2314},   {100, 16, 1, 7, 2114},   {100, 16, 2, 5, 2516},
      {25, 64, 1, 7, 1739},    {25, 64, 2, 8, 1619},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct network network;
    open_network(&network, "torus:4x4", TNY_ROUTING_AUTO, &tny_booksim_routers);
    network.model.channels = cases[i].channels;
    network.model.depth = cases[i].depth;
    const struct tny_load batch = {.traffic = TNY_TRAFFIC_TORNADO,
                                   .packet_flits = cases[i].flits,
                                   .batch_packets = cases[i].packets};
    assert_true(link_load(&network, TNY_TRAFFIC_TORNADO) == 1);
    assert_int_equal(measure(&network, &batch).batch_cycles, cases[i].cycles);
    close_network(&network);
  }
}

/* Bit complement on an 8x8 torus: two flows meet on the fullest links, one from behind, one from
   the node; the batch takes long where one of them gets less than its half. */
static void flows_that_meet_share_so_that_a_batch_is_soon_through(void **state)
{
  (void)state;
  static const struct {
    uint32_t packets, flits, channels;
    double most; /* of what the fullest link takes */
  } cases[] = {{100, 16, 2, 1.06}, {25, 64, 2, 1.03}, {100, 16, 1, 1.21}, {25, 64, 1, 1.12}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (uint64_t seed = 1; seed <= 3; seed++) {
      struct network network;
      open_network(&network, "torus:8x8", TNY_ROUTING_AUTO, &tny_booksim_routers);
      network.model.channels = cases[i].channels;
      network.model.seed = seed;
      const struct tny_load batch = {.traffic = TNY_TRAFFIC_COMPLEMENT,
                                     .packet_flits = cases[i].flits,
                                     .batch_packets = cases[i].packets};
      const double took = (double)measure(&network, &batch).batch_cycles;
      if (took > 3200 * cases[i].most)
        fail_msg("%u packets of %u flits: %.0f cycles", cases[i].packets, cases[i].flits, took);
      close_network(&network);
    }
}

static enum tny_status simulate_batch(const void *model, struct tny_error *error)
{
  const struct tny_load batch = {
      .traffic = TNY_TRAFFIC_TORNADO, .packet_flits = 4, .batch_packets = 100};
  struct tny_load_report report;
  return tny_simulate_load(model, &batch, &report, NULL, error);
}

static enum tny_status find_link_load(const void *routes, struct tny_error *error)
{
  double load;
  return tny_traffic_link_load(routes, TNY_TRAFFIC_TORNADO, &load, error);
}

static void without_memory_it_says_so(void **state)
{
  (void)state;
  struct network network;
  open_network(&network, "torus:4x4", TNY_ROUTING_AUTO, &tny_booksim_routers);
  assert_true(starve(simulate_batch, &network.model) >= 29);
  assert_true(starve(find_link_load, network.routes) >= 1);
  close_network(&network);
}

/* --- what a full network carries --- */

static double carried(enum tny_routing routing, uint32_t channels, uint32_t flits)
{
  struct network network;
  open_network(&network, "torus:8x8", routing, &tny_booksim_routers);
  network.model.channels = channels;
  const struct tny_load load = {
      .load = 2, .packet_flits = flits, .warm_up_cycles = 5000, .measured_cycles = 15000};
  const double accepted = measure(&network, &load).accepted;
  close_network(&network);
  return accepted;
}

/* BookSim 2.0, measured: packets of 1 flit, 2 and 4 virtual channels. Its lanes are by whether a
   message wraps anywhere on its way around a ring: between the dateline's, by which half of the
   links have one lane only, and balanced ones. */
static void a_torus_saturates_near_an_independent_simulators_one(void **state)
{
  (void)state;
  static const struct {
    uint32_t channels;
    double known;
  } cases[] = {{1, 0.213}, {2, 0.421}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const double dateline = carried(TNY_ROUTING_DIMENSION_ORDER, cases[i].channels, 1);
    const double balanced = carried(TNY_ROUTING_DIMENSION_ORDER_BALANCED, cases[i].channels, 1);
    if (dateline < cases[i].known * 0.87 || dateline > cases[i].known || balanced < cases[i].known)
      fail_msg("%u channels: %.3f with the dateline, %.3f balanced, BookSim %.3f",
               cases[i].channels, dateline, balanced, cases[i].known);
  }
}

static void balanced_lanes_never_carry_less(void **state)
{
  (void)state;
  for (uint32_t channels = 1; channels <= 2; channels++)
    for (uint32_t flits = 1; flits <= 64; flits *= 8) {
      const double dateline = carried(TNY_ROUTING_DIMENSION_ORDER, channels, flits);
      const double balanced = carried(TNY_ROUTING_DIMENSION_ORDER_BALANCED, channels, flits);
      if (balanced < dateline)
        fail_msg("%u channels, %u flits: %.3f, %.3f", channels, flits, dateline, balanced);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_fullest_link_is_as_full_as_the_pattern_says),
      cmocka_unit_test(patterns_that_a_network_cannot_have_are_refused),
      cmocka_unit_test(a_batch_takes_at_least_what_its_fullest_link_does),
      cmocka_unit_test(a_flow_alone_shows_how_long_the_loop_of_credits_is),
      cmocka_unit_test(flows_that_meet_share_so_that_a_batch_is_soon_through),
      cmocka_unit_test(without_memory_it_says_so),
      cmocka_unit_test(a_torus_saturates_near_an_independent_simulators_one),
      cmocka_unit_test(balanced_lanes_never_carry_less),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
