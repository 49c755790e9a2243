/* Rounds of transfers for a cluster. What runs in a round shares no host; over every link, what is
   in flight stays under half of the smallest buffer that the file has for its path, but in rounds
   that look at a buffer, which put four fifths of it in flight. */
#include "plan.h"

#include "cluster/links.h"
#include "core/alloc.h"
#include "core/error.h"

#define SOLO_SECONDS 0.1
#define TOGETHER_SECONDS 0.3
#define SOLO_BUDGET_SECONDS 8.0  /* beyond: several solo transfers at once, between other hosts */
#define CUT_ROUNDS_MAX 24        /* trunks that are looked at */
#define BUFFER_ROUNDS_MAX 8      /* ports whose buffer is looked at */
#define BUFFER_DRAIN_SECONDS 0.5 /* one that takes longer to empty isn't looked at */
#define WINDOW_MAX 64
#define CHUNK_BYTES 4096
#define CHUNK_ON_THE_WIRE 4400 /* a chunk with all headers */
#define CUT_FILL 1.5           /* the ports that fill a trunk have this times its rate */

struct maker {
  const struct tny_routes *routes;
  const struct tny_cluster *cluster;
  const uint32_t *leader; /* by host */
  uint32_t *order;        /* hosts with a leader, in switch order */
  uint32_t count;
  struct probe_plan *plan;
  bool failed;
};

static uint32_t grown(uint32_t room)
{
  return room ? 2 * room : 64;
}

static void add_round(struct maker *maker, enum probe_kind kind, double seconds)
{
  struct probe_plan *plan = maker->plan;
  if (plan->round_count == plan->round_room) {
    const uint32_t room = grown(plan->round_room);
    struct probe_round *rounds = tny_resize(plan->rounds, room, sizeof *rounds);
    maker->failed |= !rounds;
    if (!rounds)
      return;
    plan->rounds = rounds;
    plan->round_room = room;
  }
  plan->rounds[plan->round_count++] =
      (struct probe_round){.kind = kind, .first = plan->transfer_count, .seconds = seconds};
}

/* What the file says of a path alone: its rate, its smallest buffer, its latency. */
struct path {
  uint64_t bandwidth_bps, buffer_bytes, latency_ns;
};

static struct path path_of(const struct maker *maker, uint32_t from, uint32_t to)
{
  const struct tny_cluster *cluster = maker->cluster;
  struct path path = {UINT64_MAX, UINT64_MAX, 0};
  uint32_t l;
  for (uint32_t n = from; (l = tny_routes_next(maker->routes, n, to)) != TNY_NONE;
       n = cluster->links[l].to) {
    const struct tny_link *link = &cluster->links[l];
    path.bandwidth_bps =
        link->bandwidth_bps < path.bandwidth_bps ? link->bandwidth_bps : path.bandwidth_bps;
    path.buffer_bytes =
        link->buffer_bytes < path.buffer_bytes ? link->buffer_bytes : path.buffer_bytes;
    path.latency_ns += link->latency_ns;
  }
  return path;
}

/* Chunks in flight: half of a share of the buffer, but at least what the way there and back takes
   up. */
static void set_window(struct probe_transfer *transfer, const struct path *path, uint32_t sharing)
{
  const double both_ways = 2e-9 * (double)path->latency_ns * (double)path->bandwidth_bps / 8;
  double bytes = (double)path->buffer_bytes / 2 / sharing;
  bytes = bytes > both_ways / sharing ? bytes : both_ways / sharing;
  transfer->chunk_bytes = bytes < 2 * CHUNK_BYTES ? CHUNK_BYTES / 2 : CHUNK_BYTES;
  const double window = bytes / transfer->chunk_bytes;
  transfer->window = window < 1 ? 1 : window > WINDOW_MAX ? WINDOW_MAX : (uint32_t)window;
}

/* Adds a transfer between two hosts to the last round. */
static struct probe_transfer *add_transfer(struct maker *maker, uint32_t from, uint32_t to,
                                           uint32_t sharing)
{
  struct probe_plan *plan = maker->plan;
  if (plan->transfer_count == plan->transfer_room) {
    const uint32_t room = grown(plan->transfer_room);
    struct probe_transfer *transfers = tny_resize(plan->transfers, room, sizeof *transfers);
    maker->failed |= !transfers;
    if (!transfers)
      return NULL;
    plan->transfers = transfers;
    plan->transfer_room = room;
  }
  const struct path path = path_of(maker, from, to);
  struct probe_transfer *transfer = &plan->transfers[plan->transfer_count++];
  *transfer = (struct probe_transfer){.from = maker->leader[from],
                                      .to = maker->leader[to],
                                      .link = TNY_NONE,
                                      .expected_bps = (double)path.bandwidth_bps};
  set_window(transfer, &path, sharing);
  if (plan->round_count)
    plan->rounds[plan->round_count - 1].count++;
  return transfer;
}

