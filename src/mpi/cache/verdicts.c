/* The list of verdicts of a communicator. prove.c reaches them. */
#include "mpi/cache/verdicts.h"

#include "core/alloc.h"
#include "mpi/cache/same.h"

static bool is_of(const struct tny_verdict *verdict, struct tny_algorithm_choice choice,
                  uint32_t root)
{
  return tny_is_same_choice(verdict->choice, choice) && verdict->root == root;
}

const struct tny_verdict *tny_verdicts_find(const struct tny_verdict *verdicts,
                                            const struct tny_verdict *plan)
{
  const struct tny_verdict *verdict = verdicts;
  while (verdict && (!is_of(verdict, plan->choice, plan->root) ||
                     !tny_is_same_pace(verdict->pace, plan->pace)))
    verdict = verdict->next;
  return verdict;
}

bool tny_verdicts_have(const struct tny_verdict *verdicts, struct tny_algorithm_choice choice,
                       uint32_t root)
{
  const struct tny_verdict *verdict = verdicts;
  while (verdict && !is_of(verdict, choice, root))
    verdict = verdict->next;
  return verdict != NULL;
}

void tny_verdicts_free(struct tny_verdict *verdicts)
{
  while (verdicts) {
    struct tny_verdict *next = verdicts->next;
    tny_free(verdicts);
    verdicts = next;
  }
}
