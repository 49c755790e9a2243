/* What the preloaded watch.c counts of the runtime in a process, while it is asked to. */
#ifndef TOURNEY_TESTS_WATCH_SUPPORT_H
#define TOURNEY_TESTS_WATCH_SUPPORT_H

struct watched {
  long allocations; /* by the runtime's own code: malloc, calloc and realloc */
  long types;       /* datatypes made of several pieces */
  long packs;       /* blocks packed or unpacked */
  long collectives; /* of those by which ranks agree: the MPI's own, whoever calls them */
};

/* Weak: null where watch.c isn't preloaded. */
void watch_begin(void) __attribute__((weak));
/* What was counted since watch_begin. */
void watch_end(struct watched *counts) __attribute__((weak));
/* The next attribute that is set on a communicator isn't: its error handler is told that there is
   no memory. */
void watch_fail_attribute(void) __attribute__((weak));

#endif
