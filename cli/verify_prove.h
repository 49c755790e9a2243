/* The prover: one algorithm on one cluster, for the roots wanted, whole and as the model cuts and
   clocks it. */
#ifndef TOURNEY_VERIFY_PROVE_H
#define TOURNEY_VERIFY_PROVE_H

#include "scene.h"
#include "verify_cases.h"
#include "verify_proved.h"

/* Where algorithms are proved. */
struct verify_stage {
  struct scene scene; /* owned, scene_close */
  enum tny_map map;
  enum verify_roots roots;
  uint64_t block_bytes;         /* that the model cuts */
  struct verify_proved *proved; /* borrowed: on this stage, and on others before */
};

/* What was proved. */
struct verify_tally {
  uint64_t schedules, steps, messages;
  uint64_t renamed;              /* of the schedules: of one proved before, with other names */
  uint64_t allgathers, in_place; /* of the schedules; and of these, right in place too */
  uint32_t phase_link_messages;  /* worst, of whole blocks */
  uint32_t in_flight;            /* most messages on a link, as the model cuts and clocks */
  double buffer_share;           /* most bytes in flight over a link's port buffer */
};
void verify_tally_add(struct verify_tally *total, const struct verify_tally *part);

/* Adds to `tally` and to what is proved; nothing where the algorithm refuses. Errors: TNY_BROKEN
   with the counterexample and what was planned. */
enum tny_status verify_prove(const struct verify_stage *stage, struct tny_algorithm_choice choice,
                             struct verify_tally *tally, struct tny_error *error) TNY_MUST_CHECK;

#endif
