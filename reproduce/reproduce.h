/* All entries: the papers' tables and figures, made again by the simulator. This is what the tool
   includes (its subcommand is `tourney reproduce`); a paper's folder includes only shared/. */
#ifndef TOURNEY_REPRODUCE_H
#define TOURNEY_REPRODUCE_H

#include "reproduce/shared/entry.h"

/* All of them, paper by paper; the last one is NULL. */
extern const struct tny_reproduction *const tny_reproductions[];

#endif
