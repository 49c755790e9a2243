/* MSCCL's executors read a file into tables of fixed size, and refuse what doesn't fit. What we
   write is held to the rules of their parsers, written down here once more and by themselves, and
   what breaks one of them is refused by our reader too. */
#include "exchange/msccl/names.h"
#include "exchange_support.h"
#include "support/sample.h"

/* The rules of microsoft/msccl's parser, and the widths of what it stores. */
enum {
  STEPS = 256,     /* a step's number is less */
  SENDERS = 32,    /* threadblocks of a GPU that send on a channel, and as many that receive */
  CHANNELS = 32,   /* a channel's number is less */
  COUNT = 72,      /* a step's chunks are less */
  WAITED = 128,    /* a threadblock that is waited for has a number less: it's an int8_t */
  OFFSET = 32768,  /* an offset is less: it's an int16_t */
  BLOCKS = 1024,   /* of RCCL and msccl-executor-nccl; 216 of microsoft/msccl */
  ELEMENTS = 4096, /* of a file that a GPU keeps */
};

/* What a GPU has of each, as its lines are read. */
struct gpu {
  bool seen[BLOCKS];
  uint32_t blocks, steps, elements;
  uint32_t sends[CHANNELS], receives[CHANNELS];
};

struct totals {
  uint32_t gpus, channels, steps_most, blocks_most;
};

static void take_block(struct gpu *gpu, const char *line, struct totals *totals)
{
  unsigned id, channel;
  int send, recv;
  assert_int_equal(sscanf(line, " <tb id=\"%u\" send=\"%d\" recv=\"%d\" chan=\"%u\">", &id, &send,
                          &recv, &channel),
                   4);
  assert_true(id < BLOCKS && !gpu->seen[id] && channel < CHANNELS);
  gpu->seen[id] = true;
  gpu->blocks++;
  gpu->elements++;
  gpu->steps = 0;
  gpu->sends[channel] += send >= 0;
  gpu->receives[channel] += recv >= 0;
  assert_true(gpu->sends[channel] <= SENDERS && gpu->receives[channel] <= SENDERS);
  if (channel + 1 > totals->channels)
    totals->channels = channel + 1;
}

static void take_step(struct gpu *gpu, const char *line, struct totals *totals)
{
  char type[8];
  unsigned step, from, to;
  int count, depid;
  assert_int_equal(sscanf(line,
                          " <step s=\"%u\" type=\"%7[a-z]\" srcbuf=\"%*[ios]\" srcoff=\"%u\" "
                          "dstbuf=\"%*[ios]\" dstoff=\"%u\" cnt=\"%d\" depid=\"%d\"",
                          &step, type, &from, &to, &count, &depid),
                   6);
  assert_true(step == gpu->steps && step < STEPS && from < OFFSET && to < OFFSET);
  assert_true(depid < WAITED);
  assert_true(strcmp(type, "nop") == 0 || (count > 0 && count < COUNT));
  gpu->elements++;
  if (++gpu->steps > totals->steps_most)
    totals->steps_most = gpu->steps;
}

static void end_gpu(const struct gpu *gpu, struct totals *totals)
{
  for (uint32_t id = 0; id < gpu->blocks; id++)
    assert_true(gpu->seen[id]);
  assert_true(gpu->elements + 1 + totals->gpus <= ELEMENTS);
  if (gpu->blocks > totals->blocks_most)
    totals->blocks_most = gpu->blocks;
}

/* Reads as the executors do, GPU by GPU. */
static struct totals read_as_msccl(const char *xml)
{
  struct totals totals = {0};
  struct gpu *gpu = calloc(1, sizeof *gpu);
  unsigned channels = 0;
  assert_non_null(gpu);
  assert_int_equal(
      sscanf(xml, "<algo name=\"%*[^\"]\" proto=\"Simple\" nchannels=\"%u\"", &channels), 1);
  for (const char *at = xml; *at; at = strchr(at, '\n') + 1) {
    char line[300];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    if (strncmp(line, "  <gpu ", 7) == 0) {
      *gpu = (struct gpu){0};
      totals.gpus++;
    } else if (strncmp(line, "    <tb ", 8) == 0) {
      take_block(gpu, line, &totals);
    } else if (strncmp(line, "      <step ", 12) == 0) {
      take_step(gpu, line, &totals);
    } else if (strncmp(line, "  </gpu>", 8) == 0) {
      end_gpu(gpu, &totals);
    }
  }
  assert_int_equal(channels, totals.channels);
  free(gpu);
  return totals;
}

