/* Traeff: how many rounds schedules on circulant graphs take, beside the fewest there are. A round
   is a phase of ours, in which a rank sends to one other at most and receives from one. */
#include <stdio.h>

#include <tourney/algorithm.h>
#include <tourney/papers.h>
#include <tourney/verify.h>

#include "core/error.h"
#include "reproduce/traeff2024/traeff2024.h"

/* A family of schedules: one for each number of ranks. */
struct family {
  const char *title;
  enum tny_collective collective;
  const char *algorithm;
  uint32_t pieces; /* n */
  uint32_t sweeps; /* 2: an all-reduce, there and back */
  bool is_halving; /* each rank sends as many blocks as there are other ranks, in a sweep */
  uint32_t parts;  /* the messages of which one may consist */
};
static const struct family pipelined[] = {
    {"broadcast, n = 1", TNY_BROADCAST, "circulant", 1, 1, false, 1},
    {"broadcast, n = 8", TNY_BROADCAST, "circulant", 8, 1, false, 1},
    {"broadcast, n = 64", TNY_BROADCAST, "circulant", 64, 1, false, 1},
    {"reduce, n = 1", TNY_REDUCE, "circulant", 1, 1, false, 1},
    {"reduce, n = 8", TNY_REDUCE, "circulant", 8, 1, false, 1},
    {"all-reduce, n = 1", TNY_ALLREDUCE, "circulant", 1, 2, false, 1},
    {"all-reduce, n = 8", TNY_ALLREDUCE, "circulant", 8, 2, false, 1},
    {0},
};
static const struct family halving[] = {
    {"all-gather", TNY_ALLGATHER, "circulant-halving", 1, 1, true, 1},
    {"reduce-scatter", TNY_REDUCE_SCATTER, "circulant-halving", 1, 1, true, 1},
    {"all-reduce", TNY_ALLREDUCE, "circulant-halving", 1, 2, true, 2},
    {0},
};
enum { RANKS_MAX = 4096, RANKS_MAX_QUICK = 512 };

static uint64_t fewest(const struct family *family, uint32_t ranks)
{
  return family->sweeps * tny_traeff_rounds(ranks, family->pieces);
}

/* An all-reduce by an all-gather cuts its block in a part for each rank beside. */
static struct tny_pace pace_of(const struct family *family, const struct tny_algorithm *algorithm,
                               uint32_t ranks)
{
  return (struct tny_pace){.chunk_count = family->pieces * tny_algorithm_parts(algorithm, ranks)};
}

/* --- every number of ranks --- */

/* What is read from the steps of some of the ranks. */
struct reading {
  uint32_t rounds; /* 1 + the last phase */
  bool is_ported;  /* no rank sends to two others in a phase, or receives from two */
  bool is_lean;    /* each rank sends as many blocks as there are other ranks, in each sweep */
};

/* What a rank sends in a phase, or receives. */
struct port {
  uint32_t peer, messages;
};
enum { PHASES_MAX = 128 };

static bool takes(struct port *port, uint32_t peer, uint32_t parts)
{
  const bool is_peer = port->messages == 0 || port->peer == peer;
  port->peer = peer;
  return is_peer && ++port->messages <= parts;
}

static void read_steps(const struct family *family, uint32_t ranks, const struct tny_steps *steps,
                       struct reading *reading)
{
  struct port sent[PHASES_MAX] = {{0}}, received[PHASES_MAX] = {{0}};
  uint64_t blocks = 0;
  for (uint32_t i = 0; i < steps->count; i++) {
    const struct tny_step *step = &steps->steps[i];
    if (!tny_step_is_message(step->kind))
      continue;
    const bool sends = tny_step_sends(step->kind);
    struct port *ports = sends ? sent : received;
    if (step->phase >= PHASES_MAX || !takes(&ports[step->phase], step->peer, family->parts)) {
      reading->is_ported = false;
      continue;
    }
    reading->rounds = step->phase >= reading->rounds ? step->phase + 1 : reading->rounds;
    blocks += sends ? (uint64_t)step->span.count * step->span.chunks : 0;
  }
  if (family->is_halving && blocks != (uint64_t)family->sweeps * (ranks - 1))
    reading->is_lean = false;
}

/* Plans the ranks at both ends, a third of all and half of all; the root is a third of all. */
static enum tny_status read_ranks(const struct family *family, uint32_t ranks,
                                  struct reading *reading, struct tny_error *error)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(family->collective, family->algorithm);
  const struct tny_problem problem = {
      .collective = family->collective,
      .rank_count = ranks,
      .root = family->collective == TNY_ALLREDUCE ? 0 : ranks / 3,
  };
  const struct tny_pace pace = pace_of(family, algorithm, ranks);
  const uint32_t read[] = {0, ranks / 3, ranks / 2, ranks - 1};
  struct tny_problem prepared;
  *reading = (struct reading){.is_ported = true, .is_lean = true};
  enum tny_status status = tny_problem_prepare(algorithm, &problem, &prepared, error);
  for (size_t i = 0; status == TNY_OK && i < sizeof read / sizeof *read; i++) {
    struct tny_steps steps;
    status = tny_plan_rank(algorithm, &prepared, pace, read[i], &steps, error);
    if (status != TNY_OK)
      break;
    read_steps(family, ranks, &steps, reading);
    tny_steps_release(&steps);
  }
  tny_problem_release(algorithm, &prepared);
  return status;
}

