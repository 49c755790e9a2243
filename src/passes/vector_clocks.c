/* The walk takes steps phase by phase. So the clock that a token carries is complete before the
   send that waits for the token is taken: that send is of a later phase. */
#include "passes/vector_clocks.h"

#include "core/alloc.h"
#include "core/error.h"

enum {
  /* Entries in the kept clocks, 4 bytes each; more where that would keep fewer than ... */
  KEPT_ENTRIES = 1 << 22,
  KEPT_MIN = 16, /* ... so many clocks of a rank's messages */
  KEPT_MAX =
      256, /* messages further back are long received, so that nobody asks for their clocks */
};

struct tny_vector_clocks {
  const struct tny_step_phases *phases;
  uint32_t rank_count;
  struct tny_clocked_message *messages; /* rank by rank, in list order */
  uint32_t *number;                     /* by id of a send or token out: its message's number */
  uint32_t *first_message;              /* by rank; rank_count + 1 */
  uint32_t kept;     /* so many clocks are kept of each rank: those of the last messages taken */
  uint32_t *carried; /* the kept clocks: by rank, by message number mod `kept`, then by rank */
  uint32_t *clock;   /* the ranks' clocks: by rank, then by rank */
  uint32_t *next;    /* by rank: its first step that isn't taken yet */
  uint32_t *sent;    /* by rank: the number of its first message that isn't */
};

static uint32_t *clock_of(const struct tny_vector_clocks *clocks, uint32_t rank)
{
  return clocks->clock + (size_t)rank * clocks->rank_count;
}

/* The clock that a message carries. The memory is a ring: later messages of the rank overwrite
   it. */
static uint32_t *carried_clock(const struct tny_vector_clocks *clocks, uint32_t rank,
                               uint32_t number)
{
  const uint32_t index = (number - clocks->first_message[rank]) % clocks->kept;
  return clocks->carried + ((size_t)rank * clocks->kept + index) * clocks->rank_count;
}

/* Is the clock of this message there: has the walk taken it, and isn't it overwritten yet? */
static bool is_kept(const struct tny_vector_clocks *clocks, uint32_t sender, uint32_t number)
{
  const uint32_t sent = clocks->sent[sender];
  return number < sent && sent - number <= clocks->kept;
}

/* Merges the clock that a message carries into a rank's, unless the rank knows of that message or
   of a later one of the same sender. */
static void merge_message(const struct tny_vector_clocks *clocks, uint32_t rank, uint32_t sender,
                          uint32_t number)
{
  const uint32_t index = tny_match_index(clocks->phases->match, clocks->messages[number].send);
  const uint32_t count = clocks->rank_count;
  uint32_t *restrict clock = clock_of(clocks, rank);
  if (clock[sender] > index || !is_kept(clocks, sender, number))
    return;
  const uint32_t *restrict carried = carried_clock(clocks, sender, number);
  for (uint32_t i = 0; i < count; i++)
    clock[i] = carried[i] > clock[i] ? carried[i] : clock[i];
}

/* The message that a receive gets. */
static struct tny_clocked_message *message_of(const struct tny_vector_clocks *clocks,
                                              uint32_t receive)
{
  return &clocks->messages[clocks->number[clocks->phases->match->partner[receive]]];
}

/* Merges the clock that the message of a receive carries. */
static void merge_received(const struct tny_vector_clocks *clocks, uint32_t rank, uint32_t receive)
{
  const uint32_t send = clocks->phases->match->partner[receive];
  merge_message(clocks, rank, clocks->phases->match->rank_of[send], clocks->number[send]);
}

static void note_receiver_step(struct tny_clocked_message *message, struct tny_rank_step step)
{
  if (message->receiver_step.rank == TNY_NONE || step.index < message->receiver_step.index)
    message->receiver_step = step;
}

static struct tny_rank_step rank_step_of(const struct tny_vector_clocks *clocks, uint32_t id)
{
  const struct tny_match *match = clocks->phases->match;
  return (struct tny_rank_step){match->rank_of[id], tny_match_index(match, id)};
}

const uint32_t *tny_vector_clocks_of(const struct tny_vector_clocks *clocks, uint32_t rank)
{
  return clock_of(clocks, rank);
}

const struct tny_clocked_message *tny_vector_clocks_message(const struct tny_vector_clocks *clocks,
                                                            uint32_t send)
{
  return &clocks->messages[clocks->number[send]];
}

void tny_vector_clocks_wait(const struct tny_vector_clocks *clocks, uint32_t id, uint32_t receive)
{
  merge_received(clocks, clocks->phases->match->rank_of[id], receive);
  note_receiver_step(message_of(clocks, receive), rank_step_of(clocks, id));
}

bool tny_vector_clocks_waits(const struct tny_vector_clocks *clocks, uint32_t id, uint32_t receive)
{
  const struct tny_rank_step *receiver_step = &message_of(clocks, receive)->receiver_step;
  return receiver_step->rank != TNY_NONE && receiver_step->index <= rank_step_of(clocks, id).index;
}

/* The first message of a rank that is of a later phase. */
static uint32_t first_message_after(const struct tny_vector_clocks *clocks, uint32_t rank,
                                    uint32_t phase)
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

struct tny_token_clock tny_vector_clocks_token(const struct tny_vector_clocks *clocks,
                                               uint32_t rank, uint32_t phase)
{
  const uint32_t next_message = first_message_after(clocks, rank, phase);
  const bool is_known =
      next_message > clocks->first_message[rank] && is_kept(clocks, rank, next_message - 1);
  return (struct tny_token_clock){rank, next_message,
                                  is_known ? carried_clock(clocks, rank, next_message - 1) : NULL};
}

