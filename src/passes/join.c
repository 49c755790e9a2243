/* The pass that has one schedule follow another without a barrier: a rank goes on to the second as
   soon as it has what it sends there.

   The block is cut in parts, one for each block of the second's output, and these are the first's
   blocks of input. The second's input is the first's output, where it lies: so the second's copies
   of it into its output have nothing to do.

   A step of the second waits for the steps of the first that used the same location before, one of
   them writing: of this rank's part of the output, and of scratch space, which is the same for
   both. As the second's input is a part of its output, its steps that use it by one name wait for
   those that used it by the other, too. Local steps are complete where they start: no step behind
   one in the queue of sends waits for it. */
#include "core/alloc.h"
#include "core/error.h"
#include "schedule/steps.h"

/* A step that reads a location. */
struct reading {
  uint32_t step, next; /* the next one of the location; TNY_NONE: none */
  bool by_input;       /* by the name of the second's input */
};

/* A piece of the rank's part of the output, or of scratch space. Who has waited for all that read
   it since it was written has waited for the writer. */
struct location {
  uint32_t writer;                      /* the last step that wrote it; TNY_NONE: none */
  uint32_t first_reading, last_reading; /* since then; TNY_NONE: none */
};

/* Neighbouring locations. */
struct range {
  uint64_t first, count;
};

