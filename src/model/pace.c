/* Chunks and windows. The window is wide enough to keep a link busy, and such that the bytes in
   flight over every link stay under half of its port buffer while ranks keep step. The other half
   takes the skew between ranks, the frames' headers and the acknowledgements of the other
   direction. The streams of chains, which don't meet, have six sevenths, and what is on the wires.

   Where ranks may lose step so far that more is in flight over a link than its buffer takes, what
   is in flight over each link is limited as well, to a window of the link's own (docs/budgets.md).
   */
#include "model/chunk.h"

#include <assert.h>

#include "cluster/links.h"
#include "cluster/route.h"
#include "core/alloc.h"
#include "core/error.h"
#include "model/bandwidth_delay.h"
#include "model/messages.h"
#include "model/sample.h"

enum {
  COUNTED_MAX = 1 << 16, /* messages of an algorithm, of more only a sample is looked at */
  LIMITED_CHUNKS = 8,    /* that a port buffer takes at least where links' windows pace ranks */
};

/* May all messages be in flight at once? Credits pace each pair of ranks by itself, and what has no
   phases isn't paced at all. Receives pace all that a rank sends, so that ranks go from phase to
   phase together. */
static bool all_at_once(const struct tny_algorithm *algorithm, const struct tny_claim *claim)
{
  return tny_pacing_is_by_credits(algorithm->pacing) || claim->phases == 0;
}

/* Blocks by phase and link; of all phases together where there is one. A mirror's messages are its
   origin's, on their way back, or of an all-reduce there and back: each way by itself. */
struct counts {
  const struct tny_algorithm *origin;
  const struct tny_problem *problem; /* its, settled */
  bool goes[2];                      /* there, back */
  uint32_t phase_count;
  uint32_t *blocks;
};

static struct counts counts_of(const struct tny_algorithm *algorithm,
                               const struct tny_problem *settled)
{
  const bool is_turned = algorithm->mirrors;
  return (struct counts){
      .origin = tny_algorithm_origin(algorithm),
      .problem = settled,
      .goes = {!is_turned || tny_collective_shares_result(algorithm->collective), is_turned}};
}

/* Adds a message to the links of its route; `cells` are those of its phase. */
static void count_route(const struct tny_network *network, uint32_t from, uint32_t to,
                        uint32_t count, uint32_t *cells)
{
  struct tny_route route = tny_route_begin(network, from, to);
  uint32_t link;
  while ((link = tny_route_next(&route)) != TNY_NONE)
    cells[link] += count;
}

/* Lowers the budget to what the fullest link of these has room for. */
static void lower_budget(const struct tny_cluster *cluster, const uint32_t *cells, size_t count,
                         uint64_t *chunk_budget_bytes)
{
  for (size_t cell = 0; cell < count; cell++) {
    const uint64_t buffer = cluster->links[cell % cluster->link_count].buffer_bytes;
    if (cells[cell] > 0 && buffer / cells[cell] < *chunk_budget_bytes)
      *chunk_budget_bytes = buffer / cells[cell];
  }
}

/* Adds the blocks that the origin has `rank` send, or get back. */
static enum tny_status count_rank(const struct counts *counts, bool back, uint32_t rank,
                                  struct tny_error *error)
{
  struct tny_steps steps;
  const struct tny_pace whole = {.chunk_count = 1};
  const struct tny_network *network = counts->problem->network;
  const enum tny_status status =
      tny_plan_rank(counts->origin, counts->problem, whole, rank, &steps, error);
  if (status != TNY_OK)
    return status;
  for (uint32_t i = 0; i < steps.count; i++) {
    const struct tny_step *step = &steps.steps[i];
    if (!tny_step_starts_message(step->kind))
      continue;
    const size_t phase = counts->phase_count > 1 ? step->phase : 0;
    assert(phase < counts->phase_count);
    count_route(network, back ? step->peer : rank, back ? rank : step->peer, step->span.count,
                counts->blocks + phase * network->routes->cluster->link_count);
  }
  tny_steps_release(&steps);
  return TNY_OK;
}

