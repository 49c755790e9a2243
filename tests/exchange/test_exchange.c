/* Other tools' forms: what we write is proved as their own tool would run it and read back the
   same, and what others write is proved or shown wrong. */
#include "exchange/msccl/names.h"
#include "exchange_support.h"

struct message {
  uint32_t from, to;
  uint64_t pieces;
};

static int compare_messages(const void *a, const void *b)
{
  const struct message *x = a, *y = b;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  if (x->to != y->to)
    return x->to < y->to ? -1 : 1;
  return (x->pieces > y->pieces) - (x->pieces < y->pieces);
}

/* All sends, sorted; in MSCCL's XML a message of several blocks' chunks goes block by block. */
static struct message *list_messages(const struct tny_schedule *schedule, bool split, size_t *count)
{
  struct message *list = NULL;
  *count = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      const bool is_whole =
          step->span.chunk_count == 1 || step->span.chunks == step->span.chunk_count;
      const uint32_t parts = split && !is_whole ? step->span.count : 1;
      if (step->kind != TNY_SEND)
        continue;
      list = realloc(list, (*count + parts) * sizeof *list);
      assert_non_null(list);
      for (uint32_t part = 0; part < parts; part++)
        list[(*count)++] = (struct message){
            rank, step->peer, tny_span_pieces(&step->span, schedule->chunk_count) / parts};
    }
  }
  if (*count > 0)
    qsort(list, *count, sizeof *list, compare_messages);
  return list;
}

static void assert_same_messages(const struct tny_schedule *a, const struct tny_schedule *b)
{
  size_t count_a, count_b;
  struct message *in_a = list_messages(a, true, &count_a);
  struct message *in_b = list_messages(b, true, &count_b);
  assert_int_equal(count_a, count_b);
  for (size_t i = 0; i < count_a; i++)
    assert_int_equal(compare_messages(&in_a[i], &in_b[i]), 0);
  free(in_a);
  free(in_b);
}

/* Reads, proves and converts what was written of a schedule. */
static struct tny_schedule *read_back(const struct tny_schedule *schedule, const char *text)
{
  struct tny_foreign *foreign;
  struct tny_foreign_report report;
  struct tny_schedule *again = NULL;
  struct tny_error error = {0};
  if (read_foreign(text, &foreign, &error) != TNY_OK ||
      tny_foreign_verify(foreign, NULL, &report, &error) != TNY_OK ||
      tny_foreign_schedule(foreign, &again, &error) != TNY_OK ||
      tny_verify_schedule(again, NULL, &error) != TNY_OK)
    fail_msg("%s of %u ranks, %u chunks, root %u: line %u: %s", schedule->algorithm,
             schedule->rank_count, schedule->chunk_count, schedule->root, error.line, error.text);
  assert_int_equal(report.data, tny_collective_synchronizes(schedule->collective)
                                    ? TNY_DATA_NONE
                                    : TNY_DATA_PROVED);
  assert_string_equal(report.rendezvous_deadlock, "");
  tny_foreign_free(foreign);
  return again;
}

static void check_goal(const struct tny_schedule *schedule)
{
  char *goal, *first, *second;
  struct tny_error error = {0};
  const enum tny_status status = tny_schedule_write_goal(schedule, 1000, &goal, &error);
  if (tny_collective_reduces(schedule->collective)) {
    assert_int_equal(status, TNY_REFUSED);
    assert_non_null(strstr(error.text, "GOAL"));
    return;
  }
  if (status != TNY_OK)
    fail_msg("%s: %s", schedule->algorithm, error.text);
  assert_int_equal(tny_form_of(goal), TNY_FORM_GOAL);
  struct tny_schedule *again = read_back(schedule, goal);
  assert_int_equal(tny_schedule_write(schedule, &first, NULL), TNY_OK);
  assert_int_equal(tny_schedule_write(again, &second, NULL), TNY_OK);
  assert_string_equal(first, second);
  tny_text_free(second);
  tny_text_free(first);
  tny_schedule_free(again);
  tny_text_free(goal);
}

