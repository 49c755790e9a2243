/* Equal-cost multipath: what is taken together, and what it can be relied on for, against all
   shortest ways. */
#include "cluster_text.h"

#include <math.h>
#include <string.h>

#include "cluster/links.h"

enum { MESSAGES = 12 };

static void leaves_and_spines_become_leaves_and_one_spine(void **state)
{
  (void)state;
  struct tny_cluster *cluster =
      read_dot("graph { multipath=flow; edge [bandwidth=\"1kbit/s\", latency=\"1us\", buffer=9]\n"
               "spine0 [kind=switch]; leaf0 -- \"n[0-1]\"; leaf1 -- \"n[2-3]\"; n0 [alias=x]\n"
               "leaf0 -- { spine0 spine1 spine2 }; { spine0 spine1 spine2 } -- leaf1 }");
  char *flat = flat_of(cluster);
  assert_string_equal(flat, "cluster 1 test\nhost n0\nhost n1\nhost n2\nhost n3\n"
                            "switch spine0+2\nswitch leaf0\nswitch leaf1\nalias n0 x\n"
                            "cable leaf0 n0 1000 1000 9\ncable leaf0 n1 1000 1000 9\n"
                            "cable leaf1 n2 1000 1000 9\ncable leaf1 n3 1000 1000 9\n"
                            "bundle leaf0 spine0+2 3 flow 1000 1000 9\n"
                            "bundle spine0+2 leaf1 3 flow 1000 1000 9\n");
  tny_text_free(flat);
  tny_cluster_free(cluster);
}

/* spine0 and spine1 would be called as a third switch is. */
static void a_name_that_is_taken_isnt_given_again(void **state)
{
  (void)state;
  struct tny_cluster *cluster = read_dot(
      "graph { multipath=flow; l0 -- { a b }; l1 -- { c d }; { spine0 spine1 } -- { l0 l1 };"
      "l1 -- \"spine0+1\"; \"spine0+1\" -- { e f } }");
  char *flat = flat_of(cluster);
  assert_non_null(strstr(flat, "switch spine0\n"));
  assert_non_null(strstr(flat, "switch spine0+1\n"));
  tny_text_free(flat);
  tny_cluster_free(cluster);
}

static void parallel_cables_become_a_bundle_by_packet_where_all_are(void **state)
{
  (void)state;
  static const struct {
    const char *multipath, *first, *second, *wanted;
  } cases[] = {
      {"packet", "", "", "2 packet"},
      {"flow", "", "", "2 flow"},
      {"packet", "[cables=2, spread=packet]", "", "3 packet"},
      {"packet", "[cables=2, spread=flow]", "", "3 flow"},
      {"packet", "", "[cables=3, spread=flow]", "4 flow"},
      {"flow", "[cables=2, spread=packet]", "[cables=2, spread=packet]", "4 flow"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[256], wanted[64];
    snprintf(text, sizeof text,
             "graph { multipath=%s; s0 -- a; s1 -- b; s0 -- s1 %s; s1 -- s0 %s }",
             cases[i].multipath, cases[i].first, cases[i].second);
    snprintf(wanted, sizeof wanted, "\nbundle s0 s1 %s ", cases[i].wanted);
    struct tny_cluster *cluster = read_dot(text);
    char *flat = flat_of(cluster);
    if (!strstr(flat, wanted))
      fail_msg("%s: %s", text, flat);
    tny_text_free(flat);
    tny_cluster_free(cluster);
  }
}

/* Links to each node from all others, by hops: UINT32_MAX where there is no way. */
static void count_hops(const struct tny_cluster *cluster, uint32_t to, uint32_t *hops)
{
  memset(hops, 0xff, NODES_MAX * sizeof *hops);
  hops[to] = 0;
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (uint32_t l = 0; l < cluster->link_count; l++) {
      const struct tny_link *link = &cluster->links[l];
      if (hops[link->to] == UINT32_MAX || hops[link->from] <= hops[link->to] + 1)
        continue;
      hops[link->from] = hops[link->to] + 1;
      is_changed = true;
    }
  }
}

/* The node of the network with multipath that a node of the one without is part of, by names: of
   switches without hosts what stands before the '.', a tier and perhaps a pod, is common. */
static uint32_t part_of(const struct tny_cluster *merged, const char *name)
{
  const size_t length = strcspn(name, ".");
  for (uint32_t node = 0; node < count_nodes(merged); node++)
    if (strncmp(merged->node_names[node], name, length) == 0 &&
        strchr(".+", merged->node_names[node][length]))
      return node;
  fail_msg("%s is no part", name);
  return TNY_NONE;
}

/* The link of the network with multipath that one of the network without is part of. */
static uint32_t bundle_of(const struct tny_cluster *real, const struct tny_cluster *merged,
                          uint32_t link)
{
  const uint32_t from = part_of(merged, real->node_names[real->links[link].from]);
  const uint32_t to = part_of(merged, real->node_names[real->links[link].to]);
  uint32_t bundle = 0;
  while (merged->links[bundle].from != from || merged->links[bundle].to != to)
    bundle++;
  return bundle;
}

