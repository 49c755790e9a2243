/* The functions of large counts; entry/intercepted.c finds them when the library is loaded. */
#include "mpi/entry/large/large.h"

struct tny_mpi_large tny_native_large, tny_below_large;
