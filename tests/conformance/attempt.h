/* One combination, tried: made by the runtime and by the MPI alone in one process, and compared
   byte for byte with each other and with what the standard's text defines. */
#ifndef TOURNEY_TESTS_CONFORMANCE_ATTEMPT_H
#define TOURNEY_TESTS_CONFORMANCE_ATTEMPT_H

#include "axes.h"

enum { FAULT_TEXT = 160 };

struct attempt {
  bool is_first;          /* this rank is the communicator's first */
  const char *by;         /* what served it, as the runtime says; "native" */
  char fault[FAULT_TEXT]; /* what this rank found wrong; empty: nothing */
};

/* Before the first. */
void attempts_begin(void);
/* Tries a combination, with the algorithm's word. All ranks of MPI_COMM_WORLD have to. */
struct attempt attempt_make(const struct combination *combination, const char *algorithm);
void attempts_end(void);

#endif
