/* Whether links keep to their windows anyway: whether the messages of each fall into as many chains
   as its window has places, each message of a chain received before the next one's sender starts,
   as that sender knows. What is known is noted on the walk, of the last few messages of the link;
   then each message is given one of those that it may follow, no two the same: a bipartite
   matching, by augmenting paths. As many as stay without begin a chain. */
#include "passes/windows.h"

#include "core/alloc.h"
#include "core/error.h"
#include "passes/link_uses.h"
#include "passes/vector_clocks.h"

/* A link's places, from `first` to before `end`. */
struct line {
  uint32_t first, end, window;
  uint32_t words; /* of 64 earlier places each, that are noted of each message; 0: it's kept */
  size_t notes;   /* where those of its first message are */
};

struct checking {
  const struct tny_step_phases *phases;
  const struct tny_clocks *clocks;
  struct tny_crossings crossings;
  struct line *lines; /* by link */
  uint64_t *notes;    /* bit k: the message k + 1 places before is received */
  uint32_t *follower; /* by place: the message that has it for an earlier one; TNY_NONE: none */
  uint32_t *earlier;  /* by place: the other way round */
  uint32_t *seen;     /* by place: the last search that came by, 1 + where it began */
  uint32_t *from;     /* by place: whose search came by */
  uint32_t *queue;
};

static void note_known(void *context, uint32_t send)
{
  const struct checking *checking = context;
  const struct tny_crossings *crossings = &checking->crossings;
  const struct tny_match *match = checking->phases->match;
  const uint32_t *clock = tny_clocks_of(checking->clocks, match->rank_of[send]);
  for (uint32_t i = crossings->first_of_send[send]; i < crossings->first_of_send[send + 1]; i++) {
    const uint32_t place = crossings->of_send[i];
    const struct line *line = &checking->lines[crossings->list[place].link];
    uint64_t *notes = checking->notes + line->notes + (size_t)(place - line->first) * line->words;
    for (uint32_t k = 0; k < 64 * line->words && k < place - line->first; k++) {
      const uint32_t earlier = crossings->list[place - 1 - k].send;
      if (tny_clock_shows(clock, tny_clocks_message(checking->clocks, earlier)))
        notes[k / 64] |= UINT64_C(1) << k % 64;
    }
  }
}

/* --- matching --- */

/* Turns the path around that led here. */
static void augment(const struct checking *checking, uint32_t earlier)
{
  while (earlier != TNY_NONE) {
    const uint32_t later = checking->from[earlier], before = checking->earlier[later];
    checking->follower[earlier] = later;
    checking->earlier[later] = earlier;
    earlier = before;
  }
}

/* From a message to those that it may follow, from these to the ones that do, and so on. */
static bool find_earlier(const struct checking *checking, const struct line *line, uint32_t root)
{
  uint32_t count = 0;
  checking->queue[count++] = root;
  for (uint32_t next = 0; next < count; next++) {
    const uint32_t later = checking->queue[next];
    const uint64_t *notes =
        checking->notes + line->notes + (size_t)(later - line->first) * line->words;
    for (uint32_t k = 0; k < 64 * line->words && k < later - line->first; k++) {
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

static bool is_line_kept(const struct checking *checking, const struct line *line)
{
  uint32_t chains = 0;
  if (line->words == 0)
    return true;
  for (uint32_t place = line->first; place < line->end; place++)
    checking->follower[place] = checking->earlier[place] = TNY_NONE;
  for (uint32_t place = line->first; place < line->end && chains <= line->window; place++)
    chains += !find_earlier(checking, line, place);
  return chains <= line->window;
}

/* --- tables --- */

static enum tny_status find_lines(struct checking *checking, const struct tny_windows *windows,
                                  struct tny_error *error)
{
  const struct tny_crossings *crossings = &checking->crossings;
  size_t words = 0;
  for (uint32_t first = 0, end; first < crossings->count; first = end) {
    const uint32_t link = crossings->list[first].link, window = windows->messages[link];
    end = tny_crossings_end(crossings, first);
    checking->lines[link] = (struct line){first, end, window, 0, words};
    if (window > 0 && window < end - first) {
      const uint64_t noted = (uint64_t)TNY_CHAIN_GAP_MAX * window;
      const uint64_t all = end - first;
      checking->lines[link].words = (uint32_t)(((noted < all ? noted : all) + 63) / 64);
    }
    words += (size_t)(end - first) * checking->lines[link].words;
  }
  checking->notes = tny_new(words, sizeof *checking->notes);
  return checking->notes ? TNY_OK : tny_error_memory(error);
}

static enum tny_status take_tables(struct checking *checking, const struct tny_windows *windows,
                                   struct tny_error *error)
{
  const size_t places = checking->crossings.count;
  checking->lines = tny_new(windows->network->routes->cluster->link_count, sizeof *checking->lines);
  checking->follower = tny_new(places, sizeof *checking->follower);
  checking->earlier = tny_new(places, sizeof *checking->earlier);
  checking->seen = tny_new(places, sizeof *checking->seen);
  checking->from = tny_new(places, sizeof *checking->from);
  checking->queue = tny_new(places + 1, sizeof *checking->queue);
  if (!checking->lines || !checking->follower || !checking->earlier || !checking->seen ||
      !checking->from || !checking->queue)
    return tny_error_memory(error);
  return find_lines(checking, windows, error);
}

static void release(struct checking *checking)
{
  tny_crossings_release(&checking->crossings);
  tny_free(checking->lines);
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
  struct tny_clocks *clocks = NULL;
  enum tny_status status = tny_crossings_find(phases, windows->network, &checking.crossings, error);
  if (status == TNY_OK)
    status = take_tables(&checking, windows, error);
  if (status == TNY_OK)
    status = tny_clocks_make(phases, &clocks, error);
  if (status == TNY_OK) {
    checking.clocks = clocks;
    tny_clocks_walk(clocks, note_known, &checking);
    const uint32_t link_count = windows->network->routes->cluster->link_count;
    for (uint32_t link = 0; link < link_count; link++)
      is_kept[link] = is_line_kept(&checking, &checking.lines[link]);
  }
  tny_clocks_free(clocks);
  release(&checking);
  return status;
}
