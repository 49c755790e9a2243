/* Progress: no deadlock, for every interleaving and any window.

   The nodes are messages, tokens and copies: a message completes as one, at both ends, once both
   are started (rendezvous). Node M waits for node N where an end of M waits (`after`) for an end of
   N, or follows it in its queue (a window of one: each step waits for the completion of the one
   before). The matching is fixed by list order, so who waits for whom is the same for every
   interleaving. What waits for nothing more is completed, one node after the other. If none is
   left, every node completes at some time, whatever the speeds; if some are, their waiting has a
   cycle. A larger window, or messages that complete before their receive is posted, only take waits
   away, so they can't add a cycle. */
#include "verify/progress.h"
#include "core/arena.h"
#include "core/error.h"
#include "verify/cycle.h"
#include "verify/phases.h"
#include "verify/queues.h"

struct walk {
  const struct tny_match *match;
  uint32_t *head[2]; /* by rank: the first step of its queue that isn't complete */
  uint32_t *chain; /* by id: 1 + messages on the longest chain that ends with it; 0: not complete */
  uint32_t *ready; /* ranks to look at again */
  bool *is_ready;  /* by rank */
  uint32_t ready_count;
  uint32_t left;      /* steps that aren't complete */
  bool counts_tokens; /* in chains: a barrier's messages carry no more than tokens do */
  struct tny_progress *progress;
};

static void look_again(struct walk *walk, uint32_t rank)
{
  if (walk->is_ready[rank])
    return;
  walk->is_ready[rank] = true;
  walk->ready[walk->ready_count++] = rank;
}

/* Is everything complete that one end waits for? Then *chain is raised to the longest chain that
   leads to it. */
static bool is_free(const struct walk *walk, uint32_t end, uint32_t *chain)
{
  const struct tny_match *match = walk->match;
  const uint32_t previous = match->previous[end];
  if (previous != TNY_NONE && walk->chain[previous] > *chain)
    *chain = walk->chain[previous];
  /* The last one is likely to be complete last. */
  for (uint32_t i = tny_match_step(match, end)->after_count; i-- > 0;) {
    const uint32_t reached = walk->chain[tny_match_after(match, end, i)];
    if (reached == 0)
      return false;
    if (reached > *chain)
      *chain = reached;
  }
  return true;
}

static void finish(struct walk *walk, uint32_t end, uint32_t chain)
{
  const struct tny_match *match = walk->match;
  const uint32_t rank = match->rank_of[end];
  const bool receives = tny_step_receives(tny_match_step(match, end)->kind);
  walk->chain[end] = chain;
  walk->head[receives][rank] = tny_queue_next(match, rank, receives, end + 1);
  walk->left--;
  look_again(walk, rank);
}

/* Completes the node whose end is at the head of a queue, if it can complete. */
static bool try_head(struct walk *walk, uint32_t rank, bool receives)
{
  const struct tny_match *match = walk->match;
  const uint32_t end = walk->head[receives][rank];
  if (end == match->first[rank + 1])
    return false;
  const uint32_t partner = match->partner[end];
  const enum tny_step_kind kind = tny_match_step(match, end)->kind;
  uint32_t chain = 1;
  if (partner != TNY_NONE && walk->head[!receives][match->rank_of[partner]] != partner)
    return false;
  if (!is_free(walk, end, &chain) || (partner != TNY_NONE && !is_free(walk, partner, &chain)))
    return false;
  chain += tny_step_is_message(kind) || (walk->counts_tokens && tny_step_is_token(kind));
  finish(walk, end, chain);
  if (partner != TNY_NONE)
    finish(walk, partner, chain);
  struct tny_progress *progress = walk->progress;
  progress->nodes[progress->node_count++] = receives ? partner : end;
  if (chain - 1 > progress->rounds)
    progress->rounds = chain - 1;
  return true;
}

static void walk_all(struct walk *walk)
{
  const struct tny_match *match = walk->match;
  for (uint32_t rank = match->schedule->rank_count; rank-- > 0;) {
    for (int receives = 0; receives < 2; receives++)
      walk->head[receives][rank] = tny_queue_next(match, rank, receives, match->first[rank]);
    look_again(walk, rank);
  }
  while (walk->ready_count > 0) {
    const uint32_t rank = walk->ready[--walk->ready_count];
    walk->is_ready[rank] = false;
    for (int receives = 0; receives < 2; receives++)
      while (try_head(walk, rank, receives))
        continue;
  }
}

enum tny_status tny_progress_check(const struct tny_match *match, struct tny_progress *progress,
                                   struct tny_error *error)
{
  const uint32_t count = match->step_count, rank_count = match->schedule->rank_count;
  const bool is_barrier = tny_collective_synchronizes(match->schedule->collective);
  struct walk walk = {
      .match = match, .left = count, .counts_tokens = is_barrier, .progress = progress};
  *progress = (struct tny_progress){0};
  progress->nodes = tny_arena_take(match->arena, count, sizeof *progress->nodes);
  walk.head[0] = tny_arena_take(match->arena, rank_count, sizeof *walk.head[0]);
  walk.head[1] = tny_arena_take(match->arena, rank_count, sizeof *walk.head[1]);
  walk.chain = tny_arena_take(match->arena, count, sizeof *walk.chain);
  walk.ready = tny_arena_take(match->arena, rank_count, sizeof *walk.ready);
  walk.is_ready = tny_arena_take(match->arena, rank_count, sizeof *walk.is_ready);
  if (!progress->nodes || !walk.head[0] || !walk.head[1] || !walk.chain || !walk.ready ||
      !walk.is_ready)
    return tny_error_memory(error);
  walk_all(&walk);
  return walk.left == 0 ? TNY_OK : tny_deadlock_refuse(match, walk.chain, error);
}

/* Rounded up to whole blocks. */
static uint64_t blocks_of(uint64_t pieces, uint32_t chunk_count)
{
  return pieces / chunk_count + (pieces % chunk_count != 0);
}

static void count_steps(const struct tny_match *match, struct tny_report *report)
{
  const struct tny_schedule *schedule = match->schedule;
  report->steps = match->step_count;
  report->phases = tny_phases_of(schedule);
  report->messages = report->unphased = report->tokens = 0;
  report->blocks_sent_max = report->blocks_received_max = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    uint64_t sent = 0, received = 0;
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      report->messages += tny_step_starts_message(step->kind);
      report->unphased += tny_step_starts_message(step->kind) && step->phase == TNY_NONE;
      report->tokens += tny_step_is_token(step->kind) && tny_step_sends(step->kind);
      if (tny_step_starts_message(step->kind))
        sent += tny_span_pieces(&step->span, schedule->chunk_count);
      if (tny_step_ends_message(step->kind))
        received += tny_span_pieces(&step->span, schedule->chunk_count);
    }
    sent = blocks_of(sent, schedule->chunk_count);
    received = blocks_of(received, schedule->chunk_count);
    report->blocks_sent_max = sent > report->blocks_sent_max ? sent : report->blocks_sent_max;
    if (received > report->blocks_received_max)
      report->blocks_received_max = received;
  }
}

enum tny_status tny_progress_report(const struct tny_match *match, struct tny_progress *progress,
                                    struct tny_report *report, struct tny_error *error)
{
  enum tny_status status = tny_phases_agree(match, error);
  if (status == TNY_OK)
    status = tny_progress_check(match, progress, error);
  if (status == TNY_OK && report) {
    count_steps(match, report);
    report->rounds = progress->rounds;
  }
  return status;
}
