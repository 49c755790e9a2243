/* Which transfers tell whether a cluster file is right, in which rounds, and how long that takes.
   Made by one rank, for the cluster that the file describes; nothing here talks to other ranks. */
#ifndef TOURNEY_PROBE_PLAN_H
#define TOURNEY_PROBE_PLAN_H

#include <tourney/cluster.h>

#include "transfer.h"

/* Transfers that run at the same time. */
struct probe_round {
  uint32_t kind; /* an enum probe_kind */
  uint32_t first, count;
  double seconds;      /* of each transfer, at least */
  double expected_bps; /* of a cut: what all have together, by the cluster file */
};

struct probe_plan {
  struct probe_transfer *transfers; /* owned */
  uint32_t transfer_count, transfer_room;
  struct probe_round *rounds; /* owned */
  uint32_t round_count, round_room;
  double seconds; /* about how long all rounds take */
};

/* `leader_of_host` has the rank that measures for each host of the cluster, TNY_NONE where there is
   none. Owns: probe_plan_release, also after a failure. */
enum tny_status probe_plan_make(const struct tny_routes *routes, const uint32_t *leader_of_host,
                                struct probe_plan *plan, struct tny_error *error) TNY_MUST_CHECK;
void probe_plan_release(struct probe_plan *plan);

#endif
