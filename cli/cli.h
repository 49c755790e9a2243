/* The tool: one file a subcommand; the only folder that prints. */
#ifndef TOURNEY_CLI_H
#define TOURNEY_CLI_H

#include <tourney/cluster.h>

/* Exit codes, the same for every subcommand. */
enum cli_exit {
  CLI_OK = 0,
  CLI_FAILED =
      1, /* it ran, and the answer is no: a counterexample, a slower row, the program failed */
  CLI_USAGE = 2,  /* bad arguments or a bad input file */
  CLI_UNABLE = 3, /* this machine can't: a missing tool, no permission */
  CLI_INTERRUPTED = 130,
};

/* Each subcommand gets the arguments from its own name on: argv[0] is "topology". */
int cli_algorithms(int argc, char **argv);
int cli_bench(int argc, char **argv);
int cli_convert(int argc, char **argv);
int cli_lab(int argc, char **argv);
int cli_model(int argc, char **argv);
int cli_plan(int argc, char **argv);
int cli_reproduce(int argc, char **argv);
int cli_run(int argc, char **argv);
int cli_simulate(int argc, char **argv);
int cli_topology(int argc, char **argv);
int cli_verify(int argc, char **argv);

/* Prints "tourney: FILE:LINE:COLUMN: TEXT" to standard error and returns the exit code for the
   status: broken -> CLI_FAILED, system -> CLI_UNABLE, else CLI_USAGE. */
int cli_fail(const struct tny_error *error);
/* Prints "tourney SUBCOMMAND: TEXT" and a pointer to --help to standard error; returns CLI_USAGE.
 */
int cli_usage_error(const char *subcommand, const char *format, ...) TNY_PRINTF(2, 3);
/* The error for what getopt_long refused, with `letter` ':' or '?'. A long option's own letter must
   lie under ' ', so that it isn't taken for a short option. */
enum tny_status cli_option_refuse(int letter, char **argv, struct tny_error *error);
/* A subcommand's options: their names, and what takes one in, by its letter, into `into`. */
struct cli_options {
  const struct option *names;
  enum tny_status (*read)(void *into, int letter, struct tny_error *error);
  void *into;
};
/* Reads all options, -h beside the named ones; what is left of argv begins at optind. */
enum tny_status cli_options_read(int argc, char **argv, const struct cli_options *options,
                                 struct tny_error *error) TNY_MUST_CHECK;
/* tny_cluster_open; what the file leaves open and was guessed goes to standard error. */
enum tny_status cli_cluster_open(const char *text, struct tny_cluster **cluster,
                                 struct tny_error *error) TNY_MUST_CHECK;
/* Writes text to standard output; a failed write (a full disk, a closed pipe) is CLI_UNABLE. */
int cli_print(const char *text);
/* The same for a help text, in which the names of the collectives stand for {|}
   ("bcast|allgather"), {and} and {or} ("bcast or allgather"), {served} (those of the runtime),
   {rooted} (those with a root, by their titles). */
int cli_print_help(const char *help);

#endif
