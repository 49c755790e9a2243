/* What is known of a network beside a file, and the judgement of hosts that are in both. */
#ifndef TOURNEY_DISCOVER_CHECK_HOSTS_H
#define TOURNEY_DISCOVER_CHECK_HOSTS_H

#include <tourney/routing.h>

#include "discover/describe.h"

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

/* The place and the rate of each such host, once trunks are matched. False: no memory. */
bool tny_check_hosts(struct tny_check *check);

#endif
