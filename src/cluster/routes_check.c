/* Proves that a routing is free of deadlock, by the channel dependency graph (Dally and Seitz,
   Deadlock-free message routing in multiprocessor interconnection networks, IEEE ToC 1987). A
   channel is a lane of a link between switches. One channel depends on another where a message may
   hold the first and want the second. Where the graph has no cycle, no message waits for ever. The
   channels of hosts' links can't be on a cycle: a message holds no channel before its host sends
   it, and wants none after its host received it.

   If besides no message ever is without a next link, every message arrives, for it can't pass
   infinitely many channels of a graph without cycles. */
#include "cluster/channel_cycle.h"
#include "cluster/router.h"

#include "core/alloc.h"
#include "core/cycle.h"
#include "core/error.h"

#define DEPENDS_MAX ((uint64_t)4 << 30) /* bytes */
enum { CHANNELS_MAX = 1 << 28 };

/* Channels are numbered by the index of their link in the tables' cables, and their lane, so that
   those out of a switch are consecutive. */
struct graph {
  const struct tny_routes *routes;
  const struct tny_tables *tables;
  bool adaptive;
  uint32_t lane_count, channel_count;
  uint32_t *index_of; /* by link: its index in the cables */
  uint64_t *first;    /* by channel, and the end: where its row of `depends` begins */
  uint8_t *depends;   /* a row: by the channels out of the switch that the channel leads to */
  uint32_t *visited;  /* by channel: the last host, counted from 1, that was looked at */
  uint32_t *queue;    /* channel_count */
  uint32_t tail;      /* of the queue, while dependencies are found */
  struct tny_lane *options;
};

static uint32_t first_channel(const struct graph *graph, uint32_t at)
{
  return graph->tables->trunks[graph->tables->first_trunk[at]].first_cable * graph->lane_count;
}

static struct tny_lane lane_of(const struct graph *graph, uint32_t channel)
{
  return (struct tny_lane){graph->tables->cables[channel / graph->lane_count],
                           channel % graph->lane_count};
}

/* The switch a channel leads to. */
static uint32_t head_of(const struct graph *graph, uint32_t channel)
{
  const struct tny_cluster *cluster = graph->routes->cluster;
  return cluster->links[lane_of(graph, channel).link].to - cluster->host_count;
}

static void release(struct graph *graph)
{
  tny_free(graph->index_of);
  tny_free(graph->first);
  tny_free(graph->depends);
  tny_free(graph->visited);
  tny_free(graph->queue);
  tny_free(graph->options);
}

static enum tny_status refuse_size(const struct tny_routes *routes, struct tny_error *error)
{
  const struct tny_cluster *cluster = routes->cluster;
  return tny_error_set(error, TNY_REFUSED,
                       "to look for cycles in the routes of %u hosts and %u switches, with %u "
                       "lanes a link, takes more than 4 GiB: take a part of the cluster",
                       cluster->host_count, cluster->switch_count, tny_routes_lane_count(routes));
}

/* An empty graph. */
static enum tny_status lay_out(struct graph *graph, struct tny_error *error)
{
  const uint32_t link_count = graph->routes->cluster->link_count;
  const uint32_t channels = graph->channel_count;
  graph->index_of = tny_new(link_count, sizeof *graph->index_of);
  graph->first = tny_new((size_t)channels + 1, sizeof *graph->first);
  graph->visited = tny_new(channels, sizeof *graph->visited);
  graph->queue = tny_new(channels, sizeof *graph->queue);
  graph->options = tny_new(tny_routes_option_max(graph->routes), sizeof *graph->options);
  if (!graph->index_of || !graph->first || !graph->visited || !graph->queue || !graph->options)
    return tny_error_memory(error);
  for (uint32_t i = 0; i < graph->tables->cable_total; i++)
    graph->index_of[graph->tables->cables[i]] = i;
  for (uint32_t c = 0; c < channels; c++) {
    const uint32_t at = head_of(graph, c);
    graph->first[c + 1] = graph->first[c] + first_channel(graph, at + 1) - first_channel(graph, at);
  }
  if (graph->first[channels] > DEPENDS_MAX)
    return refuse_size(graph->routes, error);
  graph->depends = tny_new(graph->first[channels], sizeof *graph->depends);
  return graph->depends ? TNY_OK : tny_error_memory(error);
}

