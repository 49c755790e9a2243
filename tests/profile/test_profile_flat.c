/* The flat form of profiles: it round-trips, and what is wrong in it is told with its line. */
#include "support/memory.h"

#include <string.h>

#include <tourney/profile.h>

#define HEAD "profile 2\ncluster 0123456789abcdef\nranks 16 hosts fedcba9876543210\n"
#define MACHINE                                                                                    \
  "send_overhead_ns 1\nreceive_overhead_ns 2\nsource_overhead_ns 9\nbyte_overhead_ps 3\n"          \
  "combine_ps 10\nlatency_ns 4\neager_bytes 5\nhandshake_ns 6\nlocal_latency_ns 7\nlocal_bps 8\n"
#define POINTS                                                                                     \
  "point bcast 64 native 30 20 40 9\npoint alltoall 18446744073709551615 bruck:4 3 3 3 1\n"

static const char good[] = HEAD MACHINE POINTS;

static void reading_and_writing_gives_the_same_text(void **state)
{
  (void)state;
  struct tny_profile *profile;
  struct tny_error error = {0};
  char *text;
  if (tny_profile_read_flat(good, &profile, &error) != TNY_OK)
    fail_msg("%u: %s", error.line, error.text);
  assert_int_equal(profile->fingerprint.cluster, 0x0123456789abcdef);
  assert_int_equal(profile->fingerprint.rank_count, 16);
  assert_int_equal(profile->machine.byte_overhead_ps, 3);
  assert_int_equal(profile->machine.local_bps, 8);
  assert_int_equal(profile->point_count, 2);
  assert_int_equal(profile->points[1].choice.parameter, 4);
  assert_int_equal(tny_profile_write_flat(profile, &text, &error), TNY_OK);
  assert_string_equal(text, good);
  assert_true(tny_profile_is_flat(text));
  assert_false(tny_profile_is_flat("{}"));
  tny_text_free(text);
  tny_profile_free(profile);
}

/* Every parameter of the machine has a name, or it wouldn't be kept. */
static void no_parameter_of_the_machine_is_left_out(void **state)
{
  (void)state;
  size_t count = 0;
  while (tny_machine_fields[count].name)
    count++;
  assert_int_equal(count * sizeof(uint64_t), sizeof(struct tny_machine));
}

static const struct {
  const char *text;
  unsigned line;
  const char *says;
} faults[] = {
    {"", 0, "profile VERSION"},
    {"profile\n", 1, "profile VERSION"},
    {"profile 1\n", 1, "a profile of version 1, and this reads version 2"},
    {"profile 2\ncluster 0123\n", 2, "cluster FINGERPRINT"},
    {"profile 2\ncluster 0123456789abcdeg\n", 2, "cluster FINGERPRINT"},
    {"profile 2\ncluster 0123456789abcdef\nranks 0 hosts 0123456789abcdef\n", 3, "ranks COUNT"},
    {HEAD "send_overhead_ns -1\n", 4, "send_overhead_ns"},
    {HEAD "latency_ns 1\n", 4, "send_overhead_ns"},
    {HEAD "send_overhead_ns 1\n", 4, "receive_overhead_ns"},
    {HEAD MACHINE "point bcast 64 native 30 20 40\n", 14, "point COLLECTIVE BYTES"},
    {HEAD MACHINE "point bcast 64 native 30 20 40 9 9\n", 14, "point COLLECTIVE BYTES"},
    {HEAD MACHINE "point bcast 0 native 30 20 40 9\n", 14, "point COLLECTIVE BYTES"},
    {HEAD MACHINE "point bcast 64 native 30 31 40 9\n", 14, "point COLLECTIVE BYTES"},
    {HEAD MACHINE "point bcast 64 native 30 20 29 9\n", 14, "point COLLECTIVE BYTES"},
    {HEAD MACHINE "point bcast 64 native 0 0 0 9\n", 14, "point COLLECTIVE BYTES"},
    {HEAD MACHINE "point bcast 64 native 1 1 1 0\n", 14, "point COLLECTIVE BYTES"},
    {HEAD MACHINE "point sum 64 native 1 1 1 1\n", 14, "sum"},
    {HEAD MACHINE "point bcast 64 teleport 1 1 1 1\n", 14, "teleport"},
    {HEAD MACHINE "point bcast 64 native 1 1 1 1\n\n", 15, "point COLLECTIVE BYTES"},
};

static void what_is_wrong_is_told_with_its_line(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    struct tny_profile *profile;
    struct tny_error error = {0};
    assert_int_equal(tny_profile_read_flat(faults[i].text, &profile, &error), TNY_BAD_INPUT);
    assert_null(profile);
    assert_int_equal(error.line, faults[i].line);
    if (!strstr(error.text, faults[i].says))
      fail_msg("expected \"%s\" in \"%s\"", faults[i].says, error.text);
  }
}

static enum tny_status read_and_write(const void *subject, struct tny_error *error)
{
  struct tny_profile *profile;
  char *text;
  enum tny_status status = tny_profile_read_flat(subject, &profile, error);
  if (status == TNY_OK) {
    status = tny_profile_write_flat(profile, &text, error);
    if (status == TNY_OK)
      tny_text_free(text);
  }
  tny_profile_free(profile);
  return status;
}

static void without_memory_it_says_so_and_leaks_nothing(void **state)
{
  (void)state;
  assert_true(starve(read_and_write, good) >= 4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reading_and_writing_gives_the_same_text),
      cmocka_unit_test(no_parameter_of_the_machine_is_left_out),
      cmocka_unit_test(what_is_wrong_is_told_with_its_line),
      cmocka_unit_test(without_memory_it_says_so_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
