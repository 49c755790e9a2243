/* The classes of a communicator. A class takes memory from its second call on, so that most
   communicators have next to none. */
#ifndef TOURNEY_MPI_GUARD_TABLE_H
#define TOURNEY_MPI_GUARD_TABLE_H

#include "mpi/guard/rules.h"

/* What is known of a class: nothing, that there was a call, that it is native for good; from
   TNY_GUARD_ENTRY on, its place in the list. */
enum { TNY_GUARD_UNSEEN, TNY_GUARD_SEEN_ONCE, TNY_GUARD_NATIVE, TNY_GUARD_ENTRY };

/* All zero: empty. */
struct tny_guard_table {
  uint8_t known[TNY_COLLECTIVE_COUNT][TNY_GUARD_CLASSES];
  uint32_t count;
  struct tny_guard_class *classes;
};

/* NULL: there is none in the list. Borrowed until a class is added. */
static inline struct tny_guard_class *tny_guard_table_find(const struct tny_guard_table *table,
                                                           enum tny_collective collective,
                                                           uint32_t number)
{
  const uint8_t known = table->known[collective][number];
  return known < TNY_GUARD_ENTRY ? NULL : &table->classes[known - TNY_GUARD_ENTRY];
}

/* Makes the list this long, new places all zero; classes beyond are lost. False: no memory, and
   nothing happened. */
bool tny_guard_table_resize(struct tny_guard_table *table, uint32_t count);
/* Puts a class in the list's place `index`. */
void tny_guard_table_set(struct tny_guard_table *table, uint32_t index,
                         const struct tny_guard_class *class);
/* Adds one behind the list; NULL: no memory. */
struct tny_guard_class *tny_guard_table_add(struct tny_guard_table *table,
                                            const struct tny_guard_class *class);
/* Also frees what trials are under way. */
void tny_guard_table_release(struct tny_guard_table *table);

#endif
