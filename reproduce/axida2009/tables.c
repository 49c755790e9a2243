/* Axida, Viet, Yoshinaga: tables 1 and 2, the costs of broadcasts. */
#include <stdio.h>

#include "reproduce/axida2009/axida2009.h"

/* In the tables a message has so many flits. */
enum { MESSAGE_FLITS = 50, TABLE_FLIT_BYTES = TNY_AXIDA_MESSAGE_BYTES / MESSAGE_FLITS };

static enum tny_status add(struct tny_findings *findings, const char *label, const char *series,
                           struct tny_finding finding, struct tny_error *error)
{
  finding.x = finding.low = finding.high = NAN;
  snprintf(finding.label, sizeof finding.label, "%s", label);
  snprintf(finding.series, sizeof finding.series, "%s", series);
  return tny_findings_add(findings, &finding, error);
}

/* --- table 1 --- */

/* A row: how many delays s and how many transfers D/b, for P nodes, log2 P = log. */
struct row {
  const char *title, *algorithm;
  double (*delays)(double nodes, double log);
  double (*transfers)(double nodes, double log);
};

static double one(double nodes, double log)
{
  (void)nodes;
  (void)log;
  return 1;
}
static double others(double nodes, double log)
{
  (void)log;
  return nodes - 1;
}
static double doublings(double nodes, double log)
{
  (void)nodes;
  return log;
}
static double doublings_twice(double nodes, double log)
{
  (void)nodes;
  return 2 * log;
}
static double nearly_two(double nodes, double log)
{
  (void)log;
  return 2 * (nodes - 1) / nodes;
}

static const struct row rows[] = {
    {"linear tree", "linear", others, others},
    {"linear tree, pipelined", "pipelined-linear", others, one},
    {"binomial tree", "binomial", doublings, doublings},
    {"van de Geijn", "van-de-geijn", doublings_twice, nearly_two},
    {"round-robin, pipelined", "round-robin", others, one},
};
enum { ROWS = sizeof rows / sizeof *rows, GEIJN = ROWS - 2, ROUND_ROBIN };

/* How many delays, and how many transfers of all data, a broadcast takes. A second run, in which
   every message has a longer delay, separates the two. */
struct cost {
  double delays, transfers;
};
static enum tny_status find_cost(const struct tny_axida_run *run, struct cost *cost,
                                 struct tny_error *error)
{
  const uint32_t more_cycles = 100;
  struct tny_axida_run slower = *run;
  slower.delay_cycles += more_cycles;
  double with_delay = 0;
  enum tny_status status = tny_axida_time(run, &cost->transfers, error);
  if (status == TNY_OK)
    status = tny_axida_time(&slower, &with_delay, error);
  const double flits = (double)run->bytes / run->flit_bytes;
  cost->delays = (with_delay - cost->transfers) * flits / more_cycles;
  return status;
}

/* In the last two rows the table's delays are an upper limit: data that are passed on as soon as
   they have arrived wait for fewer. */
static enum tny_status add_row(const struct tny_axida_run *run, size_t number, double log,
                               struct tny_findings *findings, struct tny_error *error)
{
  const struct row *row = &rows[number];
  const double delays = row->delays(run->nodes, log), transfers = row->transfers(run->nodes, log);
  struct cost cost;
  char label[80];
  snprintf(label, sizeof label, "%s, %u nodes", row->title, run->nodes);
  enum tny_status status = find_cost(run, &cost, error);
  if (status == TNY_OK)
    status = add(findings, label, "delays s",
                 (struct tny_finding){.value = cost.delays,
                                      .paper = delays,
                                      .least = number < GEIJN ? 0.98 * delays : NAN,
                                      .most = 1.02 * delays},
                 error);
  if (status == TNY_OK)
    status = add(findings, label, "transfers D/b",
                 (struct tny_finding){.value = cost.transfers,
                                      .paper = transfers,
                                      .least = 0.98 * transfers,
                                      .most = 1.05 * transfers},
                 error);
  return status;
}

/* The round-robin broadcast on a switch with queues at its inputs. */
static enum tny_status add_input_queues(const struct tny_axida_run *run,
                                        struct tny_findings *findings, struct tny_error *error)
{
  struct tny_axida_run queued = *run;
  double transfers;
  queued.has_input_queues = true;
  const enum tny_status status = tny_axida_time(&queued, &transfers, error);
  return status == TNY_OK
             ? add(findings, "round-robin, pipelined, 16 nodes, input queues", "transfers D/b",
                   (struct tny_finding){.value = transfers, .paper = 1, .least = NAN, .most = NAN},
                   error)
             : status;
}

