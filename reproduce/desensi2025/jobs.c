/* De Sensi and others, Bine trees: what the authors publish of larger jobs, beside jobs whose
   groups are drawn at random. */
#include <stdio.h>

#include "core/alloc.h"
#include "core/error.h"
#include "reproduce/desensi2025/desensi2025.h"
#include "reproduce/shared/experiment.h"

/* In the authors' lists (small_jobs.c), Leonardo's and LUMI's together: the median of all jobs of
   so many nodes in so many groups, the least and the most. */
static const struct published {
  uint32_t nodes, groups, jobs;
  double median, least, most;
} list[] = {
    {64, 5, 11, 11.11, -13.39, 24.62}, {128, 6, 12, 17.885, 13.88, 25.52},
    {128, 7, 15, 14.97, 2.51, 28.82},  {256, 7, 11, 20.25, 7.81, 23.83},
    {256, 8, 9, 22.10, 11.28, 31.64},  {512, 5, 19, 16.78, 0.1, 26.67},
    {512, 7, 21, 19.2, -0.4, 28.25},   {512, 22, 5, 23.69, 18.39, 24.55},
};
enum { GROUPS = 32 };

/* What is saved in `draws` jobs of the published size. */
static enum tny_status find_spread(const struct published *published, size_t draws, uint64_t seed,
                                   struct tny_spread *spread, struct tny_error *error)
{
  double *reductions = tny_new(draws, sizeof *reductions);
  if (!reductions)
    return tny_error_memory(error);
  struct tny_bine_butterflies butterflies;
  uint32_t ends[GROUPS];
  const enum tny_status status = tny_bine_open(&butterflies, published->nodes, error);
  for (size_t draw = 0; status == TNY_OK && draw < draws; draw++) {
    tny_bine_draw_ends(published->nodes, published->groups - 1, &seed, ends);
    reductions[draw] = tny_bine_reduction(&butterflies, ends, published->groups - 1);
  }
  if (status == TNY_OK)
    *spread = tny_spread_of(reductions, draws);
  tny_bine_close(&butterflies);
  tny_free(reductions);
  return status;
}

static enum tny_status run_jobs(const struct tny_reproduce_options *options,
                                struct tny_findings *findings, struct tny_error *error)
{
  const size_t draws = options->is_quick ? 100 : 1000;
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < sizeof list / sizeof *list; i++) {
    const struct published *published = &list[i];
    struct tny_spread spread;
    char label[80], jobs[48];
    status = find_spread(published, draws, options->seed, &spread, error);
    if (status != TNY_OK)
      break;
    struct tny_finding finding = tny_finding_of(spread.median);
    finding.low = spread.low;
    finding.high = spread.high;
    finding.paper = published->median;
    finding.least = published->least;
    finding.most = published->most;
    snprintf(label, sizeof label, "%u nodes in %u groups", published->nodes, published->groups);
    snprintf(jobs, sizeof jobs, "median of %u jobs", published->jobs);
    status = tny_findings_add_as(findings, label, jobs, finding, error);
  }
  return status;
}

const struct tny_reproduction tny_bine_jobs = {
    .paper = "desensi2025",
    .name = "jobs",
    .title = "What Bine's all-reduce saves between groups: larger jobs",
    .unit = "% of the binomial butterfly's bytes",
    .note =
        "As small-jobs, for jobs that fill groups in more ways than can be tried. Under paper is "
        "the median of what the authors list for Leonardo and LUMI; "
        "ours is the median of 1000 jobs (quick: 100) whose ranks "
        "fill as many groups one after the other, all sizes of these being equally likely, which "
        "those of a batch system aren't. Limits: the least and the most that they list. "
        "The paper's figure of these is a box plot for each number of nodes, whatever the "
        "groups; its numbers couldn't be had but by these lists.",
    .run = run_jobs,
};
