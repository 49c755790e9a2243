/* Clusters from files: what is read, what is refused and how, and that all forms
   say the same. The fixtures are in clusters/good (NAME.dot and what it is in the flat form,
   NAME.flat; TOURNEY_REGENERATE=1 writes these) and clusters/bad (the first line is
   "// expect LINE: TEXT", the line of the error, 0: none, and a part of its text). */
#include <dirent.h>

#include "support/cluster.h"

#include "cluster/build.h"
#include "core/file.h"

/* cgraph doesn't free all it has when a graph is broken; only our own leaks count here. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
  return "leak:libcgraph\nleak:libcdt\n";
}

static char *flat_of(const struct tny_cluster *cluster)
{
  char *flat;
  struct tny_error error = {0};
  assert_int_equal(tny_cluster_write_flat(cluster, &flat, &error), TNY_OK);
  return flat;
}

/* Calls `check` with each .dot file of the folder; returns how many there are. */
static unsigned for_each_file(const char *folder, void (*check)(const char *path))
{
  char path[4096];
  const char *source = getenv("TOURNEY_SOURCE");
  unsigned count = 0;
  assert_non_null(source);
  snprintf(path, sizeof path, "%s/tests/clusters/%s", source, folder);
  DIR *directory = opendir(path);
  assert_non_null(directory);
  for (struct dirent *entry; (entry = readdir(directory));) {
    const char *suffix = strrchr(entry->d_name, '.');
    if (!suffix || strcmp(suffix, ".dot"))
      continue;
    snprintf(path, sizeof path, "%s/tests/clusters/%s/%s", source, folder, entry->d_name);
    check(path);
    count++;
  }
  closedir(directory);
  return count;
}

static void check_good_file(const char *path)
{
  char *text, *wanted, flat_path[4096];
  struct tny_cluster *cluster = NULL;
  struct tny_error error = {0};
  snprintf(flat_path, sizeof flat_path, "%.*s.flat", (int)(strlen(path) - strlen(".dot")), path);
  if (tny_file_read(path, &text, &error) ||
      tny_graphviz_read(text, strrchr(path, '/') + 1, &cluster, &error))
    fail_msg("%s:%u: %s", path, error.line, error.text);
  char *flat = flat_of(cluster);
  if (getenv("TOURNEY_REGENERATE")) {
    FILE *file = fopen(flat_path, "w");
    assert_non_null(file);
    fputs(flat, file);
    fclose(file);
  }
  if (tny_file_read(flat_path, &wanted, &error))
    fail_msg("%s: %s", flat_path, error.text);
  assert_string_equal(flat, wanted);
  tny_text_free(wanted);
  tny_text_free(flat);
  tny_text_free(text);
  tny_cluster_free(cluster);
}

static void good_files_are_read_as_they_say(void **state)
{
  (void)state;
  assert_true(for_each_file("good", check_good_file) >= 8);
}

static void check_bad_file(const char *path)
{
  char *text;
  struct tny_cluster *cluster;
  struct tny_error error = {0}, *fresh = &error;
  assert_int_equal(tny_file_read(path, &text, &error), TNY_OK);
  assert_int_equal(strncmp(text, "// expect ", 10), 0);
  char *complaint = NULL, *end = strchr(text, '\n');
  const unsigned long line = strtoul(text + 10, &complaint, 10);
  assert_int_equal(strncmp(complaint, ": ", 2), 0);
  *end = '\0';
  if (tny_cluster_open(path, &cluster, fresh) != TNY_BAD_INPUT)
    fail_msg("%s isn't refused", path);
  assert_null(cluster);
  if (error.line != line || !strstr(error.text, complaint + 2))
    fail_msg("%s:%u: %s", path, error.line, error.text);
  assert_int_equal(strncmp(error.file, path, sizeof error.file - 1), 0);
  tny_text_free(text);
}

static void bad_files_are_refused_by_name_line_and_reason(void **state)
{
  (void)state;
  assert_true(for_each_file("bad", check_bad_file) >= 30);
}

