/* What a tuning run has found so far, from the lines of its ranks (bench/tune_ranks.c) or of the
   journal that keeps them. */
#ifndef TOURNEY_TUNE_FINDINGS_H
#define TOURNEY_TUNE_FINDINGS_H

#include "cli/shared/launch/places.h"
#include "cli/shared/profile/profile_file.h"
#include "core/text.h"
#include "machine.h"

enum { TUNE_ROWS_MAX = 256 };

/* A collective and size that is complete. */
struct tune_done {
  enum tny_collective collective;
  uint64_t bytes;
};

/* Owned, but for what the places borrow. All zero, with the places' program: nothing yet. */
struct tune_findings {
  struct launch_places places;
  char mpi[160];
  struct tune_raws raws;
  struct tny_text rows, row; /* the lines of complete rows, and of the one that is measured */
  struct tune_done done[TUNE_ROWS_MAX];
  uint32_t done_count;
  uint32_t row_points, point_count; /* of the row that is measured, and of complete rows */
  bool is_over, is_time_up;
};

enum tune_line {
  TUNE_LINE_OTHER,    /* not one of ours */
  TUNE_LINE_WORLD,    /* of the ranks and their MPI */
  TUNE_LINE_RAW,      /* of the machine */
  TUNE_LINE_ROW,      /* a row begins */
  TUNE_LINE_POINT,    /* of a row */
  TUNE_LINE_ROW_DONE, /* the row is complete */
  TUNE_LINE_END,      /* all rows are, or time is up */
};

/* Takes a line. Errors: a rank on a host that isn't in the cluster; a line that can't be
   understood. */
enum tny_status tune_findings_take(struct tune_findings *findings, const char *line,
                                   enum tune_line *kind, struct tny_error *error) TNY_MUST_CHECK;
bool tune_findings_has(const struct tune_findings *findings, enum tny_collective collective,
                       uint64_t bytes);
void tune_findings_release(struct tune_findings *findings);

#endif
