/* The plans of a channel: made on first use, kept most recently used first. */
#include "mpi/runtime.h"

#include "core/alloc.h"

enum {
  PLANS_MAX = 128,          /* a channel; a broadcast needs one for each root it sees */
  SEGMENT_CHUNKS_MAX = 512, /* longer blocks are done segment by segment with the same plan */
  SEGMENT_STEPS_MAX = 32768,
};

static void plan_free(struct tny_plan *plan)
{
  if (!plan)
    return;
  tny_steps_release(&plan->steps);
  tny_free(plan->posted);
  tny_free(plan->started);
  tny_free(plan->first_request);
  tny_free(plan->requests);
  tny_free(plan);
}

void tny_plans_free(struct tny_plan *plans)
{
  while (plans) {
    struct tny_plan *next = plans->next;
    plan_free(plans);
    plans = next;
  }
}

static uint32_t span_end(const struct tny_span *span, enum tny_buffer buffer)
{
  return span->buffer == buffer ? span->first + span->count : 0;
}

/* Sorts the steps in their queues and gives each its requests. */
static bool lay_out(struct tny_plan *plan)
{
  const uint32_t count = plan->steps.count;
  plan->posted = tny_new(count, sizeof *plan->posted);
  plan->started = tny_new(count, sizeof *plan->started);
  plan->first_request = tny_new((size_t)count + 1, sizeof *plan->first_request);
  if (!plan->posted || !plan->started || !plan->first_request)
    return false;
  uint32_t requests = 0;
  for (uint32_t i = 0; i < count; i++) {
    const struct tny_step *step = &plan->steps.steps[i];
    const bool is_token = step->kind == TNY_TOKEN_IN || step->kind == TNY_TOKEN_OUT;
    plan->first_request[i] = requests;
    if (step->kind == TNY_RECV || step->kind == TNY_TOKEN_IN)
      plan->posted[plan->posted_count++] = i;
    else
      plan->started[plan->started_count++] = i;
    if (step->kind != TNY_COPY)
      requests += is_token ? 1 : step->span.count;
    const uint32_t used = span_end(&step->span, TNY_SCRATCH) > span_end(&step->target, TNY_SCRATCH)
                              ? span_end(&step->span, TNY_SCRATCH)
                              : span_end(&step->target, TNY_SCRATCH);
    if (used > plan->scratch_blocks)
      plan->scratch_blocks = used;
  }
  plan->first_request[count] = requests;
  plan->requests = tny_new(requests, sizeof *plan->requests);
  if (!plan->requests)
    return false;
  for (uint32_t i = 0; i < requests; i++)
    plan->requests[i] = MPI_REQUEST_NULL;
  return true;
}

static struct tny_problem problem_of(const struct tny_channel *channel,
                                     const struct tny_algorithm *algorithm, uint32_t root)
{
  return (struct tny_problem){
      .collective = algorithm->collective,
      .rank_count = channel->rank_count,
      .root = root,
      .order = channel->order,
      .position = channel->position,
  };
}

static struct tny_plan *make(const struct tny_channel *channel, const struct tny_plan *key)
{
  struct tny_plan *plan = tny_new(1, sizeof *plan);
  if (!plan)
    return NULL;
  *plan = *key;
  const struct tny_problem problem = problem_of(channel, key->algorithm, key->root);
  const struct tny_pace pace = {.chunk_count = key->chunk_count, .window = key->window};
  if (tny_plan_rank(plan->algorithm, &problem, pace, channel->rank, &plan->steps, NULL) != TNY_OK ||
      !lay_out(plan)) {
    plan_free(plan);
    return NULL;
  }
  return plan;
}

/* Keeps the list short: the least recently used plan goes. */
static void forget_oldest(struct tny_plan *plans)
{
  uint32_t count = 1;
  for (struct tny_plan *plan = plans; plan && plan->next; plan = plan->next, count++) {
    if (count == PLANS_MAX) {
      tny_plans_free(plan->next);
      plan->next = NULL;
    }
  }
}

/* The slot bytes of an algorithm and root: from any plan that has them, else computed. */
static bool find_slot_bytes(const struct tny_channel *channel, struct tny_plan *key)
{
  for (const struct tny_plan *plan = channel->plans; plan; plan = plan->next)
    if (plan->algorithm == key->algorithm && plan->root == key->root) {
      key->slot_bytes = plan->slot_bytes;
      return true;
    }
  const struct tny_problem problem = problem_of(channel, key->algorithm, key->root);
  const struct tny_network network = {.routes = tny_world_get()->routes,
                                      .host_of_rank = channel->host_of_rank};
  return tny_model_slot_bytes(key->algorithm, &problem, &network, &key->slot_bytes, NULL) == TNY_OK;
}

/* How many segments, so that neither the chunks nor the steps of a plan grow without limit. */
static uint32_t segments_for(const struct tny_channel *channel, uint32_t chunk_count)
{
  uint32_t chunks_max = SEGMENT_STEPS_MAX / (2 * channel->rank_count);
  if (chunks_max > SEGMENT_CHUNKS_MAX)
    chunks_max = SEGMENT_CHUNKS_MAX;
  if (chunks_max < 1)
    chunks_max = 1;
  return (chunk_count - 1) / chunks_max + 1;
}

struct tny_plan *tny_plan_get(struct tny_channel *channel, const struct tny_algorithm *algorithm,
                              uint32_t root, uint64_t block_bytes, uint32_t *segments)
{
  struct tny_plan key = {.algorithm = algorithm, .root = root};
  if (!find_slot_bytes(channel, &key))
    return NULL;
  const struct tny_pace pace =
      tny_model_pace(&channel->model, algorithm, key.slot_bytes, block_bytes);
  *segments = segments_for(channel, pace.chunk_count);
  key.chunk_count = (pace.chunk_count - 1) / *segments + 1;
  key.window = pace.window;
  for (struct tny_plan **at = &channel->plans; *at; at = &(*at)->next) {
    struct tny_plan *plan = *at;
    if (plan->algorithm == algorithm && plan->root == root &&
        plan->chunk_count == key.chunk_count) {
      *at = plan->next;
      plan->next = channel->plans;
      channel->plans = plan;
      return plan;
    }
  }
  struct tny_plan *plan = make(channel, &key);
  if (plan) {
    plan->next = channel->plans;
    channel->plans = plan;
    forget_oldest(plan);
  }
  return plan;
}
