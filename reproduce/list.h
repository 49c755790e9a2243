/* The entries, by paper; each lives in the file of its paper. */
#ifndef TOURNEY_REPRODUCE_LIST_H
#define TOURNEY_REPRODUCE_LIST_H

#include "reproduce/reproduce.h"

#endif
