/* Rates: what streams get together; of trunks by streams across; like ones made alike. */
#include <math.h>
#include <stddef.h>

#include <tourney/cluster.h>

#include "discover/alike.h"
#include "discover/search.h"

#define FILLED 0.85 /* of what streams could get if a trunk were no limit: less, and it is one */
#define LIKE_TRUNKS 0.05 /* by so much do rates differ that are taken for one */
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

bool tny_search_most(struct tny_search *search, uint32_t count, double seconds, double *second)
{
  double most = 0;
  *second = 0;
  for (uint32_t again = 0; again <= TNY_AGAIN_MAX && most >= (1 + TNY_GAIN) * *second; again++) {
    if (!search->probes->streams(search->probes->state, search->streams, count, seconds, NULL))
      return false;
    const double bps = sum_bps(search, count);
    *second = fmax(*second, fmin(bps, most));
    most = fmax(bps, most);
    turn_round(search, count);
  }
  return true;
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
  return tny_search_most(search, count, TNY_TRUNK_SECONDS, &search->found->trunks[t].bps);
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
  settle(search->numbers, search->found->hosts, search->host_count, TNY_LIKE_HOSTS);
  settle(search->numbers, search->found->trunks, search->found->tree.trunk_count, LIKE_TRUNKS);
}
