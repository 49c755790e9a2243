/* A run's record: rows of calls with their times, decisions, the kernel's counters, and the JSON of
   all that (src/mpi/record). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/alloc.h"
#include "mpi/record/text.h"

/* A call of so many nanoseconds. */
static void record_call(const char *collective, uint64_t bytes, double ns, int64_t root)
{
  struct tny_recorded call;
  tny_recorded_begin(&call);
  call.begin_ns = 1e9;
  tny_record_count(collective, bytes, "ring", "why");
  tny_recorded_end(&call, 1e9 + ns, (struct tny_recorded_on){.rank_count = 4, .root = root});
}

static void calls_of_a_class_of_sizes_are_one_row(void **state)
{
  (void)state;
  tny_record_open();
  record_call("alltoall", 1024, 100, -1);
  record_call("alltoall", 2047, 300, -1);
  record_call("alltoall", 2048, 500, -1);
  tny_record_count("ibcast", 2048, NULL, "not timed");
  const struct tny_record *record = tny_record_get();
  assert_int_equal(record->row_count, 3);
  assert_int_equal(record->rows[0].calls, 2);
  assert_int_equal(record->rows[0].bytes, 1024 + 2047);
  assert_int_equal(record->rows[0].class_bytes, 1024);
  assert_true(fabs(record->rows[0].times->total_ns - 400) < 1);
  assert_int_equal(record->rows[1].class_bytes, 2048);
  assert_null(record->rows[2].times);
  tny_record_close();
}

static void quartiles_are_right_to_within_3_percent(void **state)
{
  (void)state;
  tny_record_open();
  for (int i = 1; i <= 1000; i++)
    record_call("alltoall", 8, 1e3 * i, -1);
  const struct tny_record_times *times = tny_record_get()->rows[0].times;
  assert_true(fabs(tny_record_quantile(times, 0.25) / 250e3 - 1) < 0.03);
  assert_true(fabs(tny_record_quantile(times, 0.5) / 500e3 - 1) < 0.03);
  assert_true(fabs(tny_record_quantile(times, 0.75) / 750e3 - 1) < 0.03);
  assert_true(fabs(times->least_ns - 1e3) < 1e-3 && fabs(times->most_ns - 1e6) < 1e-3);
  tny_record_close();
}

static void a_root_is_known_while_it_is_the_same(void **state)
{
  (void)state;
  tny_record_open();
  record_call("bcast", 8, 10, 3);
  record_call("bcast", 8, 10, 3);
  assert_int_equal(tny_record_get()->rows[0].root, 3);
  record_call("bcast", 8, 10, 2);
  record_call("bcast", 8, 10, -1);
  assert_int_equal(tny_record_get()->rows[0].root, -1);
  tny_record_close();
}

static void a_call_within_another_and_one_that_failed_leave_the_others_right(void **state)
{
  struct tny_recorded outer, inner;
  const struct tny_recorded_on on = {.rank_count = 4, .root = -1};
  (void)state;
  tny_record_open();
  tny_recorded_begin(&outer);
  tny_recorded_begin(&inner);
  tny_record_count("bcast", 8, NULL, "why");
  tny_recorded_end(&inner, inner.begin_ns + 1, on);
  tny_record_count("reduce", 8, NULL, "why");
  tny_recorded_end(&outer, outer.begin_ns + 9, on);
  tny_recorded_begin(&outer);
  tny_record_count("gather", 8, NULL, "why");
  tny_recorded_drop(&outer);
  const struct tny_record *record = tny_record_get();
  assert_int_equal(record->row_count, 2);
  assert_string_equal(record->rows[0].collective, "bcast");
  assert_true(record->rows[0].times->total_ns < 2);
  assert_string_equal(record->rows[1].collective, "reduce");
  assert_non_null(record->rows[1].times);
  tny_record_close();
}

static void calls_without_memory_are_counted_as_left_out(void **state)
{
  (void)state;
  tny_record_open();
  tny_alloc_fail_from(1);
  record_call("bcast", 8, 10, 0);
  tny_record_decision(&(struct tny_decision){.collective = "bcast"});
  tny_alloc_fail_from(0);
  assert_int_equal(tny_record_get()->row_count, 0);
  assert_int_equal(tny_record_get()->left_out, 2);
  tny_record_close();
}

/* --- JSON --- */

static json_t *take_json(const struct tny_record_about *about)
{
  char *text;
  assert_int_equal(tny_record_text(tny_record_get(), about, &text, NULL), TNY_OK);
  json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  tny_text_free(text);
  assert_non_null(root);
  return root;
}

