/* Reductions whose results have the same bits for every message size and placement. */
#ifndef TOURNEY_LAUNCH_REPRODUCIBLE_H
#define TOURNEY_LAUNCH_REPRODUCIBLE_H

#include <tourney/status.h>

/* The list of algorithms to ask for: those of `given` (NULL: none), and for each reduction that it
   doesn't name one whose bits are always the same. Owns: *list is the caller's (tny_text_free).
   Errors: TNY_BAD_INPUT where `given` names another one. */
enum tny_status launch_reproducible_list(const char *given, char **list,
                                         struct tny_error *error) TNY_MUST_CHECK;

#endif
