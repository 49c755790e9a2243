/* The pass that has one schedule follow another without a barrier: a rank goes on to the second as
   soon as it has what it sends there.

   The block is cut in parts, one for each block of the second's output, and these are the first's
   blocks of input. The second's input is the first's output, where it lies: so the second's copies
   of it into its output have nothing to do. What the first leaves in the output it has written
   by a step of the queue of sends in the end, which comes before the second's; the second receives
   other parts. */
#include "core/alloc.h"
#include "core/error.h"
#include "schedule/steps.h"

struct joining {
  const struct tny_joined *of;
  struct tny_builder out;
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
  if (!new_index)
    return tny_error_memory(error);
  tny_builder_init(&joining.out);
  append(&joining, first, false, new_index);
  append(&joining, second, true, new_index);
  tny_free(new_index);
  return tny_builder_finish(&joining.out, out, error);
}
