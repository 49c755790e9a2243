/* Does a schedule keep to its links' windows anyway? It does on a link whose messages fall into as
   many chains as the window has messages, such that the sender of each message knows the one before
   it in its chain to be received.

   A walk with vector clocks notes for each message which of the last few messages of the link its
   sender knows to be received. Then each message is matched with one of those, no two with the same
   one: a bipartite matching by augmenting paths. Each message that stays unmatched begins a chain.
   So a maximum matching makes the fewest chains. */
#include "passes/windows.h"

#include "core/alloc.h"
#include "core/error.h"
#include "passes/link_uses.h"
#include "passes/vector_clocks.h"

/* A link's uses are those from `first` to before `end` in the list of all link uses. */
struct limited_link {
  uint32_t first, end, window;
  uint32_t words; /* of notes on each message, a bit for each earlier one; 0: none are needed */
  size_t notes;   /* where the words of its first message are */
};

struct checking {
  const struct tny_step_phases *phases;
  const struct tny_vector_clocks *clocks;
  struct tny_link_uses uses;
  struct limited_link *links; /* by link */
  uint64_t *notes;            /* bit k: the message k + 1 uses before is known to be received */
  uint32_t *follower;         /* by use: the use matched behind it in its chain; TNY_NONE: none */
  uint32_t *earlier;          /* by use: the use matched before it in its chain */
  uint32_t *seen;             /* by use: 1 + the use where the last search that reached it began */
  uint32_t *from;             /* by use: the later use from which the search reached it */
  uint32_t *queue;
};

static void note_known(void *context, uint32_t send)
{
  const struct checking *checking = context;
  const struct tny_link_uses *uses = &checking->uses;
  const struct tny_match *match = checking->phases->match;
  const uint32_t *clock = tny_vector_clocks_of(checking->clocks, match->rank_of[send]);
  for (uint32_t i = uses->first_of_send[send]; i < uses->first_of_send[send + 1]; i++) {
    const uint32_t use = uses->of_send[i];
    const struct limited_link *limited = &checking->links[uses->list[use].link];
    uint64_t *notes =
        checking->notes + limited->notes + (size_t)(use - limited->first) * limited->words;
    for (uint32_t k = 0; k < 64 * limited->words && k < use - limited->first; k++) {
      const uint32_t earlier = uses->list[use - 1 - k].send;
      if (tny_clock_shows_received(clock, tny_vector_clocks_message(checking->clocks, earlier)))
        notes[k / 64] |= UINT64_C(1) << k % 64;
    }
  }
}

/* --- matching --- */

/* Flips the augmenting path that ends here. */
static void augment(const struct checking *checking, uint32_t earlier)
{
  while (earlier != TNY_NONE) {
    const uint32_t later = checking->from[earlier], before = checking->earlier[later];
    checking->follower[earlier] = later;
    checking->earlier[later] = earlier;
    earlier = before;
  }
}

/* Breadth-first search for an augmenting path: from a message to those that it may follow, from
   these to the ones that do so far, and so on. */
static bool find_earlier(const struct checking *checking, const struct limited_link *limited,
                         uint32_t root)
{
  uint32_t count = 0;
  checking->queue[count++] = root;
  for (uint32_t next = 0; next < count; next++) {
    const uint32_t later = checking->queue[next];
    const uint64_t *notes =
        checking->notes + limited->notes + (size_t)(later - limited->first) * limited->words;
    for (uint32_t k = 0; k < 64 * limited->words && k < later - limited->first; k++) {
      const uint32_t earlier = later - 1 - k;
      if (!(notes[k / 64] >> k % 64 & 1) || checking->seen[earlier] == root + 1)
        continue;
      checking->seen[earlier] = root + 1;
      checking->from[earlier] = later;
      if (checking->follower[earlier] == TNY_NONE) {
        augment(checking, earlier);
        return true;
      }
      checking->queue[count++] = checking->follower[earlier];
    }
  }
  return false;
}

static bool keeps_window(const struct checking *checking, const struct limited_link *limited)
{
  uint32_t chains = 0;
  if (limited->words == 0)
    return true;
  for (uint32_t use = limited->first; use < limited->end; use++)
    checking->follower[use] = checking->earlier[use] = TNY_NONE;
  for (uint32_t use = limited->first; use < limited->end && chains <= limited->window; use++)
    chains += !find_earlier(checking, limited, use);
  return chains <= limited->window;
}

/* --- tables --- */

static enum tny_status find_links(struct checking *checking, const struct tny_windows *windows,
                                  struct tny_error *error)
{
  const struct tny_link_uses *uses = &checking->uses;
  size_t words = 0;
  for (uint32_t first = 0, end; first < uses->count; first = end) {
    const uint32_t link = uses->list[first].link, window = windows->messages[link];
    end = tny_link_uses_end(uses, first);
    checking->links[link] = (struct limited_link){first, end, window, 0, words};
    if (window > 0 && window < end - first) {
      const uint64_t noted = (uint64_t)TNY_CHAIN_GAP_MAX * window;
      const uint64_t all = end - first;
      checking->links[link].words = (uint32_t)(((noted < all ? noted : all) + 63) / 64);
    }
    words += (size_t)(end - first) * checking->links[link].words;
  }
  checking->notes = tny_new(words, sizeof *checking->notes);
  return checking->notes ? TNY_OK : tny_error_memory(error);
}

static enum tny_status take_tables(struct checking *checking, const struct tny_windows *windows,
                                   struct tny_error *error)
{
  const size_t use_count = checking->uses.count;
  checking->links = tny_new(windows->network->routes->cluster->link_count, sizeof *checking->links);
  checking->follower = tny_new(use_count, sizeof *checking->follower);
  checking->earlier = tny_new(use_count, sizeof *checking->earlier);
  checking->seen = tny_new(use_count, sizeof *checking->seen);
  checking->from = tny_new(use_count, sizeof *checking->from);
  checking->queue = tny_new(use_count + 1, sizeof *checking->queue);
  if (!checking->links || !checking->follower || !checking->earlier || !checking->seen ||
      !checking->from || !checking->queue)
    return tny_error_memory(error);
  return find_links(checking, windows, error);
}

static void release(struct checking *checking)
{
  tny_link_uses_release(&checking->uses);
  tny_free(checking->links);
  tny_free(checking->notes);
  tny_free(checking->follower);
  tny_free(checking->earlier);
  tny_free(checking->seen);
  tny_free(checking->from);
  tny_free(checking->queue);
}

enum tny_status tny_windows_find_kept(const struct tny_step_phases *phases,
                                      const struct tny_windows *windows, bool *is_kept,
                                      struct tny_error *error)
{
  struct checking checking = {.phases = phases};
  struct tny_vector_clocks *clocks = NULL;
  enum tny_status status = tny_link_uses_find(phases, windows->network, &checking.uses, error);
  if (status == TNY_OK)
    status = take_tables(&checking, windows, error);
  if (status == TNY_OK)
    status = tny_vector_clocks_make(phases, &clocks, error);
  if (status == TNY_OK) {
    checking.clocks = clocks;
    tny_vector_clocks_walk(clocks, note_known, &checking);
    const uint32_t link_count = windows->network->routes->cluster->link_count;
    for (uint32_t link = 0; link < link_count; link++)
      is_kept[link] = keeps_window(&checking, &checking.links[link]);
  }
  tny_vector_clocks_free(clocks);
  release(&checking);
  return status;
}
