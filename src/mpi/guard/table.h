/* The classes of a communicator. A class takes memory from its second call on, and a collective
   from its first such class on, with a row for those of the MPI's own operations, or of none, and
   one for those of the program's. So most communicators have next to none, however many collectives
   there are. */
#ifndef TOURNEY_MPI_GUARD_TABLE_H
#define TOURNEY_MPI_GUARD_TABLE_H

#include "mpi/guard/rules.h"

enum {
  TNY_GUARD_SEEN_ONCE = 16, /* classes that are remembered without memory of their own */
  TNY_GUARD_ROWS = TNY_GUARD_CLASSES / TNY_GUARD_OWN * TNY_COLLECTIVE_COUNT,
};

/* All zero: empty. */
struct tny_guard_table {
  uint8_t row_of[TNY_GUARD_ROWS]; /* by tny_guard_row: the row, from 1; 0: none */
  uint8_t row_count, seen_count;
  uint16_t seen_once[TNY_GUARD_SEEN_ONCE]; /* classes that aren't in the list */
  uint32_t count;
  struct tny_guard_class *classes;
  uint16_t (*rows)[TNY_GUARD_OWN]; /* where in the list each class is, from 1; 0: nowhere */
};

static inline uint32_t tny_guard_row(enum tny_collective collective, uint32_t number)
{
  return TNY_GUARD_CLASSES / TNY_GUARD_OWN * (uint32_t)collective + tny_guard_is_own(number);
}

/* NULL: there is none in the list. Borrowed until a class is added. */
static inline struct tny_guard_class *tny_guard_table_find(const struct tny_guard_table *table,
                                                           enum tny_collective collective,
                                                           uint32_t number)
{
  const uint8_t row = table->row_of[tny_guard_row(collective, number)];
  const uint16_t place = row > 0 ? table->rows[row - 1][number % TNY_GUARD_OWN] : 0;
  return place > 0 ? &table->classes[place - 1] : NULL;
}

/* Was there a call of the class? */
bool tny_guard_table_has_seen(const struct tny_guard_table *table, enum tny_collective collective,
                              uint32_t number);
/* Notes the first call of a class that isn't in the list; false: it was noted before, or so many
   others are that there is no room for it. It takes no memory, which one rank alone might lack. */
bool tny_guard_table_see(struct tny_guard_table *table, enum tny_collective collective,
                         uint32_t number);

/* As if that call hadn't been, of a class that isn't in the list. */
void tny_guard_table_unsee(struct tny_guard_table *table, enum tny_collective collective,
                           uint32_t number);

/* Makes room for so many classes more, whatever their collectives. False: no memory, and nothing
   happened. */
bool tny_guard_table_reserve(struct tny_guard_table *table, uint32_t count);
/* Puts a class behind the list, where there is room for it. */
void tny_guard_table_put(struct tny_guard_table *table, const struct tny_guard_class *class);
/* Gives back the room that isn't used. */
void tny_guard_table_trim(struct tny_guard_table *table);
/* Adds one behind the list; NULL: no memory, and nothing happened. */
struct tny_guard_class *tny_guard_table_add(struct tny_guard_table *table,
                                            const struct tny_guard_class *class);
/* Also frees what trials are under way. */
void tny_guard_table_release(struct tny_guard_table *table);

#endif
