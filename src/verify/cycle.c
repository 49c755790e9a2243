/* A deadlock, put in words as a shortest cycle of the graph of waiting steps. The search itself is
   core/cycle.h's, which knows no schedules. */
#include "verify/cycle.h"

#include "core/arena.h"
#include "core/cycle.h"
#include "core/error.h"
#include "schedule/words.h"

enum { EDGE_WORDS = 128 }; /* characters of a printed edge, at most */

/* The graph of progress.c. A node has the id of its sending end; a copy has its own. */
struct graph {
  const struct tny_match *match;
  const uint32_t *chain; /* by id; 0: not complete */
  uint32_t *parent;      /* by node: the one before it in the search */
  uint32_t *list;        /* nodes */
};

static uint32_t node_of(const struct tny_match *match, uint32_t id)
{
  return tny_step_receives(tny_match_step(match, id)->kind) ? match->partner[id] : id;
}

struct edge {
  uint32_t end;   /* an end of this node ... */
  uint32_t waits; /* ... waits for this end of another */
};

/* The k-th edge out of an end: the step in front of it in its queue comes first, then those that it
   waits for. */
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

/* The k-th edge out of a node; false beyond the last. */
static bool edge_of(const struct tny_match *match, uint32_t node, uint32_t k, struct edge *edge)
{
  const uint32_t own =
      (match->previous[node] != TNY_NONE) + tny_match_step(match, node)->after_count;
  if (k < own)
    return edge_of_end(match, node, k, edge);
  return match->partner[node] != TNY_NONE &&
         edge_of_end(match, match->partner[node], k - own, edge);
}

/* Returns a node that this one waits for and that isn't complete. */
static uint32_t next_stuck(const struct graph *graph, uint32_t node)
{
  struct edge edge;
  for (uint32_t k = 0; edge_of(graph->match, node, k, &edge); k++)
    if (graph->chain[edge.waits] == 0)
      return node_of(graph->match, edge.waits);
  return node; /* never: what waits for nothing is complete */
}

/* Returns a node on a cycle: walks from a node that isn't complete to one that it waits for, and so
   on, until a node comes again. */
static uint32_t find_on_cycle(const struct graph *graph)
{
  uint32_t node = 0;
  while (graph->chain[node] != 0)
    node++;
  node = node_of(graph->match, node);
  for (uint32_t *seen = graph->list; !seen[node]; node = next_stuck(graph, node))
    seen[node] = true;
  return node;
}

/* For tny_cycle_through: the nodes that a node waits for. */
static uint32_t next_awaited(const void *of, uint32_t node, uint32_t *cursor)
{
  const struct tny_match *match = of;
  struct edge edge;
  return edge_of(match, node, (*cursor)++, &edge) ? node_of(match, edge.waits) : TNY_NONE;
}

static struct edge edge_between(const struct tny_match *match, uint32_t node, uint32_t other)
{
  struct edge edge = {node, other};
  for (uint32_t k = 0; edge_of(match, node, k, &edge); k++)
    if (node_of(match, edge.waits) == other)
      break;
  return edge;
}

/* Where the cycle's lowest node is: the text begins with it. */
static uint32_t first_of(const uint32_t *nodes, uint32_t length)
{
  uint32_t first = 0;
  for (uint32_t i = 1; i < length; i++)
    if (nodes[i] < nodes[first])
      first = i;
  return first;
}

static enum tny_status refuse(const struct graph *graph, struct tny_error *error)
{
  const struct tny_match *match = graph->match;
  const struct tny_digraph waits = {match->step_count, next_awaited, match};
  const uint32_t length = tny_cycle_through(&waits, find_on_cycle(graph), match->step_count + 1,
                                            graph->list, graph->parent);
  const uint32_t first = first_of(graph->list, length);
  char text[sizeof error->text - 64] = "";
  size_t used = 0;
  uint32_t shown = 0;
  for (; shown < length && used + EDGE_WORDS < sizeof text; shown++) {
    const uint32_t node = graph->list[(first + shown) % length];
    const struct edge edge = edge_between(match, node, graph->list[(first + shown + 1) % length]);
    const struct tny_steps *steps = tny_match_steps(match, edge.end);
    const int added = snprintf(text + used, sizeof text - used, "%srank %u %s waits for its %s",
                               shown ? ", " : "", match->rank_of[edge.end],
                               tny_words_step(steps, tny_match_index(match, edge.end)).text,
                               tny_words_step(steps, tny_match_index(match, edge.waits)).text);
    used += (size_t)added;
  }
  if (shown < length)
    snprintf(text + used, sizeof text - used, ", and %u more in a cycle", length - shown);
  return tny_error_set(error, TNY_BROKEN, "deadlock: %s", text);
}

enum tny_status tny_deadlock_refuse(const struct tny_match *match, const uint32_t *chain,
                                    struct tny_error *error)
{
  struct graph graph = {.match = match, .chain = chain};
  graph.parent = tny_arena_take(match->arena, match->step_count, sizeof *graph.parent);
  graph.list = tny_arena_take(match->arena, match->step_count, sizeof *graph.list);
  return graph.parent && graph.list ? refuse(&graph, error) : tny_error_memory(error);
}
