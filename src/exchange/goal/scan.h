/* A GOAL file as words, numbers and signs. The first failure stays. Comments are skipped; those of
   ours, "// tourney ...", are handed out. */
#ifndef TOURNEY_EXCHANGE_GOAL_SCAN_H
#define TOURNEY_EXCHANGE_GOAL_SCAN_H

#include "schedule/line_reader.h"

struct tny_goal_word {
  const char *text;
  uint32_t length;
};

struct tny_goal_scan {
  struct tny_line_reader text; /* where it stands, and the first failure; its word isn't used */
  /* Gets each comment of ours, the line reader standing behind "tourney". */
  void (*take_comment)(void *into, struct tny_line_reader *comment);
  void *into;
};

/* Goes to the next word or sign, over lines and comments; false at the end or after a failure. */
bool tny_goal_next(struct tny_goal_scan *scan);
/* Goes over spaces and comments within the line. */
void tny_goal_skip(struct tny_goal_scan *scan);
/* Reads letters, digits and '_', the first a letter; length 0 where there are none. */
struct tny_goal_word tny_goal_read_word(struct tny_goal_scan *scan);
bool tny_goal_is(struct tny_goal_word word, const char *wanted);
/* The characters of a word that a message shows, for %.*s. */
static inline int tny_goal_shown(struct tny_goal_word word)
{
  return (int)(word.length < 80 ? word.length : 80);
}
/* Reads a number up to `max`, which `what` names. */
uint64_t tny_goal_number(struct tny_goal_scan *scan, const char *what, uint64_t max);
/* Reads the sign where it comes next in the line. */
bool tny_goal_take(struct tny_goal_scan *scan, char sign);
/* The statement must end here: with the line, or before '}'. */
void tny_goal_end(struct tny_goal_scan *scan);

#endif
