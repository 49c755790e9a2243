/* What was discovered of a made-up network beside what is true of it. Included once by each test
   program. */
#ifndef TOURNEY_TESTS_DISCOVER_SUPPORT_H
#define TOURNEY_TESTS_DISCOVER_SUPPORT_H

#include "made_up_probes.h"

#define NETWORK(made) ((unsigned long long)(made)->network->seed)

/* Hosts share a switch where they really do, or seem to. */
static inline void assert_switches(const struct made_probes *made,
                                   const struct made_network *visible, const struct tny_tree *tree)
{
  if (tree->switch_count != visible->trunk_count + 1)
    show_network(visible);
  if (tree->switch_count != visible->trunk_count + 1 || tree->trunk_count != visible->trunk_count)
    fail_msg("seed %llu: %u switches and %u trunks found; they are %u and %u", NETWORK(made),
             tree->switch_count, tree->trunk_count, visible->trunk_count + 1, visible->trunk_count);
  for (uint32_t a = 0; a < visible->host_count; a++)
    for (uint32_t b = 0; b < a; b++)
      if ((tree->switch_of[a] == tree->switch_of[b]) !=
          (visible->hosts[a].at == visible->hosts[b].at))
        fail_msg("seed %llu: hosts %u and %u %s a switch", NETWORK(made), b, a,
                 tree->switch_of[a] == tree->switch_of[b] ? "don't share" : "share");
}

/* The found trunk that divides the hosts as this one does. */
static inline uint32_t found_trunk(const struct made_probes *made,
                                   const struct made_network *visible, uint32_t t,
                                   const struct tny_tree *tree)
{
  uint8_t beyond[MADE_HOSTS], beyond_switch[MADE_HOSTS], found_beyond[MADE_HOSTS];
  hosts_beyond(visible, t, beyond);
  for (uint32_t found = 0; found < tree->trunk_count; found++) {
    tny_tree_mark_beyond(tree, found, beyond_switch);
    for (uint32_t host = 0; host < visible->host_count; host++)
      found_beyond[host] = beyond_switch[tree->switch_of[host]];
    if (division(beyond, visible->host_count) == division(found_beyond, visible->host_count))
      return found;
  }
  fail_msg("seed %llu: the trunk %u -- %u wasn't found", NETWORK(made), visible->trunks[t].a,
           visible->trunks[t].b);
  return TNY_NONE;
}

#endif
