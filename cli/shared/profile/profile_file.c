/* The JSON form of profiles: names say the units, and every number is whole but the seconds. */
#include "profile_file.h"

#include <inttypes.h>

#include "cli/shared/json.h"
#include "cli/shared/peers.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/file.h"

/* --- written --- */

static json_t *write_hash(uint64_t hash)
{
  char text[24];
  snprintf(text, sizeof text, "%016" PRIx64, hash);
  return json_string(text);
}

static json_t *write_machine(const struct tny_machine *machine)
{
  struct tny_machine copy = *machine;
  json_t *object = json_object();
  for (const struct tny_machine_field *field = tny_machine_fields; field->name; field++)
    if (json_object_set_new(object, field->name,
                            json_integer((json_int_t)*tny_machine_field(&copy, field)))) {
      json_decref(object);
      return NULL;
    }
  return object;
}

/* The MPI's own algorithms are among the natives. */
static json_t *write_points(const struct tny_profile *profile)
{
  json_t *points = json_array();
  for (uint32_t i = 0; points && i < profile->point_count; i++) {
    const struct tny_profile_point *point = &profile->points[i];
    char choice[TNY_ALGORITHM_CHOICE_CHARS];
    if (!point->choice.algorithm && point->choice.parameter)
      continue;
    tny_profile_choice_write(&point->choice, choice);
    json_add(&points,
             json_pack("{s:s, s:I, s:s, s:I, s:I, s:I, s:I}", "collective",
                       tny_collective_name(point->collective), "block_bytes",
                       (json_int_t)point->block_bytes, "algorithm", choice, "median_ns",
                       (json_int_t)point->median_ns, "q1_ns", (json_int_t)point->q1_ns, "q3_ns",
                       (json_int_t)point->q3_ns, "samples", (json_int_t)point->sample_count));
  }
  return points;
}

static json_t *write_natives(const struct profile_file *file)
{
  json_t *points = json_array();
  for (uint32_t i = 0; points && i < file->native_count; i++) {
    const struct profile_native_point *point = &file->natives[i];
    json_add(&points,
             json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "collective",
                       tny_collective_name(point->collective), "block_bytes",
                       (json_int_t)point->block_bytes, "mpi_algorithm", (json_int_t)point->number,
                       "segment_bytes", (json_int_t)point->segment_bytes, "median_ns",
                       (json_int_t)point->median_ns, "q1_ns", (json_int_t)point->q1_ns, "q3_ns",
                       (json_int_t)point->q3_ns, "samples", (json_int_t)point->sample_count));
  }
  return points;
}

enum tny_status profile_file_write(const struct profile_file *file, char **text,
                                   struct tny_error *error)
{
  const struct tny_profile *profile = file->profile;
  const struct tny_fingerprint *fingerprint = &profile->fingerprint;
  json_t *root = json_pack("{s:i, s:{s:s, s:o, s:I, s:o}, s:{s:s, s:s, s:s, s:f}, s:o, s:o, s:o}",
                           "tourney_profile", TNY_PROFILE_VERSION, "cluster", "name", file->cluster,
                           "fingerprint", write_hash(fingerprint->cluster), "rank_count",
                           (json_int_t)fingerprint->rank_count, "hosts_fingerprint",
                           write_hash(fingerprint->hosts), "measured", "date", file->date, "mpi",
                           file->mpi, "machine", file->machine, "seconds", file->seconds, "machine",
                           write_machine(&profile->machine), "points", write_points(profile),
                           "native_points", write_natives(file));
  return json_take(root, text, error);
}

/* --- read --- */

/* What is being read: errors name its path. */
struct reading {
  const char *path;
  struct tny_error *error;
};

static enum tny_status refuse(const struct reading *reading, const char *why)
{
  return tny_error_at(reading->error, TNY_BAD_INPUT, reading->path, 0, 0,
                      "no profile: %s; make one by 'tourney tune'", why);
}

/* A text of the file, cut where it is too long. */
static void copy_text(json_t *object, const char *name, char *text, size_t room)
{
  const char *value = json_string_value(json_object_get(object, name));
  snprintf(text, room, "%s", value ? value : "");
}

