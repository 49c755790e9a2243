/* The hosts before anything has started: what each op waits for, and who waits for it. */
#include "core/alloc.h"
#include "core/error.h"
#include "simulator/hosts.h"

#define CYCLES_MAX 4e18        /* that fit into a uint64_t, with room for the network's */
enum { PHASES_MAX = 1 << 20 }; /* or as many as ops */

static bool take_memory(struct tny_hosts *hosts)
{
  const struct tny_program *program = hosts->program;
  const size_t op_count = hosts->op_count;
  size_t after_count = 0;
  uint32_t processors = 2;
  for (size_t op = 0; op < op_count; op++) {
    const struct tny_op *at = &program->ops[op];
    after_count += at->after_count;
    if (tny_op_is_work(at) && at->partner != TNY_NONE && at->partner + 2 > processors)
      processors = at->partner + 2;
  }
  hosts->processor_count = processors;
  hosts->ops = tny_new(op_count, sizeof *hosts->ops);
  hosts->times = tny_new(op_count, sizeof *hosts->times);
  hosts->rank_of = tny_new(op_count, sizeof *hosts->rank_of);
  hosts->waiter_first = tny_new(op_count + 2, sizeof *hosts->waiter_first);
  hosts->waiters = tny_new(after_count, sizeof *hosts->waiters);
  hosts->free_at = tny_new((size_t)program->rank_count * processors, sizeof *hosts->free_at);
  return hosts->ops && hosts->times && hosts->rank_of && hosts->waiter_first && hosts->waiters &&
         hosts->free_at;
}

/* A counting sort of `after` by what is waited for; the entries begin two ahead, so that they end
   up where they belong. */
static void list_waiters(struct tny_hosts *hosts)
{
  const struct tny_program *program = hosts->program;
  uint32_t *place = hosts->waiter_first + 1;
  for (uint32_t op = 0; op < hosts->op_count; op++)
    for (uint32_t i = 0; i < program->ops[op].after_count; i++)
      hosts->waiter_first[program->after[program->ops[op].after_first + i] + 2]++;
  for (uint32_t op = 0; op < hosts->op_count; op++)
    place[op + 1] += place[op];
  for (uint32_t op = 0; op < hosts->op_count; op++)
    for (uint32_t i = 0; i < program->ops[op].after_count; i++)
      hosts->waiters[place[program->after[program->ops[op].after_first + i]]++] = op;
}

static void list_followers(struct tny_hosts *hosts)
{
  for (uint32_t op = 0; op < hosts->op_count; op++)
    hosts->ops[op].followers = hosts->ops[op].next_same = TNY_NONE;
  for (uint32_t op = hosts->op_count; op-- > 0;) {
    const uint32_t behind = hosts->program->ops[op].behind;
    if (behind == TNY_NONE)
      continue;
    hosts->ops[op].next_same = hosts->ops[behind].followers;
    hosts->ops[behind].followers = op;
  }
}

/* Ops by phase; each waits for its phase. */
static bool list_phases(struct tny_hosts *hosts)
{
  const struct tny_program *program = hosts->program;
  hosts->phase_first = tny_new(hosts->phase_count + (size_t)2, sizeof *hosts->phase_first);
  hosts->phase_left = tny_new(hosts->phase_count, sizeof *hosts->phase_left);
  hosts->phase_ops = tny_new(hosts->op_count, sizeof *hosts->phase_ops);
  if (!hosts->phase_first || !hosts->phase_left || !hosts->phase_ops)
    return false;
  uint32_t *place = hosts->phase_first + 1;
  for (uint32_t op = 0; op < hosts->op_count; op++) {
    const uint32_t phase = program->ops[op].phase;
    if (phase == TNY_NONE)
      continue;
    hosts->phase_left[phase]++;
    hosts->phase_first[phase + 2]++;
    hosts->ops[op].waits++;
  }
  for (uint32_t phase = 0; phase < hosts->phase_count; phase++)
    place[phase + 1] += place[phase];
  for (uint32_t op = 0; op < hosts->op_count; op++)
    if (program->ops[op].phase != TNY_NONE)
      hosts->phase_ops[place[program->ops[op].phase]++] = op;
  return true;
}

static void set_ops(struct tny_hosts *hosts)
{
  const struct tny_program *program = hosts->program;
  for (uint32_t rank = 0; rank < program->rank_count; rank++)
    for (uint32_t op = program->first[rank]; op < program->first[rank + 1]; op++)
      hosts->rank_of[op] = rank;
  for (uint32_t op = 0; op < hosts->op_count; op++) {
    const struct tny_op *at = &program->ops[op];
    hosts->ops[op].waits = at->after_count + (at->behind != TNY_NONE);
    hosts->ops[op].packets = tny_op_is_work(at) ? 0 : tny_hosts_packets(hosts, op);
    if (at->phase != TNY_NONE && at->phase >= hosts->phase_count)
      hosts->phase_count = at->phase + 1;
  }
}

