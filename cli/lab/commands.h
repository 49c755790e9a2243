/* tourney lab: what its files share. */
#ifndef TOURNEY_CLI_LAB_H
#define TOURNEY_CLI_LAB_H

/* Arguments from the subcommand's own name on: argv[0] is "status". */
int cli_lab_status(int argc, char **argv);

/* The next option's letter as getopt_long gives it, -1 at the end, '?' after an error was printed.
   Options end at the first argument that isn't one. */
struct option;
int cli_lab_option(int argc, char **argv, const char *letters, const struct option *names);
/* A subcommand that takes no arguments but options: CLI_OK, or the error printed. */
int cli_lab_no_arguments(int argc, char **argv);
int cli_lab_help(void);

#endif
