/* What measuring on a made-up network gives: round trips with noise, streams that share fairly,
   pings that wait where streams queue. Included once by each test program. */
#ifndef TOURNEY_TESTS_DISCOVER_MADE_UP_PROBES_H
#define TOURNEY_TESTS_DISCOVER_MADE_UP_PROBES_H

#include "made_up.h"

#include "discover/discover.h"

enum { MADE_PORTS = 2 * (MADE_HOSTS + MADE_TRUNKS), MADE_STREAMS = MADE_HOSTS + 2 };

/* Payload of TCP over Ethernet: of a frame's 1538 bytes on the wire 1448. */
#define MADE_PAYLOAD (1448.0 / 1538.0)

struct made_noise {
  double ns;            /* what a least round trip is too long on average */
  double outlier_share; /* of the round trips are too long by outlier_ns */
  double outlier_ns;
  double rate_share;       /* by so much at most are streams too slow or too fast */
  double fast_share;       /* of periods of MADE_PERIOD probes: round trips are MADE_FASTER */
  uint32_t unsteady_hosts; /* the first ones: their speed is never steady */
  double drift_share;      /* for MADE_DRIFT probes all round trips are longer by so much at most */
  double calls_share;      /* by so much at most calls take more, whatever round trips take */
  double early_ns;         /* what the first early_probes are too long besides, on average */
  uint32_t early_probes;
};
#define MADE_PERIOD 5
#define MADE_DRIFT 9
#define MADE_FASTER 0.957 /* of what they are usually */
#define MADE_CHANGES 0.1  /* of the turns aren't steady, where there are such periods */

static const struct made_noise usual_noise = {
    .ns = 200, .outlier_share = 0.2, .outlier_ns = 10e3, .rate_share = 0.02};
static const struct made_noise no_noise = {0};

struct made_probes {
  const struct made_network *network;
  struct made_noise noise;
  uint64_t random;
  uint32_t machines;
  double away_ns[MADE_SWITCHES][MADE_SWITCHES]; /* between switches, by the shortest way */
  uint32_t next[MADE_SWITCHES][MADE_SWITCHES];  /* the trunk to take from one to another */
  uint32_t asked, fails_at; /* probes; the one that fails, counted from 1; 0: none */
  double seconds;           /* that streams ran */
  bool is_fast;             /* is it a period of MADE_FASTER? */
  double drift;             /* by which round trips are longer now; 0: none yet */
};

/* --- ways --- */

static inline void find_made_ways(struct made_probes *made)
{
  const struct made_network *network = made->network;
  const uint32_t n = network->switch_count;
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < n; b++)
      made->away_ns[a][b] = a == b ? 0 : INFINITY;
  for (uint32_t round = 0; round < n; round++)
    for (uint32_t t = 0; t < network->trunk_count; t++)
      for (uint32_t turn = 0; turn < 2; turn++) {
        const struct made_trunk *trunk = &network->trunks[t];
        const uint32_t from = turn ? trunk->b : trunk->a, over = turn ? trunk->a : trunk->b;
        for (uint32_t to = 0; to < n; to++)
          if (made->away_ns[over][to] + trunk->ns < made->away_ns[from][to]) {
            made->away_ns[from][to] = made->away_ns[over][to] + trunk->ns;
            made->next[from][to] = t;
          }
      }
}

/* The ports that a message passes, in order: 2h from host h, 2h + 1 to it; then two a trunk. */
static inline uint32_t list_ports(const struct made_probes *made, uint32_t from, uint32_t to,
                                  uint32_t *ports)
{
  const struct made_network *network = made->network;
  uint32_t count = 0, at = network->hosts[from].at;
  ports[count++] = 2 * from;
  while (at != network->hosts[to].at) {
    const uint32_t t = made->next[at][network->hosts[to].at];
    const bool is_back = network->trunks[t].b == at;
    ports[count++] = 2 * (network->host_count + t) + is_back;
    at = is_back ? network->trunks[t].a : network->trunks[t].b;
  }
  ports[count++] = 2 * to + 1;
  return count;
}

static inline double port_bps(const struct made_network *network, uint32_t port)
{
  const uint32_t cable = port / 2;
  return cable < network->host_count ? network->hosts[cable].bps
                                     : network->trunks[cable - network->host_count].bps;
}

static inline double port_buffer(const struct made_network *network, uint32_t port)
{
  const uint32_t cable = port / 2;
  return cable < network->host_count ? network->hosts[cable].buffer_bytes
                                     : network->trunks[cable - network->host_count].buffer_bytes;
}

/* --- streams --- */

struct made_load {
  uint32_t stream_count;
  uint32_t ports[MADE_STREAMS][MADE_SWITCHES + 2], port_count[MADE_STREAMS];
  double bps[MADE_STREAMS];
  bool is_stopped[MADE_STREAMS];
  bool queues[MADE_PORTS]; /* streams wait for it */
};

static inline double used_of(const struct made_load *load, uint32_t port, uint32_t *growing)
{
  double used = 0;
  *growing = 0;
  for (uint32_t i = 0; i < load->stream_count; i++)
    for (uint32_t k = 0; k < load->port_count[i]; k++)
      if (load->ports[i][k] == port) {
        used += load->bps[i];
        *growing += !load->is_stopped[i];
      }
  return used;
}

/* All streams grow alike; those that pass a full port stop, and wait at the first such. Until none
   grows. */
