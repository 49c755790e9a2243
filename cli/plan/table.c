/* `tourney plan --show table`: the phases of a plan, a line for each run of phases with the same
   messages. */
#include <inttypes.h>

#include "cli/shared/route.h"
#include "core/alloc.h"
#include "core/error.h"
#include "show.h"

enum {
  WIDTH_MAX = 100,  /* of a line */
  CELLS_MAX = 74,   /* of it, for the senders' columns */
  MESSAGES_AT = 44, /* where a list of messages begins */
};

struct table {
  const struct plan *plan;
  const struct plan_message *messages;
  uint64_t count;
  uint32_t *on_link; /* by link: messages of a phase; all 0 between phases */
  uint32_t *to;      /* by rank: its receiver in a phase */
  int cell;          /* width of a column; 0: messages are listed */
};

/* Where the messages of the phase that begins at `first` end. */
static uint64_t end_of(const struct table *table, uint64_t first)
{
  uint64_t end = first;
  while (end < table->count && table->messages[end].phase == table->messages[first].phase)
    end++;
  return end;
}

/* Are the `length` messages from a on those from b on? */
static bool are_same(const struct table *table, uint64_t a, uint64_t b, uint64_t length)
{
  const struct plan_message *x = table->messages + a, *y = table->messages + b;
  for (uint64_t i = 0; i < length; i++)
    if (x[i].from != y[i].from || x[i].to != y[i].to)
      return false;
  return true;
}

/* The width of a column: there are columns where they fit on a line and no rank sends twice in a
   phase; else 0. */
static int find_cell(const struct table *table)
{
  const uint32_t p = table->plan->problem.rank_count;
  const int cell = 1 + snprintf(NULL, 0, "%" PRIu32, p - 1);
  for (uint64_t i = 1; i < table->count; i++)
    if (table->messages[i].phase == table->messages[i - 1].phase &&
        table->messages[i].from == table->messages[i - 1].from)
      return 0;
  return p * (uint64_t)cell <= CELLS_MAX ? cell : 0;
}

/* "2 s0 -> s1": the most messages on a link, and the first such link. */
static void name_fullest(const struct table *table, uint64_t first, uint64_t end, char name[64])
{
  const struct tny_network *network = &table->plan->mapping.network;
  const struct tny_cluster *cluster = network->routes->cluster;
  uint32_t most = 0, fullest = TNY_NONE, link;
  for (uint64_t i = first; i < end; i++) {
    struct route route = route_begin(network, table->messages[i].from, table->messages[i].to);
    while ((link = route_next(&route)) != TNY_NONE)
      if (++table->on_link[link] > most) {
        most = table->on_link[link];
        fullest = link;
      }
  }
  for (uint64_t i = first; i < end; i++) {
    struct route route = route_begin(network, table->messages[i].from, table->messages[i].to);
    while ((link = route_next(&route)) != TNY_NONE)
      table->on_link[link] = 0;
  }
  if (fullest == TNY_NONE)
    snprintf(name, 64, "-");
  else
    snprintf(name, 64, "%" PRIu32 " %.24s -> %.24s", most,
             cluster->node_names[cluster->links[fullest].from],
             cluster->node_names[cluster->links[fullest].to]);
}

static void write_cells(const struct table *table, uint64_t first, uint64_t end,
                        struct tny_text *text)
{
  const uint32_t p = table->plan->problem.rank_count;
  for (uint32_t rank = 0; rank < p; rank++)
    table->to[rank] = TNY_NONE;
  for (uint64_t i = first; i < end; i++)
    table->to[table->messages[i].from] = table->messages[i].to;
  for (uint32_t rank = 0; rank < p; rank++)
    if (table->to[rank] == TNY_NONE)
      tny_text_add(text, "%*s", table->cell, ".");
    else
      tny_text_add(text, "%*" PRIu32, table->cell, table->to[rank]);
}

/* How many messages from `first` on have consecutive senders and consecutive receivers, as 0>4 1>5
   2>6 have. */
static uint64_t run_length(const struct table *table, uint64_t first, uint64_t end)
{
  const struct plan_message *messages = table->messages;
  uint64_t next = first + 1;
  while (next < end && messages[next].from == messages[next - 1].from + 1 &&
         messages[next].to == messages[next - 1].to + 1)
    next++;
  return next - first;
}

static void write_list(const struct table *table, uint64_t first, uint64_t end,
                       struct tny_text *text)
{
  int column = MESSAGES_AT;
  while (first < end) {
    const struct plan_message *message = &table->messages[first];
    uint64_t length = run_length(table, first, end);
    char item[64];
    if (length > 2) {
      const struct plan_message *last = message + length - 1;
      snprintf(item, sizeof item, "%" PRIu32 "-%" PRIu32 ">%" PRIu32 "-%" PRIu32, message->from,
               last->from, message->to, last->to);
    } else {
      length = 1;
      snprintf(item, sizeof item, "%" PRIu32 ">%" PRIu32, message->from, message->to);
    }
    const int width = 1 + (int)strlen(item);
    if (column + width > WIDTH_MAX) {
      tny_text_add(text, "\n%*s", MESSAGES_AT, "");
      column = MESSAGES_AT;
    }
    tny_text_add(text, " %s", item);
    column += width;
    first += length;
  }
}

