/* Tours are looked for among walks that most often are free of collisions already: the switches in
   switch order, by number, and along spanning trees of the switches. A tree walk that enters each
   switch every time it passes uses no cable but the tree's, each once either way: that always does
   it, where switches have enough hosts and routes between neighbours are direct. Entering each
   switch only once does so too on trees, and often elsewhere. The best walk is then improved
   (tour_search.c). Of several tours, each is made to fit those before; then all go round again. */
#include "planner/rings/rings.h"

#include "core/alloc.h"
#include "core/error.h"
#include "planner/rings/ring_search.h"

enum {
  ROOTS_MAX = 16,    /* of trees that are tried */
  ROUNDS_MAX = 4,    /* in which several tours adapt to each other */
  WORTH_SHARE = 50,  /* a tour more must save a part of so many */
  TRIES_MAX = 50000, /* changes tried for as many tours as are looked for at once */
};

/* Tours at the level of hosts, while they are looked for. */
struct draft {
  const struct tny_problem *problem;
  struct tny_tour_map *map;
  struct tny_tour_load load; /* of all walks so far */
  uint32_t count;
  struct tny_tour_walk walks[TNY_TOURS_MAX];
  struct tny_tour_walk tried; /* room for one */
};

/* --- one walk --- */

/* The best of those considered. */
struct contest {
  struct draft *draft;
  struct tny_tour_walk *best;
  tny_wide excess; /* with it and those before */
};

static void turn_round(struct tny_tour_walk *walk)
{
  for (uint32_t i = 0, k = walk->count; i + 1 < k; i++) {
    const uint32_t kept = walk->hosts[i];
    walk->hosts[i] = walk->hosts[--k];
    walk->hosts[k] = kept;
  }
}

/* Takes the tried walk, or the same the other way round, where it has less excess, or as much in
   fewer messages. */
static void consider(struct contest *contest)
{
  struct draft *draft = contest->draft;
  struct tny_tour_walk *tried = &draft->tried, *best = contest->best;
  for (int way = 0; way < 2; way++) {
    tny_tour_load_walk(&draft->load, tried, 1);
    const tny_wide excess = draft->load.excess;
    tny_tour_load_walk(&draft->load, tried, -1);
    if (best->count == 0 || excess < contest->excess ||
        (excess == contest->excess && tried->count < best->count)) {
      best->count = tried->count;
      memcpy(best->hosts, tried->hosts, tried->count * sizeof *tried->hosts);
      contest->excess = excess;
    }
    turn_round(tried);
  }
}

static bool is_won(const struct contest *contest)
{
  return contest->best->count > 0 && contest->excess == 0;
}

static enum tny_status consider_order(struct contest *contest, const uint32_t *ranks,
                                      struct tny_error *error)
{
  struct draft *draft = contest->draft;
  const enum tny_status status =
      tny_tour_map_follow(draft->map, ranks, draft->problem->rank_count, &draft->tried, error);
  if (status == TNY_OK)
    consider(contest);
  return status;
}

static enum tny_status consider_trees(struct contest *contest, bool enters_often,
                                      struct tny_error *error)
{
  struct draft *draft = contest->draft;
  const uint32_t switch_count = draft->map->switch_count;
  const uint32_t roots = switch_count < ROOTS_MAX ? switch_count : ROOTS_MAX;
  enum tny_status status = TNY_OK;
  for (uint32_t i = 0; status == TNY_OK && i < 2 * roots && !is_won(contest); i++) {
    const struct tny_tour_tree tree = {.root = (uint32_t)((uint64_t)(i / 2) * switch_count / roots),
                                       .is_deep = i % 2 == 1,
                                       .enters_often = enters_often};
    status = tny_tour_map_walk(draft->map, &tree, &draft->tried, error);
    if (status == TNY_OK)
      consider(contest);
  }
  return status;
}

