/* Rank 0 reads the cluster, and all go by its copy, so that no host can see another. */
#include "mpi/network/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "mpi/native.h"
#include "mpi/network/port.h"

/* At rank 0: the flat form, or the generator. NULL: *error says why. */
static char *cluster_text(const char *given, struct tny_error *error)
{
  char *text = NULL;
  const char *origin = getenv("TOURNEY_ORIGIN");
  if (!given || !given[0])
    tny_error_set(error, TNY_BAD_INPUT, "%s",
                  origin ? origin : "no cluster given (tourney run --cluster CLUSTER)");
  else if (tny_cluster_is_generator(given) || strncmp(given, "cluster ", 8) == 0)
    text = tny_copy_text(given);
  else if (tny_file_read(given, &text, error) == TNY_OK && strncmp(text, "cluster ", 8) != 0)
    tny_error_set(error, TNY_BAD_INPUT,
                  "%s is no flat cluster file: start the program by `tourney run --cluster %s`, or "
                  "make one by `tourney topology flat`",
                  given, given);
  if (error->status != TNY_OK) {
    tny_free(text);
    text = NULL;
  }
  return text;
}

static enum tny_status parse(struct tny_world *world, const char *text, struct tny_error *error)
{
  enum tny_status status = tny_cluster_is_generator(text)
                               ? tny_cluster_generate(text, &world->cluster, error)
                               : tny_cluster_read_flat(text, &world->cluster, error);
  if (status == TNY_OK)
    status = tny_routes_make(world->cluster, &world->routes, error);
  return status;
}

void tny_network_read(struct tny_world *world, const struct tny_ranks *ranks, const char *given,
                      struct tny_error *error)
{
  char *read = ranks->rank == 0 ? cluster_text(given, error) : NULL;
  char *text = tny_ranks_share_text(ranks, read);
  tny_free(read);
  world->rank_count = (uint32_t)ranks->count;
  if (text && parse(world, text, error) == TNY_OK) {
    world->host_of_rank = tny_new(world->rank_count, sizeof *world->host_of_rank);
    if (!world->host_of_rank)
      tny_error_memory(error);
  } else if (!text && ranks->rank == 0) {
    tny_error_memory(error); /* where it has no other */
  }
  tny_free(text);
}

/* Places the ranks by their numbers. */
static void place_by_number(struct tny_world *world, const char *map, struct tny_error *error)
{
  const bool block = strcmp(map, "block") == 0;
  if (!block && strcmp(map, "interleaved") != 0)
    tny_error_set(error, TNY_BAD_INPUT, "TOURNEY_MAP is '%s', not block or interleaved", map);
  else if (tny_map_ranks(world->cluster, block ? TNY_MAP_BLOCK : TNY_MAP_INTERLEAVED,
                         world->rank_count, world->host_of_rank, error) != TNY_OK)
    tny_error_set(error, TNY_BAD_INPUT, "the ranks can't be placed");
}

/* What Slurm calls this rank's host, which needn't be what that calls itself; NULL: not known. A
   launcher that srun hasn't started may hand the first host's variables on to all ranks; then the
   number isn't this rank's. */
static const char *name_by_slurm(int rank)
{
  const char *name = getenv("SLURMD_NODENAME"), *number = getenv("SLURM_PROCID");
  char own[16];
  snprintf(own, sizeof own, "%d", rank);
  return name && number && strcmp(number, own) == 0 ? name : NULL;
}

/* This rank's host, by its name; TNY_NONE where the cluster hasn't got it. */
static uint32_t find_own_host(const struct tny_world *world, int rank, struct tny_error *error)
{
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  const char *other = name_by_slurm(rank);
  uint32_t host = tny_cluster_find_host(world->cluster, name);
  if (host == TNY_NONE && other)
    host = tny_cluster_find_host(world->cluster, other);
  if (host == TNY_NONE)
    tny_error_set(
        error, TNY_BAD_INPUT,
        "host '%.100s' isn't in the cluster '%.100s', of which one is called %.100s: give "
        "it its name there, or the attribute alias=\"%.100s\"",
        name, world->cluster->name, world->cluster->node_names[0], name);
  return host;
}

/* The port that this rank's sends go through: none where ranks are placed by their numbers, to try
   plans out where no such hosts are. */
static void find_port(struct tny_world *world, const struct tny_ranks *ranks, bool is_by_number,
                      struct tny_error *error)
{
  world->port = tny_new(1, sizeof *world->port);
  if (!world->port)
    tny_error_memory(error);
  else if (!is_by_number)
    tny_port_find(world->port, world->cluster, world->host_of_rank, world->rank_count,
                  (uint32_t)ranks->rank);
}

void tny_network_place(struct tny_world *world, const struct tny_ranks *ranks, const char *map,
                       struct tny_error *error)
{
  char *shared = tny_ranks_share_text(ranks, ranks->rank == 0 ? map : NULL);
  const bool is_by_number = shared && shared[0];
  if (is_by_number) {
    place_by_number(world, shared, error);
  } else {
    const uint32_t host = find_own_host(world, ranks->rank, error);
    tny_native.allgather(&host, 1, MPI_UINT32_T, world->host_of_rank, 1, MPI_UINT32_T, ranks->comm);
  }
  tny_free(shared);
  if (error->status == TNY_OK)
    find_port(world, ranks, is_by_number, error);
}

uint32_t tny_network_host_count(const struct tny_world *world)
{
  uint32_t count = 0;
  bool *has_rank = tny_new(world->cluster->host_count, sizeof *has_rank);
  for (uint32_t rank = 0; has_rank && rank < world->rank_count; rank++) {
    bool *is_known = &has_rank[world->host_of_rank[rank]];
    count += !*is_known;
    *is_known = true;
  }
  tny_free(has_rank);
  return count;
}

void tny_network_release(struct tny_world *world)
{
  tny_routes_free(world->routes);
  tny_cluster_free(world->cluster);
  tny_free(world->host_of_rank);
  tny_free(world->port);
  world->routes = NULL;
  world->cluster = NULL;
  world->host_of_rank = NULL;
  world->port = NULL;
}
