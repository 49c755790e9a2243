/* Lists that grow by one element at a time. */
#ifndef TOURNEY_EXCHANGE_LIST_H
#define TOURNEY_EXCHANGE_LIST_H

#include <stddef.h>
#include <stdint.h>

/* Returns the list of `count` elements with room for one more, moved where it had to be, and notes
   its new room. Returns NULL where there is no memory, or where the list has 2^30 elements already;
   then the list stays as it is. Owns: the list is the caller's, tny_free. */
void *tny_list_reserve(void *list, uint32_t count, uint32_t *room, size_t element_bytes);

#endif
