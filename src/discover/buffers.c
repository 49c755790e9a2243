/* Buffers of ports: streams fill a cable, and how long a ping then takes says how much waits at its
   port. */
#include <math.h>
#include <stddef.h>

#include <tourney/cluster.h>

#include "discover/alike.h"
#include "discover/search.h"

enum { SENDERS = 2 };
#define LIKE_BUFFERS 0.2 /* by so much do buffers differ that are taken for one */
#define OTHERS_MOST 0.1  /* of the delay at a port may be that at others */

/* Who may ping whom. */
struct ends {
  const uint32_t *from, *to;
  uint32_t from_count, to_count;
  uint32_t not_to; /* one of `to` that isn't asked again; TNY_NONE: none */
};

/* --- one port --- */

/* Beside a stream between the same two, a ping would wait for it within the hosts. */
static bool have_stream(const struct tny_search *search, uint32_t count, uint32_t a, uint32_t b)
{
  for (uint32_t i = 0; i < count; i++) {
    const struct tny_stream_probe *stream = &search->streams[i];
    if ((stream->from == a && stream->to == b) || (stream->from == b && stream->to == a))
      return true;
  }
  return false;
}

/* The two whose ping is delayed least at other ports that the streams fill. Returns by how much. */
static double choose_ping(struct tny_search *search, uint32_t count, uint32_t cable,
                          const struct ends *ends, struct tny_ping_probe *ping)
{
  double least = INFINITY;
  for (uint32_t i = 0; i < count; i++)
    search->offered[i] = search->streams[i];
  tny_shares_find(&search->shares, search->offered, count, TNY_NONE);
  for (uint32_t i = 0; i < ends->from_count; i++)
    for (uint32_t k = 0; k < ends->to_count; k++) {
      const uint32_t from = ends->from[i], to = ends->to[k];
      if (to == ends->not_to || have_stream(search, count, from, to))
        continue;
      const double delay = tny_shares_delay(&search->shares, from, to, cable);
      if (delay >= least)
        continue;
      least = delay;
      ping->from = from;
      ping->to = to;
    }
  return least;
}

/* Without streams. */
static double round_trip_ns(const struct tny_search *search, const struct tny_ping_probe *ping)
{
  const bool is_forth = ping->from < ping->to;
  const size_t row = is_forth ? ping->from : ping->to, column = is_forth ? ping->to : ping->from;
  return search->round_trips_ns[row * search->host_count + column];
}

/* The first `count` streams meet at the cable. What they don't fill, or can't be told from other
   ports' buffers, is left as it is. */
static bool measure_port(struct tny_search *search, uint32_t count, uint32_t cable,
                         struct ends *ends)
{
  struct tny_discovery *found = search->found;
  struct tny_found_cable *port = cable < search->host_count
                                     ? &found->hosts[cable]
                                     : &found->trunks[cable - search->host_count];
  struct tny_ping_probe ping;
  if (!tny_search_fills(search, count, cable) ||
      choose_ping(search, count, cable, ends, &ping) > OTHERS_MOST * 8 / port->bps)
    return true;
  if (!search->probes->streams(search->probes->state, search->streams, count, TNY_QUEUE_SECONDS,
                               &ping))
    return false;
  const double waited_ns = fmax(0, ping.ns - round_trip_ns(search, &ping));
  port->buffer_bytes = fmax(port->buffer_bytes, waited_ns * port->bps / 8e9);
  port->is_measured = true;
  ends->not_to = ping.to;
  return true;
}

/* What may be several cables is asked twice, towards two hosts: one of the pings may take a fuller
   cable. */
static bool measure_trunk(struct tny_search *search, uint32_t t)
{
  uint32_t near_count, far_count;
  const uint32_t count = tny_search_lay(search, t, &near_count, &far_count);
  struct ends ends = {search->near, search->far, near_count, far_count, TNY_NONE};
  return measure_port(search, count, search->host_count + t, &ends) &&
         (search->found->trunks[t].bps <= tny_search_fastest_bps(search) ||
          measure_port(search, count, search->host_count + t, &ends));
}

/* --- hosts --- */

/* A switch's first host of its rate: it is measured for all of them. */
static uint32_t find_like(const struct tny_search *search, uint32_t host)
{
  const struct tny_discovery *found = search->found;
  for (uint32_t other = 0; other < host; other++)
    if (found->tree.switch_of[other] == found->tree.switch_of[host] &&
        found->hosts[other].bps == found->hosts[host].bps)
      return other;
  return host;
}

