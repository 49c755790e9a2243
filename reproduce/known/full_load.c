/* BookSim, and what links allow, under full load: the loop of credits, what a saturated network
   carries, and how long batches take. */
#include <stdio.h>

#include "reproduce/known/booksim.h"
#include "reproduce/known/known.h"
#include "reproduce/shared/experiment.h"

static const char *const names[] = {[TNY_TRAFFIC_UNIFORM] = "uniform",
                                    [TNY_TRAFFIC_TRANSPOSE] = "transpose",
                                    [TNY_TRAFFIC_TORNADO] = "tornado",
                                    [TNY_TRAFFIC_COMPLEMENT] = "bit complement",
                                    [TNY_TRAFFIC_HOTSPOT] = "hotspot"};
enum { TRAFFIC_COUNT = sizeof names / sizeof *names };

/* Networks of 64 nodes with 4 virtual channels a link. A mesh's links are half as long. */
static const struct {
  const char *title;
  struct tny_site_wanted site;
  uint32_t channels, link_cycles, credit_cycles;
} networks[] = {
    {"torus, dateline", {.cluster = "torus:8x8"}, 2, 4, 3},
    {"torus, balanced",
     {.cluster = "torus:8x8", .routing = TNY_ROUTING_DIMENSION_ORDER_BALANCED},
     2,
     4,
     3},
    {"mesh", {.cluster = "mesh:8x8"}, 4, 3, 2},
};
enum { NETWORK_COUNT = sizeof networks / sizeof *networks };

static struct tny_network_model model_of(size_t network, const struct tny_site *site, uint64_t seed)
{
  struct tny_network_model model = tny_booksim_routers;
  model.routes = site->routes;
  model.channels = networks[network].channels;
  model.link_cycles = networks[network].link_cycles;
  model.credit_cycles = networks[network].credit_cycles;
  model.seed = seed;
  return model;
}

/* --- the loop of credits --- */

static enum tny_status run_credit_loop(const struct tny_reproduce_options *options,
                                       struct tny_findings *findings, struct tny_error *error)
{
  static const struct {
    uint32_t packets, flits, channels, depth;
    uint64_t cycles;
    bool is_measured; /* else worked out from its rules */
  } cases[] = {
      {10, 1024, 2, 4, 17936, true},  {10, 1024, 2, 6, 11986, true},
      {10, 1024, 2, 7, 10286, true},  {10, 1024, 1, 4, 17972, false},
      {10, 1024, 1, 5, 14384, false}, {10, 1024, 1, 6, 12004, false},
      {10, 1024, 1, 7, 10304, false}, {100, 16, 1, 4, 3212, false},
      {100, 16, 1, 5, 2714, false},   {100, 16, 1, 6, 2314, false},
      {100, 16, 1, 7, 2114, false},
  };
  struct tny_site site;
  enum tny_status status =
      tny_site_open(&site, &(struct tny_site_wanted){.cluster = "torus:4x4"}, error);
  for (size_t i = 0; status == TNY_OK && i < sizeof cases / sizeof *cases; i++) {
    struct tny_network_model model = model_of(0, &site, options->seed);
    const struct tny_load batch = {.traffic = TNY_TRAFFIC_TORNADO,
                                   .packet_flits = cases[i].flits,
                                   .batch_packets = cases[i].packets};
    const double cycles = (double)cases[i].cycles;
    struct tny_load_report report;
    model.channels = cases[i].channels;
    model.depth = cases[i].depth;
    status = tny_simulate_load(&model, &batch, &report, NULL, error);
    struct tny_finding finding = tny_known_finding(cases[i].depth, (double)report.batch_cycles,
                                                   cases[i].is_measured ? cycles : NAN);
    finding.least = finding.most = cycles;
    snprintf(finding.series, sizeof finding.series, "%u virtual channels, %u x %u",
             2 * cases[i].channels, cases[i].packets, cases[i].flits);
    snprintf(finding.label, sizeof finding.label, "%u flits", cases[i].depth);
    if (status == TNY_OK)
      status = tny_findings_add(findings, &finding, error);
  }
  tny_site_close(&site);
  return status;
}

