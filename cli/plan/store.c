/* --store: plans made and proved ahead of time, as the runtime would make them, a file each. */
#include "show.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <sys/stat.h>

#include <tourney/verify.h>

#include "cli/shared/progress.h"
#include "cli/shared/whole_file.h"
#include "core/error.h"
#include "core/units.h"
#include "model/fingerprint.h"
#include "plan/stored.h"

#define STEPS_MAX (UINT64_C(1) << 25) /* of all ranks: some gigabytes to prove */

/* A plan on its way to its file. */
struct work {
  const struct plan_options *options;
  const struct mapping *mapping;
  struct progress *progress;
  struct tny_stored_key key;
  struct tny_problem problem; /* prepared */
  struct tny_parts parts;
};

/* The algorithm that the runtime would choose: by the class of the size, within its limits. */
static enum tny_status choose(const struct plan_options *options, const struct mapping *mapping,
                              uint64_t bytes, struct tny_algorithm_choice *choice,
                              struct tny_error *error)
{
  const struct plan_request *request = &options->request;
  if (request->algorithm)
    return tny_algorithm_parse(request->collective, request->algorithm, choice, error);
  const struct tny_problem problem = mapping_problem(mapping, request->collective, 0);
  struct tny_ranking ranking;
  const enum tny_status status = tny_model_rank(&mapping->model, &problem, tny_model_limits,
                                                tny_model_size_class(bytes), &ranking, error);
  *choice =
      (struct tny_algorithm_choice){.algorithm = tny_model_default_algorithm(request->collective)};
  if (status == TNY_OK && !ranking.list[0].why_not)
    *choice = ranking.list[0].choice;
  tny_ranking_free(&ranking);
  return status;
}

static enum tny_status check_size(const struct work *work, uint32_t chunk_count,
                                  struct tny_error *error)
{
  const struct tny_algorithm *algorithm = work->key.choice.algorithm;
  const struct tny_problem whole = tny_plan_problem(algorithm, &work->problem, 1);
  const double steps = 2.0 * (double)tny_algorithm_claim(algorithm, &whole).blocks_sent_max *
                       work->key.rank_count * chunk_count;
  if (steps <= (double)STEPS_MAX)
    return TNY_OK;
  return tny_error_set(error, TNY_REFUSED,
                       "%s for %" PRIu32 " ranks takes about %.0f steps, and at most %" PRIu64
                       " are proved to be stored: take fewer ranks or smaller blocks",
                       algorithm->name, work->key.rank_count, steps, STEPS_MAX);
}

/* Makes all parts, of the pace that the runtime takes. */
static enum tny_status make(struct work *work, uint64_t bytes, struct tny_error *error)
{
  const struct tny_algorithm *algorithm = work->key.choice.algorithm;
  uint64_t budget;
  progress_show(work->progress, "planning: %s, %s", algorithm->name, tny_bytes_format(bytes).text);
  enum tny_status status =
      tny_model_chunk_budget(algorithm, &work->problem, &work->mapping->network, &budget, error);
  if (status != TNY_OK)
    return status;
  const struct tny_segments run =
      tny_model_segments(&work->mapping->model, algorithm, &work->problem, budget, bytes);
  const struct tny_parts_wanted wanted = {.choice = work->key.choice,
                                          .problem = &work->problem,
                                          .pace = run.pace,
                                          .segment_count = run.count,
                                          .with_parts = true};
  status = check_size(work, run.pace.chunk_count, error);
  return status == TNY_OK ? tny_parts_make(&wanted, &work->parts, error) : status;
}

/* Proves what the file has: the steps that are made of its parts. */
static enum tny_status prove(const struct work *work, struct tny_error *error)
{
  struct tny_schedule *schedule = NULL;
  progress_show(work->progress, "proving: %s", work->key.choice.algorithm->name);
  enum tny_status status = tny_parts_schedule(&work->parts, work->key.choice.algorithm,
                                              work->key.root, &schedule, error);
  if (status == TNY_OK)
    status = tny_verify_as_run(schedule, error);
  tny_schedule_free(schedule);
  return status;
}

