/* A group: ranks of this world in some order, and what all communicators of these ranks share. */
#ifndef TOURNEY_MPI_GROUP_H
#define TOURNEY_MPI_GROUP_H

#include <mpi.h>
#include <pthread.h>

#include <tourney/model.h>

#include "mpi/cache/agreed.h"
#include "mpi/cache/plan.h"
#include "mpi/cache/planned_sizes.h"
#include "mpi/cache/prepared.h"
#include "mpi/cache/verdicts.h"
#include "mpi/forced.h"
#include "mpi/guard/results.h"
#include "mpi/pattern.h"

struct tny_world;

/* Memory for packed, in-place and scratch data. */
struct tny_staging {
  struct tny_staging *next;
  uint64_t bytes;
  char memory[];
};

/* What is worth a trial for a class, the best first. */
struct tny_ranked {
  struct tny_ranked *next;
  enum tny_collective collective;
  uint32_t number; /* of the class */
  bool is_ranked;
  uint32_t count;
  struct tny_guard_candidate candidates[TNY_GUARD_CANDIDATES];
};

/* Lives while a communicator of its ranks does. */
struct tny_group {
  struct tny_group *next; /* in its bucket */
  uint64_t hash;
  uint64_t comm_count; /* that share it */
  const struct tny_world *world;
  uint32_t rank, rank_count;
  int *world_ranks; /* by rank */
  struct tny_group_pattern pattern;
  uint32_t *host_of_rank;
  struct tny_network network;
  struct tny_placement *placement;
  struct tny_model model;
  uint64_t bytes_min[TNY_COLLECTIVE_COUNT]; /* shorter blocks are native */
  /* What the profile settles, profiled_count of them; NULL: none covers these ranks. */
  struct tny_guard_result *profiled;
  uint32_t profiled_count;
  struct tny_forced_wanted forced; /* the MPI's own algorithms among them, where it can be told */
  /* Below: filled on first use, by any thread that holds the lock. */
  pthread_mutex_t lock;
  /* At rank 0 only, for all: what is worth a trial for each class that asked; and what classes were
     settled on. */
  struct tny_ranked *ranked;
  struct tny_guard_results results;
  struct tny_prepared *prepared;  /* as prepared.h has it; at rank 0 */
  struct tny_handed *handed;      /* parts of plans that were handed out (agreed.h) */
  struct tny_planned_size *sizes; /* as planned_sizes.h has it */
  struct tny_verdict *verdicts;   /* of plans that were made here (TOURNEY_PROVE); at rank 0 */
  struct tny_plan *plans;         /* that no thread runs just now, the most recently used first */
  struct tny_staging *stagings;   /* that no thread uses just now */
};

/* What is known of a communicator's ranks without asking any of them. */
struct tny_whereabouts {
  bool is_inside;   /* all are from this MPI_COMM_WORLD */
  bool is_one_host; /* all are on the same one */
};
/* Looks the ranks up; allocates nothing. Fills world_ranks where that isn't NULL. An MPI error
   code. */
int tny_group_locate(MPI_Group members, int rank_count, struct tny_whereabouts *found,
                     int *world_ranks);
/* The group of these ranks, all from this world, with one communicator more; NULL: no memory. Of a
   neighbourhood, whose plans and results are its own, `pattern` says which send to each other; it
   is taken and is empty afterwards. Else it is NULL. */
struct tny_group *tny_group_get(MPI_Group members, int rank, int rank_count,
                                struct tny_group_pattern *pattern);
void tny_group_put(struct tny_group *group);
/* The group of all ranks of a world, in their order, which no communicator shares; of them this is
   `rank`. Owns: the caller's, tny_group_free; borrows the world. NULL: no memory. */
struct tny_group *tny_group_of_world(const struct tny_world *world, uint32_t rank);
void tny_group_free(struct tny_group *group);

/* The messages that a rank sends, or gets, at most, with what it has for itself. */
static inline uint32_t tny_group_messages_most(const struct tny_group *group)
{
  return group->pattern.id ? group->pattern.messages_most : group->rank_count;
}

/* Frees what a communicator of the group agreed on; NULL: nothing. */
void tny_group_let_go(struct tny_group *group, struct tny_agreed *agreed);

/* The problem of a group's ranks, not prepared, and without a neighbourhood's pattern, which rank 0
   alone knows. */
struct tny_problem tny_group_problem(const struct tny_group *group,
                                     struct tny_algorithm_choice choice, uint32_t root);
/* Why the algorithm can't plan it, a literal; NULL: it can. One that plans by sizes is given some
   only later, and may refuse these too. */
const char *tny_group_refusal(const struct tny_group *group, struct tny_algorithm_choice choice,
                              uint32_t root);

/* Takes staging memory of so many bytes: the group's own where some is free, so that there is as
   much as threads have used at once, and no call allocates that needs no more than those before.
   NULL: there is none left. To be put back. */
struct tny_staging *tny_staging_take(struct tny_group *group, uint64_t bytes);
void tny_staging_put(struct tny_group *group, struct tny_staging *staging);

#endif
