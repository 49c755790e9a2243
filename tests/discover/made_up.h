/* A made-up network of hosts and switches: what is true of it, and what of that measuring can show.
   Included once by each test program. Rates are those of the wire. */
#ifndef TOURNEY_TESTS_DISCOVER_MADE_UP_H
#define TOURNEY_TESTS_DISCOVER_MADE_UP_H

#include <math.h>
#include <stdio.h>

#include "support/cluster.h"

enum { MADE_HOSTS = 64, MADE_SWITCHES = 12, MADE_TRUNKS = MADE_SWITCHES + 4 };

struct made_host {
  uint32_t at; /* its switch */
  double bps, buffer_bytes;
  double ns; /* its own part of a round trip */
};

/* All cables between two switches. */
struct made_trunk {
  uint32_t a, b;
  double bps, buffer_bytes;
  double ns; /* its part of a round trip */
  uint32_t cables;
};

struct made_network {
  uint64_t seed;
  uint32_t host_count, switch_count, trunk_count;
  struct made_host hosts[MADE_HOSTS];
  struct made_trunk trunks[MADE_TRUNKS];
};

static inline double draw_between(uint64_t *seed, double least, double most)
{
  return least + (most - least) * draw(seed, 1000001) / 1e6;
}

/* What random networks are like. */
struct made_wishes {
  uint32_t hosts_min, hosts_max, switches_min, switches_max;
  uint32_t hosts_each_min; /* at a switch that isn't without hosts */
  double slow_share;       /* of the networks: they have a host of half the rate */
  double empty_share;      /* of the inner switches: they have no hosts */
};

static const struct made_wishes usual_wishes = {.hosts_min = 2,
                                                .hosts_max = 40,
                                                .switches_min = 1,
                                                .switches_max = 6,
                                                .hosts_each_min = 2,
                                                .slow_share = 0.5,
                                                .empty_share = 0.3};

static inline uint32_t count_trunks_at(const struct made_network *made, uint32_t at)
{
  uint32_t count = 0;
  for (uint32_t t = 0; t < made->trunk_count; t++)
    count += made->trunks[t].a == at || made->trunks[t].b == at;
  return count;
}

static inline uint32_t count_hosts_at(const struct made_network *made, uint32_t at)
{
  uint32_t count = 0;
  for (uint32_t host = 0; host < made->host_count; host++)
    count += made->hosts[host].at == at;
  return count;
}

/* A random tree of switches. */
static inline void draw_trunks(struct made_network *made, uint64_t *seed, double host_bps)
{
  for (uint32_t s = 1; s < made->switch_count; s++) {
    const uint32_t cables = draw(seed, 3) ? 1 : 2 + draw(seed, 3);
    made->trunks[made->trunk_count++] =
        (struct made_trunk){.a = draw(seed, s),
                            .b = s,
                            .bps = host_bps * draw_between(seed, 0.5, 4),
                            .buffer_bytes = draw_between(seed, 32, 128) * 1024,
                            .ns = draw_between(seed, 2e3, 4e3),
                            .cables = cables};
  }
}

/* Each switch that isn't to be empty has its least number of hosts; the others are scattered. A
   leaf isn't empty: nobody could see it. */
static inline void place_hosts(struct made_network *made, uint64_t *seed,
                               const struct made_wishes *wishes)
{
  uint32_t used[MADE_SWITCHES], used_count = 0, placed = 0;
  for (uint32_t s = 0; s < made->switch_count; s++)
    if (count_trunks_at(made, s) < 3 || draw_between(seed, 0, 1) >= wishes->empty_share)
      used[used_count++] = s;
  for (uint32_t i = 0; i < used_count; i++)
    for (uint32_t k = 0; k < wishes->hosts_each_min && placed < made->host_count; k++)
      made->hosts[placed++].at = used[i];
  while (placed < made->host_count)
    made->hosts[placed++].at = used[draw(seed, used_count)];
  for (uint32_t i = made->host_count; i-- > 1;) {
    const uint32_t other = draw(seed, i + 1), at = made->hosts[i].at;
    made->hosts[i].at = made->hosts[other].at;
    made->hosts[other].at = at;
  }
}

static inline struct made_network draw_network(uint64_t seed, const struct made_wishes *wishes)
{
  struct made_network made = {.seed = seed};
  uint64_t random = seed * 0x9e3779b97f4a7c15u + 1;
  draw(&random, 2);
  made.switch_count =
      wishes->switches_min + draw(&random, wishes->switches_max - wishes->switches_min + 1);
  uint32_t least = made.switch_count * wishes->hosts_each_min;
  least = least < wishes->hosts_min ? wishes->hosts_min : least;
  made.host_count = least + draw(&random, wishes->hosts_max - least + 1);
  const double host_bps = draw(&random, 2) ? 20e6 : 1e9;
  draw_trunks(&made, &random, host_bps);
  place_hosts(&made, &random, wishes);
  for (uint32_t host = 0; host < made.host_count; host++) {
    made.hosts[host].bps = host_bps;
    made.hosts[host].buffer_bytes = draw_between(&random, 32, 128) * 1024;
    made.hosts[host].ns = draw_between(&random, 20e3, 40e3);
  }
  if (draw_between(&random, 0, 1) < wishes->slow_share)
    made.hosts[draw(&random, made.host_count)].bps = host_bps / 2;
  /* The ports towards hosts of one switch are alike. */
  for (uint32_t host = 0; host < made.host_count; host++)
    for (uint32_t other = 0; other < host; other++)
      if (made.hosts[other].at == made.hosts[host].at)
        made.hosts[host].buffer_bytes = made.hosts[other].buffer_bytes;
  return made;
}

/* --- what measuring can show --- */

