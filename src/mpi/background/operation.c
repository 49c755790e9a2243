/* Operations. Each goes through its phases without waiting: the lane has its tags; of a broadcast,
   the root's size is known; the plan is there; it has run; what was sent besides is gone. */
#include "mpi/background/operation.h"

#include "core/alloc.h"
#include "mpi/background/known.h"
#include "mpi/handout/handout.h"
#include "mpi/world.h"

/* Those that may be used again, so that a call allocates nothing of ours once others have run. */
static struct {
  pthread_mutex_t lock;
  struct tny_mpi_operation *first;
} unused = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct tny_mpi_operation *take_unused(void)
{
  pthread_mutex_lock(&unused.lock);
  struct tny_mpi_operation *operation = unused.first;
  if (operation)
    unused.first = operation->next;
  pthread_mutex_unlock(&unused.lock);
  return operation;
}

static void free_operation(struct tny_mpi_operation *operation)
{
  tny_running_free(operation->running);
  tny_free(operation);
}

static struct tny_mpi_operation *make(void)
{
  struct tny_mpi_operation *operation = take_unused();
  if (operation)
    return operation;
  operation = tny_new(1, sizeof *operation);
  if (operation && !(operation->running = tny_running_new())) {
    tny_free(operation);
    return NULL;
  }
  return operation;
}

void tny_operations_close(void)
{
  struct tny_mpi_operation *operation;
  while ((operation = take_unused()) != NULL)
    free_operation(operation);
}

/* --- datatypes --- */

/* A type of the same layout that is ours; not a duplicate, for which the program's callbacks for
   attributes would be called. What MPI has predefined nobody frees. */
static int hold(MPI_Datatype *type, MPI_Datatype *held)
{
  int integers, addresses, types, combiner;
  int code = PMPI_Type_get_envelope(*type, &integers, &addresses, &types, &combiner);
  if (code != MPI_SUCCESS || combiner == MPI_COMBINER_NAMED)
    return code;
  code = PMPI_Type_contiguous(1, *type, held);
  if (code == MPI_SUCCESS)
    code = PMPI_Type_commit(held);
  if (code == MPI_SUCCESS)
    *type = *held;
  return code;
}

static void let_go(struct tny_mpi_operation *operation)
{
  for (int i = 0; i < 2; i++)
    if (operation->held[i] != MPI_DATATYPE_NULL)
      PMPI_Type_free(&operation->held[i]);
}

/* A reduction's are the MPI's own, and its operations are for these alone. */
static int hold_types(struct tny_mpi_operation *operation)
{
  struct tny_call *call = &operation->call;
  if (tny_collective_reduces(call->collective))
    return MPI_SUCCESS;
  int code = hold(&call->receive_type, &operation->held[0]);
  if (code == MPI_SUCCESS && !tny_collective_has_one_buffer(call->collective) &&
      call->send != MPI_IN_PLACE)
    code = hold(&call->send_type, &operation->held[1]);
  return code;
}

/* --- beginning and end --- */

/* Its ranks may have given a broadcast different sizes, and which is the root's isn't known before
   it runs. By then blocking calls may have settled other plans, at some ranks sooner than at
   others. */
static void note_known(struct tny_mpi_operation *operation, const struct tny_comm_state *state)
{
  const enum tny_collective collective = operation->call.collective;
  if (!tny_collective_has_one_buffer(collective) || tny_world_get()->forced[collective].set)
    return;
  for (uint32_t number = 0; number < TNY_SIZE_CLASSES; number++)
    (void)!tny_known_find(state, operation->lane->state.group, collective, number,
                          &operation->known[number]);
}

int tny_operation_new(struct tny_mpi_lane *lane, const struct tny_job *job,
                      const struct tny_comm_state *state, struct tny_mpi_operation **operation)
{
  struct tny_mpi_operation *new = make();
  if (!new)
    return MPI_ERR_NO_MEM;
  *new = (struct tny_mpi_operation){.lane = lane,
                                    .call = *job->call,
                                    .held = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL},
                                    .job = *job,
                                    .running = new->running,
                                    .request = MPI_REQUEST_NULL};
  new->job.call = &new->call;
  new->job.state = &lane->state;
  atomic_init(&new->code, MPI_SUCCESS);
  atomic_init(&new->use_count, 2);
  tny_lane_use(lane);
  note_known(new, state);
  *operation = new;
  const int code = hold_types(new);
  if (code != MPI_SUCCESS)
    tny_operation_drop(new);
  return code;
}

void tny_operation_drop(struct tny_mpi_operation *operation)
{
  let_go(operation);
  tny_operation_put(operation);
  tny_operation_put(operation);
}

