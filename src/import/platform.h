/* A network of which only routes are told, as SimGrid's platforms are: points (hosts and routers),
   links, and routes that pass links from point to point. Where links meet isn't said: it follows
   from the routes. Places are found again by union-find: what is known to be the same place is
   joined. */
#ifndef TOURNEY_IMPORT_PLATFORM_H
#define TOURNEY_IMPORT_PLATFORM_H

#include <tourney/import.h>

#include "cluster/build.h"

/* How a link is shared. */
enum tny_sharing {
  TNY_SHARING_UNSAID, /* as SHARED; as SPLIT where a route says a direction */
  TNY_SHARED,         /* both directions have the rate together */
  TNY_FATPIPE,        /* each transfer has it for itself */
  TNY_SPLIT,          /* full duplex: each direction has it */
};

enum tny_direction { TNY_UNSAID, TNY_FORWARD, TNY_BACKWARD };

struct tny_place {
  uint32_t parent; /* a place that is the same; itself: the one that stands for all of them */
  uint32_t point;  /* one that is there; TNY_NONE: none is */
};

/* A host or a router; its name is that of the node of the same number in `points`. */
struct tny_point {
  uint32_t place;
  unsigned line;
};

/* Rates, and how they are shared. */
struct tny_link_rates {
  uint64_t bps, latency_ns;
  enum tny_sharing sharing;
};

/* A link with a name, that of the node of the same number in `links`. */
struct tny_platform_link {
  struct tny_link_rates rates;
  uint32_t ends[2];  /* places; forward is from the first to the second */
  bool is_passed[2]; /* forward, backward: by a route */
  unsigned line;
};

/* A cable, in both directions. With both ends at one place it is that place's backbone: all that
   passes the place passes it. */
struct tny_platform_edge {
  uint32_t ends[2];
  struct tny_link_rates rates;
  unsigned line; /* that says so */
};

struct tny_hop {
  uint32_t link;
  enum tny_direction direction;
};

struct tny_platform_route {
  uint32_t from, to; /* places */
  uint32_t first_hop, hop_count;
  bool is_symmetrical; /* it is the way back too */
  bool is_done;
  unsigned line;
};

/* What the note counts. */
struct tny_platform_guesses {
  uint32_t limited;  /* hosts that send and receive less at once than their cables carry */
  uint32_t changing; /* links that change over time */
};

struct tny_platform {
  const char *file;
  struct tny_build points, links; /* only their tables of names are used */
  struct tny_place *places;
  uint32_t place_count, place_room;
  struct tny_point *point_at; /* by point */
  uint32_t point_room;
  struct tny_platform_link *link_at; /* by link */
  uint32_t link_room;
  struct tny_platform_edge *edges;
  uint32_t edge_count, edge_room;
  struct tny_platform_route *routes;
  uint32_t route_count, route_room;
  struct tny_hop *hops;
  uint32_t hop_count, hop_room;
  struct tny_platform_guesses guesses;
  enum tny_routing routing; /* that the cluster asks for */
};

/* Storage is the caller's; the file's name must outlive it. */
void tny_platform_init(struct tny_platform *platform, const char *file);
void tny_platform_release(struct tny_platform *platform);
/* A place without a name. */
enum tny_status tny_platform_add_place(struct tny_platform *platform, uint32_t *place,
                                       struct tny_error *error) TNY_MUST_CHECK;
/* A host or a switch (a router), whose name must be new, at a place of its own. */
enum tny_status tny_platform_add_point(struct tny_platform *platform, const char *name,
                                       enum tny_kind kind, unsigned line, uint32_t *place,
                                       struct tny_error *error);
/* The place of a point, or TNY_NONE. */
uint32_t tny_platform_find_point(const struct tny_platform *platform, const char *name);
/* The one that stands for a place. */
uint32_t tny_platform_find(struct tny_platform *platform, uint32_t place);
void tny_platform_join(struct tny_platform *platform, uint32_t a, uint32_t b);
/* A link whose name must be new, between places that are yet to be found. */
enum tny_status tny_platform_add_link(struct tny_platform *platform, const char *name,
                                      const struct tny_link_rates *rates, unsigned line,
                                      struct tny_error *error) TNY_MUST_CHECK;
/* Refuses so many more cables, which the line asks for, where a cluster can't have them. What makes
   many of a few numbers asks first, so that what is refused takes no memory. */
enum tny_status tny_platform_check_room(const struct tny_platform *platform, uint64_t cables,
                                        unsigned line, struct tny_error *error) TNY_MUST_CHECK;
enum tny_status tny_platform_add_edge(struct tny_platform *platform,
                                      const struct tny_platform_edge *edge,
                                      struct tny_error *error) TNY_MUST_CHECK;
/* Adds a route; its hops are those added since the last one. */
enum tny_status tny_platform_add_route(struct tny_platform *platform,
                                       const struct tny_platform_route *route,
                                       struct tny_error *error) TNY_MUST_CHECK;
enum tny_status tny_platform_add_hop(struct tny_platform *platform, const struct tny_hop *hop,
                                     struct tny_error *error) TNY_MUST_CHECK;

/* After all of it: the links that routes pass become edges. Refuses routes from which it doesn't
   follow where a link leads, and links that lead one way only. */
enum tny_status tny_platform_settle(struct tny_platform *platform,
                                    struct tny_error *error) TNY_MUST_CHECK;
/* After that: places become hosts and switches, edges cables; the build's note says what a cluster
   can't express. */
enum tny_status tny_platform_build(struct tny_platform *platform, struct tny_build *build,
                                   struct tny_error *error) TNY_MUST_CHECK;

#endif
