/* The text form of schedules: it round-trips, and what is wrong in it is told with its line and
   column. */
#include "support/memory.h"

#include <tourney/algorithm.h>
#include <tourney/verify.h>

#include "core/alloc.h"
#include "core/random.h"
#include "core/text.h"

#define HEADER                                                                                     \
  "tourney schedule 1\ncollective alltoall\nranks 2\nroot 0\nalgorithm test\nchunks 2\n"           \
  "scratch 1\n"

static const char good[] = HEADER "\n"
                                  "rank 0\n"
                                  "0 send 1 input[1] 0/2 phase 0\n"
                                  "1 recv 1 output[1] 0/2 phase 0\n"
                                  "2 send 1 input[1] 1/2 phase 1 after 0,1\n"
                                  "3 recv 1 output[1] 1/2 phase 1\n"
                                  "4 copy input[0] to output[0]\n"
                                  "5 token-out 1\n"
                                  "\n"
                                  "rank 1\n"
                                  "0 send 0 input[0] 0/2 phase 0\n"
                                  "1 recv 0 output[0] 0/2 phase 0\n"
                                  "2 send 0 input[0] 1/2 phase 1 after 1\n"
                                  "3 recv 0 output[0] 1/2 phase 1\n"
                                  "4 copy input[0..1] to output[0..1]\n"
                                  "5 token-in 0 phase 3\n";

static void reading_and_writing_gives_the_same_text(void **state)
{
  (void)state;
  struct tny_schedule *schedule;
  char *text;
  struct tny_error error = {0};
  assert_int_equal(tny_schedule_read(good, "good", &schedule, &error), TNY_OK);
  assert_int_equal(tny_schedule_write(schedule, &text, &error), TNY_OK);
  assert_string_equal(text, good);
  tny_text_free(text);
  tny_schedule_free(schedule);
}

static void reductions_say_on_which_side_the_operand_is_and_what_they_serve(void **state)
{
  (void)state;
  static const char text[] = "tourney schedule 1\ncollective allreduce\nranks 1\nroot 0\n"
                             "algorithm x\nchunks 2\nscratch 2\noperation commutative\n\nrank 0\n"
                             "0 reduce-left input[0] 1/2 to scratch[1] 1/2 phase 3\n"
                             "1 reduce-right scratch[0..1] to scratch[0..1] after 0\n";
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  char *written;
  assert_int_equal(tny_schedule_read(text, "reduction", &schedule, &error), TNY_OK);
  assert_true(schedule->commutes);
  assert_int_equal(schedule->ranks[0].steps[0].kind, TNY_REDUCE_LEFT);
  assert_int_equal(schedule->ranks[0].steps[1].kind, TNY_REDUCE_RIGHT);
  assert_int_equal(schedule->ranks[0].steps[0].target.chunk, 1);
  assert_int_equal(tny_schedule_write(schedule, &written, &error), TNY_OK);
  assert_string_equal(written, text);
  tny_text_free(written);
  tny_schedule_free(schedule);
}

static void planned_schedules_round_trip(void **state)
{
  (void)state;
  for (uint32_t i = 0; tny_algorithms[i]; i++) {
    const struct tny_problem problem = {
        .collective = tny_algorithms[i]->collective, .rank_count = 5, .root = 0};
    const struct tny_pace pace = {.chunk_count = 3, .window = 2};
    struct tny_schedule *planned, *read;
    char *first, *second;
    if (tny_algorithm_refusal(tny_algorithms[i], &problem))
      continue;
    assert_int_equal(tny_plan_all(tny_algorithms[i], &problem, pace, &planned, NULL), TNY_OK);
    assert_int_equal(tny_schedule_write(planned, &first, NULL), TNY_OK);
    assert_int_equal(tny_schedule_read(first, "planned", &read, NULL), TNY_OK);
    assert_int_equal(tny_schedule_write(read, &second, NULL), TNY_OK);
    assert_string_equal(first, second);
    tny_text_free(second);
    tny_schedule_free(read);
    tny_text_free(first);
    tny_schedule_free(planned);
  }
}

