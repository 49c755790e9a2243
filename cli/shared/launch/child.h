/* One child process whose two outputs are read line by line, and the signals that end it early.
   Programs whose output isn't read are run by shared/drawing/program.h. */
#ifndef TOURNEY_LAUNCH_CHILD_H
#define TOURNEY_LAUNCH_CHILD_H

#include <stdbool.h>

#include <tourney/status.h>

#include "cli/shared/signals.h"

enum launch_cause {
  LAUNCH_EXITED,      /* by itself, with code 0 */
  LAUNCH_FAILED,      /* by itself, with another code or by a signal */
  LAUNCH_STOPPED,     /* by us: a line wasn't wanted */
  LAUNCH_INTERRUPTED, /* by us: one of the blocked signals came */
};

struct launch_end {
  enum launch_cause cause;
  int exit_code; /* the child's; 128 + the signal where one ended it */
};

/* Who gets the lines, without their line ends; longer than 4 KiB come in pieces. */
struct launch_listener {
  void *context;
  bool (*output)(void *context, const char *line); /* false: end the child */
  void (*errors)(void *context, const char *line);
};

/* Runs a command to its end, with nothing on its standard input. When this returns, the child and
   what stayed in its process group are gone. The caller blocks the signals that end the child
   early. Threads: the caller must have only one. */
enum tny_status launch_child_run(char *const *command, const struct signals_blocked *blocked,
                                 const struct launch_listener *listener, struct launch_end *end,
                                 struct tny_error *error) TNY_MUST_CHECK;

#endif
