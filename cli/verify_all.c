/* Proving every registered algorithm. Whole schedules are held to the algorithm's claim; then each
   is cut and paced as the model would for blocks of the wanted size, and proved again. */
#include "verify_all.h"

#include <inttypes.h>

#include <tourney/model.h>

#include "core/alloc.h"
#include "core/error.h"
#include "scene.h"

enum {
  RANKS_MAX = 64,
  ALL_ROOTS_RANKS_MAX = 17, /* up to here every root of a broadcast */
  CHUNKS_MAX = 5,           /* more than any window: what comes after only repeats */
  IN_FLIGHT_RANKS_MAX = 24, /* up to here what is in flight: counting it takes longest */
  IN_FLIGHT_MESSAGES_MAX = 20000,
};

/* One cluster with its ranks, and what is proved there. */
struct stage {
  const struct verify_all *wanted;
  struct scene scene;
  const char *cluster;
  enum tny_map map;
  const struct tny_algorithm *algorithm;
  struct tny_problem problem;
  uint64_t chunk_bytes; /* of the model's cut */
  struct verify_line *line;
};

/* Says what was planned when it went wrong. */
static enum tny_status blame(const struct stage *stage, struct tny_pace pace,
                             const struct tny_error *cause, struct tny_error *error)
{
  return tny_error_set(error, cause->status,
                       "%s %s on %s (%s), %" PRIu32 " ranks, root %" PRIu32 ", %" PRIu32
                       " chunks, window %" PRIu32 ": %s",
                       tny_collective_name(stage->problem.collective), stage->algorithm->name,
                       stage->cluster, scene_map_name(stage->map), stage->problem.rank_count,
                       stage->problem.root, pace.chunk_count, pace.window, cause->text);
}

static enum tny_status count_in_flight(const struct stage *stage,
                                       const struct tny_schedule *schedule, struct tny_error *error)
{
  const struct tny_cluster *cluster = stage->scene.cluster;
  uint32_t *in_flight = tny_new(cluster->link_count, sizeof *in_flight);
  if (!in_flight)
    return tny_error_memory(error);
  const enum tny_status status = tny_verify_in_flight(schedule, &stage->scene.network,
                                                      IN_FLIGHT_MESSAGES_MAX, in_flight, error);
  for (uint32_t link = 0; status == TNY_OK && link < cluster->link_count; link++) {
    const double share = (double)in_flight[link] * (double)stage->chunk_bytes /
                         (double)cluster->links[link].buffer_bytes;
    if (in_flight[link] > stage->line->in_flight)
      stage->line->in_flight = in_flight[link];
    if (share > stage->line->buffer_share)
      stage->line->buffer_share = share;
  }
  tny_free(in_flight);
  return status;
}

/* What whole blocks promise: rounds, blocks, and links where the ranks stand in switch order. */
static enum tny_status prove_claim(const struct stage *stage, const struct tny_schedule *schedule,
                                   struct tny_report *report, struct tny_error *error)
{
  const struct tny_cluster *cluster = stage->scene.cluster;
  const struct tny_problem settled = tny_plan_problem(stage->algorithm, &stage->problem, 1);
  const struct tny_claim claim = stage->algorithm->claim(&settled);
  const bool one_a_host = stage->problem.rank_count <= cluster->host_count;
  uint32_t limit = 0;
  if (one_a_host && cluster->switch_count == 1)
    limit = claim.port_messages;
  else if (one_a_host && tny_cluster_is_tree(cluster))
    limit = claim.tree_link_messages;
  const enum tny_status status = tny_verify_claim(report, &claim, error);
  if (status != TNY_OK)
    return status;
  return tny_verify_links(schedule, &stage->scene.network, limit, report, error);
}

static enum tny_status prove_schedule(const struct stage *stage,
                                      const struct tny_schedule *schedule, bool whole,
                                      struct tny_error *error)
{
  struct tny_report report;
  struct verify_line *line = stage->line;
  enum tny_status status = tny_verify_data(schedule, error);
  if (status == TNY_OK)
    status = tny_verify_progress(schedule, &report, error);
  if (status == TNY_OK && whole)
    status = prove_claim(stage, schedule, &report, error);
  else if (status == TNY_OK && stage->problem.root == 0 &&
           stage->problem.rank_count <= IN_FLIGHT_RANKS_MAX)
    status = count_in_flight(stage, schedule, error);
  if (status != TNY_OK)
    return status;
  line->schedules++;
  line->steps += report.steps;
  line->messages += report.messages;
  if (whole && report.phase_link_messages > line->phase_link_messages)
    line->phase_link_messages = report.phase_link_messages;
  return TNY_OK;
}