/* In place of a trunk that can't be seen its far switch becomes the near one. */
static inline void swallow_trunk(struct made_network *made, uint32_t t)
{
  const struct made_trunk gone = made->trunks[t];
  made->trunks[t] = made->trunks[--made->trunk_count];
  for (uint32_t other = 0; other < made->trunk_count; other++) {
    struct made_trunk *trunk = &made->trunks[other];
    trunk->a = trunk->a == gone.b ? gone.a : trunk->a;
    trunk->b = trunk->b == gone.b ? gone.a : trunk->b;
  }
  for (uint32_t host = 0; host < made->host_count; host++)
    if (made->hosts[host].at == gone.b)
      made->hosts[host].at = gone.a;
}

static inline void turn_trunk(struct made_trunk *trunk)
{
  const uint32_t a = trunk->a;
  trunk->a = trunk->b;
  trunk->b = a;
}

/* Of two cables in a row the narrower is what shows. */
static inline void narrow(double *bps, double *buffer_bytes, const struct made_trunk *trunk)
{
  if (trunk->bps >= *bps)
    return;
  *bps = trunk->bps;
  *buffer_bytes = trunk->buffer_bytes;
}

/* A switch without hosts in the middle of a way, with one host at the end of one, or with nothing:
   it can't be told from longer cables. */
static inline bool simplify_at(struct made_network *made, uint32_t t)
{
  struct made_trunk *trunk = &made->trunks[t];
  for (uint32_t turn = 0; turn < 2; turn++, turn_trunk(trunk)) {
    const uint32_t trunks = count_trunks_at(made, trunk->b), hosts = count_hosts_at(made, trunk->b);
    if (trunks + hosts > 2)
      continue;
    for (uint32_t host = 0; host < made->host_count; host++)
      if (made->hosts[host].at == trunk->b) {
        narrow(&made->hosts[host].bps, &made->hosts[host].buffer_bytes, trunk);
        made->hosts[host].ns += trunk->ns;
      }
    for (uint32_t other = 0; other < made->trunk_count; other++)
      if (other != t && (made->trunks[other].a == trunk->b || made->trunks[other].b == trunk->b)) {
        narrow(&made->trunks[other].bps, &made->trunks[other].buffer_bytes, trunk);
        made->trunks[other].ns += trunk->ns;
      }
    swallow_trunk(made, t);
    return true;
  }
  return false;
}

/* The network with everything left out that no measurement between its hosts could show. Switches
   keep their numbers, some of which nothing is at any more. */
static inline struct made_network visible_part(const struct made_network *made)
{
  struct made_network visible = *made;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t t = 0; !changed && t < visible.trunk_count; t++)
      changed = simplify_at(&visible, t);
  }
  return visible;
}

/* --- what is beyond a trunk --- */

/* Sets for each host whether it is beyond the trunk, seen from its end a. */
static inline void hosts_beyond(const struct made_network *made, uint32_t t, uint8_t *beyond)
{
  uint8_t reached[MADE_SWITCHES] = {0};
  reached[made->trunks[t].b] = 1;
  for (uint32_t round = 0; round < made->switch_count; round++)
    for (uint32_t other = 0; other < made->trunk_count; other++) {
      const struct made_trunk *trunk = &made->trunks[other];
      if (other != t && (reached[trunk->a] || reached[trunk->b]))
        reached[trunk->a] = reached[trunk->b] = 1;
    }
  for (uint32_t host = 0; host < made->host_count; host++)
    beyond[host] = reached[made->hosts[host].at];
}

/* The hosts beyond a trunk as a set; that without host 0, so that both ends give the same. */
static inline uint64_t division(const uint8_t *beyond, uint32_t host_count)
{
  uint64_t set = 0;
  for (uint32_t host = 0; host < host_count; host++)
    set |= (uint64_t)(beyond[host] != beyond[0]) << host;
  return set;
}

/* What all hosts behind a switch could send over its trunks but `t` together. */
static inline double flow_from(const struct made_network *made, uint32_t at, uint32_t t)
{
  double bps = 0;
  for (uint32_t host = 0; host < made->host_count; host++)
    if (made->hosts[host].at == at)
      bps += made->hosts[host].bps;
  for (uint32_t other = 0; other < made->trunk_count; other++) {
    const struct made_trunk *trunk = &made->trunks[other];
    if (other != t && (trunk->a == at || trunk->b == at))
      bps += fmin(trunk->bps, flow_from(made, trunk->a == at ? trunk->b : trunk->a, other));
  }
  return bps;
}

/* The most that a trunk could be given to carry. */
static inline double most_over(const struct made_network *made, uint32_t t)
{
  return fmin(flow_from(made, made->trunks[t].a, t), flow_from(made, made->trunks[t].b, t));
}

/* The network as a text, for who looks into a failure. */
static inline void show_network(const struct made_network *made)
{
  print_message("seed %llu: %u hosts, %u switches\n", (unsigned long long)made->seed,
                made->host_count, made->switch_count);
  for (uint32_t host = 0; host < made->host_count; host++)
    print_message("  host %u at %u: %.3g Mbit/s, %.0f bytes, %.0f ns\n", host, made->hosts[host].at,
                  made->hosts[host].bps / 1e6, made->hosts[host].buffer_bytes,
                  made->hosts[host].ns);
  for (uint32_t t = 0; t < made->trunk_count; t++)
    print_message("  trunk %u -- %u: %.3g Mbit/s in %u, %.0f bytes, %.0f ns, at most %.3g\n",
                  made->trunks[t].a, made->trunks[t].b, made->trunks[t].bps / 1e6,
                  made->trunks[t].cables, made->trunks[t].buffer_bytes, made->trunks[t].ns,
                  most_over(made, t) / 1e6);
}

#endif
