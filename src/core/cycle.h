/* Shortest cycles in directed graphs: by which a deadlock is shown in as few words as can be. */
#ifndef TOURNEY_CORE_CYCLE_H
#define TOURNEY_CORE_CYCLE_H

#include <stdint.h>

/* A directed graph, as its owner lists its edges. Nodes are numbered from 0. */
struct tny_digraph {
  uint32_t node_count;
  /* The next successor of a node; UINT32_MAX behind the last one. *cursor is 0 at the first call
     for the node and otherwise the callee's. */
  uint32_t (*next)(const void *of, uint32_t node, uint32_t *cursor);
  const void *of; /* borrowed */
};

/* Finds a shortest cycle through the node `start`, breadth-first. Returns its length, and fills
   `cycle` with its nodes in order, `start` first; returns 0 where there is none of fewer than
   `limit` nodes. `cycle` and `parent` have node_count entries each. Cost: O(nodes + edges). */
uint32_t tny_cycle_through(const struct tny_digraph *graph, uint32_t start, uint32_t limit,
                           uint32_t *cycle, uint32_t *parent);

#endif
