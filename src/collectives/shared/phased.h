/* The phased all-to-all of rings and tori, which its two forms share. */
#ifndef TOURNEY_COLLECTIVES_SHARED_PHASED_H
#define TOURNEY_COLLECTIVES_SHARED_PHASED_H

#include <tourney/algorithm.h>

#include "collectives/shared/ring_phases.h"

const char *tny_phased_refuse(const struct tny_problem *problem, enum tny_ways ways);
struct tny_claim tny_phased_claim(const struct tny_problem *problem, enum tny_ways ways);
void tny_phased_emit(const struct tny_problem *problem, enum tny_ways ways, uint32_t rank,
                     struct tny_builder *builder);

#endif
