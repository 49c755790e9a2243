/* What the fabric is made of. Private to fabric.c and the files beside it that do parts of cycles.

   A wire is one direction of a link; a host's link is as many wires as the host has ports. A wire
   carries one flit at a time for some channels (lanes, and the channels of each). A channel has one
   owner at a time: the queue whose first packet goes out by it, from its head to its tail. Queue c
   is the buffer at the far end of channel c; behind these come the sources, one for each wire out
   of a host; behind these, with shared stores, a queue for each packet that is in a switch.

   Cycle t does: what is due (flits arrive, credits, heads that have been routed); then each output
   with something ready passes a flit (crossbar.c) and heads get channels (lanes.c), in this order,
   so that a head leaves a cycle after it got its channel; where switch_cycles is 0, the other way
   round. Nothing is looked at that doesn't move or wait: a cycle costs what is active. */
#ifndef TOURNEY_SIMULATOR_INSIDE_H
#define TOURNEY_SIMULATOR_INSIDE_H

#include "simulator/packet.h"
#include "simulator/wheel.h"

/* Channels of a wire have a bit each in a word. */
#define TNY_WIRE_CHANNELS_MAX 64

/* The lists of the wheel. */
enum {
  TNY_DUE_FLITS,   /* a channel; the packet, and which of its flits it is */
  TNY_DUE_CREDITS, /* a channel */
  TNY_DUE_REST,    /* one of these, and its number */
};
enum tny_event_kind {
  TNY_EVENT_ROOM,    /* for a flit in the store of this switch */
  TNY_EVENT_HEAD,    /* the first packet of this queue asks for a channel */
  TNY_EVENT_CHANNEL, /* can be given again */
  TNY_EVENT_WIRE,    /* is free again */
  TNY_EVENT_PHASE,   /* this switch goes on */
};
/* Which flit of its packet it is: bits below the packet's number in an event. */
#define TNY_FLIT_HEAD 1u
#define TNY_FLIT_TAIL 2u
#define TNY_FLIT_BITS 2

/* A wire. The fields that are needed for each flit come first, here and in queues. */
struct tny_wire {
  uint64_t ready;   /* by channel: its owner has a flit, and there is room for it */
  uint64_t unowned; /* by channel */
  uint32_t first_channel;
  uint32_t from, to; /* nodes */
  uint32_t link;
  uint32_t delay, interval; /* cycles; from flit to flit */
  uint8_t last;             /* channel, from 0, that sent last, */
  uint8_t last_given;       /* that was given last */
  uint8_t channel_count;
  bool is_busy, from_host, to_host;
  uint32_t accepted, offered; /* iSLIP, as an input: its last output; the best in this cycle */
  uint32_t granted;           /* iSLIP, as an output: its last input */
};

struct tny_channel {
  uint32_t wire, owner; /* owner: a queue; TNY_NONE */
  uint32_t in;          /* the wire of its owner */
  uint32_t credits;     /* flits that there is room for */
  uint32_t needs;       /* credits, for the next flit to leave */
};

struct tny_queue {
  uint32_t flits;   /* in it */
  uint32_t left;    /* flits of the first packet that haven't left it */
  uint32_t parcel;  /* of the first packet */
  uint32_t size;    /* its flits */
  uint32_t out;     /* channel that the first packet has; TNY_NONE */
  uint32_t channel; /* by which its packets come; TNY_NONE: a source */
  uint32_t node;
  bool is_host;          /* at the end of a wire to a host: takes all at once */
  uint32_t first, last;  /* pieces: its packets */
  uint32_t whole;        /* packets that are wholly in it */
  uint32_t wire;         /* that leads into it; TNY_NONE where any number may leave in a cycle */
  uint32_t option_count; /* while it waits for one of its options */
  uint32_t next;         /* in a list of queues */
};

struct tny_piece {
  uint32_t packet, next;
  uint64_t arrived; /* the cycle in which its head came into the queue */
};

struct tny_parcel {
  struct tny_packet packet;
  uint32_t taken; /* flits that its host took */
  uint32_t next;  /* waiting at its host */
};

/* A linked list; its members know the next one. */
struct tny_line {
  uint32_t first, last;
};

/* A head that waits in the line of one of its groups: who stands before and behind it. */
struct tny_waiter {
  uint32_t before, after; /* by queue * width + option */
};

/* A set of bits in two levels: words, and a bit for each word that isn't 0. */
struct tny_bits {
  uint64_t *words, *filled;
  uint32_t word_count;
};

