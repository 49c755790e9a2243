/* Tokens put into one rank's list of a phased schedule. */
#ifndef TOURNEY_PASSES_INSERT_TOKENS_H
#define TOURNEY_PASSES_INSERT_TOKENS_H

#include <tourney/schedule.h>

/* A token that comes behind all steps of its queue of phase `phase` and before the later ones. */
struct tny_insert {
  enum tny_step_kind kind;
  uint32_t peer, phase;
};

/* Steps are named by their place in the old list, tokens by the list's length + their number. */
struct tny_extra_wait {
  uint32_t waits, waited_for;
};

struct tny_weave {
  const struct tny_steps *in; /* borrowed, as is `phase`: by step, for a copy see conflicts.h */
  const uint32_t *phase;
  /* Of each queue in order of phase; the same order of tokens on all ranks keeps them from waiting
     for each other in a circle. Owned. */
  struct tny_insert *inserts;
  uint32_t insert_count, insert_room;
  struct tny_extra_wait *waits; /* in any order; owned */
  uint32_t wait_count, wait_room;
  bool failed; /* out of memory */
};

/* Returns the token's name. */
uint32_t tny_weave_insert(struct tny_weave *weave, struct tny_insert insert);
void tny_weave_wait(struct tny_weave *weave, uint32_t waits, uint32_t waited_for);
/* The new list. Owns: *out is the caller's. */
enum tny_status tny_weave_finish(struct tny_weave *weave, struct tny_steps *out,
                                 struct tny_error *error) TNY_MUST_CHECK;
/* Ready for the next rank; keeps its memory. */
void tny_weave_clear(struct tny_weave *weave);
void tny_weave_release(struct tny_weave *weave);

#endif
