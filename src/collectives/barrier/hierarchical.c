/* Barrier, level by level: ranks report to one on their host, hosts to one on their switch,
   switches along the trunks to the middle of their zone; the zones' leaders exchange; and the
   word goes back the same ways.

   Source: Kielmann, Hofman, Bal, Plaat, Bhoedjang, "MagPIe: MPI's collective communication
           operations for clustered wide area systems", whose clusters meet over a wide link
           once, all at the same time. The levels within a cluster are ours
   Needs:  any p, the cluster
   Shape:  p=4, zones 0 1 | 2 3:  1 -> 0  3 -> 2,  then 0 => 2  2 => 0,  then 0 -> 1  2 -> 3
           (=> crosses the wide link)
   Cost:   2 h + z - 1 rounds, with z zones, h rounds within the one that takes most. A wide link's
           latency is waited for once. Besides z (z - 1) messages between zones, 2 (p - z)
   Links:  one message a port and phase; a trunk carries one message there and one back in all, but
           for those of switches that have no ranks, and of wide ways that share a trunk
   Prefer: where ways differ in length: ranks on shared hosts, and above all sites far apart, where
           each round of dissemination crosses a wide link. On one switch, with a rank a host,
           dissemination has half the rounds

   Within a host, and among the hosts of a switch, ranks report along binomial trees. Trunks are
   followed along a breadth-first tree from the switch in the middle of the zone. A switch with
   ranks takes the reports of those behind it itself; in place of one without, the first behind
   it takes those of the others, along a binomial tree. A report is sent in the first phase in
   which its sender has all of its own and its receiver's port is free. Phases back are these in
   reverse. */
#include <stdlib.h>

#include "collectives/barrier/dissemination_rounds.h"
#include "collectives/list.h"
#include "collectives/shared/after.h"
#include "collectives/shared/groups.h"
#include "core/alloc.h"
#include "core/error.h"
#include "planner/position.h"

struct plan {
  uint32_t phases;       /* until every leader has all reports of its zone */
  uint32_t leader_count; /* one in each zone */
  /* In one piece of memory, by rank: */
  uint32_t *parent;      /* whom it reports to; TNY_NONE: it is a leader */
  uint32_t *phase;       /* of its report */
  uint32_t *first_child; /* count + 1: rank r is reported to by child[first_child[r]], .. */
  uint32_t *child;       /* by when they report */
  uint32_t *leaders;     /* leader_count */
};

/* The plan while it is made. */
struct draft {
  struct plan *plan;
  const struct tny_problem *problem;
  uint32_t *reports, report_count; /* who reports; each behind all that report to it */
  uint32_t *ready;                 /* by rank: the first phase in which it may report */
};

/* One report more, to a rank that hasn't reported yet. */
static void report(struct draft *draft, uint32_t from, uint32_t to)
{
  struct plan *plan = draft->plan;
  const uint32_t port = draft->ready[to], ready = draft->ready[from];
  plan->parent[from] = to;
  plan->phase[from] = ready > port ? ready : port;
  draft->ready[to] = plan->phase[from] + 1;
  draft->reports[draft->report_count++] = from;
}

/* The members, ranks, report to the first of them along a binomial tree. */
static void report_binomially(struct draft *draft, const uint32_t *members, uint32_t count)
{
  for (uint64_t distance = 1; distance < count; distance *= 2)
    for (uint64_t i = distance; i < count; i += 2 * distance)
      report(draft, members[i], members[i - distance]);
}

/* --- within a switch --- */

static uint32_t rank_at(const struct draft *draft, uint32_t position)
{
  return tny_position_rank(tny_problem_order(draft->problem), draft->problem->rank_count, position,
                           0);
}

/* The ranks of the hosts from one position to another report to the first. `members` has room for
   them. */
static void gather_hosts(struct draft *draft, struct tny_groups hosts, uint32_t first, uint32_t end,
                         uint32_t *members)
{
  uint32_t count = 0, host_count = 0;
  for (uint32_t position = first; position < end; position += count) {
    const uint32_t host = tny_groups_find(&hosts, position);
    count = tny_groups_first(&hosts, host + 1) - position;
    for (uint32_t i = 0; i < count; i++)
      members[host_count + i] = rank_at(draft, position + i);
    report_binomially(draft, members + host_count, count);
    host_count++; /* what stays is the host's first rank */
  }
  report_binomially(draft, members, host_count);
}

/* --- along the trunks --- */