static enum tny_status count_chunk_budget(struct counts counts, uint64_t *chunk_budget_bytes,
                                          struct tny_error *error)
{
  const struct tny_cluster *cluster = counts.problem->network->routes->cluster;
  const struct tny_claim claim = tny_algorithm_claim(counts.origin, counts.problem);
  counts.phase_count = all_at_once(counts.origin, &claim) ? 1 : claim.phases;
  const size_t cell_count = (size_t)counts.phase_count * cluster->link_count;
  counts.blocks = tny_new(cell_count, sizeof *counts.blocks);
  if (!counts.blocks)
    return tny_error_memory(error);
  enum tny_status status = TNY_OK;
  for (int way = 0; way < 2; way++) {
    if (!counts.goes[way])
      continue;
    memset(counts.blocks, 0, cell_count * sizeof *counts.blocks);
    for (uint32_t rank = 0; status == TNY_OK && rank < counts.problem->rank_count; rank++)
      status = count_rank(&counts, way == 1, rank, error);
    if (status == TNY_OK)
      lower_budget(cluster, counts.blocks, cell_count, chunk_budget_bytes);
  }
  tny_free(counts.blocks);
  return status;
}

/* The same from a sample of the phases: the most that a link has in one of them. */
static enum tny_status sample_chunk_budget(const struct counts *counts,
                                           uint64_t *chunk_budget_bytes, struct tny_error *error)
{
  const struct tny_problem *problem = counts->problem;
  const struct tny_cluster *cluster = problem->network->routes->cluster;
  const uint32_t total = tny_algorithm_claim(counts->origin, problem).phases;
  const uint32_t size = tny_sample_size(total);
  uint32_t *blocks = tny_new(cluster->link_count, sizeof *blocks);
  if (!blocks)
    return tny_error_memory(error);
  for (uint32_t i = 0; i < 2 * size; i++) {
    const bool back = i % 2 == 1;
    if (!counts->goes[back])
      continue;
    memset(blocks, 0, cluster->link_count * sizeof *blocks);
    for (uint32_t rank = 0; rank < problem->rank_count; rank++) {
      const uint32_t peer = counts->origin->peer(problem, rank, tny_sample_phase(total, i / 2));
      if (peer != TNY_NONE)
        count_route(problem->network, back ? peer : rank, back ? rank : peer, 1, blocks);
    }
    lower_budget(cluster, blocks, cluster->link_count, chunk_budget_bytes);
  }
  tny_free(blocks);
  return TNY_OK;
}

/* The chunk budget as the algorithm's promise gives it, where it holds for this cluster; 0: the
   messages must be counted. */
uint64_t tny_model_promised_budget(const struct tny_algorithm *algorithm,
                                   const struct tny_problem *problem,
                                   const struct tny_network *network)
{
  if (problem->rank_count < 2 ||
      (algorithm->pacing == TNY_PACE_NONE && algorithm->cut == TNY_CUT_NEVER))
    return UINT64_MAX;
  const struct tny_problem settled = tny_plan_problem(algorithm, problem, 1);
  const struct tny_claim claim = tny_algorithm_claim(algorithm, &settled);
  const uint32_t promised = tny_promised_messages(&claim, problem, network->routes->cluster);
  if (all_at_once(algorithm, &claim) || promised == 0)
    return 0;
  const uint64_t budget = tny_cluster_least_buffer(network->routes->cluster) / promised;
  return budget > 0 ? budget : 1;
}

/* What the origin promises, where that holds on the way back. */
static bool has_promise_back(const struct counts *counts, uint64_t *chunk_budget_bytes)
{
  const struct tny_subject origin = tny_subject_make(counts->origin, counts->problem, 1);
  const uint64_t promised =
      tny_model_promised_budget(counts->origin, counts->problem, counts->problem->network);
  if (promised == 0 || !counts->goes[1] || !tny_goes_back_alike(&origin))
    return false;
  *chunk_budget_bytes = promised;
  return true;
}

