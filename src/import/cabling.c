/* What ports see, turned into cables: ports are sorted twice, by port so that one with two cables
   is found, and by the two systems so that what both ends tell of becomes one. */
#include "import/cabling.h"

#include "core/alloc.h"
#include "core/error.h"
#include "import/names.h"

void tny_cabling_init(struct tny_cabling *cabling, const struct tny_import_request *import,
                      struct tny_build *build)
{
  *cabling = (struct tny_cabling){.build = build, .import = import};
}

void tny_cabling_release(struct tny_cabling *cabling)
{
  tny_free(cabling->ports);
  tny_free(cabling->names);
  tny_free(cabling->bundles);
  tny_free(cabling->chooses);
  tny_free(cabling->neighbours);
  *cabling = (struct tny_cabling){0};
}

static const char *system_of(const struct tny_cabling *cabling, uint32_t node)
{
  return tny_build_name(cabling->build, node);
}

static const char *name_of(const struct tny_cabling *cabling, const struct tny_cabling_port *port)
{
  return cabling->names + port->name;
}

/* --- what is told --- */

static bool add_name(struct tny_cabling *cabling, const char *name)
{
  const size_t bytes = strlen(name) + 1;
  if (cabling->names_used + bytes > cabling->names_room) {
    const size_t room = 2 * cabling->names_room + bytes + 256;
    char *names = tny_resize(cabling->names, room, 1);
    if (!names)
      return false;
    cabling->names = names;
    cabling->names_room = room;
  }
  memcpy(cabling->names + cabling->names_used, name, bytes);
  cabling->names_used += bytes;
  return true;
}

static bool grow(struct tny_cabling *cabling)
{
  if (cabling->port_count < cabling->port_room)
    return true;
  const uint32_t room = cabling->port_room ? 2 * cabling->port_room : 64;
  struct tny_cabling_port *ports = tny_resize(cabling->ports, room, sizeof *ports);
  if (!ports)
    return false;
  cabling->ports = ports;
  cabling->port_room = room;
  return true;
}

enum tny_status tny_cabling_add(struct tny_cabling *cabling, const struct tny_sight *sight,
                                struct tny_error *error)
{
  if (sight->from == sight->to)
    return TNY_OK;
  if (cabling->port_count / 2 == TNY_CABLES_MAX)
    return tny_error_at(error, TNY_BAD_INPUT, sight->file, sight->line, 0, "more than %u cables",
                        TNY_CABLES_MAX);
  const size_t name = cabling->names_used, far_name = name + strlen(sight->port) + 1;
  if (!grow(cabling) || !add_name(cabling, sight->port) ||
      !add_name(cabling, sight->far_port ? sight->far_port : ""))
    return tny_error_memory(error);
  cabling->ports[cabling->port_count] = (struct tny_cabling_port){.from = sight->from,
                                                                  .to = sight->to,
                                                                  .name = name,
                                                                  .far_name = far_name,
                                                                  .rate_bps = sight->rate_bps,
                                                                  .aggregate = sight->aggregate,
                                                                  .file = sight->file,
                                                                  .line = sight->line,
                                                                  .index = cabling->port_count};
  cabling->port_count++;
  return TNY_OK;
}

/* --- which systems and ports count --- */

bool tny_cabling_leaves_out(const struct tny_cabling *cabling, const char *name)
{
  return cabling->import->without && tny_names_match(cabling->import->without, name);
}

static enum tny_status choose_ports(struct tny_cabling *cabling, struct tny_error *error)
{
  const char *patterns = cabling->import->interfaces;
  cabling->chooses = tny_new(cabling->build->node_count, sizeof *cabling->chooses);
  if (!cabling->chooses)
    return tny_error_memory(error);
  bool any = false;
  for (uint32_t i = 0; patterns && i < cabling->port_count; i++) {
    struct tny_cabling_port *port = &cabling->ports[i];
    port->is_unwanted = !tny_names_match(patterns, name_of(cabling, port));
    if (!port->is_unwanted)
      cabling->chooses[port->from] = any = true;
  }
  for (uint32_t i = 0; i < cabling->port_count; i++)
    if (!cabling->chooses[cabling->ports[i].from])
      cabling->ports[i].is_unwanted = false;
  if (any || !patterns)
    return TNY_OK;
  return tny_error_at(error, TNY_BAD_INPUT, cabling->build->file, 0, 0,
                      "no port matches \"%.60s\", as --interface wants it: give what the hosts' "
                      "interfaces are called in the files",
                      patterns);
}

