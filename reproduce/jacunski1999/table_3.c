/* Table 3: all-gathers on irregular networks of 128 nodes and 10 switches. */
#include "reproduce/jacunski1999/jacunski1999.h"

#include <math.h>
#include <stdio.h>

enum { FLITS = 256, NETWORKS = 20 };
enum { COMBINING, SB, RO_RING, SO_RING, LS, OURS, ALGORITHMS };

#define PAPER_LS_US 1361.36
#define PAPER_BOUND_US (127 * 4.096)

/* The first three don't consider the network, and their simulation takes the longest. */
static const struct {
  const char *name, *algorithm;
  double paper;
} algorithms[ALGORITHMS] = {
    [COMBINING] = {"Combining", "combining", 20542.14},
    [SB] = {"SB", "simultaneous-broadcast", 28537.30},
    [RO_RING] = {"RO-Ring", "ring", 22632.85},
    [SO_RING] = {"SO-Ring", "switch-ordered-ring", 1868.07},
    [LS] = {"LS", "ls", PAPER_LS_US},
    [OURS] = {"ours: two-way-ring", "two-way-ring", NAN},
};

/* The quotients that are found for each network, with the limits of their medians. */
enum {
  RO_TO_SO = ALGORITHMS,
  LS_TO_SO,
  LS_TO_BOUND,
  OURS_TO_LS,
  OURS_TO_PAPER,
  OURS_TO_BOUND,
  ROWS
};
static const struct {
  const char *name;
  double paper, least, most;
} quotients[ROWS - ALGORITHMS] = {
    {"RO-Ring / SO-Ring", 22632.85 / 1868.07, 5, 20},
    {"LS / SO-Ring", PAPER_LS_US / 1868.07, NAN, 1},
    {"LS / bound", PAPER_LS_US / PAPER_BOUND_US, NAN, NAN},
    {"ours / LS", NAN, NAN, NAN},
    {"ours / the paper's LS", NAN, NAN, 0.5},
    {"ours / bound", NAN, NAN, 1.15},
};

/* The values, by row and network. */
struct values {
  double of[ROWS][NETWORKS];
};

/* The numbers of networks for the slow algorithms, and for all others. */
struct counts {
  uint32_t slow, all;
};

static bool is_slow(uint32_t row)
{
  return row < SO_RING || row == RO_TO_SO;
}

static enum tny_status find_bound(const struct tny_site *site, double *us, struct tny_error *error)
{
  struct tny_bound bound = {0};
  const enum tny_status status =
      tny_bound_compute(site->routes, site->host_of_rank, site->rank_count, TNY_ALLGATHER, 0,
                        FLITS * TNY_JACUNSKI_FLIT_BYTES, &bound, error);
  *us = 1e6 * bound.seconds;
  return status;
}

/* Ranks are on random hosts, so that an algorithm that doesn't consider the network has neighbours
   anywhere. */
static enum tny_status open_network(struct tny_site *site, uint64_t seed, struct tny_error *error)
{
  char generator[64];
  snprintf(generator, sizeof generator, "irregular:128,switches=10,seed=%u", (unsigned)seed);
  const enum tny_status status = tny_jacunski_site(generator, TNY_MAP_BLOCK, site, error);
  return status == TNY_OK ? tny_site_shuffle(site, seed, error) : status;
}

static enum tny_status time_network(const struct tny_experiment *experiment,
                                    const struct tny_site *site, bool with_slow, double us[ROWS],
                                    struct tny_error *error)
{
  double bound_us;
  enum tny_status status = find_bound(site, &bound_us, error);
  for (uint32_t i = 0; status == TNY_OK && i < ALGORITHMS; i++) {
    us[i] = NAN;
    if (with_slow || !is_slow(i))
      status = tny_jacunski_time(experiment, site, algorithms[i].algorithm, &us[i], error);
  }
  us[RO_TO_SO] = us[RO_RING] / us[SO_RING];
  us[LS_TO_SO] = us[LS] / us[SO_RING];
  us[LS_TO_BOUND] = us[LS] / bound_us;
  us[OURS_TO_LS] = us[OURS] / us[LS];
  us[OURS_TO_PAPER] = us[OURS] / PAPER_LS_US;
  us[OURS_TO_BOUND] = us[OURS] / bound_us;
  return status;
}

static enum tny_status time_all(const struct tny_experiment *experiment,
                                const struct tny_reproduce_options *options, struct counts counts,
                                struct values *values, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; status == TNY_OK && i < counts.all; i++) {
    double us[ROWS] = {0};
    struct tny_site site;
    status = open_network(&site, options->seed + i, error);
    if (status == TNY_OK)
      status = time_network(experiment, &site, i < counts.slow, us, error);
    for (uint32_t row = 0; row < ROWS; row++)
      values->of[row][i] = us[row];
    tny_site_close(&site);
  }
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
  const struct counts counts =
      options->is_quick ? (struct counts){2, 7} : (struct counts){NETWORKS, NETWORKS};
  enum tny_status status = tny_jacunski_fit(options, &overhead_ns, error);
  if (status != TNY_OK)
    return status;
  const struct tny_experiment experiment = tny_jacunski_network(options, overhead_ns, FLITS);
  status = time_all(&experiment, options, counts, &values, error);
  for (uint32_t row = 0; status == TNY_OK && row < ROWS; row++)
    status = add_row(&values, row, is_slow(row) ? counts.slow : counts.all, findings, error);
  return status;
}

const struct tny_reproduction tny_jacunski_table_3 = {
    .paper = "jacunski1999",
    .name = "table-3",
    .title = "All-gather of 256 flits, irregular networks of 128 nodes and 10 switches",
    .unit = "us",
    .note = "20 networks of the family irregular:128,switches=10 (7 to 21 nodes a switch, 1 to 5 "
            "links to others, at most two between two); medians and quartiles over these. Ranks "
            "sit at random, which matters for the first three. Overhead and network as in "
            "jacunski1999/table-2, minimal adaptive up*/down* routing. The paper has one network, "
            "which must be poorer in links: its SO-Ring takes 14.7 us a step, as if each message "
            "shared its links with two others, where ours meets none on 12 networks and one now "
            "and then on the others. So all that depends on links is about twice as fast here. "
            "Adaptive routes bring about what collisions there are: with fixed ones, tried on "
            "eight networks, SO-Ring takes 852 to 855 us and LS 725 to 836. LS is ahead of "
            "SO-Ring on 12 of the 20. The bound is 520.2 us, what comes in over a host's link. "
            "Half of LS's time would be less than that, as LS is within 1.6 of it here (the "
            "paper's: 2.6); so the limit is half of the paper's LS. Ours is a ring that goes on "
            "to neighbouring switches only, both ways at once: nothing collides on any network, "
            "and a host's link is busy while its processor works.",
    .run = run,
};
