/* Virtual channel allocation: which channel of its routes' links and lanes each packet gets, and in
   which order those who wait get theirs. */
#include "simulator/inside.h"

#include "core/random.h"

/* --- groups: a lane of a wire --- */

static uint64_t channels_of(const struct tny_fabric *fabric, uint32_t group)
{
  const struct tny_wire *wire = &fabric->wires[group / fabric->lane_count];
  if (wire->from_host || wire->to_host)
    return ~(uint64_t)0 >> (64 - wire->channel_count);
  const uint32_t lane = group % fabric->lane_count;
  return (~(uint64_t)0 >> (64 - fabric->model.channels)) << (lane * fabric->model.channels);
}

static uint64_t unowned(const struct tny_fabric *fabric, uint32_t group)
{
  return fabric->wires[group / fabric->lane_count].unowned & channels_of(fabric, group);
}

static uint32_t group_of(const struct tny_fabric *fabric, uint32_t channel)
{
  const uint32_t at = fabric->channels[channel].wire;
  const struct tny_wire *wire = &fabric->wires[at];
  const uint32_t lane = (channel - wire->first_channel) / fabric->model.channels;
  return at * fabric->lane_count + (wire->from_host || wire->to_host ? 0 : lane);
}

/* --- giving --- */

/* The credits that the first flit of a packet needs to leave. */
static uint32_t credits_needed(const struct tny_fabric *fabric, uint32_t flits)
{
  return fabric->is_whole ? flits : 1;
}

/* Of these channels, the first behind the one given last that has room, or just the first. */
static uint32_t choose_channel(const struct tny_fabric *fabric, const struct tny_wire *wire,
                               uint64_t mask, uint32_t needs)
{
  const uint64_t behind = tny_bits_behind(mask, wire->last_given);
  const uint64_t turns[] = {behind, mask & ~behind};
  for (int i = 0; i < 2; i++)
    for (uint64_t rest = turns[i]; rest; rest &= rest - 1) {
      const uint32_t bit = (uint32_t)__builtin_ctzll(rest);
      if (fabric->channels[wire->first_channel + bit].credits >= needs)
        return bit;
    }
  return (uint32_t)__builtin_ctzll(behind ? behind : mask);
}

static void give(struct tny_fabric *fabric, uint32_t at, uint32_t wire_index, uint64_t mask)
{
  struct tny_queue *queue = &fabric->queues[at];
  struct tny_wire *wire = &fabric->wires[wire_index];
  const uint32_t needs = credits_needed(fabric, tny_queue_parcel(fabric, queue)->packet.flits);
  const uint32_t bit = choose_channel(fabric, wire, mask, needs);
  const uint32_t channel = wire->first_channel + bit;
  wire->last_given = (uint8_t)bit;
  wire->unowned &= ~((uint64_t)1 << bit);
  queue->out = channel;
  fabric->served[group_of(fabric, channel)] = queue->wire;
  fabric->channels[channel].owner = at;
  fabric->channels[channel].in = queue->wire;
  fabric->channels[channel].needs = wire->to_host ? 1 : needs;
  if (fabric->model.buffering == TNY_BUFFER_SHARED && !wire->to_host)
    tny_store_want(fabric, channel);
  else
    tny_channel_refresh(fabric, channel);
}

void tny_source_give(struct tny_fabric *fabric, uint32_t queue)
{
  const uint32_t wire = queue - fabric->channel_count;
  give(fabric, queue, wire, channels_of(fabric, wire * fabric->lane_count));
}

/* Gives the queue a channel of one of its options that have one free, chosen at random; false: none
   has. */
static bool give_any(struct tny_fabric *fabric, uint32_t at)
{
  const uint32_t *options = &fabric->options[(size_t)at * fabric->width];
  const uint32_t option_count = fabric->queues[at].option_count;
  uint32_t count = 0, chosen = TNY_NONE;
  for (uint32_t i = 0; i < option_count; i++)
    if (unowned(fabric, options[i])) {
      count++;
      if (count == 1 || tny_random_next(&fabric->random) % count == 0)
        chosen = options[i];
    }
  if (chosen != TNY_NONE)
    give(fabric, at, chosen / fabric->lane_count, unowned(fabric, chosen));
  return chosen != TNY_NONE;
}

/* --- waiting --- */

static void stand_in_line(struct tny_fabric *fabric, uint32_t at)
{
  for (uint32_t i = 0; i < fabric->queues[at].option_count; i++) {
    const uint32_t self = at * fabric->width + i;
    struct tny_line *line = &fabric->groups[fabric->options[self]];
    fabric->waiters[self] =
        (struct tny_waiter){line->first == TNY_NONE ? TNY_NONE : line->last, TNY_NONE};
    if (line->first == TNY_NONE)
      line->first = self;
    else
      fabric->waiters[line->last].after = self;
    line->last = self;
  }
}

static void leave_lines(struct tny_fabric *fabric, uint32_t at)
{
  for (uint32_t i = 0; i < fabric->queues[at].option_count; i++) {
    const uint32_t self = at * fabric->width + i;
    struct tny_line *line = &fabric->groups[fabric->options[self]];
    const struct tny_waiter waiter = fabric->waiters[self];
    if (waiter.before == TNY_NONE)
      line->first = waiter.after;
    else
      fabric->waiters[waiter.before].after = waiter.after;
    if (waiter.after == TNY_NONE)
      line->last = waiter.before;
    else
      fabric->waiters[waiter.after].before = waiter.before;
  }
}

