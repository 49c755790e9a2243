/* Bounds by single links: what each link has to carry, under given routes or on a tree. */
#include "bounds/bottleneck.h"

#include "core/alloc.h"
#include "core/error.h"

static void consider_link(const struct tny_cluster *cluster, uint32_t link, uint64_t blocks,
                          struct tny_bottleneck *worst)
{
  if (tny_bottleneck_is_worse(worst, blocks, cluster->links[link].best_bps))
    *worst = (struct tny_bottleneck){.blocks = blocks,
                                     .bandwidth_bps = cluster->links[link].best_bps,
                                     .link = link,
                                     .link_count = 1};
}

/* Arrays of node_count, and `load` of link_count. */
struct loading {
  const struct tny_bound_question *question;
  uint64_t *load;   /* blocks by link */
  uint64_t *weight; /* ranks whose blocks pass the node */
  uint32_t *inputs; /* nodes that send to this one and aren't done */
  uint32_t *queue;
};

/* Adds what goes to one host: the routes to it are a tree, emptied from its leaves. */
static void load_towards(struct loading *loading, uint32_t host)
{
  const struct tny_cluster *cluster = loading->question->cluster;
  const struct tny_routes *routes = loading->question->routes;
  const uint32_t node_count = cluster->host_count + cluster->switch_count;
  const uint32_t *ranks_on = loading->question->ranks_on;
  uint32_t tail = 0;
  memset(loading->inputs, 0, node_count * sizeof *loading->inputs);
  for (uint32_t node = 0; node < node_count; node++) {
    loading->weight[node] = node < cluster->host_count ? ranks_on[node] : 0;
    if (node != host)
      loading->inputs[cluster->links[tny_routes_next(routes, node, host)].to]++;
  }
  for (uint32_t node = 0; node < node_count; node++)
    if (loading->inputs[node] == 0)
      loading->queue[tail++] = node;
  for (uint32_t head = 0; head < tail; head++) {
    const uint32_t node = loading->queue[head];
    if (node == host)
      break;
    const uint32_t link = tny_routes_next(routes, node, host), to = cluster->links[link].to;
    loading->load[link] += loading->weight[node] * ranks_on[host];
    loading->weight[to] += loading->weight[node];
    if (--loading->inputs[to] == 0)
      loading->queue[tail++] = to;
  }
}

enum tny_status tny_bound_by_routes(const struct tny_bound_question *question,
                                    struct tny_bottleneck *worst, struct tny_error *error)
{
  const struct tny_cluster *cluster = question->cluster;
  const size_t node_count = (size_t)cluster->host_count + cluster->switch_count;
  uint64_t *counts = tny_new(cluster->link_count + node_count, sizeof *counts);
  uint32_t *nodes = tny_new(2 * node_count, sizeof *nodes);
  struct loading loading = {.question = question, .load = counts, .inputs = nodes};
  if (counts && nodes) {
    loading.weight = counts + cluster->link_count;
    loading.queue = nodes + node_count;
    for (uint32_t host = 0; host < cluster->host_count; host++)
      if (question->ranks_on[host])
        load_towards(&loading, host);
    for (uint32_t link = 0; link < cluster->link_count; link++)
      consider_link(cluster, link, counts[link], worst);
  }
  const bool done = counts && nodes;
  tny_free(counts);
  tny_free(nodes);
  return done ? TNY_OK : tny_error_memory(error);
}

enum tny_status tny_bound_on_tree(const struct tny_bound_question *question,
                                  struct tny_bottleneck *worst, struct tny_error *error)
{
  const struct tny_cluster *cluster = question->cluster;
  const size_t node_count = (size_t)cluster->host_count + cluster->switch_count;
  uint32_t *memory = tny_new(3 * node_count, sizeof *memory);
  if (!memory)
    return tny_error_memory(error);
  uint32_t *queue = memory, *below = memory + node_count, *down = memory + 2 * node_count;
  uint32_t tail = 0;
  queue[tail++] = question->root_host;
  down[queue[0]] = TNY_NONE; /* the link that leads down to a node */
  for (uint32_t head = 0; head < tail; head++) {
    const uint32_t node = queue[head];
    for (uint32_t i = cluster->first_out[node]; i < cluster->first_out[node + 1]; i++) {
      const uint32_t link = cluster->out_links[i];
      if (down[node] != TNY_NONE && link == (down[node] ^ 1))
        continue;
      down[cluster->links[link].to] = link;
      queue[tail++] = cluster->links[link].to;
    }
  }
  for (; tail > 1; tail--) {
    const uint32_t node = queue[tail - 1];
    below[node] += node < cluster->host_count ? question->ranks_on[node] : 0;
    below[cluster->links[down[node]].from] += below[node];
  }
  for (uint32_t i = 0; i < cluster->link_count; i++) {
    const struct tny_link *link = &cluster->links[i];
    const bool leads_down = down[link->to] == i;
    const uint32_t ahead = leads_down ? below[link->to] : question->rank_count - below[link->from];
    const struct tny_sides sides = {.from = question->rank_count - ahead,
                                    .to = ahead,
                                    .root_from = leads_down,
                                    .root_to = !leads_down};
    consider_link(cluster, i, tny_collective_load(question->collective, sides), worst);
  }
  tny_free(memory);
  return TNY_OK;
}
