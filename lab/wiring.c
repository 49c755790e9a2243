/* The texts for ip and tc. A port's name and address follow from the link that it sends into. The
   port at the other end of the cable is that of the link's other direction. */
#include "lab/wiring.h"

#include <ctype.h>

#include "core/error.h"

enum { HOST_NAME_BYTES_MAX = 63, BATCH_NODES_MAX = 65000 };

static uint32_t node_count(const struct tny_cluster *cluster)
{
  return cluster->host_count + cluster->switch_count;
}

static bool is_host_name(const char *name)
{
  if (!isalnum((unsigned char)name[0]) || strlen(name) > HOST_NAME_BYTES_MAX)
    return false;
  for (const char *at = name; *at; at++)
    if (!isalnum((unsigned char)*at) && !strchr("._-", *at))
      return false;
  return true;
}

enum tny_status tny_lab_wiring_check(const struct tny_cluster *cluster, struct tny_error *error)
{
  if (node_count(cluster) > BATCH_NODES_MAX)
    return tny_error_set(error, TNY_REFUSED, "a lab has at most %d hosts and switches",
                         BATCH_NODES_MAX);
  for (uint32_t node = 0; node < node_count(cluster); node++)
    if (!is_host_name(cluster->node_names[node]))
      return tny_error_set(error, TNY_REFUSED,
                           "'%.80s' can't be a machine's name in the lab: use up to %d letters, "
                           "digits, '.', '_' or '-', a letter or digit first",
                           cluster->node_names[node], HOST_NAME_BYTES_MAX);
  for (uint32_t l = 0; l < cluster->link_count; l++) {
    const struct tny_link *link = &cluster->links[l];
    if (link->bandwidth_bps < 8000 || link->buffer_bytes < 2 * 1514)
      return tny_error_set(
          error, TNY_REFUSED,
          "the link %s -> %s is too thin for a lab: it needs 8 kbit/s and a buffer "
          "of two frames (3028 bytes) at least",
          cluster->node_names[link->from], cluster->node_names[link->to]);
  }
  return TNY_OK;
}

bool tny_lab_wiring_is_delayed(const struct tny_cluster *cluster, uint32_t link)
{
  return cluster->links[link].latency_ns > TNY_LAB_LATENCY_IGNORED_NS ||
         cluster->links[link ^ 1].latency_ns > TNY_LAB_LATENCY_IGNORED_NS;
}

bool tny_lab_wiring_delays(const struct tny_cluster *cluster)
{
  for (uint32_t l = 0; l < cluster->link_count; l += 2)
    if (tny_lab_wiring_is_delayed(cluster, l))
      return true;
  return false;
}

void tny_lab_wiring_port(const struct tny_cluster *cluster, uint32_t link, char port[16])
{
  const uint32_t node = cluster->links[link].from;
  uint32_t k = 0;
  while (cluster->out_links[cluster->first_out[node] + k] != link)
    k++;
  if (node < cluster->host_count)
    snprintf(port, 16, TNY_LAB_HOST_PORT);
  else
    snprintf(port, 16, "p%u", (unsigned)k);
}

bool tny_lab_wiring_is_fast(const struct tny_cluster *cluster)
{
  for (uint32_t l = 0; l < cluster->link_count; l++)
    if (cluster->links[l].bandwidth_bps >= TNY_LAB_FAST_BPS)
      return true;
  return false;
}

void tny_lab_wiring_inner(uint32_t link, char name[16])
{
  snprintf(name, 16, "r%u", (unsigned)link);
}

static void write_address(const struct tny_cluster *cluster, uint32_t node, char address[20])
{
  const bool is_host = node < cluster->host_count;
  const uint32_t number = 1 + (is_host ? node : node - cluster->host_count);
  snprintf(address, 20, "10.%d.%u.%u", is_host ? 77 : 76, number >> 8 & 255, number & 255);
}

/* Writes the MAC address of the port that sends into the link. */
static void write_mac(uint32_t link, char mac[20])
{
  snprintf(mac, 20, "02:74:%02x:%02x:%02x:%02x", link >> 24 & 255, link >> 16 & 255,
           link >> 8 & 255, link & 255);
}

