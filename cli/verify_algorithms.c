/* Every algorithm on every cluster of the list: the jobs, and the tables of what came out. */
#include "verify_algorithms.h"

#include <inttypes.h>
#include <time.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/text.h"
#include "progress.h"
#include "verify_prove.h"
#include "verify_workers.h"

/* An algorithm with a parameter, to be proved. */
struct subject {
  struct tny_named named;
  char name[64]; /* "bruck:4" */
  struct verify_tally tally;
};

/* A cluster to prove on. */
struct site {
  uint32_t family; /* in verify_families */
  uint32_t number;
  bool used; /* something was proved there */
};

/* A job is a site and a subject: job / subject_count and job % subject_count. */
struct campaign {
  const struct verify_wanted *wanted;
  struct subject *subjects;
  struct site *sites;
  uint32_t subject_count, site_count;
  struct verify_tally *by_family; /* verify_family_count */
  /* In a worker: the site where it proved last. */
  struct verify_stage stage;
  uint32_t stage_site; /* TNY_NONE: none is open */
  /* In this process. */
  struct progress progress;
  uint32_t done;
  uint64_t schedules;
  double start, shown;
};

static double seconds_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* --- what is to be proved --- */

static void add_subject(struct campaign *campaign, const struct tny_algorithm *algorithm,
                        uint32_t parameter)
{
  struct subject *subject = &campaign->subjects[campaign->subject_count++];
  subject->named = (struct tny_named){algorithm, parameter};
  snprintf(subject->name, sizeof subject->name, parameter ? "%s:%" PRIu32 : "%s", algorithm->name,
           parameter);
}

/* An algorithm with each parameter that is tried: the standard one, the least, and one between or
   beyond. */
enum { PARAMETERS_TRIED = 3 };

static void add_parameters(struct campaign *campaign, const struct tny_algorithm *algorithm)
{
  const struct tny_parameter *parameter = &algorithm->parameter;
  if (!parameter->name) {
    add_subject(campaign, algorithm, 0);
    return;
  }
  add_subject(campaign, algorithm, parameter->standard);
  if (parameter->least != parameter->standard)
    add_subject(campaign, algorithm, parameter->least);
  add_subject(campaign, algorithm,
              (parameter->least > parameter->standard ? parameter->least : parameter->standard) +
                  1);
}

/* The subjects of a collective that --algorithm asks for, or all. */
static enum tny_status add_collective(struct campaign *campaign, enum tny_collective collective,
                                      struct tny_error *error)
{
  const char *wanted = campaign->wanted->algorithm;
  struct tny_named named = {0};
  if (wanted) {
    const enum tny_status status = tny_algorithm_parse(collective, wanted, &named, error);
    if (status != TNY_OK)
      return status;
  }
  if (wanted && strchr(wanted, ':')) {
    add_subject(campaign, named.algorithm, named.parameter);
    return TNY_OK;
  }
  for (uint32_t i = 0; tny_algorithms[i]; i++)
    if (tny_algorithms[i]->collective == collective &&
        (!wanted || tny_algorithms[i] == named.algorithm))
      add_parameters(campaign, tny_algorithms[i]);
  return TNY_OK;
}

/* A name without a collective may be of any collective, but must be of one. */
static enum tny_status find_subjects(struct campaign *campaign, struct tny_error *error)
{
  const struct verify_wanted *wanted = campaign->wanted;
  uint32_t count = 0;
  while (tny_algorithms[count])
    count++;
  campaign->subjects = tny_new((size_t)count * PARAMETERS_TRIED, sizeof *campaign->subjects);
  if (!campaign->subjects)
    return tny_error_memory(error);
  if (wanted->collective) {
    enum tny_collective collective;
    const enum tny_status status = tny_collective_parse(wanted->collective, &collective, error);
    return status == TNY_OK ? add_collective(campaign, collective, error) : status;
  }
  for (unsigned i = 0; i < TNY_COLLECTIVE_COUNT; i++) {
    const enum tny_collective collective = (enum tny_collective)i;
    if (wanted->algorithm && !tny_algorithm_find(collective, wanted->algorithm))
      continue;
    const enum tny_status status = add_collective(campaign, collective, error);
    if (status != TNY_OK)
      return status;
  }
  if (campaign->subject_count > 0)
    return TNY_OK;
  return tny_error_set(error, TNY_BAD_INPUT,
                       "there is no algorithm '%.40s'; see 'tourney algorithms'",
                       wanted->algorithm);
}

