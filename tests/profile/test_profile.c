/* A profile's points and look-ups, and which cluster it is of. */
#include "support/cluster.h"

#include <tourney/profile.h>

#include "profile/log_log.h"

enum { RANKS = 16 };

static struct tny_algorithm_choice choose(enum tny_collective collective, const char *name)
{
  struct tny_algorithm_choice choice;
  assert_int_equal(tny_profile_choice_parse(collective, name, &choice, NULL), TNY_OK);
  return choice;
}

static void add_of(struct tny_profile *profile, enum tny_collective collective, const char *name,
                   uint64_t bytes, uint64_t ns)
{
  const struct tny_profile_point point = {.collective = collective,
                                          .choice = choose(collective, name),
                                          .block_bytes = bytes,
                                          .median_ns = ns,
                                          .q1_ns = ns,
                                          .q3_ns = ns,
                                          .sample_count = 3};
  assert_int_equal(tny_profile_add(profile, &point, NULL), TNY_OK);
}

static void add(struct tny_profile *profile, const char *name, uint64_t bytes, uint64_t ns)
{
  add_of(profile, TNY_ALLTOALL, name, bytes, ns);
}

/* Native is faster to 1 KiB, shuffle from 4 KiB on; bruck was measured with one size only. */
static struct tny_profile *make_profile(void)
{
  struct tny_profile *profile = tny_new(1, sizeof *profile);
  assert_non_null(profile);
  profile->fingerprint.rank_count = RANKS;
  add(profile, "native", 256, 1000);
  add(profile, "native", 1024, 4000);
  add(profile, "native", 4096, 16000);
  add(profile, "native", 16384, 64000);
  add(profile, "shuffle", 1024, 6000);
  add(profile, "shuffle", 4096, 8000);
  add(profile, "shuffle", 16384, 32000);
  add(profile, "bruck:4", 1024, 3000);
  return profile;
}

static const char *fastest(const struct tny_profile *profile, uint64_t bytes)
{
  static char name[TNY_ALGORITHM_CHOICE_CHARS];
  struct tny_profile_candidate best;
  if (!tny_profile_candidates(profile, TNY_ALLTOALL, RANKS, bytes, &best, 1))
    return "nothing";
  tny_profile_choice_write(&best.choice, name);
  return name;
}

static void candidates_come_fastest_first(void **state)
{
  (void)state;
  struct tny_profile *profile = make_profile();
  struct tny_profile_candidate list[8];
  assert_int_equal(tny_profile_candidates(profile, TNY_ALLTOALL, RANKS, 1024, list, 8), 3);
  assert_string_equal(list[0].choice.algorithm->name, "bruck");
  assert_int_equal(list[0].choice.parameter, 4);
  assert_int_equal(list[0].ns, 3000);
  assert_null(list[1].choice.algorithm);
  assert_int_equal(list[1].ns, 4000);
  assert_string_equal(list[2].choice.algorithm->name, "shuffle");
  assert_int_equal(list[2].ns, 6000);
  assert_int_equal(tny_profile_candidates(profile, TNY_ALLTOALL, RANKS, 1024, list, 2), 2);
  assert_null(list[1].choice.algorithm);
  assert_string_equal(fastest(profile, 256), "native");
  assert_string_equal(fastest(profile, 4096), "shuffle");
  tny_profile_free(profile);
}

static void between_two_sizes_times_are_interpolated_in_logarithms(void **state)
{
  (void)state;
  struct tny_profile *profile = make_profile();
  struct tny_profile_candidate list[2];
  assert_int_equal(tny_profile_candidates(profile, TNY_ALLTOALL, RANKS, 8192, list, 2), 2);
  assert_in_range(list[0].ns, 15999, 16001); /* shuffle: sqrt(8000 * 32000) */
  assert_in_range(list[1].ns, 31999, 32001);
  const struct tny_sized_time less = {100, 1000}, more = {10000, 10}, flat = {10000, 1000};
  assert_in_range(tny_log_log(less, more, 1000), 99, 101);
  assert_int_equal(tny_log_log(less, flat, 1000), 1000);
  assert_int_equal(tny_log_log(less, more, 99), 1000);
  assert_int_equal(tny_log_log(less, more, 10001), 10);
  const struct tny_sized_time least = {1, 1}, most = {UINT64_MAX, UINT64_MAX};
  assert_int_equal(tny_log_log(least, most, 1), 1);
  assert_int_equal(tny_log_log(least, most, UINT64_MAX), UINT64_MAX);
  for (uint64_t bytes = 2; bytes < UINT64_MAX / 3; bytes *= 3) {
    const uint64_t ns = tny_log_log(least, most, bytes);
    assert_in_range(ns, bytes - bytes / 100000, bytes + bytes / 100000 + 1);
  }
  tny_profile_free(profile);
}

