/* What the classes of some ranks were settled on: kept by rank 0, handed on to communicators. */
#ifndef TOURNEY_MPI_GUARD_RESULTS_H
#define TOURNEY_MPI_GUARD_RESULTS_H

#include "mpi/guard/rules.h"

/* All zero: none. The last settled is the last. */
struct tny_guard_results {
  uint32_t count, room;
  struct tny_guard_result *list;
};

/* What is kept of the class, or NULL. */
const struct tny_guard_result *tny_guard_results_find(const struct tny_guard_results *results,
                                                      enum tny_collective collective,
                                                      uint32_t number);
/* Puts a class's result in the place of an earlier one. Without memory it isn't kept. */
void tny_guard_results_put(struct tny_guard_results *results,
                           const struct tny_guard_result *result);
void tny_guard_results_release(struct tny_guard_results *results);

/* A way to serve, as one number that is the same at every rank: 0 is native. */
int64_t tny_guard_choice_code(struct tny_algorithm_choice choice);
struct tny_algorithm_choice tny_guard_choice_of(int64_t code);

/* Results as whole numbers, to be handed to a new communicator: of the last settled, so many at
   most, each as so many words. */
enum { TNY_GUARD_HANDED = 12, TNY_GUARD_RESULT_WORDS = 4 };
uint32_t tny_guard_results_pack(const struct tny_guard_results *results,
                                int64_t words[TNY_GUARD_HANDED * TNY_GUARD_RESULT_WORDS]);
struct tny_guard_result tny_guard_result_unpack(const int64_t words[TNY_GUARD_RESULT_WORDS]);

#endif
