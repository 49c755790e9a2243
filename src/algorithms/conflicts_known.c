/* Conflicts that a sender knows to be over, because of what it waited for before.

   Each rank has a clock: how far every other rank must have come, as steps of its list, before the
   next step of this rank's sending queue starts. A message or token carries its sender's clock at
   its start; who waits for it takes over what is later in it. A receive is known to be complete
   where a witness is known to have started: a step that waits for it, of its own rank or, told by a
   token, of another. Any conflict whose receive isn't known is left, and if it will be kept, its
   token tells a clock too. Steps are taken phase by phase: what the token of a conflict tells is
   settled before the send that waits for it, which is of a later phase. */
#include "algorithms/conflicts.h"
#include "core/alloc.h"
#include "core/error.h"

enum {
  CELLS = 1 << 22,      /* of the clocks that messages carry, 4 bytes each, if that is enough for */
  REMEMBERED_MIN = 16,  /* so many messages of a rank */
  REMEMBERED_MAX = 256, /* more are never needed: they are long received */
};

/* A step of a rank's list; rank TNY_NONE: none. */
struct witness {
  uint32_t rank, index;
};

/* What is known of a message or token, by its number. */
struct message {
  uint32_t send;             /* its id */
  struct witness own, other; /* that it is received: of its receiver, of another rank */
};

struct clocks {
  const struct tny_step_phases *phases;
  const struct tny_conflicts *conflicts;
  bool will_be_kept;
  uint32_t rank_count;
  struct message *messages; /* those of a rank stand together, in list order */
  uint32_t *number;         /* by id of a send or token out: its message's number */
  uint32_t *first_message;  /* by rank; rank_count + 1 */
  uint32_t remembered;      /* of each rank's messages, the last ones whose clocks are there */
  uint32_t *told;           /* by rank, place among these, then rank: the clock at its start */
  uint32_t *clock;          /* by rank, then rank: steps that have started for certain */
  uint32_t *next;           /* by rank: its first step that isn't taken yet */
  uint32_t *sent;           /* by rank: the number of its first message that isn't */
  size_t *first_conflict;   /* by id: its first conflict as `later`; step_count + 1 */
  bool *is_kept;            /* by conflict */
};

static uint32_t *clock_of(const struct clocks *clocks, uint32_t rank)
{
  return clocks->clock + (size_t)rank * clocks->rank_count;
}

/* The clock that a message of a rank carries, and its successors in turn. */
static uint32_t *told_by(const struct clocks *clocks, uint32_t rank, uint32_t number)
{
  const uint32_t place = (number - clocks->first_message[rank]) % clocks->remembered;
  return clocks->told + ((size_t)rank * clocks->remembered + place) * clocks->rank_count;
}

/* A rank takes over what a message of another tells. A message that is forgotten tells nothing; nor
   does one that isn't taken yet. */
static void take_over(const struct clocks *clocks, uint32_t rank, uint32_t sender, uint32_t number)
{
  const uint32_t count = clocks->rank_count, sent = clocks->sent[sender];
  if (number >= sent || sent - number > clocks->remembered)
    return;
  uint32_t *restrict clock = clock_of(clocks, rank);
  const uint32_t *restrict told = told_by(clocks, sender, number);
  for (uint32_t i = 0; i < count; i++)
    clock[i] = told[i] > clock[i] ? told[i] : clock[i];
}

/* The message that a receive gets. */
static struct message *message_of(const struct clocks *clocks, uint32_t receive)
{
  return &clocks->messages[clocks->number[clocks->phases->match->partner[receive]]];
}

/* A rank takes over what the message of a receive tells. */
static void hear(const struct clocks *clocks, uint32_t rank, uint32_t receive)
{
  const uint32_t send = clocks->phases->match->partner[receive];
  take_over(clocks, rank, clocks->phases->match->rank_of[send], clocks->number[send]);
}

/* A rank's step waits for a receive of the same rank. */
static void learn(const struct clocks *clocks, uint32_t receive, struct witness at)
{
  struct message *message = message_of(clocks, receive);
  hear(clocks, at.rank, receive);
  if (message->own.rank == TNY_NONE || at.index < message->own.index)
    message->own = at;
}

