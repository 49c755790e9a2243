/* Draws by Graphviz's dot. */
#include "draw.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "program.h"
#include "whole_file.h"

/* Runs dot with `input` as its standard input. */
static enum tny_status run_dot(FILE *input, char *kind_argument, char *path_argument,
                               struct tny_error *error)
{
  const struct program dot = {
      .arguments = (char *const[]){"dot", kind_argument, path_argument, NULL},
      .input = fileno(input),
      .output = -1,
      .missing = "drawing needs Graphviz's dot, which isn't here: install the package graphviz, or "
                 "write FILE.dot and draw it elsewhere",
      .drawn = path_argument + 2};
  return program_run(&dot, error);
}

enum tny_status draw_as(const char *graph, const char *kind, const char *path,
                        struct tny_error *error)
{
  char kind_argument[16], path_argument[PATH_MAX];
  snprintf(kind_argument, sizeof kind_argument, "-T%s", kind);
  const int length = snprintf(path_argument, sizeof path_argument, "-o%s", path);
  if (length < 0 || (size_t)length >= sizeof path_argument)
    return tny_error_set(error, TNY_BAD_INPUT, "the name of the file to draw is too long");
  FILE *input = tmpfile();
  enum tny_status status = TNY_OK;
  if (!input || fputs(graph, input) == EOF || fflush(input) == EOF || fseek(input, 0, SEEK_SET))
    status = tny_error_set(error, TNY_SYSTEM, "can't write a temporary file: %s", strerror(errno));
  if (status == TNY_OK)
    status = run_dot(input, kind_argument, path_argument, error);
  if (input)
    fclose(input);
  return status;
}

/* What comes behind the last dot, or "". */
static const char *ending_of(const char *path)
{
  const char *dot = strrchr(path, '.');
  return dot && !strchr(dot, '/') ? dot + 1 : "";
}

enum tny_status draw_check_name(const char *path, struct tny_error *error)
{
  const char *ending = ending_of(path);
  if (!strcmp(ending, "svg") || !strcmp(ending, "png") || !strcmp(ending, "dot"))
    return TNY_OK;
  return tny_error_set(error, TNY_BAD_INPUT,
                       "a picture is written to FILE.svg, FILE.png or FILE.dot, not '%.200s'",
                       path);
}

enum tny_status draw_to_file(const char *graph, const char *path, struct tny_error *error)
{
  const enum tny_status status = draw_check_name(path, error);
  if (status != TNY_OK)
    return status;
  if (strcmp(ending_of(path), "dot"))
    return draw_as(graph, ending_of(path), path, error);
  return whole_file_write(path, graph, error);
}