static void a_good_file_is_read_right_after_a_bad_one(void **state)
{
  (void)state;
  static const char *const bad[] = {"graph { a -- ",
                                    "graph { s -- a; s -- \"b",
                                    "graph { a } x y z",
                                    "graph { a -- b } graph { c",
                                    "a b \"",
                                    "a b /* ",
                                    "a b <<x> <y",
                                    "// no newline"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct tny_cluster *cluster;
    struct tny_error error = {0};
    assert_int_equal(tny_graphviz_read(bad[i], "bad", &cluster, &error), TNY_BAD_INPUT);
    error = (struct tny_error){0};
    if (tny_graphviz_read("graph { a -- b }", "good", &cluster, &error))
      fail_msg("%s", error.text);
    assert_int_equal(cluster->host_count, 2);
    tny_cluster_free(cluster);
  }
}

/* Names as in a real room: what has two cables and no hosts is a switch, or a machine with two
   ports. */
static void what_was_guessed_is_said(void **state)
{
  (void)state;
  static const struct {
    const char *text, *noted; /* NULL: nothing */
  } cases[] = {
      {"graph { s0 -- \"n[0-1]\"; s1 -- \"n[2-3]\"; s0 -- s1; s0 -- storage; s1 -- storage }",
       "storage has two cables"},
      {"graph { storage [kind=switch]; s0 -- \"n[0-1]\"; s1 -- \"n[2-3]\"; s0 -- storage; "
       "s1 -- storage }",
       NULL},
      {"graph { s0 -- \"n[0-1]\"; s1 -- \"n[2-3]\"; s0 -- s2; s1 -- s2 }", NULL},
      {"graph { s0 -- \"n[0-1]\"; s1 -- \"n[2-3]\"; s4 -- \"n[4-5]\"; core -- s0; core -- s1; "
       "core -- s4 }",
       NULL},
      {"graph { s0 -- \"n[0-1]\"; s1 -- \"n[2-3]\"; s0 -- s1; s0 -- s1 }", NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tny_cluster *cluster;
    struct tny_error error = {0};
    if (tny_graphviz_read(cases[i].text, "text", &cluster, &error))
      fail_msg("%s: %s", cases[i].text, error.text);
    if (!cases[i].noted && cluster->note)
      fail_msg("%s: %s", cases[i].text, cluster->note);
    if (cases[i].noted && (!cluster->note || !strstr(cluster->note, cases[i].noted)))
      fail_msg("%s: %s", cases[i].text, cluster->note ? cluster->note : "no note");
    tny_cluster_free(cluster);
  }
}

static void files_that_are_not_there_are_refused_with_what_could_be(void **state)
{
  (void)state;
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  assert_int_equal(tny_cluster_open("no/such.dot", &cluster, &error), TNY_BAD_INPUT);
  assert_string_equal(error.file, "no/such.dot");
  assert_non_null(strstr(error.text, "No such file"));
  error = (struct tny_error){0};
  assert_int_equal(tny_cluster_open("star:16", &cluster, &error), TNY_BAD_INPUT);
  assert_non_null(strstr(error.text, "neither a file nor a generator: generators are single:N"));
  error = (struct tny_error){0};
  assert_int_equal(tny_cluster_open("/", &cluster, &error), TNY_BAD_INPUT);
}

#define LINE_OF_2 "host a\nhost b\nswitch s\nswitch t\n"

static const struct {
  const char *lines; /* behind the heading */
  unsigned line;
  const char *complaint;
} bad_flats[] = {
    {"", 0, "the cluster has no hosts"},
    {"host a\nhost a\n", 3, "there are two nodes of the name a"},
    {"host a\nswitch a\n", 3, "there are two nodes of the name a"},
    {"host\n", 2, "expected \"host NAME\""},
    {"host a b\n", 2, "expected \"host NAME\""},
    {"host  a\n", 2, "expected \"host NAME\""},
    {"host \n", 2, "a node has an empty name"},
    {"host a[0]\n", 2, "has a character that names can't have"},
    {"router a\n", 2, "expected \"host NAME\""},
    {"\n", 2, "expected \"host NAME\""},
    {"host a", 2, "the last line has no end"},
    {"host a\ncable a b 1 1 1\n", 3, "a cable to an unknown node \"b\""},
    {"host a\nhost b\ncable a b 1 1\n", 4, "expected"},
    {"host a\nhost b\ncable a b 1 1 1 1 1\n", 4, "expected"},
    {"host a\nhost b\ncable a b 1 1 1k\n", 4, "a whole number of 64 bits is expected here"},
    {"host a\nhost b\ncable a b 18446744073709551616 1 1\n", 4, "a whole number"},
    {"host a\nhost b\ncable a b -1 1 1\n", 4, "a whole number"},
    {"host a\nhost b\ncable a b 0 1 1\n", 4, "a bandwidth must be more than 0"},
    {"host a\nhost b\ncable a b 1 9999999999999 1\n", 4, "a latency must be at most"},
    {"host a\nhost b\ncable a b 1 1 1 0\n", 4, "a buffer must be more than 0"},
    {"host a\nhost b\ncable a a 1 1 1\n", 4, "a cable joins a to itself"},
    {"host a\nhost b\n", 0, "host a has no cable"},
    {"host a\nhost b\nhost c\ncable a b 1 1 1\ncable b c 1 1 1\n", 0, "host b has 2 cables"},
    {"switch a\nswitch b\ncable a b 1 1 1\n", 0, "the cluster has no hosts"},
    {"grid\n", 2, "expected"},
    {"grid torus 8 8\n", 2, "expected"},
    {"grid torus\n", 2, "\"torus\" is no grid: write it as ring:8, torus:8x8"},
    {"grid hypercube:8\n", 2, "is no grid"},
    {"grid star:8\n", 2, "the unknown shape \"star\""},
    {"grid torus:2x2\n", 2, "the sides of a torus have at least 3 nodes"},
    {"grid ring:3\ngrid ring:3\n", 3, "the grid is given twice: \"ring:3\""},
    {"routing\n", 2, "expected"},
    {"routing shortest lanes\n", 2, "expected"},
    {"routing short\n", 2, "the unknown routing \"short\": there are shortest, shortest-lanes,"},
    {"routing auto\n", 2, "the unknown routing \"auto\""},
    {"routing up-down\nrouting up-down\n", 3, "the routing is given twice: \"up-down\""},
    {"host a\nhost b\ncable a b 1 1 1\nrouting dimension-order\n", 0,
     "the routing is dimension-order, so the cluster must say which grid it is"},
    {"host a\nhost b\ncable a b 1 1 1\ngrid ring:3\n", 0,
     "the cluster is no ring:3: that has 3 hosts and 3 switches, not 2 and 0"},
    {LINE_OF_2 "cable a s 1 1 1\ncable b t 1 1 1\ncable s t 1 1 1\ngrid ring:3\n", 0,
     "that has 3 hosts and 3 switches, not 2 and 2"},
    {LINE_OF_2 "cable a t 1 1 1\ncable b s 1 1 1\ncable s t 1 1 1\ngrid mesh:2\n", 0,
     "the cluster is no mesh:2: a isn't plugged into s"},
    {LINE_OF_2 "cable a s 1 1 1\ncable b t 1 1 1\ncable s t 1 1 1\ncable s t 1 1 1\ngrid mesh:2\n",
     0, "the cluster is no mesh:2: that has 3 cables, not 4"},
    {"switch s\nhost a\nhost b\nhost c\ncable a b 1 1 1\ncable s c 1 1 1\n", 0,
     "the cluster falls apart: no cables lead from s to a"},
};

static void bad_flat_texts_are_refused_by_line_and_reason(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof bad_flats / sizeof *bad_flats; i++) {
    struct tny_text text = {0};
    struct tny_cluster *cluster;
    struct tny_error error = {0};
    tny_text_add(&text, "cluster 1 test\n%s", bad_flats[i].lines);
    assert_int_equal(tny_cluster_read_flat(text.bytes, &cluster, &error), TNY_BAD_INPUT);
    assert_null(cluster);
    if (error.line != bad_flats[i].line || !strstr(error.text, bad_flats[i].complaint))
      fail_msg("%s: %u: %s", bad_flats[i].lines, error.line, error.text);
    tny_text_release(&text);
  }
  static const char *const headings[] = {"", "cluster", "cluster 2 x\n", "cluster 1 x",
                                         "graph { }\n"};
  for (size_t i = 0; i < sizeof headings / sizeof *headings; i++) {
    struct tny_cluster *cluster;
    struct tny_error error = {0};
    assert_int_equal(tny_cluster_read_flat(headings[i], &cluster, &error), TNY_BAD_INPUT);
    assert_non_null(strstr(error.text, "begins with the line \"cluster 1 NAME\""));
  }
}

