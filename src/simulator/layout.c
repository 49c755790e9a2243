/* A fabric's wires, channels and queues, laid out from the cluster and the model. */
#include "simulator/inside.h"

#include <math.h>

#include "core/alloc.h"
#include "core/error.h"

#define DELAY_MAX ((uint64_t)1 << 31)
#define CHANNELS_MAX ((uint64_t)1 << 28)

static uint32_t at_least_1(uint32_t cycles)
{
  return cycles > 0 ? cycles : 1;
}

/* --- what can't be --- */

static enum tny_status check_model(struct tny_fabric *fabric, struct tny_error *error)
{
  struct tny_network_model *model = &fabric->model;
  if (model->buffering != TNY_BUFFER_CHANNELS)
    model->channels = 1;
  if (model->channels == 0 || model->depth == 0 || model->ports == 0)
    return tny_error_set(error, TNY_REFUSED,
                         "a network needs at least 1 channel, 1 flit of buffer and 1 port a host");
  if (fabric->lane_count > TNY_WIRE_CHANNELS_MAX / model->channels)
    return tny_error_set(error, TNY_REFUSED, "a link can have %d channels in all its lanes",
                         TNY_WIRE_CHANNELS_MAX);
  if (model->is_synchronizing && model->is_adaptive)
    return tny_error_set(error, TNY_REFUSED,
                         "synchronizing switches must know what crosses them: take "
                         "deterministic routes");
  return TNY_OK;
}

/* --- wires --- */

static uint64_t delay_of(const struct tny_network_model *model, const struct tny_cluster *cluster,
                         const struct tny_link *link)
{
  uint32_t cycles = model->link_cycles;
  if (link->from < cluster->host_count)
    cycles = model->inject_cycles;
  else if (link->to < cluster->host_count)
    cycles = model->eject_cycles;
  const double latency =
      model->cycle_ns > 0 ? ceil((double)link->latency_ns / model->cycle_ns - 1e-6) : 0;
  return at_least_1(cycles) + (latency < (double)DELAY_MAX ? (uint64_t)latency : DELAY_MAX);
}

/* Cycles from flit to flit. */
static uint64_t interval_of(const struct tny_link *link, uint64_t highest)
{
  const uint64_t own = link->bandwidth_bps ? link->bandwidth_bps : 1;
  const uint64_t interval = (highest + own / 2) / own;
  return interval < DELAY_MAX ? interval : DELAY_MAX;
}

static uint64_t highest_bandwidth(const struct tny_cluster *cluster)
{
  uint64_t highest = 1;
  for (uint32_t link = 0; link < cluster->link_count; link++)
    if (cluster->links[link].bandwidth_bps > highest)
      highest = cluster->links[link].bandwidth_bps;
  return highest;
}

static uint32_t ports_of(const struct tny_fabric *fabric, const struct tny_link *link)
{
  const uint32_t hosts = fabric->cluster->host_count;
  return link->from < hosts || link->to < hosts ? fabric->model.ports : 1;
}

static uint64_t count_wires(const struct tny_fabric *fabric)
{
  uint64_t count = 0;
  for (uint32_t link = 0; link < fabric->cluster->link_count; link++)
    count += ports_of(fabric, &fabric->cluster->links[link]);
  return count;
}

static struct tny_wire make_wire(const struct tny_fabric *fabric, uint32_t link, uint64_t highest)
{
  const struct tny_cluster *cluster = fabric->cluster;
  const struct tny_link *self = &cluster->links[link];
  const bool is_of_host = self->from < cluster->host_count || self->to < cluster->host_count;
  const bool has_channels = fabric->model.buffering == TNY_BUFFER_CHANNELS;
  const uint32_t channels =
      is_of_host && !has_channels ? 1 : fabric->lane_count * fabric->model.channels;
  const uint64_t interval = interval_of(self, highest);
  /* A flit is there when all of it is. */
  const uint64_t delay = delay_of(&fabric->model, cluster, self) + interval - 1;
  return (struct tny_wire){
      .unowned = ~(uint64_t)0 >> (64 - channels),
      .from = self->from,
      .to = self->to,
      .link = link,
      .first_channel = fabric->channel_count,
      .channel_count = (uint8_t)channels,
      .delay = delay < DELAY_MAX ? (uint32_t)delay : (uint32_t)DELAY_MAX,
      .interval = (uint32_t)interval,
      .from_host = self->from < cluster->host_count,
      .to_host = self->to < cluster->host_count,
  };
}

