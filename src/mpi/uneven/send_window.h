/* What an uneven call may have in flight: a rank's window in bytes. A plan's own window is so many
   messages, which are alike there; of messages that differ, a few would be too much or too little.

   In an all-to-all, and where a rank combines its result as it comes from all others, what a rank
   sends tells nothing of what it gets. There, numbered in list order, a plan's t-th send and t-th
   receive are of the same time. So what a rank has sent since the send with the number of its first
   open receive is taken to be in flight, as in the pass `pace`. Ranks that send little keep step as
   well, since a window has only so many messages.

   In an all-gather ranks pass on what they get, in one that is turned round what they have combined
   with it, and a long block is long at every rank. By numbers, all ranks would wait for whoever has
   the longest block just then. There, what a rank has sent beyond what it has received, in bytes,
   is taken to be in flight.

   A send waits until a window's bytes are enough for it, or it is alone. It waits only for receives
   of phases before its own, so that it waits for nothing that it wouldn't wait for in the plan of a
   window of one message, and progress is that plan's. */
#ifndef TOURNEY_MPI_UNEVEN_SEND_WINDOW_H
#define TOURNEY_MPI_UNEVEN_SEND_WINDOW_H

#include "mpi/areas.h"
#include "mpi/cache/plan.h"

/* All zero but for the first two: before a run. */
struct tny_send_window {
  struct tny_window most;            /* no bytes: sends don't wait */
  const struct tny_buffers *buffers; /* of an uneven call; borrowed */
  uint32_t received, sent;           /* receives that are complete, without a gap; sends started */
  uint32_t posted_at, started_at; /* in the plan's lists: the receive and the send of that number */
  int64_t in_flight; /* bytes of what was sent from that send on, or beyond what was received */
};

/* May this step, the next that starts, do so? The receives before `posted_head` in the plan's list
   are posted. If not, *awaited is what it waits for, NULL where that isn't posted yet. */
bool tny_send_window_has_room(struct tny_send_window *window, struct tny_plan *plan, uint32_t index,
                              uint32_t posted_head, MPI_Request **awaited);
/* It has been started. */
void tny_send_window_add(struct tny_send_window *window, const struct tny_plan *plan,
                         uint32_t index);

#endif