enum tny_status tny_model_chunk_budget(const struct tny_algorithm *algorithm,
                                       const struct tny_problem *problem,
                                       const struct tny_network *network,
                                       uint64_t *chunk_budget_bytes, struct tny_error *error)
{
  *chunk_budget_bytes = tny_model_promised_budget(algorithm, problem, network);
  if (*chunk_budget_bytes > 0)
    return TNY_OK;
  *chunk_budget_bytes = UINT64_MAX;
  struct tny_problem of = *problem;
  of.network = network;
  of.collective = tny_algorithm_origin(algorithm)->collective;
  of = tny_plan_problem(tny_algorithm_origin(algorithm), &of, 1);
  const struct counts counts = counts_of(algorithm, &of);
  const struct tny_claim claim = tny_algorithm_claim(counts.origin, &of);
  const bool is_much = tny_claimed_messages(&claim, problem->rank_count) > COUNTED_MAX;
  if (is_much && counts.origin->peer)
    return sample_chunk_budget(&counts, chunk_budget_bytes, error);
  if (!is_much || !has_promise_back(&counts, chunk_budget_bytes))
    return count_chunk_budget(counts, chunk_budget_bytes, error);
  return TNY_OK;
}

/* The ranks that a chunk goes through after the first, in a pipeline; else 0. */
static uint32_t pipeline_hops(const struct tny_algorithm *algorithm,
                              const struct tny_problem *problem)
{
  if (!tny_collective_is_one_message(tny_algorithm_origin(algorithm)->collective) ||
      (algorithm->cut != TNY_CUT_PIPELINED && algorithm->cut != TNY_CUT_OWN))
    return 0;
  const struct tny_problem whole = tny_plan_problem(algorithm, problem, 1);
  const struct tny_claim claim = tny_algorithm_claim(algorithm, &whole);
  const uint32_t rounds = claim.rounds > 0 ? claim.rounds : claim.phases;
  return rounds > 2 ? rounds - 1 : 1;
}

static uint32_t pieces_a_message(const struct tny_algorithm *algorithm)
{
  return algorithm->pieces_a_message ? algorithm->pieces_a_message : 1;
}

/* How many chunks the algorithm makes of it where `wanted` would be best. */
static uint32_t chunks_made(const struct tny_algorithm *algorithm,
                            const struct tny_problem *problem, uint64_t wanted)
{
  const uint64_t most = UINT32_MAX / pieces_a_message(algorithm);
  const uint32_t count = wanted < 1 ? 1 : wanted > most ? (uint32_t)most : (uint32_t)wanted;
  if (algorithm->cut == TNY_CUT_NEVER)
    return 1;
  if (algorithm->cut == TNY_CUT_OWN)
    return tny_plan_problem(algorithm, problem, count * pieces_a_message(algorithm)).piece_count;
  return count;
}

/* What is left of a buffer beside headers and tokens, which take a seventh. */
static uint64_t without_headers(uint64_t bytes)
{
  return bytes - bytes / 7;
}

/* --- limits on what is in flight over links --- */

/* The most messages that a rank sends, uncut: of its parts at most one a phase. */
static uint64_t messages_sent(const struct tny_algorithm *algorithm, const struct tny_claim *claim,
                              uint32_t rank_count)
{
  const uint32_t parts = tny_algorithm_parts(algorithm, rank_count);
  const uint64_t sent = claim->blocks_sent_max * parts;
  return parts > 1 && sent > claim->phases ? claim->phases : sent;
}

/* Are the links' windows all that paces ranks? They are where the algorithm says so, and where
   ranks are idle in some phases: then what a rank receives says little about when it is to send, as
   its receives and sends come at different times. */
static bool only_links(const struct tny_algorithm *algorithm, const struct tny_claim *claim,
                       uint32_t rank_count)
{
  return algorithm->pacing == TNY_PACE_LINKS ||
         claim->phases > messages_sent(algorithm, claim, rank_count);
}

/* May more be in flight over a link than its buffer takes, though every rank keeps to its window?
   In the worst case a window of each rank is in flight, and all of it over one link. */
static bool may_overflow(const struct tny_problem *problem, uint64_t window_bytes)
{
  return window_bytes * problem->rank_count >
         tny_cluster_least_buffer(problem->network->routes->cluster);
}

/* Are ports limited too, where links are? There one token serves several chunks to one rank. */
static bool limits_ports(const struct tny_algorithm *algorithm)
{
  return algorithm->cut != TNY_CUT_BY_CHUNK;
}

/* Can what is in flight over links be limited, and are there links worth it: trunks or ports? */
static bool has_links_to_limit(const struct tny_model *model, const struct tny_algorithm *algorithm,
                               const struct tny_problem *problem)
{
  return (algorithm->pacing == TNY_PACE_RECEIVES || algorithm->pacing == TNY_PACE_LINKS) &&
         problem->network && (model->has_trunks || limits_ports(algorithm));
}

