/* Finds rings. The candidates are walks through the switches that most often are free of
   collisions: in switch order, by number, and around spanning trees of the switches. A walk that
   enters a switch each time it passes it uses only cables of the tree, each once either way; it is
   free of collisions wherever switches have enough hosts and the routes between neighbours are
   direct. A walk that enters each switch only once is free of collisions on trees, and often
   elsewhere. ring_search.c then improves the best walk. Where several rings are wanted, each is
   fitted to those before, and then all are improved in turn. */
#include "planner/rings/rings.h"

#include "core/alloc.h"
#include "core/error.h"
#include "planner/rings/ring_search.h"

enum {
  ROOTS_MAX = 16,    /* so many roots of spanning trees are tried */
  ROUNDS_MAX = 4,    /* in which several rings are fitted to each other */
  WORTH_SHARE = 50,  /* more rings must save this part of the time: 1 of 50 */
  TRIES_MAX = 50000, /* changes of walks that are tried for one set of rings */
};

/* Rings as walks from host to host, while they are searched for. */
struct draft {
  const struct tny_problem *problem;
  struct tny_ring_map *map;
  struct tny_ring_load load; /* of all walks so far */
  uint32_t count;
  struct tny_ring_walk walks[TNY_RINGS_MAX];
  struct tny_ring_walk tried; /* room for one */
};

/* --- one walk --- */

/* The best of the walks considered so far. */
struct selection {
  struct draft *draft;
  struct tny_ring_walk *best;
  tny_wide excess; /* of the load with it and the walks before */
};

static void reverse_walk(struct tny_ring_walk *walk)
{
  for (uint32_t i = 0, k = walk->count; i + 1 < k; i++) {
    const uint32_t kept = walk->hosts[i];
    walk->hosts[i] = walk->hosts[--k];
    walk->hosts[k] = kept;
  }
}

/* Takes the tried walk, or its reverse, if it has less excess than the best, or as little with
   fewer messages. */
static void consider(struct selection *selection)
{
  struct draft *draft = selection->draft;
  struct tny_ring_walk *tried = &draft->tried, *best = selection->best;
  for (int way = 0; way < 2; way++) {
    tny_ring_load_walk(&draft->load, tried, 1);
    const tny_wide excess = draft->load.excess;
    tny_ring_load_walk(&draft->load, tried, -1);
    if (best->count == 0 || excess < selection->excess ||
        (excess == selection->excess && tried->count < best->count)) {
      best->count = tried->count;
      memcpy(best->hosts, tried->hosts, tried->count * sizeof *tried->hosts);
      selection->excess = excess;
    }
    reverse_walk(tried);
  }
}

static bool is_perfect(const struct selection *selection)
{
  return selection->best->count > 0 && selection->excess == 0;
}

static enum tny_status consider_order(struct selection *selection, const uint32_t *ranks,
                                      struct tny_error *error)
{
  struct draft *draft = selection->draft;
  const enum tny_status status =
      tny_ring_map_follow(draft->map, ranks, draft->problem->rank_count, &draft->tried, error);
  if (status == TNY_OK)
    consider(selection);
  return status;
}

static enum tny_status consider_trees(struct selection *selection, bool enters_often,
                                      struct tny_error *error)
{
  struct draft *draft = selection->draft;
  const uint32_t switch_count = draft->map->switch_count;
  const uint32_t roots = switch_count < ROOTS_MAX ? switch_count : ROOTS_MAX;
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; status == TNY_OK && i < 2 * roots && !is_perfect(selection); i++) {
    const struct tny_ring_tree tree = {.root = (uint32_t)((uint64_t)(i / 2) * switch_count / roots),
                                       .is_deep = i % 2 == 1,
                                       .enters_often = enters_often};
    status = tny_ring_map_walk(draft->map, &tree, &draft->tried, error);
    if (status == TNY_OK)
      consider(selection);
  }
  return status;
}

/* Finds a walk for the load of those before, and adds it to the load. */
static enum tny_status find_walk(struct draft *draft, struct tny_ring_walk *walk,
                                 struct tny_error *error)
{
  struct selection selection = {.draft = draft, .best = walk};
  walk->count = 0;
  enum tny_status status = TNY_OK;
  if (draft->problem->placement)
    status = consider_order(&selection, draft->problem->placement->order, error);
  if (status == TNY_OK && !is_perfect(&selection))
    status = consider_order(&selection, NULL, error);
  if (status == TNY_OK)
    status = consider_trees(&selection, false, error);
  if (status == TNY_OK)
    status = consider_trees(&selection, true, error);
  tny_ring_load_walk(&draft->load, walk, 1);
  return status == TNY_OK ? tny_ring_improve(&draft->load, walk, error) : status;
}

/* --- several walks --- */

