/* Trees over the parts of a group, and who leads these. */
#include "collectives/trees/leaders.h"

#include "core/log2.h"

uint32_t tny_leaders_child(enum tny_leaders_tree tree, uint32_t n, uint32_t vertex, uint32_t k)
{
  if (tree == TNY_LEADERS_STAR)
    return vertex == 0 && k + 1 < n ? k + 1 : TNY_NONE;
  if (tree == TNY_LEADERS_CHAIN)
    return k == 0 && vertex + 1 < n ? vertex + 1 : TNY_NONE;
  uint32_t distance = vertex ? vertex & -vertex : (uint32_t)1 << tny_log2_ceil(n);
  do
    distance /= 2;
  while (distance > 0 && vertex + distance >= n);
  return distance >> k ? vertex + (distance >> k) : TNY_NONE;
}

uint32_t tny_leaders_child_count(enum tny_leaders_tree tree, uint32_t n, uint32_t vertex)
{
  uint32_t k = 0;
  while (tny_leaders_child(tree, n, vertex, k) != TNY_NONE)
    k++;
  return k;
}

uint32_t tny_leaders_parent(enum tny_leaders_tree tree, uint32_t vertex)
{
  if (tree == TNY_LEADERS_STAR)
    return 0;
  return tree == TNY_LEADERS_CHAIN ? vertex - 1 : vertex & (vertex - 1);
}

uint32_t tny_leaders_arrival(enum tny_leaders_tree tree, uint32_t n, uint32_t vertex)
{
  uint32_t rounds = 0;
  if (tree != TNY_LEADERS_BINOMIAL)
    return vertex;
  for (; vertex > 0; vertex = tny_leaders_parent(tree, vertex), rounds++)
    for (uint32_t k = 0; tny_leaders_child(tree, n, tny_leaders_parent(tree, vertex), k) != vertex;
         k++)
      rounds++;
  return rounds;
}

uint32_t tny_leaders_below(enum tny_leaders_tree tree, uint32_t n, uint32_t vertex)
{
  const uint32_t left = n - vertex, lowest = vertex & -vertex;
  if (vertex == 0 || tree == TNY_LEADERS_CHAIN)
    return left;
  if (tree == TNY_LEADERS_STAR)
    return 1;
  return lowest < left ? lowest : left;
}

struct tny_led_group tny_led_group_of(const struct tny_levels *levels, uint32_t level,
                                      uint32_t leader)
{
  struct tny_led_group led = {.group = tny_levels_group(levels, level, leader), .leader = leader};
  led.part = tny_level_group_find(&led.group, leader);
  led.n = led.group.count;
  return led;
}

static uint32_t part_of(const struct tny_led_group *led, uint32_t vertex)
{
  return (led->part + vertex) % led->n;
}

uint32_t tny_led_group_vertex(const struct tny_led_group *led, uint32_t position)
{
  const uint32_t part = tny_level_group_find(&led->group, position);
  return (part + led->n - led->part) % led->n;
}

uint32_t tny_led_group_leader(const struct tny_led_group *led, uint32_t vertex)
{
  return vertex == 0 ? led->leader : tny_level_group_first(&led->group, part_of(led, vertex));
}

uint32_t tny_led_group_size(const struct tny_led_group *led, uint32_t vertex, uint32_t count)
{
  uint32_t size = 0;
  for (uint32_t i = 0; i < count; i++)
    size += tny_level_group_size(&led->group, part_of(led, vertex + i));
  return size;
}
