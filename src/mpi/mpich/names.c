/* The MPI that this library is for, and the other one. */
#include "mpi/linkage/names.h"

#include <stddef.h>

static const char *const libraries[] = {"libmpi.so.40", NULL};

const struct tny_mpi_names tny_mpi_names = {
    .own = "MPICH", .other = "Open MPI", .other_libraries = libraries};