static void names_of_any_bytes_are_valid_json(void **state)
{
  (void)state;
  tny_record_open();
  const struct tny_record_host host = {.name = "h\xff\xe2\x82\xac\xed\xa0\x80\"\\\n\xc0\x80"};
  const struct tny_record_about about = {
      .version = "1", .program = "p\xe2\x82", .hosts = &host, .host_count = 1};
  json_t *root = take_json(&about);
  assert_string_equal(json_string_value(json_object_get(root, "program")), "p??");
  const json_t *first = json_array_get(json_object_get(root, "hosts"), 0);
  assert_string_equal(json_string_value(json_object_get(first, "name")),
                      "h?\xe2\x82\xac???\"\\\n??");
  assert_null(json_object_get(first, "segments")); /* not known */
  json_decref(root);
  tny_record_close();
}

static void decisions_stand_in_their_order_with_what_was_tried(void **state)
{
  struct tny_decision decision = {.collective = "bcast",
                                  .native_ns = 2e6,
                                  .tried = {{"binomial", 1e6, 5e5}, {"chain", INFINITY, 0}}};
  (void)state;
  tny_record_open();
  tny_record_decision(&decision);
  memcpy(decision.served, "binomial", sizeof "binomial");
  tny_record_decision(&decision);
  json_t *root = take_json(&(struct tny_record_about){.version = "1"});
  const json_t *list = json_object_get(root, "decisions");
  assert_int_equal(json_array_size(list), 2);
  const json_t *second = json_array_get(list, 1);
  assert_string_equal(json_string_value(json_object_get(json_array_get(list, 0), "served")),
                      "native");
  assert_string_equal(json_string_value(json_object_get(second, "served")), "binomial");
  const json_t *tried = json_object_get(second, "tried");
  assert_int_equal(json_integer_value(json_object_get(json_array_get(tried, 0), "seen_ns")),
                   1000000);
  assert_int_equal(json_integer_value(json_object_get(json_array_get(tried, 0), "predicted_ns")),
                   500000);
  assert_true(json_is_false(json_object_get(json_array_get(tried, 1), "can_run")));
  assert_true(json_is_null(json_object_get(json_array_get(tried, 1), "seen_ns")));
  json_decref(root);
  tny_record_close();
}

/* --- counters --- */

static void write_file(const char *folder, const char *name, const char *text)
{
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

static void the_kernels_counters_are_found_by_their_names(void **state)
{
  char folder[] = "/tmp/test_record.XXXXXX";
  static const char *const files[] = {"snmp", "netstat", "dev"};
  (void)state;
  assert_non_null(mkdtemp(folder));
  write_file(folder, "snmp",
             "Ip: Forwarding OutSegs\nIp: 1 99\n"
             "Tcp: RtoMin InSegs OutSegs RetransSegs InErrs\nTcp: 200 -1 5000 70 1\n");
  write_file(folder, "netstat",
             "TcpExt: SyncookiesSent TCPTimeouts\nTcpExt: 4 6\nIpExt: TCPTimeouts\nIpExt: 9\n");
  assert_false(tny_counters_read(folder).is_known);
  write_file(folder, "dev",
             "Inter-| Receive | Transmit\n face |bytes packets errs drop\n"
             "    lo: 1 2 3 40 5 6 7 8 9 10 11 200 13 14 15 16\n"
             "  eth0:1 2 3 1 5 6 7 8 9 10 11 2 13 14 15 16\n");
  const struct tny_counters counters = tny_counters_read(folder);
  assert_true(counters.is_known);
  assert_int_equal(counters.list[TNY_COUNT_SEGMENTS], 5000);
  assert_int_equal(counters.list[TNY_COUNT_RETRANSMITTED], 70);
  assert_int_equal(counters.list[TNY_COUNT_TIMEOUTS], 6);
  assert_int_equal(counters.list[TNY_COUNT_INTERFACE_DROPS], 243);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, files[i]);
    unlink(path);
  }
  assert_int_equal(rmdir(folder), 0);
}

static void what_is_counted_between_two_readings_never_is_negative(void **state)
{
  (void)state;
  const struct tny_counters begin = {true, {10, 5, 7, 0}}, end = {true, {15, 4, 7, 3}};
  const struct tny_counters between = tny_counters_between(&begin, &end), unknown = {0};
  assert_true(between.is_known);
  assert_int_equal(between.list[TNY_COUNT_SEGMENTS], 5);
  assert_int_equal(between.list[TNY_COUNT_RETRANSMITTED], 0);
  assert_int_equal(between.list[TNY_COUNT_INTERFACE_DROPS], 3);
  assert_false(tny_counters_between(&unknown, &end).is_known);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(calls_of_a_class_of_sizes_are_one_row),
      cmocka_unit_test(quartiles_are_right_to_within_3_percent),
      cmocka_unit_test(a_root_is_known_while_it_is_the_same),
      cmocka_unit_test(a_call_within_another_and_one_that_failed_leave_the_others_right),
      cmocka_unit_test(calls_without_memory_are_counted_as_left_out),
      cmocka_unit_test(names_of_any_bytes_are_valid_json),
      cmocka_unit_test(decisions_stand_in_their_order_with_what_was_tried),
      cmocka_unit_test(the_kernels_counters_are_found_by_their_names),
      cmocka_unit_test(what_is_counted_between_two_readings_never_is_negative),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
