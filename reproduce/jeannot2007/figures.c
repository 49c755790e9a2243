/* Jeannot, Steffenel: how many messages cross the backbone (4.2), and figures 4 to 6. */
#include <stdio.h>

#include "reproduce/jeannot2007/jeannot2007.h"

static const char *const method_titles[] = {
    [TNY_JEANNOT_DIRECT] = "direct",
    [TNY_JEANNOT_LG] = "LG",
};

static struct tny_finding nothing_but(double x, double value)
{
  struct tny_finding finding = tny_finding_of(value);
  finding.x = x;
  return finding;
}

/* --- messages --- */

static enum tny_status add_counts(const struct tny_jeannot_run *run, struct tny_findings *findings,
                                  struct tny_error *error)
{
  const double pairs = (double)run->n1 * run->n2, more = run->n1 > run->n2 ? run->n1 : run->n2;
  const bool is_direct = run->method == TNY_JEANNOT_DIRECT;
  const char *const title = method_titles[run->method];
  struct tny_jeannot_result result;
  enum tny_status status = tny_jeannot_simulate(run, &result, error);
  if (status != TNY_OK)
    return status;
  struct tny_finding messages =
      tny_finding_exact((double)result.wide_messages, is_direct ? 2 * pairs : 2 * more);
  struct tny_finding blocks = tny_finding_exact(result.wide_blocks, 2 * pairs);
  snprintf(messages.label, sizeof messages.label, "%u + %u nodes", run->n1, run->n2);
  snprintf(blocks.label, sizeof blocks.label, "%u + %u nodes", run->n1, run->n2);
  snprintf(messages.series, sizeof messages.series, "%s, messages", title);
  snprintf(blocks.series, sizeof blocks.series, "%s, blocks in them", title);
  status = tny_findings_add(findings, &messages, error);
  return status == TNY_OK ? tny_findings_add(findings, &blocks, error) : status;
}

static enum tny_status run_messages(const struct tny_reproduce_options *options,
                                    struct tny_findings *findings, struct tny_error *error)
{
  static const uint32_t nodes[][2] = {{3, 7}, {30, 30}, {20, 40}, {40, 20}, {1, 8}, {7, 50}};
  enum tny_status status = TNY_OK;
  for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
    for (int method = TNY_JEANNOT_DIRECT; status == TNY_OK && method <= TNY_JEANNOT_LG; method++) {
      const struct tny_jeannot_run run = {.method = (enum tny_jeannot_method)method,
                                          .n1 = nodes[i][0],
                                          .n2 = nodes[i][1],
                                          .bytes = 1024,
                                          .watch = options->watch};
      status = add_counts(&run, findings, error);
    }
  return status;
}

const struct tny_reproduction tny_jeannot_messages = {
    .paper = "jeannot2007",
    .name = "messages",
    .title = "Messages over the backbone, both ways",
    .unit = "messages or blocks",
    .note =
        "Section 4.2: 2 max(n1, n2) against 2 n1 n2, of the schedules that are simulated for the "
        "figures. Either way each block crosses once. 3 + 7 is the paper's example (figure 3).",
    .run = run_messages,
};

/* --- figures --- */

/* A position on the x axis. */
struct point {
  double x;
  uint32_t n1, n2;
  uint64_t bytes;
  const char *name; /* of the line, behind the method's */
};

static enum tny_status find_seconds(const struct tny_reproduce_options *options,
                                    const struct point *point, double *seconds,
                                    struct tny_error *error)
{
  for (int method = TNY_JEANNOT_DIRECT; method <= TNY_JEANNOT_LG; method++) {
    const struct tny_jeannot_run run = {.method = (enum tny_jeannot_method)method,
                                        .n1 = point->n1,
                                        .n2 = point->n2,
                                        .bytes = point->bytes,
                                        .watch = options->watch};
    struct tny_jeannot_result result;
    const enum tny_status status = tny_jeannot_simulate(&run, &result, error);
    if (status != TNY_OK)
      return status;
    seconds[method] = result.seconds;
  }
  return TNY_OK;
}

static enum tny_status add_line(const struct point *point, enum tny_jeannot_method method,
                                struct tny_finding *finding, struct tny_findings *findings,
                                struct tny_error *error)
{
  snprintf(finding->series, sizeof finding->series, "%s, %s", method_titles[method], point->name);
  snprintf(finding->label, sizeof finding->label, "%u + %u nodes, %g KiB", point->n1, point->n2,
           (double)point->bytes / 1024);
  return tny_findings_add(findings, finding, error);
}

