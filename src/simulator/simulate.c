/* Runs a program on a network: hosts and fabric in turns. Times at which nothing happens are
   skipped. */
#include <time.h>

#include "core/alloc.h"
#include "core/error.h"
#include "simulator/bins.h"
#include "simulator/hosts.h"

enum {
  CYCLES_AT_ONCE = 64, /* of the fabric, before the watch is asked */
  TICK_MS = 100
};

struct run {
  struct tny_hosts hosts;
  struct tny_fabric *fabric;
  struct tny_bins bins;
  uint64_t cycle; /* the time */
  bool is_synchronizing;
  const struct tny_simulate_watch *watch;
  struct timespec ticked; /* long ago at the start: the watch is asked at once */
  char **deadlock;
  struct tny_error *error;
};

static long milliseconds_since(const struct timespec *then, const struct timespec *now)
{
  return (now->tv_sec - then->tv_sec) * 1000 + (now->tv_nsec - then->tv_nsec) / 1000000;
}

static enum tny_status tick(struct run *run)
{
  if (!run->watch)
    return TNY_OK;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (milliseconds_since(&run->ticked, &now) < TICK_MS)
    return TNY_OK;
  run->ticked = now;
  const double share = (double)run->hosts.complete_count / (double)run->hosts.op_count;
  return run->watch->tick(run->watch->context, run->cycle, share)
             ? TNY_OK
             : tny_error_set(run->error, TNY_INTERRUPTED, "interrupted at cycle %llu",
                             (unsigned long long)run->cycle);
}

static void note_bins(struct run *run)
{
  tny_bins_note(&run->bins, run->cycle, tny_fabric_link_flits(run->fabric));
}

/* Nothing is under way: time goes on to when a host next has something to do. */
static enum tny_status jump(struct run *run, uint64_t next)
{
  if (next == UINT64_MAX)
    return tny_hosts_refuse_deadlock(&run->hosts, run->deadlock, run->error);
  if (next > run->cycle) {
    run->cycle = next;
    tny_fabric_jump(run->fabric, next + 1);
    note_bins(run);
  }
  return TNY_OK;
}

/* The fabric goes on until something happens. Where messages wait for their phase and hosts won't
   send any more, it may run without a limit, so that it reports the deadlock. */
static enum tny_status move(struct run *run, uint64_t next)
{
  struct tny_fabric_events events;
  uint64_t until = run->cycle + CYCLES_AT_ONCE;
  until = until < next ? until : next;
  until = until < run->bins.end ? until : run->bins.end;
  if (run->is_synchronizing && next == UINT64_MAX && tny_fabric_is_still(run->fabric))
    until = UINT64_MAX;
  enum tny_status status = tny_fabric_run(run->fabric, until, &events, run->deadlock, run->error);
  if (status != TNY_OK)
    return status;
  run->cycle = tny_fabric_cycle(run->fabric);
  note_bins(run);
  status = tny_hosts_work(&run->hosts, run->cycle);
  for (uint32_t i = 0; status == TNY_OK && i < events.count; i++)
    status = tny_hosts_notice(&run->hosts, &events.list[i], run->cycle);
  return status;
}

static enum tny_status run_all(struct run *run)
{
  enum tny_status status = TNY_OK;
  while (status == TNY_OK) {
    status = tny_hosts_work(&run->hosts, run->cycle);
    if (status != TNY_OK || run->hosts.complete_count == run->hosts.op_count)
      break;
    const uint64_t next = tny_hosts_next(&run->hosts);
    status = tny_fabric_is_empty(run->fabric) ? jump(run, next) : move(run, next);
    if (status == TNY_OK)
      status = tick(run);
  }
  return status;
}

/* Finds when each phase begins, with its first send (receives may be posted long before), and when
   it ends. */
static enum tny_status time_phases(const struct tny_hosts *hosts, struct tny_simulation *simulation,
                                   struct tny_error *error)
{
  const uint32_t count = hosts->phase_count;
  simulation->phase_count = count;
  simulation->phase_begin = tny_new(count, sizeof *simulation->phase_begin);
  simulation->phase_end = tny_new(count, sizeof *simulation->phase_end);
  if (!simulation->phase_begin || !simulation->phase_end)
    return tny_error_memory(error);
  for (uint32_t phase = 0; phase < count; phase++)
    simulation->phase_begin[phase] = UINT64_MAX;
  for (uint32_t op = 0; op < hosts->op_count; op++) {
    const uint32_t phase = hosts->program->ops[op].phase;
    if (phase == TNY_NONE)
      continue;
    const bool receives = hosts->program->ops[op].kind == TNY_OP_RECV;
    if (!receives && hosts->times[op].start < simulation->phase_begin[phase])
      simulation->phase_begin[phase] = hosts->times[op].start;
    if (hosts->times[op].end > simulation->phase_end[phase])
      simulation->phase_end[phase] = hosts->times[op].end;
  }
  for (uint32_t phase = 0; phase < count; phase++)
    if (simulation->phase_begin[phase] == UINT64_MAX)
      simulation->phase_begin[phase] = 0;
  return TNY_OK;
}

