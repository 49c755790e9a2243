/* Reads CSV (RFC 4180): fields with commas, quotation marks or line ends stand in quotation marks,
   and those within are doubled. */
#include "measured.h"

#include <math.h>
#include <string.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/file.h"
#include "core/scan.h"

enum { FIELDS_MAX = 64, LINES_MAX = 20000 };

enum column {
  CLUSTER,
  MAP,
  RANKS,
  COLLECTIVE,
  BYTES,
  VARIANT,
  ALGORITHM,
  MEDIAN,
  Q1,
  Q3,
  RATIO,
  SHARE,
  SAMPLES,
  CONGESTION,
  PREDICTED,
  COLUMN_COUNT,
};

static const char *const names[COLUMN_COUNT] = {[CLUSTER] = "cluster",
                                                [MAP] = "map",
                                                [RANKS] = "ranks",
                                                [COLLECTIVE] = "collective",
                                                [BYTES] = "bytes",
                                                [VARIANT] = "variant",
                                                [ALGORITHM] = "algorithm",
                                                [MEDIAN] = "median_ms",
                                                [Q1] = "q1_ms",
                                                [Q3] = "q3_ms",
                                                [RATIO] = "ratio_to_native",
                                                [SHARE] = "share_of_bound",
                                                [SAMPLES] = "samples",
                                                [CONGESTION] = "congestion",
                                                [PREDICTED] = "predicted_ms"};

struct reader {
  const char *path;
  char *next;      /* what isn't read yet */
  uint32_t line;   /* of the fields, from 1 */
  uint32_t breaks; /* line ends passed */
  char *fields[FIELDS_MAX];
  uint32_t count;
  uint32_t at[COLUMN_COUNT]; /* which field a column is */
  uint32_t columns;
};

static enum tny_status refuse(const struct reader *reader, const char *what,
                              struct tny_error *error)
{
  return tny_error_at(error, TNY_BAD_INPUT, reader->path, reader->line, 0, "%s", what);
}

/* Takes a field in quotation marks, in place; false where they aren't closed. */
static bool take_quoted(struct reader *reader)
{
  char *from = reader->next + 1, *to = reader->next;
  for (; *from && (*from != '"' || from[1] == '"'); from++) {
    reader->breaks += *from == '\n';
    from += *from == '"';
    *to++ = *from;
  }
  if (!*from)
    return false;
  reader->next = from + 1;
  *to = '\0';
  return true;
}

/* Takes the next line's fields; false at the end of the file. */
static bool take_line(struct reader *reader, enum tny_status *status, struct tny_error *error)
{
  if (!*reader->next)
    return false;
  reader->line = reader->breaks + 1;
  for (reader->count = 0;;) {
    if (reader->count == FIELDS_MAX) {
      *status = refuse(reader, "the line has too many fields", error);
      return false;
    }
    reader->fields[reader->count++] = reader->next;
    if (*reader->next == '"' && !take_quoted(reader)) {
      *status = refuse(reader, "a quotation mark isn't closed", error);
      return false;
    }
    reader->next += strcspn(reader->next, ",\r\n");
    const char end = *reader->next;
    if (end)
      *reader->next++ = '\0';
    if (end == ',')
      continue;
    if (end == '\r' && *reader->next == '\n')
      reader->next++;
    reader->breaks += end != '\0';
    return true;
  }
}

static enum tny_status find_columns(struct reader *reader, struct tny_error *error)
{
  for (uint32_t column = 0; column < COLUMN_COUNT; column++) {
    uint32_t field = 0;
    while (field < reader->count && strcmp(reader->fields[field], names[column]) != 0)
      field++;
    if (field == reader->count)
      return tny_error_at(error, TNY_BAD_INPUT, reader->path, reader->line, 0,
                          "there is no column '%s': is this what 'tourney bench --csv' wrote?",
                          names[column]);
    reader->at[column] = field;
  }
  reader->columns = reader->count;
  return TNY_OK;
}

static const char *field_of(const struct reader *reader, enum column column)
{
  return reader->fields[reader->at[column]];
}

/* Reads a number of at least 0; an empty field is 0 where that `may_be_empty`. */
static enum tny_status read_number(const struct reader *reader, enum column column,
                                   bool may_be_empty, double *number, struct tny_error *error)
{
  const char *field = field_of(reader, column);
  char *end;
  *number = strtod(field, &end);
  if (may_be_empty && !*field)
    return TNY_OK;
  if (end != field && !*end && isfinite(*number) && *number >= 0)
    return TNY_OK;
  return tny_error_at(error, TNY_BAD_INPUT, reader->path, reader->line, 0,
                      "%s is a number that isn't negative, not '%.100s'", names[column], field);
}

