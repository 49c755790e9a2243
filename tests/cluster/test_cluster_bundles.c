/* Bundles: what is read and refused, what they can be relied on for and what bounds take of them,
   against brute force over single cables. */
#include "cluster_text.h"

#include <math.h>

#include "cluster/links.h"

static struct tny_cluster *read_flat(const char *text)
{
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  if (tny_cluster_read_flat(text, &cluster, &error))
    fail_msg("%s: %u: %s", text, error.line, error.text);
  return cluster;
}

/* --- what is read --- */

static void a_bundle_is_relied_on_for_one_cable_by_flow_and_for_all_by_packet(void **state)
{
  (void)state;
  static const struct {
    const char *attributes;
    uint32_t cables;
    enum tny_spreading spread;
    uint64_t relied_bps, best_bps, relied_bytes;
  } cases[] = {
      {"cables=4, spread=flow", 4, TNY_SPREADING_FLOW, 1000, 4000, 5000},
      {"cables=4, spread=packet", 4, TNY_SPREADING_PACKET, 4000, 4000, 20000},
      {"cables=1, spread=flow", 1, TNY_SPREADING_NONE, 1000, 1000, 5000},
      {"spread=packet", 1, TNY_SPREADING_NONE, 1000, 1000, 5000},
      {"cables=1", 1, TNY_SPREADING_NONE, 1000, 1000, 5000},
      {"label=x", 1, TNY_SPREADING_NONE, 1000, 1000, 5000},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[256];
    snprintf(text, sizeof text,
             "graph { a -- b [bandwidth=\"1kbit/s\", buffer=5000, back_buffer=3000, %s] }",
             cases[i].attributes);
    struct tny_cluster *cluster = read_dot(text);
    const struct tny_link *link = &cluster->links[0];
    assert_int_equal(cluster->host_count, 2);
    assert_int_equal(cluster->link_count, 2);
    assert_int_equal(link->cable_count, cases[i].cables);
    assert_int_equal(link->spread, cases[i].spread);
    assert_int_equal(link->bandwidth_bps, cases[i].relied_bps);
    assert_int_equal(link->best_bps, cases[i].best_bps);
    assert_int_equal(link->buffer_bytes, cases[i].relied_bytes);
    assert_int_equal(cluster->links[1].buffer_bytes, cases[i].relied_bytes / 5 * 3);
    tny_cluster_free(cluster);
  }
}

static void a_host_with_a_bundle_is_a_host(void **state)
{
  (void)state;
  struct tny_cluster *cluster =
      read_dot("graph { s0 -- \"n[0-3]\" [cables=2, spread=flow]; s0 -- s1; s1 -- m }");
  assert_int_equal(cluster->host_count, 5);
  assert_int_equal(cluster->switch_count, 2);
  assert_int_equal(cluster->links[0].cable_count, 2);
  assert_int_equal(cluster->links[8].cable_count, 1);
  tny_cluster_free(cluster);
}

/* --- what is refused --- */

