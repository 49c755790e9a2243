/* A plan from a file that `tourney plan --output` wrote: placed on the cluster, and proved. */
#include "plan_file.h"

#include "cli/shared/pattern.h"
#include "cli/shared/schedule_file.h"
#include "core/error.h"

/* Reads the schedule; other tools' forms are converted before. */
static enum tny_status read_schedule(struct plan *plan, const char *path, struct tny_error *error)
{
  struct schedule_file file;
  enum tny_status status = schedule_file_open(&file, path, error);
  if (status == TNY_OK && file.foreign)
    status = tny_error_set(error, TNY_REFUSED,
                           "a schedule in another tool's form: 'tourney convert FILE --to steps' "
                           "makes one of ours of it");
  if (status == TNY_OK) {
    plan->schedule = file.schedule;
    file.schedule = NULL;
  }
  schedule_file_close(&file);
  return status;
}

static enum tny_status place(struct plan *plan, struct tny_error *error)
{
  const struct plan_request *request = plan->request;
  const struct tny_schedule *schedule = plan->schedule;
  const struct mapping_wanted where = {.cluster = request->cluster,
                                       .routing = request->routing,
                                       .map = request->map,
                                       .ranks = schedule->rank_count};
  const enum tny_status status = mapping_open(&plan->mapping, &where, error);
  if (status != TNY_OK)
    return status;
  plan->wanted = mapping_problem(&plan->mapping, schedule->collective, schedule->root);
  plan->problem = plan->wanted;
  return TNY_OK;
}

static enum tny_status prove(struct plan *plan, struct progress *progress, struct tny_error *error)
{
  plan->block_bytes =
      tny_collective_synchronizes(plan->schedule->collective) ? 0 : plan->request->bytes;
  const enum tny_status status =
      pattern_of_schedule(plan->schedule, plan->block_bytes, &plan->pattern, error);
  if (status != TNY_OK)
    return status;
  struct proof_subject subject = plan_subject(plan);
  subject.progress = progress;
  return proof_make(&subject, &plan->proof, error);
}

enum tny_status plan_from_file(struct plan *plan, const char *path, struct progress *progress,
                               struct tny_error *error)
{
  enum tny_status status = read_schedule(plan, path, error);
  if (status != TNY_OK) {
    if (error && !error->file[0])
      snprintf(error->file, sizeof error->file, "%s", path);
    return status;
  }
  status = place(plan, error);
  if (status != TNY_OK)
    return status;
  status = prove(plan, progress, error);
  if (status != TNY_OK && error && !error->file[0])
    snprintf(error->file, sizeof error->file, "%s", path);
  return status;
}