static bool read_number(json_t *object, const char *name, uint64_t *number)
{
  json_t *value = json_object_get(object, name);
  if (!json_is_integer(value) || json_integer_value(value) < 0)
    return false;
  *number = (uint64_t)json_integer_value(value);
  return true;
}

static bool read_small(json_t *object, const char *name, uint32_t *number)
{
  uint64_t value;
  if (!read_number(object, name, &value) || value > UINT32_MAX)
    return false;
  *number = (uint32_t)value;
  return true;
}

static bool read_hash(json_t *object, const char *name, uint64_t *hash)
{
  const char *text = json_string_value(json_object_get(object, name));
  int length = 0;
  return text && strlen(text) == 16 && sscanf(text, "%16" SCNx64 "%n", hash, &length) == 1 &&
         length == 16;
}

static bool read_collective(json_t *object, enum tny_collective *collective)
{
  const char *name = json_string_value(json_object_get(object, "collective"));
  return name && tny_collective_parse(name, collective, NULL) == TNY_OK;
}

static enum tny_status read_point(const struct reading *reading, json_t *object,
                                  struct tny_profile *profile)
{
  struct tny_profile_point point;
  const char *algorithm = json_string_value(json_object_get(object, "algorithm"));
  if (!algorithm || !read_collective(object, &point.collective) ||
      !read_number(object, "block_bytes", &point.block_bytes) ||
      !read_number(object, "median_ns", &point.median_ns) ||
      !read_number(object, "q1_ns", &point.q1_ns) || !read_number(object, "q3_ns", &point.q3_ns) ||
      !read_small(object, "samples", &point.sample_count) || point.block_bytes == 0 ||
      point.q1_ns == 0 || point.q1_ns > point.median_ns || point.median_ns > point.q3_ns ||
      point.sample_count == 0)
    return refuse(reading, "a point needs collective, block_bytes, algorithm, q1_ns <= median_ns "
                           "<= q3_ns and samples, which are at least 1");
  struct tny_error cause = {0};
  if (tny_profile_choice_parse(point.collective, algorithm, &point.choice, &cause) != TNY_OK)
    return refuse(reading, cause.text);
  return tny_profile_add(profile, &point, reading->error);
}

static enum tny_status read_native(const struct reading *reading, json_t *object,
                                   struct profile_file *file)
{
  struct profile_native_point point;
  if (!read_collective(object, &point.collective) ||
      !read_number(object, "block_bytes", &point.block_bytes) ||
      !read_small(object, "mpi_algorithm", &point.number) ||
      !read_small(object, "segment_bytes", &point.segment_bytes) ||
      !read_number(object, "median_ns", &point.median_ns) ||
      !read_small(object, "samples", &point.sample_count) || point.block_bytes == 0 ||
      point.number == 0 || point.sample_count == 0)
    return refuse(reading, "a native point needs collective, block_bytes, mpi_algorithm, "
                           "segment_bytes, median_ns and samples");
  point.q1_ns = point.q3_ns = point.median_ns; /* the first profiles don't have them */
  if (json_object_get(object, "q1_ns") &&
      (!read_number(object, "q1_ns", &point.q1_ns) || !read_number(object, "q3_ns", &point.q3_ns)))
    return refuse(reading, "a native point's q1_ns and q3_ns are whole numbers");
  if (point.q1_ns == 0 || point.q1_ns > point.median_ns || point.median_ns > point.q3_ns)
    return refuse(reading, "a native point needs 1 <= q1_ns <= median_ns <= q3_ns");
  return profile_file_add_native(file, &point, reading->error);
}

