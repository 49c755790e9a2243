/* Characters of a GOAL file. Like the format's own scanner, but comments may stand anywhere. */
#include "exchange/goal/scan.h"

#include <stdarg.h>

#include "core/error.h"

void tny_goal_fail(struct tny_goal_scan *scan, const char *at, const char *format, ...)
{
  if (scan->status != TNY_OK)
    return;
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const unsigned column = (unsigned)(at - scan->line_start) + 1;
  scan->status =
      tny_error_at(scan->error, TNY_BAD_INPUT, scan->name, scan->line, column, "%s", text);
}

/* The reader of a comment of ours ends with the line. */
static void hand_out(struct tny_goal_scan *scan, const char *behind)
{
  struct tny_line_reader note = {.name = scan->name,
                                 .at = behind,
                                 .line_start = scan->line_start,
                                 .word = behind,
                                 .line = scan->line,
                                 .status = scan->status,
                                 .error = scan->error};
  if (scan->take_note)
    scan->take_note(scan->into, &note);
  scan->status = note.status;
}

static void skip_line_comment(struct tny_goal_scan *scan)
{
  static const char ours[] = "// tourney ";
  if (strncmp(scan->at, ours, sizeof ours - 1) == 0)
    hand_out(scan, scan->at + sizeof ours - 1);
  while (*scan->at && *scan->at != '\n')
    scan->at++;
}

static void new_line(struct tny_goal_scan *scan)
{
  scan->line++;
  scan->line_start = scan->at + 1;
}

static void skip_long_comment(struct tny_goal_scan *scan)
{
  const char *const begin = scan->at;
  scan->at += 2;
  while (*scan->at && strncmp(scan->at, "*/", 2) != 0) {
    if (*scan->at == '\n')
      new_line(scan);
    scan->at++;
  }
  if (*scan->at)
    scan->at += 2;
  else
    tny_goal_fail(scan, begin < scan->line_start ? scan->line_start : begin,
                  "a comment has no end: */ is missing");
}

void tny_goal_skip(struct tny_goal_scan *scan)
{
  while (scan->status == TNY_OK) {
    if (*scan->at == ' ' || *scan->at == '\t' || *scan->at == '\r')
      scan->at++;
    else if (strncmp(scan->at, "//", 2) == 0)
      skip_line_comment(scan);
    else if (strncmp(scan->at, "/*", 2) == 0)
      skip_long_comment(scan);
    else
      return;
  }
}

bool tny_goal_next(struct tny_goal_scan *scan)
{
  tny_goal_skip(scan);
  while (scan->status == TNY_OK && *scan->at == '\n') {
    new_line(scan);
    scan->at++;
    tny_goal_skip(scan);
  }
  return scan->status == TNY_OK && *scan->at;
}

static bool is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

struct tny_goal_word tny_goal_read_word(struct tny_goal_scan *scan)
{
  tny_goal_skip(scan);
  struct tny_goal_word word = {scan->at, 0};
  if (scan->status != TNY_OK || !is_letter(*scan->at))
    return word;
  while (is_letter(*scan->at) || is_digit(*scan->at) || *scan->at == '_')
    scan->at++;
  word.length = (uint32_t)(scan->at - word.text);
  return word;
}

bool tny_goal_is(struct tny_goal_word word, const char *wanted)
{
  return strlen(wanted) == word.length && strncmp(word.text, wanted, word.length) == 0;
}

uint64_t tny_goal_number(struct tny_goal_scan *scan, const char *what, uint64_t max)
{
  tny_goal_skip(scan);
  const char *const begin = scan->at;
  uint64_t number = 0;
  bool is_good = is_digit(*scan->at);
  for (; is_digit(*scan->at); scan->at++) {
    const uint64_t digit = (uint64_t)(*scan->at - '0');
    is_good = is_good && digit <= max && number <= (max - digit) / 10;
    number = is_good ? 10 * number + digit : 0;
  }
  if (!is_good)
    tny_goal_fail(scan, begin, "%s is a number from 0 to %llu", what, (unsigned long long)max);
  return number;
}

bool tny_goal_take(struct tny_goal_scan *scan, char sign)
{
  tny_goal_skip(scan);
  if (scan->status != TNY_OK || *scan->at != sign)
    return false;
  scan->at++;
  return true;
}

/* What a message may show of the file: it may hold anything. */
static int printable(const char *text)
{
  enum { SHOWN_MAX = 40 };
  int length = 0;
  while (length < SHOWN_MAX && text[length] >= ' ' && text[length] <= '~')
    length++;
  return length;
}

void tny_goal_end(struct tny_goal_scan *scan)
{
  tny_goal_skip(scan);
  if (*scan->at && *scan->at != '\n' && *scan->at != '}')
    tny_goal_fail(scan, scan->at, "the line should end before \"%.*s\"", printable(scan->at),
                  scan->at);
}
