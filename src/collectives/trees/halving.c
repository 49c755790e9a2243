/* Trees of neighbouring ranks, by halving. */
#include "collectives/trees/halving.h"

#include "core/log2.h"

/* Neighbouring positions and the one that leads them. */
struct run {
  uint32_t first, count, leader;
};

/* How far a Bine tree's leader is from the end of its run that is nearer: within its half, it's as
   far from the middle of the run as the leader of such a run is from the end. */
static uint32_t bine_offset(uint32_t count)
{
  uint32_t offset = 0;
  for (bool mirrored = false; count > 1; mirrored = !mirrored) {
    count -= count / 2;
    offset = mirrored ? offset - (count - 1) : offset + (count - 1);
  }
  return offset;
}

static bool has(struct run run, uint32_t position)
{
  return position - run.first < run.count;
}

static bool leads_front(struct run run)
{
  return run.leader - run.first < run.count - run.count / 2;
}

static struct run own_half(struct run run)
{
  const uint32_t first = leads_front(run) ? run.first : run.first + run.count / 2;
  return (struct run){first, run.count - run.count / 2, run.leader};
}

/* The half that has another leader than the run. */
static struct run led_half(enum tny_halving_tree tree, struct run run)
{
  const uint32_t count = run.count / 2;
  const uint32_t inward = tree == TNY_HALVING_BINE ? bine_offset(count) : 0;
  if (!leads_front(run))
    return (struct run){run.first, count, run.first + count - 1 - inward};
  const uint32_t first = run.first + run.count - count;
  return (struct run){first, count, first + inward};
}

/* The integers of k digits to the base -2 begin nearer to 0 than they end where k is odd. */
static uint32_t root_position(enum tny_halving_tree tree, const struct tny_problem *problem)
{
  const uint32_t p = problem->rank_count;
  if (tree == TNY_HALVING_BINOMIAL)
    return problem->root;
  return tny_log2_ceil(p) % 2 == 1 ? bine_offset(p) : p - 1 - bine_offset(p);
}

static uint32_t rank_at(const struct tny_halving *halving, uint32_t position)
{
  return (uint32_t)(((uint64_t)halving->start + position) % halving->rank_count);
}

static uint32_t position_of(const struct tny_halving *halving, uint32_t rank)
{
  return rank < halving->start ? rank + (halving->rank_count - halving->start)
                               : rank - halving->start;
}

struct tny_halving tny_halving_make(enum tny_halving_tree tree, const struct tny_problem *problem,
                                    uint32_t rank)
{
  struct run run = {.count = problem->rank_count, .leader = root_position(tree, problem)};
  struct tny_halving halving = {.rank = rank, .rank_count = run.count, .count = run.count};
  halving.start = problem->root < run.leader ? problem->root + (run.count - run.leader)
                                             : problem->root - run.leader;
  const uint32_t position = position_of(&halving, rank);
  for (uint32_t level = 0; run.count > 1; level++) {
    const struct run led = led_half(tree, run);
    if (position == run.leader || position == led.leader)
      halving.edges[halving.edge_count++] = (struct tny_halving_edge){
          .parent = rank_at(&halving, run.leader),
          .child = rank_at(&halving, led.leader),
          .first = led.first,
          .count = led.count,
          .level = level,
      };
    if (position == led.leader) {
      halving.first = led.first;
      halving.count = led.count;
    }
    run = has(led, position) ? led : own_half(run);
  }
  return halving;
}

/* Where the blocks of all lie at the root, by rank, and where a rank's own one lies: the ends of
   every block's way. */
struct ends {
  enum tny_buffer all, own;
};

/* Some blocks of one run of ranks: those before the last rank's end, and those from rank 0 on. */
static uint32_t wrapped(const struct tny_halving *halving, const struct tny_halving_edge *edge)
{
  const uint64_t end = (uint64_t)rank_at(halving, edge->first) + edge->count;
  return end > halving->rank_count ? (uint32_t)(end - halving->rank_count) : 0;
}

/* Where a rank has the blocks of an edge's run: the root by number, or in scratch where they wrap
   around, which those of one child at most do; anyone else those of its subtree in scratch. */
static struct tny_span edge_blocks(const struct tny_problem *problem,
                                   const struct tny_halving *halving, struct ends ends,
                                   const struct tny_halving_edge *edge)
{
  if (halving->rank != problem->root)
    return tny_span_blocks(TNY_SCRATCH, edge->first - halving->first, edge->count);
  if (wrapped(halving, edge) > 0)
    return tny_span_blocks(TNY_SCRATCH, 0, edge->count);
  return tny_span_blocks(ends.all, rank_at(halving, edge->first), edge->count);
}