static void check_round_trips(const struct tny_cluster *cluster)
{
  char *flat = flat_of(cluster), *dot;
  struct tny_cluster *by_flat = NULL, *by_dot = NULL;
  struct tny_error error = {0};
  assert_int_equal(tny_cluster_write_dot(cluster, &dot, &error), TNY_OK);
  if (tny_cluster_read_flat(flat, &by_flat, &error) ||
      tny_graphviz_read(dot, cluster->name, &by_dot, &error))
    fail_msg("%u: %s\n%s", error.line, error.text, flat);
  char *flat_by_flat = flat_of(by_flat), *flat_by_dot = flat_of(by_dot);
  assert_string_equal(flat, flat_by_flat);
  assert_string_equal(flat, flat_by_dot);
  tny_text_free(flat);
  tny_text_free(dot);
  tny_text_free(flat_by_flat);
  tny_text_free(flat_by_dot);
  tny_cluster_free(by_flat);
  tny_cluster_free(by_dot);
}

static void check_file_round_trips(const char *path)
{
  struct tny_cluster *cluster = open_cluster(path);
  check_round_trips(cluster);
  tny_cluster_free(cluster);
}

static void every_form_reads_back_what_it_wrote(void **state)
{
  (void)state;
  for_each_file("good", check_file_round_trips);
  static const char *const generators[] = {
      "ring:5",    "torus:3x4x5",           "mesh:2x7",
      "fattree:4", "zones:2+3+4,delay=7ms", "irregular:30,switches=3"};
  for (size_t i = 0; i < sizeof generators / sizeof *generators; i++)
    check_file_round_trips(generators[i]);
  for (uint32_t i = 0; i < 60; i++) {
    struct tny_cluster *cluster = random_cluster(i, 1 + i % 20, 1 + i % 7, i % 5);
    check_round_trips(cluster);
    tny_cluster_free(cluster);
  }
}

