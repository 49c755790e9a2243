/* docs/performance.md, from what the journal has. */
#ifndef TOURNEY_PERFORMANCE_DOCUMENT_H
#define TOURNEY_PERFORMANCE_DOCUMENT_H

#include "bench/performance/journal.h"
#include "core/text.h"

/* The whole page. `command` made it. */
void document_write(const struct measured *all, const char *command, struct tny_text *text);
/* A line for each cell that falls short, can't be measured or wasn't yet, and for each mean ratio
   that is too small or error that is too large. Returns how many lines. */
size_t document_complain(const struct measured *all, struct tny_text *text);

#endif
