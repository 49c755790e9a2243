/* SimGrid's platform files: zones of hosts, routers and links, and the routes that pass them, or
   clusters that are counted out (simgrid_cluster.c). What a processor does, and properties, aren't
   looked at. Where routes lead is platform_routes.c's. */
#include "core/error.h"
#include "core/hostlist.h"
#include "import/format.h"
#include "import/simgrid_cluster.h"
#include "import/simgrid_values.h"

#define ZONES_MAX 64

struct zone {
  uint32_t middle; /* of one with routing="Cluster", the place to which all hosts have a link */
};

struct reader {
  struct tny_platform platform;
  bool has_root;
  struct zone zones[ZONES_MAX];
  uint32_t depth;
  bool is_in_route;
  bool is_loopback; /* the route that is read leads from a host to itself */
  struct tny_platform_route route;
};

typedef enum tny_status visitor(struct reader *reader, const struct tny_xml_element *element,
                                struct tny_error *error);

/* --- the platform and its zones --- */

static enum tny_status begin_platform(struct reader *reader, const struct tny_xml_element *element,
                                      struct tny_error *error)
{
  const char *version;
  const enum tny_status status = tny_xml_require(element, "version", &version, error);
  if (status)
    return status;
  if (reader->has_root)
    return tny_xml_refuse(element, error, "a <platform> in a <platform>: there is one");
  reader->has_root = true;
  if (!strcmp(version, "4") || !strncmp(version, "4.", 2))
    return TNY_OK;
  return tny_xml_refuse(element, error,
                        "it is of version %.20s, and versions 4 and 4.1 are read: let "
                        "simgrid_update_xml, which comes with SimGrid, bring it up to date",
                        version);
}

static enum tny_status begin_zone(struct reader *reader, const struct tny_xml_element *element,
                                  struct tny_error *error)
{
  static const char *const known[] = {"Full", "Floyd", "Dijkstra", "DijkstraCache", "None"};
  const char *routing;
  const enum tny_status status = tny_xml_require(element, "routing", &routing, error);
  if (status)
    return status;
  if (reader->depth == ZONES_MAX)
    return tny_xml_refuse(element, error, "there are more than %d zones in each other", ZONES_MAX);
  struct zone *zone = &reader->zones[reader->depth++];
  zone->middle = TNY_NONE;
  if (!strcmp(routing, "Cluster"))
    return tny_platform_add_place(&reader->platform, &zone->middle, error);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(routing, known[i]))
      return TNY_OK;
  if (!strcmp(routing, "Vivaldi"))
    return tny_xml_refuse(element, error,
                          "a zone of coordinates (Vivaldi) has no cables: give its network by "
                          "links and routes, as with routing=\"Full\"");
  return tny_xml_refuse(element, error,
                        "routing=\"%.40s\" isn't known: there are Full, Floyd, Dijkstra, "
                        "DijkstraCache, Cluster and None",
                        routing);
}

/* The middle of the zone that is read; TNY_NONE: it has none. */
static uint32_t middle_of(const struct reader *reader)
{
  return reader->depth ? reader->zones[reader->depth - 1].middle : TNY_NONE;
}

static enum tny_status require_middle(const struct reader *reader,
                                      const struct tny_xml_element *element,
                                      struct tny_error *error)
{
  if (middle_of(reader) != TNY_NONE)
    return TNY_OK;
  return tny_xml_refuse(element, error,
                        "<%s> belongs into a zone with routing=\"Cluster\": say so of its zone",
                        element->name);
}

/* --- points --- */

static enum tny_status add_host(struct reader *reader, const struct tny_xml_element *element,
                                struct tny_error *error)
{
  const char *name;
  const enum tny_status status = tny_xml_require(element, "id", &name, error);
  return status ? status
                : tny_platform_add_point(&reader->platform, name, TNY_KIND_HOST, element->line,
                                         NULL, error);
}

/* In a zone with a middle, the router is there. */
static enum tny_status add_router(struct reader *reader, const struct tny_xml_element *element,
                                  struct tny_error *error)
{
  const char *name;
  uint32_t place;
  enum tny_status status = tny_xml_require(element, "id", &name, error);
  if (!status)
    status = tny_platform_add_point(&reader->platform, name, TNY_KIND_SWITCH, element->line, &place,
                                    error);
  if (!status && middle_of(reader) != TNY_NONE)
    tny_platform_join(&reader->platform, place, middle_of(reader));
  return status;
}

