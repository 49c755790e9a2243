/* Whole numbers in texts, for every reader of lines, fields and generators. Numbers with units are
   in core/units.h. */
#ifndef TOURNEY_CORE_SCAN_H
#define TOURNEY_CORE_SCAN_H

#include <stdbool.h>
#include <stdint.h>

static inline bool tny_is_digit(char c)
{
  return c >= '0' && c <= '9';
}

enum tny_scan { TNY_SCAN_NUMBER, TNY_SCAN_NO_DIGIT, TNY_SCAN_TOO_LARGE };

/* Reads the digits at *text as a number of at most `max`, and moves *text behind all of them. The
   number is 0 where there is none or where it is too large. */
static inline enum tny_scan tny_scan_number(const char **text, uint64_t max, uint64_t *number)
{
  enum tny_scan found = TNY_SCAN_NO_DIGIT;
  *number = 0;
  for (; tny_is_digit(**text); ++*text) {
    const uint64_t digit = (uint64_t)(**text - '0');
    if (found == TNY_SCAN_TOO_LARGE || digit > max || *number > (max - digit) / 10)
      found = TNY_SCAN_TOO_LARGE;
    else
      found = TNY_SCAN_NUMBER;
    *number = found == TNY_SCAN_NUMBER ? 10 * *number + digit : 0;
  }
  return found;
}

/* True where the whole text is a number of 64 bits. */
static inline bool tny_scan_whole(const char *text, uint64_t *number)
{
  return tny_scan_number(&text, UINT64_MAX, number) == TNY_SCAN_NUMBER && *text == '\0';
}

#endif
