/* Proves one algorithm on one cluster. A schedule of whole blocks is checked against the
   algorithm's claim, links included. Then it is cut and paced as the model would, and proved again.
   Where a schedule is one proved before, with its ranks renamed, that proof covers its data and
   progress; its claim and its links are always checked. */
#include "prove.h"

#include <inttypes.h>

#include <tourney/separate.h>
#include <tourney/verify.h>

#include "cli/shared/mapping.h"
#include "cli/shared/options.h"
#include "core/alloc.h"
#include "core/error.h"

enum {
  CHUNKS_MAX = 5,           /* more than any window: further chunks only repeat */
  IN_FLIGHT_RANKS_MAX = 24, /* what is in flight is counted up to here: it takes longest */
  IN_FLIGHT_MESSAGES_MAX = 20000,
  SEPARATED_RANKS_MAX = 16,
  LIMITED_RANKS_MAX = 24, /* up to here with limited links: they make a schedule of each network */
  PIECES_MAX = 16,        /* for an algorithm that cuts blocks itself */
};

/* One schedule under proof. */
struct trial {
  const struct verify_setting *setting;
  const struct tny_algorithm *algorithm;
  struct tny_problem problem;
  struct tny_pace pace;
  uint64_t chunk_bytes; /* as the model cuts; 0: whole blocks */
  struct verify_tally *tally;
};

void verify_tally_add(struct verify_tally *total, const struct verify_tally *part)
{
  total->schedules += part->schedules;
  total->steps += part->steps;
  total->messages += part->messages;
  total->renamed += part->renamed;
  total->with_own_block += part->with_own_block;
  total->in_place += part->in_place;
  if (part->phase_link_messages > total->phase_link_messages)
    total->phase_link_messages = part->phase_link_messages;
  if (part->in_flight > total->in_flight)
    total->in_flight = part->in_flight;
  if (part->buffer_share > total->buffer_share)
    total->buffer_share = part->buffer_share;
  for (size_t i = 0; i < sizeof total->ranks / sizeof *total->ranks; i++)
    total->ranks[i] |= part->ranks[i];
}

static void note_ranks(struct verify_tally *tally, uint32_t rank_count)
{
  if (rank_count <= VERIFY_RANKS_MAX)
    tally->ranks[rank_count / 64] |= (uint64_t)1 << rank_count % 64;
}

uint32_t verify_tally_ranks(const struct verify_tally *tally)
{
  uint32_t count = 0;
  for (uint32_t p = 1; p <= VERIFY_RANKS_MAX; p++)
    count += tally->ranks[p / 64] >> p % 64 & 1;
  return count;
}

/* The error, with what was planned when it occurred. */
static enum tny_status add_context(const struct trial *trial, const struct tny_schedule *schedule,
                                   const struct tny_error *cause, struct tny_error *error)
{
  const struct verify_setting *setting = trial->setting;
  return tny_error_set(error, cause->status,
                       "%s %s on %.60s (%s), %" PRIu32 " ranks, root %" PRIu32 ", %" PRIu32
                       " chunks, window %" PRIu32 ": %s",
                       tny_collective_name(trial->problem.collective),
                       schedule ? schedule->algorithm : trial->algorithm->name,
                       setting->mapping->cluster->name, cli_map_name(setting->map),
                       trial->problem.rank_count, trial->problem.root, trial->pace.chunk_count,
                       trial->pace.window, cause->text);
}

static bool is_one_a_host(const struct trial *trial)
{
  const struct tny_placement *placement = trial->setting->mapping->placement;
  return placement->host_count == placement->rank_count;
}

static bool is_grid(const struct trial *trial)
{
  return trial->setting->mapping->placement->grid.dimension_count > 0;
}

static uint32_t least_promised(uint32_t a, uint32_t b)
{
  return a == 0 || (b > 0 && b < a) ? b : a;
}

/* The most messages of a phase that the claim allows on any link here; 0: any number. On a grid
   ports and trunks have promises of their own: the larger one holds for both. */
static uint32_t allowed_on_a_link(const struct trial *trial, const struct tny_claim *claim)
{
  const struct tny_cluster *cluster = trial->setting->mapping->cluster;
  uint32_t allowed = 0;
  if (is_one_a_host(trial) && cluster->switch_count == 1)
    allowed = claim->port_messages;
  if (is_one_a_host(trial) && is_grid(trial) && claim->grid_link_messages > 0)
    allowed = claim->grid_link_messages > claim->port_messages ? claim->grid_link_messages
                                                               : claim->port_messages;
  if (tny_cluster_is_tree(cluster))
    allowed = least_promised(allowed, claim->tree_link_messages);
  return allowed;
}

