/* dragonfly:GxAxP,global=H: G groups of A switches with P hosts each, joined each to each within a
   group by local cables, and with up to H global cables a switch to other groups. (Kim, Dally,
   Scott, Abts: Technology-driven, highly-scalable dragonfly topology, ISCA 2008.)

   Each two groups are joined by the same number m of global cables, the largest for which a group
   has m (G - 1) ports among its A H. These ports are numbered 0, 1, ... and divided among the
   group's switches in blocks, which differ by one port at most. Where m (G - 1) is less than A H,
   the ports beyond are left free. Port j of group i leads j mod (G - 1) + 1 groups back, around,
   and to port m (G - 1) - 1 - j there, which leads to port j again: the palm-tree arrangement.
   (Camarero, Vallejo, Beivide: Topological characterization of Hamming and dragonfly networks and
   its implications on routing, TACO 2014.) With G = A H + 1, m is 1 and no port is free. */
#include "cluster/generation.h"
#include "core/error.h"

struct dragonfly {
  uint32_t groups, switches, hosts; /* groups; switches of a group; hosts of a switch */
  uint32_t ports;                   /* that a group uses for global cables */
};

/* Switches are added with their hosts, one after another. */
static uint32_t node_of(const struct dragonfly *dragonfly, uint32_t group, uint32_t in_group)
{
  return (group * dragonfly->switches + in_group) * (1 + dragonfly->hosts);
}

/* The switch in its group that has the port. */
static uint32_t switch_of(const struct dragonfly *dragonfly, uint32_t port)
{
  return (uint32_t)((uint64_t)port * dragonfly->switches / dragonfly->ports);
}

static enum tny_status add_group(struct tny_generation *generation,
                                 const struct dragonfly *dragonfly, uint32_t group,
                                 struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; !status && i < dragonfly->switches; i++) {
    uint32_t node = 0;
    status = tny_generation_switch(generation, 's', group * dragonfly->switches + i, &node, error);
    if (!status)
      status = tny_generation_hosts(generation, node, dragonfly->hosts, error);
    for (uint32_t before = 0; !status && before < i; before++)
      status = tny_generation_cable(generation, &generation->trunk,
                                    node_of(dragonfly, group, before), node, error);
  }
  return status;
}

/* The global cables to groups of a higher number. */
static enum tny_status add_global(struct tny_generation *generation,
                                  const struct dragonfly *dragonfly, uint32_t group,
                                  struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t port = 0; !status && port < dragonfly->ports; port++) {
    const uint32_t back = port % (dragonfly->groups - 1) + 1;
    if (back <= group)
      continue;
    const uint32_t from = node_of(dragonfly, group, switch_of(dragonfly, port));
    const uint32_t to = node_of(dragonfly, group + dragonfly->groups - back,
                                switch_of(dragonfly, dragonfly->ports - 1 - port));
    status = tny_generation_cable(generation, &generation->wide, from, to, error);
  }
  return status;
}

/* From the option global= to the ports; without it, the fewest a switch that join all groups. */
static enum tny_status find_ports(const struct tny_generation *generation,
                                  struct dragonfly *dragonfly, struct tny_error *error)
{
  const uint64_t groups = dragonfly->groups, switches = dragonfly->switches;
  const uint64_t fewest = (groups - 1 + switches - 1) / switches;
  const uint64_t global =
      generation->has[TNY_OPTION_GLOBAL] ? generation->values[TNY_OPTION_GLOBAL] : fewest;
  if (global < fewest)
    return tny_error_set(error, TNY_BAD_INPUT,
                         "%llu groups are too many: %llu switches with %llu global cables each "
                         "reach %llu groups at most, their own one included; give global=%llu",
                         (unsigned long long)groups, (unsigned long long)switches,
                         (unsigned long long)global, (unsigned long long)(switches * global + 1),
                         (unsigned long long)fewest);
  const uint64_t local_doubled = groups * switches * (switches - 1);
  if (global > TNY_CABLES_MAX || (local_doubled + groups * switches * global) / 2 > TNY_CABLES_MAX)
    return tny_error_set(error, TNY_BAD_INPUT, "more than %u cables", TNY_CABLES_MAX);
  dragonfly->ports = (uint32_t)(switches * global / (groups - 1) * (groups - 1));
  return TNY_OK;
}

enum tny_status tny_generate_dragonfly(struct tny_generation *generation, struct tny_error *error)
{
  uint32_t sides[3];
  enum tny_status status = tny_generation_sides(
      generation->arguments, "groups x switches of a group x hosts of a switch, as in 9x4x2", 3,
      sides, error);
  if (status)
    return status;
  struct dragonfly dragonfly = {.groups = sides[0], .switches = sides[1], .hosts = sides[2]};
  if (dragonfly.groups < 2)
    return tny_error_set(error, TNY_BAD_INPUT, "a dragonfly has at least 2 groups");
  generation->build->routing = TNY_ROUTING_SHORTEST_LANES;
  status = find_ports(generation, &dragonfly, error);
  for (uint32_t group = 0; !status && group < dragonfly.groups; group++)
    status = add_group(generation, &dragonfly, group, error);
  for (uint32_t group = 0; !status && group < dragonfly.groups; group++)
    status = add_global(generation, &dragonfly, group, error);
  return status;
}
