/* Juerss and others, Trivance: how few its steps are, what links carry beside Bruck's algorithm,
   and the messages of the run that the authors show. All is counted in our schedules, which are
   proved. */
#include <stdio.h>

#include <tourney/papers.h>
#include <tourney/verify.h>

#include "core/alloc.h"
#include "core/error.h"
#include "reproduce/juerss2026b/juerss2026b.h"
#include "reproduce/shared/experiment.h"
#include "reproduce/shared/sends.h"

struct form {
  const char *title;
  enum tny_collective collective;
  const char *algorithm;
  uint32_t sweeps; /* 2: a reduce-scatter, and the all-gather back */
};

/* Ranks on a ring or torus, rank r on host r, and a schedule for them, which is proved. */
struct proved {
  struct tny_site site;
  struct tny_schedule *schedule;
  struct tny_report report;
};

static void close(struct proved *proved)
{
  tny_schedule_free(proved->schedule);
  tny_site_close(&proved->site);
}

/* Owns: close, also after a failure. */
static enum tny_status open(const char *cluster, const struct form *form, struct proved *proved,
                            struct tny_error *error)
{
  const struct tny_site_wanted site = {.cluster = cluster};
  const struct tny_plan_wanted plan = {.collective = form->collective,
                                       .algorithm = form->algorithm};
  *proved = (struct proved){.schedule = NULL};
  enum tny_status status = tny_site_open(&proved->site, &site, error);
  if (status == TNY_OK)
    status = tny_site_number(&proved->site, error);
  if (status == TNY_OK)
    status = tny_site_plan(&proved->site, &plan, &proved->schedule, error);
  return status == TNY_OK ? tny_verify_schedule(proved->schedule, &proved->report, error) : status;
}

/* --- steps --- */

static const struct form forms[] = {
    {"all-reduce, least latency", TNY_ALLREDUCE, "trivance", 1},
    {"all-reduce, most bandwidth", TNY_ALLREDUCE, "trivance-bandwidth", 2},
    {"reduce-scatter", TNY_REDUCE_SCATTER, "trivance", 1},
    {"all-gather", TNY_ALLGATHER, "trivance", 1},
};
enum { FORMS = sizeof forms / sizeof *forms };

/* Those of the paper's figures, and rings of 3^k; as many as are proved in seconds. */
static const char *const clusters[] = {"ring:8",    "ring:9",     "ring:27",
                                       "ring:64",   "ring:81",    "ring:128",
                                       "torus:8x8", "torus:8x16", "torus:9x27"};
enum { CLUSTERS = sizeof clusters / sizeof *clusters };

static uint32_t steps_of(const struct tny_shape *shape)
{
  uint32_t steps = 0;
  for (uint32_t d = 0; d < shape->dimension_count; d++)
    steps += tny_juerss_steps(shape->size[d]);
  return steps;
}

static enum tny_status run_steps(const struct tny_reproduce_options *options,
                                 struct tny_findings *findings, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  (void)options;
  for (uint32_t i = 0; status == TNY_OK && i < CLUSTERS * FORMS; i++) {
    const struct form *form = &forms[i % FORMS];
    struct proved proved;
    status = open(clusters[i / FORMS], form, &proved, error);
    if (status == TNY_OK)
      status = tny_findings_add_as(
          findings, clusters[i / FORMS], form->title,
          tny_finding_exact(proved.report.phases,
                            form->sweeps * steps_of(&proved.site.cluster->shape)),
          error);
    close(&proved);
  }
  return status;
}

/* --- links --- */

/* What Bruck's algorithm of radix 3 sends in a step: from every rank to those 3^i and 2*3^i on. */
static enum tny_status list_bruck(uint32_t rank_count, uint32_t step, struct tny_sends *sends,
                                  struct tny_error *error)
{
  uint32_t distance = 1;
  for (uint32_t i = 0; i < step; i++)
    distance *= 3;
  *sends = (struct tny_sends){.rank_count = rank_count, .phase_count = 1};
  sends->list = tny_new(2 * (size_t)rank_count, sizeof *sends->list);
  if (!sends->list)
    return tny_error_memory(error);
  for (uint32_t i = 0; i < 2 * rank_count; i++) {
    const uint32_t from = i / 2, to = (from + (1 + i % 2) * distance) % rank_count;
    sends->list[sends->count++] = (struct tny_sent){.from = from, .to = to, .blocks = 1};
  }
  return TNY_OK;
}

/* The messages of one phase alone. */
static void keep_phase(struct tny_sends *sends, uint32_t phase)
{
  size_t kept = 0;
  for (size_t i = 0; i < sends->count; i++)
    if (sends->list[i].phase == phase)
      sends->list[kept++] = sends->list[i];
  sends->count = kept;
}

/* The blocks on the fullest link between switches. */
static enum tny_status count_fullest(const struct tny_sends *sends,
                                     const struct tny_network *network, uint64_t *fullest,
                                     struct tny_error *error)
{
  const struct tny_cluster *cluster = network->routes->cluster;
  uint64_t *blocks = tny_new(cluster->link_count, sizeof *blocks);
  if (!blocks)
    return tny_error_memory(error);
  tny_sends_load(sends, network, blocks);
  *fullest = 0;
  for (uint32_t link = 0; link < cluster->link_count; link++)
    if (cluster->links[link].from >= cluster->host_count &&
        cluster->links[link].to >= cluster->host_count && blocks[link] > *fullest)
      *fullest = blocks[link];
  tny_free(blocks);
  return TNY_OK;
}