static bool has_tokens(const struct tny_schedule *schedule)
{
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++)
      if (schedule->ranks[rank].steps[i].kind == TNY_TOKEN_OUT)
        return true;
  return false;
}

static void check_msccl(const struct tny_schedule *schedule)
{
  char *xml;
  struct tny_error error = {0};
  const enum tny_status status = tny_schedule_write_msccl(schedule, &xml, &error);
  if (!tny_msccl_name(schedule->collective)) {
    assert_int_equal(status, TNY_REFUSED);
    assert_non_null(strstr(error.text, "MSCCL"));
    return;
  }
  if (has_tokens(schedule)) {
    assert_int_equal(status, TNY_REFUSED);
    assert_non_null(strstr(error.text, "--window 0"));
    return;
  }
  if (status != TNY_OK)
    fail_msg("%s: %s", schedule->algorithm, error.text);
  assert_int_equal(tny_form_of(xml), TNY_FORM_MSCCL);
  struct tny_schedule *again = read_back(schedule, xml);
  assert_int_equal(again->root, schedule->root);
  assert_same_messages(schedule, again);
  tny_schedule_free(again);
  tny_text_free(xml);
}

/* Every algorithm, for these ranks, roots, chunks and windows, by one check. */
static void check_all(void (*check)(const struct tny_schedule *))
{
  static const uint32_t ranks[] = {1, 2, 3, 4, 5, 8, 9};
  uint32_t checked = 0;
  for (uint32_t a = 0; tny_algorithms[a]; a++) {
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
      const bool has_root = tny_algorithms[a]->collective == TNY_BROADCAST;
      for (uint32_t k = 0; k < 4; k++) {
        const struct tny_pace pace = {.chunk_count = k % 2 ? 3 : 1, .window = k / 2 ? 2 : 0};
        struct tny_schedule *schedule =
            plan(tny_algorithms[a], ranks[i], has_root ? ranks[i] - 1 : 0, pace);
        if (!schedule)
          continue;
        check(schedule);
        tny_schedule_free(schedule);
        checked++;
      }
    }
  }
  assert_true(checked > 500);
}

static void every_algorithm_is_the_same_after_goal(void **state)
{
  (void)state;
  check_all(check_goal);
}

static void every_algorithm_without_tokens_sends_the_same_after_msccl(void **state)
{
  (void)state;
  check_all(check_msccl);
}

static void a_sparse_pattern_goes_through_goal_and_not_through_msccl(void **state)
{
  (void)state;
  struct tny_pattern *pattern;
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  char *xml;
  const struct tny_pattern_chance chance = {.density = 0.4, .seed = 7};
  assert_int_equal(tny_pattern_random(6, chance, 100, &pattern, NULL), TNY_OK);
  const struct tny_problem problem = {
      .collective = TNY_ALLTOALL, .rank_count = 6, .pattern = pattern};
  assert_int_equal(tny_plan_all(tny_algorithm_find(TNY_ALLTOALL, "shift"), &problem,
                                (struct tny_pace){.chunk_count = 1}, &schedule, NULL),
                   TNY_OK);
  check_goal(schedule);
  assert_int_equal(tny_schedule_write_msccl(schedule, &xml, &error), TNY_REFUSED);
  assert_non_null(strstr(error.text, "sparse"));
  tny_schedule_free(schedule);
  tny_pattern_free(pattern);
}

static void pieces_of_no_byte_are_refused_by_goal(void **state)
{
  (void)state;
  struct tny_error error = {0};
  char *goal;
  struct tny_schedule *schedule =
      plan(tny_algorithm_find(TNY_ALLGATHER, "ring"), 3, 0, (struct tny_pace){.chunk_count = 4});
  assert_int_equal(tny_schedule_write_goal(schedule, 3, &goal, &error), TNY_REFUSED);
  assert_null(goal);
  assert_non_null(strstr(error.text, "larger blocks"));
  tny_schedule_free(schedule);
}

/* The statement at `line` stands for the order of a queue. */
static bool is_by_queue(const char *text, const char *line)
{
  static const char note[] = "// tourney ";
  for (; line > text; line--)
    if (line[-1] == '\n' && strncmp(line, note, strlen(note)) == 0)
      return strncmp(line + strlen(note), "queue\n", 6) == 0;
  return false;
}

