/* Turns what tourney-bench-ranks says, line by line, into a result. The lines are described in
   bench/ranks.c, which prints them. */
#ifndef TOURNEY_BENCH_READER_H
#define TOURNEY_BENCH_READER_H

#include "cli/shared/launch/places.h"
#include "stats.h"

struct bench_reader {
  struct launch_places places; /* owned */
  struct bench_result *result; /* borrowed; rows as asked for */
  struct tny_shape grid;       /* of neighbours; no dimensions: none was said */
  uint32_t row_index;          /* 1-based; 0: no row has begun */
  bool done;
};

enum bench_line {
  BENCH_LINE_OTHER,  /* not a line of ours */
  BENCH_LINE_RANK,   /* a rank's host */
  BENCH_LINE_ROW,    /* a row begins */
  BENCH_LINE_SAMPLE, /* a sample came */
  BENCH_LINE_DONE,   /* the last row is complete */
};

/* Gets ready for the ranks' lines, on this cluster; `result` is borrowed. Owns:
   bench_reader_release, also after a failure. */
enum tny_status bench_reader_begin(struct bench_reader *reader, const struct tny_cluster *cluster,
                                   struct bench_result *result,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* Reads one line. Errors: a rank on a host that isn't in the cluster; a line that doesn't fit what
   was asked for. */
enum tny_status bench_reader_read(struct bench_reader *reader, const char *line,
                                  enum bench_line *kind, struct tny_error *error) TNY_MUST_CHECK;
void bench_reader_release(struct bench_reader *reader);

#endif
