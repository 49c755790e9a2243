/* Barrier, n-way dissemination: in each round each rank tells n others that those it has heard of
   have begun: n + 1 times as many each time.

   Source: Hoefler, Mehlan, Mietke, Rehm, "Fast barrier synchronization for InfiniBand". That the
           last round leaves out what isn't needed is ours
   Needs:  any p. The number is n, at least 1; with 1 it is dissemination
   Shape:  p=9, n=2:  each rank to those 1 and 2 after it, then to those 3 and 6 after it
   Cost:   ceil(log_{n+1} p) times the latency, n messages sent and received by a rank each time:
           about n log_{n+1} p of them, a round each
   Links:  one message a port and phase, n phases before a rank waits
   Prefer: where a message takes much longer on its way than it costs its sender and receiver: then
           the n messages are on their way together. Else dissemination has fewer */
#include "collectives/barrier/dissemination_rounds.h"
#include "collectives/list.h"

static struct tny_dissemination of(const struct tny_problem *problem)
{
  return (struct tny_dissemination){.count = problem->rank_count, .ways = problem->parameter};
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_dissemination dissemination = of(problem);
  tny_dissemination_emit(&dissemination, rank, 0, builder);
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_dissemination dissemination = of(problem);
  return tny_dissemination_claim(&dissemination);
}

const struct tny_algorithm tny_barrier_n_way_dissemination = {
    .collective = TNY_BARRIER,
    .name = "n-way-dissemination",
    .source = "hoefler2006",
    .summary = "each rank tells n others at once: ceil(log_{n+1} p) times the latency",
    .needs = "any p",
    .parameter = {.name = "ways", .standard = 2, .least = 1},
    .cut = TNY_CUT_NEVER,
    .pacing = TNY_PACE_NONE,
    .claim = claim,
    .emit = emit,
};
