/* The largest antichain, as a bipartite matching by augmenting paths.

   Elements are taken from the last of the sequence to the first, and each is matched with one that
   comes after it if an augmenting path leads there. All edges of an element lead to elements that
   were taken before it, so the matching stays a largest one of what was taken: just as many
   searches fail as the antichain has elements. What a failed search has visited has no edge out of
   itself, and never will have one: later searches leave it out (a Hungarian tree), so all failed
   searches together visit each element once.

   Most elements find a partner at once: of those that are free the nearest, which suits the fewest
   others. Where there is none, a depth-first search looks in a short part of the sequence first,
   then in one twice as long, and so on: in schedules, what comes after a message begins shortly
   behind it, and so a path that there is stays near.

   An element that isn't matched, or not visited, is found by walking a chain of "next one left" in
   its group, with path compression; the edges are never listed. */
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
  const struct tny_partial_order *order;
  uint32_t *position;  /* by element: in the sequence */
  uint32_t *free_next; /* by element: it or the next one that is unmatched (chain) */
  uint32_t *live_next; /* by element: it or the next one that no failed search visited (chain) */
  uint32_t *new_next;  /* by element visited: the next one that may not be (chain) */
  uint32_t *visited;   /* by element: the number of the last search that visited it */
  uint32_t *before;    /* by element: the one that it is matched to come after */
  bool *has_no_free;   /* by element: all that come after it are matched, and stay so */
  struct frame *path;
  uint32_t *trail; /* what the present search visited */
  uint32_t trail_count, search;
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

/* Returns the element, or the next one that was visited neither by this search nor by one that
   failed. */
static uint32_t find_new(struct matching *matching, uint32_t element)
{
  const uint32_t first = find(matching->live_next, element);
  uint32_t end = first;
  while (matching->visited[end] == matching->search)
    end = find(matching->live_next, matching->new_next[end]);
  for (uint32_t next = first; next != end;) {
    const uint32_t step = find(matching->live_next, matching->new_next[next]);
    matching->new_next[next] = end;
    next = step;
  }
  return end;
}

/* The first element of a group that comes after `left`. */
static uint32_t first_after(const struct tny_partial_order *order, uint32_t left, uint32_t group)
{
  return order->from[(size_t)left * order->group_count + group];
}

/* Of the unmatched elements after `left` the first in the sequence; order->count: none. */
static uint32_t find_free(struct matching *matching, uint32_t left)
{
  const struct tny_partial_order *order = matching->order;
  uint32_t nearest = order->count;
  if (matching->has_no_free[left])
    return nearest;
  for (uint32_t group = 0; group < order->group_count; group++) {
    const uint32_t first = first_after(order, left, group);
    if (first == order->group_end[group] ||
        matching->position[first] >= matching->position[nearest])
      continue;
    const uint32_t element = find(matching->free_next, first);
    if (element < order->group_end[group] &&
        matching->position[element] < matching->position[nearest])
      nearest = element;
  }
  matching->has_no_free[left] = nearest == order->count;
  return nearest;
}

/* Swaps the matched and unmatched edges along the path, which ends at a free element. */
static void augment(struct matching *matching, uint32_t length)
{
  const uint32_t last = matching->path[length - 1].right;
  matching->free_next[last] = last + 1;
  for (uint32_t i = 0; i < length; i++)
    matching->before[matching->path[i].right] = matching->path[i].left;
}

/* Moves the frame to its next element before `limit` that wasn't visited; false where none is
   left. */
static bool try_next(struct matching *matching, struct frame *frame, uint32_t limit)
{
  const struct tny_partial_order *order = matching->order;
  for (; frame->group < order->group_count; frame->group++) {
    const uint32_t first = first_after(order, frame->left, frame->group);
    const uint32_t end = order->group_end[frame->group];
    if (first == end || matching->position[first] >= limit)
      continue;
    const uint32_t element = find_new(matching, first);
    if (element >= end || matching->position[element] >= limit)
      continue;
    matching->visited[element] = matching->search;
    matching->new_next[element] = element + 1;
    matching->trail[matching->trail_count++] = element;
    frame->right = element;
    return true;
  }
  return false;
}