static void make_wires(struct tny_fabric *fabric)
{
  const struct tny_cluster *cluster = fabric->cluster;
  const uint64_t highest = highest_bandwidth(cluster);
  uint32_t count = 0;
  for (uint32_t node = 0; node < cluster->host_count + cluster->switch_count; node++) {
    fabric->first_wire[node] = count;
    for (uint32_t i = cluster->first_out[node]; i < cluster->first_out[node + 1]; i++) {
      const uint32_t link = cluster->out_links[i];
      fabric->wire_of_link[link] = count;
      for (uint32_t port = 0; port < ports_of(fabric, &cluster->links[link]); port++) {
        fabric->wires[count] = make_wire(fabric, link, highest);
        fabric->channel_count += fabric->wires[count++].channel_count;
      }
    }
    if (node + 1 == cluster->host_count)
      fabric->source_count = count;
  }
  fabric->first_wire[cluster->host_count + cluster->switch_count] = count;
}

static enum tny_status lay_wires(struct tny_fabric *fabric, struct tny_error *error)
{
  const struct tny_cluster *cluster = fabric->cluster;
  const uint64_t wires = count_wires(fabric), most = TNY_WIRE_CHANNELS_MAX;
  if (wires * most > CHANNELS_MAX * 4)
    return tny_error_set(error, TNY_REFUSED, "the network has too many links and ports");
  fabric->wire_count = (uint32_t)wires;
  const size_t node_count = (size_t)cluster->host_count + cluster->switch_count;
  fabric->wires = tny_new(wires, sizeof *fabric->wires);
  fabric->first_wire = tny_new(node_count + 1, sizeof *fabric->first_wire);
  fabric->wire_of_link = tny_new(cluster->link_count, sizeof *fabric->wire_of_link);
  fabric->passed_in = tny_new(wires, sizeof *fabric->passed_in);
  fabric->batch = tny_new(2 * wires, sizeof *fabric->batch);
  fabric->link_flits = tny_new(cluster->link_count, sizeof *fabric->link_flits);
  fabric->outputs.word_count = (uint32_t)(wires / 64 + 1);
  fabric->outputs.words = tny_new(fabric->outputs.word_count, sizeof(uint64_t));
  fabric->outputs.filled = tny_new(fabric->outputs.word_count / 64 + 1, sizeof(uint64_t));
  if (!fabric->wires || !fabric->first_wire || !fabric->wire_of_link || !fabric->passed_in ||
      !fabric->batch || !fabric->link_flits || !fabric->outputs.words || !fabric->outputs.filled)
    return tny_error_memory(error);
  make_wires(fabric);
  return TNY_OK;
}

/* --- channels and queues --- */

static void make_channels(struct tny_fabric *fabric)
{
  const bool is_shared = fabric->model.buffering == TNY_BUFFER_SHARED;
  for (uint32_t w = 0; w < fabric->wire_count; w++)
    for (uint32_t i = 0; i < fabric->wires[w].channel_count; i++) {
      const uint32_t channel = fabric->wires[w].first_channel + i;
      fabric->channels[channel] = (struct tny_channel){
          .wire = w, .owner = TNY_NONE, .credits = is_shared ? 0 : fabric->model.depth};
      if (fabric->wires[w].to_host)
        fabric->channels[channel].credits = TNY_NONE;
      fabric->queues[channel] = (struct tny_queue){.first = TNY_NONE,
                                                   .last = TNY_NONE,
                                                   .out = TNY_NONE,
                                                   .wire = w,
                                                   .channel = channel,
                                                   .node = fabric->wires[w].to,
                                                   .is_host = fabric->wires[w].to_host};
    }
  for (uint32_t w = 0; w < fabric->source_count; w++)
    fabric->queues[fabric->channel_count + w] = (struct tny_queue){.first = TNY_NONE,
                                                                   .last = TNY_NONE,
                                                                   .out = TNY_NONE,
                                                                   .wire = TNY_NONE,
                                                                   .channel = TNY_NONE,
                                                                   .node = fabric->wires[w].from};
  fabric->queue_count = fabric->channel_count + fabric->source_count;
}

