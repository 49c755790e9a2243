/* ring:8, torus:8x8, mesh:4x4x4: node i of the shape is switch s<i> with host h<i>. */
#include "cluster/generation.h"
#include "cluster/shape.h"
#include "core/grid.h"

enum tny_status tny_generate_grid(struct tny_generation *generation, struct tny_error *error)
{
  struct tny_shape *shape = &generation->build->shape;
  enum tny_status status = tny_shape_read(generation->name, generation->arguments, shape, error);
  if (status)
    return status;
  /* Each switch is added with its host, so that switch s<i> is node 2 i of the build. */
  const uint32_t node_count = tny_grid_nodes(shape);
  for (uint32_t i = 0; !status && i < node_count; i++) {
    uint32_t node = 0;
    status = tny_generation_switch(generation, 's', i, &node, error);
    if (!status)
      status = tny_generation_hosts(generation, node, 1, error);
  }
  for (uint32_t i = 0; !status && i < node_count; i++)
    for (uint32_t d = 0; !status && d < shape->dimension_count; d++) {
      const uint32_t next = tny_grid_neighbour(shape, i, d, true);
      if (next != TNY_NONE)
        status = tny_generation_cable(generation, &generation->trunk, 2 * i, 2 * next, error);
    }
  return status;
}
