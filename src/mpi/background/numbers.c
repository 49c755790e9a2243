/* The numbers of lanes. */
#include "mpi/background/numbers.h"

#include "core/alloc.h"
#include "mpi/context/agree.h"

enum {
  SHARE_MIN = 256,   /* numbers of a rank */
  CONTEXTS_MIN = 32, /* that leave as many numbers to lanes */
};

/* A number of a communicator that this rank has freed, and the messages by which the others will
   say so. */
struct retired {
  struct retired *next;
  int64_t number;
  int count;
  MPI_Request requests[];
};

static struct {
  pthread_mutex_t lock;
  bool is_open;
  int64_t of_contexts; /* the number of context 0's lane */
  int64_t first;       /* of all shares */
  int64_t first_share; /* of rank 0 */
  int64_t share;       /* of another rank; 0: there are none */
  int64_t drawn;       /* of this rank's: numbers that were drawn once */
  struct retired *retired;
} numbers = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool tny_lane_numbers_open(int *tag_max, uint32_t rank_count)
{
  const int64_t all = ((int64_t)*tag_max + 1) / TNY_MESSAGE_COUNT;
  const int64_t first_share = all / 4;
  const int64_t share = rank_count > 1 ? first_share / (rank_count - 1) : 0;
  const bool is_shared = share >= SHARE_MIN;
  const int64_t contexts = is_shared ? first_share : all / 2;
  numbers.is_open = contexts >= CONTEXTS_MIN;
  if (!numbers.is_open)
    return false;
  numbers.of_contexts = contexts;
  numbers.first = 2 * contexts;
  numbers.first_share = first_share;
  numbers.share = is_shared ? share : 0;
  *tag_max = (int)(TNY_MESSAGE_COUNT * contexts) - 1;
  return true;
}

bool tny_lane_numbers_are_shared(void)
{
  return numbers.share > 0;
}

int64_t tny_lane_number_of(const struct tny_context *context)
{
  return numbers.of_contexts + context->id;
}

void tny_lane_number_spoil(const struct tny_comm_state *state)
{
  tny_context_ids_spoil(state->context.id - numbers.of_contexts);
}

/* The numbers of a rank's share, from the first on. */
static int64_t first_of(uint32_t world_rank, int64_t *count)
{
  *count = world_rank == 0 ? numbers.first_share : numbers.share;
  return world_rank == 0 ? numbers.first
                         : numbers.first + numbers.first_share + (world_rank - 1) * numbers.share;
}

/* Takes one off the list that all ranks have freed; NULL: there is none. With the lock held. */
static struct retired *take_freed(void)
{
  for (struct retired **at = &numbers.retired; *at; at = &(*at)->next) {
    struct retired *retired = *at;
    int are_complete = 0;
    PMPI_Testall(retired->count, retired->requests, &are_complete, MPI_STATUSES_IGNORE);
    if (!are_complete)
      continue;
    *at = retired->next;
    return retired;
  }
  return NULL;
}

int64_t tny_lane_number_draw(uint32_t world_rank)
{
  int64_t number = TNY_CONTEXT_NONE, count;
  const int64_t first = first_of(world_rank, &count);
  pthread_mutex_lock(&numbers.lock);
  struct retired *freed = take_freed();
  if (freed)
    number = freed->number;
  else if (numbers.drawn < count)
    number = first + numbers.drawn++;
  pthread_mutex_unlock(&numbers.lock);
  tny_free(freed);
  return number;
}

/* At rank 0: waits for nobody, but has the others' messages received. Where there is no memory for
   that, the number isn't drawn again. */
static void expect_others(const struct tny_comm_state *state, int tag)
{
  const int count = (int)state->rank_count - 1;
  struct retired *retired = tny_new(sizeof *retired + (size_t)count * sizeof *retired->requests, 1);
  if (!retired)
    return;
  *retired = (struct retired){.number = state->context.id, .count = count};
  for (int i = 0; i < count; i++)
    if (PMPI_Irecv(NULL, 0, MPI_BYTE, state->group->world_ranks[i + 1], tag, state->comm,
                   &retired->requests[i]) != MPI_SUCCESS)
      return; /* and neither is it where the MPI fails */
  pthread_mutex_lock(&numbers.lock);
  retired->next = numbers.retired;
  numbers.retired = retired;
  pthread_mutex_unlock(&numbers.lock);
}

/* Behind all others of the lane between the two ranks. */
static void tell_first(const struct tny_comm_state *state, int tag)
{
  MPI_Request request;
  if (PMPI_Isend(NULL, 0, MPI_BYTE, state->group->world_ranks[0], tag, state->comm, &request) ==
      MPI_SUCCESS)
    PMPI_Request_free(&request);
}

void tny_lane_number_retire(const struct tny_comm_state *state)
{
  const int tag = tny_context_tag(&state->context, TNY_TOKEN_MESSAGE);
  if (!numbers.is_open)
    return;
  if (state->rank == 0)
    expect_others(state, tag);
  else
    tell_first(state, tag);
}

void tny_lane_numbers_close(void)
{
  numbers.is_open = false;
  while (numbers.retired) {
    struct retired *retired = numbers.retired;
    numbers.retired = retired->next;
    for (int i = 0; i < retired->count; i++)
      if (retired->requests[i] != MPI_REQUEST_NULL) {
        PMPI_Cancel(&retired->requests[i]);
        PMPI_Wait(&retired->requests[i], MPI_STATUS_IGNORE);
      }
    tny_free(retired);
  }
}
