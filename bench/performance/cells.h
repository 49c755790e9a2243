/* The cells of docs/performance.md: what is measured where. Of all combinations of clusters,
   networks, collectives, sizes and congestion controls, so many are chosen that each pair of values
   occurs in one, and so does each cluster with each network and collective. Pure and always the
   same. Units: bytes, seconds. */
#ifndef TOURNEY_PERFORMANCE_CELLS_H
#define TOURNEY_PERFORMANCE_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tourney/collective.h>

/* Networks up to 100 Mbit/s have the large form of a cluster, faster ones the small form. */
struct cell_form {
  const char *cluster; /* without its rate, which follows; a file ends in .dot */
  const char *map;     /* of the ranks */
  uint32_t ranks;
};
struct cell_cluster {
  const char *key;
  const char *title;
  struct cell_form large, small;
  /* How often the limiting link carries a block of an all-gather and of an all-to-all, roughly, in
     the large form. */
  double allgather_blocks, alltoall_blocks;
};

struct cell_network {
  const char *key;
  const char *rate, *buffer; /* as typed */
  uint64_t bandwidth_bps;
};

struct cell {
  uint32_t cluster, network, row, congestion; /* indices of the tables below */
};

extern const struct cell_cluster cell_clusters[];
extern const struct cell_network cell_networks[];
extern const char *const cell_congestions[]; /* the first is the default */
extern const struct cell_row {
  enum tny_collective collective;
  uint64_t bytes;
} cell_rows[];
enum { CELL_CLUSTERS = 9, CELL_NETWORKS = 5, CELL_ROWS = 17, CELL_CONGESTIONS = 3 };
enum { CELLS_MAX = CELL_CLUSTERS * CELL_NETWORKS * CELL_ROWS };
/* Of cell_clusters, for whom targets differ. */
enum { CELL_CLUSTER_RANKS = 7, CELL_CLUSTER_ZONES = 8 };

bool cell_is_slow(const struct cell *cell); /* up to 100 Mbit/s */
struct cell_form cell_form_of(const struct cell *cell);
/* The name of a cell: "torus/20Mbit-64KiB/bcast-1MiB/cubic". */
struct cell_name {
  char text[80];
};
struct cell_name cell_name_of(const struct cell *cell);
/* The cluster to bring up, with its rate; a file's is put into it by who brings it up. */
struct cell_cluster_text {
  char text[96];
} cell_cluster_text_of(const struct cell *cell);

/* Chooses the cells, in the order in which they share labs. Returns how many; chosen has room for
   CELLS_MAX. */
size_t cells_choose(struct cell *chosen);
/* A tenth of them that has as many values as it can, and takes no longer than `seconds`, by
   cell_seconds. */
size_t cells_choose_quick(struct cell *chosen, double seconds);

/* About how long a cell takes, to say so in advance: native and planned alone, or with peers. */
double cell_seconds(const struct cell *cell, bool with_peers);

#endif
