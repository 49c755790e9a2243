/* Transfers between ranks that measure a network without flooding it: a sender has a bounded number
   of chunks in flight, and sends another only when the receiver has acknowledged one. So what a
   port must buffer is bounded by `window` chunks for each transfer. Units: bytes, seconds, bit/s.
   Threads: MPI's rules for one thread. */
#ifndef TOURNEY_PROBE_TRANSFER_H
#define TOURNEY_PROBE_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#define PROBE_CHUNK_BYTES_MAX 32768 /* under Open MPI's eager limit */
#define PROBE_INCOMING_MAX 4        /* transfers that one rank can receive at once */

enum probe_kind {
  PROBE_SOLO,   /* one pair alone: rate and latency */
  PROBE_INSIDE, /* every host to its neighbour on the same switch, all at once */
  PROBE_CUT,    /* several pairs across one trunk */
  PROBE_BUFFER, /* several senders to one host, as much in flight as its port should hold */
};

struct probe_transfer {
  uint32_t from, to; /* ranks */
  uint32_t link;     /* what it is about; UINT32_MAX: nothing in particular */
  uint32_t chunk_bytes, window;
  double expected_bps; /* by the cluster file, alone */
};

/* What one rank saw of a transfer; 0: nothing. */
struct probe_seen {
  double bps;             /* at the receiver */
  double latency_seconds; /* at the sender: half of the shortest round trip */
  double lost;            /* segments of the sender's host */
};

/* Waits for a request, mostly asleep, so that who measures has the processors. */
void probe_wait(MPI_Request *request);
void probe_barrier(MPI_Comm comm);

/* Takes this rank's part in transfers that run at the same time; `seen` has an element for each.
   A rank may send one of them and receive up to PROBE_INCOMING_MAX. */
void probe_transfer_all(MPI_Comm comm, const struct probe_transfer *transfers, uint32_t count,
                        double seconds, struct probe_seen *seen);
/* Takes this rank's part in one transfer that is repeated with larger windows while that makes it
   faster and its rate isn't the expected one; and in a ping-pong before. */
void probe_transfer_solo(MPI_Comm comm, const struct probe_transfer *transfer, double seconds,
                         struct probe_seen *seen);

#endif