static void links_are_found_at_the_nodes_they_leave(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < 20; i++) {
    struct tny_cluster *cluster = random_cluster(i, 10, 5, i % 4);
    const uint32_t node_count = cluster->host_count + cluster->switch_count;
    uint32_t seen = 0;
    for (uint32_t node = 0; node < node_count; node++)
      for (uint32_t k = cluster->first_out[node]; k < cluster->first_out[node + 1]; k++, seen++)
        assert_int_equal(cluster->links[cluster->out_links[k]].from, node);
    assert_int_equal(seen, cluster->link_count);
    for (uint32_t k = 0; k < cluster->link_count; k++)
      assert_int_equal(cluster->links[k].from, cluster->links[k ^ 1].to);
    tny_cluster_free(cluster);
  }
}

static void hosts_are_found_by_name_with_and_without_a_domain(void **state)
{
  (void)state;
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  assert_int_equal(
      tny_graphviz_read("graph { s -- { n1 n2 \"n3.site.org\" } }", "test", &cluster, &error),
      TNY_OK);
  assert_int_equal(tny_cluster_find_host(cluster, "n1"), 0);
  assert_int_equal(tny_cluster_find_host(cluster, "n2.site.org"), 1);
  assert_int_equal(tny_cluster_find_host(cluster, "n3.site.org"), 2);
  assert_int_equal(tny_cluster_find_host(cluster, "n3.site.net"), TNY_NONE);
  assert_int_equal(tny_cluster_find_host(cluster, "n3"), 2);
  assert_int_equal(tny_cluster_find_host(cluster, "s"), TNY_NONE);
  assert_int_equal(tny_cluster_find_host(cluster, "n"), TNY_NONE);
  assert_int_equal(tny_cluster_find_host(cluster, ""), TNY_NONE);
  assert_int_equal(tny_cluster_find_host(cluster, ".n1"), TNY_NONE);
  assert_int_equal(tny_cluster_switch_of(cluster, 2), 3);
  tny_cluster_free(cluster);
}

