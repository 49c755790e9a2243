/* The all-gather by the circulant graph with halved skips (allgather/circulant_halving.c), with no
   scratch space: every block has its place in the output at all times. It is in no list. An
   all-reduce is made of it, the parts of whose block may differ in length by an element, so that
   they can't be rotated. */
#ifndef TOURNEY_COLLECTIVES_SHARED_CIRCULANT_IN_PLACE_H
#define TOURNEY_COLLECTIVES_SHARED_CIRCULANT_IN_PLACE_H

#include <tourney/algorithm.h>

extern const struct tny_algorithm tny_circulant_in_place;

#endif
