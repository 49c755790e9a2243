/* How long links and ranks are busy with messages, phase by phase and in all. */
#ifndef TOURNEY_MODEL_LOADS_H
#define TOURNEY_MODEL_LOADS_H

#include "model/messages.h"

/* A phase is busy as long as its fullest link. */
struct tny_busy_times {
  uint64_t phases_sum, phase_longest;
  /* As if all phases were one: the fullest link, and the rank that has most to do. */
  uint64_t fullest_link, busiest_rank;
  /* Of a message without its bytes: the mean over the phases of the mean of each, since what a rank
     waits for comes now over long routes, now over short ones; and the longest of all. */
  uint64_t latency_ns, latency_longest;
  /* Of the two ranks whose messages take longest if each waits for an answer to the one before: the
     ways there and back alone, without what software takes. */
  uint64_t answers_ns;
  uint64_t window_ns; /* of the link that takes longest with a window of its port buffer */
  bool is_much;       /* on some link more than its port's buffer */
};

/* How long so many bytes take over a link where at most a port buffer's worth is in flight: a
   buffer's worth in each round trip. */
uint64_t tny_window_ns(const struct tny_link *link, uint64_t bytes);

/* Sorts the messages by phase. Cost: their routes. */
enum tny_status tny_busy_times_add_up(const struct tny_model *model,
                                      const struct tny_network *network,
                                      struct tny_messages *messages, struct tny_busy_times *times,
                                      struct tny_error *error) TNY_MUST_CHECK;

/* Extrapolates a sum over the messages that are looked at to all. */
uint64_t tny_messages_scaled(const struct tny_messages *messages, uint64_t value);

#endif
