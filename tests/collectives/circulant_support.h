/* The conditions under which a circulant graph's schedules broadcast any number of pieces. They
   look at a period, where the verifier looks at whole schedules. Included once by a test. */
#ifndef TOURNEY_TESTS_CIRCULANT_SUPPORT_H
#define TOURNEY_TESTS_CIRCULANT_SUPPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "collectives/shared/circulant.h"
#include "core/error.h"

struct row_words {
  char text[4 * TNY_CIRCULANT_TURNS_MAX + 8];
};

static inline struct row_words row_words(const int32_t *row, uint32_t count)
{
  struct row_words words = {"nothing"};
  size_t used = 0;
  for (uint32_t k = 0; k < count; k++)
    used += (size_t)snprintf(words.text + used, sizeof words.text - used, "%s%d", k ? " " : "",
                             (int)row[k]);
  return words;
}

/* Its base, and of the period before all but that, once each. */
static inline bool receives_each_once(const struct tny_circulant *graph, uint32_t vertex,
                                      const int32_t *row)
{
  const int32_t turns = (int32_t)graph->turns, base = (int32_t)tny_circulant_base(graph, vertex);
  uint64_t seen = 0;
  for (int32_t k = 0; k < turns; k++) {
    if (row[k] < -turns || row[k] == base - turns || (row[k] >= 0 && row[k] != base))
      return false;
    seen |= (uint64_t)1 << (row[k] < 0 ? row[k] + turns : row[k]);
  }
  return seen == ((uint64_t)1 << turns) - 1;
}

static inline bool has_before(const struct tny_circulant *graph, uint32_t vertex,
                              const int32_t *row, uint32_t k, int32_t piece)
{
  bool has = piece == (int32_t)tny_circulant_base(graph, vertex) - (int32_t)graph->turns;
  for (uint32_t earlier = 0; earlier < k; earlier++)
    has |= row[earlier] == piece;
  return has;
}

/* Do these broadcast? `receives` has p rows of `turns` entries; what a vertex sends is what its
   receiver receives. In a period each vertex but the first must receive, once each, the piece of
   its base and those of the period before but for that one; and it must have what it sends: from an
   earlier turn, or as the piece of its base from the period before. Errors: TNY_BROKEN, with the
   vertex and the turn. Cost: O(p * turns^2). */
static inline enum tny_status circulant_check(const struct tny_circulant *graph,
                                              const int32_t *receives, struct tny_error *error)
{
  const uint32_t turns = graph->turns;
  for (uint32_t vertex = 1; vertex < graph->p; vertex++) {
    const int32_t *row = receives + (size_t)vertex * turns;
    if (!receives_each_once(graph, vertex, row))
      return tny_error_set(
          error, TNY_BROKEN,
          "vertex %u of %u receives %s; it should receive %u and, once each, -1 to -%u but for %d",
          vertex, graph->p, row_words(row, turns).text, tny_circulant_base(graph, vertex), turns,
          (int)tny_circulant_base(graph, vertex) - (int)turns);
    for (uint32_t k = 0; k < turns; k++) {
      const uint32_t to = (vertex + graph->skip[k]) % graph->p;
      const int32_t piece = receives[(size_t)to * turns + k];
      if (to != 0 && !has_before(graph, vertex, row, k, piece))
        return tny_error_set(error, TNY_BROKEN,
                             "vertex %u of %u receives piece %d in turn %u from vertex %u, which "
                             "by then has received %s, and %d in the period before",
                             to, graph->p, (int)piece, k, vertex, row_words(row, k).text,
                             (int)tny_circulant_base(graph, vertex) - (int)turns);
    }
  }
  return TNY_OK;
}

#endif
