/* InfiniBand's linear forwarding tables, as dump_fts (dump_lfts), ibroute and opensm -D print them:
   for each switch a line for each local identifier (LID), with the port by which it goes out.

     Unicast lids [0x0-0x8] of switch Lid 3 guid 0x0002c902... (leaf01):
     0x0004 002 : (Channel Adapter portguid 0x0002c903...: 'node01 HCA-1')

   A destination is known by its port's GUID, or where the line has none (-n) by its LID, which
   ibnetdiscover prints too. Only base LIDs count, for a host has one way to each other one here.
   The outcome is a table of routes (docs/cluster-files.md), in the names of the cluster.

   A host with several cables is reached by one of its ports, the ports of such hosts taking turns;
   it sends by the port from which the way is the shortest, the first of these. */
#include "import/subnet.h"

#include "core/alloc.h"
#include "core/error.h"
#include "core/hostlist.h"
#include "core/scan.h"

#define SPACE " \t"
#define UNICAST "Unicast lids ["
#define MULTICAST "Multicast mlids ["
#define LID_COUNT 65536

/* What a switch does with what is for a port. */
struct entry {
  uint32_t port; /* by which it goes out; TNY_NONE: no line says */
  unsigned line;
};

struct known_guid {
  uint64_t guid;
  uint32_t port;
};

struct reader {
  const struct tny_subnet *subnet;
  const struct tny_build *build;
  struct tny_subnet_place place;
  uint32_t *switches;              /* nodes */
  uint32_t *switch_of;             /* by node: in switches */
  struct tny_subnet_place *tables; /* by switch: where its table begins; line 0: it has none */
  uint32_t *targets;               /* ports of hosts that have a cable */
  uint32_t *target_of;             /* by port; TNY_NONE: it is none */
  uint32_t *by_lid;                /* ports; TNY_NONE: none */
  struct known_guid *by_guid;      /* all adapters' ports that have one, sorted */
  struct entry *entries;           /* by switch and target */
  uint16_t *hops;                  /* by switch and host: to the port of the host that is taken */
  uint32_t switch_count, target_count, guid_count;
  uint32_t at; /* the switch whose table is read; TNY_NONE: before the first */
};

static struct entry *find_entry(const struct reader *reader, uint32_t at, uint32_t target)
{
  return &reader->entries[(size_t)at * reader->target_count + target];
}

static const char *name_of(const struct reader *reader, uint32_t at)
{
  return tny_build_name(reader->build, reader->subnet->nodes[reader->switches[at]].build_node);
}

static const char *host_of(const struct reader *reader, uint32_t port)
{
  const struct tny_subnet *subnet = reader->subnet;
  return tny_build_name(reader->build,
                        subnet->hosts[subnet->nodes[subnet->ports[port].node].host].build_node);
}

/* The node at the other end of a port's cable. */
static uint32_t far_node(const struct tny_subnet *subnet, uint32_t port)
{
  return subnet->ports[subnet->ports[port].peer].node;
}

/* --- what there is --- */

static int compare_guids(const void *a, const void *b)
{
  const struct known_guid *left = a, *right = b;
  return (left->guid > right->guid) - (left->guid < right->guid);
}

static void list_ports(struct reader *reader)
{
  const struct tny_subnet *subnet = reader->subnet;
  for (uint32_t i = 0; i < LID_COUNT; i++)
    reader->by_lid[i] = TNY_NONE;
  for (uint32_t i = 0; i < subnet->port_count; i++) {
    const struct tny_subnet_port *port = &subnet->ports[i];
    reader->target_of[i] = TNY_NONE;
    if (subnet->nodes[port->node].id.letter != 'H')
      continue;
    if (port->guid)
      reader->by_guid[reader->guid_count++] = (struct known_guid){port->guid, i};
    if (port->peer == TNY_NONE)
      continue;
    reader->target_of[i] = reader->target_count;
    reader->targets[reader->target_count++] = i;
    if (port->lid)
      reader->by_lid[port->lid] = i;
  }
  qsort(reader->by_guid, reader->guid_count, sizeof *reader->by_guid, compare_guids);
}

