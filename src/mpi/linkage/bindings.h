/* Do Fortran's collectives, and what tools pass on, lead to this library? */
#ifndef TOURNEY_MPI_BINDINGS_H
#define TOURNEY_MPI_BINDINGS_H

#include <tourney/status.h>

/* Looks at what the process has loaded: Fortran bindings, and a tool that stands behind this
   library; their broadcast stands for all collectives. Only where a library on the way looks
   functions up itself, it is called, for no elements and this rank alone. Errors: TNY_REFUSED where
   it leads past this library, with the library that it leads from. To be called once the MPI is
   initialised, before the world is set. */
enum tny_status tny_bindings_check(struct tny_error *error);

#endif
