/* What hosts can be asked to measure. */
#ifndef TOURNEY_DISCOVER_PROBES_H
#define TOURNEY_DISCOVER_PROBES_H

#include <stdbool.h>
#include <stdint.h>

struct tny_pair_probe {
  uint32_t first, second;
  double ns; /* their usual round trip */
  /* What the same system calls took at each of them; INFINITY: before and after, not the same. */
  double first_calls_ns, second_calls_ns;
};

struct tny_stream_probe {
  uint32_t from, to;
  double bps; /* what came to be had, of the payload */
};

/* A byte there and back, again and again, beside streams. */
struct tny_ping_probe {
  uint32_t from, to;
  double ns; /* what nine of ten round trips stay below */
};

/* How to measure; all functions take `state`. They return false where measuring failed. */
struct tny_probes {
  void *state;
  uint32_t
      machines; /* that the hosts are: those of one machine take turns, or disturb each other */
  /* Pairs of hosts, all different, at once. */
  bool (*round_trips)(void *state, struct tny_pair_probe *pairs, uint32_t count);
  /* Streams that run at once, for so long; `ping` may be NULL. */
  bool (*streams)(void *state, struct tny_stream_probe *streams, uint32_t count, double seconds,
                  struct tny_ping_probe *ping);
  /* How far it is; may be NULL. */
  void (*tell)(void *state, const char *what, uint32_t done, uint32_t count);
};

#endif
