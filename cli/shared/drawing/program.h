/* Running another program to its end, as dot and gnuplot are run for drawings. Programs whose
   output is read line by line are run by cli/shared/launch/child.h. */
#ifndef TOURNEY_CLI_PROGRAM_H
#define TOURNEY_CLI_PROGRAM_H

#include <tourney/status.h>

struct program {
  char *const *arguments; /* the first is its name, looked for on PATH; NULL at the end */
  const char *input;      /* the text on its standard input */
  int output;             /* the descriptor of its standard output; -1: ours */
  const char *missing;    /* the error where it isn't installed: what needs it, what to install */
  const char *failed;     /* the error where it ends with another exit code than 0 */
};
/* Errors: TNY_SYSTEM. */
enum tny_status program_run(const struct program *program, struct tny_error *error) TNY_MUST_CHECK;

#endif
