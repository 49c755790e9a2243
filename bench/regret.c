/* What the guard costs where it is told wrong things: an MPI program, to be run with the runtime
   (docs/runtime.md, "The guard"). Each call is made natively and through the runtime, one after the
   other in an order that changes, and every result is checked. A line of CSV for each count of
   calls that is asked for: the sums of all calls until then, each by its slowest rank, and what the
   runtime's took longer, as a part of native's.
   usage: regret COLLECTIVE BYTES CALLS... (ascending; bench/checked_calls.h has the collectives) */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include <tourney/runtime.h>

#include "bench/checked_calls.h"

enum variant { NATIVE, GUARDED, VARIANTS };

static void measure(struct bench_calls *calls, int count, char *const *counts)
{
  double sums[VARIANTS] = {0};
  uint64_t done = 0;
  if (calls->rank == 0)
    printf("collective,bytes,ranks,calls,native_s,guarded_s,regret,served_by\n");
  for (int i = 0; i < count; i++) {
    for (const uint64_t wanted = strtoul(counts[i], NULL, 10); done < wanted; done++)
      for (int turn = 0; turn < VARIANTS; turn++) {
        const enum variant variant = (enum variant)((done + (uint64_t)turn) % VARIANTS);
        sums[variant] += bench_calls_time(calls, bench_calls_make, variant == NATIVE,
                                          VARIANTS * done + (uint64_t)turn);
      }
    if (calls->rank == 0)
      printf("%s,%d,%d,%llu,%.4f,%.4f,%.4f,%s\n", calls->collective, calls->bytes, calls->p,
             (unsigned long long)done, sums[NATIVE], sums[GUARDED],
             sums[GUARDED] / sums[NATIVE] - 1, calls->served_by);
    fflush(stdout);
  }
}

int main(int argc, char **argv)
{
  struct bench_calls calls = {0};
  MPI_Init(&argc, &argv);
  if (argc < 4 || !bench_calls_open(&calls, argv[1], strtol(argv[2], NULL, 10))) {
    fprintf(stderr, "usage: tourney run -- mpirun regret "
                    "alltoall|allgather|bcast|next|quarter|row|short|grid BYTES CALLS...\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
    return 2;
  }
  tourney_set_native(1);
  measure(&calls, argc - 3, argv + 3);
  bench_calls_close(&calls);
  MPI_Finalize();
  return 0;
}
