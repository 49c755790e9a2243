/* The tables of values, and what a cell is called. */
#include "bench/performance/cells.h"

#include <stdio.h>
#include <string.h>

#include "core/units.h"

/* A torus has sides of at least three: its small form has nine hosts, all others eight. Of the
   irregular cluster and of the fat tree the small form uses eight hosts, spread over the switches.
   Rates of trunks are those of the links. */
const struct cell_cluster cell_clusters[] = {
    {"single", "one switch", {"single:16", "block", 16}, {"single:8", "block", 8}, 15, 15},
    {"blocks", "two switches", {"switches:8+8", "block", 16}, {"switches:4+4", "block", 8}, 15, 64},
    {"interleaved",
     "two switches, interleaved",
     {"switches:8+8", "interleaved", 16},
     {"switches:4+4", "interleaved", 8},
     15,
     64},
    {"irregular",
     "five switches, a ring with a leaf",
     {"examples/irregular.dot", "block", 16},
     {"examples/irregular.dot", "interleaved", 8},
     15,
     40},
    {"torus", "torus", {"torus:4x4", "block", 16}, {"torus:3x3", "block", 9}, 15, 15},
    {"mesh", "mesh", {"mesh:4x4", "block", 16}, {"mesh:2x4", "block", 8}, 15, 16},
    {"fattree", "fat tree", {"fattree:4", "block", 16}, {"fattree:4", "interleaved", 8}, 15, 48},
    {"ranks",
     "two switches, 4 ranks a host",
     {"switches:4+4", "block", 32},
     {"switches:4+4", "block", 32},
     28,
     256},
    {"zones",
     "two zones, 10 ms apart",
     {"zones:8+8,delay=10ms", "block", 16},
     {"zones:4+4,delay=10ms", "block", 8},
     15,
     64},
};

const struct cell_network cell_networks[] = {
    {"20Mbit-64KiB", "20Mbit/s", "64KiB", 20000000},
    {"100Mbit-64KiB", "100Mbit/s", "64KiB", 100000000},
    {"1Gbit-256KiB", "1Gbit/s", "256KiB", 1000000000},
    {"1Gbit-8MiB", "1Gbit/s", "8MiB", 1000000000},
    {"10Gbit-16MiB", "10Gbit/s", "16MiB", 10000000000},
};

const char *const cell_congestions[] = {"cubic", "reno", "bbr"};

#define KIB 1024
#define MIB (1024 * KIB)
const struct cell_row cell_rows[] = {
    {TNY_BROADCAST, 64},       {TNY_BROADCAST, 1 * KIB},   {TNY_BROADCAST, 8 * KIB},
    {TNY_BROADCAST, 64 * KIB}, {TNY_BROADCAST, 512 * KIB}, {TNY_BROADCAST, 1 * MIB},
    {TNY_BROADCAST, 4 * MIB},  {TNY_ALLGATHER, 64},        {TNY_ALLGATHER, 1 * KIB},
    {TNY_ALLGATHER, 8 * KIB},  {TNY_ALLGATHER, 64 * KIB},  {TNY_ALLGATHER, 512 * KIB},
    {TNY_ALLTOALL, 64},        {TNY_ALLTOALL, 1 * KIB},    {TNY_ALLTOALL, 8 * KIB},
    {TNY_ALLTOALL, 64 * KIB},  {TNY_ALLTOALL, 512 * KIB},
};

_Static_assert(sizeof cell_clusters / sizeof *cell_clusters == CELL_CLUSTERS, "clusters");
_Static_assert(sizeof cell_networks / sizeof *cell_networks == CELL_NETWORKS, "networks");
_Static_assert(sizeof cell_rows / sizeof *cell_rows == CELL_ROWS, "rows");
_Static_assert(sizeof cell_congestions / sizeof *cell_congestions == CELL_CONGESTIONS,
               "congestion controls");

bool cell_is_slow(const struct cell *cell)
{
  return cell_networks[cell->network].bandwidth_bps <= 100000000;
}

struct cell_form cell_form_of(const struct cell *cell)
{
  const struct cell_cluster *cluster = &cell_clusters[cell->cluster];
  return cell_is_slow(cell) ? cluster->large : cluster->small;
}

struct cell_name cell_name_of(const struct cell *cell)
{
  struct cell_name name;
  const struct cell_row *row = &cell_rows[cell->row];
  snprintf(name.text, sizeof name.text, "%s/%s/%s-%s/%s", cell_clusters[cell->cluster].key,
           cell_networks[cell->network].key, tny_collective_name(row->collective),
           tny_bytes_format(row->bytes).text, cell_congestions[cell->congestion]);
  return name;
}

struct cell_cluster_text cell_cluster_text_of(const struct cell *cell)
{
  struct cell_cluster_text text;
  const struct cell_form form = cell_form_of(cell);
  const char *rate = cell_networks[cell->network].rate;
  if (strstr(form.cluster, ".dot"))
    snprintf(text.text, sizeof text.text, "%s", form.cluster);
  else if (cell->cluster == CELL_CLUSTER_ZONES)
    snprintf(text.text, sizeof text.text, "%s,link=%s,rate=%s", form.cluster, rate, rate);
  else if (!strncmp(form.cluster, "single:", 7))
    snprintf(text.text, sizeof text.text, "%s,link=%s", form.cluster, rate);
  else
    snprintf(text.text, sizeof text.text, "%s,link=%s,trunk=%s", form.cluster, rate, rate);
  return text;
}

/* The bound, roughly, and never less than what the latency of a call is. */
static double bound_seconds(const struct cell *cell)
{
  const struct cell_cluster *cluster = &cell_clusters[cell->cluster];
  const struct cell_row *row = &cell_rows[cell->row];
  const double shrink = cell_is_slow(cell) ? 1 : 0.5;
  const double blocks = row->collective == TNY_ALLGATHER  ? cluster->allgather_blocks * shrink
                        : row->collective == TNY_ALLTOALL ? cluster->alltoall_blocks * shrink
                                                          : 1;
  const double least = cell->cluster == CELL_CLUSTER_ZONES ? 0.04 : 0.0005;
  return least +
         8.0 * (double)row->bytes * blocks / (double)cell_networks[cell->network].bandwidth_bps;
}

/* Native takes about three times the bound, planned once, a peer five times; a row has nine rounds,
   in which a few peers stay. Starting takes some seconds. */
double cell_seconds(const struct cell *cell, bool with_peers)
{
  const double start = 4, most = with_peers ? 120 : 60, bound = bound_seconds(cell);
  const double peers = cell_rows[cell->row].collective == TNY_BROADCAST ? 18 : 5;
  const double rounds = 10 * 4 * bound + (with_peers ? (5 * peers + 10 * 2 * 2) * bound : 0);
  const double least = with_peers ? 2.5 : 1.5, longest = most + 4 * 4 * bound;
  return start + (rounds < least ? least : rounds > longest ? longest : rounds);
}
