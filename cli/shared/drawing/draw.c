/* Draws by Graphviz's dot. */
#include "draw.h"

#include <stdio.h>
#include <string.h>

#include "cli/shared/whole_file.h"
#include "core/error.h"
#include "program.h"

enum tny_status draw_as(const char *graph, const char *kind, const char *path,
                        struct tny_error *error)
{
  char kind_argument[16], path_argument[PATH_MAX], failed[256];
  snprintf(kind_argument, sizeof kind_argument, "-T%s", kind);
  snprintf(failed, sizeof failed, "dot couldn't draw %.200s", path);
  const int length = snprintf(path_argument, sizeof path_argument, "-o%s", path);
  if (length < 0 || (size_t)length >= sizeof path_argument)
    return tny_error_set(error, TNY_BAD_INPUT, "the name of the file to draw is too long");
  const struct program dot = {
      .arguments = (char *const[]){"dot", kind_argument, path_argument, NULL},
      .input = graph,
      .output = -1,
      .missing = "drawing needs Graphviz's dot, which isn't here: install the package graphviz, or "
                 "write FILE.dot and draw it elsewhere",
      .failed = failed};
  return program_run(&dot, error);
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
