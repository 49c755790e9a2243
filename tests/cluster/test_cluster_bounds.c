/* The lower bounds: against known figures, against brute force over all cuts, and the two ways of
   computing them against each other. */
#include "support/cluster.h"

#include <math.h>

#include <tourney/pattern.h>

#include "bounds/bottleneck.h"
#include "core/alloc.h"

static struct tny_bound bound_on(const char *text, enum tny_map map, uint32_t rank_count,
                                 enum tny_collective collective, uint64_t block_bytes)
{
  struct tny_cluster *cluster = open_cluster(text);
  struct tny_routes *routes = make_routes(cluster);
  struct tny_error error = {0};
  struct tny_bound bound;
  uint32_t host_of_rank[64];
  assert_int_equal(tny_map_ranks(cluster, map, rank_count, host_of_rank, &error), TNY_OK);
  if (tny_bound_compute(routes, host_of_rank, rank_count, collective, 0, block_bytes, &bound,
                        &error))
    fail_msg("%s", error.text);
  tny_routes_free(routes);
  tny_cluster_free(cluster);
  return bound;
}

static const struct {
  const char *cluster;
  enum tny_map map;
  uint32_t rank_count;
  enum tny_collective collective;
  uint64_t block_bytes;
  double ms;
  enum tny_bound_reason reason;
  const char *text;
} known[] = {
    {"single:16,link=20Mbit/s", TNY_MAP_BLOCK, 16, TNY_ALLTOALL, 32768, 196.608, TNY_BOUND_PORT,
     "port s0 -> h0 carries 15 blocks"},
    {"switches:8+8,link=20Mbit/s", TNY_MAP_BLOCK, 16, TNY_ALLTOALL, 65536, 1677.7216,
     TNY_BOUND_LINK, "trunk s0 -> s1 carries 64 blocks"},
    {"switches:8+8,link=20Mbit/s", TNY_MAP_INTERLEAVED, 16, TNY_ALLTOALL, 65536, 1677.7216,
     TNY_BOUND_LINK, "trunk s0 -> s1 carries 64 blocks"},
    {"switches:8+8,link=20Mbit/s,trunk=100Mbit/s", TNY_MAP_BLOCK, 16, TNY_ALLTOALL, 65536, 393.216,
     TNY_BOUND_PORT, "port s0 -> h0 carries 15 blocks"},
    {"switches:8+8,link=20Mbit/s", TNY_MAP_BLOCK, 16, TNY_ALLGATHER, 65536, 393.216, TNY_BOUND_PORT,
     "port s0 -> h0 carries 15 blocks"},
    {"switches:8+8,link=20Mbit/s,trunk=5Mbit/s", TNY_MAP_BLOCK, 16, TNY_ALLGATHER, 65536, 838.8608,
     TNY_BOUND_LINK, "trunk s0 -> s1 carries 8 blocks"},
    {"switches:8+8,link=20Mbit/s", TNY_MAP_BLOCK, 16, TNY_BROADCAST, 1048576, 419.4304,
     TNY_BOUND_PORT, "port h0 -> s0 carries the message"},
    {"switches:2+2,link=20Mbit/s,trunk=10Mbit/s", TNY_MAP_BLOCK, 4, TNY_BROADCAST, 1000000, 800,
     TNY_BOUND_LINK, "trunk s0 -> s1 carries the message"},
    {"switches:2+2,link=20Mbit/s,trunk=10Mbit/s", TNY_MAP_BLOCK, 2, TNY_BROADCAST, 1000000, 400,
     TNY_BOUND_PORT, "port h0 -> s0 carries the message"},
    {"single:2,link=8Mbit/s", TNY_MAP_BLOCK, 6, TNY_ALLTOALL, 1000, 9, TNY_BOUND_PORT,
     "port s0 -> h0 carries 9 blocks"},
    {"single:3,link=8Mbit/s", TNY_MAP_BLOCK, 7, TNY_ALLGATHER, 1000, 5, TNY_BOUND_PORT,
     "port s0 -> h1 carries 5 blocks"},
    {"single:2,link=8Mbit/s", TNY_MAP_BLOCK, 2, TNY_ALLGATHER, 1000, 1, TNY_BOUND_PORT,
     "port s0 -> h0 carries 1 block"},
    {"switches:8+8,link=20Mbit/s", TNY_MAP_BLOCK, 16, TNY_ALLREDUCE, 65536, 49.152, TNY_BOUND_PORTS,
     "ports of 16 hosts send 30 blocks"},
    {"single:3,link=8Mbit/s", TNY_MAP_BLOCK, 7, TNY_ALLREDUCE, 3000, 4, TNY_BOUND_PORTS,
     "ports of 3 hosts send 4 blocks"},
    {"switches:8+8,link=20Mbit/s,trunk=5Mbit/s", TNY_MAP_BLOCK, 16, TNY_ALLREDUCE, 65536, 104.8576,
     TNY_BOUND_LINK, "trunk s0 -> s1 carries 1 block"},
    {"single:16,link=20Mbit/s", TNY_MAP_BLOCK, 16, TNY_REDUCE, 65536, 26.2144, TNY_BOUND_PORT,
     "port s0 -> h0 carries 1 block"},
    /* By hand. Of three groups, s0 and s1 are one; s0 sends to s1 what 2 hosts have for its 2 hosts
       and for the 4 of the group that s1 leads to, and what 4 hosts have for its 2 that come by s0:
       4, 8 and 8 blocks. Two groups send 16 blocks each way over 2 cables; of three, each sends 4
       blocks to each other one over a cable of half the rate; 4 hosts take 8 blocks in over 2
       cables of a tenth of it; and a host's own four cables, of a tenth of its rate each, bring 3
       blocks. */
    {"dragonfly:3x2x2", TNY_MAP_BLOCK, 12, TNY_ALLTOALL, 125000, 20, TNY_BOUND_LINK,
     "trunk s0 -> s1 carries 20 blocks"},
    {"dragonfly:2x1x4,global=2", TNY_MAP_BLOCK, 8, TNY_ALLTOALL, 125000, 8, TNY_BOUND_LINK,
     "trunk s0 -> s1 carries 8 blocks"},
    {"dragonfly:3x1x2,rate=500Mbit/s", TNY_MAP_BLOCK, 6, TNY_ALLTOALL, 125000, 8, TNY_BOUND_LINK,
     "trunk s0 -> s2 carries 4 blocks"},
    {"dragonfly:3x2x2,rate=100Mbit/s", TNY_MAP_BLOCK, 12, TNY_ALLGATHER, 125000, 40, TNY_BOUND_CUT,
     "cut around {h[0-3]}: 8 blocks in over 2 links of 200Mbit/s"},
    {"hammingmesh:1x1,boards=2x2,trunk=100Mbit/s", TNY_MAP_BLOCK, 4, TNY_ALLGATHER, 125000, 7.5,
     TNY_BOUND_CUT, "cut around {h0}: 3 blocks in over 4 links of 400Mbit/s"},
    {"hammingmesh:2x2,boards=2x2", TNY_MAP_BLOCK, 16, TNY_ALLTOALL, 125000, 15, TNY_BOUND_PORT,
     "port s0 -> h0 carries 15 blocks"},
    {"single:16", TNY_MAP_BLOCK, 1, TNY_ALLTOALL, 4096, 0, TNY_BOUND_PORT,
     "one rank: there is nothing to send"},
    {"single:1", TNY_MAP_BLOCK, 5, TNY_ALLGATHER, 4096, 0, TNY_BOUND_PORT,
     "all ranks are on h0: no link is used"},
    {"zones:2+2,delay=10ms,latency=5us", TNY_MAP_BLOCK, 4, TNY_BARRIER, 65536, 10.01,
     TNY_BOUND_DELAY, "the way h0 -> h2 takes 10.01ms"},
    {"single:3,latency=5us", TNY_MAP_BLOCK, 3, TNY_BARRIER, 0, 0.01, TNY_BOUND_DELAY,
     "the way h0 -> h1 takes 10us"},
    {"single:4", TNY_MAP_BLOCK, 4, TNY_ALLTOALL, 0, 0, TNY_BOUND_PORT,
     "port s0 -> h0 carries 3 blocks"},
};

