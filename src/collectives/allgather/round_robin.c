/* All-gather, round-robin (global data exchange): a tournament in which every two ranks meet once
   and exchange their own blocks.

   Source: Axida, Viet, Yoshinaga, "Pipelined round-robin broadcast algorithm in homogeneous
           clusters of SMP", 4.1, 4.2
   Needs:  any p
   Shape:  p=4:  0 <-> 3  1 <-> 2,  then 0 <-> 2  1 <-> 3,  then 0 <-> 1  2 <-> 3
   Cost:   even p: p-1 rounds; odd p: p, each rank idle in one, as it meets the virtual player;
           p-1 blocks sent by each rank
   Links:  one message a link and phase on one switch; a trunk carries one for every pair across it
   Prefer: for long blocks on one switch, as an alternative to the ring: it forwards nothing, so
           that a late rank delays only its own block. On several switches its messages meet on
           trunks */
#include "collectives/list.h"
#include "planner/phases/tournament.h"

static uint32_t round_count(uint32_t p)
{
  return p == 1 ? 0 : tny_tournament_members(p) - 1;
}

static uint32_t peer(const struct tny_problem *problem, uint32_t rank, uint32_t phase)
{
  const uint32_t p = problem->rank_count;
  const uint32_t partner = tny_tournament_partner(tny_tournament_members(p), phase, rank);
  return partner == p ? TNY_NONE : partner;
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const uint32_t p = problem->rank_count;
  const struct tny_span own = tny_span_blocks(TNY_INPUT, 0, 1);
  for (uint32_t round = 0; round < round_count(p); round++) {
    const uint32_t partner = peer(problem, rank, round);
    if (partner == TNY_NONE)
      continue;
    tny_builder_send(builder, partner, own, round);
    tny_builder_recv(builder, partner, tny_span_blocks(TNY_OUTPUT, partner, 1), round);
  }
  tny_builder_copy(builder, own, tny_span_blocks(TNY_OUTPUT, rank, 1));
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const uint32_t rounds = round_count(problem->rank_count);
  return (struct tny_claim){.rounds = rounds,
                            .phases = rounds,
                            .blocks_sent_max = problem->rank_count - 1,
                            .port_messages = 1};
}

const struct tny_algorithm tny_allgather_round_robin = {
    .collective = TNY_ALLGATHER,
    .name = "round-robin",
    .source = "axida2009",
    .summary = "every two ranks meet once in a tournament and exchange their blocks",
    .needs = "any p",
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .single_blocks = true,
    .claim = claim,
    .emit = emit,
    .peer = peer,
};