/* --- the dependencies --- */

static enum tny_status refuse_dead_end(const struct graph *graph, uint32_t in, uint32_t at,
                                       uint32_t host, struct tny_error *error)
{
  const struct tny_cluster *cluster = graph->routes->cluster;
  const char *from =
      in == TNY_NONE ? "a host" : cluster->node_names[cluster->links[lane_of(graph, in).link].from];
  return tny_error_set(
      error, TNY_BROKEN, "a message to %.100s that comes to %.100s from %.100s finds no way on",
      cluster->node_names[host], cluster->node_names[cluster->host_count + at], from);
}

/* Notes where a message to the host goes on from the switch `at`, where it is by channel `in`
   (TNY_NONE: from a host); new channels join the queue. */
static enum tny_status follow(struct graph *graph, uint32_t in, uint32_t at, uint32_t host,
                              struct tny_error *error)
{
  const struct tny_cluster *cluster = graph->routes->cluster;
  const uint32_t node = cluster->host_count + at;
  const struct tny_lane no_lane = {.link = TNY_NONE};
  uint32_t count = 1;
  if (tny_routes_home(cluster, host) == at)
    return TNY_OK;
  if (graph->adaptive)
    count = tny_routes_options(graph->routes, in == TNY_NONE ? no_lane : lane_of(graph, in), node,
                               host, graph->options);
  else
    graph->options[0] = tny_routes_choice(graph->routes, node, host);
  if (count == 0)
    return refuse_dead_end(graph, in, at, host, error);
  for (uint32_t i = 0; i < count; i++) {
    const struct tny_lane option = graph->options[i];
    const uint32_t channel = graph->index_of[option.link] * graph->lane_count + option.lane;
    if (in != TNY_NONE)
      graph->depends[graph->first[in] + channel - first_channel(graph, at)] = 1;
    if (graph->visited[channel] != host + 1) {
      graph->visited[channel] = host + 1;
      graph->queue[graph->tail++] = channel;
    }
  }
  return TNY_OK;
}

/* Follows messages to every host from every switch with hosts. `sends` has an entry a switch. */
static enum tny_status follow_all(struct graph *graph, const bool *sends, struct tny_error *error)
{
  const struct tny_cluster *cluster = graph->routes->cluster;
  enum tny_status status = TNY_OK;
  for (uint32_t host = 0; !status && host < cluster->host_count; host++) {
    graph->tail = 0;
    for (uint32_t s = 0; !status && s < cluster->switch_count; s++)
      if (sends[s])
        status = follow(graph, TNY_NONE, s, host, error);
    for (uint32_t head = 0; !status && head < graph->tail; head++) {
      const uint32_t channel = graph->queue[head];
      status = follow(graph, channel, head_of(graph, channel), host, error);
    }
  }
  return status;
}

static enum tny_status find_dependencies(struct graph *graph, struct tny_error *error)
{
  const struct tny_cluster *cluster = graph->routes->cluster;
  bool *sends = tny_new(cluster->switch_count, sizeof *sends);
  if (!sends)
    return tny_error_memory(error);
  for (uint32_t host = 0; host < cluster->host_count; host++)
    sends[tny_routes_home(cluster, host)] = true;
  const enum tny_status status = follow_all(graph, sends, error);
  tny_free(sends);
  return status;
}

/* --- cycles --- */

/* Goes through the channels that `channel` depends on: those >= *next; TNY_NONE at the end. */
static uint32_t next_dependency(const struct graph *graph, uint32_t channel, uint32_t *next)
{
  const uint32_t begin = first_channel(graph, head_of(graph, channel));
  const uint32_t width = (uint32_t)(graph->first[channel + 1] - graph->first[channel]);
  for (uint32_t i = *next; i < width; i++)
    if (graph->depends[graph->first[channel] + i]) {
      *next = i + 1;
      return begin + i;
    }
  return TNY_NONE;
}

