/* Vector clocks of a phased schedule: what each rank must know of the others at each of its sends,
   in every possible run.

   A rank's clock has an entry for each rank: so many steps of that rank's list have started for
   certain when the next step of this rank's sending queue starts. A message or token carries its
   sender's clock as it was at its start. A rank that waits for one merges the carried clock into
   its own: each entry becomes the larger of both.

   A receive isn't in the clocks itself. It is known to be complete where a step that waits for it
   is known to have started: a step of its own rank, or of a rank that a token has informed. */
#ifndef TOURNEY_PASSES_VECTOR_CLOCKS_H
#define TOURNEY_PASSES_VECTOR_CLOCKS_H

#include "passes/step_phases.h"

struct tny_vector_clocks;

/* A step by its rank and its index in the rank's list; rank TNY_NONE: none. */
struct tny_rank_step {
  uint32_t rank, index;
};

enum { TNY_INFORMED_RANKS = 3 };

/* A message or token, and the steps that can only start once it is received. */
struct tny_clocked_message {
  uint32_t send;                      /* id of the step that sends it */
  uint32_t informed_count;            /* how often another rank has been informed of its receipt */
  struct tny_rank_step receiver_step; /* the first step of its receiver that waits for it */
  struct tny_rank_step informed_steps[TNY_INFORMED_RANKS]; /* the last such steps of other ranks */
};

/* A token that a rank could send behind all that it sends up to some phase. */
struct tny_token_clock {
  uint32_t rank;
  uint32_t next_message; /* number of the rank's first message behind the token */
  /* The clock that the token would carry, by rank; NULL: it is no longer kept. Borrowed, until the
     walk goes on to the next step. */
  const uint32_t *clock;
};

/* Owns: *clocks is the caller's, tny_vector_clocks_free. */
enum tny_status tny_vector_clocks_make(const struct tny_step_phases *phases,
                                       struct tny_vector_clocks **clocks,
                                       struct tny_error *error) TNY_MUST_CHECK;
void tny_vector_clocks_free(struct tny_vector_clocks *clocks);

/* Takes the steps in an order in which they may start, phase by phase, and calls `visit` for each
   send and token out before it starts. In a schedule that deadlocks, the walk ends there. */
typedef void tny_vector_clocks_visit(void *context, uint32_t id);
void tny_vector_clocks_walk(struct tny_vector_clocks *clocks, tny_vector_clocks_visit *visit,
                            void *context);

/* A rank's clock at the step that the walk has reached, by rank. Borrowed; it follows the walk. */
const uint32_t *tny_vector_clocks_of(const struct tny_vector_clocks *clocks, uint32_t rank);
/* The message of a send or token out. Borrowed; it follows the walk. */
const struct tny_clocked_message *tny_vector_clocks_message(const struct tny_vector_clocks *clocks,
                                                            uint32_t send);
/* Lets the visited step `id` wait for a receive of its own rank. */
void tny_vector_clocks_wait(const struct tny_vector_clocks *clocks, uint32_t id, uint32_t receive);
/* Does the visited step `id`, or an earlier one of its rank, wait for this receive of that rank? */
bool tny_vector_clocks_waits(const struct tny_vector_clocks *clocks, uint32_t id, uint32_t receive);

/* The token that a rank could send behind its messages of `phase` and before. That phase is lower
   than the phase of the visited step. */
struct tny_token_clock tny_vector_clocks_token(const struct tny_vector_clocks *clocks,
                                               uint32_t rank, uint32_t phase);
/* Lets the visited step `id` wait for this token: merges the clock that the token carries. */
void tny_vector_clocks_merge_token(const struct tny_vector_clocks *clocks, uint32_t id,
                                   const struct tny_token_clock *token);
/* The token also waits for this receive of its sender: merges what the received message carries,
   and notes that the rank of `id` is informed of its receipt. */
void tny_vector_clocks_merge_receive(const struct tny_vector_clocks *clocks, uint32_t id,
                                     const struct tny_token_clock *token, uint32_t receive);

/* Does a clock show that the message is received? The clock of a rank tells what that rank knows;
   the clock of a token, what its receiver would learn without letting the token wait for more. */
static inline bool tny_clock_shows_received(const uint32_t *clock,
                                            const struct tny_clocked_message *message)
{
  const struct tny_rank_step *step = &message->receiver_step;
  if (step->rank != TNY_NONE && step->index < clock[step->rank])
    return true;
  for (uint32_t i = 0; i < TNY_INFORMED_RANKS && i < message->informed_count; i++)
    if (message->informed_steps[i].index < clock[message->informed_steps[i].rank])
      return true;
  return false;
}

#endif
