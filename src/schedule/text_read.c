/* Reads the text form (docs/schedule-text.md). The reader is strict: everything that the IR
   promises is checked here. A few digits in the head could ask for any amount of memory. So the
   ranks, the chunks of all buffers (the prover and the runtime keep something for each) and the
   matrix of wanted blocks are limited by the length of the text. */
#include "core/alloc.h"
#include "core/error.h"
#include "schedule/line_reader.h"
#include "schedule/span_read.h"
#include "schedule/steps.h"
#include "schedule/words.h"

/* What a text may ask for, by its length. A step that names a chunk is about thirty characters
   long, and its rank has a buffer of a block for each rank: so where each rank sends a few blocks,
   two thousand ranks' chunks are 64 a character. A rank that sends a wanted block and receives one
   has four lines, which is worth a row of the matrix for as many ranks as it is made for. */
enum {
  CHUNKS_A_CHARACTER = 64,
  CHUNKS_ALWAYS = 1 << 21,
  MATRIX_BYTES_A_CHARACTER = 64,
  MATRIX_BYTES_ALWAYS = 1 << 20,
};

struct reading {
  struct tny_line_reader lines;
  uint64_t text_length;
  struct tny_schedule *schedule;
  bool *seen; /* by rank */
};

/* Each rank needs a line "rank N" of its own. */
static uint32_t ranks_max(const struct reading *reading)
{
  const uint64_t lines_max = reading->text_length / strlen("rank 0\n") + 1;
  return lines_max < TNY_NONE - 1 ? (uint32_t)lines_max : TNY_NONE - 1;
}

/* Are there no more chunks and scratch blocks, over all ranks, than a text of this length can use?
   The input and output blocks of the ranks themselves don't count. */
static bool are_chunks_in_use(const struct reading *reading, const struct tny_schedule *head)
{
  const uint64_t blocks =
      (uint64_t)tny_buffer_blocks(head->collective, TNY_INPUT, head->rank_count) +
      tny_buffer_blocks(head->collective, TNY_OUTPUT, head->rank_count);
  const uint64_t more =
      (uint64_t)head->scratch_blocks * head->chunk_count + blocks * (head->chunk_count - 1);
  return more <= (CHUNKS_ALWAYS + CHUNKS_A_CHARACTER * reading->text_length) / head->rank_count;
}

static uint32_t read_field(struct tny_line_reader *lines, const char *field, uint32_t max)
{
  tny_line_next(lines);
  tny_line_expect(lines, field);
  const uint32_t number = tny_line_number(lines, field, max);
  tny_line_end(lines);
  return number;
}

static enum tny_collective read_collective(struct tny_line_reader *lines)
{
  enum tny_collective collective = (enum tny_collective)0;
  tny_line_next(lines);
  tny_line_expect(lines, "collective");
  tny_line_word(lines);
  for (int i = 0; i < TNY_COLLECTIVE_COUNT; i++) {
    collective = (enum tny_collective)i;
    if (tny_line_is(lines, tny_collective_name(collective))) {
      tny_line_end(lines);
      return collective;
    }
  }
  tny_line_fail(lines, lines->word, "a collective is %s, not \"%.*s\"",
                tny_collective_names(NULL, ", ", " or ").text,
                (int)(lines->word_length < 40 ? lines->word_length : 40), lines->word);
  return collective;
}

static void read_algorithm(struct tny_line_reader *lines, char *name, size_t name_bytes)
{
  tny_line_next(lines);
  tny_line_expect(lines, "algorithm");
  tny_line_word(lines);
  if (lines->word_length == 0 || lines->word_length >= name_bytes)
    tny_line_fail(lines, lines->word, "an algorithm's name has 1 to %zu characters",
                  name_bytes - 1);
  else
    memcpy(name, lines->word, lines->word_length);
  tny_line_end(lines);
}

