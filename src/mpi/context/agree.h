/* Has all ranks of a communicator agree on its context id. */
#ifndef TOURNEY_MPI_CONTEXT_AGREE_H
#define TOURNEY_MPI_CONTEXT_AGREE_H

#include <mpi.h>

#include "mpi/context/tickets.h"

/* What an answer has where there is no id. */
enum {
  TNY_CONTEXT_NONE = -1,      /* there is none left */
  TNY_CONTEXT_NO_MEMORY = -2, /* at some rank */
  TNY_CONTEXT_LATER = -3,     /* it takes tny_context_settle */
};

/* The answer of a communicator's first rank to the proposals of all ranks, to be broadcast. */
struct tny_context_answer {
  int64_t id;
  int64_t ticket; /* negative: none is needed, as no other agreement goes on */
};

/* What a rank that is out of memory proposes. */
#define TNY_CONTEXT_CANNOT INT64_MAX

/* At the first rank, which is `leader` in the world: answers the greatest proposal. */
struct tny_context_answer tny_context_answer(int64_t greatest, uint32_t leader);
/* Where the answer was `later`, finds the id. The ticket is all zero, and stays in use until
   tny_context_ticket_end, which comes after the id was added to those in use. Collective; returns
   an MPI error code of a call on `comm`. */
int tny_context_settle(MPI_Comm comm, struct tny_context_ticket *ticket,
                       struct tny_context_answer *answer);

#endif