static enum tny_status add_step(const struct proved *proved, const char *cluster, uint32_t step,
                                struct tny_findings *findings, struct tny_error *error)
{
  const bool is_last = step + 1 == proved->report.phases;
  struct tny_sends trivance = {0}, bruck = {0};
  uint64_t ours = 0, theirs = 0;
  char label[80];
  enum tny_status status = tny_sends_list(proved->schedule, &trivance, error);
  if (status == TNY_OK) {
    keep_phase(&trivance, step);
    status = count_fullest(&trivance, &proved->site.network, &ours, error);
  }
  if (status == TNY_OK)
    status = list_bruck(proved->site.rank_count, step, &bruck, error);
  if (status == TNY_OK)
    status = count_fullest(&bruck, &proved->site.network, &theirs, error);
  tny_sends_release(&trivance);
  tny_sends_release(&bruck);
  if (status != TNY_OK)
    return status;
  snprintf(label, sizeof label, "%s, step %u of %u", cluster, step, proved->report.phases);
  status = tny_findings_add_as(findings, label, "Trivance: fullest link",
                               tny_finding_of((double)ours), error);
  if (status == TNY_OK)
    status = tny_findings_add_as(findings, label, "Bruck: fullest link",
                                 tny_finding_of((double)theirs), error);
  const double ratio = (double)theirs / (double)ours;
  return status == TNY_OK
             ? tny_findings_add_as(findings, label, "Bruck / Trivance",
                                   is_last ? tny_finding_of(ratio) : tny_finding_exact(ratio, 3),
                                   error)
             : status;
}

static enum tny_status run_links(const struct tny_reproduce_options *options,
                                 struct tny_findings *findings, struct tny_error *error)
{
  static const char *const rings[] = {"ring:9", "ring:27", "ring:81", "ring:243"};
  enum tny_status status = TNY_OK;
  (void)options;
  for (size_t i = 0; status == TNY_OK && i < sizeof rings / sizeof *rings; i++) {
    struct proved proved;
    status = open(rings[i], &forms[0], &proved, error);
    for (uint32_t step = 0; status == TNY_OK && step < proved.report.phases; step++)
      status = add_step(&proved, rings[i], step, findings, error);
    close(&proved);
  }
  return status;
}

/* --- the run that is shown --- */

/* A ring of 8, 512 numbers of 4 bytes. In the first step rank 6 sends 768 bytes to 7 and 512 to 5;
   in all steps, 3584. */
static const struct shown {
  const char *title;
  double bytes;
  uint32_t to; /* TNY_NONE: all steps */
} shown[] = {{"first step, to 7", 768, 7}, {"first step, to 5", 512, 5}, {"all", 3584, TNY_NONE}};
enum { RANKS_SHOWN = 8, BYTES_SHOWN = 2048, SENDER_SHOWN = 6 };

static enum tny_status run_blocks(const struct tny_reproduce_options *options,
                                  struct tny_findings *findings, struct tny_error *error)
{
  struct proved proved;
  enum tny_status status = open("ring:8", &forms[1], &proved, error);
  (void)options;
  for (size_t i = 0; status == TNY_OK && i < sizeof shown / sizeof *shown; i++) {
    const struct tny_steps *steps = &proved.schedule->ranks[SENDER_SHOWN];
    uint64_t parts = 0;
    for (uint32_t k = 0; k < steps->count; k++) {
      const struct tny_step *step = &steps->steps[k];
      const bool is_meant =
          shown[i].to == TNY_NONE || (step->phase == 0 && step->peer == shown[i].to);
      if (is_meant && tny_step_starts_message(step->kind))
        parts += tny_span_pieces(&step->span, proved.schedule->chunk_count);
    }
    status = tny_findings_add_as(
        findings, "ring:8, from 6", shown[i].title,
        tny_finding_exact((double)(parts * BYTES_SHOWN / RANKS_SHOWN), shown[i].bytes), error);
  }
  close(&proved);
  return status;
}

/* --- the entries --- */

const struct tny_reproduction tny_trivance_steps = {
    .paper = "juerss2026b",
    .name = "steps",
    .title = "Trivance takes as few steps as there can be, on rings and tori",
    .unit = "steps",
    .note = "Under paper is the abstract's log3 n for a ring, rounded up where n isn't a power of "
            "three; for a torus the sum over its dimensions, as in the authors' simulator; and "
            "twice that where a reduce-scatter and an all-gather follow each other. Ours are the "
            "phases of schedules that are proved here. The paper's figures are times of the "
            "authors' simulator on such networks, by which Trivance is 5 to 30 % faster than "
            "others up to 8 MiB. They couldn't be had; and there a node sends on all ports at "
            "once, while hosts here have one.",
    .run = run_steps,
};

const struct tny_reproduction tny_trivance_links = {
    .paper = "juerss2026b",
    .name = "links",
    .title = "What Trivance and Bruck's algorithm put on a ring's fullest link, step by step",
    .unit = "messages",
    .note =
        "The abstract's: a factor of three. Each of our messages in the all-reduce for the least "
        "latency is of the whole block. Bruck's, of radix 3, go from every rank to those 3^i and "
        "2 * 3^i on, as in the authors' simulator. In the last step, for which there are no "
        "limits, 2 * 3^i is as far as 3^i the other way round, and routes take the shorter way: "
        "there both put as much on each link.",
    .run = run_links,
};

const struct tny_reproduction tny_trivance_blocks = {
    .paper = "juerss2026b",
    .name = "blocks",
    .title = "What a rank sends in the run that the authors' simulator shows in its README",
    .unit = "bytes",
    .note = "An all-reduce for the most bandwidth of 512 numbers of 4 bytes on a ring of 8, where "
            "there are several ways to share out what isn't a power of three. The README shows two "
            "messages of the first step, and the bytes that a rank sends in all.",
    .run = run_blocks,
};
