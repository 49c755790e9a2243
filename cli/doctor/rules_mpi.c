/* Rules about the MPI's settings. */
#include <inttypes.h>

#include "checks.h"
#include "network.h"

#define EAGER_BYTES_MIN 4352 /* a chunk of 4 KiB with the MPI's header */
#define NETWORKS_MAX 32

static bool is_small_eager_limit(const struct doctor_host *host, const char *value)
{
  (void)host;
  return strtod(value, NULL) < EAGER_BYTES_MIN;
}

enum doctor_verdict doctor_check_eager(const struct doctor_facts *facts,
                                       struct doctor_finding *finding)
{
  return doctor_check_hosts(facts, finding, "mpi.btl_tcp_eager_limit", is_small_eager_limit);
}

static bool is_crowded_without_yield(const struct doctor_host *host, const char *value)
{
  return !strcmp(value, "0") && host->rank_count > doctor_processors_for(host);
}

enum doctor_verdict doctor_check_yield(const struct doctor_facts *facts,
                                       struct doctor_finding *finding)
{
  return doctor_check_hosts(facts, finding, "mpi.mpi_yield_when_idle", is_crowded_without_yield);
}

static bool is_set(const struct doctor_host *host, const char *value)
{
  (void)host;
  return !strcmp(value, "1");
}

enum doctor_verdict doctor_check_nagle(const struct doctor_facts *facts,
                                       struct doctor_finding *finding)
{
  return doctor_check_hosts(facts, finding, "mpi.btl_tcp_use_nagle", is_set);
}

static bool is_crowded_thread(const struct doctor_host *host, const char *value)
{
  return !strcmp(value, "1") && 2 * host->rank_count > doctor_processors_for(host);
}

enum doctor_verdict doctor_check_progress_thread(const struct doctor_facts *facts,
                                                 struct doctor_finding *finding)
{
  return doctor_check_hosts(facts, finding, "mpi.btl_tcp_progress_thread", is_crowded_thread);
}

enum doctor_verdict doctor_check_mpi_buffers(const struct doctor_facts *facts,
                                             struct doctor_finding *finding)
{
  static const char *const keys[] = {"mpi.btl_tcp_sndbuf", "mpi.btl_tcp_rcvbuf"};
  bool known = false;
  for (uint32_t h = 0; h < facts->hosts.count; h++) {
    const double needed = doctor_bytes_under_way(facts, h);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
      const double fixed = doctor_fact_number(&facts->hosts.at[h], keys[k], -1);
      known |= fixed >= 0 && needed > 0;
      if (fixed > 0 && fixed < needed)
        doctor_see(finding, h, "%s = %.0f, where the way there and back takes %.0f", keys[k] + 4,
                   fixed, needed);
    }
  }
  return known ? doctor_verdict_of(finding)
               : doctor_unknown(finding, "it takes the cluster and the MPI's settings");
}

/* --- which networks --- */

struct network {
  uint32_t address, mask;
};

/* "10.1.2.3/16" */
static bool read_network(const char *text, struct network *network)
{
  unsigned a, b, c, d, bits;
  if (sscanf(text, "%u.%u.%u.%u/%u", &a, &b, &c, &d, &bits) != 5 || bits > 32)
    return false;
  network->mask = bits ? UINT32_MAX << (32 - bits) : 0;
  network->address = (a << 24 | b << 16 | c << 8 | d) & network->mask;
  return true;
}

/* The networks that a host's interfaces are on, each once. */
static uint32_t find_networks(const struct doctor_host *host, struct network *networks)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < host->facts.count && count < NETWORKS_MAX; i++) {
    const char *key = host->facts.at[i].key, *dot = strrchr(key, '.');
    if (strncmp(key, "interface.", 10) || !dot || strcmp(dot, ".address") ||
        !read_network(host->facts.at[i].value, &networks[count]))
      continue;
    bool is_new = true;
    for (uint32_t n = 0; n < count; n++)
      is_new &= networks[n].address != networks[count].address;
    count += is_new;
  }
  return count;
}

/* The network of the interface that the MPI's connections use, else the first. */
static void argue_network(struct doctor_finding *finding, const struct doctor_host *host,
                          const struct network *first)
{
  struct network network = *first;
  const char *used = doctor_fact(host, "tcp.interfaces");
  if (used) {
    char key[128];
    snprintf(key, sizeof key, "interface.%.*s.address", (int)strcspn(used, ","), used);
    const char *address = doctor_fact(host, key);
    if (address)
      (void)!read_network(address, &network);
  }
  uint32_t bits = 0;
  for (uint32_t mask = network.mask; mask & 0x80000000u; mask <<= 1)
    bits++;
  doctor_argue(finding, 0, "%u.%u.%u.%u/%u", network.address >> 24, network.address >> 16 & 255,
               network.address >> 8 & 255, network.address & 255, bits);
}

/* Only where TCP carries the messages, and nobody said by which interface. */
enum doctor_verdict doctor_check_interfaces(const struct doctor_facts *facts,
                                            struct doctor_finding *finding)
{
  bool known = false;
  for (uint32_t h = 0; h < facts->hosts.count; h++) {
    const struct doctor_host *host = &facts->hosts.at[h];
    const char *include = doctor_fact(host, "mpi.btl_tcp_if_include");
    const char *exclude = doctor_fact(host, "mpi.btl_tcp_if_exclude");
    struct network networks[NETWORKS_MAX];
    const uint32_t count = find_networks(host, networks);
    if (!include || doctor_fact_number(host, "tcp.connections", 0) == 0)
      continue;
    known = true;
    if (*include || count < 2 || (exclude && *exclude && strcmp(exclude, "127.0.0.1/8,sppp")))
      continue;
    doctor_see(finding, h, "%" PRIu32 " networks, and btl_tcp_if_include is empty", count);
    argue_network(finding, host, &networks[0]);
  }
  return known ? doctor_verdict_of(finding)
               : doctor_unknown(finding, "the MPI has no TCP connections, or isn't Open MPI");
}
