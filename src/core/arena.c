/* An arena is a list of allocations. They are few and large, so none is subdivided. */
#include "core/arena.h"

#include "core/alloc.h"

struct piece {
  struct piece *next;
  max_align_t memory[];
};

struct tny_arena {
  struct piece *pieces;
};

struct tny_arena *tny_arena_new(void)
{
  return tny_new(1, sizeof(struct tny_arena));
}

void tny_arena_free(struct tny_arena *arena)
{
  if (!arena)
    return;
  for (struct piece *piece = arena->pieces; piece;) {
    struct piece *next = piece->next;
    tny_free(piece);
    piece = next;
  }
  tny_free(arena);
}

void *tny_arena_take(struct tny_arena *arena, size_t count, size_t element_bytes)
{
  if (element_bytes && count > (SIZE_MAX - sizeof(struct piece)) / element_bytes)
    return NULL;
  struct piece *piece = tny_new(1, sizeof *piece + count * element_bytes);
  if (!piece)
    return NULL;
  piece->next = arena->pieces;
  arena->pieces = piece;
  return piece->memory;
}

char *tny_arena_copy_text(struct tny_arena *arena, const char *text)
{
  const size_t bytes = strlen(text) + 1;
  char *copy = tny_arena_take(arena, bytes, 1);
  if (copy)
    memcpy(copy, text, bytes);
  return copy;
}