static enum tny_status read_whole(const struct reader *reader, enum column column, uint64_t *number,
                                  struct tny_error *error)
{
  if (tny_scan_whole(field_of(reader, column), number))
    return TNY_OK;
  return tny_error_at(error, TNY_BAD_INPUT, reader->path, reader->line, 0,
                      "%s is a whole number, not '%.100s'", names[column],
                      field_of(reader, column));
}

static enum tny_status read_line(const struct reader *reader, struct measured_line *line,
                                 struct tny_error *error)
{
  *line = (struct measured_line){.cluster = field_of(reader, CLUSTER),
                                 .map = field_of(reader, MAP),
                                 .collective = field_of(reader, COLLECTIVE),
                                 .variant = field_of(reader, VARIANT),
                                 .algorithm = field_of(reader, ALGORITHM),
                                 .congestion = field_of(reader, CONGESTION)};
  enum tny_status status = read_whole(reader, RANKS, &line->ranks, error);
  if (status == TNY_OK)
    status = read_whole(reader, BYTES, &line->bytes, error);
  if (status == TNY_OK)
    status = read_whole(reader, SAMPLES, &line->samples, error);
  const struct {
    enum column column;
    double *into;
  } numbers[] = {{MEDIAN, &line->median_ms}, {Q1, &line->q1_ms},
                 {Q3, &line->q3_ms},         {RATIO, &line->ratio},
                 {SHARE, &line->share},      {PREDICTED, &line->predicted_ms}};
  for (size_t i = 0; status == TNY_OK && i < sizeof numbers / sizeof *numbers; i++)
    status = read_number(reader, numbers[i].column, numbers[i].column == PREDICTED, numbers[i].into,
                         error);
  if (status == TNY_OK && (line->q1_ms > line->median_ms || line->median_ms > line->q3_ms))
    status = refuse(reader, "the median isn't between its quartiles", error);
  return status;
}

static enum tny_status add_line(const struct reader *reader, struct measured *measured,
                                struct tny_error *error)
{
  if (reader->count != reader->columns)
    return refuse(reader, "the line has another number of fields than the header", error);
  if (measured->count == LINES_MAX)
    return refuse(reader, "a page has room for 20000 lines: write a part of the file", error);
  if (measured->count == measured->room) {
    struct measured_line *grown =
        tny_resize(measured->lines, 2 * measured->room + 64, sizeof *grown);
    if (!grown)
      return tny_error_memory(error);
    measured->lines = grown;
    measured->room = 2 * measured->room + 64;
  }
  const enum tny_status status = read_line(reader, &measured->lines[measured->count], error);
  measured->lines[measured->count].order = measured->count;
  measured->count++;
  return status;
}

enum tny_status measured_parse(const char *path, char *text, struct measured *measured,
                               struct tny_error *error)
{
  struct reader reader = {.path = path, .next = text};
  enum tny_status status = TNY_OK;
  *measured = (struct measured){.text = text};
  if (take_line(&reader, &status, error))
    status = find_columns(&reader, error);
  else if (status == TNY_OK)
    status = refuse(&reader, "the file is empty", error);
  while (status == TNY_OK && take_line(&reader, &status, error))
    if (reader.count > 1 || *reader.fields[0]) /* not an empty line */
      status = add_line(&reader, measured, error);
  if (status == TNY_OK && measured->count == 0)
    status = tny_error_at(error, TNY_BAD_INPUT, path, 0, 0,
                          "no line but the header: nothing was measured");
  return status;
}

enum tny_status measured_read(const char *path, struct measured *measured, struct tny_error *error)
{
  char *text;
  *measured = (struct measured){0};
  const enum tny_status status = tny_file_read(path, &text, error);
  return status == TNY_OK ? measured_parse(path, text, measured, error) : status;
}

void measured_release(struct measured *measured)
{
  tny_text_free(measured->text);
  tny_free(measured->lines);
  *measured = (struct measured){0};
}

bool measured_are_together(const struct measured_line *a, const struct measured_line *b)
{
  return a->ranks == b->ranks && strcmp(a->cluster, b->cluster) == 0 &&
         strcmp(a->map, b->map) == 0 && strcmp(a->collective, b->collective) == 0 &&
         strcmp(a->congestion, b->congestion) == 0;
}
