/* Proves a foreign schedule: its messages, its progress, its data. Also counts what links carry. */
#include "cluster/route.h"
#include "core/error.h"
#include "exchange/check/checks.h"

static void count(const struct tny_foreign *foreign, struct tny_foreign_report *report)
{
  *report = (struct tny_foreign_report){.operations = foreign->operation_count};
  for (uint32_t i = 0; i < foreign->operation_count; i++)
    if (foreign->operations[i].act == TNY_ACT_SEND) {
      report->messages++;
      report->message_bytes += foreign->operations[i].bytes;
    }
}

/* Proves progress under rendezvous. Where that deadlocks and the form's connections buffer a
   message each, proves it with these, and reports the deadlock. */
static enum tny_status prove_progress(const struct tny_foreign *foreign, struct tny_arena *arena,
                                      struct tny_event_order *order,
                                      struct tny_foreign_report *report, struct tny_error *error)
{
  struct tny_error deadlock = {0};
  enum tny_status status =
      tny_event_order_make(foreign, TNY_COMPLETION_RENDEZVOUS, arena, order, &deadlock);
  if (status == TNY_BROKEN && foreign->form == TNY_FORM_MSCCL) {
    snprintf(report->rendezvous_deadlock, sizeof report->rendezvous_deadlock, "%.399s",
             deadlock.text);
    status = tny_event_order_make(foreign, TNY_COMPLETION_BUFFERED, arena, order, error);
  } else if (status != TNY_OK) {
    tny_error_at(error, status, deadlock.file, deadlock.line, 0, "%s", deadlock.text);
  }
  if (status == TNY_OK)
    report->chain = order->chain;
  return status;
}

/* Is it, or is it to be, a barrier? Then the data are nothing, and the order is all. */
static bool is_to_synchronize(const struct tny_foreign *foreign,
                              const struct tny_foreign_wanted *wanted)
{
  if (foreign->head)
    return tny_collective_synchronizes(foreign->head->collective);
  return wanted && tny_collective_synchronizes(wanted->collective);
}

static enum tny_status prove(struct tny_foreign *foreign, const struct tny_foreign_wanted *wanted,
                             struct tny_foreign_report *report, struct tny_arena *arena,
                             struct tny_error *error)
{
  struct tny_event_order order;
  enum tny_status status =
      tny_event_order_make(foreign, TNY_COMPLETION_ALONE, arena, &order, error);
  if (status == TNY_OK)
    status = tny_foreign_match(foreign, &order, arena, error);
  if (status == TNY_OK)
    status = prove_progress(foreign, arena, &order, report, error);
  if (status != TNY_OK)
    return status;
  if (is_to_synchronize(foreign, wanted)) {
    report->data = TNY_DATA_NONE;
    return tny_foreign_synchronizes(foreign, &order, arena, error);
  }
  if (!foreign->head)
    return tny_foreign_prove_by_sizes(foreign, &order, wanted, report, error);
  report->data = TNY_DATA_PROVED;
  status = tny_foreign_races(foreign, &order, error);
  return status == TNY_OK ? tny_foreign_replay(foreign, &order, error) : status;
}

enum tny_status tny_foreign_verify(struct tny_foreign *foreign,
                                   const struct tny_foreign_wanted *wanted,
                                   struct tny_foreign_report *report, struct tny_error *error)
{
  if (wanted && tny_collective_reduces(wanted->collective))
    return tny_error_set(error, TNY_REFUSED,
                         "a GOAL file doesn't say what is reduced: no %s is proved of it",
                         tny_collective_name(wanted->collective));
  struct tny_arena *arena = tny_arena_new();
  if (!arena)
    return tny_error_memory(error);
  count(foreign, report);
  const enum tny_status status = prove(foreign, wanted, report, arena, error);
  tny_arena_free(arena);
  return status;
}

/* Bytes of a message. GOAL says them; in MSCCL a chunk is its part of a block, rounded up. */
static uint64_t bytes_of(const struct tny_foreign *foreign, const struct tny_operation *operation,
                         uint64_t block_bytes)
{
  if (foreign->form == TNY_FORM_GOAL)
    return operation->bytes;
  const uint64_t pieces = foreign->head->chunk_count;
  const uint64_t chunks = tny_region_chunks(&operation->from);
  return chunks / pieces * block_bytes + (chunks % pieces * block_bytes + pieces - 1) / pieces;
}

void tny_foreign_load(const struct tny_foreign *foreign, const struct tny_network *network,
                      uint64_t block_bytes, uint64_t *load_bytes)
{
  memset(load_bytes, 0, network->routes->cluster->link_count * sizeof *load_bytes);
  for (uint32_t i = 0; i < foreign->operation_count; i++) {
    const struct tny_operation *at = &foreign->operations[i];
    if (at->act != TNY_ACT_SEND)
      continue;
    struct tny_route route = tny_route_begin(network, at->rank, at->peer);
    uint32_t link;
    while ((link = tny_route_next(&route)) != TNY_NONE)
      load_bytes[link] += bytes_of(foreign, at, block_bytes);
  }
}
