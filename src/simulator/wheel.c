/* The timing wheel. Bits say which cycles have events, so that empty ones are skipped. */
#include "simulator/wheel.h"

#include "core/alloc.h"
#include "core/error.h"

#define CYCLES_MIN 64
#define CYCLES_MAX ((uint64_t)1 << 20)
#define ROOM_FIRST 1024

enum tny_status tny_wheel_init(struct tny_wheel *wheel, uint64_t delay_max, struct tny_error *error)
{
  uint32_t cycles = CYCLES_MIN;
  while (cycles <= delay_max && cycles < CYCLES_MAX)
    cycles *= 2;
  *wheel = (struct tny_wheel){.free = TNY_NONE, .mask = cycles - 1};
  wheel->first = tny_new((size_t)cycles * TNY_WHEEL_LISTS, sizeof *wheel->first);
  wheel->filled = tny_new(cycles / 64, sizeof *wheel->filled);
  wheel->marked = tny_new((cycles + 4095) / 4096, sizeof *wheel->marked);
  if (!wheel->first || !wheel->filled || !wheel->marked)
    return tny_error_memory(error);
  for (uint32_t i = 0; i < cycles * TNY_WHEEL_LISTS; i++)
    wheel->first[i] = TNY_NONE;
  tny_wheel_grow(wheel);
  return wheel->failed ? tny_error_memory(error) : TNY_OK;
}

void tny_wheel_release(struct tny_wheel *wheel)
{
  tny_free(wheel->events);
  tny_free(wheel->first);
  tny_free(wheel->filled);
  tny_free(wheel->marked);
}

void tny_wheel_grow(struct tny_wheel *wheel)
{
  const uint32_t room = wheel->room ? 2 * wheel->room : ROOM_FIRST;
  struct tny_wheel_event *events =
      room > wheel->room ? tny_resize(wheel->events, room, sizeof *events) : NULL;
  if (!events) {
    wheel->failed = true;
    return;
  }
  wheel->events = events;
  for (uint32_t i = room; i-- > wheel->room;) {
    events[i].next = wheel->free;
    wheel->free = i;
  }
  wheel->room = room;
}

/* The first word of `filled` from `from` on that isn't 0; TNY_NONE: there is none. */
static uint32_t next_word(const struct tny_wheel *wheel, uint32_t from)
{
  const uint32_t words = (wheel->mask + 1) / 64;
  for (uint32_t at = from / 64; at * 64 < words; at++) {
    uint64_t marks = wheel->marked[at];
    if (at == from / 64)
      marks &= ~(uint64_t)0 << from % 64;
    if (marks)
      return at * 64 + (uint32_t)__builtin_ctzll(marks);
  }
  return TNY_NONE;
}

uint64_t tny_wheel_next(const struct tny_wheel *wheel, uint64_t cycle)
{
  if (wheel->count == 0)
    return UINT64_MAX;
  const uint32_t start = (uint32_t)(cycle + 1) & wheel->mask;
  uint32_t at = start / 64;
  uint64_t word = wheel->filled[at] & ~(uint64_t)0 << start % 64;
  if (!word) { /* then behind this word, or from the beginning up to it */
    at = next_word(wheel, start / 64 + 1);
    at = at == TNY_NONE ? next_word(wheel, 0) : at;
    word = wheel->filled[at];
  }
  const uint32_t found = at * 64 + (uint32_t)__builtin_ctzll(word);
  return cycle + 1 + ((found - start) & wheel->mask);
}
