/* What was found beside what a file says. Both are trees, and a trunk of a tree divides the hosts
   in two: trunks that divide them alike are the same. The file's tree is brought into the form of a
   found one first, by round trips that would fit it: what those can't show differs in neither.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cluster/links.h"
#include "core/alloc.h"
#include "core/error.h"
#include "discover/check_hosts.h"
#include "discover/faults.h"
#include "discover/file_tree.h"

#define HOP_NS 1000.0

/* --- which hosts there are --- */

static bool match_hosts(struct tny_check *check, uint8_t *is_there)
{
  const struct tny_cluster *cluster = check->cluster;
  for (uint32_t host = 0; host < check->network->found->tree.host_count; host++) {
    const char *name = check->network->names[host];
    const uint32_t same = tny_cluster_find_host(cluster, name);
    if (same != TNY_NONE && !is_there[same]) {
      is_there[same] = 1;
      check->found_host[check->both_count] = host;
      check->cluster_host[check->both_count++] = same;
    } else if (!tny_faults_add_host(check->faults, TNY_FAULT_STRANGER, name, "isn't in the file")) {
      return false;
    }
  }
  for (uint32_t host = 0; host < cluster->host_count; host++)
    if (!is_there[host] &&
        !tny_faults_add_host(check->faults, TNY_FAULT_MISSING, cluster->node_names[host],
                             "is in the file and took no part: it is down, or wasn't started on"))
      return false;
  return true;
}

static enum tny_status find_hosts(struct tny_check *check, struct tny_error *error)
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

static enum tny_status find_expected(struct tny_check *check, struct tny_error *error)
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

/* --- trunks, by how they divide the hosts --- */

/* All sides are told so that the first host's is 0. */
static void turn_side(uint8_t *side, uint32_t count)
{
  for (uint32_t i = count; i-- > 0;)
    side[i] ^= side[0];
}

static void divide_found(struct tny_check *check)
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

/* Between trunks that divide the hosts in both alike there are only others. */
static void find_twins(struct tny_check *check)
{
  const size_t n = check->both_count;
  for (uint32_t t = 0; t < check->network->found->tree.trunk_count; t++) {
    uint32_t first = 0;
    while (memcmp(&check->found_side[first * n], &check->found_side[t * n], n))
      first++;
    check->twin[t] = first;
  }
}

static void divide_expected(struct tny_check *check)
{
  for (uint32_t t = 0; t < check->expected.trunk_count; t++) {
    uint8_t *side = &check->expected_side[(size_t)t * check->both_count];
    tny_tree_mark_beyond(&check->expected, t, check->beyond);
    for (uint32_t i = 0; i < check->both_count; i++)
      side[i] = check->beyond[check->expected.switch_of[i]];
    turn_side(side, check->both_count);
  }
}

struct said {
  const struct tny_link *link; /* NULL: no trunk divides the hosts so */
  struct tny_said_rate rate;
  uint32_t cables;
};

/* The narrowest trunk of the file that divides the hosts as an expected one does. */
static struct said find_said(struct tny_check *check, uint32_t expected)
{
  const struct tny_cluster *cluster = check->cluster;
  const uint8_t *wanted = &check->expected_side[(size_t)expected * check->both_count];
  struct said said = {0};
  for (uint32_t forth = 0; forth < cluster->link_count; forth += 2) {
    const struct tny_link *link = &cluster->links[forth];
    if (!tny_link_is_trunk(cluster, forth) || !tny_file_tree_is_first(cluster, forth))
      continue;
    tny_file_tree_cut(cluster, link, check->node_side);
    const uint8_t first = check->node_side[check->cluster_host[0]];
    bool is_same = true;
    for (uint32_t i = 0; i < check->both_count; i++)
      is_same &= (check->node_side[check->cluster_host[i]] ^ first) == wanted[i];
    if (!is_same)
      continue;
    uint32_t cables;
    const struct tny_said_rate rate = tny_file_tree_add_parallel(cluster, link, &cables);
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
static void match_trunks(struct tny_check *check)
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
        if (check->twin[t] == t && check->same[t] == TNY_NONE && limit <= smaller / 2 &&
            count_different(wanted, &check->found_side[(size_t)t * n], n) == limit) {
          check->same[t] = e;
          is_taken = true;
        }
    }
}

static const char *end_name(const struct tny_check *check, uint32_t node)
{
  return check->cluster->node_names[node];
}

/* Some of the hosts on the smaller side of a trunk. */
static void list_side(const struct tny_check *check, const uint8_t *side, char *text, size_t room)
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

/* A way over several trunks carries what the narrowest of them does. */
struct found_rate {
  double least_bps;
  double most_bps; /* INFINITY: nothing filled any of them */
};

static struct found_rate find_rate(const struct tny_check *check, uint32_t first)
{
  struct found_rate rate = {INFINITY, INFINITY};
  for (uint32_t t = first; t < check->network->found->tree.trunk_count; t++) {
    const struct tny_found_cable *cable = &check->network->found->trunks[t];
    if (check->twin[t] != first)
      continue;
    rate.least_bps = fmin(rate.least_bps, cable->bps);
    if (!cable->is_least)
      rate.most_bps = fmin(rate.most_bps, cable->bps);
  }
  return rate;
}

