/* Interfaces by getifaddrs, /proc/net/dev and ioctls, those of ethtool among them; connections by
   the descriptors of this process. */
#include "interfaces.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define LIST_BYTES 256

static bool is_wanted(const struct ifaddrs *entry)
{
  return entry->ifa_addr && entry->ifa_addr->sa_family == AF_INET && (entry->ifa_flags & IFF_UP) &&
         !(entry->ifa_flags & IFF_LOOPBACK);
}

/* Asks the kernel about an interface; `request` has room for the answer. */
static bool ask(const char *interface, unsigned long what, struct ifreq *request)
{
  const int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  snprintf(request->ifr_name, sizeof request->ifr_name, "%s", interface);
  const bool answered = control >= 0 && ioctl(control, what, request) == 0;
  if (control >= 0)
    close(control);
  return answered;
}

static void add_offloads(struct tny_text *text, const char *name, const char *interface)
{
  static const struct {
    const char *key;
    uint32_t command;
  } offloads[] = {{"tso", ETHTOOL_GTSO}, {"gso", ETHTOOL_GGSO}, {"gro", ETHTOOL_GGRO}};
  for (size_t i = 0; i < sizeof offloads / sizeof *offloads; i++) {
    struct ethtool_value value = {.cmd = offloads[i].command};
    struct ifreq request = {.ifr_data = (char *)&value};
    if (ask(interface, SIOCETHTOOL, &request))
      tny_text_add(text, "host %s interface.%s.%s %s\n", name, interface, offloads[i].key,
                   value.data ? "on" : "off");
  }
}

/* The rate in Mbit/s that the two ends of the cable agreed on; virtual interfaces have none, or an
   invented one. */
static void add_speed(struct tny_text *text, const char *name, const char *interface)
{
  struct ethtool_cmd command = {.cmd = ETHTOOL_GSET};
  struct ifreq request = {.ifr_data = (char *)&command};
  if (!ask(interface, SIOCETHTOOL, &request))
    return;
  const uint32_t speed = ethtool_cmd_speed(&command);
  if (speed && speed != (uint32_t)SPEED_UNKNOWN)
    tny_text_add(text, "host %s interface.%s.speed %" PRIu32 "\n", name, interface, speed);
}

static uint32_t prefix_length(const struct sockaddr *mask)
{
  uint32_t bits = mask ? ntohl(((const struct sockaddr_in *)mask)->sin_addr.s_addr) : 0;
  uint32_t length = 0;
  for (; bits & 0x80000000u; bits <<= 1)
    length++;
  return length;
}

static void add_interface(struct tny_text *text, const char *name, const struct ifaddrs *entry)
{
  const char *interface = entry->ifa_name;
  char address[INET_ADDRSTRLEN] = "";
  inet_ntop(AF_INET, &((const struct sockaddr_in *)entry->ifa_addr)->sin_addr, address,
            sizeof address);
  tny_text_add(text, "host %s interface.%s.address %s/%" PRIu32 "\n", name, interface, address,
               prefix_length(entry->ifa_netmask));
  struct ifreq request = {0};
  if (ask(interface, SIOCGIFMTU, &request))
    tny_text_add(text, "host %s interface.%s.mtu %d\n", name, interface, request.ifr_mtu);
  add_speed(text, name, interface);
  add_offloads(text, name, interface);
}

void probe_interfaces_add(struct tny_text *text, const char *name)
{
  struct ifaddrs *all = NULL;
  if (getifaddrs(&all))
    return;
  for (const struct ifaddrs *entry = all; entry; entry = entry->ifa_next)
    if (is_wanted(entry))
      add_interface(text, name, entry);
  freeifaddrs(all);
}

/* /proc/net/dev belongs to this process's network namespace; /sys/class/net may be another's. A
   line is "NAME: bytes packets errs drop ..." and, from the ninth number on, the same of what was
   sent. */
