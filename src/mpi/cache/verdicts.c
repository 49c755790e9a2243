/* A list of verdicts. */
#include "mpi/cache/verdicts.h"

#include "core/alloc.h"
#include "mpi/cache/same.h"

const struct tny_verdict *tny_verdicts_find(const struct tny_verdict *verdicts,
                                            const struct tny_verdict *plan)
{
  const struct tny_verdict *verdict = verdicts;
  while (verdict && (!tny_is_same_choice(verdict->choice, plan->choice) ||
                     verdict->root != plan->root || verdict->id != plan->id))
    verdict = verdict->next;
  return verdict;
}

void tny_verdicts_add(struct tny_verdict **verdicts, const struct tny_verdict *verdict)
{
  struct tny_verdict *added = tny_new(1, sizeof *added);
  if (!added)
    return;
  *added = *verdict;
  added->next = *verdicts;
  *verdicts = added;
}

void tny_verdicts_free(struct tny_verdict *verdicts)
{
  while (verdicts) {
    struct tny_verdict *next = verdicts->next;
    tny_free(verdicts);
    verdicts = next;
  }
}
