/* Samples, their quartiles, and the CSV. */
#include "stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

const char *bench_row_name(const struct bench_row *row)
{
  return cli_form_name(row->collective, row->form);
}

void bench_row_begin(struct bench_row *row, enum tny_collective collective, uint64_t bytes)
{
  row->collective = collective;
  row->bytes = bytes;
  bench_row_variant(row, "native");
  bench_row_variant(row, "planned");
}

struct bench_variant *bench_row_variant(struct bench_row *row, const char *name)
{
  for (uint32_t v = 0; v < row->variant_count; v++) {
    if (!strcmp(row->variants[v].name, name))
      return &row->variants[v];
  }
  if (row->variant_count == BENCH_VARIANTS_MAX)
    return NULL;
  struct bench_variant *variant = &row->variants[row->variant_count++];
  snprintf(variant->name, sizeof variant->name, "%s", name);
  return variant;
}

void bench_variant_served(struct bench_variant *variant, const char *algorithm)
{
  if (variant->lead == 0)
    snprintf(variant->algorithm, sizeof variant->algorithm, "%s", algorithm);
  if (strcmp(variant->algorithm, algorithm))
    variant->lead--;
  else
    variant->lead++;
}

/* Of the peers with the most samples, since those that were slower were left out early. */
static uint32_t find_best_peer(const struct bench_row *row, const struct bench_figures *figures)
{
  uint32_t best = 0, most = 1;
  for (uint32_t v = BENCH_PEERS; v < row->variant_count; v++) {
    const uint32_t samples = row->variants[v].samples.count;
    const bool is_faster = best && figures->seconds[v].median < figures->seconds[best].median;
    if (samples > most || (samples == most && (!best || is_faster)))
      best = v;
    most = samples > most ? samples : most;
  }
  return best;
}

struct bench_figures bench_row_figures(struct bench_row *row)
{
  struct bench_figures figures = {0};
  for (uint32_t v = 0; v < row->variant_count; v++) {
    figures.seconds[v] = bench_samples_quartiles(&row->variants[v].samples);
    if (figures.seconds[v].median > 0)
      figures.share[v] = row->bound_seconds / figures.seconds[v].median;
  }
  figures.best_peer = find_best_peer(row, &figures);
  const double planned = figures.seconds[BENCH_PLANNED].median;
  if (planned > 0) {
    figures.ratio = figures.seconds[BENCH_NATIVE].median / planned;
    if (figures.best_peer)
      figures.peer_ratio = figures.seconds[figures.best_peer].median / planned;
  }
  return figures;
}

void bench_result_release(struct bench_result *result)
{
  for (uint32_t i = 0; i < result->row_count; i++) {
    for (uint32_t v = 0; v < result->rows[i].variant_count; v++)
      tny_free(result->rows[i].variants[v].samples.seconds);
  }
  tny_free(result->rows);
  *result = (struct bench_result){0};
}

static void add_variant(struct tny_text *text, const struct bench_result *result,
                        const struct bench_row *row, const struct bench_figures *figures,
                        uint32_t index)
{
  const struct bench_variant *variant = &row->variants[index];
  const struct bench_quartiles *seconds = &figures->seconds[index];
  const double native = figures->seconds[BENCH_NATIVE].median;
  csv_add_field(text, result->cluster);
  tny_text_add(text, ",%s,%" PRIu32 ",%s,%" PRIu64 ",", result->map, result->rank_count,
               bench_row_name(row), row->bytes);
  csv_add_field(text, variant->name);
  tny_text_add(text, ",");
  csv_add_field(text, variant->algorithm);
  tny_text_add(text, ",%.4f,%.4f,%.4f,%.4f,%.4f,%" PRIu32 ",%s,", 1e3 * seconds->median,
               1e3 * seconds->q1, 1e3 * seconds->q3,
               seconds->median > 0 ? native / seconds->median : 0.0, figures->share[index],
               variant->samples.count, result->congestion);
  if (index == BENCH_PLANNED && row->predicted_seconds > 0)
    tny_text_add(text, "%.4f", 1e3 * row->predicted_seconds);
  tny_text_add(text, "\n");
}

void bench_csv_add(struct tny_text *text, struct bench_result *result)
{
  for (uint32_t i = 0; i < result->rows_done; i++) {
    const struct bench_figures figures = bench_row_figures(&result->rows[i]);
    for (uint32_t v = 0; v < result->rows[i].variant_count; v++) {
      if (result->rows[i].variants[v].samples.count)
        add_variant(text, result, &result->rows[i], &figures, v);
    }
  }
}
