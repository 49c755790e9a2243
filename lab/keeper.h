/* The keeper: the process that everything in a lab hangs on. It is pid 1 of its own pid namespace
   and holds the lab's mounts and network namespaces, so that its death ends and frees all of them.
 */
#ifndef TOURNEY_LAB_KEEPER_H
#define TOURNEY_LAB_KEEPER_H

#include "lab/state.h"

/* What a keeper is to build; all borrowed. */
struct tny_lab_site {
  const struct tny_cluster *cluster;
  const struct tny_routes *routes;
  const char *congestion;
  const char *directory;                                 /* the state folder; its `in` is there */
  const char *ip, *tc;                                   /* the tools' paths */
  const struct tny_lab_options *options;                 /* who wants to know how far it is */
  void (*tell)(const struct tny_lab_progress *progress); /* in the keeper: tells its maker */
};

/* Starts a keeper and waits until the network stands. *line is then open: closing it before
   tny_lab_keeper_release ends the keeper, so that a caller who dies leaves none. The
   signals must be held: one that comes ends the wait, with an error. */
enum tny_status tny_lab_keeper_start(const struct tny_lab_site *site, struct tny_lab_keeper *keeper,
                                     int *line, struct tny_error *error) TNY_MUST_CHECK;
/* Lets the keeper stay without its maker, as long as the state file that was written meanwhile is
   in its place. Closes the line. */
enum tny_status tny_lab_keeper_release(int line, struct tny_error *error) TNY_MUST_CHECK;
/* Kills a living keeper and waits until it and all below it are gone. */
enum tny_status tny_lab_keeper_end(const struct tny_lab_keeper *keeper,
                                   struct tny_error *error) TNY_MUST_CHECK;

#endif