/* Plans, writes, reads by the executors' rules and by ours, proves, and converts back. */
static struct totals check(const struct tny_algorithm *algorithm, uint32_t rank_count,
                           uint32_t chunk_count)
{
  struct tny_schedule *schedule =
      plan(algorithm, rank_count, 0, (struct tny_pace){.chunk_count = chunk_count});
  struct tny_schedule *again = NULL;
  struct tny_foreign *foreign = NULL;
  struct tny_foreign_report report;
  struct tny_error error = {0};
  char *xml = NULL;
  assert_non_null(schedule);
  if (tny_schedule_write_msccl(schedule, &xml, &error) != TNY_OK)
    fail_msg("%s of %u ranks, %u chunks: %s", algorithm->name, rank_count, chunk_count, error.text);
  const struct totals totals = read_as_msccl(xml);
  if (read_foreign(xml, &foreign, &error) != TNY_OK ||
      tny_foreign_verify(foreign, NULL, &report, &error) != TNY_OK ||
      tny_foreign_schedule(foreign, &again, &error) != TNY_OK ||
      tny_verify_schedule(again, NULL, &error) != TNY_OK)
    fail_msg("%s of %u ranks, %u chunks: line %u: %s", algorithm->name, rank_count, chunk_count,
             error.line, error.text);
  assert_int_equal(report.data, TNY_DATA_PROVED);
  assert_string_equal(report.rendezvous_deadlock, "");
  tny_schedule_free(again);
  tny_foreign_free(foreign);
  tny_text_free(xml);
  tny_schedule_free(schedule);
  return totals;
}

static struct totals check_named(enum tny_collective collective, const char *name,
                                 uint32_t rank_count, uint32_t chunk_count)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(collective, name);
  assert_non_null(algorithm);
  return check(algorithm, rank_count, chunk_count);
}

/* 32 peers a channel: 33 ranks are the last that one holds. */
static void shift_has_a_channel_for_every_32_peers(void **state)
{
  (void)state;
  assert_int_equal(check_named(TNY_ALLTOALL, "shift", 33, 1).channels, 1);
  assert_int_equal(check_named(TNY_ALLTOALL, "shift", 34, 1).channels, 2);
  assert_int_equal(check_named(TNY_ALLTOALL, "shift", 40, 1).channels, 2);
  assert_int_equal(check_named(TNY_ALLTOALL, "shift", 64, 1).channels, 2);
  assert_int_equal(check_named(TNY_ALLTOALL, "shift", 65, 1).channels, 2);
  assert_int_equal(check_named(TNY_ALLTOALL, "shift", 66, 1).channels, 3);
}

static void a_ring_of_257_steps_goes_on_in_a_second_threadblock(void **state)
{
  (void)state;
  const struct totals fits = check_named(TNY_ALLGATHER, "ring", 257, 1);
  assert_int_equal(fits.steps_most, 256);
  assert_int_equal(fits.channels, 1);
  const struct totals cut = check_named(TNY_ALLGATHER, "ring", 258, 1);
  assert_int_equal(cut.steps_most, 256);
  assert_int_equal(cut.channels, 2);
  assert_int_equal(check_named(TNY_ALLGATHER, "ring", 24, 40).channels, 4);
}

/* 64 blocks of one message are less than 72 chunks, 128 are more. */
static void long_messages_go_in_pieces(void **state)
{
  (void)state;
  assert_int_equal(check_named(TNY_ALLGATHER, "recursive-doubling", 256, 1).channels, 1);
  check_named(TNY_ALLGATHER, "recursive-doubling", 16, 20);
  check_named(TNY_BROADCAST, "pipelined-linear", 4, 300);
}

/* Every algorithm at ranks and chunks that want several channels and threadblocks. */
static void every_algorithm_keeps_the_limits(void **state)
{
  (void)state;
  static const struct {
    uint32_t ranks, chunks;
  } sizes[] = {{36, 1}, {48, 1}, {40, 3}, {9, 60}};
  uint32_t checked = 0;
  for (uint32_t a = 0; tny_algorithms[a]; a++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      const struct tny_problem problem = {.collective = tny_algorithms[a]->collective,
                                          .rank_count = sizes[i].ranks};
      if (!is_sampled() || !tny_msccl_name(problem.collective) ||
          tny_algorithm_refusal(tny_algorithms[a], &problem))
        continue;
      check(tny_algorithms[a], sizes[i].ranks, sizes[i].chunks);
      checked++;
    }
  assert_true(checked > sample_of(20));
}

static void what_no_executor_can_read_is_refused(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    uint32_t ranks, chunks;
    const char *error;
  } cases[] = {
      {"shift", 67, 1, "130 of rank 0's threadblocks are waited for"},
      {"shift", 2, 9000, "find no channel"},
      {"shift", 4, 1030, "elements of XML"},
      {"shift", 64, 600, "are too many for MSCCL's executors"},
      {"shift", 1030, 1, "1024 ranks"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct tny_problem problem = {.collective = TNY_ALLTOALL, .rank_count = cases[i].ranks};
    struct tny_schedule *schedule;
    struct tny_error error = {0};
    char *xml;
    assert_int_equal(tny_plan_all(tny_algorithm_find(TNY_ALLTOALL, cases[i].name), &problem,
                                  (struct tny_pace){.chunk_count = cases[i].chunks}, &schedule,
                                  NULL),
                     TNY_OK);
    assert_int_equal(tny_schedule_write_msccl(schedule, &xml, &error), TNY_REFUSED);
    assert_null(xml);
    if (!strstr(error.text, cases[i].error))
      fail_msg("%u ranks, %u chunks: %s", cases[i].ranks, cases[i].chunks, error.text);
    tny_schedule_free(schedule);
  }
}