/* The place of the point that an attribute names. */
static enum tny_status find_point(struct reader *reader, const struct tny_xml_element *element,
                                  const char *attribute, uint32_t *place, struct tny_error *error)
{
  const char *name;
  const enum tny_status status = tny_xml_require(element, attribute, &name, error);
  if (status)
    return status;
  *place = tny_platform_find_point(&reader->platform, name);
  if (*place != TNY_NONE)
    return TNY_OK;
  return tny_xml_refuse(element, error,
                        "%s=\"%.100s\" is neither a host nor a router: define it before the route "
                        "to it",
                        attribute, name);
}

static enum tny_status add_cluster(struct reader *reader, const struct tny_xml_element *element,
                                   struct tny_error *error)
{
  return tny_simgrid_add_cluster(&reader->platform, element, error);
}

static enum tny_status add_cabinet(struct reader *reader, const struct tny_xml_element *element,
                                   struct tny_error *error)
{
  const enum tny_status status = require_middle(reader, element, error);
  return status ? status
                : tny_simgrid_add_cabinet(&reader->platform, element, middle_of(reader), error);
}

/* --- links --- */

static enum tny_status read_rates(struct reader *reader, const struct tny_xml_element *element,
                                  struct tny_link_rates *rates, struct tny_error *error)
{
  *rates = (struct tny_link_rates){.sharing = TNY_SHARING_UNSAID};
  enum tny_status status =
      tny_simgrid_read_sharing(element, "sharing_policy", &rates->sharing, error);
  if (!status)
    status = tny_simgrid_read_rate(element, "bandwidth", &rates->bps, error);
  if (!status)
    status = tny_simgrid_read_time(element, "latency", &rates->latency_ns, error);
  reader->platform.guesses.changing += tny_xml_attribute(element, "bandwidth_file") != NULL ||
                                       tny_xml_attribute(element, "latency_file") != NULL ||
                                       tny_xml_attribute(element, "state_file") != NULL;
  return status;
}

static enum tny_status add_link(struct reader *reader, const struct tny_xml_element *element,
                                struct tny_error *error)
{
  const char *name;
  struct tny_link_rates rates;
  enum tny_status status = tny_xml_require(element, "id", &name, error);
  if (!status)
    status = read_rates(reader, element, &rates, error);
  return status ? status
                : tny_platform_add_link(&reader->platform, name, &rates, element->line, error);
}

static enum tny_status add_backbone(struct reader *reader, const struct tny_xml_element *element,
                                    struct tny_error *error)
{
  struct tny_platform_edge backbone = {.ends = {middle_of(reader), middle_of(reader)},
                                       .line = element->line};
  enum tny_status status = require_middle(reader, element, error);
  if (!status)
    status = read_rates(reader, element, &backbone.rates, error);
  return status ? status : tny_platform_add_edge(&reader->platform, &backbone, error);
}

/* Profiles that are connected to links; those of hosts are of no concern. */
static enum tny_status note_profile(struct reader *reader, const struct tny_xml_element *element,
                                    struct tny_error *error)
{
  const char *kind = tny_xml_attribute(element, "kind");
  (void)error;
  reader->platform.guesses.changing +=
      kind &&
      (!strcmp(kind, "BANDWIDTH") || !strcmp(kind, "LATENCY") || !strcmp(kind, "LINK_AVAIL"));
  return TNY_OK;
}

/* --- routes --- */

static enum tny_status begin_route(struct reader *reader, const struct tny_xml_element *element,
                                   const char *from, const char *to, struct tny_error *error)
{
  if (reader->is_in_route)
    return tny_xml_refuse(element, error, "a route in a route: end the first one before");
  const char *way_back = tny_xml_attribute(element, "symmetrical");
  const bool is_one_way = way_back && (!strcmp(way_back, "NO") || !strcmp(way_back, "no"));
  if (way_back && !is_one_way && strcmp(way_back, "YES") != 0 && strcmp(way_back, "yes") != 0)
    return tny_xml_refuse(element, error, "symmetrical=\"%.20s\" is neither YES nor NO", way_back);
  reader->route = (struct tny_platform_route){.is_symmetrical = !is_one_way, .line = element->line};
  enum tny_status status = find_point(reader, element, from, &reader->route.from, error);
  if (!status)
    status = find_point(reader, element, to, &reader->route.to, error);
  reader->is_in_route = true;
  reader->is_loopback = !status && reader->route.from == reader->route.to;
  return status;
}

static enum tny_status begin_inner(struct reader *reader, const struct tny_xml_element *element,
                                   struct tny_error *error)
{
  return begin_route(reader, element, "src", "dst", error);
}

static enum tny_status begin_outer(struct reader *reader, const struct tny_xml_element *element,
                                   struct tny_error *error)
{
  return begin_route(reader, element, "gw_src", "gw_dst", error);
}

