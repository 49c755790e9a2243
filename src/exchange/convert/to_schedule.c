/* A foreign schedule as one of ours. A GOAL file with our comments is converted as it stands: each
   rank's operations keep the file's order. MSCCL's threadblocks run side by side, and its sends are
   made synchronous first (synchronous_sends.h). Its operations are listed by when they can happen,
   so the order of a list never stands in the way. A list only adds order, and that takes no data
   away from anybody: verify.c has shown that no order changes what is read. */
#include "core/arena.h"
#include "core/error.h"
#include "exchange/convert/synchronous_sends.h"
#include "schedule/match.h"

/* An operation of a rank's list, and what it is listed by. */
struct listed {
  uint32_t level, key; /* the key is the same at both ends of a message */
  uint32_t operation;
};

struct conversion {
  const struct tny_foreign *foreign;
  struct tny_schedule *schedule;
  struct listed *list; /* in the file's order, then sorted rank by rank */
  uint32_t *step_of;   /* by operation; TNY_NONE: it became none, or isn't listed yet */
  /* By operation: 1 + the last operation that waits for all that this one needs, and 1 + the last
     that waits for this one itself. */
  uint32_t *noted, *waited;
  uint32_t *stack;
  struct tny_builder builder;
};

static int compare_listed(const void *first, const void *second)
{
  const struct listed *a = first, *b = second;
  if (a->level != b->level)
    return a->level < b->level ? -1 : 1;
  return (a->key > b->key) - (a->key < b->key);
}

static void list_operations(struct conversion *conversion, const struct tny_event_order *order)
{
  const struct tny_foreign *foreign = conversion->foreign;
  for (uint32_t i = 0; i < foreign->operation_count; i++) {
    const struct tny_operation *at = &foreign->operations[i];
    const uint32_t key = at->act == TNY_ACT_RECV ? at->partner : i;
    conversion->list[i] =
        (struct listed){order ? order->level[2 * key + 1] : 0, order ? key : i, i};
  }
  for (uint32_t rank = 0; rank < foreign->rank_count; rank++)
    qsort(conversion->list + foreign->first[rank], foreign->end[rank] - foreign->first[rank],
          sizeof *conversion->list, compare_listed);
}

/* The region as a span. Returns false where it is none: pieces of blocks that don't begin alike. */
static bool span_of(const struct tny_foreign *foreign, const struct tny_region *region,
                    struct tny_span *span)
{
  const uint32_t chunks = foreign->head->chunk_count;
  uint64_t first = region->first;
  const enum tny_buffer buffer = tny_foreign_buffer_of(foreign, &first);
  const uint32_t block = (uint32_t)(first / chunks), chunk = (uint32_t)(first % chunks);
  if (chunk == 0 && region->runs == 1 && region->run % chunks == 0) {
    *span = tny_span_blocks(buffer, block, region->run / chunks);
    return true;
  }
  *span = (struct tny_span){buffer, block, region->runs, chunk, chunks, region->run};
  return region->run <= chunks - chunk && (region->runs == 1 || region->stride == chunks);
}

static enum tny_status no_span(const struct tny_foreign *foreign, uint32_t operation,
                               struct tny_error *error)
{
  return tny_foreign_refuse(
      foreign, operation, error,
      "%s moves chunks that aren't the same part of their blocks, which has no "
      "place in our form",
      tny_foreign_words(foreign, operation).text);
}

/* At the root of a broadcast MSCCL has an output, and ours has none. Ours takes the input for it:
   what reads the output reads the input, and a copy that fills it from there becomes nothing. */
static bool is_at_msccl_root(const struct tny_foreign *foreign,
                             const struct tny_operation *operation)
{
  return tny_foreign_has_output(foreign, operation->rank) &&
         !tny_exchange_has_output(foreign->head, operation->rank);
}

static struct tny_region from_of(const struct tny_foreign *foreign,
                                 const struct tny_operation *operation)
{
  struct tny_region region = operation->from;
  uint64_t first = region.first;
  const enum tny_buffer buffer = tny_foreign_buffer_of(foreign, &first);
  if (is_at_msccl_root(foreign, operation) && buffer == TNY_OUTPUT)
    region.first = first; /* the same location of the input, which comes first */
  return region;
}

