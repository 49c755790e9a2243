/* The crossbar of each switch: which outputs pass a flit in a cycle. An output passes one a cycle,
   and so does an input, whatever channel it's of (but for shared stores).

   Round robin: the outputs, begun at another one each cycle, take in turn what no other has taken
   of their input. iSLIP (McKeown, The iSLIP scheduling algorithm for input-queued switches,
   IEEE/ACM ToN 1999), one iteration: each output offers itself to one input, in turn, whatever
   channels it has flits in; of its offers each input accepts one, in turn; and it's the turn of the
   next only where an offer was accepted. Heads that wait for a channel get it by the same turns
   (lanes.c).
*/
#include "simulator/inside.h"

/* Sends a flit of the first ready channel, in turn, whose input has passed none in this cycle. */
static void pass_in_turn(struct tny_fabric *fabric, struct tny_wire *wire)
{
  const uint64_t behind = tny_bits_behind(wire->ready, wire->last);
  const uint64_t turns[] = {behind, wire->ready & ~behind};
  for (int i = 0; i < 2; i++)
    for (uint64_t mask = turns[i]; mask; mask &= mask - 1) {
      const uint32_t bit = (uint32_t)__builtin_ctzll(mask);
      const uint32_t in = fabric->channels[wire->first_channel + bit].in;
      if (in != TNY_NONE && fabric->passed_in[in] == fabric->cycle)
        continue;
      if (in != TNY_NONE)
        fabric->passed_in[in] = fabric->cycle;
      wire->last = (uint8_t)bit;
      tny_channel_send(fabric, wire->first_channel + bit);
      return;
    }
}

static void cross_round_robin(struct tny_fabric *fabric, uint32_t count)
{
  const uint32_t start = (uint32_t)fabric->cycle % count;
  for (uint32_t i = start; i < count; i++)
    pass_in_turn(fabric, &fabric->wires[fabric->batch[i]]);
  for (uint32_t i = 0; i < start; i++)
    pass_in_turn(fabric, &fabric->wires[fabric->batch[i]]);
}

/* The ready channel, counted from 0, whose turn it is. */
static inline uint32_t next_ready(const struct tny_wire *wire)
{
  const uint64_t behind = tny_bits_behind(wire->ready, wire->last);
  return (uint32_t)__builtin_ctzll(behind ? behind : wire->ready);
}

/* Of an output's ready channels one of the input whose turn it is; an input's channels take turns,
   too. What no input limits, of sources and shared stores, is in turn as if it came from one. */
static inline uint32_t next_offer(const struct tny_fabric *fabric, const struct tny_wire *wire)
{
  const uint64_t behind = tny_bits_behind(wire->ready, wire->last);
  const uint64_t parts[] = {behind, wire->ready & ~behind};
  uint32_t best = next_ready(wire), least = UINT32_MAX;
  if (!(wire->ready & (wire->ready - 1)))
    return best;
  for (int i = 0; i < 2; i++)
    for (uint64_t mask = parts[i]; mask; mask &= mask - 1) {
      const uint32_t bit = (uint32_t)__builtin_ctzll(mask);
      const uint32_t in = fabric->channels[wire->first_channel + bit].in;
      const uint32_t turns = tny_turns_until(fabric, wire->granted, in);
      if (turns < least) {
        least = turns;
        best = bit;
      }
    }
  return best;
}

/* The output sends a flit of this channel, whose input has accepted its offer. */
static inline void pass(struct tny_fabric *fabric, uint32_t output, uint32_t bit)
{
  struct tny_wire *wire = &fabric->wires[output];
  const uint32_t in = fabric->channels[wire->first_channel + bit].in;
  if (in != TNY_NONE)
    fabric->wires[in].accepted = output;
  wire->last = (uint8_t)bit;
  wire->granted = in;
  tny_channel_send(fabric, wire->first_channel + bit);
}

/* The output offers itself to the input of this channel. */
static void offer(struct tny_fabric *fabric, uint32_t output, uint32_t bit)
{
  const uint32_t input = fabric->channels[fabric->wires[output].first_channel + bit].in;
  if (input == TNY_NONE)
    return;
  struct tny_wire *in = &fabric->wires[input];
  if (fabric->passed_in[input] != fabric->cycle ||
      tny_turns_until(fabric, in->accepted, output) <
          tny_turns_until(fabric, in->accepted, in->offered))
    in->offered = output;
  fabric->passed_in[input] = fabric->cycle;
}

static void cross_islip(struct tny_fabric *fabric, uint32_t count)
{
  uint32_t *offers = fabric->batch + fabric->wire_count;
  for (uint32_t i = 0; i < count; i++) {
    offers[i] = next_offer(fabric, &fabric->wires[fabric->batch[i]]);
    offer(fabric, fabric->batch[i], offers[i]);
  }
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t output = fabric->batch[i];
    const uint32_t input = fabric->channels[fabric->wires[output].first_channel + offers[i]].in;
    if (input == TNY_NONE || fabric->wires[input].offered == output)
      pass(fabric, output, offers[i]);
  }
}

/* `count` outputs of one switch or host, in the batch. */
static void cross_node(struct tny_fabric *fabric, uint32_t count)
{
  const struct tny_wire *first = &fabric->wires[fabric->batch[0]];
  const bool is_islip = fabric->model.allocator == TNY_ALLOCATE_ISLIP;
  if (count == 1) /* it needn't ask */
    pass(fabric, fabric->batch[0], is_islip ? next_offer(fabric, first) : next_ready(first));
  else if (is_islip)
    cross_islip(fabric, count);
  else
    cross_round_robin(fabric, count);
}

void tny_fabric_cross(struct tny_fabric *fabric)
{
  const struct tny_bits *outputs = &fabric->outputs;
  uint32_t node = TNY_NONE, count = 0;
  for (uint32_t i = 0; i * 64 < outputs->word_count; i++)
    for (uint64_t filled = outputs->filled[i]; filled; filled &= filled - 1) {
      const uint32_t word = i * 64 + (uint32_t)__builtin_ctzll(filled);
      for (uint64_t bits = outputs->words[word]; bits; bits &= bits - 1) {
        const uint32_t wire = word * 64 + (uint32_t)__builtin_ctzll(bits);
        if (fabric->wires[wire].from != node && count > 0) {
          cross_node(fabric, count);
          count = 0;
        }
        node = fabric->wires[wire].from;
        fabric->batch[count++] = wire;
      }
    }
  if (count > 0)
    cross_node(fabric, count);
}