/* A grid's trunks are checked against their own promise. */
static enum tny_status check_trunks(const struct trial *trial, const struct tny_claim *claim,
                                    const struct tny_report *report, struct tny_error *error)
{
  const struct tny_cluster *cluster = trial->setting->mapping->cluster;
  const uint32_t allowed = claim->grid_link_messages;
  if (!is_one_a_host(trial) || !is_grid(trial) || allowed == 0 ||
      report->phase_trunk_messages <= allowed)
    return TNY_OK;
  const struct tny_link *link = &cluster->links[report->phase_trunk];
  return tny_error_set(error, TNY_BROKEN,
                       "a phase puts %" PRIu32 " messages on the trunk %s -> %s, %" PRIu32
                       " are claimed",
                       report->phase_trunk_messages, cluster->node_names[link->from],
                       cluster->node_names[link->to], allowed);
}

static enum tny_status prove_links(const struct trial *trial, const struct tny_schedule *schedule,
                                   const struct tny_claim *claim, struct tny_error *error)
{
  struct tny_report report;
  enum tny_status status = tny_verify_links(schedule, &trial->setting->mapping->network,
                                            allowed_on_a_link(trial, claim), &report, error);
  if (status == TNY_OK)
    status = check_trunks(trial, claim, &report, error);
  if (status == TNY_OK && trial->chunk_bytes == 0 &&
      report.phase_link_messages > trial->tally->phase_link_messages)
    trial->tally->phase_link_messages = report.phase_link_messages;
  return status;
}

/* The claim is about schedules that no pass has touched. */
static bool is_as_claimed(const struct trial *trial)
{
  const enum tny_cut cut = trial->algorithm->cut;
  return trial->pace.window == 0 && trial->pace.limit_message_bytes == 0 &&
         (trial->pace.chunk_count == 1 || cut == TNY_CUT_OWN || cut == TNY_CUT_NEVER);
}

static enum tny_status count_in_flight(const struct trial *trial,
                                       const struct tny_schedule *schedule, struct tny_error *error)
{
  const struct tny_cluster *cluster = trial->setting->mapping->cluster;
  struct verify_tally *found = trial->tally;
  const bool has_data = !tny_collective_synchronizes(schedule->collective);
  const uint64_t message_bytes = has_data ? trial->chunk_bytes : 0;
  if (trial->chunk_bytes == 0 || trial->problem.root > 0 ||
      trial->problem.rank_count > IN_FLIGHT_RANKS_MAX)
    return TNY_OK;
  uint32_t *in_flight = tny_new(cluster->link_count, sizeof *in_flight);
  if (!in_flight)
    return tny_error_memory(error);
  const enum tny_status status = tny_verify_in_flight(schedule, &trial->setting->mapping->network,
                                                      IN_FLIGHT_MESSAGES_MAX, in_flight, error);
  for (uint32_t link = 0; status == TNY_OK && link < cluster->link_count; link++) {
    const double share =
        (double)in_flight[link] * (double)message_bytes / (double)cluster->links[link].buffer_bytes;
    if (in_flight[link] > found->in_flight)
      found->in_flight = in_flight[link];
    if (share > found->buffer_share)
      found->buffer_share = share;
  }
  tny_free(in_flight);
  return status;
}

/* What runs in place is proved in place. The proof holds for the same schedule with its ranks
   renamed. */
static enum tny_status prove_in_place(const struct trial *trial,
                                      const struct tny_schedule *schedule, bool is_renamed,
                                      struct tny_error *error)
{
  trial->tally->with_own_block += tny_collective_has_own_block(schedule->collective);
  if (!tny_schedule_keeps_input(schedule))
    return TNY_OK;
  trial->tally->in_place++;
  return is_renamed ? TNY_OK : tny_verify_in_place(schedule, error);
}

static void tally(const struct trial *trial, const struct tny_report *report, bool is_renamed)
{
  trial->tally->schedules++;
  trial->tally->renamed += is_renamed;
  trial->tally->steps += report->steps;
  trial->tally->messages += report->messages;
}

/* Checks what the algorithm claims of bits: of this schedule, and of others of the problem. Those
   are as the whole one, by rank number where placements make no difference. */
static enum tny_status prove_bits(const struct trial *trial, const struct tny_schedule *schedule,
                                  const struct tny_report *report, struct tny_error *error)
{
  const struct tny_same_bits *claimed = &trial->algorithm->same_bits;
  struct tny_problem other = trial->problem;
  struct tny_pace pace = trial->pace;
  struct tny_schedule *compared;
  if (!tny_collective_reduces(schedule->collective))
    return TNY_OK;
  enum tny_status status = tny_verify_bits_claim(&report->bits, claimed, error);
  if (status != TNY_OK || (!claimed->for_every_size && !claimed->for_every_placement))
    return status;
  if (claimed->for_every_size)
    pace = (struct tny_pace){.chunk_count = 1};
  if (claimed->for_every_placement)
    other.placement = NULL;
  status = tny_plan_all(trial->algorithm, &other, pace, &compared, error);
  if (status == TNY_OK)
    status = tny_verify_same_bits(schedule, compared, error);
  tny_schedule_free(compared);
  return status;
}

