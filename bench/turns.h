/* Who takes turns in a row of `tourney bench`: native, planned and their peers, and which peers are
   too slow to be called again. Pure: every rank computes the same from the same times. */
#ifndef TOURNEY_BENCH_TURNS_H
#define TOURNEY_BENCH_TURNS_H

#include <stdbool.h>
#include <stdint.h>

/* One that takes turns. All zero but for is_peer: it hasn't had one yet. */
struct bench_turn {
  bool is_peer; /* else native or planned, which stay to the end */
  bool out;
  uint32_t samples;
  double least_seconds; /* of its samples */
};

void bench_turn_add(struct bench_turn *turn, double seconds);
/* After each round: peers that are much slower than the fastest peer are out, since a row's time is
   better spent on those that could be the best. They keep the samples they have. */
void bench_turns_drop(struct bench_turn *turns, uint32_t count);
uint32_t bench_turns_left(const struct bench_turn *turns, uint32_t count);
/* Who is called at which place of a round: an order drawn for every even round, and the same
   backwards in the odd one after it. So each comes after each other as often as it comes before it,
   and what a call leaves behind for the next falls on all alike. `order` has room for `count`. */
void bench_turns_order(uint32_t count, uint64_t round, uint32_t *order);

#endif
