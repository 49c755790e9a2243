/* What hangs on a communicator: a private communicator of the same ranks, their places, and the
 * plans. */
#include "mpi/runtime.h"

#include "core/alloc.h"

/* Hangs on a communicator in place of a channel for which this rank has no memory. */
static struct tny_channel out_of_memory = {.why_native = "no memory for a plan",
                                           .comm = MPI_COMM_NULL};

static void channel_free(struct tny_channel *channel)
{
  if (channel == &out_of_memory)
    return;
  if (channel->comm != MPI_COMM_NULL)
    PMPI_Comm_free(&channel->comm);
  tny_plans_free(channel->plans);
  tny_slots_free(channel->slots);
  tny_verdicts_free(channel->verdicts);
  tny_free(channel->staging);
  tny_free(channel->host_of_rank);
  tny_placement_free(channel->placement);
  tny_free(channel);
}

static int on_communicator_freed(MPI_Comm comm, int keyval, void *attribute, void *unused)
{
  (void)comm;
  (void)keyval;
  (void)unused;
  channel_free(attribute);
  return MPI_SUCCESS;
}

int tny_channel_keyval(int *keyval)
{
  return PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_communicator_freed, keyval, NULL);
}

/* Are all ranks of the group from this MPI_COMM_WORLD? In a communicator across several worlds
   every rank sees an outsider, so all find alike. */
static int is_from_this_world(MPI_Group group, bool *is_inside)
{
  MPI_Group world_group, common;
  int count, common_count;
  int code = PMPI_Comm_group(MPI_COMM_WORLD, &world_group);
  if (code != MPI_SUCCESS)
    return code;
  code = PMPI_Group_intersection(group, world_group, &common);
  PMPI_Group_free(&world_group);
  if (code != MPI_SUCCESS)
    return code;
  PMPI_Group_size(common, &common_count);
  PMPI_Group_size(group, &count);
  *is_inside = count == common_count;
  if (common != MPI_GROUP_EMPTY)
    PMPI_Group_free(&common);
  return MPI_SUCCESS;
}

/* Two ranks have nothing to plan, but whoever asks for an algorithm gets it. */
static int ranks_min(void)
{
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++)
    if (tny_world_get()->forced[c].named.algorithm)
      return 2;
  return 3;
}

/* Why the communicator is native, as every rank of it finds alike without asking; NULL: it may be
 * served. */
static int find_common_reason(MPI_Comm comm, MPI_Group group, int rank_count, const char **why)
{
  int is_inter;
  bool is_inside = true;
  int code = PMPI_Comm_test_inter(comm, &is_inter);
  if (code == MPI_SUCCESS && !is_inter)
    code = is_from_this_world(group, &is_inside);
  if (code != MPI_SUCCESS)
    return code;
  if (is_inter)
    *why = "an intercommunicator";
  else if (rank_count < ranks_min())
    *why = "too few ranks: nothing to plan";
  else if (!is_inside)
    *why = "ranks from outside MPI_COMM_WORLD";
  else if (tny_world_get()->threads_multiple && comm != MPI_COMM_WORLD)
    *why = "MPI_THREAD_MULTIPLE: only MPI_COMM_WORLD is served";
  return MPI_SUCCESS;
}

/* Looks up where the ranks sit. */
static int find_hosts(struct tny_channel *channel, MPI_Group group, int *scratch)
{
  const uint32_t p = channel->rank_count;
  int *ranks = scratch, *world_ranks = scratch + p;
  MPI_Group world_group;
  for (uint32_t rank = 0; rank < p; rank++)
    ranks[rank] = (int)rank;
  int code = PMPI_Comm_group(MPI_COMM_WORLD, &world_group);
  if (code != MPI_SUCCESS)
    return code;
  code = PMPI_Group_translate_ranks(group, (int)p, ranks, world_group, world_ranks);
  PMPI_Group_free(&world_group);
  for (uint32_t rank = 0; code == MPI_SUCCESS && rank < p; rank++)
    channel->host_of_rank[rank] = tny_world_get()->host_of_rank[world_ranks[rank]];
  return code;
}

/* Fills the places; false: something failed on this rank alone. */
static bool find_places(struct tny_channel *channel, MPI_Group group)
{
  const uint32_t p = channel->rank_count;
  int *scratch = tny_new((size_t)p * 2, sizeof *scratch);
  channel->host_of_rank = tny_new(p, sizeof *channel->host_of_rank);
  const bool placed = scratch && channel->host_of_rank &&
                      find_hosts(channel, group, scratch) == MPI_SUCCESS &&
                      tny_placement_make(tny_world_get()->cluster, channel->host_of_rank, p,
                                         &channel->placement, NULL) == TNY_OK;
  channel->network = (struct tny_network){
      .routes = tny_world_get()->routes, .host_of_rank = channel->host_of_rank, .rank_count = p};
  tny_free(scratch);
  return placed;
}

static bool is_one_host(const struct tny_channel *channel)
{
  for (uint32_t rank = 1; rank < channel->rank_count; rank++)
    if (channel->host_of_rank[rank] != channel->host_of_rank[0])
      return false;
  return true;
}

/* All ranks agree that each could prepare itself, and make the private communicator. */
static int join(struct tny_channel *channel, MPI_Comm comm, MPI_Group group)
{
  int ready = channel != &out_of_memory && find_places(channel, group);
  int code = PMPI_Allreduce(MPI_IN_PLACE, &ready, 1, MPI_INT, MPI_MIN, comm);
  if (code != MPI_SUCCESS)
    return code;
  if (!ready)
    channel->why_native = out_of_memory.why_native;
  else if (is_one_host(channel))
    channel->why_native = "all ranks on one host";
  if (channel->why_native)
    return MPI_SUCCESS;
  channel->model = tny_model_make(&channel->network, channel->rank_count);
  code = PMPI_Comm_create(comm, group, &channel->comm);
  return code == MPI_SUCCESS ? PMPI_Comm_set_errhandler(channel->comm, MPI_ERRORS_RETURN) : code;
}

/* Makes the channel; collective over `comm` where that may be served. */
static int attach(MPI_Comm comm, struct tny_channel **made)
{
  int rank, rank_count;
  MPI_Group group;
  int code = PMPI_Comm_rank(comm, &rank);
  if (code == MPI_SUCCESS)
    code = PMPI_Comm_size(comm, &rank_count);
  if (code == MPI_SUCCESS)
    code = PMPI_Comm_group(comm, &group);
  if (code != MPI_SUCCESS)
    return code;
  struct tny_channel *channel = tny_new(1, sizeof *channel);
  if (channel)
    *channel = (struct tny_channel){
        .comm = MPI_COMM_NULL, .rank = (uint32_t)rank, .rank_count = (uint32_t)rank_count};
  else
    channel = &out_of_memory;
  const char *why = NULL;
  code = find_common_reason(comm, group, rank_count, &why);
  if (code == MPI_SUCCESS && why && channel != &out_of_memory)
    channel->why_native = why;
  if (code == MPI_SUCCESS && !why)
    code = join(channel, comm, group);
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
    tny_free(channel->staging);
    channel->staging = tny_new(bytes, 1);
    channel->staging_bytes = channel->staging ? bytes : 0;
  }
  return channel->staging;
}