/* The next host in switch order on the same switch, around; `at` itself where it's alone. */
static uint32_t next_inside(const struct maker *maker, uint32_t at)
{
  const uint32_t home = tny_cluster_switch_of(maker->cluster, maker->order[at]);
  for (uint32_t step = 1; step < maker->count; step++) {
    const uint32_t other = (at + step) % maker->count;
    if (tny_cluster_switch_of(maker->cluster, maker->order[other]) == home)
      return other;
  }
  return at;
}

/* A solo transfer, in the last round where it has room and none of these hosts, else in a new one.
 */
static void add_solo(struct maker *maker, uint32_t from, uint32_t to, uint32_t at_once)
{
  struct probe_plan *plan = maker->plan;
  const uint32_t ranks[] = {maker->leader[from], maker->leader[to]};
  const struct probe_round *last = plan->round_count ? &plan->rounds[plan->round_count - 1] : NULL;
  bool fits = last && last->kind == PROBE_SOLO && last->count < at_once;
  for (uint32_t i = 0; fits && i < last->count; i++) {
    const struct probe_transfer *other = &plan->transfers[last->first + i];
    for (int end = 0; end < 2; end++)
      fits &= ranks[end] != other->from && ranks[end] != other->to;
  }
  if (!fits)
    add_round(maker, PROBE_SOLO, SOLO_SECONDS);
  if (!maker->failed)
    add_transfer(maker, from, to, 1);
}

/* Each host to the next one on its switch, so that each port sends once and receives once; hosts
   that are alone on theirs, to the next host. */
static void plan_ports(struct maker *maker)
{
  const uint32_t at_once = 1 + (uint32_t)(maker->count * SOLO_SECONDS / SOLO_BUDGET_SECONDS);
  const uint32_t stride = maker->count / 2 ? maker->count / at_once : 1;
  for (uint32_t i = 0; i < (stride ? stride : 1); i++)
    for (uint32_t at = i; at < maker->count; at += stride ? stride : 1) {
      const uint32_t next = next_inside(maker, at);
      const uint32_t other = next == at ? (at + 1) % maker->count : next;
      add_solo(maker, maker->order[at], maker->order[other], at_once);
    }
}

static bool takes(const struct maker *maker, uint32_t from, uint32_t to, uint32_t link)
{
  uint32_t l;
  for (uint32_t n = from; (l = tny_routes_next(maker->routes, n, to)) != TNY_NONE;
       n = maker->cluster->links[l].to)
    if (l == link)
      return true;
  return false;
}

/* Hosts are taken at most once in a round. */
static uint32_t find_partner(const struct maker *maker, uint32_t from, uint32_t link,
                             const bool *taken)
{
  for (uint32_t step = 1; step < maker->count; step++) {
    const uint32_t other = (from + step) % maker->count;
    if (!taken[other] && takes(maker, maker->order[from], maker->order[other], link))
      return other;
  }
  return from;
}

/* Pairs whose messages take the trunk, as many as it takes to fill it. */
static void plan_cut(struct maker *maker, uint32_t link, bool *taken)
{
  struct probe_plan *plan = maker->plan;
  const double wanted = CUT_FILL * (double)maker->cluster->links[link].bandwidth_bps;
  double rate = 0;
  memset(taken, 0, maker->count * sizeof *taken);
  add_round(maker, PROBE_CUT, TOGETHER_SECONDS);
  for (uint32_t from = 0; !maker->failed && from < maker->count; from++) {
    if (rate >= wanted && plan->rounds[plan->round_count - 1].count > 1)
      break;
    const uint32_t to = taken[from] ? from : find_partner(maker, from, link, taken);
    if (to == from)
      continue;
    taken[from] = taken[to] = true;
    struct probe_transfer *transfer = add_transfer(maker, maker->order[from], maker->order[to], 1);
    if (!transfer)
      return;
    transfer->link = link;
    const uint32_t port = maker->cluster->out_links[maker->cluster->first_out[maker->order[from]]];
    rate += (double)maker->cluster->links[port].bandwidth_bps;
  }
  struct probe_round *round = &plan->rounds[plan->round_count - 1];
  const double trunk = (double)maker->cluster->links[link].bandwidth_bps;
  round->expected_bps = rate < trunk ? rate : trunk;
  for (uint32_t i = 0; i < round->count; i++) {
    struct probe_transfer *transfer = &plan->transfers[round->first + i];
    const uint32_t window = transfer->window / round->count;
    if (!window && transfer->chunk_bytes > CHUNK_BYTES / 2)
      transfer->chunk_bytes = CHUNK_BYTES / 2;
    transfer->window = window ? window : 1;
  }
}

/* One pair alone across the trunk, for its latency. */
static void plan_crossing(struct maker *maker, uint32_t link, bool *taken)
{
  memset(taken, 0, maker->count * sizeof *taken);
  for (uint32_t from = 0; from < maker->count; from++) {
    const uint32_t to = find_partner(maker, from, link, taken);
    if (to == from)
      continue;
    add_solo(maker, maker->order[from], maker->order[to], 1);
    return;
  }
}

