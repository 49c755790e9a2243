/* Counts what was called and says so when asked. The only file of the runtime that prints. */
#include "mpi/explain.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>

#include "core/alloc.h"
#include "mpi/guard/clock.h"
#include "mpi/record/record.h"

enum { COLUMNS_LEAST = 20 }; /* of names */

struct row {
  const char *collective, *algorithm, *why;
  uint64_t calls, bytes;
};

static struct {
  pthread_mutex_t lock;
  bool is_open;
  struct row *list;
  size_t count, room;
  uint64_t left_out; /* calls for whose row there was no memory */
} rows = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct {
  struct tny_decision *list;
  size_t count, room;
  double trials_ns, start_ns;
} decisions;

static char planned_for[1024]; /* "": not known */

void tny_explain_open(void)
{
  decisions.start_ns = tny_clock_ns();
  rows.is_open = true;
}

bool tny_explain_is_open(void)
{
  return rows.is_open;
}

void tny_explain_cluster(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  if (rows.is_open)
    vsnprintf(planned_for, sizeof planned_for, format, arguments);
  va_end(arguments);
}

static bool same(const char *a, const char *b)
{
  return a == b || (a && b && strcmp(a, b) == 0);
}

/* The row of these texts, made where there is none yet; NULL: no memory. */
static struct row *find_row(const char *collective, const char *algorithm, const char *why)
{
  for (size_t i = 0; i < rows.count; i++) {
    struct row *row = &rows.list[i];
    if (same(row->collective, collective) && same(row->algorithm, algorithm) && same(row->why, why))
      return row;
  }
  if (rows.count == rows.room) {
    struct row *grown = tny_resize(rows.list, 2 * rows.room + 16, sizeof *grown);
    if (!grown)
      return NULL;
    rows.list = grown;
    rows.room = 2 * rows.room + 16;
  }
  rows.list[rows.count] =
      (struct row){.collective = collective, .algorithm = algorithm, .why = why};
  return &rows.list[rows.count++];
}

void tny_explain_count(const char *collective, uint64_t bytes, const char *algorithm,
                       const char *why)
{
  if (tny_record_is_open)
    tny_record_count(collective, bytes, algorithm, why);
  if (!rows.is_open)
    return;
  pthread_mutex_lock(&rows.lock);
  struct row *row = find_row(collective, algorithm, why);
  if (row) {
    row->calls++;
    row->bytes += bytes;
  }
  rows.left_out += !row;
  pthread_mutex_unlock(&rows.lock);
}

/* --- decisions --- */

/* The place of a decision, made where there is none yet; NULL: no memory. */
static struct tny_decision *find_decision(const struct tny_decision *wanted)
{
  for (size_t i = 0; i < decisions.count; i++) {
    struct tny_decision *decision = &decisions.list[i];
    if (same(decision->collective, wanted->collective) && decision->is_own == wanted->is_own &&
        decision->class_bytes == wanted->class_bytes && decision->rank_count == wanted->rank_count)
      return decision;
  }
  if (decisions.count == decisions.room) {
    struct tny_decision *grown = tny_resize(decisions.list, 2 * decisions.room + 8, sizeof *grown);
    if (!grown)
      return NULL;
    decisions.list = grown;
    decisions.room = 2 * decisions.room + 8;
  }
  return &decisions.list[decisions.count++];
}

void tny_explain_decision(const struct tny_decision *decision)
{
  if (tny_record_is_open)
    tny_record_decision(decision);
  if (!rows.is_open)
    return;
  pthread_mutex_lock(&rows.lock);
  struct tny_decision *place = find_decision(decision);
  if (place)
    *place = *decision;
  pthread_mutex_unlock(&rows.lock);
}

void tny_explain_trial(double ns)
{
  if (tny_record_is_open)
    tny_record_trial(ns);
  if (!rows.is_open)
    return;
  pthread_mutex_lock(&rows.lock);
  decisions.trials_ns += ns;
  pthread_mutex_unlock(&rows.lock);
}

static void print_time(FILE *out, const char *name, double ns)
{
  if (ns < 0)
    fprintf(out, ", %s not tried yet", name);
  else if (!isfinite(ns))
    fprintf(out, ", %s can't run", name);
  else if (ns < 1e6)
    fprintf(out, "%s %.3g us", name, ns / 1e3);
  else if (ns < 1e9)
    fprintf(out, "%s %.3g ms", name, ns / 1e6);
  else
    fprintf(out, "%s %.3g s", name, ns / 1e9);
}

