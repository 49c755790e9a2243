/* The calls by functions of large counts, which MPI has since its version 4. */
#ifndef TOURNEY_TESTS_CONFORMANCE_LARGE_COUNTS_H
#define TOURNEY_TESTS_CONFORMANCE_LARGE_COUNTS_H

#include "calls.h"

/* The call's collective. Where the MPI has no such functions, choose.c draws none. */
int call_large(const struct call *call);

#endif
