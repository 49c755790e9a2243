/* The pass that cuts blocks in chunks, so that a long block can be pipelined. */
#include "core/alloc.h"
#include "core/error.h"
#include "schedule/steps.h"

struct cut {
  const struct tny_steps *in;
  uint32_t chunk_count, run;
};

/* The steps of a run, as indices in the list. */
struct group {
  uint32_t first, end;
};

static uint32_t run_of(const struct cut *cut, uint32_t phase)
{
  return cut->run == TNY_RUN_PIPELINED ? 0 : phase / cut->run;
}

static uint64_t phase_of(const struct cut *cut, uint32_t phase, uint64_t c)
{
  if (cut->run == TNY_RUN_PIPELINED)
    return phase + c;
  const uint64_t run = run_of(cut, phase);
  return run * cut->run * cut->chunk_count + c * cut->run + phase % cut->run;
}

/* Would steps of the list's end combine what comes, chunk by chunk between the run's sends? */
static bool combines_at_end(const struct cut *cut, const struct group *run)
{
  bool sends = false, reduces = false;
  for (uint32_t s = run->first; s < run->end; s++)
    sends |= tny_step_starts_message(cut->in->steps[s].kind);
  for (uint32_t s = run->end; s < cut->in->count; s++)
    reduces |= tny_step_reduces(cut->in->steps[s].kind);
  return sends && reduces;
}

/* The run that begins with this step. It ends before the next step whose phase belongs to another
   run. Local steps that stand just before that one, mostly for what it sends, are of that run, and
   what is combined behind the last message is by itself: a step that waits for a receive holds up
   what stands behind it, of whichever block. */
static struct group group_from(const struct cut *cut, uint32_t first)
{
  struct group group = {first, first};
  uint32_t run = TNY_NONE;
  for (uint32_t s = first; s < cut->in->count; s++) {
    const struct tny_step *step = &cut->in->steps[s];
    if (tny_step_is_local(step->kind))
      continue;
    if (step->phase != TNY_NONE && run != TNY_NONE && run_of(cut, step->phase) != run)
      return group;
    if (step->phase != TNY_NONE)
      run = run_of(cut, step->phase);
    group.end = s + 1;
  }
  if (!combines_at_end(cut, &group))
    group.end = cut->in->count;
  return group;
}

/* The chunks of a step in the new list: the index of chunk 0, and from each to the next. */
struct chunk_steps {
  uint32_t first, stride;
};

static void append_chunk(const struct cut *cut, struct tny_builder *builder,
                         const struct chunk_steps *chunks, uint32_t s, uint32_t c)
{
  struct tny_step step = cut->in->steps[s];
  if (!tny_step_is_token(step.kind)) {
    step.span.chunk = c;
    step.span.chunk_count = cut->chunk_count;
  }
  if (tny_step_is_local(step.kind)) {
    step.target.chunk = c;
    step.target.chunk_count = cut->chunk_count;
  }
  if (step.phase != TNY_NONE)
    step.phase = (uint32_t)phase_of(cut, step.phase, c);
  const uint32_t after_first = step.after_first, after_count = step.after_count;
  tny_builder_append(builder, &step);
  for (uint32_t i = 0; i < after_count; i++) {
    const struct chunk_steps *earlier = &chunks[cut->in->after[after_first + i]];
    tny_builder_wait(builder, earlier->first + c * earlier->stride);
  }
}

static enum tny_status check_cut(const struct cut *cut, struct tny_error *error)
{
  const uint64_t chunk_count = cut->chunk_count;
  if (chunk_count == 0 || chunk_count > TNY_CHUNKS_MAX)
    return tny_error_set(error, TNY_REFUSED, "a block is cut in 1 to %u chunks, not %u",
                         TNY_CHUNKS_MAX, cut->chunk_count);
  if (cut->in->count * chunk_count > TNY_STEPS_MAX ||
      cut->in->after_total * chunk_count > TNY_STEPS_MAX)
    return tny_error_set(error, TNY_REFUSED, "%u steps in %u chunks each are too many: at most %u",
                         cut->in->count, cut->chunk_count, TNY_STEPS_MAX);
  uint32_t run = 0;
  for (uint32_t s = 0; s < cut->in->count; s++) {
    const struct tny_step *step = &cut->in->steps[s];
    if (step->phase != TNY_NONE && run_of(cut, step->phase) < run)
      return tny_error_set(error, TNY_REFUSED,
                           "step %u has phase %u, which belongs to an earlier run of %u phases", s,
                           step->phase, cut->run);
    if (step->phase != TNY_NONE)
      run = run_of(cut, step->phase);
    if (step->phase != TNY_NONE && phase_of(cut, step->phase, chunk_count - 1) >= TNY_NONE)
      return tny_error_set(error, TNY_REFUSED, "phase %u in %u chunks is beyond the last number",
                           step->phase, cut->chunk_count);
    if (tny_step_is_token(step->kind))
      continue;
    if (step->span.chunk_count != 1 ||
        (tny_step_is_local(step->kind) && step->target.chunk_count != 1))
      return tny_error_set(error, TNY_REFUSED, "step %u is a chunk already; cut a schedule once",
                           s);
  }
  return TNY_OK;
}

static void append_all(const struct cut *cut, struct tny_builder *builder,
                       struct chunk_steps *chunks)
{
  for (uint32_t next = 0; next < cut->in->count;) {
    const struct group group = group_from(cut, next);
    const uint32_t size = group.end - group.first;
    for (uint32_t s = group.first; s < group.end; s++)
      chunks[s] = (struct chunk_steps){group.first * cut->chunk_count + s - group.first, size};
    for (uint32_t c = 0; c < cut->chunk_count && builder->error.status == TNY_OK; c++)
      for (uint32_t s = group.first; s < group.end; s++)
        append_chunk(cut, builder, chunks, s, c);
    next = group.end;
  }
}

enum tny_status tny_pass_chunk(const struct tny_steps *in, uint32_t chunk_count, uint32_t run,
                               struct tny_steps *out, struct tny_error *error)
{
  const struct cut cut = {in, chunk_count, run};
  *out = (struct tny_steps){0};
  const enum tny_status status = check_cut(&cut, error);
  if (status != TNY_OK)
    return status;
  struct chunk_steps *chunks = tny_new(in->count, sizeof *chunks);
  if (!chunks)
    return tny_error_memory(error);
  struct tny_builder builder;
  tny_builder_init(&builder);
  append_all(&cut, &builder, chunks);
  tny_free(chunks);
  return tny_builder_finish(&builder, out, error);
}
