/* A command's words, put together one by one. */
#ifndef TOURNEY_LAUNCH_WORDS_H
#define TOURNEY_LAUNCH_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tny_arena;

/* Owned by the arena; begins as {.arena = ...}. */
struct launch_words {
  struct tny_arena *arena;
  char **list; /* NULL at its end; NULL without words */
  size_t count, room;
  bool failed; /* out of memory */
};

/* Adds a copy. */
void launch_words_add(struct launch_words *words, const char *word);
/* Adds copies of a list that NULL ends; a list that is NULL has none. */
void launch_words_add_list(struct launch_words *words, char *const *list);
/* Adds an option and its value. */
void launch_words_add_number(struct launch_words *words, const char *option, uint32_t value);

#endif
