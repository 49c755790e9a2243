/* The option --routing: by which rule messages are routed on a cluster. */
#ifndef TOURNEY_CLI_ROUTING_H
#define TOURNEY_CLI_ROUTING_H

#include <tourney/routing.h>

/* For a subcommand's help: what --routing takes. */
#define ROUTING_VALUES                                                                             \
  "auto|shortest|shortest-lanes|up-down|dimension-order|dimension-order-balanced|FILE"

/* Makes the routes that `text` names: auto (also where it is NULL), shortest, shortest-lanes,
   up-down, dimension-order, dimension-order-balanced, or else the path of a file with tables.
   Owns: *routes is the caller's, to be freed by tny_routes_free. */
enum tny_status routing_open(const struct tny_cluster *cluster, const char *text,
                             struct tny_routes **routes, struct tny_error *error) TNY_MUST_CHECK;

#endif