static bool has_seen(const struct clocks *clocks, uint32_t rank, const struct witness *witness)
{
  return witness->rank != TNY_NONE && witness->index < clock_of(clocks, rank)[witness->rank];
}

/* The first message of a rank that is of a later phase. */
static uint32_t first_behind(const struct clocks *clocks, uint32_t rank, uint32_t phase)
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

/* A step waits for the token of a conflict, or for the receive itself. */
static void keep(const struct clocks *clocks, const struct tny_conflict *conflict,
                 struct witness at)
{
  const struct tny_match *match = clocks->phases->match;
  const uint32_t receiver = match->rank_of[conflict->earlier];
  struct message *message = message_of(clocks, conflict->earlier);
  if (receiver == at.rank) {
    learn(clocks, conflict->earlier, at);
    return;
  }
  hear(clocks, at.rank, conflict->earlier);
  const uint32_t behind = first_behind(clocks, receiver, conflict->phase);
  if (behind > clocks->first_message[receiver])
    take_over(clocks, at.rank, receiver, behind - 1);
  if (behind < clocks->first_message[receiver + 1]) {
    const struct witness next = {receiver, tny_match_index(match, clocks->messages[behind].send)};
    if (message->own.rank == TNY_NONE || next.index < message->own.index)
      message->own = next;
  }
  if (message->other.rank == TNY_NONE)
    message->other = at;
}

/* A send, or a token that goes out. */
static void take_out(const struct clocks *clocks, uint32_t id, struct witness at)
{
  uint32_t *clock = clock_of(clocks, at.rank);
  for (size_t i = clocks->first_conflict[id]; i < clocks->first_conflict[id + 1]; i++) {
    const struct tny_conflict *conflict = &clocks->conflicts->list[i];
    const struct message *message = message_of(clocks, conflict->earlier);
    clocks->is_kept[i] =
        !has_seen(clocks, at.rank, &message->own) && !has_seen(clocks, at.rank, &message->other);
    if (clocks->is_kept[i] && clocks->will_be_kept)
      keep(clocks, conflict, at);
  }
  memcpy(told_by(clocks, at.rank, clocks->number[id]), clock, clocks->rank_count * sizeof *clock);
  clocks->sent[at.rank] = clocks->number[id] + 1;
}

/* Is every message taken that the step waits for? */
static bool is_ready(const struct clocks *clocks, uint32_t id)
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
static void take_step(const struct clocks *clocks, uint32_t id, struct witness at)
{
  const struct tny_match *match = clocks->phases->match;
  const struct tny_step *step = tny_match_step(match, id);
  clock_of(clocks, at.rank)[at.rank] = at.index + 1;
  for (uint32_t i = 0; i < step->after_count; i++)
    if (tny_step_receives(tny_match_step(match, tny_match_after(match, id, i))->kind))
      learn(clocks, tny_match_after(match, id, i), at);
  if (step->kind != TNY_COPY)
    take_out(clocks, id, at);
}

/* Takes a rank's steps up to this phase, as far as they are ready, and the receives in front of the
   next one. Returns how many. */
static uint32_t take_steps(const struct clocks *clocks, uint32_t rank, uint32_t phase)
{
  const struct tny_match *match = clocks->phases->match;
  const uint32_t first = match->first[rank], before = clocks->next[rank];
  for (uint32_t id = first + before; id < match->first[rank + 1]; id++) {
    if (!tny_step_receives(tny_match_step(match, id)->kind)) {
      if (clocks->phases->phase[id] > phase || !is_ready(clocks, id))
        break;
      take_step(clocks, id, (struct witness){rank, id - first});
    }
    clocks->next[rank]++;
  }
  return clocks->next[rank] - before;
}

/* The lowest phase of a step that isn't taken; TNY_NONE: all are. */
static uint32_t lowest_phase(const struct clocks *clocks)
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

/* Of a schedule that is stuck somewhere, the rest isn't looked at, and its conflicts are kept. */
static void take_all(const struct clocks *clocks)
{
  uint32_t phase = 0, taken = 1;
  while (phase != TNY_NONE && taken > 0) {
    taken = 0;
    for (uint32_t found = 1; found > 0; taken += found) {
      found = 0;
      for (uint32_t rank = 0; rank < clocks->rank_count; rank++)
        found += take_steps(clocks, rank, phase);
    }
    phase = lowest_phase(clocks);
  }
}

