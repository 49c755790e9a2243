/* Blocks are laid out by the row's operation, and carry bytes that depend on source, target, call
   and offset (pattern.h). */
#include "bench/blocks.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/pattern.h"
#include "core/error.h"

static uint32_t block_count(const struct bench_blocks *blocks, bool is_input)
{
  const struct bench_operation *op = blocks->operation;
  if (op->synchronizes ||
      (blocks->rank != 0 && (is_input ? op->input_at_root : op->output_at_root)))
    return 0;
  if (!(is_input ? op->input_per_rank : op->output_per_rank))
    return 1;
  return op->neighbours ? (uint32_t)blocks->grid->neighbour_count : blocks->rank_count;
}

/* Whom a block is for, or from. */
static uint32_t peer_of(const struct bench_blocks *blocks, uint32_t block)
{
  return blocks->operation->neighbours ? (uint32_t)blocks->grid->neighbours[block] : block;
}

/* --- their sizes --- */

/* The grid's edges, of which each pair's have one size. */
static enum tny_status draw_on_grid(const struct bench_blocks *blocks,
                                    const struct tny_unevenness *spread, struct tny_pattern **sizes,
                                    struct tny_error *error)
{
  enum tny_status status = tny_pattern_edges(&blocks->grid->shape, sizes, error);
  if (status == TNY_OK)
    status = tny_pattern_draw(*sizes, blocks->operation->collective, spread, error);
  return status;
}

/* What ranks have for each other, where that differs; else NULL. Owns: *sizes is the caller's, also
   after a failure. */
static enum tny_status draw_sizes(const struct bench_blocks *blocks, struct tny_unevenness spread,
                                  struct tny_pattern **sizes, struct tny_error *error)
{
  const struct bench_operation *op = blocks->operation;
  *sizes = NULL;
  spread.mean_bytes = blocks->block_bytes;
  if (!op->uneven)
    return TNY_OK;
  return op->neighbours
             ? draw_on_grid(blocks, &spread, sizes, error)
             : tny_pattern_uneven(blocks->rank_count, op->collective, &spread, sizes, error);
}

static uint64_t size_of(const struct bench_blocks *blocks, const struct tny_pattern *sizes,
                        bool is_input, uint32_t block)
{
  const size_t own = blocks->rank, peer = peer_of(blocks, block), p = blocks->rank_count;
  if (!sizes)
    return blocks->block_bytes;
  return sizes->bytes[is_input ? own * p + peer : peer * p + own];
}

static enum tny_status make_side(const struct bench_blocks *blocks, const struct tny_pattern *sizes,
                                 bool is_input, struct bench_side *side, struct tny_error *error)
{
  side->count = block_count(blocks, is_input);
  side->bytes = malloc((side->count + 1) * sizeof *side->bytes);
  side->places = malloc((side->count + 1) * sizeof *side->places);
  if (!side->bytes || !side->places)
    return tny_error_memory(error);
  for (uint32_t i = 0; i < side->count; i++) {
    const uint64_t bytes = size_of(blocks, sizes, is_input, i);
    if (sizes && (bytes > INT_MAX || side->total > INT_MAX))
      return tny_error_set(error, TNY_REFUSED,
                           "blocks of more than 2 GiB in all, which MPI's counts and displacements "
                           "don't reach; give fewer --bytes");
    side->bytes[i] = (int)bytes;
    side->places[i] = sizes ? (int)side->total : 0;
    side->total += bytes;
  }
  side->memory = malloc(side->total ? side->total : 1);
  return side->memory ? TNY_OK : tny_error_memory(error);
}

enum tny_status bench_blocks_make(struct bench_blocks *blocks, const struct tny_unevenness *spread,
                                  struct tny_error *error)
{
  struct tny_pattern *sizes;
  enum tny_status status = draw_sizes(blocks, *spread, &sizes, error);
  if (status == TNY_OK)
    status = make_side(blocks, sizes, true, &blocks->buffers.input, error);
  if (status == TNY_OK)
    status = make_side(blocks, sizes, false, &blocks->buffers.output, error);
  tny_pattern_free(sizes);
  return status;
}

