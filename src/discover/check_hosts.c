/* Hosts that are in both: are they at the switches that the file says, and of its rates? */
#include "discover/check_hosts.h"

#include <math.h>
#include <stdio.h>

#include "cluster/links.h"
#include "core/alloc.h"
#include "discover/faults.h"
#include "discover/file_tree.h"

/* The file's name of the switch of a host of both. */
static const char *switch_name(const struct tny_check *check, uint32_t i)
{
  const uint32_t at = tny_cluster_switch_of(check->cluster, check->cluster_host[i]);
  return check->cluster->node_names[at];
}

/* On which sides of the trunks that are in both is a host, by what was found and by the file? */
static bool is_miscabled(const struct tny_check *check, uint32_t i)
{
  const uint32_t n = check->both_count;
  for (uint32_t t = 0; t < check->network->found->tree.trunk_count; t++) {
    if (check->same[t] == TNY_NONE)
      continue;
    const uint8_t *found = &check->found_side[(size_t)t * n];
    const uint8_t *wanted = &check->expected_side[(size_t)check->same[t] * n];
    uint32_t different = 0;
    for (uint32_t other = 0; other < n; other++)
      different += found[other] != wanted[other];
    const bool is_turned = different > n - different;
    if ((found[i] != wanted[i]) != is_turned)
      return true;
  }
  return false;
}

/* A host at the switch where the host was found that the file has there too. */
static const char *find_place(const struct tny_check *check, uint32_t i)
{
  const uint32_t *switch_of = check->network->found->tree.switch_of;
  for (uint32_t other = 0; other < check->both_count; other++)
    if (other != i && !is_miscabled(check, other) &&
        switch_of[check->found_host[other]] == switch_of[check->found_host[i]])
      return switch_name(check, other);
  return NULL;
}

static bool judge_place(struct tny_check *check, uint32_t i)
{
  if (!is_miscabled(check, i))
    return true;
  const char *place = find_place(check, i);
  char text[200];
  snprintf(text, sizeof text, "is at %.80s; the file says %.80s", place ? place : "another switch",
           switch_name(check, i));
  return tny_faults_add_host(check->faults, TNY_FAULT_MISCABLED,
                             check->network->names[check->found_host[i]], text);
}

/* What the narrowest trunk between two hosts carries; INFINITY: none is between them. */
static double find_narrowest(const struct tny_check *check, uint32_t a, uint32_t b)
{
  const uint32_t to = check->cluster_host[b];
  double bps = INFINITY;
  uint32_t node = check->cluster_host[a], link, cables;
  for (; (link = tny_routes_next(check->routes, node, to)) != TNY_NONE;
       node = check->cluster->links[link].to)
    if (tny_link_is_trunk(check->cluster, link))
      bps = fmin(
          bps,
          tny_file_tree_add_parallel(check->cluster, &check->cluster->links[link], &cables).bps);
  return bps;
}

static const struct tny_link *cable_of(const struct tny_check *check, uint32_t i)
{
  const struct tny_cluster *cluster = check->cluster;
  return &cluster->links[cluster->out_links[cluster->first_out[check->cluster_host[i]]]];
}

/* What a host has at least where its rate is measured. With those that seem to be at its switch it
   is the best of what trunks between and their own cables let through; else what trunks let through
   to any host, as far as the fastest host goes. */
static double find_reach(const struct tny_check *check, uint32_t i)
{
  const uint32_t *switch_of = check->expected.switch_of;
  double near = 0, any = INFINITY, fastest = 0;
  for (uint32_t other = 0; other < check->both_count; other++) {
    if (other == i)
      continue;
    const double bps = find_narrowest(check, i, other);
    const double own_bps = (double)cable_of(check, other)->bandwidth_bps;
    any = fmin(any, bps);
    fastest = fmax(fastest, own_bps);
    if (switch_of[other] == switch_of[i])
      near = fmax(near, fmin(bps, own_bps));
  }
  return near > 0 ? near : fmin(any, fastest);
}

/* Room for what flows to a host, by node of the cluster. */
struct flows {
  uint32_t *order, *up; /* from the host on; the next node towards it */
  double *cable_bps;    /* to the next node */
  double *bps;          /* from all beyond */
};

