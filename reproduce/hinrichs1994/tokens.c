/* Our phases on the machine of Hinrichs and others 1994, beside the synchronizing switch. They are
   kept apart by tokens, or only by each rank's waiting for its own messages. */
#include <stdio.h>

#include "reproduce/hinrichs1994/hinrichs1994.h"

static const struct tny_hinrichs_method free_switch = {
    .title = "switch, 0 cycles a phase",
    .algorithm = "phases",
    .is_synchronizing = true,
    .ports = 1,
    .channels = 1,
};
static const struct tny_hinrichs_method busy_switch = {
    .title = "switch, 400 cycles a phase",
    .algorithm = "phases",
    .is_synchronizing = true,
    .phase_cycles = 400,
    .ports = 1,
    .channels = 1,
};
static const struct tny_hinrichs_method free_tokens = {
    .title = "tokens, 0 cycles a message",
    .algorithm = "planned-phases",
    .separation = TNY_SEPARATE_TOKENS,
    .ports = 2,
    .channels = 2,
};
/* The methods of figure 7, under titles that say what differs here. */
static const struct line {
  const struct tny_hinrichs_method *method;
  const char *title;
} lines[] = {
    {&free_switch, "switch, 0 cycles a phase"},
    {&busy_switch, "switch, 400 cycles a phase"},
    {&free_tokens, "tokens, 0 cycles a message"},
    {&tny_hinrichs_tokened, "tokens, 400 cycles a message"},
    {&tny_hinrichs_paced, "own pacing, 400 cycles a message"},
};
static const uint64_t sizes[] = {64, 256, 512, 1024, 2048, 4096, 16384, 0};
static const uint64_t sizes_quick[] = {512, 0};

static enum tny_status add_line(const struct line *line, const struct tny_hinrichs_curve *curve,
                                struct tny_findings *findings, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < curve->count; i++) {
    struct tny_finding finding = {.x = curve->bytes[i],
                                  .value = curve->rate[i],
                                  .low = NAN,
                                  .high = NAN,
                                  .paper = NAN,
                                  .least = NAN,
                                  .most = NAN};
    snprintf(finding.series, sizeof finding.series, "%s", line->title);
    snprintf(finding.label, sizeof finding.label, "blocks of %.0f bytes", curve->bytes[i]);
    status = tny_findings_add(findings, &finding, error);
  }
  return status;
}

static enum tny_status run_tokens(const struct tny_reproduce_options *options,
                                  struct tny_findings *findings, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < sizeof lines / sizeof *lines; i++) {
    struct tny_hinrichs_curve curve;
    status = tny_hinrichs_sweep(lines[i].method, options->is_quick ? sizes_quick : sizes, options,
                                &curve, error);
    if (status == TNY_OK)
      status = add_line(&lines[i], &curve, findings, error);
  }
  return status;
}

const struct tny_reproduction tny_hinrichs_tokens = {
    .paper = TNY_HINRICHS_KEY,
    .name = "tokens",
    .title = "Tourney's tokens in place of the synchronizing switch",
    .unit = "MB/s",
    .note =
        "Not in the paper. The machine of figure 7, with what a phase or message costs the node's "
        "processor made alike: the synchronizing switch in hardware, tokens in software, and "
        "planned phases that nothing keeps apart but each rank's waiting for its own send and "
        "receive. Tokens do what the switch does, as long as they are cheap: a rank sends 232 "
        "of them here, so that 400 cycles for each are more than the phases themselves.",
    .chart = {.x_title = "block, bytes", .y_title = "aggregate rate, MB/s", .x_is_log = true},
    .run = run_tokens,
};
