/* What a reduction's steps combine by: the program's operation on elements of its type. */
#ifndef TOURNEY_MPI_TYPES_COMBINE_H
#define TOURNEY_MPI_TYPES_COMBINE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Elements lie in memory one after another, without gaps. */
struct tny_reduction {
  MPI_Op op;
  MPI_Datatype type;
  uint64_t element_bytes;
  bool is_symmetric; /* a op b has the same bits as b op a */
  char *aside;       /* for operands on the other side than the MPI has them; of so many bytes, */
  uint64_t aside_bytes; /* at least an element's */
};

/* Is it one of the MPI's own? They all commute. */
bool tny_op_is_predefined(MPI_Op op);
/* Has the operation the same bits whichever side an operand is on? Not so are the program's
   own, those that tell an operand of equal or unordered ones (MPI_MAX of 0 and -0, or of NaN), and
   products of complex numbers, where they are rounded once for two products. */
bool tny_op_is_symmetric(MPI_Op op);

/* Describes what elements of an elementary type are combined by. `aside` is still to be set, where
   bytes are wanted for it. Returns an MPI error code. */
int tny_reduction_describe(MPI_Op op, MPI_Datatype type, struct tny_reduction *operation);

/* into = from op into where from is the left operand, else into = into op from. Bytes of whole
   elements that have none in common. Returns an MPI error code. */
int tny_combine(const struct tny_reduction *operation, bool from_left, const char *from, char *into,
                uint64_t bytes);

#endif
