/* The flat form of a profile, a line each:

     profile 1
     cluster FINGERPRINT  (16 hexadecimal digits, as below)
     ranks COUNT hosts FINGERPRINT
     PARAMETER NUMBER  (one for each of tny_machine_fields, in their order)
     point COLLECTIVE BYTES ALGORITHM|native MEDIAN_NS Q1_NS Q3_NS SAMPLES  */
#include <tourney/profile.h>

#include <inttypes.h>
#include <string.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/scan.h"
#include "core/text.h"

#define HEADING "profile "
#define NAME "profile" /* what errors call the text */
enum { FIELDS_MAX = 8, HASH_DIGITS = 16 };

bool tny_profile_is_flat(const char *text)
{
  return strncmp(text, HEADING, strlen(HEADING)) == 0;
}

static void write_point(struct tny_text *text, const struct tny_profile_point *point)
{
  char choice[TNY_ALGORITHM_CHOICE_CHARS];
  tny_profile_choice_write(&point->choice, choice);
  tny_text_add(text, "point %s %" PRIu64 " %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu32 "\n",
               tny_collective_name(point->collective), point->block_bytes, choice, point->median_ns,
               point->q1_ns, point->q3_ns, point->sample_count);
}

enum tny_status tny_profile_write_flat(const struct tny_profile *profile, char **flat,
                                       struct tny_error *error)
{
  struct tny_text text = {0};
  struct tny_machine machine = profile->machine;
  const struct tny_fingerprint *fingerprint = &profile->fingerprint;
  tny_text_add(
      &text, HEADING "%d\ncluster %016" PRIx64 "\nranks %" PRIu32 " hosts %016" PRIx64 "\n",
      TNY_PROFILE_VERSION, fingerprint->cluster, fingerprint->rank_count, fingerprint->hosts);
  for (const struct tny_machine_field *field = tny_machine_fields; field->name; field++)
    tny_text_add(&text, "%s %" PRIu64 "\n", field->name, *tny_machine_field(&machine, field));
  for (uint32_t i = 0; i < profile->point_count; i++)
    write_point(&text, &profile->points[i]);
  return tny_text_take(&text, flat, error);
}

/* A line at a time, cut at its single spaces. */
struct reading {
  char *rest;
  unsigned line;
  char *fields[FIELDS_MAX];
  uint32_t count; /* FIELDS_MAX + 1: more */
  struct tny_profile *profile;
  struct tny_error *error;
};

/* False at the end. */
static bool next_line(struct reading *reading)
{
  char *at = reading->rest;
  if (!at || !*at)
    return false;
  char *end = strchr(at, '\n');
  if (end)
    *end = '\0';
  reading->rest = end ? end + 1 : NULL;
  reading->line++;
  for (reading->count = 0; at; reading->count++) {
    if (reading->count == FIELDS_MAX) {
      reading->count++;
      break;
    }
    reading->fields[reading->count] = at;
    at = strchr(at, ' ');
    if (at)
      *at++ = '\0';
  }
  return true;
}

static enum tny_status refuse(const struct reading *reading, const char *wanted)
{
  return tny_error_at(reading->error, TNY_BAD_INPUT, NAME, reading->line, 0,
                      "expected \"%s\"; make the profile again by 'tourney tune'", wanted);
}

static bool read_hash(const char *text, uint64_t *hash)
{
  static const char digits[] = "0123456789abcdef";
  if (strlen(text) != HASH_DIGITS)
    return false;
  *hash = 0;
  for (; *text; text++) {
    const char *digit = strchr(digits, *text);
    if (!digit)
      return false;
    *hash = *hash << 4 | (uint64_t)(digit - digits);
  }
  return true;
}

