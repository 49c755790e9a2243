/* The counts of a call, at the rank that plans. Other ranks need no more than to know one set of
   counts from another, and the longest block, by which a plan is paced.

     1. Rank 0 tells whether it has memory.
     2. A gather of every rank's counts, in bytes.
     3. Rank 0 tells a hash of them, and the longest.

   All of these are native collectives over the program's communicator, in order with its own calls.
   A plan leaves out what its counts have no bytes for: so two sets of counts with the same hash
   would be one too many, which 64 bits rule out for all that it matters. */
#include "mpi/uneven/counts.h"

#include "core/bytes.h"
#include "mpi/native.h"
#include "mpi/uneven/blocks.h"

/* As many as are ranked where planners look at every message (tny_model_limits). */
enum { RANKS_MAX = 128 };

const char *tny_counts_refusal(const struct tny_job *job)
{
  if (!job->call->uneven || tny_call_neighbours(job->call))
    return "the algorithm goes by sizes that differ, of all ranks";
  return job->state->rank_count > RANKS_MAX ? "too many ranks to plan by all their counts" : NULL;
}

/* Lists the bytes that this rank has for each. */
static int list_own(const struct tny_job *job, uint64_t *own)
{
  struct tny_block_cursor cursor = {0};
  struct tny_call_block block;
  int code = MPI_SUCCESS;
  for (uint32_t i = 0; code == MPI_SUCCESS && i < job->state->rank_count; i++) {
    code = tny_uneven_sent(job->call, job->state->rank, i, &cursor, &block);
    own[i] = code == MPI_SUCCESS ? (uint64_t)block.count * block.facts.bytes : 0;
  }
  return code;
}

/* What rank 0 tells. */
struct answer {
  uint64_t id, longest;
};

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
    *answer = (struct answer){
        .id = 1 | tny_hash_bytes(TNY_HASH_START, pattern->bytes,
                                 (size_t)count * (size_t)count * sizeof *pattern->bytes),
        .longest = tny_pattern_longest(pattern)};
  return code == MPI_SUCCESS ? tell(state, answer) : code;
}

const char *tny_counts_gather(struct tny_job *job, int *code)
{
  uint64_t own[RANKS_MAX];
  struct answer answer;
  *code = list_own(job, own);
  if (*code == MPI_SUCCESS && job->state->rank == 0 &&
      tny_pattern_new(job->state->rank_count, &job->counts.pattern, NULL) != TNY_OK)
    job->counts.pattern = NULL;
  if (*code == MPI_SUCCESS)
    *code = exchange(job, own, &answer);
  if (*code != MPI_SUCCESS)
    return NULL;
  job->counts.id = answer.id;
  job->counts.longest = answer.longest;
  if (answer.id == 0)
    return "no memory for a plan";
  return answer.longest == 0 ? "no bytes for another rank" : NULL;
}

void tny_counts_release(struct tny_job *job)
{
  tny_pattern_free(job->counts.pattern);
  job->counts.pattern = NULL;
}
