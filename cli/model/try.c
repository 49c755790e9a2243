/* Makes the numbers that stand beside the formulas': schedules are simulated, and messages and
   phases are counted in them. */
#include <math.h>

#include "cli/shared/progress.h"
#include "core/alloc.h"
#include "core/error.h"
#include "table.h"

struct run {
  struct progress progress;
  const char *paper, *name;
};

static bool show_share(void *context, uint64_t cycle, double share)
{
  struct run *run = context;
  (void)cycle;
  progress_show(&run->progress, "%s: %s, %.0f %% simulated", run->paper, run->name, 100 * share);
  return true;
}

static uint32_t count_phases(const struct tny_schedule *schedule)
{
  uint32_t count = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    const struct tny_steps *steps = &schedule->ranks[rank];
    for (uint32_t i = 0; i < steps->count; i++)
      if (steps->steps[i].phase != TNY_NONE && steps->steps[i].phase >= count)
        count = steps->steps[i].phase + 1;
  }
  return count;
}

/* Marks the phases in which one of a rank's messages crosses; returns how many do. */
static uint32_t mark_crossings(const struct tny_steps *steps, uint32_t rank,
                               const uint32_t *zone_of_rank, bool *crossed)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < steps->count; i++) {
    const struct tny_step *step = &steps->steps[i];
    if (step->kind != TNY_SEND || zone_of_rank[rank] == zone_of_rank[step->peer])
      continue;
    count++;
    if (step->phase != TNY_NONE)
      crossed[step->phase] = true;
  }
  return count;
}

static enum tny_status find_zones(const struct tny_site *site, uint32_t *zone_of_rank,
                                  struct tny_error *error)
{
  const struct tny_cluster *cluster = site->cluster;
  uint32_t zone_count;
  uint32_t *zones = tny_new(cluster->switch_count, sizeof *zones);
  if (!zones)
    return tny_error_memory(error);
  const enum tny_status status = tny_cluster_zones(cluster, zones, &zone_count, error);
  for (uint32_t rank = 0; status == TNY_OK && rank < site->rank_count; rank++)
    zone_of_rank[rank] =
        zones[tny_cluster_switch_of(cluster, site->host_of_rank[rank]) - cluster->host_count];
  tny_free(zones);
  return status;
}

/* Messages from zone to zone, or the phases that have some. */
static enum tny_status count_crossings(const struct tny_site *site,
                                       const struct tny_schedule *schedule,
                                       enum model_trial_kind kind, double *count,
                                       struct tny_error *error)
{
  const uint32_t phases = count_phases(schedule);
  uint64_t messages = 0, crossing_phases = 0;
  uint32_t *zone_of_rank = tny_new(site->rank_count, sizeof *zone_of_rank);
  bool *crossed = tny_new(phases, sizeof *crossed);
  enum tny_status status = TNY_OK;
  if (!zone_of_rank || !crossed)
    status = tny_error_memory(error);
  if (status == TNY_OK)
    status = find_zones(site, zone_of_rank, error);
  for (uint32_t rank = 0; status == TNY_OK && rank < schedule->rank_count; rank++)
    messages += mark_crossings(&schedule->ranks[rank], rank, zone_of_rank, crossed);
  for (uint32_t phase = 0; status == TNY_OK && phase < phases; phase++)
    crossing_phases += crossed[phase];
  *count = (double)(kind == MODEL_COUNTED_CROSSINGS ? messages : crossing_phases);
  tny_free(zone_of_rank);
  tny_free(crossed);
  return status;
}

static enum tny_status simulate(const struct model_trial *trial, const struct tny_site *site,
                                const struct tny_schedule *schedule, double *us,
                                struct tny_error *error)
{
  struct tny_simulation *simulation;
  const enum tny_status status =
      tny_experiment_run(&trial->experiment, site, schedule, &simulation, error);
  if (status != TNY_OK)
    return status;
  *us = (double)simulation->cycles * trial->experiment.network.cycle_ns / 1e3;
  tny_simulation_free(simulation);
  return TNY_OK;
}

static enum tny_status measure(const struct model_trial *trial, const struct tny_site *site,
                               const struct tny_schedule *schedule, double *value,
                               struct tny_error *error)
{
  if (trial->kind == MODEL_SIMULATED_TIME)
    return simulate(trial, site, schedule, value, error);
  if (trial->kind != MODEL_COUNTED_PHASES)
    return count_crossings(site, schedule, trial->kind, value, error);
  *value = count_phases(schedule);
  return TNY_OK;
}

static enum tny_status plan_and_measure(const struct model_trial *trial, double *value,
                                        struct tny_error *error)
{
  const struct tny_site_wanted where = {.cluster = trial->cluster};
  const struct tny_plan_wanted wanted = {.collective = trial->collective,
                                         .algorithm = trial->algorithm,
                                         .chunk_count = trial->chunk_count};
  struct tny_site site;
  struct tny_schedule *schedule = NULL;
  enum tny_status status = tny_site_open(&site, &where, error);
  if (status == TNY_OK)
    status = tny_site_plan(&site, &wanted, &schedule, error);
  if (status == TNY_OK)
    status = measure(trial, &site, schedule, value, error);
  tny_schedule_free(schedule);
  tny_site_close(&site);
  return status;
}

static enum tny_status try_row(struct run *run, const struct model_table *table,
                               struct model_row *row, struct tny_error *error)
{
  const struct tny_simulate_watch watch = {show_share, run};
  struct model_trial trial = row->trial;
  struct tny_error refused = {0};
  if (trial.kind == MODEL_NO_TRIAL)
    return TNY_OK;
  if (trial.kind == MODEL_RATE_OF_ROW) {
    const struct model_row *timed = &table->rows[trial.row];
    row->ours = row->predicted * timed->predicted / timed->ours;
    return TNY_OK;
  }
  run->name = row->name;
  trial.experiment.watch = &watch;
  progress_show(&run->progress, "%s: %s", run->paper, row->name);
  const enum tny_status status = plan_and_measure(&trial, &row->ours, &refused);
  if (status == TNY_OK)
    return TNY_OK;
  row->ours = NAN;
  if (status != TNY_REFUSED)
    return tny_error_set(error, status, "%s, %s: %s", run->paper, row->name, refused.text);
  snprintf(row->refused, sizeof row->refused, "%.*s", (int)sizeof row->refused - 1, refused.text);
  return TNY_OK;
}

enum tny_status model_try(const struct model_paper *paper, struct model_table *table,
                          struct tny_error *error)
{
  struct run run = {.progress = progress_begin(), .paper = paper->key};
  enum tny_status status = TNY_OK;
  table->is_tried = true;
  for (uint32_t i = 0; status == TNY_OK && i < table->row_count; i++)
    status = try_row(&run, table, &table->rows[i], error);
  progress_clear(&run.progress);
  return status;
}
