/* A search that ejects: of some messages that wait for a phase and of all phases for them, it takes
   the pair that is the best bargain, tracks gained less tracks of the messages that have to leave;
   these wait in their turn, and may not come back to that phase for a while. (So Bloechliger and
   Zufferey 2008 colour graphs: partial colourings and a tabu list.) The messages in the way are only
   looked up where few tracks are busy, and that is counted for 64 phases at once. */
#include "algorithms/phase_repair.h"

#include "core/alloc.h"
#include "core/error.h"
#include "core/random.h"

enum {
  TRIED_MESSAGES = 8,  /* of those that wait, at once */
  TRIED_PHASES = 64,   /* of a message, at most */
  ENOUGH_PHASES = 16,  /* with so many tried, those with more busy tracks are left alone */
  BUSY_MAX = 3,        /* more busy tracks aren't told apart */
  BARRED_BITS_MAX = 20 /* places in the table of who may not go where: 2^20 */
};
#define OCCUPANTS_BYTES_MAX ((uint64_t)1 << 30)

struct repair {
  struct tny_draft *draft;
  const struct tny_traffic *traffic;
  uint32_t *occupant; /* at phase * track_count + track: the message, TNY_NONE: none */
  uint32_t *waiting;  /* messages without a phase */
  uint32_t waiting_count;
  uint64_t *with_busy[BUSY_MAX]; /* phases in which i+1 tracks of the message in hand are busy */
  uint32_t *seen;                /* by message: the last count that met it */
  uint32_t counts;
  uint32_t *barred; /* hashed by message and phase: the step from which it may go there again */
  uint32_t barred_shift;
  uint32_t step;
};

/* A message into a phase. */
struct move {
  uint32_t place; /* in `waiting` */
  uint32_t phase; /* TNY_NONE: no move found */
  int64_t cost;
  uint32_t equals; /* moves met that are as good */
};

static uint32_t draw(struct repair *repair, uint32_t below)
{
  return (uint32_t)((tny_random_next(&repair->draft->seed) >> 32) * below >> 32);
}

static uint32_t *occupants_of(const struct repair *repair, uint32_t phase)
{
  return repair->occupant + (size_t)phase * repair->traffic->track_count;
}

static uint32_t *barred_for(const struct repair *repair, uint32_t message, uint32_t phase)
{
  const uint64_t both = (uint64_t)phase << 32 | message;
  return &repair->barred[both * 0x9e3779b97f4a7c15u >> repair->barred_shift];
}

/* --- what a move costs --- */

/* The tracks of the messages that would have to leave, less those of the message. */
static int64_t cost_of(struct repair *repair, uint32_t message, uint32_t phase)
{
  const struct tny_tracks tracks = tny_traffic_tracks(repair->traffic, message);
  const uint32_t *occupants = occupants_of(repair, phase);
  int64_t cost = -(int64_t)tracks.count;
  repair->counts++;
  for (uint32_t i = 0; i < tracks.count; i++) {
    const uint32_t other = occupants[tracks.at[i]];
    if (other == TNY_NONE || repair->seen[other] == repair->counts)
      continue;
    repair->seen[other] = repair->counts;
    cost += tny_traffic_tracks(repair->traffic, other).count;
  }
  return cost;
}

static void weigh_move(struct repair *repair, uint32_t place, uint32_t phase, struct move *best)
{
  const int64_t cost = cost_of(repair, repair->waiting[place], phase);
  if (best->phase != TNY_NONE && cost > best->cost)
    return;
  if (best->phase == TNY_NONE || cost < best->cost)
    best->equals = 0;
  else if (draw(repair, ++best->equals + 1) != 0)
    return;
  *best = (struct move){.place = place, .phase = phase, .cost = cost, .equals = best->equals};
}

/* --- which moves are looked at --- */

static uint32_t words_of(uint32_t limit)
{
  return (limit + TNY_WORD_BITS - 1) / TNY_WORD_BITS;
}

/* Counts in how many of its tracks each phase is busy, bit by bit as an adder does. A phase where
   all are free is returned at once; else TNY_NONE. */
