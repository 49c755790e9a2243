/* Max-min fair shares by filling: the cable that leaves least to each of its streams gives it to
   them, again and again. */
#include "discover/shares.h"

#include <math.h>

#include <tourney/cluster.h>

#include "core/alloc.h"
#include "core/error.h"

#define USED_UP 0.1 /* a port of which less is left may have a queue */

/* --- ways --- */

/* Breadth first would need a queue: the trunks are few, and are gone through until nothing changes.
 */
static void find_ways(struct tny_shares *shares)
{
  const struct tny_tree *tree = &shares->found->tree;
  for (uint32_t s = 0; s < tree->switch_count; s++)
    shares->parent[s] = s == 0 ? 0 : TNY_NONE;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t t = 0; t < tree->trunk_count; t++) {
      const uint32_t a = tree->trunks[t].a, b = tree->trunks[t].b;
      if ((shares->parent[a] == TNY_NONE) == (shares->parent[b] == TNY_NONE))
        continue;
      const uint32_t above = shares->parent[a] == TNY_NONE ? b : a, below = a ^ b ^ above;
      shares->parent[below] = above;
      shares->trunk[below] = t;
      shares->depth[below] = shares->depth[above] + 1;
      changed = true;
    }
  }
}

enum tny_status tny_shares_make(const struct tny_discovery *found, struct tny_shares *shares,
                                struct tny_error *error)
{
  const size_t switches = found->tree.switch_count;
  const size_t directions = 2 * ((size_t)found->tree.host_count + found->tree.trunk_count);
  *shares = (struct tny_shares){.found = found,
                                .parent = tny_new(switches, sizeof *shares->parent),
                                .trunk = tny_new(switches, sizeof *shares->trunk),
                                .depth = tny_new(switches, sizeof *shares->depth),
                                .left = tny_new(directions, sizeof *shares->left),
                                .users = tny_new(directions, sizeof *shares->users)};
  if (!shares->parent || !shares->trunk || !shares->depth || !shares->left || !shares->users)
    return tny_error_memory(error);
  find_ways(shares);
  return TNY_OK;
}

void tny_shares_release(struct tny_shares *shares)
{
  tny_free(shares->parent);
  tny_free(shares->trunk);
  tny_free(shares->depth);
  tny_free(shares->left);
  tny_free(shares->users);
  *shares = (struct tny_shares){0};
}

/* A walk over the directions of cables on a stream's way: those of hosts come first, two each. */
struct walk {
  const struct tny_shares *shares;
  uint32_t up, down; /* switches that have still to meet */
  uint32_t from, to; /* hosts; TNY_NONE: done */
};

static struct walk walk_begin(const struct tny_shares *shares,
                              const struct tny_stream_probe *stream)
{
  const uint32_t *switch_of = shares->found->tree.switch_of;
  return (struct walk){shares, switch_of[stream->from], switch_of[stream->to], stream->from,
                       stream->to};
}

static bool walk_next(struct walk *walk, uint32_t *direction)
{
  const struct tny_shares *shares = walk->shares;
  const uint32_t hosts = shares->found->tree.host_count;
  if (walk->from != TNY_NONE) {
    *direction = 2 * walk->from;
    walk->from = TNY_NONE;
  } else if (walk->to != TNY_NONE) {
    *direction = 2 * walk->to + 1;
    walk->to = TNY_NONE;
  } else if (walk->up == walk->down) {
    return false;
  } else {
    const bool ascends = shares->depth[walk->up] >= shares->depth[walk->down];
    uint32_t *end = ascends ? &walk->up : &walk->down;
    *direction = 2 * (hosts + shares->trunk[*end]) + !ascends;
    *end = shares->parent[*end];
  }
  return true;
}

/* --- shares --- */

static uint32_t count_directions(const struct tny_shares *shares)
{
  return 2 * (shares->found->tree.host_count + shares->found->tree.trunk_count);
}

static double cable_bps(const struct tny_shares *shares, uint32_t cable)
{
  const uint32_t hosts = shares->found->tree.host_count;
  return cable < hosts ? shares->found->hosts[cable].bps : shares->found->trunks[cable - hosts].bps;
}

static void begin(struct tny_shares *shares, struct tny_stream_probe *streams, uint32_t count,
                  uint32_t unlimited)
{
  for (uint32_t d = 0; d < count_directions(shares); d++) {
    shares->users[d] = 0;
    shares->left[d] = d / 2 == unlimited ? INFINITY : cable_bps(shares, d / 2);
  }
  for (uint32_t i = 0; i < count; i++) {
    uint32_t d;
    streams[i].bps = -1;
    for (struct walk walk = walk_begin(shares, &streams[i]); walk_next(&walk, &d);)
      shares->users[d]++;
  }
}

/* The direction that leaves least to each of its streams, or TNY_NONE. */
static uint32_t find_tightest(const struct tny_shares *shares)
{
  uint32_t tightest = TNY_NONE;
  for (uint32_t d = 0; d < count_directions(shares); d++)
    if (shares->users[d] &&
        (tightest == TNY_NONE ||
         shares->left[d] / shares->users[d] < shares->left[tightest] / shares->users[tightest]))
      tightest = d;
  return tightest;
}

static bool leads_over(const struct tny_shares *shares, const struct tny_stream_probe *stream,
                       uint32_t direction)
{
  uint32_t d;
  for (struct walk walk = walk_begin(shares, stream); walk_next(&walk, &d);)
    if (d == direction)
      return true;
  return false;
}

static void give(struct tny_shares *shares, struct tny_stream_probe *stream, double bps)
{
  uint32_t d;
  stream->bps = bps;
  for (struct walk walk = walk_begin(shares, stream); walk_next(&walk, &d);) {
    shares->users[d]--;
    shares->left[d] = fmax(0, shares->left[d] - bps);
  }
}

double tny_shares_find(struct tny_shares *shares, struct tny_stream_probe *streams, uint32_t count,
                       uint32_t unlimited)
{
  double sum = 0;
  begin(shares, streams, count, unlimited);
  for (uint32_t d; (d = find_tightest(shares)) != TNY_NONE;) {
    const double bps = shares->left[d] / shares->users[d];
    for (uint32_t i = 0; i < count; i++)
      if (streams[i].bps < 0 && leads_over(shares, &streams[i], d)) {
        give(shares, &streams[i], bps);
        sum += bps;
      }
  }
  return sum;
}

static double find_delay(const struct tny_shares *shares, const struct tny_stream_probe *way,
                         uint32_t cable)
{
  double seconds = 0;
  uint32_t d;
  for (struct walk walk = walk_begin(shares, way); walk_next(&walk, &d);)
    if (d / 2 != cable && shares->left[d] < USED_UP * cable_bps(shares, d / 2))
      seconds += 8 / cable_bps(shares, d / 2);
  return seconds;
}

double tny_shares_delay(const struct tny_shares *shares, uint32_t from, uint32_t to, uint32_t cable)
{
  return find_delay(shares, &(struct tny_stream_probe){.from = from, .to = to}, cable) +
         find_delay(shares, &(struct tny_stream_probe){.from = to, .to = from}, cable);
}
