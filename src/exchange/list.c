/* Room is doubled, so that n elements cost O(n). */
#include "exchange/list.h"

#include "core/alloc.h"

void *tny_list_reserve(void *list, uint32_t count, uint32_t *room, size_t element_bytes)
{
  enum { ROOM_FIRST = 64, COUNT_MAX = 1 << 30 };
  if (count < *room)
    return list;
  const uint32_t wanted = *room ? 2 * *room : ROOM_FIRST;
  void *grown = count < COUNT_MAX ? tny_resize(list, wanted, element_bytes) : NULL;
  if (grown)
    *room = wanted;
  return grown;
}
