/* What is wrong in other tools' forms is told with its line: a table for GOAL, one for MSCCL's
   XML. */
#include "exchange_support.h"

struct fault {
  const char *text;
  enum tny_status status;
  unsigned line, column; /* column 0: whatever */
  const char *says;
};

#define TWO "num_ranks 2\n"
#define OTHER "rank 1 {\nr: recv 8b from 0\n}\n"
#define HEAD                                                                                       \
  "// tourney allgather ranks 2 root 0 algorithm x chunks 2 scratch 0 block 8\nnum_ranks 2\n"

static const struct fault goal[] = {
    {"num_ranks", TNY_BAD_INPUT, 1, 10, "num_ranks is a number"},
    {"// nothing\n", TNY_BAD_INPUT, 2, 1, "num_ranks is missing"},
    {"num_ranks 0\n", TNY_BAD_INPUT, 1, 11, "1 rank or more"},
    {"num_ranks 4000000000\n", TNY_BAD_INPUT, 1, 11, "num_ranks is a number from 0 to"},
    {"num_ranks 99999999999999999999\n", TNY_BAD_INPUT, 1, 11, "num_ranks is a number"},
    {"num_ranks 1\nnum_ranks 1\n", TNY_BAD_INPUT, 2, 11, "num_ranks is here twice"},
    {"rank 0 {\n}\n", TNY_BAD_INPUT, 1, 6, "num_ranks belongs before"},
    {"num_ranks 1\nrank x {\n}\n", TNY_BAD_INPUT, 2, 6, "a rank is a number from 0 to 0"},
    {"num_ranks 1\nrank 1 {\n}\n", TNY_BAD_INPUT, 2, 6, "a rank is a number from 0 to 0"},
    {"num_ranks 1\nrank 0\n{\n}\n", TNY_BAD_INPUT, 2, 7, "{ belongs behind the rank"},
    {"num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n", TNY_BAD_INPUT, 4, 6, "rank 0 is here twice"},
    {"num_ranks 1\nranks 0 {\n}\n", TNY_BAD_INPUT, 2, 1, "rank and its number belongs here"},
    {TWO "rank 0 {\ns: send 8b to 1\n}\n", TNY_BAD_INPUT, 5, 1, "rank 1 is missing"},
    {TWO "rank 0 {\ns: send 8b to 1\n" OTHER, TNY_BAD_INPUT, 4, 1, "a } is missing before"},
    {TWO "rank 0 {\ns: send 8b to 1\n", TNY_BAD_INPUT, 4, 1, "has no } at its end"},
    {TWO "rank 0 {\n/* s: send 8b to 1\n}\n" OTHER, TNY_BAD_INPUT, 8, 1, "*/ is missing"},
    {TWO "rank 0 {\ns: shout 8b to 1\n}\n" OTHER, TNY_BAD_INPUT, 3, 4, "not \"shout\""},
    {TWO "rank 0 {\ns send 8b to 1\n}\n" OTHER, TNY_BAD_INPUT, 3, 3, "behind the label \"s\""},
    {TWO "rank 0 {\ns: send b to 1\n}\n" OTHER, TNY_BAD_INPUT, 3, 9, "a size is a number"},
    {TWO "rank 0 {\ns: send -8b to 1\n}\n" OTHER, TNY_BAD_INPUT, 3, 9, "a size is a number"},
    {TWO "rank 0 {\ns: send 99999999999999999999b to 1\n}\n" OTHER, TNY_BAD_INPUT, 3, 9,
     "a size is a number"},
    {TWO "rank 0 {\ns: send 8 to 1\n}\n" OTHER, TNY_BAD_INPUT, 3, 11, "'b' belongs behind a size"},
    {TWO "rank 0 {\ns: send 8b from 1\n}\n" OTHER, TNY_BAD_INPUT, 3, 0, "\"to\" belongs here"},
    {TWO "rank 0 {\ns: send 8b to 2\n}\n" OTHER, TNY_BAD_INPUT, 3, 15, "from 0 to 1"},
    {TWO "rank 0 {\ns: send 8b to 0\n}\n" OTHER, TNY_BAD_INPUT, 3, 15, "can't send to itself"},
    {TWO "rank 0 {\ns: recv 8b from -1\n}\n" OTHER, TNY_BAD_INPUT, 3, 17, "give the rank"},
    {TWO "rank 0 {\ns: send 8b to 1 tag -1\n}\n" OTHER, TNY_BAD_INPUT, 3, 21, "give the tag"},
    {TWO "rank 0 {\ns: send 8b to 1 tag\n}\n" OTHER, TNY_BAD_INPUT, 3, 20, "tag is a number"},
    {TWO "rank 0 {\ns: send 8b to 1 colour 3\n}\n" OTHER, TNY_BAD_INPUT, 3, 17, "not \"colour\""},
    {TWO "rank 0 {\ns: send 8b to 1 cpu 0 tag 1\n}\n" OTHER, TNY_BAD_INPUT, 3, 23, "in this order"},
    {TWO "rank 0 {\ns: send 8b to 1 tag 1 tag 1\n}\n" OTHER, TNY_BAD_INPUT, 3, 23, "each once"},
    {TWO "rank 0 {\ns: send 8b to 1 cpu 256\n}\n" OTHER, TNY_BAD_INPUT, 3, 21, "cpu is a number"},
    {TWO "rank 0 {\nc: calc 8b\n}\n" OTHER, TNY_BAD_INPUT, 3, 10, "not \"b\""},
    {TWO "rank 0 {\nc: calc 8 nic 0\n}\n" OTHER, TNY_BAD_INPUT, 3, 11, "not \"nic\""},
    {TWO "rank 0 {\ns: send 8b to 1;\n}\n" OTHER, TNY_BAD_INPUT, 3, 16, "should end before \";\""},
    {TWO "rank 0 {\ns: send 8b to 1\ns: calc 1\n}\n" OTHER, TNY_BAD_INPUT, 4, 1,
     "two operations called s (line 3)"},
    {TWO "rank 0 {\ns: send 8b to 1\ns requires t\n}\n" OTHER, TNY_BAD_INPUT, 4, 12,
     "no operation called t"},
    {TWO "rank 0 {\ns: send 8b to 1\ns requires\n}\n" OTHER, TNY_BAD_INPUT, 4, 11,
     "the label of another operation"},
    {TWO "rank 0 {\nr requires s\ns: send 8b to 1\n}\n" OTHER, TNY_BAD_INPUT, 3, 1,
     "no operation called r before this line"},
    /* Labels of another rank aren't those of this one. */
    {TWO "rank 0 {\ns: send 8b to 1\n}\nrank 1 {\nr: recv 8b from 0\nr requires s\n}\n",
     TNY_BAD_INPUT, 7, 12, "rank 1 has no operation called s"},
    {TWO "rank 0 {\ns: send 8b to 1\ns requires s\n}\n" OTHER, TNY_BROKEN, 3, 0,
     "waits for itself"},
    {TWO "rank 0 {\ns: send 8b to 1\nc: calc 1\ns requires c\nc irequires s\n}\n" OTHER, TNY_BROKEN,
     3, 0, "deadlock: rank 0's send to 1 (line 3) waits for rank 0's calc (line 4)"},
    {TWO "rank 0 {\n}\n" OTHER, TNY_BROKEN, 5, 0, "rank 1's recv from 0 (line 5) has no send at"},
    {TWO "rank 0 {\ns: send 8b to 1\nt: send 8b to 1 tag 1\n}\n" OTHER, TNY_BROKEN, 4, 0,
     "has no recv at rank 1 on tag 1"},
    {TWO "rank 0 {\ns: send 9b to 1\n}\n" OTHER, TNY_BROKEN, 6, 0,
     "rank 1's recv from 0 (line 6) is 8 bytes, but rank 0's send to 1 (line 3) is 9"},
    {HEAD "rank 0 {\ns: send 8b to 1\n}\n" OTHER, TNY_BAD_INPUT, 4, 4, "should say what this"},
    {HEAD "rank 0 {\n// tourney input[2]\ns: send 8b to 1\n}\n" OTHER, TNY_BAD_INPUT, 4, 12,
     "input has 1 blocks here"},
    {HEAD "rank 0 {\n// tourney input[0]\n// tourney input[0]\n}\n", TNY_BAD_INPUT, 5, 12,
     "an operation belongs between"},
    {HEAD "rank 0 {\n// tourney input[0]\n}\n", TNY_BAD_INPUT, 5, 2, "in line 4 belongs before"},
    {HEAD "rank 0 {\n// tourney copy input[0] to output[0]\ns: send 8b to 1\n}\n", TNY_BAD_INPUT, 5,
     4, "should say what this"},
    {HEAD "rank 0 {\n// tourney copy input[0] to output[0..1]\nc: calc 0\n}\n", TNY_BAD_INPUT, 5, 4,
     "copies more than it has room for"},
    {HEAD "rank 0 {\n// tourney input[0] 0/2\ns: send 8b to 1\n}\n", TNY_BAD_INPUT, 5, 4,
     "8 bytes, but the comment before says what has 4"},
    {"num_ranks 1\nrank 0 {\n// tourney input[0]\nc: calc 0\n}\n", TNY_BAD_INPUT, 3, 12,
     "none before num_ranks says"},
    {"// tourney sum ranks 2\n", TNY_BAD_INPUT, 1, 12, "begins with a collective, not \"sum\""},
    {"// tourney bcast ranks 2 root 2\n", TNY_BAD_INPUT, 1, 31, "from 0 to 1"},
    {"// tourney bcast ranks 1 root 0 algorithm x chunks 0\n", TNY_BAD_INPUT, 1, 52, "at least 1"},
    {"// tourney bcast ranks 1 root 0 algorithm x chunks 1 scratch 0 block 0\n", TNY_BAD_INPUT, 1,
     70, "1 byte or more"},
    {"// tourney bcast ranks 2 root 0 algorithm x chunks 1048576 scratch 1048576 block 8\n",
     TNY_BAD_INPUT, 1, 0, "are too many"},
    {HEAD "num_ranks 2\n", TNY_BAD_INPUT, 3, 11, "num_ranks is here twice"},
    {"// tourney bcast ranks 2 root 0 algorithm x chunks 1 scratch 0 block 8\nnum_ranks 1\n",
     TNY_BAD_INPUT, 2, 11, "the comment before says 2 ranks"},
    {"// tourney bcast ranks 2 root 0 algorithm x chunks 1 scratch 0 block 8\n"
     "// tourney wanted none\n",
     TNY_BAD_INPUT, 2, 12, "only an alltoall"},
};

