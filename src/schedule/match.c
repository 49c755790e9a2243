/* Matches the k-th send from a to b with the k-th receive at b from a, and tokens likewise. Sends
   and receives are each sorted by receiver and sender, stably; then the two ends of a message have
   the same index. */
#include "schedule/match.h"

#include "core/arena.h"
#include "core/error.h"
#include "schedule/well_formed.h"

/* The ends of messages, or of tokens, by (receiver, sender, order). */
struct ends {
  uint32_t *ids, *spare;
  uint32_t count;
};

struct sorter {
  const struct tny_match *match;
  uint32_t *bucket; /* rank_count + 1 */
  struct ends out, in;
};

static uint32_t peer_of(const struct tny_match *match, uint32_t id)
{
  return tny_match_step(match, id)->peer;
}

static uint32_t key_of(const struct tny_match *match, uint32_t id, bool by_peer)
{
  return by_peer ? peer_of(match, id) : match->rank_of[id];
}

/* A stable counting sort, by the peer or by the rank itself. */
static void sort_by(struct sorter *sorter, struct ends *ends, bool by_peer)
{
  const struct tny_match *match = sorter->match;
  const uint32_t rank_count = match->schedule->rank_count;
  memset(sorter->bucket, 0, (rank_count + (size_t)1) * sizeof *sorter->bucket);
  for (uint32_t i = 0; i < ends->count; i++)
    sorter->bucket[key_of(match, ends->ids[i], by_peer) + 1]++;
  for (uint32_t rank = 0; rank < rank_count; rank++)
    sorter->bucket[rank + 1] += sorter->bucket[rank];
  for (uint32_t i = 0; i < ends->count; i++)
    ends->spare[sorter->bucket[key_of(match, ends->ids[i], by_peer)]++] = ends->ids[i];
  uint32_t *sorted = ends->spare;
  ends->spare = ends->ids;
  ends->ids = sorted;
}

/* The ends of all messages with data, or of all tokens. */
static void collect(struct sorter *sorter, bool tokens)
{
  sorter->out.count = sorter->in.count = 0;
  for (uint32_t id = 0; id < sorter->match->step_count; id++) {
    const enum tny_step_kind kind = tny_match_step(sorter->match, id)->kind;
    if (tny_step_is_token(kind) != tokens)
      continue;
    if (tny_step_sends(kind))
      sorter->out.ids[sorter->out.count++] = id;
    else if (tny_step_receives(kind))
      sorter->in.ids[sorter->in.count++] = id;
  }
  /* Both lists are sorted by their own rank already. */
  sort_by(sorter, &sorter->out, true);
  sort_by(sorter, &sorter->in, true);
  sort_by(sorter, &sorter->in, false);
}

static enum tny_status unmatched(const struct tny_match *match, uint32_t id,
                                 struct tny_error *error)
{
  const struct tny_step *step = tny_match_step(match, id);
  const bool receives = tny_step_receives(step->kind);
  const bool is_token = tny_step_is_token(step->kind);
  return tny_error_set(error, TNY_BROKEN, "%s%s%s has no %s at rank %u",
                       tny_match_words(match, id).text, is_token ? "" : " of ",
                       is_token ? "" : tny_words_span(&step->span).text,
                       receives ? "send" : "receive", step->peer);
}

static enum tny_status check_spans(const struct tny_match *match, uint32_t out, uint32_t in,
                                   struct tny_error *error)
{
  const struct tny_span *sent = &tny_match_step(match, out)->span;
  const struct tny_span *received = &tny_match_step(match, in)->span;
  if (sent->count == received->count && sent->chunk == received->chunk &&
      sent->chunks == received->chunks && sent->chunk_count == received->chunk_count)
    return TNY_OK;
  return tny_error_set(error, TNY_BROKEN, "%s sends %s, but %s expects it in %s of another shape",
                       tny_match_words(match, out).text, tny_words_span(sent).text,
                       tny_match_words(match, in).text, tny_words_span(received).text);
}

