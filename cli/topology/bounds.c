/* `tourney topology bounds`: the least time of each collective, as a table, CSV and JSON. The
   bounds are the library's (tny_bound_compute). */
#include "bounds.h"

#include <inttypes.h>

#include "cli/shared/csv.h"
#include "cli/shared/json.h"
#include "cli/shared/mapping.h"
#include "cli/shared/options.h"
#include "cli/shared/report.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/text.h"
#include "core/units.h"

/* One line of the answer, and where the ranks sit. */
struct row {
  const struct topology_bounds *wanted;
  struct tny_routes *routes;
  uint32_t *host_of_rank, rank_count;
  enum tny_collective collective;
  uint64_t bytes;
  struct tny_bound bound;
};

static void add_duration(struct tny_text *text, double seconds)
{
  static const struct {
    double factor;
    const char *unit;
  } scales[] = {{1, "s "}, {1e3, "ms"}, {1e6, "us"}, {1e9, "ns"}};
  size_t i = 1;
  if (seconds >= 10)
    i = 0;
  while (i < 3 && seconds > 0 && seconds * scales[i].factor < 1)
    i++;
  tny_text_add(text, "%10.3f %s", seconds * scales[i].factor, scales[i].unit);
}

static void add_row(struct tny_text *text, const struct row *row)
{
  const char *cluster = row->routes->cluster->name, *map = cli_map_name(row->wanted->map);
  const char *collective = tny_collective_name(row->collective);
  const char *reason = tny_bound_reason_name(row->bound.reason);
  switch (row->wanted->format) {
  case CLI_TEXT:
    tny_text_add(text, "%-13s %6s ", collective, tny_bytes_format(row->bytes).text);
    add_duration(text, row->bound.seconds);
    tny_text_add(text, "  %s\n", row->bound.text);
    break;
  case CLI_CSV:
    csv_add_quoted(text, cluster);
    tny_text_add(text, ",%s,%u,%u,%s,%" PRIu64 ",%.9g,%s,", map, row->rank_count, row->wanted->root,
                 collective, row->bytes, row->bound.seconds * 1e3, reason);
    csv_add_quoted(text, row->bound.text);
    tny_text_add(text, "\n");
    break;
  case CLI_JSON:
    tny_text_add(text, "  {\"cluster\": ");
    json_quote(text, cluster);
    tny_text_add(text,
                 ", \"map\": \"%s\", \"ranks\": %u, \"root\": %u, \"collective\": \"%s\", "
                 "\"bytes\": %" PRIu64 ", \"bound_ms\": %.9g, \"reason\": \"%s\", \"text\": ",
                 map, row->rank_count, row->wanted->root, collective, row->bytes,
                 row->bound.seconds * 1e3, reason);
    json_quote(text, row->bound.text);
    tny_text_add(text, "}");
    break;
  }
}

static enum tny_status add_rows(struct tny_text *text, struct row *row, struct tny_error *error)
{
  const struct topology_bounds *wanted = row->wanted;
  bool first = true;
  for (unsigned collective = 0; collective < TNY_COLLECTIVE_COUNT; collective++)
    for (uint32_t i = 0; i < wanted->size_count; i++) {
      row->collective = (enum tny_collective)collective;
      const bool has_data = !tny_collective_synchronizes(row->collective);
      row->bytes = has_data ? wanted->sizes[i] : 0;
      if (!has_data && i > 0) /* the same for every size */
        continue;
      const enum tny_status status =
          tny_bound_compute(row->routes, row->host_of_rank, row->rank_count, row->collective,
                            wanted->root, row->bytes, &row->bound, error);
      if (status != TNY_OK)
        return status;
      if (wanted->format == CLI_JSON && !first)
        tny_text_add(text, ",\n");
      add_row(text, row);
      first = false;
    }
  return TNY_OK;
}

static void add_heading(struct tny_text *text, const struct row *row)
{
  if (row->wanted->format == CLI_CSV)
    tny_text_add(text, "cluster,map,ranks,root,collective,bytes,bound_ms,reason,text\n");
  else if (row->wanted->format == CLI_JSON)
    tny_text_add(text, "[\n");
  else
    tny_text_add(text,
                 "%s: %u rank%s, map %s, root %u\n"
                 "collective     bytes    least time  limited by\n",
                 row->routes->cluster->name, row->rank_count, row->rank_count == 1 ? "" : "s",
                 cli_map_name(row->wanted->map), row->wanted->root);
}

int topology_bounds(const struct tny_cluster *cluster, const struct topology_bounds *wanted)
{
  struct tny_error error = {0};
  struct tny_text text = {0};
  struct row row = {.wanted = wanted,
                    .rank_count = wanted->ranks ? wanted->ranks : cluster->host_count};
  enum tny_status status = mapping_check_ranks(cluster, row.rank_count, &error);
  if (status == TNY_OK) {
    row.host_of_rank = tny_new(row.rank_count, sizeof *row.host_of_rank);
    status = row.host_of_rank ? TNY_OK : tny_error_memory(&error);
  }
  if (status == TNY_OK)
    status = tny_map_ranks(cluster, wanted->map, row.rank_count, row.host_of_rank, &error);
  if (status == TNY_OK)
    status = tny_routes_make(cluster, &row.routes, &error);
  if (status == TNY_OK) {
    add_heading(&text, &row);
    status = add_rows(&text, &row, &error);
  }
  if (wanted->format == CLI_JSON)
    tny_text_add(&text, "\n]\n");
  tny_routes_free(row.routes);
  tny_free(row.host_of_rank);
  char *shown = NULL;
  if (status == TNY_OK)
    status = tny_text_take(&text, &shown, &error);
  tny_text_release(&text);
  return cli_finish(status, shown, &error);
}
