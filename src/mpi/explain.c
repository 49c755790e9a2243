/* Counts what was called and says so when asked. The only file of the runtime that prints. */
#include "mpi/runtime.h"

#include <pthread.h>
#include <stdarg.h>

enum { ROWS_MAX = 64 };

static struct row {
  const char *collective, *algorithm, *why;
  uint64_t calls, bytes;
} rows[ROWS_MAX];
static uint32_t row_count;
static pthread_mutex_t rows_lock = PTHREAD_MUTEX_INITIALIZER;

static bool same(const char *a, const char *b)
{
  return a == b || (a && b && strcmp(a, b) == 0);
}

void tny_count_call(const char *collective, uint64_t bytes, const char *algorithm, const char *why)
{
  const struct tny_world *world = tny_world_get();
  if (!world || !world->explain)
    return;
  pthread_mutex_lock(&rows_lock);
  uint32_t i = 0;
  while (i < row_count && !(same(rows[i].collective, collective) &&
                            same(rows[i].algorithm, algorithm) && same(rows[i].why, why)))
    i++;
  if (i == row_count && row_count < ROWS_MAX)
    rows[row_count++] = (struct row){.collective = collective, .algorithm = algorithm, .why = why};
  if (i < row_count) {
    rows[i].calls++;
    rows[i].bytes += bytes;
  }
  pthread_mutex_unlock(&rows_lock);
}

void tny_explain_print(void)
{
  fprintf(stderr,
          "tourney: collective calls of rank 0 (bytes: blocks, added up)\n"
          "  %-20s %10s %16s  %-24s %s\n",
          "collective", "calls", "bytes", "served by", "why");
  for (uint32_t i = 0; i < row_count; i++)
    fprintf(stderr, "  %-20s %10llu %16llu  %-24s %s\n", rows[i].collective,
            (unsigned long long)rows[i].calls, (unsigned long long)rows[i].bytes,
            rows[i].algorithm ? rows[i].algorithm : "native", rows[i].why);
  if (row_count == 0)
    fprintf(stderr, "  none\n");
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
