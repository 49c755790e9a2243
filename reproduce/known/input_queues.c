/* A saturated switch with a queue at each input: what head-of-line blocking leaves of its rate
   (karol1987). */
#include <stdio.h>

#include "reproduce/known/known.h"
#include "reproduce/shared/experiment.h"

/* Karol, Hluchyj and Morgan, table I; the limit for many ports is 2 - sqrt 2. */
static const struct {
  uint32_t ports;
  double passed;
} limits[] = {{2, 0.75}, {4, 0.6553}, {8, 0.6184}, {256, 0.5858}, {1024, 0.5858}};

static enum tny_status run_blocking(const struct tny_reproduce_options *options,
                                    struct tny_findings *findings, struct tny_error *error)
{
  const struct tny_load traffic = {.load = 2,
                                   .packet_flits = 1,
                                   .warm_up_cycles = 1000,
                                   .measured_cycles = options->is_quick ? 2000 : 10000};
  const struct tny_network_model fifo = {.channels = 1, .depth = 8, .ports = 1};
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < sizeof limits / sizeof *limits; i++) {
    char cluster[32];
    struct tny_site site;
    struct tny_load_report report = {0};
    struct tny_network_model network = fifo;
    snprintf(cluster, sizeof cluster, "single:%u", limits[i].ports);
    const struct tny_site_wanted wanted = {.cluster = cluster};
    status = tny_site_open(&site, &wanted, error);
    network.routes = site.routes;
    network.seed = options->seed;
    if (status == TNY_OK)
      status = tny_simulate_load(&network, &traffic, &report, NULL, error);
    tny_site_close(&site);
    struct tny_finding finding =
        tny_known_finding(limits[i].ports, report.accepted, limits[i].passed);
    finding.least = limits[i].passed * (limits[i].ports < 256 ? 0.97 : 0.99);
    finding.most = limits[i].passed * (limits[i].ports < 256 ? 1.03 : 1.01);
    snprintf(finding.series, sizeof finding.series, "input queues");
    snprintf(finding.label, sizeof finding.label, "%u ports", limits[i].ports);
    if (status == TNY_OK)
      status = tny_findings_add(findings, &finding, error);
  }
  return status;
}

const struct tny_reproduction tny_karol_blocking = {
    .paper = "karol1987",
    .name = "blocking",
    .title = "What a switch with a queue at each input passes when all are full",
    .unit = "share of the links' rate",
    .note =
        "Packets of one flit for hosts drawn at random; the heads of queues that wait for a busy "
        "output block what is behind them. 2 - sqrt 2 of the links' rate for many ports.",
    .run = run_blocking,
};
