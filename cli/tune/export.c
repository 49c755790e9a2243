/* Rules by size: of each measured size the fastest, up to the geometric mean with the next size. */
#include "export.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>

#include "cli/shared/json.h"
#include "cli/shared/peers.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/file.h"

/* Open MPI's own decision stays where nothing is faster by this much. */
#define GAIN_MIN 1.03

/* The fastest of one size. */
struct rule {
  uint64_t block_bytes;
  const struct peer_algorithm *peer; /* NULL: what the MPI decides */
  uint32_t segment_bytes;
  uint64_t ns;
};
struct rules {
  uint32_t count;
  struct rule *list; /* by size */
};

static int compare_rules(const void *left, const void *right)
{
  const struct rule *a = left, *b = right;
  return a->block_bytes < b->block_bytes ? -1 : a->block_bytes > b->block_bytes;
}

static bool is_candidate(const struct profile_file *file, const struct profile_native_point *point,
                         bool in_mpich)
{
  const struct peer_algorithm *peer = peer_find(point->collective, point->number);
  return peer &&
         (!in_mpich || (peer->mpich && point->segment_bytes == 0 &&
                        peer_takes(peer->mpich_ranks, file->profile->fingerprint.rank_count)));
}

/* The fastest for a size; the MPI's own decision counts too where it is known and `in_mpich` is
   not asked for: MPICH's decisions aren't Open MPI's. */
static struct rule find_rule(const struct profile_file *file, enum tny_collective collective,
                             uint64_t block_bytes, bool in_mpich)
{
  struct rule best = {.block_bytes = block_bytes};
  double default_ns = 0;
  for (uint32_t i = 0; i < file->native_count; i++) {
    const struct profile_native_point *point = &file->natives[i];
    if (point->collective == collective && point->block_bytes == block_bytes &&
        is_candidate(file, point, in_mpich) && (!best.peer || point->median_ns < best.ns)) {
      best.peer = peer_find(collective, point->number);
      best.segment_bytes = point->segment_bytes;
      best.ns = point->median_ns;
    }
  }
  for (uint32_t i = 0; i < file->profile->point_count && !in_mpich; i++) {
    const struct tny_profile_point *point = &file->profile->points[i];
    if (point->collective == collective && point->block_bytes == block_bytes &&
        tny_choice_is_native(&point->choice))
      default_ns = (double)point->median_ns;
  }
  if (default_ns > 0 && default_ns < GAIN_MIN * (double)best.ns)
    best.peer = NULL;
  return best;
}

/* Owns: rules->list, by tny_free. */
static enum tny_status find_rules(const struct profile_file *file, enum tny_collective collective,
                                  bool in_mpich, struct rules *rules, struct tny_error *error)
{
  *rules = (struct rules){.list = tny_new(file->native_count, sizeof *rules->list)};
  if (!rules->list)
    return tny_error_memory(error);
  for (uint32_t i = 0; i < file->native_count; i++) {
    const struct profile_native_point *point = &file->natives[i];
    bool is_there = point->collective != collective || !is_candidate(file, point, in_mpich);
    for (uint32_t r = 0; r < rules->count; r++)
      is_there |= rules->list[r].block_bytes == point->block_bytes;
    if (!is_there)
      rules->list[rules->count++] = find_rule(file, collective, point->block_bytes, in_mpich);
  }
  qsort(rules->list, rules->count, sizeof *rules->list, compare_rules);
  return TNY_OK;
}

/* Up to here, the rule of this index is nearer than the next. */
static uint64_t end_of(const struct rules *rules, uint32_t index)
{
  return (uint64_t)sqrt((double)rules->list[index].block_bytes *
                        (double)rules->list[index + 1].block_bytes);
}

static enum tny_status refuse(struct tny_error *error)
{
  return tny_error_set(error, TNY_REFUSED,
                       "the profile knows nothing of the MPI's own algorithms: make one by "
                       "'tourney tune --native-algorithms'");
}

/* --- Open MPI --- */

/* What Open MPI compares: the bytes of a broadcast, or a rank's blocks for all. */
static uint64_t rule_bytes(const struct profile_file *file, enum tny_collective collective,
                           uint64_t block_bytes)
{
  const uint32_t p = file->profile->fingerprint.rank_count;
  return tny_collective_is_one_message(collective) ? block_bytes : block_bytes * p;
}

/* Rules of other sizes of communicators leave the decision to Open MPI. */
static void add_openmpi_rules(const struct profile_file *file, enum tny_collective collective,
                              const struct rules *rules, struct tny_text *text)
{
  const uint32_t p = file->profile->fingerprint.rank_count;
  tny_text_add(text, "3 # sizes of communicators\n1\n1\n0 0 0 0\n");
  tny_text_add(
      text, "%" PRIu32 " # ranks\n%" PRIu32 " # rules: from so many bytes, algorithm, 0, segment\n",
      p, rules->count);
  for (uint32_t r = 0; r < rules->count; r++) {
    const struct rule *rule = &rules->list[r];
    const uint64_t from = r ? rule_bytes(file, collective, end_of(rules, r - 1) + 1) : 0;
    tny_text_add(text, "%" PRIu64 " %" PRIu32 " 0 %" PRIu32 " # %s\n", from,
                 rule->peer ? rule->peer->number : 0, rule->peer ? rule->segment_bytes : 0,
                 rule->peer ? rule->peer->name : "as Open MPI decides");
  }
  tny_text_add(text, "%" PRIu32 "\n1\n0 0 0 0\n", p + 1);
}

