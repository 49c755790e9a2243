/* Link scheduling. The groups (the ranks of a switch or of a host) form a ring. In each step one
   rank of a group of N sends a block out, to the next group, and one receives a block from the
   group before. All others send the block that they have in hand to a local rank.

   N steps are a stage. In a stage a rank sends the block in hand to each local rank, and in one of
   the steps out. In stage 0 that is its own block; in each later stage, the block that it received
   from outside in the stage before. So the blocks that leave a group are a queue: first its own
   blocks, then what came in, N steps later. When all blocks are out and in, the ranks that received
   a block in the last stage spread it locally, in N-1 more steps.

   Phases are steps, common to all groups. */
#include "collectives/shared/link_scheduling.h"

#include <assert.h>

#include "planner/position.h"

/* One group, and its neighbours in the ring. Local ranks and steps count from 0. */
struct group {
  const struct tny_link_scheduling *way;
  uint32_t first, size;               /* its positions */
  uint32_t next_first, next_size;     /* where its blocks go */
  uint32_t before_first, before_size; /* where blocks come from */
  uint32_t sends, receives;           /* blocks that leave and enter it, a step each */
  uint32_t stages;
};

static struct group group_of(const struct tny_link_scheduling *way, uint32_t index)
{
  const struct tny_groups *groups = &way->groups;
  const uint32_t next = index + 1 < groups->count ? index + 1 : 0;
  const uint32_t before = index > 0 ? index - 1 : groups->count - 1;
  struct group group = {
      .way = way,
      .first = tny_groups_first(groups, index),
      .size = tny_groups_size(groups, index),
      .next_first = tny_groups_first(groups, next),
      .next_size = tny_groups_size(groups, next),
      .before_first = tny_groups_first(groups, before),
      .before_size = tny_groups_size(groups, before),
  };
  group.sends = groups->rank_count - group.next_size;
  group.receives = groups->rank_count - group.size;
  const uint32_t most = group.sends > group.receives ? group.sends : group.receives;
  group.stages = most / group.size + (most % group.size != 0);
  return group;
}

/* Who sends out in a stage's i-th step; and so the step in which the i-th rank does. */
static uint32_t alternated(const struct tny_link_scheduling *way, uint32_t size, uint32_t stage,
                           uint32_t i)
{
  return way->alternates && stage % 2 == 1 ? size - 1 - i : i;
}

/* The local ranks of a group of `size` that send out and receive from outside at a step. */
static uint32_t sender(const struct tny_link_scheduling *way, uint32_t size, uint32_t step)
{
  return alternated(way, size, step / size, step % size);
}

static uint32_t receiver(const struct tny_link_scheduling *way, uint32_t size, uint32_t step)
{
  return size - 1 - sender(way, size, step);
}

/* The position of the block that enters the group at a step: first the own blocks of the group
   before, then those of the group before that one, ... */
static uint32_t block_entering(const struct group *group, uint32_t step)
{
  const struct tny_groups *groups = &group->way->groups;
  const uint32_t back =
      (uint32_t)(((uint64_t)group->first + groups->rank_count - 1 - step) % groups->rank_count);
  const uint32_t home = tny_groups_find(groups, back);
  return tny_groups_first(groups, home) + (tny_groups_first(groups, home + 1) - 1 - back);
}

/* The position of the block that a local rank has in hand in a stage; TNY_NONE: none. */
static uint32_t block_in_hand(const struct group *group, uint32_t local, uint32_t stage)
{
  if (stage == 0)
    return group->first + local;
  const uint32_t step = (stage - 1) * group->size +
                        alternated(group->way, group->size, stage - 1, group->size - 1 - local);
  return step < group->receives ? block_entering(group, step) : TNY_NONE;
}

/* One rank's steps while they are made. */
struct emission {
  const struct tny_problem *problem;
  struct tny_builder *builder;
  struct group group;
  uint32_t local;
  uint32_t arrived; /* the step that received the block in hand; TNY_NONE: it is its own */
  uint32_t entered; /* the step that received from outside in this stage */
};

static uint32_t rank_at(const struct emission *emission, uint32_t position)
{
  return tny_position_rank(tny_problem_order(emission->problem), emission->problem->rank_count,
                           position, 0);
}

/* Sends the block in hand, if there is one. */
static void send_in_hand(const struct emission *emission, uint32_t to, uint32_t stage,
                         uint32_t phase)
{
  const uint32_t held = block_in_hand(&emission->group, emission->local, stage);
  if (held == TNY_NONE)
    return;
  const struct tny_span block = stage == 0
                                    ? tny_span_blocks(TNY_INPUT, 0, 1)
                                    : tny_span_blocks(TNY_OUTPUT, rank_at(emission, held), 1);
  tny_builder_send(emission->builder, rank_at(emission, to), block, phase);
  if (stage > 0)
    tny_builder_after(emission->builder, emission->arrived);
}

static uint32_t receive(const struct emission *emission, uint32_t from, uint32_t block,
                        uint32_t phase)
{
  return tny_builder_recv(emission->builder, rank_at(emission, from),
                          tny_span_blocks(TNY_OUTPUT, rank_at(emission, block), 1), phase);
}

/* The local rank at a distance after this one, cyclically. */
static uint32_t local_at_distance(const struct group *group, uint32_t local, uint32_t distance)
{
  return (uint32_t)(((uint64_t)local + distance) % group->size);
}

static void receive_in_hand(const struct emission *emission, uint32_t from, uint32_t stage,
                            uint32_t phase)
{
  const uint32_t held = block_in_hand(&emission->group, from, stage);
  if (held != TNY_NONE)
    receive(emission, emission->group.first + from, held, phase);
}

