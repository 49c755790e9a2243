/* The plans of a group, cached, and how calls are run by them. */
#ifndef TOURNEY_MPI_PLANS_H
#define TOURNEY_MPI_PLANS_H

#include "mpi/group.h"

/* What each rank has for each other in a call, where its plan goes by that; `id` tells it from
   others. All zero: it doesn't. */
struct tny_plan_counts {
  uint64_t id;
  uint64_t longest;            /* block, in bytes */
  struct tny_pattern *pattern; /* at rank 0, which plans; else NULL */
};

/* What a call is to be run by. */
struct tny_plan_request {
  struct tny_algorithm_choice choice;
  uint32_t root;
  uint64_t block_bytes;
  /* Not 0: of blocks that differ in size, as all ranks know; then block_bytes are the longest's. */
  uint64_t mean_bytes;
  struct tny_plan_counts counts;
};

static inline struct tny_sizes tny_plan_request_sizes(const struct tny_plan_request *request)
{
  return (struct tny_sizes){.longest_bytes = request->block_bytes,
                            .mean_bytes = request->mean_bytes};
}

/* The pattern that the request is planned for: its counts, or that of the group, which is made now.
   NULL: all send to all. Owns: *made is the caller's (tny_pattern_free); it may be NULL. */
enum tny_status tny_plan_request_pattern(const struct tny_group *group,
                                         const struct tny_plan_request *request,
                                         struct tny_pattern **made,
                                         const struct tny_pattern **pattern,
                                         struct tny_error *error) TNY_MUST_CHECK;

/* What is known of its plan at every rank alike (handout/handout.h). */
struct tny_plan_basis {
  struct tny_segments run;         /* how it is cut and paced */
  const struct tny_handed *handed; /* this rank's part; NULL: it makes its steps itself */
  bool is_stored;                  /* it comes out of a store */
};

/* How the call is cut and paced, where a rank finds that alone (tny_model_segments_alone). */
bool tny_plan_run_alone(struct tny_group *group, const struct tny_plan_request *request,
                        struct tny_segments *run);
/* The plan for it, from the group's cache or laid out now, for this thread alone until it is put
   back. NULL: no memory. */
struct tny_plan *tny_plan_get(struct tny_group *group, const struct tny_plan_request *request,
                              const struct tny_plan_basis *basis);
void tny_plan_put(struct tny_group *group, struct tny_plan *plan);

#endif
