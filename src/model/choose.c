/* Which algorithm for which size: every rank decides alike, from the model and the block size
   alone.

   The algorithms here send as few bytes over the fullest link as can be, in about p steps; native
   ones take fewer steps, and more bytes or collisions. So a block must be worth its step: long
   enough that its bytes weigh more than a step's latency. Shorter ones stay native. */
#include "core/log2.h"
#include "model/latent.h"

enum { /* a block against the bytes that one latency costs */
       ALLGATHER_LATENCIES = 2,
       ALLGATHER_LATENCIES_ONE_SWITCH =
           32,                 /* where no trunk is shared, native ones collide at longer blocks */
       ALLTOALL_LATENCIES = 8, /* a native all-to-all of short blocks has few bytes to lose */
       CHAIN_CHUNK_BYTES = 1024,
};

const char tny_model_short_blocks[] = "short blocks: latency counts, not bytes";

/* A chain gives the last rank its first chunk after p-2 hops; a binomial tree sends the message
   ceil(log2 p) times through the root's port. */
static uint64_t chain_bytes_min(uint32_t p, uint64_t latent_bytes)
{
  return (p - 2) * (CHAIN_CHUNK_BYTES + latent_bytes) / (tny_log2_ceil(p) - 1);
}

const struct tny_algorithm *tny_model_best(enum tny_collective collective)
{
  return tny_algorithm_find(collective, tny_collective_row(collective)->standard);
}

uint64_t tny_model_bytes_min(const struct tny_model *model, enum tny_collective collective)
{
  if (model->rank_count < 3)
    return UINT64_MAX;
  const uint64_t latent_bytes = tny_model_latent_bytes(model);
  if (tny_collective_is_one_message(collective))
    return chain_bytes_min(model->rank_count, latent_bytes);
  if (tny_collective_is_pairwise(collective))
    return ALLTOALL_LATENCIES * latent_bytes;
  return latent_bytes * (model->has_trunks ? ALLGATHER_LATENCIES : ALLGATHER_LATENCIES_ONE_SWITCH);
}

struct tny_choice tny_model_choose(const struct tny_model *model, enum tny_collective collective,
                                   uint64_t block_bytes)
{
  if (model->rank_count < 3)
    return (struct tny_choice){.why = "two ranks or fewer: nothing to plan"};
  if (block_bytes < tny_model_bytes_min(model, collective))
    return (struct tny_choice){.why = tny_model_short_blocks};
  return (struct tny_choice){.algorithm = tny_model_best(collective),
                             .why = "fewest bytes on the fullest link"};
}
