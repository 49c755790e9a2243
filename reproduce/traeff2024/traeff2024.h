/* The entries for Traeff's circulant graphs; they are of two papers. */
#ifndef TOURNEY_REPRODUCE_TRAEFF2024_H
#define TOURNEY_REPRODUCE_TRAEFF2024_H

#include "reproduce/shared/entry.h"

extern const struct tny_reproduction tny_traeff_pipelined, tny_traeff_halving;

#endif
