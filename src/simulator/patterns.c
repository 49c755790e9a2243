/* The patterns of random traffic, and how full they make the fullest link. */
#include "simulator/patterns.h"

#include "core/alloc.h"
#include "core/error.h"
#include "core/grid.h"

enum tny_status tny_traffic_check(const struct tny_cluster *cluster, enum tny_traffic traffic,
                                  struct tny_error *error)
{
  const struct tny_shape *shape = &cluster->shape;
  if (traffic == TNY_TRAFFIC_TRANSPOSE &&
      (shape->dimension_count != 2 || shape->size[0] != shape->size[1]))
    return tny_error_set(error, TNY_REFUSED,
                         "transposed traffic needs a square grid, torus:8x8 or mesh:8x8");
  if (traffic == TNY_TRAFFIC_TORNADO && shape->dimension_count == 0)
    return tny_error_set(error, TNY_REFUSED, "tornado traffic needs a ring, a torus or a mesh");
  return TNY_OK;
}

static uint32_t across_each_side(const struct tny_shape *grid, uint32_t from)
{
  uint32_t to = from;
  for (uint32_t dimension = 0; dimension < grid->dimension_count; dimension++) {
    const uint32_t size = grid->size[dimension];
    const uint32_t at = tny_grid_coordinate(grid, from, dimension);
    to = tny_grid_moved(grid, to, dimension, (at + (size + 1) / 2 - 1) % size);
  }
  return to;
}

uint32_t tny_traffic_to(const struct tny_cluster *cluster, enum tny_traffic traffic, uint32_t from)
{
  switch (traffic) {
  case TNY_TRAFFIC_TRANSPOSE:
    return from % cluster->shape.size[0] * cluster->shape.size[0] + from / cluster->shape.size[0];
  case TNY_TRAFFIC_TORNADO:
    return across_each_side(&cluster->shape, from);
  case TNY_TRAFFIC_COMPLEMENT:
    return cluster->host_count - 1 - from;
  case TNY_TRAFFIC_HOTSPOT:
    return cluster->host_count / 2;
  case TNY_TRAFFIC_UNIFORM:
    break;
  }
  return from;
}

/* --- how full links are --- */

static void add_route(const struct tny_routes *routes, uint32_t from, uint32_t to,
                      uint64_t *crossed)
{
  const struct tny_cluster *cluster = routes->cluster;
  uint32_t link = cluster->out_links[cluster->first_out[from]];
  for (;;) {
    crossed[link]++;
    if (cluster->links[link].to == to)
      return;
    link = tny_routes_next(routes, cluster->links[link].to, to);
  }
}

enum tny_status tny_traffic_link_load(const struct tny_routes *routes, enum tny_traffic traffic,
                                      double *load, struct tny_error *error)
{
  const struct tny_cluster *cluster = routes->cluster;
  const enum tny_status status = tny_traffic_check(cluster, traffic, error);
  if (status != TNY_OK)
    return status;
  uint64_t *crossed = tny_new(cluster->link_count, sizeof *crossed), most = 0;
  if (!crossed)
    return tny_error_memory(error);
  const bool is_uniform = traffic == TNY_TRAFFIC_UNIFORM;
  for (uint32_t from = 0; from < cluster->host_count; from++)
    for (uint32_t i = 0; i < (is_uniform ? cluster->host_count : 1); i++)
      add_route(routes, from, is_uniform ? i : tny_traffic_to(cluster, traffic, from), crossed);
  for (uint32_t link = 0; link < cluster->link_count; link++)
    most = crossed[link] > most ? crossed[link] : most;
  tny_free(crossed);
  *load = (double)most / (is_uniform ? cluster->host_count : 1);
  return TNY_OK;
}
