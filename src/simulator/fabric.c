/* The fabric's cycles, and the interface of fabric.h. */
#include "simulator/fabric.h"

#include "core/alloc.h"
#include "core/error.h"
#include "simulator/inside.h"

enum tny_status tny_fabric_new(const struct tny_network_model *model, struct tny_fabric **fabric,
                               struct tny_error *error)
{
  *fabric = NULL;
  struct tny_fabric *made = tny_new(1, sizeof *made);
  if (!made)
    return tny_error_memory(error);
  made->model = *model;
  made->cluster = model->routes->cluster;
  made->random = model->seed;
  const enum tny_status status = tny_fabric_lay_out(made, error);
  if (status)
    tny_fabric_free(made);
  else
    *fabric = made;
  return status;
}

void tny_fabric_free(struct tny_fabric *fabric)
{
  if (!fabric)
    return;
  void *const owned[] = {
      fabric->wires,   fabric->first_wire,    fabric->wire_of_link,   fabric->channels,
      fabric->batch,   fabric->outputs.words, fabric->outputs.filled, fabric->queues,
      fabric->pieces,  fabric->arriving,      fabric->parcels,        fabric->waiting,
      fabric->options, fabric->lanes,         fabric->waiters,        fabric->groups,
      fabric->asking,  fabric->freed,         fabric->room,           fabric->wants,
      fabric->phase,   fabric->next_want,     fabric->remaining,      fabric->parked,
      fabric->events,  fabric->link_flits,    fabric->passed_in,      fabric->served,
  };
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
    tny_free(owned[i]);
  tny_wheel_release(&fabric->wheel);
  tny_free(fabric);
}

/* --- handing in --- */

static enum tny_status check_packet(const struct tny_fabric *fabric,
                                    const struct tny_packet *packet, struct tny_error *error)
{
  const struct tny_cluster *cluster = fabric->cluster;
  if (packet->from >= cluster->host_count || packet->to >= cluster->host_count ||
      packet->flits == 0)
    return tny_error_set(error, TNY_REFUSED,
                         "packets go between the cluster's hosts, and have at least 1 flit");
  if (cluster->switch_count == 0 && packet->from == packet->to)
    return tny_error_set(error, TNY_REFUSED, "without a switch, nothing brings a packet back");
  if (fabric->is_whole && fabric->model.buffering != TNY_BUFFER_SHARED &&
      packet->flits > fabric->model.depth && cluster->switch_count > 0)
    return tny_error_set(error, TNY_REFUSED,
                         "a packet of %u flits doesn't fit into a buffer of %u: cut messages in "
                         "smaller packets, or take deeper buffers",
                         packet->flits, fabric->model.depth);
  if (fabric->model.buffering == TNY_BUFFER_SHARED && packet->flits > fabric->store_flits)
    return tny_error_set(error, TNY_REFUSED,
                         "a packet of %u flits doesn't fit into a switch's store of %u: cut "
                         "messages in smaller packets, or take deeper buffers",
                         packet->flits, fabric->store_flits);
  return TNY_OK;
}

enum tny_status tny_fabric_expect(struct tny_fabric *fabric, const struct tny_packet *packet,
                                  struct tny_error *error)
{
  return tny_fabric_expect_phase(fabric, packet, error);
}

enum tny_status tny_fabric_send(struct tny_fabric *fabric, const struct tny_packet *packet,
                                struct tny_error *error)
{
  const enum tny_status status = check_packet(fabric, packet, error);
  if (status)
    return status;
  const uint32_t at = tny_parcel_new(fabric);
  if (at == TNY_NONE)
    return tny_error_memory(error);
  fabric->parcels[at] = (struct tny_parcel){.packet = *packet, .next = TNY_NONE};
  struct tny_line *line = &fabric->waiting[packet->from];
  if (line->first == TNY_NONE)
    line->first = at;
  else
    fabric->parcels[line->last].next = at;
  line->last = at;
  fabric->under_way++;
  tny_host_begin(fabric, packet->from);
  return fabric->failed ? tny_error_memory(error) : TNY_OK;
}

uint64_t tny_fabric_empty_cycles(const struct tny_fabric *fabric, const struct tny_packet *packet)
{
  const struct tny_cluster *cluster = fabric->cluster;
  const bool is_stored = fabric->model.switching == TNY_SWITCH_STORE_AND_FORWARD;
  const uint64_t behind_head = packet->flits - 1;
  uint64_t head = 1, tail = 0; /* when they go on their next link, or are there */
  uint32_t link = cluster->out_links[cluster->first_out[packet->from]];
  for (;;) {
    const struct tny_wire *wire = &fabric->wires[fabric->wire_of_link[link]];
    const uint64_t streamed = head + behind_head * wire->interval;
    tail = (tail > streamed ? tail : streamed) + wire->delay;
    if (wire->to == packet->to)
      return tail;
    head = (is_stored ? tail : head + wire->delay) + fabric->model.switch_cycles;
    link = tny_routes_next(fabric->model.routes, wire->to, packet->to);
  }
}

/* --- a cycle --- */

