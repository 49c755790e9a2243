/* The line of progress. */
#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

struct progress progress_begin(void)
{
  return (struct progress){.terminal = isatty(STDERR_FILENO)};
}

void progress_show(struct progress *progress, const char *format, ...)
{
  va_list arguments;
  if (!progress || !progress->terminal)
    return;
  fputc('\r', stderr);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputs("\033[K", stderr);
  fflush(stderr);
  progress->shown = true;
}

void progress_clear(struct progress *progress)
{
  if (progress->shown)
    fputs("\r\033[K", stderr);
  progress->shown = false;
}
