/* What a bench measured, its figures, and the CSV that they make. Nothing here reads or prints.
   Units: seconds; milliseconds in the CSV. */
#ifndef TOURNEY_BENCH_STATS_H
#define TOURNEY_BENCH_STATS_H

#include <tourney/pattern.h>

#include "cli/shared/peers.h"
#include "cli/shared/rows.h"
#include "core/text.h"

#define BENCH_CSV_HEADER                                                                           \
  "cluster,map,ranks,collective,bytes,variant,algorithm,median_ms,q1_ms,q3_ms,ratio_to_native,"    \
  "share_of_bound,samples,congestion,predicted_ms\n"

/* The first two variants of every row; its peers follow. */
enum { BENCH_NATIVE, BENCH_PLANNED, BENCH_PEERS };
#define BENCH_VARIANTS_MAX (BENCH_PEERS + PEERS_MAX)

/* All zero is none yet. */
struct bench_samples {
  double *seconds; /* owned */
  uint32_t count, room;
};

struct bench_variant {
  char name[64];      /* "native", "planned", a peer's */
  char algorithm[64]; /* what served most of its calls, */
  uint32_t lead;      /* by so many of those of late: bench_variant_served */
  struct bench_samples samples;
};

struct bench_row {
  enum tny_collective collective;
  enum cli_form form;
  uint64_t bytes; /* a block; of uneven ones the mean */
  uint32_t variant_count;
  struct bench_variant variants[BENCH_VARIANTS_MAX];
  uint32_t untried_count; /* peers for which there was no time */
  double bound_seconds;
  double predicted_seconds; /* of what served planned, by the model; 0: not predicted */
};

struct bench_result {
  const char *cluster, *map;    /* borrowed */
  const char *mpi;              /* "MPICH" */
  const char *congestion;       /* TCP's congestion control; "": not known */
  char grid[40];                /* of neighbours, "4x4"; "": no row is of neighbours */
  struct tny_unevenness spread; /* of uneven rows; the mean is the row's */
  uint32_t rank_count;
  uint32_t row_count, rows_done; /* the first rows_done are complete */
  struct bench_row *rows;        /* owned */
};

struct bench_quartiles {
  double q1, median, q3;
};

/* A row's figures: a ratio over 1 says that planned is faster. */
struct bench_figures {
  struct bench_quartiles seconds[BENCH_VARIANTS_MAX];
  double share[BENCH_VARIANTS_MAX]; /* bound over median */
  double ratio;                     /* native's median over planned's */
  /* The peer of the least median of those that stayed to the end; 0: there is none. */
  uint32_t best_peer;
  double peer_ratio; /* its median over planned's */
};

enum tny_status bench_samples_add(struct bench_samples *samples, double seconds,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* Begins a row: native and planned, without samples. The row is all zero before. */
void bench_row_begin(struct bench_row *row, enum tny_collective collective, uint64_t bytes);
/* The collective's name, as it is typed. */
const char *bench_row_name(const struct bench_row *row);
/* The variant of that name; a new one where there is none. NULL: there are too many. */
struct bench_variant *bench_row_variant(struct bench_row *row, const char *name);
/* Notes what served a call, by the majority vote of Boyer and Moore (1981): the runtime may try
   something else in a few. */
void bench_variant_served(struct bench_variant *variant, const char *algorithm);
/* Sorts the samples. The quantile q of n sorted samples lies at position q*(n-1), counted from 0,
   between two samples by linear interpolation. No samples: all 0. */
struct bench_quartiles bench_samples_quartiles(struct bench_samples *samples);
/* Of a row that has samples of both variants. */
struct bench_figures bench_row_figures(struct bench_row *row);
void bench_result_release(struct bench_result *result);

/* For each complete row a line for every variant that has samples; BENCH_CSV_HEADER is for the
   caller to put before them. */
void bench_csv_add(struct tny_text *text, struct bench_result *result);

#endif
