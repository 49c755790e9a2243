/* Trees over ranks each of whose subtrees is a run of neighbouring ranks: the run of all is halved
   again and again, as far down as there are two ranks in a half. One rank of a run leads it, the
   root that of all. It also leads its own half, which has one more where the count is odd; who
   leads the other half makes the tree:
     binomial  the rank there that is nearest to the run's leader. The run of all goes from rank 0
               to the last, so no run wraps around. With 2^k ranks and root 0 it's the binomial tree
     Bine      the mirror image of the leader in its own half, a third into it; the run of all
               begins such that the root is a third into it. With 2^k ranks it's the Bine tree by
               halving distances, whose run is that of the integers of k digits to the base -2. Two
               leaders of a run of n are at most (n + ceil(log2 n))/3 apart
   For any p and root there are ceil(log2 p) levels. */
#ifndef TOURNEY_COLLECTIVES_TREES_HALVING_H
#define TOURNEY_COLLECTIVES_TREES_HALVING_H

#include <tourney/algorithm.h>

enum tny_halving_tree { TNY_HALVING_BINOMIAL, TNY_HALVING_BINE };

enum { TNY_HALVINGS_MAX = 32 };

/* An edge of the tree, between a run's leader and that of the half without it. */
struct tny_halving_edge {
  uint32_t parent, child; /* ranks */
  uint32_t first, count;  /* the child's half, in positions: all ranks of its subtree */
  uint32_t level;         /* 0: the run of all is halved */
};

/* A rank's edges: to its parent, unless it is the root; then to its children, those with most ranks
   first. The rank at a position is `start` ranks after it, cyclically. */
struct tny_halving {
  uint32_t rank, rank_count, start, edge_count;
  uint32_t first, count; /* the rank's subtree */
  struct tny_halving_edge edges[TNY_HALVINGS_MAX];
};

struct tny_halving tny_halving_make(enum tny_halving_tree tree, const struct tny_problem *problem,
                                    uint32_t rank);

/* How many edges a rank has before those to its children: 1, the root 0. */
static inline uint32_t tny_halving_first_child(const struct tny_halving *halving)
{
  return halving->edge_count > 0 && halving->edges[0].child == halving->rank;
}

/* Scatters and gathers along such a tree, a level a round. */
void tny_halving_scatter(enum tny_halving_tree tree, const struct tny_problem *problem,
                         uint32_t rank, struct tny_builder *builder);
struct tny_claim tny_halving_scatter_claim(const struct tny_problem *problem);
void tny_halving_gather(enum tny_halving_tree tree, const struct tny_problem *problem,
                        uint32_t rank, struct tny_builder *builder);
struct tny_claim tny_halving_gather_claim(const struct tny_problem *problem);

#endif
