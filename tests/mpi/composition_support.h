/* An operation of the program's own whose order counts, for the programs that reduce by it
   (reductions.c, guarded.c). Included once by each. */
#ifndef TOURNEY_TESTS_COMPOSITION_SUPPORT_H
#define TOURNEY_TESTS_COMPOSITION_SUPPORT_H

#include <mpi.h>
#include <stdint.h>

/* An affine map x -> a x + b: their composition is associative and doesn't commute. */
static uint64_t compose(uint64_t left, uint64_t right)
{
  const uint32_t a = (uint32_t)(left >> 32), b = (uint32_t)left;
  const uint32_t c = (uint32_t)(right >> 32), d = (uint32_t)right;
  return (uint64_t)(a * c) << 32 | (uint32_t)(a * d + b);
}

/* The same for MPI_Op_create. */
static void compose_all(void *left, void *right, int *count, MPI_Datatype *type)
{
  const uint64_t *from = left;
  uint64_t *into = right;
  (void)type;
  for (int i = 0; i < *count; i++)
    into[i] = compose(from[i], into[i]);
}

#endif