/* Where a rank has its own block on the way; a leaf just where it ends or begins. */
static struct tny_span own_block(const struct tny_problem *problem,
                                 const struct tny_halving *halving, struct ends ends)
{
  if (halving->rank == problem->root)
    return tny_span_blocks(ends.all, halving->rank, 1);
  if (halving->count == 1)
    return tny_span_blocks(ends.own, 0, 1);
  return tny_span_blocks(TNY_SCRATCH, position_of(halving, halving->rank) - halving->first, 1);
}

/* What goes between a rank and its parent. */
static struct tny_span subtree_blocks(const struct tny_halving *halving, struct ends ends)
{
  if (halving->count == 1)
    return tny_span_blocks(ends.own, 0, 1);
  return tny_span_blocks(TNY_SCRATCH, 0, halving->count);
}

void tny_halving_scatter(enum tny_halving_tree tree, const struct tny_problem *problem,
                         uint32_t rank, struct tny_builder *builder)
{
  const struct ends ends = {.all = TNY_INPUT, .own = TNY_OUTPUT};
  const struct tny_halving halving = tny_halving_make(tree, problem, rank);
  const bool is_root = rank == problem->root;
  uint32_t received = TNY_NONE;
  if (!is_root)
    received = tny_builder_recv(builder, halving.edges[0].parent, subtree_blocks(&halving, ends),
                                halving.edges[0].level);
  for (uint32_t i = tny_halving_first_child(&halving); i < halving.edge_count; i++) {
    const struct tny_halving_edge *edge = &halving.edges[i];
    const uint32_t back = is_root ? wrapped(&halving, edge) : 0, front = edge->count - back;
    if (back > 0) {
      tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, rank_at(&halving, edge->first), front),
                       tny_span_blocks(TNY_SCRATCH, 0, front));
      tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, 0, back),
                       tny_span_blocks(TNY_SCRATCH, front, back));
    }
    tny_builder_send(builder, edge->child, edge_blocks(problem, &halving, ends, edge), edge->level);
    if (received != TNY_NONE)
      tny_builder_after(builder, received);
  }
  if (!is_root && halving.count == 1)
    return;
  tny_builder_copy(builder, own_block(problem, &halving, ends), tny_span_blocks(TNY_OUTPUT, 0, 1));
  if (received != TNY_NONE)
    tny_builder_after(builder, received);
}

void tny_halving_gather(enum tny_halving_tree tree, const struct tny_problem *problem,
                        uint32_t rank, struct tny_builder *builder)
{
  const struct ends ends = {.all = TNY_OUTPUT, .own = TNY_INPUT};
  const struct tny_halving halving = tny_halving_make(tree, problem, rank);
  const bool is_root = rank == problem->root;
  const uint32_t last = tny_log2_ceil(problem->rank_count) - 1;
  uint32_t received[TNY_HALVINGS_MAX], received_count = 0;
  if (is_root || halving.count > 1)
    tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, 0, 1), own_block(problem, &halving, ends));
  for (uint32_t i = halving.edge_count; i-- > tny_halving_first_child(&halving);) {
    const struct tny_halving_edge *edge = &halving.edges[i];
    const uint32_t back = is_root ? wrapped(&halving, edge) : 0, front = edge->count - back;
    const uint32_t step = tny_builder_recv(
        builder, edge->child, edge_blocks(problem, &halving, ends, edge), last - edge->level);
    received[received_count++] = step;
    if (back == 0)
      continue;
    tny_builder_copy(builder, tny_span_blocks(TNY_SCRATCH, 0, front),
                     tny_span_blocks(TNY_OUTPUT, rank_at(&halving, edge->first), front));
    tny_builder_after(builder, step);
    tny_builder_copy(builder, tny_span_blocks(TNY_SCRATCH, front, back),
                     tny_span_blocks(TNY_OUTPUT, 0, back));
    tny_builder_after(builder, step);
  }
  if (is_root)
    return;
  tny_builder_send(builder, halving.edges[0].parent, subtree_blocks(&halving, ends),
                   last - halving.edges[0].level);
  for (uint32_t i = 0; i < received_count; i++)
    tny_builder_after(builder, received[i]);
}

static struct tny_claim tree_claim(uint32_t rank_count, uint32_t blocks_sent_max)
{
  const uint32_t rounds = tny_log2_ceil(rank_count), largest = rank_count / 2;
  return (struct tny_claim){.rounds = rounds,
                            .phases = rounds,
                            .blocks_sent_max = blocks_sent_max,
                            .scratch_blocks = largest > 1 ? largest : 0,
                            .port_messages = 1};
}

struct tny_claim tny_halving_scatter_claim(const struct tny_problem *problem)
{
  return tree_claim(problem->rank_count, problem->rank_count - 1);
}

struct tny_claim tny_halving_gather_claim(const struct tny_problem *problem)
{
  return tree_claim(problem->rank_count, problem->rank_count / 2);
}
