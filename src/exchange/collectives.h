/* What the forms and the checks have to know of a collective, beyond its row. */
#ifndef TOURNEY_EXCHANGE_COLLECTIVES_H
#define TOURNEY_EXCHANGE_COLLECTIVES_H

#include <tourney/schedule.h>

bool tny_exchange_has_input(const struct tny_schedule *head, uint32_t rank);
/* Has the rank an output in a schedule of ours? At the root of a broadcast the input serves as
   both. MSCCL's root has an output of its own. */
bool tny_exchange_has_output(const struct tny_schedule *head, uint32_t rank);
/* The block of a rank's output that its input begins at where the collective is in place; TNY_NONE:
   it has no such block. */
uint32_t tny_exchange_in_place_block(enum tny_collective collective, uint32_t rank);
/* The block that belongs in a block of a rank's output, counted over the inputs of all ranks. */
uint64_t tny_exchange_wanted_block(const struct tny_schedule *head, uint32_t rank, uint32_t block);

/* Bytes of a message in a form that has none of 0 bytes: one where it carries nothing. */
uint64_t tny_exchange_message_bytes(const struct tny_span *span, uint64_t block_bytes);

/* Bytes that a rank has to send and to receive, whatever the algorithm: what ranks have is their
   own, so no coding makes less do. */
struct tny_exchange_least {
  uint64_t sent, received;
};
struct tny_exchange_least tny_exchange_least_bytes(const struct tny_schedule *head, uint32_t rank,
                                                   uint64_t block_bytes);

#endif
