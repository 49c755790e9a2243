/* Makes the program and the models from the options of `tourney simulate`, and runs them. */
#include "simulated.h"

#include <inttypes.h>
#include <math.h>
#include <sys/stat.h>

#include "cli/shared/clock.h"
#include "cli/shared/mapping.h"
#include "cli/shared/progress.h"
#include "cli/shared/signals.h"
#include "core/error.h"

enum { DEPTH_LEAST = 16, SHOWN_AFTER_S = 2 };

struct watched {
  struct progress *progress;
  double begun; /* seconds */
};

static bool tick(void *context, uint64_t cycle, double share)
{
  const struct watched *watched = context;
  if (clock_seconds() - watched->begun > SHOWN_AFTER_S)
    progress_show(watched->progress, "simulating: cycle %" PRIu64 ", %.0f %% of the steps", cycle,
                  100 * share);
  return !signals_came();
}

/* How long a flit takes on the fastest link. */
static double cycle_ns(const struct simulated *simulated)
{
  const struct tny_cluster *cluster = simulated->plan.mapping.cluster;
  uint64_t fastest = 1;
  for (uint32_t link = 0; link < cluster->link_count; link++)
    if (cluster->links[link].bandwidth_bps > fastest)
      fastest = cluster->links[link].bandwidth_bps;
  return 8e9 * simulated->options->hosts.flit_bytes / (double)fastest;
}

/* In flits, at least a packet's. */
static uint32_t shortest_buffer(const struct tny_cluster *cluster,
                                const struct tny_host_model *hosts)
{
  uint64_t bytes = UINT64_MAX;
  for (uint32_t link = 0; link < cluster->link_count; link++)
    if (cluster->links[link].buffer_bytes < bytes)
      bytes = cluster->links[link].buffer_bytes;
  const uint64_t flits = bytes / hosts->flit_bytes;
  const uint64_t packet = (uint64_t)hosts->packet_flits + hosts->header_flits;
  const uint64_t depth = flits > packet ? flits : packet;
  return depth < UINT32_MAX / 2 ? (uint32_t)depth : UINT32_MAX / 2;
}

/* The depth of buffers, in flits. A switch's shared buffer has as much as the port buffers. A queue
   has as much as keeps the longest link busy while credits come back (its bandwidth-delay product),
   and two packets more where only whole ones are taken: one comes while the other one leaves. */
static uint32_t find_depth(const struct simulated *simulated)
{
  const struct tny_network_model *network = &simulated->network;
  const struct tny_host_model *hosts = &simulated->hosts;
  const struct tny_cluster *cluster = simulated->plan.mapping.cluster;
  double longest_ns = 0;
  for (uint32_t link = 0; link < cluster->link_count; link++)
    if ((double)cluster->links[link].latency_ns > longest_ns)
      longest_ns = (double)cluster->links[link].latency_ns;
  if (network->buffering == TNY_BUFFER_SHARED)
    return shortest_buffer(cluster, hosts);
  double depth = DEPTH_LEAST + network->switch_cycles;
  if (network->cycle_ns > 0)
    depth += ceil(2 * longest_ns / network->cycle_ns);
  if (hosts->packet_flits > 0)
    depth += 2.0 * (hosts->packet_flits + hosts->header_flits);
  return depth < (double)(UINT32_MAX / 2) ? (uint32_t)depth : UINT32_MAX / 2;
}

static void make_models(struct simulated *simulated)
{
  const struct simulate_options *options = simulated->options;
  simulated->network = options->network;
  simulated->network.routes = simulated->plan.mapping.routes;
  simulated->network.cycle_ns = cycle_ns(simulated);
  simulated->hosts = options->hosts;
  simulated->hosts.host_of_rank = simulated->plan.mapping.host_of_rank;
  if (simulated->network.depth == 0)
    simulated->network.depth = find_depth(simulated);
}

static enum tny_status map_ranks(struct simulated *simulated, uint32_t ranks,
                                 struct tny_error *error)
{
  const struct plan_request *request = &simulated->options->plan;
  const struct mapping_wanted wanted = {.cluster = request->cluster,
                                        .routing = request->routing,
                                        .map = request->map,
                                        .ranks = ranks};
  return mapping_open(&simulated->plan.mapping, &wanted, error);
}

static enum tny_status compute_bound(struct simulated *simulated, enum tny_collective collective,
                                     uint32_t root, uint64_t block_bytes, struct tny_error *error)
{
  const struct mapping *mapping = &simulated->plan.mapping;
  simulated->has_bound = true;
  return tny_bound_compute(mapping->routes, mapping->host_of_rank, mapping->rank_count, collective,
                           root, block_bytes, &simulated->bound, error);
}

