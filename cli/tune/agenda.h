/* What is to be measured, what matters most first, and how long that takes. */
#ifndef TOURNEY_TUNE_AGENDA_H
#define TOURNEY_TUNE_AGENDA_H

#include <tourney/model.h>

#include "findings.h"
#include "options.h"

/* A row for the ranks. */
struct tune_row {
  enum tny_collective collective;
  uint64_t bytes;
  double seconds;       /* that it is expected to take */
  uint32_t point_count; /* variants */
  char variants[1920];  /* with commas between them */
  char text[2048];      /* the row as the ranks take it */
};

/* All is owned by the caller. */
struct tune_agenda {
  double seconds_max;                 /* what there is */
  const struct tune_options *options; /* borrowed */
  uint32_t row_count;
  struct tune_row *rows; /* TUNE_ROWS_MAX of them */
  uint32_t point_count;  /* of these and of the rows before */
  double seconds;        /* of all rows */
  uint32_t left_out;     /* rows for which there is no time, or no room in a profile */
};

/* Fills the agenda with what isn't found yet and fits into its seconds_max: for each collective and
   size, native, the planned algorithms that are predicted to be fastest, and where that takes
   little the MPI's own. The problem's network and placement are those of the ranks. */
enum tny_status tune_agenda_make(struct tune_agenda *agenda, const struct tune_options *options,
                                 const struct tune_findings *found,
                                 const struct tny_problem *problem,
                                 struct tny_error *error) TNY_MUST_CHECK;
void tune_agenda_release(struct tune_agenda *agenda);
/* Whether the ranks' line "row COLLECTIVE BYTES" is this one's. */
bool tune_row_is(const struct tune_row *row, const char *line);
/* Seconds of the rows from this one on. */
double tune_agenda_rest(const struct tune_agenda *agenda, uint32_t row_index);

#endif
