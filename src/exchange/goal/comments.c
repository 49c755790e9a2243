/* Our comments in a GOAL file, read. */
#include "exchange/goal/comments.h"

#include "core/error.h"
#include "core/scan.h"
#include "schedule/span_read.h"
#include "schedule/steps.h"

#define BLOCK_BYTES_MAX (UINT64_C(1000000000000000000) - 1)

static enum tny_collective read_collective(struct tny_line_reader *lines)
{
  for (int i = 0; i < TNY_COLLECTIVE_COUNT; i++)
    if (!tny_collective_reduces((enum tny_collective)i) &&
        tny_line_take(lines, tny_collective_name((enum tny_collective)i)))
      return (enum tny_collective)i;
  tny_line_word(lines);
  tny_line_fail(lines, lines->word, "a comment of ours begins with a collective, not \"%.*s\"",
                (int)(lines->word_length < 40 ? lines->word_length : 40), lines->word);
  return (enum tny_collective)0;
}

static uint32_t read_field(struct tny_line_reader *lines, const char *field, uint32_t least,
                           uint32_t max)
{
  tny_line_expect(lines, field);
  const uint32_t number = tny_line_number(lines, field, max);
  if (lines->status == TNY_OK && number < least)
    tny_line_fail(lines, lines->word, "%s is at least %u", field, least);
  return number;
}

/* More than a uint32_t holds. */
static uint64_t read_bytes(struct tny_line_reader *lines)
{
  uint64_t bytes;
  tny_line_expect(lines, "block");
  tny_line_word(lines);
  const char *at = lines->word;
  if (tny_scan_number(&at, BLOCK_BYTES_MAX, &bytes) != TNY_SCAN_NUMBER || bytes == 0 ||
      at != lines->word + lines->word_length)
    tny_line_fail(lines, lines->word, "a block has 1 byte or more");
  return bytes;
}

static void set_locations(struct tny_line_reader *lines, struct tny_foreign *foreign)
{
  const struct tny_schedule *head = foreign->head;
  const uint64_t chunks = head->chunk_count;
  foreign->input_locations =
      chunks * tny_buffer_blocks(head->collective, TNY_INPUT, head->rank_count);
  foreign->output_locations =
      chunks * tny_buffer_blocks(head->collective, TNY_OUTPUT, head->rank_count);
  foreign->scratch_locations = chunks * head->scratch_blocks;
  if (tny_foreign_locations(foreign) > TNY_FOREIGN_LOCATIONS_MAX / head->rank_count)
    tny_line_fail(lines, lines->word, "%u ranks with %llu chunks of blocks each are too many",
                  head->rank_count, (unsigned long long)tny_foreign_locations(foreign));
}

static void read_first(struct tny_line_reader *lines, struct tny_foreign *foreign,
                       uint32_t ranks_max)
{
  char name[sizeof foreign->head->algorithm] = "";
  const enum tny_collective collective = read_collective(lines);
  const uint32_t rank_count = read_field(lines, "ranks", 1, ranks_max);
  const uint32_t root = read_field(lines, "root", 0, rank_count > 0 ? rank_count - 1 : 0);
  tny_line_expect(lines, "algorithm");
  tny_line_word(lines);
  if (lines->word_length == 0 || lines->word_length >= sizeof name)
    tny_line_fail(lines, lines->word, "an algorithm's name has 1 to %zu characters",
                  sizeof name - 1);
  else
    memcpy(name, lines->word, lines->word_length);
  const uint32_t chunk_count = read_field(lines, "chunks", 1, TNY_CHUNKS_MAX);
  const uint32_t scratch_blocks = read_field(lines, "scratch", 0, TNY_CHUNKS_MAX);
  foreign->block_bytes = read_bytes(lines);
  tny_line_end(lines);
  if (lines->status != TNY_OK)
    return;
  lines->status =
      tny_schedule_new(collective, rank_count, root, name, &foreign->head, lines->error);
  if (lines->status != TNY_OK)
    return;
  foreign->head->chunk_count = chunk_count;
  foreign->head->scratch_blocks = scratch_blocks;
  set_locations(lines, foreign);
}

/* "wanted from 0 to 1,3" or "wanted none" */
static void read_wanted(struct tny_line_reader *lines, struct tny_schedule *head)
{
  if (!head->wanted) {
    const enum tny_status status = tny_schedule_want_none(head, NULL);
    if (status == TNY_REFUSED)
      tny_line_fail(lines, lines->word, "only an alltoall says what is wanted");
    else if (status != TNY_OK)
      lines->status = tny_error_memory(lines->error);
  }
  if (!tny_line_take(lines, "none")) {
    tny_line_expect(lines, "from");
    const uint32_t sender = tny_line_number(lines, "a sender", head->rank_count - 1);
    tny_line_expect(lines, "to");
    if (lines->status == TNY_OK)
      tny_line_receivers(lines, head, sender);
  }
  tny_line_end(lines);
}

void tny_goal_read_head(struct tny_line_reader *lines, struct tny_foreign *foreign,
                        uint32_t ranks_max)
{
  if (foreign->head && tny_line_take(lines, "wanted"))
    read_wanted(lines, foreign->head);
  else if (foreign->head)
    tny_line_fail(lines, lines->at, "comments of ours say the collective once");
  else
    read_first(lines, foreign, ranks_max);
}

struct tny_goal_comment tny_goal_read_comment(struct tny_line_reader *lines,
                                              const struct tny_foreign *foreign)
{
  struct tny_goal_comment comment = {.is_there = true, .phase = TNY_NONE, .line = lines->line};
  if (!foreign->head) {
    tny_line_fail(lines, lines->at,
                  "this comment says what an operation moves, but none before num_ranks says of "
                  "which collective");
    return comment;
  }
  comment.is_token = tny_line_take(lines, "token");
  comment.is_copy = !comment.is_token && tny_line_take(lines, "copy");
  if (comment.is_copy && tny_collective_synchronizes(foreign->head->collective))
    tny_line_fail(lines, lines->word, "no rank of a %s has data to copy",
                  tny_collective_name(foreign->head->collective));
  if (!comment.is_token)
    comment.span = tny_line_span(lines, foreign->head);
  if (comment.is_copy) {
    tny_line_expect(lines, "to");
    comment.target = tny_line_span(lines, foreign->head);
  }
  if (tny_line_take(lines, "phase"))
    comment.phase = tny_line_number(lines, "a phase", TNY_NONE - 1);
  tny_line_end(lines);
  return comment;
}

struct tny_region tny_region_of(const struct tny_foreign *foreign, const struct tny_span *span)
{
  const uint32_t chunks = foreign->head->chunk_count;
  const uint64_t first =
      tny_foreign_buffer_first(foreign, span->buffer) + (uint64_t)span->first * chunks;
  if (span->chunk_count == 1)
    return (struct tny_region){first, 1, span->count * chunks, 0};
  return (struct tny_region){first + span->chunk, span->count, span->chunks, chunks};
}