/* --- figure 4 --- */

enum { LONG_BYTES = 64 * 1024, VERY_LONG_BYTES = 1024 * 1024 };

/* The paper says that LG is faster than the direct exchange where messages are long, and takes 40
   to 60 % less where they are very long; and that the direct one takes about the same on either
   pair of clusters (5.1). */
static enum tny_status add_size(const struct tny_reproduce_options *options, uint64_t bytes,
                                struct tny_findings *findings, struct tny_error *error)
{
  const double kib = (double)bytes / 1024;
  const struct point points[] = {{kib, 30, 30, bytes, "30 + 30"}, {kib, 20, 40, bytes, "20 + 40"}};
  double seconds[2][2];
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < 2; i++) {
    status = find_seconds(options, &points[i], seconds[i], error);
    if (status != TNY_OK)
      break;
    struct tny_finding direct = nothing_but(points[i].x, seconds[i][TNY_JEANNOT_DIRECT]);
    struct tny_finding local = nothing_but(points[i].x, seconds[i][TNY_JEANNOT_LG]);
    if (i == 1) {
      direct.least = 0.75 * seconds[0][TNY_JEANNOT_DIRECT];
      direct.most = 1.25 * seconds[0][TNY_JEANNOT_DIRECT];
    }
    if (bytes >= LONG_BYTES)
      local.most = (bytes >= VERY_LONG_BYTES ? 0.6 : 1) * direct.value;
    if (bytes >= VERY_LONG_BYTES)
      local.least = 0.4 * direct.value;
    status = add_line(&points[i], TNY_JEANNOT_DIRECT, &direct, findings, error);
    if (status == TNY_OK)
      status = add_line(&points[i], TNY_JEANNOT_LG, &local, findings, error);
  }
  return status;
}

/* Adds what the direct exchange would take if messages didn't block each other. */
static enum tny_status add_unblocked(const struct tny_reproduce_options *options, uint64_t bytes,
                                     struct tny_findings *findings, struct tny_error *error)
{
  const struct point point = {(double)bytes / 1024, 30, 30, bytes, "30 + 30, switches never block"};
  const struct tny_jeannot_run run = {.method = TNY_JEANNOT_DIRECT,
                                      .n1 = point.n1,
                                      .n2 = point.n2,
                                      .bytes = bytes,
                                      .has_shared_buffers = true,
                                      .watch = options->watch};
  struct tny_jeannot_result result;
  const enum tny_status status = tny_jeannot_simulate(&run, &result, error);
  struct tny_finding finding = nothing_but(point.x, result.seconds);
  return status == TNY_OK ? add_line(&point, TNY_JEANNOT_DIRECT, &finding, findings, error)
                          : status;
}

static enum tny_status run_figure_4(const struct tny_reproduce_options *options,
                                    struct tny_findings *findings, struct tny_error *error)
{
  const uint64_t first = options->is_quick ? 1024 : 256, factor = options->is_quick ? 32 : 4;
  enum tny_status status = TNY_OK;
  for (uint64_t bytes = first; status == TNY_OK && bytes <= 16u << 20; bytes *= factor) {
    status = add_size(options, bytes, findings, error);
    if (status == TNY_OK)
      status = add_unblocked(options, bytes, findings, error);
  }
  return status;
}

/* The note of all three figures. */
#define SETTING                                                                                    \
  "From the paper: the nodes, a backbone of 10 Gbit/s, 1000 km (5 ms). Not in it, and assumed: "   \
  "gigabit Ethernet, 10 us for a message at either end; messages over 64 KiB wait for their "      \
  "receiver. Direct: all messages at once, as Open MPI had them. Switches have queues at their "   \
  "inputs and hold back what doesn't fit, instead of dropping it. What LG gains, it gains "        \
  "because "                                                                                       \
  "its messages hardly block each other: if none ever did, the direct exchange would be ahead, "   \
  "which sends less. "

