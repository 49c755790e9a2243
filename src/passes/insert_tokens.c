/* Drafts the old list with the tokens between its phases, queue by queue. Then merge.c lists the
   draft such that every step stands behind those that it waits for. */
#include "passes/insert_tokens.h"

#include "core/alloc.h"
#include "core/error.h"
#include "schedule/steps.h"

/* The memory with room for one more element, or NULL with the insertion marked as failed. */
static void *make_room(struct tny_token_insertion *insertion, void *memory, uint32_t *room,
                       uint32_t count, size_t element_bytes)
{
  if (insertion->failed || count < *room)
    return insertion->failed ? NULL : memory;
  const uint32_t wanted = 2 * *room + 64;
  void *grown = tny_resize(memory, wanted, element_bytes);
  insertion->failed = !grown;
  if (grown)
    *room = wanted;
  return grown;
}

uint32_t tny_token_insertion_add(struct tny_token_insertion *insertion,
                                 struct tny_inserted_token token)
{
  void *room = make_room(insertion, insertion->tokens, &insertion->token_room,
                         insertion->token_count, sizeof *insertion->tokens);
  if (!room)
    return 0;
  insertion->tokens = room;
  insertion->tokens[insertion->token_count] = token;
  return insertion->in->count + insertion->token_count++;
}

void tny_token_insertion_wait(struct tny_token_insertion *insertion, uint32_t waits,
                              uint32_t waited_for)
{
  void *room = make_room(insertion, insertion->waits, &insertion->wait_room, insertion->wait_count,
                         sizeof *insertion->waits);
  if (!room)
    return;
  insertion->waits = room;
  insertion->waits[insertion->wait_count++] = (struct tny_extra_wait){waits, waited_for};
}

/* The draft's order while it is made. Numbers are those of struct tny_extra_wait. */
struct draft_order {
  uint32_t *numbers;       /* by index in the draft */
  uint32_t *index;         /* by number: its index in the draft */
  uint32_t *waits;         /* by number + 1: where its extra waits begin in `targets` */
  uint32_t *targets;       /* the numbers that they wait for */
  uint32_t count, next[2]; /* steps and tokens so far; the next token of each queue */
};

static uint32_t next_of_queue(const struct tny_token_insertion *insertion, bool receives,
                              uint32_t from)
{
  while (from < insertion->token_count &&
         tny_step_receives(insertion->tokens[from].kind) != receives)
    from++;
  return from;
}

static void put(struct draft_order *order, uint32_t number)
{
  order->index[number] = order->count;
  order->numbers[order->count++] = number;
}

/* Appends the tokens of a queue that belong before a step of this phase. */
static void put_tokens(const struct tny_token_insertion *insertion, struct draft_order *order,
                       bool receives, uint64_t before_phase)
{
  uint32_t *next = &order->next[receives];
  while (*next < insertion->token_count && insertion->tokens[*next].phase < before_phase) {
    put(order, insertion->in->count + *next);
    *next = next_of_queue(insertion, receives, *next + 1);
  }
}

static void put_all(const struct tny_token_insertion *insertion, struct draft_order *order)
{
  for (int queue = 0; queue < 2; queue++)
    order->next[queue] = next_of_queue(insertion, queue, 0);
  for (uint32_t i = 0; i < insertion->in->count; i++) {
    put_tokens(insertion, order, tny_step_receives(insertion->in->steps[i].kind),
               insertion->phase[i]);
    put(order, i);
  }
  for (int queue = 0; queue < 2; queue++)
    put_tokens(insertion, order, queue, UINT64_MAX);
}

/* A counting sort of the extra waits by who waits: afterwards those of a number are
   targets[waits[number + 1]] to before targets[waits[number + 2]]. */
static void sort_waits(const struct tny_token_insertion *insertion, struct draft_order *order)
{
  const uint32_t numbers = insertion->in->count + insertion->token_count;
  for (uint32_t i = 0; i < insertion->wait_count; i++)
    order->waits[insertion->waits[i].waits + 1]++;
  for (uint32_t number = 0; number < numbers; number++)
    order->waits[number + 1] += order->waits[number];
  for (uint32_t i = insertion->wait_count; i-- > 0;)
    order->targets[--order->waits[insertion->waits[i].waits + 1]] = insertion->waits[i].waited_for;
  order->waits[numbers + 1] = insertion->wait_count;
}

static void append(const struct tny_token_insertion *insertion, const struct draft_order *order,
                   uint32_t number, struct tny_builder *draft)
{
  const struct tny_steps *in = insertion->in;
  if (number < in->count) {
    const struct tny_step *step = &in->steps[number];
    tny_builder_append(draft, step);
    for (uint32_t i = 0; i < step->after_count; i++)
      tny_builder_wait(draft, order->index[in->after[step->after_first + i]]);
  } else {
    const struct tny_inserted_token *token = &insertion->tokens[number - in->count];
    tny_builder_append(
        draft, &(struct tny_step){.kind = token->kind, .peer = token->peer, .phase = token->phase});
  }
  for (uint32_t i = order->waits[number + 1]; i < order->waits[number + 2]; i++)
    tny_builder_wait(draft, order->index[order->targets[i]]);
}

static enum tny_status draft_all(const struct tny_token_insertion *insertion,
                                 struct draft_order *order, struct tny_steps *draft,
                                 struct tny_error *error)
{
  struct tny_builder builder;
  put_all(insertion, order);
  sort_waits(insertion, order);
  tny_builder_init(&builder);
  for (uint32_t i = 0; i < order->count; i++)
    append(insertion, order, order->numbers[i], &builder);
  return tny_builder_finish(&builder, draft, error);
}

enum tny_status tny_token_insertion_finish(struct tny_token_insertion *insertion,
                                           struct tny_steps *out, struct tny_error *error)
{
  const size_t numbers = (size_t)insertion->in->count + insertion->token_count;
  struct draft_order order = {0};
  *out = (struct tny_steps){0};
  if (insertion->failed)
    return tny_error_memory(error);
  order.numbers = tny_new(numbers, sizeof *order.numbers);
  order.index = tny_new(numbers, sizeof *order.index);
  order.waits = tny_new(numbers + 2, sizeof *order.waits);
  order.targets = tny_new(insertion->wait_count, sizeof *order.targets);
  enum tny_status status = TNY_OK;
  if (!order.numbers || !order.index || !order.waits || !order.targets)
    status = tny_error_memory(error);
  struct tny_steps draft = {0};
  if (status == TNY_OK)
    status = draft_all(insertion, &order, &draft, error);
  if (status == TNY_OK)
    status = tny_steps_merge(&draft, out, error);
  tny_steps_release(&draft);
  tny_free(order.numbers);
  tny_free(order.index);
  tny_free(order.waits);
  tny_free(order.targets);
  return status;
}

void tny_token_insertion_clear(struct tny_token_insertion *insertion)
{
  insertion->token_count = insertion->wait_count = 0;
}

void tny_token_insertion_release(struct tny_token_insertion *insertion)
{
  tny_free(insertion->tokens);
  tny_free(insertion->waits);
  *insertion = (struct tny_token_insertion){0};
}
