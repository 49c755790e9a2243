/* Prepared algorithms: what is found once for an algorithm and root, whatever the size. Some are
   kept, the most recently used; the others are prepared again when they are asked for again. */
#ifndef TOURNEY_MPI_CACHE_PREPARED_H
#define TOURNEY_MPI_CACHE_PREPARED_H

#include <tourney/model.h>

enum { TNY_PREPARED_MAX = 8 }; /* that a group keeps for each collective */

struct tny_prepared {
  struct tny_prepared *next; /* the one that was used before it */
  struct tny_algorithm_choice choice;
  struct tny_problem problem;
  uint64_t chunk_bytes; /* that a chunk of every rank may have (tny_model_chunk_budget) */
};

/* Takes the algorithm, prepared for this problem, out of the list, or prepares it now; the caller's
   until it is put back, and so long it borrows the problem's pattern. The problem isn't a prepared
   one; all problems of a list have the same pattern. NULL: no memory. */
struct tny_prepared *tny_prepared_take(struct tny_prepared **list,
                                       struct tny_algorithm_choice choice,
                                       const struct tny_problem *problem);
/* Puts it at the front of the list, and frees what the list then has too many of. */
void tny_prepared_put(struct tny_prepared **list, struct tny_prepared *prepared);
/* Frees a list of them. */
void tny_prepared_free(struct tny_prepared *list);

#endif
