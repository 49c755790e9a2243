/* A GOAL file as a program for the simulator. An op of a program can start behind the start of one
   other op only. So where an operation irequires several others, work of no time is put behind each
   of them but one, and the operation waits for this work. */
#include "core/alloc.h"
#include "core/error.h"
#include "exchange/check/checks.h"

struct making {
  const struct tny_foreign *foreign;
  struct tny_program *program;
  uint32_t *op_of; /* by operation */
  uint32_t op_count, after_count;
};

/* How many it irequires. */
static uint32_t started_needs(const struct tny_foreign *foreign,
                              const struct tny_operation *operation)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < operation->need_count; i++)
    count += foreign->needs[operation->need_first + i].started;
  return count;
}

/* The ops for those beyond the first stand before the operation's own. */
static void number_ops(struct making *making)
{
  const struct tny_foreign *foreign = making->foreign;
  for (uint32_t rank = 0; rank < foreign->rank_count; rank++) {
    making->program->first[rank] = making->op_count;
    for (uint32_t i = foreign->first[rank]; i < foreign->end[rank]; i++) {
      const uint32_t started = started_needs(foreign, &foreign->operations[i]);
      making->op_count += started > 1 ? started - 1 : 0;
      making->op_of[i] = making->op_count++;
    }
  }
  making->program->first[foreign->rank_count] = making->op_count;
}

static void add_op(struct making *making, uint32_t index)
{
  static const enum tny_op_kind kinds[] = {
      [TNY_ACT_SEND] = TNY_OP_SEND, [TNY_ACT_RECV] = TNY_OP_RECV, [TNY_ACT_LOCAL] = TNY_OP_WORK};
  const struct tny_operation *at = &making->foreign->operations[index];
  const bool is_work = at->act == TNY_ACT_LOCAL;
  struct tny_op op = {.kind = kinds[at->act],
                      .partner = !is_work            ? making->op_of[at->partner]
                                 : at->processor > 0 ? at->processor
                                                     : TNY_NONE,
                      .bytes = at->bytes,
                      .phase = at->phase,
                      .behind = TNY_NONE,
                      .after_first = making->after_count};
  uint32_t helper = making->op_of[index];
  for (uint32_t i = 0; i < at->need_count; i++) {
    const struct tny_need need = making->foreign->needs[at->need_first + i];
    if (!need.started) {
      making->program->after[making->after_count++] = making->op_of[need.operation];
    } else if (op.behind == TNY_NONE) {
      op.behind = making->op_of[need.operation];
    } else {
      making->program->ops[--helper] = (struct tny_op){.kind = TNY_OP_WORK,
                                                       .partner = TNY_NONE,
                                                       .phase = TNY_NONE,
                                                       .behind = making->op_of[need.operation],
                                                       .after_first = making->after_count};
      making->program->after[making->after_count++] = helper;
    }
  }
  op.after_count = making->after_count - op.after_first;
  making->program->ops[making->op_of[index]] = op;
}

static enum tny_status make(struct making *making, struct tny_error *error)
{
  const struct tny_foreign *foreign = making->foreign;
  struct tny_program *program = making->program;
  uint64_t need_count = 0;
  for (uint32_t i = 0; i < foreign->operation_count; i++)
    need_count += foreign->operations[i].need_count;
  if (need_count + foreign->operation_count >= TNY_NONE)
    return tny_error_set(error, TNY_REFUSED, "a program has fewer than 2^32 operations and needs");
  program->rank_count = foreign->rank_count;
  program->first = tny_new(foreign->rank_count + (size_t)1, sizeof *program->first);
  making->op_of = tny_new(foreign->operation_count, sizeof *making->op_of);
  if (!program->first || !making->op_of)
    return tny_error_memory(error);
  number_ops(making);
  program->ops = tny_new(making->op_count, sizeof *program->ops);
  program->after = tny_new(need_count, sizeof *program->after);
  if (!program->ops || !program->after)
    return tny_error_memory(error);
  for (uint32_t i = 0; i < foreign->operation_count; i++)
    add_op(making, i);
  return TNY_OK;
}

/* Which send meets which receive. */
static enum tny_status match(struct tny_foreign *foreign, struct tny_error *error)
{
  struct tny_arena *arena = tny_arena_new();
  struct tny_event_order order;
  if (!arena)
    return tny_error_memory(error);
  enum tny_status status =
      tny_event_order_make(foreign, TNY_COMPLETION_ALONE, arena, &order, error);
  if (status == TNY_OK)
    status = tny_foreign_match(foreign, &order, arena, error);
  tny_arena_free(arena);
  return status;
}

enum tny_status tny_foreign_program(struct tny_foreign *foreign, struct tny_program **program,
                                    struct tny_error *error)
{
  *program = NULL;
  if (foreign->form != TNY_FORM_GOAL)
    return tny_error_at(error, TNY_REFUSED, foreign->name, 0, 0,
                        "only a GOAL file is a program; others are schedules");
  enum tny_status status = match(foreign, error);
  if (status != TNY_OK)
    return status;
  struct making making = {.foreign = foreign, .program = tny_new(1, sizeof *making.program)};
  status = making.program ? make(&making, error) : tny_error_memory(error);
  tny_free(making.op_of);
  if (status == TNY_OK)
    *program = making.program;
  else
    tny_program_free(making.program);
  return status;
}
