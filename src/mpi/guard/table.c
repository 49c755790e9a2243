/* The classes of a communicator, in a list that grows one by one: there are few. */
#include "mpi/guard/table.h"

#include "core/alloc.h"

static uint16_t key_of(enum tny_collective collective, uint32_t number)
{
  return (uint16_t)((uint32_t)collective * TNY_GUARD_CLASSES + number);
}

/* The class's place among those that were seen once; seen_count: it isn't there. */
static uint8_t find_seen(const struct tny_guard_table *table, uint16_t key)
{
  uint8_t i = 0;
  while (i < table->seen_count && table->seen_once[i] != key)
    i++;
  return i;
}

bool tny_guard_table_has_seen(const struct tny_guard_table *table, enum tny_collective collective,
                              uint32_t number)
{
  return tny_guard_table_find(table, collective, number) ||
         find_seen(table, key_of(collective, number)) < table->seen_count;
}

bool tny_guard_table_see(struct tny_guard_table *table, enum tny_collective collective,
                         uint32_t number)
{
  const uint16_t key = key_of(collective, number);
  if (table->seen_count == TNY_GUARD_SEEN_ONCE || find_seen(table, key) < table->seen_count)
    return false;
  table->seen_once[table->seen_count++] = key;
  return true;
}

void tny_guard_table_unsee(struct tny_guard_table *table, enum tny_collective collective,
                           uint32_t number)
{
  const uint8_t seen = find_seen(table, key_of(collective, number));
  if (seen < table->seen_count)
    table->seen_once[seen] = table->seen_once[--table->seen_count];
}

/* Room for so many in all; false: there is no memory, and at least what was there is. */
static bool resize(struct tny_guard_table *table, uint32_t class_count, uint32_t row_count)
{
  struct tny_guard_class *classes = tny_resize(table->classes, class_count, sizeof *classes);
  if (classes)
    table->classes = classes;
  uint16_t(*rows)[TNY_GUARD_OWN] = tny_resize(table->rows, row_count, sizeof *rows);
  if (rows)
    table->rows = rows;
  return classes && rows;
}

bool tny_guard_table_reserve(struct tny_guard_table *table, uint32_t count)
{
  const uint32_t row_count = table->row_count + count;
  return resize(table, table->count + count,
                row_count < TNY_GUARD_ROWS ? row_count : TNY_GUARD_ROWS);
}

void tny_guard_table_put(struct tny_guard_table *table, const struct tny_guard_class *class)
{
  uint8_t *row = &table->row_of[tny_guard_row(class->collective, class->number)];
  tny_guard_table_unsee(table, class->collective, class->number);
  if (*row == 0) {
    memset(table->rows[table->row_count], 0, sizeof *table->rows);
    *row = ++table->row_count;
  }
  table->classes[table->count++] = *class;
  table->rows[*row - 1][class->number % TNY_GUARD_OWN] = (uint16_t)table->count;
}

void tny_guard_table_trim(struct tny_guard_table *table)
{
  if (table->count > 0) {
    (void)resize(table, table->count, table->row_count);
    return;
  }
  tny_free(table->classes);
  tny_free(table->rows);
  table->classes = NULL;
  table->rows = NULL;
}

struct tny_guard_class *tny_guard_table_add(struct tny_guard_table *table,
                                            const struct tny_guard_class *class)
{
  const bool has_row = table->row_of[tny_guard_row(class->collective, class->number)] > 0;
  if (!resize(table, table->count + 1, table->row_count + !has_row))
    return NULL;
  tny_guard_table_put(table, class);
  return &table->classes[table->count - 1];
}

void tny_guard_table_release(struct tny_guard_table *table)
{
  for (uint32_t i = 0; i < table->count; i++)
    tny_free(table->classes[i].trial);
  tny_free(table->classes);
  tny_free(table->rows);
  *table = (struct tny_guard_table){0};
}
