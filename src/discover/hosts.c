/* Rates of hosts: by streams around a ring, by fans, and by themselves. */
#include <math.h>

#include "discover/search.h"

enum {
  RINGS = 2,
  FAN = 3, /* streams from one host at once, to see whether it is faster than those it met */
  FAN_LEAST = 2,
  PARTNERS = 4,
  PARTNERS_MOST = 32, /* of a host that may be faster than any of them */
  TRIES_FAST = 16,
  TRIES_DOUBTFUL = 16,
  TRIES_SLOW = 4,
};
#define SLOWER 0.9 /* of another's rate: it is no error of measuring */
#define FASTER 1.3 /* by several streams: one of them may have had what waited for a lost segment */

static void order_hosts(struct tny_search *search)
{
  uint32_t count = 0;
  for (uint32_t s = 0; s < search->found->tree.switch_count; s++)
    for (uint32_t host = 0; host < search->host_count; host++)
      if (search->found->tree.switch_of[host] == s)
        search->order[count++] = host;
}

/* The places in the order of all hosts at the switch of the one at place `i`: up to *end. */
static uint32_t find_mates(const struct tny_search *search, uint32_t i, uint32_t *end)
{
  const uint32_t *switch_of = search->found->tree.switch_of;
  const uint32_t at = switch_of[search->order[i]];
  uint32_t first = i;
  *end = i + 1;
  while (first > 0 && switch_of[search->order[first - 1]] == at)
    first--;
  while (*end < search->host_count && switch_of[search->order[*end]] == at)
    ++*end;
  return first;
}

/* Who a host sends to: the one that is `away` further around its switch; one that is alone there,
   to the next switch. `i` is its place in the order. */
