/* All ranks begin at once. A step starts when all that it waits for is complete, and not before
   the one in front of it in its queue. A rank sends one message after the other, each as long as
   it costs the sender, and receives one after the other, each as long as it costs the receiver.
   Between lies the latency of the way. Every step's times follow from those of steps before it,
   whatever the order in which ranks are looked at. */
#include "model/chain.h"

#include "cluster/route.h"
#include "core/arena.h"
#include "core/error.h"
#include "schedule/match.h"

/* What a rank has come to, by queue: sends, and receives. */
struct queue {
  uint32_t next;     /* id of its first step without times */
  uint64_t start_ns; /* of the last step with times */
  uint64_t free_ns;  /* until then its last message takes the rank */
  uint32_t source;   /* of receives: whom the last was from; TNY_NONE: none yet */
};

struct chain {
  const struct tny_model *model;
  const struct tny_network *network;
  const struct tny_match *match;
  struct queue *queues; /* by rank, two each */
  bool *is_timed;       /* by id */
  uint64_t *end_ns;     /* by id: complete; of a send too, for its message's other end */
  uint64_t *sent_ns;    /* by id of a send: when it started to be sent */
  uint64_t last_ns;
  bool has_moved;
};

/* The first step of this queue from an id on; the id behind the rank's last step: none. */
static uint32_t next_in(const struct chain *chain, uint32_t rank, bool receives, uint32_t id)
{
  while (id < chain->match->first[rank + 1] &&
         tny_step_receives(tny_match_step(chain->match, id)->kind) != receives)
    id++;
  return id;
}

static bool is_local(const struct chain *chain, uint32_t from, uint32_t to)
{
  return chain->network->host_of_rank[from] == chain->network->host_of_rank[to];
}

/* From the start of a send until the message is received, where nobody has anything else to do. */
static uint64_t way_ns(const struct chain *chain, uint32_t from, uint32_t to)
{
  const struct tny_link *links = chain->network->routes->cluster->links;
  struct tny_route route = tny_route_begin(chain->network, from, to);
  uint64_t ns = chain->model->software_ns;
  uint32_t link;
  if (is_local(chain, from, to))
    return chain->model->machine.local_latency_ns;
  while ((link = tny_route_next(&route)) != TNY_NONE)
    ns += links[link].latency_ns;
  return ns;
}

static void time_send(struct chain *chain, struct queue *queue, uint32_t id, uint64_t start_ns)
{
  const struct tny_step *step = tny_match_step(chain->match, id);
  const bool costs = !is_local(chain, chain->match->rank_of[id], step->peer);
  chain->sent_ns[id] = start_ns > queue->free_ns ? start_ns : queue->free_ns;
  queue->free_ns = chain->sent_ns[id] + (costs ? chain->model->machine.send_overhead_ns : 0);
  chain->end_ns[id] = queue->free_ns;
}

static void time_receive(struct chain *chain, struct queue *queue, uint32_t id, uint64_t start_ns)
{
  const struct tny_machine *machine = &chain->model->machine;
  const uint32_t from = tny_match_step(chain->match, id)->peer, to = chain->match->rank_of[id];
  const uint32_t partner = chain->match->partner[id];
  const bool is_another = queue->source != TNY_NONE && queue->source != from;
  const uint64_t turn_ns =
      is_another && !is_local(chain, from, to) ? machine->source_overhead_ns : 0;
  const uint64_t come_ns = chain->sent_ns[partner] + way_ns(chain, from, to) + turn_ns;
  const uint64_t cost_ns = is_local(chain, from, to) ? 0 : machine->receive_overhead_ns + turn_ns;
  uint64_t end_ns = queue->free_ns + cost_ns;
  end_ns = come_ns > end_ns ? come_ns : end_ns;
  end_ns = start_ns > end_ns ? start_ns : end_ns;
  queue->source = from;
  queue->free_ns = chain->end_ns[id] = end_ns;
}

/* Is all known that the step's times follow from? Then *start_ns is when it starts. */
static bool can_time(const struct chain *chain, const struct queue *queue, uint32_t id,
                     uint64_t *start_ns)
{
  const struct tny_match *match = chain->match;
  const struct tny_step *step = tny_match_step(match, id);
  *start_ns = queue->start_ns;
  if (tny_step_receives(step->kind) && !chain->is_timed[match->partner[id]])
    return false;
  for (uint32_t i = 0; i < step->after_count; i++) {
    const uint32_t earlier = tny_match_after(match, id, i);
    if (!chain->is_timed[earlier])
      return false;
    *start_ns = chain->end_ns[earlier] > *start_ns ? chain->end_ns[earlier] : *start_ns;
  }
  return true;
}

static void advance(struct chain *chain, uint32_t rank, bool receives)
{
  struct queue *queue = &chain->queues[2 * (size_t)rank + receives];
  uint64_t start_ns;
  while (queue->next < chain->match->first[rank + 1] &&
         can_time(chain, queue, queue->next, &start_ns)) {
    const uint32_t id = queue->next;
    if (receives)
      time_receive(chain, queue, id, start_ns);
    else if (tny_step_sends(tny_match_step(chain->match, id)->kind))
      time_send(chain, queue, id, start_ns);
    else
      chain->end_ns[id] = start_ns;
    queue->start_ns = start_ns;
    queue->next = next_in(chain, rank, receives, id + 1);
    chain->is_timed[id] = chain->has_moved = true;
    chain->last_ns = chain->end_ns[id] > chain->last_ns ? chain->end_ns[id] : chain->last_ns;
  }
}

static enum tny_status follow(struct chain *chain, struct tny_error *error)
{
  const struct tny_match *match = chain->match;
  const uint32_t rank_count = match->schedule->rank_count;
  chain->queues = tny_arena_take(match->arena, rank_count, 2 * sizeof *chain->queues);
  chain->is_timed = tny_arena_take(match->arena, match->step_count, sizeof *chain->is_timed);
  chain->end_ns = tny_arena_take(match->arena, match->step_count, sizeof *chain->end_ns);
  chain->sent_ns = tny_arena_take(match->arena, match->step_count, sizeof *chain->sent_ns);
  if (!chain->queues || !chain->is_timed || !chain->end_ns || !chain->sent_ns)
    return tny_error_memory(error);
  for (uint32_t i = 0; i < 2 * rank_count; i++)
    chain->queues[i] = (struct queue){.next = next_in(chain, i / 2, i % 2, match->first[i / 2]),
                                      .source = TNY_NONE};
  do {
    chain->has_moved = false;
    for (uint32_t rank = 0; rank < rank_count; rank++)
      for (int receives = 0; receives < 2; receives++)
        advance(chain, rank, receives);
  } while (chain->has_moved);
  return TNY_OK;
}

enum tny_status tny_chain_ns(const struct tny_model *model, const struct tny_subject *subject,
                             uint64_t *ns, struct tny_error *error)
{
  const struct tny_pace whole = {.chunk_count = 1};
  struct tny_schedule *schedule;
  struct tny_match match;
  struct chain chain = {.model = model, .network = subject->problem->network, .match = &match};
  enum tny_status status =
      tny_plan_all(subject->algorithm, subject->problem, whole, &schedule, error);
  if (status != TNY_OK)
    return status;
  status = tny_match_make(schedule, &match, error);
  if (status == TNY_OK) {
    status = follow(&chain, error);
    tny_match_release(&match);
  }
  tny_schedule_free(schedule);
  *ns = chain.last_ns;
  return status;
}
