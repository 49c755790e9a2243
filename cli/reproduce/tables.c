/* What was found, as tables for people: for a terminal and in Markdown. Which findings are within
   their limits, and which are points of a chart, is told here too. */
#include "reproduced.h"

#include <math.h>
#include <string.h>

#include "cli/shared/columns.h"

enum {
  NOTE_WIDTH = 98,
  NUMBER_CHARS = 32,
};

enum reproduced_verdict reproduced_judge(const struct tny_finding *finding)
{
  if (isnan(finding->least) && isnan(finding->most))
    return REPRODUCED_FREE;
  const bool is_in = !isnan(finding->value) && !(finding->value < finding->least) &&
                     !(finding->value > finding->most);
  return is_in ? REPRODUCED_IN : REPRODUCED_OUT;
}

const char *reproduced_verdict_word(enum reproduced_verdict verdict)
{
  static const char *const words[] = {
      [REPRODUCED_FREE] = "", [REPRODUCED_IN] = "in", [REPRODUCED_OUT] = "OUT"};
  return words[verdict];
}

size_t reproduced_count(const struct reproduced *reproduced, enum reproduced_verdict verdict)
{
  size_t count = 0;
  for (size_t i = 0; i < reproduced->findings.count; i++)
    count += reproduced_judge(&reproduced->findings.list[i]) == verdict;
  return count;
}

bool reproduced_is_point(const struct reproduced *reproduced, const struct tny_finding *finding)
{
  return reproduced->entry->chart.x_title && !isnan(finding->x);
}

bool reproduced_begins_series(const struct reproduced *reproduced, size_t index)
{
  const struct tny_finding *list = reproduced->findings.list;
  for (size_t i = 0; i < index; i++)
    if (reproduced_is_point(reproduced, &list[i]) && !strcmp(list[i].series, list[index].series))
      return false;
  return reproduced_is_point(reproduced, &list[index]);
}

/* About four digits, in up to NUMBER_CHARS; "" for what isn't a number. */
static void write_number(double number, char *text)
{
  const double size = fabs(number);
  int digits = size < 10 ? 3 : size < 1000 ? 2 : 1;
  text[0] = '\0';
  if (isnan(number))
    return;
  if (size < 1 && number != 0)
    snprintf(text, NUMBER_CHARS, "%.4g", number);
  else if (size < 1e12)
    snprintf(text, NUMBER_CHARS, "%.*f", number == floor(number) ? 0 : digits, number);
  else
    snprintf(text, NUMBER_CHARS, "%.4g", number);
}

static void write_range(double low, double high, const char *between, char cell[COLUMNS_CELL])
{
  char from[NUMBER_CHARS], to[NUMBER_CHARS];
  write_number(low, from);
  write_number(high, to);
  if (!isnan(low) && !isnan(high))
    snprintf(cell, COLUMNS_CELL, "%s%s%s", from, between, to);
}

static void write_limits(const struct tny_finding *finding, char cell[COLUMNS_CELL])
{
  char number[NUMBER_CHARS];
  if (isnan(finding->most) && !isnan(finding->least)) {
    write_number(finding->least, number);
    snprintf(cell, COLUMNS_CELL, "at least %s", number);
  } else if (isnan(finding->least) && !isnan(finding->most)) {
    write_number(finding->most, number);
    snprintf(cell, COLUMNS_CELL, "at most %s", number);
  } else {
    write_range(finding->least, finding->most, " to ", cell);
  }
}

enum { LABEL, SERIES, X, OURS, QUARTILES, PAPER, RATIO, LIMITS, VERDICT, FINDING_COLUMNS };

static void add_finding(const struct reproduced *reproduced, const struct tny_finding *finding,
                        struct columns *columns)
{
  char(*row)[COLUMNS_CELL] = columns_add(columns);
  if (!row)
    return;
  snprintf(row[LABEL], COLUMNS_CELL, "%s", finding->label);
  snprintf(row[SERIES], COLUMNS_CELL, "%s", finding->series);
  if (reproduced_is_point(reproduced, finding))
    write_number(finding->x, row[X]);
  write_number(finding->value, row[OURS]);
  if (isnan(finding->value))
    snprintf(row[OURS], COLUMNS_CELL, "none");
  write_range(finding->low, finding->high, " - ", row[QUARTILES]);
  write_number(finding->paper, row[PAPER]);
  if (!isnan(finding->paper) && finding->paper != 0 && !isnan(finding->value))
    snprintf(row[RATIO], COLUMNS_CELL, "%.3f", finding->value / finding->paper);
  write_limits(finding, row[LIMITS]);
  snprintf(row[VERDICT], COLUMNS_CELL, "%s", reproduced_verdict_word(reproduced_judge(finding)));
}

/* A point that has nothing to be compared with stands only in the second table. */
static bool is_bare(const struct reproduced *reproduced, const struct tny_finding *finding)
{
  return reproduced_is_point(reproduced, finding) && isnan(finding->paper) &&
         reproduced_judge(finding) == REPRODUCED_FREE;
}

static struct columns finding_columns(const struct reproduced *reproduced)
{
  const struct tny_reproduction *entry = reproduced->entry;
  struct columns columns = {.column_count = FINDING_COLUMNS, .left_count = X};
  char(*headings)[COLUMNS_CELL] = columns_add(&columns);
  if (!headings)
    return columns;
  snprintf(headings[X], COLUMNS_CELL, "%s", entry->chart.x_title ? entry->chart.x_title : "");
  snprintf(headings[OURS], COLUMNS_CELL, "ours");
  snprintf(headings[QUARTILES], COLUMNS_CELL, "quartiles");
  snprintf(headings[PAPER], COLUMNS_CELL, "paper");
  snprintf(headings[RATIO], COLUMNS_CELL, "ratio");
  snprintf(headings[LIMITS], COLUMNS_CELL, "limits");
  snprintf(headings[VERDICT], COLUMNS_CELL, "verdict");
  for (size_t i = 0; i < reproduced->findings.count; i++)
    if (!is_bare(reproduced, &reproduced->findings.list[i]))
      add_finding(reproduced, &reproduced->findings.list[i], &columns);
  return columns;
}