const struct tny_reproduction tny_jiang_credit_loop = {
    .paper = "jiang2013",
    .name = "credit-loop",
    .title = "One flow a link: how long the room of a flit is taken",
    .unit = "cycles",
    .note =
        "Packets times their flits from each node of a 4x4 torus by the tornado pattern, by "
        "the depth of buffers. BookSim 2.0: measured where its figure is given; elsewhere the "
        "limits are what its rules come to, cycle by cycle, as read in its sources. The room is "
        "taken for 7 cycles: 4 of the flit on its way, 3 of the credit. A virtual channel is "
        "given again a cycle after a tail has left by it, which shows where a lane has one.",
    .run = run_credit_loop,
};

/* --- saturation --- */

static uint64_t measured_cycles(const struct tny_reproduce_options *options)
{
  return options->is_quick ? 5000 : 20000;
}

/* Finds what the network carries where hosts always have a packet waiting. */
static enum tny_status saturate(const struct tny_reproduce_options *options,
                                const struct tny_network_model *model, struct tny_load load,
                                double *accepted, struct tny_error *error)
{
  struct tny_load_report report;
  load.load = 2;
  load.warm_up_cycles = 5000;
  load.measured_cycles = measured_cycles(options);
  const enum tny_status status = tny_simulate_load(model, &load, &report, NULL, error);
  *accepted = report.accepted;
  return status;
}

/* What BookSim carries, measured, where that is known. */
static const struct {
  uint32_t channels, flits;
  double known;
} uniform[] = {{1, 1, 0.213}, {2, 1, 0.421}, {1, 16, NAN},
               {2, 16, NAN},  {1, 64, NAN},  {2, 64, NAN}};

static enum tny_status run_uniform(size_t network, const struct tny_reproduce_options *options,
                                   struct tny_findings *findings, struct tny_error *error)
{
  struct tny_site site;
  enum tny_status status = tny_site_open(&site, &networks[network].site, error);
  for (size_t i = 0; status == TNY_OK && i < sizeof uniform / sizeof *uniform; i++) {
    struct tny_network_model model = model_of(network, &site, options->seed);
    const struct tny_load load = {.packet_flits = uniform[i].flits};
    struct tny_finding finding = tny_known_finding(uniform[i].flits, NAN, uniform[i].known);
    model.channels = uniform[i].channels;
    finding.least = network == 0 ? 0.87 * uniform[i].known : uniform[i].known;
    finding.most = network == 0 ? uniform[i].known : 1;
    snprintf(finding.series, sizeof finding.series, "%s", networks[network].title);
    snprintf(finding.label, sizeof finding.label, "uniform, %u x %u, packets of %u", 2,
             uniform[i].channels, uniform[i].flits);
    status = saturate(options, &model, load, &finding.value, error);
    if (status == TNY_OK)
      status = tny_findings_add(findings, &finding, error);
  }
  tny_site_close(&site);
  return status;
}

static enum tny_status run_patterns(size_t network, const struct tny_reproduce_options *options,
                                    struct tny_findings *findings, struct tny_error *error)
{
  struct tny_site site;
  enum tny_status status = tny_site_open(&site, &networks[network].site, error);
  for (int traffic = 0; status == TNY_OK && traffic < TRAFFIC_COUNT; traffic++) {
    const struct tny_network_model model = model_of(network, &site, options->seed);
    const struct tny_load load = {.traffic = (enum tny_traffic)traffic, .packet_flits = 16};
    struct tny_finding finding = tny_known_finding(16, NAN, NAN);
    double link_load = 1;
    status = tny_traffic_link_load(site.routes, load.traffic, &link_load, error);
    /* Where every host must send as much as any other, their fullest link limits all; under
       permutations other flows go on when it is full. A packet counts as a whole when its tail
       arrives, and the four of a link's channels may be there in part when measuring begins. */
    if (traffic == TNY_TRAFFIC_UNIFORM || traffic == TNY_TRAFFIC_HOTSPOT)
      finding.most = (1 + 4 * 16.0 / (double)measured_cycles(options)) / link_load;
    snprintf(finding.series, sizeof finding.series, "%s", networks[network].title);
    snprintf(finding.label, sizeof finding.label, "%s, packets of 16", names[traffic]);
    if (status == TNY_OK)
      status = saturate(options, &model, load, &finding.value, error);
    if (status == TNY_OK)
      status = tny_findings_add(findings, &finding, error);
  }
  tny_site_close(&site);
  return status;
}

