/* Tiers of switches as batch systems list them: a line for each switch, with its hosts or with the
   switches below it, lines in any order, without rates. A switch may be below several; then there
   is a cable to each. */
#ifndef TOURNEY_IMPORT_TIERS_H
#define TOURNEY_IMPORT_TIERS_H

#include <tourney/import.h>

#include "cluster/build.h"

/* Bytes of all lists together: more than networks have that a cluster can be, with names of usual
   lengths. Aliases make lists of a YAML document far longer than its text. */
#define TNY_TIER_LISTS_MIB_MAX 128u
#define TNY_TIER_LISTS_BYTES_MAX (TNY_TIER_LISTS_MIB_MAX << 20)

/* A switch as a file has it. The lists are host lists; in these files white space separates names
   too, and separators may be repeated. */
struct tny_tier_line {
  const char *name;
  const char *hosts;    /* NULL: none */
  const char *switches; /* below it; NULL: none */
  bool may_have_both;   /* hosts and switches below it; Slurm's mayn't */
  const char *file;     /* must outlive the tiers; the rest is only read by tny_tiers_add */
  unsigned line;
};

/* A switch. */
struct tny_tier {
  uint32_t node;        /* of the build */
  char *switches;       /* below it, until they are joined; owned */
  uint32_t first_cable; /* of the build: those to the switches below it, once they are joined */
  uint32_t cable_count;
  uint32_t parent_count;
  const char *file;
  unsigned line;
};

struct tny_tiers {
  struct tny_build *build; /* borrowed */
  struct tny_build_cable link, trunk;
  struct tny_tier *tiers;
  uint32_t count, room;
  uint32_t host_count;
  size_t list_bytes; /* of the lists of switches below others */
  bool is_for_part;  /* only some hosts are kept: the whole need not be joined */
  uint32_t *tier_of; /* by node of the build: the switch it is, or that it is plugged into */
  uint32_t tier_of_room;
};

/* Storage is the caller's; the build must outlive it, and gets its nodes from here alone. */
void tny_tiers_init(struct tny_tiers *tiers, const struct tny_import_request *import,
                    struct tny_build *build);
void tny_tiers_release(struct tny_tiers *tiers);
/* Adds a switch and its hosts. */
enum tny_status tny_tiers_add(struct tny_tiers *tiers, const struct tny_tier_line *line,
                              struct tny_error *error) TNY_MUST_CHECK;
/* After all lines: joins the switches to those below them, and refuses what is no network of
   tiers. */
enum tny_status tny_tiers_join(struct tny_tiers *tiers, struct tny_error *error) TNY_MUST_CHECK;
/* After all lines, of which none has switches below it: joins all under one more switch, where
   there are several, and says so in the build's note. */
enum tny_status tny_tiers_join_under_one(struct tny_tiers *tiers,
                                         struct tny_error *error) TNY_MUST_CHECK;

#endif
