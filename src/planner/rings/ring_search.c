/* Local search for rings that collide less. A change takes a few messages off the links and puts
   others on; it is kept if the excess is less then. Only a change that takes off a message which
   crosses a link with excess can lower the excess, and only such changes are tried. */
#include "planner/rings/ring_search.h"

#include "core/alloc.h"
#include "core/error.h"

/* --- loads --- */

static tny_wide excess_of(const struct tny_ring_load *load, uint32_t link)
{
  const uint64_t cost = load->messages[link] * load->map->cost[link];
  const tny_wide beyond = cost > load->allowed ? cost - load->allowed : 0;
  return beyond * beyond;
}

static void add_message(struct tny_ring_load *load, uint32_t from, uint32_t to, int change)
{
  const struct tny_routes *routes = load->map->network->routes;
  uint32_t node = from, link;
  for (; (link = tny_routes_next(routes, node, to)) != TNY_NONE;
       node = routes->cluster->links[link].to) {
    load->excess -= excess_of(load, link);
    load->messages[link] += (uint32_t)change;
    load->excess += excess_of(load, link);
  }
}

/* Does the message cross a link with excess? */
static bool is_in_the_way(const struct tny_ring_load *load, uint32_t from, uint32_t to)
{
  const struct tny_routes *routes = load->map->network->routes;
  uint32_t node = from, link;
  for (; (link = tny_routes_next(routes, node, to)) != TNY_NONE;
       node = routes->cluster->links[link].to)
    if (load->messages[link] * load->map->cost[link] > load->allowed)
      return true;
  return false;
}

void tny_ring_load_walk(struct tny_ring_load *load, const struct tny_ring_walk *walk, int change)
{
  for (uint32_t i = 0; i < walk->count && walk->count > 1; i++)
    add_message(load, walk->hosts[i], walk->hosts[i + 1 < walk->count ? i + 1 : 0], change);
}

void tny_ring_load_allow(struct tny_ring_load *load, uint64_t allowed)
{
  load->allowed = allowed;
  load->excess = 0;
  for (uint32_t link = 0; link < load->map->network->routes->cluster->link_count; link++)
    load->excess += excess_of(load, link);
}

uint64_t tny_ring_load_most(const struct tny_ring_load *load)
{
  uint64_t most = 0;
  for (uint32_t link = 0; link < load->map->network->routes->cluster->link_count; link++) {
    const uint64_t cost = load->messages[link] * load->map->cost[link];
    most = cost > most ? cost : most;
  }
  return most;
}

/* --- changes --- */

struct search {
  struct tny_ring_load *load;
  const struct tny_ring_map *map;
  struct tny_ring_walk *walk;
  uint32_t *visits; /* by switch: how often the walk enters it */
  bool *is_entered; /* by host */
  bool improved;
};

struct message {
  uint32_t from, to;
};

enum { CHANGED_MAX = 3 };

struct change {
  uint32_t off_count, on_count;
  struct message off[CHANGED_MAX], on[CHANGED_MAX];
};

static uint32_t stop(const struct search *search, uint32_t index)
{
  return search->walk->hosts[index % search->walk->count];
}

static void apply(struct search *search, const struct change *change, int direction)
{
  for (uint32_t i = 0; i < change->off_count; i++)
    add_message(search->load, change->off[i].from, change->off[i].to, -direction);
  for (uint32_t i = 0; i < change->on_count; i++)
    add_message(search->load, change->on[i].from, change->on[i].to, direction);
}

/* Applies the change and keeps it if the excess is less then; with `for_nothing` also if the excess
   is the same. Else undoes it. */
static bool keep(struct search *search, const struct change *change, bool for_nothing)
{
  if (search->load->tries_left == 0)
    return false;
  search->load->tries_left--;
  bool is_useful = for_nothing;
  for (uint32_t i = 0; i < change->off_count && !is_useful; i++)
    is_useful = is_in_the_way(search->load, change->off[i].from, change->off[i].to);
  if (!is_useful)
    return false;
  const tny_wide before = search->load->excess;
  apply(search, change, 1);
  if (search->load->excess < before || (for_nothing && search->load->excess == before)) {
    search->improved |= search->load->excess < before;
    return true;
  }
  apply(search, change, -1);
  return false;
}

/* --- entering once more, once less, by another host --- */

static void put(struct search *search, uint32_t index, uint32_t host)
{
  struct tny_ring_walk *walk = search->walk;
  memmove(walk->hosts + index + 1, walk->hosts + index,
          (walk->count - index) * sizeof *walk->hosts);
  walk->hosts[index] = host;
  walk->count++;
  search->visits[search->map->home[host]]++;
  search->is_entered[host] = true;
}

static void take(struct search *search, uint32_t index)
{
  struct tny_ring_walk *walk = search->walk;
  const uint32_t host = walk->hosts[index];
  walk->count--;
  memmove(walk->hosts + index, walk->hosts + index + 1,
          (walk->count - index) * sizeof *walk->hosts);
  search->visits[search->map->home[host]]--;
  search->is_entered[host] = false;
}

