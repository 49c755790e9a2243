/* Rules about the hosts: processors and network interfaces. */
#include <inttypes.h>

#include "checks.h"
#include "network.h"

/* What a processor moves through the lab's namespaces, found as the rate at which the bound's share
   begins to fall: docs/lab.md. */
#define MACHINE_BPS_A_PROCESSOR 800e6
#define FAST_PORT_BPS 1e9 /* from here on offloads matter */

enum doctor_verdict doctor_check_oversubscription(const struct doctor_facts *facts,
                                                  struct doctor_finding *finding)
{
  bool known = false;
  double least = 0;
  for (uint32_t h = 0; h < facts->hosts.count; h++) {
    const struct doctor_host *host = &facts->hosts.at[h];
    const double online = doctor_fact_number(host, "cpu.online", 0);
    known |= online > 0 && host->rank_count;
    if (online <= 0 || host->rank_count <= online)
      continue;
    doctor_see(finding, h, "%" PRIu32 " ranks on %.0f processors", host->rank_count, online);
    least = least == 0 || online < least ? online : least;
  }
  doctor_argue(finding, 0, "%.0f", least * facts->hosts.count);
  return known ? doctor_verdict_of(finding) : doctor_unknown(finding, "no ranks were started");
}

enum doctor_verdict doctor_check_binding(const struct doctor_facts *facts,
                                         struct doctor_finding *finding)
{
  bool known = false;
  for (uint32_t h = 0; h < facts->hosts.count; h++) {
    const struct doctor_host *host = &facts->hosts.at[h];
    const uint32_t allowed = doctor_processor_count(host);
    const double online = doctor_fact_number(host, "cpu.online", 0);
    known |= allowed && host->rank_count;
    if (allowed && host->rank_count > allowed && online > allowed)
      doctor_see(finding, h, "%" PRIu32 " ranks on %" PRIu32 " of %.0f processors",
                 host->rank_count, allowed, online);
  }
  return known ? doctor_verdict_of(finding) : doctor_unknown(finding, "no ranks were started");
}

enum doctor_verdict doctor_check_cgroup(const struct doctor_facts *facts,
                                        struct doctor_finding *finding)
{
  uint32_t most = 1;
  bool known = false;
  for (uint32_t h = 0; h < facts->hosts.count; h++) {
    const struct doctor_host *host = &facts->hosts.at[h];
    const double limit = doctor_fact_number(host, "cpu.limit", 0);
    const uint32_t wanted = host->rank_count ? host->rank_count : 1;
    known |= host->facts.count > 0;
    if (limit <= 0 || limit >= wanted)
      continue;
    doctor_see(finding, h, "%" PRIu32 " rank%s may use %.2f processors", wanted,
               wanted == 1 ? "" : "s", limit);
    most = wanted > most ? wanted : most;
  }
  doctor_argue(finding, 0, "%" PRIu32, most);
  return known ? doctor_verdict_of(finding) : doctor_unknown(finding, "no host says it");
}

static bool is_slow_governor(const struct doctor_host *host, const char *value)
{
  (void)host;
  return strcmp(value, "performance") != 0;
}

enum doctor_verdict doctor_check_governor(const struct doctor_facts *facts,
                                          struct doctor_finding *finding)
{
  return doctor_check_hosts(facts, finding, "cpu.governor", is_slow_governor);
}

enum doctor_verdict doctor_check_shared_machine(const struct doctor_facts *facts,
                                                struct doctor_finding *finding)
{
  bool known = false;
  for (uint32_t h = 0; h < facts->hosts.count; h++) {
    double processors;
    const uint32_t hosts = doctor_hosts_on_machine(facts, h, &processors);
    const double rate = doctor_port_rate(facts, h), all = rate * hosts;
    known |= rate > 0 && processors > 0;
    if (rate <= 0 || processors <= 0 || hosts == 1 || all <= MACHINE_BPS_A_PROCESSOR * processors)
      continue;
    doctor_see(finding, h, "%" PRIu32 " hosts with ports of %.0f Mbit/s share %.0f processors",
               hosts, rate / 1e6, processors);
    doctor_argue(finding, 0, "%" PRIu32, hosts);
    doctor_argue(finding, 1, "%.0fMbit/s", MACHINE_BPS_A_PROCESSOR * processors / hosts / 1e6);
  }
  return known ? doctor_verdict_of(finding)
               : doctor_unknown(finding, "it takes the cluster and its hosts");
}

/* --- network interfaces --- */

/* The interface that the MPI uses; where that isn't known, the first one. NULL: there is none. */
static const char *used_interface(const struct doctor_host *host, char name[64])
{
  const char *used = doctor_fact(host, "tcp.interfaces");
  if (used) {
    snprintf(name, 64, "%.*s", (int)strcspn(used, ","), used);
    return name;
  }
  for (uint32_t i = 0; i < host->facts.count; i++)
    if (sscanf(host->facts.at[i].key, "interface.%63[^.]", name) == 1)
      return name;
  return NULL;
}

