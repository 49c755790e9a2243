/* docs/performance.md, from what the journal has. */
#ifndef TOURNEY_PERFORMANCE_DOCUMENT_H
#define TOURNEY_PERFORMANCE_DOCUMENT_H

#include "bench/performance/journal.h"
#include "core/text.h"

/* The whole page. `command` made it. */
void document_write(const struct cell *cells, size_t count, const struct journal *journal,
                    const char *command, struct tny_text *text);
/* A line for each cell that falls short, can't be measured or wasn't yet, and for each mean that is
   too small. Returns how many lines. */
size_t document_complain(const struct cell *cells, size_t count, const struct journal *journal,
                         struct tny_text *text);

#endif
