/* A schedule as a program: what hosts do, in bytes. A copy becomes work of no time; so what waits
   for it, or follows it in its queue, waits as it did. A reduce takes time by its bytes. A message
   that carries nothing is one of a byte: it is no token, which may have lanes of its own. */
#include <tourney/simulate.h>

#include "core/alloc.h"
#include "core/error.h"
#include "schedule/match.h"
#include "schedule/message_bytes.h"

static enum tny_op_kind op_kind(enum tny_step_kind kind)
{
  switch (kind) {
  case TNY_SEND:
  case TNY_TOKEN_OUT:
    return TNY_OP_SEND;
  case TNY_RECV:
  case TNY_TOKEN_IN:
    return TNY_OP_RECV;
  case TNY_REDUCE_LEFT:
  case TNY_REDUCE_RIGHT:
    return TNY_OP_COMBINE;
  case TNY_COPY:
    break;
  }
  return TNY_OP_WORK;
}

static uint64_t bytes_of(const struct tny_step *step, uint64_t block_bytes)
{
  const bool takes_time = tny_step_is_message(step->kind) || tny_step_reduces(step->kind);
  if (tny_step_is_message(step->kind) && step->span.count == 0)
    return 1;
  return takes_time ? tny_span_bytes(&step->span, block_bytes) : 0;
}

static void fill(struct tny_program *program, const struct tny_match *match, uint64_t block_bytes)
{
  uint32_t after = 0;
  for (uint32_t rank = 0; rank <= program->rank_count; rank++)
    program->first[rank] = match->first[rank];
  for (uint32_t id = 0; id < match->step_count; id++) {
    const struct tny_step *step = tny_match_step(match, id);
    program->ops[id] = (struct tny_op){.kind = op_kind(step->kind),
                                       .partner = match->partner[id],
                                       .bytes = bytes_of(step, block_bytes),
                                       .phase = step->phase,
                                       .behind = match->previous[id],
                                       .after_first = after,
                                       .after_count = step->after_count};
    for (uint32_t i = 0; i < step->after_count; i++)
      program->after[after++] = tny_match_after(match, id, i);
  }
}

/* A message of so many bytes. Where all ranks know that it carries nothing, it isn't sent; else it
   goes as above. */
static void set_message_bytes(struct tny_op *op, uint64_t bytes, bool is_known)
{
  op->bytes = bytes > 0 ? bytes : 1;
  if (bytes == 0 && is_known)
    *op = (struct tny_op){.kind = TNY_OP_WORK,
                          .partner = TNY_NONE,
                          .phase = op->phase,
                          .behind = op->behind,
                          .after_first = op->after_first,
                          .after_count = op->after_count};
}

/* Sets the bytes of messages, and of what is combined, where blocks differ in size. */
static enum tny_status set_bytes(const struct tny_match *match, const struct tny_block_sizes *sizes,
                                 struct tny_program *program, struct tny_error *error)
{
  const bool is_known = !tny_collective_is_pairwise(match->schedule->collective);
  uint64_t *bytes = tny_new(match->step_count, sizeof *bytes);
  if (!bytes)
    return tny_error_memory(error);
  const enum tny_status status = tny_message_bytes_find(match, sizes, bytes, error);
  for (uint32_t id = 0; status == TNY_OK && id < match->step_count; id++) {
    const enum tny_step_kind kind = tny_match_step(match, id)->kind;
    if (tny_step_is_message(kind))
      set_message_bytes(&program->ops[id], bytes[id], is_known);
    else if (tny_step_reduces(kind))
      program->ops[id].bytes = bytes[id];
  }
  tny_free(bytes);
  return status;
}

static enum tny_status make(const struct tny_match *match, uint64_t block_bytes,
                            const uint64_t *block_bytes_of, struct tny_program *program,
                            struct tny_error *error)
{
  uint64_t after_count = 0;
  for (uint32_t id = 0; id < match->step_count; id++)
    after_count += tny_match_step(match, id)->after_count;
  if (after_count >= TNY_NONE)
    return tny_error_set(error, TNY_REFUSED, "steps wait for more than 2^32 others");
  program->rank_count = match->schedule->rank_count;
  program->first = tny_new(program->rank_count + (size_t)1, sizeof *program->first);
  program->ops = tny_new(match->step_count, sizeof *program->ops);
  program->after = tny_new(after_count, sizeof *program->after);
  if (!program->first || !program->ops || !program->after)
    return tny_error_memory(error);
  fill(program, match, block_bytes);
  const struct tny_block_sizes sizes = {.bytes_of = block_bytes_of, .planned_bytes = block_bytes};
  return block_bytes_of ? set_bytes(match, &sizes, program, error) : TNY_OK;
}

enum tny_status tny_program_make(const struct tny_schedule *schedule, uint64_t block_bytes,
                                 const uint64_t *block_bytes_of, struct tny_program **program,
                                 struct tny_error *error)
{
  struct tny_match match;
  *program = NULL;
  enum tny_status status = tny_match_make(schedule, &match, error);
  if (status != TNY_OK)
    return status;
  struct tny_program *made = tny_new(1, sizeof *made);
  status = made ? make(&match, block_bytes, block_bytes_of, made, error) : tny_error_memory(error);
  tny_match_release(&match);
  if (status == TNY_OK)
    *program = made;
  else
    tny_program_free(made);
  return status;
}

void tny_program_free(struct tny_program *program)
{
  if (!program)
    return;
  tny_free(program->first);
  tny_free(program->ops);
  tny_free(program->after);
  tny_free(program);
}
