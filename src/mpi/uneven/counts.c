/* The counts of a call, at the rank that plans. Other ranks need no more than to know one set of
   counts from another, and the longest block, by which a plan is paced.

     1. Rank 0 tells whether it has memory.
     2. A gather of every rank's counts, in bytes; a rank that can't tell its own says so in them.
     3. Rank 0 tells a hash of them, and the longest.

   All of these are native collectives over the program's communicator, in order with its own calls.
   A plan leaves out what its counts have no bytes for: so two sets of counts with the same hash
   would be one too many, which 64 bits rule out for all that it matters. */
#include "mpi/uneven/counts.h"

#include "core/bytes.h"
#include "mpi/native.h"
#include "mpi/uneven/blocks.h"

#define UNKNOWN UINT64_MAX /* in place of a rank's first count */

/* What rank 0 tells. */
struct answer {
  uint64_t id, longest;
};

const char *tny_counts_refusal(const struct tny_job *job)
{
  if (!job->call->uneven)
    return "the algorithm goes by sizes that differ, of all ranks";
  return job->state->rank_count > TNY_PLANNER_RANKS ? "too many ranks to plan by all their counts"
                                                    : NULL;
}

/* Among neighbours: all that it has for one is one message. */
static int list_own_messages(const struct tny_job *job, uint64_t *own)
{
  const struct tny_edge_side *edges = &job->state->edges->send;
  struct tny_block_cursor cursor = {0};
  int code = MPI_SUCCESS;
  for (uint32_t i = 0; code == MPI_SUCCESS && i < edges->message_count; i++) {
    const struct tny_neighbour_message message = {.buffer = TNY_INPUT, .side = edges, .index = i};
    code = tny_uneven_message_bytes(job->call, &message, &cursor, &own[tny_message_rank(edges, i)]);
  }
  return code;
}

static int list_own_blocks(const struct tny_job *job, uint64_t *own)
{
  struct tny_block_cursor cursor = {0};
  struct tny_call_block block;
  int code = MPI_SUCCESS;
  for (uint32_t i = 0; code == MPI_SUCCESS && i < job->state->rank_count; i++) {
    code = tny_uneven_sent(job->call, job->state->rank, i, &cursor, &block);
    if (code == MPI_SUCCESS)
      own[i] = (uint64_t)block.count * block.facts.bytes;
  }
  return code;
}

/* Lists the bytes that this rank has for each, where they were zero. */
static void list_own(const struct tny_job *job, uint64_t own[TNY_PLANNER_RANKS])
{
  const int code =
      tny_call_neighbours(job->call) ? list_own_messages(job, own) : list_own_blocks(job, own);
  if (code != MPI_SUCCESS)
    own[0] = UNKNOWN;
}

/* Has every rank told its counts? */
static bool are_known(const struct tny_pattern *pattern)
{
  const size_t p = pattern->rank_count;
  for (size_t rank = 0; rank < p; rank++)
    if (pattern->bytes[rank * p] == UNKNOWN)
      return false;
  return true;
}

/* What is told of all ranks' counts. */
static struct answer describe(const struct tny_pattern *pattern)
{
  const size_t p = pattern->rank_count;
  if (!are_known(pattern))
    return (struct answer){0};
  return (struct answer){
      .id = 1 | tny_hash_bytes(TNY_HASH_START, pattern->bytes, p * p * sizeof *pattern->bytes),
      .longest = tny_pattern_longest(pattern)};
}

static int tell(const struct tny_comm_state *state, struct answer *answer)
{
  return tny_native.bcast(answer, 2, MPI_UINT64_T, 0, state->of);
}

/* Both are zero where there is nothing to plan. */
static int exchange(struct tny_job *job, const uint64_t *own, struct answer *answer)
{
  const struct tny_comm_state *state = job->state;
  const int count = (int)state->rank_count;
  struct tny_pattern *pattern = job->counts.pattern;
  *answer = (struct answer){.id = pattern != NULL};
  int code = tell(state, answer);
  if (code != MPI_SUCCESS || answer->id == 0)
    return code;
  code = tny_native.gather(own, count, MPI_UINT64_T, pattern ? pattern->bytes : NULL, count,
                           MPI_UINT64_T, 0, state->of);
  if (code == MPI_SUCCESS && pattern)
    *answer = describe(pattern);
  return code == MPI_SUCCESS ? tell(state, answer) : code;
}

/* Made once, for all calls on the communicator; NULL: no memory. */
static struct tny_pattern *find_room(struct tny_comm_state *state)
{
  if (!state->counts && tny_pattern_new(state->rank_count, &state->counts, NULL) != TNY_OK)
    state->counts = NULL;
  return state->counts;
}

const char *tny_counts_gather(struct tny_job *job, int *code)
{
  uint64_t own[TNY_PLANNER_RANKS] = {0};
  struct answer answer;
  list_own(job, own);
  if (job->state->rank == 0)
    job->counts.pattern = find_room(job->state);
  *code = exchange(job, own, &answer);
  if (*code != MPI_SUCCESS)
    return NULL;
  job->counts.id = answer.id;
  job->counts.longest = answer.longest;
  if (answer.id == 0)
    return "a rank's counts aren't known, or there is no memory for a plan";
  return answer.longest == 0 ? "no bytes for another rank" : NULL;
}