/* Checks what depends on the algorithm and the network, of a schedule whose data and progress are
   proved: the claims, the links, what is in flight. */
static enum tny_status prove_here(const struct trial *trial, const struct tny_schedule *schedule,
                                  const struct tny_report *report, struct tny_error *error)
{
  const struct tny_problem settled =
      tny_plan_problem(trial->algorithm, &trial->problem, trial->pace.chunk_count);
  const struct tny_claim claim = tny_algorithm_claim(trial->algorithm, &settled);
  enum tny_status status = TNY_OK;
  if (is_as_claimed(trial))
    status = tny_verify_claim(report, &claim, error);
  if (status == TNY_OK)
    status = prove_bits(trial, schedule, report, error);
  if (status == TNY_OK)
    status = prove_links(trial, schedule, &claim, error);
  if (status == TNY_OK)
    status = count_in_flight(trial, schedule, error);
  return status;
}

static enum tny_status prove(const struct trial *trial, struct tny_error *error)
{
  struct verify_proved *proved = trial->setting->proved;
  struct tny_schedule *schedule;
  struct tny_report report;
  struct tny_error cause = {0};
  enum tny_status status =
      tny_plan_all(trial->algorithm, &trial->problem, trial->pace, &schedule, &cause);
  const bool is_renamed = status == TNY_OK && verify_proved_covers(proved, schedule, &report);
  if (status == TNY_OK && !is_renamed)
    status = tny_verify_schedule(schedule, &report, &cause);
  if (status == TNY_OK)
    status = prove_in_place(trial, schedule, is_renamed, &cause);
  if (status == TNY_OK)
    status = prove_here(trial, schedule, &report, &cause);
  if (status == TNY_OK)
    tally(trial, &report, is_renamed);
  else
    add_context(trial, schedule, &cause, error);
  if (status == TNY_OK && !is_renamed)
    verify_proved_keep(proved, schedule, &report);
  else
    tny_schedule_free(schedule);
  return status;
}

/* The pace that the model chooses. */
static enum tny_status find_pace(struct trial *trial, struct tny_error *error)
{
  const struct mapping *mapping = trial->setting->mapping;
  const uint64_t block_bytes = trial->setting->block_bytes;
  uint64_t chunk_budget_bytes;
  const enum tny_status status = tny_model_chunk_budget(
      trial->algorithm, &trial->problem, &mapping->network, &chunk_budget_bytes, error);
  if (status != TNY_OK)
    return status;
  trial->pace = tny_model_pace(&mapping->model, trial->algorithm, &trial->problem,
                               chunk_budget_bytes, block_bytes);
  const uint32_t pieces = trial->algorithm->pieces_a_message;
  const uint64_t bytes = pieces > 1 ? block_bytes * pieces : block_bytes;
  trial->chunk_bytes = (bytes + trial->pace.chunk_count - 1) / trial->pace.chunk_count;
  if (trial->pace.chunk_count > CHUNKS_MAX)
    trial->pace.chunk_count = CHUNKS_MAX;
  if (trial->problem.rank_count > LIMITED_RANKS_MAX)
    trial->pace.limit_message_bytes = 0;
  return TNY_OK;
}

/* Keeps the phases of a whole schedule apart and proves that they are. */
static enum tny_status prove_apart(const struct trial *trial, const struct tny_schedule *schedule,
                                   enum tny_separation how, struct tny_error *error)
{
  const struct tny_network *network = &trial->setting->mapping->network;
  struct tny_schedule *apart;
  struct tny_report report;
  enum tny_status status = tny_pass_separate(schedule, network, how, &apart, NULL, error);
  if (status != TNY_OK)
    return status;
  status = tny_verify_schedule(apart, &report, error);
  if (status == TNY_OK)
    status = tny_verify_separated(apart, network, error);
  if (status == TNY_OK)
    tally(trial, &report, false);
  tny_schedule_free(apart);
  return status;
}

/* A phased schedule of few ranks, separated both ways. */
static enum tny_status prove_separated(const struct trial *trial, struct tny_error *error)
{
  const struct tny_problem settled = tny_plan_problem(trial->algorithm, &trial->problem, 1);
  struct tny_schedule *schedule;
  struct tny_error cause = {0};
  if (trial->problem.rank_count > SEPARATED_RANKS_MAX || trial->problem.root > 0 ||
      tny_algorithm_claim(trial->algorithm, &settled).phases == 0)
    return TNY_OK;
  enum tny_status status =
      tny_plan_all(trial->algorithm, &trial->problem, trial->pace, &schedule, &cause);
  if (status == TNY_OK)
    status = prove_apart(trial, schedule, TNY_SEPARATE_BARRIER, &cause);
  if (status == TNY_OK)
    status = prove_apart(trial, schedule, TNY_SEPARATE_TOKENS, &cause);
  if (status != TNY_OK)
    add_context(trial, schedule, &cause, error);
  tny_schedule_free(schedule);
  return status;
}

