/* The two butterflies, and what goes between groups by each. */
#include <stdio.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/random.h"
#include "reproduce/desensi2025/desensi2025.h"
#include "reproduce/shared/experiment.h"

enum tny_status tny_bine_plan(enum tny_collective collective, const char *algorithm,
                              uint32_t rank_count, struct tny_schedule **schedule,
                              struct tny_error *error)
{
  char cluster[32];
  struct tny_site site;
  *schedule = NULL;
  snprintf(cluster, sizeof cluster, "single:%u", rank_count);
  const struct tny_site_wanted wanted = {.cluster = cluster};
  const struct tny_plan_wanted plan = {.collective = collective, .algorithm = algorithm};
  enum tny_status status = tny_site_open(&site, &wanted, error);
  if (status == TNY_OK)
    status = tny_site_plan(&site, &plan, schedule, error);
  tny_site_close(&site);
  return status;
}

static enum tny_status make_bine(uint32_t rank_count, struct tny_sends *messages,
                                 struct tny_error *error)
{
  struct tny_schedule *schedule;
  enum tny_status status = tny_bine_plan(TNY_ALLGATHER, "bine", rank_count, &schedule, error);
  if (status == TNY_OK)
    status = tny_sends_list(schedule, messages, error);
  tny_schedule_free(schedule);
  return status;
}

static enum tny_status make_binomial(uint32_t rank_count, struct tny_sends *messages,
                                     struct tny_error *error)
{
  uint32_t steps = 0;
  while ((uint32_t)1 << steps < rank_count)
    steps++;
  *messages = (struct tny_sends){.rank_count = rank_count, .phase_count = steps};
  messages->list = tny_new((size_t)steps * rank_count, sizeof *messages->list);
  if (!messages->list)
    return tny_error_memory(error);
  for (uint32_t step = 0; step < steps; step++)
    for (uint32_t rank = 0; rank < rank_count; rank++)
      messages->list[messages->count++] = (struct tny_sent){.from = rank,
                                                            .to = rank ^ (uint32_t)1 << step,
                                                            .phase = steps - 1 - step,
                                                            .blocks = rank_count >> (step + 1)};
  return TNY_OK;
}

enum tny_status tny_bine_open(struct tny_bine_butterflies *butterflies, uint32_t rank_count,
                              struct tny_error *error)
{
  *butterflies = (struct tny_bine_butterflies){0};
  butterflies->group_of_rank = tny_new(rank_count, sizeof *butterflies->group_of_rank);
  if (!butterflies->group_of_rank)
    return tny_error_memory(error);
  enum tny_status status = make_bine(rank_count, &butterflies->bine, error);
  if (status == TNY_OK)
    status = make_binomial(rank_count, &butterflies->binomial, error);
  return status;
}

void tny_bine_close(struct tny_bine_butterflies *butterflies)
{
  tny_sends_release(&butterflies->bine);
  tny_sends_release(&butterflies->binomial);
  tny_free(butterflies->group_of_rank);
  *butterflies = (struct tny_bine_butterflies){0};
}

double tny_bine_reduction(struct tny_bine_butterflies *butterflies, const uint32_t *ends,
                          uint32_t end_count)
{
  uint32_t *groups = butterflies->group_of_rank;
  for (uint32_t rank = 0, group = 0; rank < butterflies->bine.rank_count; rank++) {
    while (group < end_count && rank >= ends[group])
      group++;
    groups[rank] = group;
  }
  const double bine = (double)tny_sends_between(&butterflies->bine, groups);
  const double binomial = (double)tny_sends_between(&butterflies->binomial, groups);
  return 100 * (binomial - bine) / binomial;
}

/* Selection sampling (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S): each rank in
   turn is taken with the probability that so many more are needed of those left. */
void tny_bine_draw_ends(uint32_t rank_count, uint32_t end_count, uint64_t *random, uint32_t *ends)
{
  uint32_t drawn = 0;
  for (uint32_t rank = 1; rank < rank_count; rank++)
    if (tny_random_next(random) % (rank_count - rank) < end_count - drawn)
      ends[drawn++] = rank;
}
