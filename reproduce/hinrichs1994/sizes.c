/* Hinrichs and others 1994, figures 7 and 8: the rate of all-to-alls over the size of a block. */
#include <stdio.h>

#include "reproduce/hinrichs1994/hinrichs1994.h"

static const uint64_t sizes[] = {64, 256, 512, 1024, 1536, 2048, 4096, 8192, 16384, 0};
static const uint64_t sizes_quick[] = {512, 1536, 0};
static const uint64_t sizes_long[] = {512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 0};

/* A line of a figure. */
struct line {
  const struct tny_hinrichs_method *method;
  double paper, least, most; /* of its last point, in MB/s: what the text says of long blocks */
};

static enum tny_status add_line(const struct line *line, const struct tny_hinrichs_curve *curve,
                                struct tny_findings *findings, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < curve->count; i++) {
    const bool is_last = i + 1 == curve->count;
    struct tny_finding finding = {.x = curve->bytes[i],
                                  .value = curve->rate[i],
                                  .low = NAN,
                                  .high = NAN,
                                  .paper = is_last ? line->paper : NAN,
                                  .least = is_last ? line->least : NAN,
                                  .most = is_last ? line->most : NAN};
    snprintf(finding.series, sizeof finding.series, "%s", line->method->title);
    snprintf(finding.label, sizeof finding.label, "blocks of %.0f bytes", curve->bytes[i]);
    status = tny_findings_add(findings, &finding, error);
  }
  return status;
}

/* --- figure 7 --- */

/* The paper says, of phased: "exceeded 2 GigaBytes/sec or 80%" (abstract); of message passing:
   "operates at 500 MB/s, about 20% of optimal"; of store and forward: "approaches 800 MB/s, about
   30%"; of two-stage: "at most half", and the same limit as store and forward (4.1); and of the
   order of the phases: "about the same as [..] a random schedule" (3). */
static const struct line lines[] = {
    {&tny_hinrichs_local, 2048, 0.8 * TNY_HINRICHS_PEAK, NAN},
    {&tny_hinrichs_in_order, 500, 0.15 * TNY_HINRICHS_PEAK, 0.25 * TNY_HINRICHS_PEAK},
    {&tny_hinrichs_messages, 500, NAN, NAN},
    {&tny_hinrichs_forward, 800, 0.25 * TNY_HINRICHS_PEAK, 0.35 * TNY_HINRICHS_PEAK},
    {&tny_hinrichs_stages, 800, NAN, 0.5 * TNY_HINRICHS_PEAK},
    {&tny_hinrichs_eager, NAN, NAN, NAN},
    {&tny_hinrichs_tokened, NAN, NAN, NAN},
    {&tny_hinrichs_paced, NAN, NAN, NAN},
};
enum { LINES = sizeof lines / sizeof *lines, RANDOM = 2, ORDERED = 5 };
enum { RIVAL_FIRST = 1, RIVALS_END = ORDERED };
static const double ahead_from = 1536; /* "greater than 1500 bytes" */

/* Returns the phased rate over the best of the paper's other methods. */
static double lead(const struct tny_hinrichs_curve *curves, size_t at)
{
  double best = 0;
  for (size_t line = RIVAL_FIRST; line < RIVALS_END; line++)
    if (curves[line].rate[at] > best)
      best = curves[line].rate[at];
  return curves[0].rate[at] / best;
}

/* Returns the size from which on phased is the fastest, interpolated between points. */
static double crossing(const struct tny_hinrichs_curve *curves, size_t count)
{
  size_t at = count - 1;
  if (lead(curves, at) < 1)
    return NAN;
  while (at > 0 && lead(curves, at - 1) >= 1)
    at--;
  if (at == 0)
    return curves[0].bytes[0];
  const double before = lead(curves, at - 1), after = lead(curves, at);
  const double from = log2(curves[0].bytes[at - 1]), to = log2(curves[0].bytes[at]);
  return exp2(from + (to - from) * (1 - before) / (after - before));
}

static enum tny_status add_leads(const struct tny_hinrichs_curve *curves, size_t count,
                                 struct tny_findings *findings, struct tny_error *error)
{
  struct tny_finding finding = {.series = "blocks from which phased leads, bytes",
                                .x = NAN,
                                .value = crossing(curves, count),
                                .low = NAN,
                                .high = NAN,
                                .paper = 1500,
                                .least = NAN,
                                .most = ahead_from};
  enum tny_status status = tny_findings_add(findings, &finding, error);
  for (size_t i = 0; status == TNY_OK && i < count; i++) {
    finding.value = lead(curves, i);
    finding.paper = NAN;
    finding.least = curves[0].bytes[i] < ahead_from ? NAN : 1;
    finding.most = NAN;
    snprintf(finding.series, sizeof finding.series, "phased over the best other, times");
    snprintf(finding.label, sizeof finding.label, "blocks of %.0f bytes", curves[0].bytes[i]);
    status = tny_findings_add(findings, &finding, error);
  }
  return status;
}

