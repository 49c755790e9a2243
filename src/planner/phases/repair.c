/* A search that empties phases: partial colouring with a tabu list, after Bloechliger and Zufferey
   (2008), who colour graphs so.

   The messages of an emptied phase wait for another phase. The search takes, of some of the waiting
   messages and of all phases for them, the best move: the weight of the message, less the weights
   of the messages that are in its way in that phase. These have to leave; they wait in their turn,
   and may not come back to that phase for a while. A message's weight is the number of its tracks,
   and a little more each time that it has to leave: without that, equal messages would take turns
   on a full link, while the ones that make it full would never move. The messages in the way are
   only looked up in phases where few tracks are busy, and busy tracks are counted for 64 phases at
   once. When none waits any more, the next phase is emptied: the one that lasts longest for the
   tracks that it uses. */
#include "planner/phases/repair.h"

#include "core/alloc.h"
#include "core/error.h"
#include "core/random.h"

enum {
  TRIED_MESSAGES = 8, /* of those that wait, at once */
  TRIED_PHASES = 24,  /* of a message, at most */
  ENOUGH_PHASES = 8,  /* with so many tried, those with more busy tracks are left alone */
  FAILURES_MAX = 4,   /* to empty one phase */
  BUSY_MAX = 3,       /* more busy tracks aren't told apart */
  TRACK_WEIGHT = 16,  /* and 1 more each time that a message leaves */
  TABU_STEPS = 100,   /* a move is tabu for up to so many steps, and more while many wait */
  TABU_BITS_MAX = 20  /* the table of tabu moves has 2^20 entries at most */
};
#define DIVISOR_MAX ((uint64_t)1 << 32)
#define OCCUPANTS_BYTES_MAX ((uint64_t)1 << 30)

/* A phase. */
struct phase_use {
  uint64_t bytes;  /* its longest message's */
  uint32_t tracks; /* that it has in use */
  bool is_kept;    /* it has been tried to be emptied, in vain */
};

struct repair {
  struct tny_draft *draft;
  const struct tny_traffic *traffic;
  uint32_t *saved;              /* phase by message: as it was when last complete */
  uint32_t *limit;              /* by message: phases from here on are shorter than it */
  struct phase_use *phase_uses; /* by phase */
  uint64_t *open;               /* a bit a phase: it may be used */
  uint32_t phases;              /* their numbers' end */
  uint64_t bytes;               /* of all open phases */
  uint32_t *emptied;            /* phases, in this round */
  uint32_t emptied_count;
  uint32_t *occupant; /* at phase * track_count + track: the message, TNY_NONE: none */
  uint32_t *waiting;  /* messages without a phase */
  uint32_t waiting_count;
  uint64_t *with_busy[BUSY_MAX]; /* phases in which i+1 tracks of the message in hand are busy */
  uint32_t *weight;              /* by message */
  uint32_t *seen;                /* by message: the last count that met it */
  uint32_t counts;
  uint32_t *tabu; /* hashed by message and phase: the step from which that move is allowed again */
  uint32_t tabu_shift;
  uint32_t step;
  uint64_t seed, spent;
};

/* A message into a phase. */
struct move {
  uint32_t index; /* in `waiting` */
  uint32_t phase; /* TNY_NONE: no move found */
  int64_t cost;
  uint32_t equals; /* moves met that are as good */
};

static uint32_t draw(struct repair *repair, uint32_t below)
{
  return (uint32_t)((tny_random_next(&repair->seed) >> 32) * below >> 32);
}

static uint32_t *occupants_of(const struct repair *repair, uint32_t phase)
{
  return repair->occupant + (size_t)phase * repair->traffic->track_count;
}

static uint32_t *tabu_until(const struct repair *repair, uint32_t message, uint32_t phase)
{
  const uint64_t both = (uint64_t)phase << 32 | message;
  return &repair->tabu[both * 0x9e3779b97f4a7c15u >> repair->tabu_shift];
}

static bool is_open(const struct repair *repair, uint32_t phase)
{
  return repair->open[phase / TNY_WORD_BITS] >> phase % TNY_WORD_BITS & 1;
}

/* --- what a move costs --- */

