/* Ranks are mapped to hosts, planned for, and simulated. */
#include "reproduce/shared/experiment.h"

#include <math.h>
#include <stdlib.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/random.h"

/* Makes the placement anew, after host_of_rank has changed. */
static enum tny_status update_placement(struct tny_site *site, struct tny_error *error)
{
  tny_placement_free(site->placement);
  site->placement = NULL;
  return tny_placement_make(site->cluster, site->host_of_rank, site->rank_count, &site->placement,
                            error);
}

enum tny_status tny_site_open(struct tny_site *site, const struct tny_site_wanted *wanted,
                              struct tny_error *error)
{
  *site = (struct tny_site){0};
  enum tny_status status = tny_cluster_generate(wanted->cluster, &site->cluster, error);
  if (status == TNY_OK)
    status = tny_routes_make_as(site->cluster, wanted->routing, &site->routes, error);
  if (status != TNY_OK)
    return status;
  site->rank_count = wanted->ranks ? wanted->ranks : site->cluster->host_count;
  site->host_of_rank = tny_new(site->rank_count, sizeof *site->host_of_rank);
  if (!site->host_of_rank)
    return tny_error_memory(error);
  site->network = (struct tny_network){site->routes, site->host_of_rank, site->rank_count};
  status = tny_map_ranks(site->cluster, wanted->map, site->rank_count, site->host_of_rank, error);
  return status == TNY_OK ? update_placement(site, error) : status;
}

enum tny_status tny_site_shuffle(struct tny_site *site, uint64_t seed, struct tny_error *error)
{
  uint32_t *hosts = site->host_of_rank;
  for (uint32_t left = site->rank_count; left > 1; left--) {
    const uint32_t drawn = (uint32_t)(tny_random_next(&seed) % left);
    const uint32_t host = hosts[drawn];
    hosts[drawn] = hosts[left - 1];
    hosts[left - 1] = host;
  }
  return update_placement(site, error);
}

enum tny_status tny_site_number(struct tny_site *site, struct tny_error *error)
{
  for (uint32_t rank = 0; rank < site->rank_count; rank++)
    site->host_of_rank[rank] = rank % site->cluster->host_count;
  return update_placement(site, error);
}

void tny_site_close(struct tny_site *site)
{
  tny_placement_free(site->placement);
  tny_free(site->host_of_rank);
  tny_routes_free(site->routes);
  tny_cluster_free(site->cluster);
  *site = (struct tny_site){0};
}

/* Keeps the phases apart where that is wanted; replaces the schedule. */
static enum tny_status separate(const struct tny_site *site, enum tny_separation separation,
                                struct tny_schedule **schedule, struct tny_error *error)
{
  struct tny_schedule *separated;
  if (separation == TNY_SEPARATE_NONE)
    return TNY_OK;
  const enum tny_status status =
      tny_pass_separate(*schedule, &site->network, separation, &separated, NULL, error);
  tny_schedule_free(*schedule);
  *schedule = status == TNY_OK ? separated : NULL;
  return status;
}

enum tny_status tny_site_plan(const struct tny_site *site, const struct tny_plan_wanted *wanted,
                              struct tny_schedule **schedule, struct tny_error *error)
{
  struct tny_algorithm_choice choice;
  struct tny_problem prepared;
  enum tny_status status =
      tny_algorithm_parse(wanted->collective, wanted->algorithm, &choice, error);
  if (status != TNY_OK)
    return status;
  const struct tny_problem problem = {.collective = wanted->collective,
                                      .rank_count = site->rank_count,
                                      .root = wanted->root,
                                      .placement = site->placement,
                                      .parameter = choice.parameter,
                                      .network = &site->network,
                                      .pattern = wanted->pattern};
  const struct tny_pace pace = {.chunk_count = wanted->chunk_count ? wanted->chunk_count : 1,
                                .window = wanted->window};
  status = tny_problem_prepare(choice.algorithm, &problem, &prepared, error);
  if (status == TNY_OK)
    status = tny_plan_all(choice.algorithm, &prepared, pace, schedule, error);
  tny_problem_release(choice.algorithm, &prepared);
  return status == TNY_OK ? separate(site, wanted->separation, schedule, error) : status;
}

enum tny_status tny_experiment_run(const struct tny_experiment *experiment,
                                   const struct tny_site *site, const struct tny_schedule *schedule,
                                   struct tny_simulation **simulation, struct tny_error *error)
{
  struct tny_network_model network = experiment->network;
  struct tny_host_model hosts = experiment->hosts;
  struct tny_program *program;
  network.routes = site->routes;
  hosts.host_of_rank = site->host_of_rank;
  enum tny_status status = tny_program_make(schedule, experiment->block_bytes,
                                            experiment->block_bytes_of, &program, error);
  if (status != TNY_OK)
    return status;
  status = tny_simulate(&network, &hosts, program, experiment->watch, simulation, NULL, error);
  tny_program_free(program);
  return status;
}

enum tny_status tny_experiment_cycles(const struct tny_experiment *experiment,
                                      const struct tny_site *site,
                                      const struct tny_schedule *schedule, uint64_t *cycles,
                                      struct tny_error *error)
{
  struct tny_simulation *simulation;
  const enum tny_status status = tny_experiment_run(experiment, site, schedule, &simulation, error);
  if (status != TNY_OK)
    return status;
  *cycles = simulation->cycles;
  tny_simulation_free(simulation);
  return TNY_OK;
}

enum tny_status tny_experiment_time(const struct tny_experiment *experiment,
                                    const struct tny_site *site,
                                    const struct tny_plan_wanted *wanted, uint64_t *cycles,
                                    struct tny_error *error)
{
  struct tny_schedule *schedule;
  enum tny_status status = tny_site_plan(site, wanted, &schedule, error);
  if (status != TNY_OK)
    return status;
  status = tny_experiment_cycles(experiment, site, schedule, cycles, error);
  tny_schedule_free(schedule);
  return status;
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double quantile(const double *values, size_t count, double share)
{
  const double position = share * (double)(count - 1);
  const size_t below = (size_t)position;
  const size_t above = below + 1 < count ? below + 1 : below;
  return values[below] + (position - (double)below) * (values[above] - values[below]);
}

struct tny_spread tny_spread_of(double *values, size_t count)
{
  if (count == 0)
    return (struct tny_spread){NAN, NAN, NAN};
  qsort(values, count, sizeof *values, compare);
  return (struct tny_spread){quantile(values, count, 0.25), quantile(values, count, 0.5),
                             quantile(values, count, 0.75)};
}
