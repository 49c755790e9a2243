/* What was found beside what a file says. Both are trees, and a trunk of a tree divides the hosts
   in two: trunks that divide them alike are the same. The file's tree is brought into the form of a
   found one first, by round trips that would fit it: what those can't show differs in neither.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <tourney/routing.h>

#include "cluster/links.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/units.h"
#include "discover/describe.h"

#define HOP_NS 1000.0
#define RATE_SHARE 0.15 /* by so much may rates differ */

struct check {
  const struct tny_discovered *network;
  const struct tny_cluster *cluster;
  struct tny_faults *faults;
  struct tny_routes *routes; /* of the cluster */
  struct tny_tree expected;  /* of the hosts that are in both */
  uint32_t both_count;
  uint32_t *found_host, *cluster_host; /* by host in both: its index there */
  uint8_t *beyond;                     /* by switch of one of the trees */
  uint8_t *found_side, *expected_side; /* by trunk, a row each: the hosts in both */
  uint8_t *node_side;                  /* by node of the cluster */
  uint32_t *same;                      /* by trunk of the found tree: the expected one */
};

/* --- faults --- */

const char *tny_fault_kind_name(enum tny_fault_kind kind)
{
  switch (kind) {
  case TNY_FAULT_STRANGER:
    return "stranger";
  case TNY_FAULT_MISSING:
    return "missing";
  case TNY_FAULT_MISCABLED:
    return "miscabled";
  case TNY_FAULT_HOST_RATE:
    return "host-rate";
  case TNY_FAULT_TRUNK_RATE:
    return "trunk-rate";
  case TNY_FAULT_NO_TRUNK:
    return "no-trunk";
  case TNY_FAULT_NEW_TRUNK:
    return "new-trunk";
  }
  return "";
}

void tny_faults_release(struct tny_faults *faults)
{
  tny_free(faults->at);
  *faults = (struct tny_faults){0};
}

/* Room for one more; NULL: no memory. */
static struct tny_fault *add(struct tny_faults *faults, enum tny_fault_kind kind)
{
  if (faults->count == faults->room) {
    const uint32_t room = faults->room ? 2 * faults->room : 16;
    struct tny_fault *more = tny_new(room, sizeof *more);
    if (!more)
      return NULL;
    for (uint32_t i = 0; i < faults->count; i++)
      more[i] = faults->at[i];
    tny_free(faults->at);
    faults->at = more;
    faults->room = room;
  }
  struct tny_fault *fault = &faults->at[faults->count++];
  fault->kind = kind;
  return fault;
}

static struct tny_quantity rate(double bps)
{
  return tny_bandwidth_format(tny_discovered_rounded(bps));
}

/* A bundle carries anything between what can be relied on and all its cables' rate. */
struct said_rate {
  double bps, best_bps;
};

static bool differs(double measured, struct said_rate said)
{
  return measured < (1 - RATE_SHARE) * said.bps || measured > said.best_bps / (1 - RATE_SHARE);
}

/* --- which hosts there are --- */

static bool add_host_fault(struct check *check, enum tny_fault_kind kind, const char *host,
                           const char *text)
{
  struct tny_fault *fault = add(check->faults, kind);
  if (!fault)
    return false;
  snprintf(fault->what, sizeof fault->what, "%s", host);
  snprintf(fault->text, sizeof fault->text, "%s %s", host, text);
  return true;
}

static bool match_hosts(struct check *check, uint8_t *is_there)
{
  const struct tny_cluster *cluster = check->cluster;
  for (uint32_t host = 0; host < check->network->found->tree.host_count; host++) {
    const char *name = check->network->names[host];
    const uint32_t same = tny_cluster_find_host(cluster, name);
    if (same != TNY_NONE && !is_there[same]) {
      is_there[same] = 1;
      check->found_host[check->both_count] = host;
      check->cluster_host[check->both_count++] = same;
    } else if (!add_host_fault(check, TNY_FAULT_STRANGER, name, "isn't in the file")) {
      return false;
    }
  }
  for (uint32_t host = 0; host < cluster->host_count; host++)
    if (!is_there[host] &&
        !add_host_fault(check, TNY_FAULT_MISSING, cluster->node_names[host],
                        "is in the file and took no part: it is down, or wasn't started on"))
      return false;
  return true;
}

static enum tny_status find_hosts(struct check *check, struct tny_error *error)
{
  uint8_t *is_there = tny_new(check->cluster->host_count, sizeof *is_there);
  const bool done = is_there && match_hosts(check, is_there);
  tny_free(is_there);
  return done ? TNY_OK : tny_error_memory(error);
}

