/* Clusters opened, and ranks mapped to their hosts. */
#include "mapping.h"

#include <inttypes.h>

#include "core/alloc.h"
#include "core/error.h"
#include "routing.h"

void cli_cluster_tell_note(const struct tny_cluster *cluster)
{
  if (cluster->note)
    fprintf(stderr, "tourney: note: %s: %s\n", cluster->name, cluster->note);
}

enum tny_status cli_cluster_open(const char *text, struct tny_cluster **cluster,
                                 struct tny_error *error)
{
  const enum tny_status status = tny_cluster_open(text, cluster, error);
  if (status == TNY_OK)
    cli_cluster_tell_note(*cluster);
  return status;
}

enum tny_status mapping_open(struct mapping *mapping, const struct mapping_wanted *wanted,
                             struct tny_error *error)
{
  struct tny_cluster *cluster;
  *mapping = (struct mapping){0};
  const enum tny_status status = cli_cluster_open(wanted->cluster, &cluster, error);
  return status == TNY_OK ? mapping_make(mapping, cluster, wanted, error) : status;
}

enum tny_status mapping_make(struct mapping *mapping, struct tny_cluster *cluster,
                             const struct mapping_wanted *wanted, struct tny_error *error)
{
  *mapping = (struct mapping){.cluster = cluster,
                              .rank_count = wanted->ranks ? wanted->ranks : cluster->host_count};
  enum tny_status status = mapping_check_ranks(cluster, mapping->rank_count, error);
  if (status == TNY_OK)
    status = routing_open(cluster, wanted->routing, &mapping->routes, error);
  if (status != TNY_OK)
    return status;
  mapping->is_routing_asked = wanted->routing || cluster->routing != TNY_ROUTING_AUTO;
  if (mapping->is_routing_asked) {
    status = tny_routes_check(mapping->routes, false, NULL, &mapping->deadlock);
    if (status != TNY_OK && status != TNY_BROKEN)
      return tny_error_set(error, status, "%s", mapping->deadlock.text);
  }
  mapping->host_of_rank = tny_new(mapping->rank_count, sizeof *mapping->host_of_rank);
  if (!mapping->host_of_rank)
    return tny_error_memory(error);
  mapping->network =
      (struct tny_network){mapping->routes, mapping->host_of_rank, mapping->rank_count};
  status = tny_map_ranks(cluster, wanted->map, mapping->rank_count, mapping->host_of_rank, error);
  if (status == TNY_OK)
    status = tny_placement_make(cluster, mapping->host_of_rank, mapping->rank_count,
                                &mapping->placement, error);
  if (status == TNY_OK)
    mapping->model = tny_model_make(&mapping->network, mapping->rank_count, NULL);
  return status;
}

void mapping_close(struct mapping *mapping)
{
  tny_free(mapping->host_of_rank);
  tny_placement_free(mapping->placement);
  tny_routes_free(mapping->routes);
  tny_cluster_free(mapping->cluster);
  *mapping = (struct mapping){0};
}

void mapping_describe_routes(const struct mapping *mapping, struct tny_text *text)
{
  tny_text_add(text, "routes        %s: %s\n", mapping->routes->name,
               mapping->deadlock.status == TNY_OK ? "can't deadlock" : mapping->deadlock.text);
}

struct tny_problem mapping_problem(const struct mapping *mapping, enum tny_collective collective,
                                   uint32_t root)
{
  return (struct tny_problem){.collective = collective,
                              .rank_count = mapping->rank_count,
                              .root = root,
                              .placement = mapping->placement,
                              .network = &mapping->network};
}

enum tny_status mapping_check_ranks(const struct tny_cluster *cluster, uint32_t rank_count,
                                    struct tny_error *error)
{
  const uint32_t hosts = cluster->host_count;
  if (rank_count <= (uint64_t)hosts * TNY_RANKS_PER_HOST_MAX)
    return TNY_OK;
  return tny_error_set(error, TNY_BAD_INPUT,
                       "%" PRIu32 " ranks don't fit on %" PRIu32
                       " host%s: at most %d a host, %" PRIu64
                       " together; take fewer, or a cluster with more hosts",
                       rank_count, hosts, hosts == 1 ? "" : "s", TNY_RANKS_PER_HOST_MAX,
                       (uint64_t)hosts * TNY_RANKS_PER_HOST_MAX);
}
