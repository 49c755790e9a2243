/* A subnet as a cluster. Hosts are named by their adapters' descriptions, "HOST ADAPTER" as
   rdma-ndd sets them; switches by theirs, where each has one of its own. A host with several cables
   gets a switch of its own, which stands for its adapters: a host has one cable here. */
#include "import/subnet.h"

#include <inttypes.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/hostlist.h"

#define SPACE " \t"
#define NAME_BYTES (TNY_NAME_BYTES_MAX + 1)
#define OWN_SWITCH "-ports"

/* What the note counts. */
struct guesses {
  uint32_t left_out, nameless, several_cables;
  uint32_t unordered;    /* hosts that an order lacks */
  bool several_switches; /* some host's cables lead to different ones */
  const char *example;   /* a host with several cables */
};

struct maker {
  struct tny_subnet *subnet;
  struct tny_build *build;
  struct guesses guesses;
};

static void set_place(struct tny_build *build, struct tny_subnet_place place)
{
  build->file = place.file;
  build->line = place.line;
}

/* --- names --- */

/* Whether the characters are fit for a name, to which OWN_SWITCH may be appended. */
static bool is_fit(const char *text, size_t length)
{
  static const char fit[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-+:;/";
  return length && length <= TNY_NAME_BYTES_MAX - strlen(OWN_SWITCH) && strspn(text, fit) >= length;
}

/* Copies the characters of a name; false where some aren't fit for one. */
static bool copy_name(const char *text, size_t length, char name[NAME_BYTES])
{
  if (!is_fit(text, length))
    return false;
  memcpy(name, text, length);
  name[length] = '\0';
  return true;
}

static void name_by_guid(struct tny_subnet_id id, char name[NAME_BYTES])
{
  snprintf(name, NAME_BYTES, "%c-%016" PRIx64, id.letter, id.guid);
}

size_t tny_subnet_host_name(const char *description, const char **name)
{
  const char *first = description + strspn(description, SPACE);
  const size_t length = strcspn(first, SPACE);
  const char *second = first + length + strspn(first + length, SPACE);
  const char *third = second + strcspn(second, SPACE);
  *name = first;
  return third[strspn(third, SPACE)] == '\0' && is_fit(first, length) ? length : 0;
}

static bool name_host(const char *description, char name[NAME_BYTES])
{
  const char *host;
  const size_t length = tny_subnet_host_name(description, &host);
  return copy_name(host, length, name);
}

/* A switch's description; of a managed one, "MF0;NAME:MODEL/U1", the name. */
static bool name_switch(const char *description, char name[NAME_BYTES])
{
  const char *start = description + strspn(description, SPACE);
  size_t length = strlen(start);
  while (length && strchr(SPACE, start[length - 1]))
    length--;
  if (!strncmp(start, "MF", 2) && strspn(start + 2, "0123456789") + 2 == strcspn(start, ";") &&
      strchr(start, ':')) {
    start += strcspn(start, ";") + 1;
    length = strcspn(start, ":");
  }
  return copy_name(start, length, name);
}

/* --- hosts --- */

/* Adapters of one host have different descriptions. */
static enum tny_status check_adapter(const struct tny_subnet *subnet, uint32_t adapter,
                                     struct tny_error *error)
{
  const struct tny_subnet_node *node = &subnet->nodes[adapter];
  uint32_t other = subnet->hosts[node->host].first_adapter;
  for (; other != TNY_NONE; other = subnet->nodes[other].next_adapter)
    if (!strcmp(subnet->nodes[other].description, node->description))
      return tny_error_at(
          error, TNY_BAD_INPUT, node->place.file, node->place.line, 0,
          "the description \"%.64s\" is that of another adapter too (line %u), so which host is "
          "it? Set the nodes' descriptions, as rdma-ndd does, and run ibnetdiscover again",
          node->description, subnet->nodes[other].place.line);
  return TNY_OK;
}

static enum tny_status add_adapter(struct maker *maker, uint32_t adapter, struct tny_error *error)
{
  struct tny_subnet *subnet = maker->subnet;
  struct tny_subnet_node *node = &subnet->nodes[adapter];
  char name[NAME_BYTES];
  const bool named = name_host(node->description, name);
  enum tny_status status = TNY_OK;
  if (!named) {
    name_by_guid(node->id, name);
    maker->guesses.nameless++;
  }
  const uint32_t taken = named ? tny_build_find(maker->build, name) : TNY_NONE;
  node->host = taken == TNY_NONE ? subnet->host_count : taken;
  struct tny_subnet_host *host = &subnet->hosts[node->host];
  if (taken == TNY_NONE) { /* hosts are added first, so that build nodes and hosts count alike */
    set_place(maker->build, node->place);
    status = tny_build_add(maker->build, name, TNY_KIND_HOST, &host->build_node, error);
    host->own_switch = TNY_NONE;
    host->first_adapter = adapter;
    subnet->host_count++;
  } else {
    status = check_adapter(subnet, adapter, error);
    subnet->nodes[host->last_adapter].next_adapter = adapter;
  }
  host->last_adapter = adapter;
  for (uint32_t port = node->first_port; port < node->first_port + node->port_count; port++)
    host->cable_count += subnet->ports[port].peer != TNY_NONE;
  return status;
}

/* By the order that files say; the others in the order of the switches' ports, so that neighbours
   are near each other; then what is on no switch. */
static enum tny_status add_hosts(struct maker *maker, struct tny_error *error)
{
  struct tny_subnet *subnet = maker->subnet;
  enum tny_status status = TNY_OK;
  subnet->hosts = tny_new(subnet->node_count, sizeof *subnet->hosts);
  bool *added = tny_new(subnet->node_count, sizeof *added);
  if (!subnet->hosts || !added)
    status = tny_error_memory(error);
  for (uint32_t i = 0; !status && i < subnet->order_count; i++) {
    added[subnet->order[i]] = true;
    status = add_adapter(maker, subnet->order[i], error);
  }
  const uint32_t ordered = subnet->host_count;
  for (uint32_t port = 0; !status && port < subnet->port_count; port++) {
    const uint32_t peer = subnet->ports[port].peer;
    const uint32_t far = peer == TNY_NONE ? TNY_NONE : subnet->ports[peer].node;
    if (far == TNY_NONE || subnet->nodes[far].kind != TNY_SUBNET_ADAPTER || added[far] ||
        subnet->nodes[subnet->ports[port].node].kind != TNY_SUBNET_SWITCH)
      continue;
    added[far] = true;
    status = add_adapter(maker, far, error);
  }
  for (uint32_t node = 0; !status && node < subnet->node_count; node++) {
    maker->guesses.left_out += subnet->nodes[node].kind == TNY_SUBNET_OTHER;
    if (subnet->nodes[node].kind == TNY_SUBNET_ADAPTER && !added[node])
      status = add_adapter(maker, node, error);
  }
  if (subnet->order)
    maker->guesses.unordered = subnet->host_count - ordered;
  tny_free(added);
  return status;
}

static enum tny_status check_hosts(const struct tny_subnet *subnet, const struct tny_build *build,
                                   struct tny_error *error)
{
  for (uint32_t host = 0; host < subnet->host_count; host++) {
    const struct tny_subnet_node *node = &subnet->nodes[subnet->hosts[host].first_adapter];
    if (!subnet->hosts[host].cable_count)
      return tny_error_at(error, TNY_BAD_INPUT, node->place.file, node->place.line, 0,
                          "host %.100s has no cable to a switch: take its block out, or plug it in "
                          "and run ibnetdiscover again",
                          tny_build_name(build, subnet->hosts[host].build_node));
  }
  return TNY_OK;
}

/* --- switches --- */

struct candidate {
  uint32_t node;
  char name[NAME_BYTES]; /* empty: the description is none */
};

static int compare_candidates(const void *a, const void *b)
{
  return strcmp(((const struct candidate *)a)->name, ((const struct candidate *)b)->name);
}

/* Empties the names that several have. */
static void drop_common(struct candidate *candidates, uint32_t count)
{
  qsort(candidates, count, sizeof *candidates, compare_candidates);
  for (uint32_t first = 0, next; first < count; first = next) {
    next = first + 1;
    while (next < count && !strcmp(candidates[next].name, candidates[first].name))
      next++;
    for (uint32_t i = first; next > first + 1 && i < next; i++)
      candidates[i].name[0] = '\0';
  }
}

/* The switches that may be called by their descriptions: *names gets an entry a node, NULL where it
   is to be called by its GUID, into *candidates. Owns: both are the caller's. */
static enum tny_status find_names(const struct tny_subnet *subnet, struct candidate **candidates,
                                  const char ***names, struct tny_error *error)
{
  uint32_t count = 0;
  for (uint32_t node = 0; node < subnet->node_count; node++)
    count += subnet->nodes[node].kind == TNY_SUBNET_SWITCH;
  *candidates = tny_new(count, sizeof **candidates);
  *names = tny_new(subnet->node_count, sizeof **names);
  if (!*candidates || !*names)
    return tny_error_memory(error);
  count = 0;
  for (uint32_t node = 0; node < subnet->node_count; node++) {
    if (subnet->nodes[node].kind != TNY_SUBNET_SWITCH)
      continue;
    struct candidate *candidate = &(*candidates)[count++];
    candidate->node = node;
    if (!name_switch(subnet->nodes[node].description, candidate->name))
      candidate->name[0] = '\0';
  }
  drop_common(*candidates, count);
  for (uint32_t i = 0; i < count; i++)
    (*names)[(*candidates)[i].node] = (*candidates)[i].name[0] ? (*candidates)[i].name : NULL;
  return TNY_OK;
}

static enum tny_status add_switches(struct maker *maker, struct tny_error *error)
{
  struct tny_subnet *subnet = maker->subnet;
  struct candidate *candidates = NULL;
  const char **names = NULL;
  enum tny_status status = find_names(subnet, &candidates, &names, error);
  const uint32_t count = subnet->switch_order ? subnet->switch_count : subnet->node_count;
  for (uint32_t i = 0; !status && i < count; i++) {
    const uint32_t at = subnet->switch_order ? subnet->switch_order[i] : i;
    struct tny_subnet_node *node = &subnet->nodes[at];
    char guid[NAME_BYTES];
    if (node->kind != TNY_SUBNET_SWITCH)
      continue;
    name_by_guid(node->id, guid);
    const bool named = names[at] && tny_build_find(maker->build, names[at]) == TNY_NONE;
    set_place(maker->build, node->place);
    status = tny_build_add(maker->build, named ? names[at] : guid, TNY_KIND_SWITCH,
                           &node->build_node, error);
  }
  tny_free(candidates);
  tny_free(names);
  return status;
}

/* The switch that stands for the adapters of a host with several cables. */
static enum tny_status add_own_switch(struct maker *maker, struct tny_subnet_host *host,
                                      struct tny_error *error)
{
  char name[NAME_BYTES];
  snprintf(name, sizeof name, "%.240s" OWN_SWITCH, tny_build_name(maker->build, host->build_node));
  set_place(maker->build, maker->subnet->nodes[host->first_adapter].place);
  maker->guesses.several_cables++;
  return tny_build_add(maker->build, name, TNY_KIND_SWITCH, &host->own_switch, error);
}

/* --- cables --- */

/* Where the port's cable is plugged into. */
static uint32_t find_end(const struct tny_subnet *subnet, const struct tny_subnet_port *port)
{
  const struct tny_subnet_node *node = &subnet->nodes[port->node];
  if (node->kind == TNY_SUBNET_SWITCH)
    return node->build_node;
  const struct tny_subnet_host *host = &subnet->hosts[node->host];
  return host->own_switch == TNY_NONE ? host->build_node : host->own_switch;
}

/* What stands in for a rate that no end knows. */
static enum tny_status settle_rate(const struct maker *maker, struct tny_subnet_port *port,
                                   struct tny_error *error)
{
  const struct tny_subnet *subnet = maker->subnet;
  const struct tny_import_request *import = subnet->import;
  const uint32_t far = subnet->ports[port->peer].node;
  const bool is_trunk = subnet->nodes[port->node].kind == TNY_SUBNET_SWITCH &&
                        subnet->nodes[far].kind == TNY_SUBNET_SWITCH;
  if (!port->bps)
    port->bps = is_trunk && import->trunk_bps ? import->trunk_bps : import->link_bps;
  if (port->bps)
    return TNY_OK;
  return tny_error_at(error, TNY_BAD_INPUT, port->place.file, port->place.line, 0,
                      "no end of this cable tells its rate: give one for such cables, as in --link "
                      "100Gbit/s, and where those between switches differ, --trunk");
}

static enum tny_status connect_port(struct maker *maker, uint32_t index, struct tny_error *error)
{
  struct tny_subnet *subnet = maker->subnet;
  struct tny_subnet_port *port = &subnet->ports[index];
  if (port->peer == TNY_NONE)
    return TNY_OK;
  port->build_node = find_end(subnet, port);
  struct tny_subnet_port *peer = &subnet->ports[port->peer];
  if (port->peer < index) { /* its line has done it */
    port->bps = peer->bps;
    return TNY_OK;
  }
  enum tny_status status = settle_rate(maker, port, error);
  if (status)
    return status;
  struct tny_build_cable cable = tny_build_default_cable;
  cable.from = port->build_node;
  cable.to = find_end(subnet, peer);
  cable.bandwidth_bps = port->bps;
  set_place(maker->build, port->place);
  return tny_build_connect(maker->build, &cable, error);
}

/* From a host to its own switch: at the rate of all its cables, and at no distance. */
static enum tny_status connect_host(struct maker *maker, struct tny_subnet_host *host,
                                    struct tny_error *error)
{
  const struct tny_subnet *subnet = maker->subnet;
  struct tny_build_cable cable = tny_build_default_cable;
  uint32_t first_far = TNY_NONE;
  cable.from = host->build_node;
  cable.to = host->own_switch;
  cable.bandwidth_bps = 0;
  cable.latency_ns = 0;
  for (uint32_t adapter = host->first_adapter; adapter != TNY_NONE;
       adapter = subnet->nodes[adapter].next_adapter) {
    const struct tny_subnet_node *node = &subnet->nodes[adapter];
    for (uint32_t i = node->first_port; i < node->first_port + node->port_count; i++) {
      const struct tny_subnet_port *port = &subnet->ports[i];
      if (port->peer == TNY_NONE)
        continue;
      const uint32_t far = subnet->ports[port->peer].build_node;
      cable.bandwidth_bps += port->bps;
      maker->guesses.several_switches |= first_far != TNY_NONE && far != first_far;
      first_far = first_far == TNY_NONE ? far : first_far;
    }
  }
  set_place(maker->build, subnet->nodes[host->first_adapter].place);
  return tny_build_connect(maker->build, &cable, error);
}

static enum tny_status connect_all(struct maker *maker, struct tny_error *error)
{
  struct tny_subnet *subnet = maker->subnet;
  enum tny_status status = TNY_OK;
  for (uint32_t host = 0; !status && host < subnet->host_count; host++)
    if (subnet->hosts[host].cable_count > 1)
      status = add_own_switch(maker, &subnet->hosts[host], error);
  for (uint32_t port = 0; !status && port < subnet->port_count; port++)
    status = connect_port(maker, port, error);
  for (uint32_t host = 0; !status && host < subnet->host_count; host++)
    if (subnet->hosts[host].own_switch != TNY_NONE)
      status = connect_host(maker, &subnet->hosts[host], error);
  return status;
}

/* --- cables that are parallel --- */

struct pair {
  uint32_t low, high, port; /* the build nodes, and the end whose line made the cable */
};

static int compare_pairs(const void *a, const void *b)
{
  const struct pair *left = a, *right = b;
  if (left->low != right->low)
    return left->low < right->low ? -1 : 1;
  if (left->high != right->high)
    return left->high < right->high ? -1 : 1;
  return (left->port > right->port) - (left->port < right->port);
}

/* Numbers them in the order of the cluster's cables, as tables of routes do. */
static enum tny_status number_parallel(struct tny_subnet *subnet, struct tny_error *error)
{
  struct pair *pairs = tny_new(subnet->port_count, sizeof *pairs);
  uint32_t count = 0;
  if (!pairs)
    return tny_error_memory(error);
  for (uint32_t i = 0; i < subnet->port_count; i++) {
    const struct tny_subnet_port *port = &subnet->ports[i];
    if (port->peer == TNY_NONE || port->peer < i)
      continue;
    const uint32_t a = port->build_node, b = subnet->ports[port->peer].build_node;
    pairs[count++] = (struct pair){a < b ? a : b, a < b ? b : a, i};
  }
  qsort(pairs, count, sizeof *pairs, compare_pairs);
  for (uint32_t first = 0, next; first < count; first = next) {
    next = first + 1;
    while (next < count && pairs[next].low == pairs[first].low &&
           pairs[next].high == pairs[first].high)
      next++;
    for (uint32_t i = first; i < next; i++) {
      struct tny_subnet_port *port = &subnet->ports[pairs[i].port];
      port->parallel = subnet->ports[port->peer].parallel = i - first;
      port->parallel_count = subnet->ports[port->peer].parallel_count = next - first;
    }
  }
  tny_free(pairs);
  return TNY_OK;
}

/* --- the whole --- */

static void add_note(struct maker *maker, bool has_tables)
{
  struct guesses *guesses = &maker->guesses;
  struct tny_build *build = maker->build;
  char *note = build->made_note;
  size_t length = 0;
  if (guesses->left_out)
    length += (size_t)snprintf(note, sizeof build->made_note,
                               "left out: %u node%s that are neither switches nor hosts (routers, "
                               "aggregation nodes). ",
                               guesses->left_out, guesses->left_out == 1 ? "" : "s");
  if (guesses->nameless)
    length += (size_t)snprintf(note + length, sizeof build->made_note - length,
                               "%u host%s called by GUID, for want of a description like \"HOST "
                               "ADAPTER\": rename them, or set descriptions. ",
                               guesses->nameless, guesses->nameless == 1 ? " is" : "s are");
  if (guesses->several_cables)
    length += (size_t)snprintf(
        note + length, sizeof build->made_note - length,
        "%u host%s several cables, and so a switch HOST" OWN_SWITCH
        " that stands for the adapters%s. ",
        guesses->several_cables, guesses->several_cables == 1 ? " has" : "s have",
        guesses->several_switches && !has_tables
            ? "; adapters pass nothing on, so give forwarding tables too, by which no route leads "
              "through one"
            : "");
  if (guesses->unordered)
    length += (size_t)snprintf(note + length, sizeof build->made_note - length,
                               "%u host%s in OpenSM's order: behind all others. ",
                               guesses->unordered, guesses->unordered == 1 ? " isn't" : "s aren't");
  if (!length)
    return;
  note[length - 2] = '\0'; /* the last full stop */
  build->note = note;
}

enum tny_status tny_subnet_build(struct tny_subnet *subnet, bool has_tables,
                                 struct tny_build *build, struct tny_error *error)
{
  struct maker maker = {.subnet = subnet, .build = build};
  enum tny_status status = add_hosts(&maker, error);
  if (!status)
    status = check_hosts(subnet, build, error);
  if (!status)
    status = add_switches(&maker, error);
  if (!status)
    status = connect_all(&maker, error);
  if (!status)
    status = number_parallel(subnet, error);
  if (!status)
    add_note(&maker, has_tables);
  return status;
}