static enum tny_status prove(const struct stage *stage, struct tny_pace pace, bool whole,
                             struct tny_error *error)
{
  struct tny_schedule *schedule;
  struct tny_error cause = {0};
  enum tny_status status = tny_plan_all(stage->algorithm, &stage->problem, pace, &schedule, &cause);
  if (status == TNY_OK)
    status = prove_schedule(stage, schedule, whole, &cause);
  tny_schedule_free(schedule);
  return status == TNY_OK ? TNY_OK : blame(stage, pace, &cause, error);
}

static enum tny_status prove_root(struct stage *stage, uint32_t root, struct tny_error *error)
{
  const struct tny_pace whole = {.chunk_count = 1, .window = 0};
  uint64_t slot_bytes;
  stage->problem = scene_problem(&stage->scene, stage->algorithm->collective, root);
  if (stage->algorithm->refuse && stage->algorithm->refuse(&stage->problem))
    return TNY_OK;
  enum tny_status status = prove(stage, whole, true, error);
  if (status == TNY_OK)
    status = tny_model_slot_bytes(stage->algorithm, &stage->problem, &stage->scene.network,
                                  &slot_bytes, error);
  if (status != TNY_OK)
    return status;
  const uint64_t block_bytes = stage->wanted->block_bytes;
  struct tny_pace pace = tny_model_pace(&stage->scene.model, stage->algorithm, &stage->problem,
                                        slot_bytes, block_bytes);
  stage->chunk_bytes = (block_bytes + pace.chunk_count - 1) / pace.chunk_count;
  if (pace.chunk_count > CHUNKS_MAX)
    pace.chunk_count = CHUNKS_MAX;
  return prove(stage, pace, false, error);
}

/* Every root of a small broadcast, else four of them; other collectives have none. */
static enum tny_status prove_roots(struct stage *stage, struct tny_error *error)
{
  const uint32_t p = stage->scene.rank_count;
  const uint32_t some[] = {0, 1, p / 2, p - 1};
  if (stage->algorithm->collective != TNY_BROADCAST)
    return prove_root(stage, 0, error);
  enum tny_status status = TNY_OK;
  if (p <= ALL_ROOTS_RANKS_MAX && !stage->wanted->quick) {
    for (uint32_t root = 0; status == TNY_OK && root < p; root++)
      status = prove_root(stage, root, error);
    return status;
  }
  for (size_t i = 0; status == TNY_OK && i < sizeof some / sizeof *some; i++)
    if (some[i] < p && (i == 0 || some[i] > some[i - 1]))
      status = prove_root(stage, some[i], error);
  return status;
}

static enum tny_status prove_on(const struct verify_all *wanted, const char *cluster,
                                enum tny_map map, struct verify_line *lines,
                                struct tny_error *error)
{
  struct stage stage = {.wanted = wanted, .cluster = cluster, .map = map};
  enum tny_status status = scene_open(&stage.scene, cluster, map, 0, error);
  for (uint32_t i = 0; status == TNY_OK && tny_algorithms[i]; i++) {
    stage.algorithm = tny_algorithms[i];
    stage.line = &lines[i];
    status = prove_roots(&stage, error);
  }
  scene_close(&stage.scene);
  return status;
}

/* One switch, two switches with the ranks in blocks and interleaved, three switches. */
static enum tny_status prove_ranks(const struct verify_all *wanted, uint32_t p,
                                   struct verify_line *lines, struct tny_error *error)
{
  char cluster[80];
  snprintf(cluster, sizeof cluster, "single:%" PRIu32, p);
  enum tny_status status = prove_on(wanted, cluster, TNY_MAP_BLOCK, lines, error);
  if (p >= 2) {
    snprintf(cluster, sizeof cluster, "switches:%" PRIu32 "+%" PRIu32, p - p / 2, p / 2);
    if (status == TNY_OK)
      status = prove_on(wanted, cluster, TNY_MAP_BLOCK, lines, error);
    if (status == TNY_OK)
      status = prove_on(wanted, cluster, TNY_MAP_INTERLEAVED, lines, error);
  }
  if (p >= 3 && status == TNY_OK) {
    const uint32_t middle = p / 4 ? p / 4 : 1, last = (p - middle) / 2;
    snprintf(cluster, sizeof cluster, "switches:%" PRIu32 "+%" PRIu32 "+%" PRIu32,
             p - middle - last, middle, last);
    status = prove_on(wanted, cluster, TNY_MAP_INTERLEAVED, lines, error);
  }
  return status;
}

enum tny_status verify_all(const struct verify_all *wanted, struct verify_line *lines,
                           struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  if (wanted->cluster)
    return prove_on(wanted, wanted->cluster, wanted->map, lines, error);
  for (uint32_t p = 1; status == TNY_OK && p <= RANKS_MAX; p++)
    if (!wanted->quick || p <= ALL_ROOTS_RANKS_MAX || p == 33 || p == RANKS_MAX)
      status = prove_ranks(wanted, p, lines, error);
  return status;
}
