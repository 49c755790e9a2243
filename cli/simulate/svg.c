/* Writes the chart as SVG elements, in the order of the calls. */
#include "svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  PLOT_WIDTH = 1000,
  CHAR_WIDTH = 6, /* of a label, about */
  ABOVE = 64,
  BELOW = 48,
  RIGHT = 32,
  TICKS = 8 /* about */
};

static void add_escaped(const char *words, struct tny_text *text)
{
  for (; *words; words++) {
    if (*words == '&')
      tny_text_add(text, "&amp;");
    else if (*words == '<')
      tny_text_add(text, "&lt;");
    else if (*words == '>')
      tny_text_add(text, "&gt;");
    else
      tny_text_add(text, "%c", *words);
  }
}

void svg_begin(struct svg *svg, double plot_height, size_t label_chars, const char *title)
{
  *svg = (struct svg){.left = 40 + CHAR_WIDTH * (double)label_chars,
                      .top = ABOVE,
                      .plot_width = PLOT_WIDTH,
                      .plot_height = plot_height};
  svg->width = svg->left + svg->plot_width + RIGHT;
  svg->height = svg->top + svg->plot_height + BELOW;
  tny_text_add(&svg->text,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
               "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"11\">\n"
               "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
               "<text x=\"%.0f\" y=\"22\" font-size=\"15\">",
               svg->width, svg->height, svg->width, svg->height, svg->left);
  add_escaped(title, &svg->text);
  tny_text_add(&svg->text, "</text>\n");
}

enum tny_status svg_end(struct svg *svg, char **drawn, struct tny_error *error)
{
  tny_text_add(&svg->text, "</svg>\n");
  return tny_text_take(&svg->text, drawn, error);
}

void svg_words(struct svg *svg, double x, double y, enum svg_anchor anchor, const char *words)
{
  static const char *const names[] = {"start", "middle", "end"};
  tny_text_add(&svg->text, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, names[anchor]);
  add_escaped(words, &svg->text);
  tny_text_add(&svg->text, "</text>\n");
}

void svg_cells_begin(struct svg *svg)
{
  tny_text_add(&svg->text, "<path shape-rendering=\"crispEdges\" d=\"");
}

void svg_cell(struct svg *svg, double x, double y, double width, double height)
{
  /* Ends aren't relative, so that they are the very numbers with which the next cells begin. */
  const double left = svg->left + x, top = svg->top + y;
  tny_text_add(&svg->text, "M%.6g,%.6gH%.6gV%.6gH%.6gz", left, top, left + width, top + height,
               left);
}

void svg_cells_end(struct svg *svg, const char *colour)
{
  tny_text_add(&svg->text, "\" fill=\"%s\"/>\n", colour);
}

/* 1, 2 or 5 times a power of ten. */
static double step_for(double end)
{
  const double least = end / TICKS;
  const double power = pow(10, floor(log10(least)));
  const double times = least / power;
  return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

void svg_time_axis(struct svg *svg, double end, const char *title)
{
  const double bottom = svg->top + svg->plot_height;
  tny_text_add(&svg->text,
               "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
               "stroke=\"#444\"/>\n",
               svg->left, svg->top, svg->plot_width, svg->plot_height);
  svg_words(svg, svg->left + svg->plot_width / 2, bottom + 38, SVG_MIDDLE, title);
  if (!(end > 0))
    return;
  const double step = step_for(end);
  for (int tick = 0; tick * step <= end * (1 + 1e-9); tick++) {
    const double x = svg->left + svg->plot_width * tick * step / end;
    char number[32];
    snprintf(number, sizeof number, "%.10g", tick * step);
    tny_text_add(&svg->text, "<path d=\"M%.1f,%.1fv5\" stroke=\"#444\"/>\n", x, bottom);
    svg_words(svg, x, bottom + 18, SVG_MIDDLE, number);
  }
}

void svg_row_label(struct svg *svg, double middle, const char *words)
{
  svg_words(svg, svg->left - 6, svg->top + middle + 4, SVG_END, words);
}

void svg_side_title(struct svg *svg, const char *title)
{
  const double y = svg->top + svg->plot_height / 2;
  tny_text_add(&svg->text,
               "<text x=\"14\" y=\"%.1f\" text-anchor=\"middle\" "
               "transform=\"rotate(-90 14 %.1f)\">",
               y, y);
  add_escaped(title, &svg->text);
  tny_text_add(&svg->text, "</text>\n");
}

void svg_legend(struct svg *svg, const struct svg_key *keys, int count)
{
  double x = svg->left;
  for (int i = 0; i < count; i++) {
    tny_text_add(&svg->text,
                 "<rect x=\"%.1f\" y=\"36\" width=\"14\" height=\"12\" fill=\"%s\" "
                 "stroke=\"#888\" stroke-width=\"0.5\"/>\n",
                 x, keys[i].colour);
    svg_words(svg, x + 19, 46, SVG_START, keys[i].words);
    x += 40 + CHAR_WIDTH * (double)strlen(keys[i].words);
  }
}