/* --- the file's tree --- */

static uint32_t count_trunks(const struct tny_routes *routes, uint32_t from, uint32_t to)
{
  uint32_t count = 0, node = from, link;
  for (; (link = tny_routes_next(routes, node, to)) != TNY_NONE;
       node = routes->cluster->links[link].to)
    count += tny_link_is_trunk(routes->cluster, link);
  return count;
}

static enum tny_status find_expected(struct check *check, struct tny_error *error)
{
  const uint32_t n = check->both_count;
  double *ns = tny_new((size_t)n * n, sizeof *ns);
  enum tny_status status =
      ns ? tny_routes_make(check->cluster, &check->routes, error) : tny_error_memory(error);
  for (uint32_t a = 0; status == TNY_OK && a < n; a++)
    for (uint32_t b = a + 1; b < n; b++)
      ns[(size_t)a * n + b] = HOP_NS * (2 + count_trunks(check->routes, check->cluster_host[a],
                                                         check->cluster_host[b]));
  const struct tny_round_trips round_trips = {.host_count = n, .ns = ns, .noise_ns = HOP_NS / 100};
  if (status == TNY_OK)
    status = tny_tree_find(&round_trips, &check->expected, error);
  tny_free(ns);
  return status;
}

/* Cables between the same two nodes count once; a tree has one less than nodes. */
static bool is_first_of_parallel(const struct tny_cluster *cluster, uint32_t forth)
{
  const struct tny_link *link = &cluster->links[forth];
  for (uint32_t i = cluster->first_out[link->from]; i < cluster->first_out[link->from + 1]; i++) {
    const uint32_t other = cluster->out_links[i];
    if (cluster->links[other].to == link->to && other / 2 < forth / 2)
      return false;
  }
  return true;
}

static bool is_tree(const struct tny_cluster *cluster)
{
  uint32_t count = 0;
  for (uint32_t forth = 0; forth < cluster->link_count; forth += 2)
    count += is_first_of_parallel(cluster, forth);
  return count + 1 == cluster->host_count + cluster->switch_count;
}

/* --- trunks, by how they divide the hosts --- */

/* All sides are told so that the first host's is 0. */
static void turn_side(uint8_t *side, uint32_t count)
{
  for (uint32_t i = count; i-- > 0;)
    side[i] ^= side[0];
}

static void divide_found(struct check *check)
{
  const struct tny_tree *tree = &check->network->found->tree;
  for (uint32_t t = 0; t < tree->trunk_count; t++) {
    uint8_t *side = &check->found_side[(size_t)t * check->both_count];
    tny_tree_mark_beyond(tree, t, check->beyond);
    for (uint32_t i = 0; i < check->both_count; i++)
      side[i] = check->beyond[tree->switch_of[check->found_host[i]]];
    turn_side(side, check->both_count);
  }
}

static void divide_expected(struct check *check)
{
  for (uint32_t t = 0; t < check->expected.trunk_count; t++) {
    uint8_t *side = &check->expected_side[(size_t)t * check->both_count];
    tny_tree_mark_beyond(&check->expected, t, check->beyond);
    for (uint32_t i = 0; i < check->both_count; i++)
      side[i] = check->beyond[check->expected.switch_of[i]];
    turn_side(side, check->both_count);
  }
}

/* The nodes that a cable and those beside it cut off from its end `from`. */
static void cut(const struct tny_cluster *cluster, const struct tny_link *link, uint8_t *side)
{
  memset(side, 0, cluster->host_count + cluster->switch_count);
  side[link->to] = 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t l = 0; l < cluster->link_count; l++) {
      const struct tny_link *other = &cluster->links[l];
      const bool is_cut = (other->from == link->from && other->to == link->to) ||
                          (other->from == link->to && other->to == link->from);
      if (is_cut || !side[other->from] || side[other->to])
        continue;
      side[other->to] = 1;
      changed = true;
    }
  }
}

/* What a cable and those beside it carry together, and how many they are. */
static struct said_rate add_parallel(const struct tny_cluster *cluster, const struct tny_link *link,
                                     uint32_t *cables)
{
  struct said_rate rate = {0};
  *cables = 0;
  for (uint32_t l = 0; l < cluster->link_count; l++)
    if (cluster->links[l].from == link->from && cluster->links[l].to == link->to) {
      rate.bps += (double)cluster->links[l].bandwidth_bps;
      rate.best_bps += (double)cluster->links[l].best_bps;
      *cables += cluster->links[l].cable_count;
    }
  return rate;
}

