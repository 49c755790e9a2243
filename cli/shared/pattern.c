/* Communication patterns by name or from a file. */
#include "pattern.h"

#include <inttypes.h>

#include "core/error.h"
#include "core/file.h"
#include "mapping.h"

static const char random_prefix[] = "random:";

/* Reads "0.25" or "0.25:7". */
static enum tny_status make_random(const char *text, uint32_t rank_count, uint64_t bytes,
                                   struct tny_pattern **pattern, struct tny_error *error)
{
  const char *density = text + strlen(random_prefix);
  char *end;
  struct tny_pattern_chance chance = {.density = strtod(density, &end), .seed = 1};
  bool is_right = end > density && chance.density >= 0 && chance.density <= 1;
  if (is_right && *end == ':' && end[1] >= '0' && end[1] <= '9')
    chance.seed = strtoull(end + 1, &end, 10);
  is_right = is_right && *end == '\0';
  if (!is_right)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "--pattern random wants a density from 0 to 1 and perhaps a seed, as in "
                         "random:0.25:7, not '%s'",
                         text);
  return tny_pattern_random(rank_count, chance, bytes, pattern, error);
}

static enum tny_status read_file(const char *path, struct tny_pattern **pattern,
                                 struct tny_error *error)
{
  char *text = NULL;
  enum tny_status status = tny_file_read(path, &text, error);
  if (status == TNY_OK)
    status = tny_pattern_read(text, path, pattern, error);
  tny_text_free(text);
  return status;
}

/* Of the cluster's grid where every node has a rank, else of a ring of ranks. */
static enum tny_status make_neighbours(const struct mapping *mapping, uint64_t bytes,
                                       struct tny_pattern **pattern, struct tny_error *error)
{
  const uint32_t p = mapping->rank_count;
  const struct tny_shape ring = {.dimension_count = 1, .size = {p, 1, 1}, .wraps = true};
  const struct tny_placement *placement = mapping->placement;
  struct tny_pattern *of_nodes;
  if (placement->grid.dimension_count == 0 || placement->ranks_a_node != 1)
    return tny_pattern_neighbours(&ring, bytes, pattern, error);
  enum tny_status status = tny_pattern_neighbours(&placement->grid, bytes, &of_nodes, error);
  if (status != TNY_OK)
    return status;
  status = tny_pattern_new(p, pattern, error);
  for (uint32_t from = 0; status == TNY_OK && from < p; from++)
    for (uint32_t to = 0; to < p; to++)
      (*pattern)->bytes[(size_t)placement->rank_at[from] * p + placement->rank_at[to]] =
          of_nodes->bytes[(size_t)from * p + to];
  tny_pattern_free(of_nodes);
  return status;
}

static enum tny_status make_pattern(const char *text, const struct mapping *mapping, uint64_t bytes,
                                    struct tny_pattern **pattern, struct tny_error *error)
{
  const uint32_t p = mapping->rank_count;
  if (strcmp(text, "nearest-neighbour") == 0)
    return make_neighbours(mapping, bytes, pattern, error);
  if (strcmp(text, "hypercube") == 0)
    return tny_pattern_hypercube(p, bytes, pattern, error);
  if (strncmp(text, random_prefix, strlen(random_prefix)) == 0)
    return make_random(text, p, bytes, pattern, error);
  return read_file(text, pattern, error);
}

enum tny_status pattern_open(const char *text, const struct mapping *mapping, uint64_t bytes,
                             struct tny_pattern **pattern, struct tny_error *error)
{
  *pattern = NULL;
  const enum tny_status status = make_pattern(text, mapping, bytes, pattern, error);
  if (status != TNY_OK || (*pattern)->rank_count == mapping->rank_count)
    return status;
  tny_error_set(error, TNY_BAD_INPUT,
                "the pattern %.200s is one of %" PRIu32 " ranks, but there are %" PRIu32
                ": give it a line for each, or take --ranks %" PRIu32,
                text, (*pattern)->rank_count, mapping->rank_count, (*pattern)->rank_count);
  tny_pattern_free(*pattern);
  *pattern = NULL;
  return TNY_BAD_INPUT;
}

enum tny_status pattern_of_schedule(const struct tny_schedule *schedule, uint64_t bytes,
                                    struct tny_pattern **pattern, struct tny_error *error)
{
  const uint32_t p = schedule->rank_count;
  *pattern = NULL;
  if (!schedule->wanted)
    return TNY_OK;
  const enum tny_status status = tny_pattern_new(p, pattern, error);
  for (uint32_t from = 0; status == TNY_OK && from < p; from++)
    for (uint32_t to = 0; to < p; to++)
      if (tny_schedule_wants(schedule, from, to))
        (*pattern)->bytes[(size_t)from * p + to] = bytes;
  return status;
}
