/* What the kernel counts of the network that this process is in: its host's, or its namespace's.
   All TCP connections there count, also those of other programs. */
#ifndef TOURNEY_MPI_RECORD_COUNTERS_H
#define TOURNEY_MPI_RECORD_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

enum tny_counter {
  TNY_COUNT_SEGMENTS,        /* of TCP, sent; without those sent again */
  TNY_COUNT_RETRANSMITTED,   /* segments sent again */
  TNY_COUNT_TIMEOUTS,        /* times that a sender waited in vain for an acknowledgement */
  TNY_COUNT_INTERFACE_DROPS, /* packets that interfaces dropped, in and out */
  TNY_COUNTER_COUNT,
};
struct tny_counters {
  bool is_known;
  uint64_t list[TNY_COUNTER_COUNT];
};

/* Reads snmp, netstat and dev in a folder, which is "/proc/net" but for tests. */
struct tny_counters tny_counters_read(const char *folder);
/* What was counted between two readings. */
struct tny_counters tny_counters_between(const struct tny_counters *begin,
                                         const struct tny_counters *end);

#endif