struct said {
  const struct tny_link *link; /* NULL: no trunk divides the hosts so */
  struct said_rate rate;
  uint32_t cables;
};

/* The narrowest trunk of the file that divides the hosts as an expected one does. */
static struct said find_said(struct check *check, uint32_t expected)
{
  const struct tny_cluster *cluster = check->cluster;
  const uint8_t *wanted = &check->expected_side[(size_t)expected * check->both_count];
  struct said said = {0};
  for (uint32_t forth = 0; forth < cluster->link_count; forth += 2) {
    const struct tny_link *link = &cluster->links[forth];
    if (!tny_link_is_trunk(cluster, forth) || !is_first_of_parallel(cluster, forth))
      continue;
    cut(cluster, link, check->node_side);
    const uint8_t first = check->node_side[check->cluster_host[0]];
    bool is_same = true;
    for (uint32_t i = 0; i < check->both_count; i++)
      is_same &= (check->node_side[check->cluster_host[i]] ^ first) == wanted[i];
    if (!is_same)
      continue;
    uint32_t cables;
    const struct said_rate rate = add_parallel(cluster, link, &cables);
    const double bps = said.link ? fmin(said.rate.bps, rate.bps) : rate.bps;
    if (!said.link || rate.best_bps < said.rate.best_bps)
      said = (struct said){link, rate, cables};
    said.rate.bps = bps; /* what can be relied on may be another one's */
  }
  return said;
}

static uint32_t count_different(const uint8_t *a, const uint8_t *b, uint32_t count)
{
  uint32_t different = 0;
  for (uint32_t i = 0; i < count; i++)
    different += a[i] != b[i];
  return different < count - different ? different : count - different;
}

/* Trunks that divide the hosts most alike are the same; by more than a quarter of the smaller side
   they may not differ. */
static void match_trunks(struct check *check)
{
  const uint32_t n = check->both_count;
  const uint32_t found = check->network->found->tree.trunk_count;
  for (uint32_t t = 0; t < found; t++)
    check->same[t] = TNY_NONE;
  for (uint32_t limit = 0; limit <= n / 4; limit++)
    for (uint32_t e = 0; e < check->expected.trunk_count; e++) {
      const uint8_t *wanted = &check->expected_side[(size_t)e * n];
      uint32_t beyond = 0;
      bool is_taken = false;
      for (uint32_t i = 0; i < n; i++)
        beyond += wanted[i];
      const uint32_t smaller = beyond < n - beyond ? beyond : n - beyond;
      for (uint32_t t = 0; t < found; t++)
        is_taken |= check->same[t] == e;
      for (uint32_t t = 0; !is_taken && t < found; t++)
        if (check->same[t] == TNY_NONE && limit <= smaller / 2 &&
            count_different(wanted, &check->found_side[(size_t)t * n], n) == limit) {
          check->same[t] = e;
          is_taken = true;
        }
    }
}

static const char *end_name(const struct check *check, uint32_t node)
{
  return check->cluster->node_names[node];
}

/* Some of the hosts on the smaller side of a trunk. */
static void list_side(const struct check *check, const uint8_t *side, char *text, size_t room)
{
  const uint32_t n = check->both_count;
  uint32_t ones = 0, listed = 0;
  size_t used = 0;
  for (uint32_t i = 0; i < n; i++)
    ones += side[i];
  const uint8_t smaller = ones <= n - ones;
  text[0] = '\0';
  for (uint32_t i = 0; i < n; i++)
    if (side[i] == smaller && ++listed <= 4 && used < room)
      used += (size_t)snprintf(text + used, room - used, "%s%s", listed > 1 ? ", " : "",
                               check->network->names[check->found_host[i]]);
  if (listed > 4 && used < room)
    snprintf(text + used, room - used, " and %u more", listed - 4);
}

