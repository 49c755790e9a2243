/* The routers of BookSim 2.0, the independent simulator, as a model of ours: the one file with its
   parameters. The entries compare with what BookSim measured; tests and benchmarks of the simulator
   take the same routers, so that their numbers can be compared too. */
#ifndef TOURNEY_REPRODUCE_KNOWN_BOOKSIM_H
#define TOURNEY_REPRODUCE_KNOWN_BOOKSIM_H

#include <tourney/simulate.h>

/* The timing is that of BookSim's default pipeline. A router takes four cycles, two until the
   switch is granted and two from the grant to the link, and a link between routers takes two. Links
   from and to hosts take one, there and back, and a host takes a flit off its link in the cycle
   behind it. A credit goes on its link when its flit is granted, for it needn't cross the switch;
   it is on the link for two cycles, and counts in the next one: so the room of a flit is used
   again after 4 + 3 cycles. A channel can be given again in the cycle after its tail was granted
   the switch. There are two virtual channels of 8 flits in each lane, and a torus has two lanes.
   The seed is 1, and `routes` is NULL: who takes the model fills it in. */
extern const struct tny_network_model tny_booksim_routers;

#endif