static enum tny_status read_head(const struct reading *reading, json_t *root,
                                 struct profile_file *file)
{
  struct tny_profile *profile = file->profile;
  struct tny_fingerprint *fingerprint = &profile->fingerprint;
  json_t *cluster = json_object_get(root, "cluster"), *measured = json_object_get(root, "measured");
  uint64_t version;
  if (!read_number(root, "tourney_profile", &version))
    return refuse(reading, "it has no \"tourney_profile\": VERSION");
  if (version != TNY_PROFILE_VERSION)
    return refuse(reading, "it is of another version of the form");
  if (!read_hash(cluster, "fingerprint", &fingerprint->cluster) ||
      !read_hash(cluster, "hosts_fingerprint", &fingerprint->hosts) ||
      !read_small(cluster, "rank_count", &fingerprint->rank_count) || fingerprint->rank_count == 0)
    return refuse(reading, "\"cluster\" needs fingerprint, hosts_fingerprint and rank_count");
  copy_text(cluster, "name", file->cluster, sizeof file->cluster);
  copy_text(measured, "date", file->date, sizeof file->date);
  copy_text(measured, "mpi", file->mpi, sizeof file->mpi);
  copy_text(measured, "machine", file->machine, sizeof file->machine);
  file->seconds = json_number_value(json_object_get(measured, "seconds"));
  json_t *machine = json_object_get(root, "machine");
  for (const struct tny_machine_field *field = tny_machine_fields; field->name; field++)
    if (!read_number(machine, field->name, tny_machine_field(&profile->machine, field)))
      return refuse(reading, field->name);
  return TNY_OK;
}

static enum tny_status read_root(const struct reading *reading, json_t *root,
                                 struct profile_file *file)
{
  size_t index;
  json_t *point;
  enum tny_status status = read_head(reading, root, file);
  if (status != TNY_OK)
    return status;
  json_array_foreach(json_object_get(root, "points"), index, point)
  {
    status = read_point(reading, point, file->profile);
    if (status != TNY_OK)
      return status;
  }
  json_array_foreach(json_object_get(root, "native_points"), index, point)
  {
    status = read_native(reading, point, file);
    if (status != TNY_OK)
      return status;
  }
  return profile_file_offer_natives(file, reading->error);
}

enum tny_status profile_file_read(const char *path, struct profile_file *file,
                                  struct tny_error *error)
{
  const struct reading reading = {path, error};
  char *text = NULL;
  *file = (struct profile_file){.profile = tny_new(1, sizeof *file->profile)};
  if (!file->profile)
    return tny_error_memory(error);
  enum tny_status status = tny_file_read(path, &text, error);
  if (status != TNY_OK)
    return status;
  json_error_t wrong;
  json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &wrong);
  tny_text_free(text);
  if (!root)
    return tny_error_at(error, TNY_BAD_INPUT, path, (unsigned)wrong.line, (unsigned)wrong.column,
                        "no profile, as it isn't JSON: %s", wrong.text);
  status = read_root(&reading, root, file);
  json_decref(root);
  return status;
}

enum tny_status profile_file_add_native(struct profile_file *file,
                                        const struct profile_native_point *point,
                                        struct tny_error *error)
{
  const uint32_t count = file->native_count;
  if ((count & (count - 1)) == 0) { /* it has room for powers of two */
    struct profile_native_point *grown =
        tny_resize(file->natives, count ? 2 * (size_t)count : 1, sizeof *grown);
    if (!grown)
      return tny_error_memory(error);
    file->natives = grown;
  }
  file->natives[file->native_count++] = *point;
  return TNY_OK;
}

enum tny_status profile_file_offer_natives(struct profile_file *file, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; i < file->native_count && status == TNY_OK; i++) {
    const struct profile_native_point *native = &file->natives[i];
    const struct peer_algorithm *peer = peer_find(native->collective, native->number);
    const struct tny_algorithm_choice choice =
        tny_choice_of_native(native->number, native->segment_bytes);
    if (!peer || tny_choice_is_native(&choice) ||
        !peer_takes(peer->ranks, file->profile->fingerprint.rank_count))
      continue;
    const struct tny_profile_point point = {.collective = native->collective,
                                            .choice = choice,
                                            .block_bytes = native->block_bytes,
                                            .median_ns = native->median_ns,
                                            .q1_ns = native->q1_ns,
                                            .q3_ns = native->q3_ns,
                                            .sample_count = native->sample_count};
    status = tny_profile_add(file->profile, &point, error);
  }
  return status;
}

void profile_file_release(struct profile_file *file)
{
  tny_profile_free(file->profile);
  tny_free(file->natives);
  *file = (struct profile_file){0};
}

enum tny_status profile_file_flatten(const char *path, char **flat, struct tny_error *error)
{
  struct profile_file file;
  *flat = NULL;
  enum tny_status status = profile_file_read(path, &file, error);
  if (status == TNY_OK)
    status = tny_profile_write_flat(file.profile, flat, error);
  profile_file_release(&file);
  return status;
}
