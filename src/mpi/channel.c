/* What hangs on a communicator: why it is native, or its group and the number of its messages. No
   communicator is made here. */
#include "mpi/runtime.h"

#include "core/alloc.h"
#include "mpi/native.h"

#define NO_MEMORY "no memory for a plan"

/* What the ranks agree on instead of a number. */
enum { NUMBER_NONE = -1, NUMBER_NO_MEMORY = -2 };

/* Hangs on a communicator in place of a channel for which this rank has no memory. */
static struct tny_channel out_of_memory = {.why_native = NO_MEMORY, .number = NUMBER_NONE};

/* Stands for the channel of every communicator that is being freed. */
static struct tny_channel is_freed = {.why_native = "a communicator that is being freed",
                                      .number = NUMBER_NONE};

/* A communicator that this thread is freeing. The order in which attributes are deleted may differ
   between ranks; that it is being freed is the same on all. */
struct freeing {
  struct freeing *outer;
  MPI_Comm comm;
  struct tny_channel *channel; /* that was taken off it */
};
static _Thread_local struct freeing *freeing_now;

static struct freeing *find_freeing(MPI_Comm comm)
{
  struct freeing *freeing = freeing_now;
  while (freeing && freeing->comm != comm)
    freeing = freeing->outer;
  return freeing;
}

static void channel_free(struct tny_channel *channel)
{
  if (channel == &out_of_memory)
    return;
  tny_numbers_remove(channel);
  if (channel->group)
    tny_group_put(channel->group);
  tny_verdicts_free(channel->verdicts);
  tny_free(channel);
}

static int on_attribute_deleted(MPI_Comm comm, int keyval, void *attribute, void *unused)
{
  struct freeing *freeing = find_freeing(comm);
  (void)keyval;
  (void)unused;
  if (freeing)
    freeing->channel = attribute;
  else
    channel_free(attribute);
  return MPI_SUCCESS;
}

int tny_channel_keyval(int *keyval)
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

/* Why the communicator is native, as every rank of it finds alike without asking; NULL: it may be
   served. In a communicator across several worlds every rank sees an outsider. */
static int find_common_reason(MPI_Comm comm, MPI_Group members, int rank_count, const char **why)
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

/* All ranks agree on the channel's number, or on going native where one couldn't prepare itself or
   the tags don't reach. */
static int agree(struct tny_channel *channel, MPI_Comm comm, int rank)
{
  const bool is_ready = channel->group != NULL;
  int64_t proposed = is_ready ? tny_numbers_propose() : INT64_MAX, agreed = NUMBER_NO_MEMORY;
  int64_t greatest = INT64_MAX;
  int code = tny_native.reduce(&proposed, &greatest, 1, MPI_INT64_T, MPI_MAX, 0, comm);
  if (code == MPI_SUCCESS && rank == 0 && greatest != INT64_MAX)
    agreed = tny_numbers_give(greatest, (uint32_t)channel->group->world_ranks[0]);
  if (code == MPI_SUCCESS)
    code = tny_native.bcast(&agreed, 1, MPI_INT64_T, 0, comm);
  if (channel == &out_of_memory)
    return code;
  channel->number = agreed;
  if (agreed == NUMBER_NO_MEMORY)
    channel->why_native = NO_MEMORY;
  else if (agreed == NUMBER_NONE)
    channel->why_native = "no tags left: too many communicators";
  return code;
}

/* Fills a channel, or says in it why the communicator is native. */
static int fill(struct tny_channel *channel, MPI_Comm comm, MPI_Group members)
{
  int rank, rank_count;
  const char *why = NULL;
  int code = PMPI_Comm_rank(comm, &rank);
  if (code == MPI_SUCCESS)
    code = PMPI_Comm_size(comm, &rank_count);
  if (code == MPI_SUCCESS)
    code = find_common_reason(comm, members, rank_count, &why);
  if (code == MPI_SUCCESS && channel != &out_of_memory) {
    channel->rank = (uint32_t)rank;
    channel->rank_count = (uint32_t)rank_count;
    channel->why_native = why;
    if (!why)
      channel->group = tny_group_get(members, rank, rank_count);
  }
  return code == MPI_SUCCESS && !why ? agree(channel, comm, rank) : code;
}

/* Makes the channel; collective over `comm` where that may be served. */
static int attach(MPI_Comm comm, struct tny_channel **made)
{
  MPI_Group members;
  int code = PMPI_Comm_group(comm, &members);
  if (code != MPI_SUCCESS)
    return code;
  struct tny_channel *channel = tny_new(1, sizeof *channel);
  if (channel)
    *channel =
        (struct tny_channel){.number = NUMBER_NONE, .of = comm, .comm = tny_world_get()->comm};
  else
    channel = &out_of_memory;
  code = fill(channel, comm, members);
  PMPI_Group_free(&members);
  if (channel != &out_of_memory) {
    if (channel->why_native && channel->group) {
      tny_group_put(channel->group);
      channel->group = NULL;
    }
    channel->broken = code; /* then others may use its number */
    tny_numbers_add(channel);
  }
  if (code == MPI_SUCCESS)
    code = PMPI_Comm_set_attr(comm, tny_world_get()->keyval, channel);
  if (code == MPI_SUCCESS)
    *made = channel;
  else
    channel_free(channel);
  return code;
}

int tny_channel_let_go(MPI_Comm *comm, int (*native)(MPI_Comm *comm))
{
  struct freeing freeing = {.outer = freeing_now, .comm = comm ? *comm : MPI_COMM_NULL};
  freeing_now = &freeing;
  const int code = native(comm);
  freeing_now = freeing.outer;
  if (freeing.channel &&
      (code == MPI_SUCCESS ||
       PMPI_Comm_set_attr(freeing.comm, tny_world_get()->keyval, freeing.channel) != MPI_SUCCESS))
    channel_free(freeing.channel);
  return code;
}

int tny_channel_get(MPI_Comm comm, struct tny_channel **channel)
{
  int found;
  *channel = &is_freed;
  if (find_freeing(comm))
    return MPI_SUCCESS;
  const int code = PMPI_Comm_get_attr(comm, tny_world_get()->keyval, channel, &found);
  if (code == MPI_SUCCESS && found)
    return code;
  *channel = NULL;
  return code == MPI_SUCCESS ? attach(comm, channel) : code;
}

void tny_channels_close(void)
{
  struct tny_channel *channel;
  while ((channel = tny_numbers_any()) != NULL)
    if (PMPI_Comm_delete_attr(channel->of, tny_world_get()->keyval) != MPI_SUCCESS)
      channel_free(channel);
}
