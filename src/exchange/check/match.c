/* Which send meets which receive: both ends of each connection are sorted as they start. */
#include "core/error.h"
#include "exchange/check/checks.h"
#include "exchange/check/precedence.h"

/* An end of a message. Sorted, the two ends of each message stand at the same index. */
struct end {
  uint32_t from, to, channel;
  uint32_t position; /* among its rank's operations, as they start */
  uint32_t operation;
};

struct ends {
  struct end *list;
  uint32_t count;
};

static int compare_connections(const struct end *a, const struct end *b)
{
  if (a->to != b->to)
    return a->to < b->to ? -1 : 1;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  return (a->channel > b->channel) - (a->channel < b->channel);
}

static int compare_ends(const void *first, const void *second)
{
  const struct end *a = first, *b = second;
  const int connections = compare_connections(a, b);
  return connections ? connections : (a->position > b->position) - (a->position < b->position);
}

static void collect(const struct tny_foreign *foreign, const struct tny_event_order *order,
                    enum tny_act act, struct ends *ends)
{
  for (uint32_t i = 0; i < foreign->operation_count; i++) {
    const struct tny_operation *at = &foreign->operations[i];
    if (at->act == act)
      ends->list[ends->count++] = (struct end){.from = act == TNY_ACT_SEND ? at->rank : at->peer,
                                               .to = act == TNY_ACT_SEND ? at->peer : at->rank,
                                               .channel = at->channel,
                                               .position = order->position[i],
                                               .operation = i};
  }
  qsort(ends->list, ends->count, sizeof *ends->list, compare_ends);
}

static enum tny_status unmatched(const struct tny_foreign *foreign, const struct end *end,
                                 struct tny_error *error)
{
  const struct tny_operation *at = &foreign->operations[end->operation];
  return tny_foreign_fail(foreign, end->operation, error, "%s has no %s at rank %u on %s %u",
                          tny_foreign_words(foreign, end->operation).text,
                          at->act == TNY_ACT_SEND ? "recv" : "send", at->peer,
                          foreign->form == TNY_FORM_MSCCL ? "channel" : "tag", at->channel);
}

/* Checks that the two ends are of the same size. */
static enum tny_status check_sizes(const struct tny_foreign *foreign, uint32_t send, uint32_t recv,
                                   struct tny_error *error)
{
  const struct tny_operation *out = &foreign->operations[send], *in = &foreign->operations[recv];
  const bool by_chunks = foreign->form == TNY_FORM_MSCCL;
  const uint64_t sent = by_chunks ? tny_region_chunks(&out->from) : out->bytes;
  const uint64_t received = by_chunks ? tny_region_chunks(&in->to) : in->bytes;
  if (sent != received)
    return tny_foreign_fail(foreign, recv, error, "%s is %llu %s, but %s is %llu",
                            tny_foreign_words(foreign, recv).text, (unsigned long long)received,
                            by_chunks ? "chunks" : "bytes", tny_foreign_words(foreign, send).text,
                            (unsigned long long)sent);
  if (tny_region_chunks(&out->from) != tny_region_chunks(&in->to))
    return tny_foreign_fail(
        foreign, recv, error, "the comments of %s and of %s say different numbers of chunks",
        tny_foreign_words(foreign, recv).text, tny_foreign_words(foreign, send).text);
  return TNY_OK;
}

static enum tny_status join(struct tny_foreign *foreign, const struct ends *out,
                            const struct ends *in, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; status == TNY_OK && (i < out->count || i < in->count); i++) {
    const struct end *send = &out->list[i], *recv = &in->list[i];
    const int order = i == out->count ? 1 : i == in->count ? -1 : compare_connections(send, recv);
    if (order != 0)
      return unmatched(foreign, order < 0 ? send : recv, error);
    foreign->operations[send->operation].partner = recv->operation;
    foreign->operations[recv->operation].partner = send->operation;
    if (i > 0 && compare_connections(send, send - 1) == 0)
      foreign->operations[send->operation].previous = send[-1].operation;
    status = check_sizes(foreign, send->operation, recv->operation, error);
  }
  return status;
}

/* Checks that where several messages go the same way, their order of starting is settled. `ends`
   are those of one side, sorted so that those of a rank stand together. */
static enum tny_status check_settled(const struct tny_foreign *foreign,
                                     const struct tny_event_order *order, struct ends *ends,
                                     struct tny_error *error)
{
  struct tny_precedence before = {.rank = TNY_NONE, .happens = TNY_HAPPENS_START};
  enum tny_status status = TNY_OK;
  for (uint32_t i = 1; status == TNY_OK && i < ends->count; i++) {
    const uint32_t earlier = ends->list[i - 1].operation, later = ends->list[i].operation;
    if (compare_connections(&ends->list[i - 1], &ends->list[i]) != 0)
      continue;
    if (foreign->operations[later].rank != before.rank) {
      before.rank = foreign->operations[later].rank;
      tny_precedence_release(&before);
      status = tny_precedence_make(foreign, order, &before, error);
    }
    if (status == TNY_OK && !tny_precedes(&before, earlier, later))
      status = tny_foreign_fail(
          foreign, later, error,
          "%s and %s may start in either order, and with the same tag, so it's open which meets "
          "what: let one irequire the other, or give them different tags",
          tny_foreign_words(foreign, earlier).text, tny_foreign_words(foreign, later).text);
  }
  tny_precedence_release(&before);
  return status;
}

static int compare_senders(const void *first, const void *second)
{
  const struct end *a = first, *b = second;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  return compare_ends(a, b);
}

enum tny_status tny_foreign_match(struct tny_foreign *foreign, const struct tny_event_order *order,
                                  struct tny_arena *arena, struct tny_error *error)
{
  struct ends out = {tny_arena_take(arena, foreign->operation_count + (size_t)1, sizeof *out.list),
                     0};
  struct ends in = {tny_arena_take(arena, foreign->operation_count + (size_t)1, sizeof *in.list),
                    0};
  if (!out.list || !in.list)
    return tny_error_memory(error);
  collect(foreign, order, TNY_ACT_SEND, &out);
  collect(foreign, order, TNY_ACT_RECV, &in);
  enum tny_status status = join(foreign, &out, &in, error);
  if (status != TNY_OK ||
      foreign->form == TNY_FORM_MSCCL) /* one threadblock does all of a connection's end */
    return status;
  status = check_settled(foreign, order, &in, error);
  qsort(out.list, out.count, sizeof *out.list, compare_senders);
  return status == TNY_OK ? check_settled(foreign, order, &out, error) : status;
}
