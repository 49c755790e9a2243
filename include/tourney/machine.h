/* What sending a message costs the machines of a cluster, beside the links: the parameters of the
   LogGP family (Culler and others 1993; Alexandrov and others 1995), those of the two ways in which
   MPIs send short and long messages, and the cost of a reduction's operation (gamma of Thakur,
   Rabenseifner, Gropp 2005). */
#ifndef TOURNEY_MACHINE_H
#define TOURNEY_MACHINE_H

#include <stdint.h>

/* Of each rank, with the processors shared as they are when all ranks communicate at once. */
struct tny_machine {
  uint64_t send_overhead_ns;    /* o: processor time for a message sent, without its bytes */
  uint64_t receive_overhead_ns; /* o: processor time for a message received, without its bytes */
  uint64_t source_overhead_ns;  /* beside: of one from another rank than the one before it */
  uint64_t byte_overhead_ps;    /* processor time for each byte that is sent or received */
  uint64_t combine_ps;          /* gamma: for each byte that an operation combines with another */
  uint64_t latency_ns;          /* L: from a send to its receive, without o, bytes and links */
  uint64_t eager_bytes;         /* longer messages need a handshake first */
  uint64_t handshake_ns;        /* what the handshake adds */
  uint64_t local_latency_ns;    /* L within a host */
  uint64_t local_bps;           /* rate of a message within a host */
};

/* The machine that is taken where none was measured: a common server with links of this rate, under
   an MPI over TCP. */
struct tny_machine tny_machine_default(uint64_t link_bps);

#endif
