/* What hangs on a communicator: a private communicator of the same ranks, their places, and the
 * plans. */
#include "mpi/runtime.h"

#include "core/alloc.h"

static void channel_free(struct tny_channel *channel)
{
  if (!channel)
    return;
  tny_plans_free(channel->plans);
  tny_free(channel->staging);
  tny_free(channel->host_of_rank);
  tny_free(channel->order);
  tny_free(channel->position);
  tny_free(channel);
}

static int on_communicator_freed(MPI_Comm comm, int keyval, void *attribute, void *unused)
{
  (void)comm;
  (void)keyval;
  (void)unused;
  struct tny_channel *channel = attribute;
  if (channel->comm != MPI_COMM_NULL)
    PMPI_Comm_free(&channel->comm);
  channel_free(channel);
  return MPI_SUCCESS;
}

int tny_channel_keyval(int *keyval)
{
  return PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_communicator_freed, keyval, NULL);
}

/* Looks up where the ranks of `comm` sit; false where one isn't of this world. */
static bool find_hosts(struct tny_channel *channel, MPI_Group group, int *scratch)
{
  const struct tny_world *world = tny_world_get();
  const uint32_t p = channel->rank_count;
  int *ranks = scratch, *world_ranks = scratch + p;
  MPI_Group world_group;
  for (uint32_t rank = 0; rank < p; rank++)
    ranks[rank] = (int)rank;
  if (PMPI_Comm_group(MPI_COMM_WORLD, &world_group) != MPI_SUCCESS)
    return false;
  const int code = PMPI_Group_translate_ranks(group, (int)p, ranks, world_group, world_ranks);
  PMPI_Group_free(&world_group);
  for (uint32_t rank = 0; code == MPI_SUCCESS && rank < p; rank++) {
    if (world_ranks[rank] == MPI_UNDEFINED)
      return false;
    channel->host_of_rank[rank] = world->host_of_rank[world_ranks[rank]];
  }
  return code == MPI_SUCCESS;
}

/* Fills the places; returns why the communicator can't be served, as every rank of it will find
   alike but for lack of memory, which the caller lets them agree on. */
static const char *find_places(struct tny_channel *channel, MPI_Group group)
{
  const uint32_t p = channel->rank_count;
  int *scratch = tny_new((size_t)p * 2, sizeof *scratch);
  channel->host_of_rank = tny_new(p, sizeof *channel->host_of_rank);
  channel->order = tny_new(p, sizeof *channel->order);
  channel->position = tny_new(p, sizeof *channel->position);
  const char *why = NULL;
  if (!scratch || !channel->host_of_rank || !channel->order || !channel->position)
    why = "no memory for a plan";
  else if (!find_hosts(channel, group, scratch))
    why = "ranks from outside MPI_COMM_WORLD";
  else if (tny_order_ranks(tny_world_get()->cluster, channel->host_of_rank, p, channel->order,
                           channel->position, NULL) != TNY_OK)
    why = "no memory for a plan";
  tny_free(scratch);
  bool one_host = !why;
  for (uint32_t rank = 1; one_host && rank < p; rank++)
    one_host = channel->host_of_rank[rank] == channel->host_of_rank[0];
  return one_host ? "all ranks on one host" : why;
}

/* All ranks agree whether the communicator is served, and make the private one. */
static int join(struct tny_channel *channel, MPI_Comm comm, MPI_Group group)
{
  channel->why_native = find_places(channel, group);
  int served = !channel->why_native;
  if (served) {
    const struct tny_network network = {.routes = tny_world_get()->routes,
                                        .host_of_rank = channel->host_of_rank};
    channel->model = tny_model_make(&network, channel->rank_count);
  }
  int code = PMPI_Allreduce(MPI_IN_PLACE, &served, 1, MPI_INT, MPI_MIN, comm);
  if (code == MPI_SUCCESS && !served && !channel->why_native)
    channel->why_native = "another rank can't";
  if (code == MPI_SUCCESS && served)
    code = PMPI_Comm_create(comm, group, &channel->comm);
  if (code == MPI_SUCCESS && served)
    code = PMPI_Comm_set_errhandler(channel->comm, MPI_ERRORS_RETURN);
  return code;
}

/* Makes the channel; collective over `comm`. */
static int attach(MPI_Comm comm, struct tny_channel **made)
{
  struct tny_channel *channel = tny_new(1, sizeof *channel);
  if (!channel)
    return MPI_ERR_NO_MEM;
  channel->comm = MPI_COMM_NULL;
  int is_inter, rank, rank_count;
  int code = PMPI_Comm_test_inter(comm, &is_inter);
  if (code == MPI_SUCCESS)
    code = PMPI_Comm_rank(comm, &rank);
  if (code == MPI_SUCCESS)
    code = PMPI_Comm_size(comm, &rank_count);
  if (code == MPI_SUCCESS) {
    channel->rank = (uint32_t)rank;
    channel->rank_count = (uint32_t)rank_count;
    if (is_inter)
      channel->why_native = "an intercommunicator";
    else if (rank_count < 3)
      channel->why_native = "two ranks or fewer";
    else if (tny_world_get()->threads_multiple && comm != MPI_COMM_WORLD)
      channel->why_native = "MPI_THREAD_MULTIPLE: only MPI_COMM_WORLD is served";
  }
  MPI_Group group = MPI_GROUP_NULL;
  if (code == MPI_SUCCESS && !channel->why_native)
    code = PMPI_Comm_group(comm, &group);
  if (code == MPI_SUCCESS && !channel->why_native)
    code = join(channel, comm, group);
  if (group != MPI_GROUP_NULL)
    PMPI_Group_free(&group);
  if (code == MPI_SUCCESS)
    code = PMPI_Comm_set_attr(comm, tny_world_get()->keyval, channel);
  if (code == MPI_SUCCESS)
    *made = channel;
  else
    channel_free(channel);
  return code;
}

int tny_channel_get(MPI_Comm comm, struct tny_channel **channel)
{
  int found;
  *channel = NULL;
  const int code = PMPI_Comm_get_attr(comm, tny_world_get()->keyval, channel, &found);
  if (code != MPI_SUCCESS || found)
    return code;
  return attach(comm, channel);
}

char *tny_channel_stage(struct tny_channel *channel, uint64_t bytes)
{
  if (bytes > channel->staging_bytes) {
    char *memory = tny_resize(channel->staging, bytes, 1);
    if (!memory)
      return NULL;
    channel->staging = memory;
    channel->staging_bytes = bytes;
  }
  return channel->staging;
}