#define ALGO "<algo name=\"t\" nchunksperloop=\"2\" ngpus=\"2\" coll=\"alltoall\" inplace=\"0\">\n"
#define GPU(id) "<gpu id=\"" id "\" i_chunks=\"2\" o_chunks=\"2\" s_chunks=\"1\">\n"
#define TB(id, send, recv) "<tb id=\"" id "\" send=\"" send "\" recv=\"" recv "\" chan=\"0\">\n"
#define STEP(s, type, dep)                                                                         \
  "<step s=\"" s "\" type=\"" type "\" srcbuf=\"i\" srcoff=\"0\" dstbuf=\"o\" dstoff=\"0\" "       \
  "cnt=\"1\" depid=\"" dep "\" deps=\"0\" hasdep=\"0\"/>\n"
#define END "</tb></gpu></algo>"
#define REST "</tb></gpu>\n" GPU("1") "</gpu></algo>"

static const struct fault msccl[] = {
    {"<algo", TNY_BAD_INPUT, 1, 0, "this isn't XML"},
    {ALGO "</gpu>", TNY_BAD_INPUT, 2, 0, "this isn't XML: mismatched tag"},
    {"<gpu/>", TNY_BAD_INPUT, 1, 0, "<gpu> doesn't belong here, but <algo>"},
    {"<!DOCTYPE algo [<!ENTITY a \"b\">]><algo/>", TNY_BAD_INPUT, 1, 0, "document type"},
    {"<algo/>", TNY_BAD_INPUT, 1, 0, "<algo> wants the attribute ngpus"},
    {"<algo ngpus=\"0\"/>", TNY_BAD_INPUT, 1, 0, "ngpus of <algo> is a number from 1"},
    {"<algo ngpus=\"1000000\"/>", TNY_BAD_INPUT, 1, 0, "not \"1000000\""},
    {"<algo ngpus=\"2x\"/>                          ", TNY_BAD_INPUT, 1, 0, "not \"2x\""},
    {"<algo name=\"t\" nchunksperloop=\"2\" ngpus=\"2\" coll=\"allreduce\" inplace=\"1\"/>",
     TNY_REFUSED, 1, 0, "not \"allreduce\""},
    {"<algo name=\"t\" nchunksperloop=\"2\" ngpus=\"2\" coll=\"alltoall\" inplace=\"1\"/>",
     TNY_REFUSED, 1, 0, "alltoall in place"},
    {"<algo name=\"t\" nchunksperloop=\"3\" ngpus=\"2\" coll=\"alltoall\" inplace=\"0\"/>",
     TNY_BAD_INPUT, 1, 0, "2 GPUs can't share evenly"},
    {ALGO "<tb/></algo>", TNY_BAD_INPUT, 2, 0, "<tb> doesn't belong here, but <gpu>"},
    {ALGO "<gpu id=\"2\" i_chunks=\"2\" o_chunks=\"2\" s_chunks=\"0\"/></algo>", TNY_BAD_INPUT, 2,
     0, "id of <gpu> is a number from 0 to 1"},
    {ALGO "<gpu id=\"0\" i_chunks=\"2\" o_chunks=\"2\"/></algo>", TNY_BAD_INPUT, 2, 0,
     "<gpu> wants the attribute s_chunks"},
    {ALGO GPU("0") "</gpu></algo>", TNY_BAD_INPUT, 3, 0, "GPU 1 is missing"},
    {ALGO GPU("0") "</gpu>\n" GPU("0") "</gpu></algo>", TNY_BAD_INPUT, 4, 0, "here twice"},
    {ALGO GPU("0") TB("0", "0", "-1") END, TNY_BAD_INPUT, 3, 0, "talks to itself"},
    {ALGO GPU("0") TB("1", "1", "-1") END, TNY_BAD_INPUT, 3, 0, "threadblock 0 is missing"},
    {ALGO GPU("0") TB("0", "1", "-1") "</tb>" TB("0", "-1", "1") END, TNY_BAD_INPUT, 4, 0,
     "threadblock 0 is here twice"},
    {ALGO GPU("0") TB("0", "1", "-1") STEP("0", "s", "-1") "</tb>\n" TB("1", "1", "-1")
         STEP("0", "s", "-1") END,
     TNY_BAD_INPUT, 6, 0, "GPU 0 has two threadblocks that send to GPU 1 on channel 0"},
    {ALGO GPU("0") TB("0", "1", "-1") STEP("1", "s", "-1") END, TNY_BAD_INPUT, 4, 0,
     "next step is 0, not 1"},
    {ALGO GPU("0") TB("0", "1", "-1") STEP("0", "r", "-1") END, TNY_BAD_INPUT, 4, 0,
     "this step receives, but its threadblock names no GPU"},
    {ALGO GPU("0") TB("0", "1", "-1") STEP("0", "shout", "-1") END, TNY_BAD_INPUT, 4, 0,
     "not \"shout\""},
    {ALGO GPU("0") TB("0", "1", "1") STEP("0", "rrc", "-1") END, TNY_REFUSED, 4, 0,
     "a step of type rrc adds data up"},
    {ALGO GPU("0") TB("0", "1", "1") STEP("0", "re", "-1") END, TNY_REFUSED, 4, 0, "adds data up"},
    {ALGO GPU("0") TB("0", "1", "-1") "<step s=\"0\"/>" END, TNY_BAD_INPUT, 4, 0,
     "<step> wants the attribute depid"},
    {ALGO GPU("0") TB("0", "1", "-1") "<step s=\"0\" depends=\"1\"/>" END, TNY_BAD_INPUT, 4, 0,
     "<step> has no attribute depends"},
    {ALGO GPU("0")
         TB("0", "1", "-1") "<step s=\"0\" type=\"s\" srcbuf=\"x\" srcoff=\"0\" cnt=\"1\" "
                            "depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>" END,
     TNY_BAD_INPUT, 4, 0, "srcbuf is i, o or s, not \"x\""},
    {ALGO GPU("0")
         TB("0", "1", "-1") "<step s=\"0\" type=\"s\" srcbuf=\"i\" srcoff=\"1\" cnt=\"2\" "
                            "depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>" END,
     TNY_BAD_INPUT, 4, 0, "chunks 1 to 2 of i, which has 2 chunks here"},
    {ALGO GPU("0") TB("0", "1", "-1") STEP("0", "nop", "-1") END, TNY_BAD_INPUT, 4, 0,
     "a nop that waits for no step"},
    {ALGO GPU("0") TB("0", "1", "-1") STEP("0", "nop", "0") STEP("1", "s", "-1") END, TNY_BAD_INPUT,
     5, 0, "a step behind a nop has to wait"},
    {ALGO GPU("0") TB("0", "1", "-1") STEP("0", "s", "7") END, TNY_BROKEN, 4, 0,
     "this step waits for step 0 of threadblock 7, which this GPU doesn't have"},
    {ALGO GPU("0") TB("0", "1", "-1") "</tb>\n" TB("1", "-1", "1") STEP("0", "r", "0") END,
     TNY_BROKEN, 6, 0, "which doesn't have that step"},
    {ALGO GPU("0") TB("0", "1", "-1") STEP("0", "s", "-1") "</tb>\n" TB("1", "-1", "1")
         STEP("0", "r", "0") END,
     TNY_BROKEN, 7, 0, "never tells when that step is done"},
    {ALGO GPU("0") TB("0", "1", "-1") STEP("0", "s", "-1") REST, TNY_BROKEN, 4, 0,
     "rank 0's send to 1 (line 4) has no recv at rank 1 on channel 0"},
    {ALGO GPU("0") TB("0", "1", "-1") REST, TNY_BROKEN, 0, 0,
     "rank 0 ends without input chunk 0 of rank 0: nothing writes output chunk 0"},
    {"<algo name=\"t\" nchunksperloop=\"2\" ngpus=\"2\" coll=\"broadcast\" inplace=\"0\">\n" GPU(
         "0") TB("0", "1", "-1") REST,
     TNY_BROKEN, 0, 0, "GPUs 0 and 1 receive nothing"},
};

