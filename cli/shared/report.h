/* How a subcommand speaks to its user: results on standard output, errors on standard error, and
   the exit code. What is being done meanwhile is shown by progress.h. */
#ifndef TOURNEY_CLI_REPORT_H
#define TOURNEY_CLI_REPORT_H

#include <tourney/status.h>

/* Exit codes, the same for every subcommand. */
enum cli_exit {
  CLI_OK = 0,
  /* It ran, and the answer is no: a counterexample, a slower row, the program failed. */
  CLI_FAILED = 1,
  CLI_USAGE = 2,  /* bad arguments or a bad input file */
  CLI_UNABLE = 3, /* this machine can't: a missing tool, no permission */
  CLI_INTERRUPTED = 130,
};

/* Writes text to standard output; a failed write (a full disk, a closed pipe) is CLI_UNABLE. */
int cli_print(const char *text);
/* Prints "tourney: FILE:LINE:COLUMN: TEXT" to standard error and returns the exit code for the
   status: broken -> CLI_FAILED, system -> CLI_UNABLE, else CLI_USAGE. */
int cli_fail(const struct tny_error *error);
/* Ends a subcommand: prints `text` where the status is TNY_OK, else the error; returns the exit
   code. Owns: takes `text` over (tny_text_free); it may be NULL where there is an error. */
int cli_finish(enum tny_status status, char *text, const struct tny_error *error);
/* Prints "tourney SUBCOMMAND: TEXT" and a pointer to --help to standard error; returns CLI_USAGE.
   Without a subcommand (NULL) it is the tool's own usage. */
int cli_usage_error(const char *subcommand, const char *format, ...) TNY_PRINTF(2, 3);

#endif
