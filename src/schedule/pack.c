/* Steps in bytes.

     version                    a byte
     steps                      a number
     each step                  a byte that says its kind and what of it is as expected,
                                then only what isn't
     check                      8 bytes: a hash of all before

   What is expected of a step follows from the last one of its kind: the same peer; the next chunks
   of the same blocks, or at another peer the block that is as far away from the last one as that
   peer is; the next phase; and steps waited for that are as far back. Where a rank's steps follow a
   rule, most of them take a byte or two. */
#include "schedule/pack.h"

#include "core/error.h"
#include "schedule/steps.h"

enum {
  VERSION = 1,
  KINDS = 7,
  KIND_BITS = 7,
  /* What is as expected. */
  SAME_PEER = 8,
  NEXT_SPAN = 16,
  NEXT_PHASE = 32,
  /* What a step waits for: nothing, what is as far back, or a list. */
  WAITS_ALIKE = 64,
  WAITS_FOR_LIST = 128,
  ALIKE_MAX = 4, /* steps that a step waits for in a single bit, so that bytes bound the memory */
  CHECK_BYTES = 8,
};

/* The last step of a kind, and how far back the first of those are that it waits for. */
struct last {
  struct tny_step step;
  uint32_t back[ALIKE_MAX];
};

/* Of every kind. */
struct expected {
  struct last of[KINDS];
};

static void begin(struct expected *expected)
{
  *expected = (struct expected){0};
  for (unsigned kind = 0; kind < KINDS; kind++)
    expected->of[kind].step.span = tny_span_blocks(TNY_INPUT, 0, 1);
}

/* The span that a step with this peer is expected to have. */
static struct tny_span next_span(const struct tny_step *last, uint32_t peer)
{
  struct tny_span span = last->span;
  span.first += peer - last->peer;
  if (peer == last->peer && span.chunks <= span.chunk_count - span.chunk)
    span.chunk += span.chunks;
  if (span.chunk >= span.chunk_count)
    span.chunk = 0;
  return span;
}

static bool is_same_span(const struct tny_span *one, const struct tny_span *other)
{
  return one->buffer == other->buffer && one->first == other->first && one->count == other->count &&
         one->chunk == other->chunk && one->chunk_count == other->chunk_count &&
         one->chunks == other->chunks;
}

/* Differences go both ways: small ones are small numbers. */
static uint32_t fold(uint32_t difference)
{
  return difference << 1 ^ (difference >> 31 ? UINT32_MAX : 0);
}

static uint32_t unfold(uint32_t folded)
{
  return folded >> 1 ^ (folded & 1 ? UINT32_MAX : 0);
}

/* --- packing --- */

static void pack_span(struct tny_bytes *into, const struct tny_span *span,
                      const struct tny_span *near)
{
  tny_bytes_add_number(into, span->buffer);
  tny_bytes_add_number(into, fold(span->first - near->first));
  tny_bytes_add_number(into, span->count);
  tny_bytes_add_number(into, span->chunk_count);
  tny_bytes_add_number(into, span->chunk);
  tny_bytes_add_number(into, span->chunks);
}

/* Does it wait for steps that are as far back as those of the last of its kind? */
static bool waits_alike(const struct tny_steps *steps, uint32_t index, const struct last *last)
{
  const struct tny_step *step = &steps->steps[index];
  if (step->after_count != last->step.after_count || step->after_count > ALIKE_MAX)
    return false;
  for (uint32_t i = 0; i < step->after_count; i++)
    if (index - steps->after[step->after_first + i] != last->back[i])
      return false;
  return true;
}

static void pack_step(struct tny_bytes *into, const struct tny_steps *steps, uint32_t index,
                      struct expected *expected)
{
  const struct tny_step *step = &steps->steps[index];
  struct last *last = &expected->of[step->kind];
  const struct tny_span next = next_span(&last->step, step->peer);
  const bool has_span = !tny_step_is_token(step->kind);
  const bool is_alike = step->after_count > 0 && waits_alike(steps, index, last);
  const uint8_t mark =
      (uint8_t)((unsigned)step->kind | (step->peer == last->step.peer ? SAME_PEER : 0) |
                (!has_span || is_same_span(&step->span, &next) ? NEXT_SPAN : 0) |
                (step->phase == last->step.phase + 1 ? NEXT_PHASE : 0) |
                (is_alike                ? WAITS_ALIKE
                 : step->after_count > 0 ? WAITS_FOR_LIST
                                         : 0));
  tny_bytes_add(into, &mark, 1);
  if (!(mark & SAME_PEER))
    tny_bytes_add_number(into, fold(step->peer - last->step.peer));
  if (!(mark & NEXT_SPAN))
    pack_span(into, &step->span, &next);
  if (tny_step_is_local(step->kind))
    pack_span(into, &step->target, &step->span);
  if (!(mark & NEXT_PHASE))
    tny_bytes_add_number(into, fold(step->phase - last->step.phase));
  if (mark & WAITS_FOR_LIST)
    tny_bytes_add_number(into, step->after_count);
  for (uint32_t i = 0; i < step->after_count; i++) {
    const uint32_t back = index - steps->after[step->after_first + i];
    if (mark & WAITS_FOR_LIST)
      tny_bytes_add_number(into, back);
    if (i < ALIKE_MAX)
      last->back[i] = back;
  }
  const struct tny_span before = last->step.span;
  last->step = *step;
  if (!has_span)
    last->step.span = before;
}

