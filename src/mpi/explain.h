/* What the runtime tells a person: the table of calls, and warnings. */
#ifndef TOURNEY_MPI_EXPLAIN_H
#define TOURNEY_MPI_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include <tourney/status.h>

/* Has calls counted from now on. */
void tny_explain_open(void);
bool tny_explain_is_open(void);
/* Counts a call where calls are counted; algorithm NULL: native, because of `why`. All texts are
   literals or outlive the run. */
void tny_explain_count(const char *collective, uint64_t bytes, const char *algorithm,
                       const char *why);
/* Prints the table of counts on standard error, and counts no longer. */
void tny_explain_close(void);
/* Prints "tourney: warning: ..." on standard error, for the one rank that warns. */
void tny_explain_warn(const char *format, ...) TNY_PRINTF(1, 2);

#endif