/* Proves the text without one of its lines. Two slashes make a comment of that. */
static enum tny_status prove_without(const char *text, char *line, struct tny_error *error)
{
  struct tny_foreign_report report;
  const char first[2] = {line[0], line[1]};
  line[0] = line[1] = '/';
  const enum tny_status status = prove_text(text, NULL, &report, error);
  line[0] = first[0];
  line[1] = first[1];
  return status;
}

/* The next line with a `requires`, at or behind `at`; NULL: none. *behind is where to go on. */
static char *next_requires(char *at, char **behind)
{
  char *line = strstr(at, " requires ");
  if (!line)
    return NULL;
  *behind = line + 1;
  while (line[-1] != '\n')
    line--;
  return line;
}

/* In a ring every `requires` of the schedule keeps data in order: without one of them it's
   wrong. */
static void without_any_one_requires_a_ring_in_goal_is_broken(void **state)
{
  (void)state;
  struct tny_schedule *schedule = plan_named(TNY_ALLGATHER, "ring", 4);
  char *goal;
  uint32_t broken = 0;
  assert_int_equal(tny_schedule_write_goal(schedule, 64, &goal, NULL), TNY_OK);
  for (char *line, *at = goal; (line = next_requires(at, &at));) {
    struct tny_error error = {0};
    if (is_by_queue(goal, line))
      continue;
    assert_int_equal(prove_without(goal, line, &error), TNY_BROKEN);
    assert_non_null(strstr(error.text, "neither waits"));
    assert_true(error.line > 0);
    broken++;
  }
  assert_int_equal(broken, 8);
  tny_text_free(goal);
  tny_schedule_free(schedule);
}

/* Combining copies to scratch what it sends next, and only its queue keeps the send behind. */
static void what_only_a_queue_keeps_in_order_is_in_order_in_goal(void **state)
{
  (void)state;
  struct tny_schedule *schedule = plan_named(TNY_ALLGATHER, "combining", 4);
  char *goal;
  uint32_t broken = 0;
  assert_int_equal(tny_schedule_write_goal(schedule, 64, &goal, NULL), TNY_OK);
  assert_null(strstr(goal, " irequires "));
  for (char *line, *at = goal; (line = next_requires(at, &at));)
    if (is_by_queue(goal, line))
      broken += prove_without(goal, line, NULL) == TNY_BROKEN;
  assert_true(broken > 0);
  tny_text_free(goal);
  tny_schedule_free(schedule);
}

/* Rank 0 copies to scratch and sends from there. Converted, both are in one queue, the copy first,
   so `src/verify` finds nothing wrong; the file itself keeps no such order. */
#define COPY_AND_SEND(needs)                                                                       \
  "// tourney allgather ranks 2 root 0 algorithm x chunks 1 scratch 1 block 8\nnum_ranks 2\n"      \
  "rank 0 {\n// tourney copy input[0] to output[0]\ncalc 0\n"                                      \
  "// tourney copy input[0] to scratch[0]\nc: calc 0\n// tourney scratch[0]\ns: send 8b to "       \
  "1\n" needs "// tourney output[1]\nrecv 8b from 1\n}\n"                                          \
  "rank 1 {\n// tourney copy input[0] to output[1]\ncalc 0\n// tourney input[0]\n"                 \
  "send 8b to 0\n// tourney output[0]\nrecv 8b from 0\n}\n"

static void what_a_queue_would_hide_is_a_race_in_the_file(void **state)
{
  (void)state;
  struct tny_foreign *foreign;
  struct tny_foreign_report report;
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  assert_int_equal(read_foreign(COPY_AND_SEND(""), &foreign, NULL), TNY_OK);
  assert_int_equal(tny_foreign_verify(foreign, NULL, &report, &error), TNY_BROKEN);
  assert_non_null(strstr(error.text, "both use scratch chunk 0"));
  assert_int_equal(tny_foreign_schedule(foreign, &schedule, NULL), TNY_OK);
  assert_int_equal(tny_verify_schedule(schedule, NULL, NULL), TNY_OK);
  tny_schedule_free(schedule);
  tny_foreign_free(foreign);
  assert_int_equal(prove_text(COPY_AND_SEND("s requires c\n"), NULL, &report, NULL), TNY_OK);
}

