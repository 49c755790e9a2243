/* What tourney-bench-ranks says, line by line, turned into a result. The lines are described in
   bench/ranks.c. */
#ifndef TOURNEY_BENCH_READER_H
#define TOURNEY_BENCH_READER_H

#include "stats.h"

struct bench_reader {
  const struct tny_cluster *cluster; /* borrowed */
  struct bench_result *result;       /* borrowed; rows as asked for */
  bool by_number;                    /* placed by `map`, whatever the hosts' names are, as
                                        TOURNEY_MAP tells the runtime */
  enum tny_map map;
  uint32_t *host_of_rank; /* owned; result->rank_count places */
  uint32_t ranks_placed;
  uint32_t row_index; /* 1-based; 0: no row has begun */
  bool done;
};

enum bench_news {
  BENCH_OTHER,    /* not a line of ours */
  BENCH_PLACE,    /* a rank's host */
  BENCH_ROW,      /* a row begins */
  BENCH_SAMPLE,   /* a sample came */
  BENCH_ALL_DONE, /* the last row is complete */
};

/* Reads one line. Errors: a rank on a host that isn't in the cluster; a line that doesn't fit what
   was asked for. */
enum tny_status bench_reader_read(struct bench_reader *reader, const char *line,
                                  enum bench_news *news, struct tny_error *error) TNY_MUST_CHECK;
void bench_reader_release(struct bench_reader *reader);

#endif
