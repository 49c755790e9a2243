/* Progress: no deadlock, for every interleaving and any window.

   The nodes are messages, tokens and copies: a message completes as one, at both ends, once both
   are started (rendezvous). Node M waits for node N where an end of M waits (`after`) for an end of
   N, or follows it in its queue (a window of one: each step waits for the completion of the one
   before). The matching is fixed by list order, so the graph is the same for every interleaving;
   if it has no circle, every node's turn comes, whatever the speeds. A larger window, or messages
   that complete before their receive is posted, only take edges away, so they can't add a circle.
 */
#include <tourney/verify.h>

#include "core/arena.h"
#include "core/error.h"
#include "schedule/words.h"
#include "verify/crossings.h"
#include "verify/run.h"

enum { EDGE_WORDS = 128 }; /* characters of a printed edge, at most */

struct graph {
  const struct tny_match *match;
  uint32_t *depth;  /* by node: messages on the longest chain that ends with it */
  uint8_t *state;   /* by node */
  uint32_t *cursor; /* by node: the next edge to follow */
  uint32_t *stack;
  uint32_t *parent; /* by node, for the search of the shortest circle */
};

enum { NEW, OPEN, DONE };

/* A node is named by its sending end, a copy by itself. */
static uint32_t node_of(const struct tny_match *match, uint32_t id)
{
  return tny_step_receives(tny_match_step(match, id)->kind) ? match->partner[id] : id;
}

struct edge {
  uint32_t end;   /* an end of this node ... */
  uint32_t waits; /* ... waits for this end of another */
};

/* The k-th edge out of an end: first its queue, then what it waits for. */
static bool edge_of_end(const struct tny_match *match, uint32_t end, uint32_t k, struct edge *edge)
{
  const uint32_t previous = match->previous[end];
  edge->end = end;
  if (previous != TNY_NONE) {
    if (k == 0) {
      edge->waits = previous;
      return true;
    }
    k--;
  }
  if (k >= tny_match_step(match, end)->after_count)
    return false;
  edge->waits = tny_match_after(match, end, k);
  return true;
}

static uint32_t edge_count_of_end(const struct tny_match *match, uint32_t end)
{
  return (match->previous[end] != TNY_NONE) + tny_match_step(match, end)->after_count;
}

/* The k-th edge out of a node; false beyond the last. */
static bool edge_of(const struct tny_match *match, uint32_t node, uint32_t k, struct edge *edge)
{
  const uint32_t own = edge_count_of_end(match, node);
  if (k < own)
    return edge_of_end(match, node, k, edge);
  return match->partner[node] != TNY_NONE &&
         edge_of_end(match, match->partner[node], k - own, edge);
}

/* Depth-first from one node. Returns TNY_NONE, or a node on a circle. */
static uint32_t visit(struct graph *graph, uint32_t root)
{
  const struct tny_match *match = graph->match;
  uint32_t height = 0;
  graph->stack[height++] = root;
  graph->state[root] = OPEN;
  while (height > 0) {
    const uint32_t node = graph->stack[height - 1];
    struct edge edge;
    if (edge_of(match, node, graph->cursor[node]++, &edge)) {
      const uint32_t other = node_of(match, edge.waits);
      if (graph->state[other] == OPEN)
        return other;
      if (graph->state[other] == NEW) {
        graph->state[other] = OPEN;
        graph->stack[height++] = other;
      } else if (graph->depth[other] > graph->depth[node]) {
        graph->depth[node] = graph->depth[other];
      }
      continue;
    }
    graph->depth[node] += tny_match_step(match, node)->kind == TNY_SEND;
    graph->state[node] = DONE;
    height--;
    if (height > 0 && graph->depth[node] > graph->depth[graph->stack[height - 1]])
      graph->depth[graph->stack[height - 1]] = graph->depth[node];
  }
  return TNY_NONE;
}

/* Breadth-first from a node of a circle back to itself; then `stack` holds the shortest such circle
   in order, and its length is returned. */
static uint32_t shortest_circle(struct graph *graph, uint32_t start)
{
  const struct tny_match *match = graph->match;
  uint32_t *queue = graph->cursor; /* no longer needed */
  uint32_t from = 0, to = 0, last = TNY_NONE;
  for (uint32_t id = 0; id < match->step_count; id++)
    graph->parent[id] = TNY_NONE;
  queue[to++] = start;
  while (last == TNY_NONE && from < to) {
    const uint32_t node = queue[from++];
    struct edge edge;
    for (uint32_t k = 0; last == TNY_NONE && edge_of(match, node, k, &edge); k++) {
      const uint32_t other = node_of(match, edge.waits);
      if (other == start) {
        last = node;
      } else if (graph->parent[other] == TNY_NONE) {
        graph->parent[other] = node;
        queue[to++] = other;
      }
    }
  }
  uint32_t length = 0;
  for (uint32_t node = last; node != TNY_NONE; node = graph->parent[node])
    length++;
  uint32_t place = length;
  for (uint32_t node = last; node != TNY_NONE; node = graph->parent[node])
    graph->stack[--place] = node;
  return length;
}