/* The weights of the messages that would have to leave, less the weight of the message itself. */
static int64_t cost_of(struct repair *repair, uint32_t message, uint32_t phase)
{
  const struct tny_tracks tracks = tny_traffic_tracks(repair->traffic, message);
  const uint32_t *occupants = occupants_of(repair, phase);
  int64_t cost = -(int64_t)repair->weight[message];
  repair->counts++;
  for (uint32_t i = 0; i < tracks.count; i++) {
    const uint32_t other = occupants[tracks.at[i]];
    if (other == TNY_NONE || repair->seen[other] == repair->counts)
      continue;
    repair->seen[other] = repair->counts;
    cost += repair->weight[other];
  }
  repair->spent += tracks.count;
  return cost;
}

static void try_move(struct repair *repair, uint32_t index, uint32_t phase, struct move *best)
{
  const int64_t cost = cost_of(repair, repair->waiting[index], phase);
  if (best->phase != TNY_NONE && cost > best->cost)
    return;
  if (best->phase == TNY_NONE || cost < best->cost)
    best->equals = 0;
  else if (draw(repair, ++best->equals + 1) != 0)
    return;
  *best = (struct move){.index = index, .phase = phase, .cost = cost, .equals = best->equals};
}

/* --- which moves are looked at --- */

static uint32_t words_of(uint32_t phases)
{
  return (phases + TNY_WORD_BITS - 1) / TNY_WORD_BITS;
}

/* Of 64 phases, those that are open and before `limit`. */
static uint64_t valid_of(const struct repair *repair, uint32_t limit, uint32_t word)
{
  const uint32_t left = limit - word * TNY_WORD_BITS;
  return repair->open[word] & (left < TNY_WORD_BITS ? ((uint64_t)1 << left) - 1 : UINT64_MAX);
}

/* Counts in how many of its tracks each phase is busy, bit by bit as an adder does. A phase where
   all are free is returned at once; else TNY_NONE. */
static uint32_t count_busy(struct repair *repair, uint32_t message)
{
  const struct tny_tracks tracks = tny_traffic_tracks(repair->traffic, message);
  const uint32_t limit = repair->limit[message];
  for (uint32_t word = 0; word < words_of(limit); word++) {
    uint64_t ones = 0, twos = 0, fours = 0;
    for (uint32_t i = 0; i < tracks.count; i++) {
      const uint64_t busy = tny_board_row(&repair->draft->board, tracks.at[i])[word];
      const uint64_t two = ones & busy;
      ones ^= busy;
      fours |= twos & two;
      twos ^= two;
    }
    const uint64_t valid = valid_of(repair, limit, word), none = ~(ones | twos | fours) & valid;
    repair->spent += tracks.count;
    if (none)
      return word * TNY_WORD_BITS + (uint32_t)__builtin_ctzll(none);
    repair->with_busy[0][word] = ones & ~twos & ~fours & valid;
    repair->with_busy[1][word] = ~ones & twos & ~fours & valid;
    repair->with_busy[2][word] = ones & twos & ~fours & valid;
  }
  return TNY_NONE;
}

/* Tries the phases of a word; returns how many. */
static uint32_t try_word(struct repair *repair, uint32_t index, uint64_t phases, uint32_t word,
                         struct move *best)
{
  uint32_t tried = 0;
  for (; phases; phases &= phases - 1) {
    const uint32_t phase = word * TNY_WORD_BITS + (uint32_t)__builtin_ctzll(phases);
    if (*tabu_until(repair, repair->waiting[index], phase) > repair->step)
      continue;
    try_move(repair, index, phase, best);
    tried++;
  }
  return tried;
}

/* Tries phases for the message at `index` in `waiting`, those with few busy tracks first, from a
   random one on, so that each gets its turn. True: one is free. */
static bool try_message(struct repair *repair, uint32_t index, struct move *best)
{
  const uint32_t limit = repair->limit[repair->waiting[index]], words = words_of(limit);
  const uint32_t free_phase = count_busy(repair, repair->waiting[index]);
  uint32_t tried = 0;
  if (free_phase != TNY_NONE) {
    *best = (struct move){.index = index, .phase = free_phase};
    return true;
  }
  for (uint32_t busy = 0; busy < BUSY_MAX && tried < ENOUGH_PHASES; busy++) {
    const uint32_t start = draw(repair, words);
    for (uint32_t i = 0; i < words && tried < TRIED_PHASES; i++) {
      const uint32_t word = start + i < words ? start + i : start + i - words;
      tried += try_word(repair, index, repair->with_busy[busy][word], word, best);
    }
  }
  if (tried == 0) {
    const uint32_t phase = draw(repair, limit);
    if (is_open(repair, phase))
      try_move(repair, index, phase, best);
  }
  return false;
}