/* --- asking --- */

/* Adds all wires of a link to the options of a queue. */
static void add_link(struct tny_fabric *fabric, uint32_t at, struct tny_lane way)
{
  struct tny_queue *queue = &fabric->queues[at];
  uint32_t *options = &fabric->options[(size_t)at * fabric->width];
  const uint32_t first = fabric->wire_of_link[way.link];
  const bool to_host = fabric->wires[first].to_host;
  const uint32_t count = to_host ? fabric->model.ports : 1;
  const uint32_t lane = to_host || fabric->lane_count == 1 ? 0 : way.lane;
  for (uint32_t i = 0; i < count; i++)
    options[queue->option_count++] = (first + i) * fabric->lane_count + lane;
}

static struct tny_lane lane_of(const struct tny_fabric *fabric, uint32_t channel)
{
  const struct tny_wire *wire = &fabric->wires[fabric->channels[channel].wire];
  const uint32_t lane = (channel - wire->first_channel) / fabric->model.channels;
  return (struct tny_lane){wire->link, wire->from_host ? 0 : lane};
}

static void find_options(struct tny_fabric *fabric, uint32_t at)
{
  struct tny_queue *queue = &fabric->queues[at];
  const uint32_t to = tny_queue_parcel(fabric, queue)->packet.to;
  queue->option_count = 0;
  if (!fabric->model.is_adaptive) {
    add_link(fabric, at, tny_routes_choice(fabric->model.routes, queue->node, to));
    return;
  }
  const uint32_t count = tny_routes_options(fabric->model.routes, lane_of(fabric, queue->channel),
                                            queue->node, to, fabric->lanes);
  for (uint32_t i = 0; i < count; i++)
    add_link(fabric, at, fabric->lanes[i]);
}

static void ask(struct tny_fabric *fabric, uint32_t at)
{
  if (fabric->model.is_synchronizing && tny_fabric_parks(fabric, at))
    return;
  find_options(fabric, at);
  if (!give_any(fabric, at))
    stand_in_line(fabric, at);
}

/* Permutes those who ask at random, so that none is always first. */
static void shuffle(struct tny_fabric *fabric)
{
  uint32_t *asking = fabric->asking;
  for (uint32_t i = fabric->asking_count; i > 1; i--) {
    const uint32_t other = (uint32_t)(tny_random_next(&fabric->random) % i), kept = asking[i - 1];
    asking[i - 1] = asking[other];
    asking[other] = kept;
  }
}

/* Which waiter of this line is served next. iSLIP: the inputs take turns, however many of their
   heads stand there, and an input's heads go by when they came. Else the first who came: then a
   link from which many heads come, in many channels, gets more than one with few. */
static uint32_t next_in_line(const struct tny_fabric *fabric, uint32_t group)
{
  uint32_t best = fabric->groups[group].first, least = UINT32_MAX;
  if (fabric->model.allocator != TNY_ALLOCATE_ISLIP)
    return best;
  for (uint32_t at = best; at != TNY_NONE; at = fabric->waiters[at].after) {
    const uint32_t in = fabric->queues[at / fabric->width].wire;
    const uint32_t turns = tny_turns_until(fabric, fabric->served[group], in);
    if (turns < least) {
      least = turns;
      best = at;
    }
  }
  return best;
}

void tny_fabric_give(struct tny_fabric *fabric)
{
  for (uint32_t i = 0; i < fabric->freed_count; i++) {
    const struct tny_line *line = &fabric->groups[fabric->freed[i]];
    while (line->first != TNY_NONE && unowned(fabric, fabric->freed[i])) {
      const uint32_t queue = next_in_line(fabric, fabric->freed[i]) / fabric->width;
      leave_lines(fabric, queue);
      give_any(fabric, queue);
    }
  }
  fabric->freed_count = 0;
  shuffle(fabric);
  for (uint32_t i = 0; i < fabric->asking_count; i++)
    ask(fabric, fabric->asking[i]);
  fabric->asking_count = 0;
}

/* --- releasing --- */

void tny_channel_open(struct tny_fabric *fabric, uint32_t channel)
{
  struct tny_wire *wire = &fabric->wires[fabric->channels[channel].wire];
  const uint32_t group = group_of(fabric, channel);
  wire->unowned |= (uint64_t)1 << (channel - wire->first_channel);
  if (fabric->groups[group].first != TNY_NONE)
    fabric->freed[fabric->freed_count++] = group;
}

void tny_channel_release(struct tny_fabric *fabric, uint32_t channel)
{
  fabric->channels[channel].owner = TNY_NONE;
  if (fabric->wires[fabric->channels[channel].wire].from_host)
    return; /* its source has it for itself */
  if (fabric->model.release_cycles > 0)
    tny_fabric_after(fabric, fabric->model.release_cycles, TNY_EVENT_CHANNEL, channel);
  else
    tny_channel_open(fabric, channel);
}
