/* Tam, Wang: section 4.3, what head-of-line blocking takes of an exchange once the nodes are out of
   step. */
#include <stdio.h>

#include "reproduce/tam2000/tam2000.h"

enum { SEEDS = 3, PACKETS = 128 };

static const struct tny_tam_method narrow_group = {"group shuffle, fan-out 2", "group-shuffle:2",
                                                   2};

/* The synchronous shuffles come first, for the others are compared with them. */
enum { SHUFFLE_416, SHUFFLE_326, GROUP, NARROW, PAIRWISE, LINES };
static const struct {
  const char *title;
  const struct tny_tam_method *method;
  const struct tny_tam_switch *at;
} lines[LINES] = {
    [SHUFFLE_416] = {"synchronous shuffle, shared buffer", &tny_tam_shuffle, &tny_tam_416},
    [SHUFFLE_326] = {"synchronous shuffle", &tny_tam_shuffle, &tny_tam_326},
    [GROUP] = {"group shuffle, fan-out 5", &tny_tam_group, &tny_tam_326},
    [NARROW] = {"group shuffle, fan-out 2", &narrow_group, &tny_tam_326},
    [PAIRWISE] = {"pairwise", &tny_tam_pairwise, &tny_tam_326},
};

/* Finds the median over some draws of when each node begins. */
static enum tny_status find_rate(const struct tny_reproduce_options *options, size_t line,
                                 double late_us, struct tny_spread *rate, struct tny_error *error)
{
  const size_t seeds = options->is_quick || late_us == 0 ? 1 : SEEDS;
  double rates[SEEDS];
  for (size_t i = 0; i < seeds; i++) {
    const struct tny_host_noise late = {.start_spread_ns = 1e3 * late_us,
                                        .seed = options->seed + i};
    const struct tny_tam_run run = {.at = lines[line].at,
                                    .method = lines[line].method,
                                    .packets = PACKETS,
                                    .noise = &late,
                                    .watch = options->watch};
    double ns = 0;
    const enum tny_status status = tny_tam_time(&run, &ns, error);
    if (status != TNY_OK)
      return status;
    rates[i] = tny_tam_rate(PACKETS, ns);
  }
  *rate = tny_spread_of(rates, seeds);
  return TNY_OK;
}

/* Where nodes are in step, group shuffle is slightly slower than synchronous shuffle. Where they
   are out of step by two packets or more, synchronous shuffle is slower than on the shared buffer,
   and slower than methods with few partners in a round. */
static void set_limits(size_t line, double late_us, const double *rates,
                       struct tny_finding *finding)
{
  const double packet_us = TNY_TAM_GAP_NS / 1e3;
  if (late_us < packet_us && line == GROUP) {
    finding->least = 0.98 * rates[SHUFFLE_326];
    finding->most = rates[SHUFFLE_326];
  }
  if (late_us < 2 * packet_us)
    return;
  if (line == SHUFFLE_326)
    finding->most = rates[SHUFFLE_416];
  else if (line == NARROW || line == PAIRWISE)
    finding->least = rates[SHUFFLE_326];
}

static enum tny_status add_lateness(const struct tny_reproduce_options *options, double late_us,
                                    struct tny_findings *findings, struct tny_error *error)
{
  double rates[LINES];
  enum tny_status status = TNY_OK;
  for (size_t line = 0; status == TNY_OK && line < LINES; line++) {
    struct tny_spread rate;
    status = find_rate(options, line, late_us, &rate, error);
    if (status != TNY_OK)
      break;
    rates[line] = rate.median;
    struct tny_finding finding = {.x = late_us,
                                  .value = rate.median,
                                  .low = rate.low,
                                  .high = rate.high,
                                  .paper = NAN,
                                  .least = NAN,
                                  .most = NAN};
    set_limits(line, late_us, rates, &finding);
    snprintf(finding.series, sizeof finding.series, "%s", lines[line].title);
    snprintf(finding.label, sizeof finding.label, "begun up to %.0f us late", late_us);
    status = tny_findings_add(findings, &finding, error);
  }
  return status;
}

static enum tny_status run_section_4_3(const struct tny_reproduce_options *options,
                                       struct tny_findings *findings, struct tny_error *error)
{
  static const double few[] = {100, 500}, many[] = {0, 60, 120, 180, 250, 500, 1000, 2000};
  const double *late_us = options->is_quick ? few : many;
  const size_t count = options->is_quick ? sizeof few / sizeof *few : sizeof many / sizeof *many;
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < count; i++)
    status = add_lateness(options, late_us[i], findings, error);
  return status;
}

const struct tny_reproduction tny_tam_section_4_3 = {
    .paper = "tam2000",
    .name = "section-4-3",
    .title = "Bandwidth on queues at inputs where nodes are out of step, blocks of 128 packets",
    .unit = "MB/s a node",
    .note =
        "The paper has no figure for this, and doesn't say how far its nodes were out of step: "
        "here "
        "each begins up to so much late (median of 3 draws). Up to one packet (123 us) that costs "
        "nothing: the queues put the nodes in step again, and group shuffle is slightly under "
        "synchronous shuffle, as stated. Beyond, head-of-line blocking starts: synchronous shuffle "
        "settles at 15/16 of the rate on the switch with queues at its inputs, and loses nothing "
        "on "
        "the one with a shared buffer, as stated (4.2). Fewer partners a round keep ahead of it, "
        "which is what the paper has group shuffle for: with a fan-out of 2, and with pairs. But "
        "with the paper's fan-out of 5 ours is behind, at 3/4 of the rate. The paper judged by "
        "what ended at all (up to 512 packets a block for synchronous shuffle, 2304 for group "
        "shuffle): its switch drops what doesn't fit. Ours gives credits instead, so nothing is "
        "lost or sent again; every length ends, and blocking shows as bandwidth only.",
    .chart = {.x_title = "begun late by up to, us",
              .y_title = "bandwidth, MB/s a node",
              .y_from = 8},
    .run = run_section_4_3,
};