/* One depth-first search from an element, before a position of the sequence; true where it found a
   partner. */
static bool search(struct matching *matching, uint32_t root, uint32_t limit)
{
  uint32_t length = 1;
  matching->path[0] = (struct frame){.left = root};
  matching->trail_count = 0;
  matching->search++;
  while (length > 0) {
    struct frame *frame = &matching->path[length - 1];
    if (!try_next(matching, frame, limit)) {
      length--;
      continue;
    }
    const uint32_t left = matching->before[frame->right];
    const uint32_t element = find_free(matching, left);
    matching->path[length++] = (struct frame){.left = left, .right = element};
    if (element < matching->order->count) {
      augment(matching, length);
      return true;
    }
  }
  return false;
}

/* Finds a partner for the element at a position; false: there is none. */
static bool match(struct matching *matching, uint32_t position)
{
  const struct tny_partial_order *order = matching->order;
  const uint32_t root = order->sequence[position];
  matching->path[0] = (struct frame){.left = root, .right = find_free(matching, root)};
  if (matching->path[0].right < order->count) {
    augment(matching, 1);
    return true;
  }
  uint32_t reach = order->group_count;
  while (reach < order->count - position) {
    if (search(matching, root, position + reach))
      return true;
    reach *= 2;
  }
  if (search(matching, root, order->count))
    return true;
  for (uint32_t i = 0; i < matching->trail_count; i++)
    matching->live_next[matching->trail[i]] = matching->trail[i] + 1;
  return false;
}

/* Returns how many elements stay unmatched: as many as the largest antichain has. */
static uint32_t match_all(struct matching *matching)
{
  const struct tny_partial_order *order = matching->order;
  uint32_t unmatched = 0;
  for (uint32_t element = 0; element <= order->count; element++)
    matching->free_next[element] = matching->live_next[element] = element;
  for (uint32_t position = 0; position < order->count; position++)
    matching->position[order->sequence[position]] = position;
  matching->position[order->count] = order->count;
  for (uint32_t position = order->count; position-- > 0;)
    unmatched += !match(matching, position);
  return unmatched;
}

static bool take_tables(struct matching *matching)
{
  const size_t count = matching->order->count;
  matching->position = tny_new(count + 1, sizeof *matching->position);
  matching->free_next = tny_new(count + 1, sizeof *matching->free_next);
  matching->live_next = tny_new(count + 1, sizeof *matching->live_next);
  matching->new_next = tny_new(count + 1, sizeof *matching->new_next);
  matching->visited = tny_new(count + 1, sizeof *matching->visited);
  matching->before = tny_new(count, sizeof *matching->before);
  matching->has_no_free = tny_new(count, sizeof *matching->has_no_free);
  matching->path = tny_new(count + 1, sizeof *matching->path);
  matching->trail = tny_new(count, sizeof *matching->trail);
  return matching->position && matching->free_next && matching->live_next && matching->new_next &&
         matching->visited && matching->before && matching->has_no_free && matching->path &&
         matching->trail;
}

enum tny_status tny_antichain_count(const struct tny_partial_order *order, uint32_t *largest,
                                    struct tny_error *error)
{
  struct matching matching = {.order = order};
  const bool has_tables = take_tables(&matching);
  if (has_tables)
    *largest = match_all(&matching);
  tny_free(matching.position);
  tny_free(matching.free_next);
  tny_free(matching.live_next);
  tny_free(matching.new_next);
  tny_free(matching.visited);
  tny_free(matching.before);
  tny_free(matching.has_no_free);
  tny_free(matching.path);
  tny_free(matching.trail);
  return has_tables ? TNY_OK : tny_error_memory(error);
}
