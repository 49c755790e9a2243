/* Starts the ranks, in the lab or by a launcher, and reads what they found. */
#ifndef TOURNEY_CLI_DISCOVER_GATHER_H
#define TOURNEY_CLI_DISCOVER_GATHER_H

#include "cli/shared/launch/which_mpi.h"
#include "cli/shared/progress.h"
#include "cli/shared/signals.h"
#include "lab/lab.h"
#include "network.h"

struct discover_gathering {
  /* What is asked for. Exactly one of `launcher` and `lab`. */
  enum launch_mpi mpi;
  const char *launcher;
  const struct tny_lab *lab;
  const struct signals_blocked *blocked;
  struct discover_network *network;

  /* What comes of it. */
  bool interrupted;

  /* private */
  struct progress progress;
  double seconds, begun;
  struct tny_error *error;
};

/* Fills in the network. Errors: also where the ranks failed; not where it was interrupted. */
enum tny_status discover_gather(struct discover_gathering *gathering,
                                struct tny_error *error) TNY_MUST_CHECK;

#endif
