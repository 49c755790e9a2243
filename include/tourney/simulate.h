/* The simulator: what runs on the hosts (a program: sends, receives and work, and what each waits
   for), and the network under it, flit by flit. Deterministic: the same model, program and seed
   give the same cycles. Times are in cycles: the time that a flit takes on the fastest link. */
#ifndef TOURNEY_SIMULATE_H
#define TOURNEY_SIMULATE_H

#include <tourney/routing.h>
#include <tourney/schedule.h>

/* --- the network --- */

enum tny_switching {
  TNY_SWITCH_WORMHOLE,    /* flits follow their head, spread over as many switches as it takes */
  TNY_SWITCH_CUT_THROUGH, /* a head leaves only where the next buffer takes the whole packet */
  TNY_SWITCH_STORE_AND_FORWARD, /* and only when its whole packet has arrived */
};
enum tny_buffering {
  TNY_BUFFER_FIFO,     /* a queue for each input and lane: its head blocks what is behind it */
  TNY_BUFFER_CHANNELS, /* `channels` of them for each input and lane; packets choose one */
  /* One store a switch, in which each output has its queue: no head blocks. It takes whole packets
     only: wormhole and cut-through are the same. */
  TNY_BUFFER_SHARED,
};
enum tny_allocator { TNY_ALLOCATE_ROUND_ROBIN, TNY_ALLOCATE_ISLIP };

/* A link takes a flit each cycle, a slower one each `highest bandwidth / its own` cycles, to the
   next whole number. A packet gets a lane (and channel) of its next link, first come, first served,
   by lot among those of a cycle, and keeps it until its tail has left; the allocator then says
   which inputs and outputs of a switch meet in a cycle, one flit each. Lanes of hosts' links mean
   nothing: there is one, or with channels as many as trunks have, of which packets choose any. */
struct tny_network_model {
  const struct tny_routes *routes; /* borrowed */
  bool is_adaptive; /* any free one of tny_routes_options, at random; else tny_routes_choice */
  enum tny_switching switching;
  enum tny_buffering buffering;
  enum tny_allocator allocator;
  uint32_t channels;      /* of each lane (TNY_BUFFER_CHANNELS) */
  uint32_t depth;         /* flits of a queue; of a shared store, for each of its switch's ports */
  uint32_t switch_cycles; /* from when a head is the first of its queue until it may leave */
  bool routes_ahead;      /* they count from its arrival, whatever is before it */
  uint32_t link_cycles;   /* that a flit is on a trunk, at least 1 */
  uint32_t inject_cycles; /* the same of a host's link to its switch (or to the other host), */
  uint32_t eject_cycles;  /* and of a switch's to its host */
  uint32_t credit_cycles; /* until a link's sender knows that a flit left the queue; min. 1 */
  uint32_t inject_credit_cycles; /* the same of a host's link to its switch; 0: as credit_cycles */
  uint32_t release_cycles; /* from when a tail has left until its channel can be given again */
  uint32_t ports;  /* flits that a host injects each cycle, and takes, of as many messages */
  double cycle_ns; /* the links' own latencies are in ns; 0: leaves them out */
  uint64_t seed;
  /* The synchronizing switch (Hinrichs and others 1994, 2.2): a switch lets pass what is of its
     phase, and goes on to the next when the tails of all messages that cross it in this phase have
     passed. Messages without a phase pass freely. */
  bool is_synchronizing;
  uint32_t phase_cycles; /* of a synchronizing switch: from a phase's last tail until the next */
  bool ignores_lanes;    /* all lanes of a link are one: shows what they are good for */
};

/* --- what runs --- */

enum tny_op_kind { TNY_OP_SEND, TNY_OP_RECV, TNY_OP_WORK, TNY_OP_COMBINE };
struct tny_op {
  enum tny_op_kind kind;
  uint32_t partner; /* send: the op that receives it; receive: the op that sends it; else TNY_NONE,
                       or, of work, 1, 2, ...: a processor of the rank that only works */
  uint64_t bytes;   /* work: ns, 0: takes no processor; a message of no bytes is a flit */
  uint32_t phase;   /* TNY_NONE: none */
  uint32_t behind;  /* starts no sooner than that op of its rank has, or has combined; TNY_NONE */
  uint32_t after_first, after_count; /* in `after`: ops of its rank that are complete before */
};
/* Does it use no network? */
static inline bool tny_op_is_work(const struct tny_op *op)
{
  return op->kind == TNY_OP_WORK || op->kind == TNY_OP_COMBINE;
}
/* Ops are numbered through all ranks: those of rank r from first[r] to before first[r + 1]. */
struct tny_program {
  uint32_t rank_count;
  uint32_t *first; /* rank_count + 1 */
  struct tny_op *ops;
  uint32_t *after;
};
/* A schedule's steps for blocks of so many bytes: tokens are messages of none, copies cost nothing,
   reduces combine. `block_bytes_of` (NULL: all alike) has the bytes of each block: of an all-to-all
   at sender * rank_count + receiver, of an all-gather at the sender, of a reduce-scatter at the
   receiver. In the last two all ranks know all sizes, and blocks shorter than `block_bytes` are cut
   in fewer pieces, as the runtime does; the other pieces' messages are left out. Owns:
   tny_program_free. Errors: TNY_BROKEN where messages don't meet. */
enum tny_status tny_program_make(const struct tny_schedule *schedule, uint64_t block_bytes,
                                 const uint64_t *block_bytes_of, struct tny_program **program,
                                 struct tny_error *error) TNY_MUST_CHECK;
