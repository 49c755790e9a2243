/* Hinrichs and others 1994, figure 9: all-to-alls of blocks that differ in size, in phases and by
   message passing. */
#include <stdio.h>

#include "core/random.h"
#include "reproduce/hinrichs1994/hinrichs1994.h"

/* Draws a block's bytes from a base size, and a variance or a probability. */
typedef uint64_t draw_block(uint64_t base, double share, uint64_t *seed);

/* Draws evenly from B - VB to B + VB. */
static uint64_t draw_around(uint64_t base, double variance, uint64_t *seed)
{
  return (uint64_t)((double)base * (1 + variance * (2 * tny_random_share(seed) - 1)) + 0.5);
}

static uint64_t draw_or_none(uint64_t base, double probability, uint64_t *seed)
{
  return tny_random_share(seed) < probability ? 0 : base;
}

/* One of the two parts of the figure. */
enum { SHARES_MAX = 5 };
struct shares {
  double list[SHARES_MAX];
  size_t count;
};
struct part {
  draw_block *draw;
  const char *share;           /* the name of x: "V" */
  struct shares shares, quick; /* the values of x, from 0 on */
};
static const uint64_t bases[] = {2048, 4096};
enum { BASES = 2, METHODS = 2, SETS = 2 };
static const struct tny_hinrichs_method *const methods[METHODS] = {&tny_hinrichs_local,
                                                                   &tny_hinrichs_messages};

/* How the sizes of one point are drawn. */
struct sizes {
  draw_block *draw;
  uint64_t base;
  double share;
};

/* Finds the mean rates over a few sets of sizes, which are the same for both methods. */
static enum tny_status run_sets(const struct tny_reproduce_options *options,
                                const struct sizes *sizes, double rates[METHODS],
                                struct tny_error *error)
{
  const uint32_t sets = options->is_quick || sizes->base > 2048 ? 1 : SETS;
  struct tny_pattern *pattern;
  enum tny_status status = tny_pattern_new(TNY_HINRICHS_NODES, &pattern, error);
  rates[0] = rates[1] = 0;
  for (uint64_t set = 0; status == TNY_OK && set < sets; set++) {
    uint64_t seed = options->seed * 1000 + set;
    for (size_t i = 0; i < TNY_HINRICHS_BLOCKS; i++)
      pattern->bytes[i] = sizes->draw(sizes->base, sizes->share, &seed);
    for (size_t method = 0; status == TNY_OK && method < METHODS; method++) {
      double rate = 0;
      status = tny_hinrichs_pattern(methods[method], pattern, options, &rate, error);
      rates[method] += rate / sets;
    }
  }
  tny_pattern_free(pattern);
  return status;
}

/* What the paper's text says of the curves of a base size. */
struct check {
  const char *what;
  double value, least, most;
};

static enum tny_status add_checks(const struct check *checks, size_t count, const char *label,
                                  struct tny_findings *findings, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < count; i++) {
    struct tny_finding finding = {.x = NAN,
                                  .value = checks[i].value,
                                  .low = NAN,
                                  .high = NAN,
                                  .paper = NAN,
                                  .least = checks[i].least,
                                  .most = checks[i].most};
    snprintf(finding.series, sizeof finding.series, "%s", checks[i].what);
    snprintf(finding.label, sizeof finding.label, "%s", label);
    status = tny_findings_add(findings, &finding, error);
  }
  return status;
}

/* The curves of a base size, with a point for each share. */
struct curves {
  const struct shares *shares;
  double rates[SHARES_MAX][METHODS];
};

static enum tny_status run_curves(const struct tny_reproduce_options *options,
                                  const struct part *part, uint64_t base, struct curves *curves,
                                  struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  curves->shares = options->is_quick ? &part->quick : &part->shares;
  for (size_t i = 0; status == TNY_OK && i < curves->shares->count; i++) {
    const struct sizes sizes = {part->draw, base, curves->shares->list[i]};
    status = run_sets(options, &sizes, curves->rates[i], error);
  }
  return status;
}

static enum tny_status add_points(const struct part *part, uint64_t base,
                                  const struct curves *curves, struct tny_findings *findings,
                                  struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (size_t method = 0; method < METHODS; method++)
    for (size_t i = 0; status == TNY_OK && i < curves->shares->count; i++) {
      struct tny_finding finding = {.x = curves->shares->list[i],
                                    .value = curves->rates[i][method],
                                    .low = NAN,
                                    .high = NAN,
                                    .paper = NAN,
                                    .least = NAN,
                                    .most = NAN};
      snprintf(finding.series, sizeof finding.series, "%s, %u bytes",
               method == 0 ? "phased" : "message passing", (unsigned)base);
      snprintf(finding.label, sizeof finding.label, "%s = %g", part->share,
               curves->shares->list[i]);
      status = tny_findings_add(findings, &finding, error);
    }
  return status;
}

