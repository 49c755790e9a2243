/* Inserts tokens, and waits, into one rank's list of a phased schedule. */
#ifndef TOURNEY_PASSES_INSERT_TOKENS_H
#define TOURNEY_PASSES_INSERT_TOKENS_H

#include <tourney/schedule.h>

/* A token that stands in its queue behind all steps of phase `phase` and before all later ones. */
struct tny_inserted_token {
  enum tny_step_kind kind;
  uint32_t peer, phase;
};

/* A step's number is its index in the old list; a token's number is the length of that list plus
   the token's index in `tokens`. */
struct tny_extra_wait {
  uint32_t waits, waited_for; /* numbers */
};

struct tny_token_insertion {
  const struct tny_steps *in; /* borrowed, as is `phase`: by step, for a copy see step_phases.h */
  const uint32_t *phase;
  /* In each queue, in order of phase. All ranks insert the tokens of a phase in the same order, so
     that no tokens wait for each other in a cycle. Owned. */
  struct tny_inserted_token *tokens;
  uint32_t token_count, token_room;
  struct tny_extra_wait *waits; /* in any order; owned */
  uint32_t wait_count, wait_room;
  bool failed; /* out of memory */
};

/* Returns the token's number. */
uint32_t tny_token_insertion_add(struct tny_token_insertion *insertion,
                                 struct tny_inserted_token token);
/* Lets a step or token wait for another one of its rank; both by number. */
void tny_token_insertion_wait(struct tny_token_insertion *insertion, uint32_t waits,
                              uint32_t waited_for);
/* Makes the new list. Owns: *out is the caller's. */
enum tny_status tny_token_insertion_finish(struct tny_token_insertion *insertion,
                                           struct tny_steps *out,
                                           struct tny_error *error) TNY_MUST_CHECK;
/* Makes it ready for the next rank; keeps its memory. */
void tny_token_insertion_clear(struct tny_token_insertion *insertion);
void tny_token_insertion_release(struct tny_token_insertion *insertion);

#endif
