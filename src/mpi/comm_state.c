/* The state of a communicator: why it is native, or its group and the context id of its messages.
   No communicator is made here. */
#include "mpi/comm_state.h"

#include <stdatomic.h>

#include "core/alloc.h"
#include "mpi/context/agree.h"
#include "mpi/native.h"
#include "mpi/neighbours/edges.h"
#include "mpi/world.h"

#define NO_MEMORY "no memory for a plan"

/* Hangs on a communicator in place of a state for which this rank has no memory. */
static struct tny_comm_state out_of_memory = {.why_native = NO_MEMORY,
                                              .context = {.id = TNY_CONTEXT_NONE}};

/* Stands for the state of every communicator that is being freed. */
static struct tny_comm_state is_freed = {.why_native = "a communicator that is being freed",
                                         .context = {.id = TNY_CONTEXT_NONE}};

/* A communicator that this thread is freeing. The order in which attributes are deleted may differ
   between ranks; that it is being freed is the same on all. */
struct freeing {
  struct freeing *outer;
  MPI_Comm comm;
  struct tny_comm_state *state; /* that was taken off it */
};
static _Thread_local struct freeing *freeing_now;

/* The state that this thread found last, so that it needn't be looked for in each call; it holds as
   long as no state was taken off a communicator of this process since, whose handle another may
   have by then. */
static _Thread_local struct {
  MPI_Comm comm;
  struct tny_comm_state *state;
  uint64_t taken_off;
} found_last;
static atomic_uint_fast64_t taken_off;

static struct freeing *find_freeing(MPI_Comm comm)
{
  struct freeing *freeing = freeing_now;
  while (freeing && freeing->comm != comm)
    freeing = freeing->outer;
  return freeing;
}

static void let_go_of_group(struct tny_comm_state *state)
{
  if (!state->group)
    return;
  tny_group_let_go(state->group, state->agreed);
  tny_group_put(state->group);
  state->group = NULL;
}

void tny_comm_neighbours_free(struct tny_comm_state *neighbours)
{
  if (!neighbours || neighbours == &out_of_memory)
    return;
  let_go_of_group(neighbours);
  tny_guard_table_release(&neighbours->guard);
  tny_edges_free(neighbours->edges);
  tny_pattern_free(neighbours->counts);
  tny_free(neighbours);
}

void tny_comm_add_neighbours(struct tny_comm_state *whole, struct tny_comm_state *neighbours,
                             const char *why)
{
  whole->neighbours = neighbours ? neighbours : &out_of_memory;
  if (!neighbours || !why)
    return;
  neighbours->why_native = why;
  let_go_of_group(neighbours);
  tny_guard_table_release(&neighbours->guard);
}

void tny_comm_state_break(struct tny_comm_state *state, int code)
{
  for (; state; state = state->is_of_neighbours ? state->whole : NULL)
    state->broken = code;
}

static void comm_state_free(struct tny_comm_state *state)
{
  if (state == &out_of_memory)
    return;
  tny_context_ids_remove(&state->context, state->broken != MPI_SUCCESS);
  tny_comm_neighbours_free(state->neighbours);
  let_go_of_group(state);
  if (state->forced)
    tny_forced_comms_free(state->forced);
  tny_free(state->forced);
  tny_guard_table_release(&state->guard);
  tny_pattern_free(state->counts);
  tny_free(state);
}

static int on_attribute_deleted(MPI_Comm comm, int keyval, void *attribute, void *unused)
{
  struct freeing *freeing = find_freeing(comm);
  (void)keyval;
  (void)unused;
  atomic_fetch_add_explicit(&taken_off, 1, memory_order_relaxed);
  if (freeing)
    freeing->state = attribute;
  else
    comm_state_free(attribute);
  return MPI_SUCCESS;
}

int tny_comm_state_keyval(int *keyval)
{
  return PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_attribute_deleted, keyval, NULL);
}

/* Two ranks have nothing to plan, but whoever asks for an algorithm gets it. */
static int ranks_min(void)
{
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
    if (tny_world_get()->forced[c].choice.algorithm)
      return 2;
  return 3;
}

/* In a communicator across several worlds every rank sees an outsider. */
int tny_comm_find_common_reason(MPI_Comm comm, MPI_Group members, int rank_count, const char **why)
{
  int is_inter = 0;
  struct tny_whereabouts found = {.is_inside = true};
  int code = PMPI_Comm_test_inter(comm, &is_inter);
  if (code == MPI_SUCCESS && !is_inter && rank_count >= ranks_min())
    code = tny_group_locate(members, rank_count, &found, NULL);
  if (is_inter)
    *why = "an intercommunicator";
  else if (rank_count < ranks_min())
    *why = "too few ranks: nothing to plan";
  else if (!found.is_inside)
    *why = "ranks from outside MPI_COMM_WORLD";
  else if (found.is_one_host)
    *why = "all ranks on one host";
  return code;
}

