/* `tourney topology routes`: which links messages take, how long the routes are, and whether they
   can deadlock. */
#include "routes.h"

#include <inttypes.h>

#include "cli/shared/report.h"
#include "cli/shared/routing.h"
#include "cli/shared/words.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/text.h"

/* --- lengths --- */

/* Arrays of switch_count, switches counted from 0. */
struct survey {
  const struct tny_routes *routes;
  uint32_t *hosts_at; /* how many hosts a switch has */
  uint32_t *hops;     /* to the host at hand; 0: not known yet */
  uint32_t *path;
};

/* Fills in the hops of each switch on the way from `s`. */
static void follow(struct survey *survey, uint32_t s, uint32_t host)
{
  const struct tny_cluster *cluster = survey->routes->cluster;
  uint32_t length = 0, behind = 0;
  while (survey->hops[s] == 0) {
    survey->path[length++] = s;
    const uint32_t link = tny_routes_next(survey->routes, cluster->host_count + s, host);
    if (cluster->links[link].to == host)
      break;
    s = cluster->links[link].to - cluster->host_count;
    behind = survey->hops[s];
  }
  while (length > 0)
    survey->hops[survey->path[--length]] = ++behind;
}

static void add_routes_to(struct survey *survey, uint32_t host, struct topology_lengths *lengths,
                          uint64_t *sum)
{
  const struct tny_cluster *cluster = survey->routes->cluster;
  const uint32_t home = tny_cluster_switch_of(cluster, host) - cluster->host_count;
  memset(survey->hops, 0, cluster->switch_count * sizeof *survey->hops);
  for (uint32_t s = 0; s < cluster->switch_count; s++) {
    const uint32_t senders = survey->hosts_at[s] - (s == home);
    if (senders == 0)
      continue;
    follow(survey, s, host);
    const uint32_t links = survey->hops[s] + 1;
    *sum += (uint64_t)links * senders;
    lengths->route_count += senders;
    lengths->longest = links > lengths->longest ? links : lengths->longest;
  }
}

enum tny_status topology_measure(const struct tny_routes *routes, struct topology_lengths *lengths,
                                 struct tny_error *error)
{
  const struct tny_cluster *cluster = routes->cluster;
  const size_t switch_count = cluster->switch_count;
  *lengths = (struct topology_lengths){0};
  if (switch_count == 0) { /* two hosts and their cable */
    *lengths = (struct topology_lengths){.longest = 1, .mean = 1, .route_count = 2};
    return TNY_OK;
  }
  uint32_t *memory = tny_new(3 * switch_count, sizeof *memory);
  if (!memory)
    return tny_error_memory(error);
  struct survey survey = {.routes = routes,
                          .hosts_at = memory,
                          .hops = memory + switch_count,
                          .path = memory + 2 * switch_count};
  for (uint32_t host = 0; host < cluster->host_count; host++)
    survey.hosts_at[tny_cluster_switch_of(cluster, host) - cluster->host_count]++;
  uint64_t sum = 0;
  for (uint32_t host = 0; host < cluster->host_count; host++)
    add_routes_to(&survey, host, lengths, &sum);
  if (lengths->route_count > 0)
    lengths->mean = (double)sum / (double)lengths->route_count;
  tny_free(memory);
  return TNY_OK;
}

/* --- the answer --- */

static enum tny_status add_summary(struct tny_text *text, const struct tny_routes *routes,
                                   struct tny_error *error)
{
  struct topology_lengths lengths;
  const enum tny_status status = topology_measure(routes, &lengths, error);
  if (status != TNY_OK)
    return status;
  const uint32_t lanes = tny_routes_lane_count(routes);
  tny_text_add(text, "%s: %s, %u lane%s a link%s\n", routes->cluster->name, routes->name, lanes,
               lanes == 1 ? "" : "s",
               tny_routes_are_adaptive(routes) ? "; deterministic, or adaptive and minimal" : "");
  tny_text_add(text, "  %" PRIu64 " way%s between hosts: at most %u link%s, %.3g on average\n",
               lengths.route_count, lengths.route_count == 1 ? "" : "s", lengths.longest,
               lengths.longest == 1 ? "" : "s", lengths.mean);
  return TNY_OK;
}

