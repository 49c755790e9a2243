/* The cluster of Axida, Viet and Yoshinaga: up to 16 nodes on one gigabit switch (6), by the
   paper's network model (3): no two messages of different pairs hinder each other, links are
   full-duplex, and a message takes no longer than its bits do. What start-up a message had, the
   paper doesn't say, so there is none. */
#include "reproduce/axida2009/axida2009.h"

#include <stdio.h>
#include <string.h>

#include "reproduce/shared/blocking_calls.h"

static struct tny_network_model network_of(const struct tny_axida_run *run)
{
  const uint32_t half = run->delay_cycles / 2;
  return (struct tny_network_model){
      .switching = TNY_SWITCH_WORMHOLE,
      .buffering = run->has_input_queues ? TNY_BUFFER_FIFO : TNY_BUFFER_SHARED,
      .allocator = TNY_ALLOCATE_ROUND_ROBIN,
      .channels = 1,
      .depth = run->delay_cycles + (uint32_t)(run->bytes / run->flit_bytes),
      .link_cycles = 1,
      .inject_cycles = half,
      .eject_cycles = run->delay_cycles - half,
      .credit_cycles = 1,
      .ports = 1,
      .cycle_ns = run->flit_bytes * 8.0,
      .seed = 1,
  };
}

static enum tny_status time_schedule(const struct tny_axida_run *run, const struct tny_site *site,
                                     const struct tny_schedule *schedule, double *times,
                                     struct tny_error *error)
{
  const struct tny_experiment experiment = {.network = network_of(run),
                                            .hosts = {.flit_bytes = run->flit_bytes},
                                            .block_bytes = run->bytes,
                                            .watch = run->watch};
  uint64_t cycles;
  const enum tny_status status = tny_experiment_cycles(&experiment, site, schedule, &cycles, error);
  if (status == TNY_OK)
    *times = (double)cycles * run->flit_bytes / (double)run->bytes;
  return status;
}

static enum tny_status plan(const struct tny_axida_run *run, const struct tny_site *site,
                            struct tny_schedule **schedule, struct tny_error *error)
{
  const bool is_cut = strstr(run->algorithm, "pipelined") || strstr(run->algorithm, "round-robin");
  const struct tny_plan_wanted wanted = {.collective = TNY_BROADCAST,
                                         .algorithm = run->algorithm,
                                         .chunk_count = is_cut ? run->messages : 1};
  struct tny_schedule *planned;
  enum tny_status status = tny_site_plan(site, &wanted, &planned, error);
  if (status != TNY_OK || !run->is_one_partner) {
    *schedule = planned;
    return status;
  }
  status = tny_blocking_one_partner(planned, 0, schedule, error);
  tny_schedule_free(planned);
  return status;
}

enum tny_status tny_axida_time(const struct tny_axida_run *run, double *times,
                               struct tny_error *error)
{
  char cluster[64];
  snprintf(cluster, sizeof cluster, "single:%u,link=1Gbit/s,latency=0", run->nodes);
  struct tny_site site;
  struct tny_schedule *schedule = NULL;
  enum tny_status status =
      tny_site_open(&site, &(struct tny_site_wanted){.cluster = cluster}, error);
  if (status == TNY_OK)
    status = plan(run, &site, &schedule, error);
  if (status == TNY_OK)
    status = time_schedule(run, &site, schedule, times, error);
  tny_schedule_free(schedule);
  tny_site_close(&site);
  return status;
}
