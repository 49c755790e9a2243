/* Every algorithm of this folder, for the registry. */
#ifndef TOURNEY_ALGORITHMS_LIST_H
#define TOURNEY_ALGORITHMS_LIST_H

#include <tourney/algorithm.h>

extern const struct tny_algorithm tny_bcast_binomial;
extern const struct tny_algorithm tny_bcast_switch_ordered_binomial;
extern const struct tny_algorithm tny_bcast_chain;
extern const struct tny_algorithm tny_bcast_switch_ordered_chain;
extern const struct tny_algorithm tny_allgather_ring;
extern const struct tny_algorithm tny_allgather_switch_ordered_ring;
extern const struct tny_algorithm tny_alltoall_shift;
extern const struct tny_algorithm tny_alltoall_shuffle;

#endif