/* Finds one that fits those before, and adds it to the load. */
static enum tny_status find_walk(struct draft *draft, struct tny_tour_walk *walk,
                                 struct tny_error *error)
{
  struct contest contest = {.draft = draft, .best = walk};
  walk->count = 0;
  enum tny_status status = TNY_OK;
  if (draft->problem->placement)
    status = consider_order(&contest, draft->problem->placement->order, error);
  if (status == TNY_OK && !is_won(&contest))
    status = consider_order(&contest, NULL, error);
  if (status == TNY_OK)
    status = consider_trees(&contest, false, error);
  if (status == TNY_OK)
    status = consider_trees(&contest, true, error);
  tny_tour_load_walk(&draft->load, walk, 1);
  return status == TNY_OK ? tny_tour_improve(&draft->load, walk, error) : status;
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
    tny_tour_load_allow(&draft->load, (draft->count + 1) * goal);
    status = find_walk(draft, &draft->walks[draft->count], error);
  }
  for (uint32_t i = 0; status == TNY_OK && i < ROUNDS_MAX * count; i++)
    if (draft->load.excess > 0 && count > 1)
      status = tny_tour_improve(&draft->load, &draft->walks[i % count], error);
  return status;
}

/* As many as it takes: one, if that costs no link more than it must. Looking for the same number
   again finds the same. */
