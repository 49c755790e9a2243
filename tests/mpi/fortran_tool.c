/* A tool that stands before Fortran's broadcast alone, and looks the MPI's up: before the runtime
   in LD_PRELOAD it leads to it, behind it past it. */
#include <dlfcn.h>
#include <mpi.h>
#include <string.h>

void mpi_bcast_(void *buffer, const MPI_Fint *count, const MPI_Fint *type, const MPI_Fint *root,
                const MPI_Fint *comm, MPI_Fint *code);
void mpi_bcast_(void *buffer, const MPI_Fint *count, const MPI_Fint *type, const MPI_Fint *root,
                const MPI_Fint *comm, MPI_Fint *code)
{
  const void *next = dlsym(RTLD_NEXT, "PMPI_Bcast");
  __typeof__(PMPI_Bcast) *bcast;
  memcpy(&bcast, &next, sizeof bcast);
  *code = bcast(buffer, *count, PMPI_Type_f2c(*type), *root, PMPI_Comm_f2c(*comm));
}
