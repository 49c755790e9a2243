/* The classes of a communicator, in a list that grows one by one: there are few. */
#include "mpi/guard/table.h"

#include "core/alloc.h"

bool tny_guard_table_resize(struct tny_guard_table *table, uint32_t count)
{
  struct tny_guard_class *resized =
      tny_resize(table->classes, count > 0 ? count : 1, sizeof *table->classes);
  if (!resized)
    return false;
  if (count > table->count)
    memset(resized + table->count, 0, (count - table->count) * sizeof *resized);
  table->classes = resized;
  table->count = count;
  return true;
}

void tny_guard_table_set(struct tny_guard_table *table, uint32_t index,
                         const struct tny_guard_class *class)
{
  table->classes[index] = *class;
  table->known[class->collective][class->number] = (uint8_t)(TNY_GUARD_ENTRY + index);
}

struct tny_guard_class *tny_guard_table_add(struct tny_guard_table *table,
                                            const struct tny_guard_class *class)
{
  if (!tny_guard_table_resize(table, table->count + 1))
    return NULL;
  tny_guard_table_set(table, table->count - 1, class);
  return &table->classes[table->count - 1];
}

void tny_guard_table_release(struct tny_guard_table *table)
{
  for (uint32_t i = 0; i < table->count; i++)
    tny_free(table->classes[i].trial);
  tny_free(table->classes);
  *table = (struct tny_guard_table){0};
}
