/* Each function is a small table by collective. */
#include "exchange/collectives.h"

#include <string.h>

static const char *const msccl_words[TNY_COLLECTIVE_COUNT] = {
    [TNY_BROADCAST] = "broadcast", [TNY_ALLGATHER] = "allgather", [TNY_ALLTOALL] = "alltoall"};

const char *tny_exchange_msccl_word(enum tny_collective collective)
{
  return msccl_words[collective];
}

bool tny_exchange_by_msccl_word(const char *word, enum tny_collective *collective)
{
  for (int i = 0; i < TNY_COLLECTIVE_COUNT; i++)
    if (strcmp(word, msccl_words[i]) == 0) {
      *collective = (enum tny_collective)i;
      return true;
    }
  return false;
}

bool tny_exchange_has_root(enum tny_collective collective)
{
  return collective == TNY_BROADCAST;
}

bool tny_exchange_has_input(const struct tny_schedule *head, uint32_t rank)
{
  return head->collective != TNY_BROADCAST || rank == head->root;
}

bool tny_exchange_has_output(const struct tny_schedule *head, uint32_t rank)
{
  return head->collective != TNY_BROADCAST || rank != head->root;
}

uint32_t tny_exchange_in_place_block(enum tny_collective collective, uint32_t rank)
{
  switch (collective) {
  case TNY_BROADCAST:
    return 0;
  case TNY_ALLGATHER:
    return rank;
  case TNY_ALLTOALL:
    break;
  }
  return TNY_NONE;
}

uint64_t tny_exchange_wanted_block(const struct tny_schedule *head, uint32_t rank, uint32_t block)
{
  switch (head->collective) {
  case TNY_BROADCAST:
    return head->root;
  case TNY_ALLGATHER:
    return block;
  case TNY_ALLTOALL:
    break;
  }
  return block * (uint64_t)head->rank_count + rank;
}

struct tny_exchange_least tny_exchange_least_bytes(const struct tny_schedule *head, uint32_t rank,
                                                   uint64_t block_bytes)
{
  const uint64_t others = head->rank_count - 1;
  const uint64_t all =
      others > 0 && block_bytes > UINT64_MAX / others ? UINT64_MAX : others * block_bytes;
  const uint64_t one = others > 0 ? block_bytes : 0;
  switch (head->collective) {
  case TNY_BROADCAST:
    return rank == head->root ? (struct tny_exchange_least){.sent = one}
                              : (struct tny_exchange_least){.received = one};
  case TNY_ALLGATHER:
    return (struct tny_exchange_least){.sent = one, .received = all};
  case TNY_ALLTOALL:
    break;
  }
  return (struct tny_exchange_least){.sent = all, .received = all};
}
