/* What the runtime tells a person: the table of calls, and warnings. */
#ifndef TOURNEY_MPI_EXPLAIN_H
#define TOURNEY_MPI_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include <tourney/algorithm.h>

/* Has calls counted from now on. */
void tny_explain_open(void);
bool tny_explain_is_open(void);
/* Keeps what is planned for, where calls are counted: the line above the table. */
void tny_explain_cluster(const char *format, ...) TNY_PRINTF(1, 2);
/* Counts a call where calls are counted; algorithm NULL: native, because of `why`. All texts are
   literals or outlive the run. */
void tny_explain_count(const char *collective, uint64_t bytes, const char *algorithm,
                       const char *why);
/* What the guard settled a class of calls on, by the times that it saw. */
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
  } tried[2];
};
/* Keeps a decision where calls are counted, in the place of an earlier one of this class. */
void tny_explain_decision(const struct tny_decision *decision);
/* Adds to the time that trials and agreements took. */
void tny_explain_trial(double ns);
/* Prints the table of counts on standard error, and counts no longer. */
void tny_explain_close(void);
/* Prints "tourney: warning: ..." on standard error, for the one rank that warns. */
void tny_explain_warn(const char *format, ...) TNY_PRINTF(1, 2);

#endif