static void bounds_are_the_known_figures(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const struct tny_bound bound = bound_on(known[i].cluster, known[i].map, known[i].rank_count,
                                            known[i].collective, known[i].block_bytes);
    assert_string_equal(bound.text, known[i].text);
    if (fabs(bound.seconds * 1e3 - known[i].ms) > 1e-9)
      fail_msg("%s: %.9f ms", bound.text, bound.seconds * 1e3);
    assert_int_equal(bound.reason, known[i].reason);
  }
}

/* Ranks scattered over the hosts, at least two of them with ranks. */
static uint32_t scatter(uint64_t *seed, uint32_t host_count, uint32_t *host_of_rank,
                        uint32_t *ranks_on)
{
  const uint32_t rank_count = 2 + draw(seed, 8);
  memset(ranks_on, 0, host_count * sizeof *ranks_on);
  for (uint32_t rank = 0; rank < rank_count; rank++) {
    host_of_rank[rank] = rank < 2 ? rank : draw(seed, host_count);
    ranks_on[host_of_rank[rank]]++;
  }
  return rank_count;
}

/* The worst of all parts of the cluster, one bit a node. */
static double worst_cut(const struct tny_cluster *cluster, const uint32_t *ranks_on,
                        enum tny_collective collective, uint32_t root_host)
{
  double worst = 0;
  const uint32_t node_count = cluster->host_count + cluster->switch_count;
  for (uint32_t part = 1; part < 1u << node_count; part++) {
    uint64_t bandwidth = 0;
    uint32_t inside = 0, outside = 0;
    for (uint32_t host = 0; host < cluster->host_count; host++)
      *(part >> host & 1 ? &inside : &outside) += ranks_on[host];
    for (uint32_t i = 0; i < cluster->link_count; i++)
      if ((part >> cluster->links[i].from & 1) && !(part >> cluster->links[i].to & 1))
        bandwidth += cluster->links[i].bandwidth_bps;
    if (outside == 0 || (collective == TNY_BROADCAST && !(part >> root_host & 1)))
      continue;
    const double ratio = (collective == TNY_BROADCAST ? 1.0 : inside) / (double)bandwidth;
    worst = ratio > worst ? ratio : worst;
  }
  return worst;
}

