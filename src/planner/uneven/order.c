/* Radix sort: in as many steps as there are digits, each linear. */
#include "planner/uneven/order.h"

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, KEY_BITS = 32 };

static uint32_t digit_of(const struct tny_placing *placing, uint32_t shift)
{
  return ~placing->key >> shift & (DIGITS - 1);
}

static void sort_by_digit(const struct tny_placing *from, struct tny_placing *to, uint32_t count,
                          uint32_t shift)
{
  uint32_t place[DIGITS + 1] = {0};
  for (uint32_t i = 0; i < count; i++)
    place[digit_of(&from[i], shift) + 1]++;
  for (uint32_t digit = 1; digit < DIGITS; digit++)
    place[digit] += place[digit - 1];
  for (uint32_t i = 0; i < count; i++)
    to[place[digit_of(&from[i], shift)]++] = from[i];
}

void tny_placing_sort(struct tny_placing *order, uint32_t count, struct tny_placing *room)
{
  struct tny_placing *from = order, *to = room;
  for (uint32_t shift = 0; shift < KEY_BITS; shift += DIGIT_BITS) {
    sort_by_digit(from, to, count, shift);
    struct tny_placing *sorted = to;
    to = from;
    from = sorted;
  }
  if (from != order)
    memcpy(order, from, count * sizeof *order);
}
