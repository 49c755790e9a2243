/* All-gather, recursive doubling: pairs of groups exchange all that they hold, and become one.

   Source: Axida, Viet, Yoshinaga, "Pipelined round-robin broadcast algorithm in homogeneous
           clusters of SMP", section 2, as the second phase of van de Geijn's broadcast
   Needs:  any p, best 2^k
   Shape:  p=4:  0 <-> 1  2 <-> 3,  then 0 1 <-> 2 3. Where p isn't 2^k, of the first 2 (p - 2^k)
           ranks each even one first gives its block to the odd one behind it, which exchanges for
           both, and gets all blocks at the end
   Cost:   log2 p rounds, p-1 blocks sent by each rank, where p is 2^k. Else floor(log2 p) + 2
           rounds, and those who exchange for two send up to 12/5 p blocks, all of them once more in
           the end
   Links:  one message a link and phase on one switch, of up to p/2 blocks; a trunk carries one for
           every pair across it
   Prefer: for short blocks where p is a power of two; it needs no scratch and no copies, unlike
           combining, and takes as many rounds. For other p combining takes a round less, and no
           rank sends more than p-1 blocks */
#include "collectives/list.h"
#include "core/log2.h"

/* Exchanges: floor(log2 p). */
static uint32_t exchange_count(uint32_t p)
{
  return tny_log2_ceil(p + 1) - 1;
}

/* Ranks whose blocks others exchange for them: those beyond a power of two. */
static uint32_t folded_count(uint32_t p)
{
  return p - ((uint32_t)1 << exchange_count(p));
}

/* The ranks that exchange are numbered in their order. The first block that one of them has in the
   beginning; behind the last one's, p. */
static uint32_t first_block(uint32_t folded, uint32_t number)
{
  return number < folded ? 2 * number : number + folded;
}

/* Of a run of numbers, a power of two. */
static struct tny_span blocks_of(uint32_t folded, uint32_t number, uint32_t count)
{
  const uint32_t first = number & ~(count - 1);
  const uint32_t block = first_block(folded, first);
  return tny_span_blocks(TNY_OUTPUT, block, first_block(folded, first + count) - block);
}

/* `received`: the step that brings a folded rank's block; TNY_NONE: there is none. Returns the last
   receive. */
static uint32_t exchange(uint32_t p, uint32_t number, uint32_t received,
                         struct tny_builder *builder)
{
  const uint32_t folded = folded_count(p), exchanges = exchange_count(p);
  for (uint32_t round = 0; round < exchanges; round++) {
    const uint32_t held = (uint32_t)1 << round, partner = number ^ held;
    const uint32_t phase = round + (folded > 0);
    const uint32_t peer = first_block(folded, partner) + (partner < folded);
    tny_builder_send(builder, peer, blocks_of(folded, number, held), phase);
    if (received != TNY_NONE)
      tny_builder_after(builder, received);
    received = tny_builder_recv(builder, peer, blocks_of(folded, partner, held), phase);
  }
  return received;
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const uint32_t p = problem->rank_count, folded = folded_count(p);
  const uint32_t last_phase = exchange_count(p) + 1;
  const struct tny_span own = tny_span_blocks(TNY_OUTPUT, rank, 1);
  const struct tny_span all = tny_span_blocks(TNY_OUTPUT, 0, p);
  const bool is_of_pair = rank < 2 * folded;
  if (is_of_pair && rank % 2 == 0) {
    tny_builder_send(builder, rank + 1, tny_span_blocks(TNY_INPUT, 0, 1), 0);
    tny_builder_recv(builder, rank + 1, all, last_phase);
    return;
  }
  uint32_t received = TNY_NONE;
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, 0, 1), own);
  if (is_of_pair)
    received = tny_builder_recv(builder, rank - 1, tny_span_blocks(TNY_OUTPUT, rank - 1, 1), 0);
  received = exchange(p, is_of_pair ? rank / 2 : rank - folded, received, builder);
  if (!is_of_pair)
    return;
  tny_builder_send(builder, rank - 1, all, last_phase);
  tny_builder_after(builder, received);
}

/* Rank 1 sends the most: its runs have as many blocks of two ranks as there can be. */
static struct tny_claim claim(const struct tny_problem *problem)
{
  const uint32_t p = problem->rank_count, folded = folded_count(p);
  const uint32_t rounds = exchange_count(p) + (folded > 0 ? 2 : 0);
  struct tny_claim claim = {.rounds = rounds,
                            .phases = rounds,
                            .blocks_sent_max = folded > 0 ? p : 0,
                            .blocks_received_max = folded > 0 ? p : p - 1,
                            .port_messages = 1};
  for (uint32_t round = 0; round < exchange_count(p); round++)
    claim.blocks_sent_max += blocks_of(folded, 0, (uint32_t)1 << round).count;
  return claim;
}

/* What is predicted for these hasn't been measured. */
static bool folds(const struct tny_problem *problem)
{
  return folded_count(problem->rank_count) > 0;
}

const struct tny_algorithm tny_allgather_recursive_doubling = {
    .collective = TNY_ALLGATHER,
    .name = "recursive-doubling",
    .source = "axida2009",
    .summary = "pairs exchange all blocks gathered so far: about log2 p rounds",
    .needs = "any p, best 2^k",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .is_by_name_only = folds,
    .joins_blocks = true,
    .claim = claim,
    .emit = emit,
};
