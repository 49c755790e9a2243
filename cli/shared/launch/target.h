/* Where ranks of ours are started, and for which cluster: in a lab, or by a launcher. */
#ifndef TOURNEY_LAUNCH_TARGET_H
#define TOURNEY_LAUNCH_TARGET_H

#include <stdbool.h>

#include <tourney/cluster.h>

#include "lab/lab.h"

/* Everything is borrowed. */
struct launch_target_wanted {
  bool in_lab;
  const char *lab;       /* its name; NULL: the one that is up */
  const char *cluster;   /* to plan for; NULL: the lab's own, or none */
  const char *otherwise; /* of an error where no lab is up: what else could be done */
  bool is_shared;        /* nothing is measured, so that others may use the lab meanwhile */
};

struct launch_target {
  struct tny_lab *lab;         /* owned; NULL: not in the lab */
  struct tny_cluster *cluster; /* owned, or the lab's */
};

/* Opens both. *value is what launch_export is told of the cluster; NULL: `tourney lab run` says it.
   Owns: launch_target_close, also after a failure; *value is the caller's (tny_text_free). */
enum tny_status launch_target_open(struct launch_target *target,
                                   const struct launch_target_wanted *wanted, char **value,
                                   struct tny_error *error) TNY_MUST_CHECK;
void launch_target_close(struct launch_target *target);

/* How many ranks `tourney lab run` is to start: *ranks, of 0 one a host. A launcher knows itself.
   Errors: more than a host may have; fewer than `least`, which is 2 where collectives are measured,
   else 1. */
enum tny_status launch_target_ranks(const struct launch_target *target, uint32_t least,
                                    uint32_t *ranks, struct tny_error *error) TNY_MUST_CHECK;

#endif