/* From a host on, what each node's cables towards it carry. Returns how many nodes there are. */
static uint32_t walk_from(const struct tny_cluster *cluster, uint32_t host,
                          const struct flows *flows)
{
  uint32_t count = 0;
  for (uint32_t node = 0; node < cluster->host_count + cluster->switch_count; node++)
    flows->up[node] = TNY_NONE;
  flows->up[host] = host;
  flows->bps[host] = 0;
  flows->order[count++] = host;
  for (uint32_t k = 0; k < count; k++) {
    const uint32_t node = flows->order[k];
    for (uint32_t out = cluster->first_out[node]; out < cluster->first_out[node + 1]; out++) {
      const struct tny_link *link = &cluster->links[cluster->out_links[out]];
      if (flows->up[link->to] == TNY_NONE) {
        flows->up[link->to] = node;
        flows->cable_bps[link->to] = flows->bps[link->to] = 0;
        flows->order[count++] = link->to;
      }
      if (flows->up[link->to] == node)
        flows->cable_bps[link->to] += (double)link->best_bps;
    }
  }
  return count;
}

/* What all others that measured could send to a host together, at best. */
static double find_supply(const struct tny_check *check, uint32_t i, const struct flows *flows)
{
  const struct tny_found_cable *hosts = check->network->found->hosts;
  const uint32_t host = check->cluster_host[i];
  const uint32_t count = walk_from(check->cluster, host, flows);
  double strangers_bps = 0;
  for (uint32_t other = 0; other < check->network->found->tree.host_count; other++)
    strangers_bps += hosts[other].bps;
  for (uint32_t other = 0; other < check->both_count; other++) {
    strangers_bps -= hosts[check->found_host[other]].bps;
    if (other != i)
      flows->bps[check->cluster_host[other]] = INFINITY;
  }
  for (uint32_t k = count; k-- > 1;) {
    const uint32_t node = flows->order[k];
    flows->bps[flows->up[node]] += fmin(flows->cable_bps[node], flows->bps[node]);
  }
  return flows->bps[host] + fmax(0, strangers_bps);
}

/* A slower rate than the file's may be all that could be seen: by one stream, or by many. */
static bool may_be_faster(const struct tny_check *check, uint32_t i, const struct flows *flows)
{
  const struct tny_link *link = cable_of(check, i);
  const struct tny_found_cable *cable = &check->network->found->hosts[check->found_host[i]];
  if (cable->is_least)
    return true;
  const double most_bps = fmin((double)link->best_bps, find_supply(check, i, flows));
  const double least_bps = fmin(fmin((double)link->bandwidth_bps, most_bps), find_reach(check, i));
  return cable->bps >= least_bps ||
         !tny_said_rate_differs(cable->bps, (struct tny_said_rate){least_bps, least_bps});
}

static bool judge_rate(struct tny_check *check, uint32_t i, const struct flows *flows)
{
  const struct tny_link *link = cable_of(check, i);
  const struct tny_said_rate said = {(double)link->bandwidth_bps, (double)link->best_bps};
  const struct tny_found_cable *cable = &check->network->found->hosts[check->found_host[i]];
  if (!tny_said_rate_differs(cable->bps, said) ||
      (cable->bps < said.bps && may_be_faster(check, i, flows)))
    return true;
  char text[128];
  snprintf(text, sizeof text, "has %s%s; the file says %s", cable->is_least ? "at least " : "",
           tny_faults_rate(cable->bps).text, tny_faults_rate(said.best_bps).text);
  return tny_faults_add_host(check->faults, TNY_FAULT_HOST_RATE,
                             check->network->names[check->found_host[i]], text);
}

bool tny_check_hosts(struct tny_check *check)
{
  const size_t nodes = (size_t)check->cluster->host_count + check->cluster->switch_count;
  const struct flows flows = {.order = tny_new(nodes, sizeof *flows.order),
                              .up = tny_new(nodes, sizeof *flows.up),
                              .cable_bps = tny_new(nodes, sizeof *flows.cable_bps),
                              .bps = tny_new(nodes, sizeof *flows.bps)};
  bool done = flows.order && flows.up && flows.cable_bps && flows.bps;
  for (uint32_t i = 0; done && i < check->both_count; i++)
    done = judge_place(check, i) && judge_rate(check, i, &flows);
  tny_free(flows.order);
  tny_free(flows.up);
  tny_free(flows.cable_bps);
  tny_free(flows.bps);
  return done;
}