static void times_grow_with_the_size_between_times_that_do(void **state)
{
  (void)state;
  const struct tny_sized_time less = {1000, 77777}, more = {4000, 1234567};
  uint64_t last = less.ns;
  for (uint64_t bytes = less.bytes; bytes <= more.bytes; bytes++) {
    const uint64_t ns = tny_log_log(less, more, bytes);
    assert_true(ns >= last && ns <= more.ns);
    last = ns;
  }
}

static void nothing_is_known_beyond_a_factor_of_two(void **state)
{
  (void)state;
  struct tny_profile *profile = make_profile();
  struct tny_profile_candidate list[4];
  assert_string_equal(fastest(profile, 127), "nothing");
  assert_string_equal(fastest(profile, 128), "native");
  assert_string_equal(fastest(profile, 32768), "shuffle");
  assert_string_equal(fastest(profile, 32769), "nothing");
  assert_string_equal(fastest(profile, UINT64_MAX), "nothing");
  assert_string_equal(fastest(profile, 0), "nothing");
  assert_int_equal(tny_profile_candidates(profile, TNY_BROADCAST, RANKS, 1024, list, 4), 0);
  assert_int_equal(tny_profile_candidates(profile, TNY_ALLTOALL, RANKS - 1, 1024, list, 4), 0);
  tny_profile_free(profile);
}

/* bruck was measured at 1024 bytes only: what it takes at 1025 is anyone's guess. */
static void beyond_its_own_sizes_an_algorithm_is_not_taken(void **state)
{
  (void)state;
  struct tny_profile *profile = make_profile();
  struct tny_profile_candidate list[4];
  assert_string_equal(fastest(profile, 1024), "bruck:4");
  assert_string_equal(fastest(profile, 1025), "native");
  assert_string_equal(fastest(profile, 1023), "native");
  assert_int_equal(tny_profile_candidates(profile, TNY_ALLTOALL, RANKS, 1025, list, 4), 2);
  assert_int_equal(tny_profile_candidates(profile, TNY_ALLTOALL, RANKS, 1023, list, 4), 1);
  /* beyond all sizes it is as at the last one */
  assert_int_equal(tny_profile_candidates(profile, TNY_ALLTOALL, RANKS, 20000, list, 4), 2);
  assert_int_equal(list[0].ns, 32000);
  tny_profile_free(profile);
}

static void the_least_planned_size_is_behind_the_last_native_one(void **state)
{
  (void)state;
  struct tny_profile *profile = make_profile();
  assert_int_equal(tny_profile_bytes_min(profile, TNY_ALLTOALL), 256);
  assert_int_equal(tny_profile_bytes_min(profile, TNY_BROADCAST), UINT64_MAX);
  add(profile, "shuffle", 256, 10);
  assert_int_equal(tny_profile_bytes_min(profile, TNY_ALLTOALL), 128);
  tny_profile_free(profile);
}

static void a_plan_that_gains_less_than_four_percent_counts_as_native(void **state)
{
  (void)state;
  struct tny_profile *profile = make_profile();
  struct tny_profile_best best;
  add(profile, "shuffle", 256, 961); /* native takes 1000 */
  assert_true(tny_profile_find_best(profile, TNY_ALLTOALL, RANKS, 256, &best));
  assert_null(best.candidate.choice.algorithm);
  assert_int_equal(best.native_ns, 1000);
  assert_int_equal(best.candidate.ns, 1000);
  assert_int_equal(tny_profile_bytes_min(profile, TNY_ALLTOALL), 256);
  add(profile, "shuffle", 256, 960);
  assert_true(tny_profile_find_best(profile, TNY_ALLTOALL, RANKS, 256, &best));
  assert_string_equal(best.candidate.choice.algorithm->name, "shuffle");
  assert_int_equal(tny_profile_bytes_min(profile, TNY_ALLTOALL), 128);
  assert_false(tny_profile_find_best(profile, TNY_BROADCAST, RANKS, 256, &best));
  tny_profile_free(profile);
}

