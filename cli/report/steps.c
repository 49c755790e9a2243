/* Lists messages by step. */
#include "steps.h"

#include "cli/shared/link.h"
#include "cli/shared/route.h"
#include "core/alloc.h"
#include "core/error.h"
#include "schedule/match.h"
#include "verify/progress.h"

/* The messages of a barrier may be tokens: they are shown all the same. */
static bool is_shown(const struct plan *plan, const struct tny_step *step)
{
  const bool with_tokens = tny_collective_synchronizes(plan->schedule->collective);
  return tny_step_starts_message(step->kind) || (with_tokens && tny_step_sends(step->kind));
}

/* The longest chain of messages up to the node's end, without the node. */
static uint32_t chain_before(const struct tny_match *match, const uint32_t *chain, uint32_t end)
{
  const uint32_t previous = match->previous[end];
  uint32_t longest = previous == TNY_NONE ? 0 : chain[previous];
  for (uint32_t i = 0; i < tny_match_step(match, end)->after_count; i++) {
    const uint32_t reached = chain[tny_match_after(match, end, i)];
    longest = reached > longest ? reached : longest;
  }
  return longest;
}

/* Fills in the round of each step, by id, from 1. */
static void find_rounds(const struct plan *plan, const struct tny_match *match,
                        const struct tny_progress *progress, uint32_t *chain)
{
  for (uint32_t i = 0; i < progress->node_count; i++) {
    const uint32_t end = progress->nodes[i], partner = match->partner[end];
    uint32_t longest = chain_before(match, chain, end);
    if (partner != TNY_NONE) {
      const uint32_t there = chain_before(match, chain, partner);
      longest = there > longest ? there : longest;
    }
    chain[end] = longest + is_shown(plan, tny_match_step(match, end));
    if (partner != TNY_NONE)
      chain[partner] = chain[end];
  }
}

/* Owns: *rounds, by id, by tny_free. */
static enum tny_status make_rounds(const struct plan *plan, uint32_t **rounds,
                                   struct tny_error *error)
{
  struct tny_match match;
  struct tny_progress progress;
  enum tny_status status = tny_match_make(plan->schedule, &match, error);
  if (status != TNY_OK)
    return status;
  status = tny_progress_check(&match, &progress, error);
  if (status == TNY_OK && !(*rounds = tny_new(match.step_count, sizeof **rounds)))
    status = tny_error_memory(error);
  if (status == TNY_OK)
    find_rounds(plan, &match, &progress, *rounds);
  tny_match_release(&match);
  return status;
}

static int compare_messages(const void *a, const void *b)
{
  const struct plan_step_message *x = a, *y = b;
  if (x->step != y->step)
    return x->step < y->step ? -1 : 1;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return (x->to > y->to) - (x->to < y->to);
}

static bool have_phases(const struct plan *plan)
{
  for (uint32_t rank = 0; rank < plan->schedule->rank_count; rank++)
    for (uint32_t i = 0; i < plan->schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &plan->schedule->ranks[rank].steps[i];
      if (is_shown(plan, step) && step->phase == TNY_NONE)
        return false;
    }
  return true;
}

/* `rounds` and `bytes` are by id, or NULL. */
static void list_messages(struct plan_steps *steps, const uint32_t *rounds, const uint64_t *bytes)
{
  const struct plan *plan = steps->plan;
  struct proof_subject subject = plan_subject(plan);
  struct plan_step_message *next = steps->messages;
  size_t id = 0;
  subject.message_bytes = bytes;
  for (uint32_t rank = 0; rank < plan->schedule->rank_count; rank++)
    for (uint32_t i = 0; i < plan->schedule->ranks[rank].count; i++, id++) {
      const struct tny_step *step = &plan->schedule->ranks[rank].steps[i];
      if (!is_shown(plan, step))
        continue;
      const bool carries = tny_step_starts_message(step->kind);
      *next++ =
          (struct plan_step_message){rounds ? rounds[id] - 1 : step->phase, rank, step->peer,
                                     carries ? proof_message_bytes(&subject, id, rank, step) : 0};
    }
  qsort(steps->messages, steps->message_count, sizeof *steps->messages, compare_messages);
}

