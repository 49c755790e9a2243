/* What the tests of the fabric share: a fabric on a cluster from a line of text, packets by tag,
   and when each left and came. The model of most is tny_booksim_routers. Included once by each test
   program. */
#ifndef TOURNEY_TESTS_FABRIC_SUPPORT_H
#define TOURNEY_TESTS_FABRIC_SUPPORT_H

#include "support/cluster.h"

#include "reproduce/known/booksim.h"
#include "simulator/fabric.h"

/* No time but a cycle a link: a packet of P flits over h links takes h + P - 1 cycles. */
static const struct tny_network_model quick = {.channels = 1,
                                               .depth = 4,
                                               .link_cycles = 1,
                                               .inject_cycles = 1,
                                               .eject_cycles = 1,
                                               .credit_cycles = 1,
                                               .ports = 1,
                                               .seed = 1};

struct bench {
  struct tny_cluster *cluster;
  struct tny_routes *routes;
  struct tny_network_model model;
  struct tny_fabric *fabric;
  uint32_t count, room; /* packets */
  uint64_t *left, *came;
  uint64_t hops; /* flits times links that they must take; where routes are deterministic */
};

/* Takes the cluster over. */
static inline void build_on(struct bench *bench, struct tny_cluster *cluster,
                            enum tny_routing routing, const struct tny_network_model *model)
{
  struct tny_error error = {0};
  *bench = (struct bench){.cluster = cluster, .model = *model};
  if (tny_routes_make_as(cluster, routing, &bench->routes, &error))
    fail_msg("%s: %s", cluster->name, error.text);
  bench->model.routes = bench->routes;
  if (tny_fabric_new(&bench->model, &bench->fabric, &error))
    fail_msg("%s: %s", cluster->name, error.text);
}

static inline void build(struct bench *bench, const char *cluster,
                         const struct tny_network_model *model)
{
  build_on(bench, open_cluster(cluster), TNY_ROUTING_AUTO, model);
}

/* A cluster by its flat form. */
static inline struct tny_cluster *read_cluster(const char *flat)
{
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  if (tny_cluster_read_flat(flat, &cluster, &error))
    fail_msg("%s", error.text);
  return cluster;
}

static inline void clear(struct bench *bench)
{
  tny_fabric_free(bench->fabric);
  tny_routes_free(bench->routes);
  tny_cluster_free(bench->cluster);
  tny_free(bench->left);
  tny_free(bench->came);
}

static inline struct tny_packet packet_of(const struct bench *bench, uint32_t from, uint32_t to,
                                          uint32_t flits)
{
  return (struct tny_packet){
      .from = from, .to = to, .flits = flits, .phase = TNY_NONE, .tag = bench->count};
}

static inline uint32_t links_between(const struct bench *bench, uint32_t from, uint32_t to)
{
  const struct tny_cluster *cluster = bench->cluster;
  uint32_t links = 1;
  uint32_t node = cluster->links[cluster->out_links[cluster->first_out[from]]].to;
  for (; node != to; links++)
    node = cluster->links[tny_routes_next(bench->routes, node, to)].to;
  return links;
}

static inline void hand_in(struct bench *bench, const struct tny_packet *packet)
{
  struct tny_error error = {0};
  if (bench->count == bench->room) {
    bench->room = bench->room ? 2 * bench->room : 64;
    bench->left = tny_resize(bench->left, bench->room, sizeof *bench->left);
    bench->came = tny_resize(bench->came, bench->room, sizeof *bench->came);
  }
  bench->left[bench->count] = bench->came[bench->count] = 0;
  bench->count++;
  bench->hops += (uint64_t)packet->flits * links_between(bench, packet->from, packet->to);
  if (tny_fabric_send(bench->fabric, packet, &error))
    fail_msg("%s", error.text);
}

static inline void send(struct bench *bench, uint32_t from, uint32_t to, uint32_t flits)
{
  const struct tny_packet packet = packet_of(bench, from, to, flits);
  hand_in(bench, &packet);
}

/* Runs until events or the cycle; each packet leaves once, and then comes once. */
static inline void step(struct bench *bench, uint64_t until)
{
  struct tny_fabric_events events;
  struct tny_error error = {0};
  if (tny_fabric_run(bench->fabric, until, &events, NULL, &error))
    fail_msg("%s", error.text);
  for (uint32_t i = 0; i < events.count; i++) {
    uint64_t *when = events.list[i].has_arrived ? bench->came : bench->left;
    assert_in_range(events.list[i].tag, 0, bench->count - 1);
    assert_int_equal(when[events.list[i].tag], 0);
    when[events.list[i].tag] = tny_fabric_cycle(bench->fabric);
  }
}

static inline uint64_t sum_links(const struct bench *bench)
{
  uint64_t sum = 0;
  for (uint32_t link = 0; link < bench->cluster->link_count; link++)
    sum += tny_fabric_link_flits(bench->fabric)[link];
  return sum;
}

/* Until all that was handed in has come. Returns the last cycle. */
static inline uint64_t finish(struct bench *bench)
{
  while (!tny_fabric_is_empty(bench->fabric))
    step(bench, UINT64_MAX);
  for (uint32_t tag = 0; tag < bench->count; tag++) {
    assert_true(bench->left[tag] > 0);
    assert_true(bench->came[tag] > bench->left[tag]);
  }
  if (!bench->model.is_adaptive)
    assert_int_equal(sum_links(bench), bench->hops);
  return tny_fabric_cycle(bench->fabric);
}

#endif
