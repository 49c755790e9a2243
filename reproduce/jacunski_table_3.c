/* Table 3: all-gathers on irregular networks of 128 nodes and 10 switches. */
#include "reproduce/jacunski.h"

#include <math.h>
#include <stdio.h>

enum { FLITS = 256, NETWORKS = 20, NETWORKS_QUICK = 3 };
enum { COMBINING, SB, RO_RING, SO_RING, LS, OURS, ALGORITHMS };

static const struct {
  const char *name, *algorithm;
  double paper;
} algorithms[ALGORITHMS] = {
    [COMBINING] = {"Combining", "combining", 20542.14},
    [SB] = {"SB", "simultaneous-broadcast", 28537.30},
    [RO_RING] = {"RO-Ring", "ring", 22632.85},
    [SO_RING] = {"SO-Ring", "switch-ordered-ring", 1868.07},
    [LS] = {"LS", "ls", 1361.36},
    [OURS] = {"ours: two contention-free rings", "contention-free-rings:2", NAN},
};

/* What is said of the networks, each with the limits of its median. */
enum { RO_TO_SO = ALGORITHMS, LS_TO_SO, OURS_TO_LS, OURS_TO_BOUND, ROWS };
static const struct {
  const char *name;
  double paper, least, most;
} quotients[ROWS - ALGORITHMS] = {
    {"RO-Ring / SO-Ring", 22632.85 / 1868.07, 5, 20},
    {"LS / SO-Ring", 1361.36 / 1868.07, NAN, 1},
    {"ours / LS", NAN, NAN, 0.5},
    {"ours / bound", NAN, NAN, 1.15},
};

/* Values by row and network. */
struct values {
  double of[ROWS][NETWORKS];
};

static enum tny_status find_bound(const struct tny_site *site, double *us, struct tny_error *error)
{
  struct tny_bound bound = {0};
  const enum tny_status status =
      tny_bound_compute(site->routes, site->host_of_rank, site->rank_count, TNY_ALLGATHER, 0,
                        FLITS * TNY_JACUNSKI_FLIT_BYTES, &bound, error);
  *us = 1e6 * bound.seconds;
  return status;
}

/* The ranks sit at random: who doesn't look at the network, has its neighbours anywhere. */
static enum tny_status time_network(const struct tny_experiment *experiment, uint64_t seed,
                                    struct values *values, uint32_t network,
                                    struct tny_error *error)
{
  char generator[64];
  double us[ALGORITHMS] = {0}, bound_us = 0;
  struct tny_site site;
  snprintf(generator, sizeof generator, "irregular:128,switches=10,seed=%u", (unsigned)seed);
  enum tny_status status = tny_jacunski_site(generator, TNY_MAP_BLOCK, &site, error);
  if (status == TNY_OK)
    status = tny_site_shuffle(&site, seed, error);
  for (uint32_t i = 0; status == TNY_OK && i < ALGORITHMS; i++) {
    status = tny_jacunski_time(experiment, &site, algorithms[i].algorithm, &us[i], error);
    values->of[i][network] = us[i];
  }
  if (status == TNY_OK)
    status = find_bound(&site, &bound_us, error);
  values->of[RO_TO_SO][network] = us[RO_RING] / us[SO_RING];
  values->of[LS_TO_SO][network] = us[LS] / us[SO_RING];
  values->of[OURS_TO_LS][network] = us[OURS] / us[LS];
  values->of[OURS_TO_BOUND][network] = us[OURS] / bound_us;
  tny_site_close(&site);
  return status;
}

static enum tny_status add_row(struct values *values, uint32_t row, uint32_t count,
                               struct tny_findings *findings, struct tny_error *error)
{
  const bool is_time = row < ALGORITHMS;
  const struct tny_spread spread = tny_spread_of(values->of[row], count);
  struct tny_finding finding = {.x = NAN,
                                .value = spread.median,
                                .low = spread.low,
                                .high = spread.high,
                                .paper = is_time ? algorithms[row].paper
                                                 : quotients[row - ALGORITHMS].paper,
                                .least = is_time ? NAN : quotients[row - ALGORITHMS].least,
                                .most = is_time ? NAN : quotients[row - ALGORITHMS].most};
  snprintf(finding.label, sizeof finding.label, "%s",
           is_time ? algorithms[row].name : quotients[row - ALGORITHMS].name);
  return tny_findings_add(findings, &finding, error);
}

static enum tny_status run(const struct tny_reproduce_options *options,
                           struct tny_findings *findings, struct tny_error *error)
{
  struct values values;
  double overhead_ns;
  const uint32_t count = options->is_quick ? NETWORKS_QUICK : NETWORKS;
  enum tny_status status = tny_jacunski_fit(options, &overhead_ns, error);
  if (status != TNY_OK)
    return status;
  const struct tny_experiment experiment = tny_jacunski_network(options, overhead_ns, FLITS);
  for (uint32_t i = 0; status == TNY_OK && i < count; i++)
    status = time_network(&experiment, options->seed + i, &values, i, error);
  for (uint32_t row = 0; status == TNY_OK && row < ROWS; row++)
    status = add_row(&values, row, count, findings, error);
  return status;
}

const struct tny_reproduction tny_jacunski_table_3 = {
    .paper = "jacunski1999",
    .name = "table-3",
    .title = "All-gather of 256 flits, irregular networks of 128 nodes and 10 switches",
    .unit = "us",
    .note = "TODO",
    .run = run,
};
