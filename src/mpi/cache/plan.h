/* A plan: one rank's steps, laid out to be run. */
#ifndef TOURNEY_MPI_CACHE_PLAN_H
#define TOURNEY_MPI_CACHE_PLAN_H

#include <mpi.h>

#include <tourney/algorithm.h>

#include "mpi/cache/agreed.h"
#include "mpi/cache/strided_types.h"

/* For one algorithm, root and pace, with room for its requests. */
struct tny_plan {
  struct tny_plan *next; /* in a group's list */
  struct tny_algorithm_choice choice;
  uint32_t root;
  struct tny_pace pace;
  int64_t id; /* of the plan that it was handed a part of; 0: it made its own steps */
  struct tny_steps steps;
  uint32_t scratch_blocks;
  uint32_t piece_count; /* that blocks are cut in by all spans that don't take them whole; or 1 */
  bool keeps_input;     /* an all-gather: it may run in place */
  /* The two queues of the schedule's semantics, as step indices: receives, and all that starts. */
  uint32_t *posted, *started;
  uint32_t posted_count, started_count;
  MPI_Request *requests; /* by step */
  struct tny_strided_types types;
  uint32_t *type_hints; /* by step: where its type was last; NULL where all are single blocks */
  /* By step, of a reduce-scatter whose blocks differ: the input block that its data belongs to,
     whose bytes it has wherever it lies. NULL until the plan first serves such a call. */
  uint32_t *held_blocks;
};

/* Plans `rank` of a prepared problem. Owns: the caller's, tny_plan_free; NULL: no memory. */
struct tny_plan *tny_plan_new(struct tny_algorithm_choice choice, const struct tny_problem *problem,
                              struct tny_pace pace, uint32_t rank);
/* Lays out the rank's part of a plan that was handed out, with that pace where it isn't finished.
   Owns, NULL: as above. */
struct tny_plan *tny_plan_of_part(const struct tny_handed *handed, struct tny_pace pace,
                                  uint32_t rank_count, uint32_t rank);
/* Lays steps out that are there; they are the plan's from now on, also after a failure. */
struct tny_plan *tny_plan_of_steps(struct tny_steps *steps);
void tny_plan_free(struct tny_plan *plan);
/* Finds the plan's held_blocks, where they aren't there yet. False: no memory. */
bool tny_plan_find_held(struct tny_plan *plan, uint32_t rank);
/* Frees a list of them. */
void tny_plans_free(struct tny_plan *plans);

#endif
