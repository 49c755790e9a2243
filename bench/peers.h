/* The MPI's own algorithms, each forced on a communicator of its own, so that all take turns in the
   same processes. That needs the ranks to be started with coll_tuned_use_dynamic_rules set, which
   leaves communicators for which nothing is forced as they are. */
#ifndef TOURNEY_BENCH_PEERS_H
#define TOURNEY_BENCH_PEERS_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

struct bench_peer {
  char collective[16];
  int algorithm; /* coll_tuned's number; 0: the component HAN */
  int segment_bytes;
  uint64_t bytes_min, bytes_max; /* of the rows that it takes part in */
  char name[64];
  MPI_Comm comm; /* MPI_COMM_NULL: it can't be had here */
};

/* Reads "COLLECTIVE/ALGORITHM/SEGMENT/MIN/MAX/NAME". */
bool bench_peer_read(const char *text, struct bench_peer *peer);
/* Makes their communicators, of the ranks of MPI_COMM_WORLD; all ranks together. Rank 0 says on
   standard error how many can't be had, and why. */
void bench_peers_open(struct bench_peer *peers, uint32_t count);
void bench_peers_close(struct bench_peer *peers, uint32_t count);

#endif
