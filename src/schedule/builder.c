/* The builder: appends steps to one rank's list. The first failure stays; appends after it do
   nothing. */
#include "schedule/steps.h"

#include <assert.h>

#include "core/alloc.h"
#include "core/error.h"

void tny_builder_init(struct tny_builder *builder)
{
  *builder = (struct tny_builder){0};
}

/* The memory with room for `count` elements and one more, or NULL with the error recorded. */
static void *make_room(struct tny_builder *builder, void *memory, uint32_t *room, uint32_t count,
                       size_t element_bytes)
{
  if (count < *room)
    return memory;
  if (count >= TNY_STEPS_MAX) {
    tny_error_set(&builder->error, TNY_REFUSED, "a rank's schedule has at most %u steps",
                  TNY_STEPS_MAX);
    return NULL;
  }
  const uint32_t wanted = *room ? 2 * *room : 16;
  void *grown = tny_resize(memory, wanted, element_bytes);
  if (!grown) {
    tny_error_memory(&builder->error);
    return NULL;
  }
  *room = wanted;
  return grown;
}

uint32_t tny_builder_append(struct tny_builder *builder, const struct tny_step *step)
{
  if (builder->error.status != TNY_OK)
    return 0;
  struct tny_steps *steps = &builder->steps;
  void *room =
      make_room(builder, steps->steps, &builder->step_room, steps->count, sizeof *steps->steps);
  if (!room)
    return 0;
  steps->steps = room;
  struct tny_step *added = &steps->steps[steps->count];
  *added = *step;
  added->after_first = steps->after_total;
  added->after_count = 0;
  return steps->count++;
}

void tny_builder_wait(struct tny_builder *builder, uint32_t other)
{
  if (builder->error.status != TNY_OK)
    return;
  struct tny_steps *steps = &builder->steps;
  assert(steps->count > 0);
  void *room = make_room(builder, steps->after, &builder->after_room, steps->after_total,
                         sizeof *steps->after);
  if (!room)
    return;
  steps->after = room;
  steps->after[steps->after_total++] = other;
  steps->steps[steps->count - 1].after_count++;
}

void tny_builder_after(struct tny_builder *builder, uint32_t earlier)
{
  assert(builder->error.status != TNY_OK || earlier + 1 < builder->steps.count);
  tny_builder_wait(builder, earlier);
}

uint32_t tny_builder_send(struct tny_builder *builder, uint32_t peer, struct tny_span span,
                          uint32_t phase)
{
  return tny_builder_append(
      builder, &(struct tny_step){.kind = TNY_SEND, .peer = peer, .span = span, .phase = phase});
}

uint32_t tny_builder_recv(struct tny_builder *builder, uint32_t peer, struct tny_span span,
                          uint32_t phase)
{
  return tny_builder_append(
      builder, &(struct tny_step){.kind = TNY_RECV, .peer = peer, .span = span, .phase = phase});
}

static uint32_t append_local(struct tny_builder *builder, enum tny_step_kind kind,
                             struct tny_span from, struct tny_span to)
{
  return tny_builder_append(
      builder, &(struct tny_step){
                   .kind = kind, .peer = TNY_NONE, .span = from, .target = to, .phase = TNY_NONE});
}

uint32_t tny_builder_copy(struct tny_builder *builder, struct tny_span from, struct tny_span to)
{
  return append_local(builder, TNY_COPY, from, to);
}

uint32_t tny_builder_reduce_left(struct tny_builder *builder, struct tny_span from,
                                 struct tny_span into)
{
  return append_local(builder, TNY_REDUCE_LEFT, from, into);
}

uint32_t tny_builder_reduce_right(struct tny_builder *builder, struct tny_span from,
                                  struct tny_span into)
{
  return append_local(builder, TNY_REDUCE_RIGHT, from, into);
}

uint32_t tny_builder_token_out(struct tny_builder *builder, uint32_t peer, uint32_t phase)
{
  return tny_builder_append(
      builder, &(struct tny_step){.kind = TNY_TOKEN_OUT, .peer = peer, .phase = phase});
}

uint32_t tny_builder_token_in(struct tny_builder *builder, uint32_t peer, uint32_t phase)
{
  return tny_builder_append(builder,
                            &(struct tny_step){.kind = TNY_TOKEN_IN, .peer = peer, .phase = phase});
}

enum tny_status tny_builder_finish(struct tny_builder *builder, struct tny_steps *steps,
                                   struct tny_error *error)
{
  const struct tny_error first = builder->error;
  *steps = builder->steps;
  tny_builder_init(builder);
  if (first.status == TNY_OK)
    return TNY_OK;
  tny_steps_release(steps);
  return tny_error_set(error, first.status, "%s", first.text);
}
