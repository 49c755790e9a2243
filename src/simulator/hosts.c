/* An op starts when all it waits for is complete, what it is behind has begun, or has combined, its
   phase is open (with_barrier) and, where it takes a processor's time, the processor is free. */
#include "simulator/hosts.h"

#include <math.h>

#include "core/alloc.h"
#include "core/error.h"

enum what {
  BEGIN,     /* the op starts */
  HAND_IN,   /* its next packet is handed in */
  COME,      /* what went apart from the data is there, for this receive */
  TAKE,      /* one of its packets is taken by the software */
  END,       /* it's complete */
  OPEN_PHASE /* the barrier is over; `op` is the phase */
};
enum { SENDER, RECEIVER, OTHERS }; /* a rank's processors */

/* Rounds up. Sums of fractions of cycles may have a rounding error. */
static uint64_t cycle_of(double at)
{
  return (uint64_t)ceil(at - 1e-6);
}

static void add(struct tny_hosts *hosts, double at, uint32_t op, enum what what)
{
  if (hosts->status == TNY_OK)
    hosts->status = tny_events_add(&hosts->events, at, op, what, hosts->error);
}

/* Work begins as soon as the processor is free, in the order in which it's asked for; what takes no
   time needs no processor. Returns when it begins. */
static double reserve(struct tny_hosts *hosts, uint32_t rank, uint32_t processor, double now,
                      double cycles)
{
  if (cycles <= 0)
    return now;
  double *free_at = &hosts->free_at[(size_t)rank * hosts->processor_count + processor];
  const double begin = *free_at > now ? *free_at : now;
  *free_at = begin + cycles;
  return begin;
}

static uint32_t receiver_of(const struct tny_hosts *hosts)
{
  return hosts->model->has_two_processors ? RECEIVER : SENDER;
}

bool tny_hosts_are_same(const struct tny_hosts *hosts, uint32_t op)
{
  const uint32_t *host_of = hosts->model->host_of_rank;
  const uint32_t partner = hosts->program->ops[op].partner;
  return host_of[hosts->rank_of[op]] == host_of[hosts->rank_of[partner]];
}

static bool goes_apart(const struct tny_hosts *hosts, uint32_t op)
{
  return hosts->model->tokens_apart && hosts->program->ops[op].bytes == 0;
}

static uint64_t payload_flits(const struct tny_hosts *hosts, uint32_t op)
{
  const uint64_t bytes = hosts->program->ops[op].bytes, flit = hosts->model->flit_bytes;
  return bytes == 0 ? 1 : bytes / flit + (bytes % flit != 0);
}

uint32_t tny_hosts_packets(const struct tny_hosts *hosts, uint32_t op)
{
  const uint64_t flits = payload_flits(hosts, op), most = hosts->model->packet_flits;
  return most == 0 ? 1 : (uint32_t)((flits + most - 1) / most);
}

struct tny_packet tny_hosts_packet(const struct tny_hosts *hosts, uint32_t op, uint32_t k)
{
  const uint64_t most = hosts->model->packet_flits;
  const uint64_t left = payload_flits(hosts, op) - k * most;
  const uint32_t partner = hosts->program->ops[op].partner;
  return (struct tny_packet){.from = hosts->model->host_of_rank[hosts->rank_of[op]],
                             .to = hosts->model->host_of_rank[hosts->rank_of[partner]],
                             .flits = (uint32_t)(most != 0 && left > most ? most : left) +
                                      hosts->model->header_flits,
                             .phase = hosts->program->ops[op].phase,
                             .tag = op};
}

/* The bytes of the k-th packet of a message. */
static uint64_t packet_bytes(const struct tny_hosts *hosts, uint32_t op, uint32_t k)
{
  const uint64_t bytes = hosts->program->ops[op].bytes;
  const uint64_t most = (uint64_t)hosts->model->packet_flits * hosts->model->flit_bytes;
  if (most == 0)
    return bytes;
  const uint64_t left = bytes - (k * most < bytes ? k * most : bytes);
  return left < most ? left : most;
}

/* The sender's work for the k-th packet. */
static double send_cycles(const struct tny_hosts *hosts, uint32_t op, uint32_t k)
{
  return (k == 0 ? hosts->costs.send : 0) + hosts->costs.send_packet +
         hosts->costs.send_byte * (double)packet_bytes(hosts, op, k);
}

/* What an op takes that uses no network. */
static double work_cycles(const struct tny_hosts *hosts, uint32_t op)
{
  const struct tny_op *at = &hosts->program->ops[op];
  const bool combines = at->kind == TNY_OP_COMBINE;
  return (combines ? hosts->costs.combine_byte : hosts->costs.work) * (double)at->bytes;
}

