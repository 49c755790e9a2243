/* The keeper: the process by which a lab exists. It is pid 1 of its own pid namespace and holds the
   lab's mounts and network namespaces, so that its death ends and frees all of them. */
#ifndef TOURNEY_LAB_KEEPER_H
#define TOURNEY_LAB_KEEPER_H

#include "lab/spec.h"
#include "lab/state.h"

/* Starts a keeper and waits until it has built the network. *connection is then open. Closing it
   before tny_lab_keeper_release ends the keeper, so that a caller who dies leaves none. The signals
   must be blocked (tny_lab_signals_block); one that comes ends the wait, with an error. */
enum tny_status tny_lab_keeper_start(const struct tny_lab_spec *spec, struct tny_lab_keeper *keeper,
                                     int *connection, struct tny_error *error) TNY_MUST_CHECK;
/* Makes the keeper independent of the caller, and closes the connection. From then on it lives as
   long as the state file that was written meanwhile is in its folder. */
enum tny_status tny_lab_keeper_release(int connection, struct tny_error *error) TNY_MUST_CHECK;
/* Kills a living keeper, and waits until it and all processes of its pid namespace are gone. */
enum tny_status tny_lab_keeper_end(const struct tny_lab_keeper *keeper,
                                   struct tny_error *error) TNY_MUST_CHECK;

#endif
