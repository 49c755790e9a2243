/* What a person sees of a bench: progress on standard error while it runs, then the table. */
#ifndef TOURNEY_BENCH_TABLE_H
#define TOURNEY_BENCH_TABLE_H

#include "stats.h"

struct bench_progress {
  bool terminal;      /* one line that rewrites itself; else a line a row */
  bool shown;         /* such a line stands there */
  uint32_t row_index; /* of the row shown last */
};

struct bench_progress bench_progress_begin(void);
/* The row of that index (from 1) has begun, or a sample of it came. */
void bench_progress_show(struct bench_progress *progress, const struct bench_result *result,
                         uint32_t row_index);
/* Makes room for other lines. */
void bench_progress_clear(struct bench_progress *progress);

/* The table of the complete rows. Owns: *table is the caller's (tny_text_free). */
enum tny_status bench_table_write(struct bench_result *result, char **table,
                                  struct tny_error *error) TNY_MUST_CHECK;

#endif