/* A host of the switch by which it isn't entered; TNY_NONE: none. */
static uint32_t spare_host(const struct search *search, uint32_t at)
{
  const struct tny_ring_map *map = search->map;
  for (uint32_t i = map->first[at]; i < map->first[at + 1]; i++)
    if (!search->is_entered[map->hosts[i]])
      return map->hosts[i];
  return TNY_NONE;
}

static void enter_more(struct search *search)
{
  for (uint32_t at = 0; at < search->map->switch_count; at++) {
    const uint32_t host = spare_host(search, at);
    for (uint32_t i = 0; host != TNY_NONE && i < search->walk->count; i++) {
      const uint32_t before = stop(search, i), after = stop(search, i + 1);
      const struct change change = {1, 2, {{before, after}}, {{before, host}, {host, after}}};
      if (keep(search, &change, false)) {
        put(search, i + 1, host);
        break;
      }
    }
  }
}

static void enter_less(struct search *search)
{
  for (uint32_t i = search->walk->count; i-- > 0;) {
    const uint32_t here = stop(search, i);
    if (search->visits[search->map->home[here]] < 2)
      continue;
    const uint32_t before = stop(search, i + search->walk->count - 1), after = stop(search, i + 1);
    const struct change change = {2, 1, {{before, here}, {here, after}}, {{before, after}}};
    if (keep(search, &change, true))
      take(search, i);
  }
}

/* Parallel cables share the hosts behind them out: another one may come over another cable. */
static void enter_elsewhere(struct search *search)
{
  const struct tny_ring_map *map = search->map;
  for (uint32_t i = 0; i < search->walk->count && search->walk->count > 1; i++) {
    const uint32_t at = map->home[stop(search, i)];
    const uint32_t before = stop(search, i + search->walk->count - 1), after = stop(search, i + 1);
    for (uint32_t k = map->first[at]; k < map->first[at + 1]; k++) {
      const uint32_t host = map->hosts[k], here = stop(search, i);
      const struct change change = {
          2, 2, {{before, here}, {here, after}}, {{before, host}, {host, after}}};
      if (search->is_entered[host] || !keep(search, &change, false))
        continue;
      search->is_entered[here] = false;
      search->is_entered[host] = true;
      search->walk->hosts[i] = host;
    }
  }
}

/* --- another order --- */

enum { RUN_MAX = 3 };

static void reverse(uint32_t *hosts, uint32_t count)
{
  for (uint32_t i = 0, k = count; i + 1 < k; i++) {
    const uint32_t kept = hosts[i];
    hosts[i] = hosts[--k];
    hosts[k] = kept;
  }
}

/* Rotates the walk: the ring stays the same, but begins at another stop. */
static void begin_at(struct tny_ring_walk *walk, uint32_t index)
{
  reverse(walk->hosts, index);
  reverse(walk->hosts + index, walk->count - index);
  reverse(walk->hosts, walk->count);
}

/* Moves a run of stops behind another one, if that is better. It may be of one stop. */
static bool move_run(struct search *search, uint32_t from, uint32_t length)
{
  struct tny_ring_walk *walk = search->walk;
  const uint32_t count = walk->count;
  const struct message in = {stop(search, from + count - 1), stop(search, from)};
  const struct message out = {stop(search, from + length - 1), stop(search, from + length)};
  for (uint32_t offset = length; offset + 1 < count; offset++) {
    const struct message gap = {stop(search, from + offset), stop(search, from + offset + 1)};
    const struct change change = {
        3, 3, {in, out, gap}, {{in.from, out.to}, {gap.from, in.to}, {out.from, gap.to}}};
    if (!keep(search, &change, false))
      continue;
    begin_at(walk, from);
    begin_at(&(struct tny_ring_walk){offset + 1, walk->hosts}, length);
    return true;
  }
  return false;
}

static void reorder(struct search *search)
{
  for (uint32_t length = 1; length <= RUN_MAX && length + 2 <= search->walk->count; length++)
    for (uint32_t from = 0; from < search->walk->count; from++)
      move_run(search, from, length);
}

/* --- the whole --- */

enum { SWEEPS_MAX = 64 };

enum tny_status tny_ring_improve(struct tny_ring_load *load, struct tny_ring_walk *walk,
                                 struct tny_error *error)
{
  const struct tny_ring_map *map = load->map;
  struct search search = {
      .load = load,
      .map = map,
      .walk = walk,
      .visits = tny_new(map->switch_count, sizeof *search.visits),
      .is_entered = tny_new(map->network->routes->cluster->host_count, sizeof *search.is_entered),
      .improved = true};
  const bool done = search.visits && search.is_entered;
  for (uint32_t i = 0; done && i < walk->count; i++) {
    search.visits[map->home[walk->hosts[i]]]++;
    search.is_entered[walk->hosts[i]] = true;
  }
  for (uint32_t sweep = 0; done && search.improved && sweep < SWEEPS_MAX; sweep++) {
    search.improved = false;
    if (load->excess > 0) {
      enter_elsewhere(&search);
      reorder(&search);
      enter_more(&search);
    }
    enter_less(&search);
  }
  tny_free(search.visits);
  tny_free(search.is_entered);
  return done ? TNY_OK : tny_error_memory(error);
}
