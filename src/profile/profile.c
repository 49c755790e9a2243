/* A profile's points, and the names of what it holds. */
#include <tourney/profile.h>

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/scan.h"

static const char native[] = "native";

const struct tny_machine_field tny_machine_fields[] = {
    {"send_overhead_ns", offsetof(struct tny_machine, send_overhead_ns)},
    {"receive_overhead_ns", offsetof(struct tny_machine, receive_overhead_ns)},
    {"source_overhead_ns", offsetof(struct tny_machine, source_overhead_ns)},
    {"byte_overhead_ps", offsetof(struct tny_machine, byte_overhead_ps)},
    {"combine_ps", offsetof(struct tny_machine, combine_ps)},
    {"latency_ns", offsetof(struct tny_machine, latency_ns)},
    {"eager_bytes", offsetof(struct tny_machine, eager_bytes)},
    {"handshake_ns", offsetof(struct tny_machine, handshake_ns)},
    {"local_latency_ns", offsetof(struct tny_machine, local_latency_ns)},
    {"local_bps", offsetof(struct tny_machine, local_bps)},
    {0},
};

uint64_t *tny_machine_field(struct tny_machine *machine, const struct tny_machine_field *field)
{
  return (uint64_t *)(void *)((char *)machine + field->offset);
}

void tny_profile_free(struct tny_profile *profile)
{
  if (!profile)
    return;
  tny_free(profile->points);
  tny_free(profile);
}

static bool is_same_case(const struct tny_profile_point *one, const struct tny_profile_point *other)
{
  return one->collective == other->collective && one->block_bytes == other->block_bytes &&
         one->choice.algorithm == other->choice.algorithm &&
         one->choice.parameter == other->choice.parameter;
}

enum tny_status tny_profile_add(struct tny_profile *profile, const struct tny_profile_point *point,
                                struct tny_error *error)
{
  for (uint32_t i = 0; i < profile->point_count; i++)
    if (is_same_case(&profile->points[i], point)) {
      profile->points[i] = *point;
      return TNY_OK;
    }
  if (profile->point_count == TNY_PROFILE_POINTS_MAX)
    return tny_error_set(error, TNY_REFUSED, "a profile has at most %d points",
                         TNY_PROFILE_POINTS_MAX);
  const uint32_t count = profile->point_count;
  if ((count & (count - 1)) == 0) { /* it has room for powers of two */
    struct tny_profile_point *grown =
        tny_resize(profile->points, count ? 2 * (size_t)count : 1, sizeof *grown);
    if (!grown)
      return tny_error_memory(error);
    profile->points = grown;
  }
  profile->points[profile->point_count++] = *point;
  return TNY_OK;
}

static void write_own(uint32_t parameter, char *text)
{
  const uint32_t number = tny_native_number(parameter);
  const uint32_t segment_bytes = tny_native_segment_bytes(parameter);
  if (segment_bytes)
    snprintf(text, TNY_ALGORITHM_CHOICE_CHARS, "%s:%" PRIu32 "+%" PRIu32, native, number,
             segment_bytes);
  else
    snprintf(text, TNY_ALGORITHM_CHOICE_CHARS, "%s:%" PRIu32, native, number);
}

void tny_profile_choice_write(const struct tny_algorithm_choice *choice, char *text)
{
  if (choice->algorithm)
    tny_algorithm_choice_write(choice, text);
  else if (choice->parameter)
    write_own(choice->parameter, text);
  else
    memcpy(text, native, sizeof native);
}

/* One of the MPI's own? */
static bool parse_own(const char *text, struct tny_algorithm_choice *choice)
{
  uint64_t number, segment_bytes = 0;
  const size_t length = sizeof native - 1;
  if (strncmp(text, native, length) != 0 || text[length] != ':')
    return false;
  text += length + 1;
  bool is_good = tny_scan_number(&text, UINT8_MAX, &number) == TNY_SCAN_NUMBER;
  if (is_good && *text == '+') {
    text++;
    is_good = tny_scan_number(&text, INT32_MAX, &segment_bytes) == TNY_SCAN_NUMBER;
  }
  *choice = tny_choice_of_native((uint32_t)number, (uint32_t)segment_bytes);
  return is_good && *text == '\0' && choice->parameter != 0;
}

enum tny_status tny_profile_choice_parse(enum tny_collective collective, const char *text,
                                         struct tny_algorithm_choice *choice,
                                         struct tny_error *error)
{
  *choice = (struct tny_algorithm_choice){0};
  return strcmp(text, native) == 0 || parse_own(text, choice)
             ? TNY_OK
             : tny_algorithm_parse(collective, text, choice, error);
}
