/* The prepared algorithms of a group. What a planner prepares takes memory by the size of the whole
   cluster, and a broadcast may have as many roots as there are ranks: so few are kept. Which these
   are follows from the calls alone; no message depends on it, since what is prepared again is the
   same as before. No MPI function is called here. */
#include "mpi/cache/prepared.h"

#include "core/alloc.h"
#include "mpi/cache/same.h"

static void release(struct tny_prepared *prepared)
{
  tny_problem_release(prepared->choice.algorithm, &prepared->problem);
  tny_free(prepared);
}

void tny_prepared_free(struct tny_prepared *list)
{
  while (list) {
    struct tny_prepared *next = list->next;
    release(list);
    list = next;
  }
}

static struct tny_prepared *prepare(struct tny_algorithm_choice choice,
                                    const struct tny_problem *problem)
{
  struct tny_prepared *prepared = tny_new(1, sizeof *prepared);
  if (!prepared)
    return NULL;
  prepared->choice = choice;
  if (tny_problem_prepare(choice.algorithm, problem, &prepared->problem, NULL) == TNY_OK &&
      tny_model_chunk_budget(choice.algorithm, &prepared->problem, problem->network,
                             &prepared->chunk_bytes, NULL) == TNY_OK)
    return prepared;
  release(prepared);
  return NULL;
}

struct tny_prepared *tny_prepared_take(struct tny_prepared **list,
                                       struct tny_algorithm_choice choice,
                                       const struct tny_problem *problem)
{
  for (struct tny_prepared **at = list; *at; at = &(*at)->next) {
    struct tny_prepared *prepared = *at;
    if (tny_is_same_choice(prepared->choice, choice) && prepared->problem.root == problem->root) {
      *at = prepared->next;
      prepared->problem.pattern = problem->pattern;
      return prepared;
    }
  }
  return prepare(choice, problem);
}

void tny_prepared_put(struct tny_prepared **list, struct tny_prepared *prepared)
{
  const enum tny_collective collective = prepared->problem.collective;
  uint32_t count = 0;
  prepared->problem.pattern = NULL;
  prepared->next = *list;
  *list = prepared;
  for (struct tny_prepared **at = list; *at;) {
    struct tny_prepared *one = *at;
    count += one->problem.collective == collective;
    if (one->problem.collective == collective && count > TNY_PREPARED_MAX) {
      *at = one->next;
      release(one);
    } else {
      at = &one->next;
    }
  }
}
