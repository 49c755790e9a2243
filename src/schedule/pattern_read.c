/* Reads patterns: matrices of how many bytes each rank has for each. */
#include <tourney/pattern.h>

#include "core/error.h"
#include "core/scan.h"
#include "schedule/line_reader.h"

/* A number of the line, up to a blank or a comma. */
static uint64_t read_bytes(struct tny_line_reader *lines, const char **at, const char *end)
{
  uint64_t bytes;
  const char *first = *at;
  if (tny_scan_number(at, UINT64_MAX / 10, &bytes) != TNY_SCAN_NUMBER || (*at < end && **at != ','))
    tny_line_fail(lines, first, "bytes are written as a whole number, 0 for nothing");
  return bytes;
}

/* Reads the numbers of the line, keeps the first `room` of them in `row` and returns how many there
   are. One comma, blanks or both stand between two. */
static uint32_t read_line(struct tny_line_reader *lines, uint64_t *row, uint32_t room)
{
  uint32_t count = 0;
  bool after_comma = true;
  while (tny_line_word(lines)) {
    const char *at = lines->word, *const end = lines->word + lines->word_length;
    while (at < end && lines->status == TNY_OK) {
      if (*at == ',' && !after_comma) {
        after_comma = true;
        at++;
        continue;
      }
      const uint64_t bytes = read_bytes(lines, &at, end);
      if (count < room)
        row[count] = bytes;
      count++;
      after_comma = false;
    }
  }
  if (after_comma)
    tny_line_fail(lines, lines->at, "a number is missing behind the last comma");
  return count;
}

static void read_rows(struct tny_line_reader *lines, struct tny_pattern *pattern)
{
  const uint32_t rank_count = pattern->rank_count;
  uint32_t sender = 0;
  bool more = true;
  for (; more && sender < rank_count; more = tny_line_next(lines)) {
    const uint32_t count =
        read_line(lines, pattern->bytes + (size_t)sender * rank_count, rank_count);
    if (count != rank_count)
      tny_line_fail(lines, lines->line_start, "the first line has %u numbers, this one %u",
                    rank_count, count);
    sender++;
  }
  if (more)
    tny_line_fail(lines, lines->line_start, "%u ranks have %u lines, this is one more", rank_count,
                  rank_count);
  if (sender < rank_count)
    tny_line_fail(lines, lines->at, "%u ranks need %u lines, here are %u", rank_count, rank_count,
                  sender);
}

enum tny_status tny_pattern_read(const char *text, const char *name, struct tny_pattern **pattern,
                                 struct tny_error *error)
{
  struct tny_line_reader lines;
  *pattern = NULL;
  tny_line_reader_init(&lines, text, name, error);
  if (!tny_line_next(&lines))
    tny_line_fail(&lines, lines.at, "a pattern has a line of numbers for each rank");
  struct tny_line_reader ahead = lines;
  const uint32_t rank_count = read_line(&ahead, NULL, 0);
  if (ahead.status != TNY_OK)
    return ahead.status;
  /* Nothing is allocated that the text's own length doesn't justify. */
  if ((uint64_t)rank_count * rank_count > strlen(text) / 2 + 1)
    tny_line_fail(&lines, lines.line_start, "%u numbers in a line need %u lines of as many",
                  rank_count, rank_count);
  if (lines.status != TNY_OK)
    return lines.status;
  const enum tny_status status = tny_pattern_new(rank_count, pattern, error);
  if (status != TNY_OK)
    return status;
  read_rows(&lines, *pattern);
  if (lines.status != TNY_OK) {
    tny_pattern_free(*pattern);
    *pattern = NULL;
  }
  return lines.status;
}
