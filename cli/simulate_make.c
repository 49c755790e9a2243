/* `tourney simulate`: the program and the models, and the run. */
#include "simulate.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

#include "core/error.h"

enum { DEPTH_LEAST = 16, SHOWN_AFTER_S = 2 };

static volatile sig_atomic_t is_ended;

static void end_run(int signal_number)
{
  (void)signal_number;
  is_ended = 1;
}

static const int ends[] = {SIGINT, SIGTERM};
enum { END_COUNT = sizeof ends / sizeof *ends };

/* The first one ends the run cleanly, a second one at once. One that was ignored stays so. */
static void catch_signals(struct sigaction before[END_COUNT])
{
  const struct sigaction action = {.sa_handler = end_run, .sa_flags = (int)SA_RESETHAND};
  for (int i = 0; i < END_COUNT; i++)
    if (sigaction(ends[i], NULL, &before[i]) == 0 && before[i].sa_handler != SIG_IGN)
      sigaction(ends[i], &action, NULL);
}

static void leave_signals(const struct sigaction before[END_COUNT])
{
  for (int i = 0; i < END_COUNT; i++)
    sigaction(ends[i], &before[i], NULL);
}

struct watched {
  struct progress *progress;
  double begun; /* seconds */
};

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool tick(void *context, uint64_t cycle, double share)
{
  const struct watched *watched = context;
  if (now() - watched->begun > SHOWN_AFTER_S)
    progress_show(watched->progress, "simulating: cycle %" PRIu64 ", %.0f %% of the steps", cycle,
                  100 * share);
  return !is_ended;
}

/* How long a flit takes on the fastest link. */
static double cycle_ns(const struct simulated *simulated)
{
  const struct tny_cluster *cluster = simulated->plan.scene.cluster;
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

/* Of a switch's one store, as much as the port buffers have. Of a queue, as much as keeps the
   longest link busy while credits come back, and two packets, where only whole ones are taken: one
   comes while the other one leaves. */
static uint32_t find_depth(const struct simulated *simulated)
{
  const struct tny_network_model *network = &simulated->network;
  const struct tny_host_model *hosts = &simulated->hosts;
  const struct tny_cluster *cluster = simulated->plan.scene.cluster;
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
  simulated->network.routes = simulated->plan.scene.routes;
  simulated->network.cycle_ns = cycle_ns(simulated);
  simulated->hosts = options->hosts;
  simulated->hosts.host_of_rank = simulated->plan.scene.host_of_rank;
  if (simulated->network.depth == 0)
    simulated->network.depth = find_depth(simulated);
}

static enum tny_status open_scene(struct simulated *simulated, uint32_t ranks,
                                  struct tny_error *error)
{
  const struct plan_options *options = &simulated->options->plan;
  const struct scene_wanted wanted = {.cluster = options->cluster,
                                      .routing = options->routing,
                                      .map = options->map,
                                      .ranks = ranks};
  return scene_open(&simulated->plan.scene, &wanted, error);
}

static enum tny_status compute_bound(struct simulated *simulated, enum tny_collective collective,
                                     uint32_t root, uint64_t block_bytes, struct tny_error *error)
{
  const struct scene *scene = &simulated->plan.scene;
  simulated->has_bound = true;
  return tny_bound_compute(scene->routes, scene->host_of_rank, scene->rank_count, collective, root,
                           block_bytes, &simulated->bound, error);
}

static enum tny_status make_planned(struct simulated *simulated, struct progress *progress,
                                    struct tny_error *error)
{
  struct plan *plan = &simulated->plan;
  plan->options = &simulated->options->plan;
  enum tny_status status = open_scene(simulated, plan->options->ranks, error);
  if (status == TNY_OK)
    status = plan_make(plan, progress, error);
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

/* MSCCL's are proved first, as they're taken over as they were proved. */
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

/* What a file's blocks have, and what it's the schedule of; a bound where both are known. */
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
    return tny_error_set(error, TNY_BAD_INPUT,
                         "'%.200s' is no collective (%s), nor is there such a file", options->file,
                         tny_collective_names(NULL, ", ", ", ").text);
  enum tny_status status = schedule_file_open(&simulated->file, options->file, error);
  if (status == TNY_OK && simulated->file.foreign)
    status = make_foreign(simulated, error);
  if (status != TNY_OK)
    return status;
  simulated->schedule = simulated->file.schedule;
  if (!simulated->schedule && (options->bytes_given || options->flits))
    return tny_error_set(error, TNY_BAD_INPUT, "a GOAL file has its messages' sizes: no --bytes");
  status = open_scene(simulated,
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
  progress_show(progress, "planning");
  const enum tny_status status = simulated->options->file
                                     ? make_from_file(simulated, error)
                                     : make_planned(simulated, progress, error);
  if (status != TNY_OK)
    return status;
  make_models(simulated);
  struct watched watched = {.progress = progress, .begun = now()};
  const struct tny_simulate_watch watch = {.tick = tick, .context = &watched};
  struct sigaction before[END_COUNT];
  progress_clear(progress);
  catch_signals(before);
  const enum tny_status ended =
      tny_simulate(&simulated->network, &simulated->hosts, simulated->program, &watch,
                   &simulated->simulation, &simulated->circle, error);
  leave_signals(before);
  return ended;
}

void simulate_release(struct simulated *simulated)
{
  tny_simulation_free(simulated->simulation);
  tny_program_free(simulated->program);
  tny_text_free(simulated->circle);
  schedule_file_close(&simulated->file);
  plan_release(&simulated->plan);
}
