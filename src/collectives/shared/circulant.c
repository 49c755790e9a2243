/* Traeff, "Optimal broadcast schedules in logarithmic time": which piece a vertex receives when.

   For turn k of vertex r, a walk goes from vertex 0 towards the sender, p+r - skip[k] (the
   additional p stands for the period before), along skips, longer ones first and each at most once.
   The last skip of the walk is the turn in which the vertex where it ends first gets a piece from
   vertex 0: that names the piece. No piece may come twice. So a skip that has named a piece isn't
   used again, each walk ends below the one before, and it ends as soon as it is beyond p+r -
   skip[k+1], where the next turn looks. The paper finds the same pieces by one recursive search
   through all turns; this is one walk for each turn, which is shorter and O(turns^2). That the
   pieces fit for all vertices is the paper's theorem; test_circulant.c shows it for every p
   up to 4096. */
#include "collectives/shared/circulant.h"

#include "core/log2.h"

struct tny_circulant tny_circulant_make(uint32_t p)
{
  struct tny_circulant graph = {.p = p, .turns = tny_log2_ceil(p)};
  uint32_t skip = p;
  for (uint32_t k = graph.turns + 1; k-- > 0;) {
    graph.skip[k] = skip;
    skip -= skip / 2;
  }
  return graph;
}

uint32_t tny_circulant_base(const struct tny_circulant *graph, uint32_t vertex)
{
  uint32_t left = vertex, base = graph->turns;
  for (uint32_t k = graph->turns; k-- > 0 && left > 0;) {
    if (graph->skip[k] > left)
      continue;
    left -= graph->skip[k];
    base = k;
  }
  return base;
}

/* How far the walks of one vertex have come. */
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

void tny_circulant_receives(const struct tny_circulant *graph, uint32_t vertex, int32_t *receives)
{
  const uint64_t here = (uint64_t)graph->p + vertex;
  const uint32_t turns = graph->turns, base = tny_circulant_base(graph, vertex);
  struct walks walks = {.used = (uint64_t)1 << base, .end = here};
  for (uint32_t k = 0; k < turns; k++) {
    const uint32_t last = walk(graph, here - graph->skip[k], here - graph->skip[k + 1], &walks);
    /* The skip p alone leads to vertex 0 in this period, which sends the new piece. */
    receives[k] = last == turns ? (int32_t)base : (int32_t)last - (int32_t)turns;
  }
}

static uint32_t receiver_of(const struct tny_circulant *graph, uint32_t vertex, uint32_t k)
{
  return (uint32_t)(((uint64_t)vertex + graph->skip[k]) % graph->p);
}

void tny_circulant_sends(const struct tny_circulant *graph, uint32_t vertex, int32_t *sends)
{
  int32_t theirs[TNY_CIRCULANT_TURNS_MAX];
  for (uint32_t k = 0; k < graph->turns; k++) {
    tny_circulant_receives(graph, receiver_of(graph, vertex, k), theirs);
    sends[k] = theirs[k];
  }
}

/* --- a message of several pieces --- */

uint32_t tny_circulant_rounds(const struct tny_circulant *graph, uint32_t pieces)
{
  return graph->turns ? pieces - 1 + graph->turns : 0;
}

uint32_t tny_circulant_turn(const struct tny_circulant *graph, uint32_t pieces, uint32_t round)
{
  const uint32_t behind = tny_circulant_rounds(graph, pieces) - 1 - round;
  return graph->turns - 1 - behind % graph->turns;
}

/* Vertex 0 sends piece t of the message in round t; from there the pieces of a period's schedule
   are counted. There is none before the first piece. Numbers beyond the last piece stand for the
   last one, which all vertices but 0 lack until then. */
uint32_t tny_circulant_piece(int32_t scheduled, uint32_t pieces, uint32_t round, uint32_t turn)
{
  const int64_t piece = (int64_t)round - turn + scheduled;
  if (piece < 0)
    return TNY_NONE;
  return piece < pieces ? (uint32_t)piece : pieces - 1;
}

/* It came earlier in this period, or as the new piece of the period before. */
uint32_t tny_circulant_age(const struct tny_circulant *graph, const int32_t *receives, int32_t sent,
                           uint32_t turn)
{
  const int32_t turns = (int32_t)graph->turns;
  for (uint32_t k = 0; k < graph->turns; k++) {
    if (receives[k] == sent && k < turn)
      return turn - k;
    if (receives[k] == sent + turns)
      return turn + graph->turns - k;
  }
  return TNY_NONE;
}