static struct edge edge_between(const struct tny_match *match, uint32_t node, uint32_t other)
{
  struct edge edge = {node, other};
  for (uint32_t k = 0; edge_of(match, node, k, &edge); k++)
    if (node_of(match, edge.waits) == other)
      break;
  return edge;
}

static enum tny_status report_circle(struct graph *graph, uint32_t start, struct tny_error *error)
{
  const struct tny_match *match = graph->match;
  const uint32_t length = shortest_circle(graph, start);
  char text[sizeof error->text - 64] = "";
  size_t used = 0;
  uint32_t told = 0;
  for (; told < length && used + EDGE_WORDS < sizeof text; told++) {
    const uint32_t next = graph->stack[told + 1 < length ? told + 1 : 0];
    const struct edge edge = edge_between(match, graph->stack[told], next);
    const struct tny_steps *steps = tny_match_steps(match, edge.end);
    const int added = snprintf(text + used, sizeof text - used, "%srank %u %s waits for its %s",
                               told ? ", " : "", match->rank_of[edge.end],
                               tny_words_step(steps, tny_match_index(match, edge.end)).text,
                               tny_words_step(steps, tny_match_index(match, edge.waits)).text);
    used += (size_t)added;
  }
  if (told < length)
    snprintf(text + used, sizeof text - used, ", and %u more in a circle", length - told);
  return tny_error_set(error, TNY_BROKEN, "deadlock: %s", text);
}

enum tny_status tny_progress_check(const struct tny_match *match, uint32_t *rounds,
                                   struct tny_error *error)
{
  const uint32_t count = match->step_count;
  struct graph graph = {.match = match};
  *rounds = 0;
  graph.depth = tny_arena_take(match->arena, count, sizeof *graph.depth);
  graph.state = tny_arena_take(match->arena, count, sizeof *graph.state);
  graph.cursor = tny_arena_take(match->arena, count, sizeof *graph.cursor);
  graph.stack = tny_arena_take(match->arena, count, sizeof *graph.stack);
  graph.parent = tny_arena_take(match->arena, count, sizeof *graph.parent);
  if (!graph.depth || !graph.state || !graph.cursor || !graph.stack || !graph.parent)
    return tny_error_memory(error);
  for (uint32_t id = 0; id < count; id++) {
    if (node_of(match, id) != id || graph.state[id] != NEW)
      continue;
    const uint32_t circle = visit(&graph, id);
    if (circle != TNY_NONE)
      return report_circle(&graph, circle, error);
  }
  for (uint32_t id = 0; id < count; id++)
    if (graph.depth[id] > *rounds)
      *rounds = graph.depth[id];
  return TNY_OK;
}

static void count_steps(const struct tny_match *match, struct tny_report *report)
{
  const struct tny_schedule *schedule = match->schedule;
  report->steps = match->step_count;
  report->phases = tny_phases_of(match);
  report->messages = report->unphased = report->tokens = report->blocks_sent_max = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++) {
    uint64_t pieces = 0;
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      report->messages += step->kind == TNY_SEND;
      report->unphased += step->kind == TNY_SEND && step->phase == TNY_NONE;
      report->tokens += step->kind == TNY_TOKEN_OUT;
      if (step->kind == TNY_SEND)
        pieces += tny_span_pieces(&step->span, schedule->chunk_count);
    }
    const uint64_t blocks = pieces / schedule->chunk_count + (pieces % schedule->chunk_count != 0);
    if (blocks > report->blocks_sent_max)
      report->blocks_sent_max = blocks;
  }
}

enum tny_status tny_verify_progress(const struct tny_schedule *schedule, struct tny_report *report,
                                    struct tny_error *error)
{
  struct tny_match match;
  enum tny_status status = tny_match_make(schedule, &match, error);
  if (status != TNY_OK)
    return status;
  uint32_t rounds;
  status = tny_progress_check(&match, &rounds, error);
  if (status == TNY_OK && report) {
    count_steps(&match, report);
    report->rounds = rounds;
  }
  tny_match_release(&match);
  return status;
}
