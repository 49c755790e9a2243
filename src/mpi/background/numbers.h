/* The numbers of lanes, which make the tags of their messages. A number is drawn by a
   communicator's rank 0 out of a share of its own, so that no two communicators that are alive have
   the same one, whatever other ranks draw at that time. It may be drawn again when all ranks of the
   communicator have freed it, of which each tells rank 0. Lanes have the upper half of the tags,
   contexts (context/ids.h) the lower. */
#ifndef TOURNEY_MPI_BACKGROUND_NUMBERS_H
#define TOURNEY_MPI_BACKGROUND_NUMBERS_H

#include "mpi/comm_state.h"

/* How many numbers there are follows from the greatest tag; false: too few. *tag_max becomes the
   greatest that lanes leave to others. */
bool tny_lane_numbers_open(int *tag_max, uint32_t rank_count);
/* A number for a communicator of which this rank, `world_rank` in MPI_COMM_WORLD, is rank 0; as the
   id of a context (context/ids.h). Negative: there is none left. */
int64_t tny_lane_number_draw(uint32_t world_rank);
/* This rank has freed the communicator whose lane has such a state, and its operations are over. */
void tny_lane_number_retire(const struct tny_comm_state *state);
/* From now on nothing is told. */
void tny_lane_numbers_close(void);

#endif
