/* Running another program to its end, as dot and gnuplot are run for drawings. Programs whose
   output is read line by line are run by bench/child.h. */
#ifndef TOURNEY_CLI_PROGRAM_H
#define TOURNEY_CLI_PROGRAM_H

#include <tourney/status.h>

struct program {
  char *const *arguments; /* the first is its name, looked for on PATH; NULL at the end */
  const char *folder;     /* to run in; NULL: this one */
  int input, output;      /* descriptors for its standard input and output; -1: ours */
  const char *missing;    /* the error where it isn't installed: what needs it, what to install */
  const char *drawn;      /* what it is to draw, for the error where it fails */
};
/* Errors: TNY_SYSTEM where it can't be run, or ends with another exit code than 0. */
enum tny_status program_run(const struct program *program, struct tny_error *error) TNY_MUST_CHECK;

#endif
