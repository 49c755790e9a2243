/* The pass that lets a rank's sends wait for what arrives (for receives, or for credits), so that
   the bytes in flight over a link stay under its buffer. Each mode drafts the paced list; merge.c
   puts the draft in order. */
#include "core/alloc.h"
#include "core/error.h"
#include "schedule/steps.h"

static void append_with_waits(const struct tny_steps *in, uint32_t index, const uint32_t *new_index,
                              struct tny_builder *draft)
{
  const struct tny_step *step = &in->steps[index];
  tny_builder_append(draft, step);
  for (uint32_t i = 0; i < step->after_count; i++) {
    const uint32_t old = in->after[step->after_first + i];
    tny_builder_wait(draft, new_index ? new_index[old] : old);
  }
}

static bool waits_for(const struct tny_steps *in, uint32_t index, uint32_t other)
{
  const struct tny_step *step = &in->steps[index];
  for (uint32_t i = 0; i < step->after_count; i++)
    if (in->after[step->after_first + i] == other)
      return true;
  return false;
}

/* Send t waits for receive t - window, where there is one. It never waits for a receive of its own
   phase or of a later one: else ranks that send and receive unevenly could wait for each other in a
   cycle. */
static enum tny_status draft_receives(const struct tny_steps *in, uint32_t window,
                                      struct tny_builder *draft, struct tny_error *error)
{
  uint32_t *receives = tny_new(in->count, sizeof *receives);
  if (!receives)
    return tny_error_memory(error);
  uint32_t receive_count = 0, send_count = 0, earlier = 0;
  for (uint32_t i = 0; i < in->count; i++)
    if (tny_step_ends_message(in->steps[i].kind))
      receives[receive_count++] = i;
  for (uint32_t i = 0; i < in->count; i++) {
    append_with_waits(in, i, NULL, draft);
    if (!tny_step_starts_message(in->steps[i].kind))
      continue;
    const uint32_t phase = in->steps[i].phase;
    while (earlier < receive_count &&
           (phase == TNY_NONE || in->steps[receives[earlier]].phase < phase))
      earlier++;
    const uint32_t t = send_count++;
    const uint32_t due = t < window ? 0 : t - window + 1; /* receives */
    const uint32_t awaited = due < earlier ? due : earlier;
    if (awaited > 0 && !waits_for(in, i, receives[awaited - 1]))
      tny_builder_wait(draft, receives[awaited - 1]);
  }
  tny_free(receives);
  return TNY_OK;
}

/* The messages of one direction between this rank and a peer: all of them, and those drafted. */
struct stream {
  uint32_t total, done;
};

/* The messages of a stream are answered in batches of `batch`, by one token each: the first send
   of batch b beyond the window waits for the token of batch b, so that no more than a window is in
   flight; the others of the batch follow it in the queue. */
struct credits {
  const struct tny_steps *in;
  uint32_t window, batch;
  struct stream *to, *from; /* by peer */
  uint32_t *answered;       /* by peer: sends to it of the phases that are drafted */
  uint32_t *first_send;     /* by peer: where its batches begin in `credit` */
  uint32_t *credit;         /* the token that answers a batch, as index in the draft */
  uint32_t *last_recv;      /* by peer: 1 + the index in the old list; 0: none yet */
  uint32_t *recv_before;    /* by index of a receive: the one before it from this peer, likewise */
  uint32_t *new_index;      /* by index in the old list: index in the draft */
};

/* Ends message k of so many a batch that somebody waits for? */
static bool has_credit(const struct credits *credits, uint64_t k, uint32_t total)
{
  const uint32_t batch = credits->batch;
  return k % batch == batch - 1 && k - (batch - 1) + credits->window < total;
}

static enum tny_status count_messages(struct credits *credits, uint32_t peer_count,
                                      struct tny_error *error)
{
  const struct tny_steps *in = credits->in;
  for (uint32_t i = 0; i < in->count; i++) {
    const struct tny_step *step = &in->steps[i];
    if (tny_step_is_token(step->kind))
      return tny_error_set(error, TNY_REFUSED,
                           "step %u is a token already; credits need a schedule without tokens", i);
    if (tny_step_starts_message(step->kind))
      credits->to[step->peer].total++;
    if (tny_step_ends_message(step->kind))
      credits->from[step->peer].total++;
  }
  for (uint32_t peer = 0; peer + 1 < peer_count; peer++)
    credits->first_send[peer + 1] = credits->first_send[peer] + credits->to[peer].total;
  return TNY_OK;
}

/* The k-th send to a peer waits for the token of the batch that begins with send k - window. */
static void draft_send(struct credits *credits, uint32_t index, struct tny_builder *draft)
{
  const struct tny_step *step = &credits->in->steps[index];
  const uint32_t k = credits->to[step->peer].done++;
  credits->new_index[index] = draft->steps.count;
  append_with_waits(credits->in, index, credits->new_index, draft);
  if (k < credits->window || (k - credits->window) % credits->batch > 0)
    return;
  if (k - credits->window + credits->batch > credits->answered[step->peer])
    tny_error_set(
        &draft->error, TNY_REFUSED,
        "step %u sends to rank %u again in one phase, and a window of %u lets it wait for "
        "the phase's end; use a larger window",
        index, step->peer, credits->window);
  else
    tny_builder_wait(
        draft,
        credits->credit[credits->first_send[step->peer] + (k - credits->window) / credits->batch]);
}