/* Of a few messages that wait. */
static struct move choose(struct repair *repair)
{
  struct move best = {.phase = TNY_NONE};
  const bool all = repair->waiting_count <= TRIED_MESSAGES;
  const uint32_t count = all ? repair->waiting_count : TRIED_MESSAGES;
  for (uint32_t i = 0; i < count; i++)
    if (try_message(repair, all ? i : draw(repair, repair->waiting_count), &best))
      break;
  return best;
}

/* --- moving --- */

static void leave(struct repair *repair, uint32_t message)
{
  const struct tny_tracks tracks = tny_traffic_tracks(repair->traffic, message);
  const uint32_t phase = repair->draft->phase_of[message];
  uint32_t *occupants = occupants_of(repair, phase);
  for (uint32_t i = 0; i < tracks.count; i++)
    occupants[tracks.at[i]] = TNY_NONE;
  tny_board_give_back(&repair->draft->board, tracks, phase);
  repair->draft->phase_of[message] = TNY_NONE;
  repair->phase_uses[phase].tracks -= tracks.count;
}

static void enter(struct repair *repair, uint32_t message, uint32_t phase)
{
  const struct tny_tracks tracks = tny_traffic_tracks(repair->traffic, message);
  uint32_t *occupants = occupants_of(repair, phase);
  for (uint32_t i = 0; i < tracks.count; i++)
    occupants[tracks.at[i]] = message;
  tny_draft_put(repair->draft, message, phase);
  repair->phase_uses[phase].tracks += tracks.count;
}

static void make_move(struct repair *repair, const struct move *move)
{
  const uint32_t message = repair->waiting[move->index];
  const struct tny_tracks tracks = tny_traffic_tracks(repair->traffic, message);
  const uint32_t *occupants = occupants_of(repair, move->phase);
  repair->waiting[move->index] = repair->waiting[--repair->waiting_count];
  for (uint32_t i = 0; i < tracks.count; i++) {
    const uint32_t other = occupants[tracks.at[i]];
    if (other == TNY_NONE)
      continue;
    leave(repair, other);
    repair->waiting[repair->waiting_count++] = other;
    repair->weight[other]++;
    /* The more messages wait, the longer; else those just moved would take turns. */
    *tabu_until(repair, other, move->phase) =
        repair->step + draw(repair, TABU_STEPS) + repair->waiting_count * 3 / 5;
  }
  enter(repair, message, move->phase);
}

/* Until none waits, or `effort` is spent. */
static void search(struct repair *repair, uint64_t effort)
{
  while (repair->waiting_count > 0 && repair->spent < effort && repair->step < UINT32_MAX / 2) {
    repair->step++;
    const struct move move = choose(repair);
    if (move.phase != TNY_NONE)
      make_move(repair, &move);
  }
}

/* --- phases --- */

/* The phase to be emptied next, TNY_NONE: there is none. */
static uint32_t find_weakest(const struct repair *repair)
{
  uint32_t weakest = TNY_NONE;
  for (uint32_t phase = 0; phase < repair->phases; phase++) {
    const struct phase_use *phase_use = &repair->phase_uses[phase];
    const struct phase_use *before = weakest == TNY_NONE ? NULL : &repair->phase_uses[weakest];
    if (is_open(repair, phase) && !phase_use->is_kept &&
        (!before || phase_use->bytes * before->tracks >= before->bytes * phase_use->tracks))
      weakest = phase;
  }
  return weakest;
}

static void empty(struct repair *repair, uint32_t phase)
{
  const uint32_t *occupants = occupants_of(repair, phase);
  for (uint32_t track = 0; track < repair->traffic->track_count; track++)
    if (occupants[track] != TNY_NONE) {
      repair->waiting[repair->waiting_count++] = occupants[track];
      leave(repair, occupants[track]);
    }
  repair->open[phase / TNY_WORD_BITS] &= ~((uint64_t)1 << phase % TNY_WORD_BITS);
  repair->bytes -= repair->phase_uses[phase].bytes;
}

