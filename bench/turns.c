/* Turns, and who drops out of them. */
#include "bench/turns.h"

/* How much slower than the fastest peer one may be after so many samples of its own. */
static double limit_after(uint32_t samples)
{
  return samples < 2 ? 2 : samples < 3 ? 1.5 : 1.25;
}

void bench_turn_add(struct bench_turn *turn, double seconds)
{
  if (!turn->samples++ || seconds < turn->least_seconds)
    turn->least_seconds = seconds;
}

void bench_turns_drop(struct bench_turn *turns, uint32_t count)
{
  double best = 0;
  for (uint32_t i = 0; i < count; i++) {
    const struct bench_turn *turn = &turns[i];
    if (turn->is_peer && turn->samples && (best <= 0 || turn->least_seconds < best))
      best = turn->least_seconds;
  }
  for (uint32_t i = 0; i < count; i++) {
    struct bench_turn *turn = &turns[i];
    if (turn->is_peer && turn->samples)
      turn->out |= turn->least_seconds > best * limit_after(turn->samples);
  }
}

uint32_t bench_turns_left(const struct bench_turn *turns, uint32_t count)
{
  uint32_t left = 0;
  for (uint32_t i = 0; i < count; i++)
    left += !turns[i].out;
  return left;
}

void bench_turns_order(uint32_t count, uint64_t round, uint32_t *order)
{
  uint64_t random = (round / 2 + 1) * UINT64_C(0x9e3779b97f4a7c15);
  for (uint32_t i = 0; i < count; i++) {
    random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const uint32_t other = (uint32_t)((random >> 33) % (i + 1));
    if (other < i)
      order[i] = order[other];
    order[other] = i;
  }
  for (uint32_t i = 0; round % 2 && i < count / 2; i++) {
    const uint32_t first = order[i];
    order[i] = order[count - 1 - i];
    order[count - 1 - i] = first;
  }
}