static void faults_of_bundles_are_refused_with_what_to_do(void **state)
{
  (void)state;
  static const struct {
    const char *text, *complaint;
  } cases[] = {
      {"graph { a -- b [cables=2] }", "add spread=\"flow\""},
      {"graph { a -- b [cables=0, spread=flow] }", "1 to 1024 cables, not \"0\""},
      {"graph { a -- b [cables=1025, spread=flow] }", "1 to 1024 cables, not \"1025\""},
      {"graph { a -- b [cables=\"-2\", spread=flow] }", "1 to 1024 cables, not \"-2\""},
      {"graph { a -- b [cables=two, spread=flow] }", "1 to 1024 cables, not \"two\""},
      {"graph { a -- b [cables=2, spread=hash] }",
       "the unknown spread \"hash\": write flow or packet"},
      {"graph { a -- b [cables=1024, spread=flow, bandwidth=\"1Tbit/s\"] }",
       "its cables together must be at most 1000Tbit/s"},
      {"graph { multipath=hash; a -- b }", "the unknown multipath \"hash\": write flow"},
      {"graph { multipath=flow; routing=shortest; a -- b }", "leave one of them out"},
      {"graph { multipath=flow; grid=\"mesh:2\"; s0 -- a; s1 -- b; s0 -- s1 }",
       "leave one of them out"},
      {"graph { multipath=flow; s0 -- a; s1 -- b; s2 -- c; s0 -- s1; s1 -- s2; s2 -- s0 }",
       "s2 -- s0 still closes a circle"},
      {"graph { multipath=flow; s0 -- a; s1 -- b; { p q } -- { s0 s1 }; p -- q }",
       "spread over p and q alike, and a cable joins these"},
      {"graph { multipath=flow; s0 -- a; s1 -- b; p -- { s0 s1 }; q -- { s0 s1 } "
       "[bandwidth=\"2Gbit/s\"] }",
       "p -- s0 and q -- s0 are used alike, and differ"},
      {"graph { multipath=flow; s0 -- a; s1 -- b; s0 -- s1; s1 -- s0 [latency=\"1us\"] }",
       "s0 -- s1 and s1 -- s0 are used alike, and differ"},
      {"graph { multipath=flow; s0 -- a; s1 -- b; s0 -- s1 [cables=1000, spread=flow]; "
       "s0 -- s1 [cables=25, spread=flow] }",
       "between s0 and s1 and those that are used like them are one bundle, and a bundle has at "
       "most 1024 cables"},
      {"graph { multipath=packet; s0 -- a; s1 -- b; p -- { s0 s1 }; q -- { s0 s1 }; p -- s0 }",
       "spread over p and others alike, and these don't have as many cables to s0 each"},
      {"graph { multipath=packet; s0 -- a; s1 -- b; s2 -- c; { p q } -- { s0 s1 }; w "
       "[kind=switch]; p -- w -- s2 }",
       "spread over p and others alike, and these don't have as many cables to w each"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tny_cluster *cluster;
    struct tny_error error = {0};
    assert_int_equal(tny_graphviz_read(cases[i].text, "test", &cluster, &error), TNY_BAD_INPUT);
    assert_null(cluster);
    if (!strstr(error.text, cases[i].complaint))
      fail_msg("%s: %s", cases[i].text, error.text);
  }
}

static void faults_of_flat_bundles_are_refused_by_line(void **state)
{
  (void)state;
  static const struct {
    const char *line, *complaint;
  } cases[] = {
      {"bundle a b 2 flow 1 1\n", "expected"},
      {"bundle a b 2 flow 1 1 1 1 1\n", "expected"},
      {"bundle a c 2 flow 1 1 1\n", "a cable to an unknown node \"c\""},
      {"bundle a b 0 flow 1 1 1\n", "1 to 1024 cables, not \"0\""},
      {"bundle a b 1025 flow 1 1 1\n", "1 to 1024 cables, not \"1025\""},
      {"bundle a b 4294967297 flow 1 1 1\n", "1 to 1024 cables, not"},
      {"bundle a b x flow 1 1 1\n", "1 to 1024 cables, not \"x\""},
      {"bundle a b 2 none 1 1 1\n", "flow or packet, not \"none\""},
      {"bundle a b 2 flow 1 1 1k\n", "a whole number of 64 bits"},
      {"bundle a b 2 flow 0 1 1\n", "a bandwidth must be more than 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[128];
    struct tny_cluster *cluster;
    struct tny_error error = {0};
    snprintf(text, sizeof text, "cluster 1 test\nhost a\nhost b\n%s", cases[i].line);
    assert_int_equal(tny_cluster_read_flat(text, &cluster, &error), TNY_BAD_INPUT);
    if (error.line != 4 || !strstr(error.text, cases[i].complaint))
      fail_msg("%s: %u: %s", text, error.line, error.text);
  }
}

/* --- round trips, and bounds by the cables --- */

/* Random switches and hosts, a tree and more, as text: bundles and cables of 1 to 4 bit/s. */
static char *random_bundles(uint64_t *seed, uint32_t hosts, uint32_t switches, uint32_t extra)
{
  struct tny_text text = {0};
  char *taken;
  tny_text_add(&text, "cluster 1 random\n");
  for (uint32_t i = 0; i < hosts; i++)
    tny_text_add(&text, "host h%u\n", i);
  for (uint32_t i = 0; i < switches; i++)
    tny_text_add(&text, "switch s%u\n", i);
  for (uint32_t i = 1; i < switches + extra + hosts; i++) {
    const bool is_extra = i >= switches, is_host = i >= switches + extra;
    const uint32_t from = is_extra ? draw(seed, switches) : i;
    const uint32_t to = is_extra ? draw(seed, switches - 1) : draw(seed, i);
    const uint32_t cables = 1 + draw(seed, 4);
    tny_text_add(&text, cables > 1 ? "bundle " : "cable ");
    if (is_host)
      tny_text_add(&text, "h%u s%u", i - switches - extra, draw(seed, switches));
    else
      tny_text_add(&text, "s%u s%u", from, is_extra && to >= from ? to + 1 : to);
    if (cables > 1)
      tny_text_add(&text, " %u %s", cables, draw(seed, 2) ? "flow" : "packet");
    tny_text_add(&text, " %u 1 %u", 1 + draw(seed, 4), 2 + draw(seed, 2));
    if (draw(seed, 4) == 0)
      tny_text_add(&text, " 7");
    tny_text_add(&text, "\n");
  }
  assert_int_equal(tny_text_take(&text, &taken, NULL), TNY_OK);
  return taken;
}

static void every_form_reads_back_the_bundles_that_it_wrote(void **state)
{
  (void)state;
  uint64_t seed = 11;
  for (uint32_t i = 0; i < 60; i++) {
    char *text = random_bundles(&seed, 2 + i % 9, 2 + i % 5, i % 4), *dot;
    struct tny_cluster *cluster = read_flat(text);
    char *flat = flat_of(cluster);
    assert_string_equal(text, flat);
    assert_int_equal(tny_cluster_write_dot(cluster, &dot, NULL), TNY_OK);
    struct tny_cluster *by_dot;
    struct tny_error error = {0};
    if (tny_graphviz_read(dot, "random", &by_dot, &error))
      fail_msg("%s: %s", dot, error.text);
    char *flat_by_dot = flat_of(by_dot);
    assert_string_equal(flat, flat_by_dot);
    tny_text_free(text);
    tny_text_free(flat);
    tny_text_free(flat_by_dot);
    tny_text_free(dot);
    tny_cluster_free(by_dot);
    tny_cluster_free(cluster);
  }
}

/* A network of single cables, for brute force. */
struct plain {
  uint32_t nodes, hosts, cables;
  struct {
    uint32_t from, to;
    uint64_t bps;
  } cable[CABLES_MAX];
};

/* What the lines of a flat text say, cable by cable. */
static struct plain lay_cables(const char *flat)
{
  struct plain plain = {0};
  char names[NODES_MAX][16];
  for (const char *line = strchr(flat, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
    char word[8], from[16], to[16], spread[8];
    uint32_t cables = 1;
    unsigned long long bps;
    assert_int_equal(sscanf(line, "%7s %15s", word, from), 2);
    if (!strcmp(word, "host") || !strcmp(word, "switch")) {
      assert_true(plain.nodes < NODES_MAX);
      snprintf(names[plain.nodes], sizeof names[0], "%s", from);
      plain.hosts += !strcmp(word, "host");
      plain.nodes++;
      continue;
    }
    if (!strcmp(word, "bundle"))
      assert_int_equal(
          sscanf(line, "bundle %15s %15s %u %7s %llu", from, to, &cables, spread, &bps), 5);
    else
      assert_int_equal(sscanf(line, "cable %15s %15s %llu", from, to, &bps), 3);
    for (uint32_t i = 0; i < cables; i++, plain.cables++) {
      assert_true(plain.cables < CABLES_MAX);
      plain.cable[plain.cables].bps = bps;
      for (uint32_t node = 0; node < plain.nodes; node++) {
        if (!strcmp(names[node], from))
          plain.cable[plain.cables].from = node;
        if (!strcmp(names[node], to))
          plain.cable[plain.cables].to = node;
      }
    }
  }
  return plain;
}

/* Seconds for a bit of each host (of the root's alone), over the cables out of the worst part. */
static double worst_cut(const struct plain *plain, bool is_broadcast)
{
  double worst = 0;
  for (uint32_t part = 1; part < 1u << plain->nodes; part++) {
    uint64_t bps = 0;
    uint32_t inside = 0;
    for (uint32_t host = 0; host < plain->hosts; host++)
      inside += part >> host & 1;
    for (uint32_t i = 0; i < plain->cables; i++)
      if ((part >> plain->cable[i].from & 1) != (part >> plain->cable[i].to & 1))
        bps += plain->cable[i].bps;
    if (inside == plain->hosts || (is_broadcast && !(part & 1)))
      continue;
    const double ratio = (is_broadcast ? 1.0 : inside) / (double)bps;
    worst = ratio > worst ? ratio : worst;
  }
  return worst;
}

static void bounds_count_all_cables_of_every_bundle(void **state)
{
  (void)state;
  uint64_t seed = 21;
  for (uint32_t i = 0; i < 60; i++) {
    char *text = random_bundles(&seed, 2 + i % 5, 2 + i % 4, i % 3);
    const struct plain plain = lay_cables(text);
    struct tny_cluster *cluster = read_flat(text);
    for (int is_broadcast = 0; is_broadcast < 2; is_broadcast++) {
      const struct tny_bound bound =
          bound_of(cluster, is_broadcast ? TNY_BROADCAST : TNY_ALLGATHER);
      const double wanted = 8 * worst_cut(&plain, is_broadcast);
      if (fabs(bound.seconds - wanted) > 1e-9 * wanted)
        fail_msg("%s: %s: %g, not %g", text, bound.text, bound.seconds, wanted);
    }
    tny_cluster_free(cluster);
    tny_text_free(text);
  }
}

/* 4 x 4 blocks over 3 cables of 1000 bit/s, whichever way they are spread. */
static void an_alltoall_is_bound_by_all_cables_of_the_fullest_bundle(void **state)
{
  (void)state;
  static const char *const spreads[] = {"flow", "packet"};
  for (size_t i = 0; i < 2; i++) {
    char text[256];
    snprintf(text, sizeof text,
             "graph { s0 -- \"a[0-3]\"; s1 -- \"b[0-3]\"; s0 -- s1 [cables=3, spread=%s, "
             "bandwidth=\"1kbit/s\"] }",
             spreads[i]);
    struct tny_cluster *cluster = read_dot(text);
    const struct tny_bound bound = bound_of(cluster, TNY_ALLTOALL);
    assert_true(fabs(bound.seconds - 16 * 8 / 3000.0) < 1e-12);
    assert_string_equal(bound.text, "trunk s0 -> s1 carries 16 blocks");
    tny_cluster_free(cluster);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_bundle_is_relied_on_for_one_cable_by_flow_and_for_all_by_packet),
      cmocka_unit_test(a_host_with_a_bundle_is_a_host),
      cmocka_unit_test(faults_of_bundles_are_refused_with_what_to_do),
      cmocka_unit_test(faults_of_flat_bundles_are_refused_by_line),
      cmocka_unit_test(every_form_reads_back_the_bundles_that_it_wrote),
      cmocka_unit_test(bounds_count_all_cables_of_every_bundle),
      cmocka_unit_test(an_alltoall_is_bound_by_all_cables_of_the_fullest_bundle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
