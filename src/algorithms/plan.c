/* From a problem to steps: emit, chunk, pace. And the switch order that problems carry. */
#include <tourney/algorithm.h>

#include "core/alloc.h"
#include "core/error.h"

/* Chunks the steps in place. */
static enum tny_status cut(const struct tny_algorithm *algorithm, const struct tny_problem *problem,
                           uint32_t chunk_count, struct tny_steps *steps, struct tny_error *error)
{
  const uint32_t stride = algorithm->pipelined ? 1 : algorithm->claim(problem).phases;
  struct tny_steps pieces;
  const enum tny_status status =
      tny_pass_chunk(steps, chunk_count, algorithm->interleave, stride, &pieces, error);
  if (status == TNY_OK) {
    tny_steps_release(steps);
    *steps = pieces;
  }
  return status;
}

/* Paces the steps in place. */
static enum tny_status clock_steps(const struct tny_algorithm *algorithm, uint32_t window,
                                   struct tny_steps *steps, struct tny_error *error)
{
  struct tny_steps paced;
  const enum tny_status status = tny_pass_pace(steps, algorithm->pacing, window, &paced, error);
  if (status == TNY_OK) {
    tny_steps_release(steps);
    *steps = paced;
  }
  return status;
}

enum tny_status tny_plan_rank(const struct tny_algorithm *algorithm,
                              const struct tny_problem *problem, struct tny_pace pace,
                              uint32_t rank, struct tny_steps *steps, struct tny_error *error)
{
  *steps = (struct tny_steps){0};
  const char *refused = algorithm->refuse ? algorithm->refuse(problem) : NULL;
  if (refused)
    return tny_error_set(error, TNY_REFUSED, "%s can't plan this: %s", algorithm->name, refused);
  struct tny_builder builder;
  tny_builder_init(&builder);
  algorithm->emit(problem, rank, &builder);
  enum tny_status status = tny_builder_finish(&builder, steps, error);
  if (status == TNY_OK && pace.chunk_count > 1)
    status = cut(algorithm, problem, pace.chunk_count, steps, error);
  if (status == TNY_OK && pace.window > 0)
    status = clock_steps(algorithm, pace.window, steps, error);
  if (status != TNY_OK)
    tny_steps_release(steps);
  return status;
}

enum tny_status tny_plan_all(const struct tny_algorithm *algorithm,
                             const struct tny_problem *problem, struct tny_pace pace,
                             struct tny_schedule **schedule, struct tny_error *error)
{
  enum tny_status status = tny_schedule_new(problem->collective, problem->rank_count, problem->root,
                                            algorithm->name, schedule, error);
  if (status != TNY_OK)
    return status;
  (*schedule)->chunk_count = pace.chunk_count > 1 ? pace.chunk_count : 1;
  for (uint32_t rank = 0; status == TNY_OK && rank < problem->rank_count; rank++)
    status = tny_plan_rank(algorithm, problem, pace, rank, &(*schedule)->ranks[rank], error);
  if (status != TNY_OK) {
    tny_schedule_free(*schedule);
    *schedule = NULL;
  }
  return status;
}

enum tny_status tny_order_ranks(const struct tny_cluster *cluster, const uint32_t *host_of_rank,
                                uint32_t rank_count, uint32_t *order, uint32_t *position,
                                struct tny_error *error)
{
  const uint32_t host_count = cluster->host_count;
  uint32_t *hosts = tny_new(host_count, sizeof *hosts);
  uint32_t *ranks_on = tny_new(host_count, sizeof *ranks_on);
  uint32_t *next = tny_new(host_count, sizeof *next); /* by host: its next free position */
  enum tny_status status = hosts && ranks_on && next ? TNY_OK : tny_error_memory(error);
  if (status == TNY_OK)
    status = tny_cluster_order(cluster, hosts, error);
  if (status == TNY_OK) {
    for (uint32_t rank = 0; rank < rank_count; rank++)
      ranks_on[host_of_rank[rank]]++;
    for (uint32_t i = 0, placed = 0; i < host_count; i++) {
      next[hosts[i]] = placed;
      placed += ranks_on[hosts[i]];
    }
    for (uint32_t rank = 0; rank < rank_count; rank++) {
      position[rank] = next[host_of_rank[rank]]++;
      order[position[rank]] = rank;
    }
  }
  tny_free(next);
  tny_free(ranks_on);
  tny_free(hosts);
  return status;
}
