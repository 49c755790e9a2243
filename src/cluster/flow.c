/* Dinic's algorithm: levels by breadth-first search, then a blocking flow along them, until the
   sink can't be reached. Depth-first walks keep their own stack. */
#include "cluster/flow.h"

#include "core/alloc.h"

#define NONE UINT32_MAX

/* Arc 2k is the k-th one added, 2k+1 takes its flow back. */
struct tny_flow {
  uint32_t node_count, arc_count;
  uint32_t *head, *following; /* a node's arcs as a list: following[arc], NONE: the last */
  uint32_t *to;
  tny_wide *capacity; /* what is left */
  uint32_t *level;    /* NONE: not reached */
  uint32_t *at;       /* the arc that a node tries next */
  uint32_t *queue;    /* nodes of the search, then arcs of the walk */
};

struct tny_flow *tny_flow_new(uint32_t node_count, uint32_t arc_room)
{
  struct tny_flow *flow = tny_new(1, sizeof *flow);
  if (!flow)
    return NULL;
  const size_t arcs = (size_t)2 * arc_room;
  flow->node_count = node_count;
  flow->head = tny_new(node_count, sizeof *flow->head);
  flow->following = tny_new(arcs, sizeof *flow->following);
  flow->to = tny_new(arcs, sizeof *flow->to);
  flow->capacity = tny_new(arcs, sizeof *flow->capacity);
  flow->level = tny_new(node_count, sizeof *flow->level);
  flow->at = tny_new(node_count, sizeof *flow->at);
  flow->queue = tny_new(node_count, sizeof *flow->queue);
  if (!flow->head || !flow->following || !flow->to || !flow->capacity || !flow->level ||
      !flow->at || !flow->queue) {
    tny_flow_free(flow);
    return NULL;
  }
  for (uint32_t node = 0; node < node_count; node++)
    flow->head[node] = NONE;
  return flow;
}

void tny_flow_free(struct tny_flow *flow)
{
  if (!flow)
    return;
  tny_free(flow->head);
  tny_free(flow->following);
  tny_free(flow->to);
  tny_free(flow->capacity);
  tny_free(flow->level);
  tny_free(flow->at);
  tny_free(flow->queue);
  tny_free(flow);
}

static void append(struct tny_flow *flow, uint32_t from, uint32_t to)
{
  const uint32_t arc = flow->arc_count++;
  flow->to[arc] = to;
  flow->following[arc] = flow->head[from];
  flow->head[from] = arc;
}

uint32_t tny_flow_add(struct tny_flow *flow, uint32_t from, uint32_t to)
{
  append(flow, from, to);
  append(flow, to, from);
  return flow->arc_count / 2 - 1;
}

void tny_flow_set(struct tny_flow *flow, uint32_t arc, tny_wide capacity)
{
  flow->capacity[2 * arc] = capacity;
  flow->capacity[2 * arc + 1] = 0;
}

/* All nodes that can still be reached, so that afterwards the levels are the cut. */
static void find_levels(struct tny_flow *flow, uint32_t source)
{
  uint32_t tail = 0;
  for (uint32_t node = 0; node < flow->node_count; node++)
    flow->level[node] = NONE;
  flow->level[source] = 0;
  flow->queue[tail++] = source;
  for (uint32_t head = 0; head < tail; head++)
    for (uint32_t arc = flow->head[flow->queue[head]]; arc != NONE; arc = flow->following[arc])
      if (flow->capacity[arc] && flow->level[flow->to[arc]] == NONE) {
        flow->level[flow->to[arc]] = flow->level[flow->queue[head]] + 1;
        flow->queue[tail++] = flow->to[arc];
      }
}

/* Sends what the walk can carry; returns how many of its arcs still stand before the first full
   one. */
static uint32_t push_along(struct tny_flow *flow, const uint32_t *walk, uint32_t length,
                           tny_wide *total)
{
  tny_wide least = flow->capacity[walk[0]];
  uint32_t full = 0;
  for (uint32_t i = 1; i < length; i++)
    if (flow->capacity[walk[i]] < least) {
      least = flow->capacity[walk[i]];
      full = i;
    }
  for (uint32_t i = 0; i < length; i++) {
    flow->capacity[walk[i]] -= least;
    flow->capacity[walk[i] ^ 1] += least;
  }
  *total += least;
  return full;
}

static void block(struct tny_flow *flow, uint32_t source, uint32_t sink, tny_wide *total)
{
  uint32_t *walk = flow->queue, length = 0, node = source;
  memcpy(flow->at, flow->head, flow->node_count * sizeof *flow->at);
  for (;;) {
    if (node == sink) {
      length = push_along(flow, walk, length, total);
      node = flow->to[walk[length] ^ 1];
    }
    uint32_t arc = flow->at[node];
    while (arc != NONE &&
           !(flow->capacity[arc] && flow->level[flow->to[arc]] == flow->level[node] + 1))
      arc = flow->following[arc];
    flow->at[node] = arc;
    if (arc != NONE) {
      walk[length++] = arc;
      node = flow->to[arc];
    } else if (length == 0) {
      return;
    } else {
      node = flow->to[walk[--length] ^ 1];
      flow->at[node] = flow->following[flow->at[node]];
    }
  }
}

tny_wide tny_flow_run(struct tny_flow *flow, uint32_t source, uint32_t sink)
{
  tny_wide total = 0;
  for (find_levels(flow, source); flow->level[sink] != NONE; find_levels(flow, source))
    block(flow, source, sink, &total);
  return total;
}

bool tny_flow_is_inside(const struct tny_flow *flow, uint32_t node)
{
  return flow->level[node] != NONE;
}
