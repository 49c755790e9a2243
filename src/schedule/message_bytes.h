/* The bytes of messages where blocks differ in size. */
#ifndef TOURNEY_SCHEDULE_MESSAGE_BYTES_H
#define TOURNEY_SCHEDULE_MESSAGE_BYTES_H

#include "schedule/match.h"

/* Is all that is sent or copied a piece of one block that the rank has from the start? Then a step
   says by itself which block its bytes are of. */
bool tny_sends_straight(const struct tny_schedule *schedule);
/* How long blocks are. */
struct tny_block_sizes {
  /* Borrowed: of an all-to-all at sender * rank_count + receiver; of an all-gather or
     reduce-scatter by rank, all of which know all. */
  const uint64_t *bytes_of;
  uint64_t planned_bytes; /* what the plan has each of those for, which all know */
};

/* Finds the bytes of all messages, and of what is combined: plays the schedule's data moves and
   sees which blocks a message has. Shape: `bytes` has an entry for each step, those of messages and
   reduces are filled. Errors: TNY_REFUSED for collectives whose blocks don't differ; TNY_BROKEN for
   a deadlock. Cost, also in memory: the places for blocks that all ranks have. */
enum tny_status tny_message_bytes_find(const struct tny_match *match,
                                       const struct tny_block_sizes *sizes, uint64_t *bytes,
                                       struct tny_error *error) TNY_MUST_CHECK;

#endif