static enum tny_status find_best(struct draft *draft, struct tny_error *error)
{
  static const uint32_t counts[] = {1, 2, 4, 3, 6, 8};
  uint64_t least = UINT64_MAX; /* what a link costs at most, for one block over all tours */
  uint32_t best = 1;
  enum tny_status status = TNY_OK;
  for (size_t i = 0; status == TNY_OK && i < sizeof counts / sizeof *counts; i++) {
    const uint32_t count = counts[i];
    status = find_walks(draft, count, error);
    const uint64_t cost = tny_tour_load_most(&draft->load) / count;
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
  tny_tour_map_free(draft->map);
  tny_free(draft->load.messages);
  tny_free(draft->tried.hosts);
}

/* The walks share one block of memory, the tried one's. */
static enum tny_status draft_make(struct draft *draft, struct tny_error *error)
{
  const struct tny_problem *problem = draft->problem;
  enum tny_status status =
      tny_tour_map_make(problem->network, problem->rank_count, &draft->map, error);
  if (status != TNY_OK)
    return status;
  const size_t hosts = draft->map->host_count;
  draft->load.map = draft->map;
  draft->load.messages =
      tny_new(problem->network->routes->cluster->link_count, sizeof *draft->load.messages);
  draft->tried.hosts = tny_new((TNY_TOURS_MAX + 1) * hosts, sizeof *draft->tried.hosts);
  if (!draft->load.messages || !draft->tried.hosts)
    return tny_error_memory(error);
  for (uint32_t i = 0; i < TNY_TOURS_MAX; i++)
    draft->walks[i].hosts = draft->tried.hosts + (i + 1) * hosts;
  return TNY_OK;
}

/* --- from hosts to ranks --- */

/* The tours while they are filled. */
struct filling {
  struct tny_tours shown; /* first, so that a pointer to it is one to this */
  uint32_t *order, *position;
};

/* Ranks host by host: those of a host are ranks[first[host]] .. ranks[first[host + 1]). */
struct lodgers {
  uint32_t *first, *ranks;
};

static void lodge(const struct tny_problem *problem, struct lodgers *lodgers)
{
  const uint32_t *host_of_rank = problem->network->host_of_rank;
  const uint32_t host_count = problem->network->routes->cluster->host_count;
  for (uint32_t rank = 0; rank < problem->rank_count; rank++)
    lodgers->first[host_of_rank[rank] + 1]++;
  for (uint32_t host = 0; host < host_count; host++)
    lodgers->first[host + 1] += lodgers->first[host];
  for (uint32_t rank = problem->rank_count; rank-- > 0;)
    lodgers->ranks[--lodgers->first[host_of_rank[rank] + 1]] = rank;
  for (uint32_t host = 0; host < host_count; host++)
    lodgers->first[host] = lodgers->first[host + 1];
  lodgers->first[host_count] = problem->rank_count;
}

static void append(const struct lodgers *lodgers, uint32_t host, uint32_t *order, uint32_t *count)
{
  for (uint32_t i = lodgers->first[host]; i < lodgers->first[host + 1]; i++)
    order[(*count)++] = lodgers->ranks[i];
}

/* Where a tour is filled in. */
struct marks {
  bool *is_stop;            /* by host: the tour enters a switch there */
  uint32_t *stops, *passed; /* by switch: how often the tour enters it; has done so */
};

static bool marks_make(const struct tny_tour_map *map, struct marks *marks)
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

static void mark(const struct tny_tour_map *map, const struct tny_tour_walk *walk,
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

/* Behind each stop come as many of its switch's other hosts. */
static void fill_tour(const struct draft *draft, const struct tny_tour_walk *walk,
                      const struct lodgers *lodgers, const struct marks *marks, uint32_t *order)
{
  const struct tny_tour_map *map = draft->map;
  uint32_t count = 0;
  for (uint32_t i = 0; i < walk->count; i++) {
    const uint32_t at = map->home[walk->hosts[i]];
    const uint64_t stops = marks->stops[at], passed = marks->passed[at]++;
    const uint64_t others = tny_tour_map_size(map, at) - stops;
    uint64_t other = 0;
    append(lodgers, walk->hosts[i], order, &count);
    for (uint32_t k = map->first[at]; k < map->first[at + 1]; k++) {
      if (marks->is_stop[map->hosts[k]])
        continue;
      if (other >= others * passed / stops && other < others * (passed + 1) / stops)
        append(lodgers, map->hosts[k], order, &count);
      other++;
    }
  }
}

static enum tny_status fill(const struct draft *draft, struct filling *filling,
                            struct tny_error *error)
{
  const struct tny_problem *problem = draft->problem;
  const size_t host_count = problem->network->routes->cluster->host_count;
  struct lodgers lodgers = {.first = tny_new(host_count + 1, sizeof *lodgers.first),
                            .ranks = tny_new(problem->rank_count, sizeof *lodgers.ranks)};
  struct marks marks;
  const bool has_marks = marks_make(draft->map, &marks);
  const bool done = lodgers.first && lodgers.ranks && has_marks;
  if (done) {
    lodge(problem, &lodgers);
    for (uint32_t i = 0; i < draft->count; i++) {
      mark(draft->map, &draft->walks[i], &marks);
      fill_tour(draft, &draft->walks[i], &lodgers, &marks,
                filling->order + (size_t)i * problem->rank_count);
    }
  }
  tny_free(lodgers.first);
  tny_free(lodgers.ranks);
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
  filling->shown = (struct tny_tours){rank_count, count, filling->order, filling->position};
  return filling;
}

static enum tny_status fill_all(const struct draft *draft, struct tny_tours **tours,
                                struct tny_error *error)
{
  const struct tny_problem *problem = draft->problem;
  const uint32_t p = problem->rank_count, count = draft->count;
  struct filling *filling = filling_new(p, count);
  if (!filling)
    return tny_error_memory(error);
  const enum tny_status status = fill(draft, filling, error);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t place = 0; place < p; place++)
      filling->position[(size_t)i * p + filling->order[(size_t)i * p + place]] = place;
  *tours = &filling->shown;
  return status;
}

/* Fills in the tours, unless that or what was before failed; and lets the draft go. */
static enum tny_status finish(struct draft *draft, enum tny_status status, struct tny_tours **tours,
                              struct tny_error *error)
{
  *tours = NULL;
  if (status == TNY_OK)
    status = fill_all(draft, tours, error);
  draft_release(draft);
  if (status != TNY_OK) {
    tny_tours_free(*tours);
    *tours = NULL;
  }
  return status;
}

enum tny_status tny_tours_make(const struct tny_problem *problem, uint32_t count,
                               struct tny_tours **tours, struct tny_error *error)
{
  struct draft draft = {.problem = problem};
  enum tny_status status = draft_make(&draft, error);
  if (status == TNY_OK)
    status = count > 0 ? find_walks(&draft, count, error) : find_best(&draft, error);
  return finish(&draft, status, tours, error);
}

enum tny_status tny_tours_make_along_tree(const struct tny_problem *problem,
                                          struct tny_tours **tours, struct tny_error *error)
{
  const struct tny_tour_tree tree = {.enters_often = true};
  struct draft draft = {.problem = problem, .count = 1};
  enum tny_status status = draft_make(&draft, error);
  if (status == TNY_OK)
    status = tny_tour_map_walk(draft.map, &tree, &draft.walks[0], error);
  return finish(&draft, status, tours, error);
}

void tny_tours_free(struct tny_tours *tours)
{
  struct filling *filling = (struct filling *)tours;
  if (filling)
    tny_free(filling->order);
  tny_free(filling);
}
