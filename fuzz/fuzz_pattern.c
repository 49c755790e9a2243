/* Fuzz target: the input as a pattern. What is read is square, and cuts an exchange down to a
   proved subset. */
#include "fuzz_support.h"

#include <tourney/pattern.h>
#include <tourney/verify.h>

static void cut_down(const struct tny_pattern *pattern)
{
  const struct tny_problem problem = {.collective = TNY_ALLTOALL,
                                      .rank_count = pattern->rank_count};
  struct tny_schedule *full, *sparse;
  require(tny_plan_all(tny_algorithm_find(TNY_ALLTOALL, "shift"), &problem,
                       (struct tny_pace){1, 0, 0}, &full, NULL) == TNY_OK);
  require(tny_pass_subset(full, pattern, &sparse, NULL) == TNY_OK);
  require(tny_verify_data(sparse, NULL) == TNY_OK);
  tny_schedule_free(sparse);
  tny_schedule_free(full);
}

static void fuzz(const char *text)
{
  struct tny_pattern *pattern;
  if (tny_pattern_read(text, "fuzz", &pattern, NULL) == TNY_OK) {
    require((uint64_t)pattern->rank_count * pattern->rank_count <= strlen(text) + 1);
    if (pattern->rank_count <= 16)
      cut_down(pattern);
    tny_pattern_free(pattern);
  }
}
