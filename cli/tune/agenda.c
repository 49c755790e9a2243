/* Plans the points: sizes from the middle outwards, powers of four before those between, and of a
   size what is measured in the least time before what takes longer: so as many calls as can be are
   known when time is up. */
#include "agenda.h"

#include <inttypes.h>

#include "cli/shared/peers.h"
#include "core/alloc.h"
#include "core/error.h"

enum {
  SAMPLES_LEAST = 3,  /* that each has, and a call before that isn't counted */
  ENOUGH_MS = 250,    /* short rows get more samples, up to this time or more */
  ROW_SHARE = 5,      /* no row may take more than a fifth of the time, */
  NATIVES_SHARE = 64, /* and with the MPI's own algorithms unasked for no more than this */
  NATIVE_FACTOR = 2,  /* what native is expected to take, of the best planned algorithm's time */
  CALL_OVERHEAD_US = 500, /* a call's barrier and the like, on processors that ranks share */
};

/* A whole message, as of a broadcast, may be longer than a block that each rank has. */
static const uint64_t sizes[] = {65536, 4096, 16384,  1024, 262144, 256, 1048576, 64,     8192,
                                 32768, 2048, 131072, 512,  524288, 128, 4194304, 2097152};
enum { BLOCK_MAX = 1048576 };

static bool is_asked_for(const struct tune_options *options, enum tny_collective collective,
                         uint64_t bytes)
{
  const struct cli_rows *rows = &options->rows;
  const struct tny_collective_row *row = tny_collective_row(collective);
  const bool is_whole = !row->input.is_per_rank && !row->output.is_per_rank;
  return rows->asked[CLI_FORM_ALIKE][collective] &&
         (rows->size_count || bytes <= BLOCK_MAX || is_whole);
}

/* A row's variants as they are added. */
struct round {
  struct tune_row *row;
  uint32_t count;
  double seconds;        /* of a call of each */
  double native_seconds; /* that one of the MPI's own is expected to take */
};

static void add(struct round *round, const char *name, double seconds)
{
  const size_t length = strlen(round->row->variants);
  snprintf(round->row->variants + length, sizeof round->row->variants - length, "%s%s",
           round->count ? "," : "", name);
  round->count++;
  round->seconds += seconds + CALL_OVERHEAD_US / 1e6;
}

/* What the row takes: its first round, which isn't counted, and its samples. */
static double row_seconds(const struct round *round)
{
  const double least = (1 + SAMPLES_LEAST) * round->seconds;
  const double filled = round->seconds + ENOUGH_MS / 1e3;
  return least > filled ? least : filled;
}

/* Native, and the best planned algorithms. */
static enum tny_status add_variants(const struct tny_problem *problem, uint32_t planned,
                                    struct round *round, struct tny_error *error)
{
  const struct tny_model model = tny_model_make(problem->network, problem->rank_count, NULL);
  struct tny_ranking ranking;
  const enum tny_status status =
      tny_model_rank(&model, problem, tny_model_limits, round->row->bytes, &ranking, error);
  if (status == TNY_OK && !ranking.list[0].why_not)
    round->native_seconds = NATIVE_FACTOR * (double)ranking.list[0].prediction.ns / 1e9;
  add(round, "native", round->native_seconds);
  for (uint32_t i = 0; status == TNY_OK && i < ranking.count && i < planned; i++) {
    const struct tny_candidate *candidate = &ranking.list[i];
    char name[TNY_ALGORITHM_CHOICE_CHARS];
    if (candidate->why_not)
      break;
    tny_algorithm_choice_write(&candidate->choice, name);
    add(round, name, (double)candidate->prediction.ns / 1e9);
  }
  tny_ranking_free(&ranking);
  return status;
}

/* The MPI's own algorithms, in segments too where they can. */
static void add_natives(const struct tny_problem *problem, struct round *round)
{
  for (size_t a = 0; a < peer_algorithm_count; a++) {
    const struct peer_algorithm *algorithm = &peer_algorithms[a];
    if (algorithm->collective != round->row->collective ||
        !peer_takes(algorithm->ranks, problem->rank_count))
      continue;
    for (uint32_t s = 0; s < algorithm->segment_count; s++) {
      char name[32];
      if (s && algorithm->segments[s] >= round->row->bytes)
        continue;
      snprintf(name, sizeof name, "@%" PRIu32 "+%" PRIu32, algorithm->number,
               algorithm->segments[s]);
      add(round, name, round->native_seconds);
    }
  }
}

