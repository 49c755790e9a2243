/* Dimension order on rings, tori and meshes: x before y before z, the shorter way around. Where
   both ways are as long, a message leaves an odd coordinate upwards and an even one downwards: then
   the phases of Hinrichs, Kosak, O'Hallaron, Stricker and Take run along these routes, and the load
   is even.

   The links of a ring can form a cycle of dependencies, so where sides wrap each link has two lanes
   (Dally and Seitz 1987): a message that still has to pass the link between the last node and the
   first, the dateline, waits in lane 0; one that has passed it, or never will, in lane 1. In lane 1
   no message passes the dateline, and from lane 1 none gets into lane 0 of that ring: there is no
   cycle.

   These lanes are loaded unevenly: on half of a ring's links no message has the dateline still
   before it, so that all go by lane 1. Where lanes are to carry as much each, a message to the
   first half of the ring's nodes takes lane 0 all along, and one to the second half lane 1. There
   is no cycle either. A message to the first half never goes up from this half into the second: it
   would have to pass that and the dateline, too, which is more than half of the ring. In the same
   way, messages to the second half never go up over the dateline; and downwards, those to the first
   half never pass the dateline, nor those to the second half the link between the halves. So each
   lane has a link of each ring that nothing takes. */
#include "cluster/router.h"

#include "core/alloc.h"
#include "core/error.h"
#include "core/grid.h"

static enum tny_status make(struct tny_routes *routes, struct tny_error *error)
{
  const struct tny_cluster *cluster = routes->cluster;
  const struct tny_shape *shape = &cluster->shape;
  struct tny_tables *tables = routes->tables;
  if (shape->dimension_count == 0)
    return tny_error_set(error, TNY_REFUSED,
                         "dimension order needs a ring, a torus or a mesh: take such a generator, "
                         "or say in the file which one it is (grid=\"torus:8x8\")");
  tables->toward = tny_new((size_t)cluster->switch_count * 6, sizeof *tables->toward);
  if (!tables->toward)
    return tny_error_memory(error);
  for (uint32_t s = 0; s < cluster->switch_count; s++)
    for (uint32_t way = 0; way < 2 * shape->dimension_count; way++) {
      const uint32_t to = tny_grid_neighbour(shape, s, way / 2, way % 2 == 1);
      for (uint32_t t = tables->first_trunk[s]; to != TNY_NONE && t < tables->first_trunk[s + 1];
           t++)
        if (tables->trunks[t].to == to)
          tables->toward[(size_t)s * 6 + way] = tables->cables[tables->trunks[t].first_cable];
    }
  return TNY_OK;
}

/* Whether to go up from coordinate `at` to another one, `to`. */
static bool goes_up(const struct tny_shape *shape, uint32_t size, uint32_t at, uint32_t to)
{
  if (!shape->wraps)
    return to > at;
  const uint32_t ahead = to > at ? to - at : to + size - at;
  return 2 * ahead < size || (2 * ahead == size && at % 2 == 1);
}

/* The next link of a way, and what lanes go by. */
struct heading {
  uint32_t link, size, to; /* `to`, of `size`: the coordinate in the link's dimension */
  bool must_wrap;          /* the dateline is still to be passed */
};

static struct heading find_heading(const struct tny_routes *routes, uint32_t at, uint32_t to_host)
{
  const struct tny_shape *shape = &routes->cluster->shape;
  uint32_t from = at, to = tny_routes_home(routes->cluster, to_host), dimension = 0;
  while (from % shape->size[dimension] == to % shape->size[dimension]) {
    from /= shape->size[dimension];
    to /= shape->size[dimension++];
  }
  const uint32_t size = shape->size[dimension];
  const bool up = goes_up(shape, size, from % size, to % size);
  return (struct heading){.link = routes->tables->toward[at * 6 + 2 * dimension + up],
                          .size = size,
                          .to = to % size,
                          .must_wrap = up != (to % size > from % size)};
}

static struct tny_lane choose(const struct tny_routes *routes, uint32_t at, uint32_t to_host)
{
  const struct heading heading = find_heading(routes, at, to_host);
  return (struct tny_lane){.link = heading.link,
                           .lane = routes->cluster->shape.wraps && !heading.must_wrap};
}

static struct tny_lane choose_balanced(const struct tny_routes *routes, uint32_t at,
                                       uint32_t to_host)
{
  const struct heading heading = find_heading(routes, at, to_host);
  return (struct tny_lane){.link = heading.link,
                           .lane = routes->cluster->shape.wraps && 2 * heading.to >= heading.size};
}

const struct tny_router tny_router_dimension_order = {
    .routing = TNY_ROUTING_DIMENSION_ORDER, .make = make, .choose = choose};
const struct tny_router tny_router_dimension_order_balanced = {
    .routing = TNY_ROUTING_DIMENSION_ORDER_BALANCED, .make = make, .choose = choose_balanced};