static enum tny_status begin(struct reader *reader, struct tny_error *error)
{
  const struct tny_subnet *subnet = reader->subnet;
  reader->switches = tny_new(subnet->node_count, sizeof *reader->switches);
  reader->switch_of = tny_new(subnet->node_count, sizeof *reader->switch_of);
  reader->tables = tny_new(subnet->node_count, sizeof *reader->tables);
  reader->targets = tny_new(subnet->port_count, sizeof *reader->targets);
  reader->target_of = tny_new(subnet->port_count, sizeof *reader->target_of);
  reader->by_lid = tny_new(LID_COUNT, sizeof *reader->by_lid);
  reader->by_guid = tny_new(subnet->port_count, sizeof *reader->by_guid);
  if (!reader->switches || !reader->switch_of || !reader->tables || !reader->targets ||
      !reader->target_of || !reader->by_lid || !reader->by_guid)
    return tny_error_memory(error);
  for (uint32_t node = 0; node < subnet->node_count; node++)
    if (subnet->nodes[node].kind == TNY_SUBNET_SWITCH) {
      reader->switch_of[node] = reader->switch_count;
      reader->switches[reader->switch_count++] = node;
    }
  list_ports(reader);
  const size_t count = (size_t)reader->switch_count * reader->target_count;
  reader->entries = tny_new(count, sizeof *reader->entries);
  reader->hops = tny_new((size_t)reader->switch_count * subnet->host_count, sizeof *reader->hops);
  if (!reader->entries || !reader->hops)
    return tny_error_memory(error);
  for (size_t i = 0; i < count; i++)
    reader->entries[i].port = TNY_NONE;
  return TNY_OK;
}

static void release(struct reader *reader)
{
  tny_free(reader->switches);
  tny_free(reader->switch_of);
  tny_free(reader->tables);
  tny_free(reader->targets);
  tny_free(reader->target_of);
  tny_free(reader->by_lid);
  tny_free(reader->by_guid);
  tny_free(reader->entries);
  tny_free(reader->hops);
}

/* --- lines --- */

static enum tny_status read_heading(struct reader *reader, const char *line,
                                    struct tny_error *error)
{
  struct tny_subnet_id id = {.letter = 'S'};
  const char *guid = strstr(line, " guid 0x");
  if (guid)
    guid += strlen(" guid 0x");
  if (!guid || !tny_subnet_read_hex(&guid, &id.guid))
    return tny_error_at(error, TNY_BAD_INPUT, reader->place.file, reader->place.line, 0,
                        "a table begins without the guid of its switch: give what dump_lfts or "
                        "ibroute prints, as it is");
  const uint32_t node = tny_subnet_find(reader->subnet, id);
  if (node == TNY_NONE)
    return tny_error_at(error, TNY_BAD_INPUT, reader->place.file, reader->place.line, 0,
                        "the switch of this table isn't in the network: run ibnetdiscover and "
                        "dump_lfts again, one right after the other");
  reader->at = reader->switch_of[node];
  struct tny_subnet_place *table = &reader->tables[reader->at];
  if (table->line)
    return tny_error_at(error, TNY_BAD_INPUT, reader->place.file, reader->place.line, 0,
                        "switch %.100s has a table already (line %u of %.80s): leave one out",
                        name_of(reader, reader->at), table->line, table->file);
  *table = reader->place;
  return TNY_OK;
}

/* The port that a line is about, by what stands behind the number of the port to go out by;
   TNY_NONE: none that matters, such as a switch. */
