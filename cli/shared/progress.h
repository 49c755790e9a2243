/* One line on a terminal that says what is being done, and is taken away when the work is done. */
#ifndef TOURNEY_PROGRESS_H
#define TOURNEY_PROGRESS_H

#include <stdbool.h>

#include <tourney/status.h>

struct progress {
  bool terminal, shown;
};

struct progress progress_begin(void);
/* Nothing where standard error is no terminal, or `progress` is NULL. */
void progress_show(struct progress *progress, const char *format, ...) TNY_PRINTF(2, 3);
void progress_clear(struct progress *progress);

#endif