/* An all-gather of one GPU, right but for two chunks of its scratch copied onto one of them; and
   with a copy of something to where it is, which changes nothing. */
#define CPY(s, from, from_at, to, to_at, count)                                                    \
  "<step s=\"" s "\" type=\"cpy\" srcbuf=\"" from "\" srcoff=\"" from_at "\" dstbuf=\"" to         \
  "\" dstoff=\"" to_at "\" cnt=\"" count "\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n"
#define COPIES(last)                                                                               \
  "<algo name=\"t\" nchunksperloop=\"2\" ngpus=\"1\" coll=\"allgather\" inplace=\"0\">\n"          \
  "<gpu id=\"0\" i_chunks=\"2\" o_chunks=\"2\" s_chunks=\"4\">\n" TB("0", "-1", "-1")              \
      CPY("0", "i", "0", "o", "0", "2") CPY("1", "i", "0", "s", "0", "2") last END

static const struct fault onto_itself[] = {
    {COPIES(CPY("2", "s", "0", "s", "1", "2")), TNY_BROKEN, 6, 0,
     "rank 0's copy (line 6) writes scratch chunk 1, which it reads itself"},
    {COPIES(CPY("2", "s", "0", "s", "2", "2") CPY("3", "s", "1", "s", "0", "2")), TNY_BROKEN, 7, 0,
     "rank 0's copy (line 7) writes scratch chunk 1, which it reads itself"},
    {COPIES(CPY("2", "s", "0", "s", "2", "2")), TNY_OK, 0, 0, ""},
    {COPIES(CPY("2", "s", "0", "s", "0", "2")), TNY_OK, 0, 0, ""},
};

