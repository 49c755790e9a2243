/* Table 1: when SB takes less time than Combining on one switch. The paper says it by LogP; here
   the simulation says it for points on either side of each border. */
#include "reproduce/jacunski1999/jacunski1999.h"

#include <math.h>
#include <stdio.h>

enum { FLITS = 1024, LATENCY_CYCLES = 36 }; /* from a flit's injection until it is taken */

/* ceil(log2 p) */
static double doublings(double p)
{
  return ceil(log2(p));
}

/* t_SB = 2o + L + (P-3) g_s + g, in units of o, for L/o = `ratio`. */
static double sb_time(double p, double ratio)
{
  const double steady_gap = fmax(ratio, 2), gap = fmax(ratio, 1);
  return 2 + ratio + (p - 3) * steady_gap + gap;
}

static double combining_time(double p, double ratio)
{
  return 2 * doublings(p) + (p - 1) * ratio;
}

/* One point of the table: a number of nodes and L/o. */
struct point {
  uint32_t nodes;
  double ratio;
  bool is_between; /* It lies between the paper's border and that of a host with one processor. */
};

/* The borders. In case 2, o < L < 2o, it is (2P-4-2 ceil(log2 P)) / (P-3), which is 1.2, 1.54 and
   1.72 for 8, 16 and 32 nodes. In case 3, L < o, it is the same with g = o, (2P-3-2 ceil(log2 P)) /
   (P-2), which is 0.5 and 0.75 for 4 and 6 nodes, and more than 1 from 7 nodes on. But there
   t_SB = (2P-3) o + L is less than the (2P-2) o that a processor takes for its sends and receives;
   with these the borders are 0.67 and 0.8. */
static const struct point points[] = {
    {4, 3, false},     {32, 3, false}, /* case 1: always SB */
    {8, 1.1, false},   {8, 1.3, false},  {16, 1.45, false},
    {16, 1.65, false}, {32, 1.6, false}, {32, 1.85, false}, /* case 2 */
    {4, 0.4, false},   {4, 0.75, false}, {6, 0.65, false},
    {6, 0.85, false},  {8, 0.9, false},  {32, 0.5, false}, /* case 3 */
    {4, 0.6, true},    {6, 0.78, true},
};

static enum tny_status simulate(const struct tny_reproduce_options *options,
                                const struct point *point, double *quotient,
                                struct tny_error *error)
{
  char generator[32];
  struct tny_site site;
  double sb_us = 0, combining_us = 1;
  const double latency_ns = (FLITS + LATENCY_CYCLES) * TNY_JACUNSKI_FLIT_NS;
  const struct tny_experiment experiment =
      tny_jacunski_network(options, latency_ns / point->ratio, FLITS);
  snprintf(generator, sizeof generator, "single:%u", point->nodes);
  enum tny_status status = tny_jacunski_site(generator, TNY_MAP_BLOCK, &site, error);
  if (status == TNY_OK)
    status = tny_jacunski_time(&experiment, &site, "simultaneous-broadcast", &sb_us, error);
  if (status == TNY_OK)
    status = tny_jacunski_time(&experiment, &site, "combining", &combining_us, error);
  *quotient = sb_us / combining_us;
  tny_site_close(&site);
  return status;
}

static enum tny_status add_point(const struct tny_reproduce_options *options,
                                 const struct point *point, struct tny_findings *findings,
                                 struct tny_error *error)
{
  double quotient;
  const double predicted =
      sb_time(point->nodes, point->ratio) / combining_time(point->nodes, point->ratio);
  const enum tny_status status = simulate(options, point, &quotient, error);
  if (status != TNY_OK)
    return status;
  struct tny_finding finding = {.series = "SB / Combining",
                                .x = NAN,
                                .value = quotient,
                                .low = NAN,
                                .high = NAN,
                                .paper = predicted,
                                .least = predicted < 1 || point->is_between ? NAN : 1,
                                .most = predicted < 1 && !point->is_between ? 1 : NAN};
  snprintf(finding.label, sizeof finding.label, "case %d, %u nodes, L/o %.2f: %s",
           point->ratio > 2   ? 1
           : point->ratio > 1 ? 2
                              : 3,
           point->nodes, point->ratio, predicted < 1 ? "SB" : "Combining");
  return tny_findings_add(findings, &finding, error);
}

static enum tny_status run(const struct tny_reproduce_options *options,
                           struct tny_findings *findings, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < sizeof points / sizeof *points; i++)
    status = add_point(options, &points[i], findings, error);
  return status;
}

const struct tny_reproduction tny_jacunski_table_1 = {
    .paper = "jacunski1999",
    .name = "table-1",
    .title = "When SB takes less time than Combining on one switch",
    .unit = "SB's time / Combining's",
    .note = "SB's time over Combining's, below 1 where SB is the faster one; under paper, by the "
            "LogP formulas of 3.2. Blocks of 1024 flits on the network of 3.3, with overheads o "
            "such that L/o is what is said. Limits: the simulated quotient is on the same side of "
            "1 as the formulas', for points on both sides of each border of Table 1. Case 3 isn't "
            "legible in the text at hand; it is the same derivation with g = o. There the formula "
            "gives SB (2P-3) o + L, which is less than the (2P-2) o that P-1 sends and as many "
            "receives take one processor: so for L/o between 0.5 and 0.67 (4 nodes), 0.75 and 0.8 "
            "(6 nodes), Combining is the faster one, against the formula. The last two rows are "
            "such points, without limits.",
    .run = run,
};