/* Is the first a better sender to a host? One at the same switch is, and of these a faster one. */
static bool is_better(const struct tny_search *search, uint32_t host, uint32_t a, uint32_t b)
{
  const struct tny_discovery *found = search->found;
  const uint32_t at = found->tree.switch_of[host];
  const bool a_near = found->tree.switch_of[a] == at, b_near = found->tree.switch_of[b] == at;
  return a_near != b_near ? a_near : found->hosts[a].bps > found->hosts[b].bps;
}

/* The best senders first, then all others. */
static uint32_t list_senders(const struct tny_search *search, uint32_t host, uint32_t *senders)
{
  uint32_t count = 0;
  for (uint32_t other = 0; other < search->host_count; other++)
    if (other != host)
      senders[count++] = other;
  for (uint32_t i = 0; i < SENDERS && i < count; i++)
    for (uint32_t k = i + 1; k < count; k++)
      if (is_better(search, host, senders[k], senders[i])) {
        const uint32_t better = senders[k];
        senders[k] = senders[i];
        senders[i] = better;
      }
  return count;
}

static bool measure_host(struct tny_search *search, uint32_t host)
{
  const uint32_t count = list_senders(search, host, search->near);
  struct ends ends = {search->near, &host, count, 1, TNY_NONE};
  if (count <= SENDERS)
    return true;
  for (uint32_t i = 0; i < SENDERS; i++)
    search->streams[i] = (struct tny_stream_probe){.from = search->near[i], .to = host};
  return measure_port(search, SENDERS, host, &ends);
}

/* --- all --- */

static void settle(struct tny_search *search)
{
  const uint32_t n = search->host_count, trunks = search->found->tree.trunk_count;
  for (uint32_t i = 0; i < n + trunks; i++)
    search->numbers[i] =
        i < n ? search->found->hosts[i].buffer_bytes : search->found->trunks[i - n].buffer_bytes;
  tny_make_alike(search->numbers, n + trunks, LIKE_BUFFERS);
  for (uint32_t i = 0; i < n + trunks; i++)
    *(i < n ? &search->found->hosts[i].buffer_bytes : &search->found->trunks[i - n].buffer_bytes) =
        search->numbers[i];
}

/* Ports of which nothing is known have what others have. */
static void complete(struct tny_found_cable *cables, uint32_t count, double usual)
{
  for (uint32_t i = 0; i < count; i++)
    if (cables[i].buffer_bytes == 0)
      cables[i].buffer_bytes = usual;
}

static double find_usual(const struct tny_search *search)
{
  const struct tny_discovery *found = search->found;
  for (uint32_t host = 0; host < search->host_count; host++)
    if (found->hosts[host].buffer_bytes > 0)
      return found->hosts[host].buffer_bytes;
  for (uint32_t t = 0; t < found->tree.trunk_count; t++)
    if (found->trunks[t].buffer_bytes > 0)
      return found->trunks[t].buffer_bytes;
  return 0;
}

static bool measure_all(struct tny_search *search)
{
  struct tny_discovery *found = search->found;
  const uint32_t trunks = found->tree.trunk_count;
  uint32_t all = trunks, done = 0;
  for (uint32_t host = 0; host < search->host_count; host++)
    all += find_like(search, host) == host;
  for (uint32_t t = 0; t < trunks; t++) {
    tny_search_tell(search, "buffers", done++, all);
    if (!measure_trunk(search, t))
      return false;
  }
  for (uint32_t host = 0; host < search->host_count; host++) {
    const uint32_t like = find_like(search, host);
    if (like != host) {
      found->hosts[host].buffer_bytes = found->hosts[like].buffer_bytes;
      continue;
    }
    tny_search_tell(search, "buffers", done++, all);
    if (!measure_host(search, host))
      return false;
  }
  return true;
}

bool tny_search_buffers(struct tny_search *search)
{
  struct tny_discovery *found = search->found;
  if (!measure_all(search))
    return false;
  settle(search);
  const double usual = find_usual(search);
  complete(found->hosts, search->host_count, usual);
  complete(found->trunks, found->tree.trunk_count, usual);
  return true;
}