static enum tny_status find_destination(const struct reader *reader, uint32_t lid, const char *rest,
                                        uint32_t *port, struct tny_error *error)
{
  static const char kind[] = "Channel Adapter", mark[] = " portguid 0x";
  struct known_guid wanted = {0};
  rest += strspn(rest, " \t:(#");
  *port = TNY_NONE;
  if (!*rest) {
    *port = reader->by_lid[lid];
    return TNY_OK;
  }
  if (strncmp(rest, kind, strlen(kind)) || strncmp(rest + strlen(kind), mark, strlen(mark)))
    return TNY_OK;
  rest += strlen(kind) + strlen(mark);
  if (!tny_subnet_read_hex(&rest, &wanted.guid))
    return TNY_OK;
  const struct known_guid *found =
      bsearch(&wanted, reader->by_guid, reader->guid_count, sizeof wanted, compare_guids);
  if (!found)
    return tny_error_at(error, TNY_BAD_INPUT, reader->place.file, reader->place.line, 0,
                        "this destination isn't in the network: run ibnetdiscover and dump_lfts "
                        "again, one right after the other");
  const struct tny_subnet_port *known = &reader->subnet->ports[found->port];
  if (lid <= known->lid || lid >= known->lid + (1U << known->lmc))
    *port = found->port;
  return TNY_OK;
}

/* Takes the way that a line says, out by port `number` to what is for the port `to`. */
static enum tny_status take(struct reader *reader, uint32_t to, uint32_t number,
                            struct tny_error *error)
{
  const struct tny_subnet *subnet = reader->subnet;
  const uint32_t node = reader->switches[reader->at];
  const char *name = name_of(reader, reader->at);
  struct entry *entry = find_entry(reader, reader->at, reader->target_of[to]);
  if (entry->line)
    return tny_error_at(error, TNY_BAD_INPUT, reader->place.file, reader->place.line, 0,
                        "the way from switch %.100s to host %.100s is given twice, first in line "
                        "%u: leave one out",
                        name, host_of(reader, to), entry->line);
  const uint32_t out = tny_subnet_find_port(subnet, node, number);
  if (out == TNY_NONE || subnet->ports[out].peer == TNY_NONE)
    return tny_error_at(error, TNY_BAD_INPUT, reader->place.file, reader->place.line, 0,
                        "port %u of switch %.100s has no cable to a switch or host: run "
                        "ibnetdiscover and dump_lfts again, one right after the other",
                        number, name);
  const uint32_t peer = subnet->ports[out].peer, far = subnet->ports[peer].node;
  if (subnet->nodes[far].kind == TNY_SUBNET_ADAPTER && peer != to)
    return tny_error_at(error, TNY_BAD_INPUT, reader->place.file, reader->place.line, 0,
                        "what is for host %.100s goes out by port %u of switch %.100s, to host "
                        "%.100s, which passes nothing on: run ibnetdiscover and dump_lfts again",
                        host_of(reader, to), number, name, host_of(reader, peer));
  if (peer != to && far_node(subnet, to) == node)
    return tny_error_at(error, TNY_BAD_INPUT, reader->place.file, reader->place.line, 0,
                        "host %.100s is plugged into port %u of switch %.100s, but what is for it "
                        "goes out by port %u: run ibnetdiscover and dump_lfts again",
                        host_of(reader, to), subnet->ports[subnet->ports[to].peer].number, name,
                        number);
  *entry = (struct entry){.port = out, .line = reader->place.line};
  return TNY_OK;
}

static enum tny_status read_entry(struct reader *reader, const char *line, struct tny_error *error)
{
  uint64_t lid, number;
  uint32_t to;
  const char *at = line + 2;
  const bool has_lid = tny_subnet_read_hex(&at, &lid) && lid < LID_COUNT && *at == ' ';
  at += strspn(at, SPACE);
  if (!has_lid || tny_scan_number(&at, 255, &number) != TNY_SCAN_NUMBER ||
      (*at && !strchr(SPACE, *at)))
    return tny_error_at(error, TNY_BAD_INPUT, reader->place.file, reader->place.line, 0,
                        "a LID and a port belong here, as in 0x0004 002, not \"%.40s\"", line);
  if (reader->at == TNY_NONE)
    return tny_error_at(error, TNY_BAD_INPUT, reader->place.file, reader->place.line, 0,
                        "whose table is it? One begins with a line Unicast lids: is the file "
                        "whole?");
  const enum tny_status status = find_destination(reader, (uint32_t)lid, at, &to, error);
  if (status || to == TNY_NONE || reader->target_of[to] == TNY_NONE)
    return status;
  return take(reader, to, (uint32_t)number, error);
}

