/* The entries for Trivance. */
#ifndef TOURNEY_REPRODUCE_JUERSS2026B_H
#define TOURNEY_REPRODUCE_JUERSS2026B_H

#include "reproduce/shared/entry.h"

extern const struct tny_reproduction tny_trivance_steps, tny_trivance_links, tny_trivance_blocks;

#endif