static void free_side(struct bench_side *side)
{
  free(side->memory);
  free(side->bytes);
  free(side->places);
}

void bench_blocks_free(struct bench_blocks *blocks)
{
  free_side(&blocks->buffers.input);
  free_side(&blocks->buffers.output);
}

/* --- their bytes --- */

static uint64_t input_seed(const struct bench_blocks *blocks, uint32_t block, uint64_t iteration)
{
  const uint32_t target = blocks->operation->personal ? peer_of(blocks, block) : 0;
  return bench_pattern_seed(blocks->rank, target, iteration);
}

static uint64_t output_seed(const struct bench_blocks *blocks, uint32_t block, uint64_t iteration)
{
  const struct bench_operation *op = blocks->operation;
  return bench_pattern_seed(op->rooted ? 0 : peer_of(blocks, block),
                            op->personal ? blocks->rank : 0, iteration);
}

void bench_blocks_fill(const struct bench_blocks *blocks, uint64_t iteration)
{
  const struct bench_side *input = &blocks->buffers.input, *output = &blocks->buffers.output;
  uint64_t place = 0;
  for (uint32_t i = 0; i < input->count; place += (uint64_t)input->bytes[i++])
    bench_pattern_fill(input->memory + place, (uint64_t)input->bytes[i],
                       input_seed(blocks, i, iteration));
  memset(output->memory, (int)(~iteration & 0xff), output->total);
  if (blocks->operation->rooted && blocks->rank == 0)
    bench_pattern_fill(output->memory, blocks->block_bytes, output_seed(blocks, 0, iteration));
}

/* A block to be checked. */
struct checked {
  const uint8_t *block;
  uint64_t bytes, seed;
};

static void check_block(const struct bench_blocks *blocks, const char *what,
                        const struct checked *checked)
{
  const uint64_t wrong = bench_pattern_check(checked->block, checked->bytes, checked->seed);
  if (wrong == checked->bytes)
    return;
  fprintf(stderr,
          "tourney-bench-ranks: %s of %" PRIu64 " bytes: rank %" PRIu32
          ": %s: wrong byte at offset "
          "%" PRIu64 ": expected 0x%02x, got 0x%02x\n",
          blocks->operation->name, blocks->block_bytes, blocks->rank, what, wrong,
          bench_pattern_byte(checked->seed, wrong), checked->block[wrong]);
  fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Takes the other ranks' blocks out of a result again, so that rank 0's is left. */
static void take_apart(const struct bench_blocks *blocks, uint64_t iteration)
{
  const struct bench_side *output = &blocks->buffers.output;
  for (uint32_t rank = 1; output->count > 0 && rank < blocks->rank_count; rank++)
    bench_pattern_mix(
        output->memory, output->total,
        bench_pattern_seed(rank, blocks->operation->personal ? blocks->rank : 0, iteration));
}

void bench_blocks_check(const struct bench_blocks *blocks, uint64_t iteration)
{
  const struct bench_operation *op = blocks->operation;
  const struct bench_side *input = &blocks->buffers.input, *output = &blocks->buffers.output;
  char what[48];
  uint64_t place = 0;
  if (op->reduces)
    take_apart(blocks, iteration);
  for (uint32_t i = 0; i < output->count; place += (uint64_t)output->bytes[i++]) {
    snprintf(what, sizeof what, "block %" PRIu32 " of the result", i);
    check_block(blocks, what,
                &(struct checked){output->memory + place, (uint64_t)output->bytes[i],
                                  output_seed(blocks, i, iteration)});
  }
  place = 0;
  for (uint32_t i = 0; !op->rooted && i < input->count; place += (uint64_t)input->bytes[i++]) {
    snprintf(what, sizeof what, "block %" PRIu32 " of the input was changed", i);
    check_block(blocks, what,
                &(struct checked){input->memory + place, (uint64_t)input->bytes[i],
                                  input_seed(blocks, i, iteration)});
  }
}