void tny_vector_clocks_merge_token(const struct tny_vector_clocks *clocks, uint32_t id,
                                   const struct tny_token_clock *token)
{
  if (token->next_message > clocks->first_message[token->rank])
    merge_message(clocks, clocks->phases->match->rank_of[id], token->rank, token->next_message - 1);
}

void tny_vector_clocks_merge_receive(const struct tny_vector_clocks *clocks, uint32_t id,
                                     const struct tny_token_clock *token, uint32_t receive)
{
  struct tny_clocked_message *message = message_of(clocks, receive);
  merge_received(clocks, clocks->phases->match->rank_of[id], receive);
  if (token->next_message < clocks->first_message[token->rank + 1])
    note_receiver_step(message, rank_step_of(clocks, clocks->messages[token->next_message].send));
  message->informed_steps[message->informed_count++ % TNY_INFORMED_RANKS] =
      rank_step_of(clocks, id);
}

/* --- the walk --- */

struct walk {
  struct tny_vector_clocks *clocks;
  tny_vector_clocks_visit *visit;
  void *context;
};

/* Has the walk taken every message that the step waits for? */
static bool is_ready(const struct tny_vector_clocks *clocks, uint32_t id)
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

/* Takes one step of a sending queue: its rank's clock shows it, and its message carries that
   clock. */
static void take_step(const struct walk *walk, uint32_t id)
{
  const struct tny_vector_clocks *clocks = walk->clocks;
  const struct tny_match *match = clocks->phases->match;
  const struct tny_step *step = tny_match_step(match, id);
  const uint32_t rank = match->rank_of[id], number = clocks->number[id];
  clock_of(clocks, rank)[rank] = tny_match_index(match, id) + 1;
  for (uint32_t i = 0; i < step->after_count; i++)
    if (tny_step_receives(tny_match_step(match, tny_match_after(match, id, i))->kind))
      tny_vector_clocks_wait(clocks, id, tny_match_after(match, id, i));
  if (tny_step_is_local(step->kind))
    return;
  walk->visit(walk->context, id);
  memcpy(carried_clock(clocks, rank, number), clock_of(clocks, rank),
         clocks->rank_count * sizeof *clocks->clock);
  clocks->sent[rank] = number + 1;
}

/* Takes a rank's steps up to this phase as far as they are ready, and the receives in front of the
   first step that isn't. Returns how many it has taken. */
static uint32_t take_steps(const struct walk *walk, uint32_t rank, uint32_t phase)
{
  const struct tny_vector_clocks *clocks = walk->clocks;
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

/* The lowest phase of a step that isn't taken yet; TNY_NONE: all are taken. */
static uint32_t lowest_phase(const struct tny_vector_clocks *clocks)
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

void tny_vector_clocks_walk(struct tny_vector_clocks *clocks, tny_vector_clocks_visit *visit,
                            void *context)
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
  return tny_step_sends(kind);
}

static void number_messages(const struct tny_vector_clocks *clocks)
{
  const struct tny_match *match = clocks->phases->match;
  uint32_t count = 0;
  for (uint32_t rank = 0; rank < clocks->rank_count; rank++) {
    clocks->first_message[rank] = clocks->sent[rank] = count;
    for (uint32_t id = match->first[rank]; id < match->first[rank + 1]; id++) {
      if (!is_message(match, id))
        continue;
      clocks->number[id] = count;
      clocks->messages[count++] =
          (struct tny_clocked_message){.send = id, .receiver_step = {TNY_NONE, 0}};
    }
  }
  clocks->first_message[clocks->rank_count] = count;
}

static bool take_tables(struct tny_vector_clocks *clocks)
{
  const struct tny_match *match = clocks->phases->match;
  const size_t ranks = clocks->rank_count, kept_each = KEPT_ENTRIES / ranks / ranks;
  size_t message_count = 0;
  for (uint32_t id = 0; id < match->step_count; id++)
    message_count += is_message(match, id);
  clocks->kept = kept_each < KEPT_MIN   ? KEPT_MIN
                 : kept_each > KEPT_MAX ? KEPT_MAX
                                        : (uint32_t)kept_each;
  clocks->messages = tny_new(message_count, sizeof *clocks->messages);
  clocks->number = tny_new(match->step_count, sizeof *clocks->number);
  clocks->first_message = tny_new(ranks + 1, sizeof *clocks->first_message);
  clocks->carried = tny_new(ranks * clocks->kept * ranks, sizeof *clocks->carried);
  clocks->clock = tny_new(ranks * ranks, sizeof *clocks->clock);
  clocks->next = tny_new(ranks, sizeof *clocks->next);
  clocks->sent = tny_new(ranks, sizeof *clocks->sent);
  return clocks->messages && clocks->number && clocks->first_message && clocks->carried &&
         clocks->clock && clocks->next && clocks->sent;
}

void tny_vector_clocks_free(struct tny_vector_clocks *clocks)
{
  if (!clocks)
    return;
  tny_free(clocks->messages);
  tny_free(clocks->number);
  tny_free(clocks->first_message);
  tny_free(clocks->carried);
  tny_free(clocks->clock);
  tny_free(clocks->next);
  tny_free(clocks->sent);
  tny_free(clocks);
}

enum tny_status tny_vector_clocks_make(const struct tny_step_phases *phases,
                                       struct tny_vector_clocks **clocks, struct tny_error *error)
{
  *clocks = tny_new(1, sizeof **clocks);
  if (!*clocks)
    return tny_error_memory(error);
  (*clocks)->phases = phases;
  (*clocks)->rank_count = phases->match->schedule->rank_count;
  if (!take_tables(*clocks)) {
    tny_vector_clocks_free(*clocks);
    *clocks = NULL;
    return tny_error_memory(error);
  }
  number_messages(*clocks);
  return TNY_OK;
}
