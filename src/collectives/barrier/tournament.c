/* Barrier, tournament: of each pair the loser, settled beforehand, tells the winner that it has
   begun, with all that it has beaten; the champion's word goes back the same ways.

   Source: Hensgen, Finkel, Manber, "Two algorithms for barrier synchronization", its tournament.
           There the champion wakes all by one flag; messages go along the tree, as in
           Mellor-Crummey, Scott, "Algorithms for scalable synchronization on shared-memory
           multiprocessors"
   Needs:  any p; who has no opponent in a round goes on to the next
   Shape:  p=4:  1 -> 0  3 -> 2,  then 2 -> 0;  and back:  0 -> 2,  then 0 -> 1  2 -> 3
   Cost:   2 ceil(log2 p) rounds, 2(p-1) messages: the fewest of any barrier
   Links:  one message a port and round; ranks numbered along the switches cross trunks few times
   Prefer: where messages cost processors or a shared network more than latency does: dissemination
           has half the rounds, and ceil(log2 p)/2 times the messages */
#include "collectives/list.h"
#include "collectives/shared/after.h"
#include "core/log2.h"

/* The word of the champion, to those that the rank has beaten in the rounds before `lost`: the last
   beaten first. It waits for what is received in the steps from `since` on. */
static void release(const struct tny_problem *problem, uint32_t rank, uint32_t lost, uint32_t since,
                    struct tny_builder *builder)
{
  const uint32_t rounds = tny_log2_ceil(problem->rank_count), end = builder->steps.count;
  for (uint32_t round = lost; round-- > 0;) {
    const uint32_t distance = (uint32_t)1 << round;
    if (distance >= problem->rank_count - rank)
      continue;
    tny_builder_send(builder, rank + distance, tny_span_nothing(), 2 * rounds - 1 - round);
    tny_after_receives(builder, since, end);
  }
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const uint32_t rounds = tny_log2_ceil(problem->rank_count);
  uint32_t round = 0, since = 0;
  for (; round < rounds && !(rank >> round & 1); round++) {
    const uint32_t distance = (uint32_t)1 << round;
    if (distance < problem->rank_count - rank)
      tny_builder_recv(builder, rank + distance, tny_span_nothing(), round);
  }
  if (round < rounds) {
    const uint32_t winner = rank - ((uint32_t)1 << round), end = builder->steps.count;
    tny_builder_send(builder, winner, tny_span_nothing(), round);
    tny_after_receives(builder, 0, end);
    since = tny_builder_recv(builder, winner, tny_span_nothing(), 2 * rounds - 1 - round);
  }
  release(problem, rank, round, since, builder);
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const uint32_t rounds = 2 * tny_log2_ceil(problem->rank_count);
  return (struct tny_claim){.rounds = rounds, .phases = rounds, .port_messages = 1};
}

const struct tny_algorithm tny_barrier_tournament = {
    .collective = TNY_BARRIER,
    .name = "tournament",
    .source = "hensgen1988",
    .summary = "losers of pairs tell winners, the champion's word goes back: 2(p-1) messages",
    .needs = "any p",
    .cut = TNY_CUT_NEVER,
    .pacing = TNY_PACE_NONE,
    .claim = claim,
    .emit = emit,
};
