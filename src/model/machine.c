/* The machine that is taken where none was measured: figures that a common server has under an MPI
   over TCP, within a factor of 2. */
#include <tourney/machine.h>

enum {
  SEND_OVERHEAD_NS = 8000,     /* a system call, the protocol, the driver */
  RECEIVE_OVERHEAD_NS = 12000, /* an interrupt, the protocol, a wake-up, a system call */
  SOURCE_OVERHEAD_NS = 0,      /* the above are of messages that come singly */
  BYTE_OVERHEAD_PS = 250,      /* a copy at each side, at 4 GB/s */
  COMBINE_PS = 100,            /* a sum in the caches, at 10 GB/s */
  LATENCY_NS = 30000,
  EAGER_BYTES = 64000, /* of a common limit of 64 KiB, less headers */
  LOCAL_LATENCY_NS = 1000,
};

struct tny_machine tny_machine_default(uint64_t link_bps)
{
  (void)link_bps;
  return (struct tny_machine){.send_overhead_ns = SEND_OVERHEAD_NS,
                              .receive_overhead_ns = RECEIVE_OVERHEAD_NS,
                              .source_overhead_ns = SOURCE_OVERHEAD_NS,
                              .byte_overhead_ps = BYTE_OVERHEAD_PS,
                              .combine_ps = COMBINE_PS,
                              .latency_ns = LATENCY_NS,
                              .eager_bytes = EAGER_BYTES,
                              .handshake_ns = 2 * LATENCY_NS,
                              .local_latency_ns = LOCAL_LATENCY_NS,
                              .local_bps = UINT64_C(32000000000)};
}
