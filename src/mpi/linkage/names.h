/* What the MPIs are called. */
#ifndef TOURNEY_MPI_NAMES_H
#define TOURNEY_MPI_NAMES_H

struct tny_mpi_names {
  const char *own, *other;            /* as MPI_Get_library_version has them, and people */
  const char *const *other_libraries; /* by their names for the dynamic loader; NULL ends them */
};
extern const struct tny_mpi_names tny_mpi_names;

#endif