static bool is_nothing(const struct tny_foreign *foreign, const struct tny_operation *operation)
{
  if (operation->act != TNY_ACT_LOCAL)
    return false;
  if (operation->to.runs == 0)
    return true;
  const struct tny_region from = from_of(foreign, operation);
  return is_at_msccl_root(foreign, operation) &&
         operation->to.first == foreign->input_locations + from.first;
}

/* Lists one operation as a step, without what it waits for. */
static enum tny_status add_step(struct conversion *conversion, uint32_t operation,
                                struct tny_error *error)
{
  static const enum tny_step_kind kinds[] = {
      [TNY_ACT_SEND] = TNY_SEND, [TNY_ACT_RECV] = TNY_RECV, [TNY_ACT_LOCAL] = TNY_COPY};
  const struct tny_foreign *foreign = conversion->foreign;
  const struct tny_operation *at = &foreign->operations[operation];
  const struct tny_region from = from_of(foreign, at);
  const struct tny_region *moved = at->act == TNY_ACT_RECV ? &at->to : &from;
  struct tny_step step = {.kind = kinds[at->act], .peer = at->peer, .phase = at->phase};
  if (tny_collective_synchronizes(foreign->head->collective) && moved->runs > 0) {
    step.span = tny_span_nothing();
  } else if (moved->runs == 0) {
    step.kind = at->act == TNY_ACT_SEND ? TNY_TOKEN_OUT : TNY_TOKEN_IN;
  } else if (!span_of(foreign, moved, &step.span) ||
             (tny_step_is_local(step.kind) && !span_of(foreign, &at->to, &step.target))) {
    return no_span(foreign, operation, error);
  }
  conversion->step_of[operation] = tny_builder_append(&conversion->builder, &step);
  return TNY_OK;
}

/* How a schedule of ours expresses a need. */
enum expression {
  BY_QUEUE, /* the other one is in front in the same queue, and has to have started; or the file
               says that a queue keeps them in order */
  BY_AFTER,
  BY_NEEDS, /* it has started, or has nothing to do, once all that it needs itself is there */
};

static enum expression expression_of(const struct conversion *conversion, uint32_t operation,
                                     const struct tny_need *need)
{
  const struct tny_foreign *foreign = conversion->foreign;
  const struct tny_operation *other = &foreign->operations[need->operation];
  const bool same_queue =
      (other->act == TNY_ACT_RECV) == (foreign->operations[operation].act == TNY_ACT_RECV);
  if (need->by_queue)
    return BY_QUEUE;
  if (is_nothing(foreign, other))
    return BY_NEEDS;
  if (!need->started)
    return BY_AFTER;
  if (same_queue && conversion->step_of[need->operation] != TNY_NONE)
    return BY_QUEUE;
  return other->act == TNY_ACT_LOCAL ? BY_AFTER : BY_NEEDS; /* a copy is complete as it starts */
}

/* Has the last step, which is `operation`, wait for another. */
static enum tny_status add_after(struct conversion *conversion, uint32_t operation, uint32_t other,
                                 struct tny_error *error)
{
  if (conversion->step_of[other] == TNY_NONE)
    return tny_foreign_refuse(conversion->foreign, operation, error,
                              "%s stands before %s, for which it waits; our form lists it behind",
                              tny_foreign_words(conversion->foreign, operation).text,
                              tny_foreign_words(conversion->foreign, other).text);
  if (conversion->waited[other] != operation + 1)
    tny_builder_after(&conversion->builder, conversion->step_of[other]);
  conversion->waited[other] = operation + 1;
  return TNY_OK;
}

