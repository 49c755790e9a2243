/* Every collective that the runtime passes on in a nonblocking or a persistent form, and those over
   neighbours, each beside its blocking form: their results are compared. By functions of large
   counts where large_counts.h is included before all else, else with int_counts.h.
   usage: passed [STARTS]   (of each persistent one; default: 2) */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

enum { RANKS_MAX = 16, COUNT = 3, PITCH = 4, NUMBERS = RANKS_MAX * PITCH, ROOT = 1 };

/* The communicator is a ring, so that a rank has two neighbours. */
static MPI_Comm comm;
static MPI_Datatype types[RANKS_MAX];
static int in[NUMBERS];
static call_count counts[RANKS_MAX];
static call_displacement displs[RANKS_MAX], byte_displs[RANKS_MAX];
static MPI_Aint long_displs[RANKS_MAX];

static int barrier(int *out)
{
  (void)out;
  return MPI_Barrier(comm);
}

static int start_barrier(int *out, MPI_Request *request)
{
  (void)out;
  return MPI_Ibarrier(comm, request);
}

static int make_barrier(int *out, MPI_Request *request)
{
  (void)out;
  return MPI_Barrier_init(comm, MPI_INFO_NULL, request);
}

static int bcast(int *out)
{
  return MPI_Bcast(out, COUNT, MPI_INT, ROOT, comm);
}

static int start_bcast(int *out, MPI_Request *request)
{
  return MPI_Ibcast(out, COUNT, MPI_INT, ROOT, comm, request);
}

static int make_bcast(int *out, MPI_Request *request)
{
  return MPI_Bcast_init(out, COUNT, MPI_INT, ROOT, comm, MPI_INFO_NULL, request);
}

static int gather(int *out)
{
  return MPI_Gather(in, COUNT, MPI_INT, out, COUNT, MPI_INT, ROOT, comm);
}

static int start_gather(int *out, MPI_Request *request)
{
  return MPI_Igather(in, COUNT, MPI_INT, out, COUNT, MPI_INT, ROOT, comm, request);
}

static int make_gather(int *out, MPI_Request *request)
{
  return MPI_Gather_init(in, COUNT, MPI_INT, out, COUNT, MPI_INT, ROOT, comm, MPI_INFO_NULL,
                         request);
}

static int gatherv(int *out)
{
  return MPI_Gatherv(in, COUNT, MPI_INT, out, counts, displs, MPI_INT, ROOT, comm);
}

static int start_gatherv(int *out, MPI_Request *request)
{
  return MPI_Igatherv(in, COUNT, MPI_INT, out, counts, displs, MPI_INT, ROOT, comm, request);
}

static int make_gatherv(int *out, MPI_Request *request)
{
  return MPI_Gatherv_init(in, COUNT, MPI_INT, out, counts, displs, MPI_INT, ROOT, comm,
                          MPI_INFO_NULL, request);
}

static int scatter(int *out)
{
  return MPI_Scatter(in, COUNT, MPI_INT, out, COUNT, MPI_INT, ROOT, comm);
}

static int start_scatter(int *out, MPI_Request *request)
{
  return MPI_Iscatter(in, COUNT, MPI_INT, out, COUNT, MPI_INT, ROOT, comm, request);
}

static int make_scatter(int *out, MPI_Request *request)
{
  return MPI_Scatter_init(in, COUNT, MPI_INT, out, COUNT, MPI_INT, ROOT, comm, MPI_INFO_NULL,
                          request);
}

static int scatterv(int *out)
{
  return MPI_Scatterv(in, counts, displs, MPI_INT, out, COUNT, MPI_INT, ROOT, comm);
}

static int start_scatterv(int *out, MPI_Request *request)
{
  return MPI_Iscatterv(in, counts, displs, MPI_INT, out, COUNT, MPI_INT, ROOT, comm, request);
}

static int make_scatterv(int *out, MPI_Request *request)
{
  return MPI_Scatterv_init(in, counts, displs, MPI_INT, out, COUNT, MPI_INT, ROOT, comm,
                           MPI_INFO_NULL, request);
}

static int allgather(int *out)
{
  return MPI_Allgather(in, COUNT, MPI_INT, out, COUNT, MPI_INT, comm);
}

static int start_allgather(int *out, MPI_Request *request)
{
  return MPI_Iallgather(in, COUNT, MPI_INT, out, COUNT, MPI_INT, comm, request);
}

