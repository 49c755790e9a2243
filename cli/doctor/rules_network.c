/* Rules about the cluster file: what was measured, against what it says. */
#include <inttypes.h>
#include <math.h>

#include "checks.h"
#include "cluster/links.h"
#include "core/units.h"
#include "network.h"

/* A lossless transfer reaches 93 to 95 % of the raw rate. None exceeds it,
   but a receiver that got its turn late sees some chunks closer together than they came. */
#define PORT_SHARE_MIN 0.8
#define SHARE_MAX 1.08
#define TRUNK_SHARE_MIN 0.75 /* several at once wait for each other */
#define PLACEMENT_SHARE_MIN 0.7
#define LATENCY_SECONDS_OFF 100e-6 /* software takes tens of microseconds */
#define LATENCY_SHARE_OFF 0.5
#define LOST_MIN 3.0
#define LOST_SHARE 0.002   /* of the segments that a port carries meanwhile */
#define BUFFER_SECONDS 0.3 /* as long as bench/doctor/plan.c has it */
#define SEGMENT_BYTES 1448.0
/* Hosts that share a machine can't all send at once at more than this for a processor, nor one of
   them alone: what was measured then says nothing about the file. */
#define SHARED_BPS_A_PROCESSOR 400e6
#define SHARED_SOLO_BPS 1e9

#define NO_CLUSTER "no cluster was given"
#define NO_TRAFFIC "no traffic was made"
#define TOO_FAST "the hosts share one machine, whose processors can't fill such links"

enum doctor_verdict doctor_check_unknown_hosts(const struct doctor_facts *facts,
                                               struct doctor_finding *finding)
{
  if (!facts->cluster)
    return doctor_unknown(finding, NO_CLUSTER);
  for (uint32_t h = 0; h < facts->hosts.count; h++)
    if (facts->hosts.at[h].cluster_host == TNY_NONE)
      doctor_see(finding, h, "not in '%.100s'", facts->cluster->name);
  doctor_argue(finding, 0, "'%s'", facts->cluster->name);
  return facts->hosts.count ? doctor_verdict_of(finding)
                            : doctor_unknown(finding, "no ranks were started");
}

/* Whether these processors can't drive the host's port alone, or all ports at once. */
static bool is_too_fast(const struct doctor_facts *facts, uint32_t host, bool all_at_once)
{
  double processors;
  const uint32_t hosts = doctor_hosts_on_machine(facts, host, &processors);
  const double rate = doctor_port_rate(facts, host);
  if (hosts == 1)
    return false;
  return all_at_once ? rate * hosts > SHARED_BPS_A_PROCESSOR * processors : rate > SHARED_SOLO_BPS;
}

/* The rate that a host's port was seen to have: of its transfers alone, the fastest; 0 where there
   is none. A slow one over trunks says nothing about the port. */
static double seen_rate(const struct doctor_facts *facts, uint32_t host)
{
  double best = 0;
  for (uint32_t i = 0; i < facts->transfers.count; i++) {
    const struct doctor_transfer *t = &facts->transfers.at[i];
    if (t->kind != DOCTOR_SOLO || (t->from != host && t->to != host))
      continue;
    const struct doctor_path path = doctor_path_of(facts, t->from, t->to);
    if (path.known &&
        (path.trunks == 0 || t->bps >= PORT_SHARE_MIN * doctor_port_rate(facts, host)))
      best = fmax(best, t->bps);
  }
  return best;
}

/* The raw rate in two digits, of which a transfer reaches some 95 %. */
static void argue_rate(struct doctor_finding *finding, const struct doctor_facts *facts, double bps)
{
  uint64_t unit = 1;
  while (bps / 0.95 / (double)unit >= 99.5)
    unit *= 10;
  const uint64_t raw = unit * (uint64_t)lround(bps / 0.95 / (double)unit);
  doctor_argue(finding, 0, "'%s'", facts->cluster->name);
  doctor_argue(finding, 1, "%s", tny_bandwidth_format(raw).text);
}

/* The rate of each of a link's cables, where all together have more than the file says, or what is
   relied on has less. */