/* --- each port once --- */

/* The names that are being sorted; qsort hands on no state. */
static _Thread_local const char *sorted_names;

static int compare(uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

static int by_port(const void *a, const void *b)
{
  const struct tny_cabling_port *x = a, *y = b;
  int order = compare(x->from, y->from);
  if (!order)
    order = strcmp(sorted_names + x->name, sorted_names + y->name);
  return order ? order : compare(x->index, y->index);
}

static enum tny_status refuse_port(const struct tny_cabling *cabling,
                                   const struct tny_cabling_port *port,
                                   const struct tny_cabling_port *other, struct tny_error *error)
{
  return tny_error_at(error, TNY_BAD_INPUT, other->file, other->line, 0,
                      "%.60s of %.60s sees two systems, %.60s and %.60s: what is plugged into it? "
                      "Leave one out, or put a switch between them",
                      name_of(cabling, port), system_of(cabling, port->from),
                      system_of(cabling, port->to), system_of(cabling, other->to));
}

/* Both lines are those of one port, in the order in which they were told. */
static enum tny_status check_far_end(const struct tny_cabling *cabling,
                                     const struct tny_cabling_port *port,
                                     const struct tny_cabling_port *again, struct tny_error *error)
{
  const char *far = cabling->names + port->far_name, *other = cabling->names + again->far_name;
  if (!*far || !*other || !strcmp(far, other))
    return TNY_OK;
  return tny_error_at(error, TNY_BAD_INPUT, again->file, again->line, 0,
                      "%.60s of %.60s has two cables, to %.60s (line %u) and to %.60s of %.60s: "
                      "leave one out, or name the port that it is plugged into",
                      name_of(cabling, port), system_of(cabling, port->from), far, port->line,
                      other, system_of(cabling, port->to));
}

/* What is told twice of a port is kept once. */
static enum tny_status drop_repeats(struct tny_cabling *cabling, struct tny_error *error)
{
  struct tny_cabling_port *ports = cabling->ports;
  uint32_t count = 0;
  sorted_names = cabling->names;
  if (cabling->port_count)
    qsort(ports, cabling->port_count, sizeof *ports, by_port);
  for (uint32_t i = 0; i < cabling->port_count; i++) {
    struct tny_cabling_port *last = count ? &ports[count - 1] : NULL;
    const bool is_new = !last || last->from != ports[i].from ||
                        strcmp(name_of(cabling, last), name_of(cabling, &ports[i])) != 0;
    if (is_new || (ports[i].is_unwanted && last->to != ports[i].to)) {
      ports[count++] = ports[i];
      continue;
    }
    if (last->to != ports[i].to)
      return refuse_port(cabling, last, &ports[i], error);
    const enum tny_status status = check_far_end(cabling, last, &ports[i], error);
    if (status)
      return status;
    if (!last->rate_bps)
      last->rate_bps = ports[i].rate_bps;
    if (!last->aggregate)
      last->aggregate = ports[i].aggregate;
  }
  cabling->port_count = count;
  return TNY_OK;
}

/* --- each cable once --- */

static uint32_t lower(const struct tny_cabling_port *port)
{
  return port->from < port->to ? port->from : port->to;
}

static uint32_t upper(const struct tny_cabling_port *port)
{
  return port->from < port->to ? port->to : port->from;
}

static int by_systems(const void *a, const void *b)
{
  const struct tny_cabling_port *x = a, *y = b;
  int order = compare(lower(x), lower(y));
  if (!order)
    order = compare(upper(x), upper(y));
  if (!order)
    order = compare(x->from, y->from);
  if (!order)
    order = compare(x->is_unwanted, y->is_unwanted);
  return order ? order : compare(x->index, y->index);
}

static int by_index(const void *a, const void *b)
{
  const struct tny_cabling_port *x = a, *y = b;
  return compare(x->index, y->index);
}

/* What one of two systems tells of its cables to the other. */
struct end {
  struct tny_cabling_port *ports;
  uint32_t count;         /* of all, those that are wanted first */
  uint32_t wanted, rates; /* of the wanted ones, how many there are and how many tell a rate */
  bool chooses;
};

static struct end end_of(const struct tny_cabling *cabling, struct tny_cabling_port *ports,
                         uint32_t count)
{
  struct end end = {.ports = ports, .count = count};
  for (uint32_t i = 0; i < count; i++) {
    end.wanted += !ports[i].is_unwanted;
    end.rates += !ports[i].is_unwanted && ports[i].rate_bps != 0;
  }
  end.chooses = count && cabling->chooses[ports[0].from];
  return end;
}

static bool is_aggregated(const struct end *end)
{
  for (uint32_t i = 0; i < end->wanted; i++)
    if (end->ports[i].aggregate)
      return true;
  return false;
}

/* Which end's word is taken: of the one that chooses its ports; of the one that has fewer left
   where both choose; else of the one that tells of more cables, of aggregations, or of more
   rates. */
static bool first_counts(const struct end *first, const struct end *second)
{
  if (!first->count || !second->count)
    return first->count != 0;
  if (first->chooses != second->chooses)
    return first->chooses;
  if (first->wanted != second->wanted)
    return (first->wanted > second->wanted) != first->chooses;
  if (is_aggregated(first) != is_aggregated(second))
    return is_aggregated(first);
  if (first->rates != second->rates)
    return first->rates > second->rates;
  return first->ports[0].index < second->ports[0].index;
}

/* Keeps the wanted ports of `kept`; rates that only the other end tells are taken over, and
   aggregations where the ports are chosen by the end that tells none, port by port in the order in
   which they were told. */
static void keep(const struct end *kept, const struct end *left)
{
  const bool tells_aggregates = is_aggregated(kept);
  for (uint32_t i = 0; !tells_aggregates && i < kept->wanted && i < left->wanted; i++)
    kept->ports[i].aggregate = left->ports[i].aggregate;
  for (uint32_t i = 0; i < kept->count; i++) {
    kept->ports[i].is_left_out = kept->ports[i].is_unwanted;
    if (!kept->ports[i].rate_bps && i < left->wanted)
      kept->ports[i].rate_bps = left->ports[i].rate_bps;
  }
  for (uint32_t i = 0; i < left->count; i++)
    left->ports[i].is_left_out = true;
}

/* One more cable of the rate `add`, 0: not known. */
static void join_rates(uint64_t *rate_bps, bool *is_unlike, uint64_t add)
{
  *is_unlike |= *rate_bps && add && *rate_bps != add;
  *rate_bps = *rate_bps ? *rate_bps : add;
}

/* Of the ports from `first` on, all between two systems, the first that is in the aggregation. */
static struct tny_cabling_port *stand_in(struct tny_cabling_port *first,
                                         const struct tny_cabling_port *port)
{
  while (first < port && (first->is_left_out || first->aggregate != port->aggregate))
    first++;
  return first;
}

/* The ports from `first` to before `last` are those between two systems. */
static void bundle_up(struct tny_cabling *cabling, uint32_t first, uint32_t last)
{
  struct tny_cabling_port *ports = cabling->ports;
  uint32_t middle = first + 1;
  while (middle < last && ports[middle].from == ports[first].from)
    middle++;
  const struct end own = end_of(cabling, &ports[first], middle - first);
  const struct end back = end_of(cabling, &ports[middle], last - middle);
  if (first_counts(&own, &back))
    keep(&own, &back);
  else
    keep(&back, &own);
  struct tny_bundle bundle = {.first = UINT32_MAX};
  for (uint32_t i = first; i < last; i++) {
    if (ports[i].is_left_out)
      continue;
    ports[i].bundle = cabling->bundle_count;
    bundle.count++;
    join_rates(&bundle.rate_bps, &bundle.is_unlike, ports[i].rate_bps);
    struct tny_cabling_port *port =
        ports[i].aggregate ? stand_in(&ports[first], &ports[i]) : &ports[i];
    port->cable_count++;
    join_rates(&port->rate_bps, &port->is_unlike, ports[i].rate_bps);
    if (ports[i].index < bundle.first)
      bundle.first = ports[i].index;
  }
  if (!bundle.count)
    return;
  cabling->bundles[cabling->bundle_count++] = bundle;
  cabling->neighbours[ports[first].from]++;
  cabling->neighbours[ports[first].to]++;
}

static enum tny_status join_all(struct tny_cabling *cabling, struct tny_error *error)
{
  struct tny_cabling_port *ports = cabling->ports;
  cabling->bundles = tny_new(cabling->port_count, sizeof *cabling->bundles);
  cabling->neighbours = tny_new(cabling->build->node_count, sizeof *cabling->neighbours);
  if (!cabling->bundles || !cabling->neighbours)
    return tny_error_memory(error);
  if (cabling->port_count)
    qsort(ports, cabling->port_count, sizeof *ports, by_systems);
  for (uint32_t first = 0, end; first < cabling->port_count; first = end) {
    for (end = first + 1; end < cabling->port_count && lower(&ports[end]) == lower(&ports[first]) &&
                          upper(&ports[end]) == upper(&ports[first]);)
      end++;
    bundle_up(cabling, first, end);
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i < cabling->port_count; i++)
    if (!ports[i].is_left_out)
      ports[count++] = ports[i];
  cabling->port_count = count;
  if (count)
    qsort(ports, count, sizeof *ports, by_index);
  return TNY_OK;
}

enum tny_status tny_cabling_settle(struct tny_cabling *cabling, struct tny_error *error)
{
  enum tny_status status = choose_ports(cabling, error);
  if (!status)
    status = drop_repeats(cabling, error);
  return status ? status : join_all(cabling, error);
}

/* --- into the build --- */

static bool is_host(const struct tny_cabling *cabling, uint32_t node)
{
  return cabling->build->nodes[node].kind == TNY_KIND_HOST;
}

/* A host with cables to several systems. */
static enum tny_status refuse_host(const struct tny_cabling *cabling, uint32_t host,
                                   struct tny_error *error)
{
  const struct tny_cabling_port *found[2] = {0};
  uint32_t other[2] = {TNY_NONE, TNY_NONE};
  for (uint32_t i = 0, count = 0; i < cabling->port_count && count < 2; i++) {
    const struct tny_cabling_port *port = &cabling->ports[i];
    if (port->from != host && port->to != host)
      continue;
    const uint32_t neighbour = port->from == host ? port->to : port->from;
    if (neighbour != other[0]) {
      found[count] = port;
      other[count++] = neighbour;
    }
  }
  const char *ports[] = {name_of(cabling, found[0]), name_of(cabling, found[1])};
  const bool is_own[] = {found[0]->from == host, found[1]->from == host};
  return tny_error_at(
      error, TNY_BAD_INPUT, found[1]->file, found[1]->line, 0,
      "host %.60s has cables to %.60s (%s%.40s) and to %.60s (%s%.40s), and a host has one here: "
      "say which of its interfaces count, as in --interface %.40s",
      system_of(cabling, host), system_of(cabling, other[0]), is_own[0] ? "" : "its port ",
      ports[0], system_of(cabling, other[1]), is_own[1] ? "" : "its port ", ports[1],
      is_own[0] ? ports[0] : "eth0");
}

enum tny_status tny_cabling_check_hosts(const struct tny_cabling *cabling, struct tny_error *error)
{
  for (uint32_t node = 0; node < cabling->build->node_count; node++) {
    if (!is_host(cabling, node))
      continue;
    if (cabling->neighbours[node] > 1)
      return refuse_host(cabling, node, error);
    if (cabling->neighbours[node] == 0)
      return tny_error_at(
          error, TNY_BAD_INPUT, cabling->build->file, 0, 0,
          "no cable of host %.100s is told of%s: leave the host out by --without, or %s",
          system_of(cabling, node),
          cabling->import->interfaces ? " at the ports that --interface names" : "",
          cabling->import->interfaces ? "name its ports too" : "find out what it is plugged into");
  }
  return TNY_OK;
}

static enum tny_status refuse_rate(const struct tny_cabling *cabling,
                                   const struct tny_cabling_port *port, bool is_trunk,
                                   struct tny_error *error)
{
  return tny_error_at(
      error, TNY_BAD_INPUT, port->file, port->line, 0,
      "no rate is told of the cable between %.80s (%.40s) and %.80s: give that of "
      "the %s, as in --%s 100Gbit/s%s%s",
      system_of(cabling, port->from), name_of(cabling, port), system_of(cabling, port->to),
      is_trunk ? "cables between switches" : "hosts' cables", is_trunk ? "trunk" : "link",
      cabling->rate_hint ? ", or " : "", cabling->rate_hint ? cabling->rate_hint : "");
}

static enum tny_status refuse_unlike(const struct tny_cabling *cabling,
                                     const struct tny_cabling_port *port, bool is_trunk,
                                     struct tny_error *error)
{
  return tny_error_at(error, TNY_BAD_INPUT, port->file, port->line, 0,
                      "the cables between %.80s and %.80s are used as one, and have several rates, "
                      "of which a bundle has one: %s",
                      system_of(cabling, port->from), system_of(cabling, port->to),
                      is_trunk
                          ? "is the aggregation right?"
                          : "say which of the host's interfaces count, as in --interface eth0");
}

/* A switch's own cables are one each, where they aren't aggregated; a host's are a bundle. Which
   cable a message takes is chosen by a hash in link aggregations, and nothing better is known of
   hosts' ports. */
static enum tny_status connect(struct tny_cabling *cabling, const struct tny_cabling_port *port,
                               struct tny_error *error)
{
  struct tny_build *build = cabling->build;
  const struct tny_import_request *import = cabling->import;
  const struct tny_bundle *bundle = &cabling->bundles[port->bundle];
  const bool is_trunk = !is_host(cabling, port->from) && !is_host(cabling, port->to);
  const uint64_t given = is_trunk && import->trunk_bps ? import->trunk_bps : import->link_bps;
  if (is_trunk ? !port->cable_count : port->index != bundle->first)
    return TNY_OK;
  if (is_trunk ? port->is_unlike : bundle->is_unlike)
    return refuse_unlike(cabling, port, is_trunk, error);
  const uint64_t told = is_trunk ? port->rate_bps : bundle->rate_bps;
  struct tny_build_cable cable = tny_build_default_cable;
  cable.from = is_host(cabling, port->from) ? port->to : port->from;
  cable.to = is_host(cabling, port->from) ? port->from : port->to;
  if (!given && !told)
    return refuse_rate(cabling, port, is_trunk, error);
  cable.bandwidth_bps = told ? told : given;
  cable.cable_count = is_trunk ? port->cable_count : bundle->count;
  cable.spread = TNY_SPREADING_FLOW;
  if (!is_trunk && bundle->count > 1)
    build->note =
        "the cables of a host to one switch were taken for a bundle, spread by flow: one of "
        "them is relied on; write spread=\"packet\" where each message uses all";
  build->file = port->file;
  build->line = port->line;
  return tny_build_connect(build, &cable, error);
}

enum tny_status tny_cabling_connect(struct tny_cabling *cabling, struct tny_error *error)
{
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; !status && i < cabling->port_count; i++)
    status = connect(cabling, &cabling->ports[i], error);
  return status;
}
