/* Tables of texts. */
#include "columns.h"

#include <string.h>

#include "core/alloc.h"

char (*columns_add(struct columns *columns))[COLUMNS_CELL]
{
  if (!columns->failed && columns->row_count == columns->row_room) {
    const uint32_t room = 2 * columns->row_room + 16;
    void *cells = tny_resize(columns->cells, (size_t)room * columns->column_count, COLUMNS_CELL);
    columns->failed = cells == NULL;
    if (cells) {
      columns->cells = cells;
      columns->row_room = room;
    }
  }
  if (columns->failed)
    return NULL;
  char(*row)[COLUMNS_CELL] = columns->cells + (size_t)columns->row_count++ * columns->column_count;
  memset(row, 0, columns->column_count * sizeof *row);
  return row;
}

static const char *cell(const struct columns *columns, uint32_t row, uint32_t column)
{
  return columns->cells[(size_t)row * columns->column_count + column];
}

/* 0: the column is empty below its heading. */
static int width_of(const struct columns *columns, uint32_t column)
{
  size_t width = 0;
  for (uint32_t row = 1; row < columns->row_count; row++)
    if (strlen(cell(columns, row, column)) > width)
      width = strlen(cell(columns, row, column));
  if (width > 0 && strlen(cell(columns, 0, column)) > width)
    width = strlen(cell(columns, 0, column));
  return (int)width;
}

/* The last column isn't filled up with blanks. */
static void write_row(const struct columns *columns, uint32_t row, uint32_t end,
                      struct tny_text *text)
{
  for (uint32_t column = 0; column < end; column++) {
    const int width = width_of(columns, column);
    const bool is_left = column < columns->left_count;
    if (width > 0 && is_left && column + 1 == end)
      tny_text_add(text, "  %s", cell(columns, row, column));
    else if (width > 0)
      tny_text_add(text, "  %*s", is_left ? -width : width, cell(columns, row, column));
  }
  tny_text_add(text, "\n");
}

void columns_write_text(const struct columns *columns, struct tny_text *text)
{
  text->failed |= columns->failed;
  uint32_t end = columns->column_count;
  while (end > 0 && width_of(columns, end - 1) == 0)
    end--;
  for (uint32_t row = 0; row < columns->row_count && end > 0; row++)
    write_row(columns, row, end, text);
}

void columns_write_markdown(const struct columns *columns, struct tny_text *text)
{
  text->failed |= columns->failed;
  for (uint32_t row = 0; row < columns->row_count; row++) {
    for (uint32_t column = 0; column < columns->column_count; column++)
      if (width_of(columns, column) > 0)
        tny_text_add(text, "| %s ", cell(columns, row, column));
    tny_text_add(text, "|\n");
    for (uint32_t column = 0; row == 0 && column < columns->column_count; column++)
      if (width_of(columns, column) > 0)
        tny_text_add(text, column < columns->left_count ? "|---" : "|---:");
    if (row == 0)
      tny_text_add(text, "|\n");
  }
}

void columns_release(struct columns *columns)
{
  tny_free(columns->cells);
  *columns = (struct columns){0};
}
