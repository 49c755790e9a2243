/* De Sensi and others, Bine trees: the bytes on the cables between a dragonfly's groups, by our
   schedules and this network's routes, where ranks fill the groups unevenly. */
#include <stdio.h>

#include <tourney/verify.h>

#include "core/alloc.h"
#include "core/error.h"
#include "reproduce/desensi2025/desensi2025.h"
#include "reproduce/shared/experiment.h"

enum { FLY_GROUPS = 8, GROUP_SWITCHES = 4, SWITCH_HOSTS = 8, GROUP_HOSTS = 32, PAIRS = 3 };

/* By the second of them Bine's is judged. */
static const struct pair {
  const char *title;
  enum tny_collective collective;
  const char *bine, *other;
} pairs[PAIRS] = {
    {"broadcast, against binomial", TNY_BROADCAST, "bine", "binomial"},
    {"all-gather, against combining", TNY_ALLGATHER, "bine", "combining"},
    {"all-gather, against recursive-doubling", TNY_ALLGATHER, "bine", "recursive-doubling"},
};

/* Jobs that are drawn. */
struct drawn {
  uint32_t rank_count;
  size_t count;
  uint64_t seed;
};

/* Ranks on some of the dragonfly's hosts. */
struct job {
  struct tny_site site; /* all hosts */
  uint32_t rank_count;
  uint32_t *host_of_rank; /* rank_count */
  uint64_t *load_bytes;   /* of each link */
};

static enum tny_status open_job(uint32_t rank_count, struct job *job, struct tny_error *error)
{
  char cluster[64];
  *job = (struct job){.rank_count = rank_count};
  snprintf(cluster, sizeof cluster, "dragonfly:%ux%ux%u,global=2", FLY_GROUPS, GROUP_SWITCHES,
           SWITCH_HOSTS);
  const struct tny_site_wanted wanted = {.cluster = cluster, .routing = TNY_ROUTING_SHORTEST_LANES};
  const enum tny_status status = tny_site_open(&job->site, &wanted, error);
  if (status != TNY_OK)
    return status;
  job->host_of_rank = tny_new(rank_count, sizeof *job->host_of_rank);
  job->load_bytes = tny_new(job->site.cluster->link_count, sizeof *job->load_bytes);
  return job->host_of_rank && job->load_bytes ? TNY_OK : tny_error_memory(error);
}

static void close_job(struct job *job)
{
  tny_free(job->host_of_rank);
  tny_free(job->load_bytes);
  tny_site_close(&job->site);
}

/* Draws how many ranks each group has, at least one; all sizes that fit are equally likely. They
   are on the first hosts of their group. */
static void draw_hosts(struct job *job, uint64_t *random)
{
  uint32_t ends[FLY_GROUPS];
  bool fits = false;
  while (!fits) {
    tny_bine_draw_ends(job->rank_count, FLY_GROUPS - 1, random, ends);
    ends[FLY_GROUPS - 1] = job->rank_count;
    fits = true;
    for (uint32_t group = 0; group < FLY_GROUPS; group++)
      fits = fits && ends[group] - (group > 0 ? ends[group - 1] : 0) <= GROUP_HOSTS;
  }
  for (uint32_t rank = 0, group = 0; rank < job->rank_count; rank++) {
    group += rank == ends[group];
    const uint32_t first = group > 0 ? ends[group - 1] : 0;
    job->host_of_rank[rank] = group * GROUP_HOSTS + rank - first;
  }
}

/* A switch's group, TNY_NONE for a host. */
static uint32_t group_of(const struct tny_cluster *cluster, uint32_t node)
{
  return node < cluster->host_count ? TNY_NONE : (node - cluster->host_count) / GROUP_SWITCHES;
}