/* Adds to `possible` the links that may be on a shortest way, and checks that every such way leads
   through the same nodes of the merged network. */
static void add_possible(const struct tny_cluster *cluster, uint32_t from, uint32_t to,
                         uint32_t *possible)
{
  uint32_t ahead[NODES_MAX], behind[NODES_MAX];
  count_hops(cluster, to, ahead);
  count_hops(cluster, from, behind); /* cables lead both ways */
  for (uint32_t l = 0; l < cluster->link_count; l++) {
    const struct tny_link *link = &cluster->links[l];
    possible[l] += behind[link->from] + 1 + ahead[link->to] == ahead[from];
  }
}

/* Random messages over the network as it is and as it is merged: for each bundle, the most messages
   that may share one of its cables, over all choices of shortest ways, are those of the bundle. */
static void check_worst_choice(const struct tny_cluster *real, const struct tny_cluster *merged,
                               uint64_t *seed)
{
  uint32_t possible[2 * CABLES_MAX] = {0}, counted[2 * CABLES_MAX] = {0};
  uint32_t worst[2 * CABLES_MAX] = {0}, cables[2 * CABLES_MAX] = {0};
  struct tny_routes *routes = make_routes(merged);
  for (uint32_t i = 0; i < MESSAGES; i++) {
    const uint32_t from = draw(seed, real->host_count), to = draw(seed, real->host_count);
    uint32_t node = from, link;
    if (from == to)
      continue;
    add_possible(real, from, to, possible);
    for (; (link = tny_routes_next(routes, node, to)) != TNY_NONE; node = merged->links[link].to)
      counted[link]++;
  }
  for (uint32_t l = 0; l < real->link_count; l++) {
    const uint32_t bundle = bundle_of(real, merged, l);
    worst[bundle] = possible[l] > worst[bundle] ? possible[l] : worst[bundle];
    cables[bundle]++;
    assert_int_equal(merged->links[bundle].bandwidth_bps, real->links[l].bandwidth_bps);
  }
  for (uint32_t l = 0; l < merged->link_count; l++) {
    assert_int_equal(worst[l], counted[l]);
    assert_int_equal(cables[l], merged->links[l].cable_count);
    assert_int_equal(merged->links[l].best_bps, cables[l] * merged->links[l].bandwidth_bps);
  }
  tny_routes_free(routes);
}

/* Packets are spread over the ways: each node gives as much to every cable that is on a shortest
   one. So each of a bundle's cables carries the same part of what the bundle does. */
static void check_spread(const struct tny_cluster *real, const struct tny_cluster *merged,
                         uint64_t *seed)
{
  double carried[2 * CABLES_MAX] = {0}, counted[2 * CABLES_MAX] = {0};
  struct tny_routes *routes = make_routes(merged);
  for (uint32_t i = 0; i < MESSAGES; i++) {
    const uint32_t from = draw(seed, real->host_count), to = draw(seed, real->host_count);
    uint32_t ahead[NODES_MAX], node = from, link;
    double share[NODES_MAX] = {0};
    count_hops(real, to, ahead);
    share[from] = 1;
    for (uint32_t hops = ahead[from]; hops > 0; hops--)
      for (uint32_t n = 0; n < count_nodes(real); n++) {
        uint32_t ways = 0;
        for (uint32_t l = 0; l < real->link_count; l++)
          ways += real->links[l].from == n && ahead[real->links[l].to] + 1 == ahead[n];
        for (uint32_t l = 0; ahead[n] == hops && l < real->link_count; l++)
          if (real->links[l].from == n && ahead[real->links[l].to] + 1 == hops) {
            carried[l] += share[n] / ways;
            share[real->links[l].to] += share[n] / ways;
          }
      }
    for (; (link = tny_routes_next(routes, node, to)) != TNY_NONE; node = merged->links[link].to)
      counted[link]++;
  }
  for (uint32_t l = 0; l < real->link_count; l++) {
    const uint32_t bundle = bundle_of(real, merged, l);
    const struct tny_link *link = &merged->links[bundle];
    assert_int_equal(link->bandwidth_bps, link->cable_count * real->links[l].bandwidth_bps);
    assert_true(fabs(carried[l] - counted[bundle] / link->cable_count) < 1e-9);
  }
  tny_routes_free(routes);
}

/* Pods of leaves and of switches above them, each of which leads to cores of its own, as in a fat
   tree; one pod and no cores: leaves and spines. */