static void allgather_and_broadcast_are_bound_by_the_worst_of_all_cuts(void **state)
{
  (void)state;
  uint64_t seed = 3;
  for (uint32_t i = 0; i < 120; i++) {
    struct tny_cluster *cluster = random_cluster(i, 2 + i % 5, 1 + i % 5, i % 6);
    struct tny_routes *routes = make_routes(cluster);
    uint32_t host_of_rank[16], ranks_on[16];
    const uint32_t rank_count = scatter(&seed, cluster->host_count, host_of_rank, ranks_on);
    const uint32_t root = draw(&seed, rank_count);
    for (unsigned collective = TNY_BROADCAST; collective <= TNY_ALLGATHER; collective++) {
      struct tny_bound bound;
      struct tny_error error = {0};
      assert_int_equal(tny_bound_compute(routes, host_of_rank, rank_count,
                                         (enum tny_collective)collective, root, 1, &bound, &error),
                       TNY_OK);
      const double wanted =
          8 * worst_cut(cluster, ranks_on, (enum tny_collective)collective, host_of_rank[root]);
      if (fabs(bound.seconds - wanted) > 1e-9 * wanted)
        fail_msg("cluster %u, %s: %s: %f, not %f", i,
                 tny_collective_name((enum tny_collective)collective), bound.text, bound.seconds,
                 wanted);
    }
    tny_routes_free(routes);
    tny_cluster_free(cluster);
  }
}