static inline void share_out(const struct made_network *network, struct made_load *load)
{
  const uint32_t ports = 2 * (network->host_count + network->trunk_count);
  for (;;) {
    double step = INFINITY;
    uint32_t growing;
    for (uint32_t port = 0; port < ports; port++) {
      const double used = used_of(load, port, &growing);
      if (growing)
        step = fmin(step, (port_bps(network, port) - used) / growing);
    }
    if (step == INFINITY)
      return;
    for (uint32_t i = 0; i < load->stream_count; i++)
      load->bps[i] += load->is_stopped[i] ? 0 : step;
    for (uint32_t i = 0; i < load->stream_count; i++)
      for (uint32_t k = 0; !load->is_stopped[i] && k < load->port_count[i]; k++) {
        const uint32_t port = load->ports[i][k];
        const double used = used_of(load, port, &growing);
        if (used < port_bps(network, port) * (1 - 1e-9))
          continue;
        load->is_stopped[i] = true;
        load->queues[port] = true;
      }
  }
}

static inline double waits_ns(const struct made_probes *made, const struct made_load *load,
                              uint32_t from, uint32_t to)
{
  uint32_t ports[MADE_SWITCHES + 2];
  const uint32_t count = list_ports(made, from, to, ports);
  double ns = 0;
  for (uint32_t k = 0; k < count; k++)
    if (load->queues[ports[k]])
      ns += port_buffer(made->network, ports[k]) * 8e9 / port_bps(made->network, ports[k]);
  return ns;
}

static inline double base_ns(const struct made_probes *made, uint32_t a, uint32_t b)
{
  const struct made_host *hosts = made->network->hosts;
  return hosts[a].ns + hosts[b].ns + made->away_ns[hosts[a].at][hosts[b].at];
}

/* --- probes --- */

static inline bool next_fails(struct made_probes *made)
{
  return ++made->asked == made->fails_at;
}

/* What work takes at a host, if that is always the same. */
static inline double draw_calls_ns(struct made_probes *made, uint32_t host)
{
  if (host < made->noise.unsteady_hosts)
    return INFINITY;
  if (made->noise.fast_share > 0 && draw_between(&made->random, 0, 1) < MADE_CHANGES)
    return INFINITY;
  return (15e3 + 1e3 * host) * draw_between(&made->random, 1, 1.01 + made->noise.calls_share) *
         (made->is_fast ? MADE_FASTER : 1);
}

static inline bool made_round_trips(void *state, struct tny_pair_probe *pairs, uint32_t count)
{
  struct made_probes *made = state;
  uint8_t is_busy[MADE_HOSTS] = {0};
  assert_true(count >= 1 && (count == 1 || 2 * count <= made->machines));
  if (made->noise.fast_share > 0 && made->asked % MADE_PERIOD == 0)
    made->is_fast = draw_between(&made->random, 0, 1) < made->noise.fast_share;
  if (made->noise.drift_share > 0 && made->asked % MADE_DRIFT == 0)
    made->drift = draw_between(&made->random, 0, made->noise.drift_share);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t ends[] = {pairs[i].first, pairs[i].second};
    for (uint32_t end = 0; end < 2; end++) {
      assert_true(ends[end] < made->network->host_count);
      assert_false(is_busy[ends[end]]);
      is_busy[ends[end]] = 1;
    }
    pairs[i].ns = base_ns(made, ends[0], ends[1]) -
                  made->noise.ns * log(draw_between(&made->random, 1e-6, 1));
    if (draw_between(&made->random, 0, 1) < made->noise.outlier_share)
      pairs[i].ns += made->noise.outlier_ns;
    if (made->asked < made->noise.early_probes)
      pairs[i].ns -= made->noise.early_ns * log(draw_between(&made->random, 1e-6, 1));
    pairs[i].ns *= (1 + made->drift) * (made->is_fast ? MADE_FASTER : 1);
    pairs[i].first_calls_ns = draw_calls_ns(made, ends[0]);
    pairs[i].second_calls_ns = draw_calls_ns(made, ends[1]);
  }
  return !next_fails(made);
}

static inline bool made_streams(void *state, struct tny_stream_probe *streams, uint32_t count,
                                double seconds, struct tny_ping_probe *ping)
{
  struct made_probes *made = state;
  struct made_load load = {.stream_count = count};
  assert_true(count >= 1 && count <= MADE_STREAMS && seconds > 0);
  for (uint32_t i = 0; i < count; i++) {
    assert_true(streams[i].from < made->network->host_count);
    assert_true(streams[i].to < made->network->host_count);
    assert_int_not_equal(streams[i].from, streams[i].to);
    load.port_count[i] = list_ports(made, streams[i].from, streams[i].to, load.ports[i]);
  }
  share_out(made->network, &load);
  made->seconds += seconds;
  for (uint32_t i = 0; i < count; i++)
    streams[i].bps =
        load.bps[i] * MADE_PAYLOAD *
        draw_between(&made->random, 1 - made->noise.rate_share, 1 + made->noise.rate_share);
  if (ping) {
    assert_int_not_equal(ping->from, ping->to);
    ping->ns = base_ns(made, ping->from, ping->to) + waits_ns(made, &load, ping->from, ping->to) +
               waits_ns(made, &load, ping->to, ping->from);
  }
  return !next_fails(made);
}

/* `made` has its network, noise and machines; the probes borrow it. */
static inline struct tny_probes begin_probes(struct made_probes *made)
{
  made->random = made->network->seed * 77 + 5;
  find_made_ways(made);
  return (struct tny_probes){.state = made,
                             .machines = made->machines,
                             .round_trips = made_round_trips,
                             .streams = made_streams};
}

/* Discovers the network; failing ends the test. */
static inline void discover_made(struct made_probes *made, struct tny_discovery *found)
{
  struct tny_error error = {0};
  const struct tny_probes probes = begin_probes(made);
  if (tny_discover(&probes, made->network->host_count, found, &error))
    fail_msg("seed %llu: %s", (unsigned long long)made->network->seed, error.text);
}

#endif
