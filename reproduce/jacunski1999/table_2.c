/* Table 2: all-gathers of 32 nodes on one switch, and on two with one link between them. */
#include "reproduce/jacunski1999/jacunski1999.h"

#include <math.h>
#include <stdio.h>

enum { FLITS = 256, PLACEMENTS = 51, PLACEMENTS_QUICK = 11 };

/* A cell of the table. */
struct cell {
  const char *row, *column, *generator, *algorithm;
  enum { IN_ORDER, ROUND_ROBIN, AT_RANDOM } placement;
  double paper, tolerance; /* 0 where there is none */
};

static const char one_switch[] = "one switch", balanced[] = "two switches, 16 + 16",
                  unbalanced[] = "two switches, 11 + 21";
static const char single[] = "single:32", even[] = "switches:16+16", uneven[] = "switches:11+21";

static const struct cell cells[] = {
    {one_switch, "Ring (fitted)", single, "ring", IN_ORDER, TNY_JACUNSKI_RING_US, 0.001},
    {one_switch, "Combining", single, "combining", IN_ORDER, 139.69, 0.03},
    {one_switch, "SB", single, "simultaneous-broadcast", IN_ORDER, 137.79, 0.03},
    {balanced, "Combining, at random", even, "combining", AT_RANDOM, 249.16, 0},
    {balanced, "Combining, round robin", even, "combining", ROUND_ROBIN, 249.16, 0},
    {balanced, "SB", even, "simultaneous-broadcast", AT_RANDOM, 1079.47, 0.15},
    {balanced, "RO-Ring", even, "ring", AT_RANDOM, 1204.24, 0.15},
    {balanced, "SO-Ring", even, "switch-ordered-ring", IN_ORDER, 206.84, 0.01},
    {balanced, "LS2", even, "ls2", IN_ORDER, 141.64, 0.06},
    {unbalanced, "Combining, at random", uneven, "combining", AT_RANDOM, 593.14, 0},
    {unbalanced, "Combining, round robin", uneven, "combining", ROUND_ROBIN, 593.14, 0},
    {unbalanced, "SB", uneven, "simultaneous-broadcast", AT_RANDOM, 1082.24, 0.15},
    {unbalanced, "RO-Ring", uneven, "ring", AT_RANDOM, 1088.22, 0.15},
    {unbalanced, "SO-Ring", uneven, "switch-ordered-ring", IN_ORDER, 206.84, 0.01},
    {unbalanced, "LS2", uneven, "ls2", IN_ORDER, 184.24, 0.06},
};

/* Finds one time, or the spread of as many as placements are to be drawn. */
static enum tny_status time_cell(const struct tny_experiment *experiment, const struct cell *cell,
                                 const struct tny_reproduce_options *options,
                                 struct tny_spread *spread, struct tny_error *error)
{
  double times[PLACEMENTS];
  struct tny_site site;
  const uint32_t drawn = options->is_quick ? PLACEMENTS_QUICK : PLACEMENTS;
  const uint32_t count = cell->placement == AT_RANDOM ? drawn : 1;
  enum tny_status status = tny_jacunski_site(
      cell->generator, cell->placement == ROUND_ROBIN ? TNY_MAP_INTERLEAVED : TNY_MAP_BLOCK, &site,
      error);
  for (uint32_t i = 0; status == TNY_OK && i < count; i++) {
    if (cell->placement == AT_RANDOM)
      status = tny_site_shuffle(&site, options->seed + i, error);
    if (status == TNY_OK)
      status = tny_jacunski_time(experiment, &site, cell->algorithm, &times[i], error);
  }
  if (status == TNY_OK)
    *spread = tny_spread_of(times, count);
  tny_site_close(&site);
  return status;
}

static enum tny_status add_cell(const struct tny_experiment *experiment, const struct cell *cell,
                                const struct tny_reproduce_options *options,
                                struct tny_findings *findings, struct tny_error *error)
{
  struct tny_spread spread;
  const enum tny_status status = time_cell(experiment, cell, options, &spread, error);
  if (status != TNY_OK)
    return status;
  const bool is_median = cell->placement == AT_RANDOM, has_limits = cell->tolerance > 0;
  struct tny_finding finding = {.x = NAN,
                                .value = spread.median,
                                .low = is_median ? spread.low : NAN,
                                .high = is_median ? spread.high : NAN,
                                .paper = cell->paper,
                                .least = has_limits ? cell->paper * (1 - cell->tolerance) : NAN,
                                .most = has_limits ? cell->paper * (1 + cell->tolerance) : NAN};
  snprintf(finding.series, sizeof finding.series, "%s", cell->column);
  snprintf(finding.label, sizeof finding.label, "%s", cell->row);
  return tny_findings_add(findings, &finding, error);
}

static enum tny_status run(const struct tny_reproduce_options *options,
                           struct tny_findings *findings, struct tny_error *error)
{
  double overhead_ns;
  enum tny_status status = tny_jacunski_fit(options, &overhead_ns, error);
  if (status != TNY_OK)
    return status;
  const struct tny_experiment experiment = tny_jacunski_network(options, overhead_ns, FLITS);
  for (size_t i = 0; status == TNY_OK && i < sizeof cells / sizeof *cells; i++)
    status = add_cell(&experiment, &cells[i], options, findings, error);
  return status;
}

const struct tny_reproduction tny_jacunski_table_2 = {
    .paper = "jacunski1999",
    .name = "table-2",
    .title = "All-gather of 256 flits, 32 nodes on one switch and on two",
    .unit = "us",
    .note = "Wormhole switches with the times of 3.3: a flit takes 16 ns over a link, 16 through "
            "a crossbar, and a head is routed in 500 ns from when it has come. Hosts have one "
            "processor. Only one number is fitted: what a message costs it at each end, so that "
            "Ring on one switch takes 205.78 us. That is 0.99 us; the paper speaks of a start-up "
            "of 5 us, but Ring and Combining on one switch both give 2.54 us a step beside the "
            "flits. The paper doesn't say how deep buffers are: 16 flits here. SB depends on it, "
            "as a head that comes behind another message's tail is routed while the buffer takes "
            "what follows; any depth from 10 to 26 keeps it within 3 %. Random placements: "
            "medians and quartiles. RO-Ring's time goes by how often neighbours on the ring are "
            "on different switches, 8.3 times each way on the average for 16 + 16: with 8 of them "
            "ours takes 1090 us, with 9 it takes 1226; theirs, 1088 and 1204, are such draws. "
            "Combining takes over 1 ms in any random placement, as half of all its blocks cross "
            "the trunk; with ranks given round robin to the switches only the first step crosses, "
            "which is what their numbers are.",
    .run = run,
};