static enum tny_status make_planned(struct simulated *simulated, struct progress *progress,
                                    struct tny_error *error)
{
  struct plan *plan = &simulated->plan;
  plan->request = &simulated->options->plan;
  enum tny_status status = plan_make(plan, progress, error);
  if (status != TNY_OK)
    return status;
  simulated->schedule = plan->schedule;
  status =
      tny_program_make(plan->schedule, plan->block_bytes,
                       plan->pattern ? plan->pattern->bytes : NULL, &simulated->program, error);
  simulated->has_bound = true;
  simulated->bound = plan->proof.bound;
  return status;
}

/* A schedule in MSCCL's form is proved first: only a proved one can be taken over as a
   schedule of ours. */
static enum tny_status make_foreign(struct simulated *simulated, struct tny_error *error)
{
  struct tny_foreign *foreign = simulated->file.foreign;
  const struct tny_foreign_about about = tny_foreign_about(foreign);
  struct tny_foreign_report report;
  if (about.form == TNY_FORM_GOAL)
    return tny_foreign_program(foreign, &simulated->program, error);
  enum tny_status status = tny_foreign_verify(foreign, NULL, &report, error);
  if (status == TNY_OK)
    status = tny_foreign_schedule(foreign, &simulated->file.schedule, error);
  return status;
}

/* Computes the bound where the file says which collective it is and how long its blocks are. */
static enum tny_status bound_file(struct simulated *simulated, struct tny_error *error)
{
  const struct simulate_options *options = simulated->options;
  const struct tny_schedule *schedule = simulated->schedule;
  if (schedule)
    return schedule->wanted ? TNY_OK
                            : compute_bound(simulated, schedule->collective, schedule->root,
                                            options->plan.bytes, error);
  const struct tny_foreign_about about = tny_foreign_about(simulated->file.foreign);
  if (!about.head || about.block_bytes == 0 || about.head->wanted)
    return TNY_OK;
  return compute_bound(simulated, about.head->collective, about.head->root, about.block_bytes,
                       error);
}

static enum tny_status make_from_file(struct simulated *simulated, struct tny_error *error)
{
  const struct simulate_options *options = simulated->options;
  struct stat found;
  if (stat(options->file, &found) != 0)
    return tny_error_set(
        error, TNY_BAD_INPUT,
        "'%.200s' is no collective (bcast, allgather, alltoall), nor is there such "
        "a file",
        options->file);
  enum tny_status status = schedule_file_open(&simulated->file, options->file, error);
  if (status == TNY_OK && simulated->file.foreign)
    status = make_foreign(simulated, error);
  if (status != TNY_OK)
    return status;
  simulated->schedule = simulated->file.schedule;
  if (!simulated->schedule && (options->bytes_given || options->flits))
    return tny_error_set(error, TNY_BAD_INPUT, "a GOAL file has its messages' sizes: no --bytes");
  status = map_ranks(simulated,
                     simulated->schedule ? simulated->schedule->rank_count
                                         : simulated->program->rank_count,
                     error);
  if (status == TNY_OK && simulated->schedule)
    status = tny_program_make(simulated->schedule, options->plan.bytes, NULL, &simulated->program,
                              error);
  return status == TNY_OK ? bound_file(simulated, error) : status;
}

enum tny_status simulate_run(struct simulated *simulated, struct progress *progress,
                             struct tny_error *error)
{
  const enum tny_status status = simulated->options->file
                                     ? make_from_file(simulated, error)
                                     : make_planned(simulated, progress, error);
  if (status != TNY_OK)
    return status;
  make_models(simulated);
  struct watched watched = {.progress = progress, .begun = clock_seconds()};
  const struct tny_simulate_watch watch = {.tick = tick, .context = &watched};
  struct signals_caught caught;
  progress_clear(progress);
  signals_catch(&caught);
  const enum tny_status ended =
      tny_simulate(&simulated->network, &simulated->hosts, simulated->program, &watch,
                   &simulated->simulation, &simulated->deadlock, error);
  signals_leave(&caught);
  return ended;
}

void simulate_release(struct simulated *simulated)
{
  tny_simulation_free(simulated->simulation);
  tny_program_free(simulated->program);
  tny_text_free(simulated->deadlock);
  schedule_file_close(&simulated->file);
  plan_release(&simulated->plan);
}
