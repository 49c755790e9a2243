/* The state of a comparison between what was found and a file, and what its parts share. Private to
   this folder; describe.h is what others call. */
#ifndef TOURNEY_DISCOVER_CHECK_H
#define TOURNEY_DISCOVER_CHECK_H

#include <tourney/routing.h>

#include "discover/describe.h"

#define TNY_CHECK_RATE_SHARE 0.15 /* by so much may rates differ */

struct tny_check {
  const struct tny_discovered *network;
  const struct tny_cluster *cluster;
  struct tny_faults *faults;
  struct tny_routes *routes; /* of the cluster */
  struct tny_tree expected;  /* of the hosts that are in both */
  uint32_t both_count;
  uint32_t *found_host, *cluster_host; /* by host in both: its index there */
  uint8_t *beyond;                     /* by switch of one of the trees */
  uint8_t *found_side, *expected_side; /* by trunk, a row each: the hosts in both */
  uint8_t *node_side;                  /* by node of the cluster */
  uint32_t *twin; /* by trunk of the found tree: the first one that divides the hosts alike */
  uint32_t *same; /* by such a first one: the expected trunk */
};

/* Room for one more; NULL: no memory. */
struct tny_fault *tny_faults_add(struct tny_faults *faults, enum tny_fault_kind kind);
/* False: no memory. */
bool tny_faults_add_host(struct tny_faults *faults, enum tny_fault_kind kind, const char *host,
                         const char *text);

/* A bundle carries anything between what can be relied on and all its cables' rate. */
struct tny_said_rate {
  double bps, best_bps;
};

bool tny_check_rate_differs(double measured, struct tny_said_rate said);
struct tny_quantity tny_check_rate_text(double bps);

/* The place and the rate of each host that is in both, once trunks are matched. False: no memory. */
bool tny_check_hosts(struct tny_check *check);

#endif
