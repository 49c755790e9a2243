/* Samples, their quartiles, and the CSV. */
#include "stats.h"

#include <inttypes.h>

#include "cli/shared/csv.h"
#include "core/alloc.h"
#include "core/error.h"

enum tny_status bench_samples_add(struct bench_samples *samples, double seconds,
                                  struct tny_error *error)
{
  if (samples->count == samples->room) {
    const uint32_t room = samples->room ? 2 * samples->room : 16;
    double *grown = tny_resize(samples->seconds, room, sizeof *grown);
    if (!grown)
      return tny_error_memory(error);
    samples->seconds = grown;
    samples->room = room;
  }
  samples->seconds[samples->count++] = seconds;
  return TNY_OK;
}

static int compare_seconds(const void *left, const void *right)
{
  const double a = *(const double *)left;
  const double b = *(const double *)right;
  return (a > b) - (a < b);
}

static double quantile(const struct bench_samples *sorted, double q)
{
  const double position = q * (double)(sorted->count - 1);
  const uint32_t below = (uint32_t)position;
  const double low = sorted->seconds[below];
  if (below + 1 == sorted->count)
    return low;
  return low + (position - (double)below) * (sorted->seconds[below + 1] - low);
}

struct bench_quartiles bench_samples_quartiles(struct bench_samples *samples)
{
  if (!samples->count)
    return (struct bench_quartiles){0};
  qsort(samples->seconds, samples->count, sizeof *samples->seconds, compare_seconds);
  return (struct bench_quartiles){
      .q1 = quantile(samples, 0.25),
      .median = quantile(samples, 0.5),
      .q3 = quantile(samples, 0.75),
  };
}

struct bench_figures bench_row_figures(struct bench_row *row)
{
  struct bench_figures figures = {0};
  for (int v = 0; v < BENCH_VARIANT_COUNT; v++) {
    figures.seconds[v] = bench_samples_quartiles(&row->samples[v]);
    if (figures.seconds[v].median > 0)
      figures.share[v] = row->bound_seconds / figures.seconds[v].median;
  }
  if (figures.seconds[BENCH_PLANNED].median > 0)
    figures.ratio = figures.seconds[BENCH_NATIVE].median / figures.seconds[BENCH_PLANNED].median;
  return figures;
}

void bench_result_release(struct bench_result *result)
{
  for (uint32_t i = 0; i < result->row_count; i++) {
    for (int v = 0; v < BENCH_VARIANT_COUNT; v++)
      tny_free(result->rows[i].samples[v].seconds);
  }
  tny_free(result->rows);
  *result = (struct bench_result){0};
}

static void add_variant(struct tny_text *text, const struct bench_result *result,
                        const struct bench_row *row, const struct bench_figures *figures,
                        enum bench_variant variant)
{
  const struct bench_quartiles *seconds = &figures->seconds[variant];
  const bool planned = variant == BENCH_PLANNED;
  csv_add_field(text, result->cluster);
  tny_text_add(text, ",%s,%" PRIu32 ",%s,%" PRIu64 ",%s,", result->map, result->rank_count,
               tny_collective_name(row->collective), row->bytes, planned ? "planned" : "native");
  csv_add_field(text, planned ? row->algorithm : "native");
  tny_text_add(text, ",%.4f,%.4f,%.4f,%.4f,%.4f\n", 1e3 * seconds->median, 1e3 * seconds->q1,
               1e3 * seconds->q3, planned ? figures->ratio : 1.0, figures->share[variant]);
}

void bench_csv_add(struct tny_text *text, struct bench_result *result)
{
  tny_text_add(text, BENCH_CSV_HEADER);
  for (uint32_t i = 0; i < result->rows_done; i++) {
    const struct bench_figures figures = bench_row_figures(&result->rows[i]);
    add_variant(text, result, &result->rows[i], &figures, BENCH_NATIVE);
    add_variant(text, result, &result->rows[i], &figures, BENCH_PLANNED);
  }
}
