/* `tourney lab status`. */
#ifndef TOURNEY_CLI_LAB_STATUS_H
#define TOURNEY_CLI_LAB_STATUS_H

/* Arguments from the command's own name on: argv[0] is "status". Returns the exit code. */
int cli_lab_status(int argc, char **argv);

#endif
