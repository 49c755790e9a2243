/* The file by which a rank tells `tourney run` that it has the runtime. */
#ifndef TOURNEY_RUN_MARK_H
#define TOURNEY_RUN_MARK_H

#include <limits.h>
#include <stdbool.h>

struct run_mark {
  char path[PATH_MAX];
};

/* Makes an empty file, and has TOURNEY_MARK name it. False: there is no place for one, or the
   variable is there: another `tourney run` looks out already. Owns: run_mark_take. */
bool run_mark_make(struct run_mark *mark);
/* Removes the file. Returns whether a rank left its mark in it. */
bool run_mark_take(const struct run_mark *mark);

#endif
