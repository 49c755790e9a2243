/* All-to-all on any tree of switches, in exactly as many phases as the most loaded link carries
   messages.

   Source: Faraj, Patarasuk, Yuan, "A message scheduling scheme for all-to-all personalized
           communication on Ethernet switched clusters"
   Needs:  a tree of switches; a host with several ranks is the lowest switch of it
   Shape:  p=4, switches 0 1 | 2 3, 4 messages cross the trunk each way: in phase 0 1>3 2>0 0>1 3>2,
           then 1>2 3>0 2>3, then 0>2 2>1, then 0>3 3>1 1>0
   Cost:   n (p - n) phases, n the largest branch; p-1 blocks sent by each rank
   Links:  one message a link and phase, and on the largest branch's link one in every phase
   Prefer: for long blocks on a tree of switches where trunks must not be shared at any time; it is
           planned quickly, for up to 131071 ranks. planned-phases has about as few phases and takes
           other networks too; on two or three switches shuffle with limits on its links is about as
           fast

   The branches b, n_b ranks each, hang from the switch that leaves each at most half of the ranks;
   0 is the largest. T = n_0 (p - n_0) phases; t counts them from the last back, T-1-phase.
   Messages of b -> c take n_b n_c phases in a row (the paper's, 4): from phase n_b * (ranks between
   b and c) on for b < c, from t = n_c * (ranks between) on for b > c. So a branch has at most one
   message going out in a phase, and one coming in: these use different links, as branches do.

   It remains to choose which rank of b sends and which rank of c receives. Where 0 < b < c, one
   rank of b sends to all of c, then the next rank does. Where b > c > 0 it is the same, counted by
   t, so that rank t mod n_c receives. From 0 to c, rank t mod n_c receives too, and all ranks of 0
   send in turn, again and again, rotated by one every lcm(n_0, n_c) phases, so that each pair meets
   once. From b to 0, one rank of b sends to all of 0, then the next rank does, counted by t: in the
   q-th round of n_0 phases, to the rank that is q+1 behind the rank of 0 that sends.

   A message u -> v within a branch shares no link in a phase in which u receives from outside the
   branch and v sends out of it. On its way up from u no other message goes up, as that of v joins
   only where the way turns; and on its way down to v no other message comes down. In branch 0 there
   is such a phase for each u and v in one of the first n_0 - 1 rounds. In another branch b it is
   one in which v sends to b-1: in these n_{b-1} >= n_b phases all u receive in turn, or nothing
   comes in, as all messages from branches between 0 and b have come by then. */
#include <stdlib.h>

#include "collectives/list.h"
#include "collectives/shared/branches.h"
#include "core/alloc.h"
#include "core/error.h"

/* Their phases would be more than can be counted: n (p - n) is at most p^2 / 4. */
#define RANKS_MAX 131071

/* What 0 -> c needs to know of the branch c. */
struct meeting {
  uint32_t divisor; /* the greatest common of n_0 and n_c */
  uint32_t inverse; /* of n_0 / divisor, modulo n_c / divisor */
};

struct plan {
  struct tny_branches *branches;
  struct meeting *meetings; /* by branch */
  uint32_t largest;         /* n_0 */
  uint32_t phases;          /* T */
};

static uint32_t size_of(const struct plan *plan, uint32_t branch)
{
  return tny_branches_size(plan->branches, branch);
}

/* The phase in the round-th n_0 phases in which the sender-th rank of branch 0 sends. */
static uint32_t find_sender(const struct plan *plan, uint32_t round, uint32_t sender)
{
  /* In a round, all of branch 0 send to branches; from round to round the receivers move on by
     one. */
  const uint32_t index = plan->largest + round, to = plan->branches->branch_of[index];
  const uint64_t run = index - plan->branches->first[to];
  const uint32_t further = (uint32_t)(run * plan->meetings[to].divisor / size_of(plan, to));
  return round * plan->largest + (sender + plan->largest - further) % plan->largest;
}

/* 0 -> c: the sender-th and the receiver-th. */
static uint32_t phase_from_largest(const struct plan *plan, uint32_t to, uint32_t sender,
                                   uint32_t receiver)
{
  const struct meeting *meeting = &plan->meetings[to];
  const uint32_t from_size = plan->largest, to_size = size_of(plan, to), g = meeting->divisor;
  const uint32_t start = from_size * (plan->branches->first[to] - from_size);
  /* Phases of the block count from 0: in the x-th one, rank (last - x) mod n_c receives. */
  const uint32_t last = plan->phases - 1 - start;
  const uint32_t due = (last - receiver) % to_size; /* x mod n_c */
  const uint32_t further = (sender + g - due % g) % g;
  const uint32_t turn = (sender + from_size - further) % from_size; /* x mod n_0 */
  const uint64_t apart = (due + to_size - turn % to_size) % to_size / g;
  const uint32_t rounds = (uint32_t)(apart * meeting->inverse % (to_size / g));
  return start + further * (from_size / g * to_size) + rounds * from_size + turn;
}

/* Within branch 0, or another. */
static uint32_t phase_within(const struct plan *plan, uint32_t branch, uint32_t sender,
                             uint32_t receiver)
{
  const uint32_t size = size_of(plan, branch);
  if (branch == 0)
    return find_sender(plan, (sender + size - receiver - 1) % size, receiver);
  const uint32_t before = receiver * size_of(plan, branch - 1);
  return plan->phases - 1 - before - (sender + size - before % size) % size;
}