static void comments_blank_lines_and_ranks_in_any_order_are_fine(void **state)
{
  (void)state;
  struct tny_schedule *schedule;
  const char *text = "# a plan\n\n" HEADER "rank 1 # nothing to do\r\n\n  rank 0\n"
                     "\t0 copy input[0] 1/2 to scratch[0] 1/2 # half";
  assert_int_equal(tny_schedule_read(text, "good", &schedule, NULL), TNY_OK);
  assert_int_equal(schedule->ranks[0].count, 1);
  assert_int_equal(schedule->ranks[0].steps[0].target.buffer, TNY_SCRATCH);
  assert_int_equal(schedule->ranks[0].steps[0].target.chunk, 1);
  tny_schedule_free(schedule);
}

struct fault {
  const char *text;
  unsigned line, column;
  const char *says;
};

static const struct fault faults[] = {
    {"", 1, 1, "\"tourney\" belongs here"},
    {"tourney schedule 2\n", 1, 18, "\"1\" belongs here, not \"2\""},
    {"tourney schedule 1\ncollective sum\n", 2, 12,
     "reduce, reducescatter, allreduce or barrier, not \"sum\""},
    {"tourney schedule 1\ncollective bcast\nranks 4000000000\n", 3, 7, "not \"4000000000\""},
    {"tourney schedule 1\ncollective bcast\nranks 99999999999999999999\n", 3, 7,
     "not \"99999999999999999999\""},
    {"tourney schedule 1\ncollective bcast\nranks 0\n", 3, 1, "1 rank or more"},
    {"tourney schedule 1\ncollective bcast\nranks 1\nroot 1\n", 4, 6, "from 0 to 0"},
    {"tourney schedule 1\ncollective bcast\nranks 1\nroot 0 0\n", 4, 8, "should end before \"0\""},
    {"tourney schedule 1\ncollective bcast\nranks 1\nroot 0\nchunks 1\n", 5, 1, "\"algorithm\""},
    {"tourney schedule 1\ncollective bcast\nranks 1\nroot 0\nalgorithm x\nchunks 0\nscratch 0\n", 6,
     1, "1 chunk or more"},
    {"tourney schedule 1\ncollective bcast\nranks 1\nroot 0\nalgorithm x\nchunks 2000000\n", 6, 8,
     "not \"2000000\""},
    {HEADER "operation associative\nrank 0\n", 8, 11, "\"commutative\" belongs here"},
    {HEADER "rank 0\n0 reduce-left 1 input[0]\n", 9, 15, "blocks are written"},
    {HEADER "rank 0\n", 9, 1, "rank 1 is missing"},
    {HEADER "rank 0\nrank 0\n", 9, 6, "rank 0 is here twice"},
    {HEADER "rank 2\n", 8, 6, "from 0 to 1"},
    {HEADER "rank 0\n1 send 1 input[0]\n", 9, 1, "rank 0's next step is 0, not 1"},
    {HEADER "rank 0\n0 shout 1 input[0]\n", 9, 3, "not \"shout\""},
    {HEADER "rank 0\n0 send 2 input[0]\n", 9, 8, "from 0 to 1"},
    {HEADER "rank 0\n0 send 0 input[0]\n", 9, 8, "can't send to itself"},
    {HEADER "rank 0\n0 send 1\n", 9, 9, "blocks are written"},
    {HEADER "rank 0\n0 send 1 inputs[0]\n", 9, 10, "blocks are written"},
    {HEADER "rank 0\n0 send 1 input[2]\n", 9, 10, "input has 2 blocks here"},
    {HEADER "rank 0\n0 send 1 input[1..0]\n", 9, 10, "a range goes up"},
    {HEADER "rank 0\n0 send 1 input[0..2]\n", 9, 10, "input has 2 blocks here"},
    {HEADER "rank 0\n0 send 1 scratch[1]\n", 9, 10, "scratch has 1 blocks here"},
    {HEADER "rank 0\n0 send 1 input[0]x\n", 9, 10, "input[0]x"},
    {HEADER "rank 0\n0 send 1 input[0\n", 9, 10, "input has 2 blocks"},
    {HEADER "rank 0\n0 send 1 input[0] 0/3\n", 9, 19, "with C and D from 0 to 1"},
    {HEADER "rank 0\n0 send 1 input[0] 2/2\n", 9, 19, "written C/2"},
    {HEADER "rank 0\n0 send 1 input[0] 0\n", 9, 19, "written C/2"},
    {HEADER "rank 0\n0 send 1 input[0] phase 4294967295\n", 9, 25, "a phase is a number"},
    {HEADER "rank 0\n0 send 1 input[0] after 0\n", 9, 25, "earlier steps only"},
    {HEADER "rank 0\n0 token-out 1\n1 token-out 1 after 0;0\n", 10, 22, "a comma belongs"},
    {HEADER "rank 0\n0 token-out 1\n1 token-out 1 after 0,\n", 10, 23, "earlier steps only"},
    {HEADER "rank 0\n0 token-out 1 x\n", 9, 15, "should end before \"x\""},
    {HEADER "rank 0\n0 copy input[0] output[0]\n", 9, 17, "\"to\" belongs here"},
    {HEADER "rank 0\n\x1b[2J\n", 9, 1, "plain text"},
    {HEADER "rank 0\n0 s\xc3\xa4nd\n", 9, 4, "plain text"},
};