static enum tny_status find_walks(struct draft *draft, uint32_t count, struct tny_error *error)
{
  const uint64_t goal = draft->map->goal;
  const uint32_t link_count = draft->map->network->routes->cluster->link_count;
  enum tny_status status = TNY_OK;
  draft->load.tries_left = TRIES_MAX;
  memset(draft->load.messages, 0, link_count * sizeof *draft->load.messages);
  for (draft->count = 0; status == TNY_OK && draft->count < count; draft->count++) {
    tny_ring_load_allow(&draft->load, (draft->count + 1) * goal);
    status = find_walk(draft, &draft->walks[draft->count], error);
  }
  for (uint32_t i = 0; status == TNY_OK && i < ROUNDS_MAX * count; i++)
    if (draft->load.excess > 0 && count > 1)
      status = tny_ring_improve(&draft->load, &draft->walks[i % count], error);
  return status;
}

/* Finds as many walks as pay off; one, if that costs no link more than it must. A second search for
   the same number finds the same walks. */
static enum tny_status find_best(struct draft *draft, struct tny_error *error)
{
  static const uint32_t counts[] = {1, 2, 4, 3, 6, 8};
  uint64_t least = UINT64_MAX; /* the cost of the fullest link, for one block over all rings */
  uint32_t best = 1;
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < sizeof counts / sizeof *counts; i++) {
    const uint32_t count = counts[i];
    status = find_walks(draft, count, error);
    const uint64_t cost = tny_ring_load_most(&draft->load) / count;
    if (cost < least - least / WORTH_SHARE) {
      least = cost;
      best = count;
    }
    if (least <= draft->map->goal)
      break;
  }
  if (status == TNY_OK && best != draft->count)
    status = find_walks(draft, best, error);
  return status;
}

static void draft_release(struct draft *draft)
{
  tny_ring_map_free(draft->map);
  tny_free(draft->load.messages);
  tny_free(draft->tried.hosts);
}

/* The walks share one block of memory, the tried one's. */
static enum tny_status draft_make(struct draft *draft, struct tny_error *error)
{
  const struct tny_problem *problem = draft->problem;
  enum tny_status status =
      tny_ring_map_make(problem->network, problem->rank_count, &draft->map, error);
  if (status != TNY_OK)
    return status;
  const size_t hosts = draft->map->host_count;
  draft->load.map = draft->map;
  draft->load.messages =
      tny_new(problem->network->routes->cluster->link_count, sizeof *draft->load.messages);
  draft->tried.hosts = tny_new((TNY_RINGS_MAX + 1) * hosts, sizeof *draft->tried.hosts);
  if (!draft->load.messages || !draft->tried.hosts)
    return tny_error_memory(error);
  for (uint32_t i = 0; i < TNY_RINGS_MAX; i++)
    draft->walks[i].hosts = draft->tried.hosts + (i + 1) * hosts;
  return TNY_OK;
}

/* --- from hosts to ranks --- */

/* The rings while they are filled. */
struct filling {
  struct tny_rings shown; /* first, so that a pointer to it is one to this */
  uint32_t *order, *position;
};

/* Ranks host by host: those of a host are ranks[first[host]] .. ranks[first[host + 1]). */
struct ranks_by_host {
  uint32_t *first, *ranks;
};

static void group_ranks(const struct tny_problem *problem, struct ranks_by_host *ranks_by_host)
{
  const uint32_t *host_of_rank = problem->network->host_of_rank;
  const uint32_t host_count = problem->network->routes->cluster->host_count;
  for (uint32_t rank = 0; rank < problem->rank_count; rank++)
    ranks_by_host->first[host_of_rank[rank] + 1]++;
  for (uint32_t host = 0; host < host_count; host++)
    ranks_by_host->first[host + 1] += ranks_by_host->first[host];
  for (uint32_t rank = problem->rank_count; rank-- > 0;)
    ranks_by_host->ranks[--ranks_by_host->first[host_of_rank[rank] + 1]] = rank;
  for (uint32_t host = 0; host < host_count; host++)
    ranks_by_host->first[host] = ranks_by_host->first[host + 1];
  ranks_by_host->first[host_count] = problem->rank_count;
}

static void append(const struct ranks_by_host *ranks_by_host, uint32_t host, uint32_t *order,
                   uint32_t *count)
{
  for (uint32_t i = ranks_by_host->first[host]; i < ranks_by_host->first[host + 1]; i++)
    order[(*count)++] = ranks_by_host->ranks[i];
}

/* How far a ring is filled. */
struct marks {
  bool *is_stop;            /* by host: the walk enters a switch there */
  uint32_t *stops, *passed; /* by switch: how often the walk enters it; how often it has so far */
};

static bool marks_make(const struct tny_ring_map *map, struct marks *marks)
{
  marks->is_stop = tny_new(map->network->routes->cluster->host_count, sizeof *marks->is_stop);
  marks->stops = tny_new(map->switch_count, sizeof *marks->stops);
  marks->passed = tny_new(map->switch_count, sizeof *marks->passed);
  return marks->is_stop && marks->stops && marks->passed;
}

static void marks_release(struct marks *marks)
{
  tny_free(marks->is_stop);
  tny_free(marks->stops);
  tny_free(marks->passed);
}

