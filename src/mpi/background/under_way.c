/* Operations under way. The MPI calls go_on() from its progress loop while there are any, and only
   then. One thread at a time goes on with them: who finds the lock taken leaves that to the other,
   as the MPI's progress never waits; that also ends the recursion where our own MPI calls make
   progress. The program learns of the end by a generalized request. */
#include "mpi/background/under_way.h"

#include "mpi/background/errors.h"
#include "mpi/background/operation.h"
#include "mpi/background/progress.h"

static struct {
  pthread_mutex_t lock;
  struct tny_mpi_lane *first; /* of the lanes that have operations */
  bool is_called;             /* the MPI calls us */
} under_way = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* --- the program's requests --- */

/* As of a native nonblocking collective. */
static int on_query(void *extra_state, MPI_Status *status)
{
  struct tny_mpi_operation *operation = extra_state;
  const int code = atomic_load_explicit(&operation->code, memory_order_acquire);
  PMPI_Status_set_elements(status, MPI_BYTE, 0);
  PMPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_PROC_NULL;
  status->MPI_TAG = MPI_ANY_TAG;
  if (code != MPI_SUCCESS) {
    const MPI_Comm comm = operation->lane->state.of;
    tny_errors_redirect(comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm, code);
  }
  return code;
}

static int on_free(void *extra_state)
{
  tny_operation_put(extra_state);
  return MPI_SUCCESS;
}

/* Collectives aren't cancelled. */
static int on_cancel(void *extra_state, int is_complete)
{
  (void)extra_state;
  (void)is_complete;
  return MPI_SUCCESS;
}

/* --- going on; with the lock held --- */

static void end(struct tny_mpi_lane *lane, int code)
{
  struct tny_mpi_operation *operation = lane->first;
  lane->first = operation->next;
  if (!lane->first)
    lane->last = NULL;
  atomic_store_explicit(&operation->code, code, memory_order_release);
  PMPI_Grequest_complete(operation->request);
  tny_operation_put(operation);
}

/* Goes on with a lane's operations. Returns how many have ended. */
static int go_on_with(struct tny_mpi_lane *lane)
{
  int count = 0;
  bool is_over = true;
  while (is_over && lane->first) {
    const int code = tny_operation_advance(lane->first, &is_over);
    if (code != MPI_SUCCESS)
      is_over = true;
    if (is_over) {
      end(lane, code);
      count++;
    }
  }
  return count;
}

/* Goes on with all, and takes the lanes off that have no operations any more. */
static int go_on_with_all(void)
{
  int count = 0;
  for (struct tny_mpi_lane **at = &under_way.first; *at;) {
    struct tny_mpi_lane *lane = *at;
    count += go_on_with(lane);
    if (lane->first) {
      at = &lane->next_busy;
    } else {
      *at = lane->next_busy;
      lane->is_busy = false;
    }
  }
  return count;
}

static int go_on(void);

/* Has it called as long as there is something to go on with. */
static void end_calls(void)
{
  if (!under_way.is_called || under_way.first)
    return;
  tny_progress_end(go_on);
  under_way.is_called = false;
}

/* --- */

static int go_on(void)
{
  if (pthread_mutex_trylock(&under_way.lock) != 0)
    return 0;
  const int count = go_on_with_all();
  end_calls();
  pthread_mutex_unlock(&under_way.lock);
  return count;
}

/* With the lock held. */
static void put_in(struct tny_mpi_lane *lane, struct tny_mpi_operation *operation)
{
  if (lane->last)
    lane->last->next = operation;
  else
    lane->first = operation;
  lane->last = operation;
  if (lane->is_busy)
    return;
  lane->is_busy = true;
  lane->next_busy = under_way.first;
  under_way.first = lane;
}

/* Begins with an operation, and makes a request for it. With the lock held. */
static int begin(struct tny_mpi_lane *lane, struct tny_mpi_operation *operation)
{
  if (!under_way.is_called)
    under_way.is_called = tny_progress_begin(go_on);
  if (!under_way.is_called)
    return MPI_ERR_NO_MEM;
  const int code =
      PMPI_Grequest_start(on_query, on_free, on_cancel, operation, &operation->request);
  if (code != MPI_SUCCESS)
    return code;
  put_in(lane, operation);
  if (lane->first == operation)
    go_on_with_all();
  return code;
}

int tny_under_way_add(struct tny_mpi_lane *lane, const struct tny_job *job,
                      const struct tny_comm_state *state, MPI_Request *request)
{
  struct tny_mpi_operation *operation;
  pthread_mutex_lock(&under_way.lock);
  int code = tny_operation_new(lane, job, state, &operation);
  if (code == MPI_SUCCESS) {
    code = begin(lane, operation);
    if (code == MPI_SUCCESS)
      *request = operation->request;
    else
      tny_operation_drop(operation);
  }
  if (code != MPI_SUCCESS)
    tny_lane_break(lane, code);
  end_calls();
  pthread_mutex_unlock(&under_way.lock);
  return code;
}

/* Has it operations, or where the first of them couldn't be put in, is its number still to come,
   for which all ranks have asked? */
static bool is_busy(struct tny_mpi_lane *lane)
{
  pthread_mutex_lock(&under_way.lock);
  const bool is_busy = lane->first || tny_lane_is_asking(lane);
  pthread_mutex_unlock(&under_way.lock);
  return is_busy;
}

/* Where the program's delete callbacks refuse, the communicator stays, and its lane too. */
int tny_under_way_free(MPI_Comm *comm, int (*native)(MPI_Comm *comm))
{
  struct tny_mpi_lane *lane =
      comm && *comm != MPI_COMM_NULL && tny_lanes_exist() ? tny_lane_find(*comm) : NULL;
  if (!lane)
    return native(comm);
  while (is_busy(lane))
    tny_progress_make();
  tny_lane_take_off(lane);
  const int code = native(comm);
  tny_lane_taken_off(lane, code == MPI_SUCCESS);
  return code;
}

void tny_under_way_close(void)
{
  pthread_mutex_lock(&under_way.lock);
  under_way.first = NULL;
  end_calls();
  pthread_mutex_unlock(&under_way.lock);
  tny_operations_close();
}
