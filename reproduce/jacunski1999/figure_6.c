/* Figure 6: SB and Combining on one switch, over the number of nodes. */
#include "reproduce/jacunski1999/jacunski1999.h"

#include <math.h>
#include <stdio.h>

/* The start-ups that the figure names. Half of one is taken to be the sender's, and half the
   receiver's. */
#define STARTUP_NS 5000.0

static const uint32_t node_counts[] = {2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 32};
enum { NODE_COUNTS = sizeof node_counts / sizeof *node_counts };

/* The times of both at a number of nodes and an overhead, and SB's over Combining's. */
struct pair {
  uint32_t nodes, flits;
  double sb_us, combining_us;
};

static enum tny_status time_pair(const struct tny_experiment *experiment, struct pair *pair,
                                 struct tny_error *error)
{
  char generator[32];
  struct tny_site site;
  snprintf(generator, sizeof generator, "single:%u", pair->nodes);
  enum tny_status status = tny_jacunski_site(generator, TNY_MAP_BLOCK, &site, error);
  if (status == TNY_OK)
    status = tny_jacunski_time(experiment, &site, "simultaneous-broadcast", &pair->sb_us, error);
  if (status == TNY_OK)
    status = tny_jacunski_time(experiment, &site, "combining", &pair->combining_us, error);
  tny_site_close(&site);
  return status;
}

static enum tny_status add(struct tny_findings *findings, const char *series, double x,
                           double value, struct tny_error *error)
{
  struct tny_finding finding = {
      .x = x, .value = value, .low = NAN, .high = NAN, .paper = NAN, .least = NAN, .most = NAN};
  snprintf(finding.series, sizeof finding.series, "%s", series);
  return tny_findings_add(findings, &finding, error);
}

/* For short blocks Combining is the faster one, except with very few nodes; for long ones SB is. */
static enum tny_status judge(struct tny_findings *findings, const struct pair *pair, bool sb_wins,
                             struct tny_error *error)
{
  enum { VERY_FEW = 6 }; /* Where L is about o, SB is faster up to 6 nodes (table 1). */
  struct tny_finding finding = {.series = "SB / Combining",
                                .x = NAN,
                                .value = pair->sb_us / pair->combining_us,
                                .low = NAN,
                                .high = NAN,
                                .paper = NAN,
                                .least = sb_wins ? NAN : 1,
                                .most = sb_wins ? 1 : NAN};
  snprintf(finding.label, sizeof finding.label, "%u nodes, start-up 5 us", pair->nodes);
  return pair->nodes > VERY_FEW ? tny_findings_add(findings, &finding, error) : TNY_OK;
}

/* Adds the lines of one overhead. */
static enum tny_status add_lines(const struct tny_experiment *experiment, struct pair *pairs,
                                 const char *suffix, struct tny_findings *findings,
                                 struct tny_error *error)
{
  char sb[48], combining[48];
  enum tny_status status = TNY_OK;
  snprintf(sb, sizeof sb, "SB%s", suffix);
  snprintf(combining, sizeof combining, "Combining%s", suffix);
  for (uint32_t i = 0; status == TNY_OK && i < NODE_COUNTS; i++) {
    pairs[i].nodes = node_counts[i];
    status = time_pair(experiment, &pairs[i], error);
    if (status == TNY_OK)
      status = add(findings, sb, pairs[i].nodes, pairs[i].sb_us, error);
    if (status == TNY_OK)
      status = add(findings, combining, pairs[i].nodes, pairs[i].combining_us, error);
  }
  return status;
}

static enum tny_status run(const struct tny_reproduce_options *options, uint32_t flits,
                           struct tny_findings *findings, struct tny_error *error)
{
  const bool sb_wins = flits > 512;
  struct pair named[NODE_COUNTS], implied[NODE_COUNTS];
  double overhead_ns;
  enum tny_status status = tny_jacunski_fit(options, &overhead_ns, error);
  if (status != TNY_OK)
    return status;
  const struct tny_experiment by_figure = tny_jacunski_network(options, STARTUP_NS / 2, flits);
  const struct tny_experiment by_table = tny_jacunski_network(options, overhead_ns, flits);
  status = add_lines(&by_figure, named, "", findings, error);
  if (status == TNY_OK)
    status = add_lines(&by_table, implied, ", overhead of Table 2", findings, error);
  for (uint32_t i = 0; status == TNY_OK && i < NODE_COUNTS; i++)
    status = judge(findings, &named[i], sb_wins, error);
  return status;
}

static enum tny_status run_short(const struct tny_reproduce_options *options,
                                 struct tny_findings *findings, struct tny_error *error)
{
  return run(options, 128, findings, error);
}

static enum tny_status run_long(const struct tny_reproduce_options *options,
                                struct tny_findings *findings, struct tny_error *error)
{
  return run(options, 1024, findings, error);
}

const struct tny_reproduction tny_jacunski_figure_6a = {
    .paper = "jacunski1999",
    .name = "figure-6a",
    .title = "All-gather of 128 flits on one switch",
    .unit = "us",
    .note = "SB and Combining with the start-up of 5 us that the figure names, half of it at the "
            "sender and half at the receiver; and with the overhead that Table 2's numbers imply, "
            "about 1 us at each end (jacunski1999/table-2). The paper's curves aren't in the text "
            "at hand; limits are what it says of them: Combining is the faster one but for very "
            "small numbers of nodes, that is beyond 6: up to there Table 1 itself has SB ahead. "
            "With Table 2's overhead the two are within 2 % of each other at 32 nodes, and SB is "
            "still slightly ahead: the figure and the table weren't made with the same start-up, "
            "or WORMULSim counts it otherwise.",
    .chart = {.x_title = "nodes", .y_title = "completion time, us"},
    .run = run_short,
};

const struct tny_reproduction tny_jacunski_figure_6b = {
    .paper = "jacunski1999",
    .name = "figure-6b",
    .title = "All-gather of 1024 flits on one switch",
    .unit = "us",
    .note = "SB and Combining with the start-up of 5 us that the figure names, half of it at the "
            "sender and half at the receiver; and with the overhead that Table 2's numbers imply, "
            "about 1 us at each end (jacunski1999/table-2). The paper's curves aren't in the text "
            "at hand; limits are what it says of them: SB is the faster one. It is with both.",
    .chart = {.x_title = "nodes", .y_title = "completion time, us"},
    .run = run_long,
};