static enum tny_status run_table_1(const struct tny_reproduce_options *options,
                                   struct tny_findings *findings, struct tny_error *error)
{
  const uint32_t messages = options->is_quick ? 480 : 3840;
  enum tny_status status = TNY_OK;
  for (uint32_t log = options->is_quick ? 4 : 2; log <= 4; log++)
    for (size_t row = 0; status == TNY_OK && row < ROWS; row++) {
      const struct tny_axida_run run = {.nodes = 1u << log,
                                        .algorithm = rows[row].algorithm,
                                        .messages = messages,
                                        .bytes = (uint64_t)messages * TNY_AXIDA_MESSAGE_BYTES,
                                        .flit_bytes = TABLE_FLIT_BYTES,
                                        .delay_cycles = 2,
                                        .watch = options->watch};
      status = add_row(&run, row, log, findings, error);
      if (status == TNY_OK && row == ROUND_ROBIN && log == 4)
        status = add_input_queues(&run, findings, error);
    }
  return status;
}

const struct tny_reproduction tny_axida_table_1 = {
    .paper = "axida2009",
    .name = "table-1",
    .title = "Total costs of broadcast algorithms",
    .unit = "times",
    .note =
        "The schedules wait for nothing but data, on a switch in which messages of different pairs "
        "don't hinder each other (3, assumption 2). s is taken for the delay of a message from "
        "host "
        "to host, D/b for the time of the data on a link; two runs with different delays tell how "
        "often each counts. Data: 3840 messages of 500 Kbit (section 6), 480 in the quick sample. "
        "The table leaves out what the first and the last messages of a pipeline add, up to "
        "(P-1)/3840 of D/b (quick: /480). Two rows have fewer delays than the table says: our van "
        "de "
        "Geijn doesn't send a rank back what it has handed down, and in our round-robin broadcast "
        "a "
        "rank passes a piece on as soon as it has it, and no round waits for the one before. The "
        "last row shows what the model leaves out: with queues at a switch's inputs, whose head "
        "blocks what is behind, ranks that nothing keeps in step drift apart and lose a third of "
        "the rate.",
    .run = run_table_1,
};

/* --- table 2 --- */

struct theory {
  uint32_t nodes;
  double times; /* t */
};
/* Table 2 for odd numbers; section 5.3 for even ones. */
static const struct theory theories[] = {{2, 1}, {3, 1.5}, {4, 1}, {5, 1.25}, {6, 1}, {7, 1.167}};

static enum tny_status run_table_2(const struct tny_reproduce_options *options,
                                   struct tny_findings *findings, struct tny_error *error)
{
  const uint32_t messages = options->is_quick ? 960 : 3840;
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < sizeof theories / sizeof *theories; i++) {
    /* Messages are long, as in the model: 250 flits each, so that rounding to flits doesn't
       matter. */
    const struct theory *theory = &theories[i];
    const struct tny_axida_run run = {.nodes = theory->nodes,
                                      .algorithm = "round-robin",
                                      .messages = messages,
                                      .bytes = (uint64_t)messages * TNY_AXIDA_MESSAGE_BYTES,
                                      .flit_bytes = TNY_AXIDA_MESSAGE_BYTES / 250,
                                      .delay_cycles = 2,
                                      .is_one_partner = true,
                                      .watch = options->watch};
    struct tny_axida_run free_run = run;
    free_run.is_one_partner = false;
    char label[80];
    double times;
    snprintf(label, sizeof label, "%u nodes", theory->nodes);
    status = tny_axida_time(&run, &times, error);
    if (status == TNY_OK)
      status = add(findings, label, "round by round",
                   (struct tny_finding){.value = times,
                                        .paper = theory->times,
                                        .least = 0.98 * theory->times,
                                        .most = 1.05 * theory->times},
                   error);
    if (status == TNY_OK)
      status = tny_axida_time(&free_run, &times, error);
    if (status == TNY_OK)
      status = add(
          findings, label, "waiting for data only",
          (struct tny_finding){.value = times, .paper = theory->times, .least = NAN, .most = NAN},
          error);
  }
  return status;
}

const struct tny_reproduction tny_axida_table_2 = {
    .paper = "axida2009",
    .name = "table-2",
    .title = "Broadcast time of the round-robin algorithm, odd and even numbers of nodes",
    .unit = "t",
    .note =
        "t is the time of the data between two nodes. Round by round: a rank deals with one "
        "partner "
        "at a time, as in the paper's model (3, assumption 3), a rendezvous for each message, "
        "and so idles where its partner is the virtual one. Even numbers are those of section 5.3. "
        "What is above the theory by 1 to 3 % is the rendezvous, and the first and last rounds.",
    .run = run_table_2,
};