/* What is broken in a file of two GPUs, and what our reader says. */
static void the_reader_keeps_the_limits_too(void **state)
{
  (void)state;
  static const struct {
    const char *from, *to, *error;
  } cases[] = {
      {"chan=\"0\"", "chan=\"32\"", "chan of <tb> is 32, and MSCCL's executors take 31 at most"},
      {"chan=\"0\"", "chan=\"-1\"", "chan of <tb> is a number from 0"},
      {"cnt=\"1\"", "cnt=\"72\"", "cnt of <step> is 72, and MSCCL's executors take 71 at most"},
      {"srcoff=\"1\"", "srcoff=\"32768\"", "MSCCL's executors take 32767 at most"},
      {"depid=\"-1\"", "depid=\"128\"", "depid of <step> is 128, and MSCCL's executors take 127"},
      {"id=\"0\" send", "id=\"1024\" send", "id of <tb> is 1024, and MSCCL's executors take 1023"},
  };
  struct tny_schedule *schedule = plan_named(TNY_ALLTOALL, "shift", 2);
  char *xml;
  assert_int_equal(tny_schedule_write_msccl(schedule, &xml, NULL), TNY_OK);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tny_foreign *foreign;
    struct tny_error error = {0};
    char *broken = replace(xml, "<gpu", cases[i].from, cases[i].to);
    assert_int_not_equal(read_foreign(broken, &foreign, &error), TNY_OK);
    if (!strstr(error.text, cases[i].error))
      fail_msg("%s: %s", cases[i].to, error.text);
    free(broken);
  }
  tny_text_free(xml);
  tny_schedule_free(schedule);
}

/* A file of one sender with `blocks` threadblocks on a channel, or `steps` steps. Owns: free. */
static char *make_file(uint32_t peers, uint32_t steps)
{
  char *text = NULL;
  size_t bytes;
  FILE *file = open_memstream(&text, &bytes);
  assert_non_null(file);
  fprintf(
      file,
      "<algo name=\"made\" nchunksperloop=\"%u\" ngpus=\"%u\" coll=\"broadcast\" inplace=\"0\">\n"
      "<gpu id=\"0\" i_chunks=\"%u\" o_chunks=\"%u\" s_chunks=\"0\">\n",
      steps, peers + 1, steps, steps);
  for (uint32_t peer = 0; peer <= peers; peer++) {
    fprintf(file, "<tb id=\"%u\" send=\"%d\" recv=\"-1\" chan=\"0\">\n", peer,
            peer < peers ? (int)peer + 1 : -1);
    for (uint32_t s = 0; s < steps; s++)
      fprintf(file,
              "<step s=\"%u\" type=\"%s\" srcbuf=\"i\" srcoff=\"%u\" dstbuf=\"o\" dstoff=\"%u\" "
              "cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n",
              s, peer < peers ? "s" : "cpy", s, s);
    fprintf(file, "</tb>\n");
  }
  fprintf(file, "</gpu>\n");
  for (uint32_t peer = 1; peer <= peers; peer++) {
    fprintf(file,
            "<gpu id=\"%u\" i_chunks=\"%u\" o_chunks=\"%u\" s_chunks=\"0\">\n"
            "<tb id=\"0\" send=\"-1\" recv=\"0\" chan=\"0\">\n",
            peer, steps, steps);
    for (uint32_t s = 0; s < steps; s++)
      fprintf(file,
              "<step s=\"%u\" type=\"r\" srcbuf=\"i\" srcoff=\"%u\" dstbuf=\"o\" dstoff=\"%u\" "
              "cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>\n",
              s, s, s);
    fprintf(file, "</tb>\n</gpu>\n");
  }
  fprintf(file, "</algo>\n");
  fclose(file);
  return text;
}

static void assert_read(uint32_t peers, uint32_t steps, const char *refusal)
{
  struct tny_foreign_report report;
  struct tny_error error = {0};
  char *text = make_file(peers, steps);
  const enum tny_status status = prove_text(text, NULL, &report, &error);
  if (!refusal && status != TNY_OK)
    fail_msg("%u peers, %u steps: %s", peers, steps, error.text);
  if (refusal && (status != TNY_REFUSED || !strstr(error.text, refusal)))
    fail_msg("%u peers, %u steps: \"%s\"", peers, steps, error.text);
  free(text);
}

static void the_reader_takes_all_that_the_executors_take(void **state)
{
  (void)state;
  assert_read(32, 1, NULL);
  assert_read(33, 1, "more than 32 threadblocks of GPU 0 send on channel 0");
  assert_read(2, 256, NULL);
  assert_read(2, 257, "s of <step> is 256, and MSCCL's executors take 255 at most");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shift_has_a_channel_for_every_32_peers),
      cmocka_unit_test(a_ring_of_257_steps_goes_on_in_a_second_threadblock),
      cmocka_unit_test(long_messages_go_in_pieces),
      cmocka_unit_test(every_algorithm_keeps_the_limits),
      cmocka_unit_test(what_no_executor_can_read_is_refused),
      cmocka_unit_test(the_reader_keeps_the_limits_too),
      cmocka_unit_test(the_reader_takes_all_that_the_executors_take),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