static void links_and_cuts_agree_on_trees(void **state)
{
  (void)state;
  uint64_t seed = 5;
  for (uint32_t i = 0; i < 100; i++) {
    struct tny_cluster *cluster = random_cluster(i, 2 + i % 14, 1 + i % 9, 0);
    uint32_t host_of_rank[16], ranks_on[16];
    struct tny_bound_question question = {.cluster = cluster, .ranks_on = ranks_on};
    question.rank_count = scatter(&seed, cluster->host_count, host_of_rank, ranks_on);
    question.root_host = host_of_rank[draw(&seed, question.rank_count)];
    for (unsigned collective = TNY_BROADCAST; collective <= TNY_ALLGATHER; collective++) {
      struct tny_bottleneck by_links = {0}, by_cuts = {0};
      question.collective = (enum tny_collective)collective;
      assert_int_equal(tny_bound_on_tree(&question, &by_links, NULL), TNY_OK);
      assert_int_equal(tny_bound_by_cuts(&question, &by_cuts, NULL), TNY_OK);
      assert_true(by_links.blocks * by_cuts.bandwidth_bps ==
                  by_cuts.blocks * by_links.bandwidth_bps);
      tny_free(by_cuts.inside);
    }
    tny_cluster_free(cluster);
  }
}

static void alltoall_is_bound_by_the_most_loaded_link_of_the_routes(void **state)
{
  (void)state;
  uint64_t seed = 7;
  for (uint32_t i = 0; i < 100; i++) {
    struct tny_cluster *cluster = random_cluster(i, 2 + i % 14, 1 + i % 9, i % 6);
    struct tny_routes *routes = make_routes(cluster);
    uint32_t host_of_rank[16], ranks_on[16], *loads = tny_new(cluster->link_count, sizeof *loads);
    const uint32_t rank_count = scatter(&seed, cluster->host_count, host_of_rank, ranks_on);
    double wanted = 0;
    for (uint32_t a = 0; a < rank_count; a++)
      for (uint32_t b = 0; b < rank_count; b++)
        for (uint32_t node = host_of_rank[a], link;
             (link = tny_routes_next(routes, node, host_of_rank[b])) != TNY_NONE;
             node = cluster->links[link].to)
          loads[link]++;
    for (uint32_t link = 0; link < cluster->link_count; link++)
      wanted = fmax(wanted, loads[link] / (double)cluster->links[link].bandwidth_bps);
    struct tny_bound bound;
    assert_int_equal(
        tny_bound_compute(routes, host_of_rank, rank_count, TNY_ALLTOALL, 0, 1, &bound, NULL),
        TNY_OK);
    assert_true(fabs(bound.seconds - 8 * wanted) < 1e-9 * wanted);
    tny_free(loads);
    tny_routes_free(routes);
    tny_cluster_free(cluster);
  }
}

/* A random cluster whose links take from 0 to 99 ns. */
static struct tny_cluster *with_latencies(uint64_t seed)
{
  struct tny_text text = {0};
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  const uint32_t hosts = 2 + draw(&seed, 6), switches = 1 + draw(&seed, 6);
  tny_text_add(&text, "cluster 1 random\n");
  for (uint32_t i = 0; i < hosts; i++)
    tny_text_add(&text, "host h%u\n", i);
  for (uint32_t i = 0; i < switches; i++)
    tny_text_add(&text, "switch s%u\n", i);
  for (uint32_t i = 1; i < switches; i++)
    tny_text_add(&text, "cable s%u s%u 1 %u 1\n", i, draw(&seed, i), draw(&seed, 100));
  for (uint32_t i = 2; i < switches; i++)
    tny_text_add(&text, "cable s%u s%u 1 %u 1\n", i, draw(&seed, i), draw(&seed, 100));
  for (uint32_t i = 0; i < hosts; i++)
    tny_text_add(&text, "cable h%u s%u 1 %u 1\n", i, draw(&seed, switches), draw(&seed, 100));
  assert_false(text.failed);
  if (tny_cluster_read_flat(text.bytes, &cluster, &error))
    fail_msg("%u: %s", error.line, error.text);
  tny_text_release(&text);
  return cluster;
}