/* The link of that name; that of a full-duplex one may say its direction, as in "link_UP". */
static enum tny_status find_link(struct reader *reader, const struct tny_xml_element *element,
                                 const char *name, struct tny_hop *hop, struct tny_error *error)
{
  static const struct {
    const char *ending;
    enum tny_direction direction;
  } endings[] = {{"_UP", TNY_FORWARD}, {"_DOWN", TNY_BACKWARD}};
  struct tny_platform *platform = &reader->platform;
  const size_t length = strlen(name);
  *hop = (struct tny_hop){.link = tny_build_find(&platform->links, name)};
  for (int i = 0; hop->link == TNY_NONE && i < 2; i++) {
    const size_t ending = strlen(endings[i].ending);
    char whole[TNY_NAME_BYTES_MAX + 1];
    if (length <= ending || length > TNY_NAME_BYTES_MAX ||
        strcmp(name + length - ending, endings[i].ending) != 0)
      continue;
    snprintf(whole, sizeof whole, "%.*s", (int)(length - ending), name);
    const uint32_t link = tny_build_find(&platform->links, whole);
    enum tny_sharing *sharing = link == TNY_NONE ? NULL : &platform->link_at[link].rates.sharing;
    if (!sharing || *sharing == TNY_SHARED || *sharing == TNY_FATPIPE)
      continue;
    *sharing = TNY_SPLIT;
    *hop = (struct tny_hop){.link = link, .direction = endings[i].direction};
  }
  if (hop->link != TNY_NONE)
    return TNY_OK;
  return tny_xml_refuse(element, error,
                        "there is no link %.100s: define it before the route that passes it", name);
}

/* A full-duplex link is passed upwards where nothing is said; one that has a direction though
   nothing is said of its sharing is one of them. */
static enum tny_status read_direction(struct reader *reader, const struct tny_xml_element *element,
                                      struct tny_hop *hop, struct tny_error *error)
{
  enum tny_sharing *sharing = &reader->platform.link_at[hop->link].rates.sharing;
  const char *text = tny_xml_attribute(element, "direction");
  if (!text || !strcmp(text, "NONE")) {
    if (*sharing == TNY_SPLIT && hop->direction == TNY_UNSAID)
      hop->direction = TNY_FORWARD;
    return TNY_OK;
  }
  if (strcmp(text, "UP") != 0 && strcmp(text, "DOWN") != 0)
    return tny_xml_refuse(element, error, "direction=\"%.20s\" is neither UP nor DOWN", text);
  if (*sharing == TNY_SHARED || *sharing == TNY_FATPIPE)
    return tny_xml_refuse(element, error,
                          "link %.100s has no directions: leave out direction, or say "
                          "sharing_policy=\"SPLITDUPLEX\" of the link",
                          tny_build_name(&reader->platform.links, hop->link));
  *sharing = TNY_SPLIT;
  hop->direction = strcmp(text, "UP") ? TNY_BACKWARD : TNY_FORWARD;
  return TNY_OK;
}

static enum tny_status add_hop(struct reader *reader, const struct tny_xml_element *element,
                               struct tny_error *error)
{
  const char *name;
  struct tny_hop hop;
  if (!reader->is_in_route)
    return tny_xml_refuse(element, error, "<link_ctn> belongs into a route");
  enum tny_status status = tny_xml_require(element, "id", &name, error);
  if (!status)
    status = find_link(reader, element, name, &hop, error);
  if (!status)
    status = read_direction(reader, element, &hop, error);
  if (status || reader->is_loopback)
    return status;
  return tny_platform_add_hop(&reader->platform, &hop, error);
}

static enum tny_status end_route(struct reader *reader, struct tny_error *error)
{
  reader->is_in_route = false;
  return reader->is_loopback ? TNY_OK
                             : tny_platform_add_route(&reader->platform, &reader->route, error);
}

/* A host of a zone with a middle: by `up` there, by `down` back. */
static enum tny_status add_host_link(struct reader *reader, const struct tny_xml_element *element,
                                     struct tny_error *error)
{
  static const char *const ways[] = {"up", "down"};
  uint32_t host = TNY_NONE;
  enum tny_status status = require_middle(reader, element, error);
  if (!status)
    status = find_point(reader, element, "id", &host, error);
  for (int i = 0; !status && i < 2; i++) {
    const uint32_t ends[] = {host, middle_of(reader)};
    const struct tny_platform_route route = {
        .from = ends[i], .to = ends[1 - i], .line = element->line};
    const char *name;
    struct tny_hop hop;
    status = tny_xml_require(element, ways[i], &name, error);
    if (!status)
      status = find_link(reader, element, name, &hop, error);
    if (!status)
      status = tny_platform_add_hop(&reader->platform, &hop, error);
    if (!status)
      status = tny_platform_add_route(&reader->platform, &route, error);
  }
  return status;
}

