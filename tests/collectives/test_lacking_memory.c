/* Every registered algorithm where memory is lacking: whichever allocation fails, planning says so
   and leaves nothing behind. */
#include "support/setting.h"

#include "collectives/memory_support.h"

/* Powers of two and others, one rank a host and several, on a tree, a ring, a torus, and on two
   distant clusters; so that each algorithm takes one at least. */
static const struct {
  const char *cluster;
  uint32_t rank_count; /* 0: one a host */
} settings[] = {
    {"single:8", 0},  {"switches:4+3", 0}, {"switches:2+2", 8},
    {"torus:3x4", 0}, {"ring:8", 0},       {"zones:2+3,delay=10ms,rate=1Gbit/s", 0},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

static bool starve_on(const struct setting *setting, const struct tny_algorithm *algorithm)
{
  struct planning planning = {.algorithm = algorithm,
                              .problem = setting->problem,
                              .pace = {.chunk_count = 1, .window = 1},
                              .rank = setting->problem.rank_count - 1};
  struct tny_pattern *pattern = sizes_for(setting, algorithm);
  planning.problem.collective = algorithm->collective;
  planning.problem.pattern = pattern;
  planning.pace.chunk_count = tny_algorithm_parts(algorithm, setting->problem.rank_count);
  const bool serves = !tny_algorithm_refusal(algorithm, &planning.problem);
  if (serves)
    assert_true(starve_planning(&planning) > 0);
  tny_pattern_free(pattern);
  return serves;
}

static void no_algorithm_takes_lacking_memory_for_steps(void **state)
{
  (void)state;
  for (size_t i = 0; tny_algorithms[i]; i++) {
    uint32_t planned = 0;
    for (size_t j = 0; j < SETTINGS; j++) {
      struct setting setting;
      set_up(&setting, settings[j].cluster, TNY_MAP_BLOCK, settings[j].rank_count);
      planned += starve_on(&setting, tny_algorithms[i]);
      tear_down(&setting);
    }
    if (planned == 0)
      fail_msg("%s: no cluster here is one for it", tny_algorithms[i]->name);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_algorithm_takes_lacking_memory_for_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
