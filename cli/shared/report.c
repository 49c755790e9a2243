/* Results, errors and exit codes. */
#include "report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

static int write_failed(void)
{
  if (errno != EPIPE)
    fprintf(stderr, "tourney: can't write to standard output: %s\n", strerror(errno));
  return CLI_UNABLE;
}

int cli_print(const char *text)
{
  if (fputs(text, stdout) == EOF || fflush(stdout) == EOF)
    return write_failed();
  return CLI_OK;
}

int cli_fail(const struct tny_error *error)
{
  fputs("tourney: ", stderr);
  if (error->file[0])
    fprintf(stderr, "%s:", error->file);
  if (error->line)
    fprintf(stderr, "%u:", error->line);
  if (error->column)
    fprintf(stderr, "%u:", error->column);
  fprintf(stderr, "%s%s\n", error->file[0] || error->line ? " " : "", error->text);
  if (error->status == TNY_INTERRUPTED)
    return CLI_INTERRUPTED;
  if (error->status == TNY_BROKEN)
    return CLI_FAILED;
  if (error->status == TNY_SYSTEM || error->status == TNY_NO_MEMORY)
    return CLI_UNABLE;
  return CLI_USAGE;
}

int cli_finish(enum tny_status status, char *text, const struct tny_error *error)
{
  const int code = status == TNY_OK ? cli_print(text) : cli_fail(error);
  tny_text_free(text);
  return code;
}

int cli_usage_error(const char *subcommand, const char *format, ...)
{
  va_list arguments;
  const char *space = subcommand ? " " : "";
  const char *name = subcommand ? subcommand : "";
  fprintf(stderr, "tourney%s%s: ", space, name);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "\nTry 'tourney%s%s --help'.\n", space, name);
  return CLI_USAGE;
}
