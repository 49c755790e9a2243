/* In flight: the most messages that can be sent and not yet received at one moment, link by link.

   A set of messages can be in flight together if and only if none of them must be received before
   another is sent: run just what has to happen before their sends, and the sends. So the most is
   the largest antichain under "received before sent", which is a partial order.

   A link's order is a table of its messages and the ranks that send them. Walks fill the tables, of
   as many links at once as fit into memory. */
#include <tourney/verify.h>

#include "core/alloc.h"
#include "core/arena.h"
#include "core/error.h"
#include "verify/antichain.h"
#include "verify/crossings.h"
#include "verify/follow.h"

#define CELLS_MAX ((uint64_t)1 << 26) /* of the tables at one time, 4 bytes each */
#define STEPS_MAX ((uint32_t)1 << 23) /* of a walk, 64 bytes each */

/* The messages of a link by sender, and which of them come after which. */
struct crowd {
  uint32_t link;
  const uint32_t *sends; /* ids, ascending: so those of a sender stand together, in list order */
  uint32_t count, sender_count;
  uint32_t *sender;     /* by place among the senders: the rank */
  uint32_t *sender_end; /* and the place behind its last message */
  uint32_t *from;       /* as in struct tny_order */
};

struct tables {
  const struct tny_match *match;
  struct tny_crossings crossings;
  struct tny_walk walk;
  struct crowd *crowds; /* by link */
};

/* --- the senders of each link --- */

static enum tny_status find_senders(const struct tables *tables, uint32_t link,
                                    struct tny_error *error)
{
  const struct tny_match *match = tables->match;
  const size_t first = tables->crossings.first[link];
  struct crowd *crowd = &tables->crowds[link];
  *crowd = (struct crowd){.link = link,
                          .sends = tables->crossings.sends + first,
                          .count = (uint32_t)(tables->crossings.first[link + 1] - first)};
  for (uint32_t i = 0; i < crowd->count; i++)
    if (i == 0 || match->rank_of[crowd->sends[i]] != match->rank_of[crowd->sends[i - 1]])
      crowd->sender_count++;
  crowd->sender = tny_arena_take(match->arena, crowd->sender_count, sizeof *crowd->sender);
  crowd->sender_end = tny_arena_take(match->arena, crowd->sender_count, sizeof *crowd->sender_end);
  if (!crowd->sender || !crowd->sender_end)
    return tny_error_memory(error);
  uint32_t sender = 0;
  for (uint32_t i = 0; i < crowd->count; i++) {
    const uint32_t rank = match->rank_of[crowd->sends[i]];
    if (i > 0 && rank != crowd->sender[sender])
      sender++;
    crowd->sender[sender] = rank;
    crowd->sender_end[sender] = i + 1;
  }
  return TNY_OK;
}

static uint64_t cells_of(const struct crowd *crowd)
{
  return (uint64_t)crowd->count * crowd->sender_count;
}

/* --- the tables --- */