static enum tny_status join(struct sorter *sorter, struct tny_error *error)
{
  const struct tny_match *match = sorter->match;
  const struct ends *out = &sorter->out, *in = &sorter->in;
  for (uint32_t i = 0; i < out->count || i < in->count; i++) {
    if (i == out->count)
      return unmatched(match, in->ids[i], error);
    if (i == in->count)
      return unmatched(match, out->ids[i], error);
    const uint32_t from = match->rank_of[out->ids[i]], to = peer_of(match, out->ids[i]);
    const uint32_t want = peer_of(match, in->ids[i]), at = match->rank_of[in->ids[i]];
    if (to < at || (to == at && from < want))
      return unmatched(match, out->ids[i], error);
    if (to != at || from != want)
      return unmatched(match, in->ids[i], error);
    match->partner[out->ids[i]] = in->ids[i];
    match->partner[in->ids[i]] = out->ids[i];
    const enum tny_status status = check_spans(match, out->ids[i], in->ids[i], error);
    if (status != TNY_OK)
      return status;
  }
  return TNY_OK;
}

static enum tny_status join_all(struct tny_match *match, struct tny_error *error)
{
  struct sorter sorter = {.match = match};
  struct tny_arena *arena = match->arena;
  sorter.bucket =
      tny_arena_take(arena, match->schedule->rank_count + (size_t)1, sizeof *sorter.bucket);
  sorter.out.ids = tny_arena_take(arena, match->step_count, sizeof *sorter.out.ids);
  sorter.out.spare = tny_arena_take(arena, match->step_count, sizeof *sorter.out.spare);
  sorter.in.ids = tny_arena_take(arena, match->step_count, sizeof *sorter.in.ids);
  sorter.in.spare = tny_arena_take(arena, match->step_count, sizeof *sorter.in.spare);
  if (!sorter.bucket || !sorter.out.ids || !sorter.out.spare || !sorter.in.ids || !sorter.in.spare)
    return tny_error_memory(error);
  collect(&sorter, false);
  enum tny_status status = join(&sorter, error);
  if (status != TNY_OK)
    return status;
  collect(&sorter, true);
  return join(&sorter, error);
}

static void number_steps(struct tny_match *match)
{
  uint32_t id = 0;
  for (uint32_t rank = 0; rank < match->schedule->rank_count; rank++) {
    const struct tny_steps *steps = &match->schedule->ranks[rank];
    uint32_t last[2] = {TNY_NONE, TNY_NONE};
    match->first[rank] = id;
    for (uint32_t i = 0; i < steps->count; i++, id++) {
      const bool receives = tny_step_receives(steps->steps[i].kind);
      match->step[id] = &steps->steps[i];
      match->rank_of[id] = rank;
      match->partner[id] = TNY_NONE;
      match->previous[id] = last[receives];
      last[receives] = id;
    }
  }
  match->first[match->schedule->rank_count] = id;
}

enum tny_status tny_match_make(const struct tny_schedule *schedule, struct tny_match *match,
                               struct tny_error *error)
{
  *match = (struct tny_match){.schedule = schedule};
  enum tny_status status = tny_well_formed_check(schedule, error);
  if (status != TNY_OK)
    return status;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    match->step_count += schedule->ranks[rank].count;
  match->arena = tny_arena_new();
  if (!match->arena)
    return tny_error_memory(error);
  match->first =
      tny_arena_take(match->arena, schedule->rank_count + (size_t)1, sizeof *match->first);
  match->step = tny_arena_take(match->arena, match->step_count, sizeof *match->step);
  match->rank_of = tny_arena_take(match->arena, match->step_count, sizeof *match->rank_of);
  match->partner = tny_arena_take(match->arena, match->step_count, sizeof *match->partner);
  match->previous = tny_arena_take(match->arena, match->step_count, sizeof *match->previous);
  if (match->first && match->step && match->rank_of && match->partner && match->previous) {
    number_steps(match);
    status = join_all(match, error);
  } else {
    status = tny_error_memory(error);
  }
  if (status != TNY_OK)
    tny_match_release(match);
  return status;
}

void tny_match_release(struct tny_match *match)
{
  tny_arena_free(match->arena);
  *match = (struct tny_match){0};
}

struct tny_words tny_match_words(const struct tny_match *match, uint32_t id)
{
  return tny_words_rank_step(match->schedule, match->rank_of[id], tny_match_index(match, id));
}
