/* The charts of `tourney reproduce`, drawn by gnuplot: ours as lines with points, with bars from
   quartile to quartile where there are quartiles; the paper's numbers as points of their own.
   gnuplot reads the script and the points from its standard input, so that no file but the drawing
   is made. */
#include "reproduced.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "cli/shared/program.h"
#include "cli/shared/signals.h"
#include "cli/shared/whole_file.h"
#include "core/error.h"

enum { PLOT_HEIGHT = 480, KEY_LINE = 22 }; /* of a drawing 900 wide; the key is below */

/* A text in a gnuplot script: in single quotes nothing has a meaning but these themselves. */
static void add_quoted(const char *words, struct tny_text *text)
{
  tny_text_add(text, "'");
  for (; *words; words++)
    tny_text_add(text, *words == '\'' ? "''" : "%c", *words);
  tny_text_add(text, "'");
}

static void add_title(const char *command, const char *words, struct tny_text *text)
{
  tny_text_add(text, "set %s ", command);
  add_quoted(words, text);
  tny_text_add(text, " noenhanced\n");
}

/* Which columns the points of a series fill. */
struct filled {
  bool has_paper, has_spread;
};

static struct filled filled_of(const struct reproduced *reproduced, const char *series)
{
  struct filled filled = {false, false};
  for (size_t i = 0; i < reproduced->findings.count; i++) {
    const struct tny_finding *finding = &reproduced->findings.list[i];
    if (!reproduced_is_point(reproduced, finding) || strcmp(finding->series, series) != 0)
      continue;
    filled.has_paper |= !isnan(finding->paper);
    filled.has_spread |= !isnan(finding->low) && !isnan(finding->high);
  }
  return filled;
}

static void add_number(double number, struct tny_text *text)
{
  if (isnan(number))
    tny_text_add(text, " NaN");
  else
    tny_text_add(text, " %.9g", number);
}

/* gnuplot takes what two empty lines part for data sets of their own, by their index. */
static void add_series_data(const struct reproduced *reproduced, const char *series,
                            struct tny_text *text)
{
  tny_text_add(text, "# %s\n", series);
  for (size_t i = 0; i < reproduced->findings.count; i++) {
    const struct tny_finding *finding = &reproduced->findings.list[i];
    if (!reproduced_is_point(reproduced, finding) || strcmp(finding->series, series) != 0)
      continue;
    const double row[] = {finding->x, finding->value, finding->low, finding->high, finding->paper};
    for (size_t column = 0; column < sizeof row / sizeof *row; column++)
      add_number(row[column], text);
    tny_text_add(text, "\n");
  }
  tny_text_add(text, "\n\n");
}

/* The points as a data block of the script. Columns: x, ours, its quartiles, the paper's. */
static void add_data(const struct reproduced *reproduced, struct tny_text *text)
{
  tny_text_add(text, "$data << END\n");
  for (size_t i = 0; i < reproduced->findings.count; i++)
    if (reproduced_begins_series(reproduced, i))
      add_series_data(reproduced, reproduced->findings.list[i].series, text);
  tny_text_add(text, "END\n");
}

/* The curves of the `number`-th series: colours and shapes by number, the paper's hollow. */
static void add_curves(const struct reproduced *reproduced, const char *series, unsigned number,
                       struct tny_text *text)
{
  const struct filled filled = filled_of(reproduced, series);
  const unsigned colour = number + 1, hollow = 4 + 2 * (number % 5), full = hollow + 1;
  const char *next = number > 0 ? ", \\\n     " : "";
  tny_text_add(text, "%s$data index %u using 1:2 with linespoints linecolor %u pointtype %u title ",
               next, number, colour, full);
  add_quoted(series, text);
  if (filled.has_spread)
    tny_text_add(text,
                 ", \\\n     $data index %u using 1:2:3:4 with yerrorbars linecolor %u "
                 "pointtype %u notitle",
                 number, colour, full);
  if (!filled.has_paper)
    return;
  char title[96];
  snprintf(title, sizeof title, "%s, paper", series);
  tny_text_add(text,
               ", \\\n     $data index %u using 1:5 with points linecolor %u pointtype %u "
               "pointsize 1.6 title ",
               number, colour, hollow);
  add_quoted(title, text);
}

static unsigned count_curves(const struct reproduced *reproduced)
{
  unsigned count = 0;
  for (size_t i = 0; i < reproduced->findings.count; i++)
    if (reproduced_begins_series(reproduced, i))
      count += 1 + filled_of(reproduced, reproduced->findings.list[i].series).has_paper;
  return count;
}

/* The script that draws the chart on standard output. */
static void write_script(const struct reproduced *reproduced, struct tny_text *text)
{
  const struct tny_reproduction *entry = reproduced->entry;
  const struct tny_chart *chart = &entry->chart;
  unsigned number = 0;
  add_data(reproduced, text);
  tny_text_add(text,
               "set terminal svg size 900,%u dynamic font 'sans-serif,14' background 'white'\n"
               "set datafile missing NaN\n",
               PLOT_HEIGHT + KEY_LINE * count_curves(reproduced));
  add_title("title", entry->title, text);
  add_title("xlabel", chart->x_title, text);
  add_title("ylabel", chart->y_title, text);
  tny_text_add(text, "set autoscale xfix\n%s", chart->x_is_log ? "set logscale x 2\n" : "");
  if (chart->y_is_log)
    tny_text_add(text, "set logscale y\nset autoscale yfix\n");
  else
    tny_text_add(text, "set yrange [%g:*]\n", chart->y_from);
  tny_text_add(text, "set offsets graph 0.02, graph 0.02, graph 0.02, %s\n",
               chart->y_is_log ? "graph 0.02" : "0");
  tny_text_add(text, "set grid linecolor '#dddddd' linetype 1\n"
                     "set linetype 5 linecolor '#8c564b'\n"
                     "set xlabel offset 0,0.5\n"
                     "set key below title ' ' noenhanced\n"
                     "plot ");
  for (size_t i = 0; i < reproduced->findings.count; i++)
    if (reproduced_begins_series(reproduced, i))
      add_curves(reproduced, reproduced->findings.list[i].series, number++, text);
  tny_text_add(text, "\n");
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
                 "leave --output away",
      .failed = "gnuplot failed; what it said is above"};
  return program_run(&gnuplot, error);
}

enum tny_status reproduced_check_gnuplot(struct tny_error *error)
{
  FILE *nowhere = fopen("/dev/null", "we");
  if (!nowhere)
    return tny_error_set(error, TNY_SYSTEM, "can't open /dev/null: %s", strerror(errno));
  const enum tny_status status = run_gnuplot("--version", "", fileno(nowhere), error);
  fclose(nowhere);
  return status;
}

enum tny_status reproduced_draw(const struct reproduced *reproduced, const char *path,
                                struct tny_error *error)
{
  struct whole_file file;
  struct signals_blocked blocked;
  struct tny_text text = {0};
  char *script;
  write_script(reproduced, &text);
  enum tny_status status = tny_text_take(&text, &script, error);
  if (status != TNY_OK)
    return status;
  signals_block(&blocked);
  status = whole_file_open(&file, path, error);
  if (status == TNY_OK) {
    status = run_gnuplot("-", script, fileno(file.stream), error);
    if (status == TNY_OK)
      status = whole_file_finish(&file, "", error);
    else
      whole_file_abandon(&file);
  }
  signals_release(&blocked);
  tny_text_free(script);
  return status;
}