/* Has the last step, which is `operation`, wait for all that this needs. */
static enum tny_status add_needs(struct conversion *conversion, uint32_t operation,
                                 struct tny_error *error)
{
  const struct tny_foreign *foreign = conversion->foreign;
  enum tny_status status = TNY_OK;
  uint32_t height = 0;
  conversion->stack[height++] = operation;
  while (height > 0) {
    const struct tny_operation *at = &foreign->operations[conversion->stack[--height]];
    for (uint32_t i = 0; status == TNY_OK && i < at->need_count; i++) {
      const struct tny_need *need = &foreign->needs[at->need_first + i];
      const enum expression expression = expression_of(conversion, operation, need);
      if (expression == BY_AFTER)
        status = add_after(conversion, operation, need->operation, error);
      if (expression != BY_NEEDS || conversion->noted[need->operation] == operation + 1)
        continue;
      conversion->noted[need->operation] = operation + 1;
      conversion->stack[height++] = need->operation;
    }
  }
  return status;
}

/* In place, a rank's input is in its output before anything else happens. */
static void add_own_block(struct conversion *conversion, uint32_t rank)
{
  const struct tny_schedule *head = conversion->foreign->head;
  if (!conversion->foreign->in_place || !tny_exchange_has_input(head, rank) ||
      !tny_exchange_has_output(head, rank))
    return;
  const uint32_t blocks = tny_buffer_blocks(head->collective, TNY_INPUT, head->rank_count);
  const uint32_t first = tny_exchange_in_place_block(head->collective, rank);
  tny_builder_copy(&conversion->builder, tny_span_blocks(TNY_INPUT, 0, blocks),
                   tny_span_blocks(TNY_OUTPUT, first, blocks));
}

static enum tny_status convert_rank(struct conversion *conversion, uint32_t rank,
                                    struct tny_error *error)
{
  const struct tny_foreign *foreign = conversion->foreign;
  enum tny_status status = TNY_OK;
  tny_builder_init(&conversion->builder);
  add_own_block(conversion, rank);
  for (uint32_t i = foreign->first[rank]; status == TNY_OK && i < foreign->end[rank]; i++) {
    const uint32_t operation = conversion->list[i].operation;
    if (is_nothing(foreign, &foreign->operations[operation]))
      continue;
    status = add_step(conversion, operation, error);
    if (status == TNY_OK)
      status = add_needs(conversion, operation, error);
  }
  const enum tny_status finished =
      tny_builder_finish(&conversion->builder, &conversion->schedule->ranks[rank], error);
  return status == TNY_OK ? finished : status;
}

/* Checks that what meets is the same part of its blocks at both ends. */
static enum tny_status check_shapes(const struct conversion *conversion, struct tny_error *error)
{
  const struct tny_foreign *foreign = conversion->foreign;
  for (uint32_t i = 0; i < foreign->operation_count; i++) {
    const struct tny_operation *at = &foreign->operations[i];
    struct tny_span from_span, to_span;
    if (at->act == TNY_ACT_RECV || at->from.runs == 0 || is_nothing(foreign, at))
      continue;
    const struct tny_region from = from_of(foreign, at);
    const struct tny_region *to =
        at->act == TNY_ACT_LOCAL ? &at->to : &foreign->operations[at->partner].to;
    if (!span_of(foreign, &from, &from_span) || !span_of(foreign, to, &to_span) ||
        from_span.chunk != to_span.chunk || from_span.chunks != to_span.chunks ||
        from_span.chunk_count != to_span.chunk_count)
      return no_span(foreign, i, error);
  }
  return TNY_OK;
}

/* Our form knows no tags. Checks that the same ends meet by the order of the lists. */
static enum tny_status check_ends(const struct conversion *conversion, struct tny_error *error)
{
  const struct tny_foreign *foreign = conversion->foreign;
  struct tny_match match;
  enum tny_status status = check_shapes(conversion, error);
  if (status == TNY_OK)
    status = tny_match_make(conversion->schedule, &match, error);
  if (status != TNY_OK)
    return status;
  for (uint32_t i = 0; status == TNY_OK && i < foreign->operation_count; i++) {
    const struct tny_operation *at = &foreign->operations[i];
    if (at->act == TNY_ACT_SEND && match.partner[match.first[at->rank] + conversion->step_of[i]] !=
                                       match.first[at->peer] + conversion->step_of[at->partner])
      status = tny_foreign_refuse(foreign, i, error,
                                  "%s and another one there are received in another order than "
                                  "they're sent, which has no place in our form",
                                  tny_foreign_words(foreign, i).text);
  }
  tny_match_release(&match);
  return status;
}