/* The switches of one zone, breadth first from one of them. Arrays by node. */
struct walk {
  const struct tny_cluster *cluster;
  const uint32_t *zone_of; /* by switch */
  uint32_t zone;
  uint32_t *queue, count; /* the nodes reached */
  uint32_t *up;   /* the link by which a node was reached, seen from it; where it began: none */
  uint32_t *rank; /* whom the ranks on it and behind it report to; TNY_NONE: there are none */
};

static bool is_in_zone(const struct walk *walk, uint32_t node)
{
  const uint32_t hosts = walk->cluster->host_count;
  return node >= hosts && walk->zone_of[node - hosts] == walk->zone;
}

static void walk_from(struct walk *walk, uint32_t start)
{
  const struct tny_cluster *cluster = walk->cluster;
  const uint32_t nodes = cluster->host_count + cluster->switch_count;
  for (uint32_t node = 0; node < nodes; node++)
    walk->up[node] = TNY_NONE;
  walk->count = 0;
  walk->queue[walk->count++] = start;
  for (uint32_t head = 0; head < walk->count; head++) {
    const uint32_t node = walk->queue[head];
    for (uint32_t i = cluster->first_out[node]; i < cluster->first_out[node + 1]; i++) {
      const uint32_t link = cluster->out_links[i], to = cluster->links[link].to;
      if (to == start || walk->up[to] != TNY_NONE || !is_in_zone(walk, to))
        continue;
      walk->up[to] = link ^ 1;
      walk->queue[walk->count++] = to;
    }
  }
}

/* The node before it on the way to where the walk began, and there itself. */
static uint32_t above(const struct walk *walk, uint32_t node)
{
  return walk->up[node] == TNY_NONE ? node : walk->cluster->links[walk->up[node]].to;
}

/* Walks from the middle of the longest way: that between the node which is farthest from any, and
   the one which is farthest from it. Exact on a tree. */
static void walk_from_middle(struct walk *walk, uint32_t any)
{
  walk_from(walk, any);
  walk_from(walk, walk->queue[walk->count - 1]);
  uint32_t middle = walk->queue[walk->count - 1], length = 0;
  for (uint32_t node = middle; walk->up[node] != TNY_NONE; node = above(walk, node))
    length++;
  for (uint32_t i = 0; i < length / 2; i++)
    middle = above(walk, middle);
  walk_from(walk, middle);
}

/* A rank that reports for all behind a trunk. */
struct behind {
  uint32_t rank, ready;
};

