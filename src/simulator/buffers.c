/* Queues of flits: at their hosts, at the switches' inputs, and one for each packet in a shared
   store. How flits get in, and what their leaving brings about: credits, freed channels, the next
   packet. */
#include "simulator/inside.h"

#include "core/alloc.h"

/* --- records --- */

/* Doubles the room for records of `bytes` each, from none or some; false: no memory, and nothing
   has changed. */
static bool grow(void **records, uint32_t *room, size_t bytes)
{
  const uint32_t more = *room ? 2 * *room : 64;
  void *grown = more > *room ? tny_resize(*records, more, bytes) : NULL;
  if (!grown)
    return false;
  *records = grown;
  *room = more;
  return true;
}

uint32_t tny_parcel_new(struct tny_fabric *fabric)
{
  if (fabric->free_parcel == TNY_NONE) {
    const uint32_t before = fabric->parcel_room;
    if (before >> (31 - TNY_FLIT_BITS) ||
        !grow((void **)&fabric->parcels, &fabric->parcel_room, sizeof *fabric->parcels)) {
      fabric->failed = true;
      return TNY_NONE;
    }
    for (uint32_t i = fabric->parcel_room; i-- > before;) {
      fabric->parcels[i].next = fabric->free_parcel;
      fabric->free_parcel = i;
    }
  }
  const uint32_t parcel = fabric->free_parcel;
  fabric->free_parcel = fabric->parcels[parcel].next;
  return parcel;
}

static uint32_t piece_new(struct tny_fabric *fabric)
{
  if (fabric->free_piece == TNY_NONE) {
    const uint32_t before = fabric->piece_room;
    if (!grow((void **)&fabric->pieces, &fabric->piece_room, sizeof *fabric->pieces)) {
      fabric->failed = true;
      return TNY_NONE;
    }
    for (uint32_t i = fabric->piece_room; i-- > before;) {
      fabric->pieces[i].next = fabric->free_piece;
      fabric->free_piece = i;
    }
  }
  const uint32_t piece = fabric->free_piece;
  fabric->free_piece = fabric->pieces[piece].next;
  return piece;
}

/* Makes room for twice as many queues, and for what belongs to each. */
static bool grow_queues(struct tny_fabric *fabric)
{
  const size_t room = 2 * (size_t)fabric->queue_room;
  struct tny_queue *queues = tny_resize(fabric->queues, room, sizeof *queues);
  fabric->queues = queues ? queues : fabric->queues;
  uint32_t *options = tny_resize(fabric->options, room * fabric->width, sizeof *options);
  fabric->options = options ? options : fabric->options;
  struct tny_waiter *waiters = tny_resize(fabric->waiters, room * fabric->width, sizeof *waiters);
  fabric->waiters = waiters ? waiters : fabric->waiters;
  uint32_t *asking = tny_resize(fabric->asking, room, sizeof *asking);
  fabric->asking = asking ? asking : fabric->asking;
  if (!queues || !options || !waiters || !asking || room > UINT32_MAX / 2)
    return false;
  fabric->queue_room = (uint32_t)room;
  return true;
}

/* A queue for a packet that comes into a store by this channel. */
static uint32_t queue_new(struct tny_fabric *fabric, uint32_t channel)
{
  uint32_t queue = fabric->free_queue;
  if (queue != TNY_NONE) {
    fabric->free_queue = fabric->queues[queue].next;
  } else if (fabric->queue_count < fabric->queue_room || grow_queues(fabric)) {
    queue = fabric->queue_count++;
  } else {
    fabric->failed = true;
    return TNY_NONE;
  }
  fabric->queues[queue] =
      (struct tny_queue){.first = TNY_NONE,
                         .last = TNY_NONE,
                         .out = TNY_NONE,
                         .wire = TNY_NONE,
                         .channel = channel,
                         .node = fabric->wires[fabric->channels[channel].wire].to};
  return queue;
}

/* --- in --- */

/* A packet has become the first of its queue: it asks for a channel when it is routed, at least
   `delay` cycles from now. */
