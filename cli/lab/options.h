/* `tourney lab`: how its commands read their options. Each command has options of its own; errors
   name the command. */
#ifndef TOURNEY_CLI_LAB_OPTIONS_H
#define TOURNEY_CLI_LAB_OPTIONS_H

struct option;

/* The next option's letter as getopt_long gives it, -1 at the end, '?' after an error was printed.
   Options end at the first argument that isn't one. argv[0] is the command: "status". */
int cli_lab_option(int argc, char **argv, const char *letters, const struct option *names);
/* A command that takes no arguments but options: CLI_OK, or the error printed. */
int cli_lab_no_arguments(int argc, char **argv);
/* Prints the help of all commands. */
int cli_lab_help(void);

#endif