static void save(struct repair *repair)
{
  memcpy(repair->saved, repair->draft->phase_of, repair->traffic->count * sizeof *repair->saved);
}

static void reopen(struct repair *repair, uint32_t phase)
{
  repair->open[phase / TNY_WORD_BITS] |= (uint64_t)1 << phase % TNY_WORD_BITS;
  repair->bytes += repair->phase_uses[phase].bytes;
}

/* Puts what still waits back into phases that were emptied, by first fit. False: they don't
   suffice. */
static bool settle(struct repair *repair)
{
  while (repair->waiting_count > 0) {
    const uint32_t message = repair->waiting[--repair->waiting_count];
    const struct tny_tracks tracks = tny_traffic_tracks(repair->traffic, message);
    uint32_t i = 0;
    while (i < repair->emptied_count &&
           (repair->emptied[i] >= repair->limit[message] ||
            !tny_board_is_free(&repair->draft->board, tracks, repair->emptied[i])))
      i++;
    if (i == repair->emptied_count)
      return false;
    if (!is_open(repair, repair->emptied[i]))
      reopen(repair, repair->emptied[i]);
    enter(repair, message, repair->emptied[i]);
  }
  return true;
}

/* Moves all messages back to where they were when last complete; no phase stays emptied. */
static void restore(struct repair *repair)
{
  const uint32_t *phase_of = repair->draft->phase_of, *saved = repair->saved;
  for (uint32_t message = 0; message < repair->traffic->count; message++)
    if (phase_of[message] != TNY_NONE && phase_of[message] != saved[message])
      leave(repair, message);
  for (uint32_t message = 0; message < repair->traffic->count; message++)
    if (phase_of[message] == TNY_NONE)
      enter(repair, message, saved[message]);
  repair->waiting_count = 0;
  for (uint32_t i = 0; i < repair->emptied_count; i++)
    if (!is_open(repair, repair->emptied[i]))
      reopen(repair, repair->emptied[i]);
}

/* Empties phases until the others last no longer than `target`, one at least, if it can. */
static void empty_some(struct repair *repair, uint64_t target)
{
  repair->emptied_count = 0;
  do {
    const uint32_t phase = find_weakest(repair);
    if (phase == TNY_NONE)
      return;
    empty(repair, phase);
    repair->emptied[repair->emptied_count++] = phase;
  } while (repair->bytes > target);
}

/* Many waiting messages leave the search more choice than few. So it aims for half of the excess at
   once, and for less where that has failed. */
static void tighten(struct repair *repair, uint64_t bytes_enough, uint64_t effort)
{
  uint64_t divisor = 2;
  save(repair);
  for (uint32_t failures = 0; failures < FAILURES_MAX;) {
    const uint64_t before = repair->bytes;
    if (before <= bytes_enough || repair->spent >= effort)
      return;
    empty_some(repair, before - (before - bytes_enough) / divisor);
    if (repair->emptied_count == 0)
      return;
    search(repair, repair->spent + (effort - repair->spent) / 2);
    divisor *= repair->waiting_count > 0 && divisor < DIVISOR_MAX ? 2 : 1;
    if (settle(repair) && repair->bytes < before) {
      save(repair);
      continue;
    }
    restore(repair);
    failures += repair->emptied_count == 1;
    repair->phase_uses[repair->emptied[0]].is_kept = repair->emptied_count == 1;
  }
}

/* --- all of it --- */

