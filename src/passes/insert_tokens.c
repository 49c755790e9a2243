/* The old list is drafted with the tokens between its phases, queue by queue; the merge then puts
   every step behind what it waits for. */
#include "passes/insert_tokens.h"

#include "core/alloc.h"
#include "core/error.h"
#include "schedule/steps.h"

/* The memory with room for one more element, or NULL with the weave marked as failed. */
static void *make_room(struct tny_weave *weave, void *memory, uint32_t *room, uint32_t count,
                       size_t element_bytes)
{
  if (weave->failed || count < *room)
    return weave->failed ? NULL : memory;
  const uint32_t wanted = 2 * *room + 64;
  void *grown = tny_resize(memory, wanted, element_bytes);
  weave->failed = !grown;
  if (grown)
    *room = wanted;
  return grown;
}

uint32_t tny_weave_insert(struct tny_weave *weave, struct tny_insert insert)
{
  void *room = make_room(weave, weave->inserts, &weave->insert_room, weave->insert_count,
                         sizeof *weave->inserts);
  if (!room)
    return 0;
  weave->inserts = room;
  weave->inserts[weave->insert_count] = insert;
  return weave->in->count + weave->insert_count++;
}

void tny_weave_wait(struct tny_weave *weave, uint32_t waits, uint32_t waited_for)
{
  void *room =
      make_room(weave, weave->waits, &weave->wait_room, weave->wait_count, sizeof *weave->waits);
  if (!room)
    return;
  weave->waits = room;
  weave->waits[weave->wait_count++] = (struct tny_extra_wait){waits, waited_for};
}

/* A list in the making. */
struct order {
  uint32_t *names;         /* by place in the draft */
  uint32_t *place;         /* by name */
  uint32_t *waits;         /* by name + 1: where its extra waits begin */
  uint32_t *targets;       /* what they wait for, by name */
  uint32_t count, next[2]; /* the next token of each queue, by number */
};

static uint32_t next_of_queue(const struct tny_weave *weave, bool receives, uint32_t from)
{
  while (from < weave->insert_count && tny_step_receives(weave->inserts[from].kind) != receives)
    from++;
  return from;
}

static void put(struct order *order, uint32_t name)
{
  order->place[name] = order->count;
  order->names[order->count++] = name;
}

/* The tokens of a queue that belong before a step of this phase. */
static void put_tokens(const struct tny_weave *weave, struct order *order, bool receives,
                       uint64_t before_phase)
{
  uint32_t *next = &order->next[receives];
  while (*next < weave->insert_count && weave->inserts[*next].phase < before_phase) {
    put(order, weave->in->count + *next);
    *next = next_of_queue(weave, receives, *next + 1);
  }
}

static void put_all(const struct tny_weave *weave, struct order *order)
{
  for (int queue = 0; queue < 2; queue++)
    order->next[queue] = next_of_queue(weave, queue, 0);
  for (uint32_t i = 0; i < weave->in->count; i++) {
    put_tokens(weave, order, tny_step_receives(weave->in->steps[i].kind), weave->phase[i]);
    put(order, i);
  }
  for (int queue = 0; queue < 2; queue++)
    put_tokens(weave, order, queue, UINT64_MAX);
}

/* Sorts the extra waits by who waits: those of a name lie from waits[name + 1] to waits[name + 2].
   */
static void sort_waits(const struct tny_weave *weave, struct order *order)
{
  const uint32_t names = weave->in->count + weave->insert_count;
  for (uint32_t i = 0; i < weave->wait_count; i++)
    order->waits[weave->waits[i].waits + 1]++;
  for (uint32_t name = 0; name < names; name++)
    order->waits[name + 1] += order->waits[name];
  for (uint32_t i = weave->wait_count; i-- > 0;)
    order->targets[--order->waits[weave->waits[i].waits + 1]] = weave->waits[i].waited_for;
  order->waits[names + 1] = weave->wait_count;
}

static void append(const struct tny_weave *weave, const struct order *order, uint32_t name,
                   struct tny_builder *draft)
{
  const struct tny_steps *in = weave->in;
  if (name < in->count) {
    const struct tny_step *step = &in->steps[name];
    tny_builder_append(draft, step);
    for (uint32_t i = 0; i < step->after_count; i++)
      tny_builder_wait(draft, order->place[in->after[step->after_first + i]]);
  } else {
    const struct tny_insert *insert = &weave->inserts[name - in->count];
    tny_builder_append(
        draft,
        &(struct tny_step){.kind = insert->kind, .peer = insert->peer, .phase = insert->phase});
  }
  for (uint32_t i = order->waits[name + 1]; i < order->waits[name + 2]; i++)
    tny_builder_wait(draft, order->place[order->targets[i]]);
}

static enum tny_status draft_all(const struct tny_weave *weave, struct order *order,
                                 struct tny_steps *draft, struct tny_error *error)
{
  struct tny_builder builder;
  put_all(weave, order);
  sort_waits(weave, order);
  tny_builder_init(&builder);
  for (uint32_t i = 0; i < order->count; i++)
    append(weave, order, order->names[i], &builder);
  return tny_builder_finish(&builder, draft, error);
}

enum tny_status tny_weave_finish(struct tny_weave *weave, struct tny_steps *out,
                                 struct tny_error *error)
{
  const size_t names = (size_t)weave->in->count + weave->insert_count;
  struct order order = {0};
  *out = (struct tny_steps){0};
  if (weave->failed)
    return tny_error_memory(error);
  order.names = tny_new(names, sizeof *order.names);
  order.place = tny_new(names, sizeof *order.place);
  order.waits = tny_new(names + 2, sizeof *order.waits);
  order.targets = tny_new(weave->wait_count, sizeof *order.targets);
  enum tny_status status = TNY_OK;
  if (!order.names || !order.place || !order.waits || !order.targets)
    status = tny_error_memory(error);
  struct tny_steps draft = {0};
  if (status == TNY_OK)
    status = draft_all(weave, &order, &draft, error);
  if (status == TNY_OK)
    status = tny_steps_merge(&draft, out, error);
  tny_steps_release(&draft);
  tny_free(order.names);
  tny_free(order.place);
  tny_free(order.waits);
  tny_free(order.targets);
  return status;
}

void tny_weave_clear(struct tny_weave *weave)
{
  weave->insert_count = weave->wait_count = 0;
}

void tny_weave_release(struct tny_weave *weave)
{
  tny_free(weave->inserts);
  tny_free(weave->waits);
  *weave = (struct tny_weave){0};
}