/* The text isn't proved once the first `from` behind `behind` is `to`. Frees text and schedule. */
struct change {
  const char *behind, *from, *to;
  enum tny_status status;
  const char *says;
};
static void assert_found(struct tny_schedule *schedule, char *text, struct change change)
{
  struct tny_foreign_report report;
  struct tny_error error = {0};
  char *broken = replace(text, change.behind, change.from, change.to);
  assert_int_equal(prove_text(broken, NULL, &report, &error), change.status);
  assert_non_null(strstr(error.text, change.says));
  free(broken);
  tny_text_free(text);
  tny_schedule_free(schedule);
}

static void without_a_dependency_a_ring_in_msccl_is_broken(void **state)
{
  (void)state;
  struct tny_schedule *schedule = plan_named(TNY_ALLGATHER, "ring", 4);
  char *xml;
  assert_int_equal(tny_schedule_write_msccl(schedule, &xml, NULL), TNY_OK);
  assert_found(
      schedule, xml,
      (struct change){"type=\"s\"", "depid=\"1\"", "depid=\"-1\"", TNY_BROKEN, "neither waits"});
}

static void a_wrong_offset_in_msccl_is_the_wrong_block(void **state)
{
  (void)state;
  struct tny_schedule *schedule = plan_named(TNY_ALLTOALL, "shift", 3);
  char *xml;
  assert_int_equal(tny_schedule_write_msccl(schedule, &xml, NULL), TNY_OK);
  assert_found(schedule, xml,
               (struct change){"type=\"s\"", "srcoff=\"1\"", "srcoff=\"2\"", TNY_BROKEN,
                               "where chunk 1 of rank 0 belongs"});
}

/* Our comments don't make a message longer than GOAL says. */
static void sizes_in_goal_are_those_of_the_comments(void **state)
{
  (void)state;
  struct tny_schedule *schedule = plan_named(TNY_ALLGATHER, "ring", 3);
  char *goal;
  assert_int_equal(tny_schedule_write_goal(schedule, 64, &goal, NULL), TNY_OK);
  assert_found(schedule, goal,
               (struct change){"l0", "64b", "63b", TNY_BAD_INPUT,
                               "63 bytes, but the comment before says what has 64"});
}

static void a_direct_exchange_by_hand_is_proved_by_its_sizes(void **state)
{
  (void)state;
  char *text = read_fixture("alltoall3.goal");
  struct tny_foreign_report report;
  struct tny_foreign_wanted wanted = {.collective = TNY_ALLTOALL, .block_bytes = 64};
  assert_int_equal(prove_text(text, NULL, &report, NULL), TNY_OK);
  assert_int_equal(report.data, TNY_DATA_UNKNOWN);
  assert_int_equal(report.messages, 6);
  assert_int_equal(report.message_bytes, 384);
  assert_int_equal(prove_text(text, &wanted, &report, NULL), TNY_OK);
  assert_int_equal(report.data, TNY_DATA_BY_SIZES);
  wanted.collective = TNY_ALLGATHER;
  assert_int_equal(prove_text(text, &wanted, &report, NULL), TNY_OK);
  assert_int_equal(report.data, TNY_DATA_BY_SIZES);
  wanted.block_bytes = 32;
  assert_int_equal(prove_text(text, &wanted, &report, NULL), TNY_OK);
  assert_int_equal(report.data, TNY_DATA_UNKNOWN);
  wanted.block_bytes = 65;
  struct tny_error error = {0};
  assert_int_equal(prove_text(text, &wanted, &report, &error), TNY_BROKEN);
  assert_non_null(strstr(error.text, "128 bytes"));
  tny_text_free(text);
}

