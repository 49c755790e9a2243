/* Charts as SVG. A series is told by colour, shape and place, and every mark has its numbers as a
   title. Units: pixels. */
#include "chart.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/units.h"
#include "html.h"

enum {
  LEFT = 64,
  TOP = 12,
  HEIGHT = 240,
  BOTTOM = 44,
  COLUMN = 92, /* of a size, at least */
  PLOT = 280,  /* of all, at least */
  ASIDE = 20,  /* between the series of a size */
};

/* What took less has no place on a logarithmic scale. */
#define MS_LEAST 1e-9

enum series { NATIVE, PLANNED, PEER, SERIES_COUNT };
static const char *const series_names[SERIES_COUNT] = {"native", "planned", "peer"};

struct chart {
  struct tny_text *html;
  const struct measured_line *lines;
  size_t count;
  uint32_t sizes;
  double low, high; /* of the scale: logarithms of ms, to base 10 */
};

static enum series series_of(const struct measured_line *line)
{
  return strcmp(line->variant, "native") == 0    ? NATIVE
         : strcmp(line->variant, "planned") == 0 ? PLANNED
                                                 : PEER;
}

/* Is it drawn? Of the peers of a size only the one of the least median is. */
static bool is_drawn(const struct chart *chart, size_t index)
{
  const struct measured_line *line = &chart->lines[index];
  if (line->median_ms < MS_LEAST)
    return false;
  if (series_of(line) != PEER)
    return true;
  for (size_t i = 0; i < chart->count; i++) {
    const struct measured_line *other = &chart->lines[i];
    if (i != index && other->bytes == line->bytes && series_of(other) == PEER &&
        other->median_ms >= MS_LEAST &&
        (other->median_ms < line->median_ms || (i < index && other->median_ms <= line->median_ms)))
      return false;
  }
  return true;
}

/* Quartiles may be 0 where a median isn't. */
static double quartile(double ms, const struct measured_line *line)
{
  return ms > line->median_ms / 1000 ? ms : line->median_ms / 1000;
}

static void find_scale(struct chart *chart)
{
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < chart->count; i++) {
    const struct measured_line *line = &chart->lines[i];
    chart->sizes += i == 0 || line->bytes != line[-1].bytes;
    if (!is_drawn(chart, i))
      continue;
    low = fmin(low, log10(quartile(line->q1_ms, line)));
    high = fmax(high, log10(line->q3_ms));
  }
  if (low > high)
    low = high = 0;
  chart->low = low - 0.1;
  chart->high = high + 0.1;
}

static double y_of(const struct chart *chart, double ms)
{
  return TOP + HEIGHT * (chart->high - log10(ms)) / (chart->high - chart->low);
}

static double right_of(const struct chart *chart)
{
  const double width = COLUMN * (double)chart->sizes;
  return LEFT + (width < PLOT ? PLOT : width);
}

static double x_of(const struct chart *chart, uint32_t size, enum series series)
{
  return LEFT + (right_of(chart) - LEFT) * (size + 0.5) / chart->sizes +
         ASIDE * ((double)series - 1);
}

/* Lines at 1, 2 and 5 times powers of ten, or where the scale is long, at powers of ten. */
static void draw_grid(const struct chart *chart)
{
  static const double steps[] = {1, 2, 5};
  const size_t step_count = chart->high - chart->low > 3 ? 1 : 3;
  for (int power = (int)floor(chart->low); power <= (int)ceil(chart->high); power++)
    for (size_t i = 0; i < step_count; i++) {
      const double ms = steps[i] * pow(10, power);
      if (log10(ms) < chart->low || log10(ms) > chart->high)
        continue;
      const double y = y_of(chart, ms);
      html_add(
          chart->html,
          "<path class=\"grid\" d=\"M%d %.1fH%.0f\"/><text class=\"end\" x=\"%d\" y=\"%.1f\">%g"
          "</text>\n",
          LEFT, y, right_of(chart), LEFT - 6, y + 4, ms);
    }
  html_add(
      chart->html,
      "<path class=\"axis\" d=\"M%d %dV%dH%.0f\"/>\n<text transform=\"translate(14 %d) "
      "rotate(-90)\">ms, logarithmic</text>\n<text x=\"%.0f\" y=\"%d\">bytes of a block</text>\n",
      LEFT, TOP, TOP + HEIGHT, right_of(chart), TOP + HEIGHT / 2, (LEFT + right_of(chart)) / 2,
      TOP + HEIGHT + 36);
}

