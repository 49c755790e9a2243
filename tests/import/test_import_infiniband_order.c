/* The order of hosts that OpenSM's fat-tree routing writes, beside ibnetdiscover's listing. The
   files NETWORK.order are what OpenSM wrote of the simulated networks
   (tests/tool/test_infiniband.sh). */
#include "infiniband_support.h"
#include "support/memory.h"

#include "core/alloc.h"

#define FILES_MAX 3

static enum tny_status import_in_turn(const char *const texts[FILES_MAX], struct imported *imported,
                                      struct tny_error *error)
{
  static const char *const names[FILES_MAX] = {"first", "second", "third"};
  struct tny_import_file files[FILES_MAX];
  uint32_t count = 0;
  for (; count < FILES_MAX && texts[count]; count++)
    files[count] = (struct tny_import_file){.name = names[count], .text = texts[count]};
  const struct tny_import_request import = {
      .files = files, .file_count = count, .routes = &imported->routes};
  const char *format;
  return tny_cluster_import(&import, &imported->cluster, &format, error);
}

/* Hosts in the order of the cluster, with commas between them. */
static void check_hosts(const struct imported *imported, const char *wanted)
{
  char listed[2000] = "";
  size_t length = 0;
  for (uint32_t host = 0; host < imported->cluster->host_count; host++)
    length += (size_t)snprintf(listed + length, sizeof listed - length, "%s%s", host ? "," : "",
                               imported->cluster->node_names[host]);
  assert_string_equal(listed, wanted);
}

struct ordered {
  const char *net, *order, *hosts, *note; /* note: a part of it; NULL: there is none */
};

static void check_ordered(const struct ordered *ordered)
{
  for (int first = 0; first < 2; first++) {
    struct imported imported;
    struct tny_error error = {0};
    const char *const texts[FILES_MAX] = {first ? ordered->order : ordered->net,
                                          first ? ordered->net : ordered->order};
    if (import_in_turn(texts, &imported, &error))
      fail_msg("%s:%u: %s\n%s", error.file, error.line, error.text, ordered->order);
    check_hosts(&imported, ordered->hosts);
    const char *note = imported.cluster->note;
    if (ordered->note ? !note || !strstr(note, ordered->note) : note != NULL)
      fail_msg("the note is %s\n%s", note ? note : "none", ordered->order);
    release_imported(&imported);
  }
}

/* --- what OpenSM wrote --- */

static void hosts_come_in_the_order_that_opensm_wrote(void **state)
{
  (void)state;
  char *net = infiniband_file("fat_tree.topo"), *order = infiniband_file("fat_tree.order");
  check_ordered(&(struct ordered){net, order,
                                  "n000,n001,n002,n003,n004,n005,n006,n007,n008,n009,n010,n011,"
                                  "n012,n013,n014,n015",
                                  NULL});
  struct imported alone = import_files("fat_tree.topo", NULL);
  assert_string_not_equal(alone.cluster->node_names[0], "n000");
  release_imported(&alone);
  tny_text_free(net);
  tny_text_free(order);
}

/* Ranks in blocks sit on the hosts in switch order, which has to be that of the file: here too with
   the leaves of the fat tree, which have four hosts each, in another order. */
static void ranks_in_blocks_follow_the_order(void **state)
{
  (void)state;
  static const char shuffled[] =
      "0x1\tn009 HCA-1\n0x2\tn008 HCA-1\n0x3\tn011 HCA-1\n0x4\tn010 HCA-1\n0x5\tn001 HCA-1\n"
      "0x6\tn000 HCA-1\n0x7\tn002 HCA-1\n0x8\tn003 HCA-1\n0x9\tn015 HCA-1\n0xa\tn014 HCA-1\n"
      "0xb\tn013 HCA-1\n0xc\tn012 HCA-1\n0xd\tn004 HCA-1\n0xe\tn005 HCA-1\n0xf\tn006 HCA-1\n"
      "0x10\tn007 HCA-1\n";
  char *fat_tree = infiniband_file("fat_tree.topo"), *levels = infiniband_file("three_levels.topo");
  char *of_fat_tree = infiniband_file("fat_tree.order");
  char *of_levels = infiniband_file("three_levels.order");
  const char *const cases[][FILES_MAX] = {
      {fat_tree, of_fat_tree}, {fat_tree, shuffled}, {levels, of_levels}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct imported imported;
    struct tny_error error = {0};
    uint32_t hosts[16];
    if (import_in_turn(cases[i], &imported, &error))
      fail_msg("%s:%u: %s", error.file, error.line, error.text);
    assert_int_equal(imported.cluster->host_count, 16);
    assert_int_equal(tny_cluster_order(imported.cluster, hosts, NULL), TNY_OK);
    for (uint32_t position = 0; position < 16; position++)
      if (hosts[position] != position)
        fail_msg("case %zu: host %u is at position %u", i, hosts[position], position);
    release_imported(&imported);
  }
  tny_text_free(fat_tree);
  tny_text_free(levels);
  tny_text_free(of_fat_tree);
  tny_text_free(of_levels);
}