/* A step's send. A rank that has sent out has sent to one local rank fewer, and so is one
   behind. */
static void give_out(const struct emission *emission, uint32_t step)
{
  const struct group *group = &emission->group;
  const uint32_t stage = step / group->size, outward = sender(group->way, group->size, step);
  if (emission->local == outward) {
    if (step < group->sends)
      send_in_hand(emission, group->next_first + receiver(group->way, group->next_size, step),
                   stage, step);
    return;
  }
  const uint32_t back = emission->local > outward ? outward + 1 : outward;
  send_in_hand(emission,
               group->first + local_at_distance(group, emission->local, group->size - back), stage,
               step);
}

/* A step's receive: the other end of what give_out does. */
static void take_in(struct emission *emission, uint32_t step)
{
  const struct group *group = &emission->group;
  const uint32_t stage = step / group->size, outward = sender(group->way, group->size, step);
  const uint32_t entrance = group->size - 1 - outward;
  if (emission->local == entrance) {
    if (step < group->receives)
      emission->entered =
          receive(emission, group->before_first + sender(group->way, group->before_size, step),
                  block_entering(group, step), step);
    return;
  }
  const uint32_t distance = emission->local < entrance ? outward + 1 : outward;
  receive_in_hand(emission, local_at_distance(group, emission->local, distance), stage, step);
}

/* The distance to which the i-th step of phase 2 sends: upwards or downwards. */
static uint32_t spread_distance(const struct group *group, uint32_t i)
{
  return group->way->alternates ? i : group->size - i;
}

/* Phase 2: the blocks in hand after the last stage go to the local ranks. */
static void spread(const struct emission *emission)
{
  const struct group *group = &emission->group;
  for (uint32_t i = 1; i < group->size; i++) {
    const uint32_t distance = spread_distance(group, i);
    const uint32_t phase = group->stages * group->size + i - 1;
    send_in_hand(emission, group->first + local_at_distance(group, emission->local, distance),
                 group->stages, phase);
    receive_in_hand(emission, local_at_distance(group, emission->local, group->size - distance),
                    group->stages, phase);
  }
}

void tny_link_scheduling_emit(const struct tny_problem *problem,
                              const struct tny_link_scheduling *way, uint32_t rank,
                              struct tny_builder *builder)
{
  assert(way->alternates || way->groups.count <= 2);
  const uint32_t here = tny_position_of(tny_problem_positions(problem), rank);
  struct emission emission = {
      .problem = problem,
      .builder = builder,
      .group = group_of(way, tny_groups_find(&way->groups, here)),
      .arrived = TNY_NONE,
      .entered = TNY_NONE,
  };
  emission.local = here - emission.group.first;
  for (uint32_t stage = 0; stage < emission.group.stages; stage++) {
    const uint32_t first = stage * emission.group.size;
    for (uint32_t step = first; step < first + emission.group.size; step++) {
      give_out(&emission, step);
      take_in(&emission, step);
    }
    emission.arrived = emission.entered;
  }
  spread(&emission);
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, 0, 1), tny_span_blocks(TNY_OUTPUT, rank, 1));
}

/* In how many of the first `steps` steps the i-th sends out. */
static uint32_t times_out(const struct group *group, uint32_t steps, uint32_t i)
{
  const uint32_t stages = steps / group->size;
  return stages + (alternated(group->way, group->size, stages, i) < steps % group->size);
}

static uint64_t blocks_sent(const struct group *group, uint32_t local)
{
  const uint64_t entered = times_out(group, group->receives, group->size - 1 - local);
  return (1 + entered) * (group->size - 1) + times_out(group, group->sends, local);
}

/* All stages, and the steps that spread what entered in the last one. */
static uint32_t step_count(const struct group *group)
{
  const uint32_t steps = group->stages * group->size;
  const bool spreads = group->stages == 0 || group->receives > steps - group->size;
  return steps + (spreads ? group->size - 1 : 0);
}

/* Messages follow each other step by step, so that a round is a step. There is one exception, in
   which none of the messages of the last stage's last step is followed by another. Only one rank
   has a block to spread; it was to send out in that step, but had nothing left; and the rank that
   gets its block first was to receive from outside, but nothing was left to come. */
static uint32_t round_count(const struct group *group)
{
  const uint32_t steps = step_count(group);
  if (group->stages == 0 || group->size == 1)
    return steps;
  const uint32_t last_stage = (group->stages - 1) * group->size;
  const uint32_t last_step = last_stage + group->size - 1;
  const uint32_t lone = receiver(group->way, group->size, last_stage);
  const uint32_t first = local_at_distance(group, lone, spread_distance(group, 1));
  const bool breaks = group->receives == last_stage + 1 && group->sends <= last_step &&
                      receiver(group->way, group->size, last_step) == first;
  return steps - breaks;
}

struct tny_claim tny_link_scheduling_claim(const struct tny_link_scheduling *way)
{
  struct tny_claim claim = {.port_messages = 1};
  for (uint32_t index = 0; index < way->groups.count; index++) {
    const struct group group = group_of(way, index);
    const uint32_t steps = step_count(&group);
    const uint32_t rounds = round_count(&group);
    if (steps > claim.phases)
      claim.phases = steps;
    if (rounds > claim.rounds)
      claim.rounds = rounds;
    for (uint32_t local = 0; local < group.size; local++) {
      const uint64_t blocks = blocks_sent(&group, local);
      if (blocks > claim.blocks_sent_max)
        claim.blocks_sent_max = blocks;
    }
  }
  return claim;
}