static enum tny_status read_header(struct reading *reading, struct tny_error *error)
{
  struct tny_line_reader *lines = &reading->lines;
  char name[sizeof reading->schedule->algorithm] = "";
  tny_line_next(lines);
  tny_line_expect(lines, "tourney");
  tny_line_expect(lines, "schedule");
  tny_line_expect(lines, "1");
  tny_line_end(lines);
  const enum tny_collective collective = read_collective(lines);
  const uint32_t rank_count = read_field(lines, "ranks", ranks_max(reading));
  if (rank_count == 0)
    tny_line_fail(lines, lines->line_start, "a schedule has 1 rank or more");
  const uint32_t root = read_field(lines, "root", rank_count > 0 ? rank_count - 1 : 0);
  read_algorithm(lines, name, sizeof name);
  const uint32_t chunk_count = read_field(lines, "chunks", TNY_CHUNKS_MAX);
  if (chunk_count == 0)
    tny_line_fail(lines, lines->line_start, "a block is 1 chunk or more");
  const uint32_t scratch_blocks = read_field(lines, "scratch", TNY_CHUNKS_MAX);
  const struct tny_schedule head = {.collective = collective,
                                    .rank_count = rank_count,
                                    .chunk_count = chunk_count,
                                    .scratch_blocks = scratch_blocks};
  if (lines->status == TNY_OK && !are_chunks_in_use(reading, &head))
    tny_line_fail(lines, lines->line_start,
                  "%u ranks with %u scratch blocks, each block in %u chunks, are more than a text "
                  "of %llu characters can use: give it no more chunks and scratch than its steps "
                  "name",
                  rank_count, scratch_blocks, chunk_count,
                  (unsigned long long)reading->text_length);
  if (lines->status != TNY_OK)
    return lines->status;
  const enum tny_status status =
      tny_schedule_new(collective, rank_count, root, name, &reading->schedule, error);
  if (status != TNY_OK)
    return status;
  reading->schedule->chunk_count = chunk_count;
  reading->schedule->scratch_blocks = scratch_blocks;
  reading->seen = tny_new(rank_count, sizeof *reading->seen);
  return reading->seen ? TNY_OK : tny_error_memory(error);
}

static enum tny_step_kind read_kind(struct tny_line_reader *lines)
{
  tny_line_word(lines);
  for (enum tny_step_kind kind = 0; tny_step_is_known(kind); kind++)
    if (tny_line_is(lines, tny_step_word(kind)))
      return kind;
  tny_line_fail(
      lines, lines->word,
      "a step is send, recv, copy, token-out, token-in, reduce-left or reduce-right, not \"%.*s\"",
      (int)(lines->word_length < 40 ? lines->word_length : 40), lines->word);
  return TNY_COPY;
}

/* "4,5": earlier steps than the one just appended. */
static void read_after(struct tny_line_reader *lines, struct tny_builder *builder)
{
  const uint32_t index = builder->steps.count - 1;
  tny_line_word(lines);
  const char *digits = lines->word, *end = lines->word + lines->word_length;
  for (;;) {
    uint32_t earlier;
    if (index == 0 || !tny_line_digits(&digits, end, index - 1, &earlier)) {
      tny_line_fail(lines, digits, "a step waits for earlier steps only, and this is step %u",
                    index);
      return;
    }
    tny_builder_after(builder, earlier);
    if (digits == end)
      return;
    if (*digits++ != ',') {
      tny_line_fail(lines, digits - 1, "a comma belongs between the steps it waits for");
      return;
    }
  }
}

static void read_step(struct reading *reading, uint32_t rank, struct tny_builder *builder)
{
  struct tny_line_reader *lines = &reading->lines;
  struct tny_step step = {.peer = TNY_NONE, .phase = TNY_NONE};
  const uint32_t index = tny_line_number(lines, "a step's number in the list", TNY_STEPS_MAX);
  if (index != builder->steps.count)
    tny_line_fail(lines, lines->word, "rank %u's next step is %u, not %u", rank,
                  builder->steps.count, index);
  step.kind = read_kind(lines);
  if (!tny_step_is_local(step.kind)) {
    step.peer = tny_line_number(lines, "the other rank", reading->schedule->rank_count - 1);
    if (step.peer == rank)
      tny_line_fail(lines, lines->word, "rank %u can't send to itself; use a copy", rank);
  }
  if (!tny_step_is_token(step.kind))
    step.span = tny_line_span(lines, reading->schedule);
  if (tny_step_is_local(step.kind)) {
    tny_line_expect(lines, "to");
    step.target = tny_line_span(lines, reading->schedule);
  }
  if (tny_line_take(lines, "phase"))
    step.phase = tny_line_number(lines, "a phase", TNY_NONE - 1);
  if (lines->status != TNY_OK)
    return;
  tny_builder_append(builder, &step);
  if (tny_line_take(lines, "after") && builder->error.status == TNY_OK)
    read_after(lines, builder);
  tny_line_end(lines);
}

/* One "rank N" line, which the reader stands at, and the steps under it. Goes on to the next such
   line; false at the end. */