static enum tny_status write_file(const struct work *work, struct tny_text *shown,
                                  struct tny_error *error)
{
  const struct tny_stored_name name = tny_stored_name(&work->key);
  struct tny_bytes bytes = {0};
  char path[PATH_MAX];
  if (snprintf(path, sizeof path, "%s/%s", work->options->store, name.text) >= (int)sizeof path)
    return tny_error_set(error, TNY_BAD_INPUT, "--store: the folder's name is too long");
  tny_stored_write(&work->key, &work->parts, &bytes);
  enum tny_status status = bytes.failed ? tny_error_memory(error) : TNY_OK;
  if (status == TNY_OK)
    status = whole_file_write_bytes(path, bytes.bytes, bytes.length, error);
  const struct tny_parts_head *head = &work->parts.head;
  char algorithm[TNY_ALGORITHM_CHOICE_CHARS];
  tny_algorithm_choice_write(&work->key.choice, algorithm);
  tny_text_add(shown,
               "%s %s, %s: %" PRIu32 " parts, proved, %" PRIu32 " chunk%s%s; %zu bytes in %s\n",
               tny_collective_name(work->options->request.collective), algorithm,
               tny_bytes_format(work->key.step_bytes).text, work->key.rank_count,
               head->pace.chunk_count, head->pace.chunk_count == 1 ? "" : "s",
               head->pace.limit_message_bytes ? ", links limited" : "", bytes.length, name.text);
  tny_bytes_release(&bytes);
  return status;
}

static enum tny_status store_one(struct work *work, uint64_t bytes, struct tny_text *shown,
                                 struct tny_error *error)
{
  const struct plan_request *request = &work->options->request;
  work->key.step_bytes = tny_model_size_step(bytes);
  enum tny_status status = choose(work->options, work->mapping, bytes, &work->key.choice, error);
  if (status != TNY_OK)
    return status;
  struct tny_problem problem = mapping_problem(work->mapping, request->collective, request->root);
  problem.parameter = work->key.choice.parameter;
  status = tny_problem_prepare(work->key.choice.algorithm, &problem, &work->problem, error);
  if (status == TNY_OK)
    status = make(work, bytes, error);
  if (status == TNY_OK)
    status = prove(work, error);
  if (status == TNY_OK)
    status = write_file(work, shown, error);
  tny_parts_release(&work->parts);
  tny_problem_release(work->key.choice.algorithm, &work->problem);
  return status;
}

static enum tny_status make_folder(const char *folder, struct tny_error *error)
{
  if (mkdir(folder, 0777) == 0 || errno == EEXIST)
    return TNY_OK;
  return tny_error_at(error, TNY_SYSTEM, folder, 0, 0, "can't be made: %s", strerror(errno));
}

enum tny_status plan_store(const struct plan_options *options, struct progress *progress,
                           char **shown, struct tny_error *error)
{
  const struct plan_request *request = &options->request;
  const struct mapping_wanted where = {
      .cluster = request->cluster, .map = request->map, .ranks = request->ranks};
  struct mapping mapping = {0};
  struct tny_text text = {0};
  enum tny_status status = mapping_open(&mapping, &where, error);
  if (status == TNY_OK && request->root >= mapping.rank_count)
    status =
        tny_error_set(error, TNY_BAD_INPUT, "--root %" PRIu32 " isn't one of %" PRIu32 " ranks",
                      request->root, mapping.rank_count);
  if (status == TNY_OK)
    status = make_folder(options->store, error);
  if (status == TNY_OK) {
    struct work work = {
        .options = options,
        .mapping = &mapping,
        .progress = progress,
        .key = {.rank_count = mapping.rank_count,
                .root = request->root,
                .fingerprint = tny_model_fingerprint(&mapping.model, &mapping.network)}};
    for (uint32_t i = 0; status == TNY_OK && i < options->size_count; i++)
      status = store_one(&work, options->sizes[i], &text, error);
  }
  mapping_close(&mapping);
  if (status == TNY_OK)
    return tny_text_take(&text, shown, error);
  tny_text_release(&text);
  return status;
}