static void draw_mark(const struct chart *chart, const struct measured_line *line, double x)
{
  const enum series series = series_of(line);
  const double y = y_of(chart, line->median_ms);
  html_add(chart->html, "<g class=\"%s\"><title>", series_names[series]);
  html_words(chart->html, line->variant);
  html_say(chart->html, ", %s: %.6g ms, quartiles %.6g and %.6g",
           tny_bytes_format(line->bytes).text, line->median_ms, line->q1_ms, line->q3_ms);
  html_add(chart->html,
           "</title><path class=\"spread\" d=\"M%.1f %.1fV%.1fM%.1f %.1fh8M%.1f %.1fh8\"/>", x,
           y_of(chart, quartile(line->q1_ms, line)), y_of(chart, line->q3_ms), x - 4,
           y_of(chart, quartile(line->q1_ms, line)), x - 4, y_of(chart, line->q3_ms));
  if (series == NATIVE)
    html_add(chart->html, "<rect x=\"%.1f\" y=\"%.1f\" width=\"9\" height=\"9\"/>", x - 4.5,
             y - 4.5);
  else if (series == PLANNED)
    html_add(chart->html, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>", x, y);
  else
    html_add(chart->html, "<path d=\"M%.1f %.1fl6 10h-12z\"/>", x, y - 6);
  html_add(chart->html, "</g>\n");
}

/* Marks, size by size, and the sizes below. */
static void draw_marks(const struct chart *chart)
{
  uint32_t size = 0;
  for (size_t i = 0; i < chart->count; i++) {
    const struct measured_line *line = &chart->lines[i];
    const bool is_new = i == 0 || line->bytes != line[-1].bytes;
    size += i > 0 && is_new;
    if (is_new)
      html_add(chart->html, "<text x=\"%.1f\" y=\"%d\">%s</text>\n", x_of(chart, size, PLANNED),
               TOP + HEIGHT + 18, tny_bytes_format(line->bytes).text);
    if (is_drawn(chart, i))
      draw_mark(chart, line, x_of(chart, size, series_of(line)));
  }
}

/* The medians of a series, joined. */
static void draw_course(const struct chart *chart, enum series series)
{
  uint32_t size = 0;
  const char *command = "M";
  html_add(chart->html, "<path class=\"%s course\" d=\"", series_names[series]);
  for (size_t i = 0; i < chart->count; i++) {
    const struct measured_line *line = &chart->lines[i];
    size += i > 0 && line->bytes != line[-1].bytes;
    if (series_of(line) != series || !is_drawn(chart, i))
      continue;
    html_add(chart->html, "%s%.1f %.1f", command, x_of(chart, size, series),
             y_of(chart, line->median_ms));
    command = "L";
  }
  html_add(chart->html, "\"/>\n");
}

static void draw_legend(const struct chart *chart)
{
  bool seen[SERIES_COUNT] = {0};
  static const char *const shapes[SERIES_COUNT] = {
      "<rect x=\"3\" y=\"3\" width=\"9\" height=\"9\"/>", "<circle cx=\"7.5\" cy=\"7.5\" r=\"5\"/>",
      "<path d=\"M7.5 2l6 10h-12z\"/>"};
  for (size_t i = 0; i < chart->count; i++)
    seen[series_of(&chart->lines[i])] = true;
  html_add(chart->html, "<ul class=\"legend\">\n");
  for (int series = 0; series < SERIES_COUNT; series++)
    if (seen[series])
      html_add(
          chart->html,
          "<li><svg width=\"15\" height=\"15\" aria-hidden=\"true\"><g class=\"%s\">%s</g></svg>"
          "%s</li>\n",
          series_names[series], shapes[series],
          series == PEER ? "the best other algorithm of the MPI" : series_names[series]);
  html_add(chart->html, "<li>marks are medians, bars go from quartile to quartile</li>\n</ul>\n");
}

void chart_draw(const struct measured_line *lines, size_t count, unsigned id, struct tny_text *html)
{
  struct chart chart = {.html = html, .lines = lines, .count = count};
  find_scale(&chart);
  const double width = right_of(&chart) + 12, height = TOP + HEIGHT + BOTTOM;
  html_add(html,
           "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Chart\">\n<svg "
           "class=\"chart\" role=\"img\" aria-labelledby=\"chart-%u\" viewBox=\"0 0 %.0f %.0f\" "
           "style=\"width:%.0fpx\">\n<title id=\"chart-%u\">Time of ",
           id, width, height, width, id);
  html_words(html, lines->collective);
  html_add(html, " by size; the table below has the numbers</title>\n");
  draw_grid(&chart);
  for (int series = 0; series < SERIES_COUNT; series++)
    draw_course(&chart, (enum series)series);
  draw_marks(&chart);
  html_add(html, "</svg>\n</div>\n");
  draw_legend(&chart);
}