void tny_operation_put(struct tny_mpi_operation *operation)
{
  if (atomic_fetch_sub_explicit(&operation->use_count, 1, memory_order_acq_rel) > 1)
    return;
  tny_lane_put(operation->lane);
  if (operation->is_spoiled)
    return;
  pthread_mutex_lock(&unused.lock);
  operation->next = unused.first;
  unused.first = operation;
  pthread_mutex_unlock(&unused.lock);
}

/* --- phases --- */

static struct tny_plan_request request_of(const struct tny_mpi_operation *operation)
{
  return (struct tny_plan_request){.choice = operation->job.choice,
                                   .root = (uint32_t)operation->call.root,
                                   .block_bytes = operation->job.block_bytes};
}

static int begin(struct tny_mpi_operation *operation)
{
  struct tny_mpi_lane *lane = operation->lane;
  int code = tny_lane_advance(lane);
  if (code != MPI_SUCCESS || !lane->is_ready)
    return code;
  operation->phase = TNY_FINDS_PLAN;
  if (lane->state.broken != MPI_SUCCESS)
    return lane->state.broken;
  if (!tny_collective_has_one_buffer(operation->call.collective))
    return code;
  operation->phase = TNY_LEARNS_SIZE;
  return tny_size_begin(&operation->size, &lane->state, (uint32_t)operation->call.root,
                        operation->job.block_bytes);
}

/* Chooses for a broadcast whose root's block is of another class than this rank's, as the root does
   at its call. */
static int choose_as_root(struct tny_mpi_operation *operation, uint32_t number)
{
  const struct tny_algorithm_choice *known = &operation->known[number];
  struct tny_job *job = &operation->job;
  if (!known->algorithm)
    return tny_guard_find_choice(job->state, operation->call.collective, number, &job->choice);
  job->choice = *known;
  return MPI_SUCCESS;
}

/* An erroneous broadcast's ranks may have given different sizes: the root's counts. */
static int learn_size(struct tny_mpi_operation *operation)
{
  struct tny_size_agreement *size = &operation->size;
  struct tny_job *job = &operation->job;
  int code = tny_size_advance(size, &operation->lane->state, (uint32_t)operation->call.root);
  if (code != MPI_SUCCESS || !size->is_known)
    return code;
  const uint32_t own = tny_guard_number(job->block_bytes, false);
  const uint32_t number = tny_guard_number(size->block_bytes, false);
  job->block_bytes = size->block_bytes;
  operation->phase = TNY_FINDS_PLAN;
  if (own != number && !tny_world_get()->forced[operation->call.collective].set)
    code = choose_as_root(operation, number);
  return code;
}

/* What all run where rank 0 couldn't make the plan. */
static void fall_back(struct tny_mpi_operation *operation)
{
  struct tny_job *job = &operation->job;
  job->choice = (struct tny_algorithm_choice){
      .algorithm = tny_model_default_algorithm(operation->call.collective)};
  const struct tny_plan_request request = request_of(operation);
  job->basis = (struct tny_plan_basis){0};
  if (!tny_plan_run_alone(job->state->group, &request, &job->basis.run))
    job->basis.run = (struct tny_segments){.pace = {.chunk_count = 1}, .count = 1};
}

static void take_entry(struct tny_mpi_operation *operation, const struct tny_agreed *entry)
{
  if (entry->why_native)
    fall_back(operation);
  else
    operation->job.basis = tny_plan_basis_of(entry);
}

/* Has the plan handed out. */
static int get_handed(struct tny_mpi_operation *operation, const struct tny_plan_request *request,
                      bool *is_found)
{
  struct tny_comm_state *state = &operation->lane->state;
  struct tny_handing *handing = &operation->handing;
  struct tny_agreed *entry = NULL;
  int code = MPI_SUCCESS;
  if (!handing->is_begun)
    code = tny_handing_begin(handing, state, request);
  if (code == MPI_SUCCESS)
    code = tny_handing_advance(handing, state, &entry);
  if (!entry)
    return code;
  *is_found = true;
  tny_group_let_go(state->group, tny_agreed_add(&state->agreed, entry));
  take_entry(operation, entry);
  return code;
}

/* Finds what the plan is made of: what the lane agreed on before; what this rank finds alone, as
   all do; or what rank 0 hands out. */
static int find_basis(struct tny_mpi_operation *operation, const struct tny_plan_request *request,
                      bool *is_found)
{
  struct tny_job *job = &operation->job;
  struct tny_comm_state *state = &operation->lane->state;
  const struct tny_plan_key key = {.choice = request->choice,
                                   .root = request->root,
                                   .step_bytes = tny_model_size_step(request->block_bytes)};
  *is_found = false;
  if (operation->handing.is_begun)
    return get_handed(operation, request, is_found);
  const struct tny_agreed *entry = tny_agreed_find(&state->agreed, &key);
  *is_found = true;
  if (entry) {
    take_entry(operation, entry);
    return MPI_SUCCESS;
  }
  job->basis = (struct tny_plan_basis){0};
  if (!tny_world_get()->has_store && tny_plan_run_alone(state->group, request, &job->basis.run))
    return MPI_SUCCESS;
  *is_found = false;
  return get_handed(operation, request, is_found);
}

