/* The network that ranks of ours found, as they tell it (bench/discover/ranks.c). */
#ifndef TOURNEY_CLI_DISCOVER_NETWORK_H
#define TOURNEY_CLI_DISCOVER_NETWORK_H

#include "discover/describe.h"

struct tny_arena;

struct discover_network {
  struct tny_discovery found;
  const char **names; /* by host */
  struct tny_discovered discovered;
  uint32_t hosts_read, trunks_read;
  bool started, done;
  struct tny_arena *arena;
};

enum tny_status discover_network_init(struct discover_network *network,
                                      struct tny_error *error) TNY_MUST_CHECK;
void discover_network_release(struct discover_network *network);

/* Reads a line; *known is false where it is none of ours. */
enum tny_status discover_network_read(struct discover_network *network, const char *line,
                                      bool *known, struct tny_error *error) TNY_MUST_CHECK;

/* Do the round trips show that the network is no tree? */
bool discover_network_has_cycles(const struct discover_network *network);
/* How many times what is uncertain of round trips a trunk takes. */
double discover_network_sureness(const struct discover_network *network, uint32_t trunk);

#endif