/* Are the messages few enough? Every rank has to plan those of all ranks. What sends several blocks
   in a message isn't limited. */
static bool can_be_limited(const struct tny_algorithm *algorithm, const struct tny_claim *claim,
                           const struct tny_problem *problem)
{
  const uint64_t sent = messages_sent(algorithm, claim, problem->rank_count);
  return claim->phases > 0 && sent <= claim->phases &&
         !tny_algorithm_origin(algorithm)->joins_blocks &&
         sent * problem->rank_count <= TNY_LIMITED_MESSAGES_MAX;
}

/* The bytes of a port buffer that a message counts for: its own. Where the links' windows alone are
   pace ranks, a full link has its whole window in flight, and part of that in its buffer, with
   headers, tokens and the acknowledgements of the other direction: then a message counts for a
   sixth more. Rounded up, so that blocks of about the same length have the same plan. */
static uint32_t message_charge_bytes(uint64_t message_bytes, bool links_alone_pace)
{
  const uint64_t wanted = links_alone_pace ? message_bytes + message_bytes / 6 : message_bytes;
  const uint64_t bytes = (wanted + 255) / 256 * 256;
  return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

/* Adds the limit to a pace, where it is called for. */
static void limit_links(const struct tny_model *model, const struct tny_algorithm *algorithm,
                        const struct tny_problem *problem, uint64_t block_bytes,
                        struct tny_pace *pace)
{
  if (!has_links_to_limit(model, algorithm, problem))
    return;
  const struct tny_problem settled = tny_plan_problem(algorithm, problem, 1);
  const struct tny_claim claim = tny_algorithm_claim(algorithm, &settled);
  if (!can_be_limited(algorithm, &claim, problem))
    return;
  const uint64_t messages = pace->chunk_count / pieces_a_message(algorithm);
  const uint64_t message_bytes = (block_bytes + messages - 1) / messages;
  const bool links_alone_pace = only_links(algorithm, &claim, problem->rank_count);
  if (links_alone_pace || may_overflow(problem, pace->window * message_bytes))
    pace->limit_message_bytes = message_charge_bytes(message_bytes, links_alone_pace);
  if (links_alone_pace)
    pace->window = 0;
}

/* Where every link has a window of its own, a rank's needn't leave room for the skew between ranks:
   it is as wide as the buffers take while ranks keep step, so that a rank that is late, as those
   are whose host has fewer processors than ranks, holds up nobody until its window is through. */
static void widen_window(const struct tny_algorithm *algorithm, uint64_t chunk_budget_bytes,
                         struct tny_pace *pace)
{
  if (pace->limit_message_bytes == 0 || pace->window == 0 || !limits_ports(algorithm))
    return;
  const uint64_t most = without_headers(chunk_budget_bytes) / pace->limit_message_bytes;
  if (most > pace->window)
    pace->window = most > UINT32_MAX ? UINT32_MAX : (uint32_t)most;
}

/* How long a window may be for links not to be limited, and a chunk where links' windows alone pace
   ranks. There a message has its place in a link's window until its token has come back through the
   other direction's queue, which is about as long as its own: of three or four messages too few
   stand in the queue to keep the link busy (docs/budgets.md). */
static void bound_stream(const struct tny_model *model, const struct tny_algorithm *algorithm,
                         const struct tny_problem *problem, struct tny_stream *stream)
{
  stream->free_bytes = UINT64_MAX;
  stream->chunk_bytes_max = UINT64_MAX;
  if (!has_links_to_limit(model, algorithm, problem))
    return;
  const struct tny_problem settled = tny_plan_problem(algorithm, problem, 1);
  const struct tny_claim claim = tny_algorithm_claim(algorithm, &settled);
  if (!can_be_limited(algorithm, &claim, problem))
    return;
  const uint64_t buffer_bytes = tny_cluster_least_buffer(problem->network->routes->cluster);
  if (only_links(algorithm, &claim, problem->rank_count))
    stream->chunk_bytes_max = buffer_bytes / LIMITED_CHUNKS;
  else
    stream->free_bytes = buffer_bytes / problem->rank_count;
}

static uint64_t square_root(uint64_t value)
{
  uint64_t root = 0;
  while ((root + 1) * (root + 1) <= value)
    root++;
  return root;
}

/* Where ranks that receives pace send to each other in turn, and nothing limits what is in flight,
   chunks for one rank gather at its port when others lose step: about the square root of the ranks
   of them, if one stands still (docs/budgets.md). In the lab, buffers of 64 KiB took those of 8
   ranks up to 11 KiB, of 16 up to 4 KiB, of 32 up to 4 KiB or more: four times the root fits. */
static uint64_t gathered_chunk_bytes(const struct tny_model *model,
                                     const struct tny_algorithm *algorithm,
                                     const struct tny_problem *problem)
{
  if (algorithm->pacing != TNY_PACE_RECEIVES || algorithm->cut != TNY_CUT_BY_CHUNK ||
      !problem->network || has_links_to_limit(model, algorithm, problem))
    return UINT64_MAX;
  return tny_cluster_least_buffer(problem->network->routes->cluster) /
         square_root(16 * (uint64_t)problem->rank_count);
}

/* What is under way on the longest link and back, in no buffer; 0 where a faster link may fill the
   port of a slower one at once, before anything is under way. */
static uint64_t wire_bytes(const struct tny_model *model, const struct tny_problem *problem)
{
  uint64_t longest_ns = 0;
  if (!problem->network)
    return 0;
  const struct tny_cluster *cluster = problem->network->routes->cluster;
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    if (cluster->links[link].bandwidth_bps != model->link_bps)
      return 0;
    if (cluster->links[link].latency_ns > longest_ns)
      longest_ns = cluster->links[link].latency_ns;
  }
  struct tny_model way = *model;
  way.step_ns = longest_ns;
  return 2 * tny_model_bandwidth_delay_bytes(&way);
}

