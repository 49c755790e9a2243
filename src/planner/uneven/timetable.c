/* First fit into phases, which are split where a message doesn't fill them. */
#include "planner/uneven/timetable.h"

#include "core/alloc.h"
#include "core/error.h"

/* Free phases that are too long for a message: it splits the shortest of the first ones. */
enum { LONGER_MOST = 64 };

static bool resize(struct tny_timetable *timetable, uint32_t room)
{
  uint64_t *length = tny_resize(timetable->length, room, sizeof *length);
  timetable->length = length ? length : timetable->length;
  uint32_t *first = tny_resize(timetable->first, room, sizeof *first);
  timetable->first = first ? first : timetable->first;
  uint32_t *after = tny_resize(timetable->after, room, sizeof *after);
  timetable->after = after ? after : timetable->after;
  const bool is_done = length && first && after;
  timetable->phase_room = is_done ? room : timetable->phase_room;
  return is_done;
}

static enum tny_status make_room_for_phase(struct tny_timetable *timetable, struct tny_error *error)
{
  if (timetable->phase_count < timetable->phase_room)
    return TNY_OK;
  const enum tny_status status = tny_board_grow(&timetable->board, error);
  if (status != TNY_OK)
    return status;
  return resize(timetable, tny_board_room(&timetable->board)) ? TNY_OK : tny_error_memory(error);
}

static enum tny_status make_room_for_entry(struct tny_timetable *timetable, struct tny_error *error)
{
  if (timetable->entry_count < timetable->entry_room)
    return TNY_OK;
  const uint32_t room = timetable->entry_room + timetable->entry_room / 2;
  struct tny_entry *entries = tny_resize(timetable->entries, room, sizeof *entries);
  if (!entries)
    return tny_error_memory(error);
  timetable->entries = entries;
  timetable->entry_room = room;
  return TNY_OK;
}

enum tny_status tny_timetable_init(struct tny_timetable *timetable,
                                   const struct tny_traffic *traffic, struct tny_error *error)
{
  *timetable = (struct tny_timetable){.traffic = traffic};
  timetable->entry_room = 4 * traffic->count + 1;
  timetable->entries = tny_resize(NULL, timetable->entry_room, sizeof *timetable->entries);
  enum tny_status status = tny_board_init(&timetable->board, traffic->track_count,
                                          traffic->most + traffic->most / 2 + TNY_WORD_BITS, error);
  if (status != TNY_OK)
    return status;
  const bool has_memory =
      timetable->entries && resize(timetable, tny_board_room(&timetable->board));
  return has_memory ? TNY_OK : tny_error_memory(error);
}

void tny_timetable_release(struct tny_timetable *timetable)
{
  tny_board_release(&timetable->board);
  tny_free(timetable->length);
  tny_free(timetable->first);
  tny_free(timetable->after);
  tny_free(timetable->entries);
  *timetable = (struct tny_timetable){0};
}

/* A free phase behind another one. */
static void add_phase(struct tny_timetable *timetable, uint32_t before, uint64_t length,
                      struct tny_error *error)
{
  timetable->status = make_room_for_phase(timetable, error);
  if (timetable->status != TNY_OK)
    return;
  const uint32_t phase = timetable->phase_count++;
  timetable->length[phase] = length;
  timetable->first[phase] = TNY_NONE;
  timetable->after[phase] = timetable->after[before];
  timetable->after[before] = phase;
  timetable->last = timetable->last == before ? phase : timetable->last;
}

void tny_timetable_clear(struct tny_timetable *timetable, uint64_t bytes)
{
  tny_board_clear(&timetable->board);
  timetable->phase_count = 1;
  timetable->length[0] = timetable->bytes = bytes;
  timetable->first[0] = timetable->after[0] = TNY_NONE;
  timetable->last = 0;
  timetable->entry_count = 0;
  timetable->status = TNY_OK;
}

