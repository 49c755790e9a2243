/* What a rank reads and writes in the calls of a row: the blocks' sizes, their memory, the bytes
   that they carry, and the check of a result. Units: bytes. */
#ifndef TOURNEY_BENCH_BLOCKS_H
#define TOURNEY_BENCH_BLOCKS_H

#include <tourney/pattern.h>

#include "bench/grid.h"
#include "bench/operations.h"

/* A row, as one rank sees it. The first part is the caller's to fill. */
struct bench_blocks {
  const struct bench_operation *operation;
  uint64_t block_bytes; /* of uneven ones the mean */
  uint32_t rank, rank_count;
  const struct bench_grid *grid; /* of neighbours; borrowed */
  struct bench_buffers buffers;
};

/* Lays the blocks out, uneven ones by drawn sizes. Owns: bench_blocks_free, also after a failure.
   Errors: no memory, or more than MPI's displacements reach. */
enum tny_status bench_blocks_make(struct bench_blocks *blocks, const struct tny_unevenness *spread,
                                  struct tny_error *error);
void bench_blocks_free(struct bench_blocks *blocks);

/* Fills the inputs anew for the call of this number, and overwrites what is in the outputs. */
void bench_blocks_fill(const struct bench_blocks *blocks, uint64_t iteration);
/* Checks the outputs, and that the inputs are as they were. Ends the whole job where a byte is
   wrong. */
void bench_blocks_check(const struct bench_blocks *blocks, uint64_t iteration);

#endif