static bool judge_trunk(struct check *check, uint32_t t, const struct said *said)
{
  const struct tny_found_cable *cable = &check->network->found->trunks[t];
  const double best_bps = said->rate.best_bps;
  check->faults->unjudged += cable->is_least && cable->bps <= best_bps;
  if (cable->is_least ? cable->bps <= best_bps / (1 - RATE_SHARE)
                      : !differs(cable->bps, said->rate))
    return true;
  struct tny_fault *fault = add(check->faults, TNY_FAULT_TRUNK_RATE);
  if (!fault)
    return false;
  char cables[96] = "";
  const double each = best_bps / said->cables;
  const double left = round(cable->bps / each);
  const bool is_sure = said->rate.bps == best_bps;
  if (is_sure && said->cables > 1 && left >= 1 && left < said->cables)
    snprintf(cables, sizeof cables, ", in %u cables: as if %.0f of them were there", said->cables,
             left);
  const char *a = end_name(check, said->link->from), *b = end_name(check, said->link->to);
  snprintf(fault->what, sizeof fault->what, "%.45s -- %.45s", a, b);
  snprintf(fault->text, sizeof fault->text, "%s carries %s%s; the file says %s%s", fault->what,
           cable->is_least ? "at least " : "", rate(cable->bps).text, rate(best_bps).text, cables);
  return true;
}

static bool add_trunk_fault(struct check *check, enum tny_fault_kind kind, const uint8_t *side,
                            const char *name)
{
  struct tny_fault *fault = add(check->faults, kind);
  char hosts[160];
  if (!fault)
    return false;
  list_side(check, side, hosts, sizeof hosts);
  snprintf(fault->what, sizeof fault->what, "%s", name);
  if (kind == TNY_FAULT_NO_TRUNK)
    snprintf(fault->text, sizeof fault->text, "nothing is seen of the trunk %s, which leads to %s",
             name, hosts);
  else
    snprintf(fault->text, sizeof fault->text,
             "the way to %s leads over a trunk that the file doesn't have", hosts);
  return true;
}

static bool judge_trunks(struct check *check)
{
  const uint32_t n = check->both_count, found = check->network->found->tree.trunk_count;
  for (uint32_t e = 0; e < check->expected.trunk_count; e++) {
    const struct said said = find_said(check, e);
    uint32_t t = 0;
    while (t < found && check->same[t] != e)
      t++;
    char name[96] = "";
    if (said.link)
      snprintf(name, sizeof name, "%.45s -- %.45s", end_name(check, said.link->from),
               end_name(check, said.link->to));
    if (t == found ? !add_trunk_fault(check, TNY_FAULT_NO_TRUNK,
                                      &check->expected_side[(size_t)e * n], name)
                   : said.link && !judge_trunk(check, t, &said))
      return false;
  }
  for (uint32_t t = 0; t < found; t++)
    if (check->same[t] == TNY_NONE &&
        !add_trunk_fault(check, TNY_FAULT_NEW_TRUNK, &check->found_side[(size_t)t * n], ""))
      return false;
  return true;
}

/* --- hosts --- */

/* On which sides of the trunks that are in both is a host, by what was found and by the file? */
static bool is_miscabled(const struct check *check, uint32_t i)
{
  const uint32_t n = check->both_count;
  for (uint32_t t = 0; t < check->network->found->tree.trunk_count; t++) {
    if (check->same[t] == TNY_NONE)
      continue;
    const uint8_t *found = &check->found_side[(size_t)t * n];
    const uint8_t *wanted = &check->expected_side[(size_t)check->same[t] * n];
    uint32_t different = 0;
    for (uint32_t other = 0; other < n; other++)
      different += found[other] != wanted[other];
    const bool is_turned = different > n - different;
    if ((found[i] != wanted[i]) != is_turned)
      return true;
  }
  return false;
}

/* A host at the switch where the host was found that the file has there too. */
static const char *find_place(const struct check *check, uint32_t i)
{
  const uint32_t *switch_of = check->network->found->tree.switch_of;
  for (uint32_t other = 0; other < check->both_count; other++)
    if (other != i && !is_miscabled(check, other) &&
        switch_of[check->found_host[other]] == switch_of[check->found_host[i]])
      return end_name(check, tny_cluster_switch_of(check->cluster, check->cluster_host[other]));
  return NULL;
}

static bool judge_place(struct check *check, uint32_t i)
{
  if (!is_miscabled(check, i))
    return true;
  const char *place = find_place(check, i);
  char text[200];
  snprintf(text, sizeof text, "is at %.80s; the file says %.80s", place ? place : "another switch",
           end_name(check, tny_cluster_switch_of(check->cluster, check->cluster_host[i])));
  return add_host_fault(check, TNY_FAULT_MISCABLED, check->network->names[check->found_host[i]],
                        text);
}

/* What the narrowest trunk between two hosts carries; INFINITY: none is between them. */
static double find_narrowest(const struct check *check, uint32_t a, uint32_t b)
{
  const uint32_t to = check->cluster_host[b];
  double bps = INFINITY;
  uint32_t node = check->cluster_host[a], link, cables;
  for (; (link = tny_routes_next(check->routes, node, to)) != TNY_NONE;
       node = check->cluster->links[link].to)
    if (tny_link_is_trunk(check->cluster, link))
      bps = fmin(bps, add_parallel(check->cluster, &check->cluster->links[link], &cables).bps);
  return bps;
}