static void what_is_wrong_is_told_with_line_and_column(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    struct tny_schedule *schedule;
    struct tny_error error = {0};
    assert_int_equal(tny_schedule_read(faults[i].text, "bad.sched", &schedule, &error),
                     TNY_BAD_INPUT);
    assert_null(schedule);
    if (!strstr(error.text, faults[i].says) || error.line != faults[i].line ||
        error.column != faults[i].column)
      fail_msg("fault %zu: %u:%u: %s", i, error.line, error.column, error.text);
    assert_string_equal(error.file, "bad.sched");
  }
}

/* --- memory --- */

/* As schedule.h says. */
enum { READING_BYTES_ALWAYS = 1 << 20, READING_BYTES_A_CHARACTER = 128 };

/* Reads a text and holds what it took to its length. */
static enum tny_status read_in_proportion(const char *text, struct tny_error *error)
{
  struct tny_schedule *schedule;
  const uint64_t before = tny_alloc_bytes();
  const enum tny_status status = tny_schedule_read(text, "test", &schedule, error);
  const uint64_t bytes = tny_alloc_bytes() - before;
  if (bytes > READING_BYTES_ALWAYS + READING_BYTES_A_CHARACTER * (uint64_t)strlen(text))
    fail_msg("reading %zu characters took %llu bytes: %.80s", strlen(text),
             (unsigned long long)bytes, text);
  if (status == TNY_OK) {
    const struct tny_error none = {0};
    const enum tny_status proved = tny_verify_schedule(schedule, NULL, NULL);
    *error = none;
    assert_true(proved == TNY_OK || proved == TNY_BROKEN);
  }
  tny_schedule_free(schedule);
  return status;
}

/* A head, something behind it, and an empty list for each rank. */
static char *text_of(const char *collective, uint32_t ranks, const char *rest)
{
  struct tny_text text = {0};
  char *taken;
  tny_text_add(&text, "tourney schedule 1\ncollective %s\nranks %u\nroot 0\nalgorithm x\n%s\n",
               collective, ranks, rest);
  for (uint32_t rank = 0; rank < ranks; rank++)
    tny_text_add(&text, "rank %u\n", rank);
  assert_int_equal(tny_text_take(&text, &taken, NULL), TNY_OK);
  return taken;
}