static void add_entry(struct tny_timetable *timetable, uint32_t message, uint32_t phase,
                      struct tny_error *error)
{
  timetable->status = make_room_for_entry(timetable, error);
  if (timetable->status != TNY_OK)
    return;
  timetable->entries[timetable->entry_count] =
      (struct tny_entry){.message = message, .next = timetable->first[phase]};
  timetable->first[phase] = timetable->entry_count++;
  tny_board_take(&timetable->board, tny_traffic_tracks(timetable->traffic, message), phase);
}

/* Makes two phases of one, the first of them `length` long; its messages are in both. */
static void split(struct tny_timetable *timetable, uint32_t phase, uint64_t length,
                  struct tny_error *error)
{
  const uint32_t added = timetable->phase_count;
  add_phase(timetable, phase, timetable->length[phase] - length, error);
  if (timetable->status == TNY_OK)
    timetable->length[phase] = length;
  for (uint32_t entry = timetable->first[phase]; timetable->status == TNY_OK && entry != TNY_NONE;
       entry = timetable->entries[entry].next)
    add_entry(timetable, timetable->entries[entry].message, added, error);
}

/* What of a message is still to be placed. */
struct rest {
  struct tny_need need;
  uint32_t longer; /* the shortest free phase that is too long; TNY_NONE: none */
  uint32_t longer_count;
};

static bool is_unfinished(const struct tny_timetable *timetable, const struct rest *rest)
{
  return rest->need.bytes > 0 && rest->longer_count < LONGER_MOST && timetable->status == TNY_OK;
}

/* Looks at one free phase. */
static void fill_phase(struct tny_timetable *timetable, struct rest *rest, uint32_t phase,
                       struct tny_error *error)
{
  struct tny_need *need = &rest->need;
  const uint64_t length = timetable->length[phase];
  if (length <= need->bytes + need->spare) {
    need->bytes -= length < need->bytes ? length : need->bytes;
    add_entry(timetable, need->message, phase, error);
    return;
  }
  rest->longer_count++;
  if (rest->longer == TNY_NONE || length < timetable->length[rest->longer])
    rest->longer = phase;
}

/* Of 64 phases, those that exist and in which the tracks are free. */
static uint64_t free_phases(const struct tny_timetable *timetable, struct tny_tracks tracks,
                            uint32_t word)
{
  const uint32_t count = timetable->phase_count - word * TNY_WORD_BITS;
  const uint64_t existing = count < TNY_WORD_BITS ? ((uint64_t)1 << count) - 1 : UINT64_MAX;
  return existing & ~tny_board_busy(&timetable->board, tracks, word);
}

uint64_t tny_timetable_place(struct tny_timetable *timetable, const struct tny_need *need,
                             struct tny_error *error)
{
  struct rest rest = {.need = *need, .longer = TNY_NONE};
  const struct tny_tracks tracks = tny_traffic_tracks(timetable->traffic, need->message);
  const uint32_t words = (timetable->phase_count + TNY_WORD_BITS - 1) / TNY_WORD_BITS;
  for (uint32_t word = tny_board_first_open(&timetable->board, tracks);
       word < words && is_unfinished(timetable, &rest); word++)
    for (uint64_t phases = free_phases(timetable, tracks, word);
         phases && is_unfinished(timetable, &rest); phases &= phases - 1)
      fill_phase(timetable, &rest, word * TNY_WORD_BITS + (uint32_t)__builtin_ctzll(phases), error);
  if (rest.need.bytes == 0 || rest.longer == TNY_NONE || timetable->status != TNY_OK)
    return rest.need.bytes;
  if (timetable->length[rest.longer] > rest.need.bytes + need->spare)
    split(timetable, rest.longer, rest.need.bytes, error);
  if (timetable->status == TNY_OK)
    add_entry(timetable, need->message, rest.longer, error);
  return 0;
}

void tny_timetable_append(struct tny_timetable *timetable, const struct tny_need *need,
                          struct tny_error *error)
{
  const uint32_t phase = timetable->phase_count;
  add_phase(timetable, timetable->last, need->bytes, error);
  if (timetable->status != TNY_OK)
    return;
  timetable->bytes += need->bytes;
  add_entry(timetable, need->message, phase, error);
}

