/* The middle of a tree of switches, and its branches. */
#include "collectives/shared/branches.h"

#include <stdlib.h>

#include "core/alloc.h"
#include "core/error.h"
#include "planner/position.h"

/* The branches while they are made: the arrays that the public part shows as constant. */
struct draft {
  struct tny_branches shown; /* first, so that a pointer to it is one to this */
  uint32_t *first, *rank_at, *index_of, *branch_of;
};

/* Walking over a cluster; arrays by node. */
struct walk {
  const struct tny_cluster *cluster;
  uint32_t nodes;
  uint32_t *queue;  /* all nodes, the nearer to where the walk began the earlier */
  uint32_t *parent; /* of where it began: itself */
  uint32_t *weight; /* ranks on a node; then also those on all nodes behind it */
  uint32_t *label;  /* the node next to the middle by which its branch begins */
};

static void walk_from(struct walk *walk, uint32_t start)
{
  const struct tny_cluster *cluster = walk->cluster;
  uint32_t tail = 0;
  walk->queue[tail++] = start;
  walk->parent[start] = start;
  for (uint32_t head = 0; head < tail; head++) {
    const uint32_t node = walk->queue[head];
    for (uint32_t i = cluster->first_out[node]; i < cluster->first_out[node + 1]; i++) {
      const uint32_t to = cluster->links[cluster->out_links[i]].to;
      if (to == walk->parent[node])
        continue;
      walk->parent[to] = node;
      walk->queue[tail++] = to;
    }
  }
}

/* The neighbour behind which there are more than half of the ranks; TNY_NONE: there is none. */
static uint32_t heavier_side(const struct walk *walk, uint32_t node, uint32_t rank_count)
{
  const struct tny_cluster *cluster = walk->cluster;
  for (uint32_t i = cluster->first_out[node]; i < cluster->first_out[node + 1]; i++) {
    const uint32_t to = cluster->links[cluster->out_links[i]].to;
    if (to != walk->parent[node] && walk->weight[to] > rank_count / 2)
      return to;
  }
  return TNY_NONE;
}

static uint32_t find_middle(struct walk *walk, uint32_t rank_count)
{
  walk_from(walk, 0);
  for (uint32_t i = walk->nodes; i-- > 1;)
    walk->weight[walk->parent[walk->queue[i]]] += walk->weight[walk->queue[i]];
  uint32_t middle = 0;
  for (uint32_t next = 0; next != TNY_NONE; next = heavier_side(walk, middle, rank_count))
    middle = next;
  return middle;
}

/* Labels all nodes but the middle, and returns that. */
static uint32_t label_nodes(struct walk *walk, const struct tny_problem *problem)
{
  for (uint32_t rank = 0; rank < problem->rank_count; rank++)
    walk->weight[problem->network->host_of_rank[rank]]++;
  const uint32_t middle = find_middle(walk, problem->rank_count);
  walk_from(walk, middle);
  for (uint32_t i = 1; i < walk->nodes; i++) {
    const uint32_t node = walk->queue[i], parent = walk->parent[node];
    walk->label[node] = parent == middle ? node : walk->label[parent];
  }
  return middle;
}

static uint32_t count_nodes(const struct tny_problem *problem)
{
  if (!problem->network)
    return 0;
  const struct tny_cluster *cluster = problem->network->routes->cluster;
  return cluster->host_count + cluster->switch_count;
}

/* Gives each rank a label that it shares with those of its branch: less than nodes + ranks. */
static enum tny_status label_ranks(const struct tny_problem *problem, uint32_t *label_of_rank,
                                   struct tny_error *error)
{
  if (!problem->network) {
    for (uint32_t rank = 0; rank < problem->rank_count; rank++)
      label_of_rank[rank] = rank;
    return TNY_OK;
  }
  struct walk walk = {.cluster = problem->network->routes->cluster, .nodes = count_nodes(problem)};
  walk.queue = tny_new((size_t)4 * walk.nodes, sizeof *walk.queue);
  if (!walk.queue)
    return tny_error_memory(error);
  walk.parent = walk.queue + walk.nodes;
  walk.weight = walk.queue + (size_t)2 * walk.nodes;
  walk.label = walk.queue + (size_t)3 * walk.nodes;
  const uint32_t middle = label_nodes(&walk, problem);
  for (uint32_t rank = 0; rank < problem->rank_count; rank++) {
    const uint32_t host = problem->network->host_of_rank[rank];
    label_of_rank[rank] = host == middle ? walk.nodes + rank : walk.label[host];
  }
  tny_free(walk.queue);
  return TNY_OK;
}

