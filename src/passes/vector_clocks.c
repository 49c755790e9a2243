/* Steps are taken phase by phase: what a token tells is settled before the send that waits for it,
   which is of a later phase. */
#include "passes/vector_clocks.h"

#include "core/alloc.h"
#include "core/error.h"

enum {
  CELLS = 1 << 22,      /* of the clocks that messages carry, 4 bytes each, if that is enough for */
  REMEMBERED_MIN = 16,  /* so many messages of a rank */
  REMEMBERED_MAX = 256, /* more are never needed: they are long received */
};

struct tny_clocks {
  const struct tny_step_phases *phases;
  uint32_t rank_count;
  struct tny_message *messages; /* those of a rank stand together, in list order */
  uint32_t *number;             /* by id of a send or token out: its message's number */
  uint32_t *first_message;      /* by rank; rank_count + 1 */
  uint32_t remembered;          /* of each rank's messages, the last ones whose clocks are there */
  uint32_t *told;               /* by rank, place among these, then rank: the clock at its start */
  uint32_t *clock;              /* by rank, then rank: steps that have started for certain */
  uint32_t *next;               /* by rank: its first step that isn't taken yet */
  uint32_t *sent;               /* by rank: the number of its first message that isn't */
};

static uint32_t *clock_of(const struct tny_clocks *clocks, uint32_t rank)
{
  return clocks->clock + (size_t)rank * clocks->rank_count;
}

/* The clock that a message of a rank carries, and its successors in turn. */
static uint32_t *told_by(const struct tny_clocks *clocks, uint32_t rank, uint32_t number)
{
  const uint32_t place = (number - clocks->first_message[rank]) % clocks->remembered;
  return clocks->told + ((size_t)rank * clocks->remembered + place) * clocks->rank_count;
}

/* A message that is forgotten tells nothing; nor does one that isn't taken yet. */
static bool is_remembered(const struct tny_clocks *clocks, uint32_t sender, uint32_t number)
{
  const uint32_t sent = clocks->sent[sender];
  return number < sent && sent - number <= clocks->remembered;
}

/* A rank takes over what a message of another tells, unless it heard of that one or a later one. */
static void hear(const struct tny_clocks *clocks, uint32_t rank, uint32_t sender, uint32_t number)
{
  const uint32_t index = tny_match_index(clocks->phases->match, clocks->messages[number].send);
  const uint32_t count = clocks->rank_count;
  uint32_t *restrict clock = clock_of(clocks, rank);
  if (clock[sender] > index || !is_remembered(clocks, sender, number))
    return;
  const uint32_t *restrict told = told_by(clocks, sender, number);
  for (uint32_t i = 0; i < count; i++)
    clock[i] = told[i] > clock[i] ? told[i] : clock[i];
}

/* The message that a receive gets. */
static struct tny_message *message_of(const struct tny_clocks *clocks, uint32_t receive)
{
  return &clocks->messages[clocks->number[clocks->phases->match->partner[receive]]];
}

/* A rank takes over what the message of a receive tells. */
static void hear_received(const struct tny_clocks *clocks, uint32_t rank, uint32_t receive)
{
  const uint32_t send = clocks->phases->match->partner[receive];
  hear(clocks, rank, clocks->phases->match->rank_of[send], clocks->number[send]);
}

static void note_own(struct tny_message *message, struct tny_witness witness)
{
  if (message->own.rank == TNY_NONE || witness.index < message->own.index)
    message->own = witness;
}

static struct tny_witness witness_of(const struct tny_clocks *clocks, uint32_t id)
{
  const struct tny_match *match = clocks->phases->match;
  return (struct tny_witness){match->rank_of[id], tny_match_index(match, id)};
}

const uint32_t *tny_clocks_of(const struct tny_clocks *clocks, uint32_t rank)
{
  return clock_of(clocks, rank);
}

const struct tny_message *tny_clocks_message(const struct tny_clocks *clocks, uint32_t send)
{
  return &clocks->messages[clocks->number[send]];
}

void tny_clocks_wait(const struct tny_clocks *clocks, uint32_t id, uint32_t receive)
{
  hear_received(clocks, clocks->phases->match->rank_of[id], receive);
  note_own(message_of(clocks, receive), witness_of(clocks, id));
}

