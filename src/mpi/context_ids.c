/* Context ids. The messages of all communicators share one private communicator, and an id, which
   makes their tags, tells those of one from those of another. Two ids in use that share a rank must
   differ; that is agreed on a communicator's first use, over itself: every rank proposes a number
   above those that it has in use, and the first rank of the communicator, its leader, gives one
   that is no less than any proposal.

   Where a rank's communicators get their ids one after another, an id in use is below what its rank
   proposes, so a later one is greater: they differ. A number is given again only when every rank of
   the new communicator has freed the old one, and so has received all of its messages; numbers of
   communicators that failed, whose messages may still be on their way, are never given again.

   Where two may get theirs at the same time, proposals of one rank may be equal. Then numbers are
   the leaders' own, one residue of the world's size each, and a leader gives none twice. */
#include "mpi/context_ids.h"

#include <pthread.h>

static struct {
  pthread_mutex_t lock;
  struct tny_context *first, *last; /* by id */
  int64_t least;                    /* that may be given */
  int64_t max, stride;
} ids = {.lock = PTHREAD_MUTEX_INITIALIZER};

void tny_context_ids_open(int tag_max, uint32_t world_size, bool is_threaded)
{
  ids.max = ((int64_t)tag_max + 1) / TNY_MESSAGE_COUNT - 1;
  ids.stride = is_threaded ? world_size : 1;
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

int64_t tny_context_ids_give(int64_t proposed, uint32_t leader)
{
  int64_t number = proposed;
  pthread_mutex_lock(&ids.lock);
  if (ids.stride > 1) {
    number = ids.least + (leader + ids.stride - ids.least % ids.stride) % ids.stride;
    ids.least = number + 1;
  }
  pthread_mutex_unlock(&ids.lock);
  return number <= ids.max ? number : -1;
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

struct tny_context *tny_context_ids_any(void)
{
  pthread_mutex_lock(&ids.lock);
  struct tny_context *context = ids.last;
  pthread_mutex_unlock(&ids.lock);
  return context;
}
