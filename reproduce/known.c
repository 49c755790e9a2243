/* The simulator against what others know: an independent simulator's times of random traffic on a
   torus, and how much a switch with input queues can pass. */
#include <stdio.h>
#include <time.h>

#include "reproduce/experiment.h"
#include "reproduce/known.h"
#include "reproduce/list.h"

static const struct tny_site_wanted torus = {.cluster = "torus:8x8"};

const struct tny_network_model tny_known_routers = {.buffering = TNY_BUFFER_CHANNELS,
                                                    .allocator = TNY_ALLOCATE_ISLIP,
                                                    .channels = 2,
                                                    .depth = 8,
                                                    .switch_cycles = 2,
                                                    .link_cycles = 4,
                                                    .inject_cycles = 2,
                                                    .eject_cycles = 3,
                                                    .credit_cycles = 3,
                                                    .inject_credit_cycles = 2,
                                                    .release_cycles = 1,
                                                    .ports = 1};

struct tny_finding tny_known_finding(double x, double value, double known)
{
  return (struct tny_finding){
      .x = x, .value = value, .low = NAN, .high = NAN, .paper = known, .least = NAN, .most = NAN};
}

/* --- without load --- */

/* Cycles from when rank 0 has a packet for rank 1 until its tail is taken. */
static enum tny_status time_packet(const struct tny_site *site, uint32_t flits, uint64_t *cycles,
                                   struct tny_error *error)
{
  struct tny_op ops[] = {
      {.kind = TNY_OP_SEND, .partner = 1, .bytes = flits, .phase = TNY_NONE, .behind = TNY_NONE},
      {.kind = TNY_OP_RECV, .partner = 0, .bytes = flits, .phase = TNY_NONE, .behind = TNY_NONE}};
  uint32_t first[] = {0, 1, 2};
  const struct tny_program program = {.rank_count = 2, .first = first, .ops = ops};
  const struct tny_host_model hosts = {.host_of_rank = site->host_of_rank, .flit_bytes = 1};
  struct tny_network_model network = tny_known_routers;
  network.routes = site->routes;
  struct tny_simulation *simulation;
  const enum tny_status status =
      tny_simulate(&network, &hosts, &program, NULL, &simulation, NULL, error);
  if (status != TNY_OK)
    return status;
  /* To the end of the cycle in which the tail comes, from before the one in which the head goes. */
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

/* --- under load --- */

enum { RUNS_MAX = 5 };

/* The median latency of some seeds. */
static enum tny_status find_latency(const struct tny_site *site,
                                    const struct tny_reproduce_options *options, double load,
                                    struct tny_spread *latency, struct tny_error *error)
{
  double latencies[RUNS_MAX];
  const size_t runs = options->is_quick ? 3 : RUNS_MAX;
  struct tny_network_model network = tny_known_routers;
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

/* --- speed --- */

static double now_s(void)
{
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static enum tny_status run_speed(const struct tny_reproduce_options *options,
                                 struct tny_findings *findings, struct tny_error *error)
{
  const struct tny_load traffic = {
      .load = 0.3, .packet_flits = 16, .warm_up_cycles = 2000, .measured_cycles = 20000};
  struct tny_network_model network = tny_known_routers;
  struct tny_site site;
  double best = 0;
  enum tny_status status = tny_site_open(&site, &torus, error);
  network.routes = site.routes;
  network.seed = options->seed;
  for (int run = 0; status == TNY_OK && run < RUNS_MAX; run++) {
    struct tny_load_report report;
    const double start = now_s();
    status = tny_simulate_load(&network, &traffic, &report, NULL, error);
    const double rate = status == TNY_OK ? (double)report.flit_hops / 1e6 / (now_s() - start) : 0;
    best = rate > best ? rate : best;
  }
  tny_site_close(&site);
  struct tny_finding finding = tny_known_finding(NAN, best, 0.61);
  finding.least = 6;
  snprintf(finding.series, sizeof finding.series, "8x8 torus");
  snprintf(finding.label, sizeof finding.label, "packets of 16, load 0.3");
  return status == TNY_OK ? tny_findings_add(findings, &finding, error) : status;
}

const struct tny_reproduction tny_jiang_speed = {
    .paper = "jiang2013",
    .name = "speed",
    .title = "How fast the simulators are",
    .unit = "million flits over trunks a second",
    .note =
        "On one core, by its own time; the best of five runs, for other work on the machine only "
        "slows down. BookSim's, measured, is on the machine of docs/simulator.md. 4 virtual "
        "channels.",
    .run = run_speed,
};

/* --- head-of-line blocking --- */

/* Karol, Hluchyj and Morgan, table I; 2 - sqrt 2 for ever more ports. */
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