static uint32_t find_partner(const struct tny_search *search, uint32_t i, uint32_t away)
{
  uint32_t end;
  const uint32_t first = find_mates(search, i, &end), count = end - first;
  if (count == 1)
    return search->order[(i + 1) % search->host_count];
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

/* --- hosts that are faster than those they met --- */

/* The host at place `i` sends to those after it in its part of the order, round to the part's
   begin. */
static uint32_t lay_fan(struct tny_search *search, uint32_t i, uint32_t first, uint32_t end,
                        uint32_t count)
{
  const uint32_t size = end - first;
  for (uint32_t k = 1; k <= FAN && k < size; k++)
    search->streams[count++] = (struct tny_stream_probe){
        .from = search->order[i], .to = search->order[first + (i - first + k) % size]};
  return count;
}

/* Who gets clearly more by its streams together than is known of it may be faster than that: how
   much, its own measurement tells. The streams of a host are next to each other. */
static bool measure_fans(struct tny_search *search, uint32_t count)
{
  struct tny_found_cable *hosts = search->found->hosts;
  if (count == 0)
    return true;
  if (!search->probes->streams(search->probes->state, search->streams, count, TNY_HOST_SECONDS,
                               NULL))
    return false;
  for (uint32_t first = 0, end; first < count; first = end) {
    struct tny_found_cable *host = &hosts[search->streams[first].from];
    double bps = 0;
    for (end = first; end < count && search->streams[end].from == search->streams[first].from;
         end++)
      bps += tny_search_wire_bps(search->streams[end].bps);
    host->is_least |= bps > FASTER * host->bps;
  }
  return true;
}

/* Of each part that a switch's hosts are dealt out to, the one that is `turn` behind the first.
   Parts have FAN + 1 hosts, or up to twice as many less one: no host has two fans' streams. */
static bool measure_turn(struct tny_search *search, uint32_t turn, bool *is_last)
{
  uint32_t count = 0;
  *is_last = true;
  for (uint32_t first = 0, end; first < search->host_count; first = end) {
    find_mates(search, first, &end);
    const uint32_t mates = end - first, parts = mates > FAN ? mates / (FAN + 1) : 1;
    for (uint32_t part = 0; mates > FAN_LEAST && part < parts; part++) {
      const uint32_t begin = first + mates * part / parts,
                     after = first + mates * (part + 1) / parts;
      *is_last &= begin + turn + 1 >= after;
      if (begin + turn >= after)
        continue;
      count = lay_fan(search, begin + turn, begin, after, count);
      if (count + FAN > search->stream_room) {
        if (!measure_fans(search, count))
          return false;
        count = 0;
      }
    }
  }
  return measure_fans(search, count);
}

/* From the host at place `i` to as many others as may be, first of all those at its switch. */
static uint32_t lay_many(struct tny_search *search, uint32_t i)
{
  uint32_t end, count = 0;
  const uint32_t first = find_mates(search, i, &end), mates = end - first, n = search->host_count;
  const uint32_t room = search->stream_room < PARTNERS_MOST ? search->stream_room : PARTNERS_MOST;
  for (uint32_t k = 1; k < n && count < room; k++) {
    const uint32_t place = k < mates ? first + (i - first + k) % mates : (end + k - mates) % n;
    search->streams[count++] =
        (struct tny_stream_probe){.from = search->order[i], .to = search->order[place]};
  }
  return count;
}

/* What a host gets by all that is laid, if that is clearly more than is known. Twice as long as
   others: what several streams lose at first in a short buffer comes late, and the rest of it with
   it. */
static bool take_most(struct tny_search *search, uint32_t count, struct tny_found_cable *host)
{
  double most;
  if (!tny_search_most(search, count, 2 * TNY_HOST_SECONDS, &most))
    return false;
  if (most > (1 + TNY_LIKE_HOSTS) * host->bps)
    host->bps = most;
  return true;
}

static bool try_fast_hosts(struct tny_search *search)
{
  for (uint32_t i = 0, tries = 0; i < search->host_count && tries < TRIES_FAST; i++) {
    struct tny_found_cable *host = &search->found->hosts[search->order[i]];
    if (!host->is_least)
      continue;
    tny_search_tell(search, "rates of fast hosts", tries++, TRIES_FAST);
    if (!take_most(search, lay_many(search, i), host))
      return false;
  }
  return true;
}

/* Those of which more streams than they can carry were tried have just what they had. */
void tny_search_judge_hosts(struct tny_search *search)
{
  for (uint32_t i = 0, tries = 0; i < search->host_count && tries < TRIES_FAST; i++) {
    struct tny_found_cable *host = &search->found->hosts[search->order[i]];
    if (!host->is_least)
      continue;
    tries++;
    host->is_least = !tny_search_fills(search, lay_many(search, i), search->order[i]);
  }
}

static bool measure_fast_hosts(struct tny_search *search)
{
  bool is_last = false;
  for (uint32_t turn = 0; !is_last; turn++) {
    tny_search_tell(search, "rates of fast hosts", turn, 2 * FAN + 1);
    if (!measure_turn(search, turn, &is_last))
      return false;
  }
  return try_fast_hosts(search);
}

/* --- slow hosts --- */

/* Hosts that had to do with a faster one are known to be slow, and those that sent to several at
   once; of others it may be that their partners were. Sets `near` to 1 for the former. */
static void mark_slow(struct tny_search *search)
{
  const struct tny_found_cable *hosts = search->found->hosts;
  for (uint32_t i = 0; i < search->host_count; i++) {
    uint32_t end;
    const uint32_t first = find_mates(search, i, &end);
    search->near[search->order[i]] = end - first > FAN_LEAST;
  }
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
   other work takes away is no cable's. */
static bool try_host(struct tny_search *search, uint32_t i)
{
  const uint32_t count = lay_alone(search, i);
  return take_most(search, count, &search->found->hosts[search->order[i]]);
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
    gains |= search->found->hosts[host].bps > (1 + TNY_GAIN) * before[host];
    before[host] = search->found->hosts[host].bps;
  }
  return gains;
}

/* Other work, on hosts or in the network, only ever makes streams slower. */
bool tny_search_hosts(struct tny_search *search)
{
  order_hosts(search);
  bool gains = true;
  for (uint32_t ring = 0; ring < RINGS || (gains && ring < RINGS + TNY_AGAIN_MAX); ring++) {
    if (ring < RINGS)
      tny_search_tell(search, "rates of hosts", ring, RINGS);
    if (!measure_hosts(search, 1 + ring % RINGS))
      return false;
    gains = ring < RINGS - 1 || gained(search);
  }
  return measure_fast_hosts(search) && try_slow_hosts(search);
}
