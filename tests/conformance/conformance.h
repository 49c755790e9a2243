/* The suite's program behind MPI_Init: C's main program calls it, and Fortran's. */
#ifndef TOURNEY_TESTS_CONFORMANCE_CONFORMANCE_H
#define TOURNEY_TESTS_CONFORMANCE_CONFORMANCE_H

/* Runs the combinations that the file named in CONFORMANCE_LIST lists. Returns how many failed. */
int conformance_run(void);

#endif
