/* The port of this rank's host, and how much of what the rank gave it is still in it.

   A plan keeps what is in flight over a link under its buffer, for blocks of one size. Of blocks
   that differ a rank may have more to send at once than its own port takes: a long block while it
   gets short ones, or what it has to pass on of all that came in while another process had its
   processor. So the sends of an uneven call wait until the port, at its link's rate, has sent so
   much that they find room in half of its buffer. The other half is for acknowledgements, and for
   a clock that isn't the port's own. */
#ifndef TOURNEY_MPI_PORT_H
#define TOURNEY_MPI_PORT_H

#include <tourney/cluster.h>

struct tny_port {
  uint64_t bandwidth_bps;       /* 0: the host hasn't just one port, and nothing waits */
  uint64_t room_bytes;          /* for this rank: others of its host have as much */
  _Atomic uint64_t empty_at_ns; /* when all that the rank gave it is sent, by tny_clock_ns() */
};

/* The port of the host of rank `rank`. */
void tny_port_find(struct tny_port *port, const struct tny_cluster *cluster,
                   const uint32_t *host_of_rank, uint32_t rank_count, uint32_t rank);
/* How long it is until a message to another host has room; 0: it has. One that is longer than the
   room there is has the port for itself. */
uint64_t tny_port_wait_ns(const struct tny_port *port, uint64_t bytes, uint64_t now_ns);
/* Such a message has been sent. */
void tny_port_add(struct tny_port *port, uint64_t bytes, uint64_t now_ns);

#endif
