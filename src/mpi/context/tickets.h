/* Mutual exclusion between the agreements on context ids that threads of one rank take part in. */
#ifndef TOURNEY_MPI_CONTEXT_TICKETS_H
#define TOURNEY_MPI_CONTEXT_TICKETS_H

#include <stdbool.h>
#include <stdint.h>

/* One agreement at this rank, kept in a list while it waits. */
struct tny_context_ticket {
  struct tny_context_ticket *next;
  int64_t number; /* the same at all its ranks, and no other agreement's */
};

/* At the first rank of a communicator, which is `leader` in a world of `world_size`: a number. */
int64_t tny_context_tickets_draw(uint32_t leader, uint32_t world_size);
/* Lists an agreement. Borrowed until tny_context_ticket_end. */
void tny_context_ticket_begin(struct tny_context_ticket *ticket, int64_t number);
/* Has this rank's ids changed by this agreement alone; false, and doesn't wait, where another
   changes them now or has a lesser number. */
bool tny_context_ticket_take(const struct tny_context_ticket *ticket);
/* Others may change them; nothing happens where this agreement hasn't taken them. */
void tny_context_ticket_let_go(const struct tny_context_ticket *ticket);
/* Takes the agreement off the list, and lets go. One that wasn't listed may be ended too. */
void tny_context_ticket_end(struct tny_context_ticket *ticket);

#endif