const struct tny_reproduction tny_jeannot_figure_4 = {
    .paper = "jeannot2007",
    .name = "figure-4",
    .title = "All-to-all between two clusters over the size of a message",
    .unit = "s",
    .note = SETTING
    "As in the paper: equal for messages of one datagram, 40 to 60 % less time for long ones, and "
    "the direct exchange about the same on both pairs of clusters. Otherwise: LG gets ahead from "
    "about 16 to 64 KiB on, not from a datagram on, and by a factor of 2, not of up to 8. A factor "
    "of 8 "
    "takes time-outs, which we haven't.",
    .chart = {.x_title = "message, KiB", .y_title = "time, s", .x_is_log = true, .y_is_log = true},
    .run = run_figure_4,
};

/* --- figures 5 and 6 --- */

/* Both clusters grow; the first has one of `parts` parts of the processes. With all 60 processes LG
   is faster, and it has grown by less since the fewest ("the slopes are lower", 5.2). */
struct growth {
  uint32_t parts;
  uint64_t bytes;
  const char *name;
};

static enum tny_status add_growth(const struct tny_reproduce_options *options,
                                  const struct growth *growth, struct tny_findings *findings,
                                  struct tny_error *error)
{
  const uint32_t fewest = options->is_quick ? 30 : 6, step = options->is_quick ? 30 : 6, most = 60;
  double first[2] = {NAN, NAN};
  for (uint32_t nodes = fewest; nodes <= most; nodes += step) {
    const uint32_t n1 = nodes / growth->parts;
    const struct point point = {nodes, n1, nodes - n1, growth->bytes, growth->name};
    double seconds[2];
    enum tny_status status = find_seconds(options, &point, seconds, error);
    if (status != TNY_OK)
      return status;
    struct tny_finding direct = nothing_but(nodes, seconds[TNY_JEANNOT_DIRECT]);
    struct tny_finding local = nothing_but(nodes, seconds[TNY_JEANNOT_LG]);
    if (nodes == fewest) {
      first[TNY_JEANNOT_DIRECT] = direct.value;
      first[TNY_JEANNOT_LG] = local.value;
    }
    if (nodes == most)
      local.most =
          fmin(direct.value, first[TNY_JEANNOT_LG] * direct.value / first[TNY_JEANNOT_DIRECT]);
    status = add_line(&point, TNY_JEANNOT_DIRECT, &direct, findings, error);
    if (status == TNY_OK)
      status = add_line(&point, TNY_JEANNOT_LG, &local, findings, error);
    if (status != TNY_OK)
      return status;
  }
  return TNY_OK;
}

static enum tny_status run_growths(const struct tny_reproduce_options *options, uint32_t parts,
                                   struct tny_findings *findings, struct tny_error *error)
{
  const struct growth small = {parts, 64 * 1024, "64 kB"}, large = {parts, 512 * 1024, "512 kB"};
  const enum tny_status status = add_growth(options, &small, findings, error);
  return status == TNY_OK ? add_growth(options, &large, findings, error) : status;
}

static enum tny_status run_figure_5(const struct tny_reproduce_options *options,
                                    struct tny_findings *findings, struct tny_error *error)
{
  return run_growths(options, 2, findings, error);
}

static enum tny_status run_figure_6(const struct tny_reproduce_options *options,
                                    struct tny_findings *findings, struct tny_error *error)
{
  return run_growths(options, 3, findings, error);
}

#define GROWTH                                                                                     \
  "As in the paper, LG's time grows more slowly with the processes. Otherwise: with few "          \
  "processes "                                                                                     \
  "the backbone isn't full, and the direct exchange is ahead, with 64 kB up to about half of the " \
  "60; and LG with 512 kB doesn't pass the direct exchange with 64 kB, which takes the time-outs " \
  "that we haven't."

const struct tny_reproduction tny_jeannot_figure_5 = {
    .paper = "jeannot2007",
    .name = "figure-5",
    .title = "All-to-all between two clusters over the number of processes, n1 = n2",
    .unit = "s",
    .note = SETTING GROWTH,
    .chart = {.x_title = "processes", .y_title = "time, s", .y_is_log = true},
    .run = run_figure_5,
};

const struct tny_reproduction tny_jeannot_figure_6 = {
    .paper = "jeannot2007",
    .name = "figure-6",
    .title = "All-to-all between two clusters over the number of processes, n2 = 2 n1",
    .unit = "s",
    .note = SETTING GROWTH,
    .chart = {.x_title = "processes", .y_title = "time, s", .y_is_log = true},
    .run = run_figure_6,
};
