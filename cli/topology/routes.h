/* `tourney topology routes`, and the lengths of routes, which `check` says too. */
#ifndef TOURNEY_TOPOLOGY_ROUTES_H
#define TOURNEY_TOPOLOGY_ROUTES_H

#include <tourney/routing.h>

/* What was asked; names are NULL where they weren't given. */
struct topology_question {
  const char *routing;   /* as routing_open takes it */
  const char *from, *to; /* hosts; both or none */
  bool check;
};

/* Prints the routes' kind and lengths, and what was asked; returns the exit code. */
int topology_routes(const struct tny_cluster *cluster, const struct topology_question *question);

/* Links of the routes between different hosts. */
struct topology_lengths {
  uint32_t longest;
  double mean;
  uint64_t route_count;
};
/* Follows the routes from all hosts to all; the routes must be whole. Cost: hosts * switches. */
enum tny_status topology_measure(const struct tny_routes *routes, struct topology_lengths *lengths,
                                 struct tny_error *error) TNY_MUST_CHECK;

#endif
