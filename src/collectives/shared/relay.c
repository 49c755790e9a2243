/* The groups of a relay in the order of a ring, and whether they form a row or a star. */
#include "collectives/shared/relay.h"

#include "cluster/route.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/log2.h"
#include "planner/rings/rings.h"

/* --- spreading within a group --- */

/* Does the vertex, before a round with that turn, have the piece that was new `delay` rounds
   ago? */
static bool owns(const struct tny_circulant *graph, uint32_t vertex, uint32_t turn, uint32_t delay)
{
  int32_t receives[TNY_CIRCULANT_TURNS_MAX];
  const int32_t turns = (int32_t)graph->turns, born = (int32_t)turn - (int32_t)delay;
  const int32_t index = ((born % turns) + turns) % turns;
  tny_circulant_receives(graph, vertex, receives);
  for (int32_t k = 0; k < turns; k++)
    if (receives[k] == index || receives[k] == index - turns)
      return born - index + k + (receives[k] < 0 ? turns : 0) < (int32_t)turn;
  return false;
}

/* The least delay of that parity after which every vertex that would send to vertex 0 has the
   piece. */
static uint32_t find_spare(const struct tny_circulant *graph, uint32_t parity)
{
  for (uint32_t delay = 2 - parity;; delay += 2) {
    bool is_owned = true;
    for (uint32_t turn = 0; turn < graph->turns && is_owned; turn++)
      is_owned = owns(graph, graph->p - graph->skip[turn], turn, delay);
    if (is_owned)
      return delay;
  }
}

uint32_t tny_relay_spread(const struct tny_relay_group *group)
{
  const uint32_t handed = group->gateway != TNY_NONE && group->count > 0;
  if (group->count < 2)
    return handed;
  if (group->count == 2)
    return 2;
  const uint32_t turns = tny_log2_ceil(group->count - 1);
  const uint32_t last = group->count == 3 ? 0 : turns;
  return group->feed + (last > group->spare ? last : group->spare);
}

/* Chooses in which of its two rounds a gate of a group of three or more feeds the rest. */
static void set_feed(struct tny_relay_group *group, bool passes_on)
{
  if (group->count < 3)
    return;
  const struct tny_circulant graph = tny_circulant_make(group->count - 1);
  group->feed = 2;
  group->spare = find_spare(&graph, 0);
  if (passes_on)
    return;
  struct tny_relay_group soon = *group;
  soon.feed = 1;
  soon.spare = find_spare(&graph, 1);
  if (tny_relay_spread(&soon) < tny_relay_spread(group))
    *group = soon;
}

/* --- groups --- */

static uint32_t host_of(const struct tny_problem *problem, uint32_t rank)
{
  return problem->network->host_of_rank[rank];
}

/* The switch of a rank, as a node. */
static uint32_t switch_of(const struct tny_problem *problem, uint32_t rank)
{
  const struct tny_cluster *cluster = problem->network->routes->cluster;
  return cluster->switch_count > 0 ? tny_cluster_switch_of(cluster, host_of(problem, rank)) : 0;
}

/* Lays the ring out in the order of the relay: it begins where the ring enters the root's switch,
   but the root comes first, and then the ranks on its host. */
static void lay_order(const struct tny_problem *problem, const struct tny_rings *rings,
                      struct tny_relay *relay)
{
  const uint32_t p = problem->rank_count, *order = tny_rings_order(rings, 0);
  const uint32_t here = switch_of(problem, problem->root);
  uint32_t begin = tny_rings_position(rings, 0)[problem->root], count = 0, length = 0;
  for (uint32_t i = 1; i < p && switch_of(problem, order[(begin + p - 1) % p]) == here; i++)
    begin = (begin + p - 1) % p;
  while (length < p && switch_of(problem, order[(begin + length) % p]) == here)
    length++;
  relay->order[count++] = problem->root;
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < length; i++) {
      const uint32_t rank = order[(begin + i) % p];
      const bool is_mate = host_of(problem, rank) == host_of(problem, problem->root);
      if (rank != problem->root && is_mate == (pass == 0))
        relay->order[count++] = rank;
    }
  for (uint32_t i = length; i < p; i++)
    relay->order[count++] = order[(begin + i) % p];
}

/* The node whose ranks form the group of this one: its host, if several ranks share it, else its
   switch. */
static uint32_t key_of(const struct tny_problem *problem, const uint32_t *ranks_on, uint32_t rank)
{
  const uint32_t host = host_of(problem, rank);
  return ranks_on[host] > 1 ? host : switch_of(problem, rank);
}