static uint32_t count_series(const struct reproduced *reproduced)
{
  uint32_t count = 0;
  for (size_t i = 0; i < reproduced->findings.count; i++)
    count += reproduced_begins_series(reproduced, i);
  return count;
}

/* The least x that is more than `x`, or INFINITY. */
static double next_x(const struct reproduced *reproduced, double x)
{
  double next = INFINITY;
  for (size_t i = 0; i < reproduced->findings.count; i++) {
    const struct tny_finding *finding = &reproduced->findings.list[i];
    if (reproduced_is_point(reproduced, finding) && finding->x > x)
      next = fmin(next, finding->x);
  }
  return next;
}

/* The value of a series at x, where it has one. */
static void write_point(const struct reproduced *reproduced, const char *series, double x,
                        char cell[COLUMNS_CELL])
{
  for (size_t i = 0; i < reproduced->findings.count; i++) {
    const struct tny_finding *finding = &reproduced->findings.list[i];
    if (reproduced_is_point(reproduced, finding) && finding->x == x &&
        !strcmp(finding->series, series))
      write_number(finding->value, cell);
  }
}

/* The row for x; the headings where that isn't a number. */
static void add_points(const struct reproduced *reproduced, double x, struct columns *columns)
{
  const struct tny_finding *list = reproduced->findings.list;
  char(*row)[COLUMNS_CELL] = columns_add(columns);
  uint32_t column = 1;
  if (!row)
    return;
  if (isnan(x))
    snprintf(row[0], COLUMNS_CELL, "%s", reproduced->entry->chart.x_title);
  else
    write_number(x, row[0]);
  for (size_t i = 0; i < reproduced->findings.count; i++) {
    if (!reproduced_begins_series(reproduced, i))
      continue;
    if (isnan(x))
      snprintf(row[column++], COLUMNS_CELL, "%s", list[i].series);
    else
      write_point(reproduced, list[i].series, x, row[column++]);
  }
}

/* All points of the chart, a column for each series; nothing where the first table has them all. */
static struct columns point_columns(const struct reproduced *reproduced)
{
  struct columns columns = {.column_count = 1 + count_series(reproduced)};
  bool is_needed = false;
  for (size_t i = 0; i < reproduced->findings.count; i++)
    is_needed |= is_bare(reproduced, &reproduced->findings.list[i]);
  if (!is_needed)
    return columns;
  add_points(reproduced, NAN, &columns);
  for (double x = next_x(reproduced, -INFINITY); x < INFINITY; x = next_x(reproduced, x))
    add_points(reproduced, x, &columns);
  return columns;
}

/* Lines of words, each up to NOTE_WIDTH characters behind an indent of two. */
static void add_note(const char *note, struct tny_text *text)
{
  size_t at = 0;
  while (*note) {
    const size_t length = strcspn(note, " ");
    if (at > 0 && at + 1 + length > NOTE_WIDTH) {
      tny_text_add(text, "\n");
      at = 0;
    }
    tny_text_add(text, "%s%.*s", at > 0 ? " " : "  ", (int)length, note);
    at += length + (at > 0);
    note += length;
    note += strspn(note, " ");
  }
  tny_text_add(text, "\n");
}

void reproduced_write_text(const struct reproduced *reproduced, struct tny_text *text)
{
  const struct tny_reproduction *entry = reproduced->entry;
  struct columns found = finding_columns(reproduced), points = point_columns(reproduced);
  tny_text_add(text, "%s/%s: %s (%s)\n\n", entry->paper, entry->name, entry->title, entry->unit);
  if (found.row_count > 1 || found.failed)
    columns_write_text(&found, text);
  if (found.row_count > 1 && points.row_count > 0)
    tny_text_add(text, "\n");
  if (points.row_count > 0 || points.failed) {
    tny_text_add(text, "  %s:\n", entry->chart.y_title);
    columns_write_text(&points, text);
  }
  tny_text_add(text, "\n");
  add_note(entry->note, text);
  columns_release(&found);
  columns_release(&points);
}

void reproduced_write_markdown(const struct reproduced *reproduced, const char *picture,
                               struct tny_text *text)
{
  const struct tny_reproduction *entry = reproduced->entry;
  struct columns found = finding_columns(reproduced), points = point_columns(reproduced);
  tny_text_add(text, "### %s/%s: %s (%s)\n\n    tourney reproduce %s/%s\n\n%s\n\n", entry->paper,
               entry->name, entry->title, entry->unit, entry->paper, entry->name, entry->note);
  if (picture)
    tny_text_add(text, "![%s](%s)\n\n", entry->title, picture);
  if (found.row_count > 1 || found.failed)
    columns_write_markdown(&found, text);
  if (found.row_count > 1 && points.row_count > 0)
    tny_text_add(text, "\n");
  if (points.row_count > 0 || points.failed) {
    tny_text_add(text, "%s:\n\n", entry->chart.y_title);
    columns_write_markdown(&points, text);
  }
  tny_text_add(text, "\n");
  columns_release(&found);
  columns_release(&points);
}
