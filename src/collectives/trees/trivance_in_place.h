/* The all-gather by Trivance (allgather/trivance.c), with no scratch space: every block has its
   place in the output at all times. It is in no list. An all-reduce is made of it, the parts of
   whose block may differ in length by an element, so that they can't be packed. A rank's part isn't
   that of its number, but that of a place among all ranks such that what goes in a message is in a
   row where sides are 3^k or twice that, or one of them is four times that. */
#ifndef TOURNEY_COLLECTIVES_TREES_TRIVANCE_IN_PLACE_H
#define TOURNEY_COLLECTIVES_TREES_TRIVANCE_IN_PLACE_H

#include <tourney/algorithm.h>

extern const struct tny_algorithm tny_trivance_in_place;

#endif
