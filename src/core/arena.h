/* Arenas: memory that is allocated piece by piece and freed all at once. */
#ifndef TOURNEY_CORE_ARENA_H
#define TOURNEY_CORE_ARENA_H

#include <stddef.h>

struct tny_arena;

struct tny_arena *tny_arena_new(void);
void tny_arena_free(struct tny_arena *arena);
/* Zeroed memory for count elements, freed with the arena; NULL where there is none left. */
void *tny_arena_take(struct tny_arena *arena, size_t count, size_t element_bytes);
char *tny_arena_copy_text(struct tny_arena *arena, const char *text);

#endif