/* What trunks let a host have where its rate is measured: between it and those that seem to be at
   its switch, the best of them; else to any host. */
static double find_reach(const struct check *check, uint32_t i)
{
  const uint32_t *switch_of = check->expected.switch_of;
  double near = 0, any = INFINITY;
  for (uint32_t other = 0; other < check->both_count; other++) {
    if (other == i)
      continue;
    const double bps = find_narrowest(check, i, other);
    any = fmin(any, bps);
    if (switch_of[other] == switch_of[i])
      near = fmax(near, bps);
  }
  return near > 0 ? near : any;
}

static bool judge_rate(struct check *check, uint32_t i)
{
  const uint32_t out = check->cluster->out_links[check->cluster->first_out[check->cluster_host[i]]];
  const struct tny_link *cable = &check->cluster->links[out];
  const struct said_rate said = {(double)cable->bandwidth_bps, (double)cable->best_bps};
  const double measured = check->network->found->hosts[check->found_host[i]].bps;
  if (!differs(measured, said))
    return true;
  const double reach = fmin(said.bps, find_reach(check, i));
  if (measured < said.bps && !differs(measured, (struct said_rate){reach, reach}))
    return true;
  char text[128];
  snprintf(text, sizeof text, "has %s; the file says %s", rate(measured).text,
           rate(said.best_bps).text);
  return add_host_fault(check, TNY_FAULT_HOST_RATE, check->network->names[check->found_host[i]],
                        text);
}

/* --- all --- */

static enum tny_status compare(struct check *check, struct tny_error *error)
{
  const size_t n = check->both_count, found = check->network->found->tree.trunk_count;
  const size_t switches = check->expected.switch_count > check->network->found->tree.switch_count
                              ? check->expected.switch_count
                              : check->network->found->tree.switch_count;
  check->beyond = tny_new(switches, sizeof *check->beyond);
  check->found_side = tny_new((found + 1) * n, sizeof *check->found_side);
  check->expected_side =
      tny_new((check->expected.trunk_count + 1) * n, sizeof *check->expected_side);
  check->same = tny_new(found + 1, sizeof *check->same);
  check->node_side = tny_new((size_t)check->cluster->host_count + check->cluster->switch_count,
                             sizeof *check->node_side);
  if (!check->beyond || !check->found_side || !check->expected_side || !check->same ||
      !check->node_side)
    return tny_error_memory(error);
  divide_found(check);
  divide_expected(check);
  match_trunks(check);
  for (uint32_t i = 0; i < check->both_count; i++)
    if (!judge_place(check, i) || !judge_rate(check, i))
      return tny_error_memory(error);
  return judge_trunks(check) ? TNY_OK : tny_error_memory(error);
}

static void release(struct check *check)
{
  tny_tree_release(&check->expected);
  tny_routes_free(check->routes);
  tny_free(check->found_host);
  tny_free(check->cluster_host);
  tny_free(check->beyond);
  tny_free(check->found_side);
  tny_free(check->expected_side);
  tny_free(check->node_side);
  tny_free(check->same);
}

enum tny_status tny_discovered_check(const struct tny_discovered *network,
                                     const struct tny_cluster *cluster, struct tny_faults *faults,
                                     struct tny_error *error)
{
  const uint32_t n = network->found->tree.host_count;
  *faults = (struct tny_faults){0};
  if (!is_tree(cluster))
    return tny_error_set(error, TNY_REFUSED,
                         "%.200s is no tree of switches: what hosts measure can be compared with "
                         "trees only",
                         cluster->name);
  struct check check = {.network = network,
                        .cluster = cluster,
                        .faults = faults,
                        .found_host = tny_new(n, sizeof *check.found_host),
                        .cluster_host = tny_new(n, sizeof *check.cluster_host)};
  enum tny_status status =
      check.found_host && check.cluster_host ? find_hosts(&check, error) : tny_error_memory(error);
  if (status == TNY_OK && check.both_count < 2)
    status = tny_error_set(error, TNY_REFUSED,
                           "%u of the hosts that measured are in %.200s: two are the least",
                           check.both_count, cluster->name);
  if (status == TNY_OK)
    status = find_expected(&check, error);
  if (status == TNY_OK)
    status = compare(&check, error);
  release(&check);
  return status;
}
