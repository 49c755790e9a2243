/* The functions that make persistent requests of collectives. Each MPI has them by other names. */
#ifndef TOURNEY_TESTS_CONFORMANCE_PERSISTENT_H
#define TOURNEY_TESTS_CONFORMANCE_PERSISTENT_H

#include <mpi.h>

struct persistent_functions {
  int (*bcast)(void *, int, MPI_Datatype, int, MPI_Comm, MPI_Info, MPI_Request *);
  int (*allgather)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm, MPI_Info,
                   MPI_Request *);
  int (*alltoall)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm, MPI_Info,
                  MPI_Request *);
  int (*allgatherv)(const void *, int, MPI_Datatype, void *, const int *, const int *, MPI_Datatype,
                    MPI_Comm, MPI_Info, MPI_Request *);
  int (*alltoallv)(const void *, const int *, const int *, MPI_Datatype, void *, const int *,
                   const int *, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request *);
  int (*alltoallw)(const void *, const int *, const int *, const MPI_Datatype *, void *,
                   const int *, const int *, const MPI_Datatype *, MPI_Comm, MPI_Info,
                   MPI_Request *);
  int (*gatherv)(const void *, int, MPI_Datatype, void *, const int *, const int *, MPI_Datatype,
                 int, MPI_Comm, MPI_Info, MPI_Request *);
  int (*scatterv)(const void *, const int *, const int *, MPI_Datatype, void *, int, MPI_Datatype,
                  int, MPI_Comm, MPI_Info, MPI_Request *);
  int (*reduce)(const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm, MPI_Info,
                MPI_Request *);
  int (*allreduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info,
                   MPI_Request *);
  int (*reduce_scatter_block)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info,
                              MPI_Request *);
  int (*reduce_scatter)(const void *, void *, const int *, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info,
                        MPI_Request *);
  int (*neighbor_allgather)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm,
                            MPI_Info, MPI_Request *);
  int (*neighbor_allgatherv)(const void *, int, MPI_Datatype, void *, const int *, const int *,
                             MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request *);
  int (*neighbor_alltoall)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm,
                           MPI_Info, MPI_Request *);
  int (*neighbor_alltoallv)(const void *, const int *, const int *, MPI_Datatype, void *,
                            const int *, const int *, MPI_Datatype, MPI_Comm, MPI_Info,
                            MPI_Request *);
  int (*neighbor_alltoallw)(const void *, const int *, const MPI_Aint *, const MPI_Datatype *,
                            void *, const int *, const MPI_Aint *, const MPI_Datatype *, MPI_Comm,
                            MPI_Info, MPI_Request *);
};

extern const struct persistent_functions persistent;

#endif