/* What a window may have of the chunk budget. The streams of pipelines don't meet, so that no skew
   adds to what is in flight: there all is taken that headers leave, and what is on the wires comes
   on top. */
static uint64_t window_budget_bytes(const struct tny_model *model,
                                    const struct tny_algorithm *algorithm,
                                    const struct tny_problem *problem, uint64_t chunk_budget_bytes)
{
  if (algorithm->pacing != TNY_PACE_CREDIT_BATCHES)
    return chunk_budget_bytes / 2;
  const uint64_t wire = wire_bytes(model, problem);
  const uint64_t buffered = without_headers(chunk_budget_bytes);
  return buffered > UINT64_MAX - wire ? UINT64_MAX : buffered + wire;
}

struct tny_pace tny_model_pace(const struct tny_model *model, const struct tny_algorithm *algorithm,
                               const struct tny_problem *problem, uint64_t chunk_budget_bytes,
                               uint64_t given_bytes)
{
  const uint64_t block_bytes = tny_model_size_step(given_bytes);
  const uint32_t hops = pipeline_hops(algorithm, problem);
  const uint64_t gathered = gathered_chunk_bytes(model, algorithm, problem);
  const uint64_t allowed = window_budget_bytes(model, algorithm, problem, chunk_budget_bytes);
  const uint64_t budget_bytes = allowed < gathered ? allowed : gathered;
  struct tny_stream stream = {.block_bytes = block_bytes > 0 ? block_bytes : 1,
                              .hops = hops,
                              .peers = algorithm->cut == TNY_CUT_OWN ? hops + 1 : 1,
                              .pacing = algorithm->pacing,
                              .budget_bytes = budget_bytes};
  bound_stream(model, algorithm, problem, &stream);
  const uint64_t chunk_bytes = tny_chunk_bytes(model, &stream);
  const uint64_t chunks = block_bytes / chunk_bytes + (block_bytes % chunk_bytes != 0);
  const uint64_t window = tny_chunk_window(model, &stream, chunk_bytes);
  struct tny_pace pace = {.chunk_count = chunks_made(algorithm, problem, chunks)};
  if (algorithm->pacing == TNY_PACE_NONE)
    return pace;
  pace.window = window > UINT32_MAX ? UINT32_MAX : (uint32_t)window;
  limit_links(model, algorithm, problem, block_bytes, &pace);
  widen_window(algorithm, chunk_budget_bytes, &pace);
  return pace;
}