static bool is_taken(const struct verify_family *family, uint32_t number, bool all)
{
  const uint32_t index = number - family->first, every = family->quick.every;
  return all || index < family->quick.count || (every > 0 && (index + 1) % every == 0);
}

static enum tny_status find_sites(struct campaign *campaign, struct tny_error *error)
{
  uint32_t most = 1;
  for (uint32_t i = 0; i < verify_family_count; i++)
    most += verify_families[i].last - verify_families[i].first + 1;
  campaign->sites = tny_new(most, sizeof *campaign->sites);
  campaign->by_family = tny_new(verify_family_count, sizeof *campaign->by_family);
  if (!campaign->sites || !campaign->by_family)
    return tny_error_memory(error);
  if (campaign->wanted->site.cluster) {
    campaign->site_count = 1;
    return TNY_OK;
  }
  for (uint32_t i = 0; i < verify_family_count; i++)
    for (uint32_t number = verify_families[i].first; number <= verify_families[i].last; number++)
      if (is_taken(&verify_families[i], number, campaign->wanted->all))
        campaign->sites[campaign->site_count++] = (struct site){.family = i, .number = number};
  return TNY_OK;
}

/* --- in a worker --- */

/* The cluster that was asked for. */
static enum tny_status open_wanted(struct campaign *campaign, struct tny_error *error)
{
  const struct verify_wanted *wanted = campaign->wanted;
  campaign->stage = (struct verify_stage){
      .map = wanted->site.map, .roots = VERIFY_EVERY_ROOT, .block_bytes = wanted->block_bytes};
  return scene_open(&campaign->stage.scene, &wanted->site, error);
}

/* A cluster of a family; --quick takes some roots where there are many. */
static enum tny_status open_family(struct campaign *campaign, const struct site *site,
                                   struct tny_error *error)
{
  const struct verify_family *family = &verify_families[site->family];
  const uint32_t ranks_a_host = family->ranks_a_host ? family->ranks_a_host : 1;
  struct tny_cluster *cluster;
  const enum tny_status status = family->make(site->number, &cluster, error);
  if (status != TNY_OK)
    return status;
  const bool fewer = !campaign->wanted->all && family->roots == VERIFY_EVERY_ROOT;
  campaign->stage = (struct verify_stage){.map = family->map,
                                          .roots = fewer ? VERIFY_SOME_ROOTS : family->roots,
                                          .block_bytes = campaign->wanted->block_bytes};
  const struct scene_wanted wanted = {.map = family->map,
                                      .ranks = cluster->host_count * ranks_a_host};
  return scene_place(&campaign->stage.scene, cluster, &wanted, error);
}

static enum tny_status open_site(struct campaign *campaign, uint32_t index, struct tny_error *error)
{
  if (campaign->stage_site == index)
    return TNY_OK;
  scene_close(&campaign->stage.scene);
  campaign->stage_site = index;
  if (campaign->wanted->site.cluster)
    return open_wanted(campaign, error);
  return open_family(campaign, &campaign->sites[index], error);
}

/* Does the cluster serve this algorithm? */
static bool is_served(const struct campaign *campaign, uint32_t site, uint32_t subject)
{
  if (campaign->wanted->site.cluster)
    return true;
  const struct verify_family *family = &verify_families[campaign->sites[site].family];
  return !family->only ||
         strcmp(family->only, campaign->subjects[subject].named.algorithm->name) == 0;
}

static enum tny_status work(void *context, uint32_t job, void *result, struct tny_error *error)
{
  struct campaign *campaign = context;
  const uint32_t site = job / campaign->subject_count, subject = job % campaign->subject_count;
  if (!is_served(campaign, site, subject))
    return TNY_OK;
  const enum tny_status status = open_site(campaign, site, error);
  if (status != TNY_OK)
    return status;
  return verify_prove(&campaign->stage, campaign->subjects[subject].named, result, error);
}

/* --- in this process --- */