/* Each of its adapters is on a leaf of its own, so that the order has it twice. */
static void a_host_of_several_adapters_has_the_place_of_its_first(void **state)
{
  (void)state;
  char *net = infiniband_file("rails.topo"), *order = infiniband_file("rails.order");
  check_ordered(
      &(struct ordered){net, order, "gpu0,gpu1,gpu2,gpu3,login", "4 hosts have several cables"});
  check_ordered(&(struct ordered){net,
                                  "0x000c\tlogin mlx5_0\n0x0009\tgpu2 mlx5_1\n0x0004\tgpu0 mlx5_0\n"
                                  "0x0008\tgpu2 mlx5_0\n",
                                  "login,gpu2,gpu0,gpu1,gpu3",
                                  "through one. 2 hosts aren't in OpenSM's order: behind all "
                                  "others"});
  tny_text_free(net);
  tny_text_free(order);
}

/* The tables are those of the network without an order. */
static void routes_are_those_without_the_order(void **state)
{
  (void)state;
  char *net = infiniband_file("fat_tree.topo"), *tables = infiniband_file("fat_tree.lft");
  char *order = infiniband_file("fat_tree.order");
  struct imported with, without;
  struct tny_routes *one, *other;
  struct tny_error error = {0};
  assert_int_equal(import_in_turn((const char *[FILES_MAX]){order, tables, net}, &with, &error),
                   TNY_OK);
  assert_int_equal(import_in_turn((const char *[FILES_MAX]){net, tables}, &without, &error),
                   TNY_OK);
  const struct tny_cluster *a = with.cluster, *b = without.cluster;
  assert_int_equal(tny_routes_read(a, with.routes, "routes", &one, &error), TNY_OK);
  assert_int_equal(tny_routes_read(b, without.routes, "routes", &other, &error), TNY_OK);
  for (uint32_t from = 0; from < a->host_count; from++)
    for (uint32_t to = 0; to < a->host_count; to++) {
      uint32_t x = from, y = node_called(b, a->node_names[from]), left;
      const uint32_t end = node_called(b, a->node_names[to]);
      while ((left = tny_routes_next(one, x, to)) != TNY_NONE) {
        const uint32_t right = tny_routes_next(other, y, end);
        assert_int_not_equal(right, TNY_NONE);
        x = a->links[left].to;
        y = b->links[right].to;
        assert_string_equal(a->node_names[x], b->node_names[y]);
      }
      assert_int_equal(y, end);
    }
  tny_routes_free(one);
  tny_routes_free(other);
  release_imported(&with);
  release_imported(&without);
  tny_text_free(net);
  tny_text_free(tables);
  tny_text_free(order);
}

/* --- names --- */

/* Without an order aggregation.topo has node02, node03, node00, node01; two aggregation nodes are
   beside them. */
