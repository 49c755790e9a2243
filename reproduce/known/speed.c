/* How fast our simulator is, beside BookSim. bench/simulate_speed.c measures it over the network's
   size. */
#include <stdio.h>
#include <time.h>

#include "reproduce/known/booksim.h"
#include "reproduce/known/known.h"
#include "reproduce/shared/experiment.h"

enum { RUNS = 5 };

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
  struct tny_network_model network = tny_booksim_routers;
  struct tny_site site;
  double best = 0;
  enum tny_status status =
      tny_site_open(&site, &(struct tny_site_wanted){.cluster = "torus:8x8"}, error);
  network.routes = site.routes;
  network.seed = options->seed;
  for (int run = 0; status == TNY_OK && run < RUNS; run++) {
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