static void a_binomial_broadcast_by_hand_is_proved_by_its_sizes(void **state)
{
  (void)state;
  char *text = read_fixture("binomial8.goal");
  struct tny_foreign_report report;
  struct tny_foreign_wanted wanted = {.collective = TNY_BROADCAST, .block_bytes = 4096};
  assert_int_equal(prove_text(text, &wanted, &report, NULL), TNY_OK);
  assert_int_equal(report.data, TNY_DATA_BY_SIZES);
  assert_int_equal(report.chain, 3);
  char *hasty = replace(text, "rank 1", "l2 requires l1\n", "");
  assert_int_equal(prove_text(hasty, &wanted, &report, NULL), TNY_OK);
  assert_int_equal(report.data, TNY_DATA_UNKNOWN);
  assert_non_null(strstr(report.why, "rank 1's send to 3"));
  wanted.root = 1;
  struct tny_error error = {0};
  assert_int_equal(prove_text(text, &wanted, &report, &error), TNY_BROKEN);
  assert_non_null(strstr(error.text, "rank 0 receives 0 bytes"));
  free(hasty);
  tny_text_free(text);
}

static void a_barrier_in_goal_whose_wait_is_gone_lets_a_rank_go_early(void **state)
{
  (void)state;
  struct tny_schedule *schedule = plan_named(TNY_BARRIER, "dissemination", 4);
  char *goal;
  assert_int_equal(tny_schedule_write_goal(schedule, 64, &goal, NULL), TNY_OK);
  assert_non_null(strstr(goal, "// tourney nothing phase 0\nl0: send 1b to 1 tag 0\n"));
  assert_found(schedule, goal,
               (struct change){"rank 2 {", "l2 requires l1\n", "", TNY_BROKEN,
                               "rank 0 may end before rank 1 has begun"});
}

static void expect_broken(const char *text, uint32_t line, const char *says)
{
  struct tny_foreign_report report;
  struct tny_error error = {0};
  assert_int_equal(prove_text(text, NULL, &report, &error), TNY_BROKEN);
  assert_non_null(strstr(error.text, says));
  assert_int_equal(error.line, line);
}

static void sends_that_wait_for_each_other_are_a_deadlock_in_goal(void **state)
{
  (void)state;
  char *text = read_fixture("exchange_unsafe.goal");
  expect_broken(text, 4, "deadlock: rank 0's send to 1 (line 4) waits for rank 1's recv");
  tny_text_free(text);
}

/* The receives may be posted in any order; with both posted, nothing waits for the list's order. */
static void goal_keeps_no_order_that_the_file_does_not_say(void **state)
{
  (void)state;
  struct tny_foreign_report report;
  assert_int_equal(prove_text("num_ranks 3\n"
                              "rank 0 {\na: recv 8b from 1\nb: recv 8b from 2\n}\n"
                              "rank 1 {\nr: recv 8b from 2\ns: send 8b to 0\ns requires r\n}\n"
                              "rank 2 {\ns: send 8b to 0\nt: send 8b to 1\nt requires s\n}\n",
                              NULL, &report, NULL),
                   TNY_OK);
  assert_int_equal(report.chain, 3);
}

static void msccls_own_manner_needs_connections_that_hold_a_message(void **state)
{
  (void)state;
  static const char *const names[] = {"alltoall_pairs3.xml", "allgather_ring4.xml"};
  for (int i = 0; i < 2; i++) {
    char *text = read_fixture(names[i]);
    struct tny_foreign *foreign;
    struct tny_foreign_report report;
    struct tny_schedule *schedule;
    assert_int_equal(read_foreign(text, &foreign, NULL), TNY_OK);
    assert_int_equal(tny_foreign_verify(foreign, NULL, &report, NULL), TNY_OK);
    assert_int_equal(report.data, TNY_DATA_PROVED);
    assert_non_null(strstr(report.rendezvous_deadlock, "deadlock"));
    /* Converted it needs no such thing, and goes out again in every form. */
    assert_int_equal(tny_foreign_schedule(foreign, &schedule, NULL), TNY_OK);
    assert_int_equal(tny_verify_schedule(schedule, NULL, NULL), TNY_OK);
    check_goal(schedule);
    check_msccl(schedule);
    tny_schedule_free(schedule);
    tny_foreign_free(foreign);
    tny_text_free(text);
  }
}

