/* Reads the lines of the ranks of `tourney tune`. */
#include "findings.h"

#include <inttypes.h>

#include "core/error.h"

static enum tny_status refuse(const struct tune_findings *findings, const char *line,
                              struct tny_error *error)
{
  return launch_places_refuse(&findings->places, line, error);
}

static enum tny_status read_place(struct tune_findings *findings, const char *line,
                                  struct tny_error *error)
{
  return launch_places_take(&findings->places, line, error);
}

static enum tny_status read_mpi(struct tune_findings *findings, const char *line,
                                struct tny_error *error)
{
  (void)error;
  snprintf(findings->mpi, sizeof findings->mpi, "%s", line + strlen("mpi "));
  return TNY_OK;
}

static enum tny_status read_raw(struct tune_findings *findings, const char *line,
                                struct tny_error *error)
{
  return tune_raws_add(&findings->raws, line + strlen("raw ")) ? TNY_OK
                                                               : refuse(findings, line, error);
}

static enum tny_status begin_row(struct tune_findings *findings, const char *line,
                                 struct tny_error *error)
{
  (void)line;
  (void)error;
  findings->row_points = 0;
  tny_text_release(&findings->row);
  return TNY_OK;
}

static enum tny_status keep_point(struct tune_findings *findings, const char *line,
                                  struct tny_error *error)
{
  (void)error; /* running out of memory shows when the row is done */
  findings->row_points++;
  tny_text_add(&findings->row, "%s\n", line);
  return TNY_OK;
}

static enum tny_status end_row(struct tune_findings *findings, const char *line,
                               struct tny_error *error)
{
  char name[32];
  struct tune_done done;
  if (sscanf(line, "row-done %31s %" SCNu64, name, &done.bytes) != 2 ||
      findings->done_count == TUNE_ROWS_MAX ||
      tny_collective_parse(name, &done.collective, NULL) != TNY_OK)
    return refuse(findings, line, error);
  tny_text_add(&findings->rows, "%s", findings->row.length ? findings->row.bytes : "");
  if (findings->row.failed || findings->rows.failed)
    return tny_error_memory(error);
  tny_text_release(&findings->row);
  findings->point_count += findings->row_points;
  findings->row_points = 0;
  findings->done[findings->done_count++] = done;
  return TNY_OK;
}

static enum tny_status end(struct tune_findings *findings, const char *line,
                           struct tny_error *error)
{
  (void)error;
  findings->is_over = true;
  findings->is_time_up = strcmp(line, "done") != 0;
  return TNY_OK;
}

static enum tny_status pass_over(struct tune_findings *findings, const char *line,
                                 struct tny_error *error)
{
  (void)findings;
  (void)line;
  (void)error;
  return TNY_OK;
}

enum tny_status tune_findings_take(struct tune_findings *findings, const char *line,
                                   enum tune_line *kind, struct tny_error *error)
{
  static const struct {
    const char *start;
    enum tune_line kind;
    enum tny_status (*read)(struct tune_findings *, const char *, struct tny_error *);
  } kinds[] = {
      {"ranks ", TUNE_LINE_WORLD, read_place},    {"rank ", TUNE_LINE_WORLD, read_place},
      {"mpi ", TUNE_LINE_WORLD, read_mpi},        {"raw ", TUNE_LINE_RAW, read_raw},
      {"row-done ", TUNE_LINE_ROW_DONE, end_row}, {"row ", TUNE_LINE_ROW, begin_row},
      {"point ", TUNE_LINE_POINT, keep_point},    {"native-point ", TUNE_LINE_POINT, keep_point},
      {"refused ", TUNE_LINE_POINT, pass_over},   {"done", TUNE_LINE_END, end},
      {"time is up", TUNE_LINE_END, end},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (!strncmp(line, kinds[i].start, strlen(kinds[i].start))) {
      *kind = kinds[i].kind;
      return kinds[i].read(findings, line, error);
    }
  *kind = TUNE_LINE_OTHER;
  return TNY_OK;
}

bool tune_findings_has(const struct tune_findings *findings, enum tny_collective collective,
                       uint64_t bytes)
{
  for (uint32_t i = 0; i < findings->done_count; i++)
    if (findings->done[i].collective == collective && findings->done[i].bytes == bytes)
      return true;
  return false;
}

void tune_findings_release(struct tune_findings *findings)
{
  launch_places_release(&findings->places);
  tny_text_release(&findings->rows);
  tny_text_release(&findings->row);
}
