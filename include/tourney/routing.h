/* Routing: which links messages take, on which lanes, and whether they can ever block each other
   for good.

   A lane is a virtual channel of a link: a queue of its own at the far end, so that a message
   waiting in one lane doesn't block another lane's. Where a routing needs more than one (on rings
   and tori, and by shortest path in lanes), routes name (link, lane); who has no lanes (a
   store-and-forward network that drops, as Ethernet does) looks at the links alone, by
   tny_routes_next. */
#ifndef TOURNEY_ROUTING_H
#define TOURNEY_ROUTING_H

#include <tourney/cluster.h>

/* The routing that the cluster asks for; else shortest path on a tree, dimension order on a ring,
   torus or mesh, and up*-down* on any other network. */
enum tny_routing tny_routing_default(const struct tny_cluster *cluster);
/* As options and cluster files call it: "up-down"; not of TNY_ROUTING_TABLE, which has no name. */
const char *tny_routing_name(enum tny_routing routing);
/* Finds the routing of that name; false: there is none. */
bool tny_routing_find(const char *name, enum tny_routing *routing);
/* For people: "BFS up*-down*". */
const char *tny_routing_title(enum tny_routing routing);

/* Makes the routes of one routing; tny_routes_make is this with TNY_ROUTING_AUTO. TNY_REFUSED
   where the cluster can't have it (dimension order on what is no grid) or where its tables would
   need more than 4 GiB; TNY_ROUTING_TABLE is read by tny_routes_read. All are deterministic.
   Owns: *routes is the caller's, to be freed by tny_routes_free; the cluster is borrowed. Cost:
   (switches)^2 memory; dimension order: switches. */
enum tny_status tny_routes_make_as(const struct tny_cluster *cluster, enum tny_routing routing,
                                   struct tny_routes **routes,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* Reads given tables (docs/cluster-files.md has their form); `name` is what errors call the text.
   Refuses, with the line, unknown names, non-neighbours, loops and holes; not deadlocks: ask
   tny_routes_check. Owns, cost: as above, but switches * hosts memory. */
enum tny_status tny_routes_read(const struct tny_cluster *cluster, const char *text,
                                const char *name, struct tny_routes **routes,
                                struct tny_error *error) TNY_MUST_CHECK;

struct tny_lane {
  uint32_t link; /* TNY_NONE: none */
  uint32_t lane; /* 0 .. lane_count-1 of the routes */
};

/* The one way that a message to host `to` takes at `node`; link TNY_NONE at the end. The link is
   that of tny_routes_next. Cost: O(1), no memory. Threads: any, as all calls below. */
struct tny_lane tny_routes_choice(const struct tny_routes *routes, uint32_t node, uint32_t to_host);
/* All ways that a message to host `to` may take at `node`, into which it came by `in` (link
   TNY_NONE at its source). One where the routing isn't adaptive. Up*-down*: every link that is on a
   shortest legal way from here, given that what went down may not go up again; such a way isn't
   always as long as the deterministic one, which must not depend on `in`.
   `options` has option_max entries (tny_routes_option_max). Returns how many there are; 0 at the
   end, or where `in` leads to no legal way. Cost: the trunks of the switch, no memory. */
uint32_t tny_routes_options(const struct tny_routes *routes, struct tny_lane in, uint32_t node,
                            uint32_t to_host, struct tny_lane *options);
/* The most options anywhere; at least 1. */
uint32_t tny_routes_option_max(const struct tny_routes *routes);
/* How many lanes a link has: 2 on rings and tori by dimension order; as many as the longest way
   between two switches has trunks by shortest path in lanes; else 1. */
uint32_t tny_routes_lane_count(const struct tny_routes *routes);
/* Whether tny_routes_options may give more than the deterministic choice. */
bool tny_routes_are_adaptive(const struct tny_routes *routes);

/* Proves that messages can't deadlock, whatever their lengths, under wormhole or cut-through
   switching: builds the channel dependency graph (Dally and Seitz 1987) over (link, lane), of the
   deterministic choices, or with `adaptive` of all options, and looks for cycles; and that no
   message ever is without a next link. TNY_OK: every message arrives. TNY_BROKEN: error->text says
   why not, a cycle shortened where it is long. `cycle` may be NULL; else it gets the whole of a
   shortest cycle, a line a channel, "s0 -> s1" or "s0 -> s1 lane 0" (of parallel cables, "s0 ->
   s1#1" is the second), each waiting for the next one and the last for the first; NULL where there
   is none. Owns: *cycle is the caller's, to be freed by tny_text_free. Cost: hosts * channels time,
   the pairs of adjoining channels in memory. */
enum tny_status tny_routes_check(const struct tny_routes *routes, bool adaptive, char **cycle,
                                 struct tny_error *error) TNY_MUST_CHECK;

#endif
