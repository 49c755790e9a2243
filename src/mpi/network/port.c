/* The port of a rank's host. */
#include "mpi/network/port.h"

#include <stdatomic.h>

#include "model/cost.h"

void tny_port_find(struct tny_port *port, const struct tny_cluster *cluster,
                   const uint32_t *host_of_rank, uint32_t rank_count, uint32_t rank)
{
  const uint32_t host = host_of_rank[rank];
  const uint32_t first = cluster->first_out[host];
  if (cluster->first_out[host + 1] != first + 1)
    return;
  for (uint32_t r = 0; r < rank_count; r++)
    port->sharing += host_of_rank[r] == host;
  const struct tny_link *link = &cluster->links[cluster->out_links[first]];
  port->ns_a_byte = 8e9 / (double)link->bandwidth_bps;
  port->room_ns = (uint64_t)(port->ns_a_byte * (double)link->buffer_bytes / 2);
}

uint64_t tny_port_enter(struct tny_port *port, uint32_t sending, uint64_t bytes, uint64_t now_ns)
{
  if (port->ns_a_byte == 0)
    return 0;
  const uint64_t room_ns = port->room_ns / sending;
  const uint64_t own_ns = (uint64_t)(port->ns_a_byte * (double)tny_wire_bytes(bytes, 1));
  const uint64_t allowed_ns = own_ns < room_ns ? room_ns - own_ns : 0;
  uint64_t idle_ns = port->idle_ns, begin_ns;
  do {
    begin_ns = idle_ns > now_ns ? idle_ns : now_ns;
    if (begin_ns - now_ns > allowed_ns)
      return begin_ns - now_ns - allowed_ns;
  } while (!atomic_compare_exchange_weak(&port->idle_ns, &idle_ns, begin_ns + own_ns));
  return 0;
}
