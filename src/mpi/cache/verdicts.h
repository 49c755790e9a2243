/* Which plans were proved, and which weren't, at the rank that makes them. */
#ifndef TOURNEY_MPI_CACHE_VERDICTS_H
#define TOURNEY_MPI_CACHE_VERDICTS_H

#include "plan/parts.h"

/* Kept as long as the group: many sizes have the same plan, and a proof takes longer than a plan.
   What its communicators agreed on is theirs (agreed.h); this only saves work. */
struct tny_verdict {
  struct tny_verdict *next;
  struct tny_algorithm_choice choice;
  uint32_t root;
  int64_t id; /* of the parts */
  bool is_proved;
};

/* The verdict of the plan that `plan` names by algorithm, root and id; NULL: there is none. */
const struct tny_verdict *tny_verdicts_find(const struct tny_verdict *verdicts,
                                            const struct tny_verdict *plan);
/* Adds a copy; where there is no memory for it, the plan is proved again some time. */
void tny_verdicts_add(struct tny_verdict **verdicts, const struct tny_verdict *verdict);
void tny_verdicts_free(struct tny_verdict *verdicts);

#endif