static int make_allgather(int *out, MPI_Request *request)
{
  return MPI_Allgather_init(in, COUNT, MPI_INT, out, COUNT, MPI_INT, comm, MPI_INFO_NULL, request);
}

static int allgatherv(int *out)
{
  return MPI_Allgatherv(in, COUNT, MPI_INT, out, counts, displs, MPI_INT, comm);
}

static int start_allgatherv(int *out, MPI_Request *request)
{
  return MPI_Iallgatherv(in, COUNT, MPI_INT, out, counts, displs, MPI_INT, comm, request);
}

static int make_allgatherv(int *out, MPI_Request *request)
{
  return MPI_Allgatherv_init(in, COUNT, MPI_INT, out, counts, displs, MPI_INT, comm, MPI_INFO_NULL,
                             request);
}

static int alltoall(int *out)
{
  return MPI_Alltoall(in, COUNT, MPI_INT, out, COUNT, MPI_INT, comm);
}

static int start_alltoall(int *out, MPI_Request *request)
{
  return MPI_Ialltoall(in, COUNT, MPI_INT, out, COUNT, MPI_INT, comm, request);
}

static int make_alltoall(int *out, MPI_Request *request)
{
  return MPI_Alltoall_init(in, COUNT, MPI_INT, out, COUNT, MPI_INT, comm, MPI_INFO_NULL, request);
}

static int alltoallv(int *out)
{
  return MPI_Alltoallv(in, counts, displs, MPI_INT, out, counts, displs, MPI_INT, comm);
}

static int start_alltoallv(int *out, MPI_Request *request)
{
  return MPI_Ialltoallv(in, counts, displs, MPI_INT, out, counts, displs, MPI_INT, comm, request);
}

static int make_alltoallv(int *out, MPI_Request *request)
{
  return MPI_Alltoallv_init(in, counts, displs, MPI_INT, out, counts, displs, MPI_INT, comm,
                            MPI_INFO_NULL, request);
}

static int alltoallw(int *out)
{
  return MPI_Alltoallw(in, counts, byte_displs, types, out, counts, byte_displs, types, comm);
}

static int start_alltoallw(int *out, MPI_Request *request)
{
  return MPI_Ialltoallw(in, counts, byte_displs, types, out, counts, byte_displs, types, comm,
                        request);
}

static int make_alltoallw(int *out, MPI_Request *request)
{
  return MPI_Alltoallw_init(in, counts, byte_displs, types, out, counts, byte_displs, types, comm,
                            MPI_INFO_NULL, request);
}

static int reduce(int *out)
{
  return MPI_Reduce(in, out, COUNT, MPI_INT, MPI_SUM, ROOT, comm);
}

static int start_reduce(int *out, MPI_Request *request)
{
  return MPI_Ireduce(in, out, COUNT, MPI_INT, MPI_SUM, ROOT, comm, request);
}

static int make_reduce(int *out, MPI_Request *request)
{
  return MPI_Reduce_init(in, out, COUNT, MPI_INT, MPI_SUM, ROOT, comm, MPI_INFO_NULL, request);
}

static int allreduce(int *out)
{
  return MPI_Allreduce(in, out, COUNT, MPI_INT, MPI_SUM, comm);
}

static int start_allreduce(int *out, MPI_Request *request)
{
  return MPI_Iallreduce(in, out, COUNT, MPI_INT, MPI_SUM, comm, request);
}

static int make_allreduce(int *out, MPI_Request *request)
{
  return MPI_Allreduce_init(in, out, COUNT, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, request);
}

static int reduce_scatter(int *out)
{
  return MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, comm);
}

static int start_reduce_scatter(int *out, MPI_Request *request)
{
  return MPI_Ireduce_scatter(in, out, counts, MPI_INT, MPI_SUM, comm, request);
}

static int make_reduce_scatter(int *out, MPI_Request *request)
{
  return MPI_Reduce_scatter_init(in, out, counts, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, request);
}

static int reduce_scatter_block(int *out)
{
  return MPI_Reduce_scatter_block(in, out, COUNT, MPI_INT, MPI_SUM, comm);
}

static int start_reduce_scatter_block(int *out, MPI_Request *request)
{
  return MPI_Ireduce_scatter_block(in, out, COUNT, MPI_INT, MPI_SUM, comm, request);
}