static enum tny_status make_messages(struct plan_steps *steps, struct tny_error *error)
{
  const struct plan *plan = steps->plan;
  const struct proof_subject subject = plan_subject(plan);
  uint32_t *rounds = NULL;
  uint64_t *bytes = NULL;
  for (uint32_t rank = 0; rank < plan->schedule->rank_count; rank++)
    for (uint32_t i = 0; i < plan->schedule->ranks[rank].count; i++)
      steps->message_count += is_shown(plan, &plan->schedule->ranks[rank].steps[i]);
  steps->by_rounds = !have_phases(plan);
  steps->messages = tny_new(steps->message_count, sizeof *steps->messages);
  enum tny_status status = steps->messages ? TNY_OK : tny_error_memory(error);
  if (status == TNY_OK)
    status = proof_message_bytes_find(&subject, &bytes, error);
  if (status == TNY_OK && steps->by_rounds)
    status = make_rounds(plan, &rounds, error);
  if (status == TNY_OK)
    list_messages(steps, rounds, bytes);
  tny_free(bytes);
  tny_free(rounds);
  return status;
}

static void find_first(struct plan_steps *steps)
{
  size_t next = 0;
  for (uint32_t step = 0; step <= steps->count; step++) {
    while (next < steps->message_count && steps->messages[next].step < step)
      next++;
    steps->first[step] = next;
  }
}

void plan_steps_load(const struct plan_steps *steps, uint32_t step)
{
  const struct tny_network *network = &steps->plan->mapping.network;
  for (size_t i = steps->first[step]; i < steps->first[step + 1]; i++) {
    const struct plan_step_message *message = &steps->messages[i];
    struct route route = route_begin(network, message->from, message->to);
    uint32_t link;
    while ((link = route_next(&route)) != TNY_NONE) {
      steps->link_messages[link]++;
      steps->link_seconds[link] +=
          link_busy_seconds(network->routes->cluster, link, message->bytes);
    }
  }
}

void plan_steps_unload(const struct plan_steps *steps, uint32_t step)
{
  const struct tny_network *network = &steps->plan->mapping.network;
  for (size_t i = steps->first[step]; i < steps->first[step + 1]; i++) {
    struct route route = route_begin(network, steps->messages[i].from, steps->messages[i].to);
    uint32_t link;
    while ((link = route_next(&route)) != TNY_NONE) {
      steps->link_messages[link] = 0;
      steps->link_seconds[link] = 0;
    }
  }
}

static void find_times(struct plan_steps *steps)
{
  const uint32_t link_count = steps->plan->mapping.cluster->link_count;
  double now = 0;
  for (uint32_t step = 0; step < steps->count; step++) {
    double longest = 0;
    plan_steps_load(steps, step);
    for (uint32_t link = 0; link < link_count; link++) {
      if (steps->link_seconds[link] > longest)
        longest = steps->link_seconds[link];
      if (steps->link_messages[link] > steps->fullest[step])
        steps->fullest[step] = steps->link_messages[link];
    }
    plan_steps_unload(steps, step);
    steps->end[step] = now += longest;
  }
}

enum tny_status plan_steps_make(const struct plan *plan, struct plan_steps *steps,
                                struct tny_error *error)
{
  const uint32_t link_count = plan->mapping.cluster->link_count;
  *steps = (struct plan_steps){.plan = plan};
  const enum tny_status status = make_messages(steps, error);
  if (status != TNY_OK)
    return status;
  if (steps->message_count > 0)
    steps->count = steps->messages[steps->message_count - 1].step + 1;
  steps->first = tny_new((size_t)steps->count + 1, sizeof *steps->first);
  steps->end = tny_new(steps->count, sizeof *steps->end);
  steps->fullest = tny_new(steps->count, sizeof *steps->fullest);
  steps->link_seconds = tny_new(link_count, sizeof *steps->link_seconds);
  steps->link_messages = tny_new(link_count, sizeof *steps->link_messages);
  if (!steps->first || !steps->end || !steps->fullest || !steps->link_seconds ||
      !steps->link_messages)
    return tny_error_memory(error);
  find_first(steps);
  find_times(steps);
  return TNY_OK;
}

void plan_steps_release(struct plan_steps *steps)
{
  tny_free(steps->messages);
  tny_free(steps->first);
  tny_free(steps->end);
  tny_free(steps->fullest);
  tny_free(steps->link_seconds);
  tny_free(steps->link_messages);
  *steps = (struct plan_steps){0};
}