static enum tny_status convert(struct conversion *conversion, struct tny_arena *arena,
                               struct tny_error *error)
{
  const struct tny_foreign *foreign = conversion->foreign;
  const size_t count = foreign->operation_count;
  struct tny_event_order order;
  conversion->list = tny_arena_take(arena, count, sizeof *conversion->list);
  conversion->step_of = tny_arena_take(arena, count, sizeof *conversion->step_of);
  conversion->noted = tny_arena_take(arena, count, sizeof *conversion->noted);
  conversion->waited = tny_arena_take(arena, count, sizeof *conversion->waited);
  conversion->stack = tny_arena_take(arena, count + 1, sizeof *conversion->stack);
  if (!conversion->list || !conversion->step_of || !conversion->noted || !conversion->waited ||
      !conversion->stack)
    return tny_error_memory(error);
  for (size_t i = 0; i < count; i++)
    conversion->step_of[i] = TNY_NONE;
  enum tny_status status = TNY_OK;
  if (foreign->form == TNY_FORM_MSCCL)
    status = tny_event_order_make(foreign, TNY_COMPLETION_RENDEZVOUS, arena, &order, error);
  if (status == TNY_OK)
    list_operations(conversion, foreign->form == TNY_FORM_MSCCL ? &order : NULL);
  for (uint32_t rank = 0; status == TNY_OK && rank < foreign->rank_count; rank++)
    status = convert_rank(conversion, rank, error);
  return status == TNY_OK ? check_ends(conversion, error) : status;
}

/* The schedule was proved with connections that buffer messages; without them it may deadlock. */
static enum tny_status refuse_deadlock(const struct tny_error *deadlock, struct tny_error *error)
{
  return tny_error_at(error, TNY_REFUSED, deadlock->file, deadlock->line, 0,
                      "connections have to buffer messages, which has no place in our form; %.380s",
                      deadlock->text);
}

static enum tny_status convert_msccl(struct conversion *conversion, struct tny_arena *arena,
                                     struct tny_error *error)
{
  struct tny_foreign *synchronous = NULL;
  struct tny_error cause = {0};
  enum tny_status status =
      tny_foreign_make_sends_synchronous(conversion->foreign, arena, &synchronous, error);
  if (status != TNY_OK)
    return status;
  conversion->foreign = synchronous;
  status = convert(conversion, arena, &cause);
  tny_foreign_free_synchronous(synchronous);
  if (status == TNY_BROKEN)
    return refuse_deadlock(&cause, error);
  return status == TNY_OK
             ? TNY_OK
             : tny_error_at(error, status, cause.file, cause.line, 0, "%s", cause.text);
}

enum tny_status tny_foreign_schedule(const struct tny_foreign *foreign,
                                     struct tny_schedule **schedule, struct tny_error *error)
{
  struct conversion conversion = {.foreign = foreign};
  *schedule = NULL;
  if (!foreign->head)
    return tny_error_at(
        error, TNY_REFUSED, foreign->name, 0, 0,
        "this GOAL file doesn't say which blocks go where, which a schedule has to");
  enum tny_status status = tny_schedule_new_like(foreign->head, &conversion.schedule, error);
  if (status != TNY_OK)
    return status;
  struct tny_arena *arena = tny_arena_new();
  if (!arena)
    status = tny_error_memory(error);
  else if (foreign->form == TNY_FORM_MSCCL)
    status = convert_msccl(&conversion, arena, error);
  else
    status = convert(&conversion, arena, error);
  tny_arena_free(arena);
  if (status == TNY_OK)
    *schedule = conversion.schedule;
  else
    tny_schedule_free(conversion.schedule);
  return status;
}
