/* In flight: the most messages that can be sent and not yet received at one moment, link by link.

   A set of messages can be in flight together if and only if none of them must be received before
   another is sent: run just what has to happen before their sends, and the sends. So the most is
   the largest antichain under "received before sent", which is a partial order.

   The partial order of a link is kept as a table, by its messages and the ranks that send them.
   What comes after each message is found once for all links that it crosses: links are taken
   together in batches that fit into memory, and each link's table is then made from its batch.

   The model has a cheaper upper bound of the same number (model/budget.c), and the passes count in
   their own way what they let into flight. The prover shares no code with them on purpose. */
#include <tourney/verify.h>

#include "core/alloc.h"
#include "core/arena.h"
#include "core/error.h"
#include "verify/antichain.h"
#include "verify/happens_before.h"
#include "verify/link_sends.h"

#define CELLS_MAX ((uint64_t)1 << 26)   /* of a link's table, 4 bytes each */
#define BATCH_CELLS ((uint64_t)1 << 23) /* of what comes after the messages of a batch of links */
#define STEPS_MAX ((uint32_t)1 << 23)   /* of a walk, 64 bytes each */

/* The messages of a link by sender. */
struct link_messages {
  uint32_t link;
  const uint32_t *sends; /* ids, ascending: so those of a sender stand together, in list order */
  uint32_t count, sender_count;
  uint32_t *sender;     /* by index among the senders: the rank */
  uint32_t *sender_end; /* and the index behind its last message */
};

/* A batch of links: what comes after their messages, on the ranks that send over them. */
struct batch {
  uint32_t *row;    /* by id of a send: 1 + its number; 0: it isn't one of the messages */
  uint32_t *column; /* by rank: 1 + its number; 0: it isn't one of the ranks */
  uint32_t row_count, column_count;
  uint32_t *follows; /* by row, then column: the rank's first step that starts after the message is
                        received; TNY_NONE: none */
};

struct tables {
  const struct tny_match *match;
  struct tny_link_sends link_sends;
  struct tny_happens_before order;
  uint32_t *start;               /* by id: when it starts in a run */
  struct link_messages *of_link; /* by link */
  struct batch batch;
  uint32_t *next; /* by id of a step of those who send over a link: their first message on it that
                     is at or behind the step */
};

/* --- the senders of each link --- */

static enum tny_status find_senders(const struct tables *tables, uint32_t link,
                                    struct tny_error *error)
{
  const struct tny_match *match = tables->match;
  const size_t first = tables->link_sends.first[link];
  struct link_messages *messages = &tables->of_link[link];
  *messages =
      (struct link_messages){.link = link,
                             .sends = tables->link_sends.sends + first,
                             .count = (uint32_t)(tables->link_sends.first[link + 1] - first)};
  for (uint32_t i = 0; i < messages->count; i++)
    if (i == 0 || match->rank_of[messages->sends[i]] != match->rank_of[messages->sends[i - 1]])
      messages->sender_count++;
  messages->sender = tny_arena_take(match->arena, messages->sender_count, sizeof *messages->sender);
  messages->sender_end =
      tny_arena_take(match->arena, messages->sender_count, sizeof *messages->sender_end);
  if (!messages->sender || !messages->sender_end)
    return tny_error_memory(error);
  uint32_t sender = 0;
  for (uint32_t i = 0; i < messages->count; i++) {
    const uint32_t rank = match->rank_of[messages->sends[i]];
    if (i > 0 && rank != messages->sender[sender])
      sender++;
    messages->sender[sender] = rank;
    messages->sender_end[sender] = i + 1;
  }
  return TNY_OK;
}

static uint64_t cells_of(const struct link_messages *messages)
{
  return (uint64_t)messages->count * messages->sender_count;
}

/* --- batches --- */

/* Adds a link's messages and senders to the batch. */
static void add_to_batch(struct batch *batch, const struct link_messages *messages)
{
  for (uint32_t i = 0; i < messages->count; i++)
    if (batch->row[messages->sends[i]] == 0)
      batch->row[messages->sends[i]] = ++batch->row_count;
  for (uint32_t sender = 0; sender < messages->sender_count; sender++)
    if (batch->column[messages->sender[sender]] == 0)
      batch->column[messages->sender[sender]] = ++batch->column_count;
}

