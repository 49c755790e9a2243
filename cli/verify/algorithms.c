/* Proves every algorithm on every cluster of the list: finds the tasks, has them done by worker
   processes (workers.c), and writes the tables of what was proved. */
#include "algorithms.h"

#include <assert.h>
#include <inttypes.h>

#include "cli/shared/clock.h"
#include "cli/shared/mapping.h"
#include "cli/shared/progress.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/text.h"
#include "prove.h"
#include "workers.h"

/* An algorithm with a parameter, to be proved. */
struct subject {
  struct tny_algorithm_choice choice;
  char name[TNY_ALGORITHM_CHOICE_CHARS]; /* "bruck:4" */
  struct verify_tally tally;
};

/* A cluster of a family, to prove on. */
struct instance {
  uint32_t family; /* in verify_families */
  uint32_t number, rank_count;
  bool used; /* something was proved there */
};

/* A subject on all instances with the same number of ranks, one after the other, so that many of
   its schedules are ones just proved, with other names. */
struct task {
  uint32_t subject;
  uint32_t first, end; /* instances */
};

struct campaign {
  const struct verify_wanted *wanted;
  struct subject *subjects;
  struct instance *instances; /* by the number of ranks, ascending */
  struct task *tasks;
  uint32_t subject_count, instance_count, task_count;
  uint32_t task_instances_max;    /* most instances of a task */
  struct verify_tally *by_family; /* verify_family_count */
  /* In a worker: the clusters of the task's instances, for the tasks on the same ones that follow;
     and what it has proved in this task. */
  struct mapping *mappings; /* by instance from the task's first on; none yet: rank_count 0 */
  uint32_t mapped_first, mapped_end;
  struct mapping one_switch; /* for as many ranks, one a host; none yet: rank_count 0 */
  struct verify_proved proved;
  /* In this process. */
  struct progress progress;
  double work, done; /* of all tasks, and of those that are done (work_of) */
  uint64_t schedules;
  double start, shown;
};

/* --- what is to be proved --- */

static void add_subject(struct campaign *campaign, const struct tny_algorithm *algorithm,
                        uint32_t parameter)
{
  struct subject *subject = &campaign->subjects[campaign->subject_count++];
  subject->choice = (struct tny_algorithm_choice){algorithm, parameter};
  tny_algorithm_choice_write(&subject->choice, subject->name);
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
  const uint32_t least = tny_parameter_all(parameter, parameter->least);
  const uint32_t standard = parameter->standard, one = tny_parameter_all(parameter, 1);
  add_subject(campaign, algorithm, standard);
  if (least != standard)
    add_subject(campaign, algorithm, least);
  add_subject(campaign, algorithm, (least > standard ? least : standard) + one);
}

