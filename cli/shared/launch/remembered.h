/* The network that `tourney discover` found last, kept for `tourney run`: a file of the user's
   cache. */
#ifndef TOURNEY_LAUNCH_REMEMBERED_H
#define TOURNEY_LAUNCH_REMEMBERED_H

#include <limits.h>
#include <stdbool.h>

#include <tourney/status.h>

/* Its path, in $XDG_CACHE_HOME or ~/.cache; false: the user has neither. */
bool launch_remembered_path(char path[PATH_MAX]);
/* Keeps a cluster file there. */
enum tny_status launch_remember(const char *graph, char path[PATH_MAX],
                                struct tny_error *error) TNY_MUST_CHECK;

#endif
