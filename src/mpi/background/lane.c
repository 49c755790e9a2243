/* Lanes, and the numbers that make their tags.

   A lane makes no message before it has its number, and none after its communicator is freed here:
   that waits until its operations are over. */
#include "mpi/background/lane.h"

#include "core/alloc.h"
#include "mpi/background/numbers.h"
#include "mpi/context/agree.h"
#include "mpi/native.h"
#include "mpi/world.h"

static struct {
  pthread_mutex_t lock;
  struct tny_mpi_lane *first;
} lanes = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* --- the list --- */

static void add(struct tny_mpi_lane *lane)
{
  pthread_mutex_lock(&lanes.lock);
  lane->next = lanes.first;
  if (lanes.first)
    lanes.first->before = lane;
  lanes.first = lane;
  pthread_mutex_unlock(&lanes.lock);
}

static void take_out(struct tny_mpi_lane *lane)
{
  pthread_mutex_lock(&lanes.lock);
  *(lane->before ? &lane->before->next : &lanes.first) = lane->next;
  if (lane->next)
    lane->next->before = lane->before;
  lane->before = lane->next = NULL;
  pthread_mutex_unlock(&lanes.lock);
}

void tny_lane_use(struct tny_mpi_lane *lane)
{
  atomic_fetch_add_explicit(&lane->use_count, 1, memory_order_relaxed);
}

void tny_lane_put(struct tny_mpi_lane *lane)
{
  if (atomic_fetch_sub_explicit(&lane->use_count, 1, memory_order_acq_rel) > 1)
    return;
  if (lane->state.group) {
    tny_group_let_go(lane->state.group, lane->state.agreed);
    tny_group_put(lane->state.group);
  }
  if (lane->request == MPI_REQUEST_NULL) /* else the MPI may still write its number */
    tny_free(lane);
}

/* The communicator has no lane any more. */
static void let_go(struct tny_mpi_lane *lane)
{
  take_out(lane);
  if (lane->is_ready && lane->is_drawn && lane->state.broken == MPI_SUCCESS)
    tny_lane_number_retire(&lane->state);
  lane->state.of = MPI_COMM_NULL;
  tny_lane_put(lane);
}

/* --- on a communicator --- */

static int on_attribute_deleted(MPI_Comm comm, int keyval, void *attribute, void *unused)
{
  struct tny_mpi_lane *lane = attribute;
  (void)comm;
  (void)keyval;
  (void)unused;
  if (!lane->is_taken_off)
    let_go(lane);
  return MPI_SUCCESS;
}

int tny_lanes_keyval(int *keyval)
{
  return PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_attribute_deleted, keyval, NULL);
}

struct tny_mpi_lane *tny_lane_find(MPI_Comm comm)
{
  struct tny_mpi_lane *lane = NULL;
  int found = 0;
  if (PMPI_Comm_get_attr(comm, tny_world_get()->lane_keyval, &lane, &found) != MPI_SUCCESS)
    return NULL;
  return found ? lane : NULL;
}

