/* A depth-first search lists each event behind all that it waits for. Which send meets which
   receive is settled before, so the graph is the same for every interleaving. Where it has no
   cycle, every event happens at last, whatever the speeds. */
#include "exchange/check/event_order.h"

#include "core/cycle.h"
#include "core/error.h"

struct graph {
  const struct tny_foreign *foreign;
  enum tny_completion completion;
  uint32_t event_count;
  uint8_t *state;   /* by event */
  uint32_t *cursor; /* by event: the next edge to follow */
  uint32_t *stack;
  uint32_t *chain; /* by event: messages on the longest chain that ends with it */
  struct tny_event_order *order;
  uint32_t ordered;
};

enum { NEW, OPEN, DONE };

static uint32_t start_of(uint32_t operation)
{
  return 2 * operation;
}

static uint32_t completion_of(uint32_t operation)
{
  return 2 * operation + 1;
}

/* What else than its own start a message's end waits for to be complete; TNY_NONE: nothing. */
static uint32_t awaited_at_completion(const struct graph *graph,
                                      const struct tny_operation *operation)
{
  if (operation->act == TNY_ACT_LOCAL || graph->completion == TNY_COMPLETION_ALONE)
    return TNY_NONE;
  if (operation->act == TNY_ACT_RECV)
    return completion_of(operation->partner);
  if (graph->completion == TNY_COMPLETION_RENDEZVOUS)
    return start_of(operation->partner);
  if (operation->previous == TNY_NONE)
    return TNY_NONE;
  return completion_of(graph->foreign->operations[operation->previous].partner);
}

/* The k-th event that an event waits for; TNY_NONE beyond the last. */
static uint32_t waits_for(const struct graph *graph, uint32_t event, uint32_t k)
{
  const struct tny_operation *operation = &graph->foreign->operations[event / 2];
  if (event % 2 == 1)
    return k == 0 ? event - 1 : k == 1 ? awaited_at_completion(graph, operation) : TNY_NONE;
  if (k >= operation->need_count)
    return TNY_NONE;
  const struct tny_need *need = &graph->foreign->needs[operation->need_first + k];
  /* What is local is complete as it starts. */
  const bool is_local = graph->foreign->operations[need->operation].act == TNY_ACT_LOCAL;
  return need->started && !is_local ? start_of(need->operation) : completion_of(need->operation);
}

static void take_more(uint32_t *into, uint32_t other)
{
  if (other > *into)
    *into = other;
}

static void finish(struct graph *graph, uint32_t event)
{
  struct tny_event_order *order = graph->order;
  for (uint32_t k = 0, other; (other = waits_for(graph, event, k)) != TNY_NONE; k++) {
    take_more(&order->level[event], order->level[other] + 1);
    take_more(&graph->chain[event], graph->chain[other]);
  }
  graph->chain[event] +=
      event % 2 == 1 && graph->foreign->operations[event / 2].act == TNY_ACT_SEND;
  take_more(&order->chain, graph->chain[event]);
  graph->state[event] = DONE;
  order->events[graph->ordered++] = event;
}

/* Depth-first from one event. Returns TNY_NONE, or an event on a cycle. */
static uint32_t visit(struct graph *graph, uint32_t root)
{
  uint32_t height = 0;
  graph->stack[height++] = root;
  graph->state[root] = OPEN;
  while (height > 0) {
    const uint32_t event = graph->stack[height - 1];
    const uint32_t other = waits_for(graph, event, graph->cursor[event]++);
    if (other == TNY_NONE) {
      finish(graph, event);
      height--;
    } else if (graph->state[other] == OPEN) {
      return other;
    } else if (graph->state[other] == NEW) {
      graph->state[other] = OPEN;
      graph->stack[height++] = other;
    }
  }
  return TNY_NONE;
}

/* For tny_cycle_through: the events that an event waits for. */
static uint32_t next_awaited(const void *of, uint32_t event, uint32_t *cursor)
{
  return waits_for(of, event, (*cursor)++);
}

