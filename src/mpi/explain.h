/* What the runtime tells a person: the table of calls, and warnings. What is counted here is also
   counted in the run's record, where one is kept (record/record.h). */
#ifndef TOURNEY_MPI_EXPLAIN_H
#define TOURNEY_MPI_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "mpi/record/decision.h"

/* Has calls counted from now on. */
void tny_explain_open(void);
bool tny_explain_is_open(void);
/* Keeps what is planned for, where calls are counted: the line above the table. */
void tny_explain_cluster(const char *format, ...) TNY_PRINTF(1, 2);
/* Counts a call where calls are counted; algorithm NULL: native, because of `why`. All texts are
   literals or outlive the run. */
void tny_explain_count(const char *collective, uint64_t bytes, const char *algorithm,
                       const char *why);
/* Keeps a decision where calls are counted, in the place of an earlier one of this class. */
void tny_explain_decision(const struct tny_decision *decision);
/* Adds to the time that trials and agreements took. */
void tny_explain_trial(double ns);
/* Prints the table of counts on standard error, and counts no longer. */
void tny_explain_close(void);
/* Prints "tourney: warning: ..." on standard error, for the one rank that warns. */
void tny_explain_warn(const char *format, ...) TNY_PRINTF(1, 2);

#endif