/* The subjects of a collective that --algorithm asks for, or all. */
static enum tny_status add_collective(struct campaign *campaign, enum tny_collective collective,
                                      struct tny_error *error)
{
  const char *wanted = campaign->wanted->algorithm;
  struct tny_algorithm_choice choice = {0};
  if (wanted) {
    const enum tny_status status = tny_algorithm_parse(collective, wanted, &choice, error);
    if (status != TNY_OK)
      return status;
  }
  if (wanted && strchr(wanted, ':')) {
    add_subject(campaign, choice.algorithm, choice.parameter);
    return TNY_OK;
  }
  for (uint32_t i = 0; tny_algorithms[i]; i++)
    if (tny_algorithms[i]->collective == collective &&
        (!wanted || tny_algorithms[i] == choice.algorithm))
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

static struct instance instance_of(uint32_t family, uint32_t number)
{
  return (struct instance){.family = family,
                           .number = number,
                           .rank_count = verify_rank_count(&verify_families[family], number)};
}

static int compare_instances(const void *a, const void *b)
{
  const struct instance *x = a, *y = b;
  if (x->rank_count != y->rank_count)
    return x->rank_count < y->rank_count ? -1 : 1;
  if (x->family != y->family)
    return x->family < y->family ? -1 : 1;
  return (x->number > y->number) - (x->number < y->number);
}

static enum tny_status find_instances(struct campaign *campaign, struct tny_error *error)
{
  uint32_t most = 1;
  for (uint32_t i = 0; i < verify_family_count; i++)
    most += verify_families[i].last - verify_families[i].first + 1;
  campaign->instances = tny_new(most, sizeof *campaign->instances);
  campaign->by_family = tny_new(verify_family_count, sizeof *campaign->by_family);
  if (!campaign->instances || !campaign->by_family)
    return tny_error_memory(error);
  if (campaign->wanted->where.cluster) {
    campaign->instance_count = 1;
    return TNY_OK;
  }
  for (uint32_t i = 0; i < verify_family_count; i++)
    for (uint32_t number = verify_families[i].first; number <= verify_families[i].last; number++)
      if (is_taken(&verify_families[i], number, campaign->wanted->all))
        campaign->instances[campaign->instance_count++] = instance_of(i, number);
  qsort(campaign->instances, campaign->instance_count, sizeof *campaign->instances,
        compare_instances);
  return TNY_OK;
}

/* Is this algorithm proved on this cluster? */
static bool is_served(const struct campaign *campaign, uint32_t instance, uint32_t subject)
{
  const struct verify_family *family = &verify_families[campaign->instances[instance].family];
  const struct tny_algorithm *algorithm = campaign->subjects[subject].choice.algorithm;
  if (campaign->wanted->where.cluster)
    return true;
  if (family->moves_only && tny_collective_reduces(algorithm->collective))
    return false;
  return !family->only ||
         (strcmp(family->only, algorithm->name) == 0 &&
          tny_collective_is_one_message(tny_algorithm_origin(algorithm)->collective));
}

/* About how much there is to do in a task: mostly, a cluster has steps for each pair of ranks. The
   algorithm that many ranks are tried with has a few for each rank. */
static double work_of(const struct campaign *campaign, const struct task *task)
{
  enum { STEPS_A_RANK = 8 };
  const struct instance *instance = &campaign->instances[task->first];
  const double ranks = instance->rank_count;
  const bool is_one_algorithm = verify_families[instance->family].only != NULL;
  return (task->end - task->first) * ranks * (is_one_algorithm ? STEPS_A_RANK : ranks);
}

/* Adds the subject's task on these instances, if there is anything to do. */
static void add_task(struct campaign *campaign, uint32_t subject, uint32_t first, uint32_t end)
{
  bool is_any = false;
  for (uint32_t instance = first; instance < end; instance++)
    is_any |= is_served(campaign, instance, subject);
  if (!is_any)
    return;
  const struct task task = {subject, first, end};
  campaign->tasks[campaign->task_count++] = task;
  campaign->work += work_of(campaign, &task);
}

static enum tny_status find_tasks(struct campaign *campaign, struct tny_error *error)
{
  const struct instance *instances = campaign->instances;
  const uint32_t instance_count = campaign->instance_count;
  campaign->tasks =
      tny_new((size_t)instance_count * campaign->subject_count, sizeof *campaign->tasks);
  if (!campaign->tasks)
    return tny_error_memory(error);
  for (uint32_t first = 0, end; first < instance_count; first = end) {
    end = first + 1;
    while (end < instance_count && instances[end].rank_count == instances[first].rank_count)
      end++;
    if (end - first > campaign->task_instances_max)
      campaign->task_instances_max = end - first;
    for (uint32_t subject = 0; subject < campaign->subject_count; subject++)
      add_task(campaign, subject, first, end);
  }
  return TNY_OK;
}

/* --- in a worker --- */

static void close_mappings(struct campaign *campaign)
{
  for (uint32_t i = campaign->mapped_first; i < campaign->mapped_end; i++)
    mapping_close(&campaign->mappings[i - campaign->mapped_first]);
  tny_free(campaign->mappings);
  mapping_close(&campaign->one_switch);
  campaign->one_switch = (struct mapping){0};
  campaign->mappings = NULL;
  campaign->mapped_first = campaign->mapped_end = 0;
}

/* Has room for the task's clusters: those of the task before, or new ones. */
static enum tny_status use_mappings(struct campaign *campaign, const struct task *task,
                                    struct tny_error *error)
{
  if (campaign->mappings && task->first == campaign->mapped_first)
    return TNY_OK;
  close_mappings(campaign);
  campaign->mappings = tny_new(task->end - task->first, sizeof *campaign->mappings);
  if (!campaign->mappings)
    return tny_error_memory(error);
  campaign->mapped_first = task->first;
  campaign->mapped_end = task->end;
  return TNY_OK;
}

/* Ranks on the cluster that was asked for, or on one of a family. */
static enum tny_status map(const struct campaign *campaign, const struct instance *instance,
                           struct mapping *mapping, struct tny_error *error)
{
  const struct verify_family *family = &verify_families[instance->family];
  const struct mapping_wanted wanted = {.map = family->map, .ranks = instance->rank_count};
  struct tny_cluster *cluster;
  if (campaign->wanted->where.cluster)
    return mapping_open(mapping, &campaign->wanted->where, error);
  const enum tny_status status = family->make(instance->number, &cluster, error);
  if (status != TNY_OK)
    return status;
  assert(cluster->host_count == family->hosts(instance->number));
  return mapping_make(mapping, cluster, &wanted, error);
}

/* --quick takes some roots where there are many. */
static enum verify_roots roots_of(const struct campaign *campaign,
                                  const struct verify_family *family)
{
  if (campaign->wanted->where.cluster)
    return VERIFY_EVERY_ROOT;
  return !campaign->wanted->all && family->roots == VERIFY_EVERY_ROOT ? VERIFY_SOME_ROOTS
                                                                      : family->roots;
}

/* Can the subject be planned for so many ranks on one switch? */
static enum tny_status find_whether_one_switch_serves(struct campaign *campaign, uint32_t subject,
                                                      uint32_t ranks, bool *serves,
                                                      struct tny_error *error)
{
  const struct tny_algorithm_choice *choice = &campaign->subjects[subject].choice;
  char text[24];
  snprintf(text, sizeof text, "single:%" PRIu32, ranks);
  const struct mapping_wanted wanted = {.cluster = text};
  enum tny_status status = TNY_OK;
  if (campaign->one_switch.rank_count == 0)
    status = mapping_open(&campaign->one_switch, &wanted, error);
  if (status != TNY_OK)
    return status;
  struct tny_problem problem =
      mapping_problem(&campaign->one_switch, choice->algorithm->collective, 0);
  const struct tny_pattern pattern = {.rank_count = ranks};
  problem.parameter = choice->parameter;
  if (choice->algorithm->plans_bytes)
    problem.pattern = &pattern; /* which it wants, and doesn't look at before it plans */
  *serves = tny_algorithm_refusal(choice->algorithm, &problem) == NULL;
  return TNY_OK;
}

static enum tny_status prove_instance(struct campaign *campaign, uint32_t subject, uint32_t number,
                                      struct verify_tally *tally, struct tny_error *error)
{
  const struct verify_wanted *wanted = campaign->wanted;
  const struct instance *instance = &campaign->instances[number];
  const struct verify_family *family = &verify_families[instance->family];
  struct mapping *mapping = &campaign->mappings[number - campaign->mapped_first];
  const struct verify_setting setting = {.mapping = mapping,
                                         .map = wanted->where.cluster ? wanted->where.map
                                                                      : family->map,
                                         .roots = roots_of(campaign, family),
                                         .block_bytes = wanted->block_bytes,
                                         .proved = &campaign->proved};
  enum tny_status status = TNY_OK;
  bool is_done = false;
  if (!wanted->where.cluster && family->fills_in)
    status =
        find_whether_one_switch_serves(campaign, subject, instance->rank_count, &is_done, error);
  if (status != TNY_OK || is_done)
    return status;
  if (mapping->rank_count == 0)
    status = map(campaign, instance, mapping, error);
  if (status == TNY_OK)
    status = verify_prove(&setting, campaign->subjects[subject].choice, tally, error);
  return status;
}

/* The result is a tally for each instance. */
static enum tny_status work(void *context, uint32_t number, void *result, struct tny_error *error)
{
  struct campaign *campaign = context;
  struct verify_tally *tallies = result;
  const struct task *task = &campaign->tasks[number];
  enum tny_status status = use_mappings(campaign, task, error);
  for (uint32_t instance = task->first; status == TNY_OK && instance < task->end; instance++)
    if (is_served(campaign, instance, task->subject))
      status = prove_instance(campaign, task->subject, instance, &tallies[instance - task->first],
                              error);
  verify_proved_clear(&campaign->proved);
  return status;
}

/* --- in this process --- */

static void add_tally(struct campaign *campaign, uint32_t subject, uint32_t instance,
                      const struct verify_tally *tally)
{
  verify_tally_add(&campaign->subjects[subject].tally, tally);
  verify_tally_add(&campaign->by_family[campaign->instances[instance].family], tally);
  campaign->instances[instance].used |= tally->schedules > 0;
  campaign->schedules += tally->schedules;
}

static void take(void *context, uint32_t number, const void *result)
{
  struct campaign *campaign = context;
  const struct verify_tally *tallies = result;
  const struct task *task = &campaign->tasks[number];
  for (uint32_t instance = task->first; instance < task->end; instance++)
    add_tally(campaign, task->subject, instance, &tallies[instance - task->first]);
  campaign->done += work_of(campaign, task);
  const double now = clock_seconds();
  if (now < campaign->shown + 0.2)
    return;
  campaign->shown = now;
  progress_show(&campaign->progress, "%" PRIu64 " schedules proved, %.0f %%", campaign->schedules,
                100 * campaign->done / campaign->work);
}

static void describe_families(const struct campaign *campaign, struct tny_text *text)
{
  tny_text_add(text, "%-45s %8s %9s %11s\n", "proved on", "clusters", "schedules", "steps");
  for (uint32_t i = 0; i < verify_family_count; i++) {
    uint32_t used = 0;
    for (uint32_t k = 0; k < campaign->instance_count; k++)
      used += campaign->instances[k].family == i && campaign->instances[k].used;
    if (used > 0)
      tny_text_add(text, "%-45s %8" PRIu32 " %9" PRIu64 " %11" PRIu64 "\n", verify_families[i].name,
                   used, campaign->by_family[i].schedules, campaign->by_family[i].steps);
  }
  tny_text_add(text, "\n");
}

static void describe_subjects(const struct campaign *campaign, struct tny_text *text)
{
  struct verify_tally total = {0};
  tny_text_add(text, "%-13s %-26s %6s %9s %11s %11s  %10s  %9s %9s\n", "collective", "algorithm",
               "ranks", "schedules", "steps", "messages", "link/phase", "in flight", "of buffer");
  for (uint32_t i = 0; i < campaign->subject_count; i++) {
    const struct subject *subject = &campaign->subjects[i];
    const struct verify_tally *tally = &subject->tally;
    tny_text_add(text,
                 "%-13s %-26s %6" PRIu32 " %9" PRIu64 " %11" PRIu64 " %11" PRIu64 "  %10" PRIu32
                 "  %9" PRIu32 " %7.0f %%\n",
                 tny_collective_name(subject->choice.algorithm->collective), subject->name,
                 verify_tally_ranks(tally), tally->schedules, tally->steps, tally->messages,
                 tally->phase_link_messages, tally->in_flight, 100 * tally->buffer_share);
    verify_tally_add(&total, tally);
  }
  tny_text_add(text, "%-47s %9" PRIu64 " %11" PRIu64 " %11" PRIu64 "\n", "total", total.schedules,
               total.steps, total.messages);
  tny_text_add(text,
               "ranks: how many numbers of ranks up to %d were proved for every root; else some "
               "roots were\n",
               VERIFY_RANKS_MAX);
  tny_text_add(text,
               "%" PRIu64 " in full; %" PRIu64
               " as one of these with its ranks renamed, step for step; claims and links of all\n",
               total.schedules - total.renamed, total.renamed);
  if (total.with_own_block > 0)
    tny_text_add(text,
                 "%" PRIu64 " of %" PRIu64
                 " %ss in place too, as they run; the others run from a copy of the input\n",
                 total.in_place, total.with_own_block,
                 tny_collective_titles(tny_collective_has_own_block, "s, ", "s and ").text);
  tny_text_add(text, "%" PRIu64 " schedules proved in %.1f s\n", total.schedules,
               clock_seconds() - campaign->start);
}

static enum tny_status describe(const struct campaign *campaign, char **shown,
                                struct tny_error *error)
{
  struct tny_text text = {0};
  if (!campaign->wanted->where.cluster)
    describe_families(campaign, &text);
  describe_subjects(campaign, &text);
  return tny_text_take(&text, shown, error);
}

enum tny_status verify_algorithms(const struct verify_wanted *wanted, char **shown,
                                  struct tny_error *error)
{
  struct campaign campaign = {
      .wanted = wanted, .progress = progress_begin(), .start = clock_seconds()};
  enum tny_status status = find_subjects(&campaign, error);
  if (status == TNY_OK)
    status = find_instances(&campaign, error);
  if (status == TNY_OK)
    status = find_tasks(&campaign, error);
  if (status == TNY_OK) {
    const struct verify_workers workers = {.worker_count = wanted->jobs,
                                           .task_count = campaign.task_count,
                                           .result_bytes = campaign.task_instances_max *
                                                           sizeof(struct verify_tally),
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
  tny_free(campaign.instances);
  tny_free(campaign.tasks);
  tny_free(campaign.by_family);
  return status;
}