struct joining {
  const struct tny_joined *of;
  struct tny_builder out;
  struct location *locations; /* the pieces of the part, then scratch space */
  bool share_scratch;         /* both use it: its locations are looked at */
  struct reading *readings;
  uint32_t reading_count;
  uint32_t second_first; /* the second's first step */
  uint32_t *waiting;     /* by step: 1 + the last one that waits for it */
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

/* --- which locations a step uses --- */

/* Is the rank's part of the output in the span, by whichever name? */
static bool is_own_part(const struct tny_joined *of, const struct tny_span *span, bool is_second)
{
  if (span->buffer == (is_second ? TNY_INPUT : TNY_OUTPUT))
    return true;
  return is_second && span->buffer == TNY_OUTPUT && of->part >= span->first &&
         of->part - span->first < span->count;
}

/* Of a span; NULL: none. */
static struct range used(const struct joining *joining, const struct tny_span *span, bool is_second)
{
  const struct tny_joined *of = joining->of;
  if (!span)
    return (struct range){0};
  if (is_own_part(of, span, is_second)) {
    const bool is_whole = span->chunk_count == 1;
    return (struct range){is_whole ? 0 : span->chunk, is_whole ? of->pieces_a_part : span->chunks};
  }
  if (span->buffer != TNY_SCRATCH || !joining->share_scratch)
    return (struct range){0};
  const struct tny_span at = placed(of, span, is_second);
  return (struct range){of->pieces_a_part + at.first * (uint64_t)at.chunk_count + at.chunk,
                        at.chunks};
}

static bool is_by_input(const struct tny_span *span, bool is_second)
{
  return is_second && span->buffer == TNY_INPUT;
}

/* Notes that the last step appended used what `step` uses. */
static void note_uses(struct joining *joining, const struct tny_step *step, bool is_second)
{
  const uint32_t index = joining->out.steps.count - 1;
  const struct range read = used(joining, tny_step_read(step), is_second);
  const struct range written = used(joining, tny_step_written(step), is_second);
  for (uint64_t i = 0; i < read.count; i++) {
    struct location *location = &joining->locations[read.first + i];
    const uint32_t added = joining->reading_count++;
    joining->readings[added] =
        (struct reading){index, TNY_NONE, is_by_input(&step->span, is_second)};
    if (location->first_reading == TNY_NONE)
      location->first_reading = added;
    else
      joining->readings[location->last_reading].next = added;
    location->last_reading = added;
  }
  for (uint64_t i = 0; i < written.count; i++)
    joining->locations[written.first + i] = (struct location){index, TNY_NONE, TNY_NONE};
}

/* --- what a step of the second waits for --- */

/* The last step appended waits for `earlier`, unless it does already, or is behind it anyway. */
static void wait_for(struct joining *joining, uint32_t earlier)
{
  const struct tny_steps *steps = &joining->out.steps;
  const uint32_t index = steps->count - 1;
  if (joining->waiting[earlier] == index + 1)
    return;
  if (tny_step_is_local(steps->steps[earlier].kind) && !tny_step_receives(steps->steps[index].kind))
    return;
  joining->waiting[earlier] = index + 1;
  tny_builder_after(&joining->out, earlier);
}

/* For the second's own steps it waits itself, but where they use its input by another name. */
static void wait_to_read(struct joining *joining, const struct tny_span *span)
{
  const struct range range = used(joining, span, true);
  for (uint64_t i = 0; i < range.count; i++) {
    const uint32_t writer = joining->locations[range.first + i].writer;
    if (writer != TNY_NONE && (writer < joining->second_first || is_by_input(span, true)))
      wait_for(joining, writer);
  }
}

static void wait_to_write(struct joining *joining, const struct tny_span *span)
{
  const struct range range = used(joining, span, true);
  for (uint64_t i = 0; i < range.count; i++) {
    const struct location *location = &joining->locations[range.first + i];
    if (location->first_reading == TNY_NONE && location->writer < joining->second_first)
      wait_for(joining, location->writer);
    for (uint32_t at = location->first_reading; at != TNY_NONE; at = joining->readings[at].next) {
      const struct reading *reading = &joining->readings[at];
      if (reading->step < joining->second_first || reading->by_input)
        wait_for(joining, reading->step);
    }
  }
}

/* --- the steps --- */

/* new_index: by step, TNY_NONE: it is left out. */
static void append(struct joining *joining, const struct tny_steps *steps, bool is_second,
                   uint32_t *new_index)
{
  for (uint32_t i = 0; i < steps->count; i++) {
    const struct tny_step *from = &steps->steps[i];
    struct tny_step step = *from;
    if (step.phase != TNY_NONE && is_second)
      step.phase += joining->of->phases;
    step.span = placed(joining->of, &step.span, is_second);
    if (tny_step_is_local(step.kind))
      step.target = placed(joining->of, &step.target, is_second);
    new_index[i] = TNY_NONE;
    if (is_second && has_nothing_to_do(&step))
      continue;
    new_index[i] = tny_builder_append(&joining->out, &step);
    if (joining->out.error.status != TNY_OK)
      return;
    if (is_second) {
      wait_to_read(joining, tny_step_read(from));
      wait_to_write(joining, tny_step_written(from));
    }
    for (uint32_t k = 0; k < step.after_count; k++) {
      const uint32_t earlier = new_index[steps->after[from->after_first + k]];
      if (earlier != TNY_NONE && joining->waiting[earlier] != new_index[i] + 1)
        tny_builder_after(&joining->out, earlier);
    }
    note_uses(joining, from, is_second);
  }
}

static bool uses_scratch(const struct tny_steps *steps)
{
  for (uint32_t i = 0; i < steps->count; i++)
    if (!tny_step_is_token(steps->steps[i].kind) &&
        (steps->steps[i].span.buffer == TNY_SCRATCH ||
         (tny_step_is_local(steps->steps[i].kind) && steps->steps[i].target.buffer == TNY_SCRATCH)))
      return true;
  return false;
}

/* Raises how many locations there are, and counts how many are read. */
static void measure(const struct joining *joining, const struct tny_steps *steps, bool is_second,
                    uint64_t *locations, uint64_t *readings)
{
  for (uint32_t i = 0; i < steps->count; i++) {
    const struct range read = used(joining, tny_step_read(&steps->steps[i]), is_second);
    const struct range written = used(joining, tny_step_written(&steps->steps[i]), is_second);
    if (read.count > 0 && read.first + read.count > *locations)
      *locations = read.first + read.count;
    if (written.count > 0 && written.first + written.count > *locations)
      *locations = written.first + written.count;
    *readings += read.count;
  }
}

static enum tny_status make_room(struct joining *joining, const struct tny_steps *first,
                                 const struct tny_steps *second, struct tny_error *error)
{
  uint64_t locations = joining->of->pieces_a_part, readings = 0;
  joining->share_scratch = uses_scratch(first) && uses_scratch(second);
  measure(joining, first, false, &locations, &readings);
  measure(joining, second, true, &locations, &readings);
  joining->locations = tny_new(locations, sizeof *joining->locations);
  joining->readings = tny_new(readings, sizeof *joining->readings);
  joining->waiting = tny_new((size_t)first->count + second->count, sizeof *joining->waiting);
  if (!joining->locations || !joining->readings || !joining->waiting)
    return tny_error_memory(error);
  for (uint64_t i = 0; i < locations; i++)
    joining->locations[i] = (struct location){TNY_NONE, TNY_NONE, TNY_NONE};
  return TNY_OK;
}

enum tny_status tny_pass_join(const struct tny_steps *first, const struct tny_steps *second,
                              const struct tny_joined *of, struct tny_steps *out,
                              struct tny_error *error)
{
  struct joining joining = {.of = of};
  const uint32_t most = first->count > second->count ? first->count : second->count;
  uint32_t *new_index = tny_new(most, sizeof *new_index);
  *out = (struct tny_steps){0};
  enum tny_status status =
      new_index ? make_room(&joining, first, second, error) : tny_error_memory(error);
  if (status == TNY_OK) {
    tny_builder_init(&joining.out);
    append(&joining, first, false, new_index);
    joining.second_first = joining.out.steps.count;
    append(&joining, second, true, new_index);
    status = tny_builder_finish(&joining.out, out, error);
  }
  tny_free(joining.waiting);
  tny_free(joining.readings);
  tny_free(joining.locations);
  tny_free(new_index);
  return status;
}
