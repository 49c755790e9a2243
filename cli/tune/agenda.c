/* Plans the points: sizes from the middle outwards, powers of four before those between. */
#include "agenda.h"

#include <inttypes.h>

#include "cli/shared/peers.h"
#include "core/alloc.h"
#include "core/error.h"

enum {
  SAMPLES_LEAST = 3, /* that each has, and a call before that isn't counted */
  ENOUGH_MS = 250,   /* short rows get more samples, up to this time */
  ROW_SHARE = 5,     /* no row may take more than a fifth of the time */
  NATIVE_FACTOR = 2, /* what native is expected to take, of the best planned algorithm's time */
  CALL_OVERHEAD_US = 500, /* a call's barrier and the like, on processors that ranks share */
};

/* A message of a broadcast may be longer than a block of the others. */
static const uint64_t sizes[] = {65536, 4096, 16384,  1024, 262144, 256, 1048576, 64,     8192,
                                 32768, 2048, 131072, 512,  524288, 128, 4194304, 2097152};
enum { BLOCK_MAX = 1048576 };

static bool is_asked_for(const struct tune_options *options, enum tny_collective collective,
                         uint64_t bytes)
{
  const struct cli_rows *rows = &options->rows;
  return rows->collectives[collective] &&
         (rows->size_count || bytes <= BLOCK_MAX || tny_collective_is_one_message(collective));
}

/* The best planned algorithms' names behind native, and what a round of all takes. */
static enum tny_status add_variants(const struct tny_problem *problem, uint32_t planned,
                                    struct tune_row *row, uint32_t *count, struct tny_error *error)
{
  const struct tny_model model = tny_model_make(problem->network, problem->rank_count, NULL);
  struct tny_ranking ranking;
  const enum tny_status status =
      tny_model_rank(&model, problem, tny_model_limits, row->bytes, &ranking, error);
  double round = 0;
  *count = 1;
  for (uint32_t i = 0; status == TNY_OK && i < ranking.count && *count <= planned; i++) {
    const struct tny_candidate *candidate = &ranking.list[i];
    char name[TNY_ALGORITHM_CHOICE_CHARS];
    if (candidate->why_not)
      break;
    tny_algorithm_choice_write(&candidate->choice, name);
    const size_t length = strlen(row->variants);
    snprintf(row->variants + length, sizeof row->variants - length, ",%s", name);
    const double seconds = (double)candidate->prediction.ns / 1e9;
    round += seconds * (*count == 1 ? 1 + NATIVE_FACTOR : 1);
    ++*count;
  }
  tny_ranking_free(&ranking);
  round += *count * CALL_OVERHEAD_US / 1e6;
  const double least = (1 + SAMPLES_LEAST) * round, filled = round + ENOUGH_MS / 1e3;
  row->seconds = least > filled ? least : filled;
  return status;
}

/* The MPI's own algorithms, in segments too where they can; they count like native. */
static void add_natives(const struct tny_problem *problem, struct tune_row *row, uint32_t *count)
{
  const double native = row->seconds / (*count + NATIVE_FACTOR);
  for (size_t a = 0; a < peer_algorithm_count; a++) {
    const struct peer_algorithm *algorithm = &peer_algorithms[a];
    if (algorithm->collective != row->collective ||
        !peer_takes(algorithm->ranks, problem->rank_count))
      continue;
    for (uint32_t s = 0; s < algorithm->segment_count; s++) {
      const size_t length = strlen(row->variants);
      if (s && algorithm->segments[s] >= row->bytes)
        continue;
      snprintf(row->variants + length, sizeof row->variants - length, ",@%" PRIu32 "+%" PRIu32,
               algorithm->number, algorithm->segments[s]);
      row->seconds += NATIVE_FACTOR * native;
      ++*count;
    }
  }
}

/* Adds a row where there is time for it, and room for its points in a profile. */
static enum tny_status add_row(struct tune_agenda *agenda, const struct tny_problem *problem,
                               uint64_t bytes, struct tny_error *error)
{
  const double seconds = agenda->seconds_max;
  uint32_t points;
  struct tune_row *row = &agenda->rows[agenda->row_count];
  *row = (struct tune_row){.collective = problem->collective, .bytes = bytes, .variants = "native"};
  const enum tny_status status =
      add_variants(problem, agenda->options->candidates, row, &points, error);
  if (status != TNY_OK)
    return status;
  const uint32_t profile_points = points; /* the MPI's own algorithms aren't among them */
  if (agenda->options->natives)
    add_natives(problem, row, &points);
  if (row->seconds > seconds / ROW_SHARE || agenda->seconds + row->seconds > seconds ||
      agenda->profile_points + profile_points > TNY_PROFILE_POINTS_MAX) {
    agenda->left_out++;
    return TNY_OK;
  }
  snprintf(row->text, sizeof row->text, "%s/%" PRIu64 "/%.0f/%d/%s",
           tny_collective_name(row->collective), bytes, 1e3 * row->seconds, ENOUGH_MS,
           row->variants);
  agenda->row_count++;
  agenda->point_count += points;
  agenda->profile_points += profile_points;
  agenda->seconds += row->seconds;
  return TNY_OK;
}

enum tny_status tune_agenda_make(struct tune_agenda *agenda, const struct tune_options *options,
                                 const struct tune_findings *found,
                                 const struct tny_problem *problem, struct tny_error *error)
{
  const struct cli_rows *rows = &options->rows;
  const uint64_t *list = rows->size_count ? rows->sizes : sizes;
  const size_t count = rows->size_count ? rows->size_count : sizeof sizes / sizeof *sizes;
  agenda->options = options;
  agenda->profile_points = found->point_count;
  agenda->rows = tny_new(TUNE_ROWS_MAX, sizeof *agenda->rows);
  if (!agenda->rows)
    return tny_error_memory(error);
  for (size_t i = 0; i < count; i++)
    for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++) {
      const enum tny_collective collective = (enum tny_collective)c;
      struct tny_problem one = *problem;
      one.collective = collective;
      if (!is_asked_for(options, collective, list[i]) ||
          tune_findings_has(found, collective, list[i]))
        continue;
      const enum tny_status status = add_row(agenda, &one, list[i], error);
      if (status != TNY_OK)
        return status;
    }
  return TNY_OK;
}

void tune_agenda_release(struct tune_agenda *agenda)
{
  tny_free(agenda->rows);
  *agenda = (struct tune_agenda){0};
}

bool tune_row_is(const struct tune_row *row, const char *line)
{
  char own[64];
  snprintf(own, sizeof own, "row %s %" PRIu64, tny_collective_name(row->collective), row->bytes);
  return !strcmp(line, own);
}

double tune_agenda_rest(const struct tune_agenda *agenda, uint32_t row_index)
{
  double seconds = 0;
  for (uint32_t i = row_index; i < agenda->row_count; i++)
    seconds += agenda->rows[i].seconds;
  return seconds;
}