static void check(const struct fault *fault)
{
  struct tny_foreign_report report;
  struct tny_error error = {0};
  const enum tny_status status = prove_text(fault->text, NULL, &report, &error);
  if (status != fault->status || !strstr(error.text, fault->says) || error.line != fault->line ||
      (fault->column && error.column != fault->column))
    fail_msg("%s\ngives %d %u:%u: %s\ninstead of %d %u:%u: %s", fault->text, status, error.line,
             error.column, error.text, fault->status, fault->line, fault->column, fault->says);
  if (fault->status != TNY_OK)
    assert_string_equal(error.file, "test");
}

static void check_all(const struct fault *faults, size_t count)
{
  for (size_t i = 0; i < count; i++)
    check(&faults[i]);
}

static void what_is_wrong_in_goal_is_told_with_its_line(void **state)
{
  (void)state;
  check_all(goal, sizeof goal / sizeof *goal);
}

static void what_is_wrong_in_msccls_xml_is_told_with_its_line(void **state)
{
  (void)state;
  check_all(msccl, sizeof msccl / sizeof *msccl);
}

static void a_copy_onto_what_it_reads_is_told_with_its_line(void **state)
{
  (void)state;
  check_all(onto_itself, sizeof onto_itself / sizeof *onto_itself);
}

