/* Trees of switches, written in the flat form and read. */
#include "switch_trees.h"

#include <inttypes.h>
#include <stdbool.h>

#include "core/text.h"

enum { SWITCHES_MAX = 16 };

/* A tree: each switch but the first is a child of one before it. */
struct tree {
  uint32_t switch_count, host_count;
  uint32_t above[SWITCHES_MAX];
  bool begins_zone[SWITCHES_MAX]; /* its cable upwards has a long delay, so that a zone begins */
};

/* Host h is on switch home[h]. */
static enum tny_status make_tree(const char *name, const struct tree *tree, const uint32_t *home,
                                 struct tny_cluster **cluster, struct tny_error *error)
{
  static const char cable[] = "1000000000 5000 65536", long_delay[] = "1000000000 10000000 65536";
  struct tny_text text = {0};
  char *flat;
  tny_text_add(&text, "cluster 1 %s\n", name);
  for (uint32_t host = 0; host < tree->host_count; host++)
    tny_text_add(&text, "host h%" PRIu32 "\n", host);
  for (uint32_t node = 0; node < tree->switch_count; node++)
    tny_text_add(&text, "switch s%" PRIu32 "\n", node);
  for (uint32_t node = 1; node < tree->switch_count; node++)
    tny_text_add(&text, "cable s%" PRIu32 " s%" PRIu32 " %s\n", tree->above[node], node,
                 tree->begins_zone[node] ? long_delay : cable);
  for (uint32_t host = 0; host < tree->host_count; host++)
    tny_text_add(&text, "cable s%" PRIu32 " h%" PRIu32 " %s\n", home[host], host, cable);
  enum tny_status status = tny_text_take(&text, &flat, error);
  if (status == TNY_OK)
    status = tny_cluster_read_flat(flat, cluster, error);
  tny_text_free(flat);
  return status;
}

enum tny_status verify_star_make(uint32_t hosts, struct tny_cluster **cluster,
                                 struct tny_error *error)
{
  char name[32];
  uint32_t home[VERIFY_TREE_HOSTS_MAX];
  uint32_t leaves = 2;
  while (leaves * leaves < hosts)
    leaves++;
  const struct tree tree = {.switch_count = 1 + leaves,
                            .host_count = hosts}; /* all are children of s0 */
  for (uint32_t host = 0; host < hosts; host++)
    home[host] = 1 + host % leaves;
  snprintf(name, sizeof name, "star:%" PRIu32 "x%" PRIu32, leaves, hosts);
  return make_tree(name, &tree, home, cluster, error);
}

static uint32_t next_random(uint32_t *state, uint32_t below)
{
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % below;
}

/* A tree drawn by a number. */
struct seed {
  uint32_t number, hosts;
};

/* Of every `zone_every` switches one begins a zone; 0: none does. */
static enum tny_status grow_tree(const char *kind, const struct seed *seed, uint32_t zone_every,
                                 struct tny_cluster **cluster, struct tny_error *error)
{
  char name[32];
  uint32_t home[VERIFY_TREE_HOSTS_MAX], state = 7919 * seed->number;
  const uint32_t p = seed->hosts;
  struct tree tree = {.switch_count = 2 + next_random(&state, SWITCHES_MAX - 1), .host_count = p};
  for (uint32_t node = 1; node < tree.switch_count; node++)
    tree.above[node] = next_random(&state, node);
  for (uint32_t host = 0; host < p; host++)
    home[host] = next_random(&state, tree.switch_count);
  for (uint32_t node = 1; node < tree.switch_count && zone_every > 0; node++)
    tree.begins_zone[node] = next_random(&state, zone_every) == 0;
  snprintf(name, sizeof name, "%s:%" PRIu32, kind, seed->number);
  return make_tree(name, &tree, home, cluster, error);
}

enum tny_status verify_random_tree_make(uint32_t number, uint32_t hosts,
                                        struct tny_cluster **cluster, struct tny_error *error)
{
  return grow_tree("random-tree", &(struct seed){number, hosts}, 0, cluster, error);
}

enum tny_status verify_zone_tree_make(uint32_t number, uint32_t hosts, struct tny_cluster **cluster,
                                      struct tny_error *error)
{
  return grow_tree("zone-tree", &(struct seed){number, hosts}, 3, cluster, error);
}
