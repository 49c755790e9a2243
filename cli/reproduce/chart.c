/* The charts of `tourney reproduce`, drawn by gnuplot: ours as lines with points, with bars from
   quartile to quartile where there are quartiles; the paper's numbers as points of their own. */
#include "reproduced.h"

#include <math.h>
#include <string.h>

#include "cli/shared/drawing/gnuplot.h"

enum { PLOT_HEIGHT = 480, KEY_LINE = 22 }; /* of a drawing 900 wide; the key is below */

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
  gnuplot_add_quoted(series, text);
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
  gnuplot_add_quoted(title, text);
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
  gnuplot_add_title("title", entry->title, text);
  gnuplot_add_title("xlabel", chart->x_title, text);
  gnuplot_add_title("ylabel", chart->y_title, text);
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

enum tny_status reproduced_draw(const struct reproduced *reproduced, const char *path,
                                struct tny_error *error)
{
  struct tny_text text = {0};
  write_script(reproduced, &text);
  return gnuplot_draw(&text, path, error);
}
