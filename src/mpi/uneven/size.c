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
static const char repeated[] = "a call again that its MPI has refused, and that the others are in";
static const char refused[] = "a rank's arguments are for its MPI to judge";
static const char overlong[] = "no bytes, or a block over 2 GiB";

/* What is agreed on: the greatest of all ranks' numbers. */
enum {
  NUMBER_IS_REFUSED,
  NUMBER_LONGEST,
  NUMBER_FULLEST,
  NUMBER_MESSAGES, /* that a rank sends, or gets */
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

/* Could its communicator be served, for all that each rank knows of it? */
static int find_early(struct tny_job *job)
{
  const MPI_Comm comm = job->call->comm;
  const char *why = NULL;
  MPI_Group members;
  int rank_count;
  int code = PMPI_Comm_group(comm, &members);
  if (code != MPI_SUCCESS)
    return code;
  code = PMPI_Comm_size(comm, &rank_count);
  if (code == MPI_SUCCESS)
    code = tny_comm_find_common_reason(comm, members, rank_count, &why);
  job->is_early = !why;
  PMPI_Group_free(&members);
  return code;
}

static const char *find_due(struct tny_job *job, int *code)
{
  uint32_t calls;
  if (job->state && job->state->repeats) {
    job->state->repeats = false;
    return repeated;
  }
  if (is_always_due(job))
    return NULL;
  if (job->state) {
    job->is_counted = !tny_sizing_is_due(&job->state->sizing);
    return job->is_counted ? not_due : NULL;
  }
  *code = tny_comm_count_uneven(job->call->comm, &calls);
  if (*code != MPI_SUCCESS)
    return refused;
  if (calls == 0)
    return repeated;
  job->is_counted = !tny_sizing_is_early_due(calls);
  if (job->is_counted)
    return calls <= TNY_SIZING_CALLS_BEFORE ? tny_uneven_first_calls : not_due;
  if (calls < TNY_SIZING_EARLY_CALLS)
    *code = find_early(job);
  return NULL;
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
  job->longest_bytes = sizes.longest;
  job->mean_bytes = sizes.fullest / (uint64_t)rank_count + 1;
  return sizes.longest > INT_MAX ? overlong : NULL;
}

const char *tny_uneven_find_size(struct tny_job *job, int *code)
{
  *code = tny_call_state_find(job->call, &job->state);
  if (*code != MPI_SUCCESS)
    return refused;
  if (job->state && job->state->why_native)
    return job->state->why_native;
  return tny_uneven_needs_agreement(job->call) ? find_due(job, code) : find_alone(job, code);
}

/* What the call's arguments say, by this rank's edges among neighbours. */
static void describe_sizes(const struct tny_call *call, uint32_t rank, uint32_t rank_count,
                           const struct tny_edges *edges, double numbers[NUMBERS])
{
  struct tny_uneven_sizes sizes = {0};
  const bool lacks_edges = tny_call_neighbours(call) && !edges;
  numbers[NUMBER_IS_REFUSED] =
      lacks_edges || !tny_uneven_check(call, rank, rank_count, edges, &sizes);
  numbers[NUMBER_LONGEST] = (double)sizes.longest;
  numbers[NUMBER_FULLEST] = (double)sizes.fullest;
  numbers[NUMBER_MESSAGES] = edges ? tny_edges_messages_most(edges) : rank_count;
}

/* The edges are looked up again where no neighbourhood keeps them yet. */
static int describe_call(const struct tny_job *job, double numbers[NUMBERS])
{
  const struct tny_call *call = job->call;
  const bool has_edges = job->state && job->state->edges;
  struct tny_edges *found = NULL;
  int rank, rank_count;
  int code = PMPI_Comm_rank(call->comm, &rank);
  if (code == MPI_SUCCESS)
    code = PMPI_Comm_size(call->comm, &rank_count);
  if (code == MPI_SUCCESS && tny_call_neighbours(call) && !has_edges)
    code = tny_edges_find(call->comm, &found);
  if (code == MPI_SUCCESS)
    describe_sizes(call, (uint32_t)rank, (uint32_t)rank_count,
                   has_edges ? job->state->edges : found, numbers);
  tny_edges_free(found);
  return code;
}

/* What the account says. A rank that a plan failed on has others' messages waiting for it: its
   calls are native too. */
static void describe_state(const struct tny_comm_state *state, double numbers[NUMBERS])
{
  if (state->broken != MPI_SUCCESS)
    numbers[NUMBER_IS_REFUSED] = true;
  numbers[NUMBER_ASKING] = (double)state->sizing.own_asking_ns;
  numbers[NUMBER_LESS_ASKING] = -numbers[NUMBER_ASKING];
  numbers[NUMBER_NATIVE] = (double)state->sizing.own_native_ns;
}

static void take_times(struct tny_job *job, const double numbers[NUMBERS])
{
  struct tny_sizing *sizing = &job->state->sizing;
  sizing->own_asking_ns = (float)job->asking_ns;
  sizing->own_native_ns = 0;
  tny_sizing_agreed(sizing, (struct tny_sizing_seen){.shortest_ns = -numbers[NUMBER_LESS_ASKING],
                                                     .longest_ns = numbers[NUMBER_ASKING],
                                                     .native_ns = numbers[NUMBER_NATIVE]});
}

const char *tny_uneven_agree_on_size(struct tny_job *job, int *code)
{
  double numbers[NUMBERS] = {0};
  *code = describe_call(job, numbers);
  if (*code != MPI_SUCCESS)
    return refused;
  if (job->state)
    describe_state(job->state, numbers);
  const double start_ns = tny_clock_ns();
  *code =
      tny_native.allreduce(MPI_IN_PLACE, numbers, NUMBERS, MPI_DOUBLE, MPI_MAX, job->call->comm);
  job->asking_ns = fmax(1, tny_clock_ns() - start_ns);
  if (*code != MPI_SUCCESS)
    return refused;
  if (job->state)
    take_times(job, numbers);
  const struct tny_uneven_sizes sizes = {.longest = (uint64_t)numbers[NUMBER_LONGEST],
                                         .fullest = (uint64_t)numbers[NUMBER_FULLEST]};
  job->messages_most = (uint32_t)fmax(1, numbers[NUMBER_MESSAGES]);
  job->block_bytes = tny_uneven_plan_bytes(job->call->collective, sizes, job->messages_most);
  job->is_agreed = true;
  if (numbers[NUMBER_IS_REFUSED] > 0)
    return refused;
  return sizes.longest == 0 || sizes.longest > INT_MAX ? overlong : NULL;
}

const char *tny_uneven_get_state(struct tny_job *job, int *code)
{
  struct tny_comm_state *asked = job->state;
  *code = tny_call_state_get(job->call, &job->state);
  if (*code != MPI_SUCCESS)
    return refused;
  struct tny_comm_state *state = job->state;
  if (state->why_native || state == asked)
    return state->why_native;
  state->sizing.own_asking_ns = (float)job->asking_ns;
  const int unpaid = asked ? asked->sizing.unpaid : TNY_COMM_STATE_COLLECTIVES;
  state->sizing.unpaid = (uint16_t)(state->sizing.unpaid + unpaid);
  if (asked)
    asked->sizing.unpaid = 0; /* the neighbourhood, which is new, has it */
  return NULL;
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

void tny_uneven_refused(const struct tny_job *job)
{
  if (job->is_counted && job->state)
    tny_sizing_uncount(&job->state->sizing);
  else if (job->is_counted)
    tny_comm_uncount_uneven(job->call->comm);
  else if (job->is_agreed && job->state)
    job->state->repeats = true;
  else if (job->is_agreed)
    tny_comm_repeat_uneven(job->call->comm);
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
