/* The independent simulator's routers, as ours stand for them. */
#ifndef TOURNEY_REPRODUCE_KNOWN_H
#define TOURNEY_REPRODUCE_KNOWN_H

#include <tourney/simulate.h>

#include "reproduce/reproduce.h"

/* Two cycles until the switch is granted, two from there to the link; links take two, from and to
   hosts one, and who takes a flit off one does so in the cycle behind it. A credit goes on its link
   when the flit is granted, for it needn't cross the switch; it is there for two cycles, and is
   counted in the next one. Two virtual channels of 8 flits in each lane, of which tori have two. */
extern const struct tny_network_model tny_known_routers;

/* Without limits; `known` NAN: not known. */
struct tny_finding tny_known_finding(double x, double value, double known);

#endif
