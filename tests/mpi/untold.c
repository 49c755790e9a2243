/* An MPI program that compares MPI_Alltoallw with what it must give where rank 1 alone can't find
   out how long the block is that it has for rank 0: PMPI_Type_get_extent, which is this program's,
   fails there for that block's type. No rank may wait for one that has gone native. Then the same
   with the type in sight, by a plan. Says how many results were compared, and how many failed. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <tourney/runtime.h>

enum { ELEMENTS = 3000, RANKS_MAX = 8 };

static int world_rank;
static MPI_Datatype hidden = MPI_DATATYPE_NULL;

int PMPI_Type_get_extent(MPI_Datatype type, MPI_Aint *lower_bound, MPI_Aint *extent)
{
  static __typeof__(PMPI_Type_get_extent) *next;
  if (!next) {
    void *address = dlsym(RTLD_NEXT, "PMPI_Type_get_extent");
    memcpy(&next, &address, sizeof next);
  }
  if (type == hidden && type != MPI_DATATYPE_NULL)
    return MPI_ERR_TYPE;
  return next(type, lower_bound, extent);
}

static int element(int from, int to, int i)
{
  return from * 1000003 + to * 10007 + i;
}

static bool is_right(MPI_Datatype type)
{
  static int sent[RANKS_MAX * ELEMENTS], received[RANKS_MAX * ELEMENTS];
  int counts[RANKS_MAX], places[RANKS_MAX], p;
  MPI_Datatype types[RANKS_MAX], received_types[RANKS_MAX];
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  for (int peer = 0; peer < p; peer++) {
    counts[peer] = ELEMENTS;
    places[peer] = peer * ELEMENTS * (int)sizeof *sent;
    types[peer] = peer == 0 && world_rank == 1 ? type : MPI_INT;
    received_types[peer] = MPI_INT;
    for (int i = 0; i < ELEMENTS; i++) {
      sent[peer * ELEMENTS + i] = element(world_rank, peer, i);
      received[peer * ELEMENTS + i] = -1;
    }
  }
  MPI_Alltoallw(sent, counts, places, types, received, counts, places, received_types,
                MPI_COMM_WORLD);
  for (int i = 0; i < p * ELEMENTS; i++)
    if (received[i] != element(i / ELEMENTS, world_rank, i % ELEMENTS))
      return false;
  return true;
}

static bool was_planned(void)
{
  return strcmp(tourney_last_algorithm ? tourney_last_algorithm() : "native", "native") != 0;
}

int main(int argc, char **argv)
{
  MPI_Datatype type;
  int p, failed = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  if (p > RANKS_MAX)
    MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Type_dup(MPI_INT, &type);
  hidden = world_rank == 1 ? type : MPI_DATATYPE_NULL;
  failed += !is_right(type) || was_planned();
  hidden = MPI_DATATYPE_NULL;
  failed += !is_right(type) || !was_planned();
  MPI_Type_free(&type);
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (world_rank == 0)
    printf("%d calls compared, %d failed\n", 2 * p, failed);
  MPI_Finalize();
  return failed != 0;
}
