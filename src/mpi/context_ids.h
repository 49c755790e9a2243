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

/* How ids are given, from the greatest tag; `is_threaded`: two communicators of one rank may be
   given theirs at the same time. */
void tny_context_ids_open(int tag_max, uint32_t world_size, bool is_threaded);
/* What this rank proposes for a new communicator: above all ids that are in use here. */
int64_t tny_context_ids_propose(void);
/* At the first rank of a communicator, which is `leader` in the world: the id, by the greatest
   proposal; negative where there is none left. */
int64_t tny_context_ids_give(int64_t proposed, uint32_t leader);
/* Keeps a context, in its place by its id. Borrowed until it is removed. */
void tny_context_ids_add(struct tny_context *context);
/* `is_spoiled`: its messages may still be on their way, so that no later communicator may have its
   id. */
void tny_context_ids_remove(struct tny_context *context, bool is_spoiled);
/* Any context that is kept, or NULL. */
struct tny_context *tny_context_ids_any(void);

#endif
