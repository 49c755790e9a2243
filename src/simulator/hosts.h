/* The hosts: which ops of the program may start, what their processors do when, and which packets
   are handed to the fabric. Times are in cycles; a host's own may lie between two of the fabric's.

   Time c is when c cycles are done. What a host does at time t, c - 1 < t <= c, meets the network
   from time c on: what it hands in then takes part in cycle c + 1. */
#ifndef TOURNEY_SIMULATOR_HOSTS_H
#define TOURNEY_SIMULATOR_HOSTS_H

#include "simulator/events.h"
#include "simulator/fabric.h"

/* The state of an op. */
struct tny_op_state {
  uint32_t waits;     /* for so many things, until it may start */
  uint32_t packets;   /* send: that haven't left the host; receive: that aren't taken */
  uint32_t handed;    /* send: packets handed in; receive: that have come */
  uint32_t next_same; /* the next op that is behind the same one, or TNY_NONE */
  uint32_t followers; /* the first op that is behind this one, or TNY_NONE */
  bool has_started, is_complete;
};

/* Times of the host model, in cycles. */
struct tny_host_costs {
  double send, send_packet, send_byte, recv, recv_packet, recv_byte, combine_byte, barrier, work;
};

struct tny_hosts {
  const struct tny_host_model *model;
  const struct tny_program *program;
  struct tny_fabric *fabric;
  struct tny_host_costs costs;
  struct tny_events events;
  struct tny_op_state *ops;
  struct tny_op_times *times; /* by op; handed over with the simulation */
  uint32_t *rank_of;          /* by op */
  uint32_t *waiter_first;     /* by op, op_count + 1: in `waiters`, the ops that wait for it */
  uint32_t *waiters;
  double *free_at; /* by processor, processor_count of each rank: when it has nothing more to do */
  uint32_t processor_count;
  uint32_t op_count, complete_count;
  /* with_barrier: ops by phase, and how many of each phase aren't complete. */
  uint32_t phase_count, phase; /* of the program; the one that is open */
  uint32_t *phase_first, *phase_ops, *phase_left;
  uint64_t messages, packets, flits; /* that were handed in */
  enum tny_status status;            /* the first failure stays */
  struct tny_error *error;
};

/* `hosts` is all zero but for model, program, fabric and error. Owns: tny_hosts_release, also after
   a failure. */
enum tny_status tny_hosts_init(struct tny_hosts *hosts, double cycle_ns) TNY_MUST_CHECK;
void tny_hosts_release(struct tny_hosts *hosts);
/* What waits for nothing starts; where there are barriers, the first phase is open. */
enum tny_status tny_hosts_start(struct tny_hosts *hosts) TNY_MUST_CHECK;
/* Tells the fabric of all packets that have a phase (synchronizing switches). */
enum tny_status tny_hosts_announce(struct tny_hosts *hosts) TNY_MUST_CHECK;
/* The time of the next thing to do; UINT64_MAX: there is nothing. */
uint64_t tny_hosts_next(const struct tny_hosts *hosts);
/* Does all that is to be done up to time `cycle`. */
enum tny_status tny_hosts_work(struct tny_hosts *hosts, uint64_t cycle) TNY_MUST_CHECK;
/* Takes note of an event that the fabric reported for that time. */
enum tny_status tny_hosts_notice(struct tny_hosts *hosts, const struct tny_fabric_event *event,
                                 uint64_t cycle) TNY_MUST_CHECK;
/* Nothing is under way, and ops are left: TNY_BROKEN with the cycle of ops that wait for each other
   (stuck.c). */
enum tny_status tny_hosts_refuse_deadlock(const struct tny_hosts *hosts, char **deadlock,
                                          struct tny_error *error) TNY_MUST_CHECK;

/* The packets of a send's or a receive's message. */
uint32_t tny_hosts_packets(const struct tny_hosts *hosts, uint32_t op);
/* The k-th packet of a send, as it is handed in. */
struct tny_packet tny_hosts_packet(const struct tny_hosts *hosts, uint32_t op, uint32_t k);
/* Both ranks of a message are on one host: it uses no network. */
bool tny_hosts_are_same(const struct tny_hosts *hosts, uint32_t op);

#endif
