/* Patterns from anywhere: what is read is square, and cuts an exchange down to a proved subset. */
#include <assert.h>

#include <tourney/pattern.h>
#include <tourney/verify.h>

#include "core/alloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void cut_down(const struct tny_pattern *pattern)
{
  const struct tny_problem problem = {.collective = TNY_ALLTOALL,
                                      .rank_count = pattern->rank_count};
  struct tny_schedule *full, *sparse;
  enum tny_status status = tny_plan_all(tny_algorithm_find(TNY_ALLTOALL, "shift"), &problem,
                                        (struct tny_pace){1, 0}, &full, NULL);
  assert(status == TNY_OK);
  status = tny_pass_subset(full, pattern, &sparse, NULL);
  assert(status == TNY_OK);
  status = tny_verify_data(sparse, NULL);
  assert(status == TNY_OK);
  (void)status;
  tny_schedule_free(sparse);
  tny_schedule_free(full);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct tny_pattern *pattern;
  char *text = tny_new(size + 1, 1);
  if (!text)
    return 0;
  memcpy(text, data, size);
  if (tny_pattern_read(text, "fuzz", &pattern, NULL) == TNY_OK) {
    assert((uint64_t)pattern->rank_count * pattern->rank_count <= size + 1);
    if (pattern->rank_count <= 16)
      cut_down(pattern);
    tny_pattern_free(pattern);
  }
  tny_free(text);
  return 0;
}
