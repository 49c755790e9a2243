/* Tickets. Nobody waits for a ticket's turn: an agreement that can't have it at one of its ranks is
   tried again. So no order in which threads come to their agreements, which may differ from rank to
   rank, makes them wait for each other in a circle. */
#include "mpi/context/tickets.h"

#include <pthread.h>
#include <stddef.h>

static struct {
  pthread_mutex_t lock;
  struct tny_context_ticket *waiting;
  const struct tny_context_ticket *holder;
  int64_t drawn;
} tickets = {.lock = PTHREAD_MUTEX_INITIALIZER};

int64_t tny_context_tickets_draw(uint32_t leader, uint32_t world_size)
{
  pthread_mutex_lock(&tickets.lock);
  const int64_t count = tickets.drawn++;
  pthread_mutex_unlock(&tickets.lock);
  return count * world_size + leader;
}

void tny_context_ticket_begin(struct tny_context_ticket *ticket, int64_t number)
{
  ticket->number = number;
  pthread_mutex_lock(&tickets.lock);
  ticket->next = tickets.waiting;
  tickets.waiting = ticket;
  pthread_mutex_unlock(&tickets.lock);
}

bool tny_context_ticket_take(const struct tny_context_ticket *ticket)
{
  pthread_mutex_lock(&tickets.lock);
  bool is_first = tickets.holder == NULL;
  for (const struct tny_context_ticket *other = tickets.waiting; other; other = other->next)
    is_first &= other->number >= ticket->number;
  if (is_first)
    tickets.holder = ticket;
  pthread_mutex_unlock(&tickets.lock);
  return is_first;
}

void tny_context_ticket_let_go(const struct tny_context_ticket *ticket)
{
  pthread_mutex_lock(&tickets.lock);
  if (tickets.holder == ticket)
    tickets.holder = NULL;
  pthread_mutex_unlock(&tickets.lock);
}

void tny_context_ticket_end(struct tny_context_ticket *ticket)
{
  tny_context_ticket_let_go(ticket);
  pthread_mutex_lock(&tickets.lock);
  struct tny_context_ticket **at = &tickets.waiting;
  while (*at && *at != ticket)
    at = &(*at)->next;
  if (*at)
    *at = ticket->next;
  pthread_mutex_unlock(&tickets.lock);
}