enum tny_status tune_export_openmpi(const struct profile_file *file, char **text,
                                    struct tny_error *error)
{
  struct tny_text body = {0}, whole = {0};
  uint32_t collectives = 0, number;
  enum tny_status status = TNY_OK;
  for (int c = 0; c < TNY_COLLECTIVE_COUNT && status == TNY_OK; c++) {
    const enum tny_collective collective = (enum tny_collective)c;
    struct rules rules = {0};
    if (peer_rules_number(collective, &number))
      status = find_rules(file, collective, false, &rules, error);
    if (rules.count) {
      collectives++;
      tny_text_add(&body, "%" PRIu32 " # %s\n", number, tny_collective_name(collective));
      add_openmpi_rules(file, collective, &rules, &body);
    }
    tny_free(rules.list);
  }
  if (status == TNY_OK && collectives == 0)
    status = refuse(error);
  tny_text_add(&whole, "%" PRIu32 " # collectives; measured by tourney tune on %s\n%s", collectives,
               file->cluster, body.length ? body.bytes : "");
  whole.failed |= body.failed;
  if (status == TNY_OK)
    status = tny_text_take(&whole, text, error);
  tny_text_release(&body);
  tny_text_release(&whole);
  return status;
}

/* --- MPICH --- */

static json_t *algorithm_json(const struct peer_algorithm *peer)
{
  char key[128];
  snprintf(key, sizeof key, "algorithm=%s", peer->mpich);
  return json_pack("{s:{}}", key);
}

/* The rules as MPICH has them: "avg_msg_size<=N" one after the other, "avg_msg_size=any" last. An
   all-gather's average is a block too. */
static json_t *rules_json(const struct rules *rules)
{
  json_t *object = json_object();
  for (uint32_t r = 0; object && r < rules->count; r++) {
    char key[64] = "avg_msg_size=any";
    if (r + 1 < rules->count)
      snprintf(key, sizeof key, "avg_msg_size<=%" PRIu64, end_of(rules, r));
    if (json_object_set_new(object, key, algorithm_json(rules->list[r].peer))) {
      json_decref(object);
      object = NULL;
    }
  }
  return object;
}

/* The rules for as many ranks as were measured. What is exchanged in place needs algorithms of its
   own: those that MPICH has. */
static json_t *measured_json(enum tny_collective collective, const struct rules *rules,
                             json_t *before)
{
  return tny_collective_is_pairwise(collective)
             ? json_pack("{s:O, s:o}", "is_sendbuf_inplace=yes", before, "is_sendbuf_inplace=no",
                         rules_json(rules))
             : rules_json(rules);
}

/* Puts the rules before what MPICH has for communicators of all other sizes. */
static enum tny_status put_rules(json_t *root, const struct profile_file *file,
                                 enum tny_collective collective, const struct rules *rules,
                                 struct tny_error *error)
{
  const uint32_t p = file->profile->fingerprint.rank_count;
  char name[64], fewer[32], exactly[32];
  snprintf(name, sizeof name, "collective=%s", tny_collective_name(collective));
  snprintf(fewer, sizeof fewer, "comm_size<%" PRIu32, p);
  snprintf(exactly, sizeof exactly, "comm_size<=%" PRIu32, p);
  json_t *row = json_object_get(root, name);
  json_t *before = json_object_get(row, "comm_type=intra");
  if (!before)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "the file of --base has no \"%s\" with \"comm_type=intra\": it is to be "
                         "coll_selection.json of MPICH's own sources",
                         name);
  json_t *after = json_pack("{s:O, s:o, s:O}", fewer, before, exactly,
                            measured_json(collective, rules, before), "comm_size=any", before);
  return after && json_object_set_new(row, "comm_type=intra", after) == 0 ? TNY_OK
                                                                          : tny_error_memory(error);
}

enum tny_status tune_export_mpich(const struct profile_file *file, const char *base, char **text,
                                  struct tny_error *error)
{
  json_error_t wrong;
  char *read = NULL;
  uint32_t collectives = 0;
  enum tny_status status = tny_file_read(base, &read, error);
  if (status != TNY_OK)
    return status;
  json_t *root = json_loads(read, 0, &wrong);
  tny_text_free(read);
  if (!root)
    return tny_error_at(error, TNY_BAD_INPUT, base, (unsigned)wrong.line, (unsigned)wrong.column,
                        "isn't JSON: %s", wrong.text);
  for (int c = 0; c < TNY_COLLECTIVE_COUNT && status == TNY_OK; c++) {
    struct rules rules;
    status = find_rules(file, (enum tny_collective)c, true, &rules, error);
    if (status == TNY_OK && rules.count)
      status = put_rules(root, file, (enum tny_collective)c, &rules, error);
    collectives += rules.count > 0;
    tny_free(rules.list);
  }
  if (status == TNY_OK && collectives == 0)
    status = refuse(error);
  if (status == TNY_OK)
    return json_take(root, text, error);
  json_decref(root);
  return status;
}
