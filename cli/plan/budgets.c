/* `tourney plan --show budgets`: what can be in flight over each link, as planned and with windows
   of 1 to 4. What is in flight is found by shared/proof/in_flight.c. */
#include <inttypes.h>

#include "cli/shared/link.h"
#include "cli/shared/proof/in_flight.h"
#include "core/alloc.h"
#include "core/units.h"
#include "show.h"

enum {
  LINKS_SHOWN_MAX = 24, /* with more trunks, only the fullest, unless all links are wanted */
  WINDOWS = 4,          /* 1 to 4 */
  CELL_CHARS = 96,
};

/* A column of the table. */
struct column {
  char title[24];
  struct in_flight in_flight;
};

struct table {
  const struct plan *plan;
  bool all_links;
  const struct tny_cluster *cluster;
  struct column columns[1 + WINDOWS]; /* as planned, then by window */
  uint32_t column_count;
};

static enum tny_status add_column(struct table *table, const struct tny_schedule *schedule,
                                  uint32_t window, struct tny_error *error)
{
  const struct plan *plan = table->plan;
  const bool by_receives = !tny_pacing_is_by_credits(plan->algorithm->pacing);
  struct column *column = &table->columns[table->column_count++];
  if (table->column_count == 1)
    snprintf(column->title, sizeof column->title, "as planned");
  else
    snprintf(column->title, sizeof column->title, "window %" PRIu32, window);
  const struct in_flight_subject subject = {.schedule = schedule,
                                            .network = &plan->mapping.network,
                                            .window = by_receives ? window : 0,
                                            .message_bytes = plan->proof.message_bytes_max};
  return in_flight_find(&subject, &column->in_flight, error);
}

/* Adds a column for the same plan with another window, and without limits on links. */
static enum tny_status add_window(struct table *table, uint32_t window, struct tny_error *error)
{
  const struct plan *plan = table->plan;
  const struct tny_pace pace = {.chunk_count = plan->pace.chunk_count, .window = window};
  struct tny_schedule *schedule;
  enum tny_status status = tny_plan_all(plan->algorithm, &plan->problem, pace, &schedule, error);
  if (status == TNY_OK)
    status = add_column(table, schedule, window, error);
  tny_schedule_free(schedule);
  return status;
}

/* "20KiB / 64KiB": in step, at worst; "<=" where that is a bound, "!" where the buffer is less. */
static void write_cell(const struct column *column, uint32_t link, char cell[CELL_CHARS])
{
  const struct in_flight *in_flight = &column->in_flight;
  const uint32_t in_step = in_flight->budgets[link].in_step, at_worst = in_flight->messages[link];
  const uint64_t messages = in_step < at_worst ? in_step : at_worst;
  snprintf(cell, CELL_CHARS, "%s / %s%s%s",
           tny_bytes_format(messages * column->in_flight.message_bytes).text,
           in_flight->is_exact[link] ? "" : "<=",
           tny_bytes_format(in_flight_bytes(in_flight, link)).text,
           in_flight_overflows(in_flight, link) ? " !" : "");
}

static void write_row(const struct table *table, uint32_t link, struct tny_text *text)
{
  const struct tny_link *at = &table->cluster->links[link];
  char cell[CELL_CHARS];
  snprintf(cell, sizeof cell, "%.20s -> %.20s", table->cluster->node_names[at->from],
           table->cluster->node_names[at->to]);
  tny_text_add(text, "  %-18s %11s", cell, tny_bytes_format(at->buffer_bytes).text);
  for (uint32_t i = 0; i < table->column_count; i++) {
    write_cell(&table->columns[i], link, cell);
    tny_text_add(text, "  %20s", cell);
  }
  tny_text_add(text, "\n");
}

/* As planned, of a kind of links: the one nearest to its buffer's end, or beyond it; TNY_NONE:
   none. */
static uint32_t find_fullest(const struct table *table, enum link_kind kind)
{
  const struct column *column = &table->columns[0];
  uint32_t fullest = TNY_NONE;
  double most = -1;
  for (uint32_t link = 0; link < table->cluster->link_count; link++) {
    const double share = (double)in_flight_bytes(&column->in_flight, link) /
                         (double)table->cluster->links[link].buffer_bytes;
    if (link_kind_of(table->cluster, link) != kind || share <= most)
      continue;
    fullest = link;
    most = share;
  }
  return fullest;
}

static void write_rows(const struct table *table, struct tny_text *text)
{
  const struct tny_cluster *cluster = table->cluster;
  uint32_t counts[LINK_KIND_COUNT] = {0};
  for (uint32_t link = 0; link < cluster->link_count; link++)
    counts[link_kind_of(cluster, link)]++;
  const bool all_links = table->all_links;
  const bool all_trunks = all_links || counts[LINK_TRUNK] <= LINKS_SHOWN_MAX;
  for (uint32_t link = 0; link < cluster->link_count; link++)
    if (link_kind_of(cluster, link) == LINK_TRUNK ? all_trunks : all_links)
      write_row(table, link, text);
  for (enum link_kind kind = LINK_OUT_OF_HOST; kind < LINK_KIND_COUNT; kind++)
    if (counts[kind] > 0 && !(kind == LINK_TRUNK ? all_trunks : all_links))
      write_row(table, find_fullest(table, kind), text);
}

static void write_table(const struct table *table, struct tny_text *text)
{
  const struct column *planned = &table->columns[0];
  tny_text_add(text,
               "in flight: while ranks keep step / at worst, in messages of up to %s\n\n"
               "  %-18s %11s",
               tny_bytes_format(planned->in_flight.message_bytes).text, "link", "port buffer");
  for (uint32_t i = 0; i < table->column_count; i++)
    tny_text_add(text, "  %20s", table->columns[i].title);
  tny_text_add(text, "\n");
  write_rows(table, text);
}

enum tny_status plan_write_budgets(const struct plan *plan, const struct plan_options *options,
                                   char **shown, struct tny_error *error)
{
  struct table table = {
      .plan = plan, .all_links = options->all_links, .cluster = plan->mapping.cluster};
  struct tny_text text = {0};
  enum tny_status status = add_column(&table, plan->schedule, plan->pace.window, error);
  for (uint32_t window = 1; window <= WINDOWS && plan->algorithm->pacing != TNY_PACE_NONE; window++)
    if (status == TNY_OK)
      status = add_window(&table, window, error);
  if (status == TNY_OK)
    write_table(&table, &text);
  for (uint32_t i = 0; i < table.column_count; i++)
    in_flight_release(&table.columns[i].in_flight);
  return status == TNY_OK ? tny_text_take(&text, shown, error) : status;
}
