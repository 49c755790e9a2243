/* The datatypes of a plan's messages that don't lie in one piece: the same part of several blocks.
   They are made when a plan is first run with a size, and kept with it, so that calls of the same
   size make none. */
#ifndef TOURNEY_MPI_CACHE_STRIDED_TYPES_H
#define TOURNEY_MPI_CACHE_STRIDED_TYPES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

enum { TNY_STRIDED_TYPES_MAX = 256 }; /* that a plan keeps */

/* `count` pieces of `bytes` bytes, `stride` bytes from one to the next. */
struct tny_strided {
  uint64_t bytes, stride;
  uint32_t count;
  MPI_Datatype type;
};

struct tny_strided_types {
  struct tny_strided *list;
  uint32_t count, room;
  uint32_t oldest; /* where the list can't grow: the one to go next */
};

/* False: no memory. */
bool tny_strided_types_init(struct tny_strided_types *types);
void tny_strided_types_release(struct tny_strided_types *types);
/* Finds the type for `wanted`, all of it but the type, and fills that in; makes it where it isn't
   there. *hint is where it was found last, or any number. Returns an MPI error code. */
int tny_strided_types_get(struct tny_strided_types *types, struct tny_strided *wanted,
                          uint32_t *hint);

#endif
