/* De Sensi and others, Bine trees: how far apart partners are, step by step. */
#include <stdio.h>

#include <tourney/papers.h>

#include "reproduce/desensi2025/desensi2025.h"

/* In step s, which is the s-th in this order, partners are so far apart. */
struct line {
  const char *title;
  enum tny_collective collective;
  const char *algorithm;
  uint32_t rank_count; /* 2^k */
  bool farthest_first; /* its phases are the steps in falling order */
  bool is_bine;        /* else a power of two apart */
};
static const struct line lines[] = {
    {"Bine tree", TNY_BROADCAST, "bine", 4096, true, true},
    {"binomial tree", TNY_BROADCAST, "binomial", 4096, true, false},
    {"Bine butterfly", TNY_ALLGATHER, "bine", 256, true, true},
    {"recursive doubling", TNY_ALLGATHER, "recursive-doubling", 256, false, false},
};

static double expected(const struct line *line, uint32_t step)
{
  return line->is_bine ? (double)tny_desensi_distance(step) : (double)((uint64_t)1 << step);
}

/* Adds the distances of all steps; *sum is their sum. */
static enum tny_status add_line(const struct line *line, double *sum, struct tny_findings *findings,
                                struct tny_error *error)
{
  struct tny_schedule *schedule;
  struct tny_sends messages = {0};
  enum tny_status status =
      tny_bine_plan(line->collective, line->algorithm, line->rank_count, &schedule, error);
  if (status == TNY_OK)
    status = tny_sends_list(schedule, &messages, error);
  tny_schedule_free(schedule);
  *sum = 0;
  for (uint32_t step = 0; status == TNY_OK && step < messages.phase_count; step++) {
    char label[80];
    const uint32_t phase = line->farthest_first ? messages.phase_count - 1 - step : step;
    struct tny_finding finding =
        tny_finding_exact(tny_sends_distance(&messages, phase), expected(line, step));
    finding.x = step;
    *sum += finding.value;
    snprintf(label, sizeof label, "step %u of %u, %u ranks", step, messages.phase_count,
             line->rank_count);
    status = tny_findings_add_as(findings, label, line->title, finding, error);
  }
  tny_sends_release(&messages);
  return status;
}

static enum tny_status run_distances(const struct tny_reproduce_options *options,
                                     struct tny_findings *findings, struct tny_error *error)
{
  (void)options;
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < sizeof lines / sizeof *lines; i += 2) {
    char label[80];
    double bine, binomial;
    status = add_line(&lines[i], &bine, findings, error);
    if (status == TNY_OK)
      status = add_line(&lines[i + 1], &binomial, findings, error);
    snprintf(label, sizeof label, "all steps together, %u ranks", lines[i].rank_count);
    if (status == TNY_OK)
      status = tny_findings_add_as(findings, label, "Bine / binomial",
                                   tny_finding_exact(bine / binomial, 2.0 / 3), error);
  }
  return status;
}

const struct tny_reproduction tny_bine_distances = {
    .paper = "desensi2025",
    .name = "distances",
    .title = "How far apart partners are, step by step",
    .unit = "ranks",
    .note =
        "Counted in our schedules, round a circle of all ranks, and the same for all pairs of a "
        "step; step 0 is that of the nearest. Only the paper's abstract and opening were at hand: "
        "under paper are the distances that the authors' own code lists (1, 1, 3, 5, 11 .., in "
        "HLC-Lab/bine_trees_fugaku), which are (2^(s+1) + (-1)^s) / 3, and powers of two. Summed "
        "over an even number of steps they are exactly 2/3 of these: a third less, the 33 % that "
        "the abstract has as the most that is saved and the authors' plots as the upper bound.",
    .chart = {.x_title = "step", .y_title = "distance, ranks", .y_is_log = true},
    .run = run_distances,
};
