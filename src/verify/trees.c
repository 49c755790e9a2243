/* Trees of combination, each kept once: a hash table finds the number of a pair. */
#include "verify/trees.h"

#include "core/alloc.h"
#include "core/error.h"

enum { INNER_MAX = 1 << 27, SLOTS_LEAST = 256 };

void tny_trees_init(struct tny_trees *trees, const struct tny_schedule *schedule)
{
  const uint32_t blocks = tny_buffer_blocks(schedule->collective, TNY_INPUT, schedule->rank_count);
  *trees = (struct tny_trees){.input_blocks = blocks,
                              .first_inner = 1 + (uint64_t)schedule->rank_count * blocks};
}

void tny_trees_release(struct tny_trees *trees)
{
  tny_free(trees->inner);
  tny_free(trees->ranks);
  tny_free(trees->slots);
}

/* The slot of a pair: its own, or the free one where it would be. */
static uint32_t *slot_of(const struct tny_trees *trees, struct tny_combination_tree tree)
{
  uint64_t hash = (tree.left * 0x9e3779b97f4a7c15u) ^ (tree.right * 0xc2b2ae3d27d4eb4fu);
  hash ^= hash >> 29;
  for (uint32_t at = (uint32_t)hash & (trees->slot_count - 1);;
       at = (at + 1) & (trees->slot_count - 1)) {
    uint32_t *slot = &trees->slots[at];
    if (*slot == 0 ||
        (trees->inner[*slot - 1].left == tree.left && trees->inner[*slot - 1].right == tree.right))
      return slot;
  }
}

/* Doubles the room; half of the slots stay free. */
static enum tny_status grow(struct tny_trees *trees, struct tny_error *error)
{
  const uint32_t slot_count = trees->slot_count ? 2 * trees->slot_count : SLOTS_LEAST;
  struct tny_combination_tree *inner = tny_resize(trees->inner, slot_count / 2, sizeof *inner);
  if (!inner)
    return tny_error_memory(error);
  trees->inner = inner;
  struct tny_run_of_ranks *ranks = tny_resize(trees->ranks, slot_count / 2, sizeof *ranks);
  if (!ranks)
    return tny_error_memory(error);
  trees->ranks = ranks;
  uint32_t *slots = tny_new(slot_count, sizeof *slots);
  if (!slots)
    return tny_error_memory(error);
  tny_free(trees->slots);
  trees->slots = slots;
  trees->slot_count = slot_count;
  for (uint32_t i = 0; i < trees->inner_count; i++)
    *slot_of(trees, inner[i]) = i + 1;
  return TNY_OK;
}

struct tny_run_of_ranks tny_trees_ranks(const struct tny_trees *trees, uint64_t number)
{
  if (tny_trees_is_inner(trees, number))
    return trees->ranks[number - trees->first_inner];
  const struct tny_origin origin = tny_trees_origin(trees, number);
  return (struct tny_run_of_ranks){origin.rank, origin.rank + 1, origin.block};
}

enum tny_status tny_trees_combine(struct tny_trees *trees, uint64_t left, uint64_t right,
                                  uint64_t *number, struct tny_error *error)
{
  if (trees->inner_count == INNER_MAX)
    return tny_error_set(error, TNY_REFUSED,
                         "more than %d different partial results are too many "
                         "to prove here",
                         INNER_MAX);
  if (2 * trees->inner_count == trees->slot_count) {
    const enum tny_status status = grow(trees, error);
    if (status != TNY_OK)
      return status;
  }
  const struct tny_combination_tree tree = {left, right};
  uint32_t *slot = slot_of(trees, tree);
  if (*slot == 0) {
    const struct tny_run_of_ranks before = tny_trees_ranks(trees, left);
    const struct tny_run_of_ranks behind = tny_trees_ranks(trees, right);
    const bool is_run = before.end != 0 && before.end == behind.first && behind.end != 0 &&
                        before.block == behind.block;
    trees->inner[trees->inner_count] = tree;
    trees->ranks[trees->inner_count] =
        (struct tny_run_of_ranks){before.first, is_run ? behind.end : 0, before.block};
    *slot = ++trees->inner_count;
  }
  *number = trees->first_inner + *slot - 1;
  return TNY_OK;
}