/* A fact of that interface. */
static const char *interface_fact(const struct doctor_host *host, const char *what, char name[64])
{
  char key[128];
  if (!used_interface(host, name))
    return NULL;
  snprintf(key, sizeof key, "interface.%s.%s", name, what);
  return doctor_fact(host, key);
}

/* The MTU that most hosts have. */
static long usual_mtu(const struct doctor_facts *facts)
{
  char name[64];
  long usual = 0;
  uint32_t most = 0;
  for (uint32_t h = 0; h < facts->hosts.count; h++) {
    const char *mtu = interface_fact(&facts->hosts.at[h], "mtu", name);
    uint32_t count = 0;
    if (mtu && strtol(mtu, NULL, 10) == usual)
      continue;
    for (uint32_t other = 0; mtu && other < facts->hosts.count; other++) {
      char other_name[64];
      const char *its = interface_fact(&facts->hosts.at[other], "mtu", other_name);
      count += its && !strcmp(its, mtu);
    }
    if (count > most) {
      most = count;
      usual = strtol(mtu, NULL, 10);
    }
  }
  return usual;
}

enum doctor_verdict doctor_check_mtu(const struct doctor_facts *facts,
                                     struct doctor_finding *finding)
{
  const long usual = usual_mtu(facts);
  uint32_t known = 0;
  char name[64];
  for (uint32_t h = 0; h < facts->hosts.count; h++) {
    const char *mtu = interface_fact(&facts->hosts.at[h], "mtu", name);
    known += mtu != NULL;
    if (!mtu || strtol(mtu, NULL, 10) == usual)
      continue;
    doctor_see(finding, h, "%s has %s bytes, %ld on most hosts", name, mtu, usual);
    doctor_argue(finding, 0, "%s", name);
    doctor_argue(finding, 1, "%ld", usual);
  }
  return known > 1 ? doctor_verdict_of(finding)
                   : doctor_unknown(finding, "there is one host only, or none says its MTU");
}

enum doctor_verdict doctor_check_offloads(const struct doctor_facts *facts,
                                          struct doctor_finding *finding)
{
  static const char *const offloads[] = {"tso", "gso", "gro"};
  bool known = false;
  if (facts->lab)
    return doctor_unknown(finding, "the lab's ports are virtual");
  for (uint32_t h = 0; h < facts->hosts.count; h++) {
    const struct doctor_host *host = &facts->hosts.at[h];
    const double rate = doctor_port_rate(facts, h);
    for (size_t i = 0; i < sizeof offloads / sizeof *offloads; i++) {
      char name[64];
      const char *state = interface_fact(host, offloads[i], name);
      known |= state != NULL;
      if (!state || strcmp(state, "off") || (rate > 0 && rate < FAST_PORT_BPS))
        continue;
      doctor_see(finding, h, "%s has %s off", name, offloads[i]);
      doctor_argue(finding, 0, "%s", name);
    }
  }
  return known ? doctor_verdict_of(finding) : doctor_unknown(finding, "no interface says it");
}

enum doctor_verdict doctor_check_nic_speed(const struct doctor_facts *facts,
                                           struct doctor_finding *finding)
{
  bool known = false;
  if (facts->lab)
    return doctor_unknown(finding, "the lab's ports are virtual");
  for (uint32_t h = 0; h < facts->hosts.count; h++) {
    char name[64];
    const char *speed = interface_fact(&facts->hosts.at[h], "speed", name);
    const double rate = doctor_port_rate(facts, h);
    const double bps = speed ? 1e6 * strtod(speed, NULL) : 0;
    known |= bps > 0 && rate > 0;
    if (bps <= 0 || rate <= 0 || bps >= rate)
      continue;
    doctor_see(finding, h, "%s runs at %s Mbit/s, the file says %.0f", name, speed, rate / 1e6);
    doctor_argue(finding, 0, "%s", name);
  }
  return known ? doctor_verdict_of(finding)
               : doctor_unknown(finding, "no interface says its speed, or there is no cluster");
}

enum doctor_verdict doctor_check_interface_errors(const struct doctor_facts *facts,
                                                  struct doctor_finding *finding)
{
  bool known = false;
  for (uint32_t h = 0; h < facts->hosts.count; h++) {
    const struct doctor_host *host = &facts->hosts.at[h];
    uint64_t errors = 0;
    for (int v = 0; v < DOCTOR_VARIANT_COUNT; v++) {
      known |= host->counted[v];
      errors += host->losses[v].errors;
    }
    if (errors)
      doctor_see(finding, h, "%" PRIu64 " errors during the all-to-alls", errors);
  }
  const char *reason = doctor_skip_reason(facts, "exchange");
  return known ? doctor_verdict_of(finding)
               : doctor_unknown(finding, reason ? reason : "no all-to-all was run");
}
