/* The network that ranks plan for: the cluster, and each rank's host in it. */
#ifndef TOURNEY_MPI_NETWORK_H
#define TOURNEY_MPI_NETWORK_H

#include "mpi/network/ranks.h"
#include "mpi/world.h"

/* Reads what rank 0 was given into the world's cluster and routes: a generator, the flat form of a
   cluster, or the path of a file in flat form; only rank 0 reads a file. `given` is rank 0's; an
   error may be any rank's alone. The world owns what is read. Collective. */
void tny_network_read(struct tny_world *world, const struct tny_ranks *ranks, const char *given,
                      struct tny_error *error);
/* Finds the host of each rank, into the world's host_of_rank, by the hosts' names; or where rank 0
   has a `map` ("block" or "interleaved"), by the ranks' numbers. Then this rank's port. An error
   may be any rank's alone. Collective. */
void tny_network_place(struct tny_world *world, const struct tny_ranks *ranks, const char *map,
                       struct tny_error *error);
/* How many hosts have a rank; 0: no memory to tell. */
uint32_t tny_network_host_count(const struct tny_world *world);
/* Frees what these filled in. */
void tny_network_release(struct tny_world *world);

#endif