/* The phase of the message from one rank to another, by their indices in struct tny_branches. */
static uint32_t phase_of(const struct plan *plan, uint32_t from, uint32_t to)
{
  const struct tny_branches *branches = plan->branches;
  const uint32_t *first = branches->first;
  const uint32_t b = branches->branch_of[from], c = branches->branch_of[to];
  const uint32_t sender = from - first[b], receiver = to - first[c], size = size_of(plan, c);
  if (b == c)
    return phase_within(plan, b, sender, receiver);
  if (b == 0)
    return phase_from_largest(plan, c, sender, receiver);
  if (b < c)
    return size_of(plan, b) * (first[c] - first[b + 1]) + sender * size + receiver;
  if (c > 0)
    return plan->phases - 1 - size * (from - first[c + 1]) - receiver;
  const uint32_t round = branches->rank_count - 1 - from;
  return find_sender(plan, round, (receiver + size - (round + 1) % size) % size);
}

/* --- planning --- */

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
  while (b > 0) {
    const uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static struct meeting meeting_of(uint32_t from_size, uint32_t to_size)
{
  const uint32_t divisor = common_divisor(from_size, to_size), modulus = to_size / divisor;
  const uint64_t factor = from_size / divisor;
  struct meeting meeting = {.divisor = divisor};
  while (factor * meeting.inverse % modulus != 1 % modulus)
    meeting.inverse++;
  return meeting;
}

static void release(void *prepared)
{
  struct plan *plan = prepared;
  tny_branches_free(plan->branches);
  tny_free(plan->meetings);
  tny_free(plan);
}

static enum tny_status prepare(const struct tny_problem *problem, void **prepared,
                               struct tny_error *error)
{
  struct plan *plan = tny_new(1, sizeof *plan);
  if (!plan)
    return tny_error_memory(error);
  *prepared = plan;
  const enum tny_status status = tny_branches_make(problem, &plan->branches, error);
  if (status != TNY_OK)
    return status;
  plan->largest = size_of(plan, 0);
  plan->phases = plan->largest * (problem->rank_count - plan->largest);
  plan->meetings = tny_new(plan->branches->count, sizeof *plan->meetings);
  if (!plan->meetings)
    return tny_error_memory(error);
  for (uint32_t branch = 1; branch < plan->branches->count; branch++)
    plan->meetings[branch] = meeting_of(plan->largest, size_of(plan, branch));
  return TNY_OK;
}

static const char *refuse(const struct tny_problem *problem)
{
  const struct tny_placement *placement = problem->placement;
  if (problem->rank_count > RANKS_MAX)
    return "more phases than can be counted";
  if (problem->network)
    return tny_cluster_is_tree(problem->network->routes->cluster) ? NULL
                                                                  : "needs a tree of switches";
  if (placement && (placement->switch_count > 1 || placement->host_count < placement->rank_count))
    return "needs the cluster";
  return NULL;
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct plan *plan = problem->prepared;
  return (struct tny_claim){.phases = plan->phases,
                            .blocks_sent_max = problem->rank_count - 1,
                            .port_messages = 1,
                            .tree_link_messages = 1};
}

/* A message of a rank, while they are put in order. */
struct message {
  uint32_t phase, peer;
  enum tny_step_kind kind;
};

static int compare(const void *a, const void *b)
{
  const struct message *left = a, *right = b;
  if (left->phase != right->phase)
    return left->phase < right->phase ? -1 : 1;
  return (left->kind > right->kind) - (left->kind < right->kind);
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct plan *plan = problem->prepared;
  const struct tny_branches *branches = plan->branches;
  const uint32_t p = problem->rank_count, here = branches->index_of[rank];
  struct message *messages = tny_new((size_t)2 * p, sizeof *messages);
  size_t count = 0;
  if (!messages) {
    tny_error_memory(&builder->error);
    return;
  }
  for (uint32_t index = 0; index < p; index++) {
    if (index == here)
      continue;
    const uint32_t peer = branches->rank_at[index];
    messages[count++] = (struct message){phase_of(plan, here, index), peer, TNY_SEND};
    messages[count++] = (struct message){phase_of(plan, index, here), peer, TNY_RECV};
  }
  qsort(messages, count, sizeof *messages, compare);
  for (size_t i = 0; i < count; i++) {
    const struct message *message = &messages[i];
    if (tny_step_starts_message(message->kind))
      tny_builder_send(builder, message->peer, tny_span_blocks(TNY_INPUT, message->peer, 1),
                       message->phase);
    else
      tny_builder_recv(builder, message->peer, tny_span_blocks(TNY_OUTPUT, message->peer, 1),
                       message->phase);
  }
  tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, rank, 1),
                   tny_span_blocks(TNY_OUTPUT, rank, 1));
  tny_free(messages);
}

const struct tny_algorithm tny_alltoall_tree_phases = {
    .collective = TNY_ALLTOALL,
    .name = "tree-phases",
    .source = "faraj2007",
    .summary = "on a tree of switches, one message a link and phase, in the fewest phases",
    .needs = "a tree of switches",
    .cut = TNY_CUT_BY_CHUNK,
    .pacing = TNY_PACE_RECEIVES,
    .refuse = refuse,
    .prepare = prepare,
    .release = release,
    .single_blocks = true,
    .claim = claim,
    .emit = emit,
};