static void mark(const struct tny_ring_map *map, const struct tny_ring_walk *walk,
                 struct marks *marks)
{
  memset(marks->is_stop, 0, map->network->routes->cluster->host_count * sizeof *marks->is_stop);
  memset(marks->stops, 0, map->switch_count * sizeof *marks->stops);
  memset(marks->passed, 0, map->switch_count * sizeof *marks->passed);
  for (uint32_t i = 0; i < walk->count; i++) {
    marks->is_stop[walk->hosts[i]] = true;
    marks->stops[map->home[walk->hosts[i]]]++;
  }
}

/* Behind each stop comes an equal part of its switch's other hosts. */
static void fill_ring(const struct draft *draft, const struct tny_ring_walk *walk,
                      const struct ranks_by_host *ranks_by_host, const struct marks *marks,
                      uint32_t *order)
{
  const struct tny_ring_map *map = draft->map;
  uint32_t count = 0;
  for (uint32_t i = 0; i < walk->count; i++) {
    const uint32_t at = map->home[walk->hosts[i]];
    const uint64_t stops = marks->stops[at], passed = marks->passed[at]++;
    const uint64_t others = tny_ring_map_size(map, at) - stops;
    uint64_t other = 0;
    append(ranks_by_host, walk->hosts[i], order, &count);
    for (uint32_t k = map->first[at]; k < map->first[at + 1]; k++) {
      if (marks->is_stop[map->hosts[k]])
        continue;
      if (other >= others * passed / stops && other < others * (passed + 1) / stops)
        append(ranks_by_host, map->hosts[k], order, &count);
      other++;
    }
  }
}

static enum tny_status fill(const struct draft *draft, struct filling *filling,
                            struct tny_error *error)
{
  const struct tny_problem *problem = draft->problem;
  const size_t host_count = problem->network->routes->cluster->host_count;
  struct ranks_by_host ranks_by_host = {
      .first = tny_new(host_count + 1, sizeof *ranks_by_host.first),
      .ranks = tny_new(problem->rank_count, sizeof *ranks_by_host.ranks)};
  struct marks marks;
  const bool has_marks = marks_make(draft->map, &marks);
  const bool done = ranks_by_host.first && ranks_by_host.ranks && has_marks;
  if (done) {
    group_ranks(problem, &ranks_by_host);
    for (uint32_t i = 0; i < draft->count; i++) {
      mark(draft->map, &draft->walks[i], &marks);
      fill_ring(draft, &draft->walks[i], &ranks_by_host, &marks,
                filling->order + (size_t)i * problem->rank_count);
    }
  }
  tny_free(ranks_by_host.first);
  tny_free(ranks_by_host.ranks);
  marks_release(&marks);
  return done ? TNY_OK : tny_error_memory(error);
}

static struct filling *filling_new(uint32_t rank_count, uint32_t count)
{
  struct filling *filling = tny_new(1, sizeof *filling);
  uint32_t *memory = tny_new((size_t)2 * rank_count * count, sizeof *memory);
  if (!filling || !memory) {
    tny_free(filling);
    tny_free(memory);
    return NULL;
  }
  filling->order = memory;
  filling->position = memory + (size_t)rank_count * count;
  filling->shown = (struct tny_rings){rank_count, count, filling->order, filling->position};
  return filling;
}

static enum tny_status fill_all(const struct draft *draft, struct tny_rings **rings,
                                struct tny_error *error)
{
  const struct tny_problem *problem = draft->problem;
  const uint32_t p = problem->rank_count, count = draft->count;
  struct filling *filling = filling_new(p, count);
  if (!filling)
    return tny_error_memory(error);
  const enum tny_status status = fill(draft, filling, error);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t index = 0; index < p; index++)
      filling->position[(size_t)i * p + filling->order[(size_t)i * p + index]] = index;
  *rings = &filling->shown;
  return status;
}

/* Fills the rings, unless something failed before, and releases the draft. */
static enum tny_status finish(struct draft *draft, enum tny_status status, struct tny_rings **rings,
                              struct tny_error *error)
{
  *rings = NULL;
  if (status == TNY_OK)
    status = fill_all(draft, rings, error);
  draft_release(draft);
  if (status != TNY_OK) {
    tny_rings_free(*rings);
    *rings = NULL;
  }
  return status;
}

enum tny_status tny_rings_make(const struct tny_problem *problem, uint32_t count,
                               struct tny_rings **rings, struct tny_error *error)
{
  struct draft draft = {.problem = problem};
  enum tny_status status = draft_make(&draft, error);
  if (status == TNY_OK)
    status = count > 0 ? find_walks(&draft, count, error) : find_best(&draft, error);
  return finish(&draft, status, rings, error);
}

enum tny_status tny_rings_make_along_tree(const struct tny_problem *problem,
                                          struct tny_rings **rings, struct tny_error *error)
{
  const struct tny_ring_tree tree = {.enters_often = true};
  struct draft draft = {.problem = problem, .count = 1};
  enum tny_status status = draft_make(&draft, error);
  if (status == TNY_OK)
    status = tny_ring_map_walk(draft.map, &tree, &draft.walks[0], error);
  return finish(&draft, status, rings, error);
}

void tny_rings_free(struct tny_rings *rings)
{
  struct filling *filling = (struct filling *)rings;
  if (filling)
    tny_free(filling->order);
  tny_free(filling);
}