static int make_reduce_scatter_block(int *out, MPI_Request *request)
{
  return MPI_Reduce_scatter_block_init(in, out, COUNT, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL,
                                       request);
}

static int scan(int *out)
{
  return MPI_Scan(in, out, COUNT, MPI_INT, MPI_SUM, comm);
}

static int start_scan(int *out, MPI_Request *request)
{
  return MPI_Iscan(in, out, COUNT, MPI_INT, MPI_SUM, comm, request);
}

static int make_scan(int *out, MPI_Request *request)
{
  return MPI_Scan_init(in, out, COUNT, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, request);
}

static int exscan(int *out)
{
  return MPI_Exscan(in, out, COUNT, MPI_INT, MPI_SUM, comm);
}

static int start_exscan(int *out, MPI_Request *request)
{
  return MPI_Iexscan(in, out, COUNT, MPI_INT, MPI_SUM, comm, request);
}

static int make_exscan(int *out, MPI_Request *request)
{
  return MPI_Exscan_init(in, out, COUNT, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, request);
}

static int neighbor_allgather(int *out)
{
  return MPI_Neighbor_allgather(in, COUNT, MPI_INT, out, COUNT, MPI_INT, comm);
}

static int start_neighbor_allgather(int *out, MPI_Request *request)
{
  return MPI_Ineighbor_allgather(in, COUNT, MPI_INT, out, COUNT, MPI_INT, comm, request);
}

static int make_neighbor_allgather(int *out, MPI_Request *request)
{
  return MPI_Neighbor_allgather_init(in, COUNT, MPI_INT, out, COUNT, MPI_INT, comm, MPI_INFO_NULL,
                                     request);
}

static int neighbor_allgatherv(int *out)
{
  return MPI_Neighbor_allgatherv(in, COUNT, MPI_INT, out, counts, displs, MPI_INT, comm);
}

static int start_neighbor_allgatherv(int *out, MPI_Request *request)
{
  return MPI_Ineighbor_allgatherv(in, COUNT, MPI_INT, out, counts, displs, MPI_INT, comm, request);
}

static int make_neighbor_allgatherv(int *out, MPI_Request *request)
{
  return MPI_Neighbor_allgatherv_init(in, COUNT, MPI_INT, out, counts, displs, MPI_INT, comm,
                                      MPI_INFO_NULL, request);
}

static int neighbor_alltoall(int *out)
{
  return MPI_Neighbor_alltoall(in, COUNT, MPI_INT, out, COUNT, MPI_INT, comm);
}

static int start_neighbor_alltoall(int *out, MPI_Request *request)
{
  return MPI_Ineighbor_alltoall(in, COUNT, MPI_INT, out, COUNT, MPI_INT, comm, request);
}

static int make_neighbor_alltoall(int *out, MPI_Request *request)
{
  return MPI_Neighbor_alltoall_init(in, COUNT, MPI_INT, out, COUNT, MPI_INT, comm, MPI_INFO_NULL,
                                    request);
}

static int neighbor_alltoallv(int *out)
{
  return MPI_Neighbor_alltoallv(in, counts, displs, MPI_INT, out, counts, displs, MPI_INT, comm);
}

static int start_neighbor_alltoallv(int *out, MPI_Request *request)
{
  return MPI_Ineighbor_alltoallv(in, counts, displs, MPI_INT, out, counts, displs, MPI_INT, comm,
                                 request);
}

static int make_neighbor_alltoallv(int *out, MPI_Request *request)
{
  return MPI_Neighbor_alltoallv_init(in, counts, displs, MPI_INT, out, counts, displs, MPI_INT,
                                     comm, MPI_INFO_NULL, request);
}

static int neighbor_alltoallw(int *out)
{
  return MPI_Neighbor_alltoallw(in, counts, long_displs, types, out, counts, long_displs, types,
                                comm);
}

static int start_neighbor_alltoallw(int *out, MPI_Request *request)
{
  return MPI_Ineighbor_alltoallw(in, counts, long_displs, types, out, counts, long_displs, types,
                                 comm, request);
}

static int make_neighbor_alltoallw(int *out, MPI_Request *request)
{
  return MPI_Neighbor_alltoallw_init(in, counts, long_displs, types, out, counts, long_displs,
                                     types, comm, MPI_INFO_NULL, request);
}