static bool judge_trunk(struct tny_check *check, uint32_t t, const struct said *said)
{
  const struct found_rate found = find_rate(check, t);
  const double best_bps = said->rate.best_bps;
  const double fast_bps = best_bps / (1 - TNY_SAID_RATE_SHARE);
  const bool is_slow = found.most_bps < (1 - TNY_SAID_RATE_SHARE) * said->rate.bps;
  check->faults->unjudged += !is_slow && found.most_bps > fast_bps && found.least_bps <= best_bps;
  if (!is_slow && found.least_bps <= fast_bps)
    return true;
  const double bps = is_slow ? found.most_bps : found.least_bps;
  struct tny_fault *fault = tny_faults_add(check->faults, TNY_FAULT_TRUNK_RATE);
  if (!fault)
    return false;
  char cables[96] = "";
  const double each = best_bps / said->cables;
  const double left = round(bps / each);
  const bool is_sure = said->rate.bps == best_bps;
  if (is_sure && said->cables > 1 && left >= 1 && left < said->cables)
    snprintf(cables, sizeof cables, ", in %u cables: as if %.0f of them were there", said->cables,
             left);
  const char *a = end_name(check, said->link->from), *b = end_name(check, said->link->to);
  snprintf(fault->what, sizeof fault->what, "%.45s -- %.45s", a, b);
  snprintf(fault->text, sizeof fault->text, "%s carries %s%s; the file says %s%s", fault->what,
           bps < found.most_bps ? "at least " : "", tny_faults_rate(bps).text,
           tny_faults_rate(best_bps).text, cables);
  return true;
}

static bool add_trunk_fault(struct tny_check *check, enum tny_fault_kind kind, const uint8_t *side,
                            const char *name)
{
  struct tny_fault *fault = tny_faults_add(check->faults, kind);
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

/* The file's trunks are seen only where two hosts of both are on either side, and so others count
   only there. */
static bool is_new(const struct tny_check *check, uint32_t t)
{
  const uint32_t n = check->both_count;
  const uint8_t *side = &check->found_side[(size_t)t * n];
  uint32_t ones = 0;
  for (uint32_t i = 0; i < n; i++)
    ones += side[i];
  return check->twin[t] == t && check->same[t] == TNY_NONE && ones >= 2 && n - ones >= 2;
}

static bool judge_trunks(struct tny_check *check)
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
    if (is_new(check, t) &&
        !add_trunk_fault(check, TNY_FAULT_NEW_TRUNK, &check->found_side[(size_t)t * n], ""))
      return false;
  return true;
}

/* --- all --- */

static enum tny_status compare(struct tny_check *check, struct tny_error *error)
{
  const size_t n = check->both_count, found = check->network->found->tree.trunk_count;
  const size_t switches = check->expected.switch_count > check->network->found->tree.switch_count
                              ? check->expected.switch_count
                              : check->network->found->tree.switch_count;
  check->beyond = tny_new(switches, sizeof *check->beyond);
  check->found_side = tny_new((found + 1) * n, sizeof *check->found_side);
  check->expected_side =
      tny_new((check->expected.trunk_count + 1) * n, sizeof *check->expected_side);
  check->twin = tny_new(found + 1, sizeof *check->twin);
  check->same = tny_new(found + 1, sizeof *check->same);
  check->node_side = tny_new((size_t)check->cluster->host_count + check->cluster->switch_count,
                             sizeof *check->node_side);
  if (!check->beyond || !check->found_side || !check->expected_side || !check->twin ||
      !check->same || !check->node_side)
    return tny_error_memory(error);
  divide_found(check);
  find_twins(check);
  divide_expected(check);
  match_trunks(check);
  return tny_check_hosts(check) && judge_trunks(check) ? TNY_OK : tny_error_memory(error);
}

static void release(struct tny_check *check)
{
  tny_tree_release(&check->expected);
  tny_routes_free(check->routes);
  tny_free(check->found_host);
  tny_free(check->cluster_host);
  tny_free(check->beyond);
  tny_free(check->found_side);
  tny_free(check->expected_side);
  tny_free(check->node_side);
  tny_free(check->twin);
  tny_free(check->same);
}

enum tny_status tny_discovered_check(const struct tny_discovered *network,
                                     const struct tny_cluster *cluster, struct tny_faults *faults,
                                     struct tny_error *error)
{
  const uint32_t n = network->found->tree.host_count;
  *faults = (struct tny_faults){0};
  enum tny_status status = tny_discovered_require_tree(cluster, error);
  if (status != TNY_OK)
    return status;
  struct tny_check check = {.network = network,
                            .cluster = cluster,
                            .faults = faults,
                            .found_host = tny_new(n, sizeof *check.found_host),
                            .cluster_host = tny_new(n, sizeof *check.cluster_host)};
  status =
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
