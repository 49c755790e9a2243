/* A platform that is settled, as a cluster: places become switches, hosts and their one cable. */
#include "core/alloc.h"
#include "core/error.h"
#include "core/hostlist.h"
#include "import/platform.h"

/* Of a host with several links: a switch that stands for its ports. */
#define OWN_SWITCH "-ports"

/* A place, by the number of the one that stands for it. */
struct site {
  uint32_t host, router; /* points that are there; TNY_NONE: none */
  uint32_t degree;       /* cables */
  uint64_t bps;          /* of all of them */
  uint64_t fastest_bps;
  struct tny_link_rates backbone; /* bps 0: none */
  uint32_t end;                   /* the node of the build that its cables lead to */
};

/* What the note counts, besides what the platform has. */
struct losses {
  uint32_t half_duplex, fat_pipes, backbones, several_links, unused_links;
};

struct maker {
  struct tny_platform *platform;
  struct tny_build *build;
  struct site *sites;
  struct losses losses;
  uint32_t next_number; /* of a switch without a name */
};

static struct site *site_of(const struct maker *maker, uint32_t place)
{
  return &maker->sites[tny_platform_find(maker->platform, place)];
}

static const char *point_name(const struct maker *maker, uint32_t point)
{
  return tny_build_name(&maker->platform->points, point);
}

/* --- what is at each place --- */

static enum tny_status take_points(struct maker *maker, struct tny_error *error)
{
  const struct tny_platform *platform = maker->platform;
  for (uint32_t i = 0; i < platform->place_count; i++)
    maker->sites[i] = (struct site){.host = TNY_NONE, .router = TNY_NONE, .end = TNY_NONE};
  for (uint32_t point = 0; point < platform->points.node_count; point++) {
    struct site *site = site_of(maker, platform->point_at[point].place);
    const bool is_host = platform->points.nodes[point].kind == TNY_KIND_HOST;
    uint32_t *taken = is_host ? &site->host : &site->router;
    if (is_host && *taken != TNY_NONE)
      return tny_error_at(error, TNY_BAD_INPUT, platform->file, platform->point_at[point].line, 0,
                          "a route without links makes hosts %.100s and %.100s one: give it the "
                          "link that it passes",
                          point_name(maker, *taken), point_name(maker, point));
    if (*taken == TNY_NONE)
      *taken = point;
  }
  return TNY_OK;
}

static void take_backbone(struct site *site, const struct tny_link_rates *rates)
{
  struct tny_link_rates *backbone = &site->backbone;
  backbone->latency_ns += rates->latency_ns;
  if (backbone->bps && backbone->bps < rates->bps)
    return;
  backbone->bps = rates->bps;
  backbone->sharing = rates->sharing;
}

static void take_edges(struct maker *maker)
{
  const struct tny_platform *platform = maker->platform;
  for (uint32_t i = 0; i < platform->edge_count; i++) {
    const struct tny_platform_edge *edge = &platform->edges[i];
    struct site *sites[] = {site_of(maker, edge->ends[0]), site_of(maker, edge->ends[1])};
    if (sites[0] == sites[1]) {
      take_backbone(sites[0], &edge->rates);
      continue;
    }
    maker->losses.half_duplex +=
        edge->rates.sharing == TNY_SHARED || edge->rates.sharing == TNY_SHARING_UNSAID;
    maker->losses.fat_pipes += edge->rates.sharing == TNY_FATPIPE;
    for (int end = 0; end < 2; end++) {
      sites[end]->degree++;
      sites[end]->bps += edge->rates.bps;
      if (sites[end]->fastest_bps < edge->rates.bps)
        sites[end]->fastest_bps = edge->rates.bps;
    }
  }
  for (uint32_t i = 0; i < platform->links.node_count; i++)
    maker->losses.unused_links +=
        !platform->link_at[i].is_passed[0] && !platform->link_at[i].is_passed[1];
}

/* --- nodes --- */

/* Adds a switch by that name, or where it's taken by the next one that isn't. */
static enum tny_status add_switch(struct maker *maker, const char *name, uint32_t *node,
                                  struct tny_error *error)
{
  char unused[TNY_NAME_BYTES_MAX + 1];
  snprintf(unused, sizeof unused, "%s", name);
  for (uint32_t i = 2; tny_build_find(maker->build, unused) != TNY_NONE ||
                       tny_build_find(&maker->platform->points, unused) != TNY_NONE;
       i++)
    snprintf(unused, sizeof unused, "%.240s-%u", name, i);
  return tny_build_add(maker->build, unused, TNY_KIND_SWITCH, node, error);
}

/* A host with several links, or at a router: a cable that holds nothing up leads to the switch. */
static enum tny_status add_ports(struct maker *maker, struct site *site, uint32_t host,
                                 struct tny_error *error)
{
  const struct tny_platform *platform = maker->platform;
  enum tny_status status;
  if (site->router != TNY_NONE) {
    status = tny_build_add(maker->build, point_name(maker, site->router), TNY_KIND_SWITCH,
                           &site->end, error);
  } else {
    char name[TNY_NAME_BYTES_MAX + 1];
    snprintf(name, sizeof name, "%.240s" OWN_SWITCH, point_name(maker, site->host));
    maker->losses.several_links++;
    status = add_switch(maker, name, &site->end, error);
  }
  if (status)
    return status;
  struct tny_build_cable cable = tny_build_default_cable;
  cable.from = site->end;
  cable.to = host;
  cable.bandwidth_bps = site->bps;
  cable.latency_ns = 0;
  maker->build->line = platform->point_at[site->host].line;
  return tny_build_connect(maker->build, &cable, error);
}