/* --- making way --- */

/* Of 64 phases, those in which just one of the tracks is busy. */
static uint64_t nearly_free_phases(const struct tny_timetable *timetable, struct tny_tracks tracks,
                                   uint32_t word)
{
  uint64_t once = 0, more = 0;
  for (uint32_t i = 0; i < tracks.count; i++) {
    const uint64_t busy = tny_board_row(&timetable->board, tracks.at[i])[word];
    more |= once & busy;
    once |= busy;
  }
  return once & ~more;
}

static bool is_among(struct tny_tracks tracks, uint32_t track)
{
  for (uint32_t i = 0; i < tracks.count; i++)
    if (tracks.at[i] == track)
      return true;
  return false;
}

/* The link to the entry of the message that has one of the tracks in a phase. */
static uint32_t *find_other(const struct tny_timetable *timetable, struct tny_tracks tracks,
                            uint32_t phase)
{
  uint32_t busy = 0;
  while (tny_board_is_free(&timetable->board, (struct tny_tracks){tracks.at + busy, 1}, phase))
    busy++;
  uint32_t *link = &timetable->first[phase];
  while (!is_among(tny_traffic_tracks(timetable->traffic, timetable->entries[*link].message),
                   tracks.at[busy]))
    link = &timetable->entries[*link].next;
  return link;
}

/* Has the message so many bytes free? */
static bool has_room(const struct tny_timetable *timetable, uint32_t message, uint64_t bytes)
{
  const struct tny_tracks tracks = tny_traffic_tracks(timetable->traffic, message);
  uint64_t found = 0;
  for (uint32_t word = 0; word * TNY_WORD_BITS < timetable->phase_count && found < bytes; word++)
    for (uint64_t phases = free_phases(timetable, tracks, word); phases && found < bytes;
         phases &= phases - 1)
      found += timetable->length[word * TNY_WORD_BITS + (uint32_t)__builtin_ctzll(phases)];
  return found >= bytes;
}

/* Gives a phase to the message, if the one that has a track of it there finds room elsewhere. */
static void exchange(struct tny_timetable *timetable, struct tny_need *need, uint32_t phase,
                     struct tny_error *error)
{
  const struct tny_tracks tracks = tny_traffic_tracks(timetable->traffic, need->message);
  const bool is_longer = timetable->length[phase] > need->bytes + need->spare;
  const uint64_t bytes = is_longer ? need->bytes : timetable->length[phase];
  const uint32_t other = timetable->entries[*find_other(timetable, tracks, phase)].message;
  if (!has_room(timetable, other, bytes))
    return;
  if (is_longer)
    split(timetable, phase, bytes, error);
  if (timetable->status != TNY_OK)
    return;
  uint32_t *link = find_other(timetable, tracks, phase);
  *link = timetable->entries[*link].next;
  tny_board_give_back(&timetable->board, tny_traffic_tracks(timetable->traffic, other), phase);
  add_entry(timetable, need->message, phase, error);
  need->bytes -= bytes < need->bytes ? bytes : need->bytes;
  const struct tny_need moved = {.message = other, .bytes = bytes, .spare = need->spare};
  if (timetable->status == TNY_OK)
    tny_timetable_place(timetable, &moved, error);
}

uint64_t tny_timetable_make_way(struct tny_timetable *timetable, const struct tny_need *need,
                                struct tny_error *error)
{
  struct tny_need rest = *need;
  const struct tny_tracks tracks = tny_traffic_tracks(timetable->traffic, need->message);
  for (uint32_t word = 0; word * TNY_WORD_BITS < timetable->phase_count; word++) {
    uint64_t phases, tried = 0;
    while (rest.bytes > 0 && timetable->status == TNY_OK &&
           (phases = nearly_free_phases(timetable, tracks, word) & ~tried) != 0) {
      const uint32_t bit = (uint32_t)__builtin_ctzll(phases);
      tried |= (uint64_t)1 << bit;
      exchange(timetable, &rest, word * TNY_WORD_BITS + bit, error);
    }
  }
  return rest.bytes;
}
