/* The option --pattern: the communication pattern of an all-to-all, which says how many bytes each
   rank has for each other one. The patterns themselves: <tourney/pattern.h>. */
#ifndef TOURNEY_CLI_PATTERN_H
#define TOURNEY_CLI_PATTERN_H

#include <tourney/pattern.h>

#include "mapping.h"

/* For a subcommand's help: what --pattern takes. */
#define PATTERN_VALUES "nearest-neighbour|hypercube|random:DENSITY[:SEED]|FILE"

/* Makes the pattern that `text` names, for the mapping's ranks: those of a name have `bytes` a
   message; a file says itself how many. Neighbours are those on the cluster's grid where it has one
   with a rank on every node, else those in a ring of ranks. Owns: *pattern is the caller's
   (tny_pattern_free). */
enum tny_status pattern_open(const char *text, const struct mapping *mapping, uint64_t bytes,
                             struct tny_pattern **pattern, struct tny_error *error) TNY_MUST_CHECK;
/* The blocks that a schedule wants, of `bytes` each; NULL where it wants all. Owns: as above. */
enum tny_status pattern_of_schedule(const struct tny_schedule *schedule, uint64_t bytes,
                                    struct tny_pattern **pattern,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