/* The least latency between any two nodes, by way of more and more of the others (Floyd,
   Warshall). */
static void find_distances(const struct tny_cluster *cluster, uint64_t distance[16][16])
{
  const uint32_t nodes = cluster->host_count + cluster->switch_count;
  for (uint32_t a = 0; a < nodes; a++)
    for (uint32_t b = 0; b < nodes; b++)
      distance[a][b] = a == b ? 0 : 1000000;
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    const struct tny_link *at = &cluster->links[link];
    if (at->latency_ns < distance[at->from][at->to])
      distance[at->from][at->to] = at->latency_ns;
  }
  for (uint32_t by = 0; by < nodes; by++)
    for (uint32_t a = 0; a < nodes; a++)
      for (uint32_t b = 0; b < nodes; b++)
        if (distance[a][by] + distance[by][b] < distance[a][b])
          distance[a][b] = distance[a][by] + distance[by][b];
}

/* Whatever is sent, the last rank to end has heard of the one that is farthest from it. */
static void a_barrier_is_bound_by_the_hosts_that_are_farthest_apart(void **state)
{
  (void)state;
  uint64_t seed = 11;
  for (uint32_t i = 0; i < 200; i++) {
    struct tny_cluster *cluster = with_latencies(i);
    struct tny_routes *routes = make_routes(cluster);
    uint32_t host_of_rank[16], ranks_on[16];
    uint64_t distance[16][16], longest = 0;
    const uint32_t rank_count = scatter(&seed, cluster->host_count, host_of_rank, ranks_on);
    struct tny_bound bound;
    find_distances(cluster, distance);
    for (uint32_t a = 0; a < rank_count; a++)
      for (uint32_t b = 0; b < rank_count; b++)
        if (distance[host_of_rank[a]][host_of_rank[b]] > longest)
          longest = distance[host_of_rank[a]][host_of_rank[b]];
    assert_int_equal(
        tny_bound_compute(routes, host_of_rank, rank_count, TNY_BARRIER, 0, 1, &bound, NULL),
        TNY_OK);
    assert_true(fabs(1e9 * bound.seconds - (double)longest) < 1e-6);
    assert_int_equal(bound.link, TNY_NONE);
    tny_routes_free(routes);
    tny_cluster_free(cluster);
  }
}

static void a_cut_of_several_links_is_named_by_its_smaller_side(void **state)
{
  (void)state;
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  struct tny_text text = {0};
  tny_text_add(&text, "cluster 1 two trunks\nswitch s0\nswitch s1\n");
  for (int i = 0; i < 6; i++)
    tny_text_add(&text, "host h%d\ncable s%d h%d 10 1 1\n", i, i >= 4, i);
  tny_text_add(&text, "cable s0 s1 1 1 1\ncable s0 s1 1 1 1\n");
  assert_int_equal(tny_cluster_read_flat(text.bytes, &cluster, &error), TNY_OK);
  struct tny_routes *routes = make_routes(cluster);
  const uint32_t host_of_rank[] = {0, 1, 2, 3, 4, 5};
  struct tny_bound bound;
  assert_int_equal(tny_bound_compute(routes, host_of_rank, 6, TNY_ALLGATHER, 0, 1, &bound, &error),
                   TNY_OK);
  assert_string_equal(bound.text, "cut around {h[4-5]}: 4 blocks in over 2 links of 2bit/s");
  assert_int_equal(bound.reason, TNY_BOUND_CUT);
  assert_int_equal(bound.link, 12);
  assert_int_equal(tny_bound_compute(routes, host_of_rank, 6, TNY_BROADCAST, 5, 1, &bound, &error),
                   TNY_OK);
  assert_string_equal(bound.text, "cut around {h[4-5]}: the message out over 2 links of 2bit/s");
  assert_int_equal(bound.link, 13);
  tny_text_release(&text);
  tny_routes_free(routes);
  tny_cluster_free(cluster);
}

