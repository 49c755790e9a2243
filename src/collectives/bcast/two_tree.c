/* Broadcast, two-tree: half of the pieces goes down one binary tree, half down another, whose inner
   vertices are the first one's leaves. So each port sends and receives a piece in every round.

   Source: Sanders, Speck, Traeff, "Two-tree algorithms for full bandwidth broadcast, reduction and
           scan"
   Needs:  any p, any root, the cluster: ranks stand in switch order, which on one switch is by rank
   Shape:  p=4, root 0, pieces a b:  0 -> 2 a;  0 -> 3 b, 2 -> 1 a;  2 -> 3 a, 3 -> 1 b;  3 -> 2 b
   Cost:   at most n-2+2*ceil(log2 p) rounds for n pieces, an even number; no rank sends more than
           the message once
   Links:  one message a port and round; subtrees are runs of positions, so that a trunk carries
           what crosses between neighbouring runs
   Prefer: for middle-sized messages where a rank should have few peers, two to send to and two to
           receive from. circulant needs fewer rounds, with 2*ceil(log2 p) peers; a chain has one
           of each, and p-2 more rounds than pieces

   The vertices are positions relative to the root's, which is 0 and in neither tree. The first
   tree has 1 .. p-1 in order: odd vertices are leaves. The second one is its mirror image where
   p-1 is even, else the same one shifted by a vertex: inner vertices are odd there. Each vertex
   receives along two edges and sends along two at most. So the edges have two colours, such that
   no two edges by which a vertex sends have the same, nor two by which it receives: the parities
   of the rounds in which they carry pieces. The paper finds an edge's colour in O(log p) steps for
   even p-1 and treats the rest apart; here one walk over all edges, which alternates between ends
   that send and ends that receive, colours them for any p. */
#include "collectives/list.h"
#include "collectives/shared/root.h"
#include "core/alloc.h"
#include "core/error.h"
#include "planner/position.h"

enum { TREES = 2, COLOURS = 2, NO_COLOUR = 2 };

/* Neighbours by the colour of the edge. */
struct vertex {
  uint32_t to[COLOURS], from[COLOURS]; /* TNY_NONE: none */
  uint32_t tree_to[COLOURS], tree_from[COLOURS];
  uint32_t arrival[COLOURS]; /* the round in which the first piece comes along `from` */
};

struct two_tree {
  uint32_t last_arrival;
  struct vertex vertices[]; /* p */
};

/* An edge leads to vertex e/2 in tree e%2; arrays by edge. */
struct draft {
  uint32_t p;
  uint32_t *parent;
  uint32_t *sibling; /* the other edge from the same vertex; TNY_NONE: none */
  uint32_t *colour;
};

/* The parent of a vertex in the first tree; 0: it's the top. */
static uint32_t parent_in_order(uint32_t p, uint32_t vertex)
{
  const uint32_t lowest = vertex & -vertex;
  const uint64_t up = (vertex ^ lowest) | (uint64_t)lowest * 2;
  return up < p ? (uint32_t)up : vertex ^ lowest;
}

/* Where a vertex of the first tree stands in the second. */
static uint32_t twin(uint32_t p, uint32_t vertex)
{
  if (vertex == 0)
    return 0;
  return p % 2 ? p - vertex : vertex % (p - 1) + 1;
}

/* An edge, and every second one of a walk from there, gets the colour; those between, the other. */
static void colour_walk(struct draft *draft, uint32_t edge, uint32_t colour)
{
  while (edge != TNY_NONE && draft->colour[edge] == NO_COLOUR) {
    draft->colour[edge] = colour;
    draft->colour[edge ^ 1] = 1 - colour;
    edge = draft->sibling[edge ^ 1];
  }
}

/* All edges that a walk from this one reaches, both ways. */
static void colour_from(struct draft *draft, uint32_t edge)
{
  if (draft->colour[edge] != NO_COLOUR)
    return;
  colour_walk(draft, edge, 0);
  colour_walk(draft, draft->sibling[edge], 1);
}

/* The root sends in the first round along the first tree. `newest` has an entry for each vertex. */
static void fill_draft(struct draft *draft, uint32_t *newest)
{
  const uint32_t p = draft->p;
  for (uint32_t vertex = 1; vertex < p; vertex++) {
    const uint32_t parent = parent_in_order(p, vertex);
    draft->parent[TREES * vertex] = parent;
    draft->parent[TREES * twin(p, vertex) + 1] = twin(p, parent);
  }
  for (uint32_t vertex = 0; vertex < p; vertex++)
    newest[vertex] = TNY_NONE;
  for (uint32_t edge = TREES; edge < TREES * p; edge++) {
    const uint32_t parent = draft->parent[edge], other = newest[parent];
    draft->colour[edge] = NO_COLOUR;
    draft->sibling[edge] = other;
    if (other != TNY_NONE)
      draft->sibling[other] = edge;
    newest[parent] = edge;
  }
  for (uint32_t edge = TREES; edge < TREES * p; edge += TREES)
    if (draft->parent[edge] == 0)
      colour_from(draft, edge);
  for (uint32_t edge = TREES; edge < TREES * p; edge++)
    colour_from(draft, edge);
}

/* A piece that has come goes on in the first round of the edge's colour. */
static uint32_t arrival(const struct draft *draft, uint32_t edge)
{
  const uint32_t parent = draft->parent[edge], colour = draft->colour[edge];
  if (parent == 0)
    return colour;
  const uint32_t before = arrival(draft, TREES * parent + edge % TREES);
  return before + 1 + (before + 1 + colour) % COLOURS;
}

