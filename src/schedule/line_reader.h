/* A text as lines of words and numbers, for the readers of schedules and patterns. The first
   failure is kept, and what is read after it is empty. '#' begins a comment. */
#ifndef TOURNEY_SCHEDULE_LINE_READER_H
#define TOURNEY_SCHEDULE_LINE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tourney/status.h>

struct tny_line_reader {
  const char *name;       /* what errors call the text; borrowed */
  const char *at;         /* next character; borrowed */
  const char *line_start; /* of the line that `at` is in */
  const char *word;       /* the last word read, for error columns */
  size_t word_length;
  unsigned line;
  enum tny_status status;
  struct tny_error *error; /* borrowed, may be NULL */
};

/* Refuses texts with control or non-ASCII characters. */
void tny_line_reader_init(struct tny_line_reader *reader, const char *text, const char *name,
                          struct tny_error *error);
/* Goes to the first word of the next line that has one; false at the end or after a failure. */
bool tny_line_next(struct tny_line_reader *reader);
/* Reads the next word of the line; false where there is none (no failure). */
bool tny_line_word(struct tny_line_reader *reader);
/* True where the next word of the line is `wanted`; only then it is read. */
bool tny_line_take(struct tny_line_reader *reader, const char *wanted);
/* The next word must be `wanted`. */
void tny_line_expect(struct tny_line_reader *reader, const char *wanted);
/* The next word must be a number of at most `max`, which `what` names. */
uint32_t tny_line_number(struct tny_line_reader *reader, const char *what, uint32_t max);
/* No word may be left on the line. */
void tny_line_end(struct tny_line_reader *reader);
/* True where the last word read is `wanted`. */
bool tny_line_is(const struct tny_line_reader *reader, const char *wanted);
/* Reads digits at *text, which ends before `end`, and moves *text behind them; false where there
   are none or the number is above `max`. */
bool tny_line_digits(const char **text, const char *end, uint32_t max, uint32_t *number);
/* Fails with the column of `at`, which is in the line. */
void tny_line_fail(struct tny_line_reader *reader, const char *at, const char *format, ...)
    TNY_PRINTF(3, 4);

#endif
