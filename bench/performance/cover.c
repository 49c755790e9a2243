/* Choosing cells by a greedy cover: the next is always the one with the most goals that none before
   it has; of equals the first. */
#include "bench/performance/cells.h"

#include <stdlib.h>
#include <string.h>

/* A collective's first row says which it is, so that there are as many goals as rows. */
struct goals {
  bool cluster_row[CELL_CLUSTERS][CELL_ROWS];
  bool network_row[CELL_NETWORKS][CELL_ROWS];
  bool cluster_network[CELL_CLUSTERS][CELL_NETWORKS][TNY_COLLECTIVE_COUNT];
  bool cluster_congestion[CELL_CLUSTERS][CELL_CONGESTIONS];
  bool network_congestion[CELL_NETWORKS][CELL_CONGESTIONS];
  bool row_congestion[CELL_ROWS][CELL_CONGESTIONS];
};

/* Whether a goal is new; where `take` is set it is reached from now on. */
static uint32_t reach(bool *goal, bool take)
{
  const bool is_new = !*goal;
  *goal |= take;
  return is_new;
}

static uint32_t gain_places(struct goals *goals, const struct cell *cell, bool take)
{
  const enum tny_collective collective = cell_rows[cell->row].collective;
  return reach(&goals->cluster_row[cell->cluster][cell->row], take) +
         reach(&goals->network_row[cell->network][cell->row], take) +
         reach(&goals->cluster_network[cell->cluster][cell->network][collective], take);
}

static uint32_t gain_congestion(struct goals *goals, const struct cell *cell, bool take)
{
  return reach(&goals->cluster_congestion[cell->cluster][cell->congestion], take) +
         reach(&goals->network_congestion[cell->network][cell->congestion], take) +
         reach(&goals->row_congestion[cell->row][cell->congestion], take);
}

/* Cells without a congestion control of their own: they have the default. */
static size_t choose_places(struct goals *goals, struct cell *chosen)
{
  for (size_t count = 0;; count++) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < CELLS_MAX; i++) {
      const struct cell cell = {.cluster = i % CELL_CLUSTERS,
                                .network = i / CELL_CLUSTERS % CELL_NETWORKS,
                                .row = i / CELL_CLUSTERS / CELL_NETWORKS};
      const uint32_t gain = gain_places(goals, &cell, false);
      if (gain > most)
        chosen[count] = cell;
      most = gain > most ? gain : most;
    }
    if (!most)
      return count;
    gain_places(goals, &chosen[count], true);
  }
}

/* Gives cells that have the default another congestion control, until it occurs with everything. */
static void spread_congestion(struct goals *goals, uint32_t congestion, struct cell *cells,
                              size_t count)
{
  for (;;) {
    uint32_t most = 0;
    size_t best = 0;
    for (size_t i = 0; i < count; i++) {
      struct cell changed = cells[i];
      changed.congestion = congestion;
      const uint32_t gain = cells[i].congestion ? 0 : gain_congestion(goals, &changed, false);
      if (gain > most)
        best = i;
      most = gain > most ? gain : most;
    }
    if (!most)
      return;
    cells[best].congestion = congestion;
    gain_congestion(goals, &cells[best], true);
  }
}

/* By lab, then by what is measured in it. */
static int compare_cells(const void *left, const void *right)
{
  const struct cell *a = left, *b = right;
  const uint32_t first[] = {a->network, a->cluster, a->congestion, a->row};
  const uint32_t second[] = {b->network, b->cluster, b->congestion, b->row};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
    if (first[i] != second[i])
      return first[i] < second[i] ? -1 : 1;
  }
  return 0;
}

size_t cells_choose(struct cell *chosen)
{
  struct goals goals = {0};
  const size_t count = choose_places(&goals, chosen);
  for (uint32_t c = 1; c < CELL_CONGESTIONS; c++)
    spread_congestion(&goals, c, chosen, count);
  qsort(chosen, count, sizeof *chosen, compare_cells);
  return count;
}

/* Values that no cell before had count most, pairs of them less. Zones count for themselves alone,
   since not every machine can delay packets: all other values occur without them. */
static uint32_t gain_values(const struct cell *chosen, size_t count, const struct cell *cell)
{
  const uint32_t is[] = {cell->cluster, cell->network, cell->row, cell->congestion};
  bool seen[4] = {false}, paired[4][4] = {{false}};
  for (size_t i = 0; i < count; i++) {
    if ((chosen[i].cluster == CELL_CLUSTER_ZONES) != (cell->cluster == CELL_CLUSTER_ZONES))
      continue;
    const uint32_t has[] = {chosen[i].cluster, chosen[i].network, chosen[i].row,
                            chosen[i].congestion};
    for (int d = 0; d < 4; d++) {
      seen[d] |= has[d] == is[d];
      for (int e = 0; e < d; e++)
        paired[d][e] |= has[d] == is[d] && has[e] == is[e];
    }
  }
  if (cell->cluster == CELL_CLUSTER_ZONES)
    return seen[0] ? 0 : UINT32_MAX; /* one of them, in any case */
  uint32_t gain = 0;
  for (int d = 0; d < 4; d++) {
    gain += seen[d] ? 0 : 7;
    for (int e = 0; e < d; e++)
      gain += !paired[d][e];
  }
  return gain;
}

/* Of cells that are worth the same the one that takes longest: long messages tell more. */
size_t cells_choose_quick(struct cell *chosen, double seconds)
{
  struct cell all[CELLS_MAX];
  const size_t all_count = cells_choose(all), wanted = (all_count + 9) / 10;
  const double longest = 2 * seconds / (double)wanted; /* of one cell */
  double left = seconds;
  size_t count = 0;
  while (count < wanted) {
    uint32_t most = 0;
    double most_seconds = 0;
    const struct cell *best = NULL;
    for (size_t i = 0; i < all_count; i++) {
      const double takes = cell_seconds(&all[i], false) + cell_seconds(&all[i], true);
      const uint32_t gain = gain_values(chosen, count, &all[i]);
      if (!gain || gain < most || takes > longest || takes > left ||
          (gain == most && takes <= most_seconds))
        continue;
      most = gain;
      most_seconds = takes;
      best = &all[i];
    }
    if (!best)
      break;
    left -= most_seconds;
    chosen[count++] = *best;
  }
  qsort(chosen, count, sizeof *chosen, compare_cells);
  return count;
}