void tny_steps_pack(const struct tny_steps *steps, struct tny_bytes *into)
{
  const size_t start = into->length;
  struct expected expected;
  begin(&expected);
  tny_bytes_add_number(into, VERSION);
  tny_bytes_add_number(into, steps->count);
  for (uint32_t index = 0; index < steps->count; index++)
    pack_step(into, steps, index, &expected);
  if (!into->failed)
    tny_bytes_add_fixed(into,
                        tny_hash_bytes(TNY_HASH_START, into->bytes + start, into->length - start));
}

/* --- unpacking --- */

static uint32_t read_u32(struct tny_byte_reader *reader)
{
  return (uint32_t)tny_read_number(reader, UINT32_MAX);
}

static struct tny_span read_span(struct tny_byte_reader *reader, uint32_t near)
{
  struct tny_span span = {.buffer = (enum tny_buffer)tny_read_number(reader, TNY_SCRATCH)};
  span.first = near + unfold(read_u32(reader));
  span.count = read_u32(reader);
  span.chunk_count = read_u32(reader);
  span.chunk = read_u32(reader);
  span.chunks = read_u32(reader);
  return span;
}

/* Reads what the step at `index`, just appended, waits for. */
static void read_waits(struct tny_byte_reader *reader, uint8_t mark, struct tny_builder *builder,
                       struct last *last)
{
  const uint32_t index = builder->steps.count - 1;
  uint32_t count = mark & WAITS_ALIKE ? last->step.after_count : 0;
  if (mark & WAITS_FOR_LIST)
    count = read_u32(reader);
  if (mark & WAITS_ALIKE && (mark & WAITS_FOR_LIST || count == 0 || count > ALIKE_MAX))
    reader->failed = true;
  for (uint32_t i = 0; i < count && !reader->failed; i++) {
    const uint32_t back =
        mark & WAITS_FOR_LIST ? (uint32_t)tny_read_number(reader, index) : last->back[i];
    if (back == 0 || back > index)
      reader->failed = true;
    else
      tny_builder_after(builder, index - back);
    if (i < ALIKE_MAX)
      last->back[i] = back;
  }
  last->step.after_count = count;
}

static void read_step(struct tny_byte_reader *reader, struct tny_builder *builder,
                      struct expected *expected)
{
  const uint8_t mark = tny_read_byte(reader);
  struct tny_step step = {.kind = (enum tny_step_kind)(mark & KIND_BITS)};
  if (!tny_step_is_known(step.kind))
    reader->failed = true;
  if (reader->failed)
    return;
  struct last *last = &expected->of[step.kind];
  step.peer = last->step.peer + (mark & SAME_PEER ? 0 : unfold(read_u32(reader)));
  struct tny_span span = next_span(&last->step, step.peer);
  if (!(mark & NEXT_SPAN))
    span = read_span(reader, span.first);
  if (!tny_step_is_token(step.kind))
    step.span = span;
  if (tny_step_is_local(step.kind))
    step.target = read_span(reader, span.first);
  step.phase = last->step.phase + (mark & NEXT_PHASE ? 1 : unfold(read_u32(reader)));
  const uint32_t alike = last->step.after_count;
  const struct tny_span before = last->step.span;
  last->step = step;
  last->step.span = tny_step_is_token(step.kind) ? before : span;
  last->step.after_count = alike;
  tny_builder_append(builder, &step);
  if (builder->error.status == TNY_OK)
    read_waits(reader, mark, builder, last);
}

enum tny_status tny_steps_unpack(const uint8_t *bytes, size_t count, struct tny_steps *steps,
                                 struct tny_error *error)
{
  *steps = (struct tny_steps){0};
  const size_t packed = count > CHECK_BYTES ? count - CHECK_BYTES : 0;
  struct tny_byte_reader check = {.at = bytes + packed, .end = bytes + count};
  struct tny_byte_reader reader = {.at = bytes, .end = bytes + packed};
  if (tny_read_fixed(&check) != tny_hash_bytes(TNY_HASH_START, bytes, packed) || check.failed)
    return tny_error_set(error, TNY_BAD_INPUT, "the steps are damaged: their check doesn't fit");
  if (tny_read_number(&reader, UINT32_MAX) != VERSION)
    return tny_error_set(error, TNY_BAD_INPUT, "the steps are of another version");
  struct tny_builder builder;
  struct expected expected;
  tny_builder_init(&builder);
  begin(&expected);
  const uint64_t step_count = tny_read_number(&reader, packed);
  for (uint64_t i = 0; i < step_count && !reader.failed && builder.error.status == TNY_OK; i++)
    read_step(&reader, &builder, &expected);
  if ((reader.failed || reader.at != reader.end) && builder.error.status == TNY_OK)
    tny_error_set(&builder.error, TNY_BAD_INPUT, "the steps are damaged");
  return tny_builder_finish(&builder, steps, error);
}
