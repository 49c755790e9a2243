/* The waits that blocking calls add to a schedule, rank by rank. */
#include "reproduce/shared/blocking_calls.h"

#include "core/error.h"

/* Steps of a list, from `first` on, before `end`. */
struct part {
  uint32_t first, end;
};

static void wait_for(struct tny_builder *builder, struct part part)
{
  for (uint32_t i = part.first; i < part.end; i++)
    tny_builder_after(builder, i);
}

/* A copy of the step, without what it waits for. */
static void append(struct tny_builder *builder, const struct tny_step *step)
{
  switch (step->kind) {
  case TNY_SEND:
    tny_builder_send(builder, step->peer, step->span, step->phase);
    break;
  case TNY_RECV:
    tny_builder_recv(builder, step->peer, step->span, step->phase);
    break;
  case TNY_COPY:
    tny_builder_copy(builder, step->span, step->target);
    break;
  case TNY_REDUCE_LEFT:
    tny_builder_reduce_left(builder, step->span, step->target);
    break;
  case TNY_REDUCE_RIGHT:
    tny_builder_reduce_right(builder, step->span, step->target);
    break;
  case TNY_TOKEN_OUT:
    tny_builder_token_out(builder, step->peer, step->phase);
    break;
  case TNY_TOKEN_IN:
    tny_builder_token_in(builder, step->peer, step->phase);
    break;
  }
}

static bool is_message(const struct tny_step *step)
{
  return tny_step_is_message(step->kind);
}

/* One call: a copy, or messages with one partner in one phase. */
static struct part call_from(const struct tny_steps *in, uint32_t first)
{
  struct part call = {first, first + 1};
  const struct tny_step *step = &in->steps[first];
  while (call.end < in->count && is_message(step) && is_message(&in->steps[call.end]) &&
         in->steps[call.end].peer == step->peer && in->steps[call.end].phase == step->phase)
    call.end++;
  return call;
}

/* A token first tells each sender that this rank has made its call; its own sends wait for the
   same token from their receivers. */
static void append_call(const struct tny_steps *in, struct part call, struct part before,
                        struct tny_builder *builder)
{
  for (uint32_t i = call.first; i < call.end; i++) {
    if (!tny_step_ends_message(in->steps[i].kind))
      continue;
    tny_builder_token_out(builder, in->steps[i].peer, TNY_NONE);
    wait_for(builder, before);
  }
  for (uint32_t i = call.first; i < call.end; i++) {
    const struct tny_step *step = &in->steps[i];
    const bool is_send = tny_step_starts_message(step->kind);
    const uint32_t token = is_send ? tny_builder_token_in(builder, step->peer, TNY_NONE) : 0;
    append(builder, step);
    if (is_send)
      tny_builder_after(builder, token);
    wait_for(builder, before);
  }
}

static void append_unchanged(const struct tny_steps *in, uint32_t index,
                             struct tny_builder *builder)
{
  const struct tny_step *step = &in->steps[index];
  append(builder, step);
  for (uint32_t k = 0; k < step->after_count; k++)
    tny_builder_after(builder, in->after[step->after_first + k]);
}

static enum tny_status convert_to_calls(const struct tny_steps *in, uint32_t first_phase,
                                        struct tny_steps *out, struct tny_error *error)
{
  struct tny_builder builder;
  uint32_t next = 0;
  tny_builder_init(&builder);
  while (next < in->count &&
         (in->steps[next].phase == TNY_NONE || in->steps[next].phase < first_phase))
    append_unchanged(in, next++, &builder);
  struct part before = {0, next};
  while (next < in->count) {
    const struct part call = call_from(in, next);
    const uint32_t first = builder.steps.count;
    append_call(in, call, before, &builder);
    before = (struct part){first, builder.steps.count};
    next = call.end;
  }
  return tny_builder_finish(&builder, out, error);
}

static enum tny_status convert_to_rounds(const struct tny_steps *in, uint32_t phases,
                                         struct tny_steps *out, struct tny_error *error)
{
  struct tny_builder builder;
  struct part before = {0, 0}, round = {0, 0};
  uint32_t number = 0;
  bool has_sent = false;
  tny_builder_init(&builder);
  for (uint32_t i = 0; i < in->count; i++) {
    const struct tny_step *step = &in->steps[i];
    if (step->phase != TNY_NONE && step->phase / phases != number) {
      before = round;
      round.first = builder.steps.count;
      number = step->phase / phases;
      has_sent = false;
    }
    append_unchanged(in, i, &builder);
    if (tny_step_starts_message(step->kind) && !has_sent)
      wait_for(&builder, before);
    has_sent |= tny_step_starts_message(step->kind);
    round.end = builder.steps.count;
  }
  return tny_builder_finish(&builder, out, error);
}

/* Converts one rank's steps; `phase` is the argument of the two functions above. */
typedef enum tny_status convert(const struct tny_steps *in, uint32_t phase, struct tny_steps *out,
                                struct tny_error *error);

static enum tny_status convert_all(const struct tny_schedule *in, convert *convert_rank,
                                   uint32_t phase, struct tny_schedule **out,
                                   struct tny_error *error)
{
  if (in->wanted)
    return tny_error_set(error, TNY_REFUSED, "a schedule for a pattern isn't served");
  enum tny_status status =
      tny_schedule_new(in->collective, in->rank_count, in->root, in->algorithm, out, error);
  if (status == TNY_OK) {
    (*out)->chunk_count = in->chunk_count;
    (*out)->scratch_blocks = in->scratch_blocks;
  }
  for (uint32_t rank = 0; status == TNY_OK && rank < in->rank_count; rank++)
    status = convert_rank(&in->ranks[rank], phase, &(*out)->ranks[rank], error);
  if (status != TNY_OK) {
    tny_schedule_free(*out);
    *out = NULL;
  }
  return status;
}

enum tny_status tny_blocking_one_partner(const struct tny_schedule *in, uint32_t first_phase,
                                         struct tny_schedule **out, struct tny_error *error)
{
  *out = NULL;
  for (uint32_t rank = 0; rank < in->rank_count; rank++)
    for (uint32_t i = 0; i < in->ranks[rank].count; i++)
      if (!is_message(&in->ranks[rank].steps[i]) &&
          !tny_step_is_local(in->ranks[rank].steps[i].kind))
        return tny_error_set(error, TNY_REFUSED, "rank %u has tokens already; leave out its pace",
                             rank);
  return convert_all(in, convert_to_calls, first_phase, out, error);
}

enum tny_status tny_blocking_in_rounds(const struct tny_schedule *in, uint32_t phases,
                                       struct tny_schedule **out, struct tny_error *error)
{
  *out = NULL;
  return convert_all(in, convert_to_rounds, phases ? phases : 1, out, error);
}
