/* In MSCCL a send is complete when its data are in the connection, in a schedule of ours when the
   receiver has them. A threadblock's next step doesn't wait for that; but what writes to where a
   send reads has to, wherever it stands. */
#include "exchange/convert/synchronous_sends.h"

#include "core/alloc.h"
#include "core/error.h"

/* A send that reads a place, and the one noted before it; TNY_NONE: none. */
struct reader {
  uint32_t send, next;
};

struct relaxing {
  const struct tny_foreign *foreign;
  struct tny_foreign *relaxed;
  uint32_t *newest; /* by place of a rank: 1 + the newest reader since it was written */
  struct reader *readers;
  uint32_t reader_count;
};

static bool is_send(const struct tny_foreign *foreign, uint32_t operation)
{
  return foreign->operations[operation].act == TNY_ACT_SEND;
}

static enum tny_status copy_needs(struct relaxing *relaxing, uint32_t operation,
                                  struct tny_error *error)
{
  const struct tny_foreign *foreign = relaxing->foreign;
  const struct tny_operation *at = &foreign->operations[operation];
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; status == TNY_OK && i < at->need_count; i++) {
    struct tny_need need = foreign->needs[at->need_first + i];
    need.started = need.started || is_send(foreign, need.operation);
    status = tny_foreign_need(relaxing->relaxed, (struct tny_edge){operation, need}, error);
  }
  return status;
}

/* Needs the sends that read what the operation writes; notes what it reads, if it's a send. */
static enum tny_status add_needs(struct relaxing *relaxing, uint32_t operation,
                                 struct tny_error *error)
{
  const struct tny_operation *at = &relaxing->foreign->operations[operation];
  enum tny_status status = TNY_OK;
  for (uint64_t k = 0; k < tny_region_chunks(&at->to); k++) {
    uint32_t *newest = &relaxing->newest[tny_region_at(&at->to, k)];
    for (uint32_t i = *newest - 1; status == TNY_OK && i != TNY_NONE; i = relaxing->readers[i].next)
      status = tny_foreign_need(
          relaxing->relaxed, (struct tny_edge){operation, {.operation = relaxing->readers[i].send}},
          error);
    *newest = 0;
  }
  if (!is_send(relaxing->foreign, operation))
    return status;
  for (uint64_t k = 0; k < tny_region_chunks(&at->from); k++) {
    uint32_t *newest = &relaxing->newest[tny_region_at(&at->from, k)];
    relaxing->readers[relaxing->reader_count] = (struct reader){operation, *newest - 1};
    *newest = ++relaxing->reader_count;
  }
  return status;
}

static enum tny_status relax(struct relaxing *relaxing, const struct tny_event_order *order,
                             struct tny_error *error)
{
  const struct tny_foreign *foreign = relaxing->foreign;
  enum tny_status status = TNY_OK;
  for (uint32_t rank = 0; status == TNY_OK && rank < foreign->rank_count; rank++) {
    memset(relaxing->newest, 0, tny_foreign_locations(foreign) * sizeof *relaxing->newest);
    relaxing->reader_count = 0;
    for (uint32_t i = order->rank_first[rank]; status == TNY_OK && i < order->rank_first[rank + 1];
         i++) {
      status = copy_needs(relaxing, order->starts[i], error);
      if (status == TNY_OK)
        status = add_needs(relaxing, order->starts[i], error);
    }
  }
  return status == TNY_OK ? tny_foreign_finish(relaxing->relaxed, error) : status;
}

/* The same operations, which need nothing yet. */
static enum tny_status copy_operations(const struct tny_foreign *foreign,
                                       struct tny_foreign **relaxed, struct tny_error *error)
{
  enum tny_status status = tny_foreign_new(foreign->form, foreign->name, relaxed, error);
  if (status == TNY_OK)
    status = tny_foreign_set_ranks(*relaxed, foreign->rank_count, error);
  for (uint32_t i = 0; status == TNY_OK && i < foreign->operation_count; i++) {
    const struct tny_operation *at = &foreign->operations[i];
    struct tny_operation copy = *at;
    copy.need_count = 0;
    status = tny_foreign_add(*relaxed, &copy, error);
    if (status == TNY_OK) {
      (*relaxed)->operations[i].partner = at->partner;
      (*relaxed)->operations[i].previous = at->previous;
    }
  }
  if (status != TNY_OK)
    return status;
  memcpy((*relaxed)->first, foreign->first, foreign->rank_count * sizeof *foreign->first);
  memcpy((*relaxed)->end, foreign->end, foreign->rank_count * sizeof *foreign->end);
  (*relaxed)->head = foreign->head;
  (*relaxed)->input_locations = foreign->input_locations;
  (*relaxed)->output_locations = foreign->output_locations;
  (*relaxed)->scratch_locations = foreign->scratch_locations;
  (*relaxed)->in_place = foreign->in_place;
  return TNY_OK;
}

enum tny_status tny_foreign_make_sends_synchronous(const struct tny_foreign *foreign,
                                                   struct tny_arena *arena,
                                                   struct tny_foreign **relaxed,
                                                   struct tny_error *error)
{
  struct relaxing relaxing = {.foreign = foreign};
  struct tny_event_order order;
  *relaxed = NULL;
  enum tny_status status =
      tny_event_order_make(foreign, TNY_COMPLETION_ALONE, arena, &order, error);
  if (status != TNY_OK)
    return status;
  relaxing.newest = tny_arena_take(arena, tny_foreign_locations(foreign), sizeof *relaxing.newest);
  relaxing.readers =
      tny_arena_take(arena, tny_foreign_reads_max(foreign), sizeof *relaxing.readers);
  if (!relaxing.newest || !relaxing.readers)
    return tny_error_memory(error);
  status = copy_operations(foreign, &relaxing.relaxed, error);
  if (status == TNY_OK)
    status = relax(&relaxing, &order, error);
  if (status == TNY_OK)
    *relaxed = relaxing.relaxed;
  else
    tny_foreign_free_synchronous(relaxing.relaxed);
  return status;
}

void tny_foreign_free_synchronous(struct tny_foreign *relaxed)
{
  if (relaxed)
    relaxed->head = NULL; /* borrowed */
  tny_foreign_free(relaxed);
}
