/* Fuzz target: the input as the CSV of a bench. What is read has numbers that can be drawn, and no
   text of the file's becomes markup of the chart. */
#include "fuzz_support.h"

#include "cli/report/chart.h"
#include "cli/report/measured.h"
#include "core/alloc.h"

static void check(const struct measured_line *line)
{
  require(line->q1_ms <= line->median_ms && line->median_ms <= line->q3_ms);
  require(line->ratio >= 0 && line->share >= 0 && line->predicted_ms >= 0);
  require(measured_are_together(line, line));
}

/* Lines are drawn as they come: a chart needn't know their order. */
static void draw(const struct measured *measured)
{
  struct tny_text html = {0};
  chart_draw(measured->lines, measured->count, 0, &html);
  require(!html.failed && !strstr(html.bytes, "<script"));
  tny_text_release(&html);
}

static void fuzz(const char *text)
{
  struct measured measured;
  char *copy = tny_copy_text(text);
  require(copy);
  if (measured_parse("fuzz.csv", copy, &measured, NULL) == TNY_OK) {
    require(measured.count > 0);
    for (size_t i = 0; i < measured.count; i++)
      check(&measured.lines[i]);
    if (measured.count < 200) /* drawing compares all lines of peers */
      draw(&measured);
  }
  measured_release(&measured);
}
