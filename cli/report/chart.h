/* A chart of what was measured of one collective: time by size, on a logarithmic scale, medians
   with their quartiles, native beside planned and the best peer. */
#ifndef TOURNEY_CLI_REPORT_CHART_H
#define TOURNEY_CLI_REPORT_CHART_H

#include "core/text.h"
#include "measured.h"

/* Draws `count` lines that are together (measured_are_together), in the order of their sizes. `id`
   numbers the charts of a page. */
void chart_draw(const struct measured_line *lines, size_t count, unsigned id,
                struct tny_text *html);

#endif
