/* What a message costs: bytes and time on a link, and time of the ranks' processors, as LogGP
   counts them (include/tourney/machine.h). */
#ifndef TOURNEY_MODEL_COST_H
#define TOURNEY_MODEL_COST_H

#include <tourney/model.h>

enum { /* what bytes cost beside, on an Ethernet under TCP */
       TNY_FRAME_BYTES = 1448,
       TNY_FRAME_COST_BYTES = 66,
       TNY_MESSAGE_COST_BYTES = 40, /* MPI's own header */
};

/* Nanoseconds times bytes pass 64 bits. */
__extension__ typedef unsigned __int128 tny_wide;

/* The value, or UINT64_MAX where that is less. */
uint64_t tny_narrow(tny_wide value);

/* Bytes on the wire of a message that is sent in so many chunks, with frames and headers. */
uint64_t tny_wire_bytes(uint64_t bytes, uint32_t chunks);
uint64_t tny_link_ns(uint64_t bandwidth_bps, tny_wide bytes);

/* What a message over the eager limit waits for its handshake, which goes to the receiver and back
   over a route of that latency; 0: it has none. */
uint64_t tny_handshake_ns(const struct tny_machine *machine, uint64_t message_bytes,
                          uint64_t route_ns);
/* Processor time of a rank that receives a message of so many bytes, and sends one. */
uint64_t tny_rank_ns(const struct tny_machine *machine, uint64_t message_bytes);
/* How long a rank combines so many bytes. */
uint64_t tny_combine_ns(const struct tny_machine *machine, uint64_t bytes);
/* From one chunk of such a length to the next, where a rank receives and sends one after the other:
   the time of the link or of the processor, whichever is longer. */
uint64_t tny_chunk_step_ns(const struct tny_model *model, uint64_t chunk_bytes);

#endif
