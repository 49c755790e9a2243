/* What sizes alone prove. A file that says nothing of data can still be held to a collective: where
   every rank sends what it has for another straight there, or every rank gets the whole message
   from one that has it, there is only one way to understand it. And where a rank gets or gives less
   than the collective calls for, there is none. */
#include "core/alloc.h"
#include "core/error.h"
#include "exchange/check.h"

struct weight {
  const struct tny_foreign *foreign;
  const struct tny_foreign_wanted *wanted;
  struct tny_foreign_report *report;
  uint64_t *sent, *received; /* bytes, by rank */
};

static void add_up(const struct weight *weight)
{
  const struct tny_foreign *foreign = weight->foreign;
  for (uint32_t i = 0; i < foreign->operation_count; i++) {
    const struct tny_operation *at = &foreign->operations[i];
    if (at->act == TNY_ACT_SEND) {
      weight->sent[at->rank] += at->bytes;
      weight->received[at->peer] += at->bytes;
    }
  }
}

static enum tny_status too_little(const struct weight *weight, uint32_t rank, bool receives,
                                  uint64_t least, struct tny_error *error)
{
  return tny_error_at(error, TNY_BROKEN, weight->foreign->name, 0, 0,
                      "rank %u %s %llu bytes, but of this %s it has to %s %llu at least", rank,
                      receives ? "receives" : "sends",
                      (unsigned long long)(receives ? weight->received : weight->sent)[rank],
                      tny_collective_name(weight->wanted->collective),
                      receives ? "receive" : "send", (unsigned long long)least);
}

static uint64_t bytes_of(uint64_t blocks, uint64_t block_bytes)
{
  const bool is_beyond = blocks > 0 && block_bytes > UINT64_MAX / blocks;
  return is_beyond ? UINT64_MAX : blocks * block_bytes;
}

/* No coding makes less do: what ranks have is their own. */
static enum tny_status check_least(const struct weight *weight, struct tny_error *error)
{
  const struct tny_foreign_wanted *wanted = weight->wanted;
  const uint64_t block = wanted->block_bytes, others = weight->foreign->rank_count - 1;
  for (uint32_t rank = 0; others > 0 && rank <= others; rank++) {
    const bool is_root = rank == wanted->root;
    const struct tny_sides inward = {others, 1, !is_root, is_root};
    const struct tny_sides outward = {1, others, is_root, !is_root};
    const uint64_t in = bytes_of(tny_collective_load(wanted->collective, inward), block);
    const uint64_t out = bytes_of(tny_collective_load(wanted->collective, outward), block);
    if (weight->received[rank] < in)
      return too_little(weight, rank, true, in, error);
    if (weight->sent[rank] < out)
      return too_little(weight, rank, false, out, error);
  }
  return TNY_OK;
}

/* Does every rank send each other one what it has for it, straight? */
static enum tny_status weigh_direct(const struct weight *weight, struct tny_error *error)
{
  const struct tny_foreign *foreign = weight->foreign;
  struct tny_foreign_report *report = weight->report;
  const uint32_t root = weight->wanted->root;
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
      const struct tny_sides sides = {1, 1, rank == root, peer == root};
      is_direct =
          peer == rank || row[peer] == tny_collective_load(weight->wanted->collective, sides) *
                                           weight->wanted->block_bytes;
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
             tny_collective_has_root(weight->wanted->collective)
                 ? "what a rank has for another goes there straight, %llu bytes each"
                 : "every rank sends each other one its %llu bytes, straight",
             (unsigned long long)weight->wanted->block_bytes);
  }
  tny_free(row);
  return TNY_OK;
}

/* Every send of a rank other than the root starts only after its receive is complete. */
static enum tny_status passes_on(const struct weight *weight, const struct tny_order *order,
                                 uint32_t rank, bool *is_whole, struct tny_error *error)
{
  const struct tny_foreign *foreign = weight->foreign;
  struct tny_before before = {.rank = rank, .what = TNY_COMPLETE};
  uint32_t recv = TNY_NONE;
  for (uint32_t i = foreign->first[rank]; i < foreign->end[rank]; i++)
    if (foreign->operations[i].act == TNY_ACT_RECV)
      recv = i;
  const enum tny_status status = tny_before_make(foreign, order, &before, error);
  for (uint32_t i = foreign->first[rank]; status == TNY_OK && i < foreign->end[rank]; i++)
    if (foreign->operations[i].act == TNY_ACT_SEND && !tny_before_is(&before, recv, i)) {
      *is_whole = false;
      snprintf(weight->report->why, sizeof weight->report->why,
               "%s doesn't wait for the message to be there", tny_foreign_words(foreign, i).text);
    }
  tny_before_release(&before);
  return status;
}

/* Does every rank get the whole message once, from one that has it? */
static enum tny_status weigh_bcast(const struct weight *weight, const struct tny_order *order,
                                   struct tny_error *error)
{
  const struct tny_foreign *foreign = weight->foreign;
  const uint64_t block = weight->wanted->block_bytes;
  const uint32_t root = weight->wanted->root;
  struct tny_foreign_report *report = weight->report;
  bool is_whole = weight->received[root] == 0;
  for (uint32_t i = 0; is_whole && i < foreign->operation_count; i++)
    is_whole = foreign->operations[i].act == TNY_ACT_LOCAL || foreign->operations[i].bytes == block;
  for (uint32_t rank = 0; is_whole && rank < foreign->rank_count; rank++)
    is_whole = rank == root || weight->received[rank] == block;
  if (!is_whole)
    snprintf(report->why, sizeof report->why,
             "the message goes in parts or more than once, and the form doesn't say which part is "
             "where");
  enum tny_status status = TNY_OK;
  for (uint32_t rank = 0; status == TNY_OK && is_whole && rank < foreign->rank_count; rank++)
    if (rank != root)
      status = passes_on(weight, order, rank, &is_whole, error);
  if (!is_whole || status != TNY_OK)
    return status;
  report->data = TNY_DATA_BY_SIZES;
  snprintf(report->why, sizeof report->why,
           "every rank gets the %llu bytes once, whole, from one that has them",
           (unsigned long long)block);
  return TNY_OK;
}

enum tny_status tny_foreign_weigh(const struct tny_foreign *foreign, const struct tny_order *order,
                                  const struct tny_foreign_wanted *wanted,
                                  struct tny_foreign_report *report, struct tny_error *error)
{
  struct weight weight = {.foreign = foreign, .wanted = wanted, .report = report};
  report->data = TNY_DATA_UNKNOWN;
  if (!wanted) {
    snprintf(report->why, sizeof report->why, "GOAL says how much goes where, not which blocks");
    return TNY_OK;
  }
  if (wanted->root >= foreign->rank_count)
    return tny_error_set(error, TNY_BAD_INPUT, "root %u isn't one of %u ranks", wanted->root,
                         foreign->rank_count);
  weight.sent = tny_new(foreign->rank_count, sizeof *weight.sent);
  weight.received = tny_new(foreign->rank_count, sizeof *weight.received);
  enum tny_status status = TNY_OK;
  if (!weight.sent || !weight.received)
    status = tny_error_memory(error);
  if (status == TNY_OK) {
    add_up(&weight);
    status = check_least(&weight, error);
  }
  if (status == TNY_OK)
    status = tny_collective_is_one_message(wanted->collective) ? weigh_bcast(&weight, order, error)
                                                               : weigh_direct(&weight, error);
  tny_free(weight.sent);
  tny_free(weight.received);
  return status;
}