/* The paper says, of phased: "decreases as the variance increases"; of message passing:
   "unaffected"; of both: "for the corresponding block size, the phased algorithm outperforms". */
static enum tny_status check_range(const struct curves *curves, const char *label,
                                   struct tny_findings *findings, struct tny_error *error)
{
  const double(*rates)[METHODS] = curves->rates, *most = rates[curves->shares->count - 1];
  const struct check checks[] = {
      {"phased: V = 1 over V = 0, times", most[0] / rates[0][0], NAN, 1},
      {"message passing: V = 1 over V = 0, times", most[1] / rates[0][1], 0.9, 1.1},
      {"phased over message passing, V = 0, times", rates[0][0] / rates[0][1], 1, NAN},
      {"phased over message passing, V = 1, times", most[0] / most[1], 1, NAN},
  };
  return add_checks(checks, sizeof checks / sizeof *checks, label, findings, error);
}

/* The paper says, of phased: "decreases linearly"; of message passing: "relatively unaffected"; of
   both: "outperformed by the message passing algorithm as P increases", "if only 10% of the
   messages are non-zero" (4.3). */
static enum tny_status check_empty(const struct curves *curves, const char *label,
                                   struct tny_findings *findings, struct tny_error *error)
{
  const size_t last = curves->shares->count - 1;
  const double *none = curves->rates[0], *half = curves->rates[last / 2];
  const double *most = curves->rates[last];
  const struct check checks[] = {
      {"phased: P = 0.5 over P = 0, times", half[0] / none[0], 0.85 * 0.5, 1.15 * 0.5},
      {"message passing: P = 0.5 over P = 0, times", half[1] / none[1], 0.85, 1.15},
      {"message passing over phased, P = 0.9, times", most[1] / most[0], 1, NAN},
  };
  return add_checks(checks, sizeof checks / sizeof *checks, label, findings, error);
}

static const struct part range = {
    .draw = draw_around,
    .share = "V",
    .shares = {{0, 0.25, 0.5, 0.75, 1}, 5},
    .quick = {{0, 1}, 2},
};
static const struct part emptiness = {
    .draw = draw_or_none,
    .share = "P",
    .shares = {{0, 0.25, 0.5, 0.75, 0.9}, 5},
    .quick = {{0, 0.5, 0.9}, 3},
};

static enum tny_status run_part(const struct tny_reproduce_options *options,
                                const struct part *part, struct tny_findings *findings,
                                struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < (options->is_quick ? 1 : BASES); i++) {
    struct curves curves;
    char label[32];
    snprintf(label, sizeof label, "base size %u bytes", (unsigned)bases[i]);
    status = run_curves(options, part, bases[i], &curves, error);
    if (status == TNY_OK)
      status = add_points(part, bases[i], &curves, findings, error);
    if (status == TNY_OK)
      status = (part == &range ? check_range : check_empty)(&curves, label, findings, error);
  }
  return status;
}

static enum tny_status run_figure_9a(const struct tny_reproduce_options *options,
                                     struct tny_findings *findings, struct tny_error *error)
{
  return run_part(options, &range, findings, error);
}

static enum tny_status run_figure_9b(const struct tny_reproduce_options *options,
                                     struct tny_findings *findings, struct tny_error *error)
{
  return run_part(options, &emptiness, findings, error);
}

const struct tny_reproduction tny_hinrichs_figure_9a = {
    .paper = TNY_HINRICHS_KEY,
    .name = "figure-9a",
    .title = "Blocks of B - VB to B + VB bytes",
    .unit = "MB/s",
    .note =
        "The machine of figure 7; each block draws its size, phased and message passing have the "
        "same sizes. The paper doesn't name its base sizes. Means over two sets of 4096 sizes "
        "for 2048 bytes, one set for 4096 bytes; the paper has 16 sets.",
    .chart = {.x_title = "V", .y_title = "aggregate rate, MB/s"},
    .run = run_figure_9a,
};
const struct tny_reproduction tny_hinrichs_figure_9b = {
    .paper = TNY_HINRICHS_KEY,
    .name = "figure-9b",
    .title = "Blocks of which a share P is empty",
    .unit = "MB/s",
    .note =
        "As figure 9a. Phased sends empty messages too, of one flit; message passing sends none.",
    .chart = {.x_title = "P", .y_title = "aggregate rate, MB/s"},
    .run = run_figure_9b,
};
