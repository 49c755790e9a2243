/* What the keeper does once in its own namespaces: mounts, one network namespace a node, cables,
   addresses, routes, shaping. */
#ifndef TOURNEY_LAB_BUILD_H
#define TOURNEY_LAB_BUILD_H

#include "lab/keeper.h"

/* Must run in the keeper. Errors: TNY_SYSTEM with the tool's own words; TNY_REFUSED where the
   kernel can't delay links. */
enum tny_status tny_lab_build(const struct tny_lab_site *site,
                              struct tny_error *error) TNY_MUST_CHECK;
/* Mounts /proc for the caller's pid namespace. Where that isn't allowed the old one stays, which
   serves too. */
void tny_lab_mount_proc(void);

#endif
