/* Numbers with units, and lists of host names. */
#include "support/cluster.h"

#include "core/hostlist.h"
#include "core/units.h"

typedef enum tny_status parser(const char *text, uint64_t *value, struct tny_error *error);
typedef struct tny_quantity formatter(uint64_t value);

static const struct {
  parser *parse;
  const char *text;
  uint64_t value;
} numbers[] = {
    {tny_bandwidth_parse, "10Gbit/s", 10000000000},
    {tny_bandwidth_parse, "20Mbit/s", 20000000},
    {tny_bandwidth_parse, "2.5Gbps", 2500000000},
    {tny_bandwidth_parse, "100 Mbps", 100000000},
    {tny_bandwidth_parse, "0.064kbit/s", 64},
    {tny_bandwidth_parse, "1bit/s", 1},
    {tny_bandwidth_parse, "1Tbit/s", 1000000000000},
    {tny_bandwidth_parse, "18446744073709551615bps", UINT64_MAX},
    {tny_time_parse, "5us", 5000},
    {tny_time_parse, "1.5us", 1500},
    {tny_time_parse, "10ms", 10000000},
    {tny_time_parse, "2s", 2000000000},
    {tny_time_parse, "7ns", 7},
    {tny_time_parse, "0", 0},
    {tny_time_parse, "3.000ns", 3},
    {tny_bytes_parse, "4096", 4096},
    {tny_bytes_parse, "64KiB", 65536},
    {tny_bytes_parse, "64K", 65536},
    {tny_bytes_parse, "1MiB", 1048576},
    {tny_bytes_parse, "1.5KiB", 1536},
    {tny_bytes_parse, "2G", 2147483648},
    {tny_bytes_parse, "8kB", 8000},
    {tny_bytes_parse, "3B", 3},
    {tny_bytes_parse, "0", 0},
};

static void numbers_with_units_are_understood(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    uint64_t value = 0;
    struct tny_error error = {0};
    if (numbers[i].parse(numbers[i].text, &value, &error))
      fail_msg("%s: %s", numbers[i].text, error.text);
    assert_int_equal(value, numbers[i].value);
  }
}

static const struct {
  parser *parse;
  const char *text, *complaint;
} bad_numbers[] = {
    {tny_bandwidth_parse, "", "\"\" is no bandwidth"},
    {tny_bandwidth_parse, "fast", "is no bandwidth: write a number with a unit"},
    {tny_bandwidth_parse, "1000", "has no unit: write bit/s, kbit/s"},
    {tny_bandwidth_parse, "0", NULL},
    {tny_bandwidth_parse, "-1Gbit/s", "is no bandwidth"},
    {tny_bandwidth_parse, "1GB/s", "has an unknown unit"},
    {tny_bandwidth_parse, "1e3bit/s", "has an unknown unit"},
    {tny_bandwidth_parse, "1  Gbit/s", "has an unknown unit"},
    {tny_bandwidth_parse, "1.2.3Gbit/s", "has an unknown unit"},
    {tny_bandwidth_parse, "0.5bit/s", "is no whole number of bit/s"},
    {tny_bandwidth_parse, "18446744073709551616bps", "is too large"},
    {tny_bandwidth_parse, "99999999999Tbit/s", "is too large"},
    {tny_time_parse, "5", "has no unit"},
    {tny_time_parse, "5minutes", "has an unknown unit: write ns, us, ms or s"},
    {tny_time_parse, "1.0000000001s", "is no whole number of nanoseconds"},
    {tny_bytes_parse, "64KB", "has an unknown unit: write B, KiB"},
    {tny_bytes_parse, "1.5", "is no whole number of bytes"},
    {tny_bytes_parse, ".", "is no size"},
    {tny_bytes_parse, "17179869184GiB", "is too large"},
};

static void numbers_that_mean_nothing_are_refused_with_the_units_there_are(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof bad_numbers / sizeof *bad_numbers; i++) {
    uint64_t value = 0;
    struct tny_error error = {0};
    const enum tny_status status = bad_numbers[i].parse(bad_numbers[i].text, &value, &error);
    if (!bad_numbers[i].complaint) {
      assert_int_equal(status, TNY_OK);
      continue;
    }
    assert_int_equal(status, TNY_BAD_INPUT);
    if (!strstr(error.text, bad_numbers[i].complaint))
      fail_msg("%s: %s", bad_numbers[i].text, error.text);
  }
}

static void the_shortest_exact_text_is_written(void **state)
{
  (void)state;
  assert_string_equal(tny_bandwidth_format(20000000).text, "20Mbit/s");
  assert_string_equal(tny_bandwidth_format(2500000000).text, "2.5Gbit/s");
  assert_string_equal(tny_bandwidth_format(1234500000).text, "1234.5Mbit/s");
  assert_string_equal(tny_bandwidth_format(12345678).text, "12345678bit/s");
  assert_string_equal(tny_bandwidth_format(0).text, "0bit/s");
  assert_string_equal(tny_time_format(5000).text, "5us");
  assert_string_equal(tny_time_format(0).text, "0ns");
  assert_string_equal(tny_bytes_format(65536).text, "64KiB");
  assert_string_equal(tny_bytes_format(8000).text, "8kB");
  assert_string_equal(tny_bytes_format(1 << 20).text, "1MiB");
  assert_string_equal(tny_bytes_format(1000001).text, "1000001B");
}

static void check_round_trip(parser *parse, formatter *format, uint64_t value)
{
  uint64_t again = ~value;
  struct tny_error error = {0};
  const struct tny_quantity quantity = format(value);
  if (parse(quantity.text, &again, &error) || again != value)
    fail_msg("%s: %s", quantity.text, error.text);
}

