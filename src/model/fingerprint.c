/* A hash of everything that plans follow from. */
#include "model/fingerprint.h"

#include "core/bytes.h"

/* Plans of another number aren't taken for those of today: to be raised when what is planned
   changes, in an algorithm, a pass or the model. */
enum { PLANNING = 7 };

static uint64_t hash_cluster(uint64_t hash, const struct tny_cluster *cluster)
{
  hash = tny_hash_number(hash, cluster->host_count);
  hash = tny_hash_number(hash, cluster->switch_count);
  hash = tny_hash_number(hash, cluster->routing);
  for (uint32_t i = 0; i < cluster->link_count; i++) {
    const struct tny_link *link = &cluster->links[i];
    const uint64_t numbers[] = {link->from, link->to, link->bandwidth_bps, link->latency_ns,
                                link->buffer_bytes};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
      hash = tny_hash_number(hash, numbers[k]);
    if (link->cable_count > 1)
      hash = tny_hash_number(tny_hash_number(hash, link->best_bps), link->spread);
  }
  return hash;
}

static uint64_t hash_routes(uint64_t hash, const struct tny_routes *routes)
{
  const uint32_t hosts = routes->cluster->host_count;
  const uint32_t nodes = hosts + routes->cluster->switch_count;
  for (uint32_t node = hosts; node < nodes; node++)
    for (uint32_t to = 0; to < hosts; to++)
      hash = tny_hash_number(hash, tny_routes_next(routes, node, to));
  return hash;
}

uint64_t tny_model_fingerprint(const struct tny_model *model, const struct tny_network *network)
{
  uint64_t hash = tny_hash_number(TNY_HASH_START, PLANNING);
  hash = hash_cluster(hash, network->routes->cluster);
  hash = hash_routes(hash, network->routes);
  for (uint32_t rank = 0; rank < network->rank_count; rank++)
    hash = tny_hash_number(hash, network->host_of_rank[rank]);
  const struct tny_machine *machine = &model->machine;
  const uint64_t numbers[] = {model->rank_count,
                              model->link_bps,
                              model->step_ns,
                              model->software_ns,
                              model->has_trunks,
                              machine->send_overhead_ns,
                              machine->receive_overhead_ns,
                              machine->source_overhead_ns,
                              machine->byte_overhead_ps,
                              machine->combine_ps,
                              machine->latency_ns,
                              machine->eager_bytes,
                              machine->handshake_ns,
                              machine->local_latency_ns,
                              machine->local_bps};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    hash = tny_hash_number(hash, numbers[i]);
  return hash;
}
