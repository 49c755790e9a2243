/* The messages of a schedule, listed and measured. */
#include "reproduce/shared/sends.h"

#include <math.h>

#include "core/alloc.h"
#include "core/error.h"

static size_t count_messages(const struct tny_schedule *schedule)
{
  size_t count = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++)
      count += tny_step_starts_message(schedule->ranks[rank].steps[i].kind);
  return count;
}

static void add_rank(const struct tny_steps *steps, uint32_t rank, struct tny_sends *messages)
{
  for (uint32_t i = 0; i < steps->count; i++) {
    const struct tny_step *step = &steps->steps[i];
    if (!tny_step_starts_message(step->kind))
      continue;
    messages->list[messages->count++] = (struct tny_sent){
        .from = rank, .to = step->peer, .phase = step->phase, .blocks = step->span.count};
    if (step->phase != TNY_NONE && step->phase >= messages->phase_count)
      messages->phase_count = step->phase + 1;
  }
}

enum tny_status tny_sends_list(const struct tny_schedule *schedule, struct tny_sends *messages,
                               struct tny_error *error)
{
  *messages = (struct tny_sends){.rank_count = schedule->rank_count};
  if (schedule->chunk_count > 1)
    return tny_error_set(error, TNY_REFUSED, "messages are listed of whole blocks only");
  messages->list = tny_new(count_messages(schedule), sizeof *messages->list);
  if (!messages->list)
    return tny_error_memory(error);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    add_rank(&schedule->ranks[rank], rank, messages);
  return TNY_OK;
}

void tny_sends_release(struct tny_sends *messages)
{
  tny_free(messages->list);
  *messages = (struct tny_sends){0};
}

static uint32_t distance_of(const struct tny_sent *message, uint32_t rank_count)
{
  const uint32_t up =
      message->to > message->from ? message->to - message->from : message->from - message->to;
  return up < rank_count - up ? up : rank_count - up;
}

/* The link that a message takes at a node; TNY_NONE at the end. */
static uint32_t next_link(const struct tny_sent *message, const struct tny_network *network,
                          uint32_t node)
{
  return tny_routes_next(network->routes, node, network->host_of_rank[message->to]);
}

/* The cables of a message's way, but for the two hosts' own. */
static uint32_t hops_of(const struct tny_sent *message, const struct tny_network *network)
{
  const struct tny_cluster *cluster = network->routes->cluster;
  uint32_t node = network->host_of_rank[message->from], link, hops = 0;
  for (; (link = next_link(message, network, node)) != TNY_NONE; node = cluster->links[link].to)
    hops += cluster->links[link].from >= cluster->host_count &&
            cluster->links[link].to >= cluster->host_count;
  return hops;
}

/* What is the same for all messages of a phase: `network` NULL: the distance, else the hops. */
static double common(const struct tny_sends *messages, uint32_t phase,
                     const struct tny_network *network)
{
  double found = NAN;
  for (size_t i = 0; i < messages->count; i++) {
    const struct tny_sent *message = &messages->list[i];
    if (message->phase != phase)
      continue;
    const double here =
        network ? hops_of(message, network) : distance_of(message, messages->rank_count);
    if (!isnan(found) && found != here)
      return NAN;
    found = here;
  }
  return found;
}

double tny_sends_distance(const struct tny_sends *messages, uint32_t phase)
{
  return common(messages, phase, NULL);
}

double tny_sends_hops(const struct tny_sends *messages, uint32_t phase,
                      const struct tny_network *network)
{
  return common(messages, phase, network);
}

void tny_sends_load(const struct tny_sends *messages, const struct tny_network *network,
                    uint64_t *blocks)
{
  const struct tny_cluster *cluster = network->routes->cluster;
  for (uint32_t link = 0; link < cluster->link_count; link++)
    blocks[link] = 0;
  for (size_t i = 0; i < messages->count; i++) {
    const struct tny_sent *message = &messages->list[i];
    uint32_t node = network->host_of_rank[message->from], link;
    for (; (link = next_link(message, network, node)) != TNY_NONE; node = cluster->links[link].to)
      blocks[link] += message->blocks;
  }
}

uint64_t tny_sends_between(const struct tny_sends *messages, const uint32_t *group_of_rank)
{
  uint64_t blocks = 0;
  for (size_t i = 0; i < messages->count; i++)
    if (group_of_rank[messages->list[i].from] != group_of_rank[messages->list[i].to])
      blocks += messages->list[i].blocks;
  return blocks;
}