static void written_numbers_are_read_back_exactly(void **state)
{
  (void)state;
  uint64_t seed = 1;
  for (int i = 0; i < 20000; i++) {
    const uint64_t value = ((uint64_t)draw(&seed, 1u << 31) << 33 | draw(&seed, 1u << 31))
                               << draw(&seed, 20) >>
                           draw(&seed, 64);
    check_round_trip(tny_bandwidth_parse, tny_bandwidth_format, value);
    check_round_trip(tny_time_parse, tny_time_format, value);
    check_round_trip(tny_bytes_parse, tny_bytes_format, value);
    check_round_trip(tny_bytes_parse, tny_bytes_format, value / 1024 * 1024);
    check_round_trip(tny_bandwidth_parse, tny_bandwidth_format, value / 1000000 * 1000000);
  }
  check_round_trip(tny_bytes_parse, tny_bytes_format, UINT64_MAX);
}

/* The names seen so far, each with a space behind it. */
static enum tny_status join(void *state, const char *name, struct tny_error *error)
{
  (void)error;
  tny_text_add(state, "%s ", name);
  return TNY_OK;
}

static const struct {
  const char *list, *names, *folded;
} lists[] = {
    {"n0", "n0 ", "n0"},
    {"n[0-3]", "n0 n1 n2 n3 ", "n[0-3]"},
    {"n[00-02]", "n00 n01 n02 ", "n[00-02]"},
    {"n[8-11]", "n8 n9 n10 n11 ", "n[8-11]"},
    {"n[08-10]", "n08 n09 n10 ", "n[08-10]"},
    {"n[0-1,8]x", "n0x n1x n8x ", "n[0-1,8]x"},
    {"a[0-1]b[0-1]", "a0b0 a0b1 a1b0 a1b1 ", "a0b[0-1],a1b[0-1]"},
    {"login,n[3],n[5]", "login n3 n5 ", "login,n[3,5]"},
    {"[7-8]", "7 8 ", "[7-8]"},
    {"n1,n01,n2", "n1 n01 n2 ", "n[1,01,2]"},
    {"n99,n100", "n99 n100 ", "n[99-100]"},
    {"n099,n0100", "n099 n0100 ", "n[099,0100]"},
    {"x,x,y", "x x y ", "x,x,y"},
    {"n2,n1", "n2 n1 ", "n[2,1]"},
};

static void host_lists_expand_in_the_order_written(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    struct tny_text text = {0};
    struct tny_error error = {0};
    if (tny_hostlist_expand(lists[i].list, join, &text, &error))
      fail_msg("%s: %s", lists[i].list, error.text);
    assert_string_equal(text.bytes, lists[i].names);
    tny_text_release(&text);
  }
}

static void host_lists_fold_to_what_expands_back(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    char buffer[200];
    const char *names[16];
    uint32_t count = 0;
    snprintf(buffer, sizeof buffer, "%s", lists[i].names);
    for (char *name = buffer, *space; (space = strchr(name, ' ')); name = space + 1) {
      *space = '\0';
      names[count++] = name;
    }
    struct tny_text text = {0}, again = {0};
    struct tny_error error = {0};
    tny_hostlist_fold(&text, names, count);
    assert_string_equal(text.bytes, lists[i].folded);
    assert_int_equal(tny_hostlist_expand(text.bytes, join, &again, &error), TNY_OK);
    assert_string_equal(again.bytes, lists[i].names);
    tny_text_release(&text);
    tny_text_release(&again);
  }
}

static void broken_host_lists_are_refused(void **state)
{
  (void)state;
  static const char *const broken[][2] = {
      {"", "an empty name"},
      {"n,", "an empty name"},
      {",n", "an empty name"},
      {"n[", "has a [ without a ]"},
      {"n[0-3", "has a [ without a ]"},
      {"n]", "has a ] without a ["},
      {"n[]", "has brackets without numbers"},
      {"n[0-]", "has brackets without numbers"},
      {"n[0,]", "has brackets without numbers"},
      {"n[[0]]", "has brackets without numbers"},
      {"n[0x1]", "has something else than numbers"},
      {"n[3-1]", "counts downwards"},
      {"n[1234567890123456789]", "has a number of more than 18 digits"},
  };
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    struct tny_text text = {0};
    struct tny_error error = {0};
    assert_int_equal(tny_hostlist_expand(broken[i][0], join, &text, &error), TNY_BAD_INPUT);
    if (!strstr(error.text, broken[i][1]))
      fail_msg("%s: %s", broken[i][0], error.text);
    tny_text_release(&text);
  }
}

static void names_longer_than_255_bytes_are_refused(void **state)
{
  (void)state;
  char list[300];
  struct tny_text text = {0};
  struct tny_error error = {0};
  memset(list, 'a', sizeof list);
  list[255] = '\0';
  assert_int_equal(tny_hostlist_expand(list, join, &text, &error), TNY_OK);
  snprintf(list + 253, sizeof list - 253, "[10-12]");
  assert_int_equal(tny_hostlist_expand(list, join, &text, &error), TNY_OK);
  snprintf(list + 253, sizeof list - 253, "[100]");
  assert_int_equal(tny_hostlist_expand(list, join, &text, &error), TNY_BAD_INPUT);
  assert_non_null(strstr(error.text, "is longer than 255 bytes"));
  tny_text_release(&text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_with_units_are_understood),
      cmocka_unit_test(numbers_that_mean_nothing_are_refused_with_the_units_there_are),
      cmocka_unit_test(the_shortest_exact_text_is_written),
      cmocka_unit_test(written_numbers_are_read_back_exactly),
      cmocka_unit_test(host_lists_expand_in_the_order_written),
      cmocka_unit_test(host_lists_fold_to_what_expands_back),
      cmocka_unit_test(broken_host_lists_are_refused),
      cmocka_unit_test(names_longer_than_255_bytes_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
