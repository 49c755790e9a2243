/* Neighbour joining, and switches from what it finds. */
#include "discover/tree.h"

#include <math.h>

#include <tourney/cluster.h>

#include "core/alloc.h"
#include "core/error.h"
#include "discover/alike.h"

#define OF_HOP_LEAST 0.3 /* of the trunks' length a trunk has, */
#define ERRORS_CLEAR 12  /* or so many times what is uncertain: trunks may differ by far */
/* A round trip doesn't fit the tree where it differs by so many times the noise, and by such a
   part. */
#define MISFIT_NOISE 5
#define MISFIT_PART 0.01
#define MISFIT_HOP 0.35 /* and of a trunk, where some are seen */
#define CLOCK_NS 10.0   /* nothing is measured better */

struct edge {
  uint32_t a, b; /* nodes: hosts, then inner ones in the order in which they were made */
  double ns;
};

struct joining {
  uint32_t host_count, node_count, edge_count, active_count;
  uint32_t *active;  /* nodes that aren't joined yet */
  double *distances; /* between nodes, 2 * host_count a row */
  double *sums;      /* of an active node's distances to all others, by place in active */
  struct edge *edges;
};

static double *distance(const struct joining *joining, uint32_t a, uint32_t b)
{
  return &joining->distances[(size_t)a * 2 * joining->host_count + b];
}

static void set_distance(const struct joining *joining, uint32_t a, uint32_t b, double ns)
{
  *distance(joining, a, b) = *distance(joining, b, a) = ns;
}

static void release_joining(struct joining *joining)
{
  tny_free(joining->active);
  tny_free(joining->distances);
  tny_free(joining->sums);
  tny_free(joining->edges);
}

static enum tny_status begin_joining(const struct tny_round_trips *round_trips,
                                     struct joining *joining, struct tny_error *error)
{
  const uint32_t host_count = round_trips->host_count;
  const size_t nodes = 2 * (size_t)host_count;
  *joining = (struct joining){.host_count = host_count,
                              .node_count = host_count,
                              .active_count = host_count,
                              .active = tny_new(host_count, sizeof *joining->active),
                              .distances = tny_new(nodes * nodes, sizeof *joining->distances),
                              .sums = tny_new(host_count, sizeof *joining->sums),
                              .edges = tny_new(nodes, sizeof *joining->edges)};
  if (!joining->active || !joining->distances || !joining->sums || !joining->edges)
    return tny_error_memory(error);
  for (uint32_t a = 0; a < host_count; a++) {
    joining->active[a] = a;
    for (uint32_t b = a + 1; b < host_count; b++)
      set_distance(joining, a, b, round_trips->ns[(size_t)a * host_count + b]);
  }
  return TNY_OK;
}

static void add_edge(struct joining *joining, uint32_t a, uint32_t b, double ns)
{
  joining->edges[joining->edge_count++] = (struct edge){a, b, ns};
}

static void sum_distances(struct joining *joining)
{
  for (uint32_t i = 0; i < joining->active_count; i++) {
    joining->sums[i] = 0;
    for (uint32_t j = 0; j < joining->active_count; j++)
      joining->sums[i] += *distance(joining, joining->active[i], joining->active[j]);
  }
}

/* The places of the two active nodes that are neighbours: whose distance is least beside what both
   are away from the others. */
static void find_neighbours(const struct joining *joining, uint32_t *first, uint32_t *second)
{
  double least = INFINITY;
  for (uint32_t i = 0; i < joining->active_count; i++)
    for (uint32_t j = i + 1; j < joining->active_count; j++) {
      const double apart =
          (joining->active_count - 2) * *distance(joining, joining->active[i], joining->active[j]) -
          joining->sums[i] - joining->sums[j];
      if (apart < least) {
        least = apart;
        *first = i;
        *second = j;
      }
    }
}

