/* Rules about the kernels' TCP: its settings, and what was lost. */
#include <inttypes.h>

#include "checks.h"
#include "network.h"

#define FIRST_WINDOW_BYTES 14480.0 /* ten segments, with which a connection begins */
#define SOCKET_BUFFER_SHARE 2      /* the kernel keeps half of a buffer for its own bookkeeping */
/* Fewer lost segments than this share of all, and than so many, are no finding: now and then TCP
   takes for lost what only came late. A time-out is a finding by itself. */
#define LOST_SHARE 0.002
#define LOST_MIN 5.0

static bool is_off(const struct doctor_host *host, const char *value)
{
  (void)host;
  return !strcmp(value, "0");
}

/* A path that the first ten segments fill loses nothing by a restart. */
enum doctor_verdict doctor_check_idle_restart(const struct doctor_facts *facts,
                                              struct doctor_finding *finding)
{
  static const char key[] = "net.ipv4.tcp_slow_start_after_idle";
  bool known = false;
  for (uint32_t h = 0; h < facts->hosts.count; h++) {
    const char *value = doctor_fact(&facts->hosts.at[h], key);
    const double under_way = doctor_bytes_under_way(facts, h);
    known |= value != NULL;
    if (!value || strcmp(value, "1") || (under_way > 0 && under_way <= FIRST_WINDOW_BYTES))
      continue;
    if (under_way > 0)
      doctor_see(finding, h, "%s = 1, where the way there and back takes %.0f bytes", key,
                 under_way);
    else
      doctor_see(finding, h, "%s = 1", key);
  }
  return known ? doctor_verdict_of(finding) : doctor_unknown(finding, "no host says it");
}

enum doctor_verdict doctor_check_window_scaling(const struct doctor_facts *facts,
                                                struct doctor_finding *finding)
{
  return doctor_check_hosts(facts, finding, "net.ipv4.tcp_window_scaling", is_off);
}

/* What the MPI's own connections use counts; the setting is only what new ones begin with, and
   routes may name another. */
enum doctor_verdict doctor_check_congestion(const struct doctor_facts *facts,
                                            struct doctor_finding *finding)
{
  bool known = false;
  for (uint32_t h = 0; h < facts->hosts.count; h++) {
    const struct doctor_host *host = &facts->hosts.at[h];
    const char *used = doctor_fact(host, "tcp.congestion");
    const char *set = doctor_fact(host, "net.ipv4.tcp_congestion_control");
    known |= used || set;
    if (used && strstr(used, "bbr"))
      doctor_see(finding, h, "the MPI's connections use %s", used);
    else if (!used && set && strstr(set, "bbr"))
      doctor_see(finding, h, "net.ipv4.tcp_congestion_control = %s", set);
  }
  return known ? doctor_verdict_of(finding) : doctor_unknown(finding, "no host says it");
}

/* The largest of "LEAST DEFAULT MOST"; 0 where it can't be told. */
static double largest_buffer(const struct doctor_host *host, const char *key)
{
  const char *value = doctor_fact(host, key);
  double least, usual, most;
  return value && sscanf(value, "%lf %lf %lf", &least, &usual, &most) == 3 ? most : 0;
}

enum doctor_verdict doctor_check_socket_buffers(const struct doctor_facts *facts,
                                                struct doctor_finding *finding)
{
  static const char *const keys[] = {"net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"};
  double needed_most = 0;
  bool known = false;
  for (uint32_t h = 0; h < facts->hosts.count; h++) {
    const double needed = SOCKET_BUFFER_SHARE * doctor_bytes_under_way(facts, h);
    for (size_t k = 0; k < 2 && needed > 0; k++) {
      const double most = largest_buffer(&facts->hosts.at[h], keys[k]);
      known |= most > 0;
      if (most <= 0 || most >= needed)
        continue;
      doctor_see(finding, h, "%s: at most %.0f bytes, where the way there and back takes %.0f",
                 keys[k], most, needed / SOCKET_BUFFER_SHARE);
      needed_most = needed > needed_most ? needed : needed_most;
    }
  }
  uint64_t power = 4 << 20;
  while ((double)power < needed_most && power < UINT64_C(1) << 40)
    power *= 2;
  doctor_argue(finding, 0, "%" PRIu64, power);
  return known ? doctor_verdict_of(finding)
               : doctor_unknown(finding, "it takes the cluster and the hosts' buffers");
}

static bool is_lossy(const struct doctor_losses *losses)
{
  const double lost = (double)losses->lost;
  const bool many = lost >= LOST_MIN && lost >= LOST_SHARE * (double)losses->segments;
  return many || (losses->timeouts && lost > 0);
}

/* In the lab the ports themselves say what they dropped. */
static void see_ports(const struct doctor_facts *facts, struct doctor_finding *finding)
{
  for (uint32_t i = 0; facts->cluster && i < facts->ports.count; i++) {
    const struct doctor_port *port = &facts->ports.at[i];
    const struct tny_link *link = &facts->cluster->links[port->link];
    if (port->dropped[DOCTOR_PLANNED])
      doctor_see(finding, TNY_NONE, "the port %s -> %s dropped %" PRIu64 " packets",
                 facts->cluster->node_names[link->from], facts->cluster->node_names[link->to],
                 port->dropped[DOCTOR_PLANNED]);
  }
}

enum doctor_verdict doctor_check_losses(const struct doctor_facts *facts,
                                        struct doctor_finding *finding)
{
  bool known = false;
  const struct doctor_exchange *planned = &facts->exchanges[DOCTOR_PLANNED];
  if (planned->seconds > 0 && !strcmp(planned->algorithm, "native"))
    return doctor_unknown(finding, "the runtime left the all-to-all to the MPI");
  for (uint32_t h = 0; h < facts->hosts.count; h++) {
    const struct doctor_losses *l = &facts->hosts.at[h].losses[DOCTOR_PLANNED];
    if (!facts->hosts.at[h].counted[DOCTOR_PLANNED])
      continue;
    known = true;
    if (!facts->lab && is_lossy(l))
      doctor_see(finding, h, "%" PRIu64 " of %" PRIu64 " TCP segments lost, %" PRIu64 " time-outs",
                 l->lost, l->segments, l->timeouts);
  }
  see_ports(facts, finding);
  const char *reason = doctor_skip_reason(facts, "exchange");
  return known ? doctor_verdict_of(finding)
               : doctor_unknown(finding, reason ? reason : "no all-to-all was run");
}