static double of_a_cable(const struct tny_link *link, double seen, bool above)
{
  return seen / (above ? link->cable_count : tny_link_relied_cables(link));
}

enum doctor_verdict doctor_check_ports(const struct doctor_facts *facts,
                                       struct doctor_finding *finding)
{
  bool known = false, too_fast = false;
  if (!facts->cluster)
    return doctor_unknown(finding, NO_CLUSTER);
  for (uint32_t h = 0; h < facts->hosts.count; h++) {
    const double seen = seen_rate(facts, h), said = doctor_port_rate(facts, h);
    if (seen <= 0 || said <= 0)
      continue;
    const struct tny_link *port = doctor_port_of(facts, h);
    const bool above = seen > SHARE_MAX * (double)port->best_bps;
    const bool below = seen < PORT_SHARE_MIN * said;
    too_fast |= is_too_fast(facts, h, false);
    if (!above && is_too_fast(facts, h, false))
      continue;
    known = true;
    if (!above && !below)
      continue;
    doctor_see(finding, h, "%.3g Mbit/s, the file says %.3g", seen / 1e6,
               (above ? (double)port->best_bps : said) / 1e6);
    argue_rate(finding, facts, of_a_cable(port, seen, above));
  }
  return known ? doctor_verdict_of(finding)
               : doctor_unknown(finding, too_fast ? TOO_FAST : NO_TRAFFIC);
}

/* The capacity of a link for the transfers of a cut: a port's is what was seen of it where that
   isn't what the file says, so that a port's fault isn't blamed on the trunk. */
static double capacity(const struct doctor_facts *facts, uint32_t link, uint32_t from, uint32_t to)
{
  const struct tny_link *l = &facts->cluster->links[link];
  const double said = (double)l->bandwidth_bps;
  if (tny_link_is_trunk(facts->cluster, link))
    return said;
  const double seen = seen_rate(facts, l->from < facts->cluster->host_count ? from : to);
  return seen > 0 && (seen < PORT_SHARE_MIN * said || seen > SHARE_MAX * said) ? seen : said;
}

/* What one trunk's transfers should reach together: each at most what its path has left over when
   links are shared equally; and what they reached. */
struct cut {
  double expected, seen;
  uint32_t count;
  bool limits; /* the trunk itself is what limits them */
};

/* How many transfers of the same cut take a link. */
static uint32_t sharing(const struct doctor_facts *facts, uint32_t cut, uint32_t link)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < facts->transfers.count; i++) {
    const struct doctor_transfer *t = &facts->transfers.at[i];
    if (t->kind != DOCTOR_CUT || t->link != cut)
      continue;
    const uint32_t to = facts->hosts.at[t->to].cluster_host;
    uint32_t l;
    for (uint32_t n = facts->hosts.at[t->from].cluster_host;
         n != TNY_NONE && to != TNY_NONE && (l = tny_routes_next(facts->routes, n, to)) != TNY_NONE;
         n = facts->cluster->links[l].to)
      count += l == link;
  }
  return count;
}

/* Adds a transfer's fair share by the fullest link of its path. A lower bound of what max-min
   fairness gives it, and the same where one link limits all. */
static void add_share(const struct doctor_facts *facts, const struct doctor_transfer *t,
                      struct cut *cut)
{
  const uint32_t to = facts->hosts.at[t->to].cluster_host;
  double least = INFINITY;
  uint32_t limiting = TNY_NONE, l;
  for (uint32_t n = facts->hosts.at[t->from].cluster_host;
       (l = tny_routes_next(facts->routes, n, to)) != TNY_NONE; n = facts->cluster->links[l].to) {
    const double share = capacity(facts, l, t->from, t->to) / sharing(facts, t->link, l);
    if (share < least || (share <= least && l == t->link)) {
      least = share;
      limiting = l;
    }
  }
  cut->expected += least;
  cut->seen += t->bps;
  cut->limits &= limiting == t->link;
  cut->count++;
}

