/* What a message costs. Whole numbers, so that every rank counts alike. */
#include "model/cost.h"

uint64_t tny_narrow(tny_wide value)
{
  return value > UINT64_MAX ? UINT64_MAX : (uint64_t)value;
}

uint64_t tny_wire_bytes(uint64_t bytes, uint32_t chunks)
{
  const uint64_t frames = (bytes / chunks + TNY_MESSAGE_COST_BYTES - 1) / TNY_FRAME_BYTES + 1;
  return bytes + chunks * (TNY_MESSAGE_COST_BYTES + frames * TNY_FRAME_COST_BYTES);
}

uint64_t tny_link_ns(uint64_t bandwidth_bps, tny_wide bytes)
{
  return tny_narrow(bytes * 8 * 1000000000 / bandwidth_bps);
}

uint64_t tny_handshake_ns(const struct tny_machine *machine, uint64_t message_bytes,
                          uint64_t route_ns)
{
  return message_bytes > machine->eager_bytes ? machine->handshake_ns + 2 * route_ns : 0;
}

uint64_t tny_rank_ns(const struct tny_machine *machine, uint64_t message_bytes)
{
  return machine->send_overhead_ns + machine->receive_overhead_ns +
         tny_narrow((tny_wide)message_bytes * 2 * machine->byte_overhead_ps / 1000);
}

uint64_t tny_combine_ns(const struct tny_machine *machine, uint64_t bytes)
{
  return tny_narrow((tny_wide)bytes * machine->combine_ps / 1000);
}

uint64_t tny_chunk_step_ns(const struct tny_model *model, uint64_t chunk_bytes)
{
  const uint64_t wire_ns = tny_link_ns(model->link_bps, tny_wire_bytes(chunk_bytes, 1));
  const uint64_t busy_ns = tny_rank_ns(&model->machine, chunk_bytes);
  return wire_ns > busy_ns ? wire_ns : busy_ns;
}
