/* Hold-ups are work that a rank does before some of its sends. */
#include "reproduce/disturb.h"

#include "core/alloc.h"
#include "core/error.h"
#include "core/random.h"

struct disturb {
  const struct tny_program *in;
  const struct tny_disturbance *how;
  uint64_t *held_ns; /* by op of `in`: of the work before it */
  uint32_t *place;   /* by op of `in`: where it goes */
  uint32_t *sends;   /* of the rank at hand, in order, by place */
  uint32_t send_count, after_count;
  struct tny_program *out;
};

static double draw(uint64_t *counter)
{
  return (double)(tny_random_next(counter) >> 11) / 0x1p53;
}

/* Draws the hold-ups, and finds where every op goes. Returns how many ops there are then. */
static uint32_t draw_all(struct disturb *disturb)
{
  const struct tny_program *in = disturb->in;
  uint64_t counter = disturb->how->seed;
  uint32_t next = 0;
  for (uint32_t rank = 0; rank < in->rank_count; rank++) {
    bool is_first = true;
    for (uint32_t op = in->first[rank]; op < in->first[rank + 1]; op++) {
      if (in->ops[op].kind == TNY_OP_SEND) {
        const double drawn = draw(&counter), length = draw(&counter);
        if (is_first)
          disturb->held_ns[op] = (uint64_t)(length * disturb->how->late_ns);
        else if (drawn < disturb->how->chance)
          disturb->held_ns[op] = (uint64_t)(2 * length * disturb->how->held_ns);
        is_first = false;
      }
      next += disturb->held_ns[op] > 0;
      disturb->place[op] = next++;
    }
  }
  return next;
}

static void wait_for(struct disturb *disturb, struct tny_op *op, uint32_t earlier)
{
  disturb->out->after[disturb->after_count++] = earlier;
  op->after_count++;
}

/* The card's place that a send needs, or the work before it, is free once an earlier send has left.
 */
static void wait_for_card(struct disturb *disturb, struct tny_op *op)
{
  const uint32_t most = disturb->how->card_messages;
  if (most > 0 && disturb->send_count >= most)
    wait_for(disturb, op, disturb->sends[disturb->send_count - most]);
}

static void put_work(struct disturb *disturb, uint32_t op)
{
  struct tny_op *work = &disturb->out->ops[disturb->place[op] - 1];
  *work = (struct tny_op){.kind = TNY_OP_WORK,
                          .partner = TNY_NONE,
                          .bytes = disturb->held_ns[op],
                          .phase = TNY_NONE,
                          .behind = TNY_NONE,
                          .after_first = disturb->after_count};
  if (disturb->send_count > 0)
    work->behind = disturb->sends[disturb->send_count - 1];
  wait_for_card(disturb, work);
}

static void put_op(struct disturb *disturb, uint32_t op)
{
  const struct tny_op *old = &disturb->in->ops[op];
  struct tny_op *put = &disturb->out->ops[disturb->place[op]];
  if (disturb->held_ns[op] > 0)
    put_work(disturb, op);
  *put = *old;
  put->partner = old->partner == TNY_NONE ? TNY_NONE : disturb->place[old->partner];
  put->behind = old->behind == TNY_NONE ? TNY_NONE : disturb->place[old->behind];
  put->after_first = disturb->after_count;
  put->after_count = 0;
  for (uint32_t i = 0; i < old->after_count; i++)
    wait_for(disturb, put, disturb->place[disturb->in->after[old->after_first + i]]);
  if (old->kind != TNY_OP_SEND)
    return;
  if (disturb->held_ns[op] > 0)
    wait_for(disturb, put, disturb->place[op] - 1);
  else
    wait_for_card(disturb, put);
  disturb->sends[disturb->send_count++] = disturb->place[op];
}

static bool take_memory(struct disturb *disturb)
{
  const struct tny_program *in = disturb->in;
  const size_t op_count = in->first[in->rank_count];
  disturb->held_ns = tny_new(op_count, sizeof *disturb->held_ns);
  disturb->place = tny_new(op_count, sizeof *disturb->place);
  disturb->sends = tny_new(op_count, sizeof *disturb->sends);
  disturb->out = tny_new(1, sizeof *disturb->out);
  if (!disturb->held_ns || !disturb->place || !disturb->sends || !disturb->out)
    return false;
  /* Each op of `in` waits for at most two more, a hold-up for one. */
  size_t after_count = 3 * op_count;
  for (size_t op = 0; op < op_count; op++)
    after_count += in->ops[op].after_count;
  disturb->out->rank_count = in->rank_count;
  disturb->out->first = tny_new(in->rank_count + (size_t)1, sizeof *disturb->out->first);
  disturb->out->ops = tny_new(draw_all(disturb), sizeof *disturb->out->ops);
  disturb->out->after = tny_new(after_count, sizeof *disturb->out->after);
  return disturb->out->first && disturb->out->ops && disturb->out->after;
}

static void put_all(struct disturb *disturb)
{
  const struct tny_program *in = disturb->in;
  uint32_t next = 0;
  for (uint32_t rank = 0; rank < in->rank_count; rank++) {
    disturb->out->first[rank] = next;
    disturb->send_count = 0;
    for (uint32_t op = in->first[rank]; op < in->first[rank + 1]; op++)
      put_op(disturb, op);
    if (in->first[rank + 1] > in->first[rank])
      next = disturb->place[in->first[rank + 1] - 1] + 1;
  }
  disturb->out->first[in->rank_count] = next;
}

enum tny_status tny_disturb(const struct tny_program *in, const struct tny_disturbance *how,
                            struct tny_program **out, struct tny_error *error)
{
  struct disturb disturb = {.in = in, .how = how};
  *out = NULL;
  const bool has_memory = take_memory(&disturb);
  if (has_memory) {
    put_all(&disturb);
    *out = disturb.out;
  } else {
    tny_program_free(disturb.out);
  }
  tny_free(disturb.held_ns);
  tny_free(disturb.place);
  tny_free(disturb.sends);
  return has_memory ? TNY_OK : tny_error_memory(error);
}