static enum tny_status read_line(void *context, char *line, struct tny_error *error)
{
  struct reader *reader = context;
  if (!strncmp(line, UNICAST, strlen(UNICAST)))
    return read_heading(reader, line, error);
  if (!strncmp(line, "0x", 2))
    return read_entry(reader, line, error);
  if (!*line || strchr(" \t#*", *line) || strstr(line, "lids dumped"))
    return TNY_OK;
  if (!strncmp(line, MULTICAST, strlen(MULTICAST)))
    return tny_error_at(error, TNY_BAD_INPUT, reader->place.file, reader->place.line, 0,
                        "a table of multicast groups, by which no message between two hosts goes: "
                        "run dump_lfts, or ibroute without -M");
  return tny_error_at(error, TNY_BAD_INPUT, reader->place.file, reader->place.line, 0,
                      "\"%.40s\" is no line of a forwarding table: give what dump_lfts or ibroute "
                      "prints, as it is",
                      line);
}

/* --- whether each way arrives --- */

static enum tny_status check_tables(const struct reader *reader, struct tny_error *error)
{
  const struct tny_subnet *subnet = reader->subnet;
  for (uint32_t at = 0; at < reader->switch_count; at++) {
    const struct tny_subnet_place *place = &reader->tables[at];
    if (!place->line)
      return tny_error_at(
          error, TNY_BAD_INPUT, reader->place.file, 0, 0,
          "switch %.100s (line %u of %.80s) has no table: give that of each switch, "
          "as dump_lfts prints them",
          name_of(reader, at), subnet->nodes[reader->switches[at]].place.line,
          subnet->nodes[reader->switches[at]].place.file);
    for (uint32_t target = 0; target < reader->target_count; target++)
      if (find_entry(reader, at, target)->port == TNY_NONE)
        return tny_error_at(error, TNY_BAD_INPUT, place->file, place->line, 0,
                            "the table of switch %.100s has no line for host %.100s (LID %u): let "
                            "OpenSM end its sweep, and run ibnetdiscover and dump_lfts again",
                            name_of(reader, at), host_of(reader, reader->targets[target]),
                            subnet->ports[reader->targets[target]].lid);
  }
  return TNY_OK;
}

static enum tny_status refuse_loop(const struct reader *reader, uint32_t at, uint32_t target,
                                   struct tny_error *error)
{
  const struct entry *entry = find_entry(reader, at, target);
  const uint32_t next = reader->switch_of[far_node(reader->subnet, entry->port)];
  return tny_error_at(error, TNY_BAD_INPUT, reader->tables[at].file, entry->line, 0,
                      "what is for host %.80s goes around in a loop, by switches %.80s and %.80s, "
                      "and never gets there: let OpenSM end its sweep, and run dump_lfts again",
                      host_of(reader, reader->targets[target]), name_of(reader, at),
                      name_of(reader, next));
}

/* Counts the links from each switch to the target into hops, of which there is one a switch. A way
   longer than there are switches is a loop. `path` has room for all switches. */
static enum tny_status follow(const struct reader *reader, uint32_t target, uint16_t *hops,
                              uint32_t *path, struct tny_error *error)
{
  const struct tny_subnet *subnet = reader->subnet;
  memset(hops, 0, reader->switch_count * sizeof *hops);
  for (uint32_t s = 0; s < reader->switch_count; s++) {
    uint32_t length = 0, at = s;
    uint16_t behind = 0;
    while (!hops[at]) {
      hops[at] = UINT16_MAX; /* on this walk */
      path[length++] = at;
      const uint32_t far = far_node(subnet, find_entry(reader, at, target)->port);
      if (subnet->nodes[far].kind == TNY_SUBNET_ADAPTER)
        break;
      at = reader->switch_of[far];
      if (hops[at] == UINT16_MAX)
        return refuse_loop(reader, at, target, error);
      behind = hops[at];
    }
    while (length)
      hops[path[--length]] = behind = behind < UINT16_MAX - 1 ? behind + 1 : behind;
  }
  return TNY_OK;
}

