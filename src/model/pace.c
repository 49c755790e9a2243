/* Chunks and window: wide enough to keep a link busy, and such that the bytes in flight over every
   link stay under half of its port buffer while ranks keep step. The other half takes the skew
   between ranks, the frames' headers and the acknowledgements of the other direction. */
#include "model/latent.h"

#include "core/alloc.h"
#include "core/error.h"

enum {
  CHUNK_BYTES = 4096,     /* short enough to interleave; headers cost 5 % */
  CHUNK_BYTES_MIN = 1024, /* below this the headers cost more than a full buffer does */
  CHUNK_COST_BYTES =
      400, /* what a chunk costs beside its bytes: frame and MPI headers, a credit, a hop */
  CREDITED_BYTES = 4 * 4096, /* in flight to one rank: its credits take a while to come back */
};

/* Credits hold back each pair of ranks by itself, so that all pairs may be at it at once; receives
   hold back all that a rank sends, so that ranks move from phase to phase together. */
static bool all_at_once(const struct tny_algorithm *algorithm)
{
  return algorithm->pacing == TNY_PACE_CREDITS;
}

/* Adds the messages that `rank` sends to the counts of their phases and links. */
static enum tny_status count_rank(const struct tny_algorithm *algorithm,
                                  const struct tny_problem *problem,
                                  const struct tny_network *network, uint32_t rank,
                                  uint32_t *counts)
{
  struct tny_steps steps;
  const struct tny_pace whole = {.chunk_count = 1};
  const enum tny_status status = tny_plan_rank(algorithm, problem, whole, rank, &steps, NULL);
  if (status != TNY_OK)
    return status;
  const struct tny_cluster *cluster = network->routes->cluster;
  for (uint32_t i = 0; i < steps.count; i++) {
    const struct tny_step *step = &steps.steps[i];
    if (step->kind != TNY_SEND)
      continue;
    const uint32_t to = network->host_of_rank[step->peer];
    const size_t phase = all_at_once(algorithm) ? 0 : step->phase;
    uint32_t node = network->host_of_rank[rank], link;
    for (; (link = tny_routes_next(network->routes, node, to)) != TNY_NONE;
         node = cluster->links[link].to)
      counts[phase * cluster->link_count + link]++;
  }
  tny_steps_release(&steps);
  return TNY_OK;
}

enum tny_status tny_model_slot_bytes(const struct tny_algorithm *algorithm,
                                     const struct tny_problem *problem,
                                     const struct tny_network *network, uint64_t *slot_bytes,
                                     struct tny_error *error)
{
  *slot_bytes = UINT64_MAX;
  const struct tny_cluster *cluster = network->routes->cluster;
  const uint32_t phases = all_at_once(algorithm) ? 1 : algorithm->claim(problem).phases;
  const size_t cell_count = (size_t)phases * cluster->link_count;
  uint32_t *counts = tny_new(cell_count, sizeof *counts);
  if (!counts)
    return tny_error_memory(error);
  enum tny_status status = TNY_OK;
  for (uint32_t rank = 0; status == TNY_OK && rank < problem->rank_count; rank++)
    status = count_rank(algorithm, problem, network, rank, counts);
  if (status == TNY_OK) {
    for (size_t cell = 0; cell < cell_count; cell++) {
      if (counts[cell] == 0)
        continue;
      const uint64_t share = cluster->links[cell % cluster->link_count].buffer_bytes / counts[cell];
      if (share < *slot_bytes)
        *slot_bytes = share;
    }
  } else {
    tny_error_set(error, status, "%s can't be planned for %u ranks", algorithm->name,
                  problem->rank_count);
  }
  tny_free(counts);
  return status;
}

/* A pipeline of p-2 hops after the first takes (n + p-2) chunk times for n chunks, each with its
   cost: the best chunk is sqrt(block * cost / (p-2)). */
static uint64_t pipeline_chunk_bytes(uint32_t p, uint64_t block_bytes)
{
  const uint64_t hops = p > 2 ? p - 2 : 1, step = 128;
  uint64_t chunk_bytes = CHUNK_BYTES_MIN;
  while (chunk_bytes < CHUNK_BYTES &&
         (chunk_bytes + step) * (chunk_bytes + step) <= block_bytes / hops * CHUNK_COST_BYTES)
    chunk_bytes += step;
  return chunk_bytes;
}

/* Chunks on the way to keep a link busy. Where receives are the clock, each rank always has one of
   its own on the way, and the latency's worth; where credits are, what is on the way until a credit
   is back. */
static uint64_t window_wanted(const struct tny_model *model, enum tny_pacing pacing,
                              uint64_t chunk_bytes)
{
  const uint64_t latent_bytes = tny_model_latent_bytes(model);
  if (pacing == TNY_PACE_CREDITS)
    return (CREDITED_BYTES + 2 * latent_bytes) / chunk_bytes;
  return 1 + (latent_bytes + chunk_bytes / 2) / chunk_bytes;
}

struct tny_pace tny_model_pace(const struct tny_model *model, const struct tny_algorithm *algorithm,
                               uint64_t slot_bytes, uint64_t block_bytes)
{
  const uint64_t budget = slot_bytes / 2;
  uint64_t chunk_bytes = algorithm->cut == TNY_CUT_PIPELINED
                             ? pipeline_chunk_bytes(model->rank_count, block_bytes)
                             : CHUNK_BYTES;
  if (chunk_bytes > budget)
    chunk_bytes = budget > CHUNK_BYTES_MIN ? budget : CHUNK_BYTES_MIN;
  const uint64_t chunks = block_bytes / chunk_bytes + (block_bytes % chunk_bytes != 0);
  const uint64_t wanted = window_wanted(model, algorithm->pacing, chunk_bytes);
  const uint64_t allowed = budget / chunk_bytes;
  const uint64_t window = wanted < allowed ? wanted : allowed;
  return (struct tny_pace){
      .chunk_count = chunks < 1            ? 1
                     : chunks > UINT32_MAX ? UINT32_MAX
                                           : (uint32_t)chunks,
      .window = window < 1            ? 1
                : window > UINT32_MAX ? UINT32_MAX
                                      : (uint32_t)window,
  };
}
