/* Broadcast, van de Geijn: the message is scattered in p pieces, then the pieces are gathered.

   Source: Axida, Viet, Yoshinaga, "Pipelined round-robin broadcast algorithm in homogeneous
           clusters of SMP", section 2 and Figure 2, as a rival
   Needs:  any p, any root
   Shape:  p=4, root 0, pieces a b c d:  0 -> 2 cd;  0 -> 1 b, 2 -> 3 d;
           0 -> 1 a, 2 -> 3 c;  0 -> 2 ab, 1 -> 3 ab, 3 -> 1 cd
   Cost:   2 ceil(log2 p) rounds; the root sends 2(p-1)/p of the message where p = 2^k (Table 1),
           up to ceil(log2 p)/p more for any other p
   Links:  one message a port and round; a trunk carries up to the ranks behind it. Not paced: but
           for the root, who sends waits for what it sends on, so that receives pace them
   Prefer: for no size on the clusters compared here: binomial is faster for short messages, and
           circulant for longer ones. It is the paper's rival

   The paper speaks of 2^k ranks, where this is binomial scatter and recursive doubling. For any
   other p the halves differ by one, the front half having more, and no run of pieces wraps around.
   That costs no round: the first rank of a run, which handed the back half's pieces down, has them
   and gets none back (the root could not even take them), so one rank of the back half is free to
   serve the one of the front half that has no counterpart. */
#include "collectives/list.h"
#include "collectives/shared/root.h"
#include "core/log2.h"

enum { HALVINGS_MAX = 32 };

/* Neighbouring relative ranks, which have the pieces of the same numbers in the end. */
struct run {
  uint32_t first, count;
};

static struct run front_half(struct run run)
{
  return (struct run){.first = run.first, .count = run.count - run.count / 2};
}

static struct run back_half(struct run run)
{
  return (struct run){.first = run.first + run.count - run.count / 2, .count = run.count / 2};
}

/* The runs of two or more ranks that a rank is in, from the run of all ranks down. Returns how
   many. */
static uint32_t halve(uint32_t p, uint32_t relative, struct run *runs)
{
  struct run run = {.first = 0, .count = p};
  uint32_t count = 0;
  while (run.count > 1) {
    runs[count++] = run;
    const struct run back = back_half(run);
    run = relative < back.first ? front_half(run) : back;
  }
  return count;
}

struct emission {
  const struct tny_problem *problem;
  struct tny_builder *builder;
  uint32_t relative;
  uint32_t received[HALVINGS_MAX + 1], received_count; /* receives that no send waits for yet */
};

static void send(struct emission *emission, uint32_t relative, struct run pieces, uint32_t phase)
{
  const struct tny_problem *problem = emission->problem;
  tny_builder_send(
      emission->builder, tny_root_actual_rank(problem, relative),
      tny_root_pieces(emission->relative == 0, problem->rank_count, pieces.first, pieces.count),
      phase);
  for (uint32_t i = 0; i < emission->received_count; i++)
    tny_builder_after(emission->builder, emission->received[i]);
  emission->received_count = 0;
}

static void receive(struct emission *emission, uint32_t relative, struct run pieces, uint32_t phase)
{
  const struct tny_problem *problem = emission->problem;
  emission->received[emission->received_count++] = tny_builder_recv(
      emission->builder, tny_root_actual_rank(problem, relative),
      tny_root_pieces(false, problem->rank_count, pieces.first, pieces.count), phase);
}

/* The first of a run hands the pieces of its back half to the first there. */
static void scatter(struct emission *emission, struct run run, uint32_t phase)
{
  const struct run back = back_half(run);
  if (emission->relative == run.first)
    send(emission, back.first, back, phase);
  else if (emission->relative == back.first)
    receive(emission, run.first, back, phase);
}

/* Every rank gets the other half's pieces from its counterpart there. But the first rank of the run
   has these already, and the last rank of a longer front half gets them from the first rank of the
   back half instead. */
static void gather(struct emission *emission, struct run run, uint32_t phase)
{
  const struct run front = front_half(run), back = back_half(run);
  if (emission->relative < back.first) {
    const uint32_t index = emission->relative - front.first;
    if (index < back.count)
      send(emission, back.first + index, front, phase);
    if (index > 0)
      receive(emission, back.first + index % back.count, back, phase);
  } else {
    const uint32_t index = emission->relative - back.first;
    if (index > 0)
      send(emission, front.first + index, back, phase);
    else if (front.count > back.count)
      send(emission, front.first + back.count, back, phase);
    receive(emission, front.first + index, front, phase);
  }
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  struct emission emission = {
      .problem = problem, .builder = builder, .relative = tny_root_relative_rank(problem, rank)};
  struct run runs[HALVINGS_MAX];
  const uint32_t count = halve(problem->rank_count, emission.relative, runs);
  const uint32_t rounds = 2 * tny_log2_ceil(problem->rank_count);
  for (uint32_t i = 0; i < count; i++)
    scatter(&emission, runs[i], i);
  for (uint32_t i = count; i-- > 0;)
    gather(&emission, runs[i], rounds - 1 - i);
}

/* The root sends most: all pieces but its own, then the front half that it is in, each time. */
static struct tny_claim claim(const struct tny_problem *problem)
{
  const uint32_t p = problem->rank_count, rounds = 2 * tny_log2_ceil(p);
  struct run runs[HALVINGS_MAX];
  uint64_t sent = p - 1;
  for (uint32_t i = halve(p, 0, runs); i-- > 0;)
    sent += front_half(runs[i]).count;
  return (struct tny_claim){.rounds = rounds,
                            .phases = rounds,
                            .blocks_sent_max = (sent + p - 1) / p,
                            .port_messages = 1};
}

static uint32_t pieces(const struct tny_problem *problem, uint32_t wanted)
{
  (void)wanted;
  return problem->rank_count;
}

const struct tny_algorithm tny_bcast_van_de_geijn = {
    .collective = TNY_BROADCAST,
    .name = "van-de-geijn",
    .source = "axida2009",
    .summary = "binomial scatter of p pieces, then all-gather by recursive doubling",
    .needs = "any p, any root",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_NONE,
    .pieces = pieces,
    .claim = claim,
    .emit = emit,
};
