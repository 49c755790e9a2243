/* What a bench measured, its figures, and the CSV that they make. Nothing here reads or prints.
   Units: seconds; milliseconds in the CSV. */
#ifndef TOURNEY_BENCH_STATS_H
#define TOURNEY_BENCH_STATS_H

#include <tourney/cluster.h>

#include "core/text.h"

#define BENCH_CSV_HEADER                                                                           \
  "cluster,map,ranks,collective,bytes,variant,algorithm,median_ms,q1_ms,q3_ms,ratio_to_native,"    \
  "share_of_bound\n"

enum bench_variant { BENCH_NATIVE, BENCH_PLANNED };
#define BENCH_VARIANT_COUNT 2

/* All zero is none yet. */
struct bench_samples {
  double *seconds; /* owned */
  uint32_t count, room;
};

struct bench_row {
  enum tny_collective collective;
  uint64_t bytes; /* a block */
  struct bench_samples samples[BENCH_VARIANT_COUNT];
  char algorithm[64]; /* what served the planned variant */
  double bound_seconds;
};

struct bench_result {
  const char *cluster, *map; /* borrowed */
  uint32_t rank_count;
  uint32_t row_count, rows_done; /* the first rows_done are complete */
  struct bench_row *rows;        /* owned */
};

struct bench_quartiles {
  double q1, median, q3;
};

/* A row's figures: a ratio over 1 says that planned is faster. */
struct bench_figures {
  struct bench_quartiles seconds[BENCH_VARIANT_COUNT];
  double share[BENCH_VARIANT_COUNT]; /* bound over median */
  double ratio;                      /* native's median over planned's */
};

enum tny_status bench_samples_add(struct bench_samples *samples, double seconds,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* Sorts the samples. The quantile q of n sorted samples lies at position q*(n-1), counted from 0,
   between two samples by linear interpolation. No samples: all 0. */
struct bench_quartiles bench_samples_quartiles(struct bench_samples *samples);
/* Of a row that has samples of both variants. */
struct bench_figures bench_row_figures(struct bench_row *row);
void bench_result_release(struct bench_result *result);

/* The header and two lines for each complete row. */
void bench_csv_add(struct tny_text *text, struct bench_result *result);

#endif
