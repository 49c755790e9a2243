/* The file of what was learnt: results kept from one run to the next.

     tourney learned 1
     cluster rack-7 fingerprint 00f3a9c2d4b5e617 ranks 16
     bcast 65536 native 1250000 1250000
     alltoall 65536 shuffle 12000000 8000000
     own allreduce 65536 recursive-doubling 2500000 2000000
     end 3

   A line for each class: `own` where it is of reductions by operations of the program's own, the
   collective, the bytes from which its blocks are, what it was settled
   on, and how long native and that took, in nanoseconds. */
#ifndef TOURNEY_MPI_GUARD_LEARN_H
#define TOURNEY_MPI_GUARD_LEARN_H

#include <tourney/status.h>

#include "mpi/guard/results.h"

/* What the results are of. */
struct tny_learn_key {
  const char *cluster;  /* its name, for people; borrowed */
  uint64_t fingerprint; /* of the cluster, and of where the ranks are */
  uint32_t rank_count;
};

/* Adds the file's results to `results`, all or none. A file that isn't there has none. Errors:
   TNY_BAD_INPUT, also where it is of another cluster or of other ranks. */
enum tny_status tny_learn_read(const char *path, const struct tny_learn_key *key,
                               struct tny_guard_results *results,
                               struct tny_error *error) TNY_MUST_CHECK;
/* Writes the file, whole or not at all. */
enum tny_status tny_learn_write(const char *path, const struct tny_learn_key *key,
                                const struct tny_guard_results *results,
                                struct tny_error *error) TNY_MUST_CHECK;

#endif
