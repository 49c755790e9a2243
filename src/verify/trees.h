/* Trees of combination: what lies in a location, as an expression over the input blocks of all
   ranks. The same tree has the same number, so that two results have the same bits, whatever the
   operation rounds, where their numbers are the same. */
#ifndef TOURNEY_VERIFY_TREES_H
#define TOURNEY_VERIFY_TREES_H

#include <tourney/schedule.h>

/* A number is 0 for nothing, 1 + rank * input blocks + block for an input block, and from
   first_inner on that of left op right. */
struct tny_combination_tree {
  uint64_t left, right;
};

/* The blocks number `block` of the consecutive ranks `first` to before `end`, in rank order. */
struct tny_run_of_ranks {
  uint32_t first, end, block; /* end 0: it isn't such a run */
};

struct tny_trees {
  uint32_t input_blocks; /* of a rank */
  uint64_t first_inner;
  struct tny_combination_tree *inner; /* by number - first_inner */
  struct tny_run_of_ranks *ranks;     /* likewise: what the tree combines, from left to right */
  uint32_t *slots;                    /* hash table: 1 + number - first_inner, 0: free */
  uint32_t inner_count, slot_count;
};

void tny_trees_init(struct tny_trees *trees, const struct tny_schedule *schedule);
void tny_trees_release(struct tny_trees *trees);
/* The number of left op right. Errors: TNY_REFUSED for more than 2^27 trees. */
enum tny_status tny_trees_combine(struct tny_trees *trees, uint64_t left, uint64_t right,
                                  uint64_t *number, struct tny_error *error) TNY_MUST_CHECK;
struct tny_run_of_ranks tny_trees_ranks(const struct tny_trees *trees, uint64_t number);

static inline bool tny_trees_is_inner(const struct tny_trees *trees, uint64_t number)
{
  return number >= trees->first_inner;
}

static inline uint64_t tny_trees_leaf(const struct tny_trees *trees, struct tny_origin origin)
{
  return 1 + origin.rank * (uint64_t)trees->input_blocks + origin.block;
}

/* The block that a number other than 0 and below first_inner is of. */
static inline struct tny_origin tny_trees_origin(const struct tny_trees *trees, uint64_t leaf)
{
  return (struct tny_origin){(uint32_t)((leaf - 1) / trees->input_blocks),
                             (uint32_t)((leaf - 1) % trees->input_blocks)};
}

#endif
