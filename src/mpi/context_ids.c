/* The numbers of channels. All channels' messages share one private communicator, and a number,
   which makes its tags, tells one channel's from another's. Two live channels that share a rank
   must differ in their numbers; that is agreed on a channel's first use, over its own communicator:
   every rank proposes a number above those of its live channels, and the first rank of the
   communicator, its leader, gives one that is no less than any proposal.

   Where a rank's attaches come one after another, a live channel's number is below what its rank
   proposes, so a later one's is greater: they differ. A number is given again only when every rank
   of the new channel has freed the old one, and so has received all of its messages; numbers of
   channels that failed, whose messages may still be on their way, are never given again.

   Where they may run beside each other, proposals of one rank may be equal. Then numbers are the
   leaders' own, one residue of the world's size each, and a leader gives none twice. */
#include "mpi/runtime.h"

static struct {
  pthread_mutex_t lock;
  struct tny_channel *first, *last; /* by number */
  int64_t least;                    /* that may be given */
  int64_t max, stride;
} numbers = {.lock = PTHREAD_MUTEX_INITIALIZER};

void tny_numbers_open(int tag_max, uint32_t world_size, bool is_threaded)
{
  numbers.max = ((int64_t)tag_max + 1) / TNY_MESSAGE_COUNT - 1;
  numbers.stride = is_threaded ? world_size : 1;
  numbers.least = 0;
}

int64_t tny_numbers_propose(void)
{
  pthread_mutex_lock(&numbers.lock);
  const int64_t above = numbers.last ? numbers.last->number + 1 : 0;
  const int64_t least = numbers.least;
  pthread_mutex_unlock(&numbers.lock);
  return above > least ? above : least;
}

int64_t tny_numbers_give(int64_t proposed, uint32_t leader)
{
  int64_t number = proposed;
  pthread_mutex_lock(&numbers.lock);
  if (numbers.stride > 1) {
    number =
        numbers.least + (leader + numbers.stride - numbers.least % numbers.stride) % numbers.stride;
    numbers.least = number + 1;
  }
  pthread_mutex_unlock(&numbers.lock);
  return number <= numbers.max ? number : -1;
}

void tny_numbers_add(struct tny_channel *channel)
{
  pthread_mutex_lock(&numbers.lock);
  struct tny_channel *before = channel->number < 0 ? NULL : numbers.last;
  while (before && before->number > channel->number)
    before = before->before;
  channel->before = before;
  channel->next = before ? before->next : numbers.first;
  *(channel->next ? &channel->next->before : &numbers.last) = channel;
  *(before ? &before->next : &numbers.first) = channel;
  pthread_mutex_unlock(&numbers.lock);
}

void tny_numbers_remove(struct tny_channel *channel)
{
  pthread_mutex_lock(&numbers.lock);
  *(channel->before ? &channel->before->next : &numbers.first) = channel->next;
  *(channel->next ? &channel->next->before : &numbers.last) = channel->before;
  if (channel->broken != MPI_SUCCESS && channel->number >= numbers.least)
    numbers.least = channel->number + 1;
  pthread_mutex_unlock(&numbers.lock);
}

struct tny_channel *tny_numbers_any(void)
{
  pthread_mutex_lock(&numbers.lock);
  struct tny_channel *channel = numbers.last;
  pthread_mutex_unlock(&numbers.lock);
  return channel;
}
