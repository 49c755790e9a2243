/* The numbers of lanes, which make the tags of their messages. On a communicator that has a context
   id by then (context/ids.h), the id makes the number too: whoever may have the one may have the
   other.

   Others have none that all ranks know. Theirs is drawn by the communicator's rank 0 out of a share
   of its own, so that no two communicators that are alive have the same one, whatever other ranks
   draw at that time. It may be drawn again when all ranks of the communicator have freed it, of
   which each tells rank 0. MPI_COMM_WORLD's rank 0, which is that of most communicators, has half
   of these numbers, the others the rest.

   Contexts have the lower quarter of the tags, their lanes the next, the shares the upper half; or
   where shares would be small, there are none, and contexts have half. */
#ifndef TOURNEY_MPI_BACKGROUND_NUMBERS_H
#define TOURNEY_MPI_BACKGROUND_NUMBERS_H

#include "mpi/comm_state.h"

/* How many numbers there are follows from the greatest tag; false: too few. *tag_max becomes the
   greatest that lanes leave to contexts. */
bool tny_lane_numbers_open(int *tag_max, uint32_t rank_count);
/* Are there shares to draw from? All ranks find the same. */
bool tny_lane_numbers_are_shared(void);
/* The number of the lane of a communicator with this context. */
int64_t tny_lane_number_of(const struct tny_context *context);
/* Such a lane, of this state, has left messages behind: no other may have its number. */
void tny_lane_number_spoil(const struct tny_comm_state *state);
/* A number for a communicator of which this rank, `world_rank` in MPI_COMM_WORLD, is rank 0; as the
   id of a context. Negative: there is none left. */
int64_t tny_lane_number_draw(uint32_t world_rank);
/* This rank has freed the communicator whose lane, of a drawn number, has such a state, and its
   operations are over. */
void tny_lane_number_retire(const struct tny_comm_state *state);
/* From now on nothing is told. */
void tny_lane_numbers_close(void);

#endif
