/* The MPI that this library is for, and the other one. */
#include "mpi/linkage/names.h"

#include <stddef.h>

static const char *const libraries[] = {"libmpich.so.12", "libmpi.so.12", NULL};

const struct tny_mpi_names tny_mpi_names = {
    .own = "Open MPI", .other = "MPICH", .other_libraries = libraries};
