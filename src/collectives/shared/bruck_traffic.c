/* What hierarchical Bruck lets ranks send, receive and pack, summed up peer set by peer set without
   making a step. */
#include "collectives/shared/bruck_traffic.h"

#include "core/alloc.h"
#include "core/error.h"

/* One weight of one level; arrays by position. */
struct sums {
  uint64_t *sent, *received; /* on all levels so far */
  uint64_t *packed;          /* of this weight */
  uint64_t weight;
  uint32_t radix; /* 1: straight */
};

/* The ranks of `count` parts, backwards from the part that `sizes` points behind. */
static uint64_t ranks_back(const uint64_t *sizes, uint64_t count)
{
  return sizes[0] - sizes[-(int64_t)count];
}

static uint64_t least(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* Before the digits of a weight, a bundle has already gone its way modulo the weight. So the
   bundles of the ways `run` to `run` + weight - 1 that end at one part are all in the part `run`
   before it, and each of them started one part further back than the one before. */
static void add_peers(const struct tny_peer_totals *totals, void *context)
{
  const struct sums *sums = context;
  const uint64_t n = totals->n, weight = sums->weight;
  const uint64_t cycle = weight * (sums->radix == 1 ? n : sums->radix);
  for (uint32_t part = 0; part < totals->differing; part++) {
    const uint64_t *represented = totals->represented + part, *sizes = totals->sizes + part + n + 1;
    const uint32_t position = totals->positions[part];
    uint64_t sent = 0, received = 0;
    for (uint64_t run = weight; run < n; run += weight)
      if (run % cycle > 0)
        sent +=
            (represented[run + 1] - represented[run]) * ranks_back(sizes, least(weight, n - run));
    for (uint64_t run = 0; run + weight < n; run += cycle)
      received += (represented[run + 1] - represented[run]) *
                  (ranks_back(sizes, least(cycle, n - run)) - ranks_back(sizes, weight));
    sums->sent[position] += sent;
    sums->received[position] += received;
    sums->packed[position] += sent;
  }
}

static void raise(uint64_t *most, const uint64_t *values, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (values[i] > *most)
      *most = values[i];
}

static enum tny_status add_level(const struct tny_representatives *representatives, uint32_t level,
                                 struct sums *sums, uint64_t *packed_most, struct tny_error *error)
{
  const struct tny_groups *groups = &representatives->levels.groups[level];
  enum tny_status status = TNY_OK;
  sums->weight = 1;
  do {
    memset(sums->packed, 0, groups->rank_count * sizeof *sums->packed);
    status = tny_representatives_sweep(representatives, level, add_peers, sums, error);
    raise(packed_most, sums->packed, groups->rank_count);
    sums->weight *= sums->radix;
  } while (status == TNY_OK && sums->radix > 1 && sums->weight < groups->count);
  return status;
}

enum tny_status tny_bruck_traffic(const struct tny_representatives *representatives,
                                  const uint32_t *radix, struct tny_bruck_traffic *most,
                                  struct tny_error *error)
{
  const size_t p = representatives->levels.groups[0].rank_count;
  uint64_t *memory = tny_new(3 * p, sizeof *memory);
  *most = (struct tny_bruck_traffic){0};
  if (!memory)
    return tny_error_memory(error);
  struct sums sums = {.sent = memory, .received = memory + p, .packed = memory + 2 * p};
  enum tny_status status = TNY_OK;
  for (uint32_t level = 1; status == TNY_OK && level <= representatives->levels.count; level++) {
    sums.radix = radix[level];
    status = add_level(representatives, level, &sums, &most->packed, error);
  }
  raise(&most->sent, sums.sent, p);
  raise(&most->received, sums.received, p);
  tny_free(memory);
  return status;
}