static uint32_t count_busy(struct repair *repair, uint32_t message)
{
  const struct tny_tracks tracks = tny_traffic_tracks(repair->traffic, message);
  const uint32_t limit = repair->draft->limit[message];
  for (uint32_t word = 0; word < words_of(limit); word++) {
    uint64_t ones = 0, twos = 0, fours = 0;
    for (uint32_t i = 0; i < tracks.count; i++) {
      const uint64_t busy = tny_board_row(&repair->draft->board, tracks.at[i])[word];
      const uint64_t two = ones & busy;
      ones ^= busy;
      fours |= twos & two;
      twos ^= two;
    }
    const uint32_t left = limit - word * TNY_WORD_BITS;
    const uint64_t valid = left < TNY_WORD_BITS ? ((uint64_t)1 << left) - 1 : UINT64_MAX;
    const uint64_t none = ~(ones | twos | fours) & valid;
    if (none)
      return word * TNY_WORD_BITS + (uint32_t)__builtin_ctzll(none);
    repair->with_busy[0][word] = ones & ~twos & ~fours & valid;
    repair->with_busy[1][word] = ~ones & twos & ~fours & valid;
    repair->with_busy[2][word] = ones & twos & ~fours & valid;
  }
  return TNY_NONE;
}

/* Weighs the phases of a word; returns how many. */
static uint32_t weigh_word(struct repair *repair, uint32_t place, uint64_t phases, uint32_t word,
                           struct move *best)
{
  uint32_t tried = 0;
  for (; phases; phases &= phases - 1) {
    const uint32_t phase = word * TNY_WORD_BITS + (uint32_t)__builtin_ctzll(phases);
    if (*barred_for(repair, repair->waiting[place], phase) > repair->step)
      continue;
    weigh_move(repair, place, phase, best);
    tried++;
  }
  return tried;
}

/* Weighs phases for the message at `place` in `waiting`, those with few busy tracks first; from a
   random one on, so that each gets its turn. True: one is free. */
static bool weigh_message(struct repair *repair, uint32_t place, struct move *best,
                          uint64_t *effort)
{
  const uint32_t message = repair->waiting[place];
  const uint32_t limit = repair->draft->limit[message], words = words_of(limit);
  const uint32_t free_phase = count_busy(repair, message);
  uint32_t tried = 0;
  *effort += (uint64_t)words * tny_traffic_tracks(repair->traffic, message).count;
  if (free_phase != TNY_NONE) {
    *best = (struct move){.place = place, .phase = free_phase};
    return true;
  }
  for (uint32_t busy = 0; busy < BUSY_MAX && tried < ENOUGH_PHASES; busy++) {
    const uint32_t start = draw(repair, words);
    for (uint32_t i = 0; i < words && tried < TRIED_PHASES; i++) {
      const uint32_t word = start + i < words ? start + i : start + i - words;
      tried += weigh_word(repair, place, repair->with_busy[busy][word], word, best);
    }
  }
  if (tried == 0)
    weigh_move(repair, place, draw(repair, limit), best);
  *effort += (uint64_t)(tried + 1) * tny_traffic_tracks(repair->traffic, message).count;
  return false;
}

/* Of a few messages that wait. */
static struct move choose(struct repair *repair, uint64_t *effort)
{
  struct move best = {.phase = TNY_NONE};
  const bool all = repair->waiting_count <= TRIED_MESSAGES;
  const uint32_t count = all ? repair->waiting_count : TRIED_MESSAGES;
  for (uint32_t i = 0; i < count; i++)
    if (weigh_message(repair, all ? i : draw(repair, repair->waiting_count), &best, effort))
      break;
  return best;
}

/* --- moving --- */

static void eject(struct repair *repair, uint32_t message, uint32_t phase)
{
  const struct tny_tracks tracks = tny_traffic_tracks(repair->traffic, message);
  uint32_t *occupants = occupants_of(repair, phase);
  for (uint32_t i = 0; i < tracks.count; i++)
    occupants[tracks.at[i]] = TNY_NONE;
  tny_board_give_back(&repair->draft->board, tracks, phase);
  repair->draft->phase_of[message] = TNY_NONE;
  repair->waiting[repair->waiting_count++] = message;
  /* The more that wait, the longer, or those just moved would take turns. */
  *barred_for(repair, message, phase) =
      repair->step + 2 + draw(repair, 10) + repair->waiting_count * 3 / 5;
}

