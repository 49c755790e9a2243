/* The prover: one algorithm on one cluster, for the roots asked for, in whole blocks and as the
   model cuts and paces them. */
#ifndef TOURNEY_VERIFY_PROVE_H
#define TOURNEY_VERIFY_PROVE_H

#include "cases.h"
#include "cli/shared/mapping.h"
#include "proved.h"

/* Numbers of ranks up to here are noted. */
enum { VERIFY_RANKS_MAX = 129 };

/* In which setting an algorithm is proved. */
struct verify_setting {
  const struct mapping *mapping; /* borrowed */
  enum tny_map map;
  enum verify_roots roots;
  uint64_t block_bytes;         /* that the model cuts */
  struct verify_proved *proved; /* borrowed: what was proved, in this setting and before */
};

/* What was proved. */
struct verify_tally {
  uint64_t schedules, steps, messages;
  uint64_t renamed;             /* schedules covered by the proof of one before, with other names */
  uint64_t with_own_block;      /* of the schedules: the input may lie in the output */
  uint64_t in_place;            /* of these: proved in place too */
  uint32_t phase_link_messages; /* the most on a link in a phase, of whole blocks */
  uint32_t in_flight;           /* most messages on a link, as the model cuts and paces */
  double buffer_share; /* the most bytes in flight over a link, as a share of its port buffer */
  /* Numbers of ranks that were proved for all roots that there are, a bit each. */
  uint64_t ranks[VERIFY_RANKS_MAX / 64 + 1];
};
void verify_tally_add(struct verify_tally *total, const struct verify_tally *part);
/* How many numbers of ranks, up to VERIFY_RANKS_MAX, were proved for all roots. */
uint32_t verify_tally_ranks(const struct verify_tally *tally);

/* Adds to `tally` and to what is proved; nothing where the algorithm refuses. Errors: TNY_BROKEN
   with the counterexample and what was planned. */
enum tny_status verify_prove(const struct verify_setting *setting,
                             struct tny_algorithm_choice choice, struct verify_tally *tally,
                             struct tny_error *error) TNY_MUST_CHECK;

#endif