/* Both directions of each trunk, or one where there are many. */
static void plan_trunks(struct maker *maker, bool *taken)
{
  const struct tny_cluster *cluster = maker->cluster;
  const uint32_t step = cluster->link_count - 2 * cluster->host_count > CUT_ROUNDS_MAX ? 2 : 1;
  uint32_t rounds = 0;
  for (uint32_t l = 0; l < cluster->link_count; l += step) {
    if (!tny_link_is_trunk(cluster, l) || rounds++ >= CUT_ROUNDS_MAX)
      continue;
    if (l % 2 == 0)
      plan_crossing(maker, l, taken);
    const uint32_t first = maker->plan->transfer_count;
    if (!maker->failed)
      plan_cut(maker, l, taken);
    if (maker->failed)
      return;
    if (maker->plan->transfer_count == first)
      maker->plan->round_count--; /* no message takes it */
  }
}

/* Every host to the next one on its switch, at once. */
static void plan_inside(struct maker *maker)
{
  bool begun = false;
  if (maker->cluster->switch_count < 2)
    return;
  for (uint32_t at = 0; at < maker->count && !maker->failed; at++) {
    const uint32_t next = next_inside(maker, at);
    if (next == at)
      continue;
    if (!begun)
      add_round(maker, PROBE_INSIDE, TOGETHER_SECONDS);
    begun = true;
    if (!maker->failed)
      add_transfer(maker, maker->order[at], maker->order[next], 1);
  }
}

/* Up to three hosts send to their neighbour on the switch. */
static void plan_buffer(struct maker *maker, uint32_t at)
{
  const struct tny_cluster *cluster = maker->cluster;
  const uint32_t host = maker->order[at];
  const uint32_t port = cluster->out_links[cluster->first_out[host]] ^ 1;
  uint32_t senders[3], count = 0;
  for (uint32_t other = next_inside(maker, at); other != at && count < 3;
       other = next_inside(maker, other))
    senders[count++] = maker->order[other];
  const double bytes = 0.8 * (double)cluster->links[port].buffer_bytes;
  const double drain = 8 * bytes / (double)cluster->links[port].bandwidth_bps;
  const double window = bytes / CHUNK_ON_THE_WIRE / (count ? count : 1);
  if (count < 2 || window < 1 || drain > BUFFER_DRAIN_SECONDS)
    return;
  add_round(maker, PROBE_BUFFER, TOGETHER_SECONDS);
  for (uint32_t i = 0; i < count && !maker->failed; i++) {
    struct probe_transfer *transfer = add_transfer(maker, senders[i], host, 1);
    if (!transfer)
      return;
    transfer->link = port;
    transfer->chunk_bytes = CHUNK_BYTES;
    transfer->window = (uint32_t)window;
  }
}

/* The first host of each switch has its port looked at. */
static void plan_buffers(struct maker *maker)
{
  uint32_t rounds = 0, before = TNY_NONE;
  for (uint32_t at = 0; at < maker->count && !maker->failed; at++) {
    const uint32_t home = tny_cluster_switch_of(maker->cluster, maker->order[at]);
    if (home != before && rounds++ < BUFFER_ROUNDS_MAX)
      plan_buffer(maker, at);
    before = home;
  }
}

static void estimate(struct probe_plan *plan)
{
  plan->seconds = 0;
  for (uint32_t i = 0; i < plan->round_count; i++)
    plan->seconds += plan->rounds[i].seconds + 0.05;
}

static enum tny_status find_order(struct maker *maker, struct tny_error *error)
{
  maker->order = tny_new(maker->cluster->host_count, sizeof *maker->order);
  if (!maker->order)
    return tny_error_memory(error);
  const enum tny_status status = tny_cluster_order(maker->cluster, maker->order, error);
  for (uint32_t i = 0; status == TNY_OK && i < maker->cluster->host_count; i++)
    if (maker->leader[maker->order[i]] != TNY_NONE)
      maker->order[maker->count++] = maker->order[i];
  return status;
}

enum tny_status probe_plan_make(const struct tny_routes *routes, const uint32_t *leader_of_host,
                                struct probe_plan *plan, struct tny_error *error)
{
  *plan = (struct probe_plan){0};
  struct maker maker = {
      .routes = routes, .cluster = routes->cluster, .leader = leader_of_host, .plan = plan};
  enum tny_status status = find_order(&maker, error);
  bool *taken = tny_new(maker.count, sizeof *taken);
  if (status == TNY_OK && !taken)
    status = tny_error_memory(error);
  if (status == TNY_OK && maker.count > 1) {
    plan_ports(&maker);
    plan_inside(&maker);
    plan_trunks(&maker, taken);
    plan_buffers(&maker);
    estimate(plan);
    if (maker.failed)
      status = tny_error_memory(error);
  }
  tny_free(taken);
  tny_free(maker.order);
  return status;
}

void probe_plan_release(struct probe_plan *plan)
{
  tny_free(plan->transfers);
  tny_free(plan->rounds);
  *plan = (struct probe_plan){0};
}
