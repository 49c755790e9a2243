/* The structs of functions, which the table in rows.c has filled. */
#include "mpi/entry/large/large.h"

struct tny_mpi_large tny_native_large, tny_below_large;