static enum tny_status add_host(struct maker *maker, uint32_t point, struct tny_error *error)
{
  struct site *site = site_of(maker, maker->platform->point_at[point].place);
  uint32_t host;
  if (site->degree == 0)
    return tny_error_at(error, TNY_BAD_INPUT, maker->build->file, maker->build->line, 0,
                        "no route leads to host %.100s: give it one, or leave the host out",
                        point_name(maker, point));
  const enum tny_status status =
      tny_build_add(maker->build, point_name(maker, point), TNY_KIND_HOST, &host, error);
  if (status)
    return status;
  if (site->degree > 1 || site->router != TNY_NONE)
    return add_ports(maker, site, host, error);
  site->end = host;
  return TNY_OK;
}

/* Hosts and routers in the order of the file, then the places where links meet that have no name.
   Routers without links are nowhere. */
static enum tny_status add_nodes(struct maker *maker, struct tny_error *error)
{
  struct tny_platform *platform = maker->platform;
  enum tny_status status = TNY_OK;
  for (uint32_t point = 0; !status && point < platform->points.node_count; point++) {
    struct site *site = site_of(maker, platform->point_at[point].place);
    maker->build->line = platform->point_at[point].line;
    if (point == site->host)
      status = add_host(maker, point, error);
    else if (site->host == TNY_NONE && point == site->router && site->degree)
      status =
          tny_build_add(maker->build, point_name(maker, point), TNY_KIND_SWITCH, &site->end, error);
  }
  maker->build->line = 0;
  for (uint32_t place = 0; !status && place < platform->place_count; place++) {
    struct site *site = site_of(maker, place);
    if (site->end != TNY_NONE || !site->degree)
      continue;
    char name[32];
    snprintf(name, sizeof name, "switch%u", maker->next_number++);
    status = add_switch(maker, name, &site->end, error);
  }
  return status;
}

/* --- cables --- */

/* Whatever passes a place uses two of its cables, so each has half the latency of the backbone. */
static enum tny_status add_cables(struct maker *maker, struct tny_error *error)
{
  const struct tny_platform *platform = maker->platform;
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; !status && i < platform->edge_count; i++) {
    const struct tny_platform_edge *edge = &platform->edges[i];
    const struct site *a = site_of(maker, edge->ends[0]), *b = site_of(maker, edge->ends[1]);
    if (a == b)
      continue;
    struct tny_build_cable cable = tny_build_default_cable;
    cable.from = a->end;
    cable.to = b->end;
    cable.bandwidth_bps = edge->rates.bps;
    cable.latency_ns =
        edge->rates.latency_ns + (a->backbone.latency_ns + b->backbone.latency_ns) / 2;
    status = tny_build_connect(maker->build, &cable, error);
  }
  return status;
}

/* --- what a cluster doesn't express --- */

static void count_backbones(struct maker *maker)
{
  for (uint32_t place = 0; place < maker->platform->place_count; place++) {
    const struct site *site = &maker->sites[place];
    const bool is_fat = site->backbone.sharing == TNY_FATPIPE;
    maker->losses.backbones +=
        site->backbone.bps && site->backbone.bps < (is_fat ? site->fastest_bps : site->bps);
  }
}

static void add_note(const struct maker *maker)
{
  const struct losses *losses = &maker->losses;
  const struct tny_platform_guesses *guesses = &maker->platform->guesses;
  const struct {
    uint32_t count;
    const char *one, *several; /* behind the count */
  } said[] = {
      {losses->half_duplex,
       "cable has one rate for both directions together (SHARED), here for each",
       "cables have one rate for both directions together (SHARED), here for each"},
      {losses->fat_pipes, "cable is a FATPIPE, which transfers don't share; here they do",
       "cables are FATPIPEs, which transfers don't share; here they do"},
      {losses->backbones, "backbone may hold transfers up: left out, but for its latency",
       "backbones may hold transfers up: left out, but for their latency"},
      {guesses->limited, "host has a limiter_link: left out",
       "hosts have a limiter_link: left out"},
      {losses->several_links, "host has several links, and so a switch HOST" OWN_SWITCH,
       "hosts have several links, and so a switch HOST" OWN_SWITCH},
      {losses->unused_links, "link is passed by no route: left out",
       "links are passed by no route: left out"},
      {guesses->changing, "rate changes over time: taken as it is at first",
       "rates change over time: taken as they are at first"},
  };
  char *note = maker->build->made_note;
  size_t length = 0;
  for (size_t i = 0; i < sizeof said / sizeof *said; i++)
    if (said[i].count)
      length += (size_t)snprintf(note + length, sizeof maker->build->made_note - length, "%s%u %s",
                                 length ? ". " : "", said[i].count,
                                 said[i].count == 1 ? said[i].one : said[i].several);
  if (length)
    maker->build->note = note;
}

enum tny_status tny_platform_build(struct tny_platform *platform, struct tny_build *build,
                                   struct tny_error *error)
{
  struct maker maker = {.platform = platform,
                        .build = build,
                        .sites = tny_new((size_t)platform->place_count + 1, sizeof *maker.sites)};
  if (!maker.sites)
    return tny_error_memory(error);
  build->file = platform->file;
  build->routing = platform->routing;
  enum tny_status status = take_points(&maker, error);
  if (!status) {
    take_edges(&maker);
    count_backbones(&maker);
    status = add_nodes(&maker, error);
  }
  if (!status)
    status = add_cables(&maker, error);
  if (!status)
    add_note(&maker);
  tny_free(maker.sites);
  return status;
}