static const char *own_of(const struct tny_decision *decision)
{
  return decision->is_own ? " (own op)" : "";
}

/* Of the column of names. */
static int decision_columns(void)
{
  size_t columns = COLUMNS_LEAST;
  for (size_t i = 0; i < decisions.count; i++) {
    const struct tny_decision *decision = &decisions.list[i];
    const size_t length = strlen(decision->collective) + strlen(own_of(decision));
    if (length > columns)
      columns = length;
  }
  return (int)columns;
}

static void print_decision(FILE *out, const struct tny_decision *decision, int columns)
{
  const int rest = columns - (int)strlen(decision->collective);
  fprintf(out, "  %s%-*s %10llu %5u %6u  %-24s ", decision->collective, rest, own_of(decision),
          (unsigned long long)decision->class_bytes, (unsigned)decision->rank_count,
          (unsigned)decision->trials, decision->served[0] ? decision->served : "native");
  print_time(out, "native", decision->native_ns);
  for (size_t i = 0; i < sizeof decision->tried / sizeof *decision->tried; i++) {
    const double ns = decision->tried[i].ns;
    if (!decision->tried[i].name[0])
      continue;
    if (ns >= 0 && isfinite(ns))
      fprintf(out, ", ");
    print_time(out, decision->tried[i].name, ns);
  }
  fprintf(out, "\n");
}

static void print_decisions(FILE *out)
{
  const double all_ns = tny_clock_ns() - decisions.start_ns;
  const int columns = decision_columns();
  if (decisions.count > 0)
    fprintf(out,
            "tourney: decisions (blocks of so many bytes up to twice as many; times of a call)\n"
            "  %-*s %10s %5s %6s  %-24s %s\n",
            columns, "collective", "bytes", "ranks", "trials", "served by", "times seen");
  for (size_t i = 0; i < decisions.count; i++)
    print_decision(out, &decisions.list[i], columns);
  if (decisions.trials_ns > 0)
    fprintf(out, "  trials took %.1f %% of the time since MPI_Init\n",
            100 * decisions.trials_ns / all_ns);
}

/* --- the table --- */

/* Of the column of names. */
static int name_columns(void)
{
  size_t columns = COLUMNS_LEAST;
  for (size_t i = 0; i < rows.count; i++)
    if (strlen(rows.list[i].collective) > columns)
      columns = strlen(rows.list[i].collective);
  return (int)columns;
}

static void print_row(FILE *out, const struct row *row, int columns)
{
  fprintf(out, "  %-*s %10llu %16llu  %-24s %s\n", columns, row->collective,
          (unsigned long long)row->calls, (unsigned long long)row->bytes,
          row->algorithm ? row->algorithm : "native", row->why);
}

static void print_rows(FILE *out)
{
  const int columns = name_columns();
  if (planned_for[0])
    fprintf(out, "tourney: %s\n", planned_for);
  fprintf(out,
          "tourney: collective calls of rank 0 (bytes: blocks, added up)\n"
          "  %-*s %10s %16s  %-24s %s\n",
          columns, "collective", "calls", "bytes", "served by", "why");
  for (size_t i = 0; i < rows.count; i++)
    print_row(out, &rows.list[i], columns);
  if (rows.count == 0)
    fprintf(out, "  none\n");
  if (rows.left_out > 0)
    fprintf(out, "  and %llu calls for which there was no memory here\n",
            (unsigned long long)rows.left_out);
}

/* Both tables in one write, as what the ranks print meanwhile would stand in the middle of a line;
   without memory for it as they come. */
static void print_tables(void)
{
  char *text = NULL;
  size_t length = 0;
  FILE *memory = open_memstream(&text, &length);
  print_rows(memory ? memory : stderr);
  print_decisions(memory ? memory : stderr);
  if (memory && fclose(memory) == 0)
    fwrite(text, 1, length, stderr);
  free(text);
}

void tny_explain_close(void)
{
  if (!rows.is_open)
    return;
  print_tables();
  tny_free(decisions.list);
  memset(&decisions, 0, sizeof decisions);
  tny_free(rows.list);
  rows.list = NULL;
  rows.count = rows.room = 0;
  rows.left_out = 0;
  planned_for[0] = '\0';
  rows.is_open = false;
}

void tny_explain_warn(const char *format, ...)
{
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fprintf(stderr, "tourney: warning: %s\n", text);
}
