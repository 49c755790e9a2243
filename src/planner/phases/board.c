/* Tracks and phases, a bit each. */
#include "planner/phases/board.h"

#include "core/alloc.h"
#include "core/error.h"

#define BOARD_BYTES_MAX ((uint64_t)1 << 31)

static enum tny_status check_size(uint32_t track_count, uint64_t words, struct tny_error *error)
{
  if (track_count * words * sizeof(uint64_t) <= BOARD_BYTES_MAX)
    return TNY_OK;
  return tny_error_set(error, TNY_REFUSED,
                       "%llu phases on %u links take more than 2 GiB to plan: take fewer ranks",
                       (unsigned long long)(words * TNY_WORD_BITS), track_count);
}

enum tny_status tny_board_init(struct tny_board *board, uint32_t track_count, uint32_t phases,
                               struct tny_error *error)
{
  *board = (struct tny_board){.track_count = track_count};
  const uint32_t words = phases / TNY_WORD_BITS + 1;
  const enum tny_status status = check_size(track_count, words, error);
  if (status != TNY_OK)
    return status;
  board->words = words;
  board->busy = tny_new((size_t)track_count * words, sizeof *board->busy);
  board->first_open = tny_new(track_count, sizeof *board->first_open);
  return board->busy && board->first_open ? TNY_OK : tny_error_memory(error);
}

void tny_board_release(struct tny_board *board)
{
  tny_free(board->busy);
  tny_free(board->first_open);
  *board = (struct tny_board){0};
}

void tny_board_clear(struct tny_board *board)
{
  memset(board->busy, 0, (size_t)board->track_count * board->words * sizeof *board->busy);
  memset(board->first_open, 0, board->track_count * sizeof *board->first_open);
}

enum tny_status tny_board_grow(struct tny_board *board, struct tny_error *error)
{
  const uint32_t words = board->words + board->words / 2 + 1;
  const enum tny_status status = check_size(board->track_count, words, error);
  if (status != TNY_OK)
    return status;
  uint64_t *busy = tny_new((size_t)board->track_count * words, sizeof *busy);
  if (!busy)
    return tny_error_memory(error);
  for (uint32_t track = 0; track < board->track_count; track++)
    memcpy(busy + (size_t)track * words, tny_board_row(board, track), board->words * sizeof *busy);
  tny_free(board->busy);
  board->busy = busy;
  board->words = words;
  return TNY_OK;
}

uint32_t tny_board_find(const struct tny_board *board, struct tny_tracks tracks)
{
  for (uint32_t word = tny_board_first_open(board, tracks); word < board->words; word++) {
    const uint64_t busy = tny_board_busy(board, tracks, word);
    if (~busy)
      return word * TNY_WORD_BITS + (uint32_t)__builtin_ctzll(~busy);
  }
  return tny_board_room(board);
}

bool tny_board_is_free(const struct tny_board *board, struct tny_tracks tracks, uint32_t phase)
{
  return !(tny_board_busy(board, tracks, phase / TNY_WORD_BITS) >> phase % TNY_WORD_BITS & 1);
}

void tny_board_take(struct tny_board *board, struct tny_tracks tracks, uint32_t phase)
{
  for (uint32_t i = 0; i < tracks.count; i++) {
    uint64_t *row = board->busy + (size_t)tracks.at[i] * board->words;
    uint32_t *open = &board->first_open[tracks.at[i]];
    row[phase / TNY_WORD_BITS] |= (uint64_t)1 << phase % TNY_WORD_BITS;
    while (*open < board->words && row[*open] == UINT64_MAX)
      ++*open;
  }
}

void tny_board_give_back(struct tny_board *board, struct tny_tracks tracks, uint32_t phase)
{
  const uint32_t word = phase / TNY_WORD_BITS;
  for (uint32_t i = 0; i < tracks.count; i++) {
    uint32_t *open = &board->first_open[tracks.at[i]];
    board->busy[(size_t)tracks.at[i] * board->words + word] &=
        ~((uint64_t)1 << phase % TNY_WORD_BITS);
    if (*open > word)
      *open = word;
  }
}