static bool read_rank(struct reading *reading, struct tny_error *error)
{
  struct tny_line_reader *lines = &reading->lines;
  tny_line_expect(lines, "rank");
  const uint32_t rank = tny_line_number(lines, "a rank", reading->schedule->rank_count - 1);
  if (lines->status == TNY_OK && reading->seen[rank])
    tny_line_fail(lines, lines->word, "rank %u is here twice", rank);
  tny_line_end(lines);
  if (lines->status != TNY_OK)
    return false;
  reading->seen[rank] = true;
  struct tny_builder builder;
  tny_builder_init(&builder);
  bool more = tny_line_next(lines);
  while (more && *lines->at != 'r' && builder.error.status == TNY_OK) {
    read_step(reading, rank, &builder);
    more = tny_line_next(lines);
  }
  const enum tny_status finished =
      tny_builder_finish(&builder, &reading->schedule->ranks[rank], error);
  if (lines->status == TNY_OK)
    lines->status = finished;
  return more && lines->status == TNY_OK;
}

/* Gives the schedule its matrix of wanted blocks. */
static void begin_wanted(struct reading *reading, struct tny_error *error)
{
  struct tny_line_reader *lines = &reading->lines;
  const uint64_t ranks = reading->schedule->rank_count;
  if (ranks * ranks / 8 > MATRIX_BYTES_ALWAYS + MATRIX_BYTES_A_CHARACTER * reading->text_length) {
    tny_line_fail(lines, lines->word,
                  "most of the %llu ranks of this text neither send nor receive: leave them out, "
                  "or leave out what is wanted",
                  (unsigned long long)ranks);
    return;
  }
  const enum tny_status status = tny_schedule_want_none(reading->schedule, NULL);
  if (status == TNY_REFUSED)
    tny_line_fail(lines, lines->word, "only an alltoall of up to %d ranks says what is wanted",
                  TNY_WANTED_RANKS_MAX);
  else if (status != TNY_OK)
    lines->status = tny_error_memory(error);
}

/* The lines that begin with "wanted", where there are some; the first one is begun. Goes on to the
   line behind them; false at the end. */
static bool read_wanted(struct reading *reading, struct tny_error *error)
{
  struct tny_line_reader *lines = &reading->lines;
  begin_wanted(reading, error);
  bool more = true, is_wanted = true;
  for (uint32_t least = 0; is_wanted && lines->status == TNY_OK;) {
    if (least == 0 && tny_line_take(lines, "none")) {
      least = TNY_NONE;
    } else {
      tny_line_expect(lines, "from");
      const uint32_t sender = tny_line_number(lines, "a sender", reading->schedule->rank_count - 1);
      if (lines->status == TNY_OK && sender < least)
        tny_line_fail(lines, lines->word, "senders go up, each once");
      tny_line_expect(lines, "to");
      if (lines->status == TNY_OK)
        tny_line_receivers(lines, reading->schedule, sender);
      least = sender + 1;
    }
    tny_line_end(lines);
    more = tny_line_next(lines);
    is_wanted = more && tny_line_take(lines, "wanted");
  }
  return more;
}

static void read_ranks(struct reading *reading, struct tny_error *error)
{
  struct tny_line_reader *lines = &reading->lines;
  bool more = tny_line_next(lines);
  if (more && tny_line_take(lines, "operation")) {
    tny_line_expect(lines, "commutative");
    tny_line_end(lines);
    reading->schedule->commutes = true;
    more = tny_line_next(lines);
  }
  if (more && tny_line_take(lines, "wanted"))
    more = read_wanted(reading, error);
  while (more)
    more = read_rank(reading, error);
  for (uint32_t rank = 0; rank < reading->schedule->rank_count; rank++)
    if (!reading->seen[rank])
      tny_line_fail(lines, lines->at, "rank %u is missing", rank);
}

enum tny_status tny_schedule_read(const char *text, const char *name,
                                  struct tny_schedule **schedule, struct tny_error *error)
{
  struct reading reading = {.text_length = strlen(text)};
  *schedule = NULL;
  tny_line_reader_init(&reading.lines, text, name, error);
  enum tny_status status = read_header(&reading, error);
  if (status == TNY_OK) {
    read_ranks(&reading, error);
    status = reading.lines.status;
  }
  tny_free(reading.seen);
  if (status == TNY_OK)
    *schedule = reading.schedule;
  else
    tny_schedule_free(reading.schedule);
  return status;
}