/* Puts a new node between two active ones and the rest. */
static void join(struct joining *joining, uint32_t first, uint32_t second)
{
  const uint32_t a = joining->active[first], b = joining->active[second];
  const uint32_t node = joining->node_count++;
  const double ns = *distance(joining, a, b);
  const double skew =
      (joining->sums[first] - joining->sums[second]) / (2 * (joining->active_count - 2));
  add_edge(joining, a, node, ns / 2 + skew);
  add_edge(joining, b, node, ns / 2 - skew);
  joining->active[first] = node;
  joining->active[second] = joining->active[--joining->active_count];
  for (uint32_t i = 0; i < joining->active_count; i++) {
    const uint32_t other = joining->active[i];
    if (other != node)
      set_distance(joining, node, other,
                   (*distance(joining, a, other) + *distance(joining, b, other) - ns) / 2);
  }
}

static void join_all(struct joining *joining)
{
  while (joining->active_count > 2) {
    uint32_t first = 0, second = 1;
    sum_distances(joining);
    find_neighbours(joining, &first, &second);
    join(joining, first, second);
  }
  const uint32_t a = joining->active[0], b = joining->active[1];
  add_edge(joining, a, b, *distance(joining, a, b));
}

/* --- what was found --- */

/* The edges at each node, to walk along. */
struct graph {
  const struct joining *joining;
  uint32_t *first; /* node_count + 1, of ends */
  uint32_t *ends;  /* edges by node */
  uint32_t *stack; /* node_count, twice: a node and the one it was come from */
  double *away;    /* node_count */
};

static void release_graph(struct graph *graph)
{
  tny_free(graph->first);
  tny_free(graph->ends);
  tny_free(graph->stack);
  tny_free(graph->away);
}

static enum tny_status make_graph(const struct joining *joining, struct graph *graph,
                                  struct tny_error *error)
{
  const uint32_t nodes = joining->node_count;
  *graph = (struct graph){.joining = joining,
                          .first = tny_new(nodes + 2, sizeof *graph->first),
                          .ends = tny_new(2 * (size_t)joining->edge_count, sizeof *graph->ends),
                          .stack = tny_new(2 * (size_t)nodes, sizeof *graph->stack),
                          .away = tny_new(nodes, sizeof *graph->away)};
  if (!graph->first || !graph->ends || !graph->stack || !graph->away)
    return tny_error_memory(error);
  for (uint32_t e = 0; e < joining->edge_count; e++) {
    graph->first[joining->edges[e].a + 2]++;
    graph->first[joining->edges[e].b + 2]++;
  }
  for (uint32_t node = 0; node < nodes; node++)
    graph->first[node + 2] += graph->first[node + 1];
  for (uint32_t e = 0; e < joining->edge_count; e++) {
    graph->ends[graph->first[joining->edges[e].a + 1]++] = e;
    graph->ends[graph->first[joining->edges[e].b + 1]++] = e;
  }
  return TNY_OK;
}

/* How far all nodes are from one, along the tree. */
static void walk_from(const struct graph *graph, uint32_t from)
{
  uint32_t depth = 0;
  graph->away[from] = 0;
  graph->stack[depth++] = from;
  graph->stack[depth++] = from;
  while (depth > 0) {
    const uint32_t before = graph->stack[--depth], node = graph->stack[--depth];
    for (uint32_t i = graph->first[node]; i < graph->first[node + 1]; i++) {
      const struct edge *edge = &graph->joining->edges[graph->ends[i]];
      const uint32_t next = edge->a == node ? edge->b : edge->a;
      if (next == before)
        continue;
      graph->away[next] = graph->away[node] + edge->ns;
      graph->stack[depth++] = next;
      graph->stack[depth++] = node;
    }
  }
}

/* Sorts the numbers. */
static double median(double *numbers, size_t count)
{
  if (count == 0)
    return 0;
  tny_sort_numbers(numbers, count);
  return count % 2 ? numbers[count / 2] : (numbers[count / 2 - 1] + numbers[count / 2]) / 2;
}