/* Native takes 900 to 1100, mostly. */
static void a_plan_whose_times_overlap_with_natives_is_doubtful(void **state)
{
  (void)state;
  struct tny_profile *profile = make_profile();
  struct tny_profile_point point = {.collective = TNY_ALLTOALL,
                                    .block_bytes = 256,
                                    .median_ns = 1000,
                                    .q1_ns = 900,
                                    .q3_ns = 1100,
                                    .sample_count = 9};
  struct tny_profile_best best;
  assert_int_equal(tny_profile_add(profile, &point, NULL), TNY_OK);
  point.median_ns = 800;
  point.q1_ns = 700;
  assert_int_equal(tny_profile_choice_parse(TNY_ALLTOALL, "shuffle", &point.choice, NULL), TNY_OK);
  for (point.q3_ns = 899; point.q3_ns <= 900; point.q3_ns++) {
    assert_int_equal(tny_profile_add(profile, &point, NULL), TNY_OK);
    assert_true(tny_profile_find_best(profile, TNY_ALLTOALL, RANKS, 256, &best));
    assert_string_equal(best.candidate.choice.algorithm->name, "shuffle");
    assert_int_equal(best.is_doubtful, point.q3_ns == 900);
  }
  tny_profile_free(profile);
}

static void the_mpis_own_algorithms_are_candidates_too(void **state)
{
  (void)state;
  static const char *const wrong[] = {"native:",      "native:0",  "native:256",
                                      "native:3+100", "native:3+", "native:3x",
                                      "native:+1024", "native3",   "native:3+8192x"};
  struct tny_profile *profile = make_profile();
  struct tny_profile_best best;
  struct tny_algorithm_choice choice;
  add(profile, "native:3", 256, 950);
  assert_true(tny_profile_find_best(profile, TNY_ALLTOALL, RANKS, 256, &best));
  assert_int_equal(best.native_ns, 1000);
  assert_int_equal(best.candidate.choice.parameter, 3);
  assert_string_equal(fastest(profile, 256), "native:3");
  add(profile, "native:7+32768", 256, 970); /* a segment apart, it is another algorithm */
  add(profile, "native:7", 256, 900);
  assert_string_equal(fastest(profile, 256), "native:7");
  add(profile, "native:7+32768", 256, 800);
  assert_true(tny_profile_find_best(profile, TNY_ALLTOALL, RANKS, 256, &best));
  assert_null(best.candidate.choice.algorithm);
  assert_int_equal(tny_native_number(best.candidate.choice.parameter), 7);
  assert_int_equal(tny_native_segment_bytes(best.candidate.choice.parameter), 32768);
  assert_string_equal(fastest(profile, 256), "native:7+32768");
  assert_int_equal(tny_profile_bytes_min(profile, TNY_ALLTOALL), 128);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_int_equal(tny_profile_choice_parse(TNY_ALLTOALL, wrong[i], &choice, NULL),
                     TNY_BAD_INPUT);
  tny_profile_free(profile);
}

static void where_native_is_unknown_the_fastest_plan_is_best(void **state)
{
  (void)state;
  struct tny_profile *profile = tny_new(1, sizeof *profile);
  struct tny_profile_best best;
  assert_non_null(profile);
  profile->fingerprint.rank_count = RANKS;
  add(profile, "shuffle", 1024, 6000);
  add(profile, "bruck:4", 1024, 3000);
  assert_true(tny_profile_find_best(profile, TNY_ALLTOALL, RANKS, 1024, &best));
  assert_string_equal(best.candidate.choice.algorithm->name, "bruck");
  assert_int_equal(best.native_ns, 0);
  tny_profile_free(profile);
}

/* What is fastest in a reduce is nothing to an all-reduce of the same size, nor to a broadcast. A
   profile without reductions knows nothing of them. */
