/* Hinrichs and others 1994, 4.4 and figure 10: a two-dimensional FFT, of which two all-to-alls are
   the transposes. Computing is the paper's: what 801,000 cycles of communication, 52 % of the
   whole, leave at 512 x 512, and elsewhere in proportion to N * N * log N. */
#include <stdio.h>

#include "reproduce/hinrichs1994/hinrichs1994.h"

enum { BASE_SIDE = 512, COMPLEX_BYTES = 8, TRANSPOSES = 2 };
static const double compiled_cycles = 801000, communication_share = 0.52, phased_cycles = 184400;

/* The times of a frame of N x N. */
static double computing(double side)
{
  const double base = compiled_cycles / communication_share - compiled_cycles;
  return base * side * side * log2(side) / (BASE_SIDE * BASE_SIDE * log2(BASE_SIDE));
}

/* Each node has for each other a square of N/64 rows and columns of complex numbers. */
static uint64_t block_bytes(uint32_t side)
{
  return (uint64_t)side * side * COMPLEX_BYTES / (TNY_HINRICHS_NODES * TNY_HINRICHS_NODES);
}

static double frames(double cycles)
{
  return 1e9 / (cycles * TNY_HINRICHS_CYCLE_NS);
}

static double milliseconds(double cycles)
{
  return cycles * TNY_HINRICHS_CYCLE_NS * 1e-6;
}

/* Times both transposes for the sides of the list, which ends with 0. */
static enum tny_status run_transposes(const struct tny_reproduce_options *options,
                                      const struct tny_hinrichs_method *method,
                                      const uint32_t *sides, double *cycles,
                                      struct tny_error *error)
{
  struct tny_hinrichs_run run;
  enum tny_status status = tny_hinrichs_open(&run, method, NULL, options, error);
  for (; status == TNY_OK && *sides > 0; sides++) {
    double ns = 0;
    status = tny_hinrichs_time(&run, block_bytes(*sides), NULL, &ns, error);
    *cycles++ = TRANSPOSES * ns / TNY_HINRICHS_CYCLE_NS;
  }
  tny_hinrichs_close(&run);
  return status;
}

/* A row of the estimate. */
struct row {
  const char *what, *by;
  double value, paper, least, most;
};

static enum tny_status add_rows(const struct row *rows, size_t count, struct tny_findings *findings,
                                struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < count; i++) {
    struct tny_finding finding = {.x = NAN,
                                  .value = rows[i].value,
                                  .low = NAN,
                                  .high = NAN,
                                  .paper = rows[i].paper,
                                  .least = rows[i].least,
                                  .most = rows[i].most};
    snprintf(finding.series, sizeof finding.series, "%s", rows[i].by);
    snprintf(finding.label, sizeof finding.label, "%s", rows[i].what);
    status = tny_findings_add(findings, &finding, error);
  }
  return status;
}

static enum tny_status run_fft(const struct tny_reproduce_options *options,
                               struct tny_findings *findings, struct tny_error *error)
{
  static const uint32_t sides[] = {BASE_SIDE, 0};
  double phased = 0, library = 0;
  enum tny_status status = run_transposes(options, &tny_hinrichs_local, sides, &phased, error);
  if (status == TNY_OK)
    status = run_transposes(options, &tny_hinrichs_messages, sides, &library, error);
  if (status != TNY_OK)
    return status;
  const double rest = computing(BASE_SIDE), whole = rest + compiled_cycles;
  const struct row rows[] = {
      {"transposes, cycles (fitted)", "phased", phased, phased_cycles, 0.99 * phased_cycles,
       1.01 * phased_cycles},
      {"transposes, cycles", "bare library, simulated", library, NAN, NAN, NAN},
      {"frames a second", "compiled (the paper's cycles)", frames(whole), 13, 12.5, 13.5},
      {"frames a second", "phased", frames(rest + phased), 21, 20.5, 22},
      {"frames a second", "bare library, simulated", frames(rest + library), NAN, NAN, NAN},
      {"time saved, %", "phased", 100 * (compiled_cycles - phased) / whole, 40, 39, 41},
  };
  return add_rows(rows, sizeof rows / sizeof *rows, findings, error);
}

