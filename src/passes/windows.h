/* Windows of links, for the passes of tourney/separate.h. */
#ifndef TOURNEY_PASSES_WINDOWS_H
#define TOURNEY_PASSES_WINDOWS_H

#include "passes/conflicts.h"

/* In a chain of a limited link, a message follows one that is at most so many windows before it. */
enum { TNY_CHAIN_GAP_MAX = 4 };

/* Finds the conflicts that limit each link to its window, without those that follow from the
   schedule. Fills the report's conflicts, redundant and open. Owns: the caller's,
   tny_conflicts_release, also after an error. */
enum tny_status tny_windows_limit(const struct tny_step_phases *phases,
                                  const struct tny_windows *windows,
                                  struct tny_conflicts *conflicts,
                                  struct tny_separation_report *report,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* What tny_windows_check does, for a schedule with phases. */
enum tny_status tny_windows_find_kept(const struct tny_step_phases *phases,
                                      const struct tny_windows *windows, bool *is_kept,
                                      struct tny_error *error) TNY_MUST_CHECK;

#endif
