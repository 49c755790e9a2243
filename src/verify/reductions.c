/* Results of a reduction against the contributions that the collective's row says. */
#include "verify/reductions.h"

#include "core/alloc.h"
#include "core/error.h"

enum tny_status tny_reductions_init(struct tny_reductions *reductions,
                                    const struct tny_schedule *schedule,
                                    const struct tny_trees *trees, struct tny_error *error)
{
  *reductions = (struct tny_reductions){.schedule = schedule, .trees = trees};
  /* A walk has at most one tree of each depth waiting, and the one at hand. */
  reductions->stack = tny_new((size_t)trees->inner_count + 2, sizeof *reductions->stack);
  reductions->last_walk = tny_new(schedule->rank_count, sizeof *reductions->last_walk);
  reductions->right = tny_new(trees->inner_count, sizeof *reductions->right);
  return reductions->stack && reductions->last_walk && reductions->right ? TNY_OK
                                                                         : tny_error_memory(error);
}

void tny_reductions_release(struct tny_reductions *reductions)
{
  tny_free(reductions->stack);
  tny_free(reductions->last_walk);
  tny_free(reductions->right);
}

static struct tny_origin contribution(const struct tny_reductions *reductions,
                                      const struct tny_result *result, uint32_t k)
{
  const struct tny_schedule *schedule = reductions->schedule;
  return tny_collective_contribution(schedule->collective, result->rank, k);
}

/* Meets the contributions of a tree from left to right. It stops at the second one of a rank, so
   that it meets no more than there are ranks, however often a tree shares its parts. */
static enum tny_status walk(struct tny_reductions *reductions, const struct tny_result *result,
                            bool *in_order, struct tny_error *error)
{
  const struct tny_trees *trees = reductions->trees;
  uint32_t depth = 0, met = 0, highest = 0;
  reductions->stack[depth++] = result->tree;
  reductions->walk++;
  *in_order = true;
  while (depth > 0) {
    const uint64_t number = reductions->stack[--depth];
    if (tny_trees_is_inner(trees, number)) {
      const struct tny_combination_tree *tree = &trees->inner[number - trees->first_inner];
      reductions->stack[depth++] = tree->right;
      reductions->stack[depth++] = tree->left;
      continue;
    }
    const struct tny_origin found = tny_trees_origin(trees, number);
    const struct tny_origin wanted = contribution(reductions, result, found.rank);
    if (found.block != wanted.block)
      return tny_error_set(error, TNY_BROKEN,
                           "combines block %u of rank %u, whose block %u belongs", found.block,
                           found.rank, wanted.block);
    if (reductions->last_walk[found.rank] == reductions->walk)
      return tny_error_set(error, TNY_BROKEN, "combines block %u of rank %u twice", found.block,
                           found.rank);
    reductions->last_walk[found.rank] = reductions->walk;
    if (met++ > 0 && found.rank < highest) {
      *in_order = false;
      if (!reductions->schedule->commutes)
        return tny_error_set(error, TNY_BROKEN,
                             "combines block %u of rank %u behind that of rank %u, which is right "
                             "only for operations that commute",
                             found.block, found.rank, highest);
    }
    highest = found.rank > highest ? found.rank : highest;
  }
  return TNY_OK;
}

/* Looks at all that a tree combines. */
static enum tny_status look_through(struct tny_reductions *reductions,
                                    const struct tny_result *result, bool *in_order,
                                    struct tny_error *error)
{
  const enum tny_status status = walk(reductions, result, in_order, error);
  for (uint32_t rank = 0; status == TNY_OK && rank < reductions->schedule->rank_count; rank++)
    if (reductions->last_walk[rank] != reductions->walk)
      return tny_error_set(error, TNY_BROKEN, "leaves out block %u of rank %u",
                           contribution(reductions, result, rank).block, rank);
  return status;
}

enum tny_status tny_reductions_check(struct tny_reductions *reductions,
                                     const struct tny_result *result, bool *in_order,
                                     struct tny_error *error)
{
  const struct tny_trees *trees = reductions->trees;
  const uint32_t block = contribution(reductions, result, 0).block;
  const struct tny_run_of_ranks ranks = tny_trees_ranks(trees, result->tree);
  *in_order =
      ranks.first == 0 && ranks.end == reductions->schedule->rank_count && ranks.block == block;
  if (*in_order)
    return TNY_OK;
  if (!tny_trees_is_inner(trees, result->tree))
    return look_through(reductions, result, in_order, error);
  struct tny_right_for *right = &reductions->right[result->tree - trees->first_inner];
  if (right->block == block + (uint64_t)1) {
    *in_order = right->in_order;
    return TNY_OK;
  }
  const enum tny_status status = look_through(reductions, result, in_order, error);
  if (status == TNY_OK)
    *right = (struct tny_right_for){block + (uint64_t)1, *in_order};
  return status;
}