static bool goes_on(const struct tny_reproduce_options *options, double share)
{
  return !options->watch || options->watch->tick(options->watch->context, 0, share);
}

/* For how many numbers of ranks, of 1 to `most`, a schedule takes the fewest rounds there are. */
static enum tny_status add_family(const struct family *family, uint32_t most,
                                  const struct tny_reproduce_options *options,
                                  struct tny_findings *findings, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  uint32_t optimal = 0;
  char label[80];
  for (uint32_t ranks = 1; status == TNY_OK && ranks <= most; ranks++) {
    struct reading reading;
    if (!goes_on(options, (double)ranks / most))
      return tny_error_set(error, TNY_INTERRUPTED, "interrupted");
    status = read_ranks(family, ranks, &reading, error);
    optimal += status == TNY_OK && reading.rounds == fewest(family, ranks) && reading.is_ported &&
               reading.is_lean;
  }
  snprintf(label, sizeof label, "numbers of ranks of 1 to %u with the fewest rounds", most);
  return status == TNY_OK ? tny_findings_add_as(findings, label, family->title,
                                                tny_finding_exact(optimal, most), error)
                          : status;
}

/* --- some of them, proved --- */

/* A whole schedule, found right by the verifier, whose rounds these are: the longest chain of
   messages that wait for each other or for a port. Where messages consist of parts, each of which
   counts there, its phases. */
static enum tny_status add_proved(const struct family *family, uint32_t ranks,
                                  struct tny_findings *findings, struct tny_error *error)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(family->collective, family->algorithm);
  const struct tny_problem problem = {.collective = family->collective, .rank_count = ranks};
  const struct tny_pace pace = pace_of(family, algorithm, ranks);
  struct tny_problem prepared;
  struct tny_schedule *schedule = NULL;
  struct tny_report report;
  char label[80];
  enum tny_status status = tny_problem_prepare(algorithm, &problem, &prepared, error);
  if (status == TNY_OK)
    status = tny_plan_all(algorithm, &prepared, pace, &schedule, error);
  tny_problem_release(algorithm, &prepared);
  if (status == TNY_OK)
    status = tny_verify_schedule(schedule, &report, error);
  tny_schedule_free(schedule);
  if (status != TNY_OK)
    return status;
  const bool is_whole = family->parts == 1;
  snprintf(label, sizeof label, "%u ranks, proved: %s", ranks, is_whole ? "rounds" : "phases");
  return tny_findings_add_as(
      findings, label, family->title,
      tny_finding_exact(is_whole ? report.rounds : report.phases, (double)fewest(family, ranks)),
      error);
}

static enum tny_status run(const struct family *families, uint32_t proved_max,
                           const struct tny_reproduce_options *options,
                           struct tny_findings *findings, struct tny_error *error)
{
  static const uint32_t proved[] = {2, 3, 17, 100, 1000, 4096};
  const uint32_t most = options->is_quick ? RANKS_MAX_QUICK : RANKS_MAX;
  enum tny_status status = TNY_OK;
  for (const struct family *family = families; status == TNY_OK && family->title; family++) {
    status = add_family(family, most, options, findings, error);
    for (size_t i = 0; i < sizeof proved / sizeof *proved; i++)
      if (status == TNY_OK && proved[i] <= most && proved[i] <= proved_max)
        status = add_proved(family, proved[i], findings, error);
  }
  return status;
}

static enum tny_status run_pipelined(const struct tny_reproduce_options *options,
                                     struct tny_findings *findings, struct tny_error *error)
{
  return run(pipelined, RANKS_MAX, options, findings, error);
}

static enum tny_status run_halving(const struct tny_reproduce_options *options,
                                   struct tny_findings *findings, struct tny_error *error)
{
  return run(halving, 100, options, findings, error);
}

const struct tny_reproduction tny_traeff_pipelined = {
    .paper = "traeff2024",
    .name = "rounds",
    .title = "Broadcast, reduce and all-reduce of n pieces take as few rounds as there can be",
    .unit = "numbers of ranks, or rounds",
    .note =
        "The abstract's bound, n - 1 + ceil(log2 p) rounds where a rank sends one piece and "
        "receives "
        "one a round, and for an all-reduce by a reduce and a broadcast twice that. Of every "
        "number "
        "of ranks up to 4096 (quick: 512) four ranks' steps are read, the root's among them: their "
        "last phase, and that no phase has two messages one way at a rank. Of some the whole "
        "schedule is proved, and rounds are the verifier's: the longest chain of messages that "
        "wait "
        "for data or for a port. The paper's all-broadcast is our all-gather `circulant`, in which "
        "a "
        "round's pieces are messages of their own; tests/collectives/test_all_broadcast.c counts "
        "its rounds.",
    .run = run_pipelined,
};

const struct tny_reproduction tny_traeff_halving = {
    .paper = "traeff2024b",
    .name = "rounds",
    .title = "Reduce-scatter and all-reduce take as few rounds and blocks as there can be",
    .unit = "numbers of ranks, or rounds",
    .note =
        "The abstract's: ceil(log2 p) rounds, in which each rank sends p - 1 blocks; twice both "
        "for "
        "an all-reduce with an all-gather. As traeff2024/rounds, and a number of ranks counts only "
        "where the blocks are right too. In our all-reduce a message that goes over the block's "
        "end "
        "goes in two, to the same rank in the same phase: there rounds are phases. Proved for "
        "fewer "
        "ranks, as each has p blocks.",
    .run = run_halving,
};