struct tny_fabric {
  struct tny_network_model model; /* channels: of each lane, 1 without */
  const struct tny_cluster *cluster;
  uint64_t cycle, random;
  uint32_t lane_count;
  bool is_whole; /* a head waits for room for its whole packet */

  uint32_t wire_count, channel_count, source_count, switch_count;
  struct tny_wire *wires; /* by the node they come from */
  uint32_t *first_wire;   /* by node, and one more */
  uint32_t *wire_of_link; /* the first */
  uint64_t *passed_in; /* by wire: the cycle in which its far end passed or was offered a flit on */
  struct tny_channel *channels;
  struct tny_bits outputs; /* by wire: has something ready and isn't busy */
  uint32_t *batch;         /* the outputs of one switch in this cycle */

  struct tny_queue *queues;
  uint32_t queue_count, queue_room; /* so far; there is room for */
  uint32_t free_queue;              /* of shared stores */
  uint32_t *arriving;               /* shared stores: by channel: the queue of what comes */
  struct tny_piece *pieces;
  uint32_t piece_room, free_piece;
  struct tny_parcel *parcels;
  uint32_t parcel_room, free_parcel;
  struct tny_line *waiting; /* by host: parcels that no port has begun */

  /* Groups: a lane of a wire. Heads that wait for a group's channels stand in its line. */
  uint32_t width; /* options of a queue, at most */
  uint32_t *options;
  struct tny_lane *lanes; /* width */
  struct tny_waiter *waiters;
  struct tny_line *groups;
  uint32_t *served; /* by group: the wire of the queue that got a channel of it last */
  uint32_t *asking, asking_count; /* queues whose first packet asks in this cycle */
  uint32_t *freed, freed_count;   /* groups with a channel again, and a line */

  /* Shared stores, by switch. */
  uint32_t *room;         /* flits */
  uint32_t store_flits;   /* of the smallest */
  struct tny_line *wants; /* channels whose packet waits for room */
  uint32_t *next_want;    /* by channel */

  /* The synchronizing switch. */
  uint32_t phase_count, phase_room;
  uint32_t *remaining;     /* by phase * switches + switch: tails to come */
  uint32_t *phase;         /* by switch; TNY_NONE: none left */
  struct tny_line *parked; /* by switch: queues whose first packet is of a later phase */

  struct tny_wheel wheel;
  uint64_t *link_flits;
  uint32_t under_way; /* packets */
  uint64_t flits_in, flits_out;
  struct tny_fabric_event *events;
  uint32_t event_count;
  bool failed; /* no memory */
  bool lost;   /* a flit was lost: a mistake of the simulator itself */
};

/* Of the bits of `mask`, those behind bit `last`: whose turn it is next. */
static inline uint64_t tny_bits_behind(uint64_t mask, uint32_t last)
{
  return mask & ~(uint64_t)0 << last & ~((uint64_t)1 << last);
}

/* How many turns behind wire `last` this one is, where all take turns: from 1 on. */
static inline uint32_t tny_turns_until(const struct tny_fabric *fabric, uint32_t last,
                                       uint32_t wire)
{
  return wire > last ? wire - last : wire + fabric->wire_count - last;
}

static inline void tny_bits_set(struct tny_bits *bits, uint32_t at)
{
  bits->words[at / 64] |= (uint64_t)1 << at % 64;
  bits->filled[at / 4096] |= (uint64_t)1 << at / 64 % 64;
}

static inline void tny_bits_clear(struct tny_bits *bits, uint32_t at)
{
  bits->words[at / 64] &= ~((uint64_t)1 << at % 64);
  if (!bits->words[at / 64])
    bits->filled[at / 4096] &= ~((uint64_t)1 << at / 64 % 64);
}

static inline bool tny_bits_are_none(const struct tny_bits *bits)
{
  uint64_t any = 0;
  for (uint32_t i = 0; i * 64 < bits->word_count; i++)
    any |= bits->filled[i];
  return any == 0;
}

static inline void tny_fabric_after(struct tny_fabric *fabric, uint64_t delay,
                                    enum tny_event_kind kind, uint32_t index)
{
  tny_wheel_add(&fabric->wheel, fabric->cycle + delay, TNY_DUE_REST, kind, index);
}

static inline uint32_t tny_fabric_switch(const struct tny_fabric *fabric, uint32_t node)
{
  return node - fabric->cluster->host_count;
}

