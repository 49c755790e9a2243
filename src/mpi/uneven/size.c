/* For which size an uneven call is planned. In an all-gather or reduce-scatter every rank knows all
   blocks' bytes. In an all-to-all none does, and in a gather or scatter the root alone; there the
   ranks agree, by one native reduction of a few numbers; in which calls, guard/sizing.h says.
   Whatever they agree on decides how fast a call is, never what it delivers: the two ends of each
   message know its bytes. */
#include "mpi/uneven/size.h"

#include <limits.h>
#include <math.h>

#include "mpi/explain.h"
#include "mpi/guard/clock.h"
#include "mpi/native.h"
#include "mpi/neighbours/state.h"
#include "mpi/uneven/blocks.h"
#include "mpi/world.h"

const char tny_uneven_first_calls[] = "the first of its uneven calls: no sizes are agreed on yet";
static const char not_due[] = "no plan served such calls of late: no sizes are agreed on";
static const char refused[] = "a rank's arguments are for its MPI to judge";
static const char overlong[] = "no bytes, or a block over 2 GiB";

/* What is agreed on: the greatest of all ranks' numbers. */
enum {
  NUMBER_IS_REFUSED,
  NUMBER_LONGEST,
  NUMBER_FULLEST,
  NUMBER_ASKING,
  NUMBER_LESS_ASKING, /* its negative, of which the greatest is the shortest's */
  NUMBER_NATIVE,
  NUMBERS
};

bool tny_uneven_needs_agreement(const struct tny_call *call)
{
  const enum tny_collective collective = call->collective;
  return call->uneven &&
         (tny_collective_is_pairwise(collective) || tny_collective_has_root(collective));
}

/* Is it served without a look at how calls went before? */
static bool is_always_due(const struct tny_job *job)
{
  const struct tny_world *world = tny_world_get();
  return !world->guard || world->forced[job->call->collective].set;
}

static const char *find_due(const struct tny_job *job)
{
  if (is_always_due(job))
    return NULL;
  if (job->state)
    return tny_sizing_is_due(&job->state->sizing) ? NULL : not_due;
  return tny_comm_count_uneven(job->call->comm, TNY_SIZING_CALLS_BEFORE + 1) <=
                 TNY_SIZING_CALLS_BEFORE
             ? tny_uneven_first_calls
             : NULL;
}

/* Each rank finds the size by what it gets, as all get the same, or gives to a reduction. */
static const char *find_alone(struct tny_job *job, int *code)
{
  const struct tny_call *call = job->call;
  struct tny_uneven_sizes sizes;
  int rank_count, is_inter = 0;
  if (job->state) {
    rank_count = (int)job->state->rank_count;
  } else {
    *code = PMPI_Comm_size(call->comm, &rank_count);
    if (*code == MPI_SUCCESS)
      *code = PMPI_Comm_test_inter(call->comm, &is_inter);
  }
  if (*code != MPI_SUCCESS)
    return refused;
  if (is_inter)
    return "an intercommunicator";
  if (!tny_uneven_common_sizes(call, (uint32_t)rank_count, &sizes))
    return refused;
  job->block_bytes = tny_uneven_plan_bytes(call->collective, sizes, (uint32_t)rank_count);
  return sizes.longest > INT_MAX ? overlong : NULL;
}

const char *tny_uneven_find_size(struct tny_job *job, int *code)
{
  *code = tny_call_state_find(job->call, &job->state);
  if (*code != MPI_SUCCESS)
    return refused;
  if (job->state && job->state->why_native)
    return job->state->why_native;
  return tny_uneven_needs_agreement(job->call) ? find_due(job) : find_alone(job, code);
}

/* A rank that a plan failed on has others' messages waiting for it: its calls are native too. */
static void describe(const struct tny_job *job, double numbers[NUMBERS])
{
  const struct tny_comm_state *state = job->state;
  struct tny_uneven_sizes sizes;
  const bool is_valid =
      tny_uneven_check(job->call, state->rank, state->rank_count, state->edges, &sizes);
  numbers[NUMBER_IS_REFUSED] = !is_valid || state->broken != MPI_SUCCESS;
  numbers[NUMBER_LONGEST] = (double)sizes.longest;
  numbers[NUMBER_FULLEST] = (double)sizes.fullest;
  numbers[NUMBER_ASKING] = (double)state->sizing.own_asking_ns;
  numbers[NUMBER_LESS_ASKING] = -numbers[NUMBER_ASKING];
  numbers[NUMBER_NATIVE] = (double)state->sizing.own_native_ns;
}

const char *tny_uneven_agree_on_size(struct tny_job *job, int *code)
{
  struct tny_comm_state *state = job->state;
  double numbers[NUMBERS];
  if (!tny_uneven_needs_agreement(job->call))
    return NULL;
  describe(job, numbers);
  const double start_ns = tny_clock_ns();
  *code = tny_native.allreduce(MPI_IN_PLACE, numbers, NUMBERS, MPI_DOUBLE, MPI_MAX, state->of);
  job->asking_ns = fmax(1, tny_clock_ns() - start_ns);
  if (*code != MPI_SUCCESS)
    return refused;
  state->sizing.own_asking_ns = (float)job->asking_ns;
  state->sizing.own_native_ns = 0;
  tny_sizing_agreed(&state->sizing,
                    (struct tny_sizing_seen){.shortest_ns = -numbers[NUMBER_LESS_ASKING],
                                             .longest_ns = numbers[NUMBER_ASKING],
                                             .native_ns = numbers[NUMBER_NATIVE]});
  const struct tny_uneven_sizes sizes = {.longest = (uint64_t)numbers[NUMBER_LONGEST],
                                         .fullest = (uint64_t)numbers[NUMBER_FULLEST]};
  job->block_bytes =
      tny_uneven_plan_bytes(job->call->collective, sizes, tny_group_messages_most(state->group));
  if (numbers[NUMBER_IS_REFUSED] > 0)
    return refused;
  return sizes.longest > INT_MAX ? overlong : NULL;
}

/* Did calls before decide whether the job is agreed on, and was it? */
static bool was_asked(const struct tny_job *job)
{
  return job->state && tny_uneven_needs_agreement(job->call) && !is_always_due(job) &&
         job->asking_ns > 0;
}

void tny_uneven_classed(struct tny_job *job)
{
  if (!was_asked(job))
    return;
  job->is_classed = true;
  tny_guard_agreed_on_size(job->state, job->call->collective,
                           tny_guard_number(job->block_bytes, true));
}

/* The class whose calls the call is counted with, the same at all ranks; NULL: none. */
static const struct tny_guard_class *class_of(const struct tny_job *job)
{
  return job->is_classed ? tny_guard_table_find(&job->state->guard, job->call->collective,
                                                tny_guard_number(job->block_bytes, true))
                         : NULL;
}

void tny_uneven_note(const struct tny_job *job, const char *why)
{
  if (was_asked(job))
    tny_sizing_note(&job->state->sizing, why == tny_guard_first_call, class_of(job),
                    job->guarded.turn);
}

int tny_uneven_call_native(const struct tny_job *job)
{
  const struct tny_call *call = job->call;
  if (!was_asked(job) || class_of(job))
    return call->call_native(call);
  const double start_ns = tny_clock_ns();
  const int code = call->call_native(call);
  job->state->sizing.own_native_ns = (float)(tny_clock_ns() - start_ns);
  return code;
}
