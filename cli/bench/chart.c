/* The chart of a bench: a group of bars for each row. */
#include "chart.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/shared/drawing/gnuplot.h"
#include "core/units.h"

enum { CHART_WIDTH_MIN = 640, ROW_WIDTH = 90 };

/* Three columns: the share of the bound in percent, and what it is at the upper and the lower
   quartile of the time. */
static void add_share(const struct bench_row *row, const struct bench_quartiles *seconds,
                      struct tny_text *text)
{
  if (seconds->median > 0)
    tny_text_add(text, " %.6g %.6g %.6g", 1e2 * row->bound_seconds / seconds->median,
                 1e2 * row->bound_seconds / seconds->q3, 1e2 * row->bound_seconds / seconds->q1);
  else
    tny_text_add(text, " NaN NaN NaN");
}

/* The rows as a data block: a label, then the columns of native, planned and the best peer. Returns
   whether there is one. */
static bool add_data(struct bench_result *result, struct tny_text *text)
{
  static const struct bench_quartiles none;
  bool has_peer = false;
  tny_text_add(text, "$rows << END\n");
  for (uint32_t i = 0; i < result->rows_done; i++) {
    struct bench_row *row = &result->rows[i];
    const struct bench_figures figures = bench_row_figures(row);
    tny_text_add(text, "\"%s\\n%s\"", bench_row_name(row), tny_bytes_format(row->bytes).text);
    add_share(row, &figures.seconds[BENCH_NATIVE], text);
    add_share(row, &figures.seconds[BENCH_PLANNED], text);
    add_share(row, figures.best_peer ? &figures.seconds[figures.best_peer] : &none, text);
    tny_text_add(text, "\n");
    has_peer |= figures.best_peer != 0;
  }
  tny_text_add(text, "END\n");
  return has_peer;
}

enum tny_status bench_chart_draw(struct bench_result *result, const char *path,
                                 struct tny_error *error)
{
  struct tny_text text = {0};
  char title[512];
  const bool has_peer = add_data(result, &text);
  const uint32_t width = 200 + ROW_WIDTH * result->rows_done;
  tny_text_add(&text,
               "set terminal svg size %" PRIu32 ",480 dynamic font 'sans-serif,14' background "
               "'white'\nset datafile missing NaN\n",
               width < CHART_WIDTH_MIN ? CHART_WIDTH_MIN : width);
  snprintf(title, sizeof title, "%s, %" PRIu32 " ranks, map %s", result->cluster,
           result->rank_count, result->map);
  gnuplot_add_title("title", title, &text);
  gnuplot_add_title("ylabel", "share of the bound, %", &text);
  tny_text_add(&text, "set yrange [0:*]\nset grid ytics linecolor '#dddddd' linetype 1\n"
                      "set style data histograms\nset style histogram errorbars gap 1\n"
                      "set style fill solid 0.8 border -1\nset key below noenhanced\n"
                      "plot $rows using 2:3:4:xtic(1) title 'native', "
                      "$rows using 5:6:7 title 'planned'");
  tny_text_add(&text, "%s\n", has_peer ? ", $rows using 8:9:10 title 'best peer'" : "");
  return gnuplot_draw(&text, path, error);
}
