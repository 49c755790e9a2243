/* Reads the JSON of a record. A member that is missing or of another type makes the whole file no
   record: the first one is named. */
#include "recorded.h"

#include <inttypes.h>
#include <jansson.h>

#include "cli/shared/options.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/file.h"

enum { VERSION = 1 };

/* A million ranks' hosts are read in a second. */
#define RANKS_MAX UINT64_C(10000000)

/* What is being read: once something is wrong, nothing is read any more. */
struct reading {
  const char *path;
  struct tny_error *error;
  enum tny_status status;
};

static void refuse(struct reading *reading, const char *name, const char *what)
{
  if (reading->status == TNY_OK)
    reading->status = tny_error_at(
        reading->error, TNY_BAD_INPUT, reading->path, 0, 0,
        "no record of a run: '%s' %s; 'tourney run --record FILE' writes one", name, what);
}

static const char missing[] = "is missing";

static void *new_list(struct reading *reading, size_t count, size_t size)
{
  void *list = tny_new(count > 0 ? count : 1, size);
  if (!list && reading->status == TNY_OK)
    reading->status = tny_error_memory(reading->error);
  return list;
}

/* --- members --- */

/* A text; NULL where it is null, and that `may_be_null`. */
static const char *take_text(struct reading *reading, const json_t *object, const char *name,
                             bool may_be_null)
{
  const json_t *value = json_object_get(object, name);
  if (may_be_null && json_is_null(value))
    return NULL;
  if (!json_is_string(value)) {
    refuse(reading, name, value ? "isn't a text" : missing);
    return "";
  }
  return json_string_value(value);
}

static uint64_t take_whole(struct reading *reading, const json_t *object, const char *name)
{
  const json_t *value = json_object_get(object, name);
  if (!json_is_integer(value) || json_integer_value(value) < 0) {
    refuse(reading, name, value ? "isn't a whole number of at least 0" : missing);
    return 0;
  }
  return (uint64_t)json_integer_value(value);
}

/* The same, or `without` where the member is missing or null. */
static uint64_t take_optional(struct reading *reading, const json_t *object, const char *name,
                              uint64_t without)
{
  const json_t *value = json_object_get(object, name);
  return !value || json_is_null(value) ? without : take_whole(reading, object, name);
}

static bool take_bool(struct reading *reading, const json_t *object, const char *name)
{
  const json_t *value = json_object_get(object, name);
  if (!json_is_boolean(value))
    refuse(reading, name, value ? "isn't true or false" : missing);
  return json_is_true(value);
}

static const json_t *take_array(struct reading *reading, const json_t *object, const char *name)
{
  const json_t *value = json_object_get(object, name);
  if (!json_is_array(value))
    refuse(reading, name, value ? "isn't a list" : missing);
  return value;
}

/* --- the parts of a record --- */

static void read_row(struct reading *reading, const json_t *object, struct recorded_row *row)
{
  *row = (struct recorded_row){.collective = take_text(reading, object, "collective", false),
                               .algorithm = take_text(reading, object, "algorithm", true),
                               .why = take_text(reading, object, "why", false),
                               .ranks = take_whole(reading, object, "ranks"),
                               .class_bytes = take_whole(reading, object, "class_bytes"),
                               .calls = take_whole(reading, object, "calls"),
                               .bytes = take_whole(reading, object, "bytes"),
                               .root = take_optional(reading, object, "root", UINT64_MAX),
                               .timed = take_optional(reading, object, "timed", 0)};
  if (row->calls == 0)
    refuse(reading, "calls", "is 0");
  if (row->timed == 0)
    return;
  row->total_ns = (double)take_whole(reading, object, "total_ns");
  row->least_ns = (double)take_whole(reading, object, "least_ns");
  row->q1_ns = (double)take_whole(reading, object, "q1_ns");
  row->median_ns = (double)take_whole(reading, object, "median_ns");
  row->q3_ns = (double)take_whole(reading, object, "q3_ns");
  row->most_ns = (double)take_whole(reading, object, "most_ns");
}

