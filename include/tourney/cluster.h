/* The cluster: hosts, switches, links with bandwidth, latency and port buffer; the routes that
   messages take; where ranks sit; and the lower bounds that follow. Units: bit/s, ns, bytes. */
#ifndef TOURNEY_CLUSTER_H
#define TOURNEY_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include <tourney/collective.h>

#define TNY_NONE UINT32_MAX
/* More ranks a host are taken for a slip of the hand: every command that takes a number refuses. */
#define TNY_RANKS_PER_HOST_MAX 64

/* How messages are spread over the cables of a bundle: several cables that are used as one link, by
   link aggregation, by a host with several ports, or by equal-cost multipath. */
enum tny_spreading {
  TNY_SPREADING_NONE, /* a single cable */
  TNY_SPREADING_FLOW, /* each flow takes one cable, by a hash; which flows share one isn't known */
  TNY_SPREADING_PACKET, /* packet by packet: each message uses all cables alike */
};
/* "none", "flow", "packet" */
const char *tny_spreading_name(enum tny_spreading spread);

/* One direction of a cable, or of a bundle. Links 2k and 2k+1 are the two directions of cable k.
   Plans, loads, predictions and simulations take what can be relied on; lower bounds take the best
   rate, for nothing is faster than that. */
struct tny_link {
  uint32_t from, to;      /* node indices */
  uint64_t bandwidth_bps; /* that can be relied on: of a bundle spread by flow, one cable's */
  uint64_t best_bps;      /* at best: of all its cables together */
  uint64_t latency_ns;
  uint64_t buffer_bytes; /* of the port that sends into this link: as much as can be relied on */
  uint32_t cable_count;  /* 1: a single cable */
  enum tny_spreading spread;
};

/* A regular shape. Node (x, y, z), which is host and switch x + size[0] * (y + size[1] * z), has
   cables to its neighbours in each dimension; around, where the shape wraps. */
struct tny_shape {
  uint32_t dimension_count; /* 0: none; a ring has 1 */
  uint32_t size[3];         /* 1 where there is no such dimension */
  bool wraps;               /* ring and torus; a mesh doesn't */
};

/* Which links messages take (tourney/routing.h). */
enum tny_routing {
  TNY_ROUTING_AUTO,            /* what tny_routing_default says */
  TNY_ROUTING_SHORTEST,        /* shortest path */
  TNY_ROUTING_SHORTEST_LANES,  /* the same ways, in a lane for each number of trunks left */
  TNY_ROUTING_UP_DOWN,         /* BFS up*-down* */
  TNY_ROUTING_DIMENSION_ORDER, /* x before y before z, the shorter way around */
  TNY_ROUTING_DIMENSION_ORDER_BALANCED, /* the same ways, in lanes that carry as much each */
  TNY_ROUTING_TABLE,                    /* as a file says */
};

/* Another name that a host goes by. */
struct tny_alias {
  const char *name;
  uint32_t host;
};

/* Nodes 0 .. host_count-1 are hosts, the rest switches. A host has exactly one cable. Immutable
 * once made. */
struct tny_cluster {
  const char *name; /* the file's name or the generator's text */
  uint32_t host_count, switch_count, link_count;
  const char *const *node_names;   /* host_count + switch_count, owned by the cluster */
  const struct tny_alias *aliases; /* alias_count, by hosts; no two names are the same */
  uint32_t alias_count;
  const struct tny_link *links; /* link_count */
  const uint32_t
      *first_out; /* node_count + 1: node n's outgoing links are out_links[first_out[n]..) */
  const uint32_t *out_links; /* link_count */
  const char *note; /* what the file leaves open and was guessed, to be told to who gave it; NULL:
                       nothing */
  struct tny_shape shape;   /* where the cluster says that it is one, and the cables agree */
  enum tny_routing routing; /* that the cluster asks for; TNY_ROUTING_AUTO: none */
  struct tny_arena *arena;  /* private */
};

/* Reads `text`, which is a generator ("single:16,link=20Mbit/s") or the path of a Graphviz file.
   Needs Graphviz's cgraph; the runtime uses tny_cluster_read_flat instead.
   Owns: *cluster is the caller's, to be freed by tny_cluster_free. */
enum tny_status tny_cluster_open(const char *text, struct tny_cluster **cluster,
                                 struct tny_error *error) TNY_MUST_CHECK;
/* Makes a cluster from a generator's text; TNY_BAD_INPUT where it names none. */
enum tny_status tny_cluster_generate(const char *text, struct tny_cluster **cluster,
                                     struct tny_error *error) TNY_MUST_CHECK;
/* True where `text` begins like a generator (a known name and a colon). */
bool tny_cluster_is_generator(const char *text);
/* Reads the flat form that tny_cluster_write_flat made: one line a node and a cable, no library
 * needed. */
enum tny_status tny_cluster_read_flat(const char *flat, struct tny_cluster **cluster,
                                      struct tny_error *error) TNY_MUST_CHECK;
/* Writes the flat form. Owns: *flat is the caller's, to be freed by tny_text_free. */
enum tny_status tny_cluster_write_flat(const struct tny_cluster *cluster, char **flat,
                                       struct tny_error *error) TNY_MUST_CHECK;
