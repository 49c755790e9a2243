/* Reads the ranks' lines: the first word of a line says which kind it is. */
#include "reader.h"

#include <inttypes.h>

#include "core/error.h"
#include "core/grid.h"

enum tny_status bench_reader_begin(struct bench_reader *reader, const struct tny_cluster *cluster,
                                   struct bench_result *result, struct tny_error *error)
{
  *reader = (struct bench_reader){.places.program = "tourney-bench-ranks", .result = result};
  return launch_places_begin(&reader->places, cluster, error);
}

static enum tny_status complain(const struct bench_reader *reader, const char *line,
                                struct tny_error *error)
{
  return launch_places_refuse(&reader->places, line, error);
}

static enum tny_status read_place(struct bench_reader *reader, const char *line,
                                  struct tny_error *error)
{
  const enum tny_status status = launch_places_take(&reader->places, line, error);
  reader->result->rank_count = reader->places.rank_count;
  return status;
}

static enum tny_status read_grid(struct bench_reader *reader, const char *line,
                                 struct tny_error *error)
{
  const char *sides = line + strlen("grid ");
  struct tny_shape *grid = &reader->grid;
  if (tny_grid_parse(sides, grid, NULL) != TNY_OK ||
      tny_grid_nodes(grid) != reader->places.rank_count ||
      strlen(sides) >= sizeof reader->result->grid)
    return complain(reader, line, error);
  snprintf(reader->result->grid, sizeof reader->result->grid, "%s", sides);
  return TNY_OK;
}

/* What ranks have for their neighbours: in an all-to-all a block for each edge, of which those to
   the same rank have one size, in an all-gather the same for all. */
static enum tny_status make_neighbours(const struct bench_reader *reader,
                                       const struct bench_row *row,
                                       const struct tny_unevenness *spread,
                                       struct tny_pattern **pattern, struct tny_error *error)
{
  struct tny_pattern *edges = NULL;
  enum tny_status status = tny_pattern_edges(&reader->grid, pattern, error);
  if (status == TNY_OK)
    status = tny_pattern_draw(*pattern, row->collective, spread, error);
  if (status == TNY_OK && tny_collective_is_pairwise(row->collective))
    status = tny_pattern_edges(&reader->grid, &edges, error);
  for (size_t i = 0; status == TNY_OK && edges && i < (size_t)edges->rank_count * edges->rank_count;
       i++)
    (*pattern)->bytes[i] *= edges->bytes[i];
  tny_pattern_free(edges);
  return status;
}

/* The bound of the sizes that the ranks draw, or of what they have for their neighbours. */
static enum tny_status compute_pattern_bound(const struct bench_reader *reader,
                                             const struct tny_routes *routes, struct bench_row *row,
                                             struct tny_error *error)
{
  const uint32_t p = reader->result->rank_count;
  const struct tny_network network = {routes, reader->places.host_of_rank, p};
  struct tny_unevenness spread = {.least_part = 1, .most_part = 1};
  struct tny_pattern *pattern = NULL;
  if (cli_form_is_uneven(row->form))
    spread = reader->result->spread;
  spread.mean_bytes = row->bytes;
  enum tny_status status = cli_form_has_neighbours(row->form)
                               ? make_neighbours(reader, row, &spread, &pattern, error)
                               : tny_pattern_uneven(p, row->collective, &spread, &pattern, error);
  if (status == TNY_OK)
    status = tny_bound_uneven(&network, row->collective, pattern, &row->bound_seconds, error);
  tny_pattern_free(pattern);
  return status;
}

static enum tny_status compute_bounds(struct bench_reader *reader, struct tny_error *error)
{
  struct tny_routes *routes = NULL;
  enum tny_status status = tny_routes_make(reader->places.cluster, &routes, error);
  for (uint32_t i = 0; status == TNY_OK && i < reader->result->row_count; i++) {
    struct bench_row *row = &reader->result->rows[i];
    struct tny_bound bound;
    if (row->form != CLI_FORM_ALIKE) {
      status = compute_pattern_bound(reader, routes, row, error);
      continue;
    }
    status = tny_bound_compute(routes, reader->places.host_of_rank, reader->result->rank_count,
                               row->collective, 0, row->bytes, &bound, error);
    if (status == TNY_OK)
      row->bound_seconds = bound.seconds;
  }
  tny_routes_free(routes);
  return status;
}