static void reductions_have_candidates_of_their_own(void **state)
{
  (void)state;
  static const enum tny_collective reductions[] = {TNY_REDUCE, TNY_REDUCE_SCATTER, TNY_ALLREDUCE};
  struct tny_profile *profile = make_profile();
  struct tny_profile_best best;
  for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
    assert_false(tny_profile_find_best(profile, reductions[i], RANKS, 1024, &best));
  add_of(profile, TNY_REDUCE, "native", 1024, 5000);
  add_of(profile, TNY_REDUCE, "binomial", 1024, 3000);
  add_of(profile, TNY_ALLREDUCE, "native", 1024, 2000);
  add_of(profile, TNY_ALLREDUCE, "switch-ordered-ring", 1024, 8000);
  assert_true(tny_profile_find_best(profile, TNY_REDUCE, RANKS, 1024, &best));
  assert_ptr_equal(best.candidate.choice.algorithm, tny_algorithm_find(TNY_REDUCE, "binomial"));
  assert_int_equal(best.native_ns, 5000);
  assert_int_equal(tny_profile_bytes_min(profile, TNY_REDUCE), 512);
  assert_true(tny_profile_find_best(profile, TNY_ALLREDUCE, RANKS, 1024, &best));
  assert_null(best.candidate.choice.algorithm);
  assert_int_equal(tny_profile_bytes_min(profile, TNY_ALLREDUCE), UINT64_MAX);
  assert_false(tny_profile_find_best(profile, TNY_BROADCAST, RANKS, 1024, &best));
  assert_false(tny_profile_find_best(profile, TNY_REDUCE_SCATTER, RANKS, 1024, &best));
  tny_profile_free(profile);
}

static void a_point_measured_again_replaces_the_old_one(void **state)
{
  (void)state;
  struct tny_profile *profile = make_profile();
  const uint32_t before = profile->point_count;
  add(profile, "bruck:4", 1024, 9000);
  assert_int_equal(profile->point_count, before);
  assert_string_equal(fastest(profile, 1024), "native");
  for (uint64_t i = profile->point_count; i < TNY_PROFILE_POINTS_MAX; i++)
    add(profile, "shift", 10000 + i, 1);
  const struct tny_profile_point point = {.collective = TNY_ALLTOALL, .block_bytes = 77};
  assert_int_equal(tny_profile_add(profile, &point, NULL), TNY_REFUSED);
  tny_profile_free(profile);
}

static struct tny_fingerprint fingerprint_of(const char *text, enum tny_map map, uint32_t ranks)
{
  struct tny_cluster *cluster = open_cluster(text);
  struct tny_routes *routes = make_routes(cluster);
  uint32_t hosts[64];
  struct tny_fingerprint fingerprint;
  assert_int_equal(tny_map_ranks(cluster, map, ranks, hosts, NULL), TNY_OK);
  const struct tny_network network = {routes, hosts, ranks};
  assert_int_equal(tny_fingerprint_make(&network, &fingerprint, NULL), TNY_OK);
  tny_routes_free(routes);
  tny_cluster_free(cluster);
  return fingerprint;
}

static void what_differs_between_two_clusters_is_named(void **state)
{
  (void)state;
  const struct tny_fingerprint one = fingerprint_of("switches:4+4", TNY_MAP_BLOCK, 8);
  /* the name doesn't count, what it means does */
  const struct tny_fingerprint same = fingerprint_of("switches:4+4,link=1Gbit/s", TNY_MAP_BLOCK, 8);
  const struct tny_fingerprint slow =
      fingerprint_of("switches:4+4,link=20Mbit/s", TNY_MAP_BLOCK, 8);
  const struct tny_fingerprint fewer = fingerprint_of("switches:4+4", TNY_MAP_BLOCK, 7);
  const struct tny_fingerprint mixed = fingerprint_of("switches:4+4", TNY_MAP_INTERLEAVED, 8);
  assert_null(tny_fingerprint_difference(&one, &same));
  assert_string_equal(tny_fingerprint_difference(&one, &slow), "another cluster");
  assert_string_equal(tny_fingerprint_difference(&one, &fewer), "another number of ranks");
  assert_string_equal(tny_fingerprint_difference(&one, &mixed), "ranks on other hosts");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(candidates_come_fastest_first),
      cmocka_unit_test(between_two_sizes_times_are_interpolated_in_logarithms),
      cmocka_unit_test(times_grow_with_the_size_between_times_that_do),
      cmocka_unit_test(nothing_is_known_beyond_a_factor_of_two),
      cmocka_unit_test(beyond_its_own_sizes_an_algorithm_is_not_taken),
      cmocka_unit_test(the_least_planned_size_is_behind_the_last_native_one),
      cmocka_unit_test(a_plan_that_gains_less_than_four_percent_counts_as_native),
      cmocka_unit_test(a_plan_whose_times_overlap_with_natives_is_doubtful),
      cmocka_unit_test(the_mpis_own_algorithms_are_candidates_too),
      cmocka_unit_test(where_native_is_unknown_the_fastest_plan_is_best),
      cmocka_unit_test(reductions_have_candidates_of_their_own),
      cmocka_unit_test(a_point_measured_again_replaces_the_old_one),
      cmocka_unit_test(what_differs_between_two_clusters_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
