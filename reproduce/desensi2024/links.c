/* De Sensi and others, Swing: what links carry, by its distances and by our schedules. */
#include <stdio.h>

#include <tourney/papers.h>

#include "core/alloc.h"
#include "core/error.h"
#include "reproduce/desensi2024/desensi2024.h"
#include "reproduce/shared/sends.h"

/* What the cables between switches carry of an all-gather, each direction by itself, in units of
   all blocks together. */
struct load {
  double fullest; /* NAN: it isn't told */
  double cables;  /* that a byte crosses, on the mean */
};

/* Of a reduce-scatter's step: what a rank sends, as a share of all. */
static double share_of(uint32_t step)
{
  return 1.0 / (double)((uint64_t)2 << step);
}

static uint32_t count_steps(const struct tny_swing_network *network)
{
  uint32_t steps = 0;
  while ((uint32_t)1 << steps < network->side)
    steps++;
  return steps * network->dimensions;
}

/* By the published distances. In the t-th turn of a dimension even nodes send up it and odd ones
   down, or in the next turn the other way round, d(t) cables far; so of the links up, those from
   even nodes carry (d(t) + 1) / 2 messages of the first turn and (d(t) - 1) / 2 of the next, those
   from odd ones the other way round. The first dimension has the longest messages, and of its links
   those from even nodes. */
static struct load by_swing(const struct tny_swing_network *network)
{
  const uint32_t steps = count_steps(network);
  struct load load = {0, 0};
  double sent = 0;
  for (uint32_t step = 0; step < steps; step++) {
    const uint32_t turn = step / network->dimensions;
    const double distance = (double)tny_desensi_distance(turn);
    sent += share_of(step);
    load.cables += share_of(step) * distance;
    if (step % network->dimensions == 0)
      load.fullest += share_of(step) * (distance + (turn % 2 == 0 ? 1 : -1)) / 2;
  }
  load.cables /= sent;
  return load;
}

/* The same where partners are a power of two apart. */
static struct load by_doubling(const struct tny_swing_network *network)
{
  const uint32_t steps = count_steps(network);
  struct load load = {NAN, 0};
  double sent = 0;
  for (uint32_t step = 0; step < steps; step++) {
    sent += share_of(step);
    load.cables += share_of(step) * (double)((uint64_t)1 << step / network->dimensions);
  }
  load.cables /= sent;
  return load;
}

/* --- the messages --- */

static enum tny_status list_planned(const char *algorithm, struct tny_swing_plan *plan,
                                    struct tny_sends *sends, struct tny_error *error)
{
  const enum tny_status status = tny_swing_plan(plan, algorithm, error);
  return status == TNY_OK ? tny_sends_list(plan->schedule, sends, error) : status;
}

/* Recursive doubling, as Swing's authors compare it: the nearest partners exchange the most, and
   dimensions take turns. */
static enum tny_status list_doubling(const struct tny_swing_network *network, uint32_t rank_count,
                                     struct tny_sends *sends, struct tny_error *error)
{
  const uint32_t steps = count_steps(network), turns = steps / network->dimensions;
  *sends = (struct tny_sends){.rank_count = rank_count, .phase_count = steps};
  sends->list = tny_new((size_t)steps * rank_count, sizeof *sends->list);
  if (!sends->list)
    return tny_error_memory(error);
  for (uint32_t step = 0; step < steps; step++)
    for (uint32_t rank = 0; rank < rank_count; rank++) {
      /* A rank's coordinates are `turns` bits each. */
      const uint32_t bit = step % network->dimensions * turns + step / network->dimensions;
      sends->list[sends->count++] = (struct tny_sent){.from = rank,
                                                      .to = rank ^ (uint32_t)1 << bit,
                                                      .phase = steps - 1 - step,
                                                      .blocks = rank_count >> (step + 1)};
    }
  return TNY_OK;
}

static enum tny_status count(const struct tny_sends *sends, const struct tny_network *network,
                             struct load *load, struct tny_error *error)
{
  const struct tny_cluster *cluster = network->routes->cluster;
  const double all = sends->rank_count, sent = all * (all - 1);
  uint64_t *blocks = tny_new(cluster->link_count, sizeof *blocks);
  if (!blocks)
    return tny_error_memory(error);
  tny_sends_load(sends, network, blocks);
  *load = (struct load){0, 0};
  for (uint32_t i = 0; i < cluster->link_count; i++) {
    const struct tny_link *link = &cluster->links[i];
    if (link->from < cluster->host_count || link->to < cluster->host_count)
      continue;
    const double carried = (double)blocks[i];
    load->fullest = carried / all > load->fullest ? carried / all : load->fullest;
    load->cables += carried / sent;
  }
  tny_free(blocks);
  return TNY_OK;
}

