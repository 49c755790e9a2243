/* A foreign schedule as one of ours. A GOAL file with our comments is taken as it stands, each
   rank's operations in the file's order. MSCCL's threadblocks run side by side, and their sends are
   relaxed (relax.c): their steps are listed by when they can happen, so that a list's order never
   is in the way. Order that a list adds takes no data away from anybody: verify.c has shown that no
   order changes what is read. */
#include "core/alloc.h"
#include "core/arena.h"
#include "core/error.h"
#include "exchange/relax.h"
#include "schedule/match.h"

/* Where an operation stands in the list. */
struct turn {
  uint32_t level, key; /* the key is the same at both ends of a message */
  uint32_t operation;
};

struct taking {
  const struct tny_foreign *foreign;
  struct tny_schedule *schedule;
  struct turn *turns; /* by operation's place in the file, then sorted rank by rank */
  uint32_t *step_of;  /* by operation; TNY_NONE: it became none, or isn't listed yet */
  /* By operation: 1 + the last one that was found to wait for all that it needs, or for it. */
  uint32_t *noted, *waited;
  uint32_t *stack;
  struct tny_builder builder;
};

static int compare_turns(const void *first, const void *second)
{
  const struct turn *a = first, *b = second;
  if (a->level != b->level)
    return a->level < b->level ? -1 : 1;
  return (a->key > b->key) - (a->key < b->key);
}

static void sort_turns(struct taking *taking, const struct tny_order *order)
{
  const struct tny_foreign *foreign = taking->foreign;
  for (uint32_t i = 0; i < foreign->operation_count; i++) {
    const struct tny_operation *at = &foreign->operations[i];
    const uint32_t key = at->act == TNY_ACT_RECV ? at->partner : i;
    taking->turns[i] = (struct turn){order ? order->level[2 * key + 1] : 0, order ? key : i, i};
  }
  for (uint32_t rank = 0; rank < foreign->rank_count; rank++)
    qsort(taking->turns + foreign->first[rank], foreign->end[rank] - foreign->first[rank],
          sizeof *taking->turns, compare_turns);
}

