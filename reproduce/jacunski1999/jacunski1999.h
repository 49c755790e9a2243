/* The network of Jacunski, Sadayappan and Panda, and their algorithms run on it. */
#ifndef TOURNEY_REPRODUCE_JACUNSKI1999_H
#define TOURNEY_REPRODUCE_JACUNSKI1999_H

#include "reproduce/shared/entry.h"
#include "reproduce/shared/experiment.h"

/* A flit takes 16 ns over a link: 2 bytes at 1 Gbit/s, the generators' own bandwidth. */
enum { TNY_JACUNSKI_FLIT_BYTES = 2 };
#define TNY_JACUNSKI_FLIT_NS 16.0
#define TNY_JACUNSKI_RING_US 205.78 /* Table 2: Ring, 32 nodes on one switch, 256 flits */

/* Makes the experiment on the wormhole switches of 3.3. Hosts take so many ns for each message that
   they send, and for each that they receive. */
struct tny_experiment tny_jacunski_network(const struct tny_reproduce_options *options,
                                           double overhead_ns, uint32_t flits);
/* Opens the cluster of a generator, without latencies of its own and with up*-down* routes. Owns:
   tny_site_close, also after a failure. */
enum tny_status tny_jacunski_site(const char *generator, enum tny_map map, struct tny_site *site,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* Simulates an all-gather; *us is its time in microseconds. */
enum tny_status tny_jacunski_time(const struct tny_experiment *experiment,
                                  const struct tny_site *site, const char *algorithm, double *us,
                                  struct tny_error *error) TNY_MUST_CHECK;
/* Finds the overhead with which Ring on one switch takes what it takes in the paper. Nothing else
   is fitted. */
enum tny_status tny_jacunski_fit(const struct tny_reproduce_options *options, double *overhead_ns,
                                 struct tny_error *error) TNY_MUST_CHECK;

/* The entries. */
extern const struct tny_reproduction tny_jacunski_table_1, tny_jacunski_figure_6a,
    tny_jacunski_figure_6b, tny_jacunski_table_2, tny_jacunski_table_3;

#endif
