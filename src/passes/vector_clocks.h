/* What ranks know of each other in a phased schedule, whatever the order in which things happen.

   Each rank has a clock: how far every other rank must have come, as steps of its list, before the
   next step of this rank's sending queue starts. A message or token carries its sender's clock at
   its start; who waits for it takes over what is later in it. A receive is known to be complete
   where a witness is known to have started: a step that waits for it, of its own rank or, told by a
   token, of another. */
#ifndef TOURNEY_PASSES_VECTOR_CLOCKS_H
#define TOURNEY_PASSES_VECTOR_CLOCKS_H

#include "passes/conflicts.h"

struct tny_clocks;

/* A step of a rank's list; rank TNY_NONE: none. */
struct tny_witness {
  uint32_t rank, index;
};

enum { TNY_OTHER_WITNESSES = 3 };

/* What is known of a message or token. */
struct tny_message {
  uint32_t send;                                  /* its id */
  uint32_t told;                                  /* to how many others */
  struct tny_witness own;                         /* that it is received: of its receiver, */
  struct tny_witness others[TNY_OTHER_WITNESSES]; /* the last ones of other ranks */
};

/* A token that a rank could send behind all that it sends up to some phase. */
struct tny_teller {
  uint32_t rank;
  uint32_t behind; /* number of the rank's first message behind the token */
  const uint32_t
      *told; /* by rank: the clock that the token carries; NULL: it is forgotten. Borrowed,
                           while the present step is */
};

/* Owns: *clocks is the caller's, tny_clocks_free. */
enum tny_status tny_clocks_make(const struct tny_step_phases *phases, struct tny_clocks **clocks,
                                struct tny_error *error) TNY_MUST_CHECK;
void tny_clocks_free(struct tny_clocks *clocks);

/* Takes the steps phase by phase, and calls for each send and token out before it starts. Of a
   schedule that is stuck somewhere, the rest isn't looked at. */
typedef void tny_clocks_visit(void *context, uint32_t id);
void tny_clocks_walk(struct tny_clocks *clocks, tny_clocks_visit *visit, void *context);

/* A rank's clock at its present step, by rank; and a message. Borrowed, and kept up to date. */
const uint32_t *tny_clocks_of(const struct tny_clocks *clocks, uint32_t rank);
const struct tny_message *tny_clocks_message(const struct tny_clocks *clocks, uint32_t send);
/* The step of the present waits for a receive of its own rank. */
void tny_clocks_wait(const struct tny_clocks *clocks, uint32_t id, uint32_t receive);
/* Does some step of the rank up to the present one wait for this receive of its own? */
bool tny_clocks_waited(const struct tny_clocks *clocks, uint32_t id, uint32_t receive);

/* The phase has to be over: lower than that of the present step. */
struct tny_teller tny_clocks_teller(const struct tny_clocks *clocks, uint32_t rank, uint32_t phase);
/* The step of the present waits for this token; what else the token tells: */
void tny_clocks_hear(const struct tny_clocks *clocks, uint32_t id, const struct tny_teller *teller);
/* a receive of the teller's that the token waits for. */
void tny_clocks_hear_of(const struct tny_clocks *clocks, uint32_t id,
                        const struct tny_teller *teller, uint32_t receive);

/* Does a clock show that the message is received? That of a rank: so far as this knows; a teller's:
   so far as the token tells, even if it doesn't wait for it. */
static inline bool tny_clock_shows(const uint32_t *clock, const struct tny_message *message)
{
  if (message->own.rank != TNY_NONE && message->own.index < clock[message->own.rank])
    return true;
  for (uint32_t i = 0; i < TNY_OTHER_WITNESSES && i < message->told; i++)
    if (message->others[i].index < clock[message->others[i].rank])
      return true;
  return false;
}

#endif