/* --- what is refused --- */

static enum tny_status refuse_bypass(struct reader *reader, const struct tny_xml_element *element,
                                     struct tny_error *error)
{
  (void)reader;
  return tny_xml_refuse(element, error,
                        "<%s> leads some transfers another way than the routes do, which isn't "
                        "read: leave it out, or make it the route",
                        element->name);
}

static enum tny_status refuse_peer(struct reader *reader, const struct tny_xml_element *element,
                                   struct tny_error *error)
{
  (void)reader;
  return tny_xml_refuse(element, error,
                        "a <peer> has coordinates instead of cables: make it a <host> with a "
                        "<link> and a <route>");
}

static enum tny_status refuse_include(struct reader *reader, const struct tny_xml_element *element,
                                      struct tny_error *error)
{
  (void)reader;
  return tny_xml_refuse(element, error,
                        "other files aren't read: put what is in that one in place of <include>");
}

static enum tny_status pass_over(struct reader *reader, const struct tny_xml_element *element,
                                 struct tny_error *error)
{
  (void)reader;
  (void)element;
  (void)error;
  return TNY_OK;
}

/* --- elements --- */

static const struct {
  const char *name;
  visitor *begin;
} elements[] = {
    {"route", begin_inner},
    {"link_ctn", add_hop},
    {"host", add_host},
    {"link", add_link},
    {"router", add_router},
    {"platform", begin_platform},
    {"zone", begin_zone},
    {"AS", begin_zone},
    {"cluster", add_cluster},
    {"cabinet", add_cabinet},
    {"zoneRoute", begin_outer},
    {"ASroute", begin_outer},
    {"host_link", add_host_link},
    {"backbone", add_backbone},
    {"trace_connect", note_profile},
    {"bypassRoute", refuse_bypass},
    {"bypassZoneRoute", refuse_bypass},
    {"bypassASroute", refuse_bypass},
    {"peer", refuse_peer},
    {"include", refuse_include},
    {"prop", pass_over},
    {"config", pass_over},
    {"trace", pass_over},
    {"disk", pass_over},
    {"storage", pass_over},
    {"storage_type", pass_over},
    {"mount", pass_over},
    {"mstorage", pass_over},
    {"model_prop", pass_over},
    {"content", pass_over},
    {"actor", pass_over},
    {"process", pass_over},
    {"argument", pass_over},
};

static enum tny_status begin_element(void *state, const struct tny_xml_element *element,
                                     struct tny_error *error)
{
  struct reader *reader = state;
  if (!reader->has_root && strcmp(element->name, "platform") != 0)
    return tny_xml_refuse(element, error, "a <platform> belongs here, not <%.40s>", element->name);
  for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
    if (!strcmp(element->name, elements[i].name))
      return elements[i].begin(reader, element, error);
  return tny_xml_refuse(element, error,
                        "<%.40s> isn't known: platform files have zones, clusters, hosts, routers, "
                        "links and routes; is it misspelt?",
                        element->name);
}

static enum tny_status end_element(void *state, const char *name, struct tny_error *error)
{
  struct reader *reader = state;
  if (reader->is_in_route &&
      (!strcmp(name, "route") || !strcmp(name, "zoneRoute") || !strcmp(name, "ASroute")))
    return end_route(reader, error);
  if (!strcmp(name, "zone") || !strcmp(name, "AS"))
    reader->depth--;
  return TNY_OK;
}

bool tny_simgrid_recognize(const char *text)
{
  size_t length;
  const char *name = tny_xml_first_element(text, &length);
  return name && length == strlen("platform") && !strncmp(name, "platform", length);
}

enum tny_status tny_simgrid_read(const struct tny_import_request *import, struct tny_build *build,
                                 struct tny_error *error)
{
  struct reader reader = {0};
  const struct tny_xml_reader visitors = {
      .begin = begin_element, .end = end_element, .state = &reader};
  if (import->file_count > 1)
    return tny_error_at(error, TNY_BAD_INPUT, import->files[1].name, 0, 0,
                        "a platform is one file, and this is a second one");
  tny_platform_init(&reader.platform, import->files[0].name);
  enum tny_status status = tny_xml_read(&import->files[0], &visitors, error);
  if (!status)
    status = tny_platform_settle(&reader.platform, error);
  if (!status)
    status = tny_platform_build(&reader.platform, build, error);
  tny_platform_release(&reader.platform);
  return status;
}