static void read_decision(struct reading *reading, const json_t *object,
                          struct recorded_decision *decision)
{
  *decision = (struct recorded_decision){
      .collective = take_text(reading, object, "collective", false),
      .served = take_text(reading, object, "served", false),
      .own_op = take_bool(reading, object, "own_op"),
      .ranks = take_whole(reading, object, "ranks"),
      .class_bytes = take_whole(reading, object, "class_bytes"),
      .trials = take_whole(reading, object, "trials"),
      .at_ns = (double)take_whole(reading, object, "at_ns"),
      .native_ns = (double)take_optional(reading, object, "native_ns", 0)};
  const json_t *tried = take_array(reading, object, "tried");
  const size_t room = sizeof decision->tried / sizeof *decision->tried;
  if (json_array_size(tried) > room)
    refuse(reading, "tried", "has too many entries");
  for (size_t i = 0; i < json_array_size(tried) && i < room; i++) {
    const json_t *entry = json_array_get(tried, i);
    decision->tried[i].name = take_text(reading, entry, "name", false);
    decision->tried[i].can_run = take_bool(reading, entry, "can_run");
    decision->tried[i].seen_ns = (double)take_optional(reading, entry, "seen_ns", 0);
    decision->tried[i].predicted_ns = (double)take_optional(reading, entry, "predicted_ns", 0);
  }
}

static void read_host(struct reading *reading, const json_t *object, struct recorded_host *host)
{
  *host = (struct recorded_host){.name = take_text(reading, object, "name", false),
                                 .is_counted = json_object_get(object, "segments") != NULL};
  if (!host->is_counted)
    return;
  host->segments = take_whole(reading, object, "segments");
  host->retransmitted = take_whole(reading, object, "retransmitted");
  host->timeouts = take_whole(reading, object, "timeouts");
  host->interface_drops = take_whole(reading, object, "interface_drops");
}

static void read_places(struct reading *reading, const json_t *object, struct recorded *recorded)
{
  const json_t *places = take_array(reading, object, "host_of_rank");
  if (json_array_size(places) != recorded->ranks)
    refuse(reading, "host_of_rank", "hasn't a host for each rank");
  if (reading->status != TNY_OK)
    return;
  recorded->host_of_rank = new_list(reading, recorded->ranks, sizeof *recorded->host_of_rank);
  for (size_t rank = 0; reading->status == TNY_OK && rank < recorded->ranks; rank++) {
    const json_t *host = json_array_get(places, rank);
    if (!json_is_integer(host) || json_integer_value(host) < 0 ||
        json_integer_value(host) >= (json_int_t)recorded->cluster->host_count)
      refuse(reading, "host_of_rank", "has a host that the cluster hasn't");
    else
      recorded->host_of_rank[rank] = (uint32_t)json_integer_value(host);
  }
}

static void read_cluster(struct reading *reading, const json_t *root, struct recorded *recorded)
{
  const json_t *object = json_object_get(root, "cluster");
  struct tny_error cause = {0};
  if (json_is_null(object))
    return;
  if (!json_is_object(object))
    refuse(reading, "cluster", "isn't an object");
  recorded->origin = take_text(reading, object, "origin", false);
  const char *flat = take_text(reading, object, "flat", false);
  if (reading->status == TNY_OK &&
      tny_cluster_read_flat(flat, &recorded->cluster, &cause) != TNY_OK)
    reading->status = tny_error_at(reading->error, cause.status, reading->path, 0, 0,
                                   "no record of a run: its cluster can't be read: %s", cause.text);
  if (reading->status == TNY_OK)
    read_places(reading, object, recorded);
}

static void read_lists(struct reading *reading, const json_t *root, struct recorded *recorded)
{
  const json_t *rows = take_array(reading, root, "calls");
  const json_t *decisions = take_array(reading, root, "decisions");
  const json_t *hosts = take_array(reading, root, "hosts");
  recorded->row_count = json_array_size(rows);
  recorded->decision_count = json_array_size(decisions);
  recorded->host_count = json_array_size(hosts);
  recorded->rows = new_list(reading, recorded->row_count, sizeof *recorded->rows);
  recorded->decisions = new_list(reading, recorded->decision_count, sizeof *recorded->decisions);
  recorded->hosts = new_list(reading, recorded->host_count, sizeof *recorded->hosts);
  for (size_t i = 0; reading->status == TNY_OK && i < recorded->row_count; i++)
    read_row(reading, json_array_get(rows, i), &recorded->rows[i]);
  for (size_t i = 0; reading->status == TNY_OK && i < recorded->decision_count; i++)
    read_decision(reading, json_array_get(decisions, i), &recorded->decisions[i]);
  for (size_t i = 0; reading->status == TNY_OK && i < recorded->host_count; i++)
    read_host(reading, json_array_get(hosts, i), &recorded->hosts[i]);
}

