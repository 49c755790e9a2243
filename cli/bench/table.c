/* The progress line and the table of a bench. */
#include "table.h"

#include <inttypes.h>
#include <unistd.h>

#include "core/units.h"

struct bench_progress bench_progress_begin(void)
{
  return (struct bench_progress){.terminal = isatty(STDERR_FILENO)};
}

void bench_progress_show(struct bench_progress *progress, const struct bench_result *result,
                         uint32_t row_index)
{
  const struct bench_row *row = &result->rows[row_index - 1];
  const uint32_t samples = row->variants[BENCH_PLANNED].samples.count;
  if (!progress->terminal && progress->row_index == row_index)
    return;
  progress->row_index = row_index;
  fprintf(stderr, "%srow %" PRIu32 " of %" PRIu32 ": %s %s", progress->terminal ? "\r" : "",
          row_index, result->row_count, bench_row_name(row), tny_bytes_format(row->bytes).text);
  if (progress->terminal)
    fprintf(stderr, ", %" PRIu32 " rounds\033[K", samples);
  else
    fputc('\n', stderr);
  fflush(stderr);
  progress->shown = progress->terminal;
}

void bench_progress_clear(struct bench_progress *progress)
{
  if (progress->shown)
    fputs("\r\033[K", stderr);
  progress->shown = false;
}

struct cell {
  char text[48];
};

/* Three or four digits that matter. */
static struct cell milliseconds(double seconds)
{
  struct cell cell;
  const double ms = 1e3 * seconds;
  const int decimals = ms < 1 ? 3 : ms < 10 ? 2 : ms < 100 ? 1 : 0;
  snprintf(cell.text, sizeof cell.text, "%.*f", decimals, ms);
  return cell;
}

static struct cell spread(const struct bench_quartiles *seconds)
{
  struct cell cell;
  snprintf(cell.text, sizeof cell.text, "%.12s (%.12s..%.12s)", milliseconds(seconds->median).text,
           milliseconds(seconds->q1).text, milliseconds(seconds->q3).text);
  return cell;
}

static bool has_peers(const struct bench_result *result)
{
  for (uint32_t i = 0; i < result->rows_done; i++) {
    if (result->rows[i].variant_count > BENCH_PEERS)
      return true;
  }
  return false;
}

static void add_row(struct tny_text *text, struct bench_row *row)
{
  const struct bench_figures figures = bench_row_figures(row);
  tny_text_add(text, "%-19s %8s  %-22s  %-22s  %-22s  %6.2f  %5.1f %% %5.1f %%  %9s",
               bench_row_name(row), tny_bytes_format(row->bytes).text,
               spread(&figures.seconds[BENCH_NATIVE]).text,
               spread(&figures.seconds[BENCH_PLANNED]).text, row->variants[BENCH_PLANNED].algorithm,
               figures.ratio, 100 * figures.share[BENCH_NATIVE], 100 * figures.share[BENCH_PLANNED],
               row->predicted_seconds > 0 ? milliseconds(row->predicted_seconds).text : "-");
  if (figures.best_peer)
    tny_text_add(text, "  %-22s  %6.2f  %s", spread(&figures.seconds[figures.best_peer]).text,
                 figures.peer_ratio, row->variants[figures.best_peer].name);
  tny_text_add(text, "\n");
}

static void add_untried(struct tny_text *text, const struct bench_row *row)
{
  if (row->untried_count)
    tny_text_add(text,
                 "%s %s: no time for %" PRIu32 " peer%s: give --max-seconds more to try all\n",
                 bench_row_name(row), tny_bytes_format(row->bytes).text, row->untried_count,
                 row->untried_count == 1 ? "" : "s");
}

enum tny_status bench_table_write(struct bench_result *result, char **table,
                                  struct tny_error *error)
{
  struct tny_text text = {0};
  tny_text_add(&text,
               "%s, %" PRIu32 " ranks, map %s, %s%s%s%s%s; times are medians (quartiles), shares "
               "are of the bound,\npredicted ms are the model's for planned\n\n",
               result->cluster, result->rank_count, result->map, result->mpi,
               *result->grid ? ", neighbours on a grid of " : "", result->grid,
               *result->congestion ? ", congestion control " : "", result->congestion);
  tny_text_add(&text, "%-19s %8s  %-22s  %-22s  %-22s  %6s  %7s %7s  %9s", "collective", "bytes",
               "native ms", "planned ms", "algorithm", "ratio", "native", "planned", "predicted");
  if (has_peers(result))
    tny_text_add(&text, "  %-22s  %6s  %s", "best peer ms", "ratio", "best peer");
  tny_text_add(&text, "\n");
  for (uint32_t i = 0; i < result->rows_done; i++)
    add_row(&text, &result->rows[i]);
  for (uint32_t i = 0; i < result->rows_done; i++)
    add_untried(&text, &result->rows[i]);
  return tny_text_take(&text, table, error);
}
