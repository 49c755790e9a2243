/* Rates: of hosts by streams around a ring, of trunks by streams across. */
#include <math.h>
#include <stddef.h>

#include <tourney/cluster.h>

#include "discover/alike.h"
#include "discover/search.h"

enum { RINGS = 2, AGAIN_MAX = 3, PARTNERS = 4, TRIES_DOUBTFUL = 16, TRIES_SLOW = 4 };
#define GAIN 0.05      /* more than that, and what was measured is measured again */
#define FILLED 0.85    /* of what streams could get if a trunk were no limit: less, and it is one */
#define LIKE_HOSTS 0.1 /* by so much do rates differ that are taken for one */
#define LIKE_TRUNKS 0.05
#define SLOWER 0.9 /* of another's rate: it is no error of measuring */
#define NOMINAL_LEAST 0.96
#define NOMINAL_MOST 1.03

/* --- streams --- */

static void turn_round(struct tny_search *search, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t from = search->streams[i].from;
    search->streams[i].from = search->streams[i].to;
    search->streams[i].to = from;
  }
}

static double sum_bps(const struct tny_search *search, uint32_t count)
{
  double bps = 0;
  for (uint32_t i = 0; i < count; i++)
    bps += tny_search_wire_bps(search->streams[i].bps);
  return bps;
}

/* What the streams get together, to and fro, until the most is had twice, or often enough: over
   several cables streams may be dealt out badly in one direction, and what waited for a lost
   segment comes all at once. So the second most counts. */
static bool measure_most(struct tny_search *search, uint32_t count, double seconds, double *second)
{
  double most = 0;
  *second = 0;
  for (uint32_t again = 0; again <= AGAIN_MAX && most >= (1 + GAIN) * *second; again++) {
    if (!search->probes->streams(search->probes->state, search->streams, count, seconds, NULL))
      return false;
    const double bps = sum_bps(search, count);
    *second = fmax(*second, fmin(bps, most));
    most = fmax(bps, most);
    turn_round(search, count);
  }
  return true;
}

/* --- hosts --- */

static void order_hosts(struct tny_search *search)
{
  uint32_t count = 0;
  for (uint32_t s = 0; s < search->found->tree.switch_count; s++)
    for (uint32_t host = 0; host < search->host_count; host++)
      if (search->found->tree.switch_of[host] == s)
        search->order[count++] = host;
}

/* Who a host sends to: the one that is `away` further around its switch; one that is alone there,
   to the next switch. `i` is its place in the order. */
static uint32_t find_partner(const struct tny_search *search, uint32_t i, uint32_t away)
{
  const uint32_t *switch_of = search->found->tree.switch_of, n = search->host_count;
  const uint32_t at = switch_of[search->order[i]];
  uint32_t first = i, end = i + 1;
  while (first > 0 && switch_of[search->order[first - 1]] == at)
    first--;
  while (end < n && switch_of[search->order[end]] == at)
    end++;
  const uint32_t count = end - first;
  if (count == 1)
    return search->order[(i + 1) % n];
  return search->order[first + (i - first + (away % count ? away % count : 1)) % count];
}

/* A cable is as fast as its second fastest stream: one alone may be an error, and the others may
   have led to slower hosts. `numbers` has the fastest. */
static void learn_host(struct tny_search *search, uint32_t host, double bps)
{
  double *best = &search->numbers[host], *second = &search->found->hosts[host].bps;
  *second = fmax(*second, fmin(*best, bps));
  *best = fmax(*best, bps);
}

static bool measure_some(struct tny_search *search, uint32_t count)
{
  if (!search->probes->streams(search->probes->state, search->streams, count, TNY_HOST_SECONDS,
                               NULL))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    const double bps = tny_search_wire_bps(search->streams[i].bps);
    learn_host(search, search->streams[i].from, bps);
    learn_host(search, search->streams[i].to, bps);
  }
  return true;
}

/* Hosts that have others at their switches, all at once, or those that haven't, who would disturb
   them. */
static bool measure_ring(struct tny_search *search, uint32_t away, bool alone)
{
  const uint32_t *switch_of = search->found->tree.switch_of;
  uint32_t count = 0;
  for (uint32_t i = 0; i < search->host_count; i++) {
    const uint32_t host = search->order[i], partner = find_partner(search, i, away);
    if ((switch_of[host] != switch_of[partner]) != alone)
      continue;
    search->streams[count++] = (struct tny_stream_probe){.from = host, .to = partner};
    if (alone) /* there and back: its cable has two streams */
      search->streams[count++] = (struct tny_stream_probe){.from = partner, .to = host};
    if (count >= search->stream_room || alone) {
      if (!measure_some(search, count))
        return false;
      count = 0;
    }
  }
  return count == 0 || measure_some(search, count);
}