static void read_root(struct reading *reading, const json_t *root, struct recorded *recorded)
{
  const uint64_t version = take_whole(reading, root, "tourney_record");
  if (reading->status == TNY_OK && version != VERSION)
    reading->status = tny_error_at(reading->error, TNY_BAD_INPUT, reading->path, 0, 0,
                                   "a record of version %" PRIu64
                                   ", and this tool reads version %d: use the tool of the "
                                   "Tourney that wrote it",
                                   version, VERSION);
  recorded->version = take_text(reading, root, "version", false);
  recorded->mpi = take_text(reading, root, "mpi", false);
  recorded->program = take_text(reading, root, "program", false);
  recorded->why_native = take_text(reading, root, "why_native", true);
  recorded->has_guard = take_bool(reading, root, "guard");
  recorded->has_all_hosts = take_bool(reading, root, "has_all_hosts");
  recorded->began_s = take_whole(reading, root, "began_s");
  recorded->took_ns = (double)take_whole(reading, root, "took_ns");
  recorded->trials_ns = (double)take_whole(reading, root, "trials_ns");
  recorded->left_out = take_whole(reading, root, "left_out");
  recorded->ranks = take_whole(reading, root, "ranks");
  if (recorded->ranks == 0 || recorded->ranks > RANKS_MAX)
    refuse(reading, "ranks", "isn't a number of ranks");
  if (reading->status == TNY_OK)
    read_cluster(reading, root, recorded);
  if (reading->status == TNY_OK)
    read_lists(reading, root, recorded);
}

enum tny_status recorded_parse(const char *path, const char *text, struct recorded *recorded,
                               struct tny_error *error)
{
  struct reading reading = {.path = path, .error = error};
  json_error_t wrong;
  json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &wrong);
  *recorded = (struct recorded){.json = root};
  if (!root)
    return tny_error_at(error, TNY_BAD_INPUT, path, (unsigned)wrong.line, (unsigned)wrong.column,
                        "no record of a run, as it isn't JSON: %s; 'tourney run --record FILE' "
                        "writes one",
                        wrong.text);
  read_root(&reading, root, recorded);
  return reading.status;
}

enum tny_status recorded_read(const char *path, struct recorded *recorded, struct tny_error *error)
{
  char *text = NULL;
  *recorded = (struct recorded){0};
  enum tny_status status = tny_file_read(path, &text, error);
  if (status == TNY_OK)
    status = recorded_parse(path, text, recorded, error);
  tny_text_free(text);
  return status;
}

/* --- bounds --- */

/* What a row's bound is of; false where it has none. */
static bool has_bound(const struct recorded *recorded, const struct recorded_row *row,
                      enum tny_collective *collective)
{
  bool is_uneven;
  if (row->timed == 0 || row->bytes / row->calls > CLI_BYTES_MAX || row->bytes < row->calls ||
      row->ranks != recorded->ranks ||
      tny_collective_parse_form(row->collective, collective, &is_uneven, NULL) != TNY_OK ||
      is_uneven)
    return false;
  return !tny_collective_has_root(*collective) || row->root < recorded->ranks;
}

enum tny_status recorded_find_bounds(struct recorded *recorded, struct tny_error *error)
{
  enum tny_status status =
      recorded->cluster ? tny_routes_make(recorded->cluster, &recorded->routes, error) : TNY_OK;
  for (size_t i = 0; recorded->cluster && status == TNY_OK && i < recorded->row_count; i++) {
    struct recorded_row *row = &recorded->rows[i];
    enum tny_collective collective;
    struct tny_bound bound = {0};
    if (!has_bound(recorded, row, &collective))
      continue;
    const uint32_t root = tny_collective_has_root(collective) ? (uint32_t)row->root : 0;
    status = tny_bound_compute(recorded->routes, recorded->host_of_rank, (uint32_t)recorded->ranks,
                               collective, root, row->bytes / row->calls, &bound, error);
    row->bound_ns = 1e9 * bound.seconds;
  }
  return status;
}

void recorded_release(struct recorded *recorded)
{
  tny_routes_free(recorded->routes);
  tny_cluster_free(recorded->cluster);
  tny_free(recorded->host_of_rank);
  tny_free(recorded->rows);
  tny_free(recorded->decisions);
  tny_free(recorded->hosts);
  json_decref(recorded->json);
  *recorded = (struct recorded){0};
}
