/* The model of ranks on a cluster. */
#include "cluster/links.h"
#include "cluster/route.h"
#include "model/bandwidth_delay.h"
#include "model/cost.h"

/* Looks at the routes from rank 0's host: a guess at the others, which may be up to twice as long,
   and at how many ranks a host has. */
static void look_at_routes(const struct tny_network *network, uint32_t rank_count,
                           struct tny_model *model)
{
  const struct tny_link *links = network->routes->cluster->links;
  uint64_t longest_ns = 0;
  model->shares_hosts = rank_count > network->routes->cluster->host_count;
  for (uint32_t rank = 1; rank < rank_count; rank++) {
    struct tny_route route = tny_route_begin(network, 0, rank);
    uint64_t route_ns = 0;
    uint32_t link_count = 0, link;
    if (network->host_of_rank[rank] == network->host_of_rank[0])
      model->shares_hosts = true;
    while ((link = tny_route_next(&route)) != TNY_NONE) {
      route_ns += links[link].latency_ns;
      link_count++;
    }
    if (route_ns > longest_ns)
      longest_ns = route_ns;
    if (link_count > 2)
      model->has_trunks = true;
  }
  model->step_ns = model->software_ns + longest_ns;
}

/* The shortest block of which an all-to-all that is sent all at once, or the last round of an
   all-gather by recursive doubling, may overfill a port: that of a trunk between halves of the
   ranks, or of a host that has half of them; else that of a host with one rank. */
static void find_crowding(const struct tny_cluster *cluster, struct tny_model *model)
{
  const uint64_t p = model->rank_count;
  const bool is_shared = model->has_trunks || p > cluster->host_count;
  model->buffer_bytes = tny_cluster_least_buffer(cluster);
  model->crowd = is_shared ? (uint32_t)(p / 2) : 1;
  model->crowding_bytes =
      tny_model_overfilling_bytes(model->buffer_bytes, is_shared ? p * p / 4 : p - 1);
}

uint64_t tny_model_overfilling_bytes(uint64_t buffer_bytes, uint64_t messages)
{
  const uint64_t room = buffer_bytes / (messages ? messages : 1);
  const uint64_t around = tny_wire_bytes(0, 1);
  return room > around ? room - around + 1 : 1;
}

struct tny_model tny_model_make(const struct tny_network *network, uint32_t rank_count,
                                const struct tny_machine *machine)
{
  const struct tny_cluster *cluster = network->routes->cluster;
  struct tny_model model = {.rank_count = rank_count, .link_bps = UINT64_MAX};
  for (uint32_t link = 0; link < cluster->link_count; link++)
    if (cluster->links[link].bandwidth_bps < model.link_bps)
      model.link_bps = cluster->links[link].bandwidth_bps;
  model.machine = machine ? *machine : tny_machine_default(model.link_bps);
  model.software_ns =
      model.machine.send_overhead_ns + model.machine.latency_ns + model.machine.receive_overhead_ns;
  look_at_routes(network, rank_count, &model);
  find_crowding(cluster, &model);
  return model;
}

struct tny_model tny_model_least(const struct tny_model *model)
{
  struct tny_model least = *model;
  least.rank_count = 3;
  least.step_ns = least.software_ns;
  return least;
}

uint64_t tny_model_bandwidth_delay_bytes(const struct tny_model *model)
{
  return (uint64_t)((double)model->link_bps * (double)model->step_ns / 8e9);
}
