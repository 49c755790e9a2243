/* Which plans of a communicator were proved, and which weren't. */
#ifndef TOURNEY_MPI_CACHE_VERDICTS_H
#define TOURNEY_MPI_CACHE_VERDICTS_H

#include <tourney/algorithm.h>

/* What all ranks agreed on of a plan. Kept as long as the communicator: plans come and go in each
   rank's cache as it has room, but a proof is a call of all ranks. Not shared by the communicators
   of a group, which threads may use at the same time: then not all ranks might know of a proof
   alike. */
struct tny_verdict {
  struct tny_verdict *next;
  struct tny_algorithm_choice choice;
  uint32_t root;
  struct tny_pace pace;
  bool is_proved;
};

/* The verdict of the plan that `plan` names by algorithm, root and pace; NULL: there is none. */
const struct tny_verdict *tny_verdicts_find(const struct tny_verdict *verdicts,
                                            const struct tny_verdict *plan);
/* Is there any for this algorithm and root, whatever the pace? */
bool tny_verdicts_have(const struct tny_verdict *verdicts, struct tny_algorithm_choice choice,
                       uint32_t root);
void tny_verdicts_free(struct tny_verdict *verdicts);

#endif
