/* A chart as SVG: a title, a plot with cells in rows over time, an axis and a legend. What is in it
   is the caller's. Units: pixels. */
#ifndef TOURNEY_SVG_H
#define TOURNEY_SVG_H

#include "core/text.h"

struct svg {
  struct tny_text text;
  double width, height;
  double left, top, plot_width, plot_height; /* the plot */
};

/* The plot is put where its labels leave room: `label_chars` is the longest label of a row. */
void svg_begin(struct svg *svg, double plot_height, size_t label_chars, const char *title);
/* Owns: *drawn by tny_text_free. */
enum tny_status svg_end(struct svg *svg, char **drawn, struct tny_error *error) TNY_MUST_CHECK;

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };
void svg_words(struct svg *svg, double x, double y, enum svg_anchor anchor, const char *words);
/* Cells of one colour come between these two; a cell is given within the plot. */
void svg_cells_begin(struct svg *svg);
void svg_cell(struct svg *svg, double x, double y, double width, double height);
void svg_cells_end(struct svg *svg, const char *colour);
/* The axis under the plot, from 0 to `end`, in such units. */
void svg_time_axis(struct svg *svg, double end, const char *title);
/* Words at the middle of a row of the plot, left of it. */
void svg_row_label(struct svg *svg, double middle, const char *words);
/* What runs up the left side. */
void svg_side_title(struct svg *svg, const char *title);

struct svg_key {
  const char *colour, *words;
};
/* The legend, a line above the plot. */
void svg_legend(struct svg *svg, const struct svg_key *keys, int count);

#endif
