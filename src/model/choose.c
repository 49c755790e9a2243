/* From which block size on a call is planned, and the default algorithm of each collective. Every
   rank decides alike, from the model and the block size alone.

   The default algorithms send as few bytes over the fullest link as can be, in about p steps.
   Native ones take fewer steps, but more bytes, or messages that collide. So planning pays where a
   block is so long that its bytes cost more than a step's latency. Shorter blocks stay native.

   Where the guard tries both, the model need not be sure: it is asked from which size on a plan may
   be faster, if only by another algorithm, or since a long route is taken once; and from which size
   on blocks that native messages carry at once may overfill a port, so that they wait for TCP's
   timer: those of an all-to-all, or those of half the ranks that an all-gather by recursive
   doubling sends to the other half in its last round. Where ranks share hosts, a plan over hosts
   sends fewer messages than native ones that go by the numbers of ranks, so that it may be faster
   for any size. */
#include "core/log2.h"
#include "model/bandwidth_delay.h"

enum { /* the shortest block, in bandwidth-delay products */
       ALLGATHER_LATENCIES = 2,
       ALLGATHER_LATENCIES_ONE_SWITCH =
           32,                 /* where no trunk is shared, native ones collide at longer blocks */
       ALLTOALL_LATENCIES = 8, /* a native all-to-all of short blocks has few bytes to lose */
       TRIAL_LATENCIES = 2,    /* without those of routes: what is worth a trial */
       CHAIN_CHUNK_BYTES = 1024,
       PIECE_COST_BYTES = 350, /* headers, and the software's share of a round */
};

const char tny_model_short_blocks[] = "short blocks: latency counts, not bytes";

/* A binomial tree sends the message ceil(log2 p) times through the root's port. Pieces on a
   circulant graph are faster from two on: each round takes half as long, and there is one more. A
   chain gives the last rank its first chunk after p-2 hops. */
static uint64_t broadcast_bytes_min(uint32_t p, uint64_t bandwidth_delay_bytes)
{
  const uint64_t in_pieces = 2 * (PIECE_COST_BYTES + bandwidth_delay_bytes);
  const uint64_t down_a_chain =
      (p - 2) * (CHAIN_CHUNK_BYTES + bandwidth_delay_bytes) / (tny_log2_ceil(p) - 1);
  return in_pieces < down_a_chain ? in_pieces : down_a_chain;
}

const struct tny_algorithm *tny_model_default_algorithm(enum tny_collective collective)
{
  return tny_algorithm_find(collective, tny_collective_row(collective)->standard);
}

/* What a latency carries; with the guard, that of neighbours. */
static uint64_t latency_bytes(const struct tny_model *model, bool has_guard)
{
  struct tny_model near = *model;
  if (has_guard)
    near.step_ns = model->software_ns;
  return tny_model_bandwidth_delay_bytes(&near);
}

/* From where on blocks are worth a trial beside native. */
static uint64_t trial_bytes_min(const struct tny_model *model, uint64_t crowding_bytes)
{
  const uint64_t worth_a_trial = TRIAL_LATENCIES * latency_bytes(model, true);
  return crowding_bytes < worth_a_trial ? crowding_bytes : worth_a_trial;
}

uint64_t tny_model_bytes_min(const struct tny_model *model, enum tny_collective collective,
                             bool has_guard)
{
  if (model->rank_count < 3)
    return UINT64_MAX;
  const uint64_t bandwidth_delay_bytes = latency_bytes(model, has_guard);
  if (tny_collective_is_one_message(collective))
    return broadcast_bytes_min(model->rank_count, bandwidth_delay_bytes);
  if (has_guard)
    return model->shares_hosts ? 1 : trial_bytes_min(model, model->crowding_bytes);
  if (tny_collective_is_pairwise(collective))
    return ALLTOALL_LATENCIES * bandwidth_delay_bytes;
  return bandwidth_delay_bytes *
         (model->has_trunks ? ALLGATHER_LATENCIES : ALLGATHER_LATENCIES_ONE_SWITCH);
}

/* No plan puts several of the blocks in a message, so that ranks that share hosts save none. */
uint64_t tny_model_sparse_bytes_min(const struct tny_model *model, uint32_t messages_most,
                                    bool has_guard)
{
  const uint64_t overfilling =
      tny_model_overfilling_bytes(model->buffer_bytes, (uint64_t)model->crowd * messages_most);
  if (model->rank_count < 3)
    return UINT64_MAX;
  if (!has_guard)
    return ALLTOALL_LATENCIES * latency_bytes(model, false);
  return trial_bytes_min(model,
                         overfilling > model->crowding_bytes ? overfilling : model->crowding_bytes);
}
