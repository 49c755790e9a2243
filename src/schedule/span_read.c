/* Reads spans and lists of receivers, as in the text form and in our comments in GOAL files. */
#include "schedule/span_read.h"

#include "schedule/words.h"

/* The buffer named at the begin of the last word, up to its '['. */
static enum tny_buffer read_buffer(struct tny_line_reader *lines, const char **after_bracket)
{
  for (enum tny_buffer buffer = TNY_INPUT; buffer <= TNY_SCRATCH; buffer++) {
    const size_t length = strlen(tny_buffer_word(buffer));
    if (lines->word_length > length && lines->word[length] == '[' &&
        strncmp(lines->word, tny_buffer_word(buffer), length) == 0) {
      *after_bracket = lines->word + length + 1;
      return buffer;
    }
  }
  tny_line_fail(lines, lines->word, "blocks are written input[0], output[1..3] or scratch[0]");
  return TNY_INPUT;
}

/* " 0/8" or " 2..5/8" where there is one. */
static void read_piece(struct tny_line_reader *lines, uint32_t chunk_count, struct tny_span *span)
{
  const struct tny_line_reader before = *lines;
  uint32_t parts, last;
  if (!tny_line_word(lines) || *lines->word < '0' || *lines->word > '9') {
    *lines = before;
    return;
  }
  const char *digits = lines->word, *end = lines->word + lines->word_length;
  bool good = tny_line_digits(&digits, end, chunk_count - 1, &span->chunk);
  last = span->chunk;
  if (good && end - digits > 2 && digits[0] == '.' && digits[1] == '.') {
    digits += 2;
    good = tny_line_digits(&digits, end, chunk_count - 1, &last) && last >= span->chunk;
  }
  if (!good || digits == end || *digits++ != '/' ||
      !tny_line_digits(&digits, end, chunk_count, &parts) || digits != end || parts != chunk_count)
    tny_line_fail(lines, lines->word,
                  "a chunk is written C/%u, and several C..D/%u, with C and D from 0 to %u",
                  chunk_count, chunk_count, chunk_count - 1);
  span->chunk_count = chunk_count;
  span->chunks = last - span->chunk + 1;
}

struct tny_span tny_line_span(struct tny_line_reader *lines, const struct tny_schedule *schedule)
{
  struct tny_span span = {.count = 1, .chunk_count = 1, .chunks = 1};
  const char *digits = NULL;
  tny_line_word(lines);
  if (tny_collective_synchronizes(schedule->collective)) {
    if (!tny_line_is(lines, TNY_WORD_NOTHING))
      tny_line_fail(lines, lines->word, "a message of a %s carries %s",
                    tny_collective_name(schedule->collective), TNY_WORD_NOTHING);
    return tny_span_nothing();
  }
  const char *end = lines->word + lines->word_length;
  span.buffer = read_buffer(lines, &digits);
  if (lines->status != TNY_OK)
    return span;
  const uint32_t blocks =
      span.buffer == TNY_SCRATCH
          ? schedule->scratch_blocks
          : tny_buffer_blocks(schedule->collective, span.buffer, schedule->rank_count);
  uint32_t last;
  bool good = blocks > 0 && tny_line_digits(&digits, end, blocks - 1, &span.first);
  if (good && digits + 2 < end && digits[0] == '.' && digits[1] == '.') {
    digits += 2;
    good = tny_line_digits(&digits, end, blocks - 1, &last) && last >= span.first;
    span.count = good ? last - span.first + 1 : 1;
  }
  if (!good || digits + 1 != end || *digits != ']')
    tny_line_fail(lines, lines->word,
                  "\"%.*s\": %s has %u blocks here, and a range goes up, as in %s[0..1]",
                  (int)(lines->word_length < 40 ? lines->word_length : 40), lines->word,
                  tny_buffer_word(span.buffer), blocks, tny_buffer_word(span.buffer));
  read_piece(lines, schedule->chunk_count, &span);
  return span;
}

void tny_line_receivers(struct tny_line_reader *lines, struct tny_schedule *schedule,
                        uint32_t sender)
{
  tny_line_word(lines);
  const char *at = lines->word, *end = lines->word + lines->word_length;
  for (uint32_t least = 0;;) {
    const char *const item = at;
    uint32_t first = 0, last;
    bool good = tny_line_digits(&at, end, schedule->rank_count - 1, &first) && first >= least;
    last = first;
    if (good && at + 2 < end && at[0] == '.' && at[1] == '.') {
      at += 2;
      good = tny_line_digits(&at, end, schedule->rank_count - 1, &last) && last > first;
    }
    if (!good || (at < end && *at != ',')) {
      tny_line_fail(lines, good ? at : item,
                    "receivers go up, each once, from 0 to %u, as in 1,3..5",
                    schedule->rank_count - 1);
      return;
    }
    for (uint32_t receiver = first; receiver <= last; receiver++)
      tny_schedule_want(schedule, sender, receiver);
    if (at == end)
      return;
    at++;
    least = last + 1;
  }
}