/* --- beside each other --- */

static const struct method {
  const char *title;
  const char *algorithm;                                            /* NULL: no schedule of ours */
  struct load (*expected)(const struct tny_swing_network *network); /* NULL: nothing is */
} methods[] = {
    {"swing", "swing", by_swing},
    {"doubling, nearest most", NULL, by_doubling},
    {"recursive-doubling", "recursive-doubling", NULL},
    {"ring", "ring", NULL},
};
enum { METHODS = sizeof methods / sizeof *methods };

static struct tny_finding beside(double ours, double paper)
{
  const double rounding = 1e-9;
  struct tny_finding finding = tny_finding_of(ours);
  finding.paper = paper;
  finding.least = paper - rounding;
  finding.most = paper + rounding;
  return finding;
}

static enum tny_status add_load(const struct tny_swing_network *network,
                                const struct method *method, const struct load *ours,
                                struct tny_findings *findings, struct tny_error *error)
{
  const struct load paper = method->expected ? method->expected(network) : (struct load){NAN, NAN};
  char series[48];
  snprintf(series, sizeof series, "%s: fullest link", method->title);
  const enum tny_status status = tny_findings_add_as(findings, network->cluster, series,
                                                     beside(ours->fullest, paper.fullest), error);
  snprintf(series, sizeof series, "%s: cables a byte crosses", method->title);
  return status == TNY_OK ? tny_findings_add_as(findings, network->cluster, series,
                                                beside(ours->cables, paper.cables), error)
                          : status;
}

static enum tny_status run_method(const struct tny_swing_network *network,
                                  const struct method *method, struct tny_findings *findings,
                                  struct tny_error *error)
{
  struct tny_swing_plan plan;
  struct tny_sends sends = {0};
  struct load ours = {0, 0};
  enum tny_status status = tny_swing_open(network, &plan, error);
  if (status == TNY_OK)
    status = method->algorithm ? list_planned(method->algorithm, &plan, &sends, error)
                               : list_doubling(network, plan.site.rank_count, &sends, error);
  if (status == TNY_OK)
    status = count(&sends, &plan.site.network, &ours, error);
  tny_sends_release(&sends);
  tny_swing_close(&plan);
  return status == TNY_OK ? add_load(network, method, &ours, findings, error) : status;
}

static enum tny_status run_links(const struct tny_reproduce_options *options,
                                 struct tny_findings *findings, struct tny_error *error)
{
  (void)options;
  enum tny_status status = TNY_OK;
  for (const struct tny_swing_network *network = tny_swing_networks; network->dimensions > 0;
       network++)
    for (size_t i = 0; status == TNY_OK && i < METHODS; i++)
      status = run_method(network, &methods[i], findings, error);
  return status;
}

const struct tny_reproduction tny_swing_links = {
    .paper = "desensi2024",
    .name = "links",
    .title = "What links carry by Swing and others, on rings and tori",
    .unit = "all blocks together, or cables",
    .note =
        "All-gathers; a reduce-scatter is the same turned round, and an all-reduce is both. Bytes "
        "are "
        "counted on each link between switches, each direction by itself. The paper's table of "
        "congestion deficiencies couldn't be had; under paper is what follows from its distances, "
        "and for recursive doubling from powers of two, each step's message being half of the one "
        "before. How many cables a byte crosses, on the mean, is what all links would carry alike "
        "if "
        "2 d such exchanges, begun in different directions, used the 2 d ports of each node at "
        "once, "
        "against 1 for a ring of neighbours. As the side grows it comes to 1.2 by Swing and 1.5 by "
        "doubling on square tori, to 1.04 and 1.17 on cubes; on rings to 2/3 of doubling's, which "
        "grows without end. Our Swing is one of these exchanges, as hosts here have one port, so "
        "that most bytes go along one dimension. Our recursive-doubling, as an MPI's, keeps blocks "
        "in order and so sends the most to the farthest rank.",
    .run = run_links,
};
