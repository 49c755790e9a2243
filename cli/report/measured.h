/* What a bench measured, read from the CSV that `tourney bench --csv` writes. Units: ms, bytes. */
#ifndef TOURNEY_CLI_REPORT_MEASURED_H
#define TOURNEY_CLI_REPORT_MEASURED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tourney/status.h>

/* A line: one variant of a row. Texts are borrowed from the file's. */
struct measured_line {
  const char *cluster, *map, *collective, *variant, *algorithm, *congestion;
  size_t order; /* in the file, from 0 */
  uint64_t ranks, bytes, samples;
  double median_ms, q1_ms, q3_ms;
  double ratio;        /* native's median over this one's */
  double share;        /* of the bound */
  double predicted_ms; /* 0: not predicted */
};

struct measured {
  char *text; /* owned: the file, its fields ended by 0s */
  struct measured_line *lines;
  size_t count, room;
};

/* Reads the file. Columns are found by their names, in any order; further ones are left alone.
   Owns: measured_release, also after a failure. Errors: TNY_BAD_INPUT with the line. */
enum tny_status measured_read(const char *path, struct measured *measured,
                              struct tny_error *error) TNY_MUST_CHECK;
/* The same of a file's text, which is taken over; `path` is what errors call it. */
enum tny_status measured_parse(const char *path, char *text, struct measured *measured,
                               struct tny_error *error) TNY_MUST_CHECK;
void measured_release(struct measured *measured);

/* Are two lines of one chart: of one cluster, map, number of ranks, collective, congestion control?
   */
bool measured_are_together(const struct measured_line *a, const struct measured_line *b);

#endif
