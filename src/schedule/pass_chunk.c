/* The pass that cuts blocks in chunks, so that a long block can be pipelined. */
#include "core/error.h"
#include "schedule/steps.h"

struct cut {
  const struct tny_steps *in;
  uint32_t chunk_count, phase_stride;
  enum tny_interleave interleave;
};

/* Where step s, chunk c goes in the new list. */
static uint32_t place_of(const struct cut *cut, uint32_t s, uint32_t c)
{
  return cut->interleave == TNY_STEP_MAJOR ? s * cut->chunk_count + c : c * cut->in->count + s;
}

static uint64_t phase_of(const struct cut *cut, uint32_t phase, uint64_t c)
{
  return cut->interleave == TNY_STEP_MAJOR ? phase * (uint64_t)cut->chunk_count + c
                                           : phase + c * cut->phase_stride;
}

static void append_piece(const struct cut *cut, struct tny_builder *builder, uint32_t s, uint32_t c)
{
  struct tny_step step = cut->in->steps[s];
  if (!tny_step_is_token(step.kind)) {
    step.span.chunk = c;
    step.span.chunk_count = cut->chunk_count;
  }
  if (step.kind == TNY_COPY) {
    step.target.chunk = c;
    step.target.chunk_count = cut->chunk_count;
  }
  if (step.phase != TNY_NONE)
    step.phase = (uint32_t)phase_of(cut, step.phase, c);
  const uint32_t after_first = step.after_first, after_count = step.after_count;
  tny_builder_append(builder, &step);
  for (uint32_t i = 0; i < after_count; i++)
    tny_builder_wait(builder, place_of(cut, cut->in->after[after_first + i], c));
}

static enum tny_status check_cut(const struct cut *cut, struct tny_error *error)
{
  const uint64_t chunks = cut->chunk_count;
  if (chunks == 0 || chunks > TNY_CHUNKS_MAX)
    return tny_error_set(error, TNY_REFUSED, "a block is cut in 1 to %u chunks, not %u",
                         TNY_CHUNKS_MAX, cut->chunk_count);
  if (cut->in->count * chunks > TNY_STEPS_MAX || cut->in->after_total * chunks > TNY_STEPS_MAX)
    return tny_error_set(error, TNY_REFUSED, "%u steps in %u chunks each are too many: at most %u",
                         cut->in->count, cut->chunk_count, TNY_STEPS_MAX);
  for (uint32_t s = 0; s < cut->in->count; s++) {
    const struct tny_step *step = &cut->in->steps[s];
    if (step->phase != TNY_NONE && phase_of(cut, step->phase, chunks - 1) >= TNY_NONE)
      return tny_error_set(error, TNY_REFUSED, "phase %u in %u chunks is beyond the last number",
                           step->phase, cut->chunk_count);
    if (tny_step_is_token(step->kind))
      continue;
    if (step->span.chunk_count != 1 || (step->kind == TNY_COPY && step->target.chunk_count != 1))
      return tny_error_set(error, TNY_REFUSED, "step %u is a chunk already; cut a schedule once",
                           s);
  }
  return TNY_OK;
}

enum tny_status tny_pass_chunk(const struct tny_steps *in, uint32_t chunk_count,
                               enum tny_interleave interleave, uint32_t phase_stride,
                               struct tny_steps *out, struct tny_error *error)
{
  const struct cut cut = {in, chunk_count, phase_stride, interleave};
  *out = (struct tny_steps){0};
  const enum tny_status status = check_cut(&cut, error);
  if (status != TNY_OK)
    return status;
  struct tny_builder builder;
  tny_builder_init(&builder);
  const uint32_t piece_count = in->count * chunk_count;
  for (uint32_t i = 0; i < piece_count && builder.error.status == TNY_OK; i++) {
    if (interleave == TNY_STEP_MAJOR)
      append_piece(&cut, &builder, i / chunk_count, i % chunk_count);
    else
      append_piece(&cut, &builder, i % in->count, i / in->count);
  }
  return tny_builder_finish(&builder, out, error);
}