/* Fills the tables from the draft: phases, and which message occupies which track. */
static void look_around(struct repair *repair)
{
  const struct tny_traffic *traffic = repair->traffic;
  const uint64_t entries = (uint64_t)repair->phases * traffic->track_count;
  for (uint64_t i = 0; i < entries; i++)
    repair->occupant[i] = TNY_NONE;
  for (uint32_t message = 0; message < traffic->count; message++) {
    const uint32_t phase = repair->draft->phase_of[message];
    const struct tny_tracks tracks = tny_traffic_tracks(traffic, message);
    struct phase_use *phase_use = &repair->phase_uses[phase];
    for (uint32_t i = 0; i < tracks.count; i++)
      occupants_of(repair, phase)[tracks.at[i]] = message;
    phase_use->tracks += tracks.count;
    repair->weight[message] = TRACK_WEIGHT * tracks.count;
    if (tny_traffic_bytes(traffic, message) > phase_use->bytes)
      phase_use->bytes = tny_traffic_bytes(traffic, message);
  }
  for (uint32_t phase = 0; phase < repair->phases; phase++) {
    repair->bytes += repair->phase_uses[phase].bytes;
    if (repair->phase_uses[phase].tracks > 0)
      repair->open[phase / TNY_WORD_BITS] |= (uint64_t)1 << phase % TNY_WORD_BITS;
  }
}

/* The phases that are long enough for each message are the first ones. */
static void find_limits(struct repair *repair)
{
  const struct tny_traffic *traffic = repair->traffic;
  for (uint32_t message = 0; message < traffic->count; message++) {
    uint32_t long_enough = 0, end = repair->phases;
    if (!traffic->bytes)
      long_enough = end;
    while (long_enough < end) {
      const uint32_t middle = long_enough + (end - long_enough) / 2;
      if (repair->phase_uses[middle].bytes >= traffic->bytes[message])
        long_enough = middle + 1;
      else
        end = middle;
    }
    repair->limit[message] = long_enough;
  }
}

static bool make_room(struct repair *repair)
{
  const uint32_t count = repair->traffic->count, words = words_of(repair->phases);
  uint32_t bits = 12;
  while (bits < TABU_BITS_MAX && (uint64_t)1 << bits < (uint64_t)4 * count)
    bits++;
  repair->tabu_shift = 64 - bits;
  repair->saved = tny_new(count, sizeof *repair->saved);
  repair->limit = tny_new(count, sizeof *repair->limit);
  repair->phase_uses = tny_new(repair->phases, sizeof *repair->phase_uses);
  repair->open = tny_new(words, sizeof *repair->open);
  repair->emptied = tny_new(repair->phases, sizeof *repair->emptied);
  repair->occupant =
      tny_new((size_t)repair->phases * repair->traffic->track_count, sizeof *repair->occupant);
  repair->waiting = tny_new(count, sizeof *repair->waiting);
  repair->weight = tny_new(count, sizeof *repair->weight);
  repair->seen = tny_new(count, sizeof *repair->seen);
  repair->tabu = tny_new((size_t)1 << bits, sizeof *repair->tabu);
  repair->with_busy[0] = tny_new((size_t)words * BUSY_MAX, sizeof *repair->with_busy[0]);
  for (uint32_t i = 1; repair->with_busy[0] && i < BUSY_MAX; i++)
    repair->with_busy[i] = repair->with_busy[i - 1] + words;
  return repair->saved && repair->limit && repair->phase_uses && repair->open && repair->emptied &&
         repair->occupant && repair->waiting && repair->weight && repair->seen && repair->tabu &&
         repair->with_busy[0];
}

static void release(struct repair *repair)
{
  tny_free(repair->saved);
  tny_free(repair->limit);
  tny_free(repair->phase_uses);
  tny_free(repair->open);
  tny_free(repair->emptied);
  tny_free(repair->occupant);
  tny_free(repair->waiting);
  tny_free(repair->weight);
  tny_free(repair->seen);
  tny_free(repair->tabu);
  tny_free(repair->with_busy[0]);
}

enum tny_status tny_draft_tighten(struct tny_draft *draft, uint64_t bytes_enough, uint64_t effort,
                                  struct tny_error *error)
{
  struct repair repair = {.draft = draft, .traffic = draft->traffic};
  for (uint32_t message = 0; message < draft->traffic->count; message++)
    if (draft->phase_of[message] >= repair.phases)
      repair.phases = draft->phase_of[message] + 1;
  const uint64_t entries = (uint64_t)repair.phases * draft->traffic->track_count;
  if (entries * sizeof(uint32_t) > OCCUPANTS_BYTES_MAX)
    return TNY_OK;
  const bool ready = make_room(&repair);
  if (ready) {
    look_around(&repair);
    find_limits(&repair);
    tighten(&repair, bytes_enough, effort);
  }
  release(&repair);
  return ready ? TNY_OK : tny_error_memory(error);
}
