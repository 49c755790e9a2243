/* MPI_Reduce_local has its first buffer as the left operand, and leaves the result in the second.
   An operand that belongs on the right is copied aside, and is the second buffer there: piece by
   piece, so that it stays in the processor's cache. */
#include "mpi/types/combine.h"

#include <limits.h>

enum { ASIDE_BYTES = 16 << 10 /* of operands put aside at once: stays in the cache */ };

static bool is_one_of(MPI_Op op, const MPI_Op *ops, size_t count)
{
  size_t i = 0;
  while (i < count && op != ops[i])
    i++;
  return i < count;
}

bool tny_op_is_symmetric(MPI_Op op)
{
  const MPI_Op ops[] = {MPI_SUM, MPI_LAND, MPI_BAND, MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR};
  return is_one_of(op, ops, sizeof ops / sizeof *ops);
}

bool tny_op_is_predefined(MPI_Op op)
{
  const MPI_Op others[] = {MPI_MAX, MPI_MIN, MPI_PROD, MPI_MINLOC, MPI_MAXLOC};
  return tny_op_is_symmetric(op) || is_one_of(op, others, sizeof others / sizeof *others);
}

int tny_reduction_describe(MPI_Op op, MPI_Datatype type, struct tny_reduction *operation)
{
  int bytes;
  const int code = PMPI_Type_size(type, &bytes);
  if (code != MPI_SUCCESS)
    return code;
  *operation = (struct tny_reduction){.op = op,
                                      .type = type,
                                      .element_bytes = (uint64_t)bytes,
                                      .is_symmetric = tny_op_is_symmetric(op)};
  if (!operation->is_symmetric)
    operation->aside_bytes = bytes < ASIDE_BYTES ? ASIDE_BYTES : operation->element_bytes;
  return MPI_SUCCESS;
}

/* into = from op into. */
static int combine_from_left(const struct tny_reduction *operation, const char *from, char *into,
                             uint64_t bytes)
{
  const int count = (int)(bytes / operation->element_bytes);
  return PMPI_Reduce_local(from, into, count, operation->type, operation->op);
}

static int combine_from_right(const struct tny_reduction *operation, const char *from, char *into,
                              uint64_t bytes)
{
  memcpy(operation->aside, from, bytes);
  const int code = combine_from_left(operation, into, operation->aside, bytes);
  memcpy(into, operation->aside, bytes);
  return code;
}

int tny_combine(const struct tny_reduction *operation, bool from_left, const char *from, char *into,
                uint64_t bytes)
{
  const bool has_sides = !from_left && !operation->is_symmetric;
  const uint64_t element_bytes = operation->element_bytes;
  const uint64_t room = has_sides ? operation->aside_bytes : INT_MAX * element_bytes;
  const uint64_t most = room - room % element_bytes;
  int code = MPI_SUCCESS;
  for (uint64_t done = 0, piece; code == MPI_SUCCESS && done < bytes; done += piece) {
    piece = bytes - done < most ? bytes - done : most;
    code = (has_sides ? combine_from_right : combine_from_left)(operation, from + done, into + done,
                                                                piece);
  }
  return code;
}
