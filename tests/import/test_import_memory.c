/* Every allocation fails once; lists that are too long take no memory; and a large network takes
   time in proportion to its hosts. */
#include "import_support.h"
#include "support/memory.h"

static const char conf[] = "SwitchName=top Switches=s[0-2]\nSwitchName=s0 Nodes=n[0-90]\n"
                           "SwitchName=s1 Nodes=m[0-3]\nSwitchName=s2\n";
static const char blocks[] = "BlockName=top Nodes=n[0-90]\nBlockName=b Nodes=m\n";
static const char yaml[] = "- topology: t\n  tree:\n    switches:\n    - switch: top\n"
                           "      children: s0\n    - switch: s0\n      nodes: n[0-90]\n";
static const char circle[] = "SwitchName=a Switches=b,c\nSwitchName=b Switches=a\n"
                             "SwitchName=c Nodes=n\n";
static const char apart[] = "SwitchName=a Nodes=n\nSwitchName=b Nodes=m\n";

static enum tny_status import(const void *text, struct tny_error *error)
{
  struct tny_cluster *cluster;
  const enum tny_status status = import_text(text, NULL, NULL, &cluster, error);
  tny_cluster_free(cluster);
  return status;
}

static enum tny_status import_part(const void *text, struct tny_error *error)
{
  const struct tny_import_file file = {.name = "test", .text = text};
  const struct tny_import_request import = {
      .files = &file, .file_count = 1, .hosts = "n[3-80]", .link_bps = 1000000000};
  struct tny_cluster *cluster;
  const char *format;
  const enum tny_status status = tny_cluster_import(&import, &cluster, &format, error);
  assert_true((cluster == NULL) == (status != TNY_OK));
  tny_cluster_free(cluster);
  return status;
}

/* As above, where the answer is to be that the text is refused. */
static enum tny_status refuse(const void *text, struct tny_error *error)
{
  const enum tny_status status = import(text, error);
  assert_int_not_equal(status, TNY_OK);
  if (status != TNY_BAD_INPUT)
    return status;
  *error = (struct tny_error){0};
  return TNY_OK;
}

static void importing_survives_every_failed_allocation(void **state)
{
  (void)state;
  starve(import, conf);
  starve(import_part, conf);
  starve(import, blocks);
  starve(import, yaml);
  starve(refuse, circle);
  starve(refuse, apart);
  starve(refuse, "graph { a -- b }");
  starve(refuse, "- topology: t\n  flat: true\n- topology: u\n  flat: true\n");
}

static void lists_that_are_too_long_take_no_memory(void **state)
{
  (void)state;
  const uint64_t before = tny_alloc_bytes();
  struct tny_error error = {0};
  assert_int_equal(refuse("SwitchName=s0 Nodes=n[0-9999][0-9999]\n", &error), TNY_OK);
  assert_true(tny_alloc_bytes() - before < 10000);
}

/* A list of 512 KiB that 300 switches of a topology.yaml have below them, by its alias. */
static void lists_that_aliases_multiply_are_refused(void **state)
{
  (void)state;
  enum { LIST_BYTES = 512 << 10, SWITCHES = 300, REFUSED_LINE = 4 + 256 };
  char *name = test_malloc(LIST_BYTES + 1);
  memset(name, 's', LIST_BYTES);
  name[LIST_BYTES] = '\0';
  struct tny_text text = {0};
  tny_text_add(
      &text, "- topology: t\n  tree:\n    switches:\n    - {switch: s0, children: &a %s}\n", name);
  for (unsigned i = 1; i < SWITCHES; i++)
    tny_text_add(&text, "    - {switch: s%u, children: *a}\n", i);
  struct tny_error error = {0};
  assert_int_equal(import(text.bytes, &error), TNY_BAD_INPUT);
  if (error.line != REFUSED_LINE || !strstr(error.text, "longer than 128 MiB together"))
    fail_msg("%u: %s", error.line, error.text);
  tny_text_release(&text);
  test_free(name);
}

/* 200,000 hosts on 10,000 switches, under 100 more, each of which has all below one of ten. What
   takes time in proportion to the square of the hosts wouldn't end within the test's time. */
static void a_large_network_takes_time_in_proportion_to_its_hosts(void **state)
{
  (void)state;
  enum { LEAVES = 10000, HOSTS_EACH = 20, SPINES = 100, TOPS = 10 };
  struct tny_text text = {0};
  for (unsigned i = 0; i < TOPS; i++)
    tny_text_add(&text, "SwitchName=top%u Switches=spine[0-%u]\n", i, SPINES - 1);
  for (unsigned i = 0; i < SPINES; i++)
    tny_text_add(&text, "SwitchName=spine%u Switches=leaf[%u-%u]\n", i, i * (LEAVES / SPINES),
                 (i + 1) * (LEAVES / SPINES) - 1);
  for (unsigned i = 0; i < LEAVES; i++)
    tny_text_add(&text, "SwitchName=leaf%u Nodes=n[%06u-%06u]\n", i, i * HOSTS_EACH,
                 (i + 1) * HOSTS_EACH - 1);
  assert_false(text.failed);
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  if (import_text(text.bytes, NULL, NULL, &cluster, &error))
    fail_msg("%u: %s", error.line, error.text);
  assert_int_equal(cluster->host_count, LEAVES * HOSTS_EACH);
  assert_int_equal(cluster->switch_count, LEAVES + SPINES + TOPS);
  assert_int_equal(cluster->link_count / 2, LEAVES * HOSTS_EACH + LEAVES + SPINES * TOPS);
  tny_cluster_free(cluster);
  tny_text_release(&text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(importing_survives_every_failed_allocation),
      cmocka_unit_test(lists_that_are_too_long_take_no_memory),
      cmocka_unit_test(lists_that_aliases_multiply_are_refused),
      cmocka_unit_test(a_large_network_takes_time_in_proportion_to_its_hosts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
