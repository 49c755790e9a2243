/* Jacunski, Sadayappan, Panda, "All-to-all broadcast on switch-based clusters of workstations":
   the network of 3.3, and the overhead that its numbers imply.

   The times of 3.3, in cycles of 16 ns: a flit takes one over a link, one through a crossbar, one
   into the network and one out of it. A switch takes 500 ns, 31 cycles, to route a head. The paper
   doesn't say how deep the buffers are ("only need to be big enough to capture the header flit ...,
   deeper buffers are usually required"); they have 16 flits here. */
#include "reproduce/jacunski1999/jacunski1999.h"

#include <stdio.h>

struct tny_experiment tny_jacunski_network(const struct tny_reproduce_options *options,
                                           double overhead_ns, uint32_t flits)
{
  return (struct tny_experiment){
      .network = {.is_adaptive = true,
                  .switching = TNY_SWITCH_WORMHOLE,
                  .buffering = TNY_BUFFER_FIFO,
                  .allocator = TNY_ALLOCATE_ROUND_ROBIN,
                  .channels = 1,
                  .depth = 16,
                  .switch_cycles = 32,
                  .routes_ahead = true,
                  .link_cycles = 1,
                  .inject_cycles = 2,
                  .eject_cycles = 2,
                  .credit_cycles = 1,
                  .ports = 1,
                  .cycle_ns = TNY_JACUNSKI_FLIT_NS,
                  .seed = options->seed},
      .hosts = {.send_ns = overhead_ns,
                .recv_ns = overhead_ns,
                .flit_bytes = TNY_JACUNSKI_FLIT_BYTES},
      .block_bytes = (uint64_t)flits * TNY_JACUNSKI_FLIT_BYTES,
      .watch = options->watch,
  };
}

enum tny_status tny_jacunski_site(const char *generator, enum tny_map map, struct tny_site *site,
                                  struct tny_error *error)
{
  char text[128];
  snprintf(text, sizeof text, "%s,latency=0", generator);
  return tny_site_open(
      site, &(struct tny_site_wanted){.cluster = text, .routing = TNY_ROUTING_UP_DOWN, .map = map},
      error);
}

enum tny_status tny_jacunski_time(const struct tny_experiment *experiment,
                                  const struct tny_site *site, const char *algorithm, double *us,
                                  struct tny_error *error)
{
  uint64_t cycles;
  const enum tny_status status = tny_experiment_time(
      experiment, site,
      &(struct tny_plan_wanted){.collective = TNY_ALLGATHER, .algorithm = algorithm}, &cycles,
      error);
  if (status == TNY_OK)
    *us = (double)cycles * TNY_JACUNSKI_FLIT_NS / 1000;
  return status;
}

/* Each of Ring's 31 steps takes the overhead of a send and that of a receive. */
enum tny_status tny_jacunski_fit(const struct tny_reproduce_options *options, double *overhead_ns,
                                 struct tny_error *error)
{
  enum { OVERHEADS = 62, FLITS = 256 };
  struct tny_site site;
  double us = 0;
  enum tny_status status = tny_jacunski_site("single:32", TNY_MAP_BLOCK, &site, error);
  *overhead_ns = 1000;
  const struct tny_experiment guess = tny_jacunski_network(options, *overhead_ns, FLITS);
  if (status == TNY_OK)
    status = tny_jacunski_time(&guess, &site, "ring", &us, error);
  *overhead_ns += 1000 * (TNY_JACUNSKI_RING_US - us) / OVERHEADS;
  tny_site_close(&site);
  return status;
}