static char *tiers_text(uint32_t pods, uint32_t leaves, uint32_t tops, uint32_t cores)
{
  struct tny_text text = {0};
  char *taken;
  tny_text_add(&text, "edge [bandwidth=\"2Gbit/s\"];");
  for (uint32_t pod = 0; pod < pods; pod++)
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
      tny_text_add(&text, "\"l%u%u.\" -- { \"n%u%u0.\" \"n%u%u1.\" };", pod, leaf, pod, leaf, pod,
                   leaf);
      for (uint32_t top = 0; top < tops; top++)
        tny_text_add(&text, "\"l%u%u.\" -- \"t%u.%u\";", pod, leaf, pod, top);
    }
  for (uint32_t core = 0; core < cores; core++)
    for (uint32_t pod = 0; pod < pods; pod++)
      tny_text_add(&text, "\"t%u.%u\" -- \"c.%u\";", pod, core % tops, core);
  assert_int_equal(tny_text_take(&text, &taken, NULL), TNY_OK);
  return taken;
}

/* The same network without multipath and with it. */
struct pair {
  struct tny_cluster *real, *merged;
};

static struct pair read_pair(const uint32_t *shape, const char *multipath)
{
  char *tiers = tiers_text(shape[0], shape[1], shape[2], shape[3]), text[4096];
  struct pair pair;
  snprintf(text, sizeof text, "graph { %s }", tiers);
  pair.real = read_dot(text);
  snprintf(text, sizeof text, "graph { multipath=%s; %s }", multipath, tiers);
  pair.merged = read_dot(text);
  tny_text_free(tiers);
  return pair;
}

static void release_pair(struct pair *pair)
{
  tny_cluster_free(pair->real);
  tny_cluster_free(pair->merged);
}

static const uint32_t shapes[][4] = {
    {1, 3, 4, 0}, {1, 2, 1, 0}, {2, 2, 2, 4}, {3, 2, 2, 4}, {2, 3, 3, 3}};

static void packets_fill_all_cables_of_a_bundle_alike(void **state)
{
  (void)state;
  uint64_t seed = 37;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    struct pair pair = read_pair(shapes[i], "packet");
    check_spread(pair.real, pair.merged, &seed);
    release_pair(&pair);
  }
}

static void a_tree_has_no_ways_to_choose_from(void **state)
{
  (void)state;
  struct tny_cluster *cluster = read_dot(
      "graph { multipath=flow; s0 -- { a b }; s1 -- c; s2 -- d; s0 -- p -- s1; s0 -- q -- s2 }");
  assert_int_equal(cluster->switch_count, 5);
  tny_cluster_free(cluster);
}

static void hosts_that_may_be_among_the_switches_are_told_of(void **state)
{
  (void)state;
  struct tny_cluster *cluster = read_dot(
      "graph { multipath=packet; l0 -- { a b }; l1 -- { c d }; { s0 s1 login } -- { l0 l1 } }");
  assert_non_null(cluster->note);
  assert_non_null(strstr(cluster->note, "s0, s1, login have two cables each and no hosts"));
  tny_cluster_free(cluster);
}

static void what_is_relied_on_holds_for_every_choice_of_shortest_ways(void **state)
{
  (void)state;
  uint64_t seed = 31;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    struct pair pair = read_pair(shapes[i], "flow");
    assert_true(tny_cluster_is_tree(pair.merged));
    assert_int_equal(pair.merged->host_count, pair.real->host_count);
    for (uint32_t k = 0; k < 20; k++)
      check_worst_choice(pair.real, pair.merged, &seed);
    assert_true(bound_of(pair.merged, TNY_ALLGATHER).seconds <=
                (1 + 1e-9) * bound_of(pair.real, TNY_ALLGATHER).seconds);
    release_pair(&pair);
  }
}

/* A text that ends in a long line of switches is no more work than others. */
static void a_long_line_of_switches_is_read_in_no_time(void **state)
{
  (void)state;
  struct tny_text text = {0};
  tny_text_add(&text, "graph { multipath=packet; s0 -- a; s0 -- c0;");
  for (uint32_t i = 0; i < 20000; i++)
    tny_text_add(&text, "c%u -- c%u;", i, i + 1);
  tny_text_add(&text, "c20000 [kind=switch] }");
  assert_false(text.failed);
  struct tny_cluster *cluster = read_dot(text.bytes);
  assert_int_equal(cluster->switch_count, 20002);
  tny_cluster_free(cluster);
  tny_text_release(&text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(leaves_and_spines_become_leaves_and_one_spine),
      cmocka_unit_test(a_name_that_is_taken_isnt_given_again),
      cmocka_unit_test(parallel_cables_become_a_bundle_by_packet_where_all_are),
      cmocka_unit_test(what_is_relied_on_holds_for_every_choice_of_shortest_ways),
      cmocka_unit_test(packets_fill_all_cables_of_a_bundle_alike),
      cmocka_unit_test(a_tree_has_no_ways_to_choose_from),
      cmocka_unit_test(hosts_that_may_be_among_the_switches_are_told_of),
      cmocka_unit_test(a_long_line_of_switches_is_read_in_no_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
