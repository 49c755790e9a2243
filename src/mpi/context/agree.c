/* How the ranks of a communicator agree on its context id (context/ids.c), by native collectives
   over itself.

   Where threads don't use MPI at the same time, once is enough: all ranks propose a number, and
   the first rank answers with the greatest. Where they do, another thread of a rank might be given
   an id between its proposal and the answer. Then the first answer is a ticket, and tells every
   rank that all have come; from then on each of them does nothing but try, until one attempt has
   them all: a rank that another communicator of its own is given an id at, or is to be given one
   first, says so in its proposal. An attempt waits for nothing but its own ranks, which all have
   come, so it ends; and the least ticket under way is refused nowhere once the attempts that hold
   its ranks have ended. A first rank's tickets rise, so every one is the least at last. Where the
   tags don't reach the greatest proposal, windows of numbers are searched for one that is free at
   all ranks. */
#include "mpi/context/agree.h"

#include "mpi/context/ids.h"
#include "mpi/native.h"
#include "mpi/world.h"

enum { WINDOWS_MAX = 64 }; /* that are searched: more numbers than an MPI has communicators */

/* What a rank proposes whose ids may be changed by another agreement only. */
#define REFUSED (TNY_CONTEXT_CANNOT - 1)

/* What the first rank answers to an attempt that has no id at once. */
enum { TRY_AGAIN = -4, SEARCH = -5 };

struct tny_context_answer tny_context_answer(int64_t greatest, uint32_t leader)
{
  const struct tny_world *world = tny_world_get();
  struct tny_context_answer answer = {.id = TNY_CONTEXT_LATER, .ticket = -1};
  if (greatest == TNY_CONTEXT_CANNOT)
    answer.id = TNY_CONTEXT_NO_MEMORY;
  else if (world->threads_multiple)
    answer.ticket = tny_context_tickets_draw(leader, world->rank_count);
  else if (tny_context_ids_reach(greatest))
    answer.id = greatest;
  return answer;
}

/* Finds the least number that is free at all ranks. */
static int search(MPI_Comm comm, int64_t *id)
{
  int code = MPI_SUCCESS;
  *id = TNY_CONTEXT_NONE;
  for (int64_t i = 0; code == MPI_SUCCESS && *id < 0 && i < WINDOWS_MAX; i++) {
    const int64_t first = i * TNY_CONTEXT_WINDOW;
    uint64_t own[TNY_CONTEXT_WINDOW_WORDS], all[TNY_CONTEXT_WINDOW_WORDS] = {0};
    if (!tny_context_ids_reach(first))
      break;
    tny_context_ids_mark(first, own);
    code = tny_native.reduce(own, all, TNY_CONTEXT_WINDOW_WORDS, MPI_UINT64_T, MPI_BOR, 0, comm);
    *id = tny_context_ids_least(first, all);
    if (code == MPI_SUCCESS)
      code = tny_native.bcast(id, 1, MPI_INT64_T, 0, comm);
  }
  return code;
}

static int64_t answer_attempt(int64_t greatest)
{
  if (greatest == REFUSED)
    return TRY_AGAIN;
  return tny_context_ids_reach(greatest) ? greatest : SEARCH;
}

/* Where it succeeds, the ticket holds the ids of this rank. */
static int attempt(MPI_Comm comm, const struct tny_context_ticket *ticket, int64_t *id)
{
  int64_t proposed = tny_context_ticket_take(ticket) ? tny_context_ids_propose() : REFUSED;
  int64_t greatest = REFUSED;
  int code = tny_native.reduce(&proposed, &greatest, 1, MPI_INT64_T, MPI_MAX, 0, comm);
  *id = answer_attempt(greatest);
  if (code == MPI_SUCCESS)
    code = tny_native.bcast(id, 1, MPI_INT64_T, 0, comm);
  if (code == MPI_SUCCESS && *id == SEARCH)
    code = search(comm, id);
  if (*id == TRY_AGAIN)
    tny_context_ticket_let_go(ticket);
  return code;
}

int tny_context_settle(MPI_Comm comm, struct tny_context_ticket *ticket,
                       struct tny_context_answer *answer)
{
  int code = MPI_SUCCESS;
  if (answer->ticket < 0)
    return search(comm, &answer->id);
  tny_context_ticket_begin(ticket, answer->ticket);
  do
    code = attempt(comm, ticket, &answer->id);
  while (code == MPI_SUCCESS && answer->id == TRY_AGAIN);
  return code;
}
