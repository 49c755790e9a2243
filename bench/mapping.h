/* Ranks mapped to the hosts of a cluster, with all that a plan for them needs; and a clock. Units:
   milliseconds. */
#ifndef TOURNEY_BENCH_MAPPING_H
#define TOURNEY_BENCH_MAPPING_H

#include <time.h>

#include <tourney/algorithm.h>

/* Owns what its pointers lead to. It stays where it is: the problem points into it. */
struct bench_mapping {
  struct tny_cluster *cluster;
  struct tny_routes *routes;
  uint32_t *hosts; /* by rank */
  struct tny_placement *placement;
  struct tny_network network;
  struct tny_problem problem; /* collective and root are for who plans to say */
};

/* Maps `ranks_a_host` ranks to each host of a generated cluster, in blocks.
   Owns: bench_mapping_close, also after a failure. */
enum tny_status bench_mapping_open(struct bench_mapping *mapping, const char *generator,
                                   uint32_t ranks_a_host, struct tny_error *error);

/* The same on a cluster, which the mapping takes over. */
enum tny_status bench_mapping_open_on(struct bench_mapping *mapping, struct tny_cluster *cluster,
                                      uint32_t ranks_a_host, struct tny_error *error);

void bench_mapping_close(struct bench_mapping *mapping);

/* The time by a clock of POSIX. */
double clock_ms(clockid_t clock);

#endif
