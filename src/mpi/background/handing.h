/* A plan that rank 0 makes for all and hands out (mpi/handout), without waiting: within the first
   operation of a lane that needs it. */
#ifndef TOURNEY_MPI_BACKGROUND_HANDING_H
#define TOURNEY_MPI_BACKGROUND_HANDING_H

#include "mpi/comm_state.h"
#include "mpi/handout/planner.h"

/* What rank 0 tells a rank. */
struct tny_handing_head {
  struct tny_parts_head head;
  enum tny_made_answer answer;
  uint32_t is_stored;
  uint32_t bytes_max;  /* of all parts */
  uint32_t byte_count; /* of this rank's, in the message behind */
};

/* A hand-out under way; all zero: none. Stays where it is in memory. */
struct tny_handing {
  bool is_begun;
  bool is_known; /* this rank's part is here */
  struct tny_plan_key key;
  struct tny_handing_head own;
  struct tny_handed *handed;      /* this rank's part, on its way */
  struct tny_made made;           /* at rank 0, until all parts are sent */
  struct tny_handing_head *heads; /* at rank 0: by rank */
  int count;                      /* of requests */
  MPI_Request one, *requests;     /* at other ranks one at a time; at rank 0 a list */
};

/* Begins; at rank 0, makes the plan. Returns an MPI error code, as do those below. */
int tny_handing_begin(struct tny_handing *handing, const struct tny_comm_state *state,
                      const struct tny_plan_request *request);
/* Goes on. When the part is known, *entry is what the lane has agreed on from then on; its
   why_native is set where rank 0 couldn't make the plan. Owns: *entry is the caller's. */
int tny_handing_advance(struct tny_handing *handing, const struct tny_comm_state *state,
                        struct tny_agreed **entry);
/* Are all parts sent? Always so at other ranks than 0. */
int tny_handing_is_sent(struct tny_handing *handing, bool *is_sent);
/* Frees what it has; nothing is on its way. */
void tny_handing_release(struct tny_handing *handing);

#endif
