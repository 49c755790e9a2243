/* Where the program is that a word of a command names. */
#ifndef TOURNEY_LAUNCH_PROGRAMS_H
#define TOURNEY_LAUNCH_PROGRAMS_H

#include <limits.h>
#include <stdbool.h>

/* A path as it is, a name as PATH has it; false: there is no such program. */
bool launch_find_program(const char *word, char found[PATH_MAX]);

#endif
