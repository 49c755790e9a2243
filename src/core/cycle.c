/* Breadth-first search for the shortest way from a node back to itself. */
#include "core/cycle.h"

#define NONE UINT32_MAX

/* Writes the way that the search took to `last`, the start first. */
static void write_cycle(const uint32_t *parent, uint32_t last, uint32_t length, uint32_t *cycle)
{
  uint32_t node = last;
  for (uint32_t i = length; i-- > 0; node = parent[node])
    cycle[i] = node;
}

uint32_t tny_cycle_through(const struct tny_digraph *graph, uint32_t start, uint32_t limit,
                           uint32_t *cycle, uint32_t *parent)
{
  uint32_t *queue = cycle; /* until the cycle is found */
  uint32_t tail = 0, length = 0;
  for (uint32_t node = 0; node < graph->node_count; node++)
    parent[node] = NONE;
  queue[tail++] = start;
  for (uint32_t head = 0, level_end = 0; head < tail; head++) {
    if (head == level_end) {
      level_end = tail;
      if (++length >= limit)
        return 0;
    }
    const uint32_t node = queue[head];
    uint32_t cursor = 0;
    for (uint32_t other; (other = graph->next(graph->of, node, &cursor)) != NONE;) {
      if (other == start) {
        write_cycle(parent, node, length, cycle);
        return length;
      }
      if (parent[other] == NONE) {
        parent[other] = node;
        queue[tail++] = other;
      }
    }
  }
  return 0;
}
