/* The largest antichain, as a bipartite matching by augmenting paths: rounds of depth-first
   searches with look-ahead, each round visiting a message once (Pothen and Fan's scheme).

   The messages that come after a message are, of each sending rank, all from a certain one on. So a
   neighbour that wasn't visited yet is found by walking a chain of "next one left" with path
   compression, and the edges are never listed. */
#include "verify/antichain.h"

#include "core/alloc.h"
#include "core/error.h"

struct frame {
  uint32_t left;   /* a message that looks for one after it */
  uint32_t sender; /* the sending rank that it looks at */
  uint32_t right;  /* the message that it tries */
};

struct matching {
  const struct tny_match *match;
  const struct tny_follow *follow;
  const uint32_t *sends; /* by place: id; places of one rank stand together, in list order */
  uint32_t count;
  uint32_t sender_count;
  uint32_t *sender_rank; /* by sender */
  uint32_t *sender_end;  /* by sender: the place behind its last message */
  uint32_t *from;        /* by place and sender: its first message that comes after */
  uint32_t *free_next;   /* by place: that place or the next one that is unmatched (chain) */
  uint32_t *new_next;   /* by place: that place or the next one not visited in this round (chain) */
  uint32_t *before;     /* by place: 1 + the message that it is matched to come after, 0: none */
  bool *has_after;      /* by place: matched to one that comes after it */
  uint32_t *look_ahead; /* by place: the sender up to which no free one is left */
  struct frame *path;
};

static uint32_t find(uint32_t *next, uint32_t place)
{
  uint32_t end = place;
  while (next[end] != end)
    end = next[end];
  while (next[place] != end) {
    const uint32_t step = next[place];
    next[place] = end;
    place = step;
  }
  return end;
}

static uint32_t from_place(const struct matching *matching, uint32_t left, uint32_t sender)
{
  return matching->from[(size_t)left * matching->sender_count + sender];
}

/* An unmatched message after `left`; matching->count: none. What is matched stays matched, so the
   search goes on where it stopped last time. */
static uint32_t find_free(struct matching *matching, uint32_t left)
{
  for (uint32_t *sender = &matching->look_ahead[left]; *sender < matching->sender_count;
       ++*sender) {
    const uint32_t place = find(matching->free_next, from_place(matching, left, *sender));
    if (place < matching->sender_end[*sender])
      return place;
  }
  return matching->count;
}

/* Swaps the edges along the path, whose last one ends at a free message. */
static void augment(struct matching *matching, uint32_t length)
{
  const uint32_t last = matching->path[length - 1].right;
  matching->free_next[last] = last + 1;
  for (uint32_t i = 0; i < length; i++)
    matching->before[matching->path[i].right] = 1 + matching->path[i].left;
  matching->has_after[matching->path[0].left] = true;
}

/* Moves the frame to its next message not visited in this round; false where none is left. */
static bool try_next(struct matching *matching, struct frame *frame)
{
  for (; frame->sender < matching->sender_count; frame->sender++) {
    const uint32_t place =
        find(matching->new_next, from_place(matching, frame->left, frame->sender));
    if (place >= matching->sender_end[frame->sender])
      continue;
    matching->new_next[place] = place + 1;
    frame->right = place;
    return true;
  }
  return false;
}

/* One depth-first search from a message without a partner; true where it found one. */
static bool search(struct matching *matching, uint32_t root)
{
  uint32_t length = 1;
  matching->path[0] = (struct frame){.left = root};
  while (length > 0) {
    struct frame *frame = &matching->path[length - 1];
    const uint32_t free_place = find_free(matching, frame->left);
    if (free_place < matching->count) {
      frame->right = free_place;
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
  uint32_t matched = 0, found = 1;
  while (found > 0) {
    found = 0;
    for (uint32_t place = 0; place <= matching->count; place++)
      matching->new_next[place] = place;
    for (uint32_t left = 0; left < matching->count; left++)
      if (!matching->has_after[left] && search(matching, left))
        found++;
    matched += found;
  }
  return matched;
}

static void find_senders(struct matching *matching)
{
  const struct tny_match *match = matching->match;
  for (uint32_t place = 0; place < matching->count; place++) {
    const uint32_t rank = match->rank_of[matching->sends[place]];
    if (matching->sender_count == 0 || matching->sender_rank[matching->sender_count - 1] != rank)
      matching->sender_rank[matching->sender_count++] = rank;
    matching->sender_end[matching->sender_count - 1] = place + 1;
  }
}

/* The first place of a sender whose message is at or behind a step of its rank. */
static uint32_t first_at(const struct matching *matching, uint32_t sender, uint32_t index)
{
  const uint32_t end = matching->sender_end[sender];
  uint32_t low = sender == 0 ? 0 : matching->sender_end[sender - 1], high = end;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (tny_match_index(matching->match, matching->sends[middle]) < index)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void fill(struct matching *matching)
{
  for (uint32_t place = 0; place <= matching->count; place++)
    matching->free_next[place] = place;
  for (uint32_t place = 0; place < matching->count; place++)
    for (uint32_t sender = 0; sender < matching->sender_count; sender++)
      matching->from[(size_t)place * matching->sender_count + sender] =
          first_at(matching, sender,
                   tny_follow_first(matching->follow, matching->sends[place],
                                    matching->sender_rank[sender]));
}

static bool take_tables(struct matching *matching)
{
  const size_t count = matching->count;
  matching->free_next = tny_new(count + 1, sizeof *matching->free_next);
  matching->new_next = tny_new(count + 1, sizeof *matching->new_next);
  matching->before = tny_new(count, sizeof *matching->before);
  matching->has_after = tny_new(count, sizeof *matching->has_after);
  matching->look_ahead = tny_new(count, sizeof *matching->look_ahead);
  matching->path = tny_new(count + 1, sizeof *matching->path);
  matching->from = tny_new(count * matching->sender_count, sizeof *matching->from);
  return matching->free_next && matching->new_next && matching->before && matching->has_after &&
         matching->look_ahead && matching->path && matching->from;
}

static void release(struct matching *matching)
{
  tny_free(matching->sender_rank);
  tny_free(matching->sender_end);
  tny_free(matching->from);
  tny_free(matching->free_next);
  tny_free(matching->new_next);
  tny_free(matching->before);
  tny_free(matching->has_after);
  tny_free(matching->look_ahead);
  tny_free(matching->path);
}

enum tny_status tny_antichain_count(const struct tny_follow *follow, const uint32_t *sends,
                                    uint32_t count, uint32_t *largest, struct tny_error *error)
{
  struct matching matching = {
      .match = follow->match, .follow = follow, .sends = sends, .count = count};
  enum tny_status status = TNY_OK;
  matching.sender_rank = tny_new(count, sizeof *matching.sender_rank);
  matching.sender_end = tny_new(count, sizeof *matching.sender_end);
  if (matching.sender_rank && matching.sender_end)
    find_senders(&matching);
  if (matching.sender_rank && matching.sender_end && take_tables(&matching)) {
    fill(&matching);
    *largest = count - match_all(&matching);
  } else {
    status = tny_error_memory(error);
  }
  release(&matching);
  return status;
}