/* The pieces in which an algorithm that cuts blocks itself is checked against its claim. In a
   broadcast of more pieces than a single piece takes rounds, every rank sends and receives all the
   time; with fewer pieces, a wrong circulant schedule may pass. In other collectives, ranks are as
   busy with few pieces. */
static uint32_t pieces_to_prove(const struct trial *trial)
{
  const struct tny_problem one = tny_plan_problem(trial->algorithm, &trial->problem, 1);
  const uint32_t rounds = tny_algorithm_claim(trial->algorithm, &one).rounds,
                 cut = trial->pace.chunk_count;
  const uint32_t pieces = rounds < PIECES_MAX ? rounds + 1 : PIECES_MAX;
  return tny_collective_is_one_message(trial->problem.collective) && pieces > cut ? pieces : cut;
}

static enum tny_status prove_pieces(struct trial trial, struct tny_error *error)
{
  if (trial.algorithm->cut != TNY_CUT_OWN || is_as_claimed(&trial))
    return TNY_OK;
  trial.pace = (struct tny_pace){.chunk_count = pieces_to_prove(&trial)};
  trial.chunk_bytes = 0;
  return prove(&trial, error);
}

/* In whole blocks; with its phases kept apart; in the chunks and with the windows of the model; in
   its own pieces. */
static enum tny_status prove_forms(struct trial trial, struct tny_error *error)
{
  trial.pace = (struct tny_pace){.chunk_count = 1};
  enum tny_status status = prove(&trial, error);
  if (status == TNY_OK)
    status = prove_separated(&trial, error);
  if (status == TNY_OK)
    status = find_pace(&trial, error);
  if (status == TNY_OK)
    status = prove(&trial, error);
  if (status == TNY_OK)
    status = prove_pieces(trial, error);
  return status;
}

/* All forms in which the trial's problem is planned; nothing where the algorithm refuses it. */
static enum tny_status prove_forms_of(struct trial trial, struct tny_error *error)
{
  const struct tny_problem raw = trial.problem;
  if (tny_algorithm_refusal(trial.algorithm, &raw))
    return TNY_OK;
  enum tny_status status = tny_problem_prepare(trial.algorithm, &raw, &trial.problem, error);
  if (status == TNY_OK)
    status = prove_forms(trial, error);
  tny_problem_release(trial.algorithm, &trial.problem);
  return status;
}

/* The same; an algorithm that plans by bytes has blocks by Zipf's law. */
static enum tny_status prove_problem(struct trial trial, struct tny_error *error)
{
  struct tny_pattern *pattern = NULL;
  enum tny_status status = TNY_OK;
  if (trial.algorithm->plans_bytes)
    status = tny_pattern_uneven(trial.problem.rank_count, trial.problem.collective,
                                &(struct tny_unevenness){.by_zipf = true,
                                                         .mean_bytes = trial.setting->block_bytes,
                                                         .seed = 1},
                                &pattern, error);
  if (pattern)
    trial.problem.pattern = pattern;
  if (status == TNY_OK)
    status = prove_forms_of(trial, error);
  tny_pattern_free(pattern);
  return status;
}

/* Is it one of the roots to prove for? */
static bool is_root_taken(enum verify_roots roots, uint32_t root, uint32_t p)
{
  const bool is_one = root == p / 2;
  return roots == VERIFY_EVERY_ROOT || is_one ||
         (roots == VERIFY_SOME_ROOTS && (root < 2 || root == p - 1));
}

enum tny_status verify_prove(const struct verify_setting *setting,
                             struct tny_algorithm_choice choice, struct verify_tally *tally,
                             struct tny_error *error)
{
  const bool has_root = tny_collective_has_root(choice.algorithm->collective);
  const uint32_t p = setting->mapping->rank_count, roots = has_root ? p : 1;
  struct trial trial = {.setting = setting, .algorithm = choice.algorithm, .tally = tally};
  enum tny_status status = TNY_OK;
  bool is_each = true;
  trial.problem = mapping_problem(setting->mapping, choice.algorithm->collective, 0);
  trial.problem.parameter = choice.parameter;
  for (uint32_t root = 0; status == TNY_OK && root < roots; root++) {
    const uint64_t before = tally->schedules;
    trial.problem.root = root;
    if (!has_root || is_root_taken(setting->roots, root, p))
      status = prove_problem(trial, error);
    is_each &= tally->schedules > before;
  }
  if (is_each)
    note_ranks(tally, p);
  return status;
}