static void hosts_are_found_by_their_descriptions(void **state)
{
  (void)state;
  char *names = infiniband_file("names.topo"), *aggregation = infiniband_file("aggregation.topo");
  const struct ordered cases[] = {
      {names,
       "0x0001\tnode00.cluster mlx4_0\n0x0002\tMT25408 ConnectX Mellanox Technologies\n"
       "0x0003\tnode01 mlx4_0\n0x0004\tnode02.cluster mlx4_0\n0x0005\tnode03.cluster mlx4_0\n",
       "node00.cluster,H-0002c90300100900,node01,node02.cluster,node03.cluster",
       "1 host is called by GUID"},
      /* the adapter is called otherwise, or not at all; the file has passed through an editor */
      {aggregation,
       "# by hand\r\n\r\n0x1\tnode03 HCA-1\r\n0xFFFF\tDUMMY\r\n0xffff\tDUMMY\r\n0x2\tnode01\r\n"
       "0x3\tMellanox Technologies Aggregation Node\r\n0xbFfF\t node02 mlx5_0 \r\n"
       "0x3\tMellanox Technologies Aggregation Node\r\n0x9\tnode00 mlx5_0",
       "node03,node01,node02,node00", "2 nodes that are neither"},
      {aggregation, "0x0001\tnode03 mlx5_0\n", "node03,node02,node00,node01",
       "3 hosts aren't in OpenSM's order: behind all others"},
      {aggregation, "0x1\tnode01 mlx5_0\n0x2\tnode03 mlx5_0\n0x4\tnode00 mlx5_0\n",
       "node01,node03,node00,node02", "1 host isn't in OpenSM's order: behind all others"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check_ordered(&cases[i]);
  tny_text_free(names);
  tny_text_free(aggregation);
}

/* --- memory and time --- */

static enum tny_status import_again(const void *texts, struct tny_error *error)
{
  struct imported imported;
  const enum tny_status status = import_in_turn(texts, &imported, error);
  if (status == TNY_OK)
    release_imported(&imported);
  return status;
}

static void importing_survives_every_failed_allocation(void **state)
{
  (void)state;
  char *net = infiniband_file("rails.topo"), *order = infiniband_file("rails.order");
  starve(import_again, (const char *[FILES_MAX]){net, order});
  tny_text_free(net);
  tny_text_free(order);
}

/* 10,000 hosts on 100 switches in a row, in an order that begins with the last. What takes time in
   proportion to the square of the hosts wouldn't end within the test's time. */
static void a_long_order_takes_time_in_proportion_to_it(void **state)
{
  (void)state;
  enum { LEAVES = 100, EACH = 100, HOSTS = LEAVES * EACH };
  struct tny_text net = {0}, order = {0};
  for (unsigned leaf = 0; leaf < LEAVES; leaf++) {
    tny_text_add(&net, "\nSwitch 128 \"S-%x\" # \"leaf%u\" base port 0 lid 1 lmc 0\n", leaf, leaf);
    if (leaf)
      tny_text_add(&net, "[101] \"S-%x\"[102] # \"leaf\" lid 1 4xHDR\n", leaf - 1);
    if (leaf + 1 < LEAVES)
      tny_text_add(&net, "[102] \"S-%x\"[101] # \"leaf\" lid 1 4xHDR\n", leaf + 1);
    for (unsigned i = 0; i < EACH; i++)
      tny_text_add(&net, "[%u] \"H-%x\"[1](1%x) # \"n HCA-1\" lid 3 4xHDR\n", 1 + i,
                   leaf * EACH + i, leaf * EACH + i);
  }
  for (unsigned host = 0; host < HOSTS; host++) {
    tny_text_add(
        &net,
        "\nCa 1 \"H-%x\" # \"n%u HCA-1\"\n[1](1%x) \"S-%x\"[%u] # lid 3 lmc 0 \"leaf\" lid "
        "1 4xHDR\n",
        host, host, host, host / EACH, 1 + host % EACH);
    tny_text_add(&order, "0x%04x\tn%u HCA-1\n0xFFFF\tDUMMY\n", host % 0xbfff, HOSTS - 1 - host);
  }
  struct imported imported;
  struct tny_error error = {0};
  if (import_in_turn((const char *[FILES_MAX]){net.bytes, order.bytes}, &imported, &error))
    fail_msg("%s:%u: %s", error.file, error.line, error.text);
  assert_int_equal(imported.cluster->host_count, HOSTS);
  assert_string_equal(imported.cluster->node_names[0], "n9999");
  assert_string_equal(imported.cluster->node_names[HOSTS - 1], "n0");
  release_imported(&imported);
  tny_text_release(&net);
  tny_text_release(&order);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hosts_come_in_the_order_that_opensm_wrote),
      cmocka_unit_test(ranks_in_blocks_follow_the_order),
      cmocka_unit_test(a_host_of_several_adapters_has_the_place_of_its_first),
      cmocka_unit_test(routes_are_those_without_the_order),
      cmocka_unit_test(hosts_are_found_by_their_descriptions),
      cmocka_unit_test(importing_survives_every_failed_allocation),
      cmocka_unit_test(a_long_order_takes_time_in_proportion_to_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