static struct cut cut_of(const struct doctor_facts *facts, uint32_t link, bool *too_fast)
{
  struct cut cut = {.limits = true};
  *too_fast = false;
  for (uint32_t i = 0; i < facts->transfers.count; i++) {
    const struct doctor_transfer *t = &facts->transfers.at[i];
    if (t->kind != DOCTOR_CUT || t->link != link || !doctor_path_of(facts, t->from, t->to).known)
      continue;
    double processors;
    if (doctor_hosts_on_machine(facts, t->from, &processors) > 1)
      *too_fast |=
          (double)facts->cluster->links[link].bandwidth_bps > SHARED_BPS_A_PROCESSOR * processors;
    add_share(facts, t, &cut);
  }
  return cut;
}

/* Whether a host and its neighbour on the switch, by the file, had less than alone while all others
   sent too; *alone is what they had. */
static bool is_misplaced(const struct doctor_facts *facts, const struct doctor_transfer *t,
                         double *alone)
{
  const struct doctor_path path = doctor_path_of(facts, t->from, t->to);
  if (t->kind != DOCTOR_INSIDE || !path.known || is_too_fast(facts, t->from, true))
    return false;
  const double seen = fmin(seen_rate(facts, t->from), seen_rate(facts, t->to));
  *alone = seen > 0 ? fmin(seen, path.bps) : path.bps;
  return t->bps < PLACEMENT_SHARE_MIN * *alone;
}

enum doctor_verdict doctor_check_trunks(const struct doctor_facts *facts,
                                        struct doctor_finding *finding)
{
  bool known = false, any_too_fast = false, has_trunks = false;
  double alone;
  if (!facts->cluster)
    return doctor_unknown(finding, NO_CLUSTER);
  for (uint32_t i = 0; i < facts->transfers.count; i++)
    if (is_misplaced(facts, &facts->transfers.at[i], &alone))
      return doctor_unknown(finding, "hosts aren't where the file has them: that comes first");
  for (uint32_t link = 0; link < facts->cluster->link_count; link++) {
    bool too_fast;
    has_trunks |= tny_link_is_trunk(facts->cluster, link);
    const struct cut cut = cut_of(facts, link, &too_fast);
    const struct tny_link *l = &facts->cluster->links[link];
    const double most = cut.expected * (double)l->best_bps / (double)l->bandwidth_bps;
    const bool above = cut.limits && cut.seen > SHARE_MAX * most;
    const bool below = cut.seen < TRUNK_SHARE_MIN * cut.expected;
    any_too_fast |= cut.count && too_fast;
    if (!cut.count || (too_fast && !above))
      continue;
    known = true;
    if (!above && !below)
      continue;
    doctor_see(finding, TNY_NONE,
               "%s -> %s: %" PRIu32
               " transfer%s at once had %.3g Mbit/s together, by the file %.3g",
               facts->cluster->node_names[l->from], facts->cluster->node_names[l->to], cut.count,
               cut.count == 1 ? "" : "s", cut.seen / 1e6, (above ? most : cut.expected) / 1e6);
    argue_rate(finding, facts, of_a_cable(l, cut.seen, above));
  }
  if (known)
    return doctor_verdict_of(finding);
  return doctor_unknown(finding, !has_trunks    ? "the cluster has no trunks"
                                 : any_too_fast ? TOO_FAST
                                                : NO_TRAFFIC);
}

enum doctor_verdict doctor_check_placement(const struct doctor_facts *facts,
                                           struct doctor_finding *finding)
{
  bool known = false, too_fast = false;
  if (!facts->cluster)
    return doctor_unknown(finding, NO_CLUSTER);
  for (uint32_t i = 0; i < facts->transfers.count; i++) {
    const struct doctor_transfer *t = &facts->transfers.at[i];
    double alone;
    if (t->kind != DOCTOR_INSIDE || !doctor_path_of(facts, t->from, t->to).known)
      continue;
    too_fast |= is_too_fast(facts, t->from, true);
    known |= !is_too_fast(facts, t->from, true);
    if (!is_misplaced(facts, t, &alone))
      continue;
    for (uint32_t end = 0; end < 2; end++)
      doctor_see(
          finding, end ? t->to : t->from, "%s -> %s had %.3g Mbit/s while others sent, alone %.3g",
          facts->hosts.at[t->from].name, facts->hosts.at[t->to].name, t->bps / 1e6, alone / 1e6);
  }
  doctor_argue(finding, 0, "'%s'", facts->cluster->name);
  if (known)
    return doctor_verdict_of(finding);
  return doctor_unknown(finding, facts->cluster->switch_count < 2 ? "there is one switch"
                                 : facts->transfers.count && !too_fast
                                     ? "no two hosts share a switch"
                                 : too_fast ? TOO_FAST
                                            : NO_TRAFFIC);
}