static void come_to_front(struct tny_fabric *fabric, uint32_t at, uint64_t delay)
{
  const struct tny_queue *queue = &fabric->queues[at];
  if (queue->first == TNY_NONE)
    return;
  if (fabric->model.switching == TNY_SWITCH_STORE_AND_FORWARD && queue->whole == 0)
    return;
  const uint64_t routing = fabric->model.switch_cycles > 0 ? fabric->model.switch_cycles - 1 : 0;
  const uint64_t passed = fabric->cycle - fabric->pieces[queue->first].arrived;
  if (!fabric->model.routes_ahead)
    tny_queue_ask(fabric, at, delay + routing);
  else
    tny_queue_ask(fabric, at, routing > delay + passed ? routing - passed : delay);
}

/* The queue has another first packet: notes its size. */
static void begin_packet(struct tny_fabric *fabric, struct tny_queue *queue)
{
  queue->parcel = fabric->pieces[queue->first].packet;
  queue->left = queue->size = fabric->parcels[queue->parcel].packet.flits;
}

static void add_packet(struct tny_fabric *fabric, struct tny_queue *queue, uint32_t parcel)
{
  const uint32_t piece = piece_new(fabric);
  if (piece == TNY_NONE)
    return;
  fabric->pieces[piece] = (struct tny_piece){parcel, TNY_NONE, fabric->cycle};
  if (queue->first == TNY_NONE) {
    queue->first = piece;
    begin_packet(fabric, queue);
  } else {
    fabric->pieces[queue->last].next = piece;
  }
  queue->last = piece;
}

/* The host takes a flit. */
static void take(struct tny_fabric *fabric, uint32_t parcel, bool is_tail)
{
  struct tny_parcel *self = &fabric->parcels[parcel];
  fabric->flits_out++;
  self->taken++;
  if ((self->taken == self->packet.flits) != is_tail)
    fabric->lost = true;
  if (!is_tail)
    return;
  tny_fabric_report(fabric, self->packet.tag, true);
  self->next = fabric->free_parcel;
  fabric->free_parcel = parcel;
  fabric->under_way--;
}

void tny_fabric_arrive(struct tny_fabric *fabric, uint32_t channel, uint32_t value)
{
  const uint32_t parcel = value >> TNY_FLIT_BITS;
  const bool is_head = value & TNY_FLIT_HEAD, is_tail = value & TNY_FLIT_TAIL;
  if (fabric->queues[channel].is_host) {
    take(fabric, parcel, is_tail);
    return;
  }
  uint32_t at = channel;
  if (fabric->model.buffering == TNY_BUFFER_SHARED) {
    if (is_head)
      fabric->arriving[channel] = queue_new(fabric, channel);
    at = fabric->arriving[channel];
    if (at == TNY_NONE)
      return;
  }
  struct tny_queue *queue = &fabric->queues[at];
  if (is_head)
    add_packet(fabric, queue, parcel);
  queue->flits++;
  queue->whole += is_tail;
  const bool is_stored = fabric->model.switching == TNY_SWITCH_STORE_AND_FORWARD;
  if (queue->first == queue->last && (is_stored ? is_tail : is_head))
    come_to_front(fabric, at, 0);
  else if (queue->flits == 1 && queue->out != TNY_NONE)
    tny_channel_refresh(fabric, queue->out);
}

/* --- out --- */

/* Returns the credit of a flit that has left the queue. */
static void return_credit(struct tny_fabric *fabric, uint32_t at)
{
  const struct tny_queue *queue = &fabric->queues[at];
  if (queue->channel == TNY_NONE)
    return;
  if (fabric->model.buffering == TNY_BUFFER_SHARED) {
    tny_fabric_after(fabric, fabric->model.credit_cycles, TNY_EVENT_ROOM,
                     tny_fabric_switch(fabric, queue->node));
    return;
  }
  const uint32_t delay = fabric->wires[queue->wire].from_host ? fabric->model.inject_credit_cycles
                                                              : fabric->model.credit_cycles;
  tny_wheel_add(&fabric->wheel, fabric->cycle + delay, TNY_DUE_CREDITS, at, 0);
}

