/* How one rank's steps are made, stage by stage: emitted by the algorithm, cut in chunks, paced.
   Whoever has what is emitted and these numbers makes the rest without the algorithm. */
#ifndef TOURNEY_PLAN_STAGES_H
#define TOURNEY_PLAN_STAGES_H

#include <tourney/algorithm.h>

struct tny_stages {
  uint32_t piece_count;    /* of a block, as it is emitted */
  uint32_t scratch_blocks; /* of a rank */
  uint32_t cut_count, run; /* tny_pass_chunk; 1: not cut */
  enum tny_pacing pacing;  /* tny_pass_pace ... */
  uint32_t window;         /* ... 0: not paced */
};
/* Of a prepared problem that isn't refused. */
struct tny_stages tny_plan_stages(const struct tny_algorithm *algorithm,
                                  const struct tny_problem *problem, struct tny_pace pace);
/* One rank's steps as the algorithm emits them. Owns: the caller's (tny_steps_release). */
enum tny_status tny_plan_emit(const struct tny_algorithm *algorithm,
                              const struct tny_problem *problem, struct tny_pace pace,
                              uint32_t rank, struct tny_steps *steps,
                              struct tny_error *error) TNY_MUST_CHECK;
/* By its own function, of a settled problem (tny_plan_problem): it mirrors no other. */
enum tny_status tny_stages_emit(const struct tny_algorithm *algorithm,
                                const struct tny_problem *settled, uint32_t rank,
                                struct tny_steps *steps, struct tny_error *error) TNY_MUST_CHECK;
/* Cuts and paces them in place; after a failure there are none. */
enum tny_status tny_plan_finish(const struct tny_stages *stages, struct tny_steps *steps,
                                struct tny_error *error) TNY_MUST_CHECK;

#endif
