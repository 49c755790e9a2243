/* One rank's steps, run over MPI point-to-point. */
#ifndef TOURNEY_MPI_EXECUTE_H
#define TOURNEY_MPI_EXECUTE_H

#include "mpi/cache/plan.h"
#include "mpi/comm_state.h"
#include "mpi/send_window.h"

/* Where a block is, and its bytes, where blocks differ. */
struct tny_lone_block {
  char *memory;
  uint64_t bytes;
};
/* Where a schedule's buffers lie in memory: of each block, `bytes` bytes from where it begins. */
struct tny_area {
  char *memory;                        /* of the first block */
  uint64_t stride;                     /* from block to block */
  const struct tny_lone_block *blocks; /* not NULL: of an uneven call, each by itself. The plan's
                                          spans are of single blocks then */
};
struct tny_buffers {
  struct tny_area areas[3]; /* by enum tny_buffer; the input is only read */
  uint64_t bytes;
  struct tny_send_window window; /* of an uneven call, before the run */
};
/* Part `index` of `count` of something `bytes` long, all parts within a byte of each other. */
struct tny_part {
  uint64_t offset, bytes;
};
struct tny_part tny_part_of(uint64_t bytes, uint32_t index, uint32_t count);
/* Runs the plan once; returns an MPI error code, after which no receive is open. */
int tny_execute(struct tny_plan *plan, const struct tny_comm_state *state,
                const struct tny_buffers *buffers);

#endif
