/* An experiment: ranks on a cluster, an algorithm's schedule for them, and its simulation on a
   model of network and hosts. */
#ifndef TOURNEY_REPRODUCE_EXPERIMENT_H
#define TOURNEY_REPRODUCE_EXPERIMENT_H

#include <tourney/algorithm.h>
#include <tourney/separate.h>
#include <tourney/simulate.h>

/* What a site is to be. */
struct tny_site_wanted {
  const char *cluster; /* a generator: "switches:16+16" */
  enum tny_routing routing;
  enum tny_map map;
  uint32_t ranks; /* 0: one on each host */
};
/* Ranks on a cluster, with the routes between them. It owns everything in it. */
struct tny_site {
  struct tny_cluster *cluster;
  struct tny_routes *routes;
  uint32_t rank_count;
  uint32_t *host_of_rank;
  struct tny_placement *placement;
  struct tny_network network; /* of the above */
};
/* Makes a site. Owns: tny_site_close, also after a failure. */
enum tny_status tny_site_open(struct tny_site *site, const struct tny_site_wanted *wanted,
                              struct tny_error *error) TNY_MUST_CHECK;
/* Exchanges the hosts of the ranks at random. The same seed gives the same hosts. */
enum tny_status tny_site_shuffle(struct tny_site *site, uint64_t seed,
                                 struct tny_error *error) TNY_MUST_CHECK;
/* Puts rank r on host r. A ring's or torus's hosts are numbered as in struct tny_shape. */
enum tny_status tny_site_number(struct tny_site *site, struct tny_error *error) TNY_MUST_CHECK;
void tny_site_close(struct tny_site *site);

/* What is to be planned. */
struct tny_plan_wanted {
  enum tny_collective collective;
  const char *algorithm; /* "ring", "group-shuffle:2" */
  uint32_t root;
  uint32_t chunk_count; /* 0: 1 */
  uint32_t window;      /* as in struct tny_pace */
  enum tny_separation separation;
  const struct tny_pattern *pattern; /* of an all-to-all; NULL: every rank has a block for all */
};
/* Plans all ranks' steps. Owns: *schedule is the caller's, tny_schedule_free. */
enum tny_status tny_site_plan(const struct tny_site *site, const struct tny_plan_wanted *wanted,
                              struct tny_schedule **schedule,
                              struct tny_error *error) TNY_MUST_CHECK;

/* The model on which a schedule is simulated. */
struct tny_experiment {
  struct tny_network_model network; /* Its routes are filled in from the site. */
  struct tny_host_model hosts;      /* So is its host_of_rank. */
  uint64_t block_bytes;
  const uint64_t *block_bytes_of; /* as in tny_program_make */
  const struct tny_simulate_watch *watch;
};
/* Simulates a schedule. A deadlock is an error; its text says what waits for what. Owns:
   *simulation is the caller's, tny_simulation_free. */
enum tny_status tny_experiment_run(const struct tny_experiment *experiment,
                                   const struct tny_site *site, const struct tny_schedule *schedule,
                                   struct tny_simulation **simulation,
                                   struct tny_error *error) TNY_MUST_CHECK;
/* The same where only the cycles that it takes are wanted. */
enum tny_status tny_experiment_cycles(const struct tny_experiment *experiment,
                                      const struct tny_site *site,
                                      const struct tny_schedule *schedule, uint64_t *cycles,
                                      struct tny_error *error) TNY_MUST_CHECK;
/* Plans and simulates; *cycles is how many cycles that took. */
enum tny_status tny_experiment_time(const struct tny_experiment *experiment,
                                    const struct tny_site *site,
                                    const struct tny_plan_wanted *wanted, uint64_t *cycles,
                                    struct tny_error *error) TNY_MUST_CHECK;

/* Median and quartiles of values, by linear interpolation. The values are sorted in place. */
struct tny_spread {
  double low, median, high;
};
struct tny_spread tny_spread_of(double *values, size_t count);

#endif
