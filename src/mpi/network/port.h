/* The port of this rank's host, and how much of what the rank gave it is still in it.

   A plan keeps what is in flight over a link under its buffer, for blocks of one size. Of blocks
   that differ a rank may have more to send at once than its own port takes: a long block while it
   gets short ones, or what it has to pass on of all that came in while another process had its
   processor. So the sends of an uneven call wait until the port, at its link's rate, has sent so
   much that they find room in half of its buffer. The other half is for acknowledgements, and for
   a clock that isn't the port's own. */
#ifndef TOURNEY_MPI_NETWORK_PORT_H
#define TOURNEY_MPI_NETWORK_PORT_H

#include <tourney/cluster.h>

struct tny_port {
  double ns_a_byte;         /* of its link; 0: there isn't just one port, and nothing waits */
  uint64_t room_ns;         /* of what may be in it */
  uint32_t sharing;         /* the ranks of this host */
  _Atomic uint64_t idle_ns; /* when it has sent what this rank gave it, by tny_clock_ns() */
};

/* The port of the host of rank `rank`. */
void tny_port_find(struct tny_port *port, const struct tny_cluster *cluster,
                   const uint32_t *host_of_rank, uint32_t rank_count, uint32_t rank);
/* Has the port room for a message to another host, where so many ranks of this host send at once?
   0: it has, and the message is counted, to be sent now; else so long it is until it has. A message
   longer than the room has the port for itself. Threads: any. */
uint64_t tny_port_enter(struct tny_port *port, uint32_t sending, uint64_t bytes, uint64_t now_ns);

#endif
