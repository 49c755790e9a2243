/* The least time of a barrier. Its messages carry nothing, so that rates don't limit it. But
   each rank ends only after every other one has begun, and word of that travels no faster than
   by the way of least latency. Where all begin at once, the two hosts that are farthest apart
   decide. */
#include "bounds/bottleneck.h"

#include "core/alloc.h"
#include "core/error.h"
#include "core/units.h"

/* The least latency from one node to all: by relaxation, node by node, until nothing gets less. */
struct search {
  const struct tny_cluster *cluster;
  uint32_t node_count;
  uint64_t *latency_ns; /* by node; UINT64_MAX: not reached */
  uint32_t *queue;      /* cyclic, of as many as there are nodes */
  bool *is_queued;      /* by node */
};

static enum tny_status search_init(struct search *search, const struct tny_cluster *cluster,
                                   struct tny_error *error)
{
  const uint32_t nodes = cluster->host_count + cluster->switch_count;
  *search = (struct search){.cluster = cluster,
                            .node_count = nodes,
                            .latency_ns = tny_new(nodes, sizeof *search->latency_ns),
                            .queue = tny_new(nodes, sizeof *search->queue),
                            .is_queued = tny_new(nodes, sizeof *search->is_queued)};
  const bool has_room = search->latency_ns && search->queue && search->is_queued;
  return has_room ? TNY_OK : tny_error_memory(error);
}

static void search_release(struct search *search)
{
  tny_free(search->latency_ns);
  tny_free(search->queue);
  tny_free(search->is_queued);
}

static void search_from(const struct search *search, uint32_t start)
{
  const struct tny_cluster *cluster = search->cluster;
  uint32_t head = 0, count = 1;
  for (uint32_t node = 0; node < search->node_count; node++)
    search->latency_ns[node] = UINT64_MAX;
  search->latency_ns[start] = 0;
  search->queue[0] = start;
  while (count > 0) {
    const uint32_t node = search->queue[head];
    head = (head + 1) % search->node_count;
    count--;
    search->is_queued[node] = false;
    for (uint32_t i = cluster->first_out[node]; i < cluster->first_out[node + 1]; i++) {
      const struct tny_link *link = &cluster->links[cluster->out_links[i]];
      const uint64_t latency_ns = search->latency_ns[node] + link->latency_ns;
      if (latency_ns >= search->latency_ns[link->to])
        continue;
      search->latency_ns[link->to] = latency_ns;
      if (search->is_queued[link->to])
        continue;
      search->queue[(head + count++) % search->node_count] = link->to;
      search->is_queued[link->to] = true;
    }
  }
}

enum tny_status tny_bound_by_delay(const struct tny_bound_question *question,
                                   struct tny_bound *bound, struct tny_error *error)
{
  const struct tny_cluster *cluster = question->cluster;
  uint32_t from = TNY_NONE, to = TNY_NONE;
  uint64_t longest_ns = 0;
  struct search search;
  const enum tny_status status = search_init(&search, cluster, error);
  for (uint32_t start = 0; status == TNY_OK && start < cluster->host_count; start++) {
    if (question->ranks_on[start] == 0)
      continue;
    search_from(&search, start);
    for (uint32_t host = 0; host < cluster->host_count; host++)
      if (host != start && question->ranks_on[host] > 0 &&
          (to == TNY_NONE || search.latency_ns[host] > longest_ns)) {
        longest_ns = search.latency_ns[host];
        from = start;
        to = host;
      }
  }
  search_release(&search);
  if (status != TNY_OK)
    return status;
  bound->reason = TNY_BOUND_DELAY;
  bound->seconds = (double)longest_ns / 1e9;
  snprintf(bound->text, sizeof bound->text, "the way %.90s -> %.90s takes %s",
           cluster->node_names[from], cluster->node_names[to], tny_time_format(longest_ns).text);
  return TNY_OK;
}