void probe_interfaces_count(uint64_t *dropped, uint64_t *errors)
{
  char line[512];
  FILE *file = fopen("/proc/net/dev", "re");
  *dropped = *errors = 0;
  while (file && fgets(line, sizeof line, file)) {
    uint64_t numbers[12];
    char *colon = strchr(line, ':'), *rest;
    if (!colon || strstr(line, "lo:"))
      continue;
    rest = colon + 1;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
      numbers[i] = strtoull(rest, &rest, 10);
    *errors += numbers[2] + numbers[10];
    *dropped += numbers[3] + numbers[11];
  }
  if (file)
    fclose(file);
}

/* --- the connections of this process --- */

struct connections {
  uint32_t count;
  char congestion[LIST_BYTES], interfaces[LIST_BYTES]; /* each once, by commas */
};

static void add_once(char list[LIST_BYTES], const char *word)
{
  const size_t length = strlen(list), more = strlen(word);
  for (const char *at = list; (at = strstr(at, word)) != NULL; at += more)
    if ((at == list || at[-1] == ',') && (!at[more] || at[more] == ','))
      return;
  if (length + more + 2 < LIST_BYTES)
    snprintf(list + length, LIST_BYTES - length, "%s%s", length ? "," : "", word);
}

/* The name of the interface that has this address. */
static bool find_interface(const struct sockaddr_in *address, char name[IF_NAMESIZE])
{
  struct ifaddrs *all = NULL;
  bool found = false;
  if (getifaddrs(&all))
    return false;
  for (const struct ifaddrs *entry = all; entry && !found; entry = entry->ifa_next)
    if (is_wanted(entry) && ((const struct sockaddr_in *)entry->ifa_addr)->sin_addr.s_addr ==
                                address->sin_addr.s_addr) {
      snprintf(name, IF_NAMESIZE, "%s", entry->ifa_name);
      found = true;
    }
  freeifaddrs(all);
  return found;
}

/* Whether a descriptor is a TCP connection over IPv4 to another machine; *here is its own end. */
static bool is_connection(int descriptor, struct sockaddr_in *here)
{
  struct sockaddr_in there = {0};
  socklen_t size = sizeof there, own_size = sizeof *here;
  int protocol = 0;
  socklen_t protocol_size = sizeof protocol;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PROTOCOL, &protocol, &protocol_size) ||
      protocol != IPPROTO_TCP || getpeername(descriptor, (struct sockaddr *)&there, &size) ||
      getsockname(descriptor, (struct sockaddr *)here, &own_size) || there.sin_family != AF_INET)
    return false;
  const bool loopback = ntohl(there.sin_addr.s_addr) >> 24 == 127;
  return !loopback && there.sin_addr.s_addr != here->sin_addr.s_addr;
}

static void look_at(int descriptor, struct connections *connections)
{
  struct sockaddr_in here = {0};
  char congestion[32] = "", interface[IF_NAMESIZE];
  socklen_t size = sizeof congestion - 1;
  if (!is_connection(descriptor, &here))
    return;
  connections->count++;
  if (!getsockopt(descriptor, IPPROTO_TCP, TCP_CONGESTION, congestion, &size) && congestion[0])
    add_once(connections->congestion, congestion);
  if (find_interface(&here, interface))
    add_once(connections->interfaces, interface);
}

void probe_connections_add(struct tny_text *text, const char *name)
{
  struct connections connections = {0};
  DIR *folder = opendir("/proc/self/fd");
  for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
    if (entry->d_name[0] != '.')
      look_at((int)strtol(entry->d_name, NULL, 10), &connections);
  if (folder)
    closedir(folder);
  tny_text_add(text, "host %s tcp.connections %" PRIu32 "\n", name, connections.count);
  if (connections.congestion[0])
    tny_text_add(text, "host %s tcp.congestion %s\n", name, connections.congestion);
  if (connections.interfaces[0])
    tny_text_add(text, "host %s tcp.interfaces %s\n", name, connections.interfaces);
}
