/* Counts what was called and says so when asked. The only file of the runtime that prints. */
#include "mpi/explain.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"

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

void tny_explain_open(void)
{
  rows.is_open = true;
}

bool tny_explain_is_open(void)
{
  return rows.is_open;
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

static void print_row(const struct row *row)
{
  fprintf(stderr, "  %-20s %10llu %16llu  %-24s %s\n", row->collective,
          (unsigned long long)row->calls, (unsigned long long)row->bytes,
          row->algorithm ? row->algorithm : "native", row->why);
}

void tny_explain_close(void)
{
  if (!rows.is_open)
    return;
  fprintf(stderr,
          "tourney: collective calls of rank 0 (bytes: blocks, added up)\n"
          "  %-20s %10s %16s  %-24s %s\n",
          "collective", "calls", "bytes", "served by", "why");
  for (size_t i = 0; i < rows.count; i++)
    print_row(&rows.list[i]);
  if (rows.count == 0)
    fprintf(stderr, "  none\n");
  if (rows.left_out > 0)
    fprintf(stderr, "  and %llu calls for which there was no memory here\n",
            (unsigned long long)rows.left_out);
  tny_free(rows.list);
  rows.list = NULL;
  rows.count = rows.room = 0;
  rows.left_out = 0;
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
