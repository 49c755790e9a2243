/* The subcommands, as main.c calls them: each is defined in the folder of its name. */
#ifndef TOURNEY_CLI_SUBCOMMANDS_H
#define TOURNEY_CLI_SUBCOMMANDS_H

/* Each gets the arguments from its own name on (argv[0] is "topology") and returns the process's
   exit code, an enum cli_exit (report.h) or that of a program it ran. */
int cli_algorithms(int argc, char **argv);
int cli_bench(int argc, char **argv);
int cli_convert(int argc, char **argv);
int cli_discover(int argc, char **argv);
int cli_doctor(int argc, char **argv);
int cli_lab(int argc, char **argv);
int cli_model(int argc, char **argv);
int cli_plan(int argc, char **argv);
int cli_report(int argc, char **argv);
int cli_reproduce(int argc, char **argv);
int cli_run(int argc, char **argv);
int cli_simulate(int argc, char **argv);
int cli_topology(int argc, char **argv);
int cli_tune(int argc, char **argv);
int cli_verify(int argc, char **argv);

#endif