static enum tny_status find_host(const struct tny_cluster *cluster, const char *name,
                                 uint32_t *host, struct tny_error *error)
{
  *host = tny_cluster_find_host(cluster, name);
  if (*host != TNY_NONE)
    return TNY_OK;
  return tny_error_set(error, TNY_BAD_INPUT, "the cluster has no host '%.100s'", name);
}

/* One line a link. */
static enum tny_status add_route(struct tny_text *text, const struct tny_routes *routes,
                                 const struct topology_question *question, struct tny_error *error)
{
  const struct tny_cluster *cluster = routes->cluster;
  uint32_t from, to;
  enum tny_status status = find_host(cluster, question->from, &from, error);
  if (status == TNY_OK)
    status = find_host(cluster, question->to, &to, error);
  if (status != TNY_OK)
    return status;
  tny_text_add(text, "  from %s to %s:\n", question->from, question->to);
  struct tny_lane next;
  for (uint32_t node = from; (next = tny_routes_choice(routes, node, to)).link != TNY_NONE;) {
    tny_text_add(text, "    %s -> %s", cluster->node_names[node],
                 cluster->node_names[cluster->links[next.link].to]);
    if (tny_routes_lane_count(routes) > 1)
      tny_text_add(text, " lane %u", next.lane);
    tny_text_add(text, "\n");
    node = cluster->links[next.link].to;
  }
  return TNY_OK;
}

/* Adds whether messages can deadlock. A cycle of waiting is written line by line, and is the
   error. */
static enum tny_status add_verdict(struct tny_text *text, const struct tny_routes *routes,
                                   bool adaptive, struct tny_error *error)
{
  char *cycle;
  const char *which = !tny_routes_are_adaptive(routes) ? ""
                      : adaptive                       ? "adaptive: "
                                                       : "deterministic: ";
  const enum tny_status status = tny_routes_check(routes, adaptive, &cycle, error);
  if (status == TNY_OK)
    tny_text_add(text, "  %sno cycle of waiting: every message arrives\n", which);
  if (!cycle)
    return status;
  tny_text_add(text, "  %sa cycle of waiting:\n", which);
  for (const char *rest = cycle; *rest;) {
    const char *line = rest;
    const int length = words_take_line(&rest);
    tny_text_add(text, "    %.*s\n", length, line);
  }
  tny_text_free(cycle);
  return status;
}

static enum tny_status answer(struct tny_text *text, const struct tny_routes *routes,
                              const struct topology_question *question, struct tny_error *error)
{
  enum tny_status status = add_summary(text, routes, error);
  if (status == TNY_OK && question->from)
    status = add_route(text, routes, question, error);
  if (status == TNY_OK && question->check)
    status = add_verdict(text, routes, false, error);
  if (status == TNY_OK && question->check && tny_routes_are_adaptive(routes))
    status = add_verdict(text, routes, true, error);
  return status;
}

int topology_routes(const struct tny_cluster *cluster, const struct topology_question *question)
{
  struct tny_error error = {0};
  struct tny_text text = {0};
  struct tny_routes *routes;
  char *taken = NULL;
  if (routing_open(cluster, question->routing, &routes, &error) != TNY_OK)
    return cli_fail(&error);
  enum tny_status status = answer(&text, routes, question, &error);
  tny_routes_free(routes);
  int code = CLI_OK;
  if (status == TNY_OK || status == TNY_BROKEN) {
    if (tny_text_take(&text, &taken, &error) == TNY_OK)
      code = cli_print(taken);
    tny_text_free(taken);
  }
  tny_text_release(&text);
  return error.status == TNY_OK ? code : cli_fail(&error);
}