/* The port by which a host is reached, of all its ports; as a target. */
static uint32_t find_target(const struct reader *reader, uint32_t host)
{
  const struct tny_subnet *subnet = reader->subnet;
  uint32_t left = host % subnet->hosts[host].cable_count;
  for (uint32_t adapter = subnet->hosts[host].first_adapter;;
       adapter = subnet->nodes[adapter].next_adapter) {
    const struct tny_subnet_node *node = &subnet->nodes[adapter];
    for (uint32_t port = node->first_port; port < node->first_port + node->port_count; port++)
      if (reader->target_of[port] != TNY_NONE && left-- == 0)
        return reader->target_of[port];
  }
}

static enum tny_status follow_all(struct reader *reader, struct tny_error *error)
{
  uint16_t *hops = tny_new(reader->switch_count, sizeof *hops);
  uint32_t *path = tny_new(reader->switch_count, sizeof *path);
  enum tny_status status = hops && path ? TNY_OK : tny_error_memory(error);
  for (uint32_t target = 0; !status && target < reader->target_count; target++) {
    const uint32_t node = reader->subnet->ports[reader->targets[target]].node;
    const uint32_t host = reader->subnet->nodes[node].host;
    status = follow(reader, target, hops, path, error);
    const bool is_taken = find_target(reader, host) == target;
    for (uint32_t at = 0; !status && is_taken && at < reader->switch_count; at++)
      reader->hops[(size_t)at * reader->subnet->host_count + host] = hops[at];
  }
  tny_free(hops);
  tny_free(path);
  return status;
}

/* --- the table of routes --- */

/* One switch of the cluster while its lines are written. */
struct writer {
  const struct reader *reader;
  struct tny_text text;
  uint32_t *out;      /* by host: the port by which it goes out; TNY_NONE: no line */
  const char **names; /* room for all hosts */
};

static void write_next(struct writer *writer, uint32_t port)
{
  const struct tny_subnet *subnet = writer->reader->subnet;
  const struct tny_subnet_port *out = &subnet->ports[port];
  const struct tny_subnet_port *peer = &subnet->ports[out->peer];
  tny_text_add(&writer->text, " %s", tny_build_name(writer->reader->build, peer->build_node));
  if (out->parallel_count > 1)
    tny_text_add(&writer->text, "#%u", out->parallel);
  tny_text_add(&writer->text, "\n");
}

/* The port by which most hosts' messages go out, or TNY_NONE. `count` has an entry a port, all 0,
   and is left so. */
static uint32_t find_most(const struct writer *writer, uint32_t *count)
{
  const uint32_t host_count = writer->reader->subnet->host_count;
  uint32_t most = TNY_NONE;
  for (uint32_t host = 0; host < host_count; host++) {
    const uint32_t port = writer->out[host];
    if (port != TNY_NONE && (++count[port], most == TNY_NONE || count[port] > count[most]))
      most = port;
  }
  for (uint32_t host = 0; host < host_count; host++)
    if (writer->out[host] != TNY_NONE)
      count[writer->out[host]] = 0;
  return most;
}

/* Writes a line for each port of `out`, and empties it. */
static void write_switch(struct writer *writer, const char *name, uint32_t *count)
{
  const struct reader *reader = writer->reader;
  const uint32_t host_count = reader->subnet->host_count;
  const uint32_t most = find_most(writer, count);
  for (uint32_t first = 0; first < host_count; first++) {
    const uint32_t port = writer->out[first];
    uint32_t listed = 0;
    if (port == TNY_NONE || port == most)
      continue;
    for (uint32_t host = first; host < host_count; host++)
      if (writer->out[host] == port) {
        writer->names[listed++] =
            tny_build_name(reader->build, reader->subnet->hosts[host].build_node);
        writer->out[host] = TNY_NONE;
      }
    tny_text_add(&writer->text, "%s ", name);
    tny_hostlist_fold(&writer->text, writer->names, listed);
    write_next(writer, port);
  }
  if (most == TNY_NONE)
    return;
  tny_text_add(&writer->text, "%s *", name);
  write_next(writer, most);
}