/* What rank 0 hands out: the context id, or how it is found, and what the communicator's ranks have
   settled before. */
struct handed {
  struct tny_context_answer context;
  struct tny_known_results known;
};

void tny_comm_hand_out_results(struct tny_group *group, struct tny_known_results *known)
{
  pthread_mutex_lock(&group->lock);
  known->count = tny_guard_results_pack(&group->results, known->words);
  pthread_mutex_unlock(&group->lock);
}

/* At rank 0. */
static void hand_out(struct tny_group *group, int64_t greatest, struct handed *handed)
{
  handed->context = tny_context_answer(greatest, (uint32_t)group->world_ranks[0]);
  tny_comm_hand_out_results(group, &handed->known);
}

/* Is it by one of the MPI's own algorithms that can't be forced here? */
static bool is_out_of_reach(const struct tny_group *group, const struct tny_guard_result *result)
{
  return !result->choice.algorithm && result->choice.parameter &&
         tny_forced_find(&group->forced, result->collective, result->choice.parameter) == TNY_NONE;
}

/* Settles the classes that the profile knows and the table doesn't. */
static void take_profiled(struct tny_comm_state *state)
{
  struct tny_guard_table *table = &state->guard;
  for (uint32_t i = 0; i < state->group->profiled_count; i++) {
    const struct tny_guard_result *result = &state->group->profiled[i];
    const struct tny_guard_class class = tny_guard_class_profiled(result, tny_world_get()->guard);
    if (!tny_guard_table_find(table, result->collective, result->number) &&
        !is_out_of_reach(state->group, result))
      tny_guard_table_put(table, &class);
  }
}

/* Settles classes by what was handed out and by the profile, for which there is room. */
void tny_comm_take_results(struct tny_comm_state *state, const struct tny_known_results *known)
{
  struct tny_guard_table *table = &state->guard;
  for (int64_t i = 0; i < known->count; i++) {
    const struct tny_guard_result result =
        tny_guard_result_unpack(known->words + i * TNY_GUARD_RESULT_WORDS);
    const struct tny_guard_class class = tny_guard_class_settled(&result, 0);
    tny_guard_table_put(table, &class);
  }
  take_profiled(state);
  tny_guard_table_trim(table);
}

bool tny_comm_reserve_results(struct tny_comm_state *state)
{
  const uint32_t profiled = state->group ? state->group->profiled_count : 0;
  return tny_guard_table_reserve(&state->guard, TNY_GUARD_HANDED + profiled);
}

/* For all that the ranks may agree on. False: there is no memory. */
static bool make_room(struct tny_comm_state *state)
{
  const struct tny_group *group = state->group;
  if (!group || !tny_comm_reserve_results(state))
    return false;
  if (group->forced.count > 0)
    state->forced = tny_new(1, sizeof *state->forced);
  return group->forced.count == 0 || state->forced;
}

/* All ranks agree on the context id, or on going native where one couldn't prepare itself or the
   tags don't reach; then on what serves by what was handed out and by the profile. */
static int agree(struct tny_comm_state *state, MPI_Comm comm, struct tny_context_ticket *ticket)
{
  const bool is_ready = make_room(state);
  struct handed handed = {.context = {.id = TNY_CONTEXT_NO_MEMORY}};
  int64_t proposed = is_ready ? tny_context_ids_propose() : TNY_CONTEXT_CANNOT;
  int64_t greatest = TNY_CONTEXT_CANNOT;
  int code = tny_native.reduce(&proposed, &greatest, 1, MPI_INT64_T, MPI_MAX, 0, comm);
  if (code == MPI_SUCCESS && greatest != TNY_CONTEXT_CANNOT)
    hand_out(state->group, greatest, &handed);
  if (code == MPI_SUCCESS)
    code = tny_native.bcast(&handed, sizeof handed / sizeof greatest, MPI_INT64_T, 0, comm);
  if (code == MPI_SUCCESS && handed.context.id == TNY_CONTEXT_LATER)
    code = tny_context_settle(comm, ticket, &handed.context);
  if (state == &out_of_memory)
    return code;
  state->context.id = handed.context.id;
  if (handed.context.id == TNY_CONTEXT_NO_MEMORY)
    state->why_native = NO_MEMORY;
  else if (handed.context.id < 0)
    state->why_native = "no tags left: too many communicators";
  if (is_ready)
    tny_comm_take_results(state, &handed.known);
  return code;
}

/* Fills a state, or says in it why the communicator is native. */
static int fill(struct tny_comm_state *state, MPI_Comm comm, MPI_Group members,
                struct tny_context_ticket *ticket)
{
  int rank, rank_count;
  const char *why = NULL;
  int code = PMPI_Comm_rank(comm, &rank);
  if (code == MPI_SUCCESS)
    code = PMPI_Comm_size(comm, &rank_count);
  if (code == MPI_SUCCESS)
    code = tny_comm_find_common_reason(comm, members, rank_count, &why);
  if (code == MPI_SUCCESS && state != &out_of_memory) {
    state->rank = (uint32_t)rank;
    state->rank_count = (uint32_t)rank_count;
    state->why_native = why;
    if (!why)
      state->group = tny_group_get(members, rank, rank_count, NULL);
  }
  return code == MPI_SUCCESS && !why ? agree(state, comm, ticket) : code;
}