/* The first message of a sender that is at or behind a step of its rank, or else its end. */
static uint32_t first_at(const struct tny_match *match, const struct crowd *crowd, uint32_t sender,
                         uint32_t index)
{
  uint32_t low = sender == 0 ? 0 : crowd->sender_end[sender - 1], high = crowd->sender_end[sender];
  if (index == TNY_NONE)
    return high;
  const uint32_t id = match->first[crowd->sender[sender]] + index;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (crowd->sends[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Fills in the senders whose views the walk has. */
static void fill(const struct tables *tables, const struct crowd *crowd, uint32_t first_rank)
{
  const struct tny_match *match = tables->match;
  uint32_t first = 0, end;
  while (first < crowd->sender_count && crowd->sender[first] < first_rank)
    first++;
  for (end = first; end < crowd->sender_count; end++)
    if (crowd->sender[end] - first_rank >= TNY_WALK_RANKS)
      break;
  if (first == end)
    return;
  for (uint32_t i = 0; i < crowd->count; i++) {
    const uint32_t *follows = tables->walk.views[match->partner[crowd->sends[i]]].complete;
    uint32_t *from = crowd->from + (size_t)i * crowd->sender_count;
    for (uint32_t sender = first; sender < end; sender++)
      from[sender] = first_at(match, crowd, sender, follows[crowd->sender[sender] - first_rank]);
  }
}

static enum tny_status count_crowd(const struct crowd *crowd, uint32_t *in_flight,
                                   struct tny_error *error)
{
  const struct tny_order order = {.count = crowd->count,
                                  .group_count = crowd->sender_count,
                                  .group_end = crowd->sender_end,
                                  .from = crowd->from};
  return tny_antichain_count(&order, &in_flight[crowd->link], error);
}

/* Counts some links, whose tables fit into `cells` together. */
static enum tny_status count_some(const struct tables *tables, const uint32_t *links,
                                  uint32_t link_count, uint32_t *in_flight, struct tny_error *error)
{
  uint64_t cells = 0;
  for (uint32_t i = 0; i < link_count; i++)
    cells += cells_of(&tables->crowds[links[i]]);
  uint32_t *from = tny_new(cells, sizeof *from);
  if (!from)
    return tny_error_memory(error);
  cells = 0;
  for (uint32_t i = 0; i < link_count; i++) {
    tables->crowds[links[i]].from = from + cells;
    cells += cells_of(&tables->crowds[links[i]]);
  }
  for (uint32_t rank = 0; rank < tables->match->schedule->rank_count; rank += TNY_WALK_RANKS) {
    tny_walk_back(&tables->walk, rank);
    for (uint32_t i = 0; i < link_count; i++)
      fill(tables, &tables->crowds[links[i]], rank);
  }
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; status == TNY_OK && i < link_count; i++)
    status = count_crowd(&tables->crowds[links[i]], in_flight, error);
  tny_free(from);
  return status;
}

/* --- all links --- */

/* What is asked for. */
struct question {
  const bool *wanted; /* by link; NULL: all */
  uint32_t message_limit;
  uint32_t *in_flight; /* the answer */
};

static enum tny_status refuse(const struct tables *tables, const struct crowd *crowd,
                              uint32_t message_limit, struct tny_error *error)
{
  const struct tny_cluster *cluster = tables->crossings.network->routes->cluster;
  const struct tny_link *link = &cluster->links[crowd->link];
  if (crowd->count > message_limit)
    return tny_error_set(error, TNY_REFUSED,
                         "the link %s -> %s carries %u messages, more than the %u whose order "
                         "is looked at",
                         cluster->node_names[link->from], cluster->node_names[link->to],
                         crowd->count, message_limit);
  return tny_error_set(error, TNY_REFUSED,
                       "the link %s -> %s carries too many messages to look at their order: %u, of "
                       "%u senders",
                       cluster->node_names[link->from], cluster->node_names[link->to], crowd->count,
                       crowd->sender_count);
}

/* Which links are to be counted, as a list; each is small enough. */
static enum tny_status choose_links(const struct tables *tables, const struct question *question,
                                    uint32_t *links, uint32_t *count, struct tny_error *error)
{
  const uint32_t link_count = tables->crossings.network->routes->cluster->link_count;
  *count = 0;
  for (uint32_t link = 0; link < link_count; link++) {
    const struct crowd *crowd = &tables->crowds[link];
    if (question->wanted && !question->wanted[link])
      continue;
    const enum tny_status status = find_senders(tables, link, error);
    if (status != TNY_OK)
      return status;
    if (crowd->count > question->message_limit || cells_of(crowd) > CELLS_MAX)
      return refuse(tables, crowd, question->message_limit, error);
    links[(*count)++] = link;
  }
  return TNY_OK;
}

static enum tny_status count_links(const struct tables *tables, const struct question *question,
                                   struct tny_error *error)
{
  const uint32_t link_count = tables->crossings.network->routes->cluster->link_count;
  uint32_t *links = tny_arena_take(tables->match->arena, link_count, sizeof *links), count;
  if (!links)
    return tny_error_memory(error);
  enum tny_status status = choose_links(tables, question, links, &count, error);
  for (uint32_t first = 0, end = 0; status == TNY_OK && first < count; first = end) {
    uint64_t cells = 0;
    for (; end < count && cells + cells_of(&tables->crowds[links[end]]) <= CELLS_MAX; end++)
      cells += cells_of(&tables->crowds[links[end]]);
    status = count_some(tables, links + first, end - first, question->in_flight, error);
  }
  return status;
}

static enum tny_status make_tables(struct tables *tables, const struct tny_network *network,
                                   struct tny_run *run, struct tny_error *error)
{
  const struct tny_match *match = tables->match;
  if (match->step_count > STEPS_MAX)
    return tny_error_set(error, TNY_REFUSED, "too many steps to count what is in flight: %u",
                         match->step_count);
  tables->crowds =
      tny_arena_take(match->arena, network->routes->cluster->link_count, sizeof *tables->crowds);
  if (!tables->crowds)
    return tny_error_memory(error);
  enum tny_status status = tny_crossings_make(match, network, &tables->crossings, error);
  if (status == TNY_OK)
    status = tny_run_make(match, run, error);
  if (status == TNY_OK)
    status = tny_walk_make(match, run, &tables->walk, error);
  return status;
}

static enum tny_status answer(const struct tny_schedule *schedule,
                              const struct tny_network *network, const struct question *question,
                              struct tny_error *error)
{
  struct tny_match match;
  struct tny_run run;
  enum tny_status status = tny_match_make(schedule, &match, error);
  if (status != TNY_OK)
    return status;
  struct tables tables = {.match = &match};
  status = make_tables(&tables, network, &run, error);
  if (status == TNY_OK)
    status = count_links(&tables, question, error);
  tny_match_release(&match);
  return status;
}

enum tny_status tny_verify_in_flight(const struct tny_schedule *schedule,
                                     const struct tny_network *network, uint32_t message_limit,
                                     uint32_t *in_flight, struct tny_error *error)
{
  const struct question all = {.message_limit = message_limit, .in_flight = in_flight};
  return answer(schedule, network, &all, error);
}

enum tny_status tny_verify_in_flight_on(const struct tny_schedule *schedule,
                                        const struct tny_network *network, const bool *wanted,
                                        uint32_t *in_flight, struct tny_error *error)
{
  const struct question some = {
      .wanted = wanted, .message_limit = UINT32_MAX, .in_flight = in_flight};
  return answer(schedule, network, &some, error);
}
