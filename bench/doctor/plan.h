/* Which transfers tell whether a cluster file is right, in which rounds, and how long that takes.
   Made by one rank, for the cluster that the file describes; nothing here talks to other ranks. */
#ifndef TOURNEY_DOCTOR_PLAN_H
#define TOURNEY_DOCTOR_PLAN_H

#include <tourney/cluster.h>

#include "transfer.h"

/* Transfers that run at the same time. */
struct doctor_round {
  uint32_t kind; /* an enum doctor_kind */
  uint32_t first, count;
  double seconds;      /* of each transfer, at least */
  double expected_bps; /* of a cut: what all have together, by the cluster file */
};

struct doctor_plan {
  struct doctor_transfer *transfers; /* owned */
  uint32_t transfer_count, transfer_room;
  struct doctor_round *rounds; /* owned */
  uint32_t round_count, round_room;
  double seconds; /* about how long all rounds take */
};

/* `leader_of_host` has the rank that measures for each host of the cluster, TNY_NONE where there is
   none. Owns: doctor_plan_release, also after a failure. */
enum tny_status doctor_plan_make(const struct tny_routes *routes, const uint32_t *leader_of_host,
                                 struct doctor_plan *plan, struct tny_error *error) TNY_MUST_CHECK;
void doctor_plan_release(struct doctor_plan *plan);

#endif
