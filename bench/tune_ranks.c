/* The ranks of `tourney tune`: an MPI program that measures what messages cost the machine
   (tune_machine.c), and how long collectives take by several algorithms (tune_rows.c). The runtime
   is preloaded; all but the calls that are measured is native. It reports lines on standard output:

   - ranks P
   - rank R host NAME: one a rank
   - mpi TEXT: which MPI this is
   - raw WHAT BYTES NUMBER: of the machine
   - row COLLECTIVE BYTES: a row begins
   - point COLLECTIVE BYTES ALGORITHM MEDIAN_NS Q1_NS Q3_NS SAMPLES: the flat form of profiles
   - native-point COLLECTIVE BYTES NUMBER SEGMENT_BYTES and the same numbers: the MPI's own, forced
   - refused COLLECTIVE BYTES ALGORITHM: it can't be planned here
   - row-done COLLECTIVE BYTES
   - time is up, or done

   usage: tourney-tune-ranks [--max-seconds N] [--machine] [ROW...]
   ROW: COLLECTIVE/BYTES/EXPECTED_MS/ENOUGH_MS/VARIANT[,VARIANT...], with the time that it is
   expected to take and that after which it has enough samples; VARIANT: native, an algorithm's
   name, or @NUMBER+SEGMENT_BYTES for one of the MPI's. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tune_machine.h"
#include "bench/tune_rows.h"
#include "bench/world.h"

/* Prints which MPI this is. */
static void report_library(const struct tune_context *context)
{
  char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length;
  MPI_Get_library_version(library, &length);
  library[strcspn(library, "\n,")] = '\0';
  if (context->rank == 0)
    printf("mpi %s\n", library);
  fflush(stdout);
}

/* Whether every rank has the runtime. Rank 0 reports it where one doesn't. */
static bool find_runtime(struct tune_context *context)
{
  const bool here = bench_find_function("tourney_last_algorithm", &context->last_algorithm) &&
                    bench_find_function("tourney_set_native", &context->set_native) &&
                    bench_find_function("tourney_set_algorithm", &context->set_algorithm);
  const bool everywhere = bench_is_everywhere(here, MPI_COMM_WORLD);
  if (!everywhere && context->rank == 0)
    fprintf(stderr, "tourney-tune-ranks: the runtime isn't loaded at every rank; start this by "
                    "tourney tune\n");
  return everywhere;
}

static int complain(const struct tune_context *context, const char *what)
{
  if (context->rank == 0)
    fprintf(stderr, "tourney-tune-ranks: %s\n", what);
  return 2;
}

static int run(int argc, char **argv, struct tune_context *context)
{
  static const struct option names[] = {{"max-seconds", required_argument, NULL, 's'},
                                        {"machine", no_argument, NULL, 'm'},
                                        {NULL, 0, NULL, 0}};
  bool machine = false;
  int letter;
  opterr = 0;
  context->end = MPI_Wtime() + 1e9;
  while ((letter = getopt_long(argc, argv, "", names, NULL)) != -1) {
    if (letter == 's')
      context->end = MPI_Wtime() + (double)strtoul(optarg, NULL, 10);
    else if (letter == 'm')
      machine = true;
    else
      return complain(context, "usage: tourney-tune-ranks [--max-seconds N] [--machine] [ROW...]");
  }
  if (!find_runtime(context))
    return 1;
  context->set_native(true);
  bench_report_hosts();
  report_library(context);
  if (machine)
    tune_machine(context);
  for (int i = optind; i < argc; i++)
    if (!tune_row(context, argv[i]))
      return complain(context,
                      "a row is COLLECTIVE/BYTES/EXPECTED_MS/ENOUGH_MS/VARIANT[,VARIANT...]");
  if (context->rank == 0)
    puts(context->is_time_up ? "time is up" : "done");
  fflush(stdout);
  return 0;
}

int main(int argc, char **argv)
{
  struct tune_context context = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &context.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &context.rank_count);
  const int code = run(argc, argv, &context);
  if (code)
    MPI_Abort(MPI_COMM_WORLD, code);
  MPI_Finalize();
  return 0;
}