/* Adds the begin of a line that makes a veth pair: its end at the port that sends into the link. */
static void add_port_end(const struct tny_lab_wiring *wiring, uint32_t link, struct tny_text *batch)
{
  const struct tny_cluster *cluster = wiring->cluster;
  char port[16], mac[20];
  tny_lab_wiring_port(cluster, link, port);
  write_mac(link, mac);
  tny_text_add(batch, "name %s address %s netns %s/%s", port, mac, wiring->netns_directory,
               cluster->node_names[cluster->links[link].from]);
}

/* Adds a cable that passes through the relay: a veth pair from each port to its inner end. */
static void add_relayed_cable(const struct tny_lab_wiring *wiring, uint32_t link,
                              struct tny_text *batch)
{
  for (uint32_t end = link; end < link + 2; end++) {
    char inner[16];
    tny_lab_wiring_inner(end, inner);
    tny_text_add(batch, "link add ");
    add_port_end(wiring, end, batch);
    tny_text_add(batch, " type veth peer name %s netns %s/" TNY_LAB_RELAY_NODE "\n", inner,
                 wiring->netns_directory);
  }
}

void tny_lab_wiring_cables(const struct tny_lab_wiring *wiring, uint32_t first, uint32_t count,
                           struct tny_text *batch)
{
  for (uint32_t l = 2 * first; l < 2 * (first + count); l += 2) {
    if (wiring->relayed && tny_lab_wiring_is_delayed(wiring->cluster, l)) {
      add_relayed_cable(wiring, l, batch);
      continue;
    }
    tny_text_add(batch, "link add ");
    add_port_end(wiring, l, batch);
    tny_text_add(batch, " type veth peer ");
    add_port_end(wiring, l + 1, batch);
    tny_text_add(batch, "\n");
  }
}

void tny_lab_wiring_relay(const struct tny_lab_wiring *wiring, struct tny_text *batch)
{
  for (uint32_t l = 0; l < wiring->cluster->link_count; l++)
    if (tny_lab_wiring_is_delayed(wiring->cluster, l)) {
      char inner[16];
      tny_lab_wiring_inner(l, inner);
      tny_text_add(batch, "link set dev %s up\n", inner);
    }
}

/* Brings one port up, with the node's address and a neighbour entry for the other end. */
static void add_port(const struct tny_cluster *cluster, uint32_t link, struct tny_text *batch)
{
  const uint32_t node = cluster->links[link].from;
  char port[16], own[20], peer[20], peer_mac[20];
  tny_lab_wiring_port(cluster, link, port);
  write_address(cluster, node, own);
  write_address(cluster, cluster->links[link].to, peer);
  write_mac(link ^ 1, peer_mac);
  tny_text_add(batch, "link set dev %s up\n", port);
  const uint64_t packet = tny_lab_wiring_packet(&cluster->links[link]);
  if (node < cluster->host_count && packet)
    tny_text_add(batch, "link set dev %s gso_max_size %llu\n", port, (unsigned long long)packet);
  if (node < cluster->host_count)
    tny_text_add(batch, "address add %s/16 dev %s noprefixroute\n", own, port);
  else
    tny_text_add(batch, "address add %s/32 dev %s\n", own, port);
  tny_text_add(batch, "neighbour add %s lladdr %s dev %s nud permanent\n", peer, peer_mac, port);
}

static void add_switch_routes(const struct tny_lab_wiring *wiring, uint32_t node,
                              struct tny_text *batch)
{
  const struct tny_cluster *cluster = wiring->cluster;
  for (uint32_t host = 0; host < cluster->host_count; host++) {
    const uint32_t link = tny_routes_next(wiring->routes, node, host);
    char port[16], address[20], hop[20];
    tny_lab_wiring_port(cluster, link, port);
    write_address(cluster, host, address);
    write_address(cluster, cluster->links[link].to, hop);
    if (cluster->links[link].to == host)
      tny_text_add(batch, "route add %s/32 dev %s\n", address, port);
    else
      tny_text_add(batch, "route add %s/32 via %s dev %s onlink\n", address, hop, port);
  }
}