static void draft_recv(struct credits *credits, uint32_t index, struct tny_builder *draft)
{
  const uint32_t peer = credits->in->steps[index].peer;
  credits->recv_before[index] = credits->last_recv[peer];
  credits->last_recv[peer] = index + 1;
  credits->new_index[index] = draft->steps.count;
  append_with_waits(credits->in, index, credits->new_index, draft);
}

/* The token waits for the whole batch that ends with this receive. */
static void wait_for_batch(const struct credits *credits, uint32_t index, struct tny_builder *draft)
{
  for (uint32_t i = 0; i < credits->batch; i++) {
    tny_builder_wait(draft, credits->new_index[index]);
    index = credits->recv_before[index] - 1;
  }
}

/* Drafts the tokens that answer the messages of a phase, which are the steps from `first` to before
   `end`. Both ends list these tokens behind the phase. So no token stands before a message that the
   other end lists before the token. */
static void draft_tokens(struct credits *credits, uint32_t first, uint32_t end,
                         struct tny_builder *draft)
{
  for (uint32_t i = first; i < end; i++) {
    const struct tny_step *step = &credits->in->steps[i];
    if (tny_step_starts_message(step->kind)) {
      const uint32_t k = credits->answered[step->peer]++;
      if (has_credit(credits, k, credits->to[step->peer].total))
        credits->credit[credits->first_send[step->peer] + k / credits->batch] =
            tny_builder_token_in(draft, step->peer, step->phase);
    } else if (tny_step_ends_message(step->kind)) {
      struct stream *from = &credits->from[step->peer];
      const uint64_t k = from->done++;
      if (has_credit(credits, k, from->total)) {
        tny_builder_token_out(draft, step->peer, step->phase);
        wait_for_batch(credits, i, draft);
      }
    }
  }
}

static void draft_all(struct credits *credits, struct tny_builder *draft)
{
  uint32_t first = 0;
  for (uint32_t i = 0; i < credits->in->count && draft->error.status == TNY_OK; i++) {
    if (credits->in->steps[i].phase != credits->in->steps[first].phase) {
      draft_tokens(credits, first, i, draft);
      first = i;
    }
    const enum tny_step_kind kind = credits->in->steps[i].kind;
    if (tny_step_starts_message(kind)) {
      draft_send(credits, i, draft);
    } else if (tny_step_ends_message(kind)) {
      draft_recv(credits, i, draft);
    } else {
      credits->new_index[i] = draft->steps.count;
      append_with_waits(credits->in, i, credits->new_index, draft);
    }
  }
}

static enum tny_status draft_credits(const struct tny_steps *in, enum tny_pacing pacing,
                                     uint32_t window, struct tny_builder *draft,
                                     struct tny_error *error)
{
  uint32_t peer_count = 0;
  for (uint32_t i = 0; i < in->count; i++)
    if (!tny_step_is_local(in->steps[i].kind) && in->steps[i].peer >= peer_count)
      peer_count = in->steps[i].peer + 1;
  struct credits credits = {.in = in,
                            .window = window,
                            .batch =
                                pacing == TNY_PACE_CREDIT_BATCHES && window > 1 ? window / 2 : 1};
  credits.to = tny_new(peer_count, sizeof *credits.to);
  credits.from = tny_new(peer_count, sizeof *credits.from);
  credits.first_send = tny_new(peer_count, sizeof *credits.first_send);
  credits.credit = tny_new(in->count, sizeof *credits.credit);
  credits.last_recv = tny_new(peer_count, sizeof *credits.last_recv);
  credits.recv_before = tny_new(in->count, sizeof *credits.recv_before);
  credits.answered = tny_new(peer_count, sizeof *credits.answered);
  credits.new_index = tny_new(in->count, sizeof *credits.new_index);
  enum tny_status status = TNY_OK;
  if (!credits.to || !credits.from || !credits.first_send || !credits.credit || !credits.answered ||
      !credits.last_recv || !credits.recv_before || !credits.new_index)
    status = tny_error_memory(error);
  if (status == TNY_OK)
    status = count_messages(&credits, peer_count, error);
  if (status == TNY_OK)
    draft_all(&credits, draft);
  tny_free(credits.to);
  tny_free(credits.from);
  tny_free(credits.first_send);
  tny_free(credits.credit);
  tny_free(credits.last_recv);
  tny_free(credits.recv_before);
  tny_free(credits.new_index);
  tny_free(credits.answered);
  return status;
}

static void draft_copy(const struct tny_steps *in, struct tny_builder *draft)
{
  for (uint32_t i = 0; i < in->count; i++)
    append_with_waits(in, i, NULL, draft);
}

enum tny_status tny_pass_pace(const struct tny_steps *in, enum tny_pacing pacing, uint32_t window,
                              struct tny_steps *out, struct tny_error *error)
{
  *out = (struct tny_steps){0};
  if (window == 0 && pacing != TNY_PACE_NONE)
    return tny_error_set(error, TNY_REFUSED, "a window of 0 lets nothing be sent; use 1 or more");
  struct tny_builder builder;
  tny_builder_init(&builder);
  enum tny_status status = TNY_OK;
  if (pacing == TNY_PACE_RECEIVES || pacing == TNY_PACE_LINKS)
    status = draft_receives(in, window, &builder, error);
  else if (tny_pacing_is_by_credits(pacing))
    status = draft_credits(in, pacing, window, &builder, error);
  else
    draft_copy(in, &builder);
  struct tny_steps draft;
  const enum tny_status finished = tny_builder_finish(&builder, &draft, error);
  if (status == TNY_OK)
    status = finished;
  if (status == TNY_OK)
    status = tny_steps_merge(&draft, out, error);
  tny_steps_release(&draft);
  return status;
}
