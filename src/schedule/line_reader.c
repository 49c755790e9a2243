/* Reads lines, words and numbers. */
#include "schedule/line_reader.h"

#include <stdarg.h>

#include "core/error.h"
#include "core/scan.h"

void tny_line_fail(struct tny_line_reader *reader, const char *at, const char *format, ...)
{
  if (reader->status != TNY_OK)
    return;
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const unsigned column = (unsigned)(at - reader->line_start) + 1;
  reader->status =
      tny_error_at(reader->error, TNY_BAD_INPUT, reader->name, reader->line, column, "%s", text);
}

static bool is_space(char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

static bool is_end(char c)
{
  return c == '\0' || c == '\n' || c == '#';
}

static void check_characters(struct tny_line_reader *reader)
{
  unsigned line = 1;
  const char *line_start = reader->at;
  for (const char *c = reader->at; *c; c++) {
    if (*c == '\n') {
      line++;
      line_start = c + 1;
    } else if (!is_space(*c) && (*c < ' ' || *c > '~')) {
      reader->line = line;
      reader->line_start = line_start;
      tny_line_fail(reader, c, "a schedule is plain text, this character isn't");
      return;
    }
  }
}

void tny_line_reader_init(struct tny_line_reader *reader, const char *text, const char *name,
                          struct tny_error *error)
{
  *reader = (struct tny_line_reader){
      .name = name, .at = text, .line_start = text, .word = text, .error = error};
  check_characters(reader);
}

static void skip_spaces(struct tny_line_reader *reader)
{
  while (is_space(*reader->at))
    reader->at++;
}

bool tny_line_next(struct tny_line_reader *reader)
{
  while (reader->status == TNY_OK) {
    if (reader->line > 0) {
      while (*reader->at && *reader->at != '\n')
        reader->at++;
      if (!*reader->at)
        return false;
      reader->at++;
    }
    reader->line++;
    reader->line_start = reader->at;
    skip_spaces(reader);
    if (!is_end(*reader->at))
      return true;
  }
  return false;
}

bool tny_line_word(struct tny_line_reader *reader)
{
  skip_spaces(reader);
  reader->word = reader->at;
  while (!is_end(*reader->at) && !is_space(*reader->at))
    reader->at++;
  reader->word_length = (size_t)(reader->at - reader->word);
  return reader->status == TNY_OK && reader->word_length > 0;
}

bool tny_line_is(const struct tny_line_reader *reader, const char *wanted)
{
  return strlen(wanted) == reader->word_length &&
         strncmp(wanted, reader->word, reader->word_length) == 0;
}

bool tny_line_take(struct tny_line_reader *reader, const char *wanted)
{
  const struct tny_line_reader before = *reader;
  if (tny_line_word(reader) && tny_line_is(reader, wanted))
    return true;
  *reader = before;
  return false;
}

void tny_line_expect(struct tny_line_reader *reader, const char *wanted)
{
  if (tny_line_word(reader) && tny_line_is(reader, wanted))
    return;
  tny_line_fail(reader, reader->word, "\"%s\" belongs here, not \"%.*s\"", wanted,
                (int)(reader->word_length < 40 ? reader->word_length : 40), reader->word);
}

bool tny_line_digits(const char **text, const char *end, uint32_t max, uint32_t *number)
{
  uint64_t value;
  const char *c = *text;
  if (tny_scan_number(&c, max, &value) != TNY_SCAN_NUMBER || c > end)
    return false;
  *text = c;
  *number = (uint32_t)value;
  return true;
}

uint32_t tny_line_number(struct tny_line_reader *reader, const char *what, uint32_t max)
{
  uint32_t number = 0;
  tny_line_word(reader);
  const char *digits = reader->word, *end = reader->word + reader->word_length;
  if (!tny_line_digits(&digits, end, max, &number) || digits != end) {
    tny_line_fail(reader, reader->word, "%s is a number from 0 to %u, not \"%.*s\"", what, max,
                  (int)(reader->word_length < 40 ? reader->word_length : 40), reader->word);
    return 0;
  }
  return number;
}

void tny_line_end(struct tny_line_reader *reader)
{
  if (tny_line_word(reader))
    tny_line_fail(reader, reader->word, "the line should end before \"%.*s\"",
                  (int)(reader->word_length < 40 ? reader->word_length : 40), reader->word);
}