static void ranks_and_roots_that_do_not_fit_are_refused(void **state)
{
  (void)state;
  struct tny_cluster *cluster = open_cluster("single:3");
  struct tny_routes *routes = make_routes(cluster);
  const uint32_t hosts[] = {0, 1, 3};
  struct tny_bound bound;
  struct tny_error error = {0};
  assert_int_equal(tny_bound_compute(routes, hosts, 0, TNY_ALLTOALL, 0, 1, &bound, &error),
                   TNY_BAD_INPUT);
  error = (struct tny_error){0};
  assert_int_equal(tny_bound_compute(routes, hosts, 2, TNY_BROADCAST, 2, 1, &bound, &error),
                   TNY_BAD_INPUT);
  assert_string_equal(error.text, "root 2 isn't one of the ranks 0 to 1");
  error = (struct tny_error){0};
  assert_int_equal(tny_bound_compute(routes, hosts, 3, TNY_ALLTOALL, 0, 1, &bound, &error),
                   TNY_BAD_INPUT);
  assert_string_equal(error.text, "rank 2 is on host 3 of 3");
  tny_routes_free(routes);
  tny_cluster_free(cluster);
}

static double uneven_bound_on(const char *text, enum tny_map map, enum tny_collective collective,
                              const struct tny_pattern *pattern)
{
  struct tny_cluster *cluster = open_cluster(text);
  struct tny_routes *routes = make_routes(cluster);
  uint32_t host_of_rank[64];
  double seconds;
  assert_int_equal(tny_map_ranks(cluster, map, pattern->rank_count, host_of_rank, NULL), TNY_OK);
  const struct tny_network network = {routes, host_of_rank, pattern->rank_count};
  assert_int_equal(tny_bound_uneven(&network, collective, pattern, &seconds, NULL), TNY_OK);
  tny_routes_free(routes);
  tny_cluster_free(cluster);
  return seconds;
}

static void blocks_that_are_alike_have_the_bound_of_even_ones(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (!tny_collective_uneven_name(known[i].collective) || known[i].reason == TNY_BOUND_CUT)
      continue;
    const struct tny_unevenness none = {
        .least_part = 1, .most_part = 1, .mean_bytes = known[i].block_bytes};
    struct tny_pattern *pattern;
    assert_int_equal(
        tny_pattern_uneven(known[i].rank_count, known[i].collective, &none, &pattern, NULL),
        TNY_OK);
    const double seconds =
        uneven_bound_on(known[i].cluster, known[i].map, known[i].collective, pattern);
    if (fabs(1e3 * seconds - known[i].ms) > 1e-6 * known[i].ms)
      fail_msg("%s, %u ranks: %g ms", known[i].cluster, known[i].rank_count, 1e3 * seconds);
    tny_pattern_free(pattern);
  }
}

