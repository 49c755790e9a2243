/* Help texts: literals, but that the collectives' names come from their table. */
#ifndef TOURNEY_CLI_HELP_H
#define TOURNEY_CLI_HELP_H

/* Prints a help text, in which the names of the collectives stand for {|} ("bcast|allgather"),
   {and} and {or} ("bcast or allgather"), {served} (those of the runtime), {rooted} (those with a
   root, by their titles). Returns the exit code. */
int cli_print_help(const char *help);

#endif
