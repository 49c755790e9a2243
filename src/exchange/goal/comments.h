/* Our comments in a GOAL file: what lies where. The head says the collective and how blocks are
   cut; each operation has a line before it with what it moves. */
#ifndef TOURNEY_EXCHANGE_GOAL_COMMENTS_H
#define TOURNEY_EXCHANGE_GOAL_COMMENTS_H

#include "exchange/foreign/foreign.h"
#include "schedule/line_reader.h"

/* What the next operation does. */
struct tny_goal_comment {
  bool is_there, is_token, is_copy;
  struct tny_span span, target;
  uint32_t phase;
  unsigned line;
};

/* Reads a line of the head; the first one makes foreign->head. `ranks_max` is what the file has
   room for. */
void tny_goal_read_head(struct tny_line_reader *lines, struct tny_foreign *foreign,
                        uint32_t ranks_max);
/* Reads the line of an operation. */
struct tny_goal_comment tny_goal_read_comment(struct tny_line_reader *lines,
                                              const struct tny_foreign *foreign);
/* The locations of a span. */
struct tny_region tny_region_of(const struct tny_foreign *foreign, const struct tny_span *span);

#endif