/* Two and two hosts; a byte takes a microsecond on a port, two on the trunk. */
static void uneven_blocks_are_bound_by_the_link_that_has_the_most_bytes(void **state)
{
  (void)state;
  static const char cluster[] = "switches:2+2,link=8Mbit/s,trunk=4Mbit/s";
  static const uint64_t bytes[16] = {9, 9, 900, 0, 5000, 9, 0, 100, 0, 0, 9, 0, 0, 0, 0, 9};
  struct tny_pattern *pattern;
  assert_int_equal(tny_pattern_new(4, &pattern, NULL), TNY_OK);
  memcpy(pattern->bytes, bytes, sizeof bytes);
  const double personal = uneven_bound_on(cluster, TNY_MAP_BLOCK, TNY_ALLTOALL, pattern);
  assert_true(fabs(personal - 5100e-6) < 1e-9); /* the port of rank 1, out */
  pattern->bytes[4] = 0;
  const double across = uneven_bound_on(cluster, TNY_MAP_BLOCK, TNY_ALLTOALL, pattern);
  assert_true(fabs(across - 2000e-6) < 1e-9); /* the trunk */
  for (uint32_t i = 0; i < 16; i++)
    pattern->bytes[i] = 100 + 1000 * (i / 4);
  const double common = uneven_bound_on(cluster, TNY_MAP_BLOCK, TNY_ALLGATHER, pattern);
  assert_true(fabs(common - 2 * 5200e-6) < 1e-9); /* ranks 2 and 3, across */
  for (uint32_t i = 0; i < 16; i++)
    pattern->bytes[i] = 100 + 1000 * (i % 4);
  const double combined = uneven_bound_on(cluster, TNY_MAP_BLOCK, TNY_REDUCE_SCATTER, pattern);
  assert_true(fabs(combined - 2 * 5200e-6) < 1e-9); /* for ranks 2 and 3, across */
  const double one =
      uneven_bound_on("single:4,link=8Mbit/s", TNY_MAP_BLOCK, TNY_REDUCE_SCATTER, pattern);
  assert_true(fabs(one - 6300e-6) < 1e-9); /* the port of rank 0, out: what it has for others */
  tny_pattern_free(pattern);
}

/* The same hosts: rank 1's block crosses once, whichever of the others has no use for it. */
static void a_block_for_some_crosses_where_those_are(void **state)
{
  (void)state;
  static const char cluster[] = "switches:2+2,link=8Mbit/s,trunk=4Mbit/s";
  static const uint64_t bytes[16] = {0, 0, 0, 0, 0, 0, 300, 300};
  struct tny_pattern *pattern;
  assert_int_equal(tny_pattern_new(4, &pattern, NULL), TNY_OK);
  memcpy(pattern->bytes, bytes, sizeof bytes);
  const double across = uneven_bound_on(cluster, TNY_MAP_BLOCK, TNY_ALLGATHER, pattern);
  assert_true(fabs(across - 2 * 300e-6) < 1e-9);
  pattern->bytes[6] = pattern->bytes[7] = 0;
  pattern->bytes[4] = 300;
  const double beside = uneven_bound_on(cluster, TNY_MAP_BLOCK, TNY_ALLGATHER, pattern);
  assert_true(fabs(beside - 300e-6) < 1e-9);
  tny_pattern_free(pattern);
}

/* The same hosts. What others have for each other doesn't count. */
static void a_gather_is_bound_by_what_its_root_gets_and_a_scatter_by_what_it_gives(void **state)
{
  (void)state;
  static const char cluster[] = "switches:2+2,link=8Mbit/s,trunk=4Mbit/s";
  static const uint64_t bytes[4] = {7000, 1000, 300, 400};
  struct tny_pattern *pattern;
  assert_int_equal(tny_pattern_new(4, &pattern, NULL), TNY_OK);
  for (int is_scatter = 0; is_scatter < 2; is_scatter++) {
    const enum tny_collective collective = is_scatter ? TNY_SCATTER : TNY_GATHER;
    for (uint32_t i = 0; i < 16; i++)
      pattern->bytes[i] = 100000;
    for (uint32_t i = 0; i < 4; i++)
      pattern->bytes[is_scatter ? i : 4 * i] = bytes[i];
    const double port = uneven_bound_on(cluster, TNY_MAP_BLOCK, collective, pattern);
    assert_true(fabs(port - 1700e-6) < 1e-9);
    pattern->bytes[is_scatter ? 2 : 8] = 900;
    const double trunk = uneven_bound_on(cluster, TNY_MAP_BLOCK, collective, pattern);
    assert_true(fabs(trunk - 2 * 1300e-6) < 1e-9);
  }
  tny_pattern_free(pattern);
}

