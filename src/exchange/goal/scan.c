/* Characters of a GOAL file. Like the format's own scanner, but comments may stand anywhere. */
#include "exchange/goal/scan.h"

#include "core/scan.h"

/* Hands a comment of ours out. Its reader ends with the line. */
static void hand_out(struct tny_goal_scan *scan, const char *behind)
{
  struct tny_line_reader comment = scan->text;
  comment.at = comment.word = behind;
  comment.word_length = 0;
  if (scan->take_comment)
    scan->take_comment(scan->into, &comment);
  scan->text.status = comment.status;
}

static void skip_line_comment(struct tny_goal_scan *scan)
{
  static const char ours[] = "// tourney ";
  if (strncmp(scan->text.at, ours, sizeof ours - 1) == 0)
    hand_out(scan, scan->text.at + sizeof ours - 1);
  while (*scan->text.at && *scan->text.at != '\n')
    scan->text.at++;
}

static void new_line(struct tny_goal_scan *scan)
{
  scan->text.line++;
  scan->text.line_start = scan->text.at + 1;
}

static void skip_long_comment(struct tny_goal_scan *scan)
{
  const char *const begin = scan->text.at;
  scan->text.at += 2;
  while (*scan->text.at && strncmp(scan->text.at, "*/", 2) != 0) {
    if (*scan->text.at == '\n')
      new_line(scan);
    scan->text.at++;
  }
  if (*scan->text.at)
    scan->text.at += 2;
  else
    tny_line_fail(&scan->text, begin < scan->text.line_start ? scan->text.line_start : begin,
                  "a comment has no end: */ is missing");
}

void tny_goal_skip(struct tny_goal_scan *scan)
{
  while (scan->text.status == TNY_OK) {
    if (*scan->text.at == ' ' || *scan->text.at == '\t' || *scan->text.at == '\r')
      scan->text.at++;
    else if (strncmp(scan->text.at, "//", 2) == 0)
      skip_line_comment(scan);
    else if (strncmp(scan->text.at, "/*", 2) == 0)
      skip_long_comment(scan);
    else
      return;
  }
}

bool tny_goal_next(struct tny_goal_scan *scan)
{
  tny_goal_skip(scan);
  while (scan->text.status == TNY_OK && *scan->text.at == '\n') {
    new_line(scan);
    scan->text.at++;
    tny_goal_skip(scan);
  }
  return scan->text.status == TNY_OK && *scan->text.at;
}

static bool is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

struct tny_goal_word tny_goal_read_word(struct tny_goal_scan *scan)
{
  tny_goal_skip(scan);
  struct tny_goal_word word = {scan->text.at, 0};
  if (scan->text.status != TNY_OK || !is_letter(*scan->text.at))
    return word;
  while (is_letter(*scan->text.at) || tny_is_digit(*scan->text.at) || *scan->text.at == '_')
    scan->text.at++;
  word.length = (uint32_t)(scan->text.at - word.text);
  return word;
}

bool tny_goal_is(struct tny_goal_word word, const char *wanted)
{
  return strlen(wanted) == word.length && strncmp(word.text, wanted, word.length) == 0;
}

uint64_t tny_goal_number(struct tny_goal_scan *scan, const char *what, uint64_t max)
{
  uint64_t number;
  tny_goal_skip(scan);
  const char *const begin = scan->text.at;
  if (tny_scan_number(&scan->text.at, max, &number) != TNY_SCAN_NUMBER)
    tny_line_fail(&scan->text, begin, "%s is a number from 0 to %llu", what,
                  (unsigned long long)max);
  return number;
}

bool tny_goal_take(struct tny_goal_scan *scan, char sign)
{
  tny_goal_skip(scan);
  if (scan->text.status != TNY_OK || *scan->text.at != sign)
    return false;
  scan->text.at++;
  return true;
}

/* The characters that a message shows of the file, which may hold anything. */
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
  if (*scan->text.at && *scan->text.at != '\n' && *scan->text.at != '}')
    tny_line_fail(&scan->text, scan->text.at, "the line should end before \"%.*s\"",
                  printable(scan->text.at), scan->text.at);
}
