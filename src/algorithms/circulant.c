/* Traeff, "Optimal broadcast schedules in logarithmic time": which piece a place receives when.

   For turn k of place r a walk goes from place 0 towards the sender, p+r - skip[k] (the p more are
   the period before), along skips, longer ones first and each at most once. The last skip of the
   walk is the turn in which its end first had news of place 0: that names the piece. No piece may
   come twice: so a skip that named one isn't used again, each walk ends below the one before, and
   it ends as soon as it is beyond p+r - skip[k+1], where the next turn looks. The paper finds the
   same by one recursive search through all turns; this is a walk a turn, which is shorter and
   O(turns^2). That the pieces suit all places is the paper's theorem; tny_circulant_check shows it
   for a p. */
#include "algorithms/circulant.h"

#include <stdbool.h>
#include <stdio.h>

#include "core/error.h"

struct tny_circulant tny_circulant_make(uint32_t p)
{
  struct tny_circulant graph = {.p = p};
  while (((uint64_t)1 << graph.turns) < p)
    graph.turns++;
  uint32_t skip = p;
  for (uint32_t k = graph.turns + 1; k-- > 0;) {
    graph.skip[k] = skip;
    skip -= skip / 2;
  }
  return graph;
}

uint32_t tny_circulant_base(const struct tny_circulant *graph, uint32_t place)
{
  uint32_t left = place, base = graph->turns;
  for (uint32_t k = graph->turns; k-- > 0 && left > 0;) {
    if (graph->skip[k] > left)
      continue;
    left -= graph->skip[k];
    base = k;
  }
  return base;
}

/* How far the walks of one place have come. */
struct walks {
  uint64_t used; /* skips, a bit each */
  uint64_t end;  /* of the walk before */
};

/* Walks to at most `furthest`, until beyond `enough`. Returns the last skip. */
static uint32_t walk(const struct tny_circulant *graph, uint64_t furthest, uint64_t enough,
                     struct walks *walks)
{
  const uint64_t limit = furthest < walks->end ? furthest : walks->end - 1;
  uint64_t at = 0;
  uint32_t last = 0;
  for (uint32_t k = graph->turns + 1; k-- > 0 && at <= enough;) {
    if ((walks->used >> k & 1) || at + graph->skip[k] > limit)
      continue;
    at += graph->skip[k];
    last = k;
  }
  walks->used |= (uint64_t)1 << last;
  walks->end = at;
  return last;
}

void tny_circulant_receives(const struct tny_circulant *graph, uint32_t place, int32_t *receives)
{
  const uint64_t here = (uint64_t)graph->p + place;
  const uint32_t turns = graph->turns, base = tny_circulant_base(graph, place);
  struct walks walks = {.used = (uint64_t)1 << base, .end = here};
  for (uint32_t k = 0; k < turns; k++) {
    const uint32_t last = walk(graph, here - graph->skip[k], here - graph->skip[k + 1], &walks);
    /* The skip p alone leads to place 0 in this period, which sends what is new. */
    receives[k] = last == turns ? (int32_t)base : (int32_t)last - (int32_t)turns;
  }
}

static uint32_t ahead(const struct tny_circulant *graph, uint32_t place, uint32_t k)
{
  return (uint32_t)(((uint64_t)place + graph->skip[k]) % graph->p);
}

void tny_circulant_sends(const struct tny_circulant *graph, uint32_t place, int32_t *sends)
{
  int32_t theirs[TNY_CIRCULANT_TURNS_MAX];
  for (uint32_t k = 0; k < graph->turns; k++) {
    tny_circulant_receives(graph, ahead(graph, place, k), theirs);
    sends[k] = theirs[k];
  }
}

struct row_words {
  char text[4 * TNY_CIRCULANT_TURNS_MAX + 8];
};

static struct row_words words_of(const int32_t *row, uint32_t count)
{
  struct row_words words = {"nothing"};
  size_t used = 0;
  for (uint32_t k = 0; k < count; k++)
    used += (size_t)snprintf(words.text + used, sizeof words.text - used, "%s%d", k ? " " : "",
                             (int)row[k]);
  return words;
}

/* Its base, and of the period before all but that, once each. */
static bool receives_each_once(const struct tny_circulant *graph, uint32_t place,
                               const int32_t *row)
{
  const int32_t turns = (int32_t)graph->turns, base = (int32_t)tny_circulant_base(graph, place);
  uint64_t seen = 0;
  for (int32_t k = 0; k < turns; k++) {
    if (row[k] < -turns || row[k] == base - turns || (row[k] >= 0 && row[k] != base))
      return false;
    seen |= (uint64_t)1 << (row[k] < 0 ? row[k] + turns : row[k]);
  }
  return seen == ((uint64_t)1 << turns) - 1;
}

static bool has_before(const struct tny_circulant *graph, uint32_t place, const int32_t *row,
                       uint32_t k, int32_t piece)
{
  bool has = piece == (int32_t)tny_circulant_base(graph, place) - (int32_t)graph->turns;
  for (uint32_t earlier = 0; earlier < k; earlier++)
    has |= row[earlier] == piece;
  return has;
}

enum tny_status tny_circulant_check(const struct tny_circulant *graph, const int32_t *receives,
                                    struct tny_error *error)
{
  const uint32_t turns = graph->turns;
  for (uint32_t place = 1; place < graph->p; place++) {
    const int32_t *row = receives + (size_t)place * turns;
    if (!receives_each_once(graph, place, row))
      return tny_error_set(
          error, TNY_BROKEN,
          "place %u of %u receives %s; it should receive %u and, once each, -1 to -%u but for %d",
          place, graph->p, words_of(row, turns).text, tny_circulant_base(graph, place), turns,
          (int)tny_circulant_base(graph, place) - (int)turns);
    for (uint32_t k = 0; k < turns; k++) {
      const uint32_t to = ahead(graph, place, k);
      const int32_t piece = receives[(size_t)to * turns + k];
      if (to != 0 && !has_before(graph, place, row, k, piece))
        return tny_error_set(error, TNY_BROKEN,
                             "place %u of %u receives piece %d in turn %u from place %u, which "
                             "by then has received %s, and %d in the period before",
                             to, graph->p, (int)piece, k, place, words_of(row, k).text,
                             (int)tny_circulant_base(graph, place) - (int)turns);
    }
  }
  return TNY_OK;
}
