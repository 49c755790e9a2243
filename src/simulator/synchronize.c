/* The synchronizing switch (Hinrichs, Kosak, O'Hallaron, Stricker, Take, SPAA 1994, 2.2): it lets a
   phase's messages pass, keeps those of later ones waiting in their inputs, and goes on when the
   tails of all messages that cross it in this phase have left it. There, each input has just one
   message a phase, so the switch sees that it is done when one tail has come by each; here it
   counts to what it was told beforehand, so that inputs without a message don't delay it. */
#include "simulator/inside.h"

#include "core/alloc.h"
#include "core/error.h"

static uint32_t *remaining(const struct tny_fabric *fabric, uint32_t at, uint32_t phase)
{
  return &fabric->remaining[(size_t)phase * fabric->switch_count + at];
}

/* Makes room for this phase; the room at least doubles. */
static bool add_phases(struct tny_fabric *fabric, uint32_t phase)
{
  uint32_t room = fabric->phase_room ? fabric->phase_room : 16;
  while (room <= phase && room < UINT32_MAX / 2)
    room *= 2;
  if (room > fabric->phase_room) {
    const size_t row = fabric->switch_count;
    uint32_t *grown = tny_resize(fabric->remaining, room * row, sizeof *grown);
    if (!grown)
      return false;
    memset(grown + fabric->phase_room * row, 0, (room - fabric->phase_room) * row * sizeof *grown);
    fabric->remaining = grown;
    fabric->phase_room = room;
  }
  if (fabric->phase_count <= phase)
    fabric->phase_count = phase + 1;
  return true;
}

enum tny_status tny_fabric_expect_phase(struct tny_fabric *fabric, const struct tny_packet *packet,
                                        struct tny_error *error)
{
  if (!fabric->model.is_synchronizing || packet->phase == TNY_NONE)
    return TNY_OK;
  if (packet->phase >= UINT32_MAX / 2 || !add_phases(fabric, packet->phase))
    return tny_error_memory(error);
  const struct tny_cluster *cluster = fabric->cluster;
  uint32_t node = cluster->links[cluster->out_links[cluster->first_out[packet->from]]].to;
  while (node >= cluster->host_count) {
    const uint32_t at = tny_fabric_switch(fabric, node);
    ++*remaining(fabric, at, packet->phase);
    if (packet->phase < fabric->phase[at])
      fabric->phase[at] = packet->phase;
    node = cluster->links[tny_routes_next(fabric->model.routes, node, packet->to)].to;
  }
  return TNY_OK;
}

bool tny_fabric_parks(struct tny_fabric *fabric, uint32_t at)
{
  struct tny_queue *queue = &fabric->queues[at];
  const uint32_t phase = tny_queue_parcel(fabric, queue)->packet.phase;
  const uint32_t s = tny_fabric_switch(fabric, queue->node);
  if (phase == TNY_NONE || phase <= fabric->phase[s])
    return false;
  queue->next = fabric->parked[s].first;
  fabric->parked[s].first = at;
  return true;
}

void tny_fabric_next_phase(struct tny_fabric *fabric, uint32_t at)
{
  uint32_t phase = fabric->phase[at];
  while (phase < fabric->phase_count && *remaining(fabric, at, phase) == 0)
    phase++;
  fabric->phase[at] = phase < fabric->phase_count ? phase : TNY_NONE;
  uint32_t queue = fabric->parked[at].first;
  fabric->parked[at].first = TNY_NONE;
  /* All ask again; those of phases yet to come are parked again. */
  while (queue != TNY_NONE) {
    const uint32_t next = fabric->queues[queue].next;
    tny_queue_ask(fabric, queue, 0);
    queue = next;
  }
}

void tny_fabric_count_tail(struct tny_fabric *fabric, uint32_t at, uint32_t phase)
{
  if (phase >= fabric->phase_count || *remaining(fabric, at, phase) == 0)
    return; /* it wasn't announced */
  if (--*remaining(fabric, at, phase) > 0 || phase != fabric->phase[at])
    return;
  /* Heads are given channels once more in this cycle, where that's behind the crossbar. */
  const uint64_t next = fabric->model.switch_cycles == 0;
  if (fabric->model.phase_cycles > 0)
    tny_fabric_after(fabric, next + fabric->model.phase_cycles, TNY_EVENT_PHASE, at);
  else
    tny_fabric_next_phase(fabric, at);
}