/* By how much the round trips differ from the tree's, in the order of the pairs. */
static enum tny_status find_errors(const struct joining *joining, const double *ns, double *errors,
                                   struct tny_error *error)
{
  struct graph graph;
  size_t pair = 0;
  const uint32_t n = joining->host_count;
  const enum tny_status status = make_graph(joining, &graph, error);
  for (uint32_t a = 0; status == TNY_OK && a < n; a++) {
    walk_from(&graph, a);
    for (uint32_t b = a + 1; b < n; b++)
      errors[pair++] = fabs(ns[(size_t)a * n + b] - graph.away[b]);
  }
  release_graph(&graph);
  return status;
}

static bool is_inner(const struct joining *joining, const struct edge *edge)
{
  return edge->a >= joining->host_count && edge->b >= joining->host_count;
}

/* The length from which on an edge is a trunk: of those that are longer than errors explain, those
   that aren't much shorter than most, unless they are longer by far than errors explain. */
static double find_least_trunk(const struct joining *joining, double error_ns, double *lengths,
                               double *hop_ns)
{
  size_t count = 0;
  const double least = TNY_TREE_ERRORS_LEAST * error_ns;
  for (uint32_t e = 0; e < joining->edge_count; e++)
    if (is_inner(joining, &joining->edges[e]) && joining->edges[e].ns > least)
      lengths[count++] = joining->edges[e].ns;
  *hop_ns = median(lengths, count);
  return fmax(least, fmin(OF_HOP_LEAST * *hop_ns, ERRORS_CLEAR * error_ns));
}

/* The node that stands for the switch of an inner node. */
static uint32_t switch_node(uint32_t *stands_for, uint32_t node)
{
  while (stands_for[node] != node)
    node = stands_for[node] = stands_for[stands_for[node]];
  return node;
}

/* Inner nodes that no trunk is between are one switch. */
static void merge_nodes(const struct joining *joining, double least_ns, uint32_t *stands_for)
{
  for (uint32_t node = 0; node < joining->node_count; node++)
    stands_for[node] = node;
  for (uint32_t e = 0; e < joining->edge_count; e++) {
    const struct edge *edge = &joining->edges[e];
    if (is_inner(joining, edge) && edge->ns <= least_ns)
      stands_for[switch_node(stands_for, edge->a)] = switch_node(stands_for, edge->b);
  }
}

/* Numbers the switches as their first hosts are, those without hosts behind them. */
static void number_switches(const struct joining *joining, uint32_t *stands_for, uint32_t *number,
                            struct tny_tree *tree)
{
  const uint32_t n = joining->host_count;
  for (uint32_t node = 0; node < joining->node_count; node++)
    number[node] = TNY_NONE;
  for (uint32_t host = 0; host < n; host++)
    for (uint32_t e = 0; e < joining->edge_count; e++) {
      const struct edge *edge = &joining->edges[e];
      if (edge->a != host && edge->b != host)
        continue;
      const uint32_t at = switch_node(stands_for, edge->a == host ? edge->b : edge->a);
      if (number[at] == TNY_NONE)
        number[at] = tree->switch_count++;
      tree->switch_of[host] = number[at];
    }
  for (uint32_t node = n; node < joining->node_count; node++)
    if (switch_node(stands_for, node) == node && number[node] == TNY_NONE)
      number[node] = tree->switch_count++;
}

static void list_trunks(const struct joining *joining, double least_ns, uint32_t *stands_for,
                        const uint32_t *number, struct tny_tree *tree)
{
  for (uint32_t e = 0; e < joining->edge_count; e++) {
    const struct edge *edge = &joining->edges[e];
    if (is_inner(joining, edge) && edge->ns > least_ns)
      tree->trunks[tree->trunk_count++] =
          (struct tny_tree_trunk){number[switch_node(stands_for, edge->a)],
                                  number[switch_node(stands_for, edge->b)], edge->ns};
  }
}

