/* Trees of neighbouring ranks, by halving. */
#include "collectives/shared/halving.h"

/* Neighbouring ranks and the one that leads them. */
struct run {
  uint32_t first, count, leader;
};

/* The front half has one more where the count is odd. */
static uint32_t back_first(struct run run)
{
  return run.first + run.count - run.count / 2;
}

static struct run front_half(struct run run)
{
  const uint32_t end = back_first(run);
  return (struct run){run.first, end - run.first, run.leader < end ? run.leader : end - 1};
}

static struct run back_half(struct run run)
{
  const uint32_t first = back_first(run);
  return (struct run){first, run.count / 2, run.leader < first ? first : run.leader};
}

/* The half that has another leader than the run. */
static struct run led_half(struct run run)
{
  return run.leader < back_first(run) ? back_half(run) : front_half(run);
}

struct tny_halving tny_halving_make(uint32_t rank_count, uint32_t root, uint32_t rank)
{
  struct tny_halving halving = {.rank = rank, .count = rank_count};
  struct run run = {.count = rank_count, .leader = root};
  for (uint32_t level = 0; run.count > 1; level++) {
    const struct run led = led_half(run);
    if (rank == run.leader || rank == led.leader)
      halving.edges[halving.edge_count++] = (struct tny_halving_edge){
          .parent = run.leader,
          .child = led.leader,
          .first = led.first,
          .count = led.count,
          .level = level,
      };
    if (rank == led.leader) {
      halving.first = led.first;
      halving.count = led.count;
    }
    run = rank < back_first(run) ? front_half(run) : back_half(run);
  }
  return halving;
}

uint32_t tny_halving_largest(uint32_t rank_count, uint32_t root)
{
  const struct run all = {.count = rank_count, .leader = root};
  return rank_count > 1 ? led_half(all).count : 0;
}