/* --- tables --- */

static void number_messages(const struct clocks *clocks)
{
  const struct tny_match *match = clocks->phases->match;
  const struct witness none = {TNY_NONE, 0};
  uint32_t count = 0;
  for (uint32_t rank = 0; rank < clocks->rank_count; rank++) {
    clocks->first_message[rank] = count;
    for (uint32_t id = match->first[rank]; id < match->first[rank + 1]; id++) {
      const enum tny_step_kind kind = tny_match_step(match, id)->kind;
      if (kind != TNY_SEND && kind != TNY_TOKEN_OUT)
        continue;
      clocks->number[id] = count;
      clocks->messages[count++] = (struct message){id, none, none};
    }
    clocks->sent[rank] = clocks->first_message[rank];
  }
  clocks->first_message[clocks->rank_count] = count;
}

static void find_first_conflicts(const struct clocks *clocks)
{
  size_t i = 0;
  for (uint32_t id = 0; id <= clocks->phases->match->step_count; id++) {
    while (i < clocks->conflicts->count && clocks->conflicts->list[i].later < id)
      i++;
    clocks->first_conflict[id] = i;
  }
  for (i = 0; i < clocks->conflicts->count; i++)
    clocks->is_kept[i] = true;
}

static bool take_tables(struct clocks *clocks, uint32_t message_count)
{
  const size_t steps = clocks->phases->match->step_count, ranks = clocks->rank_count;
  const size_t cells_each = CELLS / ranks / ranks;
  clocks->remembered = cells_each < REMEMBERED_MIN   ? REMEMBERED_MIN
                       : cells_each > REMEMBERED_MAX ? REMEMBERED_MAX
                                                     : (uint32_t)cells_each;
  clocks->messages = tny_new(message_count, sizeof *clocks->messages);
  clocks->number = tny_new(steps, sizeof *clocks->number);
  clocks->first_message = tny_new(ranks + 1, sizeof *clocks->first_message);
  clocks->told = tny_new(ranks * clocks->remembered * ranks, sizeof *clocks->told);
  clocks->clock = tny_new(ranks * ranks, sizeof *clocks->clock);
  clocks->next = tny_new(ranks, sizeof *clocks->next);
  clocks->sent = tny_new(ranks, sizeof *clocks->sent);
  clocks->first_conflict = tny_new(steps + 1, sizeof *clocks->first_conflict);
  clocks->is_kept = tny_new(clocks->conflicts->count, sizeof *clocks->is_kept);
  return clocks->messages && clocks->number && clocks->first_message && clocks->told &&
         clocks->clock && clocks->next && clocks->sent && clocks->first_conflict && clocks->is_kept;
}

static void release(const struct clocks *clocks)
{
  tny_free(clocks->messages);
  tny_free(clocks->number);
  tny_free(clocks->first_message);
  tny_free(clocks->told);
  tny_free(clocks->clock);
  tny_free(clocks->next);
  tny_free(clocks->sent);
  tny_free(clocks->first_conflict);
  tny_free(clocks->is_kept);
}

static uint32_t count_messages(const struct tny_match *match)
{
  uint32_t count = 0;
  for (uint32_t id = 0; id < match->step_count; id++) {
    const enum tny_step_kind kind = tny_match_step(match, id)->kind;
    count += kind == TNY_SEND || kind == TNY_TOKEN_OUT;
  }
  return count;
}

enum tny_status tny_conflicts_drop_known(const struct tny_step_phases *phases, bool will_be_kept,
                                         struct tny_conflicts *conflicts, struct tny_error *error)
{
  struct clocks clocks = {.phases = phases,
                          .conflicts = conflicts,
                          .will_be_kept = will_be_kept,
                          .rank_count = phases->match->schedule->rank_count};
  const bool has_tables = take_tables(&clocks, count_messages(phases->match));
  if (has_tables) {
    number_messages(&clocks);
    find_first_conflicts(&clocks);
    take_all(&clocks);
    size_t kept = 0;
    for (size_t i = 0; i < conflicts->count; i++)
      if (clocks.is_kept[i])
        conflicts->list[kept++] = conflicts->list[i];
    conflicts->count = kept;
  }
  release(&clocks);
  return has_tables ? TNY_OK : tny_error_memory(error);
}