/* Is said what the bounds depend on? */
static bool is_ready(const struct bench_reader *reader)
{
  bool has_neighbours = false;
  for (uint32_t i = 0; i < reader->result->row_count; i++)
    has_neighbours |= cli_form_has_neighbours(reader->result->rows[i].form);
  return launch_places_are_complete(&reader->places) &&
         (!has_neighbours || reader->grid.dimension_count > 0);
}

static bool fits(const struct bench_row *row, const char *collective, uint64_t bytes)
{
  return !strcmp(bench_row_name(row), collective) && row->bytes == bytes;
}

static enum tny_status read_row(struct bench_reader *reader, const char *line,
                                struct tny_error *error)
{
  struct bench_result *result = reader->result;
  uint32_t index, count;
  char collective[32];
  uint64_t bytes;
  if (sscanf(line, "row %" SCNu32 " %" SCNu32 " %31s %" SCNu64, &index, &count, collective,
             &bytes) != 4 ||
      index != reader->row_index + 1 || count != result->row_count || index > count ||
      !fits(&result->rows[index - 1], collective, bytes) || !is_ready(reader))
    return complain(reader, line, error);
  result->rows_done = reader->row_index;
  reader->row_index = index;
  return index == 1 ? compute_bounds(reader, error) : TNY_OK;
}

static enum tny_status read_sample(struct bench_reader *reader, const char *line,
                                   struct tny_error *error)
{
  char collective[32], name[64], algorithm[64];
  uint64_t bytes;
  double seconds;
  if (sscanf(line, "sample %31s %" SCNu64 " %63s %63s %lf", collective, &bytes, name, algorithm,
             &seconds) != 5 ||
      !reader->row_index)
    return complain(reader, line, error);
  struct bench_row *row = &reader->result->rows[reader->row_index - 1];
  struct bench_variant *variant =
      fits(row, collective, bytes) ? bench_row_variant(row, name) : NULL;
  if (!variant)
    return complain(reader, line, error);
  bench_variant_served(variant, algorithm);
  return bench_samples_add(&variant->samples, seconds, error);
}

static enum tny_status read_untried(struct bench_reader *reader, const char *line,
                                    struct tny_error *error)
{
  char collective[32], name[64];
  uint64_t bytes;
  if (sscanf(line, "untried %31s %" SCNu64 " %63s", collective, &bytes, name) != 3 ||
      !reader->row_index || !fits(&reader->result->rows[reader->row_index - 1], collective, bytes))
    return complain(reader, line, error);
  reader->result->rows[reader->row_index - 1].untried_count++;
  return TNY_OK;
}

static enum tny_status read_done(struct bench_reader *reader, const char *line,
                                 struct tny_error *error)
{
  if (reader->row_index != reader->result->row_count)
    return complain(reader, line, error);
  reader->result->rows_done = reader->row_index;
  reader->done = true;
  return TNY_OK;
}

enum tny_status bench_reader_read(struct bench_reader *reader, const char *line,
                                  enum bench_line *kind, struct tny_error *error)
{
  static const struct {
    const char *start;
    enum bench_line kind;
    enum tny_status (*read)(struct bench_reader *, const char *, struct tny_error *);
  } kinds[] = {
      {"ranks ", BENCH_LINE_RANK, read_place},     {"rank ", BENCH_LINE_RANK, read_place},
      {"grid ", BENCH_LINE_RANK, read_grid},       {"row ", BENCH_LINE_ROW, read_row},
      {"sample ", BENCH_LINE_SAMPLE, read_sample}, {"untried ", BENCH_LINE_SAMPLE, read_untried},
      {"done", BENCH_LINE_DONE, read_done},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (!strncmp(line, kinds[i].start, strlen(kinds[i].start))) {
      *kind = kinds[i].kind;
      return kinds[i].read(reader, line, error);
    }
  }
  *kind = BENCH_LINE_OTHER;
  return TNY_OK;
}

void bench_reader_release(struct bench_reader *reader)
{
  launch_places_release(&reader->places);
}