/* Writes a Graphviz graph that tny_cluster_open reads back. Owns: as above. */
enum tny_status tny_cluster_write_dot(const struct tny_cluster *cluster, char **dot,
                                      struct tny_error *error) TNY_MUST_CHECK;
void tny_cluster_free(struct tny_cluster *cluster);

/* The host that goes by that name or alias, or TNY_NONE. Where one of the two has a domain (what is
   after the first dot) and the other has none, what is before it counts, unless that fits several
   hosts. */
uint32_t tny_cluster_find_host(const struct tny_cluster *cluster, const char *name);
/* The switch a host is plugged into (or the peer host, in a cluster of two). */
uint32_t tny_cluster_switch_of(const struct tny_cluster *cluster, uint32_t host);
bool tny_cluster_is_tree(const struct tny_cluster *cluster);

/* The way from every node to every host; <tourney/routing.h> has more about them. Immutable. */
struct tny_routes {
  const struct tny_cluster *cluster; /* borrowed */
  const char *name;                  /* of the routing: "shortest path" */
  struct tny_tables *tables;         /* private */
};

/* Shortest path on a tree, dimension order on a ring, torus or mesh, BFS up*-down* on any other
   graph; deterministic. Owns: *routes is the caller's, to be freed by tny_routes_free. */
enum tny_status tny_routes_make(const struct tny_cluster *cluster, struct tny_routes **routes,
                                struct tny_error *error) TNY_MUST_CHECK;
void tny_routes_free(struct tny_routes *routes);
/* The link that a message from host `from` to host `to` takes at `node`; TNY_NONE at the end.
   Walk:  for (n = from; (l = tny_routes_next(r, n, to)) != TNY_NONE; n = cluster->links[l].to) */
uint32_t tny_routes_next(const struct tny_routes *routes, uint32_t node, uint32_t to_host);

/* Writes a platform for SimGrid, with these routes: hosts in switch order, links, the way between
   any two hosts. Owns: *xml is the caller's, to be freed by tny_text_free. Cost: hosts squared. */
enum tny_status tny_cluster_write_simgrid(const struct tny_routes *routes, char **xml,
                                          struct tny_error *error) TNY_MUST_CHECK;

/* Hosts in switch order: a cyclic order, depth-first over the breadth-first tree of the switches
   that determined the default routing (up*-down*; other routings have no such tree, and it is one
   from the switch of host 0), begun at the switch of host 0. A ring in this order uses each link of
   a tree once each way. From each switch it visits those of the same zone first, and of them last
   what leads to other zones, so that zones stay in one piece. `hosts` has host_count entries. */
enum tny_status tny_cluster_order(const struct tny_cluster *cluster, uint32_t *hosts,
                                  struct tny_error *error) TNY_MUST_CHECK;

/* Zones: groups of switches between which there are only wide trunks, which take at least 8 times
   as long as the hosts' ports (the median; a port under 1 us counts as 1 us), whatever their rates.
   `zone_of` has switch_count entries: the zone of each switch, counted from 0, and numbered as
   their first switches are. */
enum tny_status tny_cluster_zones(const struct tny_cluster *cluster, uint32_t *zone_of,
                                  uint32_t *zone_count, struct tny_error *error) TNY_MUST_CHECK;

enum tny_map { TNY_MAP_BLOCK, TNY_MAP_INTERLEAVED };
/* Where ranks sit. block: rank r on the r-th host in switch order, ranks over the hosts in equal
   runs where there are more ranks than hosts; interleaved: round robin over the switches. */
enum tny_status tny_map_ranks(const struct tny_cluster *cluster, enum tny_map map,
                              uint32_t rank_count, uint32_t *host_of_rank,
                              struct tny_error *error) TNY_MUST_CHECK;

/* A cluster with its routes, and where the ranks sit on it; all borrowed. */
struct tny_network {
  const struct tny_routes *routes;
  const uint32_t *host_of_rank;
  uint32_t rank_count; /* entries of host_of_rank */
};
/* Has the network a host for each of so many ranks? Errors: TNY_REFUSED. */
enum tny_status tny_network_check(const struct tny_network *network, uint32_t rank_count,
                                  struct tny_error *error) TNY_MUST_CHECK;

/* The least time any schedule needs at the raw rates, and why; of a barrier, whose messages carry
   nothing, by the latency of the ways. */
enum tny_bound_reason {
  TNY_BOUND_PORT,
  TNY_BOUND_LINK,
  TNY_BOUND_CUT,
  TNY_BOUND_PORTS,
  TNY_BOUND_DELAY,
};
/* "port", "link", "cut", "ports", "delay" */
const char *tny_bound_reason_name(enum tny_bound_reason reason);
struct tny_bound {
  double seconds;
  enum tny_bound_reason reason;
  uint32_t link;  /* the limiting link; the first of several; TNY_NONE: none, or a whole way */
  char text[256]; /* for people: "trunk s0 -> s1 carries 64 blocks" */
};
/* block_bytes: what one rank contributes to one receiver (broadcast: the whole message). */
enum tny_status tny_bound_compute(const struct tny_routes *routes, const uint32_t *host_of_rank,
                                  uint32_t rank_count, enum tny_collective collective,
                                  uint32_t root, uint64_t block_bytes, struct tny_bound *bound,
                                  struct tny_error *error) TNY_MUST_CHECK;

#endif
