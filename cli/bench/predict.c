/* What the model predicts: the ranking of all algorithms, of which a row's is looked up. */
#include "predict.h"

#include <tourney/model.h>

#include "cli/shared/profile/profile_file.h"

/* The algorithm that served the row's planned calls, as the ranking has it; NULL: it hasn't. */
static const struct tny_candidate *find_candidate(const struct tny_ranking *ranking,
                                                  const char *algorithm)
{
  for (uint32_t i = 0; i < ranking->count; i++) {
    char name[TNY_ALGORITHM_CHOICE_CHARS];
    tny_algorithm_choice_write(&ranking->list[i].choice, name);
    if (!strcmp(name, algorithm))
      return ranking->list[i].why_not ? NULL : &ranking->list[i];
  }
  return NULL;
}

static enum tny_status predict_row(struct bench_row *row, const struct tny_model *model,
                                   struct tny_problem problem, struct tny_error *error)
{
  const char *algorithm = row->variants[BENCH_PLANNED].algorithm;
  struct tny_ranking ranking;
  if (!strcmp(algorithm, "native") || row->form != CLI_FORM_ALIKE)
    return TNY_OK;
  problem.collective = row->collective;
  const enum tny_status status =
      tny_model_rank(model, &problem, tny_model_limits, row->bytes, &ranking, error);
  const struct tny_candidate *candidate =
      status == TNY_OK ? find_candidate(&ranking, algorithm) : NULL;
  if (candidate)
    row->predicted_seconds = (double)candidate->prediction.ns / 1e9;
  tny_ranking_free(&ranking);
  return status;
}

enum tny_status bench_predict(struct bench_result *result, const struct tny_cluster *cluster,
                              const uint32_t *host_of_rank, const char *profile,
                              struct tny_error *error)
{
  struct profile_file file = {0};
  struct tny_routes *routes = NULL;
  struct tny_placement *placement = NULL;
  const uint32_t p = result->rank_count;
  enum tny_status status = profile ? profile_file_read(profile, &file, error) : TNY_OK;
  if (status == TNY_OK)
    status = tny_routes_make(cluster, &routes, error);
  if (status == TNY_OK)
    status = tny_placement_make(cluster, host_of_rank, p, &placement, error);
  const struct tny_network network = {routes, host_of_rank, p};
  const struct tny_problem problem = {.rank_count = p, .placement = placement, .network = &network};
  if (status == TNY_OK) {
    const struct tny_machine *machine = file.profile ? &file.profile->machine : NULL;
    const struct tny_model model = tny_model_make(&network, p, machine);
    for (uint32_t i = 0; status == TNY_OK && i < result->rows_done; i++)
      status = predict_row(&result->rows[i], &model, problem, error);
  }
  tny_placement_free(placement);
  tny_routes_free(routes);
  profile_file_release(&file);
  return status;
}
