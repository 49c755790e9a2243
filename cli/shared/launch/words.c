/* A command's words, put together one by one. */
#include "words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/arena.h"

#define ROOM_AT_FIRST 32

/* Room for one word more and the NULL behind it. */
static bool make_room(struct launch_words *words)
{
  if (words->count + 1 < words->room)
    return true;
  const size_t room = words->room ? 2 * words->room : ROOM_AT_FIRST;
  char **list = tny_arena_take(words->arena, room, sizeof *list);
  if (!list)
    return false;
  if (words->count)
    memcpy(list, words->list, words->count * sizeof *list);
  words->list = list;
  words->room = room;
  return true;
}

void launch_words_add(struct launch_words *words, const char *word)
{
  char *copy = make_room(words) ? tny_arena_copy_text(words->arena, word) : NULL;
  if (copy)
    words->list[words->count++] = copy;
  else
    words->failed = true;
}

void launch_words_add_list(struct launch_words *words, char *const *list)
{
  for (; list && *list; list++)
    launch_words_add(words, *list);
}

void launch_words_add_number(struct launch_words *words, const char *option, uint32_t value)
{
  char text[16];
  snprintf(text, sizeof text, "%" PRIu32, value);
  launch_words_add(words, option);
  launch_words_add(words, text);
}
