/* The bytes of messages where the blocks of an all-to-all differ in size. */
#ifndef TOURNEY_SCHEDULE_MESSAGE_BYTES_H
#define TOURNEY_SCHEDULE_MESSAGE_BYTES_H

#include "schedule/match.h"

/* Is all that is sent or copied a piece of one block that the rank has from the start? Then a step
   says by itself which block its bytes are of. */
bool tny_sends_straight(const struct tny_schedule *schedule);
/* Finds the bytes of all messages: plays the schedule's data moves and sees which blocks a message
   has. `block_bytes_of` has those of each block, at sender * rank_count + receiver. Shape: `bytes`
   has an entry for each step, those of messages are filled. Errors: TNY_REFUSED for what is no
   all-to-all; TNY_BROKEN for a deadlock. Cost, also in memory: the places for blocks that all ranks
   have. */
enum tny_status tny_message_bytes_find(const struct tny_match *match,
                                       const uint64_t *block_bytes_of, uint64_t *bytes,
                                       struct tny_error *error) TNY_MUST_CHECK;

#endif
