/* Paths by the cluster file, and processors by the hosts' facts. */
#include "network.h"

#include <math.h>

#include "cluster/links.h"

const struct tny_link *doctor_port_of(const struct doctor_facts *facts, uint32_t host)
{
  const uint32_t known = facts->hosts.at[host].cluster_host;
  const struct tny_cluster *cluster = facts->cluster;
  if (!cluster || known == TNY_NONE || cluster->first_out[known] == cluster->first_out[known + 1])
    return NULL;
  return &cluster->links[cluster->out_links[cluster->first_out[known]]];
}

double doctor_port_rate(const struct doctor_facts *facts, uint32_t host)
{
  const struct tny_link *port = doctor_port_of(facts, host);
  return port ? (double)port->bandwidth_bps : 0;
}

struct doctor_path doctor_path_of(const struct doctor_facts *facts, uint32_t from, uint32_t to)
{
  struct doctor_path path = {.bps = INFINITY};
  const uint32_t a = facts->hosts.at[from].cluster_host, b = facts->hosts.at[to].cluster_host;
  if (!facts->cluster || a == TNY_NONE || b == TNY_NONE || a == b)
    return path;
  path.known = true;
  uint32_t l;
  for (uint32_t n = a; (l = tny_routes_next(facts->routes, n, b)) != TNY_NONE;
       n = facts->cluster->links[l].to) {
    path.bps = fmin(path.bps, (double)facts->cluster->links[l].bandwidth_bps);
    path.seconds += 1e-9 * (double)facts->cluster->links[l].latency_ns;
    path.trunks += tny_link_is_trunk(facts->cluster, l);
  }
  return path;
}

double doctor_bytes_under_way(const struct doctor_facts *facts, uint32_t host)
{
  double most = 0;
  for (uint32_t i = 0; i < facts->latencies.count; i++) {
    const struct doctor_latency *seen = &facts->latencies.at[i];
    const struct doctor_path path = doctor_path_of(facts, seen->from, seen->to);
    if (path.known && (seen->from == host || seen->to == host))
      most = fmax(most, 2 * path.bps / 8 * fmax(seen->seconds, path.seconds));
  }
  for (uint32_t other = 0; other < facts->hosts.count; other++) {
    const struct doctor_path path = doctor_path_of(facts, host, other);
    if (path.known)
      most = fmax(most, 2 * path.bps / 8 * path.seconds);
  }
  return most;
}

double doctor_processors_for(const struct doctor_host *host)
{
  const double allowed = doctor_processor_count(host);
  const double online = doctor_fact_number(host, "cpu.online", 0);
  const double limit = doctor_fact_number(host, "cpu.limit", 0);
  double least = allowed > 0 ? allowed : online;
  if (limit > 0 && limit < least)
    least = limit;
  return least;
}

uint32_t doctor_hosts_on_machine(const struct doctor_facts *facts, uint32_t host,
                                 double *processors)
{
  const char *boot = doctor_fact(&facts->hosts.at[host], "kernel.boot_id");
  uint32_t count = 0;
  *processors = doctor_fact_number(&facts->hosts.at[host], "cpu.online", 0);
  for (uint32_t h = 0; boot && h < facts->hosts.count; h++) {
    const char *other = doctor_fact(&facts->hosts.at[h], "kernel.boot_id");
    count += other && !strcmp(other, boot);
  }
  return count ? count : 1;
}
