/* The port of a rank's host. */
#include "mpi/port.h"

#include <stdatomic.h>

#include "model/cost.h"

void tny_port_find(struct tny_port *port, const struct tny_cluster *cluster,
                   const uint32_t *host_of_rank, uint32_t rank_count, uint32_t rank)
{
  const uint32_t host = host_of_rank[rank];
  const uint32_t first = cluster->first_out[host];
  uint32_t sharing = 0;
  if (cluster->first_out[host + 1] != first + 1)
    return;
  for (uint32_t r = 0; r < rank_count; r++)
    sharing += host_of_rank[r] == host;
  const struct tny_link *link = &cluster->links[cluster->out_links[first]];
  port->bandwidth_bps = link->bandwidth_bps;
  port->room_bytes = link->buffer_bytes / 2 / sharing;
}

static uint64_t time_of(const struct tny_port *port, uint64_t bytes)
{
  return tny_link_ns(port->bandwidth_bps, tny_wire_bytes(bytes, 1));
}

uint64_t tny_port_wait_ns(const struct tny_port *port, uint64_t bytes, uint64_t now_ns)
{
  const uint64_t empty_at_ns = port->empty_at_ns;
  if (port->bandwidth_bps == 0 || empty_at_ns <= now_ns)
    return 0;
  const uint64_t left_ns = empty_at_ns - now_ns;
  const uint64_t room_ns = tny_link_ns(port->bandwidth_bps, port->room_bytes);
  const uint64_t own_ns = time_of(port, bytes);
  const uint64_t allowed_ns = own_ns < room_ns ? room_ns - own_ns : 0;
  return left_ns > allowed_ns ? left_ns - allowed_ns : 0;
}

void tny_port_add(struct tny_port *port, uint64_t bytes, uint64_t now_ns)
{
  if (port->bandwidth_bps == 0)
    return;
  const uint64_t own_ns = time_of(port, bytes);
  uint64_t empty_at_ns = port->empty_at_ns;
  while (!atomic_compare_exchange_weak(&port->empty_at_ns, &empty_at_ns,
                                       (empty_at_ns > now_ns ? empty_at_ns : now_ns) + own_ns))
    ;
}
