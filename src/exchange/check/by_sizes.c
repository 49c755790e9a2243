/* What sizes alone prove of a file that doesn't say which data go where. It can still be compared
   with a collective. Where every rank sends what it has for another one straight there, or every
   rank gets the whole message from one that has it, the sizes leave one way to understand the file.
   Where a rank sends or receives less than the collective calls for, they leave none. */
#include "core/alloc.h"
#include "core/error.h"
#include "exchange/check/checks.h"
#include "exchange/check/precedence.h"
#include "exchange/collectives.h"

struct totals {
  const struct tny_foreign *foreign;
  const struct tny_foreign_wanted *wanted;
  struct tny_foreign_report *report;
  uint64_t *sent, *received; /* bytes, by rank */
};

static void add_up(const struct totals *totals)
{
  const struct tny_foreign *foreign = totals->foreign;
  for (uint32_t i = 0; i < foreign->operation_count; i++) {
    const struct tny_operation *at = &foreign->operations[i];
    if (at->act == TNY_ACT_SEND) {
      totals->sent[at->rank] += at->bytes;
      totals->received[at->peer] += at->bytes;
    }
  }
}

static enum tny_status too_little(const struct totals *totals, uint32_t rank, bool receives,
                                  uint64_t least, struct tny_error *error)
{
  return tny_error_at(error, TNY_BROKEN, totals->foreign->name, 0, 0,
                      "rank %u %s %llu bytes, but of this %s it has to %s %llu at least", rank,
                      receives ? "receives" : "sends",
                      (unsigned long long)(receives ? totals->received : totals->sent)[rank],
                      tny_collective_name(totals->wanted->collective),
                      receives ? "receive" : "send", (unsigned long long)least);
}

static enum tny_status check_least(const struct totals *totals, struct tny_error *error)
{
  const struct tny_foreign_wanted *wanted = totals->wanted;
  const struct tny_schedule head = {.collective = wanted->collective,
                                    .rank_count = totals->foreign->rank_count,
                                    .root = wanted->root};
  for (uint32_t rank = 0; rank < head.rank_count; rank++) {
    const struct tny_exchange_least least =
        tny_exchange_least_bytes(&head, rank, wanted->block_bytes);
    if (totals->received[rank] < least.received)
      return too_little(totals, rank, true, least.received, error);
    if (totals->sent[rank] < least.sent)
      return too_little(totals, rank, false, least.sent, error);
  }
  return TNY_OK;
}

/* Proves an exchange in which every rank sends each other one what it has for it, straight; else
   says in `why` what goes another way. */
static enum tny_status prove_direct(const struct totals *totals, struct tny_error *error)
{
  const struct tny_foreign *foreign = totals->foreign;
  struct tny_foreign_report *report = totals->report;
  const struct tny_foreign_wanted *wanted = totals->wanted;
  uint64_t *row = tny_new(foreign->rank_count, sizeof *row);
  if (!row)
    return tny_error_memory(error);
  bool is_direct = true;
  for (uint32_t rank = 0; is_direct && rank < foreign->rank_count; rank++) {
    memset(row, 0, foreign->rank_count * sizeof *row);
    for (uint32_t i = foreign->first[rank]; i < foreign->end[rank]; i++)
      if (foreign->operations[i].act == TNY_ACT_SEND)
        row[foreign->operations[i].peer] += foreign->operations[i].bytes;
    for (uint32_t peer = 0; is_direct && peer < foreign->rank_count; peer++) {
      const struct tny_sides sides = {1, 1, rank == wanted->root, peer == wanted->root};
      is_direct = peer == rank ||
                  row[peer] == tny_collective_load(wanted->collective, sides) * wanted->block_bytes;
      if (!is_direct)
        snprintf(report->why, sizeof report->why,
                 "%llu bytes go straight from rank %u to %u, so some go by way of others, and the "
                 "form doesn't say which",
                 (unsigned long long)row[peer], rank, peer);
    }
  }
  if (is_direct) {
    report->data = TNY_DATA_BY_SIZES;
    snprintf(report->why, sizeof report->why,
             tny_collective_has_root(wanted->collective)
                 ? "what a rank has for another goes there straight, %llu bytes each"
                 : "every rank sends each other one its %llu bytes, straight",
             (unsigned long long)wanted->block_bytes);
  }
  tny_free(row);
  return TNY_OK;
}