/* The op waits for nothing any more but its processor. */
static void make_ready(struct tny_hosts *hosts, uint32_t op, double now)
{
  const struct tny_op *at = &hosts->program->ops[op];
  const uint32_t rank = hosts->rank_of[op];
  double begin = now;
  if (at->kind == TNY_OP_SEND)
    begin = reserve(hosts, rank, SENDER, now, send_cycles(hosts, op, 0));
  else if (tny_op_is_work(at))
    begin = reserve(hosts, rank, at->partner == TNY_NONE ? SENDER : OTHERS + at->partner - 1, now,
                    work_cycles(hosts, op));
  add(hosts, begin, op, BEGIN);
}

static void release_one(struct tny_hosts *hosts, uint32_t op, double now)
{
  if (--hosts->ops[op].waits == 0)
    make_ready(hosts, op, now);
}

/* A receive is posted, and all its packets are taken: the software completes it. */
static void receive_whole(struct tny_hosts *hosts, uint32_t op, double now)
{
  const double cycles = hosts->costs.recv;
  add(hosts, reserve(hosts, hosts->rank_of[op], receiver_of(hosts), now, cycles) + cycles, op, END);
}

static void release_followers(struct tny_hosts *hosts, uint32_t op, double now)
{
  for (uint32_t next = hosts->ops[op].followers; next != TNY_NONE;
       next = hosts->ops[next].next_same)
    release_one(hosts, next, now);
}

static void begin(struct tny_hosts *hosts, uint32_t op, double now)
{
  struct tny_op_state *state = &hosts->ops[op];
  const struct tny_op *at = &hosts->program->ops[op];
  state->has_started = true;
  hosts->times[op].start = cycle_of(now);
  if (at->kind != TNY_OP_COMBINE)
    release_followers(hosts, op, now);
  if (tny_op_is_work(at))
    add(hosts, now + work_cycles(hosts, op), op, END);
  else if (at->kind == TNY_OP_SEND)
    add(hosts, now + send_cycles(hosts, op, 0), op, HAND_IN);
  else if (state->packets == 0)
    receive_whole(hosts, op, now);
}

/* A packet for this receive has come. */
static void arrive(struct tny_hosts *hosts, uint32_t op, double now)
{
  struct tny_op_state *state = &hosts->ops[op];
  const double cycles = hosts->costs.recv_packet +
                        hosts->costs.recv_byte * (double)packet_bytes(hosts, op, state->handed);
  state->handed++;
  hosts->times[op].sent = cycle_of(now);
  add(hosts, reserve(hosts, hosts->rank_of[op], receiver_of(hosts), now, cycles) + cycles, op,
      TAKE);
}

static void take(struct tny_hosts *hosts, uint32_t op, double now)
{
  if (--hosts->ops[op].packets == 0 && hosts->ops[op].has_started)
    receive_whole(hosts, op, now);
}

/* The tail of one of its packets has left the host. */
static void leave(struct tny_hosts *hosts, uint32_t op, double now)
{
  if (--hosts->ops[op].packets > 0)
    return;
  hosts->times[op].sent = cycle_of(now);
  add(hosts, now, op, END);
}

static void hand_in_packet(struct tny_hosts *hosts, uint32_t op, uint32_t k, double now)
{
  if (tny_hosts_are_same(hosts, op)) {
    leave(hosts, op, now);
    arrive(hosts, hosts->program->ops[op].partner, now);
  } else if (goes_apart(hosts, op)) {
    const struct tny_packet packet = tny_hosts_packet(hosts, op, k);
    const uint64_t cycles = tny_fabric_empty_cycles(hosts->fabric, &packet);
    leave(hosts, op, now);
    add(hosts, now + (double)cycles, hosts->program->ops[op].partner, COME);
  } else if (hosts->status == TNY_OK) {
    const struct tny_packet packet = tny_hosts_packet(hosts, op, k);
    hosts->messages += k == 0;
    hosts->packets++;
    hosts->flits += packet.flits;
    hosts->status = tny_fabric_send(hosts->fabric, &packet, hosts->error);
  }
}

/* Packets on which the processor spends no time are handed in together: what is sent next stands
   behind all of them. */
