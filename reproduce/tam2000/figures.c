/* Tam, Wang: figures 2 and 3, the bandwidth of exchanges over the length of a block. */
#include <stdio.h>

#include "reproduce/tam2000/tam2000.h"

/* A line of a figure. */
struct line {
  const struct tny_tam_method *method; /* NULL: the optimum, equation 2 */
  const struct tny_tam_switch *at;
};

static struct tny_finding nothing_but(double x, double value)
{
  return (struct tny_finding){
      .x = x, .value = value, .low = NAN, .high = NAN, .paper = NAN, .least = NAN, .most = NAN};
}

static uint32_t lengths(const struct tny_reproduce_options *options, const uint32_t **packets)
{
  static const uint32_t few[] = {4, 64, 256}, many[] = {4, 8, 16, 32, 64, 128, 256, 512, 768};
  *packets = options->is_quick ? few : many;
  return options->is_quick ? sizeof few / sizeof *few : sizeof many / sizeof *many;
}

static enum tny_status find_rate(const struct tny_reproduce_options *options,
                                 const struct line *line, uint32_t packets, double *rate,
                                 struct tny_error *error)
{
  const struct tny_tam_run run = {
      .at = line->at, .method = line->method, .packets = packets, .watch = options->watch};
  double ns = tny_tam_formula(&run);
  const enum tny_status status = line->method ? tny_tam_time(&run, &ns, error) : TNY_OK;
  *rate = tny_tam_rate(packets, ns);
  return status;
}

/* Each simulated point must meet the paper's equation. */
static struct tny_finding judge(const struct line *line, uint32_t packets, double rate)
{
  const struct tny_tam_run run = {.at = line->at, .method = line->method, .packets = packets};
  struct tny_finding finding = nothing_but(packets, rate);
  if (!line->method)
    return finding;
  finding.paper = tny_tam_rate(packets, tny_tam_formula(&run));
  finding.least = 0.98 * finding.paper;
  finding.most = 1.02 * finding.paper;
  return finding;
}

/* --- figure 2 --- */

enum { OPTIMUM, SHUFFLE, GROUP, PAIRWISE, SHIFT, LINES };
static const struct line lines[LINES] = {
    [OPTIMUM] = {NULL, &tny_tam_326},         [SHUFFLE] = {&tny_tam_shuffle, &tny_tam_326},
    [GROUP] = {&tny_tam_group, &tny_tam_326}, [PAIRWISE] = {&tny_tam_pairwise, &tny_tam_326},
    [SHIFT] = {&tny_tam_shift, &tny_tam_326},
};

/* The paper: "It can reach 97% of the available bandwidth in our tests." */
static enum tny_status add_share(double rate, struct tny_findings *findings,
                                 struct tny_error *error)
{
  struct tny_finding finding = nothing_but(NAN, rate);
  finding.paper = 0.97 * TNY_TAM_WIRE_RATE;
  finding.least = 0.96 * TNY_TAM_WIRE_RATE;
  finding.most = 0.98 * TNY_TAM_WIRE_RATE;
  snprintf(finding.series, sizeof finding.series, "%s", tny_tam_shuffle.title);
  snprintf(finding.label, sizeof finding.label, "97 %% of 100 Mbit/s, longest blocks");
  return tny_findings_add(findings, &finding, error);
}

/* From the fastest on: shuffle, group shuffle, which is "slightly less" (4.3), pairwise and
   shift. */
static void set_order(size_t line, const double *rates, struct tny_finding *finding)
{
  if (line == SHUFFLE || line == GROUP)
    finding->most = fmin(finding->most, rates[line - 1]);
  if (line == GROUP)
    finding->least = fmax(finding->least, 0.95 * rates[SHUFFLE]);
  if (line == PAIRWISE || line == SHIFT)
    finding->most = fmin(finding->most, rates[GROUP]);
}

static enum tny_status add_length(const struct tny_reproduce_options *options, uint32_t packets,
                                  double *rates, struct tny_findings *findings,
                                  struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < LINES; i++) {
    status = find_rate(options, &lines[i], packets, &rates[i], error);
    if (status != TNY_OK)
      break;
    struct tny_finding finding = judge(&lines[i], packets, rates[i]);
    set_order(i, rates, &finding);
    snprintf(finding.series, sizeof finding.series, "%s",
             lines[i].method ? lines[i].method->title : "optimum, equation 2");
    snprintf(finding.label, sizeof finding.label, "blocks of %u packets", packets);
    status = tny_findings_add(findings, &finding, error);
  }
  return status;
}