static void write_heading(const struct table *table, struct tny_text *text)
{
  const struct plan *plan = table->plan;
  tny_text_add(text,
               "%s %s on %s, %" PRIu32 " ranks: ", tny_collective_name(plan->wanted.collective),
               plan->schedule->algorithm, plan->request->cluster, plan->wanted.rank_count);
  if (table->cell == 0) {
    tny_text_add(text, "sender>receiver, phase by phase\n%-10s %8s  %-22s %s\n", "phase",
                 "messages", "most on a link", "messages");
    return;
  }
  tny_text_add(text, "each sender's receiver, phase by phase\n%-10s", "phase");
  for (uint32_t rank = 0; rank < plan->wanted.rank_count; rank++)
    tny_text_add(text, "%*" PRIu32, table->cell, rank);
  tny_text_add(text, "  most on a link\n");
}

/* The line of the phases phases[0] to phases[1], whose messages are those from range[0] to before
   range[1]. */
static void write_line(const struct table *table, const uint32_t phases[2], const uint64_t range[2],
                       struct tny_text *text)
{
  char label[32], fullest[64];
  if (phases[0] == phases[1])
    snprintf(label, sizeof label, "%" PRIu32, phases[0]);
  else
    snprintf(label, sizeof label, "%" PRIu32 "-%" PRIu32, phases[0], phases[1]);
  name_fullest(table, range[0], range[1], fullest);
  tny_text_add(text, "%-10s", label);
  if (table->cell) {
    write_cells(table, range[0], range[1], text);
    tny_text_add(text, "  %s\n", fullest);
    return;
  }
  tny_text_add(text, " %8" PRIu64 "  %-22s", range[1] - range[0], fullest);
  write_list(table, range[0], range[1], text);
  tny_text_add(text, "\n");
}

/* Where each chunk has the same messages as the one before, in later phases: the number of messages
   of the first chunk. Otherwise the number of all messages. */
static uint64_t first_round(const struct table *table)
{
  const uint32_t chunks = table->plan->schedule->chunk_count;
  const uint64_t round = table->count / chunks;
  if (round == 0 || table->count % chunks != 0 ||
      table->messages[table->count - 1].phase == TNY_NONE)
    return table->count;
  const uint32_t phases = (table->messages[table->count - 1].phase + 1) / chunks;
  for (uint64_t i = round; i < table->count; i++)
    if (table->messages[i].phase != table->messages[i - round].phase + phases ||
        !are_same(table, i, i - round, 1))
      return table->count;
  return round;
}

static void write_lines(const struct table *table, struct tny_text *text)
{
  const uint64_t round = first_round(table);
  for (uint64_t first = 0; first < table->count;) {
    if (first >= round) {
      tny_text_add(text, "%" PRIu32 "-%" PRIu32 ": the same again for the other pieces\n",
                   table->messages[first].phase, table->messages[table->count - 1].phase);
      return;
    }
    const uint32_t phase = table->messages[first].phase;
    const uint64_t end = end_of(table, first), length = end - first;
    if (phase == TNY_NONE) {
      tny_text_add(text, "%" PRIu64 " messages belong to no phase\n", length);
      return;
    }
    uint64_t next = end;
    uint32_t last = phase;
    while (next < table->count && table->messages[next].phase == last + 1 &&
           end_of(table, next) - next == length && are_same(table, first, next, length)) {
      next += length;
      last++;
    }
    write_line(table, (const uint32_t[]){phase, last}, (const uint64_t[]){first, end}, text);
    first = next;
  }
}

enum tny_status plan_write_table(const struct plan *plan, char **shown, struct tny_error *error)
{
  struct tny_text text = {0};
  struct plan_message *messages;
  struct table table = {.plan = plan};
  enum tny_status status = plan_messages(plan->schedule, &messages, &table.count, error);
  if (status != TNY_OK)
    return status;
  table.messages = messages;
  table.on_link = tny_new(plan->mapping.cluster->link_count, sizeof *table.on_link);
  table.to = tny_new(plan->wanted.rank_count, sizeof *table.to);
  if (table.on_link && table.to) {
    table.cell = find_cell(&table);
    write_heading(&table, &text);
    write_lines(&table, &text);
    status = tny_text_take(&text, shown, error);
  } else {
    status = tny_error_memory(error);
  }
  tny_free(table.to);
  tny_free(table.on_link);
  tny_free(messages);
  return status;
}