static void a_brace_that_is_missing_in_a_file_is_told_with_its_line(void **state)
{
  (void)state;
  struct tny_foreign_report report;
  struct tny_error error = {0};
  char *text = read_fixture("cut.goal");
  assert_int_equal(prove_text(text, NULL, &report, &error), TNY_BAD_INPUT);
  assert_int_equal(error.line, 5);
  tny_text_free(text);
}

static void a_goal_file_without_data_is_no_schedule_of_ours(void **state)
{
  (void)state;
  char *text = read_fixture("alltoall3.goal");
  struct tny_foreign *foreign;
  struct tny_foreign_report report;
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  assert_int_equal(read_foreign(text, &foreign, NULL), TNY_OK);
  assert_int_equal(tny_foreign_verify(foreign, NULL, &report, NULL), TNY_OK);
  assert_int_equal(tny_foreign_schedule(foreign, &schedule, &error), TNY_REFUSED);
  assert_null(schedule);
  assert_non_null(strstr(error.text, "doesn't say which blocks"));
  tny_foreign_free(foreign);
  tny_text_free(text);
}

static void forms_are_told_by_how_they_begin(void **state)
{
  (void)state;
  assert_int_equal(tny_form_of("tourney schedule 1\n"), TNY_FORM_STEPS);
  assert_int_equal(tny_form_of("# a comment\n"), TNY_FORM_STEPS);
  assert_int_equal(tny_form_of(""), TNY_FORM_STEPS);
  assert_int_equal(tny_form_of("\n\n num_ranks 2"), TNY_FORM_GOAL);
  assert_int_equal(tny_form_of("rank 0 {"), TNY_FORM_GOAL);
  assert_int_equal(tny_form_of("/* made by hand */"), TNY_FORM_GOAL);
  assert_int_equal(tny_form_of("\xef\xbb\xbf<?xml version=\"1.0\"?>"), TNY_FORM_MSCCL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_wrong_in_goal_is_told_with_its_line),
      cmocka_unit_test(what_is_wrong_in_msccls_xml_is_told_with_its_line),
      cmocka_unit_test(a_copy_onto_what_it_reads_is_told_with_its_line),
      cmocka_unit_test(a_brace_that_is_missing_in_a_file_is_told_with_its_line),
      cmocka_unit_test(a_goal_file_without_data_is_no_schedule_of_ours),
      cmocka_unit_test(forms_are_told_by_how_they_begin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