/* --- figure 10 --- */

enum { SIDES_MAX = 4 };
static const uint32_t bar_sides[] = {128, 256, BASE_SIDE, 1024, 0};
static const uint32_t bar_sides_quick[] = {128, BASE_SIDE, 0};

/* The times of one side, in cycles. */
struct bar {
  uint32_t side;
  double computing, compiled, phased;
};

static enum tny_status add_bar(const struct bar *bar, struct tny_findings *findings,
                               struct tny_error *error)
{
  const bool is_base = bar->side == BASE_SIDE;
  const double compiled = compiled_cycles / communication_share;
  const double saved = compiled_cycles - phased_cycles;
  const struct {
    const char *series;
    double cycles, paper;
  } parts[] = {
      {"message passing", bar->computing + bar->compiled, compiled},
      {"phased", bar->computing + bar->phased, compiled - saved},
      {"computing alone", bar->computing, compiled - compiled_cycles},
  };
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < sizeof parts / sizeof *parts; i++) {
    const double paper = milliseconds(parts[i].paper);
    struct tny_finding finding = {.x = bar->side,
                                  .value = milliseconds(parts[i].cycles),
                                  .low = NAN,
                                  .high = NAN,
                                  .paper = is_base ? paper : NAN,
                                  .least = is_base ? 0.98 * paper : NAN,
                                  .most = is_base ? 1.02 * paper : NAN};
    snprintf(finding.series, sizeof finding.series, "%s", parts[i].series);
    snprintf(finding.label, sizeof finding.label, "%u x %u", bar->side, bar->side);
    status = tny_findings_add(findings, &finding, error);
  }
  return status;
}

/* What the compiled program takes beside the bare library for each word that it gathers. It is
   taken to be what it is at 512 x 512. */
static double gathering(const uint32_t *sides, const double *library)
{
  while (*sides != BASE_SIDE) {
    sides++;
    library++;
  }
  return (compiled_cycles - *library) / (double)block_bytes(BASE_SIDE);
}

static enum tny_status run_figure_10(const struct tny_reproduce_options *options,
                                     struct tny_findings *findings, struct tny_error *error)
{
  const uint32_t *sides = options->is_quick ? bar_sides_quick : bar_sides;
  double phased[SIDES_MAX], library[SIDES_MAX];
  enum tny_status status = run_transposes(options, &tny_hinrichs_local, sides, phased, error);
  if (status == TNY_OK)
    status = run_transposes(options, &tny_hinrichs_messages, sides, library, error);
  for (size_t i = 0; status == TNY_OK && sides[i] > 0; i++) {
    const double gathered = gathering(sides, library) * (double)block_bytes(sides[i]);
    const struct bar bar = {.side = sides[i],
                            .computing = computing(sides[i]),
                            .compiled = library[i] + gathered,
                            .phased = phased[i]};
    status = add_bar(&bar, findings, error);
  }
  return status;
}

const struct tny_reproduction tny_hinrichs_fft = {
    .paper = TNY_HINRICHS_KEY,
    .name = "fft",
    .title = "A two-dimensional FFT of 512 x 512 on 8 x 8 nodes",
    .unit = "see rows",
    .note =
        "As the paper estimates it: of a frame, 801,000 cycles are two transposes by a compiled "
        "message-passing program, 52 % of the whole; phased replaces them by its own two. The "
        "184,400 cycles that it estimates for these are what the start-up of a phase is fitted "
        "to. The library alone takes far fewer cycles than the compiled program, which gathers "
        "its words in software.",
    .run = run_fft,
};
const struct tny_reproduction tny_hinrichs_figure_10 = {
    .paper = TNY_HINRICHS_KEY,
    .name = "figure-10",
    .title = "A frame of the two-dimensional FFT, N x N",
    .unit = "ms",
    .note =
        "The paper's text has only 512 x 512. Computing grows as N * N * log N; what the compiled "
        "program takes beside the library's simulated time, as its words.",
    .chart = {.x_title = "N", .y_title = "ms a frame", .x_is_log = true, .y_is_log = true},
    .run = run_figure_10,
};