static void enter(struct repair *repair, const struct move *move)
{
  const uint32_t message = repair->waiting[move->place];
  const struct tny_tracks tracks = tny_traffic_tracks(repair->traffic, message);
  uint32_t *occupants = occupants_of(repair, move->phase);
  repair->waiting[move->place] = repair->waiting[--repair->waiting_count];
  for (uint32_t i = 0; i < tracks.count; i++)
    if (occupants[tracks.at[i]] != TNY_NONE)
      eject(repair, occupants[tracks.at[i]], move->phase);
  for (uint32_t i = 0; i < tracks.count; i++)
    occupants[tracks.at[i]] = message;
  tny_draft_put(repair->draft, message, move->phase);
}

static void search(struct repair *repair, uint64_t *effort)
{
  uint64_t spent = 0;
  while (repair->waiting_count > 0 && spent < *effort && repair->step < UINT32_MAX / 2) {
    repair->step++;
    const struct move move = choose(repair, &spent);
    enter(repair, &move);
  }
  *effort -= spent < *effort ? spent : *effort;
}

/* --- all of it --- */

static void look_around(struct repair *repair)
{
  const struct tny_draft *draft = repair->draft;
  const uint64_t places = (uint64_t)draft->phases * repair->traffic->track_count;
  for (uint64_t i = 0; i < places; i++)
    repair->occupant[i] = TNY_NONE;
  for (uint32_t message = 0; message < repair->traffic->count; message++) {
    const uint32_t phase = draft->phase_of[message];
    const struct tny_tracks tracks = tny_traffic_tracks(repair->traffic, message);
    if (phase == TNY_NONE)
      repair->waiting[repair->waiting_count++] = message;
    else
      for (uint32_t i = 0; i < tracks.count; i++)
        occupants_of(repair, phase)[tracks.at[i]] = message;
  }
}

static bool make_room(struct repair *repair)
{
  const uint32_t count = repair->traffic->count, words = words_of(repair->draft->phases);
  uint32_t bits = 12;
  while (bits < BARRED_BITS_MAX && (uint64_t)1 << bits < (uint64_t)4 * count)
    bits++;
  repair->barred_shift = 64 - bits;
  repair->occupant = tny_new((size_t)repair->draft->phases * repair->traffic->track_count,
                             sizeof *repair->occupant);
  repair->waiting = tny_new(count, sizeof *repair->waiting);
  repair->seen = tny_new(count, sizeof *repair->seen);
  repair->barred = tny_new((size_t)1 << bits, sizeof *repair->barred);
  repair->with_busy[0] = tny_new((size_t)words * BUSY_MAX, sizeof *repair->with_busy[0]);
  for (uint32_t i = 1; repair->with_busy[0] && i < BUSY_MAX; i++)
    repair->with_busy[i] = repair->with_busy[i - 1] + words;
  return repair->occupant && repair->waiting && repair->seen && repair->barred &&
         repair->with_busy[0];
}

enum tny_status tny_draft_repair(struct tny_draft *draft, uint64_t *effort, struct tny_error *error)
{
  const uint64_t places = (uint64_t)draft->phases * draft->traffic->track_count;
  if (places * sizeof(uint32_t) > OCCUPANTS_BYTES_MAX)
    return TNY_OK;
  struct repair repair = {.draft = draft, .traffic = draft->traffic};
  const bool ready = make_room(&repair);
  if (ready) {
    look_around(&repair);
    search(&repair, effort);
  }
  tny_free(repair.occupant);
  tny_free(repair.waiting);
  tny_free(repair.seen);
  tny_free(repair.barred);
  tny_free(repair.with_busy[0]);
  return ready ? TNY_OK : tny_error_memory(error);
}
