/* De Sensi and others, Swing: how far apart partners are, step by step. */
#include <stdio.h>

#include <tourney/papers.h>

#include "reproduce/desensi2024/desensi2024.h"
#include "reproduce/shared/sends.h"

static enum tny_status add_steps(const struct tny_swing_network *network,
                                 struct tny_findings *findings, struct tny_error *error)
{
  struct tny_swing_plan plan;
  struct tny_sends messages = {0};
  enum tny_status status = tny_swing_open(network, &plan, error);
  if (status == TNY_OK)
    status = tny_swing_plan(&plan, "swing", error);
  if (status == TNY_OK)
    status = tny_sends_list(plan.schedule, &messages, error);
  for (uint32_t step = 0; status == TNY_OK && step < messages.phase_count; step++) {
    char label[80];
    const uint32_t phase = messages.phase_count - 1 - step;
    struct tny_finding finding =
        tny_finding_exact(tny_sends_hops(&messages, phase, &plan.site.network),
                          (double)tny_desensi_distance(step / network->dimensions));
    finding.x = step;
    snprintf(label, sizeof label, "step %u of %u", step, messages.phase_count);
    status = tny_findings_add_as(findings, label, network->cluster, finding, error);
  }
  tny_sends_release(&messages);
  tny_swing_close(&plan);
  return status;
}

static enum tny_status run_distances(const struct tny_reproduce_options *options,
                                     struct tny_findings *findings, struct tny_error *error)
{
  (void)options;
  enum tny_status status = TNY_OK;
  for (const struct tny_swing_network *network = tny_swing_networks;
       status == TNY_OK && network->dimensions > 0; network++)
    status = add_steps(network, findings, error);
  return status;
}

const struct tny_reproduction tny_swing_distances = {
    .paper = "desensi2024",
    .name = "distances",
    .title = "How far apart partners are by Swing, step by step",
    .unit = "cables between switches",
    .note =
        "Counted in our all-gathers by the network's routes, and the same for all pairs of a step; "
        "step 0 is the last of an all-gather and the first of a reduce-scatter, of the nearest. "
        "Under paper is |rho(s)|, rho(s) = (1 - (-2)^(s+1)) / 3, on a torus with s divided by its "
        "dimensions, which take turns. Recursive doubling has 2^s.",
    .chart = {.x_title = "step", .y_title = "distance, cables", .y_is_log = true},
    .run = run_distances,
};