static void add_credit(struct tny_fabric *fabric, uint32_t channel)
{
  struct tny_channel *self = &fabric->channels[channel];
  if (++self->credits == self->needs)
    tny_channel_refresh(fabric, channel);
}

static void handle(struct tny_fabric *fabric, enum tny_event_kind kind, uint32_t index)
{
  switch (kind) {
  case TNY_EVENT_ROOM:
    fabric->room[index]++;
    tny_store_serve(fabric, index);
    break;
  case TNY_EVENT_HEAD:
    tny_queue_ask(fabric, index, 0);
    break;
  case TNY_EVENT_CHANNEL:
    tny_channel_open(fabric, index);
    break;
  case TNY_EVENT_WIRE:
    fabric->wires[index].is_busy = false;
    if (fabric->wires[index].ready)
      tny_bits_set(&fabric->outputs, index);
    break;
  case TNY_EVENT_PHASE:
    tny_fabric_next_phase(fabric, index);
    break;
  }
}

/* Handles what is due in this cycle. */
static void handle_due(struct tny_fabric *fabric)
{
  struct tny_wheel *wheel = &fabric->wheel;
  const uint64_t cycle = fabric->cycle;
  struct tny_wheel_event event;
  uint32_t at = tny_wheel_open(wheel, cycle, TNY_DUE_FLITS);
  while (tny_wheel_take(wheel, cycle, TNY_DUE_FLITS, &at, &event))
    tny_fabric_arrive(fabric, event.what, event.value);
  at = tny_wheel_open(wheel, cycle, TNY_DUE_CREDITS);
  while (tny_wheel_take(wheel, cycle, TNY_DUE_CREDITS, &at, &event))
    add_credit(fabric, event.what);
  at = tny_wheel_open(wheel, cycle, TNY_DUE_REST);
  while (tny_wheel_take(wheel, cycle, TNY_DUE_REST, &at, &event))
    handle(fabric, event.what, event.value);
  tny_wheel_close(wheel, cycle);
}

static void do_cycle(struct tny_fabric *fabric)
{
  fabric->cycle++;
  handle_due(fabric);
  if (fabric->model.switch_cycles == 0)
    tny_fabric_give(fabric);
  tny_fabric_cross(fabric);
  if (fabric->model.switch_cycles > 0)
    tny_fabric_give(fabric);
}

/* --- running --- */

/* The next cycle in which anything can happen; UINT64_MAX: none. */
static uint64_t next_cycle(const struct tny_fabric *fabric)
{
  if (fabric->asking_count || fabric->freed_count || !tny_bits_are_none(&fabric->outputs))
    return fabric->cycle + 1;
  return tny_wheel_next(&fabric->wheel, fabric->cycle);
}

static enum tny_status check_health(const struct tny_fabric *fabric, struct tny_error *error)
{
  if (fabric->failed || fabric->wheel.failed)
    return tny_error_memory(error);
  if (fabric->lost || (fabric->under_way == 0 && fabric->flits_in != fabric->flits_out))
    return tny_error_set(error, TNY_BROKEN,
                         "the simulator lost a flit: please report this, with the command");
  return TNY_OK;
}

static bool has_parked(const struct tny_fabric *fabric)
{
  for (uint32_t s = 0; fabric->model.is_synchronizing && s < fabric->switch_count; s++)
    if (fabric->parked[s].first != TNY_NONE)
      return true;
  return false;
}

enum tny_status tny_fabric_run(struct tny_fabric *fabric, uint64_t until,
                               struct tny_fabric_events *events, char **deadlock,
                               struct tny_error *error)
{
  fabric->event_count = 0;
  *events = (struct tny_fabric_events){.list = fabric->events};
  if (deadlock)
    *deadlock = NULL;
  while (fabric->cycle < until && fabric->event_count == 0 && fabric->under_way > 0) {
    const uint64_t next = next_cycle(fabric);
    if (next == UINT64_MAX && (until == UINT64_MAX || !has_parked(fabric)))
      return tny_fabric_refuse_deadlock(fabric, deadlock, error);
    if (next > until) {
      fabric->cycle = until;
      break;
    }
    fabric->cycle = next - 1;
    do_cycle(fabric);
    const enum tny_status status = check_health(fabric, error);
    if (status)
      return status;
  }
  events->count = fabric->event_count;
  return TNY_OK;
}

bool tny_fabric_is_still(const struct tny_fabric *fabric)
{
  return next_cycle(fabric) == UINT64_MAX;
}

uint64_t tny_fabric_cycle(const struct tny_fabric *fabric)
{
  return fabric->cycle;
}

void tny_fabric_jump(struct tny_fabric *fabric, uint64_t cycle)
{
  if (cycle == 0)
    return;
  /* Credits may still be on their way. */
  for (;;) {
    const uint64_t next = tny_wheel_next(&fabric->wheel, fabric->cycle);
    if (next >= cycle)
      break;
    fabric->cycle = next;
    handle_due(fabric);
  }
  fabric->cycle = cycle - 1;
}

bool tny_fabric_is_empty(const struct tny_fabric *fabric)
{
  return fabric->under_way == 0;
}

const uint64_t *tny_fabric_link_flits(const struct tny_fabric *fabric)
{
  return fabric->link_flits;
}