/* `errors` are in the order of the pairs. */
static void mark_misfits(const struct tny_round_trips *round_trips, const double *errors,
                         struct tny_tree *tree)
{
  const size_t n = round_trips->host_count;
  for (size_t a = 0; a < n; a++)
    for (size_t b = a + 1; b < n; b++) {
      const double least =
          fmax(fmax(MISFIT_NOISE * round_trips->noise_ns, MISFIT_HOP * tree->hop_ns),
               MISFIT_PART * round_trips->ns[a * n + b]);
      tree->misfit[a * n + b] = *errors++ > least;
      tree->misfits += tree->misfit[a * n + b];
    }
}

/* `errors` has room for two numbers a pair, and for one an edge. */
static enum tny_status find_switches(const struct joining *joining,
                                     const struct tny_round_trips *round_trips, double *errors,
                                     struct tny_tree *tree, struct tny_error *error)
{
  const size_t pairs = (size_t)joining->host_count * (joining->host_count - 1) / 2;
  uint32_t *stands_for = tny_new(joining->node_count, sizeof *stands_for);
  uint32_t *number = tny_new(joining->node_count, sizeof *number);
  enum tny_status status = TNY_OK;
  if (!stands_for || !number)
    status = tny_error_memory(error);
  if (status == TNY_OK)
    status = find_errors(joining, round_trips->ns, errors, error);
  if (status == TNY_OK) {
    for (size_t pair = 0; pair < pairs; pair++)
      errors[pair + pairs] = errors[pair];
    tree->error_ns = fmax(fmax(median(errors + pairs, pairs), round_trips->noise_ns), CLOCK_NS);
    const double least_ns =
        find_least_trunk(joining, tree->error_ns, errors + pairs, &tree->hop_ns);
    mark_misfits(round_trips, errors, tree);
    merge_nodes(joining, least_ns, stands_for);
    number_switches(joining, stands_for, number, tree);
    list_trunks(joining, least_ns, stands_for, number, tree);
  }
  tny_free(stands_for);
  tny_free(number);
  return status;
}

void tny_tree_mark_beyond(const struct tny_tree *tree, uint32_t trunk, uint8_t *beyond)
{
  for (uint32_t s = 0; s < tree->switch_count; s++)
    beyond[s] = s == tree->trunks[trunk].b;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t t = 0; t < tree->trunk_count; t++) {
      const struct tny_tree_trunk *other = &tree->trunks[t];
      if (t == trunk || beyond[other->a] == beyond[other->b])
        continue;
      beyond[other->a] = beyond[other->b] = 1;
      changed = true;
    }
  }
}

void tny_tree_release(struct tny_tree *tree)
{
  tny_free(tree->switch_of);
  tny_free(tree->trunks);
  tny_free(tree->misfit);
  *tree = (struct tny_tree){0};
}

enum tny_status tny_tree_find(const struct tny_round_trips *round_trips, struct tny_tree *tree,
                              struct tny_error *error)
{
  const size_t n = round_trips->host_count;
  struct joining joining = {0};
  *tree = (struct tny_tree){.host_count = round_trips->host_count,
                            .switch_of = tny_new(n, sizeof *tree->switch_of),
                            .trunks = tny_new(n, sizeof *tree->trunks),
                            .misfit = tny_new(n * n, sizeof *tree->misfit)};
  double *errors = tny_new(n * (n - 1) + 2 * n, sizeof *errors);
  enum tny_status status = TNY_OK;
  if (!tree->switch_of || !tree->trunks || !tree->misfit || !errors)
    status = tny_error_memory(error);
  if (status == TNY_OK)
    status = begin_joining(round_trips, &joining, error);
  if (status == TNY_OK && n > 2) {
    join_all(&joining);
    status = find_switches(&joining, round_trips, errors, tree, error);
  } else {
    tree->switch_count = 1; /* of two hosts all that is known is that they reach each other */
  }
  release_joining(&joining);
  tny_free(errors);
  if (status != TNY_OK)
    tny_tree_release(tree);
  return status;
}
