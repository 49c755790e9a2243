/* A table of texts: aligned for a terminal, or in Markdown. Columns without any text are left out.
   Additions fail stickily; writing it says so. */
#ifndef TOURNEY_COLUMNS_H
#define TOURNEY_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/text.h"

#define COLUMNS_CELL 96

struct columns {
  uint32_t column_count;
  uint32_t left_count; /* the first ones are aligned left, the others right */
  uint32_t row_count, row_room;
  char (*cells)[COLUMNS_CELL]; /* row by row; owned; the first row has the headings */
  bool failed;
};

/* A further row: column_count empty cells, to be filled before the next call; NULL: no memory. */
char (*columns_add(struct columns *columns))[COLUMNS_CELL];
void columns_write_text(const struct columns *columns, struct tny_text *text);
void columns_write_markdown(const struct columns *columns, struct tny_text *text);
void columns_release(struct columns *columns);

#endif