void tny_lab_wiring_host_route(const struct tny_cluster *cluster, uint32_t host,
                               const char *congestion, struct tny_text *batch)
{
  if (cluster->first_out[host] == cluster->first_out[host + 1])
    return;
  const uint32_t link = cluster->out_links[cluster->first_out[host]];
  char hop[20];
  write_address(cluster, cluster->links[link].to, hop);
  /* The route names the congestion control, since a plain user's namespace may not set the
     sysctl. */
  tny_text_add(batch,
               "route replace " TNY_LAB_SUBNET " via %s dev " TNY_LAB_HOST_PORT
               " onlink congctl %s\n",
               hop, congestion);
}

void tny_lab_wiring_node(const struct tny_lab_wiring *wiring, uint32_t node, struct tny_text *batch)
{
  const struct tny_cluster *cluster = wiring->cluster;
  tny_text_add(batch, "link set dev lo up\n");
  for (uint32_t at = cluster->first_out[node]; at < cluster->first_out[node + 1]; at++)
    add_port(cluster, cluster->out_links[at], batch);
  if (node >= cluster->host_count) {
    add_switch_routes(wiring, node, batch);
    return;
  }
  tny_lab_wiring_host_route(cluster, node, wiring->congestion, batch);
}

uint64_t tny_lab_wiring_burst(const struct tny_link *link)
{
  /* The bucket holds two frames, or what the link sends in the time that a timer may be late on a
     busy machine. It never holds more than half the buffer, or it would act as one. */
  const uint64_t late_us = 500, least = 3200;
  const uint64_t burst = link->bandwidth_bps / 8 * late_us / 1000000;
  const uint64_t most = link->buffer_bytes / 2 > least ? link->buffer_bytes / 2 : least;
  return burst < least ? least : burst > most ? most : burst;
}

uint64_t tny_lab_wiring_packet(const struct tny_link *link)
{
  /* A packet as large as the bucket would wait until that is full, and the tokens that come while
     the timer is late would be lost. One that is dropped whole mustn't be much of the buffer. */
  const uint64_t kernels = 65536, least = 3200;
  const uint64_t of_burst = tny_lab_wiring_burst(link) / 4, of_buffer = link->buffer_bytes / 16;
  const uint64_t packet = of_burst < of_buffer ? of_burst : of_buffer;
  if (link->bandwidth_bps < TNY_LAB_FAST_BPS || packet >= kernels)
    return 0;
  return packet < least ? least : packet;
}

void tny_lab_wiring_shape(const struct tny_lab_wiring *wiring, uint32_t node,
                          struct tny_text *batch)
{
  const struct tny_cluster *cluster = wiring->cluster;
  for (uint32_t at = cluster->first_out[node]; at < cluster->first_out[node + 1]; at++) {
    const struct tny_link *link = &cluster->links[cluster->out_links[at]];
    char port[16];
    tny_lab_wiring_port(cluster, cluster->out_links[at], port);
    const bool delays = link->latency_ns > TNY_LAB_LATENCY_IGNORED_NS && !wiring->relayed;
    if (delays)
      tny_text_add(batch, "qdisc add dev %s root handle 2: netem delay %lluns limit 1000000\n",
                   port, (unsigned long long)link->latency_ns);
    tny_text_add(batch, "qdisc add dev %s %s handle 1: tbf rate %llubit burst %llu limit %llu\n",
                 port, delays ? "parent 2:1" : "root", (unsigned long long)link->bandwidth_bps,
                 (unsigned long long)tny_lab_wiring_burst(link),
                 (unsigned long long)link->buffer_bytes);
  }
}

void tny_lab_wiring_hosts_file(const struct tny_cluster *cluster, struct tny_text *text)
{
  tny_text_add(text, "127.0.0.1 localhost\n");
  for (uint32_t node = 0; node < node_count(cluster); node++) {
    char address[20];
    write_address(cluster, node, address);
    tny_text_add(text, "%s %s\n", address, cluster->node_names[node]);
  }
}
