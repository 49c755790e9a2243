/* De Sensi and others, Bine trees: the figures that the authors publish of jobs for which there are
   few ways to fill groups, so that all can be tried. */
#include <stdio.h>

#include "reproduce/desensi2025/desensi2025.h"

/* All different reductions in the authors' lists (HLC-Lab/pico, tracer/sinfo, of Leonardo and of
   LUMI) for jobs of so many nodes in so many groups, one rank a node. */
enum { REDUCTIONS = 16, GROUPS = 8 };
struct published {
  uint32_t nodes, groups, count;
  double reductions[REDUCTIONS]; /* per cent, cut off after two digits */
};
static const struct published list[] = {
    {4, 2, 1, {0}},
    {4, 3, 2, {0, 16.66}},
    {4, 4, 1, {0}},
    {8, 2, 2, {-50, 0}},
    {8, 3, 8, {-12.5, -10, 0, 12.5, 13.33, 14.28, 15.38, 25}},
    {8, 4, 9, {-8.33, 0, 6.25, 11.11, 11.76, 12.5, 18.18, 18.75, 20}},
    {8, 5, 7, {-6.25, 0, 9.09, 10, 15, 16.66, 21.42}},
    {8, 6, 3, {0, 8.33, 14.28}},
    {8, 7, 2, {0, 7.14}},
    {8, 8, 1, {0}},
    {16, 2, 4, {-125, -33.33, -9.52, 0}},
    {32, 2, 10, {-187.5, -83.33, -28.57, -27.77, -26.66, -9.52, -8.16, -7.84, -3.63, 0}},
    {64,
     2,
     16,
     {-125, -71.42, -58.33, -45.16, -35.71, -26.66, -23.8, -22.85, -13.44, -7.61, -7.2, -4.65,
      -3.63, -3.25, -3.1, 0}},
    {128, 2, 3, {-60.71, -8.85, -6.87}},
    {256, 2, 1, {-214.58}},
};

/* Where groups end. */
struct ends {
  uint32_t at[GROUPS];
};

/* The next way in which so many groups can end, of `ends` that rise; false: there is none. */
static bool next_ends(uint32_t nodes, uint32_t count, struct ends *ends)
{
  for (uint32_t i = count; i-- > 0;)
    if (ends->at[i] < nodes - (count - i)) {
      ends->at[i]++;
      for (uint32_t j = i + 1; j < count; j++)
        ends->at[j] = ends->at[j - 1] + 1;
      return true;
    }
  return false;
}

/* The one of ours that is nearest to a published one, and where groups end in it. */
struct nearest {
  double reduction;
  struct ends ends;
};

static void find_nearest(const struct published *published,
                         struct tny_bine_butterflies *butterflies, struct nearest *nearest)
{
  const uint32_t count = published->groups - 1;
  struct ends ends;
  for (uint32_t i = 0; i < count; i++)
    ends.at[i] = i + 1;
  for (uint32_t i = 0; i < published->count; i++)
    nearest[i].reduction = INFINITY;
  do {
    const double reduction = tny_bine_reduction(butterflies, ends.at, count);
    for (uint32_t i = 0; i < published->count; i++)
      if (fabs(reduction - published->reductions[i]) <
          fabs(nearest[i].reduction - published->reductions[i]))
        nearest[i] = (struct nearest){reduction, ends};
  } while (next_ends(published->nodes, count, &ends));
}

/* "3+2+3" */
static void write_groups(const struct published *published, const struct ends *ends, char *text,
                         size_t room)
{
  size_t length = 0;
  for (uint32_t group = 0; group < published->groups && length < room; group++) {
    const uint32_t first = group > 0 ? ends->at[group - 1] : 0;
    const uint32_t end = group + 1 < published->groups ? ends->at[group] : published->nodes;
    length +=
        (size_t)snprintf(text + length, room - length, "%s%u", group > 0 ? "+" : "", end - first);
  }
}

static enum tny_status add_published(const struct published *published,
                                     struct tny_findings *findings, struct tny_error *error)
{
  struct nearest nearest[REDUCTIONS];
  struct tny_bine_butterflies butterflies;
  enum tny_status status = tny_bine_open(&butterflies, published->nodes, error);
  if (status == TNY_OK)
    find_nearest(published, &butterflies, nearest);
  for (uint32_t i = 0; status == TNY_OK && i < published->count; i++) {
    const double paper = published->reductions[i], digit = 0.01, rounding = 1e-9;
    struct tny_finding finding = tny_finding_exact(nearest[i].reduction, paper);
    char label[80], groups[48];
    finding.least -= paper > 0 ? rounding : digit;
    finding.most += paper < 0 ? rounding : digit;
    snprintf(label, sizeof label, "%u nodes in %u groups", published->nodes, published->groups);
    write_groups(published, &nearest[i].ends, groups, sizeof groups);
    status = tny_findings_add_as(findings, label, groups, finding, error);
  }
  tny_bine_close(&butterflies);
  return status;
}

static enum tny_status run_small_jobs(const struct tny_reproduce_options *options,
                                      struct tny_findings *findings, struct tny_error *error)
{
  (void)options;
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < sizeof list / sizeof *list; i++)
    status = add_published(&list[i], findings, error);
  return status;
}

const struct tny_reproduction tny_bine_small_jobs = {
    .paper = "desensi2025",
    .name = "small-jobs",
    .title = "What Bine's all-reduce saves between groups: jobs of few nodes, or in two groups",
    .unit = "% of the binomial butterfly's bytes",
    .note =
        "The authors publish, for each job that they saw on Leonardo and LUMI, by how much fewer "
        "bytes go between groups of nodes by Bine's all-reduce than by the binomial butterfly, but "
        "not how many nodes each group had. Here all ways to fill so many groups with ranks in "
        "sequence are tried, and what our schedule saves is shown for the one that is nearest to "
        "each of their figures. Limits: the digits of theirs, which are cut off after the second. "
        "The butterfly is theirs too: rank r with r xor 2^s, the nearest with the most. In two "
        "groups Bine never saves anything, and where they are equal sends most: an even cut "
        "suits partners a power of two apart.",
    .run = run_small_jobs,
};
