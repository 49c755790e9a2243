/* Shared stores: which of the packets that come into a switch get room in its store, and when. */
#include "simulator/inside.h"

void tny_store_want(struct tny_fabric *fabric, uint32_t channel)
{
  const uint32_t at = tny_fabric_switch(fabric, fabric->wires[fabric->channels[channel].wire].to);
  struct tny_line *line = &fabric->wants[at];
  fabric->next_want[channel] = TNY_NONE;
  if (line->first == TNY_NONE)
    line->first = channel;
  else
    fabric->next_want[line->last] = channel;
  line->last = channel;
  tny_store_serve(fabric, at);
}

void tny_store_serve(struct tny_fabric *fabric, uint32_t at)
{
  struct tny_line *line = &fabric->wants[at];
  while (line->first != TNY_NONE) {
    const uint32_t channel = line->first;
    struct tny_channel *self = &fabric->channels[channel];
    const uint32_t flits = tny_queue_parcel(fabric, &fabric->queues[self->owner])->packet.flits;
    if (flits > fabric->room[at])
      return;
    fabric->room[at] -= flits;
    self->credits += flits;
    line->first = fabric->next_want[channel];
    tny_channel_refresh(fabric, channel);
  }
}
