/* Fills in a struct tny_error, where the first error is kept. */
#include "core/error.h"

#include <stdarg.h>

static void record(struct tny_error *error, enum tny_status status, const char *file, unsigned line,
                   unsigned column, const char *format, va_list arguments)
{
  if (!error || error->status != TNY_OK)
    return;
  error->status = status;
  error->line = line;
  error->column = column;
  snprintf(error->file, sizeof error->file, "%s", file ? file : "");
  vsnprintf(error->text, sizeof error->text, format, arguments);
}

enum tny_status tny_error_set(struct tny_error *error, enum tny_status status, const char *format,
                              ...)
{
  va_list arguments;
  va_start(arguments, format);
  record(error, status, NULL, 0, 0, format, arguments);
  va_end(arguments);
  return status;
}

enum tny_status tny_error_at(struct tny_error *error, enum tny_status status, const char *file,
                             unsigned line, unsigned column, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  record(error, status, file, line, column, format, arguments);
  va_end(arguments);
  return status;
}

enum tny_status tny_error_memory(struct tny_error *error)
{
  return tny_error_set(error, TNY_NO_MEMORY, "out of memory");
}
