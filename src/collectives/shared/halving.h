/* Trees over ranks by number, each of whose subtrees is a run of neighbouring ranks: the run of all
   is halved again and again, as far down as there are two ranks in a half. One rank of a run leads
   it, the root that of all. It also leads its own half; the other half is led by the rank there
   that is nearest to it. With 2^k ranks and root 0 it's the binomial tree. For any p and root there
   are ceil(log2 p) levels, and no run wraps around: its blocks lie in one piece at the root. */
#ifndef TOURNEY_COLLECTIVES_SHARED_HALVING_H
#define TOURNEY_COLLECTIVES_SHARED_HALVING_H

#include <tourney/algorithm.h>

enum { TNY_HALVINGS_MAX = 32 };

/* An edge of the tree, between a run's leader and that of the half without it. */
struct tny_halving_edge {
  uint32_t parent, child; /* ranks */
  uint32_t first, count;  /* the child's half: all ranks of its subtree */
  uint32_t level;         /* 0: the run of all is halved */
};

/* A rank's edges: to its parent, unless it is the root; then to its children, those with most ranks
   first. */
struct tny_halving {
  uint32_t rank, edge_count;
  uint32_t first, count; /* the rank's subtree */
  struct tny_halving_edge edges[TNY_HALVINGS_MAX];
};

struct tny_halving tny_halving_make(uint32_t rank_count, uint32_t root, uint32_t rank);

/* How many edges a rank has before those to its children: 1, the root 0. */
static inline uint32_t tny_halving_first_child(const struct tny_halving *halving)
{
  return halving->edge_count > 0 && halving->edges[0].child == halving->rank;
}

/* The most ranks in the subtree of any rank but the root. */
uint32_t tny_halving_largest(uint32_t rank_count, uint32_t root);

#endif
