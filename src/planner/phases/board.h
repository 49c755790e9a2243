/* Which track is busy in which phase: a bit each, so that 64 phases are looked at as one. */
#ifndef TOURNEY_PLANNER_PHASES_BOARD_H
#define TOURNEY_PLANNER_PHASES_BOARD_H

#include "planner/phases/traffic.h"

enum { TNY_WORD_BITS = 64 };

struct tny_board {
  uint32_t track_count;
  uint32_t words;       /* for each track; there is room for 64 times as many phases */
  uint64_t *busy;       /* track by track */
  uint32_t *first_open; /* by track: its words before this one are full; `words`: all are */
};

/* Room for `phases` at least, all of them free. Owns: tny_board_release, which may also be called
   after a failure. Errors: TNY_REFUSED where that takes more than 2 GiB. */
enum tny_status tny_board_init(struct tny_board *board, uint32_t track_count, uint32_t phases,
                               struct tny_error *error) TNY_MUST_CHECK;
void tny_board_release(struct tny_board *board);
/* Frees all. */
void tny_board_clear(struct tny_board *board);
/* Makes room for half as many phases again. Errors: as above. */
enum tny_status tny_board_grow(struct tny_board *board, struct tny_error *error) TNY_MUST_CHECK;

static inline uint32_t tny_board_room(const struct tny_board *board)
{
  return board->words * TNY_WORD_BITS;
}

static inline const uint64_t *tny_board_row(const struct tny_board *board, uint32_t track)
{
  return board->busy + (size_t)track * board->words;
}

/* Words before this one have no phase in which all these tracks are free. */
static inline uint32_t tny_board_first_open(const struct tny_board *board, struct tny_tracks tracks)
{
  uint32_t word = 0;
  for (uint32_t i = 0; i < tracks.count; i++)
    if (board->first_open[tracks.at[i]] > word)
      word = board->first_open[tracks.at[i]];
  return word;
}

/* Of 64 phases, those in which one of the tracks is busy. */
static inline uint64_t tny_board_busy(const struct tny_board *board, struct tny_tracks tracks,
                                      uint32_t word)
{
  uint64_t busy = 0;
  for (uint32_t i = 0; i < tracks.count; i++)
    busy |= tny_board_row(board, tracks.at[i])[word];
  return busy;
}

/* The first phase in which all these tracks are free; it may be the one behind all that have
   room. */
uint32_t tny_board_find(const struct tny_board *board, struct tny_tracks tracks);
bool tny_board_is_free(const struct tny_board *board, struct tny_tracks tracks, uint32_t phase);
void tny_board_take(struct tny_board *board, struct tny_tracks tracks, uint32_t phase);
void tny_board_give_back(struct tny_board *board, struct tny_tracks tracks, uint32_t phase);

#endif