/* Makes the state; collective over `comm` where that may be served. */
static int attach(MPI_Comm comm, struct tny_comm_state **made)
{
  MPI_Group members;
  struct tny_context_ticket ticket = {0};
  int code = PMPI_Comm_group(comm, &members);
  if (code != MPI_SUCCESS)
    return code;
  struct tny_comm_state *state = tny_new(1, sizeof *state);
  if (state)
    *state = (struct tny_comm_state){.context = {.id = TNY_CONTEXT_NONE, .owner = state},
                                     .of = comm,
                                     .comm = tny_world_get()->comm};
  else
    state = &out_of_memory;
  code = fill(state, comm, members, &ticket);
  PMPI_Group_free(&members);
  if (state != &out_of_memory) {
    if (state->why_native)
      let_go_of_group(state);
    state->broken = code; /* then others may use its id */
    tny_context_ids_add(&state->context);
  }
  tny_context_ticket_end(&ticket);
  if (code == MPI_SUCCESS)
    code = PMPI_Comm_set_attr(comm, tny_world_get()->keyval, state);
  if (code == MPI_SUCCESS)
    *made = state;
  else
    comm_state_free(state);
  return code;
}

int tny_comm_free_natively(MPI_Comm *comm, int (*native)(MPI_Comm *comm))
{
  struct freeing freeing = {.outer = freeing_now, .comm = comm ? *comm : MPI_COMM_NULL};
  freeing_now = &freeing;
  const int code = native(comm);
  freeing_now = freeing.outer;
  if (freeing.state &&
      (code == MPI_SUCCESS ||
       PMPI_Comm_set_attr(freeing.comm, tny_world_get()->keyval, freeing.state) != MPI_SUCCESS))
    comm_state_free(freeing.state);
  return code;
}

int tny_comm_state_find(MPI_Comm comm, struct tny_comm_state **state)
{
  const uint64_t now = atomic_load_explicit(&taken_off, memory_order_relaxed);
  int found = 0;
  *state = &is_freed;
  if (freeing_now && find_freeing(comm))
    return MPI_SUCCESS;
  *state = found_last.state;
  if (found_last.state && found_last.comm == comm && found_last.taken_off == now)
    return MPI_SUCCESS;
  const int code = PMPI_Comm_get_attr(comm, tny_world_get()->keyval, state, &found);
  if (code != MPI_SUCCESS || !found) {
    *state = NULL;
    return code;
  }
  found_last.comm = comm;
  found_last.state = *state;
  found_last.taken_off = now;
  return MPI_SUCCESS;
}

int tny_comm_state_get(MPI_Comm comm, struct tny_comm_state **state)
{
  const int code = tny_comm_state_find(comm, state);
  return code == MPI_SUCCESS && !*state ? attach(comm, state) : code;
}

/* In the attribute, beside the count: the next call isn't counted. */
#define REPEATS ((uintptr_t)1 << 31)

static int get_uneven(MPI_Comm comm, uintptr_t *calls)
{
  void *value = NULL;
  int found = 0;
  const int code = PMPI_Comm_get_attr(comm, tny_world_get()->count_keyval, &value, &found);
  *calls = found ? (uintptr_t)value : 0;
  return code;
}

static int set_uneven(MPI_Comm comm, uintptr_t calls)
{
  return PMPI_Comm_set_attr(comm, tny_world_get()->count_keyval, (void *)calls);
}

int tny_comm_count_uneven(MPI_Comm comm, uint32_t *count)
{
  uintptr_t calls;
  const int code = get_uneven(comm, &calls);
  if (code != MPI_SUCCESS)
    return code;
  *count = calls & REPEATS ? 0 : (uint32_t)calls + 1;
  return set_uneven(comm, calls & REPEATS ? calls - REPEATS : calls + 1);
}

void tny_comm_uncount_uneven(MPI_Comm comm)
{
  uintptr_t calls;
  if (get_uneven(comm, &calls) == MPI_SUCCESS && calls > 0)
    (void)set_uneven(comm, calls - 1);
}

void tny_comm_repeat_uneven(MPI_Comm comm)
{
  uintptr_t calls;
  if (get_uneven(comm, &calls) == MPI_SUCCESS)
    (void)set_uneven(comm, calls | REPEATS);
}

void tny_comm_states_close(void)
{
  struct tny_context *context;
  while ((context = tny_context_ids_any()) != NULL) {
    struct tny_comm_state *state = context->owner;
    if (PMPI_Comm_delete_attr(state->of, tny_world_get()->keyval) != MPI_SUCCESS)
      comm_state_free(state);
  }
}
