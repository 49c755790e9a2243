/* All-to-all in phases without shared links, on any cluster, by any routes, for any pattern: close
   to as few phases as the most loaded link carries messages (docs/planner.md).

   Source: ours. The search for fewer phases takes after Bloechliger, Zufferey, "A graph coloring
           heuristic using partial solutions and a reactive tabu scheme", and the phases of tori
           after Hinrichs et al., as phases.c
   Needs:  the cluster; 2048 ranks at most, but with a pattern as many as have 2^22 messages
   Shape:  p=4, switches 0 1 | 2 3, 4 messages cross the trunk each way:
             1>2 2>3 3>1   0>2 1>0 2>1   0>1 1>3 3>0   0>3 2>0 3>2
   Cost:   planned, not known before; p-1 blocks sent by each rank, or as the pattern says
   Links:  one message a link and phase, on any cluster, however many ranks a host
   Prefer: for long blocks on networks with cycles or slow trunks (tori of any sides, meshes,
           irregular ones: measured at 89 % of the bound), and for sparse or uneven patterns, of
           which it plans just the messages that there are. It takes 2048 ranks at most

   A rank's messages are listed in order of phase. */
#include "collectives/list.h"
#include "planner/phases/planner.h"

/* With a pattern there may be few messages for many ranks: then the planner says. */
#define RANKS_MAX 2048

static const char *refuse(const struct tny_problem *problem)
{
  if (!problem->network)
    return "needs the cluster";
  if (!problem->pattern && problem->rank_count > RANKS_MAX)
    return "plans every message by itself: needs 2048 ranks at most";
  return NULL;
}

static enum tny_status prepare(const struct tny_problem *problem, void **prepared,
                               struct tny_error *error)
{
  struct tny_phase_plan *plan;
  const enum tny_status status = tny_phase_plan_make(problem, &plan, error);
  *prepared = plan;
  return status;
}

static void release(void *prepared)
{
  tny_phase_plan_free(prepared);
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_phase_plan *plan = problem->prepared;
  return (struct tny_claim){.phases = plan->phase_count,
                            .blocks_sent_max = plan->sends_most,
                            .port_messages = 1,
                            .tree_link_messages = 1,
                            .grid_link_messages = 1,
                            .link_messages = 1};
}

static bool keeps_own_block(const struct tny_problem *problem, uint32_t rank)
{
  const size_t own = (size_t)rank * problem->rank_count + rank;
  return !problem->pattern || problem->pattern->bytes[own] > 0;
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct tny_phase_plan *plan = problem->prepared;
  uint32_t send = plan->first_send[rank], receive = plan->first_receive[rank];
  const uint32_t send_end = plan->first_send[rank + 1], end = plan->first_receive[rank + 1];
  if (keeps_own_block(problem, rank))
    tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, rank, 1),
                     tny_span_blocks(TNY_OUTPUT, rank, 1));
  while (send < send_end || receive < end) {
    const bool sends = receive == end || (send < send_end &&
                                          plan->sends[send].phase <= plan->receives[receive].phase);
    const struct tny_phase_turn turn = sends ? plan->sends[send++] : plan->receives[receive++];
    if (sends)
      tny_builder_send(builder, turn.peer, tny_span_blocks(TNY_INPUT, turn.peer, 1), turn.phase);
    else
      tny_builder_recv(builder, turn.peer, tny_span_blocks(TNY_OUTPUT, turn.peer, 1), turn.phase);
  }
}

const struct tny_algorithm tny_alltoall_planned_phases = {
    .collective = TNY_ALLTOALL,
    .name = "planned-phases",
    .source = "blochliger2008",
    .summary = "on any cluster, one message a link and phase, in nearly the fewest phases",
    .needs = "the cluster",
    .cut = TNY_CUT_BY_CHUNK,
    .pacing = TNY_PACE_RECEIVES,
    .takes_patterns = true,
    .plans_messages = true,
    .refuse = refuse,
    .prepare = prepare,
    .release = release,
    .single_blocks = true,
    .claim = claim,
    .emit = emit,
};
