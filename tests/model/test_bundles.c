/* What is planned and predicted over a bundle is what is planned and predicted over one cable of
   the rate, and with the buffer, that the bundle can be relied on for. */
#include "support/setting.h"

#include <tourney/model.h>

#include "model/fingerprint.h"

static struct tny_cluster *read_flat(const char *trunk)
{
  char text[512];
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  snprintf(text, sizeof text,
           "cluster 1 pair\nhost a\nhost b\nhost c\nhost d\nhost e\nhost f\nswitch s\nswitch t\n"
           "cable a s 100000000 5000 65536\ncable b s 100000000 5000 65536\n"
           "cable c s 100000000 5000 65536\n"
           "cable d t 100000000 5000 65536\ncable e t 100000000 5000 65536\n"
           "cable f t 100000000 5000 65536\n%s\n",
           trunk);
  if (tny_cluster_read_flat(text, &cluster, &error))
    fail_msg("%s: %u: %s", trunk, error.line, error.text);
  return cluster;
}

static struct tny_ranking rank(const struct setting *setting, enum tny_collective collective,
                               uint64_t block_bytes)
{
  struct tny_ranking ranking;
  struct tny_problem problem = setting->problem;
  const struct tny_model model = tny_model_make(&setting->network, problem.rank_count, NULL);
  problem.collective = collective;
  assert_int_equal(tny_model_rank(&model, &problem, tny_model_limits, block_bytes, &ranking, NULL),
                   TNY_OK);
  return ranking;
}

/* Whether all candidates are alike, in their order, cuts and predictions. */
static bool rank_alike(const char *trunk, const char *other, enum tny_collective collective)
{
  struct setting setting, like;
  bool alike = true;
  set_up_on(&setting, read_flat(trunk), TNY_MAP_BLOCK, 0);
  set_up_on(&like, read_flat(other), TNY_MAP_BLOCK, 0);
  struct tny_ranking ranking = rank(&setting, collective, 1 << 16);
  struct tny_ranking wanted = rank(&like, collective, 1 << 16);
  assert_int_equal(ranking.count, wanted.count);
  for (uint32_t i = 0; i < wanted.count; i++) {
    const struct tny_candidate *a = &ranking.list[i], *b = &wanted.list[i];
    alike = alike && a->choice.algorithm == b->choice.algorithm &&
            a->prediction.ns == b->prediction.ns &&
            a->prediction.message_bytes_max == b->prediction.message_bytes_max;
  }
  tny_ranking_free(&ranking);
  tny_ranking_free(&wanted);
  tear_down(&setting);
  tear_down(&like);
  return alike;
}

static void by_flow_predictions_are_those_of_one_cable(void **state)
{
  (void)state;
  for (unsigned c = 0; c < TNY_COLLECTIVE_COUNT; c++)
    assert_true(rank_alike("bundle s t 3 flow 50000000 5000 65536", "cable s t 50000000 5000 65536",
                           (enum tny_collective)c));
}

static void by_packet_predictions_are_those_of_a_cable_of_all_rates(void **state)
{
  (void)state;
  for (unsigned c = 0; c < TNY_COLLECTIVE_COUNT; c++)
    assert_true(rank_alike("bundle s t 3 packet 50000000 5000 65536",
                           "cable s t 150000000 5000 196608", (enum tny_collective)c));
  assert_false(rank_alike("bundle s t 3 packet 50000000 5000 65536",
                          "bundle s t 3 flow 50000000 5000 65536", TNY_ALLTOALL));
}

/* A plan that is kept for one is none of the other. */
static void clusters_of_other_bundles_have_other_fingerprints(void **state)
{
  (void)state;
  static const char *const trunks[] = {
      "cable s t 50000000 5000 65536", "bundle s t 2 flow 50000000 5000 65536",
      "bundle s t 3 flow 50000000 5000 65536", "bundle s t 2 packet 25000000 5000 32768"};
  uint64_t seen[4];
  for (size_t i = 0; i < 4; i++) {
    struct setting setting;
    set_up_on(&setting, read_flat(trunks[i]), TNY_MAP_BLOCK, 0);
    const struct tny_model model = tny_model_make(&setting.network, 6, NULL);
    seen[i] = tny_model_fingerprint(&model, &setting.network);
    for (size_t k = 0; k < i; k++)
      assert_true(seen[k] != seen[i]);
    tear_down(&setting);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(by_flow_predictions_are_those_of_one_cable),
      cmocka_unit_test(by_packet_predictions_are_those_of_a_cable_of_all_rates),
      cmocka_unit_test(clusters_of_other_bundles_have_other_fingerprints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
