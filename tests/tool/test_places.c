/* Where ranks say they are, at the first start of a program and at later ones. */
#include <stdlib.h>

#include "support/cluster.h"

#include "cli/shared/launch/places.h"

#define CLUSTER "single:3"

/* Takes the lines up to the first that is refused; returns that one's status. */
static enum tny_status take(struct launch_places *places, const char *const *lines,
                            struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (; *lines && status == TNY_OK; lines++)
    status = launch_places_take(places, *lines, error);
  return status;
}

static const char *const first_start[] = {"ranks 3", "rank 0 host h2", "rank 1 host h0",
                                          "rank 2 host h0", NULL};

static void check_first_start(const struct launch_places *places)
{
  assert_true(launch_places_are_complete(places));
  assert_int_equal(places->rank_count, 3);
  assert_int_equal(places->host_of_rank[0], 2);
  assert_int_equal(places->host_of_rank[1], 0);
  assert_int_equal(places->host_of_rank[2], 0);
}

/* Others keep host_of_rank while the program is started again. */
static void a_second_start_leaves_the_places_where_they_are(void **state)
{
  (void)state;
  struct tny_cluster *cluster = open_cluster(CLUSTER);
  struct launch_places places = {.program = "ranks"};
  assert_int_equal(launch_places_begin(&places, cluster, NULL), TNY_OK);
  assert_int_equal(take(&places, first_start, NULL), TNY_OK);
  check_first_start(&places);
  const uint32_t *before = places.host_of_rank;
  assert_int_equal(launch_places_take(&places, first_start[0], NULL), TNY_OK);
  assert_false(launch_places_are_complete(&places));
  assert_int_equal(take(&places, first_start + 1, NULL), TNY_OK);
  assert_ptr_equal(places.host_of_rank, before);
  check_first_start(&places);
  launch_places_release(&places);
  tny_cluster_free(cluster);
}

static void what_does_not_fit_is_refused(void **state)
{
  (void)state;
  static const struct {
    const char *lines[4], *reason;
  } cases[] = {
      {{"ranks 4", NULL}, "4 ranks were started, and 3 before"},
      {{"ranks 3", "rank 0 host h1", NULL}, "'h1', and ran on 'h2' before"},
      {{"ranks 3", "rank 0 host nowhere", NULL}, "'nowhere', which isn't a host"},
      {{"ranks 3", "rank 1 host h0", NULL}, "'rank 1 host h0', which isn't what was asked for"},
      {{"rank 3 host h0", NULL}, "isn't what was asked for"},
      {{"ranks three", NULL}, "isn't what was asked for"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tny_cluster *cluster = open_cluster(CLUSTER);
    struct launch_places places = {.program = "ranks"};
    struct tny_error error = {0};
    assert_int_equal(launch_places_begin(&places, cluster, NULL), TNY_OK);
    assert_int_equal(take(&places, first_start, NULL), TNY_OK);
    assert_int_equal(take(&places, cases[i].lines, &error), TNY_BAD_INPUT);
    if (!strstr(error.text, cases[i].reason))
      fail_msg("'%s', without '%s'", error.text, cases[i].reason);
    launch_places_release(&places);
    tny_cluster_free(cluster);
  }
}

static void one_rank_has_nothing_to_measure(void **state)
{
  (void)state;
  struct tny_cluster *cluster = open_cluster(CLUSTER);
  struct launch_places places = {.program = "ranks"};
  struct tny_error error = {0};
  assert_int_equal(launch_places_begin(&places, cluster, NULL), TNY_OK);
  assert_int_equal(launch_places_take(&places, "ranks 1", &error), TNY_BAD_INPUT);
  assert_non_null(strstr(error.text, "start at least 2"));
  launch_places_release(&places);
  tny_cluster_free(cluster);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_second_start_leaves_the_places_where_they_are),
      cmocka_unit_test(what_does_not_fit_is_refused),
      cmocka_unit_test(one_rank_has_nothing_to_measure),
  };
  unsetenv("TOURNEY_MAP"); /* it would place ranks by number */
  return cmocka_run_group_tests(tests, NULL, NULL);
}