static void a_name_without_a_domain_that_fits_several_hosts_is_none_of_them(void **state)
{
  (void)state;
  struct tny_cluster *cluster;
  assert_int_equal(
      tny_graphviz_read("graph { s -- { \"n1.a.org\" \"n1.b.org\" \"n2.a.org\" n3 \"n3.a.org\" } }",
                        "test", &cluster, NULL),
      TNY_OK);
  assert_int_equal(tny_cluster_find_host(cluster, "n1"), TNY_NONE);
  assert_int_equal(tny_cluster_find_host(cluster, "n1.b.org"), 1);
  assert_int_equal(tny_cluster_find_host(cluster, "n2"), 2);
  assert_int_equal(tny_cluster_find_host(cluster, "n3"), 3);
  assert_int_equal(tny_cluster_find_host(cluster, "n3.a.org"), 4);
  assert_int_equal(tny_cluster_find_host(cluster, "n3.b.org"), 3);
  tny_cluster_free(cluster);
}

static void hosts_are_found_by_their_aliases(void **state)
{
  (void)state;
  struct tny_cluster *cluster;
  assert_int_equal(tny_graphviz_read(
                       "graph { s -- \"n[0-3]\"; \"n[0-3]\" [alias=\"ib[0-3],c[00-03].site.org\"]\n"
                       "  n2 [alias=login] }",
                       "test", &cluster, NULL),
                   TNY_OK);
  assert_int_equal(cluster->alias_count, 9);
  assert_int_equal(tny_cluster_find_host(cluster, "n3"), 3);
  assert_int_equal(tny_cluster_find_host(cluster, "ib3"), 3);
  assert_int_equal(tny_cluster_find_host(cluster, "ib1.site.org"), 1);
  assert_int_equal(tny_cluster_find_host(cluster, "c01"), 1);
  assert_int_equal(tny_cluster_find_host(cluster, "login"), 2);
  assert_int_equal(tny_cluster_find_host(cluster, "c04"), TNY_NONE);
  tny_cluster_free(cluster);
}

static void collectives_have_names_that_are_read_back(void **state)
{
  (void)state;
  for (unsigned i = 0; i < TNY_COLLECTIVE_COUNT; i++) {
    enum tny_collective collective;
    assert_int_equal(
        tny_collective_parse(tny_collective_name((enum tny_collective)i), &collective, NULL),
        TNY_OK);
    assert_int_equal(collective, i);
  }
  enum tny_collective collective;
  struct tny_error error = {0};
  assert_int_equal(tny_collective_parse("scan", &collective, &error), TNY_BAD_INPUT);
  assert_non_null(
      strstr(error.text, "gather, scatter, reduce, reducescatter, allreduce and barrier"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(good_files_are_read_as_they_say),
      cmocka_unit_test(bad_files_are_refused_by_name_line_and_reason),
      cmocka_unit_test(a_good_file_is_read_right_after_a_bad_one),
      cmocka_unit_test(what_was_guessed_is_said),
      cmocka_unit_test(files_that_are_not_there_are_refused_with_what_could_be),
      cmocka_unit_test(bad_flat_texts_are_refused_by_line_and_reason),
      cmocka_unit_test(every_form_reads_back_what_it_wrote),
      cmocka_unit_test(links_are_found_at_the_nodes_they_leave),
      cmocka_unit_test(hosts_are_found_by_name_with_and_without_a_domain),
      cmocka_unit_test(a_name_without_a_domain_that_fits_several_hosts_is_none_of_them),
      cmocka_unit_test(hosts_are_found_by_their_aliases),
      cmocka_unit_test(collectives_have_names_that_are_read_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
