/* A nonblocking collective with its memory, as background.c begins and checks it. */
#ifndef TOURNEY_TESTS_BACKGROUND_SUPPORT_H
#define TOURNEY_TESTS_BACKGROUND_SUPPORT_H

#include <mpi.h>

enum { RANKS_MAX = 16, BLOCK = 3000 };

enum kind { BCAST, ALLGATHER, ALLTOALL, REDUCE, ALLREDUCE, REDUCE_SCATTER, KINDS };

/* How a block of `n` integers lies in memory: one after another; each with a gap behind it, but not
   in a reduction, which is native then; or as in a row with the input in place. */
enum layout { ROW, GAPS, IN_PLACE, LAYOUTS };

/* A nonblocking collective with its memory. */
struct operation {
  enum kind kind;
  enum layout layout;
  MPI_Comm comm;
  int rank, size, root, n, stamp;
  int counts[RANKS_MAX];
  MPI_Request request;
  int input[2 * RANKS_MAX * BLOCK], output[2 * RANKS_MAX * BLOCK];
  long wrong, planned;
};

/* What rank `from` gives rank `to` at `index` of a block. */
int number_of(int stamp, int from, int to, int index);
/* Fills the memory in. */
void prepare(struct operation *operation);
/* Begins; the datatype, where it is made, is freed at once. Returns an MPI error code. */
int begin(struct operation *operation);
/* After it has been waited for, which returned this. */
void check(struct operation *operation, int code);
/* Begins the number-th of a communicator's operations, the same one at all its ranks. Returns an
   MPI error code. */
int start(struct operation *operation, MPI_Comm comm, int number);

#endif
