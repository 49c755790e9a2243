/* The targets, and how they are applied. */
#include "bench/performance/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KIB 1024
#define NATIVE_RATIO_LEAST 0.98 /* of native's default, with and without a profile */
#define PEER_RATIO_LEAST 0.95   /* of the best peer, with a profile */
#define LONG_BYTES (8 * KIB)    /* from here on ratios and shares count */

/* Shares of the bound at the slowest network, from LONG_BYTES on. */
#define SHARE_LEAST 0.92
#define SHARE_ZONES_LEAST 0.88 /* of the wide link */
#define SHARE_RANKS_LEAST 0.90 /* with several ranks a host */
#define SHARE_OTHER_LEAST 0.90 /* with another congestion control than the default */
/* A broadcast's; a shorter one has no share, but a ratio at one size. */
#define SHARE_BROADCAST_BYTES (64 * KIB)
#define SHARE_BROADCAST_LEAST 0.89
#define SHARE_BROADCAST_LONG_BYTES (1024 * KIB)
#define SHORT_BROADCAST_BYTES (1 * KIB)
#define SHORT_BROADCAST_RATIO_LEAST 1.5

const struct judge_group judge_groups[JUDGE_GROUPS] = {
    {"20 and 100 Mbit/s", 0, 100000000, 3.0, 0.10},
    {"1 Gbit/s", 100000001, 1000000000, 1.3, 0.25},
    {"10 Gbit/s", 1000000001, UINT64_MAX, 1.0, 0.25},
};

static double least_of(double a, double b)
{
  return a < b ? a : b;
}

static bool is_slowest(const struct cell *cell)
{
  return cell->network == 0;
}

double judge_share_least(const struct cell *cell)
{
  const struct cell_row *row = &cell_rows[cell->row];
  const bool is_broadcast = row->collective == TNY_BROADCAST;
  if (!is_slowest(cell) || row->bytes < LONG_BYTES ||
      (is_broadcast && row->bytes < SHARE_BROADCAST_BYTES))
    return 0;
  double least = SHARE_LEAST;
  if (is_broadcast && row->bytes < SHARE_BROADCAST_LONG_BYTES)
    least = SHARE_BROADCAST_LEAST;
  if (cell->cluster == CELL_CLUSTER_ZONES)
    least = least_of(least, SHARE_ZONES_LEAST);
  if (cell->cluster == CELL_CLUSTER_RANKS)
    least = least_of(least, SHARE_RANKS_LEAST);
  return cell->congestion ? least_of(least, SHARE_OTHER_LEAST) : least;
}

static double ratio_least(const struct cell *cell)
{
  const struct cell_row *row = &cell_rows[cell->row];
  const bool is_short_broadcast =
      is_slowest(cell) && row->collective == TNY_BROADCAST && row->bytes == SHORT_BROADCAST_BYTES;
  return is_short_broadcast ? SHORT_BROADCAST_RATIO_LEAST : NATIVE_RATIO_LEAST;
}

double outcome_ratio(const struct outcome *outcome)
{
  return outcome->planned.median > 0 ? outcome->native.median / outcome->planned.median : 0;
}

double outcome_peer_ratio(const struct outcome *outcome)
{
  return outcome->planned.median > 0 ? outcome->peer.median / outcome->planned.median : 0;
}

/* From quartile to quartile, as a part of the median. */
static double spread(const struct quartiles_ms *ms)
{
  return ms->median > 0 ? (ms->q3 - ms->q1) / ms->median : 0;
}

/* Adds a shortfall where the value is under its least. */
static void expect(struct verdict *verdict, const char *what, double value, double least,
                   double its_spread)
{
  if (value >= least)
    return;
  const size_t length = strlen(verdict->reasons);
  snprintf(verdict->reasons + length, sizeof verdict->reasons - length, "%s%s %.3g under %.3g",
           length ? "; " : "", what, value, least);
  verdict->may_be_noise =
      (!verdict->is_short || verdict->may_be_noise) && least / value - 1 < its_spread;
  verdict->is_short = true;
}

struct verdict judge_mode(const struct cell *cell, const struct outcome outcomes[MODE_COUNT],
                          enum mode mode)
{
  struct verdict verdict = {0};
  const struct outcome *outcome = &outcomes[mode];
  const bool with_profile = mode == MODE_PEERS && outcome->has_profile;
  if (!outcome->attempt || *outcome->unable || (mode == MODE_PEERS && !with_profile))
    return verdict;
  const double planned = spread(&outcome->planned);
  expect(&verdict, with_profile ? "with a profile: ratio to native" : "ratio to native",
         outcome_ratio(outcome), ratio_least(cell), planned + spread(&outcome->native));
  if (with_profile && outcome->peer.median > 0)
    expect(&verdict, "ratio to the best peer", outcome_peer_ratio(outcome), PEER_RATIO_LEAST,
           planned + spread(&outcome->peer));
  /* A profile is what the share is promised with; where there is none, it is judged without. */
  if (with_profile || !outcomes[MODE_PEERS].has_profile)
    expect(&verdict, "share of the bound", outcome->share, judge_share_least(cell), planned);
  return verdict;
}

double outcome_prediction_error(const struct outcome *outcome)
{
  return outcome->predicted_ms > 0 && outcome->planned.median > 0
             ? fabs(outcome->predicted_ms / outcome->planned.median - 1)
             : -1;
}

const struct outcome *outcome_predicted(const struct outcome outcomes[MODE_COUNT])
{
  return &outcomes[outcomes[MODE_PEERS].has_profile ? MODE_PEERS : MODE_PLAIN];
}

static bool is_of_group(const struct judge_group *group, const struct cell *cell)
{
  const uint64_t bandwidth = cell_networks[cell->network].bandwidth_bps;
  return bandwidth >= group->bandwidth_min && bandwidth <= group->bandwidth_max;
}

double judge_mean(const struct judge_group *group, const struct measured *all, size_t *count)
{
  double sum = 0;
  *count = 0;
  for (size_t i = 0; i < all->count; i++) {
    const double ratio = outcome_ratio(&all->journal->outcomes[i][MODE_PLAIN]);
    if (!is_of_group(group, &all->cells[i]) || ratio <= 0 ||
        cell_rows[all->cells[i].row].bytes < LONG_BYTES)
      continue;
    sum += log(ratio);
    ++*count;
  }
  return *count ? exp(sum / (double)*count) : 0;
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double judge_error(const struct judge_group *group, const char *algorithm,
                   const struct measured *all, size_t *count)
{
  double errors[CELLS_MAX];
  *count = 0;
  for (size_t i = 0; i < all->count; i++) {
    const struct outcome *outcome = outcome_predicted(all->journal->outcomes[i]);
    const double error = outcome_prediction_error(outcome);
    if (is_of_group(group, &all->cells[i]) && error >= 0 &&
        (!algorithm || !strcmp(algorithm, outcome->algorithm)))
      errors[(*count)++] = error;
  }
  if (!*count)
    return 0;
  qsort(errors, *count, sizeof *errors, compare);
  return (errors[(*count - 1) / 2] + errors[*count / 2]) / 2;
}
