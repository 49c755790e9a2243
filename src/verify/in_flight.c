/* In flight: the most messages that can be sent and not yet received at one moment, link by link.

   A set of messages can be in flight together if and only if none of them must be received before
   another is sent: run just what has to happen before their sends, and the sends. So the most is
   the largest antichain under "received before sent", which is a partial order.

   A link's order is a table of its messages and the ranks that send them. Walks find what follows
   each message, once for all links that it crosses, of as many links at once as fit into memory;
   from that, each link's table is made when its turn comes. */
#include <tourney/verify.h>

#include "core/alloc.h"
#include "core/arena.h"
#include "core/error.h"
#include "verify/antichain.h"
#include "verify/happens_before.h"
#include "verify/link_sends.h"

#define CELLS_MAX ((uint64_t)1 << 26)   /* of a link's table, 4 bytes each */
#define BATCH_CELLS ((uint64_t)1 << 23) /* of what follows the messages of links taken together */
#define STEPS_MAX ((uint32_t)1 << 23)   /* of a walk, 64 bytes each */

/* The messages of a link by sender. */
struct crowd {
  uint32_t link;
  const uint32_t *sends; /* ids, ascending: so those of a sender stand together, in list order */
  uint32_t count, sender_count;
  uint32_t *sender;     /* by place among the senders: the rank */
  uint32_t *sender_end; /* and the place behind its last message */
};

/* What follows the messages of some links, on the ranks that send over these. */
struct batch {
  uint32_t *row;    /* by id of a send: 1 + its number; 0: it isn't one of the messages */
  uint32_t *column; /* by rank: 1 + its number; 0: it isn't one of the ranks */
  uint32_t row_count, column_count;
  uint32_t *follows; /* by row, then column: the rank's first step that starts after the message is
                        received; TNY_NONE: none */
};