/* Cuts the order into groups. Every rank but the root is in one. */
static enum tny_status cut_groups(const struct tny_problem *problem, struct tny_relay *relay,
                                  struct tny_error *error)
{
  const uint32_t p = problem->rank_count;
  uint32_t *ranks_on = tny_new(problem->network->routes->cluster->host_count, sizeof *ranks_on);
  if (!ranks_on)
    return tny_error_memory(error);
  for (uint32_t rank = 0; rank < p; rank++)
    ranks_on[host_of(problem, rank)]++;
  for (uint32_t i = 1; i < p; i++) {
    const uint32_t key = key_of(problem, ranks_on, relay->order[i]);
    if (i == 1 || key != key_of(problem, ranks_on, relay->order[i - 1]))
      relay->groups[relay->group_count++] =
          (struct tny_relay_group){.first = i, .gateway = TNY_NONE};
    relay->groups[relay->group_count - 1].count++;
  }
  relay->has_mates = p > 1 && key_of(problem, ranks_on, problem->root) ==
                                  key_of(problem, ranks_on, relay->order[1]);
  tny_free(ranks_on);
  return TNY_OK;
}

/* --- rows --- */

static void lay_row(struct tny_relay *relay)
{
  for (uint32_t i = 0; i < relay->group_count; i++) {
    struct tny_relay_group *group = &relay->groups[i];
    group->begin = i;
    set_feed(group, i + 1 < relay->group_count);
    const uint32_t end = i + 1 + tny_relay_spread(group);
    relay->tail = end > relay->tail ? end : relay->tail;
  }
}

/* The hops of a row, as loads on the links: hop i leads to group i. */
struct hops {
  const struct tny_problem *problem;
  const struct tny_relay *relay;
  uint32_t *last, *count; /* by link: the last hop on it, plus 1, and how many there are */
};

/* The route of a hop that enters its group by the rank `to`. */
static struct tny_route hop_route(const struct hops *hops, uint32_t hop, uint32_t parity,
                                  uint32_t to)
{
  const struct tny_relay *relay = hops->relay;
  const uint32_t from =
      hop > 0 ? tny_relay_gate(relay, &relay->groups[hop - 1], parity) : relay->root;
  return tny_route_begin(hops->problem->network, from, to);
}

/* Counts a hop once on each link of its route: its messages follow each other. */
static void count_hop(const struct hops *hops, uint32_t hop, uint32_t parity)
{
  const uint32_t to = tny_relay_gate(hops->relay, &hops->relay->groups[hop], parity);
  struct tny_route route = hop_route(hops, hop, parity, to);
  for (uint32_t link = tny_route_next(&route); link != TNY_NONE; link = tny_route_next(&route)) {
    hops->count[link] += hops->last[link] != hop + 1;
    hops->last[link] = hop + 1;
  }
}

/* The links on which a hop would meet others if it entered its group by that rank. */
static uint32_t count_meetings(const struct hops *hops, uint32_t hop, uint32_t to)
{
  struct tny_route route = hop_route(hops, hop, 0, to);
  uint32_t meetings = 0;
  for (uint32_t link = tny_route_next(&route); link != TNY_NONE; link = tny_route_next(&route))
    meetings += hops->last[link] != 0 && hops->last[link] != hop + 1;
  return meetings;
}

/* The ring enters each group by its first rank, which is the first gate. Chooses as second gate a
   rank whose route from outside meets no other hop, or as few as possible. */
static void choose_gate(const struct hops *hops, uint32_t hop)
{
  const struct tny_relay_group *group = &hops->relay->groups[hop];
  uint32_t *ranks = hops->relay->order + group->first, best = 1, least = TNY_NONE;
  for (uint32_t i = 1; i < group->count && least > 0; i++) {
    const uint32_t meetings = count_meetings(hops, hop, ranks[i]);
    if (meetings < least) {
      best = i;
      least = meetings;
    }
  }
  if (group->count > 1) {
    const uint32_t chosen = ranks[best];
    ranks[best] = ranks[1];
    ranks[1] = chosen;
  }
}

/* Chooses the gates of all groups, and counts the hops on the links. */
static enum tny_status route_row(const struct tny_problem *problem, struct tny_relay *relay,
                                 struct tny_error *error)
{
  const uint32_t link_count = problem->network->routes->cluster->link_count;
  uint32_t *memory = tny_new((size_t)2 * link_count, sizeof *memory);
  if (!memory)
    return tny_error_memory(error);
  const struct hops hops = {problem, relay, memory, memory + link_count};
  for (uint32_t hop = 0; hop < relay->group_count; hop++)
    count_hop(&hops, hop, 0);
  for (uint32_t hop = 0; hop < relay->group_count; hop++)
    choose_gate(&hops, hop);
  memset(memory, 0, (size_t)2 * link_count * sizeof *memory);
  for (uint32_t hop = 0; hop < relay->group_count; hop++)
    for (uint32_t parity = 0; parity < 2; parity++)
      count_hop(&hops, hop, parity);
  relay->link_messages = 1;
  for (uint32_t link = 0; link < link_count; link++)
    if (hops.count[link] > relay->link_messages)
      relay->link_messages = hops.count[link];
  tny_free(memory);
  return TNY_OK;
}

/* --- stars --- */

