/* Elements packed as plain bytes, and unpacked: a signature's bytes one after another, as they are
   sent between machines of one kind. */
#ifndef TOURNEY_MPI_PACK_H
#define TOURNEY_MPI_PACK_H

#include <mpi.h>

struct tny_elements {
  void *memory; /* borrowed; MPI_BOTTOM for a type of addresses */
  int count;
  MPI_Datatype type;
};
/* Packs elements into so many bytes, which are the type's size times the count. An MPI error code
   of a call on `comm`. */
int tny_pack(const struct tny_elements *elements, void *packed, int bytes, MPI_Comm comm);
/* The other way. */
int tny_unpack(const void *packed, int bytes, const struct tny_elements *elements, MPI_Comm comm);

#endif
