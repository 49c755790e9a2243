/* A command that takes this process's place, and an eye on its end. */
#ifndef TOURNEY_RUN_CHILD_H
#define TOURNEY_RUN_CHILD_H

#include <stdbool.h>

/* Goes on in a child, with false, and waits for its end in this process, with true. Meanwhile what
   signals are sent to this process go to the child; those of the terminal it gets by itself. The
   child gets SIGTERM where this process is killed. False also where there can be no child.
   Threads: the caller must have only one. */
bool run_child_wait(int *wait_status);
/* Ends as the child did: by its exit code, which is returned, or by its signal. */
int run_child_end(int wait_status);

#endif
