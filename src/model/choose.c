/* Which algorithm for which size, from the rank count and the block size alone: every rank decides
 * alike. */
#include <tourney/model.h>

/* Below these blocks the native collective is left as it is: a message of one or two frames can't
   overrun a port buffer, and the tree algorithms of MPI libraries need fewer start-ups. */
enum {
  ALLTOALL_BYTES_MIN = 2048,
  ALLGATHER_BYTES_MIN = 2048,
  BROADCAST_BYTES_MIN = 8192,
};

static struct tny_choice at_least(enum tny_collective collective, const char *name,
                                  uint64_t block_bytes, uint64_t bytes_min)
{
  if (block_bytes < bytes_min)
    return (struct tny_choice){.why = "short blocks: native is as fast"};
  return (struct tny_choice){.algorithm = tny_algorithm_find(collective, name),
                             .why = "fewest bytes on the fullest link"};
}

struct tny_choice tny_model_choose(enum tny_collective collective, uint32_t rank_count,
                                   uint64_t block_bytes)
{
  if (rank_count < 3)
    return (struct tny_choice){.why = "two ranks or fewer: nothing to plan"};
  if (collective == TNY_BROADCAST)
    return at_least(collective, "switch-ordered-chain", block_bytes, BROADCAST_BYTES_MIN);
  if (collective == TNY_ALLGATHER)
    return at_least(collective, "switch-ordered-ring", block_bytes, ALLGATHER_BYTES_MIN);
  return at_least(collective, "shuffle", block_bytes, ALLTOALL_BYTES_MIN);
}