static void a_race_between_threadblocks_is_found(void **state)
{
  (void)state;
  char *text = read_fixture("alltoall_race3.xml");
  struct tny_foreign_report report;
  expect_broken(text, 25, "both use scratch chunk 0");
  char *right = replace(text, "<gpu id=\"1\"", "srcbuf=\"s\" srcoff=\"0\"",
                        "depid=\"0\" deps=\"1\" srcbuf=\"s\" srcoff=\"0\"");
  char *righter = replace(right, "depid=\"0\" deps=\"1\" srcbuf", "depid=\"-1\" deps=\"-1\"", "");
  assert_int_equal(prove_text(righter, NULL, &report, NULL), TNY_OK);
  free(righter);
  free(right);
  tny_text_free(text);
}

/* The same connection, and the same tag: which of the two meets what? */
static void messages_that_may_overtake_each_other_are_shown(void **state)
{
  (void)state;
  expect_broken("num_ranks 2\nrank 0 {\na: send 8b to 1\nb: send 8b to 1\n}\n"
                "rank 1 {\na: recv 8b from 0\nb: recv 8b from 0\nb irequires a\n}\n",
                4, "may start in either order");
}

static void links_carry_what_the_messages_say(void **state)
{
  (void)state;
  char *text = read_fixture("alltoall3.goal");
  struct tny_foreign *foreign;
  struct tny_cluster *cluster;
  struct tny_routes *routes;
  uint64_t load_bytes[16];
  const uint32_t host_of_rank[] = {0, 1, 2};
  assert_int_equal(tny_cluster_generate("switches:1+2", &cluster, NULL), TNY_OK);
  assert_int_equal(tny_routes_make(cluster, &routes, NULL), TNY_OK);
  assert_true(cluster->link_count <= 16);
  assert_int_equal(read_foreign(text, &foreign, NULL), TNY_OK);
  const struct tny_network network = {
      .routes = routes, .host_of_rank = host_of_rank, .rank_count = 3};
  tny_foreign_load(foreign, &network, 0, load_bytes);
  for (uint32_t link = 0; link < cluster->link_count; link++)
    assert_int_equal(load_bytes[link], 128);
  tny_foreign_free(foreign);
  tny_routes_free(routes);
  tny_cluster_free(cluster);
  tny_text_free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_algorithm_is_the_same_after_goal),
      cmocka_unit_test(every_algorithm_without_tokens_sends_the_same_after_msccl),
      cmocka_unit_test(a_sparse_pattern_goes_through_goal_and_not_through_msccl),
      cmocka_unit_test(pieces_of_no_byte_are_refused_by_goal),
      cmocka_unit_test(without_any_one_requires_a_ring_in_goal_is_broken),
      cmocka_unit_test(what_only_a_queue_keeps_in_order_is_in_order_in_goal),
      cmocka_unit_test(what_a_queue_would_hide_is_a_race_in_the_file),
      cmocka_unit_test(without_a_dependency_a_ring_in_msccl_is_broken),
      cmocka_unit_test(a_wrong_offset_in_msccl_is_the_wrong_block),
      cmocka_unit_test(sizes_in_goal_are_those_of_the_comments),
      cmocka_unit_test(a_direct_exchange_by_hand_is_proved_by_its_sizes),
      cmocka_unit_test(a_binomial_broadcast_by_hand_is_proved_by_its_sizes),
      cmocka_unit_test(a_barrier_in_goal_whose_wait_is_gone_lets_a_rank_go_early),
      cmocka_unit_test(sends_that_wait_for_each_other_are_a_deadlock_in_goal),
      cmocka_unit_test(goal_keeps_no_order_that_the_file_does_not_say),
      cmocka_unit_test(msccls_own_manner_needs_connections_that_hold_a_message),
      cmocka_unit_test(a_race_between_threadblocks_is_found),
      cmocka_unit_test(messages_that_may_overtake_each_other_are_shown),
      cmocka_unit_test(links_carry_what_the_messages_say),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