/* Checks that every send of a rank other than the root starts only once its receive is complete;
   where one doesn't, says so in `why` and clears *is_whole. */
static enum tny_status check_forwarding(const struct totals *totals,
                                        const struct tny_event_order *order, uint32_t rank,
                                        bool *is_whole, struct tny_error *error)
{
  const struct tny_foreign *foreign = totals->foreign;
  struct tny_precedence before = {.rank = rank, .happens = TNY_HAPPENS_COMPLETION};
  uint32_t recv = TNY_NONE;
  for (uint32_t i = foreign->first[rank]; i < foreign->end[rank]; i++)
    if (foreign->operations[i].act == TNY_ACT_RECV)
      recv = i;
  const enum tny_status status = tny_precedence_make(foreign, order, &before, error);
  for (uint32_t i = foreign->first[rank]; status == TNY_OK && i < foreign->end[rank]; i++)
    if (foreign->operations[i].act == TNY_ACT_SEND && !tny_precedes(&before, recv, i)) {
      *is_whole = false;
      snprintf(totals->report->why, sizeof totals->report->why,
               "%s doesn't wait for the message to be there", tny_foreign_words(foreign, i).text);
    }
  tny_precedence_release(&before);
  return status;
}

/* Proves a broadcast in which every rank gets the whole message once, from one that has it; else
   says in `why` what is different. */
static enum tny_status prove_relayed(const struct totals *totals,
                                     const struct tny_event_order *order, struct tny_error *error)
{
  const struct tny_foreign *foreign = totals->foreign;
  const uint64_t block = totals->wanted->block_bytes;
  const uint32_t root = totals->wanted->root;
  struct tny_foreign_report *report = totals->report;
  bool is_whole = totals->received[root] == 0;
  for (uint32_t i = 0; is_whole && i < foreign->operation_count; i++)
    is_whole = foreign->operations[i].act == TNY_ACT_LOCAL || foreign->operations[i].bytes == block;
  for (uint32_t rank = 0; is_whole && rank < foreign->rank_count; rank++)
    is_whole = rank == root || totals->received[rank] == block;
  if (!is_whole)
    snprintf(report->why, sizeof report->why,
             "the message goes in parts or more than once, and the form doesn't say which part is "
             "where");
  enum tny_status status = TNY_OK;
  for (uint32_t rank = 0; status == TNY_OK && is_whole && rank < foreign->rank_count; rank++)
    if (rank != root)
      status = check_forwarding(totals, order, rank, &is_whole, error);
  if (!is_whole || status != TNY_OK)
    return status;
  report->data = TNY_DATA_BY_SIZES;
  snprintf(report->why, sizeof report->why,
           "every rank gets the %llu bytes once, whole, from one that has them",
           (unsigned long long)block);
  return TNY_OK;
}

enum tny_status tny_foreign_prove_by_sizes(const struct tny_foreign *foreign,
                                           const struct tny_event_order *order,
                                           const struct tny_foreign_wanted *wanted,
                                           struct tny_foreign_report *report,
                                           struct tny_error *error)
{
  struct totals totals = {.foreign = foreign, .wanted = wanted, .report = report};
  report->data = TNY_DATA_UNKNOWN;
  if (!wanted) {
    snprintf(report->why, sizeof report->why, "GOAL says how much goes where, not which blocks");
    return TNY_OK;
  }
  if (wanted->root >= foreign->rank_count)
    return tny_error_set(error, TNY_BAD_INPUT, "root %u isn't one of %u ranks", wanted->root,
                         foreign->rank_count);
  totals.sent = tny_new(foreign->rank_count, sizeof *totals.sent);
  totals.received = tny_new(foreign->rank_count, sizeof *totals.received);
  enum tny_status status = TNY_OK;
  if (!totals.sent || !totals.received)
    status = tny_error_memory(error);
  if (status == TNY_OK) {
    add_up(&totals);
    status = check_least(&totals, error);
  }
  if (status == TNY_OK)
    status = tny_collective_is_one_message(wanted->collective)
                 ? prove_relayed(&totals, order, error)
                 : prove_direct(&totals, error);
  tny_free(totals.sent);
  tny_free(totals.received);
  return status;
}