enum doctor_verdict doctor_check_latency(const struct doctor_facts *facts,
                                         struct doctor_finding *finding)
{
  bool known = false;
  double worst = 0;
  if (!facts->cluster)
    return doctor_unknown(finding, NO_CLUSTER);
  for (uint32_t i = 0; i < facts->latencies.count; i++) {
    const struct doctor_latency *seen = &facts->latencies.at[i];
    const struct doctor_path path = doctor_path_of(facts, seen->from, seen->to);
    if (!path.known || seen->seconds <= 0)
      continue;
    known = true;
    const double off = fabs(seen->seconds - path.seconds);
    if (off <= fmax(LATENCY_SECONDS_OFF, LATENCY_SHARE_OFF * path.seconds))
      continue;
    doctor_see(finding, TNY_NONE, "%s -> %s: %.3g ms, the file says %.3g",
               facts->hosts.at[seen->from].name, facts->hosts.at[seen->to].name,
               1e3 * seen->seconds, 1e3 * path.seconds);
    if (off > worst)
      doctor_argue(finding, 1, "%.0fus", 1e6 * seen->seconds);
    worst = fmax(worst, off);
  }
  doctor_argue(finding, 0, "'%s'", facts->cluster->name);
  return known ? doctor_verdict_of(finding) : doctor_unknown(finding, NO_TRAFFIC);
}

/* Were so many segments lost that the port must have dropped some? */
static bool is_lossy(const struct tny_link *port, double lost)
{
  const double carried = (double)port->bandwidth_bps / 8 * BUFFER_SECONDS / SEGMENT_BYTES;
  return lost >= LOST_MIN && lost >= LOST_SHARE * carried;
}

enum doctor_verdict doctor_check_port_buffers(const struct doctor_facts *facts,
                                              struct doctor_finding *finding)
{
  bool known = false, too_fast = false;
  if (!facts->cluster)
    return doctor_unknown(finding, NO_CLUSTER);
  for (uint32_t i = 0; i < facts->buffers.count; i++) {
    const struct doctor_buffer *first = &facts->buffers.at[i];
    double lost = 0;
    if (i && facts->buffers.at[i - 1].link == first->link)
      continue;
    too_fast |= is_too_fast(facts, first->to, true);
    if (is_too_fast(facts, first->to, true))
      continue;
    known = true;
    for (uint32_t k = i; k < facts->buffers.count && facts->buffers.at[k].link == first->link; k++)
      lost += facts->buffers.at[k].lost;
    const struct tny_link *port = &facts->cluster->links[first->link];
    if (!is_lossy(port, lost))
      continue;
    doctor_see(
        finding, TNY_NONE, "%s -> %s: %.0f segments lost with %s in flight, the file says %s%s",
        facts->cluster->node_names[port->from], facts->cluster->node_names[port->to], lost,
        tny_bytes_format((uint64_t)first->bytes).text, tny_bytes_format(port->buffer_bytes).text,
        tny_link_relied_cables(port) > 1 ? " for all its cables" : "");
    const double port_bytes = first->bytes / tny_link_relied_cables(port); /* the file has those */
    doctor_argue(finding, 1, "%s", tny_bytes_format((uint64_t)(port_bytes / 2)).text);
  }
  doctor_argue(finding, 0, "'%s'", facts->cluster->name);
  if (known)
    return doctor_verdict_of(finding);
  return doctor_unknown(finding,
                        too_fast ? TOO_FAST : "no port has a buffer that short traffic can fill");
}
