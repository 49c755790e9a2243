/* In MSCCL a send is complete once its data are in the connection: it is buffered. In a schedule of
   ours it is complete once the receiver has them: it is synchronous. What follows a send in its
   threadblock doesn't wait for the receiver; what writes where a send reads has to, in whatever
   threadblock it is. */
#include "exchange/convert/synchronous_sends.h"

#include "exchange/dependences.h"

struct rewriting {
  const struct tny_foreign *foreign;
  struct tny_foreign *synchronous;
  struct tny_dependences dependences;
};

static bool is_send(const struct tny_foreign *foreign, uint32_t operation)
{
  return foreign->operations[operation].act == TNY_ACT_SEND;
}

static enum tny_status copy_needs(struct rewriting *rewriting, uint32_t operation,
                                  struct tny_error *error)
{
  const struct tny_foreign *foreign = rewriting->foreign;
  const struct tny_operation *at = &foreign->operations[operation];
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; status == TNY_OK && i < at->need_count; i++) {
    struct tny_need need = foreign->needs[at->need_first + i];
    need.started = need.started || is_send(foreign, need.operation);
    status = tny_foreign_need(rewriting->synchronous, (struct tny_edge){operation, need}, error);
  }
  return status;
}

/* Has the operation need the sends that read what it writes, and notes what it reads where it is a
   send itself. What writes is no send, and needs nothing new for that. */
static enum tny_status add_needs(struct rewriting *rewriting, uint32_t operation,
                                 struct tny_error *error)
{
  const struct tny_operation *at = &rewriting->foreign->operations[operation];
  struct tny_dependences *dependences = &rewriting->dependences;
  enum tny_status status = TNY_OK;
  dependences->found_count = 0;
  for (uint64_t k = 0; status == TNY_OK && k < tny_region_chunks(&at->to); k++)
    status = tny_dependences_write(dependences, operation, tny_region_at(&at->to, k), error);
  for (uint32_t i = 0; status == TNY_OK && i < dependences->found_count; i++) {
    const struct tny_need need = {.operation = dependences->found[i]};
    if (is_send(rewriting->foreign, need.operation))
      status = tny_foreign_need(rewriting->synchronous, (struct tny_edge){operation, need}, error);
  }
  for (uint64_t k = 0; status == TNY_OK && is_send(rewriting->foreign, operation) &&
                       k < tny_region_chunks(&at->from);
       k++)
    status = tny_dependences_read(dependences, operation, tny_region_at(&at->from, k), error);
  return status;
}

static enum tny_status rewrite(struct rewriting *rewriting, const struct tny_event_order *order,
                               struct tny_error *error)
{
  const struct tny_foreign *foreign = rewriting->foreign;
  enum tny_status status = TNY_OK;
  for (uint32_t rank = 0; status == TNY_OK && rank < foreign->rank_count; rank++) {
    tny_dependences_clear(&rewriting->dependences);
    for (uint32_t i = order->rank_first[rank]; status == TNY_OK && i < order->rank_first[rank + 1];
         i++) {
      status = copy_needs(rewriting, order->starts[i], error);
      if (status == TNY_OK)
        status = add_needs(rewriting, order->starts[i], error);
    }
  }
  return status == TNY_OK ? tny_foreign_finish(rewriting->synchronous, error) : status;
}

/* Copies the operations; they need nothing yet. */
static enum tny_status copy_operations(const struct tny_foreign *foreign,
                                       struct tny_foreign **synchronous, struct tny_error *error)
{
  enum tny_status status = tny_foreign_new(foreign->form, foreign->name, synchronous, error);
  if (status == TNY_OK)
    status = tny_foreign_set_ranks(*synchronous, foreign->rank_count, error);
  for (uint32_t i = 0; status == TNY_OK && i < foreign->operation_count; i++) {
    const struct tny_operation *at = &foreign->operations[i];
    struct tny_operation copy = *at;
    copy.need_count = 0;
    status = tny_foreign_add(*synchronous, &copy, error);
    if (status == TNY_OK) {
      (*synchronous)->operations[i].partner = at->partner;
      (*synchronous)->operations[i].previous = at->previous;
    }
  }
  if (status != TNY_OK)
    return status;
  memcpy((*synchronous)->first, foreign->first, foreign->rank_count * sizeof *foreign->first);
  memcpy((*synchronous)->end, foreign->end, foreign->rank_count * sizeof *foreign->end);
  (*synchronous)->head = foreign->head;
  (*synchronous)->input_locations = foreign->input_locations;
  (*synchronous)->output_locations = foreign->output_locations;
  (*synchronous)->scratch_locations = foreign->scratch_locations;
  (*synchronous)->in_place = foreign->in_place;
  return TNY_OK;
}

enum tny_status tny_foreign_make_sends_synchronous(const struct tny_foreign *foreign,
                                                   struct tny_arena *arena,
                                                   struct tny_foreign **synchronous,
                                                   struct tny_error *error)
{
  struct rewriting rewriting = {.foreign = foreign};
  struct tny_event_order order;
  *synchronous = NULL;
  enum tny_status status =
      tny_event_order_make(foreign, TNY_COMPLETION_ALONE, arena, &order, error);
  if (status != TNY_OK)
    return status;
  status = tny_dependences_init(&rewriting.dependences, tny_foreign_locations(foreign), error);
  if (status == TNY_OK)
    status = copy_operations(foreign, &rewriting.synchronous, error);
  if (status == TNY_OK)
    status = rewrite(&rewriting, &order, error);
  tny_dependences_release(&rewriting.dependences);
  if (status == TNY_OK)
    *synchronous = rewriting.synchronous;
  else
    tny_foreign_free_synchronous(rewriting.synchronous);
  return status;
}

void tny_foreign_free_synchronous(struct tny_foreign *synchronous)
{
  if (synchronous)
    synchronous->head = NULL; /* borrowed */
  tny_foreign_free(synchronous);
}