static enum tny_status read_head(struct reading *reading)
{
  struct tny_fingerprint *fingerprint = &reading->profile->fingerprint;
  uint64_t version, ranks;
  if (!next_line(reading) || reading->count != 2 || strcmp(reading->fields[0], "profile") != 0 ||
      !tny_scan_whole(reading->fields[1], &version))
    return refuse(reading, "profile VERSION");
  if (version != TNY_PROFILE_VERSION)
    return tny_error_at(reading->error, TNY_BAD_INPUT, NAME, reading->line, 0,
                        "a profile of version %" PRIu64 ", and this reads version %d: make it "
                        "again by 'tourney tune'",
                        version, TNY_PROFILE_VERSION);
  if (!next_line(reading) || reading->count != 2 || strcmp(reading->fields[0], "cluster") != 0 ||
      !read_hash(reading->fields[1], &fingerprint->cluster))
    return refuse(reading, "cluster FINGERPRINT");
  if (!next_line(reading) || reading->count != 4 || strcmp(reading->fields[0], "ranks") != 0 ||
      !tny_scan_whole(reading->fields[1], &ranks) || ranks == 0 || ranks > UINT32_MAX ||
      strcmp(reading->fields[2], "hosts") != 0 ||
      !read_hash(reading->fields[3], &fingerprint->hosts))
    return refuse(reading, "ranks COUNT hosts FINGERPRINT");
  fingerprint->rank_count = (uint32_t)ranks;
  return TNY_OK;
}

static enum tny_status read_machine(struct reading *reading)
{
  for (const struct tny_machine_field *field = tny_machine_fields; field->name; field++) {
    uint64_t *number = tny_machine_field(&reading->profile->machine, field);
    if (!next_line(reading) || reading->count != 2 ||
        strcmp(reading->fields[0], field->name) != 0 || !tny_scan_whole(reading->fields[1], number))
      return refuse(reading, field->name);
  }
  return TNY_OK;
}

static bool read_numbers(char *const *fields, struct tny_profile_point *point)
{
  uint64_t samples;
  if (!tny_scan_whole(fields[0], &point->median_ns) || !tny_scan_whole(fields[1], &point->q1_ns) ||
      !tny_scan_whole(fields[2], &point->q3_ns) || !tny_scan_whole(fields[3], &samples))
    return false;
  point->sample_count = (uint32_t)samples;
  return point->q1_ns >= 1 && point->q1_ns <= point->median_ns &&
         point->median_ns <= point->q3_ns && samples >= 1 && samples <= UINT32_MAX;
}

static enum tny_status read_point(struct reading *reading)
{
  struct tny_profile_point point;
  struct tny_error cause = {0};
  char *const *fields = reading->fields;
  if (reading->count != 8 || strcmp(fields[0], "point") != 0 ||
      !tny_scan_whole(fields[2], &point.block_bytes) || point.block_bytes == 0 ||
      !read_numbers(fields + 4, &point))
    return refuse(reading, "point COLLECTIVE BYTES ALGORITHM MEDIAN_NS Q1_NS Q3_NS SAMPLES");
  if (tny_collective_parse(fields[1], &point.collective, &cause) != TNY_OK ||
      tny_profile_choice_parse(point.collective, fields[3], &point.choice, &cause) != TNY_OK)
    return tny_error_at(reading->error, cause.status, NAME, reading->line, 0, "%s", cause.text);
  return tny_profile_add(reading->profile, &point, reading->error);
}

enum tny_status tny_profile_read_flat(const char *flat, struct tny_profile **profile,
                                      struct tny_error *error)
{
  char *text = tny_copy_text(flat);
  struct reading reading = {.rest = text, .profile = tny_new(1, sizeof **profile), .error = error};
  enum tny_status status = text && reading.profile ? TNY_OK : tny_error_memory(error);
  if (status == TNY_OK)
    status = read_head(&reading);
  if (status == TNY_OK)
    status = read_machine(&reading);
  while (status == TNY_OK && next_line(&reading))
    status = read_point(&reading);
  tny_free(text);
  *profile = status == TNY_OK ? reading.profile : NULL;
  if (status != TNY_OK)
    tny_profile_free(reading.profile);
  return status;
}
