/* The model of Jeannot and Steffenel's two clusters.

   The paper gives (5) a private backbone of 10 Gbit/s, about 1000 km long, for which light in a
   fibre takes 5 ms. It doesn't give the rest: nodes have gigabit Ethernet; a message takes its
   sender and its receiver 10 us each (assumed: MPI over TCP took a few tens of us from end to end);
   messages over 64 KiB wait for their receiver, as Open MPI's do over TCP.
   Switches have queues at their inputs and hold back what doesn't fit, as with Ethernet's pause
   frames. Real ones drop it, and TCP waits for time-outs. Both lose time where messages meet, but
   ours never lose a fifth of a second at once.
   A flit is a frame of 1500 bytes, or a 64th of a long message, so that any length takes the same
   effort to simulate. */
#include "reproduce/jeannot2007/jeannot2007.h"

#include <stdio.h>

#include "reproduce/shared/blocking_calls.h"

enum { FRAME_BYTES = 1500, FRAMES_MAX = 64, EAGER_BYTES = 64 * 1024, BACKBONE_MS = 5 };
static const double backbone_bps = 10e9, message_ns = 10e3;

static uint32_t flit_bytes(const struct tny_jeannot_run *run)
{
  const uint64_t part = run->bytes / FRAMES_MAX;
  return part > FRAME_BYTES ? (uint32_t)part : FRAME_BYTES;
}

/* Queues have room for what is in flight on the backbone there and back, shared buffers for
   everything. */
static uint32_t depth_of(const struct tny_jeannot_run *run, double cycle_ns)
{
  const double under_way_ns = 2.5e6 * BACKBONE_MS;
  return run->has_shared_buffers ? 1u << 24 : (uint32_t)(under_way_ns / cycle_ns) + 16;
}

static struct tny_network_model network_of(const struct tny_jeannot_run *run)
{
  const double cycle_ns = flit_bytes(run) * 8e9 / backbone_bps;
  return (struct tny_network_model){
      .switching = TNY_SWITCH_CUT_THROUGH,
      .buffering = run->has_shared_buffers ? TNY_BUFFER_SHARED : TNY_BUFFER_FIFO,
      .allocator = TNY_ALLOCATE_ROUND_ROBIN,
      .channels = 1,
      .depth = depth_of(run, cycle_ns),
      .link_cycles = 1,
      .inject_cycles = 1,
      .eject_cycles = 1,
      .credit_cycles = 1,
      .ports = 1,
      .cycle_ns = cycle_ns,
      .seed = 1,
  };
}

static bool crosses(const struct tny_jeannot_run *run, uint32_t rank, const struct tny_step *step)
{
  return tny_step_starts_message(step->kind) && (rank < run->n1) != (step->peer < run->n1);
}

/* Returns the first phase in which messages cross the backbone. */
static uint32_t wide_phase(const struct tny_jeannot_run *run, const struct tny_schedule *schedule)
{
  uint32_t first = TNY_NONE;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (crosses(run, rank, step) && step->phase < first)
        first = step->phase;
    }
  return first;
}

/* LG's exchanges over the backbone follow each other, step by step. The direct method has posted
   all its receives from the beginning. */
static enum tny_status wait_for_receivers(const struct tny_jeannot_run *run,
                                          struct tny_schedule **schedule, struct tny_error *error)
{
  const uint32_t blocks = run->n1 < run->n2 ? run->n1 : run->n2;
  struct tny_schedule *waiting;
  if (run->method != TNY_JEANNOT_LG || blocks * run->bytes <= EAGER_BYTES)
    return TNY_OK;
  const enum tny_status status =
      tny_blocking_one_partner(*schedule, wide_phase(run, *schedule), &waiting, error);
  tny_schedule_free(*schedule);
  *schedule = waiting;
  return status;
}

static void count_wide(const struct tny_jeannot_run *run, const struct tny_schedule *schedule,
                       struct tny_jeannot_result *result)
{
  result->wide_messages = 0;
  result->wide_blocks = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (!crosses(run, rank, step))
        continue;
      result->wide_messages++;
      result->wide_blocks += (double)tny_span_bytes(&step->span, run->bytes) / (double)run->bytes;
    }
}

static enum tny_status simulate(const struct tny_jeannot_run *run, const struct tny_site *site,
                                const struct tny_schedule *schedule, double *seconds,
                                struct tny_error *error)
{
  const struct tny_experiment experiment = {.network = network_of(run),
                                            .hosts = {.send_ns = message_ns,
                                                      .recv_ns = message_ns,
                                                      .flit_bytes = flit_bytes(run),
                                                      .packet_flits = 1},
                                            .block_bytes = run->bytes,
                                            .watch = run->watch};
  uint64_t cycles;
  const enum tny_status status = tny_experiment_cycles(&experiment, site, schedule, &cycles, error);
  if (status == TNY_OK)
    *seconds = (double)cycles * experiment.network.cycle_ns / 1e9;
  return status;
}

enum tny_status tny_jeannot_simulate(const struct tny_jeannot_run *run,
                                     struct tny_jeannot_result *result, struct tny_error *error)
{
  char cluster[128];
  snprintf(cluster, sizeof cluster, "zones:%u+%u,link=1Gbit/s,delay=%ums,rate=10Gbit/s", run->n1,
           run->n2, (unsigned)BACKBONE_MS);
  /* The shuffle, uncut and without a pace, has all messages at once: each rank sends to those
     behind it in turn, as Open MPI does (3). */
  const struct tny_plan_wanted wanted = {
      .collective = TNY_ALLTOALL, .algorithm = run->method == TNY_JEANNOT_LG ? "lg" : "shuffle"};
  struct tny_site site;
  struct tny_schedule *schedule = NULL;
  enum tny_status status =
      tny_site_open(&site, &(struct tny_site_wanted){.cluster = cluster}, error);
  if (status == TNY_OK)
    status = tny_site_plan(&site, &wanted, &schedule, error);
  if (status == TNY_OK) {
    count_wide(run, schedule, result);
    status = wait_for_receivers(run, &schedule, error);
  }
  if (status == TNY_OK)
    status = simulate(run, &site, schedule, &result->seconds, error);
  tny_schedule_free(schedule);
  tny_site_close(&site);
  return status;
}