/* A collective in its three forms. */
struct collective {
  const char *name;
  int (*call)(int *out);
  int (*start)(int *out, MPI_Request *request);
  int (*make)(int *out, MPI_Request *request);
};
static const struct collective list[] = {
    {"barrier", barrier, start_barrier, make_barrier},
    {"bcast", bcast, start_bcast, make_bcast},
    {"gather", gather, start_gather, make_gather},
    {"gatherv", gatherv, start_gatherv, make_gatherv},
    {"scatter", scatter, start_scatter, make_scatter},
    {"scatterv", scatterv, start_scatterv, make_scatterv},
    {"allgather", allgather, start_allgather, make_allgather},
    {"allgatherv", allgatherv, start_allgatherv, make_allgatherv},
    {"alltoall", alltoall, start_alltoall, make_alltoall},
    {"alltoallv", alltoallv, start_alltoallv, make_alltoallv},
    {"alltoallw", alltoallw, start_alltoallw, make_alltoallw},
    {"reduce", reduce, start_reduce, make_reduce},
    {"allreduce", allreduce, start_allreduce, make_allreduce},
    {"reduce_scatter", reduce_scatter, start_reduce_scatter, make_reduce_scatter},
    {"reduce_scatter_block", reduce_scatter_block, start_reduce_scatter_block,
     make_reduce_scatter_block},
    {"scan", scan, start_scan, make_scan},
    {"exscan", exscan, start_exscan, make_exscan},
    {"neighbor_allgather", neighbor_allgather, start_neighbor_allgather, make_neighbor_allgather},
    {"neighbor_allgatherv", neighbor_allgatherv, start_neighbor_allgatherv,
     make_neighbor_allgatherv},
    {"neighbor_alltoall", neighbor_alltoall, start_neighbor_alltoall, make_neighbor_alltoall},
    {"neighbor_alltoallv", neighbor_alltoallv, start_neighbor_alltoallv, make_neighbor_alltoallv},
    {"neighbor_alltoallw", neighbor_alltoallw, start_neighbor_alltoallw, make_neighbor_alltoallw},
};

static void fill(int out[NUMBERS], int rank)
{
  for (int i = 0; i < NUMBERS; i++)
    out[i] = 1000 * rank + i;
}

/* Wrong ones of the results: blocking, nonblocking, and of a persistent one at each start. */
static int try_one(const struct collective *collective, int rank, int starts)
{
  int expected[NUMBERS], nonblocking[NUMBERS], persistent[NUMBERS], wrong = 0;
  MPI_Request request;
  fill(expected, rank);
  fill(nonblocking, rank);
  wrong += collective->call(expected) != MPI_SUCCESS;
  wrong += collective->start(nonblocking, &request) != MPI_SUCCESS;
  wrong += MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS;
  wrong += memcmp(expected, nonblocking, sizeof expected) != 0;
  wrong += collective->make(persistent, &request) != MPI_SUCCESS;
  for (int round = 0; round < starts; round++) {
    fill(persistent, rank);
    wrong += MPI_Start(&request) != MPI_SUCCESS;
    wrong += MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    wrong += memcmp(expected, persistent, sizeof expected) != 0;
  }
  wrong += MPI_Request_free(&request) != MPI_SUCCESS;
  if (wrong)
    printf("rank %d: %s: %d wrong\n", rank, collective->name, wrong);
  return wrong;
}

int main(int argc, char **argv)
{
  int rank, size, wrong = 0;
  const int is_periodic = 1, starts = argc > 1 ? atoi(argv[1]) : 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 3 || size > RANKS_MAX)
    MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &is_periodic, 0, &comm);
  MPI_Comm_rank(comm, &rank);
  for (int r = 0; r < RANKS_MAX; r++) {
    types[r] = MPI_INT;
    counts[r] = COUNT;
    displs[r] = r * PITCH;
    byte_displs[r] = displs[r] * (call_displacement)sizeof(int);
    long_displs[r] = byte_displs[r];
  }
  for (int i = 0; i < NUMBERS; i++)
    in[i] = 7 * rank + i;
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    wrong += try_one(&list[i], rank, starts);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d wrong of %d collectives\n", wrong, (int)(sizeof list / sizeof *list));
  fflush(stdout);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return wrong != 0;
}
