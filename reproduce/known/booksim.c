/* The values; what they mean is said in the header. */
#include "reproduce/known/booksim.h"

const struct tny_network_model tny_booksim_routers = {.buffering = TNY_BUFFER_CHANNELS,
                                                      .allocator = TNY_ALLOCATE_ISLIP,
                                                      .channels = 2,
                                                      .depth = 8,
                                                      .switch_cycles = 2,
                                                      .link_cycles = 4,
                                                      .inject_cycles = 2,
                                                      .eject_cycles = 3,
                                                      .credit_cycles = 3,
                                                      .inject_credit_cycles = 2,
                                                      .release_cycles = 1,
                                                      .ports = 1,
                                                      .seed = 1};
