/* What each cell must reach, and whether it does. The targets are constants in judge.c. */
#ifndef TOURNEY_PERFORMANCE_JUDGE_H
#define TOURNEY_PERFORMANCE_JUDGE_H

#include "bench/performance/journal.h"

struct verdict {
  bool is_short;
  bool may_be_noise; /* each shortfall is smaller than the spread of its measurement */
  char reasons[240]; /* "ratio to native 0.91 under 0.98" */
};
/* Judges what was measured in that mode. */
struct verdict judge_mode(const struct cell *cell, const struct outcome outcomes[MODE_COUNT],
                          enum mode mode);

/* How the least share of the bound is told for a cell; 0: there is none. */
double judge_share_least(const struct cell *cell);

double outcome_ratio(const struct outcome *outcome);      /* native over planned */
double outcome_peer_ratio(const struct outcome *outcome); /* the best peer over planned */

/* Networks whose geometric mean of ratios has a target. */
struct judge_group {
  const char *title;
  uint64_t bandwidth_min, bandwidth_max;
  double least;
};
enum { JUDGE_GROUPS = 3 };
extern const struct judge_group judge_groups[JUDGE_GROUPS];
/* The mean over measured cells of 8 KiB and more without a profile; *count: how many those are. */
double judge_mean(const struct judge_group *group, const struct cell *cells, size_t cell_count,
                  const struct journal *journal, size_t *count);

#endif
