/* A deadlock of the network: nothing moves any more though packets are under way. Every first
   packet of a queue waits, for a channel or for room at the end of the channel it has. So following
   the waits leads into a cycle of channels, or to a synchronizing switch that waits for a message
   which nobody sends. */
#include "simulator/inside.h"

#include "cluster/channel_cycle.h"
#include "core/alloc.h"
#include "core/error.h"

/* The channel that the first packet of a queue waits for; TNY_NONE: for its switch's next phase. */
static uint32_t wanted_by(const struct tny_fabric *fabric, const struct tny_queue *queue)
{
  if (queue->out != TNY_NONE)
    return queue->out;
  if (queue->option_count == 0)
    return TNY_NONE;
  const uint32_t group = fabric->options[(size_t)(queue - fabric->queues) * fabric->width];
  const struct tny_wire *wire = &fabric->wires[group / fabric->lane_count];
  return wire->first_channel + group % fabric->lane_count * fabric->model.channels;
}

/* The queue at the end of a channel, whose first packet must move before the channel has room
   again: with a shared store, any that is in it. */
static uint32_t queue_behind(const struct tny_fabric *fabric, uint32_t channel)
{
  if (fabric->model.buffering != TNY_BUFFER_SHARED)
    return channel;
  const uint32_t node = fabric->wires[fabric->channels[channel].wire].to;
  for (uint32_t q = fabric->channel_count + fabric->source_count; q < fabric->queue_count; q++)
    if (fabric->queues[q].node == node && fabric->queues[q].first != TNY_NONE)
      return q;
  return TNY_NONE;
}

static void add_channel(struct tny_text *text, const void *of, uint32_t channel)
{
  const struct tny_fabric *fabric = of;
  const struct tny_wire *wire = &fabric->wires[fabric->channels[channel].wire];
  const uint32_t number = channel - wire->first_channel, each = fabric->model.channels;
  tny_link_add_name(text, fabric->cluster, wire->link);
  if (fabric->lane_count > 1)
    tny_text_add(text, " lane %u", number / each);
  if (each > 1)
    tny_text_add(text, " channel %u", number % each);
}

/* Refuses with `length` channels, each of which waits for the next one and the last for the first.
   */
static enum tny_status refuse_cycle(const struct tny_fabric *fabric, const uint32_t *channels,
                                    uint32_t length, char **cycle, struct tny_error *error)
{
  const struct tny_channel_cycle found = {channels, length, add_channel, fabric};
  char what[80];
  snprintf(what, sizeof what, "deadlock in cycle %llu: messages wait for each other",
           (unsigned long long)fabric->cycle);
  return tny_channel_cycle_refuse(&found, what, cycle, error);
}

static enum tny_status refuse_phase(const struct tny_fabric *fabric, const struct tny_queue *queue,
                                    struct tny_error *error)
{
  const uint32_t at = tny_fabric_switch(fabric, queue->node), phase = fabric->phase[at];
  return tny_error_set(
      error, TNY_BROKEN,
      "deadlock in cycle %llu: synchronizing switch %s waits for %u more messages of phase %u, and "
      "what is under way waits for it: are they sent in the order of their phases?",
      (unsigned long long)fabric->cycle, fabric->cluster->node_names[queue->node],
      fabric->remaining[(size_t)phase * fabric->switch_count + at], phase);
}

/* Follows what is waited for from a source's packet on, until a channel comes again. `position`
   has by channel where it is in `channels`, counted from 1. */
static enum tny_status follow(const struct tny_fabric *fabric, uint32_t *position,
                              uint32_t *channels, char **deadlock, struct tny_error *error)
{
  uint32_t queue = 0, count = 0;
  while (fabric->queues[queue].first == TNY_NONE)
    queue++;
  for (;;) {
    const uint32_t channel = wanted_by(fabric, &fabric->queues[queue]);
    if (channel == TNY_NONE)
      return refuse_phase(fabric, &fabric->queues[queue], error);
    if (position[channel])
      return refuse_cycle(fabric, channels + position[channel] - 1, count - position[channel] + 1,
                          deadlock, error);
    channels[count++] = channel;
    position[channel] = count;
    queue = queue_behind(fabric, channel);
    if (queue == TNY_NONE || fabric->queues[queue].first == TNY_NONE)
      return tny_error_set(error, TNY_BROKEN,
                           "the simulator stands still without a reason: please report this, with "
                           "the command");
  }
}

enum tny_status tny_fabric_refuse_deadlock(const struct tny_fabric *fabric, char **deadlock,
                                           struct tny_error *error)
{
  uint32_t *position = tny_new(fabric->channel_count, sizeof *position);
  uint32_t *channels = tny_new(fabric->channel_count, sizeof *channels);
  const enum tny_status status = position && channels
                                     ? follow(fabric, position, channels, deadlock, error)
                                     : tny_error_memory(error);
  tny_free(position);
  tny_free(channels);
  return status;
}