static void reading_takes_memory_in_proportion_to_the_text(void **state)
{
  (void)state;
  static const struct {
    const char *collective;
    uint32_t ranks;
    const char *rest;
    const char *says; /* NULL: it is read */
  } texts[] = {
      {"alltoall", 32768, "chunks 1\nscratch 0\nwanted none", "neither send nor receive"},
      {"alltoall", 2896, "chunks 1\nscratch 0\nwanted none", NULL},
      {"bcast", 3, "chunks 1048576\nscratch 0",
       "3 ranks with 0 scratch blocks, each block in 1048576 chunks, are more than a text of"},
      {"bcast", 1, "chunks 1048576\nscratch 0", NULL},
      {"bcast", 1, "chunks 1048576\nscratch 1", "can use"},
      {"bcast", 1, "chunks 1\nscratch 1048576", NULL},
      {"bcast", 1, "chunks 1048576\nscratch 1048576", "can use"},
      {"allgather", 3000, "chunks 1\nscratch 0", NULL},
      {"allgather", 3000, "chunks 2\nscratch 0", "can use"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct tny_error error = {0};
    char *text = text_of(texts[i].collective, texts[i].ranks, texts[i].rest);
    const enum tny_status status = read_in_proportion(text, &error);
    if (status != (texts[i].says ? TNY_BAD_INPUT : TNY_OK) ||
        (texts[i].says && !strstr(error.text, texts[i].says)))
      fail_msg("text %zu: status %d, %s", i, (int)status, error.text);
    tny_text_free(text);
  }
}

static void long_lists_of_steps_take_memory_in_proportion(void **state)
{
  (void)state;
  struct tny_text text = {0};
  struct tny_error error = {0};
  char *taken;
  tny_text_add(&text, HEADER "rank 0\n");
  for (uint32_t i = 0; i < 100000; i++)
    tny_text_add(&text, i == 0 ? "%u token-out 1\n" : "%u token-out 1 after 0\n", i);
  tny_text_add(&text, "rank 1\n");
  assert_int_equal(tny_text_take(&text, &taken, NULL), TNY_OK);
  read_in_proportion(taken, &error);
  tny_text_free(taken);
}

/* The largest that a plan's text asks for a character: Bruck's steps move many blocks at once. */
static void plans_that_say_much_in_few_lines_are_read(void **state)
{
  (void)state;
  static const char *const names[] = {"bruck", "combining", "recursive-doubling"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const enum tny_collective collective = i == 0 ? TNY_ALLTOALL : TNY_ALLGATHER;
    const struct tny_problem problem = {.collective = collective, .rank_count = 512};
    struct tny_schedule *planned, *read;
    struct tny_error error = {0};
    char *text;
    assert_int_equal(tny_plan_all(tny_algorithm_find(collective, names[i]), &problem,
                                  (struct tny_pace){.chunk_count = 3}, &planned, NULL),
                     TNY_OK);
    assert_int_equal(tny_schedule_write(planned, &text, NULL), TNY_OK);
    if (tny_schedule_read(text, "planned", &read, &error) != TNY_OK)
      fail_msg("%s: %s", names[i], error.text);
    tny_schedule_free(read);
    tny_text_free(text);
    tny_schedule_free(planned);
  }
}

/* Random numbers in a head: whatever they are, they cost no more. */
static void random_heads_take_memory_in_proportion(void **state)
{
  (void)state;
  uint64_t counter = 11;
  uint32_t read = 0;
  for (int i = 0; i < 300; i++) {
    static const char *const collectives[] = {"bcast", "allgather", "alltoall"};
    struct tny_error error = {0};
    char rest[100];
    const uint64_t draw = tny_random_next(&counter);
    snprintf(rest, sizeof rest, "chunks %u\nscratch %u%s",
             1 + (uint32_t)(draw % 1048576) % (1u << draw / 7 % 21),
             (uint32_t)(draw >> 20 & 1048575) % (1u << draw / 11 % 21),
             draw % 3 == 2 && draw / 3 % 2 ? "\nwanted none" : "");
    char *text =
        text_of(collectives[draw % 3], 1 + (uint32_t)(draw >> 40) % (1u << draw / 13 % 13), rest);
    read += read_in_proportion(text, &error) == TNY_OK;
    tny_text_free(text);
  }
  assert_true(read > 30 && read < 270);
}

static void every_cut_of_a_good_text_is_read_or_refused(void **state)
{
  (void)state;
  char text[sizeof good];
  for (size_t length = 0; length < sizeof good; length++) {
    struct tny_schedule *schedule;
    memcpy(text, good, length);
    text[length] = '\0';
    if (tny_schedule_read(text, "cut", &schedule, NULL) == TNY_OK)
      tny_schedule_free(schedule);
  }
}

static enum tny_status read_good(const void *text, struct tny_error *error)
{
  struct tny_schedule *schedule;
  const enum tny_status status = tny_schedule_read(text, "good", &schedule, error);
  tny_schedule_free(schedule);
  return status;
}

static void reading_out_of_memory_says_so(void **state)
{
  (void)state;
  assert_true(starve(read_good, good) > 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reading_and_writing_gives_the_same_text),
      cmocka_unit_test(reductions_say_on_which_side_the_operand_is_and_what_they_serve),
      cmocka_unit_test(planned_schedules_round_trip),
      cmocka_unit_test(comments_blank_lines_and_ranks_in_any_order_are_fine),
      cmocka_unit_test(what_is_wrong_is_told_with_line_and_column),
      cmocka_unit_test(reading_takes_memory_in_proportion_to_the_text),
      cmocka_unit_test(long_lists_of_steps_take_memory_in_proportion),
      cmocka_unit_test(plans_that_say_much_in_few_lines_are_read),
      cmocka_unit_test(random_heads_take_memory_in_proportion),
      cmocka_unit_test(every_cut_of_a_good_text_is_read_or_refused),
      cmocka_unit_test(reading_out_of_memory_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