/* Hosts that had to do with a faster one are known to be slow; of others it may be that those were.
   Sets `near` to 1 for the former. */
static void mark_slow(struct tny_search *search)
{
  const struct tny_found_cable *hosts = search->found->hosts;
  for (uint32_t host = 0; host < search->host_count; host++)
    search->near[host] = 0;
  for (uint32_t i = 0; i < search->host_count; i++)
    for (uint32_t away = 1; away <= RINGS; away++) {
      const uint32_t host = search->order[i], partner = find_partner(search, i, away);
      search->near[host] |= hosts[host].bps < SLOWER * hosts[partner].bps;
      search->near[partner] |= hosts[partner].bps < SLOWER * hosts[host].bps;
    }
}

/* Up to PARTNERS streams from a host: to one of its switch, and to others evenly around the order,
   so that neither slow ones among them nor trunks on the way are a limit to them all. */
static uint32_t lay_alone(struct tny_search *search, uint32_t i)
{
  const uint32_t host = search->order[i], mate = find_partner(search, i, 1), n = search->host_count;
  uint32_t count = 0;
  search->streams[count++] = (struct tny_stream_probe){.from = host, .to = mate};
  for (uint32_t k = 1; k < PARTNERS; k++) {
    const uint32_t other = search->order[(i + k * n / PARTNERS) % n];
    if (other != host && other != mate)
      search->streams[count++] = (struct tny_stream_probe){.from = host, .to = other};
  }
  return count;
}

/* Not both ways at once: answers would wait behind data. The faster way counts, as everywhere: what
   other work takes away is no cable's. Twice as long as others: what several streams lose at first
   in a short buffer comes late, and the rest of it with it. */
static bool try_host(struct tny_search *search, uint32_t i)
{
  const uint32_t count = lay_alone(search, i);
  double *bps = &search->found->hosts[search->order[i]].bps, most;
  if (!measure_most(search, count, 2 * TNY_HOST_SECONDS, &most))
    return false;
  if (most > (1 + LIKE_HOSTS) * *bps)
    *bps = most;
  return true;
}

/* Slower hosts than the fastest by themselves: those that may have been slow for their partners
   only, then those that may have had bad luck. Of many the first ones. */
static bool try_slow_hosts(struct tny_search *search)
{
  static const uint32_t most[] = {TRIES_DOUBTFUL, TRIES_SLOW};
  const struct tny_found_cable *hosts = search->found->hosts;
  const double bps = SLOWER * tny_search_fastest_bps(search);
  uint32_t done = 0;
  mark_slow(search);
  for (uint32_t is_slow = 0; is_slow < 2; is_slow++)
    for (uint32_t i = 0, tries = 0; i < search->host_count && tries < most[is_slow]; i++) {
      const uint32_t host = search->order[i];
      if (search->near[host] != is_slow || hosts[host].bps >= bps)
        continue;
      tny_search_tell(search, "rates of slow hosts", done++, TRIES_DOUBTFUL + TRIES_SLOW);
      if (!try_host(search, i))
        return false;
      tries++;
    }
  return true;
}

static bool measure_hosts(struct tny_search *search, uint32_t away)
{
  return measure_ring(search, away, false) && measure_ring(search, away, true);
}

/* Was a host faster than before? */
static bool gained(const struct tny_search *search)
{
  double *before = search->before;
  bool gains = false;
  for (uint32_t host = 0; host < search->host_count; host++) {
    gains |= search->found->hosts[host].bps > (1 + GAIN) * before[host];
    before[host] = search->found->hosts[host].bps;
  }
  return gains;
}

/* Other work, on hosts or in the network, only ever makes streams slower. */
bool tny_search_hosts(struct tny_search *search)
{
  order_hosts(search);
  bool gains = true;
  for (uint32_t ring = 0; ring < RINGS || (gains && ring < RINGS + AGAIN_MAX); ring++) {
    if (ring < RINGS)
      tny_search_tell(search, "rates of hosts", ring, RINGS);
    if (!measure_hosts(search, 1 + ring % RINGS))
      return false;
    gains = ring < RINGS - 1 || gained(search);
  }
  return try_slow_hosts(search);
}

/* --- trunks --- */

/* The hosts on one side: those at the trunk's own switch, then one of each other switch in turn, so
   that streams share the trunks behind it as little as can be. `rank` of a host: which one it is of
   those at its switch. */
