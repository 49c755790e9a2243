/* A delay becomes an op of work that the rank does before the send. */
#include "reproduce/shared/host_noise.h"

#include "core/alloc.h"
#include "core/error.h"
#include "core/random.h"

struct rewriting {
  const struct tny_program *in;
  const struct tny_host_noise *noise;
  uint64_t *delay_ns; /* by op of `in`: of the work that goes before it; 0: none */
  uint32_t *position; /* by op of `in`: its number in `out` */
  uint32_t *sends;    /* the sends so far of the rank at hand, by their numbers in `out` */
  uint32_t send_count, after_count;
  struct tny_program *out;
};

/* Draws the delays, and numbers the ops of `out`. Returns how many there are. */
static uint32_t draw_delays(struct rewriting *rewriting)
{
  const struct tny_program *in = rewriting->in;
  uint64_t counter = rewriting->noise->seed;
  uint32_t next = 0;
  for (uint32_t rank = 0; rank < in->rank_count; rank++) {
    bool is_first = true;
    for (uint32_t op = in->first[rank]; op < in->first[rank + 1]; op++) {
      if (in->ops[op].kind == TNY_OP_SEND) {
        const double drawn = tny_random_share(&counter);
        const double length = tny_random_share(&counter);
        if (is_first)
          rewriting->delay_ns[op] = (uint64_t)(length * rewriting->noise->start_spread_ns);
        else if (drawn < rewriting->noise->delay_probability)
          rewriting->delay_ns[op] = (uint64_t)(2 * length * rewriting->noise->delay_ns);
        is_first = false;
      }
      next += rewriting->delay_ns[op] > 0;
      rewriting->position[op] = next++;
    }
  }
  return next;
}

static void wait_for(struct rewriting *rewriting, struct tny_op *op, uint32_t earlier)
{
  rewriting->out->after[rewriting->after_count++] = earlier;
  op->after_count++;
}

/* A send, or the work before it, starts once the card has room for one more message. */
static void wait_for_card(struct rewriting *rewriting, struct tny_op *op)
{
  const uint32_t most = rewriting->noise->card_messages;
  if (most > 0 && rewriting->send_count >= most)
    wait_for(rewriting, op, rewriting->sends[rewriting->send_count - most]);
}

static void put_work(struct rewriting *rewriting, uint32_t op)
{
  struct tny_op *work = &rewriting->out->ops[rewriting->position[op] - 1];
  *work = (struct tny_op){.kind = TNY_OP_WORK,
                          .partner = TNY_NONE,
                          .bytes = rewriting->delay_ns[op],
                          .phase = TNY_NONE,
                          .behind = TNY_NONE,
                          .after_first = rewriting->after_count};
  if (rewriting->send_count > 0)
    work->behind = rewriting->sends[rewriting->send_count - 1];
  wait_for_card(rewriting, work);
}

static void put_op(struct rewriting *rewriting, uint32_t op)
{
  const struct tny_op *old = &rewriting->in->ops[op];
  struct tny_op *put = &rewriting->out->ops[rewriting->position[op]];
  if (rewriting->delay_ns[op] > 0)
    put_work(rewriting, op);
  *put = *old;
  put->partner = old->partner == TNY_NONE ? TNY_NONE : rewriting->position[old->partner];
  put->behind = old->behind == TNY_NONE ? TNY_NONE : rewriting->position[old->behind];
  put->after_first = rewriting->after_count;
  put->after_count = 0;
  for (uint32_t i = 0; i < old->after_count; i++)
    wait_for(rewriting, put, rewriting->position[rewriting->in->after[old->after_first + i]]);
  if (old->kind != TNY_OP_SEND)
    return;
  if (rewriting->delay_ns[op] > 0)
    wait_for(rewriting, put, rewriting->position[op] - 1);
  else
    wait_for_card(rewriting, put);
  rewriting->sends[rewriting->send_count++] = rewriting->position[op];
}

static bool allocate(struct rewriting *rewriting)
{
  const struct tny_program *in = rewriting->in;
  const size_t op_count = in->first[in->rank_count];
  rewriting->delay_ns = tny_new(op_count, sizeof *rewriting->delay_ns);
  rewriting->position = tny_new(op_count, sizeof *rewriting->position);
  rewriting->sends = tny_new(op_count, sizeof *rewriting->sends);
  rewriting->out = tny_new(1, sizeof *rewriting->out);
  if (!rewriting->delay_ns || !rewriting->position || !rewriting->sends || !rewriting->out)
    return false;
  /* Each op of `in` waits for at most two more, a delay for one. */
  size_t after_count = 3 * op_count;
  for (size_t op = 0; op < op_count; op++)
    after_count += in->ops[op].after_count;
  rewriting->out->rank_count = in->rank_count;
  rewriting->out->first = tny_new(in->rank_count + (size_t)1, sizeof *rewriting->out->first);
  rewriting->out->ops = tny_new(draw_delays(rewriting), sizeof *rewriting->out->ops);
  rewriting->out->after = tny_new(after_count, sizeof *rewriting->out->after);
  return rewriting->out->first && rewriting->out->ops && rewriting->out->after;
}

static void put_all(struct rewriting *rewriting)
{
  const struct tny_program *in = rewriting->in;
  uint32_t next = 0;
  for (uint32_t rank = 0; rank < in->rank_count; rank++) {
    rewriting->out->first[rank] = next;
    rewriting->send_count = 0;
    for (uint32_t op = in->first[rank]; op < in->first[rank + 1]; op++)
      put_op(rewriting, op);
    if (in->first[rank + 1] > in->first[rank])
      next = rewriting->position[in->first[rank + 1] - 1] + 1;
  }
  rewriting->out->first[in->rank_count] = next;
}

enum tny_status tny_program_add_noise(const struct tny_program *in,
                                      const struct tny_host_noise *noise, struct tny_program **out,
                                      struct tny_error *error)
{
  struct rewriting rewriting = {.in = in, .noise = noise};
  *out = NULL;
  const bool has_memory = allocate(&rewriting);
  if (has_memory) {
    put_all(&rewriting);
    *out = rewriting.out;
  } else {
    tny_program_free(rewriting.out);
  }
  tny_free(rewriting.delay_ns);
  tny_free(rewriting.position);
  tny_free(rewriting.sends);
  return has_memory ? TNY_OK : tny_error_memory(error);
}