static enum tny_status run_saturation(const struct tny_reproduce_options *options,
                                      struct tny_findings *findings, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (size_t network = 0; status == TNY_OK && network < 2; network++)
    status = run_uniform(network, options, findings, error);
  for (size_t network = 0; status == TNY_OK && network < NETWORK_COUNT; network++)
    status = run_patterns(network, options, findings, error);
  return status;
}

const struct tny_reproduction tny_jiang_saturation = {
    .paper = "jiang2013",
    .name = "saturation",
    .title = "What networks of 64 nodes carry when all hosts always have a packet waiting",
    .unit = "flits a node and cycle",
    .note = "The mean of all nodes. BookSim 2.0, measured, for packets of 1 flit; its lanes are by "
            "whether a message wraps on its ring at all, which is between our two. Lanes times "
            "channels of 8 flits; the patterns with 4 virtual channels. Packets for their own host "
            "are among them, as on the diagonal of transpose.",
    .run = run_saturation,
};

/* --- batches --- */

static enum tny_status run_batches(size_t network, const struct tny_reproduce_options *options,
                                   struct tny_findings *findings, struct tny_error *error)
{
  static const uint32_t sizes[] = {16, 64};
  enum { FLITS = 1600 };
  struct tny_site site;
  enum tny_status status = tny_site_open(&site, &networks[network].site, error);
  for (int traffic = 0; status == TNY_OK && traffic < TRAFFIC_COUNT; traffic++)
    for (size_t i = 0; status == TNY_OK && i < sizeof sizes / sizeof *sizes; i++) {
      const struct tny_network_model model = model_of(network, &site, options->seed);
      const struct tny_load batch = {.traffic = (enum tny_traffic)traffic,
                                     .packet_flits = sizes[i],
                                     .batch_packets = FLITS / sizes[i]};
      struct tny_load_report report = {0};
      double link_load = 1;
      status = tny_traffic_link_load(site.routes, batch.traffic, &link_load, error);
      if (status == TNY_OK)
        status = tny_simulate_load(&model, &batch, &report, NULL, error);
      struct tny_finding finding = tny_known_finding(sizes[i], (double)report.batch_cycles, NAN);
      /* Uniform traffic is random: its fullest link is so full only on average. */
      if (traffic != TNY_TRAFFIC_UNIFORM)
        finding.least = FLITS * link_load;
      if (traffic == TNY_TRAFFIC_COMPLEMENT && site.cluster->shape.wraps)
        finding.most = 1.08 * finding.least;
      snprintf(finding.series, sizeof finding.series, "%s", networks[network].title);
      snprintf(finding.label, sizeof finding.label, "%s, %u x %u", names[traffic], FLITS / sizes[i],
               sizes[i]);
      if (status == TNY_OK)
        status = tny_findings_add(findings, &finding, error);
    }
  tny_site_close(&site);
  return status;
}

static enum tny_status run_batch(const struct tny_reproduce_options *options,
                                 struct tny_findings *findings, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (size_t network = 0; status == TNY_OK && network < NETWORK_COUNT; network++)
    status = run_batches(network, options, findings, error);
  return status;
}

const struct tny_reproduction tny_jiang_batch = {
    .paper = "jiang2013",
    .name = "batch",
    .title = "How long a batch of 1,600 flits a node takes on networks of 64 nodes",
    .unit = "cycles",
    .note = "Packets times their flits; 4 virtual channels of 8 flits. At least what the fullest "
            "link takes for the flits that go over it. Two flows meet there under bit complement "
            "on a torus, and share it evenly; where many meet one after the other, as on a mesh, "
            "turns at each switch leave the farthest the least, and it is the last. Tornado fills "
            "rings so that what goes on and what begins hold each other up: there lanes tell.",
    .run = run_batch,
};
