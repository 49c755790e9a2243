/* Where the MPI has no collectives of large counts, none are intercepted. */
#include "mpi/entry/rows.h"

static const struct tny_row none[] = {{NULL, 0, TNY_COUNTED, NULL}};

const struct tny_rows tny_large_rows = {.rows = none};
