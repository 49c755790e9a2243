/* What the guard settled a class of calls on, by the times that it saw: for the table of --explain,
   and for a run's record. */
#ifndef TOURNEY_MPI_RECORD_DECISION_H
#define TOURNEY_MPI_RECORD_DECISION_H

#include <stdbool.h>
#include <stdint.h>

#include <tourney/algorithm.h>

struct tny_decision {
  const char *collective; /* a literal */
  bool is_own;            /* by operations of the program's own */
  uint64_t class_bytes;   /* of a block, from so many to less than twice as many */
  uint32_t rank_count;
  uint32_t trials; /* calls */
  double native_ns;
  char served[TNY_ALGORITHM_CHOICE_CHARS]; /* by what; "": native */
  struct {
    char name[TNY_ALGORITHM_CHOICE_CHARS]; /* "": none */
    double ns;                             /* negative: not tried yet; INFINITY: it can't run */
    double predicted_ns;                   /* 0: not known */
  } tried[2];
};

#endif