static void fill_vertices(struct two_tree *trees, const struct draft *draft)
{
  for (uint32_t vertex = 0; vertex < draft->p; vertex++)
    for (uint32_t colour = 0; colour < COLOURS; colour++)
      trees->vertices[vertex].to[colour] = trees->vertices[vertex].from[colour] = TNY_NONE;
  for (uint32_t edge = TREES; edge < TREES * draft->p; edge++) {
    const uint32_t parent = draft->parent[edge], colour = draft->colour[edge];
    struct vertex *vertex = &trees->vertices[edge / TREES];
    vertex->from[colour] = parent;
    vertex->tree_from[colour] = edge % TREES;
    vertex->arrival[colour] = arrival(draft, edge);
    trees->vertices[parent].to[colour] = edge / TREES;
    trees->vertices[parent].tree_to[colour] = edge % TREES;
    if (vertex->arrival[colour] > trees->last_arrival)
      trees->last_arrival = vertex->arrival[colour];
  }
}

static enum tny_status prepare(const struct tny_problem *problem, void **prepared,
                               struct tny_error *error)
{
  const size_t p = problem->rank_count, edges = TREES * p;
  struct two_tree *trees = tny_new(1, sizeof *trees + p * sizeof *trees->vertices);
  uint32_t *memory = tny_new(3 * edges + p, sizeof *memory);
  *prepared = trees;
  if (!trees || !memory) {
    tny_free(memory);
    return tny_error_memory(error);
  }
  struct draft draft = {.p = problem->rank_count,
                        .parent = memory,
                        .sibling = memory + edges,
                        .colour = memory + 2 * edges};
  fill_draft(&draft, memory + 3 * edges);
  fill_vertices(trees, &draft);
  tny_free(memory);
  return TNY_OK;
}

static uint32_t pieces(const struct tny_problem *problem, uint32_t wanted)
{
  (void)problem;
  return wanted + wanted % TREES;
}

static uint32_t rounds_of(const struct tny_problem *problem)
{
  const struct two_tree *trees = problem->prepared;
  return problem->rank_count > 1 ? trees->last_arrival + tny_root_piece_count(problem) - 1 : 0;
}

struct emission {
  const struct tny_problem *problem;
  struct tny_builder *builder;
  const struct two_tree *trees;
  uint32_t here, position;  /* relative to the root's; and of the rank itself */
  uint32_t received[TREES]; /* the last receive of each tree */
};

/* Piece k of a tree follows two rounds behind piece k-1. TNY_NONE: none in this round. */
static uint32_t piece_of(const struct emission *emission, uint32_t round, uint32_t arrival,
                         uint32_t tree)
{
  if (round < arrival || round - arrival + tree >= tny_root_piece_count(emission->problem))
    return TNY_NONE;
  return round - arrival + tree;
}

static uint32_t rank_at(const struct emission *emission, uint32_t vertex)
{
  const struct tny_problem *problem = emission->problem;
  const uint32_t p = problem->rank_count;
  return tny_position_rank(tny_problem_order(problem), p, emission->position,
                           (vertex + p - emission->here) % p);
}

/* What is sent came one or two rounds ago: it's the last that came along its tree, until the next
   one does in this round. */
static void emit_round(struct emission *emission, uint32_t round)
{
  const struct vertex *vertex = &emission->trees->vertices[emission->here];
  const uint32_t colour = round % COLOURS, to = vertex->to[colour], from = vertex->from[colour];
  const uint32_t count = tny_root_piece_count(emission->problem);
  const bool is_root = emission->here == 0;
  uint32_t piece = TNY_NONE;
  if (to != TNY_NONE)
    piece = piece_of(emission, round, emission->trees->vertices[to].arrival[colour],
                     vertex->tree_to[colour]);
  if (piece != TNY_NONE) {
    tny_builder_send(emission->builder, rank_at(emission, to),
                     tny_root_pieces(is_root, count, piece, 1), round);
    if (!is_root)
      tny_builder_after(emission->builder, emission->received[vertex->tree_to[colour]]);
  }
  piece = TNY_NONE;
  if (from != TNY_NONE)
    piece = piece_of(emission, round, vertex->arrival[colour], vertex->tree_from[colour]);
  if (piece != TNY_NONE)
    emission->received[vertex->tree_from[colour]] =
        tny_builder_recv(emission->builder, rank_at(emission, from),
                         tny_root_pieces(is_root, count, piece, 1), round);
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  const uint32_t p = problem->rank_count, *positions = tny_problem_positions(problem);
  const uint32_t position = tny_position_of(positions, rank);
  struct emission emission = {
      .problem = problem, .builder = builder, .trees = problem->prepared, .position = position};
  emission.here = (position + p - tny_position_of(positions, problem->root)) % p;
  for (uint32_t round = 0; round < rounds_of(problem); round++)
    emit_round(&emission, round);
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const uint32_t phases = rounds_of(problem);
  /* Of 3 ranks, one could send the last piece a round before its colour's turn, as the other's port
     is free by then. */
  return (struct tny_claim){.rounds = problem->rank_count == 3 ? phases - 1 : phases,
                            .phases = phases,
                            .blocks_sent_max = phases > 0,
                            .port_messages = 1};
}

const struct tny_algorithm tny_bcast_two_tree = {
    .collective = TNY_BROADCAST,
    .name = "two-tree",
    .source = "sanders2009",
    .summary = "two trees, one's inner vertices the other's leaves: full bandwidth",
    .needs = "any p, any root, the cluster",
    .cut = TNY_CUT_OWN,
    .pacing = TNY_PACE_CREDITS,
    .pieces = pieces,
    .prepare = prepare,
    .release = tny_free,
    .by_name_only = true,
    .claim = claim,
    .emit = emit,
};