static enum tny_status report_cycle(struct graph *graph, uint32_t start, struct tny_error *error)
{
  const struct tny_foreign *foreign = graph->foreign;
  const struct tny_digraph waits = {graph->event_count, next_awaited, graph};
  uint32_t *parent = graph->cursor; /* no longer needed */
  const uint32_t length =
      tny_cycle_through(&waits, start, graph->event_count + 1, graph->stack, parent);
  const uint32_t first = graph->stack[0] / 2;
  char text[380];
  int used = snprintf(text, sizeof text, "%s", tny_foreign_words(foreign, first).text);
  uint32_t before = first;
  for (uint32_t i = 1; i <= length; i++) {
    const uint32_t operation = i < length ? graph->stack[i] / 2 : first;
    if (operation == before)
      continue;
    if ((size_t)used + sizeof(struct tny_foreign_words) + 16 > sizeof text) {
      snprintf(text + used, sizeof text - (size_t)used, ", ... in a cycle");
      break;
    }
    used += snprintf(text + used, sizeof text - (size_t)used, "%s waits for %s",
                     before == first ? "" : ", that", tny_foreign_words(foreign, operation).text);
    before = operation;
  }
  if (before == first && length > 0 && graph->stack[length - 1] / 2 == first)
    snprintf(text + used, sizeof text - (size_t)used, " waits for itself");
  return tny_foreign_fail(foreign, first, error, "deadlock: %s", text);
}

/* Lists the starts by rank. */
static void list_starts(const struct graph *graph)
{
  const struct tny_foreign *foreign = graph->foreign;
  struct tny_event_order *order = graph->order;
  for (uint32_t i = 0; i < foreign->operation_count; i++)
    order->rank_first[foreign->operations[i].rank + 1]++;
  for (uint32_t rank = 0; rank < foreign->rank_count; rank++)
    order->rank_first[rank + 1] += order->rank_first[rank];
  uint32_t *next = graph->cursor; /* no longer needed */
  memcpy(next, order->rank_first, foreign->rank_count * sizeof *next);
  for (uint32_t i = 0; i < graph->event_count; i++) {
    const uint32_t operation = order->events[i] / 2;
    if (order->events[i] % 2 == 1)
      continue;
    order->position[operation] = next[foreign->operations[operation].rank]++;
    order->starts[order->position[operation]] = operation;
  }
}

enum tny_status tny_event_order_make(const struct tny_foreign *foreign,
                                     enum tny_completion completion, struct tny_arena *arena,
                                     struct tny_event_order *order, struct tny_error *error)
{
  const uint32_t count = 2 * foreign->operation_count;
  const size_t cursors = count > foreign->rank_count ? count : foreign->rank_count;
  struct graph graph = {
      .foreign = foreign, .completion = completion, .event_count = count, .order = order};
  *order = (struct tny_event_order){0};
  order->events = tny_arena_take(arena, count, sizeof *order->events);
  order->level = tny_arena_take(arena, count, sizeof *order->level);
  graph.state = tny_arena_take(arena, count, sizeof *graph.state);
  graph.cursor = tny_arena_take(arena, cursors, sizeof *graph.cursor);
  graph.stack = tny_arena_take(arena, count, sizeof *graph.stack);
  graph.chain = tny_arena_take(arena, count, sizeof *graph.chain);
  order->starts = tny_arena_take(arena, foreign->operation_count, sizeof *order->starts);
  order->position = tny_arena_take(arena, foreign->operation_count, sizeof *order->position);
  order->rank_first =
      tny_arena_take(arena, foreign->rank_count + (size_t)1, sizeof *order->rank_first);
  if (!order->events || !order->level || !graph.state || !graph.cursor || !graph.stack ||
      !graph.chain || !order->starts || !order->position || !order->rank_first)
    return tny_error_memory(error);
  for (uint32_t event = 0; event < count; event++) {
    const uint32_t cycle = graph.state[event] == NEW ? visit(&graph, event) : TNY_NONE;
    if (cycle != TNY_NONE)
      return report_cycle(&graph, cycle, error);
  }
  list_starts(&graph);
  return TNY_OK;
}