void tny_program_free(struct tny_program *program);

/* The hosts' software. A rank has one processor, which does one of these things at a time, in the
   order in which they can be begun; what takes no time needs none. A send starts when its processor
   begins with it, and is complete when its tail has left the host: a message that comes before its
   receive is posted waits in its host's memory. Between ranks of one host it takes the software's
   time only. Where the network's cycle_ns is 0, a ns is a cycle. */
struct tny_host_model {
  const uint32_t *host_of_rank;                 /* borrowed */
  double send_ns, send_packet_ns, send_byte_ns; /* before a message, packet, byte is injected */
  /* After a packet's tail has come; recv_ns when all have and the message's receive is posted. */
  double recv_ns, recv_packet_ns, recv_byte_ns;
  double combine_byte_ns;  /* of each byte that an operation combines with another */
  double barrier_ns;       /* with_barrier: from the last rank's coming until all go on */
  bool with_barrier;       /* all ranks end a phase before one begins the next */
  bool has_two_processors; /* one sends, one receives */
  /* Messages of no bytes go on lanes of their own, which nothing ever fills: they are there after
     what they take on an empty network, and aren't counted. Else they stand behind data, at their
     host and wherever that waits. */
  bool tokens_apart;
  uint32_t flit_bytes;   /* at least 1 */
  uint32_t packet_flits; /* messages are cut in packets of at most so many, without their headers;
                            0: aren't cut */
  uint32_t header_flits; /* that each packet has beside its bytes */
};

/* --- what comes out --- */

struct tny_op_times {
  /* sent: the tail of a send has left its host, that of a receive has come. */
  uint64_t start, sent, end;
};
struct tny_simulation {
  uint64_t cycles;
  uint64_t messages, packets, flits; /* that used the network */
  uint64_t flit_hops;                /* over all links, hosts' own among them */
  uint64_t *link_flits;              /* by link */
  uint32_t phase_count;              /* of the program; 0: it has none */
  uint64_t *phase_begin, *phase_end; /* by phase: first send, last end */
  struct tny_op_times *ops;          /* by op */
  /* A histogram over time, link by link: the flits of each of bin_count bins of bin_cycles. */
  uint32_t bin_count;
  uint64_t bin_cycles;
  uint32_t *bin_flits;
};
/* Called now and then, with the cycle and the share of ops that are complete; false ends the run.
 */
struct tny_simulate_watch {
  bool (*tick)(void *context, uint64_t cycle, double share);
  void *context;
};
/* Runs a program to its end. Owns: *simulation by tny_simulation_free. Errors: TNY_BROKEN for a
   deadlock, with the cycle of channels (or of ops) that wait for each other in error->text, and
   whole in *deadlock (may be NULL; by tny_text_free); TNY_REFUSED for models that can't be;
   TNY_INTERRUPTED where the watch ended it. Conservation of flits and messages is asserted. */
enum tny_status tny_simulate(const struct tny_network_model *network,
                             const struct tny_host_model *hosts, const struct tny_program *program,
                             const struct tny_simulate_watch *watch,
                             struct tny_simulation **simulation, char **deadlock,
                             struct tny_error *error) TNY_MUST_CHECK;
void tny_simulation_free(struct tny_simulation *simulation);

/* For which of the hosts 0 to N - 1 a packet is (Dally and Towles, Principles and Practices of
   Interconnection Networks, 3.2). */
enum tny_traffic {
  TNY_TRAFFIC_UNIFORM,    /* one drawn from all, the sender among them */
  TNY_TRAFFIC_TRANSPOSE,  /* (x, y) for (y, x); on square grids of two dimensions */
  TNY_TRAFFIC_TORNADO,    /* just under half-way up each side of a grid: ceil(k / 2) - 1 of its k */
  TNY_TRAFFIC_COMPLEMENT, /* h for N - 1 - h: the complement of h's bits, where N is a power of 2 */
  TNY_TRAFFIC_HOTSPOT,    /* all for host N / 2 */
};
/* Random traffic: each host begins a packet with the probability load / packet_flits a cycle
   (Bernoulli). With batch_packets, each host has so many from the start instead, and the run is
   over when all have come. */
struct tny_load {
  enum tny_traffic traffic;
  double load; /* flits a host and cycle; above 1: hosts always have one waiting */
  uint32_t packet_flits;
  uint64_t warm_up_cycles, measured_cycles;
  uint32_t batch_packets; /* of each host; 0: a load */
};
struct tny_load_report {
  /* Mean cycles from a packet's making until its tail is taken, of those made in the measured
     cycles; infinite where hosts always have one waiting, or where not all have come after ten
     times as many cycles. */
  double latency;
  double accepted; /* flits a host and cycle that were taken; of a batch: on average to its end */
  uint64_t packets, flit_hops;
  uint64_t batch_cycles; /* until the last packet's tail was taken */
};
/* The flits over the fullest link when each host sends one: what a batch takes at least, in cycles
   for each flit of a host, and the inverse of the most that all hosts can send a cycle. TNY_REFUSED
   where the network has no such traffic. */
enum tny_status tny_traffic_link_load(const struct tny_routes *routes, enum tny_traffic traffic,
                                      double *load, struct tny_error *error) TNY_MUST_CHECK;
enum tny_status tny_simulate_load(const struct tny_network_model *network,
                                  const struct tny_load *load, struct tny_load_report *report,
                                  char **deadlock, struct tny_error *error) TNY_MUST_CHECK;

#endif