/* What ranks are sorted by. */
struct rank_key {
  uint32_t branch_size, label, position;
};

/* The larger branch first, and the ranks of each in switch order. */
static int compare(const void *a, const void *b)
{
  const struct rank_key *left = a, *right = b;
  if (left->branch_size != right->branch_size)
    return left->branch_size < right->branch_size ? 1 : -1;
  if (left->label != right->label)
    return left->label < right->label ? -1 : 1;
  return (left->position > right->position) - (left->position < right->position);
}

/* `sizes` has an entry for each label, all 0. */
static void sort_keys(const struct tny_problem *problem, const uint32_t *label_of_rank,
                      uint32_t *sizes, struct rank_key *keys)
{
  const uint32_t *positions = tny_problem_positions(problem);
  for (uint32_t rank = 0; rank < problem->rank_count; rank++)
    sizes[label_of_rank[rank]]++;
  for (uint32_t rank = 0; rank < problem->rank_count; rank++)
    keys[rank] = (struct rank_key){.branch_size = sizes[label_of_rank[rank]],
                                   .label = label_of_rank[rank],
                                   .position = tny_position_of(positions, rank)};
  qsort(keys, problem->rank_count, sizeof *keys, compare);
}

static void fill(struct draft *draft, const struct tny_problem *problem,
                 const struct rank_key *keys)
{
  const uint32_t *order = tny_problem_order(problem);
  const uint32_t p = problem->rank_count;
  uint32_t count = 0;
  for (uint32_t index = 0; index < p; index++) {
    const uint32_t rank = tny_position_rank(order, p, keys[index].position, 0);
    if (index == 0 || keys[index].label != keys[index - 1].label)
      draft->first[count++] = index;
    draft->rank_at[index] = rank;
    draft->index_of[rank] = index;
    draft->branch_of[index] = count - 1;
  }
  draft->first[count] = p;
  draft->shown = (struct tny_branches){.rank_count = p,
                                       .count = count,
                                       .first = draft->first,
                                       .rank_at = draft->rank_at,
                                       .index_of = draft->index_of,
                                       .branch_of = draft->branch_of};
}

static struct draft *make_draft(uint32_t rank_count)
{
  const size_t p = rank_count;
  struct draft *draft = tny_new(1, sizeof *draft);
  uint32_t *memory = tny_new(4 * p + 1, sizeof *memory);
  if (!draft || !memory) {
    tny_free(draft);
    tny_free(memory);
    return NULL;
  }
  draft->rank_at = memory;
  draft->index_of = memory + p;
  draft->branch_of = memory + 2 * p;
  draft->first = memory + 3 * p;
  return draft;
}

enum tny_status tny_branches_make(const struct tny_problem *problem, struct tny_branches **branches,
                                  struct tny_error *error)
{
  const size_t p = problem->rank_count;
  const size_t labels = p + count_nodes(problem);
  *branches = NULL;
  uint32_t *label_of_rank = tny_new(p + labels, sizeof *label_of_rank);
  struct rank_key *keys = tny_new(p, sizeof *keys);
  struct draft *draft = make_draft(problem->rank_count);
  enum tny_status status = TNY_OK;
  if (!label_of_rank || !keys || !draft)
    status = tny_error_memory(error);
  if (status == TNY_OK)
    status = label_ranks(problem, label_of_rank, error);
  if (status == TNY_OK) {
    sort_keys(problem, label_of_rank, label_of_rank + p, keys);
    fill(draft, problem, keys);
    *branches = &draft->shown;
  } else if (draft) {
    tny_branches_free(&draft->shown);
  }
  tny_free(label_of_rank);
  tny_free(keys);
  return status;
}

void tny_branches_free(struct tny_branches *branches)
{
  struct draft *draft = (struct draft *)branches;
  if (draft)
    tny_free(draft->rank_at);
  tny_free(draft);
}
