/* Reads the ranks' lines: the first word of a line says which kind it is. */
#include "reader.h"

#include <inttypes.h>

#include "core/alloc.h"
#include "core/error.h"

static enum tny_status complain(const char *line, struct tny_error *error)
{
  return tny_error_set(error, TNY_BAD_INPUT,
                       "tourney-bench-ranks says '%.200s', which doesn't fit what was asked for: "
                       "is it of the same version as this tool?",
                       line);
}

static enum tny_status read_ranks(struct bench_reader *reader, const char *line,
                                  struct tny_error *error)
{
  uint32_t count;
  if (sscanf(line, "ranks %" SCNu32, &count) != 1 || reader->host_of_rank)
    return complain(line, error);
  if (count < 2)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "one rank alone has no collectives to measure: "
                         "start at least 2");
  reader->host_of_rank = tny_new(count, sizeof *reader->host_of_rank);
  if (!reader->host_of_rank)
    return tny_error_memory(error);
  reader->result->rank_count = count;
  if (!reader->by_number)
    return TNY_OK;
  return tny_map_ranks(reader->cluster, reader->map, count, reader->host_of_rank, error);
}

static enum tny_status read_place(struct bench_reader *reader, const char *line,
                                  struct tny_error *error)
{
  uint32_t rank;
  char name[256];
  if (sscanf(line, "rank %" SCNu32 " host %255s", &rank, name) != 2 || !reader->host_of_rank ||
      rank != reader->ranks_placed || rank >= reader->result->rank_count)
    return complain(line, error);
  if (reader->by_number) {
    reader->ranks_placed++;
    return TNY_OK;
  }
  const uint32_t host = tny_cluster_find_host(reader->cluster, name);
  if (host == TNY_NONE)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "rank %" PRIu32 " runs on '%s', which isn't a host of the cluster '%s'",
                         rank, name, reader->cluster->name);
  reader->host_of_rank[reader->ranks_placed++] = host;
  return TNY_OK;
}

static enum tny_status compute_bounds(struct bench_reader *reader, struct tny_error *error)
{
  struct tny_routes *routes = NULL;
  enum tny_status status = tny_routes_make(reader->cluster, &routes, error);
  for (uint32_t i = 0; status == TNY_OK && i < reader->result->row_count; i++) {
    struct bench_row *row = &reader->result->rows[i];
    struct tny_bound bound;
    status = tny_bound_compute(routes, reader->host_of_rank, reader->result->rank_count,
                               row->collective, 0, row->bytes, &bound, error);
    if (status == TNY_OK)
      row->bound_seconds = bound.seconds;
  }
  tny_routes_free(routes);
  return status;
}

static bool fits(const struct bench_row *row, const char *collective, uint64_t bytes)
{
  return !strcmp(tny_collective_name(row->collective), collective) && row->bytes == bytes;
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
      !fits(&result->rows[index - 1], collective, bytes) || !reader->host_of_rank ||
      reader->ranks_placed != result->rank_count)
    return complain(line, error);
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
    return complain(line, error);
  struct bench_row *row = &reader->result->rows[reader->row_index - 1];
  struct bench_variant *variant =
      fits(row, collective, bytes) ? bench_row_variant(row, name) : NULL;
  if (!variant)
    return complain(line, error);
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
    return complain(line, error);
  reader->result->rows[reader->row_index - 1].untried_count++;
  return TNY_OK;
}

static enum tny_status read_done(struct bench_reader *reader, const char *line,
                                 struct tny_error *error)
{
  if (reader->row_index != reader->result->row_count)
    return complain(line, error);
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
      {"ranks ", BENCH_LINE_RANK, read_ranks},
      {"rank ", BENCH_LINE_RANK, read_place},
      {"row ", BENCH_LINE_ROW, read_row},
      {"sample ", BENCH_LINE_SAMPLE, read_sample},
      {"untried ", BENCH_LINE_SAMPLE, read_untried},
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
  tny_free(reader->host_of_rank);
  reader->host_of_rank = NULL;
}