static enum tny_status lay_queues(struct tny_fabric *fabric, struct tny_error *error)
{
  const uint32_t room = fabric->channel_count + fabric->source_count;
  const uint32_t option_max = tny_routes_option_max(fabric->model.routes);
  const size_t width = option_max > fabric->model.ports ? option_max : fabric->model.ports;
  const size_t groups = (size_t)fabric->wire_count * fabric->lane_count;
  fabric->queue_room = room;
  fabric->width = (uint32_t)width;
  fabric->channels = tny_new(fabric->channel_count, sizeof *fabric->channels);
  fabric->queues = tny_new(room, sizeof *fabric->queues);
  fabric->options = tny_new(room * width, sizeof *fabric->options);
  fabric->waiters = tny_new(room * width, sizeof *fabric->waiters);
  fabric->asking = tny_new(room, sizeof *fabric->asking);
  fabric->lanes = tny_new(width, sizeof *fabric->lanes);
  fabric->groups = tny_new(groups, sizeof *fabric->groups);
  fabric->served = tny_new(groups, sizeof *fabric->served);
  fabric->freed = tny_new(fabric->channel_count, sizeof *fabric->freed);
  fabric->arriving = tny_new(fabric->channel_count, sizeof *fabric->arriving);
  if (!fabric->channels || !fabric->queues || !fabric->options || !fabric->waiters ||
      !fabric->asking || !fabric->lanes || !fabric->groups || !fabric->served || !fabric->freed ||
      !fabric->arriving)
    return tny_error_memory(error);
  for (size_t i = 0; i < groups; i++)
    fabric->groups[i].first = TNY_NONE;
  make_channels(fabric);
  return TNY_OK;
}

/* --- by switch and by host --- */

static enum tny_status lay_nodes(struct tny_fabric *fabric, struct tny_error *error)
{
  const struct tny_cluster *cluster = fabric->cluster;
  const uint32_t switches = cluster->switch_count;
  fabric->switch_count = switches;
  fabric->store_flits = UINT32_MAX;
  fabric->room = tny_new(switches, sizeof *fabric->room);
  fabric->wants = tny_new(switches, sizeof *fabric->wants);
  fabric->next_want = tny_new(fabric->channel_count, sizeof *fabric->next_want);
  fabric->phase = tny_new(switches, sizeof *fabric->phase);
  fabric->parked = tny_new(switches, sizeof *fabric->parked);
  fabric->waiting = tny_new(cluster->host_count, sizeof *fabric->waiting);
  /* In a cycle, tails leave and are taken by each of the hosts' wires at most once. */
  fabric->events = tny_new(2 * (size_t)fabric->source_count, sizeof *fabric->events);
  if (!fabric->room || !fabric->wants || !fabric->next_want || !fabric->phase || !fabric->parked ||
      !fabric->waiting || !fabric->events)
    return tny_error_memory(error);
  for (uint32_t s = 0; s < switches; s++) {
    const uint32_t *first = &fabric->first_wire[cluster->host_count + s];
    const uint64_t room = (uint64_t)fabric->model.depth * (first[1] - first[0]);
    fabric->room[s] = room < UINT32_MAX ? (uint32_t)room : UINT32_MAX;
    if (fabric->room[s] < fabric->store_flits)
      fabric->store_flits = fabric->room[s];
    fabric->wants[s].first = fabric->parked[s].first = TNY_NONE;
    fabric->phase[s] = TNY_NONE;
  }
  for (uint32_t host = 0; host < cluster->host_count; host++)
    fabric->waiting[host].first = TNY_NONE;
  return TNY_OK;
}

static enum tny_status lay_wheel(struct tny_fabric *fabric, struct tny_error *error)
{
  const struct tny_network_model *model = &fabric->model;
  uint64_t longest = model->switch_cycles;
  const uint32_t others[] = {model->credit_cycles, model->inject_credit_cycles,
                             model->release_cycles, model->phase_cycles};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    longest = others[i] > longest ? others[i] : longest;
  for (uint32_t w = 0; w < fabric->wire_count; w++) {
    const struct tny_wire *wire = &fabric->wires[w];
    longest = wire->delay > longest ? wire->delay : longest;
    longest = wire->interval > longest ? wire->interval : longest;
  }
  if (longest >= DELAY_MAX)
    return tny_error_set(error, TNY_REFUSED,
                         "a link or switch takes 2^31 cycles or more: take longer cycles");
  return tny_wheel_init(&fabric->wheel, longest + 2, error);
}

enum tny_status tny_fabric_lay_out(struct tny_fabric *fabric, struct tny_error *error)
{
  struct tny_network_model *model = &fabric->model;
  fabric->free_queue = fabric->free_parcel = fabric->free_piece = TNY_NONE;
  fabric->wheel.free = TNY_NONE;
  fabric->lane_count = model->ignores_lanes ? 1 : tny_routes_lane_count(model->routes);
  fabric->is_whole =
      model->switching != TNY_SWITCH_WORMHOLE || model->buffering == TNY_BUFFER_SHARED;
  model->credit_cycles = at_least_1(model->credit_cycles);
  if (model->inject_credit_cycles == 0)
    model->inject_credit_cycles = model->credit_cycles;
  enum tny_status status = check_model(fabric, error);
  if (!status)
    status = lay_wires(fabric, error);
  if (!status)
    status = lay_queues(fabric, error);
  if (!status)
    status = lay_nodes(fabric, error);
  if (!status)
    status = lay_wheel(fabric, error);
  return status;
}