static bool has_room(const struct batch *batch, const struct link_messages *messages)
{
  uint64_t rows = batch->row_count, columns = batch->column_count;
  for (uint32_t i = 0; i < messages->count; i++)
    rows += batch->row[messages->sends[i]] == 0;
  for (uint32_t sender = 0; sender < messages->sender_count; sender++)
    columns += batch->column[messages->sender[sender]] == 0;
  return batch->row_count == 0 || rows * columns <= BATCH_CELLS;
}

static void clear(const struct tables *tables, struct batch *batch)
{
  memset(batch->row, 0, tables->match->step_count * sizeof *batch->row);
  memset(batch->column, 0, tables->match->schedule->rank_count * sizeof *batch->column);
  batch->row_count = batch->column_count = 0;
}

/* Keeps what the walk over the ranks from `first_rank` on found. */
static void note_followers(const struct tables *tables, uint32_t first_rank)
{
  const struct tny_match *match = tables->match;
  const struct batch *batch = &tables->batch;
  for (uint32_t id = 0; id < match->step_count; id++) {
    if (batch->row[id] == 0)
      continue;
    const uint32_t *complete = tables->order.successors[match->partner[id]].complete;
    uint32_t *row = batch->follows + (size_t)(batch->row[id] - 1) * batch->column_count;
    for (uint32_t i = 0;
         i < TNY_HAPPENS_BEFORE_RANKS && first_rank + i < match->schedule->rank_count; i++)
      if (batch->column[first_rank + i] > 0)
        row[batch->column[first_rank + i] - 1] = complete[i];
  }
}

static void find_followers(const struct tables *tables)
{
  const uint32_t rank_count = tables->match->schedule->rank_count;
  for (uint32_t rank = 0; rank < rank_count; rank += TNY_HAPPENS_BEFORE_RANKS) {
    uint32_t column = rank;
    while (column < rank_count && column - rank < TNY_HAPPENS_BEFORE_RANKS &&
           tables->batch.column[column] == 0)
      column++;
    if (column == rank_count || column - rank == TNY_HAPPENS_BEFORE_RANKS)
      continue;
    tny_happens_before_fill(&tables->order, rank);
    note_followers(tables, rank);
  }
}

/* --- the order of a link --- */

/* Notes for each step of the senders which of their messages is the first at or behind it. */
static void note_next(const struct tables *tables, const struct link_messages *messages)
{
  const struct tny_match *match = tables->match;
  uint32_t first = 0;
  for (uint32_t sender = 0; sender < messages->sender_count; sender++) {
    const uint32_t rank = messages->sender[sender];
    uint32_t next = messages->sender_end[sender];
    for (uint32_t id = match->first[rank + 1]; id-- > match->first[rank];) {
      if (next > first && messages->sends[next - 1] == id)
        next--;
      tables->next[id] = next;
    }
    first = messages->sender_end[sender];
  }
}

static void fill(const struct tables *tables, const struct link_messages *messages, uint32_t *from)
{
  const struct tny_match *match = tables->match;
  const struct batch *batch = &tables->batch;
  note_next(tables, messages);
  for (uint32_t i = 0; i < messages->count; i++) {
    const size_t row = batch->row[messages->sends[i]] - 1;
    const uint32_t *follows = batch->follows + row * batch->column_count;
    for (uint32_t sender = 0; sender < messages->sender_count; sender++) {
      const uint32_t rank = messages->sender[sender];
      const uint32_t index = follows[batch->column[rank] - 1];
      *from++ = index == TNY_NONE ? messages->sender_end[sender]
                                  : tables->next[match->first[rank] + index];
    }
  }
}

static int compare_starts(const void *a, const void *b, void *starts)
{
  const uint32_t *start = starts;
  const uint32_t x = start[*(const uint32_t *)a], y = start[*(const uint32_t *)b];
  return (x > y) - (x < y);
}

/* Sorts the messages by when they start in a run, where none starts before one that it comes after.
   */
static void sort_by_start(const struct tables *tables, const struct link_messages *messages,
                          uint32_t *start, uint32_t *sequence)
{
  for (uint32_t i = 0; i < messages->count; i++) {
    start[i] = tables->start[messages->sends[i]];
    sequence[i] = i;
  }
  if (messages->count > 0)
    qsort_r(sequence, messages->count, sizeof *sequence, compare_starts, start);
}