/* What ranks have of an element while it is reduced: by rank, a bit for each set of contributions
   that it has or can combine. */
struct reduction {
  uint32_t rank_count, whole; /* the set of all contributions */
  uint32_t has[5];
};

/* Adds a set, and what it combines to with those that share nothing with it. */
static void add_set(struct reduction *reduction, uint32_t rank, uint32_t set)
{
  reduction->has[rank] |= 1u << set;
  for (uint32_t other = 1; other <= reduction->whole; other++)
    if ((reduction->has[rank] >> other & 1) && !(other & set) &&
        !(reduction->has[rank] >> (other | set) & 1))
      add_set(reduction, rank, other | set);
}

/* Can so many messages more bring the whole to all ranks? Each that hasn't got it needs one. */
static bool can_end(const struct reduction *reduction, uint32_t messages)
{
  uint32_t lacking = 0;
  for (uint32_t rank = 0; rank < reduction->rank_count; rank++)
    lacking += !(reduction->has[rank] >> reduction->whole & 1);
  if (lacking == 0 || lacking > messages)
    return lacking == 0;
  for (uint32_t from = 0; from < reduction->rank_count; from++)
    for (uint32_t to = 0; to < reduction->rank_count; to++)
      for (uint32_t set = 1; set <= reduction->whole; set++) {
        if (!(reduction->has[from] >> set & 1) || (reduction->has[to] >> set & 1))
          continue;
        struct reduction next = *reduction;
        add_set(&next, to, set);
        if (can_end(&next, messages - 1))
          return true;
      }
  return false;
}

/* All sequences of messages are tried: an all-reduce takes 2(p-1), as the ports' bound has it. */
static void an_allreduce_takes_as_many_messages_as_the_bound_says(void **state)
{
  (void)state;
  for (uint32_t p = 2; p <= 4; p++) {
    struct reduction reduction = {.rank_count = p, .whole = (1u << p) - 1};
    for (uint32_t rank = 0; rank < p; rank++)
      reduction.has[rank] = 1u << (1u << rank);
    uint32_t messages = 0;
    while (!can_end(&reduction, messages))
      messages++;
    char cluster[32];
    snprintf(cluster, sizeof cluster, "single:%u,link=8Mbit/s", p);
    const struct tny_bound bound = bound_on(cluster, TNY_MAP_BLOCK, p, TNY_ALLREDUCE, 1000000);
    assert_int_equal(messages, 2 * (p - 1));
    assert_true(fabs(bound.seconds - (double)messages / p) < 1e-9);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounds_are_the_known_figures),
      cmocka_unit_test(allgather_and_broadcast_are_bound_by_the_worst_of_all_cuts),
      cmocka_unit_test(links_and_cuts_agree_on_trees),
      cmocka_unit_test(alltoall_is_bound_by_the_most_loaded_link_of_the_routes),
      cmocka_unit_test(a_barrier_is_bound_by_the_hosts_that_are_farthest_apart),
      cmocka_unit_test(a_cut_of_several_links_is_named_by_its_smaller_side),
      cmocka_unit_test(ranks_and_roots_that_do_not_fit_are_refused),
      cmocka_unit_test(blocks_that_are_alike_have_the_bound_of_even_ones),
      cmocka_unit_test(uneven_blocks_are_bound_by_the_link_that_has_the_most_bytes),
      cmocka_unit_test(a_block_for_some_crosses_where_those_are),
      cmocka_unit_test(a_gather_is_bound_by_what_its_root_gets_and_a_scatter_by_what_it_gives),
      cmocka_unit_test(an_allreduce_takes_as_many_messages_as_the_bound_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
