/* Keeping a plan's links to windows by the sizes of their port buffers. */
#ifndef TOURNEY_PASSES_LIMIT_IN_FLIGHT_H
#define TOURNEY_PASSES_LIMIT_IN_FLIGHT_H

#include <tourney/algorithm.h>

/* Replaces the schedule by one that is held (tny_pass_hold), each link to as many of the longest
   messages as fit into its buffer, a piece taking pace.held_bytes. Where ranks have a clock of
   their own, hosts' ports are held only if a token serves several messages: what comes together at
   a port is little then, and a token for each message costs more than it is worth. Errors:
   TNY_REFUSED as there, and where there is no network; then the schedule stays. */
enum tny_status tny_hold_in_buffers(struct tny_schedule **schedule,
                                    const struct tny_network *network, struct tny_pace pace,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
