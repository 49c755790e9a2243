/* What the keeper builds, once it is in its own namespaces: mounts, a network namespace for each
   node, cables, addresses, routes, and the rates and buffers of links. */
#ifndef TOURNEY_LAB_BUILD_H
#define TOURNEY_LAB_BUILD_H

#include "lab/spec.h"

/* To be called in the keeper only. Errors: TNY_SYSTEM with the tool's own words; TNY_REFUSED where
   the kernel can't delay links. */
enum tny_status tny_lab_build(const struct tny_lab_spec *spec,
                              struct tny_error *error) TNY_MUST_CHECK;
/* Mounts /proc for the caller's pid namespace. Where that isn't allowed, the old /proc stays; a lab
   works with it too. */
void tny_lab_mount_proc(void);

#endif
