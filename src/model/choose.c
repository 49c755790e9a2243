/* From which block size on a call is planned, and the default algorithm of each collective. Every
   rank decides alike, from the model and the block size alone.

   The default algorithms send as few bytes over the fullest link as can be, in about p steps.
   Native ones take fewer steps, but more bytes, or messages that collide. So planning pays where a
   block is so long that its bytes cost more than a step's latency. Shorter blocks stay native. */
#include "core/log2.h"
#include "model/bandwidth_delay.h"

enum { /* the shortest block, in bandwidth-delay products */
       ALLGATHER_LATENCIES = 2,
       ALLGATHER_LATENCIES_ONE_SWITCH =
           32,                 /* where no trunk is shared, native ones collide at longer blocks */
       ALLTOALL_LATENCIES = 8, /* a native all-to-all of short blocks has few bytes to lose */
       CHAIN_CHUNK_BYTES = 1024,
};

const char tny_model_short_blocks[] = "short blocks: latency counts, not bytes";

/* A chain gives the last rank its first chunk after p-2 hops; a binomial tree sends the message
   ceil(log2 p) times through the root's port. */
static uint64_t chain_bytes_min(uint32_t p, uint64_t bandwidth_delay_bytes)
{
  return (p - 2) * (CHAIN_CHUNK_BYTES + bandwidth_delay_bytes) / (tny_log2_ceil(p) - 1);
}

const struct tny_algorithm *tny_model_default_algorithm(enum tny_collective collective)
{
  static const char *const names[TNY_COLLECTIVE_COUNT] = {
      [TNY_BROADCAST] = "switch-ordered-chain",
      [TNY_ALLGATHER] = "switch-ordered-ring",
      [TNY_ALLTOALL] = "shuffle",
  };
  return tny_algorithm_find(collective, names[collective]);
}

uint64_t tny_model_bytes_min(const struct tny_model *model, enum tny_collective collective)
{
  if (model->rank_count < 3)
    return UINT64_MAX;
  const uint64_t bandwidth_delay_bytes = tny_model_bandwidth_delay_bytes(model);
  if (collective == TNY_BROADCAST)
    return chain_bytes_min(model->rank_count, bandwidth_delay_bytes);
  if (collective == TNY_ALLTOALL)
    return ALLTOALL_LATENCIES * bandwidth_delay_bytes;
  return bandwidth_delay_bytes *
         (model->has_trunks ? ALLGATHER_LATENCIES : ALLGATHER_LATENCIES_ONE_SWITCH);
}

struct tny_choice tny_model_choose(const struct tny_model *model, enum tny_collective collective,
                                   uint64_t block_bytes)
{
  if (model->rank_count < 3)
    return (struct tny_choice){.why = "two ranks or fewer: nothing to plan"};
  if (block_bytes < tny_model_bytes_min(model, collective))
    return (struct tny_choice){.why = tny_model_short_blocks};
  return (struct tny_choice){.algorithm = tny_model_default_algorithm(collective),
                             .why = "fewest bytes on the fullest link"};
}
