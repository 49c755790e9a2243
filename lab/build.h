/* What the keeper builds, once it is in its own namespaces: mounts, a network namespace for each
   node, cables, addresses, routes, the rates and buffers of links, and the relay of those that have
   a latency. */
#ifndef TOURNEY_LAB_BUILD_H
#define TOURNEY_LAB_BUILD_H

#include "lab/spec.h"

/* To be called in the keeper only. *relay is the relay's process, a child, or 0 where there is
   none: where no link has a latency, or the kernel makes them. Errors: TNY_SYSTEM with the tool's
   own words; TNY_REFUSED for a cluster that the relay can't carry. */
enum tny_status tny_lab_build(const struct tny_lab_spec *spec, pid_t *relay,
                              struct tny_error *error) TNY_MUST_CHECK;
/* Mounts /proc for the caller's pid namespace. Where that isn't allowed, the old /proc stays; a lab
   works with it too. */
void tny_lab_mount_proc(void);

#endif
