/* The world: what all ranks of MPI_COMM_WORLD agreed on in MPI_Init. */
#ifndef TOURNEY_MPI_WORLD_H
#define TOURNEY_MPI_WORLD_H

#include <mpi.h>

#include <tourney/model.h>
#include <tourney/profile.h>

struct tny_port;

struct tny_world {
  const char *why_native; /* NULL: planned collectives may be used */
  struct tny_cluster *cluster;
  struct tny_routes *routes;
  uint32_t rank_count;
  uint32_t *host_of_rank;
  struct tny_port *port;                    /* of this rank's host */
  struct tny_profile *profile;              /* of this cluster and these ranks; NULL: none */
  bool threads_multiple;                    /* some rank was given MPI_THREAD_MULTIPLE */
  bool can_force;                           /* the MPI's own algorithms, as a profile says */
  bool prove;                               /* each plan before it is first run */
  bool guard;                               /* native and plans are tried, and the better serves */
  double start_ns;                          /* when all this was agreed on, by this rank's clock */
  bool has_store;                           /* of plans, at rank 0 ... */
  char *store;                              /* ... in this folder; NULL at other ranks */
  uint64_t bytes_min[TNY_COLLECTIVE_COUNT]; /* shorter blocks are native on every communicator */
  struct tny_model least; /* the model of some of the ranks for which the shortest is least */
  int count_keyval;       /* of the attribute that counts uneven calls before there is a state */
  int keyval;             /* of the attribute by which a communicator's state hangs on it */
  bool has_background;    /* nonblocking collectives may be served by plans */
  int lane_keyval;        /* of the attribute by which what those need hangs on a communicator */
  MPI_Comm comm;          /* private, of the same ranks as MPI_COMM_WORLD: all plans' messages */
  MPI_Comm self; /* of this rank alone, returns its errors: to have arguments checked by the MPI */
  struct {
    bool set;
    struct tny_algorithm_choice choice; /* no algorithm with set: native */
  } forced[TNY_COLLECTIVE_COUNT];
};

/* NULL before MPI_Init went through the runtime: nothing is served. */
const struct tny_world *tny_world_get(void);
/* Has tny_world_get return this world, which is borrowed until the process ends. */
void tny_world_set(const struct tny_world *world);

#endif
