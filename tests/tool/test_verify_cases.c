/* What tourney verify --all covers, from its list of clusters: each number of ranks with every
   root, and each kind of cluster with several numbers of ranks. */
#include "support/cluster.h"

#include "cli/verify/cases.h"

enum { RANKS_LAST = 129 };

static bool has_ranks(const struct verify_family *family, uint32_t ranks)
{
  for (uint32_t number = family->first; number <= family->last; number++)
    if (verify_rank_count(family, number) == ranks)
      return true;
  return false;
}

/* Is there a family of every root for so many ranks, on clusters whose names begin so? */
static bool has_every_root(uint32_t ranks, const char *kind, bool is_shared)
{
  for (uint32_t i = 0; i < verify_family_count; i++) {
    const struct verify_family *family = &verify_families[i];
    struct tny_cluster *cluster;
    if (family->roots != VERIFY_EVERY_ROOT || family->only || !has_ranks(family, ranks))
      continue;
    /* In these families a number is its number of ranks. */
    assert_int_equal(verify_rank_count(family, ranks), ranks);
    assert_int_equal(family->make(ranks, &cluster, NULL), TNY_OK);
    const bool is_one = strncmp(cluster->name, kind, strlen(kind)) == 0 &&
                        (cluster->host_count < ranks) == is_shared;
    tny_cluster_free(cluster);
    if (is_one)
      return true;
  }
  return false;
}

/* It isn't the product of two sides of three nodes or more. */
static bool has_no_torus(uint32_t ranks)
{
  for (uint32_t side = 3; side * side <= ranks; side++)
    if (ranks % side == 0)
      return false;
  return true;
}

static void every_root_of_1_to_129_ranks_is_proved_somewhere(void **state)
{
  (void)state;
  for (uint32_t ranks = 1; ranks <= RANKS_LAST; ranks++) {
    assert_true(has_every_root(ranks, "single:", false));
    if (ranks < 2)
      continue;
    assert_true(has_every_root(ranks, "single:", true));
    assert_true(has_every_root(ranks, "switches:", false));
    if (ranks > 2)
      assert_true(has_every_root(ranks, "ring:", false));
    if (ranks % 3 == 0 && ranks > 6)
      assert_true(has_every_root(ranks, "torus:", false));
    else if (ranks % 2 == 0 && ranks > 2 && has_no_torus(ranks))
      assert_true(has_every_root(ranks, "mesh:", false));
  }
}

/* How many numbers of ranks there are on clusters whose names begin so; of all families. */
static uint32_t count_ranks(const char *kind)
{
  bool is_there[2 * RANKS_LAST] = {false};
  uint32_t count = 0;
  for (uint32_t i = 0; i < verify_family_count; i++) {
    const struct verify_family *family = &verify_families[i];
    for (uint32_t number = family->first; number <= family->last && number <= 64; number++) {
      struct tny_cluster *cluster;
      const uint32_t ranks = verify_rank_count(family, number);
      assert_int_equal(family->make(number, &cluster, NULL), TNY_OK);
      assert_int_equal(cluster->host_count, family->hosts(number));
      if (strncmp(cluster->name, kind, strlen(kind)) == 0 && ranks < 2 * RANKS_LAST &&
          !is_there[ranks]) {
        is_there[ranks] = true;
        count++;
      }
      tny_cluster_free(cluster);
    }
  }
  return count;
}

static void each_kind_of_cluster_has_several_numbers_of_ranks(void **state)
{
  (void)state;
  static const char *const kinds[] = {
      "single:", "switches:",  "ring:",      "torus:",       "mesh:",        "fattree:",
      "zones:",  "irregular:", "dragonfly:", "hammingmesh:", "random-tree:", "star:"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    assert_in_range(count_ranks(kinds[i]), 4, 2 * RANKS_LAST);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_root_of_1_to_129_ranks_is_proved_somewhere),
      cmocka_unit_test(each_kind_of_cluster_has_several_numbers_of_ranks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