/* Checks that every flit that a host was given has left it, and that as many have arrived. */
static enum tny_status check_flits(const struct tny_hosts *hosts, const struct tny_cluster *cluster,
                                   const uint64_t *link_flits, struct tny_error *error)
{
  uint64_t left = 0, came = 0;
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    left += cluster->links[link].from < cluster->host_count ? link_flits[link] : 0;
    came += cluster->links[link].to < cluster->host_count ? link_flits[link] : 0;
  }
  if (left == hosts->flits && came == hosts->flits)
    return TNY_OK;
  return tny_error_set(error, TNY_BROKEN,
                       "the simulator lost flits: %llu were handed in, %llu left hosts, %llu came; "
                       "please report it",
                       (unsigned long long)hosts->flits, (unsigned long long)left,
                       (unsigned long long)came);
}

static enum tny_status report(struct run *run, const struct tny_cluster *cluster,
                              struct tny_simulation *simulation)
{
  struct tny_hosts *hosts = &run->hosts;
  const uint64_t *link_flits = tny_fabric_link_flits(run->fabric);
  enum tny_status status = check_flits(hosts, cluster, link_flits, run->error);
  if (status == TNY_OK)
    status = time_phases(hosts, simulation, run->error);
  if (status == TNY_OK)
    status = tny_bins_finish(&run->bins, run->cycle, link_flits, simulation, run->error);
  if (status != TNY_OK)
    return status;
  simulation->link_flits = tny_new(cluster->link_count, sizeof *simulation->link_flits);
  if (!simulation->link_flits)
    return tny_error_memory(run->error);
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    simulation->link_flits[link] = link_flits[link];
    simulation->flit_hops += link_flits[link];
  }
  simulation->cycles = run->cycle;
  simulation->messages = hosts->messages;
  simulation->packets = hosts->packets;
  simulation->flits = hosts->flits;
  simulation->ops = hosts->times;
  hosts->times = NULL;
  return TNY_OK;
}

static enum tny_status run_and_report(struct run *run, const struct tny_network_model *network,
                                      struct tny_simulation *simulation)
{
  const struct tny_cluster *cluster = network->routes->cluster;
  enum tny_status status = tny_hosts_init(&run->hosts, network->cycle_ns);
  if (status == TNY_OK)
    status = tny_bins_init(&run->bins, cluster->link_count, run->error);
  run->is_synchronizing = network->is_synchronizing;
  if (status == TNY_OK && network->is_synchronizing)
    status = tny_hosts_announce(&run->hosts);
  if (status == TNY_OK)
    status = run_all(run);
  return status == TNY_OK ? report(run, cluster, simulation) : status;
}

enum tny_status tny_simulate(const struct tny_network_model *network,
                             const struct tny_host_model *hosts, const struct tny_program *program,
                             const struct tny_simulate_watch *watch,
                             struct tny_simulation **simulation, char **deadlock,
                             struct tny_error *error)
{
  struct run run = {.watch = watch, .deadlock = deadlock, .error = error};
  *simulation = NULL;
  if (deadlock)
    *deadlock = NULL;
  enum tny_status status = tny_fabric_new(network, &run.fabric, error);
  if (status != TNY_OK)
    return status;
  run.hosts =
      (struct tny_hosts){.model = hosts, .program = program, .fabric = run.fabric, .error = error};
  struct tny_simulation *made = tny_new(1, sizeof *made);
  status = made ? run_and_report(&run, network, made) : tny_error_memory(error);
  tny_hosts_release(&run.hosts);
  tny_bins_release(&run.bins);
  tny_fabric_free(run.fabric);
  if (status == TNY_OK)
    *simulation = made;
  else
    tny_simulation_free(made);
  return status;
}

void tny_simulation_free(struct tny_simulation *simulation)
{
  if (!simulation)
    return;
  tny_free(simulation->link_flits);
  tny_free(simulation->phase_begin);
  tny_free(simulation->phase_end);
  tny_free(simulation->ops);
  tny_free(simulation->bin_flits);
  tny_free(simulation);
}
