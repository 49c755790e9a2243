/* Limits what a plan has in flight over each link to what the link's port buffer takes. */
#ifndef TOURNEY_PASSES_LIMIT_IN_FLIGHT_H
#define TOURNEY_PASSES_LIMIT_IN_FLIGHT_H

#include <tourney/algorithm.h>

struct tny_limit {
  struct tny_pace pace;
  uint32_t pieces_a_message; /* of the longest block, and as many bytes of others (algorithm.h) */
};

/* Replaces the schedule by one whose links are limited (tny_pass_limit_links). The window of each
   link is as many of the longest messages as fit into its buffer, where a piece takes
   pace.limit_message_bytes of it, or all of a message that has several by its algorithm. Where
   ranks are paced by receives as well (pace.window isn't 0), hosts' ports are limited only if a
   token serves several messages: then little comes together at a port, and a token for each message
   would cost more than it is worth. Errors: TNY_REFUSED as there, and where there is no network;
   then the schedule stays as it is. */
enum tny_status tny_limit_in_flight(struct tny_schedule **schedule,
                                    const struct tny_network *network, struct tny_limit limit,
                                    struct tny_error *error) TNY_MUST_CHECK;

#endif
