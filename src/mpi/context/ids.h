/* Context ids: numbers that tell the messages of one communicator from those of another, though all
   go over one private communicator. */
#ifndef TOURNEY_MPI_CONTEXT_IDS_H
#define TOURNEY_MPI_CONTEXT_IDS_H

#include <stdbool.h>
#include <stdint.h>

/* What a message on the private communicator is. */
enum tny_message { TNY_DATA_MESSAGE, TNY_TOKEN_MESSAGE, TNY_MESSAGE_COUNT };

/* A context id in use at this rank, kept in a list by its number. */
struct tny_context {
  struct tny_context *before, *next;
  int64_t id;  /* negative: none */
  void *owner; /* borrowed, for whoever asks for tny_context_ids_any */
};

/* The tag of a context's messages of one sort. */
static inline int tny_context_tag(const struct tny_context *context, enum tny_message message)
{
  return (int)(TNY_MESSAGE_COUNT * context->id + message);
}

/* How many ids there are follows from the greatest tag. */
void tny_context_ids_open(int tag_max);
/* What this rank proposes for a new communicator: above all ids that are in use here, so perhaps
   above all that there are. */
int64_t tny_context_ids_propose(void);
/* Is the number an id that the tags reach? */
bool tny_context_ids_reach(int64_t number);

/* Numbers in a row, a bit each: set for those that this rank can't accept. */
enum { TNY_CONTEXT_WINDOW = 4096, TNY_CONTEXT_WINDOW_WORDS = TNY_CONTEXT_WINDOW / 64 };
/* Fills in the window that begins with number `first`. */
void tny_context_ids_mark(int64_t first, uint64_t window[TNY_CONTEXT_WINDOW_WORDS]);
/* The least number of a window that no rank has set, or a negative number. */
int64_t tny_context_ids_least(int64_t first, const uint64_t window[TNY_CONTEXT_WINDOW_WORDS]);

/* Keeps a context, in its place by its id. Borrowed until it is removed. */
void tny_context_ids_add(struct tny_context *context);
/* `is_spoiled`: its messages may still be on their way, so that no later communicator may have its
   id. */
void tny_context_ids_remove(struct tny_context *context, bool is_spoiled);
/* The messages of something else that is told apart by this id may still be on their way: the same
   holds for it. */
void tny_context_ids_spoil(int64_t id);
/* Any context that is kept, or NULL. */
struct tny_context *tny_context_ids_any(void);

#endif
