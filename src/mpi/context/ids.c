/* Context ids. The messages of all communicators share one private communicator, and an id, which
   makes their tags, tells those of one from those of another. Two ids in use that share a rank
   must differ; that is agreed on a communicator's first use, over itself (context/agree.c). The
   communicators of one rank are given theirs one after another, so what a rank has in use when it
   is asked is all that the new id may meet there.

   The id is above all that are in use at any of the communicator's ranks, or, where the tags don't
   reach so far, the least that is in use at none. So a number is given again only when every rank
   of the new communicator has freed the old one, and so has received all of its messages; numbers
   of communicators that failed, whose messages may still be on their way, are never given again. */
#include "mpi/context/ids.h"

#include <pthread.h>
#include <string.h>

static struct {
  pthread_mutex_t lock;
  struct tny_context *first, *last; /* by id */
  int64_t least;                    /* that may be given */
  int64_t max;
} ids = {.lock = PTHREAD_MUTEX_INITIALIZER};

void tny_context_ids_open(int tag_max)
{
  ids.max = ((int64_t)tag_max + 1) / TNY_MESSAGE_COUNT - 1;
  ids.least = 0;
}

int64_t tny_context_ids_propose(void)
{
  pthread_mutex_lock(&ids.lock);
  const int64_t above = ids.last ? ids.last->id + 1 : 0;
  const int64_t least = ids.least;
  pthread_mutex_unlock(&ids.lock);
  return above > least ? above : least;
}

bool tny_context_ids_reach(int64_t number)
{
  return number >= 0 && number <= ids.max;
}

static void mark(uint64_t window[TNY_CONTEXT_WINDOW_WORDS], int64_t index)
{
  window[index / 64] |= UINT64_C(1) << (index % 64);
}

void tny_context_ids_mark(int64_t first, uint64_t window[TNY_CONTEXT_WINDOW_WORDS])
{
  memset(window, 0, TNY_CONTEXT_WINDOW_WORDS * sizeof *window);
  pthread_mutex_lock(&ids.lock);
  for (const struct tny_context *context = ids.first; context; context = context->next)
    if (context->id >= first && context->id < first + TNY_CONTEXT_WINDOW)
      mark(window, context->id - first);
  const int64_t least = ids.least;
  pthread_mutex_unlock(&ids.lock);
  for (int64_t i = 0; i < TNY_CONTEXT_WINDOW; i++)
    if (first + i < least || !tny_context_ids_reach(first + i))
      mark(window, i);
}

int64_t tny_context_ids_least(int64_t first, const uint64_t window[TNY_CONTEXT_WINDOW_WORDS])
{
  for (int64_t i = 0; i < TNY_CONTEXT_WINDOW; i++)
    if (!(window[i / 64] >> (i % 64) & 1))
      return first + i;
  return -1;
}

void tny_context_ids_add(struct tny_context *context)
{
  pthread_mutex_lock(&ids.lock);
  struct tny_context *before = context->id < 0 ? NULL : ids.last;
  while (before && before->id > context->id)
    before = before->before;
  context->before = before;
  context->next = before ? before->next : ids.first;
  *(context->next ? &context->next->before : &ids.last) = context;
  *(before ? &before->next : &ids.first) = context;
  pthread_mutex_unlock(&ids.lock);
}

void tny_context_ids_remove(struct tny_context *context, bool is_spoiled)
{
  pthread_mutex_lock(&ids.lock);
  *(context->before ? &context->before->next : &ids.first) = context->next;
  *(context->next ? &context->next->before : &ids.last) = context->before;
  if (is_spoiled && context->id >= ids.least)
    ids.least = context->id + 1;
  pthread_mutex_unlock(&ids.lock);
}

void tny_context_ids_spoil(int64_t id)
{
  pthread_mutex_lock(&ids.lock);
  if (id >= ids.least)
    ids.least = id + 1;
  pthread_mutex_unlock(&ids.lock);
}

struct tny_context *tny_context_ids_any(void)
{
  pthread_mutex_lock(&ids.lock);
  struct tny_context *context = ids.last;
  pthread_mutex_unlock(&ids.lock);
  return context;
}