/* The paper: "about the same as the performance following a random schedule" (3). */
static enum tny_status add_likeness(const struct tny_hinrichs_curve *curves, size_t at,
                                    struct tny_findings *findings, struct tny_error *error)
{
  struct tny_finding finding = {.series = "order of the phases over random, times",
                                .x = NAN,
                                .value = curves[ORDERED].rate[at] / curves[RANDOM].rate[at],
                                .low = NAN,
                                .high = NAN,
                                .paper = 1,
                                .least = 0.8,
                                .most = 1.25};
  snprintf(finding.label, sizeof finding.label, "blocks of %.0f bytes", curves[RANDOM].bytes[at]);
  return tny_findings_add(findings, &finding, error);
}

static enum tny_status run_figure_7(const struct tny_reproduce_options *options,
                                    struct tny_findings *findings, struct tny_error *error)
{
  static const uint64_t sizes_phased[] = {512, 1536, 12288, 0};
  struct tny_hinrichs_curve curves[LINES];
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < LINES; i++) {
    const uint64_t *quick = i == 0 ? sizes_phased : sizes_quick;
    status = tny_hinrichs_sweep(lines[i].method, options->is_quick ? quick : sizes, options,
                                &curves[i], error);
    if (status == TNY_OK)
      status = add_line(&lines[i], &curves[i], findings, error);
  }
  if (status == TNY_OK)
    status = add_likeness(curves, curves[RANDOM].count - 1, findings, error);
  return status == TNY_OK ? add_leads(curves, curves[RANDOM].count, findings, error) : status;
}

const struct tny_reproduction tny_hinrichs_figure_7 = {
    .paper = TNY_HINRICHS_KEY,
    .name = "figure-7",
    .title = "All-to-all on an iWarp of 8 x 8, by method and size",
    .unit = "MB/s",
    .note =
        "A torus in wormhole switching; a flit is a word of 4 bytes, above 4096 bytes four. From "
        "the paper: 20 MHz, 2 cycles a word and link, 4 a hop, routes by dimension with "
        "date-lines on two pools (3.1, 4); message passing takes 400 cycles a message (3.1), "
        "and moves one in and one out at a time, as table 1's nearest neighbours call for; "
        "store and forward moves two in and two out, which is what memory allows (4.1). "
        "Fitted, once: 1180 cycles from the tails of a phase to the next, by the 184,400 "
        "cycles of two transposes (4.4). Copying is free. Message passing as figure 6 has it, a "
        "loop over the ranks, gets the paper's fifth of the peak; random orders, which the paper "
        "speaks of as well (1), get a quarter, and so does the order of the phases. Tourney's "
        "lines do without a synchronizing switch: phases are kept apart by tokens, or by nothing "
        "but each rank's waiting for its own send and receive, at 400 cycles for each message and "
        "token, and with twice the pools, as tokens wait behind data in one pool; with these, "
        "random orders of messages would get 37 %.",
    .chart = {.x_title = "block, bytes", .y_title = "aggregate rate, MB/s", .x_is_log = true},
    .run = run_figure_7,
};

/* --- figure 8 --- */

static enum tny_status add_meetings(const struct tny_hinrichs_curve *local,
                                    const struct tny_hinrichs_curve *global, bool is_whole,
                                    struct tny_findings *findings, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < local->count; i++) {
    const bool is_last = is_whole && i + 1 == local->count;
    struct tny_finding finding = {.series = "local over global, times",
                                  .x = NAN,
                                  .value = local->rate[i] / global->rate[i],
                                  .low = NAN,
                                  .high = NAN,
                                  .paper = is_last ? 1 : NAN,
                                  .least = 1,
                                  .most = is_last ? 1.1 : NAN};
    snprintf(finding.label, sizeof finding.label, "blocks of %.0f bytes", local->bytes[i]);
    status = tny_findings_add(findings, &finding, error);
  }
  return status;
}

static enum tny_status run_figure_8(const struct tny_reproduce_options *options,
                                    struct tny_findings *findings, struct tny_error *error)
{
  static const struct line pair[] = {{&tny_hinrichs_local, NAN, NAN, NAN},
                                     {&tny_hinrichs_global, NAN, NAN, NAN}};
  struct tny_hinrichs_curve curves[2];
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < 2; i++) {
    status = tny_hinrichs_sweep(pair[i].method, options->is_quick ? sizes_quick : sizes_long,
                                options, &curves[i], error);
    if (status == TNY_OK)
      status = add_line(&pair[i], &curves[i], findings, error);
  }
  return status == TNY_OK
             ? add_meetings(&curves[0], &curves[1], !options->is_quick, findings, error)
             : status;
}

const struct tny_reproduction tny_hinrichs_figure_8 = {
    .paper = TNY_HINRICHS_KEY,
    .name = "figure-8",
    .title = "Phases kept apart locally and globally, by size",
    .unit = "MB/s",
    .note =
        "The machine of figure 7. How long the global barrier takes, the paper doesn't say, only "
        "that the best one known takes O(n) steps: ours takes 2400 cycles, the six rounds of "
        "400-cycle messages in which 64 nodes can do it, and which the best can't exceed. A "
        "phase begins 1180 cycles after it.",
    .chart = {.x_title = "block, bytes", .y_title = "aggregate rate, MB/s", .x_is_log = true},
    .run = run_figure_8,
};
