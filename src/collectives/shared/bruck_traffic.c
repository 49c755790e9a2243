/* What hierarchical Bruck has ranks send, receive and pack, summed up column by column without
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

/* The ranks of `count` parts, from the one of `sizes` backwards. */
static uint64_t ranks_back(const uint64_t *sizes, uint64_t count)
{
  return sizes[0] - sizes[-(int64_t)count];
}

static uint64_t least(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* A bundle waits for a weight where it has gone its way modulo that. So those of ways `run` to
   `run` + weight - 1 that end at one part all wait `run` parts before it, and each is from one part
   further back. */
static void add_column(const struct tny_whole_column *whole, void *context)
{
  const struct sums *sums = context;
  const uint64_t n = whole->n, weight = sums->weight;
  const uint64_t cycle = weight * (sums->radix == 1 ? n : sums->radix);
  for (uint32_t part = 0; part < whole->differing; part++) {
    const uint64_t *shares = whole->shares + part, *sizes = whole->sizes + part + n + 1;
    const uint32_t position = whole->positions[part];
    uint64_t sent = 0, received = 0;
    for (uint64_t run = weight; run < n; run += weight)
      if (run % cycle > 0)
        sent += (shares[run + 1] - shares[run]) * ranks_back(sizes, least(weight, n - run));
    for (uint64_t run = 0; run + weight < n; run += cycle)
      received += (shares[run + 1] - shares[run]) *
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

static enum tny_status add_level(const struct tny_carriers *carriers, uint32_t level,
                                 struct sums *sums, uint64_t *packed_most, struct tny_error *error)
{
  const struct tny_groups *groups = &carriers->levels.groups[level];
  enum tny_status status = TNY_OK;
  sums->weight = 1;
  do {
    memset(sums->packed, 0, groups->rank_count * sizeof *sums->packed);
    status = tny_carriers_sweep(carriers, level, add_column, sums, error);
    raise(packed_most, sums->packed, groups->rank_count);
    sums->weight *= sums->radix;
  } while (status == TNY_OK && sums->radix > 1 && sums->weight < groups->count);
  return status;
}

enum tny_status tny_bruck_traffic(const struct tny_carriers *carriers, const uint32_t *radix,
                                  struct tny_bruck_traffic *most, struct tny_error *error)
{
  const size_t p = carriers->levels.groups[0].rank_count;
  uint64_t *memory = tny_new(3 * p, sizeof *memory);
  *most = (struct tny_bruck_traffic){0};
  if (!memory)
    return tny_error_memory(error);
  struct sums sums = {.sent = memory, .received = memory + p, .packed = memory + 2 * p};
  enum tny_status status = TNY_OK;
  for (uint32_t level = 1; status == TNY_OK && level <= carriers->levels.count; level++) {
    sums.radix = radix[level];
    status = add_level(carriers, level, &sums, &most->packed, error);
  }
  raise(&most->sent, sums.sent, p);
  raise(&most->received, sums.received, p);
  tny_free(memory);
  return status;
}
