/* `tourney report bench`: what `tourney bench --csv` wrote, as a page of charts and tables. */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "chart.h"
#include "cli/shared/help.h"
#include "cli/shared/options.h"
#include "cli/shared/report.h"
#include "cli/shared/words.h"
#include "core/error.h"
#include "core/units.h"
#include "html.h"
#include "measured.h"
#include "page.h"
#include "subjects.h"

/* By size, then as in the file. */
static int compare_sizes(const void *a, const void *b)
{
  const struct measured_line *x = a, *y = b;
  if (x->bytes != y->bytes)
    return x->bytes < y->bytes ? -1 : 1;
  return (x->order > y->order) - (x->order < y->order);
}

/* --- tables --- */

/* Three or four digits that matter, never an exponent. */
static int decimals(double ms)
{
  return ms < 1 ? 4 : ms < 10 ? 3 : ms < 100 ? 2 : ms < 1000 ? 1 : 0;
}

static void write_line(const struct measured_line *line, struct tny_text *html)
{
  html_row(html, tny_bytes_format(line->bytes).text);
  html_cell(html, "%s", line->variant);
  html_cell(html, "%s", line->algorithm);
  html_number(html, "%.*f", decimals(line->median_ms), line->median_ms);
  html_number(html, "%.*f to %.*f", decimals(line->q1_ms), line->q1_ms, decimals(line->q3_ms),
              line->q3_ms);
  html_number(html, "%.2f", line->ratio);
  html_number(html, "%.1f %%", 100 * line->share);
  html_number(html, "%" PRIu64, line->samples);
  if (line->predicted_ms > 0)
    html_number(html, "%.*f", decimals(line->predicted_ms), line->predicted_ms);
  else
    html_number(html, "-");
  html_add(html, "</tr>\n");
}

static void write_table(const struct measured_line *lines, size_t count, struct tny_text *html)
{
  char caption[128];
  snprintf(caption, sizeof caption, "Times of %.60s; a ratio over 1 is faster than native",
           lines->collective);
  html_table_begin(html, caption);
  html_table_headers(html, (const char *const[]){"block", "variant", "served by", "median ms",
                                                 "quartiles ms", "ratio", "of the bound", "samples",
                                                 "predicted ms", NULL});
  html_add(html, "<tbody>\n");
  for (size_t i = 0; i < count; i++)
    write_line(&lines[i], html);
  html_add(html, "</tbody>\n");
  html_table_end(html);
}

/* --- the page --- */

static void write_group(const struct measured_line *lines, size_t count, unsigned id,
                        struct tny_text *html)
{
  html_add(html, "<section aria-labelledby=\"group-%u\">\n<h2 id=\"group-%u\">", id, id);
  html_words(html, lines->collective);
  html_add(html, "</h2>\n<p>");
  html_words(html, lines->cluster);
  html_say(html, ", %" PRIu64 " rank%s, map ", lines->ranks, plural(lines->ranks));
  html_words(html, lines->map);
  if (*lines->congestion)
    html_add(html, ", congestion control ");
  html_words(html, lines->congestion);
  html_add(html, "</p>\n");
  chart_draw(lines, count, id, html);
  write_table(lines, count, html);
  html_section_end(html);
}

/* Brings lines of one chart next to each other; returns how many begin with *first, from there on.
   */
static size_t gather(struct measured *measured, size_t first)
{
  size_t end = first + 1;
  for (size_t i = end; i < measured->count; i++) {
    if (!measured_are_together(&measured->lines[first], &measured->lines[i]))
      continue;
    const struct measured_line found = measured->lines[i];
    memmove(&measured->lines[end + 1], &measured->lines[end], (i - end) * sizeof found);
    measured->lines[end++] = found;
  }
  return end - first;
}

static void write_summary(const struct measured *measured, struct tny_text *html)
{
  size_t rows = 0, as_fast = 0;
  double logarithms = 0;
  for (size_t i = 0; i < measured->count; i++) {
    const struct measured_line *line = &measured->lines[i];
    if (strcmp(line->variant, "planned") != 0 || !(line->ratio > 0))
      continue;
    rows++;
    as_fast += line->ratio >= 1;
    logarithms += log(line->ratio);
  }
  if (rows == 0)
    html_add(html, "No row has both native and planned.");
  else
    html_say(html,
             "%zu row%s with native and planned: %zu at least as fast as native; the geometric "
             "mean of the ratios is %.2f.",
             rows, plural(rows), as_fast, exp(logarithms / (double)rows));
}

static void write_page(struct measured *measured, const char *path, struct tny_text *html)
{
  const char *slash = strrchr(path, '/');
  unsigned id = 0;
  page_begin(
      html, "Native and planned:", slash ? slash + 1 : path,
      "The ratio is native's median over the variant's; the bound is the least time that any "
      "schedule takes on this network, at the raw rates");
  html_add(html, "<p id=\"summary\">");
  write_summary(measured, html);
  html_add(html, "</p>\n");
  for (size_t first = 0; first < measured->count;) {
    const size_t count = gather(measured, first);
    qsort(&measured->lines[first], count, sizeof *measured->lines, compare_sizes);
    write_group(&measured->lines[first], count, id++, html);
    first += count;
  }
  page_end(html);
}

int report_bench(int argc, char **argv)
{
  const char *output = NULL;
  bool wants_help = false;
  const struct cli_option table[] = {{.name = "output", .text = &output, .letter = 'o'},
                                     {.name = "help", .flag = &wants_help},
                                     {0}};
  struct tny_error error = {0};
  if (cli_options_read(argc, argv, table, &error) != TNY_OK)
    return cli_usage_error("report bench", "%s", error.text);
  if (wants_help)
    return cli_print_help(report_help);
  if (argc - optind != 1)
    return cli_usage_error("report bench", "a file is wanted, which tourney bench --csv wrote");
  struct measured measured;
  struct tny_text html = {0};
  const enum tny_status status = measured_read(argv[optind], &measured, &error);
  if (status == TNY_OK)
    write_page(&measured, argv[optind], &html);
  const int code = status == TNY_OK ? page_write(&html, output) : cli_fail(&error);
  measured_release(&measured);
  return code;
}