static int find_plan(struct tny_mpi_operation *operation)
{
  struct tny_job *job = &operation->job;
  const struct tny_plan_request request = request_of(operation);
  bool is_found;
  int code = find_basis(operation, &request, &is_found);
  if (code != MPI_SUCCESS || !is_found)
    return code;
  const struct tny_plan_request found = request_of(operation); /* it may have fallen back */
  job->segment_count = job->basis.run.count;
  job->plan = tny_plan_get(job->state->group, &found, &job->basis);
  if (!job->plan)
    return MPI_ERR_NO_MEM;
  operation->phase = TNY_RUNS;
  code = tny_running_begin(operation->running, job);
  if (code != MPI_SUCCESS)
    tny_plan_put(job->state->group, job->plan);
  return code;
}

static int run(struct tny_mpi_operation *operation)
{
  struct tny_job *job = &operation->job;
  bool is_over = false;
  const int code = tny_running_advance(operation->running, &is_over);
  if (code != MPI_SUCCESS || is_over)
    tny_plan_put(job->state->group, job->plan);
  if (is_over)
    operation->phase = TNY_ENDS;
  return code;
}

/* Waits for what was sent besides the plan's messages. */
static int end(struct tny_mpi_operation *operation, bool *is_over)
{
  bool is_told = true, is_sent = true;
  int code = tny_size_is_told(&operation->size, &is_told);
  if (code == MPI_SUCCESS && operation->handing.is_begun)
    code = tny_handing_is_sent(&operation->handing, &is_sent);
  *is_over = code == MPI_SUCCESS && is_told && is_sent;
  if (*is_over)
    tny_handing_release(&operation->handing);
  return code;
}

/* Receives of its own that may be open, besides the plan's; NULL: there is none. */
static MPI_Request *size_request(struct tny_mpi_operation *operation)
{
  struct tny_size_agreement *size = &operation->size;
  return size->count > 0 && !size->is_known ? size->requests : NULL;
}

static MPI_Request *handing_request(struct tny_mpi_operation *operation)
{
  return operation->handing.is_begun ? &operation->handing.one : NULL;
}

static void cancel(MPI_Request *request)
{
  if (request && *request != MPI_REQUEST_NULL)
    PMPI_Cancel(request);
}

/* Nothing is to be received any more. */
static void fail(struct tny_mpi_operation *operation, int code)
{
  /* What this rank has left to others would meet the next one. */
  if (operation->phase < TNY_ENDS && !operation->job.is_over)
    tny_lane_break(operation->lane, code);
  operation->phase = TNY_FAILS;
  operation->failure = code;
  cancel(size_request(operation));
  cancel(handing_request(operation));
}

static bool is_closed(MPI_Request *receive)
{
  return !receive || tny_test_taken_back(receive);
}

/* Once no receive is open, it is over. What is still sent stays in memory. */
static int end_failed(struct tny_mpi_operation *operation)
{
  bool is_told = true, is_sent = true;
  if (!is_closed(size_request(operation)) || !is_closed(handing_request(operation)))
    return MPI_SUCCESS;
  if (!size_request(operation))
    (void)!tny_size_is_told(&operation->size, &is_told);
  if (operation->handing.is_begun)
    (void)!tny_handing_is_sent(&operation->handing, &is_sent);
  operation->is_spoiled = !is_told || !is_sent;
  if (is_sent)
    tny_handing_release(&operation->handing);
  return operation->failure;
}

/* Goes on with the present phase. */
static int advance(struct tny_mpi_operation *operation, bool *is_over)
{
  switch (operation->phase) {
  case TNY_WAITS:
    return begin(operation);
  case TNY_LEARNS_SIZE:
    return learn_size(operation);
  case TNY_FINDS_PLAN:
    return find_plan(operation);
  case TNY_RUNS:
    return run(operation);
  case TNY_ENDS:
    return end(operation, is_over);
  case TNY_FAILS:
    return end_failed(operation);
  }
  return MPI_SUCCESS;
}

int tny_operation_advance(struct tny_mpi_operation *operation, bool *is_over)
{
  enum tny_phase before;
  int code;
  *is_over = false;
  do {
    before = operation->phase;
    code = advance(operation, is_over);
    if (code != MPI_SUCCESS && before != TNY_FAILS) {
      fail(operation, code);
      code = MPI_SUCCESS;
    }
  } while (code == MPI_SUCCESS && !*is_over && operation->phase != before);
  if (code != MPI_SUCCESS || *is_over)
    let_go(operation);
  return code;
}
