/* A rank's two queues, walked through. */
#ifndef TOURNEY_VERIFY_QUEUES_H
#define TOURNEY_VERIFY_QUEUES_H

#include "schedule/match.h"

/* The first step at or behind `id` of one of its rank's queues; the id behind the rank's last step
   where there is none. */
static inline uint32_t tny_queue_next(const struct tny_match *match, uint32_t rank, bool receives,
                                      uint32_t id)
{
  while (id < match->first[rank + 1] &&
         tny_step_receives(tny_match_step(match, id)->kind) != receives)
    id++;
  return id;
}

#endif
