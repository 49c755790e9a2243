/* What the routings share: the trunks of each switch, and the tables. Private to src/cluster.

   Routers route between switches, which are numbered from 0. A host has one cable, so that its own
   link and the last link to a host need no router.

   To add a routing: a file routes_<name>.c with a struct tny_router, a value of enum tny_routing
   (tourney/routing.h), its title in routing.c and an entry in routes.c. */
#ifndef TOURNEY_CLUSTER_ROUTER_H
#define TOURNEY_CLUSTER_ROUTER_H

#include <tourney/routing.h>

/* All cables from one switch to another one. */
struct tny_trunk {
  uint32_t to;                       /* switch */
  uint32_t first_cable, cable_count; /* in the tables' cables */
};

/* A routing: how its tables are filled, and how they are asked. */
struct tny_router {
  enum tny_routing routing;
  /* Fills the tables; NULL where the routing is read from a file. */
  enum tny_status (*make)(struct tny_routes *routes, struct tny_error *error);
  /* The one next link from a switch towards a host of another switch. */
  struct tny_lane (*choose)(const struct tny_routes *routes, uint32_t at, uint32_t to_host);
  /* All next links, as tny_routes_options; NULL where there is never more than the one. */
  uint32_t (*list)(const struct tny_routes *routes, uint32_t in_link, uint32_t at, uint32_t to_host,
                   struct tny_lane *options);
};

extern const struct tny_router tny_router_shortest, tny_router_shortest_lanes, tny_router_up_down,
    tny_router_dimension_order, tny_router_dimension_order_balanced, tny_router_table;

/* Owned by the routes. What a routing doesn't need is NULL. n switches. */
struct tny_tables {
  const struct tny_router *router;
  uint32_t *first_trunk;    /* n + 1: those of switch s are trunks[first_trunk[s]..) */
  struct tny_trunk *trunks; /* in the order of their first cables; one more marks the end */
  uint32_t *cables;         /* links, trunk by trunk */
  uint32_t cable_total, option_max;

  uint32_t *next; /* shortest, up*-down*: n * n: trunk from a switch towards a switch */
  /* up*-down* only: */
  uint32_t *level; /* n: links from the root */
  uint16_t *down;  /* n * n: links of the shortest way that only goes down; TNY_FAR: none */
  /* up*-down*, and shortest path with lanes: */
  uint16_t *least;     /* n * n: links of the shortest legal way */
  uint32_t lane_count; /* shortest path with lanes: the most links of a way; else 0 */

  uint32_t *toward; /* dimension order: n * 6: link at [s * 6 + 2 * dimension + up] */
  uint32_t *given;  /* given tables: n * hosts: link */
};

#define TNY_FAR UINT16_MAX

/* The switch of a host, from 0. */
static inline uint32_t tny_routes_home(const struct tny_cluster *cluster, uint32_t host)
{
  return cluster->links[cluster->out_links[cluster->first_out[host]]].to - cluster->host_count;
}

/* The cable of a trunk by which messages to the host go: parallel cables divide the hosts. */
static inline uint32_t tny_routes_cable(const struct tny_tables *tables, uint32_t trunk,
                                        uint32_t host)
{
  const struct tny_trunk *way = &tables->trunks[trunk];
  return tables->cables[way->first_cable + host % way->cable_count];
}

/* The root of up*-down*, and of the switch order where that is the cluster's routing: the switch
   with the most cables to other switches, the first of these. */
uint32_t tny_up_down_root(const struct tny_cluster *cluster);
/* Routes whose tables have the trunks only. */
enum tny_status tny_routes_new(const struct tny_cluster *cluster, const struct tny_router *router,
                               struct tny_routes **routes, struct tny_error *error) TNY_MUST_CHECK;
/* Breadth-first: how many trunks each switch is from `start`; TNY_NONE: none lead there. Takes the
   trunks that `crosses` allows, NULL: all. A trunk has its counterpart, so that this is as far as
   it is back. `queue` has room for n. */
void tny_routes_measure(const struct tny_routes *routes, uint32_t start,
                        bool (*crosses)(const struct tny_tables *tables, uint32_t at,
                                        uint32_t next),
                        uint32_t *distance, uint32_t *queue);
/* TNY_REFUSED where switches * columns entries of that size would be more than 4 GiB. */
enum tny_status tny_routes_fit(const struct tny_cluster *cluster, uint64_t columns,
                               uint64_t entry_bytes, struct tny_error *error) TNY_MUST_CHECK;
/* The next link by the table `next`. */
struct tny_lane tny_routes_choose_next(const struct tny_routes *routes, uint32_t at,
                                       uint32_t to_host);

#endif
