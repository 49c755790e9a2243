/* The list of verdicts of a communicator. prove.c reaches them. */
#include "mpi/cache/verdicts.h"

#include "core/alloc.h"

const struct tny_verdict *tny_verdicts_find(const struct tny_verdict *verdicts,
                                            const struct tny_verdict *plan)
{
  const struct tny_verdict *verdict = verdicts;
  while (verdict &&
         (verdict->choice.algorithm != plan->choice.algorithm ||
          verdict->choice.parameter != plan->choice.parameter || verdict->root != plan->root ||
          verdict->pace.chunk_count != plan->pace.chunk_count ||
          verdict->pace.window != plan->pace.window ||
          verdict->pace.limit_message_bytes != plan->pace.limit_message_bytes))
    verdict = verdict->next;
  return verdict;
}

void tny_verdicts_free(struct tny_verdict *verdicts)
{
  while (verdicts) {
    struct tny_verdict *next = verdicts->next;
    tny_free(verdicts);
    verdicts = next;
  }
}