static enum tny_status count_link(const struct tables *tables, const struct link_messages *messages,
                                  uint32_t *in_flight, struct tny_error *error)
{
  uint32_t *from = tny_new(cells_of(messages), sizeof *from);
  uint32_t *start = tny_new(messages->count, sizeof *start);
  uint32_t *sequence = tny_new(messages->count, sizeof *sequence);
  enum tny_status status = from && start && sequence ? TNY_OK : tny_error_memory(error);
  if (status == TNY_OK) {
    fill(tables, messages, from);
    sort_by_start(tables, messages, start, sequence);
    const struct tny_partial_order order = {.count = messages->count,
                                            .group_count = messages->sender_count,
                                            .group_end = messages->sender_end,
                                            .from = from,
                                            .sequence = sequence};
    status = tny_antichain_count(&order, &in_flight[messages->link], error);
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
    status = count_link(tables, &tables->of_link[links[i]], in_flight, error);
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

static enum tny_status refuse(const struct tables *tables, const struct link_messages *messages,
                              uint32_t message_limit, struct tny_error *error)
{
  const struct tny_cluster *cluster = tables->link_sends.network->routes->cluster;
  const struct tny_link *link = &cluster->links[messages->link];
  if (messages->count > message_limit)
    return tny_error_set(error, TNY_REFUSED,
                         "the link %s -> %s carries %u messages, more than the %u whose order "
                         "is looked at",
                         cluster->node_names[link->from], cluster->node_names[link->to],
                         messages->count, message_limit);
  return tny_error_set(error, TNY_REFUSED,
                       "the link %s -> %s carries too many messages to look at their order: %u, of "
                       "%u senders",
                       cluster->node_names[link->from], cluster->node_names[link->to],
                       messages->count, messages->sender_count);
}

/* Lists the links that are to be counted; refuses those with too many messages. */
static enum tny_status choose_links(const struct tables *tables, const struct question *question,
                                    uint32_t *links, uint32_t *count, struct tny_error *error)
{
  const uint32_t link_count = tables->link_sends.network->routes->cluster->link_count;
  *count = 0;
  for (uint32_t link = 0; link < link_count; link++) {
    const struct link_messages *messages = &tables->of_link[link];
    if (question->wanted && !question->wanted[link])
      continue;
    const enum tny_status status = find_senders(tables, link, error);
    if (status != TNY_OK)
      return status;
    if (messages->count > question->message_limit || cells_of(messages) > CELLS_MAX)
      return refuse(tables, messages, question->message_limit, error);
    links[(*count)++] = link;
  }
  return TNY_OK;
}

static enum tny_status count_links(struct tables *tables, const struct question *question,
                                   struct tny_error *error)
{
  const uint32_t link_count = tables->link_sends.network->routes->cluster->link_count;
  uint32_t *links = tny_arena_take(tables->match->arena, link_count, sizeof *links), count;
  if (!links)
    return tny_error_memory(error);
  enum tny_status status = choose_links(tables, question, links, &count, error);
  for (uint32_t first = 0, end = 0; status == TNY_OK && first < count; first = end) {
    clear(tables, &tables->batch);
    for (; end < count && has_room(&tables->batch, &tables->of_link[links[end]]); end++)
      add_to_batch(&tables->batch, &tables->of_link[links[end]]);
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
  tables->of_link =
      tny_arena_take(match->arena, network->routes->cluster->link_count, sizeof *tables->of_link);
  tables->start = tny_arena_take(match->arena, match->step_count, sizeof *tables->start);
  tables->batch.row = tny_arena_take(match->arena, match->step_count, sizeof *tables->batch.row);
  tables->batch.column = tny_arena_take(match->arena, rank_count, sizeof *tables->batch.column);
  tables->next = tny_arena_take(match->arena, match->step_count, sizeof *tables->next);
  if (!tables->of_link || !tables->start || !tables->next || !tables->batch.row ||
      !tables->batch.column)
    return tny_error_memory(error);
  enum tny_status status = tny_link_sends_make(match, network, &tables->link_sends, error);
  if (status == TNY_OK)
    status = tny_run_make(match, run, error);
  if (status == TNY_OK)
    status = tny_happens_before_make(match, run, &tables->order, error);
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
