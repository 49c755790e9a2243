/* What `tourney bench` was asked for. */
#ifndef TOURNEY_BENCH_OPTIONS_H
#define TOURNEY_BENCH_OPTIONS_H

#include <tourney/pattern.h>

#include "cli/shared/launch/which_mpi.h"
#include "cli/shared/rows.h"
#include "stats.h"

#define BENCH_CONGESTIONS_MAX 8

struct bench_options {
  /* as given; NULL: not */
  const char *cluster, *algorithm, *profile, *csv, *chart, *launcher, *lab;
  enum tny_map map;
  enum launch_mpi mpi;
  bool map_given, mpi_given, peers, check, help;
  char congestions[BENCH_CONGESTIONS_MAX][16]; /* congestion_count of them; none: the lab's own */
  uint32_t congestion_count;
  uint32_t ranks;              /* 0: a rank a host */
  uint32_t repeat, repeat_max; /* pairs of samples; up to repeat_max for short rows */
  uint32_t warmup, max_seconds;
  struct cli_rows rows;         /* without sizes: each collective's own */
  const char *uneven;           /* as given, checked */
  struct tny_unevenness spread; /* the same */
  const char *grid;             /* as given, checked; NULL: as the MPI has it */
};

/* Reads the command line. Errors: TNY_BAD_INPUT, the text says which. */
enum tny_status bench_options_read(int argc, char **argv, struct bench_options *options,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* The rows asked for, by collective and size. Owns: result->rows. */
enum tny_status bench_options_rows(const struct bench_options *options, struct bench_result *result,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* TOURNEY_ALGORITHM for these options, checked; NULL where none was asked for.
   Owns: the caller's (tny_text_free). */
enum tny_status bench_options_algorithms(const struct bench_options *options, char **list,
                                         struct tny_error *error) TNY_MUST_CHECK;

#endif