static enum tny_status run_figure_2(const struct tny_reproduce_options *options,
                                    struct tny_findings *findings, struct tny_error *error)
{
  const uint32_t *packets;
  const uint32_t count = lengths(options, &packets);
  double rates[LINES] = {0};
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; status == TNY_OK && i < count; i++)
    status = add_length(options, packets[i], rates, findings, error);
  return status == TNY_OK ? add_share(rates[SHUFFLE], findings, error) : status;
}

const struct tny_reproduction tny_tam_figure_2 = {
    .paper = "tam2000",
    .name = "figure-2",
    .title = "Bandwidth of complete exchanges, 16 nodes, input-buffered switch",
    .unit = "MB/s a node",
    .note =
        "Parameters are those of table 1: O_s, O_r + U_r of the processor for each packet of 1492 "
        "bytes, g of a packet on a link, L. Nothing is fitted. The paper's values are those of its "
        "equations 3 to 5; its measured points aren't in the text. g is 1492 bytes in 123 us, "
        "which "
        "are the 97 % of 100 Mbit/s that the synchronous shuffle reaches. Measured, shift and "
        "pairwise were poorer for short blocks than their equation, which ours meet, and pairwise "
        "was ahead of shift, by acknowledgements that ride along: ours have none.",
    .chart = {.x_title = "block, packets",
              .y_title = "bandwidth, MB/s a node",
              .x_is_log = true,
              .y_from = 8},
    .run = run_figure_2,
};

/* --- figure 3 --- */

enum { SHUFFLE_326, GROUP_326, SHUFFLE_416, GROUP_416, SWITCH_LINES };
static const struct line switch_lines[SWITCH_LINES] = {
    [SHUFFLE_326] = {&tny_tam_shuffle, &tny_tam_326},
    [GROUP_326] = {&tny_tam_group, &tny_tam_326},
    [SHUFFLE_416] = {&tny_tam_shuffle, &tny_tam_416},
    [GROUP_416] = {&tny_tam_group, &tny_tam_416},
};

static enum tny_status run_figure_3(const struct tny_reproduce_options *options,
                                    struct tny_findings *findings, struct tny_error *error)
{
  const uint32_t *packets;
  const uint32_t count = lengths(options, &packets);
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; i < count; i++) {
    double rates[SWITCH_LINES];
    for (size_t line = 0; status == TNY_OK && line < SWITCH_LINES; line++) {
      status = find_rate(options, &switch_lines[line], packets[i], &rates[line], error);
      if (status != TNY_OK)
        break;
      struct tny_finding finding = judge(&switch_lines[line], packets[i], rates[line]);
      /* Storing takes time where blocks are short, and hardly any where they are long (4.2). */
      if (line == GROUP_416)
        finding.most = fmin(finding.most, rates[GROUP_326]);
      if (line >= SHUFFLE_416 && packets[i] >= 64)
        finding.least = fmax(finding.least, 0.98 * rates[line - SHUFFLE_416]);
      snprintf(finding.series, sizeof finding.series, "%s, %s", switch_lines[line].method->title,
               switch_lines[line].at->title);
      snprintf(finding.label, sizeof finding.label, "blocks of %u packets", packets[i]);
      status = tny_findings_add(findings, &finding, error);
    }
  }
  return status;
}

const struct tny_reproduction tny_tam_figure_3 = {
    .paper = "tam2000",
    .name = "figure-3",
    .title = "Bandwidth of complete exchanges on two switches, 16 nodes",
    .unit = "MB/s a node",
    .note =
        "8275-326: virtual cut-through, queues at the inputs. 8275-416: store-and-forward, shared "
        "buffer. Parameters and the paper's values as in figure 2. Here all nodes begin at once "
        "and "
        "stay in step, so queues never block: the synchronous shuffle on the 416 then pays its "
        "latency, once, and has no gain from its buffer. That it was always ahead there, when "
        "measured, is in section-4-3.",
    .chart = {.x_title = "block, packets",
              .y_title = "bandwidth, MB/s a node",
              .x_is_log = true,
              .y_from = 8},
    .run = run_figure_3,
};