/* The region as a span; false where it's none: pieces of blocks that don't begin alike. */
static bool span_of(const struct tny_foreign *foreign, const struct tny_region *region,
                    struct tny_span *span)
{
  const uint32_t chunks = foreign->head->chunk_count;
  uint64_t first = region->first;
  enum tny_buffer buffer = TNY_INPUT;
  if (first >= foreign->input_places + foreign->output_places) {
    buffer = TNY_SCRATCH;
    first -= foreign->input_places + foreign->output_places;
  } else if (first >= foreign->input_places) {
    buffer = TNY_OUTPUT;
    first -= foreign->input_places;
  }
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

/* MSCCL's root of a broadcast has an output, ours has none: there it is the same as the input. Only
   filling it from the input becomes nothing. */
static bool is_roots(const struct tny_foreign *foreign, const struct tny_operation *operation)
{
  return tny_collective_has_one_buffer(foreign->head->collective) &&
         foreign->form == TNY_FORM_MSCCL && operation->rank == foreign->head->root;
}

static struct tny_region from_of(const struct tny_foreign *foreign,
                                 const struct tny_operation *operation)
{
  struct tny_region region = operation->from;
  const uint64_t outputs_end = foreign->input_places + foreign->output_places;
  if (is_roots(foreign, operation) && region.first >= foreign->input_places &&
      region.first < outputs_end)
    region.first -= foreign->input_places;
  return region;
}

static bool is_nothing(const struct tny_foreign *foreign, const struct tny_operation *operation)
{
  if (operation->act != TNY_ACT_LOCAL)
    return false;
  if (operation->to.runs == 0)
    return true;
  const struct tny_region from = from_of(foreign, operation);
  return is_roots(foreign, operation) && operation->to.first == foreign->input_places + from.first;
}

/* Lists one operation as a step, without what it waits for. */
static enum tny_status add_step(struct taking *taking, uint32_t operation, struct tny_error *error)
{
  static const enum tny_step_kind kinds[] = {
      [TNY_ACT_SEND] = TNY_SEND, [TNY_ACT_RECV] = TNY_RECV, [TNY_ACT_LOCAL] = TNY_COPY};
  const struct tny_foreign *foreign = taking->foreign;
  const struct tny_operation *at = &foreign->operations[operation];
  const struct tny_region from = from_of(foreign, at);
  const struct tny_region *moved = at->act == TNY_ACT_RECV ? &at->to : &from;
  struct tny_step step = {.kind = kinds[at->act], .peer = at->peer, .phase = at->phase};
  if (moved->runs == 0) {
    step.kind = at->act == TNY_ACT_SEND ? TNY_TOKEN_OUT : TNY_TOKEN_IN;
  } else if (!span_of(foreign, moved, &step.span) ||
             (tny_step_is_local(step.kind) && !span_of(foreign, &at->to, &step.target))) {
    return no_span(foreign, operation, error);
  }
  taking->step_of[operation] = tny_builder_append(&taking->builder, &step);
  return TNY_OK;
}

/* What stands for a need in a schedule of ours. */
enum keeping {
  BY_QUEUE, /* the other one is in front in the same queue, and has to have started; or the file
               says that a queue keeps them in order */
  BY_AFTER,
  BY_NEEDS, /* it has started, or has nothing to do, once all that it needs itself is there */
};

static enum keeping keeping_of(const struct taking *taking, uint32_t operation,
                               const struct tny_need *need)
{
  const struct tny_foreign *foreign = taking->foreign;
  const struct tny_operation *other = &foreign->operations[need->operation];
  const bool same_queue =
      (other->act == TNY_ACT_RECV) == (foreign->operations[operation].act == TNY_ACT_RECV);
  if (need->by_queue)
    return BY_QUEUE;
  if (is_nothing(foreign, other))
    return BY_NEEDS;
  if (!need->started)
    return BY_AFTER;
  if (same_queue && taking->step_of[need->operation] != TNY_NONE)
    return BY_QUEUE;
  return other->act == TNY_ACT_LOCAL ? BY_AFTER : BY_NEEDS; /* a copy is complete as it starts */
}

/* The last step, which is `operation`, waits for another. */
static enum tny_status add_after(struct taking *taking, uint32_t operation, uint32_t other,
                                 struct tny_error *error)
{
  if (taking->step_of[other] == TNY_NONE)
    return tny_foreign_refuse(taking->foreign, operation, error,
                              "%s stands before %s, for which it waits; our form lists it behind",
                              tny_foreign_words(taking->foreign, operation).text,
                              tny_foreign_words(taking->foreign, other).text);
  if (taking->waited[other] != operation + 1)
    tny_builder_after(&taking->builder, taking->step_of[other]);
  taking->waited[other] = operation + 1;
  return TNY_OK;
}

/* The last step, which is `operation`, waits for all that this needs. */
static enum tny_status add_needs(struct taking *taking, uint32_t operation, struct tny_error *error)
{
  const struct tny_foreign *foreign = taking->foreign;
  enum tny_status status = TNY_OK;
  uint32_t height = 0;
  taking->stack[height++] = operation;
  while (height > 0) {
    const struct tny_operation *at = &foreign->operations[taking->stack[--height]];
    for (uint32_t i = 0; status == TNY_OK && i < at->need_count; i++) {
      const struct tny_need *need = &foreign->needs[at->need_first + i];
      const enum keeping keeping = keeping_of(taking, operation, need);
      if (keeping == BY_AFTER)
        status = add_after(taking, operation, need->operation, error);
      if (keeping != BY_NEEDS || taking->noted[need->operation] == operation + 1)
        continue;
      taking->noted[need->operation] = operation + 1;
      taking->stack[height++] = need->operation;
    }
  }
  return status;
}

/* In place, a rank's input is in its output before anything else happens. */
static void add_own_block(struct taking *taking, uint32_t rank)
{
  const struct tny_schedule *schedule = taking->schedule;
  if (taking->foreign->in_place && tny_collective_has_own_block(schedule->collective))
    tny_builder_copy(&taking->builder, tny_span_blocks(TNY_INPUT, 0, 1),
                     tny_span_blocks(TNY_OUTPUT, rank, 1));
}

static enum tny_status take_rank(struct taking *taking, uint32_t rank, struct tny_error *error)
{
  const struct tny_foreign *foreign = taking->foreign;
  enum tny_status status = TNY_OK;
  tny_builder_init(&taking->builder);
  add_own_block(taking, rank);
  for (uint32_t i = foreign->first[rank]; status == TNY_OK && i < foreign->end[rank]; i++) {
    const uint32_t operation = taking->turns[i].operation;
    if (is_nothing(foreign, &foreign->operations[operation]))
      continue;
    status = add_step(taking, operation, error);
    if (status == TNY_OK)
      status = add_needs(taking, operation, error);
  }
  const enum tny_status finished =
      tny_builder_finish(&taking->builder, &taking->schedule->ranks[rank], error);
  return status == TNY_OK ? finished : status;
}

/* What meets must be the same part of its blocks at both ends. */
static enum tny_status check_shapes(const struct taking *taking, struct tny_error *error)
{
  const struct tny_foreign *foreign = taking->foreign;
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

/* Our form knows no tags: by the lists' order the same ends must meet. */
static enum tny_status check_ends(const struct taking *taking, struct tny_error *error)
{
  const struct tny_foreign *foreign = taking->foreign;
  struct tny_match match;
  enum tny_status status = check_shapes(taking, error);
  if (status == TNY_OK)
    status = tny_match_make(taking->schedule, &match, error);
  if (status != TNY_OK)
    return status;
  for (uint32_t i = 0; status == TNY_OK && i < foreign->operation_count; i++) {
    const struct tny_operation *at = &foreign->operations[i];
    if (at->act == TNY_ACT_SEND && match.partner[match.first[at->rank] + taking->step_of[i]] !=
                                       match.first[at->peer] + taking->step_of[at->partner])
      status = tny_foreign_refuse(foreign, i, error,
                                  "%s and another one there are received in another order than "
                                  "they're sent, which has no place in our form",
                                  tny_foreign_words(foreign, i).text);
  }
  tny_match_release(&match);
  return status;
}

static enum tny_status take_over(struct taking *taking, struct tny_arena *arena,
                                 struct tny_error *error)
{
  const struct tny_foreign *foreign = taking->foreign;
  const size_t count = foreign->operation_count;
  struct tny_order order;
  taking->turns = tny_arena_take(arena, count, sizeof *taking->turns);
  taking->step_of = tny_arena_take(arena, count, sizeof *taking->step_of);
  taking->noted = tny_arena_take(arena, count, sizeof *taking->noted);
  taking->waited = tny_arena_take(arena, count, sizeof *taking->waited);
  taking->stack = tny_arena_take(arena, count + 1, sizeof *taking->stack);
  if (!taking->turns || !taking->step_of || !taking->noted || !taking->waited || !taking->stack)
    return tny_error_memory(error);
  for (size_t i = 0; i < count; i++)
    taking->step_of[i] = TNY_NONE;
  enum tny_status status = TNY_OK;
  if (foreign->form == TNY_FORM_MSCCL)
    status = tny_order_make(foreign, TNY_MEET_RENDEZVOUS, arena, &order, error);
  if (status == TNY_OK)
    sort_turns(taking, foreign->form == TNY_FORM_MSCCL ? &order : NULL);
  for (uint32_t rank = 0; status == TNY_OK && rank < foreign->rank_count; rank++)
    status = take_rank(taking, rank, error);
  return status == TNY_OK ? check_ends(taking, error) : status;
}

/* Without connections that hold messages it may deadlock, though it was proved with them. */
static enum tny_status refuse_deadlock(const struct tny_error *deadlock, struct tny_error *error)
{
  return tny_error_at(error, TNY_REFUSED, deadlock->file, deadlock->line, 0,
                      "connections have to hold messages, which has no place in our form; %.380s",
                      deadlock->text);
}

static enum tny_status take_relaxed(struct taking *taking, struct tny_arena *arena,
                                    struct tny_error *error)
{
  struct tny_foreign *relaxed = NULL;
  struct tny_error cause = {0};
  enum tny_status status = tny_foreign_relax(taking->foreign, arena, &relaxed, error);
  if (status != TNY_OK)
    return status;
  taking->foreign = relaxed;
  status = take_over(taking, arena, &cause);
  tny_foreign_free_relaxed(relaxed);
  if (status == TNY_BROKEN)
    return refuse_deadlock(&cause, error);
  return status == TNY_OK
             ? TNY_OK
             : tny_error_at(error, status, cause.file, cause.line, 0, "%s", cause.text);
}

enum tny_status tny_foreign_schedule(const struct tny_foreign *foreign,
                                     struct tny_schedule **schedule, struct tny_error *error)
{
  struct taking taking = {.foreign = foreign};
  *schedule = NULL;
  if (!foreign->head)
    return tny_error_at(
        error, TNY_REFUSED, foreign->name, 0, 0,
        "this GOAL file doesn't say which blocks go where, which a schedule has to");
  enum tny_status status = tny_schedule_new_like(foreign->head, &taking.schedule, error);
  if (status != TNY_OK)
    return status;
  struct tny_arena *arena = tny_arena_new();
  if (!arena)
    status = tny_error_memory(error);
  else if (foreign->form == TNY_FORM_MSCCL)
    status = take_relaxed(&taking, arena, error);
  else
    status = take_over(&taking, arena, error);
  tny_arena_free(arena);
  if (status == TNY_OK)
    *schedule = taking.schedule;
  else
    tny_schedule_free(taking.schedule);
  return status;
}