/* Makes the row. Where that takes little, and they can be forced, the MPI's own algorithms are in
   it: for short blocks they are often the fastest. */
static enum tny_status make_row(const struct tune_agenda *agenda, const struct tny_problem *problem,
                                uint64_t bytes, struct tune_row *row, struct tny_error *error)
{
  const struct tune_options *options = agenda->options;
  struct round round = {.row = row};
  *row = (struct tune_row){.collective = problem->collective, .bytes = bytes};
  const enum tny_status status = add_variants(problem, options->candidates, &round, error);
  if (status != TNY_OK)
    return status;
  const struct round without = round;
  const size_t length = strlen(row->variants);
  if (options->mpi == LAUNCH_OPENMPI)
    add_natives(problem, &round);
  if (!options->natives && row_seconds(&round) > agenda->seconds_max / NATIVES_SHARE) {
    round = without;
    row->variants[length] = '\0';
  }
  row->seconds = row_seconds(&round);
  row->point_count = round.count;
  return TNY_OK;
}

static int compare_rows(const void *left, const void *right)
{
  const struct tune_row *a = left, *b = right;
  if (a->seconds < b->seconds || a->seconds > b->seconds)
    return a->seconds < b->seconds ? -1 : 1;
  return a->collective < b->collective ? -1 : 1;
}

/* Keeps a row where there is time for it, and room for its points in a profile. `row` lies in the
   agenda's own list, behind those that are kept. */
static void keep_row(struct tune_agenda *agenda, const struct tune_row *row)
{
  const double seconds = agenda->seconds_max;
  if (row->seconds > seconds / ROW_SHARE || agenda->seconds + row->seconds > seconds ||
      agenda->point_count + row->point_count > TNY_PROFILE_POINTS_MAX) {
    agenda->left_out++;
    return;
  }
  agenda->point_count += row->point_count;
  agenda->seconds += row->seconds;
  if (row != &agenda->rows[agenda->row_count])
    agenda->rows[agenda->row_count] = *row;
  agenda->row_count++;
}

/* Adds the rows of a size that aren't found yet. */
static enum tny_status add_size(struct tune_agenda *agenda, const struct tune_findings *found,
                                const struct tny_problem *problem, uint64_t bytes,
                                struct tny_error *error)
{
  struct tune_row *rows = &agenda->rows[agenda->row_count];
  uint32_t count = 0;
  for (int c = 0; c < TNY_COLLECTIVE_COUNT; c++) {
    struct tny_problem one = *problem;
    one.collective = (enum tny_collective)c;
    if (!is_asked_for(agenda->options, one.collective, bytes) ||
        tune_findings_has(found, one.collective, bytes))
      continue;
    const enum tny_status status = make_row(agenda, &one, bytes, &rows[count], error);
    if (status != TNY_OK)
      return status;
    count++;
  }
  qsort(rows, count, sizeof *rows, compare_rows);
  for (uint32_t i = 0; i < count; i++)
    keep_row(agenda, &rows[i]);
  return TNY_OK;
}

/* Writes the rows as the ranks take them. What time is left gives short calls more samples; half of
   it stays for calls that take longer than predicted. */
static void write_rows(struct tune_agenda *agenda)
{
  const double left = agenda->seconds_max - agenda->seconds;
  const double more = agenda->row_count ? left / 2 / agenda->row_count : 0;
  for (uint32_t i = 0; i < agenda->row_count; i++) {
    struct tune_row *row = &agenda->rows[i];
    row->seconds += more;
    agenda->seconds += more;
    snprintf(row->text, sizeof row->text, "%s/%" PRIu64 "/%.0f/%.0f/%s",
             tny_collective_name(row->collective), row->bytes, 1e3 * row->seconds,
             ENOUGH_MS + 1e3 * more, row->variants);
  }
}

enum tny_status tune_agenda_make(struct tune_agenda *agenda, const struct tune_options *options,
                                 const struct tune_findings *found,
                                 const struct tny_problem *problem, struct tny_error *error)
{
  const struct cli_rows *rows = &options->rows;
  const uint64_t *list = rows->size_count ? rows->sizes : sizes;
  const size_t count = rows->size_count ? rows->size_count : sizeof sizes / sizeof *sizes;
  agenda->options = options;
  agenda->point_count = found->point_count;
  agenda->rows = tny_new(TUNE_ROWS_MAX, sizeof *agenda->rows);
  if (!agenda->rows)
    return tny_error_memory(error);
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < count; i++)
    status = add_size(agenda, found, problem, list[i], error);
  if (status != TNY_OK)
    return status;
  write_rows(agenda);
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