/* The first packet has left the queue; the next one takes its place. */
static void drop_packet(struct tny_fabric *fabric, uint32_t at)
{
  struct tny_queue *queue = &fabric->queues[at];
  const uint32_t piece = queue->first, phase = tny_queue_parcel(fabric, queue)->packet.phase;
  queue->first = fabric->pieces[piece].next;
  fabric->pieces[piece].next = fabric->free_piece;
  fabric->free_piece = piece;
  queue->out = TNY_NONE;
  queue->option_count = 0;
  queue->whole -= queue->whole > 0;
  if (queue->first == TNY_NONE)
    queue->last = TNY_NONE;
  else
    begin_packet(fabric, queue);
  if (queue->channel == TNY_NONE)
    return;
  if (fabric->model.is_synchronizing && phase != TNY_NONE)
    tny_fabric_count_tail(fabric, tny_fabric_switch(fabric, queue->node), phase);
  if (fabric->model.buffering == TNY_BUFFER_SHARED) {
    queue->next = fabric->free_queue;
    fabric->free_queue = at;
  } else {
    come_to_front(fabric, at, 1);
  }
}

/* A tail has left by this channel: the channel is free, and the source may begin its next packet.
   */
static void end_packet(struct tny_fabric *fabric, uint32_t channel)
{
  const uint32_t at = fabric->channels[channel].owner;
  const struct tny_queue *queue = &fabric->queues[at];
  const uint32_t tag = tny_queue_parcel(fabric, queue)->packet.tag;
  drop_packet(fabric, at);
  tny_channel_release(fabric, channel);
  if (queue->channel != TNY_NONE)
    return;
  tny_fabric_report(fabric, tag, false);
  tny_host_begin(fabric, queue->node);
}

/* A wire of a slower link is busy for some cycles after each flit. */
static void make_busy(struct tny_fabric *fabric, uint32_t at)
{
  struct tny_wire *wire = &fabric->wires[at];
  if (wire->interval == 1)
    return;
  wire->is_busy = true;
  tny_bits_clear(&fabric->outputs, at);
  tny_fabric_after(fabric, wire->interval, TNY_EVENT_WIRE, at);
}

void tny_channel_send(struct tny_fabric *fabric, uint32_t channel)
{
  struct tny_channel *self = &fabric->channels[channel];
  const uint32_t at = self->owner;
  struct tny_queue *queue = &fabric->queues[at];
  const struct tny_wire *wire = &fabric->wires[self->wire];
  const uint32_t which =
      (queue->left == queue->size ? TNY_FLIT_HEAD : 0) | (queue->left == 1 ? TNY_FLIT_TAIL : 0);
  queue->flits--;
  queue->left--;
  self->needs = 1;
  self->credits -= !wire->to_host;
  fabric->link_flits[wire->link]++;
  tny_wheel_add(&fabric->wheel, fabric->cycle + wire->delay, TNY_DUE_FLITS, channel,
                queue->parcel << TNY_FLIT_BITS | which);
  return_credit(fabric, at);
  make_busy(fabric, self->wire);
  if (which & TNY_FLIT_TAIL)
    end_packet(fabric, channel);
  tny_channel_refresh(fabric, channel);
}

/* --- hosts --- */

static bool is_idle_source(const struct tny_fabric *fabric, uint32_t at)
{
  return fabric->queues[at].first == TNY_NONE;
}

void tny_host_begin(struct tny_fabric *fabric, uint32_t host)
{
  struct tny_line *line = &fabric->waiting[host];
  const uint32_t first_source = fabric->channel_count;
  for (uint32_t w = fabric->first_wire[host]; w < fabric->first_wire[host + 1]; w++) {
    /* Hosts come first among the nodes, so their wires do, and a source has its wire's number. */
    const uint32_t at = first_source + w;
    if (line->first == TNY_NONE)
      return;
    if (!is_idle_source(fabric, at))
      continue;
    const uint32_t parcel = line->first;
    struct tny_queue *queue = &fabric->queues[at];
    line->first = fabric->parcels[parcel].next;
    add_packet(fabric, queue, parcel);
    if (queue->first == TNY_NONE)
      return;
    queue->flits = queue->left;
    fabric->flits_in += queue->left;
    tny_source_give(fabric, at);
  }
}