bool tny_clocks_waited(const struct tny_clocks *clocks, uint32_t id, uint32_t receive)
{
  const struct tny_witness *own = &message_of(clocks, receive)->own;
  return own->rank != TNY_NONE && own->index <= witness_of(clocks, id).index;
}

/* The first message of a rank that is of a later phase. */
static uint32_t first_behind(const struct tny_clocks *clocks, uint32_t rank, uint32_t phase)
{
  uint32_t low = clocks->first_message[rank], high = clocks->first_message[rank + 1];
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (clocks->phases->phase[clocks->messages[middle].send] <= phase)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

struct tny_teller tny_clocks_teller(const struct tny_clocks *clocks, uint32_t rank, uint32_t phase)
{
  const uint32_t behind = first_behind(clocks, rank, phase);
  const bool is_known =
      behind > clocks->first_message[rank] && is_remembered(clocks, rank, behind - 1);
  return (struct tny_teller){rank, behind, is_known ? told_by(clocks, rank, behind - 1) : NULL};
}

void tny_clocks_hear(const struct tny_clocks *clocks, uint32_t id, const struct tny_teller *teller)
{
  if (teller->behind > clocks->first_message[teller->rank])
    hear(clocks, clocks->phases->match->rank_of[id], teller->rank, teller->behind - 1);
}

void tny_clocks_hear_of(const struct tny_clocks *clocks, uint32_t id,
                        const struct tny_teller *teller, uint32_t receive)
{
  struct tny_message *message = message_of(clocks, receive);
  hear_received(clocks, clocks->phases->match->rank_of[id], receive);
  if (teller->behind < clocks->first_message[teller->rank + 1])
    note_own(message, witness_of(clocks, clocks->messages[teller->behind].send));
  message->others[message->told++ % TNY_OTHER_WITNESSES] = witness_of(clocks, id);
}

/* --- the walk --- */

struct walk {
  struct tny_clocks *clocks;
  tny_clocks_visit *visit;
  void *context;
};

/* Is every message taken that the step waits for? */
static bool is_ready(const struct tny_clocks *clocks, uint32_t id)
{
  const struct tny_match *match = clocks->phases->match;
  const uint32_t after_count = tny_match_step(match, id)->after_count;
  for (uint32_t i = 0; i < after_count; i++) {
    const uint32_t earlier = tny_match_after(match, id, i);
    const uint32_t send = match->partner[earlier];
    if (tny_step_receives(tny_match_step(match, earlier)->kind) &&
        tny_match_index(match, send) >= clocks->next[match->rank_of[send]])
      return false;
  }
  return true;
}

/* One step of a sending queue. */
static void take_step(const struct walk *walk, uint32_t id)
{
  const struct tny_clocks *clocks = walk->clocks;
  const struct tny_match *match = clocks->phases->match;
  const struct tny_step *step = tny_match_step(match, id);
  const uint32_t rank = match->rank_of[id], number = clocks->number[id];
  clock_of(clocks, rank)[rank] = tny_match_index(match, id) + 1;
  for (uint32_t i = 0; i < step->after_count; i++)
    if (tny_step_receives(tny_match_step(match, tny_match_after(match, id, i))->kind))
      tny_clocks_wait(clocks, id, tny_match_after(match, id, i));
  if (step->kind == TNY_COPY)
    return;
  walk->visit(walk->context, id);
  memcpy(told_by(clocks, rank, number), clock_of(clocks, rank),
         clocks->rank_count * sizeof *clocks->clock);
  clocks->sent[rank] = number + 1;
}

/* Takes a rank's steps up to this phase, as far as they are ready, and the receives in front of the
   next one. Returns how many. */
static uint32_t take_steps(const struct walk *walk, uint32_t rank, uint32_t phase)
{
  const struct tny_clocks *clocks = walk->clocks;
  const struct tny_match *match = clocks->phases->match;
  const uint32_t first = match->first[rank], before = clocks->next[rank];
  for (uint32_t id = first + before; id < match->first[rank + 1]; id++) {
    if (!tny_step_receives(tny_match_step(match, id)->kind)) {
      if (clocks->phases->phase[id] > phase || !is_ready(clocks, id))
        break;
      take_step(walk, id);
    }
    clocks->next[rank]++;
  }
  return clocks->next[rank] - before;
}

/* The lowest phase of a step that isn't taken; TNY_NONE: all are. */
static uint32_t lowest_phase(const struct tny_clocks *clocks)
{
  const struct tny_match *match = clocks->phases->match;
  uint32_t lowest = TNY_NONE;
  for (uint32_t rank = 0; rank < clocks->rank_count; rank++) {
    const uint32_t id = match->first[rank] + clocks->next[rank];
    if (id < match->first[rank + 1] && clocks->phases->phase[id] < lowest)
      lowest = clocks->phases->phase[id];
  }
  return lowest;
}

void tny_clocks_walk(struct tny_clocks *clocks, tny_clocks_visit *visit, void *context)
{
  const struct walk walk = {clocks, visit, context};
  uint32_t phase = 0, taken = 1;
  while (phase != TNY_NONE && taken > 0) {
    taken = 0;
    for (uint32_t found = 1; found > 0; taken += found) {
      found = 0;
      for (uint32_t rank = 0; rank < clocks->rank_count; rank++)
        found += take_steps(&walk, rank, phase);
    }
    phase = lowest_phase(clocks);
  }
}

/* --- tables --- */

static bool is_message(const struct tny_match *match, uint32_t id)
{
  const enum tny_step_kind kind = tny_match_step(match, id)->kind;
  return kind == TNY_SEND || kind == TNY_TOKEN_OUT;
}

static void number_messages(const struct tny_clocks *clocks)
{
  const struct tny_match *match = clocks->phases->match;
  uint32_t count = 0;
  for (uint32_t rank = 0; rank < clocks->rank_count; rank++) {
    clocks->first_message[rank] = clocks->sent[rank] = count;
    for (uint32_t id = match->first[rank]; id < match->first[rank + 1]; id++) {
      if (!is_message(match, id))
        continue;
      clocks->number[id] = count;
      clocks->messages[count++] = (struct tny_message){.send = id, .own = {TNY_NONE, 0}};
    }
  }
  clocks->first_message[clocks->rank_count] = count;
}

static bool take_tables(struct tny_clocks *clocks)
{
  const struct tny_match *match = clocks->phases->match;
  const size_t ranks = clocks->rank_count, cells_each = CELLS / ranks / ranks;
  size_t message_count = 0;
  for (uint32_t id = 0; id < match->step_count; id++)
    message_count += is_message(match, id);
  clocks->remembered = cells_each < REMEMBERED_MIN   ? REMEMBERED_MIN
                       : cells_each > REMEMBERED_MAX ? REMEMBERED_MAX
                                                     : (uint32_t)cells_each;
  clocks->messages = tny_new(message_count, sizeof *clocks->messages);
  clocks->number = tny_new(match->step_count, sizeof *clocks->number);
  clocks->first_message = tny_new(ranks + 1, sizeof *clocks->first_message);
  clocks->told = tny_new(ranks * clocks->remembered * ranks, sizeof *clocks->told);
  clocks->clock = tny_new(ranks * ranks, sizeof *clocks->clock);
  clocks->next = tny_new(ranks, sizeof *clocks->next);
  clocks->sent = tny_new(ranks, sizeof *clocks->sent);
  return clocks->messages && clocks->number && clocks->first_message && clocks->told &&
         clocks->clock && clocks->next && clocks->sent;
}

void tny_clocks_free(struct tny_clocks *clocks)
{
  if (!clocks)
    return;
  tny_free(clocks->messages);
  tny_free(clocks->number);
  tny_free(clocks->first_message);
  tny_free(clocks->told);
  tny_free(clocks->clock);
  tny_free(clocks->next);
  tny_free(clocks->sent);
  tny_free(clocks);
}

enum tny_status tny_clocks_make(const struct tny_step_phases *phases, struct tny_clocks **clocks,
                                struct tny_error *error)
{
  *clocks = tny_new(1, sizeof **clocks);
  if (!*clocks)
    return tny_error_memory(error);
  (*clocks)->phases = phases;
  (*clocks)->rank_count = phases->match->schedule->rank_count;
  if (!take_tables(*clocks)) {
    tny_clocks_free(*clocks);
    *clocks = NULL;
    return tny_error_memory(error);
  }
  number_messages(*clocks);
  return TNY_OK;
}