/* Takes away channels that no other depends on, until there are none left: without cycles, all
   go. Marks those that stay in `visited` by 1, others by 0; returns how many stay. */
static uint32_t trim(struct graph *graph, uint32_t *dependents)
{
  uint32_t tail = 0;
  for (uint32_t c = 0; c < graph->channel_count; c++)
    for (uint32_t next = 0, to; (to = next_dependency(graph, c, &next)) != TNY_NONE;)
      dependents[to]++;
  for (uint32_t c = 0; c < graph->channel_count; c++) {
    graph->visited[c] = 1;
    if (dependents[c] == 0)
      graph->queue[tail++] = c;
  }
  for (uint32_t head = 0; head < tail; head++) {
    graph->visited[graph->queue[head]] = 0;
    for (uint32_t next = 0, to;
         (to = next_dependency(graph, graph->queue[head], &next)) != TNY_NONE;)
      if (--dependents[to] == 0)
        graph->queue[tail++] = to;
  }
  return graph->channel_count - tail;
}

/* For tny_cycle_through: the dependencies among the channels that stay. */
static uint32_t next_staying(const void *of, uint32_t channel, uint32_t *cursor)
{
  const struct graph *graph = of;
  uint32_t to = next_dependency(graph, channel, cursor);
  while (to != TNY_NONE && !graph->visited[to])
    to = next_dependency(graph, channel, cursor);
  return to;
}

static void add_channel(struct tny_text *text, const void *of, uint32_t channel)
{
  const struct graph *graph = of;
  const struct tny_lane lane = lane_of(graph, channel);
  tny_link_add_name(text, graph->routes->cluster, lane.link);
  if (graph->lane_count > 1)
    tny_text_add(text, " lane %u", lane.lane);
}

/* Refuses the routes with a shortest cycle among the channels that stay, of which there are some.
   `memory` has 2 entries a channel. */
static enum tny_status refuse_cycle(const struct graph *graph, uint32_t *memory, char **cycle,
                                    struct tny_error *error)
{
  const uint32_t none = graph->channel_count + 1;
  const struct tny_digraph staying = {graph->channel_count, next_staying, graph};
  uint32_t *channels = memory, *parent = memory + graph->channel_count;
  uint32_t least = none, least_start = 0;
  for (uint32_t c = 0; c < graph->channel_count; c++) {
    const uint32_t length =
        graph->visited[c] ? tny_cycle_through(&staying, c, least, channels, parent) : 0;
    if (length > 0) {
      least = length;
      least_start = c;
    }
  }
  tny_cycle_through(&staying, least_start, none, channels, parent);
  const struct tny_channel_cycle found = {channels, least, add_channel, graph};
  return tny_channel_cycle_refuse(&found, "messages can wait for each other", cycle, error);
}

static enum tny_status check_graph(struct graph *graph, char **cycle, struct tny_error *error)
{
  enum tny_status status = lay_out(graph, error);
  if (!status)
    status = find_dependencies(graph, error);
  if (status)
    return status;
  uint32_t *memory = tny_new((size_t)2 * graph->channel_count, sizeof *memory);
  if (!memory)
    return tny_error_memory(error);
  if (trim(graph, memory) > 0)
    status = refuse_cycle(graph, memory, cycle, error);
  tny_free(memory);
  return status;
}

enum tny_status tny_routes_check(const struct tny_routes *routes, bool adaptive, char **cycle,
                                 struct tny_error *error)
{
  if (cycle)
    *cycle = NULL;
  if (routes->cluster->switch_count == 0)
    return TNY_OK;
  const uint64_t channels = (uint64_t)routes->tables->cable_total * tny_routes_lane_count(routes);
  if (channels > CHANNELS_MAX)
    return refuse_size(routes, error);
  struct graph graph = {.routes = routes,
                        .tables = routes->tables,
                        .adaptive = adaptive,
                        .lane_count = tny_routes_lane_count(routes),
                        .channel_count = (uint32_t)channels};
  const enum tny_status status = check_graph(&graph, cycle, error);
  release(&graph);
  return status;
}