/* The time that an op takes of the hosts, and of barriers, at most. */
static double cycles_of(const struct tny_hosts *hosts, const struct tny_op *op)
{
  const struct tny_host_costs *costs = &hosts->costs;
  const double bytes = (double)op->bytes;
  if (tny_op_is_work(op))
    return costs->barrier + (costs->work + costs->combine_byte) * bytes;
  return costs->barrier + costs->send + costs->recv +
         (costs->send_packet + costs->recv_packet + costs->send_byte + costs->recv_byte) *
             (bytes + 1);
}

/* Refuses ops whose flits, phases or times are too large for the counters. */
static enum tny_status check_ops(const struct tny_hosts *hosts)
{
  const uint32_t flit_bytes = hosts->model->flit_bytes;
  const uint32_t phases_max = hosts->op_count > PHASES_MAX ? hosts->op_count : PHASES_MAX;
  double cycles = 0;
  for (uint32_t op = 0; op < hosts->op_count; op++) {
    const struct tny_op *at = &hosts->program->ops[op];
    cycles += cycles_of(hosts, at);
    if (!tny_op_is_work(at) && at->bytes / flit_bytes >= TNY_NONE / 2)
      return tny_error_set(hosts->error, TNY_REFUSED,
                           "a message of %llu bytes is of more flits of %u bytes than are counted",
                           (unsigned long long)at->bytes, flit_bytes);
    if (at->phase != TNY_NONE && at->phase >= phases_max)
      return tny_error_set(hosts->error, TNY_REFUSED, "phase %u: there are %u at most", at->phase,
                           phases_max);
  }
  if (cycles > CYCLES_MAX)
    return tny_error_set(hosts->error, TNY_REFUSED,
                         "the hosts' work takes more cycles than are counted");
  return TNY_OK;
}

static enum tny_status check(const struct tny_hosts *hosts)
{
  const struct tny_host_costs *costs = &hosts->costs;
  if (hosts->model->flit_bytes == 0)
    return tny_error_set(hosts->error, TNY_REFUSED, "a flit has 1 byte or more");
  if (!(costs->send >= 0 && costs->send_packet >= 0 && costs->send_byte >= 0 && costs->recv >= 0 &&
        costs->recv_packet >= 0 && costs->recv_byte >= 0 && costs->combine_byte >= 0 &&
        costs->barrier >= 0))
    return tny_error_set(hosts->error, TNY_REFUSED, "a host's times are 0 or more");
  return check_ops(hosts);
}

enum tny_status tny_hosts_init(struct tny_hosts *hosts, double cycle_ns)
{
  const struct tny_host_model *model = hosts->model;
  const double cycles = cycle_ns > 0 ? 1 / cycle_ns : 1; /* a ns */
  hosts->op_count = hosts->program->first[hosts->program->rank_count];
  hosts->costs = (struct tny_host_costs){.send = model->send_ns * cycles,
                                         .send_packet = model->send_packet_ns * cycles,
                                         .send_byte = model->send_byte_ns * cycles,
                                         .recv = model->recv_ns * cycles,
                                         .recv_packet = model->recv_packet_ns * cycles,
                                         .recv_byte = model->recv_byte_ns * cycles,
                                         .combine_byte = model->combine_byte_ns * cycles,
                                         .barrier = model->barrier_ns * cycles,
                                         .work = cycles};
  const enum tny_status status = check(hosts);
  if (status != TNY_OK)
    return status;
  if (!take_memory(hosts))
    return tny_error_memory(hosts->error);
  set_ops(hosts);
  list_waiters(hosts);
  list_followers(hosts);
  if (hosts->model->with_barrier && !list_phases(hosts))
    return tny_error_memory(hosts->error);
  return tny_hosts_start(hosts);
}

void tny_hosts_release(struct tny_hosts *hosts)
{
  tny_events_release(&hosts->events);
  tny_free(hosts->ops);
  tny_free(hosts->times);
  tny_free(hosts->rank_of);
  tny_free(hosts->waiter_first);
  tny_free(hosts->waiters);
  tny_free(hosts->free_at);
  tny_free(hosts->phase_first);
  tny_free(hosts->phase_ops);
  tny_free(hosts->phase_left);
}