struct tables {
  const struct tny_match *match;
  struct tny_crossings crossings;
  struct tny_walk walk;
  uint32_t *start;      /* by id: when it starts in a run */
  struct crowd *crowds; /* by link */
  struct batch batch;
  uint32_t *next; /* by id of a step of those who send over a link: their first message on it that
                     is at or behind the step */
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

/* --- what follows --- */

/* Adds a link's messages and senders. */
static void join(struct batch *batch, const struct crowd *crowd)
{
  for (uint32_t i = 0; i < crowd->count; i++)
    if (batch->row[crowd->sends[i]] == 0)
      batch->row[crowd->sends[i]] = ++batch->row_count;
  for (uint32_t sender = 0; sender < crowd->sender_count; sender++)
    if (batch->column[crowd->sender[sender]] == 0)
      batch->column[crowd->sender[sender]] = ++batch->column_count;
}

static bool has_room(const struct batch *batch, const struct crowd *crowd)
{
  uint64_t rows = batch->row_count, columns = batch->column_count;
  for (uint32_t i = 0; i < crowd->count; i++)
    rows += batch->row[crowd->sends[i]] == 0;
  for (uint32_t sender = 0; sender < crowd->sender_count; sender++)
    columns += batch->column[crowd->sender[sender]] == 0;
  return batch->row_count == 0 || rows * columns <= BATCH_CELLS;
}

static void clear(const struct tables *tables, struct batch *batch)
{
  memset(batch->row, 0, tables->match->step_count * sizeof *batch->row);
  memset(batch->column, 0, tables->match->schedule->rank_count * sizeof *batch->column);
  batch->row_count = batch->column_count = 0;
}

/* Notes what the walk from `first_rank` on found. */
static void note_followers(const struct tables *tables, uint32_t first_rank)
{
  const struct tny_match *match = tables->match;
  const struct batch *batch = &tables->batch;
  for (uint32_t id = 0; id < match->step_count; id++) {
    if (batch->row[id] == 0)
      continue;
    const uint32_t *complete = tables->walk.views[match->partner[id]].complete;
    uint32_t *row = batch->follows + (size_t)(batch->row[id] - 1) * batch->column_count;
    for (uint32_t i = 0; i < TNY_WALK_RANKS && first_rank + i < match->schedule->rank_count; i++)
      if (batch->column[first_rank + i] > 0)
        row[batch->column[first_rank + i] - 1] = complete[i];
  }
}

static void find_followers(const struct tables *tables)
{
  const uint32_t rank_count = tables->match->schedule->rank_count;
  for (uint32_t rank = 0; rank < rank_count; rank += TNY_WALK_RANKS) {
    uint32_t column = rank;
    while (column < rank_count && column - rank < TNY_WALK_RANKS &&
           tables->batch.column[column] == 0)
      column++;
    if (column == rank_count || column - rank == TNY_WALK_RANKS)
      continue;
    tny_walk_back(&tables->walk, rank);
    note_followers(tables, rank);
  }
}

/* --- the order of a link --- */

/* Notes for each step of the senders which of their messages is the first at or behind it. */
static void note_next(const struct tables *tables, const struct crowd *crowd)
{
  const struct tny_match *match = tables->match;
  uint32_t first = 0;
  for (uint32_t sender = 0; sender < crowd->sender_count; sender++) {
    const uint32_t rank = crowd->sender[sender];
    uint32_t next = crowd->sender_end[sender];
    for (uint32_t id = match->first[rank + 1]; id-- > match->first[rank];) {
      if (next > first && crowd->sends[next - 1] == id)
        next--;
      tables->next[id] = next;
    }
    first = crowd->sender_end[sender];
  }
}

static void fill(const struct tables *tables, const struct crowd *crowd, uint32_t *from)
{
  const struct tny_match *match = tables->match;
  const struct batch *batch = &tables->batch;
  note_next(tables, crowd);
  for (uint32_t i = 0; i < crowd->count; i++) {
    const size_t row = batch->row[crowd->sends[i]] - 1;
    const uint32_t *follows = batch->follows + row * batch->column_count;
    for (uint32_t sender = 0; sender < crowd->sender_count; sender++) {
      const uint32_t rank = crowd->sender[sender];
      const uint32_t index = follows[batch->column[rank] - 1];
      *from++ =
          index == TNY_NONE ? crowd->sender_end[sender] : tables->next[match->first[rank] + index];
    }
  }
}

static int compare_starts(const void *a, const void *b, void *starts)
{
  const uint32_t *start = starts;
  const uint32_t x = start[*(const uint32_t *)a], y = start[*(const uint32_t *)b];
  return (x > y) - (x < y);
}

/* The messages as they start in a run, where none starts before one that it comes after. */
static void sort_by_start(const struct tables *tables, const struct crowd *crowd, uint32_t *start,
                          uint32_t *sequence)
{
  for (uint32_t i = 0; i < crowd->count; i++) {
    start[i] = tables->start[crowd->sends[i]];
    sequence[i] = i;
  }
  if (crowd->count > 0)
    qsort_r(sequence, crowd->count, sizeof *sequence, compare_starts, start);
}

static enum tny_status count_crowd(const struct tables *tables, const struct crowd *crowd,
                                   uint32_t *in_flight, struct tny_error *error)
{
  uint32_t *from = tny_new(cells_of(crowd), sizeof *from);
  uint32_t *start = tny_new(crowd->count, sizeof *start);
  uint32_t *sequence = tny_new(crowd->count, sizeof *sequence);
  enum tny_status status = from && start && sequence ? TNY_OK : tny_error_memory(error);
  if (status == TNY_OK) {
    fill(tables, crowd, from);
    sort_by_start(tables, crowd, start, sequence);
    const struct tny_order order = {.count = crowd->count,
                                    .group_count = crowd->sender_count,
                                    .group_end = crowd->sender_end,
                                    .from = from,
                                    .sequence = sequence};
    status = tny_antichain_count(&order, &in_flight[crowd->link], error);
  }
  tny_free(from);
  tny_free(start);
  tny_free(sequence);
  return status;
}

/* Counts the links of a batch. */
static enum tny_status count_batch(struct tables *tables, const uint32_t *links,
                                   uint32_t link_count, uint32_t *in_flight,
                                   struct tny_error *error)
{
  struct batch *batch = &tables->batch;
  batch->follows = tny_new(batch->row_count, batch->column_count * sizeof *batch->follows);
  if (!batch->follows)
    return tny_error_memory(error);
  find_followers(tables);
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; status == TNY_OK && i < link_count; i++)
    status = count_crowd(tables, &tables->crowds[links[i]], in_flight, error);
  tny_free(batch->follows);
  batch->follows = NULL;
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

static enum tny_status count_links(struct tables *tables, const struct question *question,
                                   struct tny_error *error)
{
  const uint32_t link_count = tables->crossings.network->routes->cluster->link_count;
  uint32_t *links = tny_arena_take(tables->match->arena, link_count, sizeof *links), count;
  if (!links)
    return tny_error_memory(error);
  enum tny_status status = choose_links(tables, question, links, &count, error);
  for (uint32_t first = 0, end = 0; status == TNY_OK && first < count; first = end) {
    clear(tables, &tables->batch);
    for (; end < count && has_room(&tables->batch, &tables->crowds[links[end]]); end++)
      join(&tables->batch, &tables->crowds[links[end]]);
    status = count_batch(tables, links + first, end - first, question->in_flight, error);
  }
  return status;
}

/* When each step starts in the run. */
static void note_starts(const struct tny_run *run, uint32_t *start)
{
  for (uint32_t i = 0; i < run->event_count; i++)
    if (run->events[i] % 2 == 0)
      start[run->events[i] / 2] = i;
}

static enum tny_status make_tables(struct tables *tables, const struct tny_network *network,
                                   struct tny_run *run, struct tny_error *error)
{
  const struct tny_match *match = tables->match;
  if (match->step_count > STEPS_MAX)
    return tny_error_set(error, TNY_REFUSED, "too many steps to count what is in flight: %u",
                         match->step_count);
  const uint32_t rank_count = match->schedule->rank_count;
  tables->crowds =
      tny_arena_take(match->arena, network->routes->cluster->link_count, sizeof *tables->crowds);
  tables->start = tny_arena_take(match->arena, match->step_count, sizeof *tables->start);
  tables->batch.row = tny_arena_take(match->arena, match->step_count, sizeof *tables->batch.row);
  tables->batch.column = tny_arena_take(match->arena, rank_count, sizeof *tables->batch.column);
  tables->next = tny_arena_take(match->arena, match->step_count, sizeof *tables->next);
  if (!tables->crowds || !tables->start || !tables->next || !tables->batch.row ||
      !tables->batch.column)
    return tny_error_memory(error);
  enum tny_status status = tny_crossings_make(match, network, &tables->crossings, error);
  if (status == TNY_OK)
    status = tny_run_make(match, run, error);
  if (status == TNY_OK)
    status = tny_walk_make(match, run, &tables->walk, error);
  if (status == TNY_OK)
    note_starts(run, tables->start);
  return status;
}

static enum tny_status answer(const struct tny_schedule *schedule,
                              const struct tny_network *network, const struct question *question,
                              struct tny_error *error)
{
  struct tny_match match;
  struct tny_run run;
  enum tny_status status = tny_network_check(network, schedule->rank_count, error);
  if (status == TNY_OK)
    status = tny_match_make(schedule, &match, error);
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