static int compare(const void *a, const void *b)
{
  const struct behind *x = a, *y = b;
  if (x->ready != y->ready)
    return x->ready < y->ready ? -1 : 1;
  return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Collects those behind the trunks of a node. */
static uint32_t collect(const struct draft *draft, const struct walk *walk, uint32_t node,
                        struct behind *list)
{
  const struct tny_cluster *cluster = walk->cluster;
  uint32_t count = 0;
  for (uint32_t i = cluster->first_out[node]; i < cluster->first_out[node + 1]; i++) {
    const uint32_t link = cluster->out_links[i], to = cluster->links[link].to;
    if (walk->up[to] == (link ^ 1) && walk->rank[to] != TNY_NONE)
      list[count++] = (struct behind){walk->rank[to], draft->ready[walk->rank[to]]};
  }
  if (count > 1)
    qsort(list, count, sizeof *list, compare);
  return count;
}

/* Has those behind a node's trunks report, those first that are ready first. `list` and `members`
   have room for them. */
static void gather_trunks(struct draft *draft, const struct walk *walk, uint32_t node,
                          struct behind *list, uint32_t *members)
{
  const uint32_t count = collect(draft, walk, node, list);
  if (walk->rank[node] != TNY_NONE) {
    for (uint32_t i = 0; i < count; i++)
      report(draft, list[i].rank, walk->rank[node]);
    return;
  }
  for (uint32_t i = 0; i < count; i++) /* who is ready last is the first member */
    members[count - 1 - i] = list[i].rank;
  report_binomially(draft, members, count);
  if (count > 0)
    walk->rank[node] = members[0];
}

/* --- the plan --- */

/* Memory to work in. */
struct room {
  struct walk walk;
  uint32_t *zone_of, *members;
  struct behind *list;
  uint32_t *memory;
};

static enum tny_status make_room(const struct tny_problem *problem, struct room *room,
                                 struct tny_error *error)
{
  const struct tny_cluster *cluster = problem->network ? problem->network->routes->cluster : NULL;
  const size_t nodes = cluster ? cluster->host_count + (size_t)cluster->switch_count : 0;
  const size_t p = problem->rank_count;
  *room = (struct room){.walk = {.cluster = cluster},
                        .list = tny_new(nodes, sizeof *room->list),
                        .memory = tny_new(5 * nodes + p, sizeof *room->memory)};
  if (!room->list || !room->memory)
    return tny_error_memory(error);
  room->walk.queue = room->memory;
  room->walk.up = room->memory + nodes;
  room->walk.rank = room->memory + 2 * nodes;
  room->walk.zone_of = room->zone_of = room->memory + 3 * nodes;
  room->members = room->memory + 4 * nodes; /* room for all nodes, or all ranks */
  for (size_t node = 0; node < nodes; node++)
    room->walk.rank[node] = TNY_NONE;
  return TNY_OK;
}

static void release_room(struct room *room)
{
  tny_free(room->list);
  tny_free(room->memory);
}

/* The runs of positions that a placement knows; one of all where there is none. */
static struct tny_groups runs_of(const struct tny_problem *problem, const uint32_t *first,
                                 uint32_t count)
{
  return (struct tny_groups){
      .count = first ? count : 1, .rank_count = problem->rank_count, .first = first};
}

static struct tny_groups zones_of(const struct tny_problem *problem)
{
  const struct tny_placement *placement = problem->placement;
  return placement ? runs_of(problem, placement->zone_first, placement->zone_count)
                   : runs_of(problem, NULL, 1);
}

/* Has the ranks on each switch of a zone report to one of them. `members` gets these ranks. */
static uint32_t gather_switches(struct draft *draft, uint32_t first, uint32_t end,
                                uint32_t *members)
{
  const struct tny_problem *problem = draft->problem;
  const struct tny_groups switches = tny_groups_switches(problem);
  const struct tny_placement *placement = problem->placement;
  const bool has_hosts = placement && placement->host_first;
  const struct tny_groups hosts = {.count = has_hosts ? placement->host_count : problem->rank_count,
                                   .rank_count = problem->rank_count,
                                   .first = has_hosts ? placement->host_first : NULL};
  uint32_t count = 0;
  for (uint32_t position = first; position < end;) {
    const uint32_t next = tny_groups_first(&switches, tny_groups_find(&switches, position) + 1);
    gather_hosts(draft, hosts, position, next, members + count);
    count++; /* what stays is the switch's first rank */
    position = next;
  }
  return count;
}

/* Has the switches of a zone report along its trunks, given a rank on each. Returns the leader. */
static uint32_t gather_zone(struct draft *draft, struct room *room, uint32_t count)
{
  struct walk *walk = &room->walk;
  const struct tny_cluster *cluster = walk->cluster;
  if (!cluster || cluster->switch_count == 0) {
    report_binomially(draft, room->members, count);
    return room->members[0];
  }
  const uint32_t *host_of_rank = draft->problem->network->host_of_rank;
  uint32_t node = 0;
  for (uint32_t i = count; i-- > 0;) {
    node = tny_cluster_switch_of(cluster, host_of_rank[room->members[i]]);
    walk->rank[node] = room->members[i];
  }
  walk->zone = walk->zone_of[node - cluster->host_count];
  walk_from_middle(walk, node);
  for (uint32_t i = walk->count; i-- > 0;)
    gather_trunks(draft, walk, walk->queue[i], room->list, room->members);
  return walk->rank[walk->queue[0]];
}

/* Where all ranks are one zone for their order, switches aren't told apart by zones either. */
static enum tny_status find_zones(struct room *room, uint32_t zone_count, struct tny_error *error)
{
  uint32_t found;
  if (!room->walk.cluster || zone_count == 1)
    return TNY_OK;
  return tny_cluster_zones(room->walk.cluster, room->zone_of, &found, error);
}

/* Lists who reports to whom, by when. */
static void list_children(const struct draft *draft)
{
  struct plan *plan = draft->plan;
  const uint32_t p = draft->problem->rank_count;
  for (uint32_t rank = 0; rank < p; rank++)
    if (plan->parent[rank] != TNY_NONE)
      plan->first_child[plan->parent[rank] + 1]++;
  for (uint32_t rank = 0; rank < p; rank++)
    plan->first_child[rank + 1] += plan->first_child[rank];
  uint32_t *next = draft->ready; /* it has served */
  for (uint32_t rank = 0; rank < p; rank++)
    next[rank] = plan->first_child[rank];
  for (uint32_t i = 0; i < draft->report_count; i++)
    plan->child[next[plan->parent[draft->reports[i]]]++] = draft->reports[i];
}

static enum tny_status fill(struct draft *draft, struct tny_error *error)
{
  struct plan *plan = draft->plan;
  const struct tny_groups zones = zones_of(draft->problem);
  struct room room;
  enum tny_status status = make_room(draft->problem, &room, error);
  if (status == TNY_OK)
    status = find_zones(&room, zones.count, error);
  for (uint32_t rank = 0; rank < draft->problem->rank_count; rank++)
    plan->parent[rank] = TNY_NONE;
  for (uint32_t zone = 0; status == TNY_OK && zone < zones.count; zone++) {
    const uint32_t first = tny_groups_first(&zones, zone), end = tny_groups_first(&zones, zone + 1);
    const uint32_t count = gather_switches(draft, first, end, room.members);
    const uint32_t leader = gather_zone(draft, &room, count);
    plan->leaders[plan->leader_count++] = leader;
    if (draft->ready[leader] > plan->phases)
      plan->phases = draft->ready[leader];
  }
  if (status == TNY_OK)
    list_children(draft);
  release_room(&room);
  return status;
}

static void release(void *prepared)
{
  struct plan *plan = prepared;
  tny_free(plan->parent);
  tny_free(plan);
}

static enum tny_status prepare(const struct tny_problem *problem, void **prepared,
                               struct tny_error *error)
{
  const size_t p = problem->rank_count;
  struct plan *plan = tny_new(1, sizeof *plan);
  if (!plan)
    return tny_error_memory(error);
  *prepared = plan;
  uint32_t *working = tny_new(2 * p, sizeof *working);
  plan->parent = tny_new(5 * p + 1, sizeof *plan->parent);
  enum tny_status status = TNY_OK;
  if (!plan->parent || !working) {
    status = tny_error_memory(error);
  } else {
    plan->phase = plan->parent + p;
    plan->child = plan->parent + 2 * p;
    plan->leaders = plan->parent + 3 * p;
    plan->first_child = plan->parent + 4 * p;
    struct draft draft = {
        .plan = plan, .problem = problem, .reports = working, .ready = working + p};
    status = fill(&draft, error);
  }
  tny_free(working);
  return status;
}

/* --- the claim and the steps --- */

/* The leaders exchange all with all. */
static struct tny_dissemination exchange_of(const struct plan *plan)
{
  return (struct tny_dissemination){
      .members = plan->leaders, .count = plan->leader_count, .ways = plan->leader_count};
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct plan *plan = problem->prepared;
  const struct tny_dissemination leaders = exchange_of(plan);
  const uint32_t phases = 2 * plan->phases + tny_dissemination_phases(&leaders);
  return (struct tny_claim){.rounds = phases,
                            .phases = phases,
                            .port_messages = 1,
                            .tree_link_messages = plan->leader_count <= 2 ? 1 : 0};
}

static void exchange(const struct plan *plan, uint32_t leader, struct tny_builder *builder)
{
  const struct tny_dissemination leaders = exchange_of(plan);
  uint32_t member = 0;
  while (plan->leaders[member] != leader)
    member++;
  tny_dissemination_emit(&leaders, member, plan->phases, builder);
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const struct plan *plan = problem->prepared;
  const struct tny_dissemination leaders = exchange_of(plan);
  const uint32_t last = 2 * plan->phases + tny_dissemination_phases(&leaders) - 1;
  const uint32_t first = plan->first_child[rank], end = plan->first_child[rank + 1];
  const uint32_t parent = plan->parent[rank];
  uint32_t since = 0;
  for (uint32_t i = first; i < end; i++)
    tny_builder_recv(builder, plan->child[i], tny_span_nothing(), plan->phase[plan->child[i]]);
  const uint32_t heard = builder->steps.count;
  if (parent == TNY_NONE) {
    exchange(plan, rank, builder);
  } else {
    tny_builder_send(builder, parent, tny_span_nothing(), plan->phase[rank]);
    tny_after_receives(builder, 0, heard);
    since = tny_builder_recv(builder, parent, tny_span_nothing(), last - plan->phase[rank]);
  }
  const uint32_t told = builder->steps.count;
  for (uint32_t i = end; i-- > first;) {
    tny_builder_send(builder, plan->child[i], tny_span_nothing(),
                     last - plan->phase[plan->child[i]]);
    tny_after_receives(builder, since, told);
  }
}

const struct tny_algorithm tny_barrier_hierarchical = {
    .collective = TNY_BARRIER,
    .name = "hierarchical",
    .source = "kielmann1999",
    .summary = "along hosts, switches and trunks to the middle of each zone, which exchange; back",
    .needs = "any p, the cluster",
    .cut = TNY_CUT_NEVER,
    .pacing = TNY_PACE_NONE,
    .prepare = prepare,
    .release = release,
    .claim = claim,
    .emit = emit,
};
