/* What follows from a collective's row (tourney/collective.h) for the forms and the checks. */
#include "exchange/collectives.h"

static bool has(const struct tny_schedule *head, enum tny_buffer buffer, uint32_t rank)
{
  return tny_rank_blocks(head->collective, buffer, head->rank_count, head->root, rank) > 0;
}

bool tny_exchange_has_input(const struct tny_schedule *head, uint32_t rank)
{
  return has(head, TNY_INPUT, rank);
}

bool tny_exchange_has_output(const struct tny_schedule *head, uint32_t rank)
{
  return has(head, TNY_OUTPUT, rank);
}

uint32_t tny_exchange_in_place_block(enum tny_collective collective, uint32_t rank)
{
  const bool has_many = tny_collective_row(collective)->input.is_per_rank;
  return has_many ? TNY_NONE : tny_collective_in_place(collective, rank);
}

uint64_t tny_exchange_wanted_block(const struct tny_schedule *head, uint32_t rank, uint32_t block)
{
  const uint64_t inputs = tny_buffer_blocks(head->collective, TNY_INPUT, head->rank_count);
  const struct tny_origin origin = tny_collective_origin(head->collective, head->root, rank, block);
  return origin.rank * inputs + origin.block;
}

uint64_t tny_exchange_message_bytes(const struct tny_span *span, uint64_t block_bytes)
{
  return span->count == 0 ? 1 : tny_span_bytes(span, block_bytes);
}

static uint64_t bytes_of(uint64_t blocks, uint64_t block_bytes)
{
  const bool is_beyond = blocks > 0 && block_bytes > UINT64_MAX / blocks;
  return is_beyond ? UINT64_MAX : blocks * block_bytes;
}

struct tny_exchange_least tny_exchange_least_bytes(const struct tny_schedule *head, uint32_t rank,
                                                   uint64_t block_bytes)
{
  const uint64_t others = head->rank_count - 1;
  const bool is_root = rank == head->root;
  const struct tny_sides inward = {others, 1, !is_root, is_root};
  const struct tny_sides outward = {1, others, is_root, !is_root};
  return (struct tny_exchange_least){
      .sent = bytes_of(tny_collective_load(head->collective, outward), block_bytes),
      .received = bytes_of(tny_collective_load(head->collective, inward), block_bytes),
  };
}