static void write_real_switch(struct writer *writer, uint32_t at, uint32_t *count)
{
  const struct reader *reader = writer->reader;
  const struct tny_subnet *subnet = reader->subnet;
  for (uint32_t host = 0; host < subnet->host_count; host++) {
    const uint32_t out = find_entry(reader, at, find_target(reader, host))->port;
    const bool is_home = subnet->hosts[host].own_switch == TNY_NONE &&
                         subnet->nodes[far_node(subnet, out)].kind == TNY_SUBNET_ADAPTER;
    writer->out[host] = is_home ? TNY_NONE : out;
  }
  write_switch(writer, name_of(reader, at), count);
}

/* The port by which a host with several sends to another one. */
static uint32_t choose_port(const struct reader *reader, uint32_t from, uint32_t to)
{
  const struct tny_subnet *subnet = reader->subnet;
  uint32_t best = TNY_NONE;
  uint16_t least = UINT16_MAX;
  for (uint32_t adapter = subnet->hosts[from].first_adapter; adapter != TNY_NONE;
       adapter = subnet->nodes[adapter].next_adapter) {
    const struct tny_subnet_node *node = &subnet->nodes[adapter];
    for (uint32_t port = node->first_port; port < node->first_port + node->port_count; port++) {
      if (subnet->ports[port].peer == TNY_NONE)
        continue;
      const uint32_t far = far_node(subnet, port);
      if (subnet->nodes[far].kind != TNY_SUBNET_SWITCH)
        continue;
      const uint16_t hops = reader->hops[(size_t)reader->switch_of[far] * subnet->host_count + to];
      best = hops < least ? port : best;
      least = hops < least ? hops : least;
    }
  }
  return best;
}

static void write_own_switch(struct writer *writer, uint32_t from, uint32_t *count)
{
  const struct tny_subnet *subnet = writer->reader->subnet;
  for (uint32_t host = 0; host < subnet->host_count; host++)
    writer->out[host] = host == from ? TNY_NONE : choose_port(writer->reader, from, host);
  write_switch(writer, tny_build_name(writer->reader->build, subnet->hosts[from].own_switch),
               count);
}

static enum tny_status write_routes(const struct reader *reader, char **routes,
                                    struct tny_error *error)
{
  const struct tny_subnet *subnet = reader->subnet;
  struct writer writer = {.reader = reader,
                          .out = tny_new(subnet->host_count, sizeof *writer.out),
                          .names = tny_new(subnet->host_count, sizeof *writer.names)};
  uint32_t *count = tny_new(subnet->port_count, sizeof *count);
  enum tny_status status = writer.out && writer.names && count ? TNY_OK : tny_error_memory(error);
  if (!status)
    tny_text_add(&writer.text, "routes 1\n");
  for (uint32_t at = 0; !status && at < reader->switch_count; at++)
    write_real_switch(&writer, at, count);
  for (uint32_t host = 0; !status && host < subnet->host_count; host++)
    if (subnet->hosts[host].own_switch != TNY_NONE)
      write_own_switch(&writer, host, count);
  if (!status)
    status = tny_text_take(&writer.text, routes, error);
  tny_text_release(&writer.text);
  tny_free(writer.out);
  tny_free(writer.names);
  tny_free(count);
  return status;
}

/* --- the whole --- */

bool tny_forwarding_recognize(const char *text)
{
  text = tny_subnet_skip_comments(text);
  return !strncmp(text, UNICAST, strlen(UNICAST)) || !strncmp(text, MULTICAST, strlen(MULTICAST));
}

enum tny_status tny_forwarding_read(const struct tny_subnet *subnet, const struct tny_build *build,
                                    char **routes, struct tny_error *error)
{
  const struct tny_import_request *import = subnet->import;
  struct reader reader = {.subnet = subnet, .build = build};
  enum tny_status status = begin(&reader, error);
  for (uint32_t i = 0; !status && i < import->file_count; i++)
    if (tny_forwarding_recognize(import->files[i].text)) {
      reader.at = TNY_NONE;
      status = tny_subnet_read_file(&import->files[i], &reader.place, read_line, &reader, error);
    }
  if (!status)
    status = check_tables(&reader, error);
  if (!status)
    status = follow_all(&reader, error);
  if (!status)
    status = write_routes(&reader, routes, error);
  release(&reader);
  return status;
}
