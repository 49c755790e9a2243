/* A timetable of phases: which messages are under way in which phase. It begins as one free phase,
   which is split as messages need it. Units: bytes. */
#ifndef TOURNEY_PLANNER_UNEVEN_TIMETABLE_H
#define TOURNEY_PLANNER_UNEVEN_TIMETABLE_H

#include "planner/phases/board.h"

/* A message in a phase. */
struct tny_entry {
  uint32_t message;
  uint32_t next; /* entry of the same phase; TNY_NONE: none */
};

struct tny_timetable {
  const struct tny_traffic *traffic; /* borrowed */
  struct tny_board board;
  uint32_t phase_count, phase_room;
  uint64_t *length; /* by phase */
  uint32_t *first;  /* by phase: its first entry; TNY_NONE: none */
  uint32_t *after;  /* by phase: the next one in time, after phase 0; TNY_NONE: none */
  uint32_t last;    /* phase in time */
  struct tny_entry *entries;
  uint32_t entry_count, entry_room;
  uint64_t bytes;         /* of all phases */
  enum tny_status status; /* sticky */
};

/* Owns: tny_timetable_release, which may also be called after a failure. */
enum tny_status tny_timetable_init(struct tny_timetable *timetable,
                                   const struct tny_traffic *traffic,
                                   struct tny_error *error) TNY_MUST_CHECK;
void tny_timetable_release(struct tny_timetable *timetable);
/* Makes it one free phase again. */
void tny_timetable_clear(struct tny_timetable *timetable, uint64_t bytes);
/* Bytes of a message that are to be placed. */
struct tny_need {
  uint32_t message;
  uint64_t bytes;
  uint64_t spare; /* of a phase that they don't fill: where more is left, it is split */
};
/* Gives them phases in which all the message's tracks are free, the oldest first. Returns for how
   many there was no room. Errors, here and below: sticky, for the caller to ask for when all are
   placed. */
uint64_t tny_timetable_place(struct tny_timetable *timetable, const struct tny_need *need,
                             struct tny_error *error);
/* Gives them phases in which just one of the tracks is busy, where the message that has it finds
   room elsewhere. Returns for how many there was none. */
uint64_t tny_timetable_make_way(struct tny_timetable *timetable, const struct tny_need *need,
                                struct tny_error *error);
/* Gives them a phase of their own at the end. */
void tny_timetable_append(struct tny_timetable *timetable, const struct tny_need *need,
                          struct tny_error *error);

#endif