/* The parcel whose flits leave the queue. */
static inline struct tny_parcel *tny_queue_parcel(const struct tny_fabric *fabric,
                                                  const struct tny_queue *queue)
{
  return &fabric->parcels[queue->parcel];
}

/* Notes anew whether a channel can send: to be called after its owner, flits or credits changed. */
static inline void tny_channel_refresh(struct tny_fabric *fabric, uint32_t channel)
{
  const struct tny_channel *self = &fabric->channels[channel];
  struct tny_wire *wire = &fabric->wires[self->wire];
  const uint64_t bit = (uint64_t)1 << (channel - wire->first_channel), before = wire->ready;
  const bool can = self->owner != TNY_NONE && fabric->queues[self->owner].flits > 0 &&
                   self->credits >= self->needs;
  wire->ready = can ? before | bit : before & ~bit;
  if (wire->is_busy || !before == !wire->ready)
    return;
  if (can)
    tny_bits_set(&fabric->outputs, self->wire);
  else
    tny_bits_clear(&fabric->outputs, self->wire);
}

/* The first packet of a queue asks for a channel, `delay` cycles from now. */
static inline void tny_queue_ask(struct tny_fabric *fabric, uint32_t queue, uint64_t delay)
{
  if (delay == 0)
    fabric->asking[fabric->asking_count++] = queue;
  else
    tny_fabric_after(fabric, delay, TNY_EVENT_HEAD, queue);
}

/* Reports to the caller of tny_fabric_run: a packet has left its host, or has arrived. */
static inline void tny_fabric_report(struct tny_fabric *fabric, uint32_t tag, bool has_arrived)
{
  fabric->events[fabric->event_count++] = (struct tny_fabric_event){tag, has_arrived};
}

/* layout.c: all that depends on the model alone. */
enum tny_status tny_fabric_lay_out(struct tny_fabric *fabric,
                                   struct tny_error *error) TNY_MUST_CHECK;

/* crossbar.c: each output with something ready passes a flit, if it gets it. */
void tny_fabric_cross(struct tny_fabric *fabric);

/* lanes.c */
/* Gives channels to those who wait and to those who ask. */
void tny_fabric_give(struct tny_fabric *fabric);
/* A source's first packet gets a channel of its wire. */
void tny_source_give(struct tny_fabric *fabric, uint32_t queue);
/* A channel has no owner any more. It opens now, or release_cycles later. */
void tny_channel_release(struct tny_fabric *fabric, uint32_t channel);
/* A channel can be given again. */
void tny_channel_open(struct tny_fabric *fabric, uint32_t channel);

/* buffers.c */
/* A flit comes out of a channel; `value` as in its event. */
void tny_fabric_arrive(struct tny_fabric *fabric, uint32_t channel, uint32_t value);
/* The next flit of a channel's owner leaves by it. */
void tny_channel_send(struct tny_fabric *fabric, uint32_t channel);
/* A host's ports begin what waits, as far as they are free. */
void tny_host_begin(struct tny_fabric *fabric, uint32_t host);
/* A new record; TNY_NONE where there is no memory, and `failed` then. */
uint32_t tny_parcel_new(struct tny_fabric *fabric);

/* stores.c */
/* Sets room aside for the packet that has just got this channel, as soon as there is some. */
void tny_store_want(struct tny_fabric *fabric, uint32_t channel);
/* Sets room aside for the packets that wait for a switch's store, in turn, as far as it goes. */
void tny_store_serve(struct tny_fabric *fabric, uint32_t at);

/* synchronize.c */
/* tny_fabric_expect. */
enum tny_status tny_fabric_expect_phase(struct tny_fabric *fabric, const struct tny_packet *packet,
                                        struct tny_error *error) TNY_MUST_CHECK;
/* Whether the queue's first packet must wait for its switch to go on; it is then parked there. */
bool tny_fabric_parks(struct tny_fabric *fabric, uint32_t queue);
/* A tail of this phase has left the switch. */
void tny_fabric_count_tail(struct tny_fabric *fabric, uint32_t at, uint32_t phase);
void tny_fabric_next_phase(struct tny_fabric *fabric, uint32_t at);

/* deadlock.c: nothing moves. Returns TNY_BROKEN with the cycle of channels that wait for each
   other, or TNY_NO_MEMORY. */
enum tny_status tny_fabric_refuse_deadlock(const struct tny_fabric *fabric, char **deadlock,
                                           struct tny_error *error) TNY_MUST_CHECK;

#endif