/* The bytes on all cables between groups, where a block has one. */
static enum tny_status count_global(const struct tny_schedule *schedule, struct job *job,
                                    double *bytes, struct tny_error *error)
{
  const struct tny_cluster *cluster = job->site.cluster;
  const struct tny_network network = {job->site.routes, job->host_of_rank, job->rank_count};
  const enum tny_status status = tny_verify_load(schedule, &network, 1, job->load_bytes, error);
  *bytes = 0;
  for (uint32_t link = 0; status == TNY_OK && link < cluster->link_count; link++) {
    const uint32_t from = group_of(cluster, cluster->links[link].from);
    const uint32_t to = group_of(cluster, cluster->links[link].to);
    if (from != TNY_NONE && to != TNY_NONE && from != to)
      *bytes += (double)job->load_bytes[link];
  }
  return status;
}

/* What is saved in each of `draws` jobs. Ranks are planned for by their numbers alone. */
static enum tny_status find_reductions(const struct pair *pair, const struct drawn *drawn,
                                       double *reductions, struct tny_error *error)
{
  struct job job;
  struct tny_schedule *bine = NULL, *other = NULL;
  uint64_t random = drawn->seed;
  enum tny_status status = open_job(drawn->rank_count, &job, error);
  if (status == TNY_OK)
    status = tny_bine_plan(pair->collective, pair->bine, drawn->rank_count, &bine, error);
  if (status == TNY_OK)
    status = tny_bine_plan(pair->collective, pair->other, drawn->rank_count, &other, error);
  for (size_t draw = 0; status == TNY_OK && draw < drawn->count; draw++) {
    double by_bine, by_other;
    draw_hosts(&job, &random);
    status = count_global(bine, &job, &by_bine, error);
    if (status == TNY_OK)
      status = count_global(other, &job, &by_other, error);
    if (status == TNY_OK)
      reductions[draw] = 100 * (by_other - by_bine) / by_other;
  }
  tny_schedule_free(bine);
  tny_schedule_free(other);
  close_job(&job);
  return status;
}

static enum tny_status add_pair(const struct pair *pair, const struct drawn *drawn,
                                struct tny_findings *findings, struct tny_error *error)
{
  double *reductions = tny_new(drawn->count, sizeof *reductions);
  if (!reductions)
    return tny_error_memory(error);
  enum tny_status status = find_reductions(pair, drawn, reductions, error);
  if (status == TNY_OK) {
    const struct tny_spread spread = tny_spread_of(reductions, drawn->count);
    struct tny_finding finding = tny_finding_of(spread.median);
    char label[80];
    finding.low = spread.low;
    finding.high = spread.high;
    finding.least = 0;
    snprintf(label, sizeof label, "%u ranks", drawn->rank_count);
    status = tny_findings_add_as(findings, label, pair->title, finding, error);
  }
  tny_free(reductions);
  return status;
}

static enum tny_status run_dragonfly(const struct tny_reproduce_options *options,
                                     struct tny_findings *findings, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (size_t i = 0; i < PAIRS; i++)
    for (uint32_t ranks = 32; status == TNY_OK && ranks <= 128; ranks *= 2) {
      const struct drawn drawn = {ranks, options->is_quick ? 50 : 500, options->seed};
      status = add_pair(&pairs[i], &drawn, findings, error);
    }
  return status;
}

const struct tny_reproduction tny_bine_dragonfly = {
    .paper = "desensi2025",
    .name = "dragonfly",
    .title = "What Bine saves on the cables between a dragonfly's groups",
    .unit = "% of the other algorithm's bytes",
    .note =
        "Not in the paper as such: our schedules beside those that a Bine tree and butterfly stand "
        "in for here, on dragonfly:8x4x8,global=2 by shortest paths, ranks in sequence on the "
        "first hosts of each group, 500 jobs (quick: 50) for which all sizes of the 8 groups, 1 "
        "to 32 ranks, are equally likely. Bytes are counted on each cable between groups. "
        "Our combining and recursive-doubling send the most to the farthest rank, so Bine saves "
        "more than against the butterfly of small-jobs and jobs, which sends it to the nearest.",
    .run = run_dragonfly,
};
