/* Charts by gnuplot, which reads the script with its data from its standard input, so that no file
   but the drawing is made. */
#include "gnuplot.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/shared/signals.h"
#include "cli/shared/whole_file.h"
#include "core/error.h"
#include "program.h"

void gnuplot_add_quoted(const char *words, struct tny_text *text)
{
  tny_text_add(text, "'");
  for (; *words; words++)
    tny_text_add(text, *words == '\'' ? "''" : "%c", *words);
  tny_text_add(text, "'");
}

void gnuplot_add_title(const char *command, const char *words, struct tny_text *text)
{
  tny_text_add(text, "set %s ", command);
  gnuplot_add_quoted(words, text);
  tny_text_add(text, " noenhanced\n");
}

/* Runs gnuplot with this script, its standard output into a file. */
static enum tny_status run_gnuplot(char *argument, const char *script, int output,
                                   struct tny_error *error)
{
  const struct program gnuplot = {
      .arguments = (char *const[]){"gnuplot", argument, NULL},
      .input = script,
      .output = output,
      .missing = "charts need gnuplot, which isn't here: install the package gnuplot-nox, or "
                 "leave the option that asks for one away",
      .failed = "gnuplot failed; what it said is above"};
  return program_run(&gnuplot, error);
}

enum tny_status gnuplot_check(struct tny_error *error)
{
  FILE *nowhere = fopen("/dev/null", "we");
  if (!nowhere)
    return tny_error_set(error, TNY_SYSTEM, "can't open /dev/null: %s", strerror(errno));
  const enum tny_status status = run_gnuplot("--version", "", fileno(nowhere), error);
  fclose(nowhere);
  return status;
}

static enum tny_status draw(const char *script, const char *path, struct tny_error *error)
{
  struct whole_file file;
  enum tny_status status = whole_file_open(&file, path, error);
  if (status != TNY_OK)
    return status;
  status = run_gnuplot("-", script, fileno(file.stream), error);
  if (status == TNY_OK)
    return whole_file_finish(&file, "", error);
  whole_file_abandon(&file);
  return status;
}

enum tny_status gnuplot_draw(struct tny_text *text, const char *path, struct tny_error *error)
{
  struct signals_blocked blocked;
  char *script;
  enum tny_status status = tny_text_take(text, &script, error);
  if (status != TNY_OK)
    return status;
  signals_block(&blocked);
  status = draw(script, path, error);
  signals_release(&blocked);
  tny_text_free(script);
  return status;
}
