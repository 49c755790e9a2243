/* The largest antichain, as a bipartite matching by augmenting paths: rounds of depth-first
   searches with look-ahead, each round visiting an element once (Pothen and Fan's scheme).

   A neighbour that wasn't visited yet is found by walking a chain of "next one left" in its group,
   with path compression, and the edges are never listed. */
#include "verify/antichain.h"

#include <stdbool.h>
#include <stddef.h>

#include "core/alloc.h"
#include "core/error.h"

struct frame {
  uint32_t left;  /* an element that looks for one after it */
  uint32_t group; /* the group that it looks at */
  uint32_t right; /* the element that it tries */
};

struct matching {
  const struct tny_order *order;
  uint32_t *free_next;  /* by element: it or the next one that is unmatched (chain) */
  uint32_t *new_next;   /* by element: it or the next one not visited in this round (chain) */
  uint32_t *before;     /* by element: 1 + the one that it is matched to come after, 0: none */
  bool *has_after;      /* by element: matched to one that comes after it */
  uint32_t *look_ahead; /* by element: the group up to which no free one is left */
  struct frame *path;
};

static uint32_t find(uint32_t *next, uint32_t element)
{
  uint32_t end = element;
  while (next[end] != end)
    end = next[end];
  while (next[element] != end) {
    const uint32_t step = next[element];
    next[element] = end;
    element = step;
  }
  return end;
}

/* Where the elements of a group begin that come after `left`. */
static uint32_t first_after(const struct tny_order *order, uint32_t left, uint32_t group)
{
  return order->from[(size_t)left * order->group_count + group];
}

/* An unmatched element after `left`; order->count: none. What is matched stays matched, so the
   search goes on where it stopped last time. */
static uint32_t find_free(struct matching *matching, uint32_t left)
{
  const struct tny_order *order = matching->order;
  for (uint32_t *group = &matching->look_ahead[left]; *group < order->group_count; ++*group) {
    const uint32_t element = find(matching->free_next, first_after(order, left, *group));
    if (element < order->group_end[*group])
      return element;
  }
  return order->count;
}

/* Swaps the edges along the path, whose last one ends at a free element. */
static void augment(struct matching *matching, uint32_t length)
{
  const uint32_t last = matching->path[length - 1].right;
  matching->free_next[last] = last + 1;
  for (uint32_t i = 0; i < length; i++)
    matching->before[matching->path[i].right] = 1 + matching->path[i].left;
  matching->has_after[matching->path[0].left] = true;
}

/* Moves the frame to its next element not visited in this round; false where none is left. */
static bool try_next(struct matching *matching, struct frame *frame)
{
  const struct tny_order *order = matching->order;
  for (; frame->group < order->group_count; frame->group++) {
    const uint32_t element =
        find(matching->new_next, first_after(order, frame->left, frame->group));
    if (element >= order->group_end[frame->group])
      continue;
    matching->new_next[element] = element + 1;
    frame->right = element;
    return true;
  }
  return false;
}

/* One depth-first search from an element without a partner; true where it found one. */
static bool search(struct matching *matching, uint32_t root)
{
  uint32_t length = 1;
  matching->path[0] = (struct frame){.left = root};
  while (length > 0) {
    struct frame *frame = &matching->path[length - 1];
    const uint32_t element = find_free(matching, frame->left);
    if (element < matching->order->count) {
      frame->right = element;
      augment(matching, length);
      return true;
    }
    if (try_next(matching, frame))
      matching->path[length++] = (struct frame){.left = matching->before[frame->right] - 1};
    else
      length--;
  }
  return false;
}

static uint32_t match_all(struct matching *matching)
{
  const uint32_t count = matching->order->count;
  uint32_t matched = 0, found = 1;
  for (uint32_t element = 0; element <= count; element++)
    matching->free_next[element] = element;
  while (found > 0) {
    found = 0;
    for (uint32_t element = 0; element <= count; element++)
      matching->new_next[element] = element;
    for (uint32_t left = 0; left < count; left++)
      if (!matching->has_after[left] && search(matching, left))
        found++;
    matched += found;
  }
  return matched;
}

static bool take_tables(struct matching *matching)
{
  const size_t count = matching->order->count;
  matching->free_next = tny_new(count + 1, sizeof *matching->free_next);
  matching->new_next = tny_new(count + 1, sizeof *matching->new_next);
  matching->before = tny_new(count, sizeof *matching->before);
  matching->has_after = tny_new(count, sizeof *matching->has_after);
  matching->look_ahead = tny_new(count, sizeof *matching->look_ahead);
  matching->path = tny_new(count + 1, sizeof *matching->path);
  return matching->free_next && matching->new_next && matching->before && matching->has_after &&
         matching->look_ahead && matching->path;
}

enum tny_status tny_antichain_count(const struct tny_order *order, uint32_t *largest,
                                    struct tny_error *error)
{
  struct matching matching = {.order = order};
  const bool has_tables = take_tables(&matching);
  if (has_tables)
    *largest = order->count - match_all(&matching);
  tny_free(matching.free_next);
  tny_free(matching.new_next);
  tny_free(matching.before);
  tny_free(matching.has_after);
  tny_free(matching.look_ahead);
  tny_free(matching.path);
  return has_tables ? TNY_OK : tny_error_memory(error);
}
