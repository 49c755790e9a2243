/* The pass that has one schedule follow another without a barrier: a rank goes on to the second as
   soon as it has what it sends there.

   The block is cut in parts, one for each block of the second's output, and these are the first's
   blocks of input. The second's input is the first's output, where it lies: so the second's copies
   of it into its output have nothing to do. What the first leaves in the output it has written
   by a step of the queue of sends in the end, which comes before the second's, or by a message, for
   which the second's steps that read it wait. The second receives other parts, or its own once that
   has been sent. */
#include "core/alloc.h"
#include "core/error.h"
#include "schedule/steps.h"

struct joining {
  const struct tny_joined *of;
  struct tny_builder out;
  uint32_t *received; /* by piece of the first's output: the message that it lies there by */
  uint32_t *senders, sender_count; /* the second's steps so far that send its input on */
};

/* A span of the first or the second, in the joined buffers. Where there are several parts, a step
   has the same piece of neighbouring ones, and these are neighbours in the block. */
static struct tny_span placed(const struct tny_joined *of, const struct tny_span *span,
                              bool is_second)
{
  const uint32_t parts = of->part_count, pieces = of->pieces_a_part;
  const uint32_t piece = span->chunk_count == 1 ? 0 : span->chunk;
  struct tny_span at = {.count = 1, .chunk_count = parts * pieces, .buffer = span->buffer};
  uint32_t part = span->first;
  if (span->buffer == (is_second ? TNY_INPUT : TNY_OUTPUT)) {
    at.buffer = TNY_OUTPUT;
    part = of->part;
  } else if (span->buffer == TNY_SCRATCH) {
    at.first = span->first / parts;
    part = span->first % parts;
  }
  at.chunk = piece * parts + part;
  at.chunks = parts > 1 ? span->count : (uint32_t)tny_span_pieces(span, pieces);
  return at;
}

/* A copy onto itself, which the second does with what the first has left in the output. */
static bool has_nothing_to_do(const struct tny_step *step)
{
  return tny_step_copies(step->kind) && step->span.buffer == TNY_OUTPUT &&
         step->target.buffer == TNY_OUTPUT && step->span.chunk == step->target.chunk;
}

static uint32_t first_piece(const struct tny_span *span)
{
  return span->chunk_count == 1 ? 0 : span->chunk;
}

/* A step of the first: what brings its output? */
static void note_output(struct joining *joining, const struct tny_step *step, uint32_t index)
{
  const bool is_local = tny_step_is_local(step->kind);
  const struct tny_span *into = is_local ? &step->target : &step->span;
  if (into->buffer != TNY_OUTPUT || !(is_local || tny_step_ends_message(step->kind)))
    return;
  const uint32_t first = first_piece(into);
  for (uint32_t i = 0; i < tny_span_pieces(into, joining->of->pieces_a_part); i++)
    joining->received[first + i] = is_local ? TNY_NONE : index;
}

/* A step of the second, appended last. */
static void wait_for_input(struct joining *joining, const struct tny_step *step)
{
  if (step->span.buffer != TNY_INPUT)
    return;
  const uint32_t first = first_piece(&step->span);
  uint32_t last = TNY_NONE;
  for (uint32_t i = 0; i < tny_span_pieces(&step->span, joining->of->pieces_a_part); i++) {
    const uint32_t received = joining->received[first + i];
    if (received != TNY_NONE && received != last)
      tny_builder_after(&joining->out, received);
    last = received;
  }
}

static bool reads_input(const struct tny_step *step)
{
  return step->span.buffer == TNY_INPUT && tny_step_starts_message(step->kind);
}

/* Steps of the second: do both have a piece in common, whatever the block is? */
static bool share_pieces(const struct tny_joined *of, const struct tny_span *a,
                         const struct tny_span *b)
{
  const uint32_t pieces = of->pieces_a_part, a_first = first_piece(a), b_first = first_piece(b);
  const uint32_t a_count = a->chunk_count == 1 ? pieces : a->chunks;
  const uint32_t b_count = b->chunk_count == 1 ? pieces : b->chunks;
  return a_first < b_first + b_count && b_first < a_first + a_count;
}

/* A step of the second, appended last: where a message brings the rank's own part again, that must
   have been sent. */
static void wait_until_sent(struct joining *joining, const struct tny_steps *steps, uint32_t index,
                            const uint32_t *new_index)
{
  const struct tny_step *step = &steps->steps[index];
  const struct tny_joined *of = joining->of;
  if (!tny_step_ends_message(step->kind) || step->span.buffer != TNY_OUTPUT ||
      of->part < step->span.first || of->part - step->span.first >= step->span.count)
    return;
  for (uint32_t i = 0; i < joining->sender_count; i++) {
    const uint32_t sender = joining->senders[i];
    if (share_pieces(of, &steps->steps[sender].span, &step->span))
      tny_builder_after(&joining->out, new_index[sender]);
  }
}

/* new_index: by step, TNY_NONE: it is left out. */
static void append(struct joining *joining, const struct tny_steps *steps, bool is_second,
                   uint32_t *new_index)
{
  for (uint32_t i = 0; i < steps->count; i++) {
    struct tny_step step = steps->steps[i];
    if (step.phase != TNY_NONE && is_second)
      step.phase += joining->of->phases;
    step.span = placed(joining->of, &step.span, is_second);
    if (tny_step_is_local(step.kind))
      step.target = placed(joining->of, &step.target, is_second);
    new_index[i] = TNY_NONE;
    if (is_second && has_nothing_to_do(&step))
      continue;
    new_index[i] = tny_builder_append(&joining->out, &step);
    if (is_second)
      wait_for_input(joining, &steps->steps[i]);
    else
      note_output(joining, &steps->steps[i], new_index[i]);
    if (is_second)
      wait_until_sent(joining, steps, i, new_index);
    if (is_second && reads_input(&steps->steps[i]))
      joining->senders[joining->sender_count++] = i;
    for (uint32_t k = 0; k < step.after_count; k++) {
      const uint32_t earlier = new_index[steps->after[steps->steps[i].after_first + k]];
      if (earlier != TNY_NONE)
        tny_builder_after(&joining->out, earlier);
    }
  }
}

enum tny_status tny_pass_join(const struct tny_steps *first, const struct tny_steps *second,
                              const struct tny_joined *of, struct tny_steps *out,
                              struct tny_error *error)
{
  struct joining joining = {.of = of};
  const uint32_t most = first->count > second->count ? first->count : second->count;
  uint32_t *new_index = tny_new(most, sizeof *new_index);
  *out = (struct tny_steps){0};
  joining.received = tny_new(of->pieces_a_part, sizeof *joining.received);
  joining.senders = tny_new(second->count, sizeof *joining.senders);
  const bool has_memory = new_index && joining.received && joining.senders;
  enum tny_status status = has_memory ? TNY_OK : tny_error_memory(error);
  if (status == TNY_OK) {
    for (uint32_t i = 0; i < of->pieces_a_part; i++)
      joining.received[i] = TNY_NONE;
    tny_builder_init(&joining.out);
    append(&joining, first, false, new_index);
    append(&joining, second, true, new_index);
    status = tny_builder_finish(&joining.out, out, error);
  }
  tny_free(joining.senders);
  tny_free(joining.received);
  tny_free(new_index);
  return status;
}