static void lay_star(struct tny_relay *relay)
{
  uint32_t slowest = 0, mates = 0;
  relay->is_star = true;
  for (uint32_t i = 0; i < relay->group_count; i++) {
    struct tny_relay_group *group = &relay->groups[i];
    const bool is_mates = relay->has_mates && i == 0;
    group->begin = is_mates ? 0 : relay->has_mates;
    if (!is_mates)
      group->gateway = relay->order[group->first + --group->count];
    set_feed(group, true);
    const uint32_t spread = tny_relay_spread(group);
    slowest = !is_mates && spread > slowest ? spread : slowest;
    mates = is_mates ? spread + 1 : mates;
  }
  const uint32_t outer = relay->has_mates + 2 * tny_log2_ceil(tny_relay_vertex_count(relay)) - 1;
  relay->tail = outer + slowest > mates ? outer + slowest : mates;
}

/* The users of a link where it isn't just one vertex. */
static const uint32_t nobody = 0, several = UINT32_MAX;

struct users {
  uint32_t *from, *to; /* by link: 1 + the vertex, or nobody, or several */
};

static void use(uint32_t *user, uint32_t vertex)
{
  *user = *user == nobody || *user == vertex ? vertex : several;
}

/* Notes a message between two vertices on the links of its route. Returns false where two such
   messages may meet on a link. A vertex sends one message a round and receives one, so messages of
   the same sender, or of the same receiver, never meet. */
static bool note(const struct users *users, const uint32_t vertices[2], struct tny_route route)
{
  for (uint32_t link = tny_route_next(&route); link != TNY_NONE; link = tny_route_next(&route)) {
    use(&users->from[link], vertices[0] + 1);
    use(&users->to[link], vertices[1] + 1);
    if (users->from[link] == several && users->to[link] == several)
      return false;
  }
  return true;
}

/* Can any vertex send to any other without meeting other messages on a link? */
static enum tny_status check_star(const struct tny_problem *problem, const struct tny_relay *relay,
                                  bool *is_free, struct tny_error *error)
{
  const uint32_t link_count = problem->network->routes->cluster->link_count;
  const uint32_t vertices = tny_relay_vertex_count(relay);
  uint32_t *memory = tny_new((size_t)2 * link_count, sizeof *memory);
  if (!memory)
    return tny_error_memory(error);
  const struct users users = {memory, memory + link_count};
  *is_free = true;
  for (uint32_t from = 0; from < vertices && *is_free; from++)
    for (uint32_t to = 1; to < vertices && *is_free; to++)
      for (uint32_t parity = 0; parity < 2 && *is_free && from != to; parity++)
        *is_free =
            note(&users, (const uint32_t[]){from, to},
                 tny_route_begin(problem->network, tny_relay_exit(relay, from, parity),
                                 tny_relay_gate(relay, tny_relay_group_at(relay, to), parity)));
  tny_free(memory);
  return TNY_OK;
}

/* --- the whole --- */

static enum tny_status new_relay(const struct tny_problem *problem, struct tny_relay **relay,
                                 struct tny_error *error)
{
  const size_t p = problem->rank_count;
  struct tny_relay *made = *relay = tny_new(1, sizeof *made);
  if (!made)
    return tny_error_memory(error);
  made->rank_count = problem->rank_count;
  made->root = problem->root;
  made->order = tny_new(p, sizeof *made->order);
  made->position = tny_new(p, sizeof *made->position);
  made->groups = tny_new(p, sizeof *made->groups);
  return made->order && made->position && made->groups ? TNY_OK : tny_error_memory(error);
}

/* Takes a row, unless a star of the same groups is possible and needs fewer rounds. */
static enum tny_status choose(const struct tny_problem *problem, struct tny_relay *relay,
                              struct tny_error *error)
{
  bool is_better = false;
  lay_row(relay);
  enum tny_status status = route_row(problem, relay, error);
  struct tny_relay star = *relay;
  star.groups = tny_new(problem->rank_count, sizeof *star.groups);
  if (!star.groups)
    return tny_error_memory(error);
  memcpy(star.groups, relay->groups, relay->group_count * sizeof *star.groups);
  if (tny_relay_vertex_count(&star) > 2)
    lay_star(&star);
  if (star.tail < relay->tail && status == TNY_OK)
    status = check_star(problem, &star, &is_better, error);
  if (is_better) {
    star.link_messages = 1;
    tny_free(relay->groups);
    *relay = star;
  } else {
    tny_free(star.groups);
  }
  return status;
}

enum tny_status tny_relay_make(const struct tny_problem *problem, struct tny_relay **relay,
                               struct tny_error *error)
{
  struct tny_rings *rings = NULL;
  enum tny_status status = new_relay(problem, relay, error);
  if (status == TNY_OK)
    status = tny_rings_make(problem, 1, &rings, error);
  if (status == TNY_OK) {
    lay_order(problem, rings, *relay);
    status = cut_groups(problem, *relay, error);
  }
  if (status == TNY_OK)
    status = choose(problem, *relay, error);
  for (uint32_t i = 0; status == TNY_OK && i < problem->rank_count; i++)
    (*relay)->position[(*relay)->order[i]] = i;
  tny_rings_free(rings);
  return status;
}

void tny_relay_free(struct tny_relay *relay)
{
  if (!relay)
    return;
  tny_free(relay->order);
  tny_free(relay->position);
  tny_free(relay->groups);
  tny_free(relay);
}
