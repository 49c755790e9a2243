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

/* How far what was predicted is from what was measured, as a fraction of that: 0.1 is 10 % too much
   or too little. Negative: it wasn't predicted. */
double outcome_prediction_error(const struct outcome *outcome);
/* What prediction errors are of: with the profile's parameters where one was used. */
const struct outcome *outcome_predicted(const struct outcome outcomes[MODE_COUNT]);

/* Networks whose geometric mean of ratios and median error of predictions have targets. */
struct judge_group {
  const char *title;
  uint64_t bandwidth_min, bandwidth_max;
  double least;      /* mean of ratios */
  double error_most; /* median error */
};
enum { JUDGE_GROUPS = 3 };
extern const struct judge_group judge_groups[JUDGE_GROUPS];
/* The mean over measured cells of 8 KiB and more without a profile; *count: how many those are. */
double judge_mean(const struct judge_group *group, const struct measured *all, size_t *count);
/* The median error over the group's cells that `algorithm` served, of any where it is NULL; *count:
   how many were predicted. */
double judge_error(const struct judge_group *group, const char *algorithm,
                   const struct measured *all, size_t *count);

#endif
