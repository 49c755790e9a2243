/* The messages of a schedule of whole blocks, without all else: who sends how much to whom, how far
   it goes, and what of it crosses from group to group. */
#ifndef TOURNEY_REPRODUCE_SENDS_H
#define TOURNEY_REPRODUCE_SENDS_H

#include <tourney/schedule.h>

struct tny_sent {
  uint32_t from, to; /* ranks */
  uint32_t phase;
  uint32_t blocks;
};
struct tny_sends {
  struct tny_sent *list;
  size_t count;
  uint32_t rank_count, phase_count;
};
/* Lists them. Owns: tny_sends_release, also after a failure. Errors: TNY_REFUSED where blocks
   are cut in chunks. */
enum tny_status tny_sends_list(const struct tny_schedule *schedule, struct tny_sends *messages,
                               struct tny_error *error) TNY_MUST_CHECK;
void tny_sends_release(struct tny_sends *messages);

/* How far apart the two ranks of a phase's messages are, round a circle of all ranks; NAN where
   that isn't the same for all of them, and where there are none. */
double tny_sends_distance(const struct tny_sends *messages, uint32_t phase);
/* The same in cables between switches, by a network's routes. */
double tny_sends_hops(const struct tny_sends *messages, uint32_t phase,
                      const struct tny_network *network);
/* The blocks that each link carries by a network's routes; `blocks` has link_count entries. */
void tny_sends_load(const struct tny_sends *messages, const struct tny_network *network,
                    uint64_t *blocks);
/* The blocks that go from one group to another. */
uint64_t tny_sends_between(const struct tny_sends *messages, const uint32_t *group_of_rank);

#endif
