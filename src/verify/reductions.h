/* Does a result combine what it must, each contribution once and, where the operation needn't
   commute, in rank order? And are results that should have the same bits combined alike? */
#ifndef TOURNEY_VERIFY_REDUCTIONS_H
#define TOURNEY_VERIFY_REDUCTIONS_H

#include <tourney/verify.h>

#include "verify/trees.h"

/* A tree that was looked through and is right for results of this block. Where all ranks get the
   same result they mostly get the same tree, so that it is looked through once, not at each rank:
   of the same tree, the same contributions are met in the same order. */
struct tny_right_for {
  uint64_t block; /* 1 + the number of the contributions' block; 0: none yet */
  bool in_order;
};

struct tny_reductions {
  const struct tny_schedule *schedule; /* borrowed, as are the trees */
  const struct tny_trees *trees;
  uint64_t *stack;     /* of a walk through a tree */
  uint32_t *last_walk; /* by rank: the last walk in which its contribution was met */
  uint32_t walk;
  struct tny_right_for *right; /* by inner tree */
};

/* Made when all trees are there. */
enum tny_status tny_reductions_init(struct tny_reductions *reductions,
                                    const struct tny_schedule *schedule,
                                    const struct tny_trees *trees,
                                    struct tny_error *error) TNY_MUST_CHECK;
void tny_reductions_release(struct tny_reductions *reductions);

/* An output block, or a chunk of it. */
struct tny_result {
  uint32_t rank;
  uint64_t tree;
};
/* Does the result combine each contribution exactly once? *in_order: it does so in rank order.
   Errors: TNY_BROKEN where it doesn't, or where the order matters and is wrong. The text says what
   the result does ("combines block 0 of rank 3 twice"): who calls puts in front of it where it
   lies. */
enum tny_status tny_reductions_check(struct tny_reductions *reductions,
                                     const struct tny_result *result, bool *in_order,
                                     struct tny_error *error) TNY_MUST_CHECK;

#endif