static uint32_t list_side(const struct tny_search *search, uint8_t side, uint32_t next_to,
                          uint32_t *hosts)
{
  const struct tny_tree *tree = &search->found->tree;
  uint32_t count = 0;
  for (uint32_t i = 0; i < search->host_count; i++)
    if (tree->switch_of[search->order[i]] == next_to)
      hosts[count++] = search->order[i];
  bool more = true;
  for (uint32_t turn = 0; more; turn++) {
    more = false;
    for (uint32_t i = 0, rank = 0; i < search->host_count; i++) {
      const uint32_t at = tree->switch_of[search->order[i]];
      rank = i > 0 && tree->switch_of[search->order[i - 1]] == at ? rank + 1 : 0;
      if (at == next_to || search->beyond[at] != side || rank < turn)
        continue;
      if (rank == turn)
        hosts[count++] = search->order[i];
      more = true;
    }
  }
  return count;
}

/* Where one side has fewer hosts, each of them has up to two streams: one may lead to a slow
   host. */
uint32_t tny_search_lay(struct tny_search *search, uint32_t trunk, uint32_t *near_count,
                        uint32_t *far_count)
{
  const struct tny_tree_trunk *ends = &search->found->tree.trunks[trunk];
  tny_tree_mark_beyond(&search->found->tree, trunk, search->beyond);
  const uint32_t near = list_side(search, 0, ends->a, search->near);
  const uint32_t far = list_side(search, 1, ends->b, search->far);
  const uint32_t fewer = near < far ? near : far, more = near < far ? far : near;
  uint32_t count = more < 2 * fewer ? more : 2 * fewer;
  if (count > search->stream_room)
    count = search->stream_room;
  for (uint32_t i = 0; i < count; i++)
    search->streams[i] =
        (struct tny_stream_probe){.from = search->near[i % near], .to = search->far[i % far]};
  *near_count = near;
  *far_count = far;
  return count;
}

bool tny_search_fills(struct tny_search *search, uint32_t count, uint32_t cable)
{
  const struct tny_discovery *found = search->found;
  const uint32_t hosts = search->host_count;
  for (uint32_t i = 0; i < count; i++)
    search->offered[i] = search->streams[i];
  const double offered = tny_shares_find(&search->shares, search->offered, count, cable);
  return (cable < hosts ? found->hosts[cable].bps : found->trunks[cable - hosts].bps) <
         FILLED * offered;
}

static bool measure_trunk(struct tny_search *search, uint32_t t)
{
  uint32_t near_count, far_count;
  const uint32_t count = tny_search_lay(search, t, &near_count, &far_count);
  return measure_most(search, count, TNY_TRUNK_SECONDS, &search->found->trunks[t].bps);
}

/* What fills a trunk shows only when the rates of those behind it are known too. */
static void judge_trunks(struct tny_search *search)
{
  for (uint32_t t = 0; t < search->found->tree.trunk_count; t++) {
    struct tny_found_cable *cable = &search->found->trunks[t];
    uint32_t near_count, far_count;
    const uint32_t count = tny_search_lay(search, t, &near_count, &far_count);
    cable->is_least = !tny_search_fills(search, count, search->host_count + t);
  }
}

bool tny_search_trunks(struct tny_search *search)
{
  for (uint32_t t = 0; t < search->found->tree.trunk_count; t++) {
    tny_search_tell(search, "rates of trunks", t, search->found->tree.trunk_count);
    if (!measure_trunk(search, t))
      return false;
  }
  judge_trunks(search);
  return true;
}

/* --- like rates --- */

/* The rate that is sold, where one is near. */
static double nominal(double bps)
{
  static const double rates[] = {10e6, 100e6, 1e9,  2.5e9, 5e9,   10e9,
                                 25e9, 40e9,  50e9, 100e9, 200e9, 400e9};
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
    if (bps > NOMINAL_LEAST * rates[i] && bps < NOMINAL_MOST * rates[i])
      return rates[i];
  return bps;
}

/* What is only known to be the least says nothing of other cables. */
static void settle(double *numbers, struct tny_found_cable *cables, uint32_t count, double share)
{
  for (uint32_t i = 0; i < count; i++)
    numbers[i] = cables[i].is_least ? 0 : cables[i].bps;
  tny_make_alike(numbers, count, share);
  for (uint32_t i = 0; i < count; i++)
    if (!cables[i].is_least)
      cables[i].bps = nominal(numbers[i]);
}

void tny_search_settle(struct tny_search *search)
{
  settle(search->numbers, search->found->hosts, search->host_count, LIKE_HOSTS);
  settle(search->numbers, search->found->trunks, search->found->tree.trunk_count, LIKE_TRUNKS);
}
