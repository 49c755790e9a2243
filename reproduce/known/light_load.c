/* BookSim below saturation, on an 8x8 torus: what a packet alone takes, and latencies under random
   traffic. */
#include <stdio.h>

#include "reproduce/known/booksim.h"
#include "reproduce/known/known.h"
#include "reproduce/shared/experiment.h"

static const struct tny_site_wanted torus = {.cluster = "torus:8x8"};

/* Finds the cycles from when rank 0 has a packet for rank 1 until its tail has arrived. */
static enum tny_status time_packet(const struct tny_site *site, uint32_t flits, uint64_t *cycles,
                                   struct tny_error *error)
{
  struct tny_op ops[] = {
      {.kind = TNY_OP_SEND, .partner = 1, .bytes = flits, .phase = TNY_NONE, .behind = TNY_NONE},
      {.kind = TNY_OP_RECV, .partner = 0, .bytes = flits, .phase = TNY_NONE, .behind = TNY_NONE}};
  uint32_t first[] = {0, 1, 2};
  const struct tny_program program = {.rank_count = 2, .first = first, .ops = ops};
  const struct tny_host_model hosts = {.host_of_rank = site->host_of_rank, .flit_bytes = 1};
  struct tny_network_model network = tny_booksim_routers;
  network.routes = site->routes;
  struct tny_simulation *simulation;
  const enum tny_status status =
      tny_simulate(&network, &hosts, &program, NULL, &simulation, NULL, error);
  if (status != TNY_OK)
    return status;
  /* From the cycle in which the head leaves to the one in which the tail arrives; the simulation
     counts both of these. */
  *cycles = simulation->cycles - 1;
  tny_simulation_free(simulation);
  return TNY_OK;
}

static enum tny_status run_zero_load(const struct tny_reproduce_options *options,
                                     struct tny_findings *findings, struct tny_error *error)
{
  (void)options;
  struct tny_site site;
  enum tny_status status = tny_site_open(&site, &torus, error);
  for (uint32_t flits = 1; status == TNY_OK && flits <= 16; flits *= 4)
    for (uint32_t hops = 1; status == TNY_OK && hops <= 8; hops++) {
      uint64_t cycles = 0;
      site.host_of_rank[0] = 0;
      site.host_of_rank[1] = hops <= 4 ? hops : 4 + 8 * (hops - 4);
      status = time_packet(&site, flits, &cycles, error);
      struct tny_finding finding =
          tny_known_finding(hops, (double)cycles, 7 + 6.0 * hops + flits - 1);
      finding.least = finding.most = finding.paper;
      snprintf(finding.series, sizeof finding.series, "packets of %u", flits);
      snprintf(finding.label, sizeof finding.label, hops == 1 ? "1 hop" : "%u hops", hops);
      if (status == TNY_OK)
        status = tny_findings_add(findings, &finding, error);
    }
  tny_site_close(&site);
  return status;
}

const struct tny_reproduction tny_jiang_zero_load = {
    .paper = "jiang2013",
    .name = "zero-load",
    .title = "A packet alone on an 8x8 torus",
    .unit = "cycles",
    .note = "BookSim: 7 + (4 + 2) h + P - 1 cycles for a packet of P flits over h trunks.",
    .run = run_zero_load,
};

enum { RUNS_MAX = 5 };

/* Finds the median latency over some seeds. */
static enum tny_status find_latency(const struct tny_site *site,
                                    const struct tny_reproduce_options *options, double load,
                                    struct tny_spread *latency, struct tny_error *error)
{
  double latencies[RUNS_MAX];
  const size_t runs = options->is_quick ? 3 : RUNS_MAX;
  struct tny_network_model network = tny_booksim_routers;
  network.routes = site->routes;
  const struct tny_load traffic = {.load = load,
                                   .packet_flits = 4,
                                   .warm_up_cycles = 3000,
                                   .measured_cycles = options->is_quick ? 20000 : 50000};
  for (size_t i = 0; i < runs; i++) {
    struct tny_load_report report;
    network.seed = options->seed + i;
    const enum tny_status status = tny_simulate_load(&network, &traffic, &report, NULL, error);
    if (status != TNY_OK)
      return status;
    latencies[i] = report.latency;
  }
  *latency = tny_spread_of(latencies, runs);
  return TNY_OK;
}

static enum tny_status run_latency(const struct tny_reproduce_options *options,
                                   struct tny_findings *findings, struct tny_error *error)
{
  static const struct {
    double load, latency, tolerance;
  } known[] = {{0.01, 34.19, 0.03}, {0.1, 34.93, 0.03}, {0.3, 38.57, 0.03}, {0.5, 51.63, 0.06}};
  struct tny_site site;
  enum tny_status status = tny_site_open(&site, &torus, error);
  for (size_t i = 0; status == TNY_OK && i < sizeof known / sizeof *known; i++) {
    struct tny_spread latency = {0};
    status = find_latency(&site, options, known[i].load, &latency, error);
    struct tny_finding finding = tny_known_finding(known[i].load, latency.median, known[i].latency);
    finding.low = latency.low;
    finding.high = latency.high;
    finding.least = known[i].latency * (1 - known[i].tolerance);
    finding.most = known[i].latency * (1 + known[i].tolerance);
    snprintf(finding.series, sizeof finding.series, "packets of 4");
    snprintf(finding.label, sizeof finding.label, "load %g", known[i].load);
    if (status == TNY_OK)
      status = tny_findings_add(findings, &finding, error);
  }
  tny_site_close(&site);
  return status;
}

const struct tny_reproduction tny_jiang_latency = {
    .paper = "jiang2013",
    .name = "latency",
    .title = "Latency under uniform random traffic on an 8x8 torus",
    .unit = "cycles",
    .note = "BookSim 2.0, measured: dimension order, 4 virtual channels of 8 flits, iSLIP. Its "
            "pipeline is ours; nothing is fitted. 0.5 is near what the torus carries, so that runs "
            "differ by some per cent.",
    .chart = {.x_title = "load (flits a node and cycle)", .y_title = "latency (cycles)"},
    .run = run_latency,
};