static void take(void *context, uint32_t job, const void *result)
{
  struct campaign *campaign = context;
  const struct verify_tally *tally = result;
  struct site *site = &campaign->sites[job / campaign->subject_count];
  verify_tally_add(&campaign->subjects[job % campaign->subject_count].tally, tally);
  verify_tally_add(&campaign->by_family[site->family], tally);
  site->used |= tally->schedules > 0;
  campaign->done++;
  campaign->schedules += tally->schedules;
  const double now = seconds_now();
  if (now < campaign->shown + 0.2)
    return;
  campaign->shown = now;
  progress_show(&campaign->progress, "%" PRIu64 " schedules proved, %.0f %%", campaign->schedules,
                100.0 * campaign->done / (campaign->site_count * campaign->subject_count));
}

static void describe_families(const struct campaign *campaign, struct tny_text *text)
{
  tny_text_add(text, "%-45s %8s %9s %11s\n", "proved on", "clusters", "schedules", "steps");
  for (uint32_t i = 0; i < verify_family_count; i++) {
    uint32_t used = 0;
    for (uint32_t k = 0; k < campaign->site_count; k++)
      used += campaign->sites[k].family == i && campaign->sites[k].used;
    if (used > 0)
      tny_text_add(text, "%-45s %8" PRIu32 " %9" PRIu64 " %11" PRIu64 "\n", verify_families[i].name,
                   used, campaign->by_family[i].schedules, campaign->by_family[i].steps);
  }
  tny_text_add(text, "\n");
}

static void describe_subjects(const struct campaign *campaign, struct tny_text *text)
{
  struct verify_tally total = {0};
  tny_text_add(text, "%-10s %-23s %9s %11s %11s  %10s  %9s %9s\n", "collective", "algorithm",
               "schedules", "steps", "messages", "link/phase", "in flight", "of buffer");
  for (uint32_t i = 0; i < campaign->subject_count; i++) {
    const struct subject *subject = &campaign->subjects[i];
    const struct verify_tally *tally = &subject->tally;
    tny_text_add(text,
                 "%-10s %-23s %9" PRIu64 " %11" PRIu64 " %11" PRIu64 "  %10" PRIu32 "  %9" PRIu32
                 " %7.0f %%\n",
                 tny_collective_name(subject->named.algorithm->collective), subject->name,
                 tally->schedules, tally->steps, tally->messages, tally->phase_link_messages,
                 tally->in_flight, 100 * tally->buffer_share);
    verify_tally_add(&total, tally);
  }
  tny_text_add(text, "%-34s %9" PRIu64 " %11" PRIu64 " %11" PRIu64 "  all proved in %.1f s\n",
               "total", total.schedules, total.steps, total.messages,
               seconds_now() - campaign->start);
}

static enum tny_status describe(const struct campaign *campaign, char **shown,
                                struct tny_error *error)
{
  struct tny_text text = {0};
  if (!campaign->wanted->site.cluster)
    describe_families(campaign, &text);
  describe_subjects(campaign, &text);
  return tny_text_take(&text, shown, error);
}

enum tny_status verify_algorithms(const struct verify_wanted *wanted, char **shown,
                                  struct tny_error *error)
{
  struct campaign campaign = {.wanted = wanted,
                              .stage_site = TNY_NONE,
                              .progress = progress_begin(),
                              .start = seconds_now()};
  enum tny_status status = find_subjects(&campaign, error);
  if (status == TNY_OK)
    status = find_sites(&campaign, error);
  if (status == TNY_OK) {
    const struct verify_workers workers = {.worker_count = wanted->jobs,
                                           .job_count =
                                               campaign.site_count * campaign.subject_count,
                                           .result_bytes = sizeof(struct verify_tally),
                                           .work = work,
                                           .take = take,
                                           .context = &campaign};
    status = verify_workers_run(&workers, error);
    progress_clear(&campaign.progress);
  }
  if (status == TNY_OK && campaign.schedules == 0)
    status = tny_error_set(error, TNY_REFUSED,
                           "nothing was proved: no algorithm asked for takes what clusters there "
                           "are; 'tourney plan' says why");
  if (status == TNY_OK)
    status = describe(&campaign, shown, error);
  tny_free(campaign.subjects);
  tny_free(campaign.sites);
  tny_free(campaign.by_family);
  return status;
}