/* Fills in whose lane it is, or why nothing is served there. */
static int fill(struct tny_comm_state *state, MPI_Comm comm, MPI_Group members)
{
  int rank, rank_count;
  int code = PMPI_Comm_rank(comm, &rank);
  if (code == MPI_SUCCESS)
    code = PMPI_Comm_size(comm, &rank_count);
  if (code == MPI_SUCCESS)
    code = tny_comm_find_common_reason(comm, members, rank_count, &state->why_native);
  if (code != MPI_SUCCESS)
    return code;
  state->rank = (uint32_t)rank;
  state->rank_count = (uint32_t)rank_count;
  if (!state->why_native)
    state->group = tny_group_get(members, rank, rank_count, NULL);
  return state->why_native || state->group ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static int make(MPI_Comm comm, struct tny_mpi_lane **made)
{
  MPI_Group members;
  int code = PMPI_Comm_group(comm, &members);
  if (code != MPI_SUCCESS)
    return code;
  struct tny_mpi_lane *lane = tny_new(1, sizeof *lane);
  if (lane) {
    *lane = (struct tny_mpi_lane){
        .state = {.context = {.id = TNY_CONTEXT_NONE}, .of = comm, .comm = tny_world_get()->comm},
        .request = MPI_REQUEST_NULL};
    atomic_init(&lane->use_count, 1);
    code = fill(&lane->state, comm, members);
  }
  PMPI_Group_free(&members);
  if (!lane)
    return MPI_ERR_NO_MEM;
  add(lane);
  if (code == MPI_SUCCESS)
    code = PMPI_Comm_set_attr(comm, tny_world_get()->lane_keyval, lane);
  if (code == MPI_SUCCESS)
    *made = lane;
  else
    let_go(lane);
  return code;
}

int tny_lane_get(MPI_Comm comm, struct tny_mpi_lane **lane)
{
  *lane = tny_lane_find(comm);
  return *lane ? MPI_SUCCESS : make(comm, lane);
}

/* --- its tags --- */

bool tny_lane_may_begin(const struct tny_mpi_lane *lane, const struct tny_comm_state *state)
{
  return lane->is_begun || state || tny_lane_numbers_are_shared();
}

static int ask(struct tny_mpi_lane *lane)
{
  const struct tny_comm_state *state = &lane->state;
  lane->is_drawn = true;
  if (state->rank == 0)
    lane->number = tny_lane_number_draw((uint32_t)state->group->world_ranks[0]);
  const int code = tny_native.ibcast(&lane->number, 1, MPI_INT64_T, 0, state->of, &lane->request);
  lane->state.broken = code;
  return code;
}

int tny_lane_begin(struct tny_mpi_lane *lane, const struct tny_comm_state *state)
{
  if (lane->is_begun)
    return MPI_SUCCESS;
  lane->is_begun = true;
  if (!state)
    return ask(lane);
  lane->state.context.id = tny_lane_number_of(&state->context);
  lane->is_ready = true;
  return MPI_SUCCESS;
}

void tny_lane_break(struct tny_mpi_lane *lane, int code)
{
  lane->state.broken = code;
  if (lane->is_ready && !lane->is_drawn)
    tny_lane_number_spoil(&lane->state);
}

int tny_lane_advance(struct tny_mpi_lane *lane)
{
  int is_over = 0;
  if (lane->is_ready)
    return MPI_SUCCESS;
  const int code = PMPI_Test(&lane->request, &is_over, MPI_STATUS_IGNORE);
  if (code != MPI_SUCCESS || !is_over)
    return code;
  if (lane->number < 0)
    return MPI_ERR_NO_MEM; /* more communicators are alive than the MPI has */
  lane->state.context.id = lane->number;
  lane->is_ready = true;
  return MPI_SUCCESS;
}

bool tny_lane_is_asking(struct tny_mpi_lane *lane)
{
  return lane->request != MPI_REQUEST_NULL && tny_lane_advance(lane) == MPI_SUCCESS &&
         lane->request != MPI_REQUEST_NULL;
}

/* --- its communicator's end --- */

void tny_lane_take_off(struct tny_mpi_lane *lane)
{
  lane->is_taken_off = true;
}

void tny_lane_taken_off(struct tny_mpi_lane *lane, bool is_gone)
{
  const MPI_Comm comm = lane->state.of;
  if (is_gone || PMPI_Comm_set_attr(comm, tny_world_get()->lane_keyval, lane) != MPI_SUCCESS)
    let_go(lane);
  else
    lane->is_taken_off = false;
}

static struct tny_mpi_lane *find_any(void)
{
  pthread_mutex_lock(&lanes.lock);
  struct tny_mpi_lane *lane = lanes.first;
  pthread_mutex_unlock(&lanes.lock);
  return lane;
}

bool tny_lanes_exist(void)
{
  return find_any() != NULL;
}

void tny_lanes_close(void)
{
  struct tny_mpi_lane *lane;
  tny_lane_numbers_close();
  while ((lane = find_any()) != NULL)
    if (PMPI_Comm_delete_attr(lane->state.of, tny_world_get()->lane_keyval) != MPI_SUCCESS)
      let_go(lane);
}