static void hand_in(struct tny_hosts *hosts, uint32_t op, double now)
{
  const uint32_t packets = tny_hosts_packets(hosts, op);
  double cycles = 0;
  while (cycles <= 0 && hosts->ops[op].handed < packets) {
    const uint32_t k = hosts->ops[op].handed++;
    hand_in_packet(hosts, op, k, now);
    cycles = k + 1 < packets ? send_cycles(hosts, op, k + 1) : 0;
  }
  if (hosts->ops[op].handed < packets)
    add(hosts, reserve(hosts, hosts->rank_of[op], SENDER, now, cycles) + cycles, op, HAND_IN);
}

/* The open phase is complete: opens the next phase that has ops, after the barrier's time. */
static void end_phase(struct tny_hosts *hosts, double now)
{
  while (hosts->phase < hosts->phase_count && hosts->phase_left[hosts->phase] == 0)
    hosts->phase++;
  if (hosts->phase < hosts->phase_count)
    add(hosts, now + hosts->costs.barrier, hosts->phase, OPEN_PHASE);
}

static void open_phase(struct tny_hosts *hosts, uint32_t phase, double now)
{
  for (uint32_t i = hosts->phase_first[phase]; i < hosts->phase_first[phase + 1]; i++)
    release_one(hosts, hosts->phase_ops[i], now);
}

static void end(struct tny_hosts *hosts, uint32_t op, double now)
{
  const uint32_t phase = hosts->program->ops[op].phase;
  hosts->ops[op].is_complete = true;
  hosts->complete_count++;
  hosts->times[op].end = cycle_of(now);
  if (hosts->program->ops[op].kind == TNY_OP_COMBINE)
    release_followers(hosts, op, now);
  for (uint32_t i = hosts->waiter_first[op]; i < hosts->waiter_first[op + 1]; i++)
    release_one(hosts, hosts->waiters[i], now);
  if (hosts->model->with_barrier && phase != TNY_NONE && --hosts->phase_left[phase] == 0 &&
      phase == hosts->phase)
    end_phase(hosts, now);
}

enum tny_status tny_hosts_start(struct tny_hosts *hosts)
{
  for (uint32_t op = 0; hosts->status == TNY_OK && op < hosts->op_count; op++)
    if (hosts->ops[op].waits == 0)
      make_ready(hosts, op, 0);
  if (!hosts->model->with_barrier || hosts->phase_count == 0)
    return hosts->status;
  while (hosts->phase_left[hosts->phase] == 0)
    hosts->phase++;
  open_phase(hosts, hosts->phase, 0);
  return hosts->status;
}

uint64_t tny_hosts_next(const struct tny_hosts *hosts)
{
  const struct tny_host_event *first = tny_events_first(&hosts->events);
  return first ? cycle_of(first->at) : UINT64_MAX;
}

enum tny_status tny_hosts_work(struct tny_hosts *hosts, uint64_t cycle)
{
  while (hosts->status == TNY_OK && tny_hosts_next(hosts) <= cycle) {
    const struct tny_host_event event = tny_events_take(&hosts->events);
    switch ((enum what)event.what) {
    case BEGIN:
      begin(hosts, event.op, event.at);
      break;
    case HAND_IN:
      hand_in(hosts, event.op, event.at);
      break;
    case COME:
      arrive(hosts, event.op, event.at);
      break;
    case TAKE:
      take(hosts, event.op, event.at);
      break;
    case END:
      end(hosts, event.op, event.at);
      break;
    case OPEN_PHASE:
      open_phase(hosts, event.op, event.at);
      break;
    }
  }
  return hosts->status;
}

enum tny_status tny_hosts_notice(struct tny_hosts *hosts, const struct tny_fabric_event *event,
                                 uint64_t cycle)
{
  if (event->has_arrived)
    arrive(hosts, hosts->program->ops[event->tag].partner, (double)cycle);
  else
    leave(hosts, event->tag, (double)cycle);
  return hosts->status;
}

enum tny_status tny_hosts_announce(struct tny_hosts *hosts)
{
  enum tny_status status = TNY_OK;
  for (uint32_t op = 0; status == TNY_OK && op < hosts->op_count; op++) {
    const struct tny_op *at = &hosts->program->ops[op];
    if (at->kind != TNY_OP_SEND || at->phase == TNY_NONE || tny_hosts_are_same(hosts, op) ||
        goes_apart(hosts, op))
      continue;
    for (uint32_t k = 0; status == TNY_OK && k < tny_hosts_packets(hosts, op); k++) {
      const struct tny_packet packet = tny_hosts_packet(hosts, op, k);
      status = tny_fabric_expect(hosts->fabric, &packet, hosts->error);
    }
  }
  return status;
}
