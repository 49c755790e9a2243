/* All-to-all, dimension by dimension: an all-to-all along each dimension of a torus in turn, with a
   bundle of all blocks that go to the same coordinate in one message.

   Source: Traeff, "Effective MPI: user-defined datatypes and Cartesian communicators for zero-copy
           all-to-all communication in multidimensional tori" (arXiv 2605.29970). Only the abstract
           was at hand: the number of ranks is split in d factors, and an all-to-all goes along each
           dimension of the torus that they make. There derived datatypes pick the blocks of a
           message out of memory, and nothing is copied. Here a message is of blocks in a row, so
           that blocks are copied before most stages
   Needs:  any p, any number of dimensions from 1 on: factors of p of about the same size, over the
           ranks in switch order. Where no number is asked for, the dimensions are those of a ring,
           torus or mesh with as many ranks on each host, and before them that of the ranks of a
           host; else 2
   Shape:  p=4, dimensions of 2 and 2: 0 sends its blocks for 1 and 3 to 1, which keeps the one and
           sends the other on to 3, together with its own for 3
   Cost:   the sum of side - 1 rounds over the dimensions; a message along a side has p/side blocks.
           A block is copied before each stage that it moves in, unless its bundle lies in a row,
           and once more where the last stage didn't bring it. Scratch for up to (d+1) p blocks
   Links:  one message a port and phase. By the network's dimensions only the links of one of them
           at a time, and with one rank a host up to half its side meet on one
   Prefer: for blocks of middling length where bruck moves too many bytes and straight exchanges
           take too many messages: of 1 KiB on torus:4x4x4 it takes 1242 us, bruck:8 1968 and shift
           2388, as simulated. hierarchical-bruck is ahead there with 1162, on 2-D tori two-stage,
           which has phases without contention

   A block is known by an index in the lattice: its coordinates are those of its source in the
   dimensions that it has gone along, and those of its destination in the others. So a stage leaves
   where it is what has the rank's own coordinate, and swaps the bundles of the others. The longest
   strides come last, so that the last stage receives in the order of the output wherever ranks
   stand in the order of their numbers. */
#include "collectives/list.h"
#include "collectives/shared/copies.h"
#include "planner/lattice.h"

enum { DIMENSIONS = 2 };

struct writer {
  struct tny_lattice lattice;
  struct tny_builder *builder;
  uint32_t here; /* the rank's index */
  /* Scratch has what is sent in a stage, and then what arrived in each. */
  uint32_t arrived[TNY_LATTICE_DIMENSIONS_MAX];
};

/* The blocks of a bundle, in the order of their indices without the dimension. */
struct bundle {
  const struct writer *writer;
  uint32_t dimension, coordinate;
};

static struct tny_lattice lattice_of(const struct tny_problem *problem)
{
  if (problem->parameter == 0 && tny_lattice_has_grid(problem, false))
    return tny_lattice_grid(problem);
  return tny_lattice_factors(problem, problem->parameter ? problem->parameter : DIMENSIONS);
}

static uint32_t ranks_in(const struct tny_lattice *lattice)
{
  return tny_lattice_stride(lattice, lattice->dimensions);
}

static uint32_t bundle_blocks(const struct tny_lattice *lattice, uint32_t dimension)
{
  return ranks_in(lattice) / lattice->size[dimension];
}

/* Of what a rank sends in a stage, and of what arrives. */
static uint32_t stage_blocks(const struct tny_lattice *lattice, uint32_t dimension)
{
  return (lattice->size[dimension] - 1) * bundle_blocks(lattice, dimension);
}

static uint32_t most_sent(const struct tny_lattice *lattice)
{
  uint32_t most = 0;
  for (uint32_t d = 0; d < lattice->dimensions; d++)
    if (stage_blocks(lattice, d) > most)
      most = stage_blocks(lattice, d);
  return most;
}

/* How far on from the rank a coordinate is, and which bundle of a stage that is; not 0. */
static uint32_t offset_of(const struct writer *writer, uint32_t dimension, uint32_t coordinate)
{
  const uint32_t side = writer->lattice.size[dimension];
  return (coordinate + side - tny_lattice_coordinate(&writer->lattice, writer->here, dimension)) %
         side;
}

static struct tny_span bundle_at(const struct writer *writer, uint32_t first, uint32_t dimension,
                                 uint32_t offset)
{
  const uint32_t blocks = bundle_blocks(&writer->lattice, dimension);
  return tny_span_blocks(TNY_SCRATCH, first + (offset - 1) * blocks, blocks);
}

/* Where a block is before a stage. */
static struct tny_span location(const struct writer *writer, uint32_t stage, uint32_t block)
{
  const struct tny_lattice *lattice = &writer->lattice;
  for (uint32_t d = stage; d-- > 0;) {
    const uint32_t offset = offset_of(writer, d, tny_lattice_coordinate(lattice, block, d));
    const uint32_t stride = tny_lattice_stride(lattice, d);
    const uint32_t in_bundle = block % stride + block / (stride * lattice->size[d]) * stride;
    if (offset > 0)
      return tny_span_blocks(TNY_SCRATCH,
                             bundle_at(writer, writer->arrived[d], d, offset).first + in_bundle, 1);
  }
  return tny_span_blocks(TNY_INPUT, tny_lattice_rank(lattice, block), 1);
}

static uint32_t block_of(const struct bundle *bundle, uint32_t index)
{
  const struct tny_lattice *lattice = &bundle->writer->lattice;
  const uint32_t stride = tny_lattice_stride(lattice, bundle->dimension);
  return index % stride +
         stride * (bundle->coordinate + lattice->size[bundle->dimension] * (index / stride));
}

static struct tny_span block_at(const void *context, uint32_t index)
{
  const struct bundle *bundle = context;
  return location(bundle->writer, bundle->dimension, block_of(bundle, index));
}

static struct tny_span output_at(const void *context, uint32_t index)
{
  const struct bundle *bundle = context;
  const uint32_t rank = tny_lattice_rank(&bundle->writer->lattice, block_of(bundle, index));
  return tny_span_blocks(TNY_OUTPUT, rank, 1);
}

static bool is_last(const struct writer *writer, uint32_t dimension)
{
  return dimension + 1 == writer->lattice.dimensions;
}

/* Are the blocks in a row in the output? */
static bool is_in_order(const struct bundle *bundle)
{
  const uint32_t blocks = bundle_blocks(&bundle->writer->lattice, bundle->dimension);
  for (uint32_t i = 0; i < blocks; i++)
    if (output_at(bundle, i).first != output_at(bundle, 0).first + i)
      return false;
  return true;
}

/* Where the bundle from a coordinate arrives. */
static struct tny_span arrival(const struct writer *writer, const struct bundle *from)
{
  const struct tny_lattice *lattice = &writer->lattice;
  const uint32_t d = from->dimension, offset = offset_of(writer, d, from->coordinate);
  if (is_last(writer, d) && is_in_order(from))
    return tny_span_blocks(TNY_OUTPUT, output_at(from, 0).first, bundle_blocks(lattice, d));
  return bundle_at(writer, writer->arrived[d], d, offset);
}

static void exchange(const struct writer *writer, uint32_t dimension, uint32_t shift,
                     uint32_t phase, struct tny_copies *copies)
{
  const struct tny_lattice *lattice = &writer->lattice;
  const uint32_t side = lattice->size[dimension];
  const uint32_t x = tny_lattice_coordinate(lattice, writer->here, dimension);
  const struct bundle to = {writer, dimension, (x + shift) % side};
  const struct bundle from = {writer, dimension, (x + side - shift) % side};
  const struct tny_block_list sent = {block_at, &to, bundle_blocks(lattice, dimension)};
  const struct tny_span span =
      tny_copies_in_a_row(copies, &sent, bundle_at(writer, 0, dimension, shift));
  tny_copies_send(copies, tny_lattice_rank_after(lattice, writer->here, dimension, shift), span,
                  phase);
  tny_builder_recv(writer->builder,
                   tny_lattice_rank_after(lattice, writer->here, dimension, side - shift),
                   arrival(writer, &from), phase);
}

/* Copies what hasn't been received in the output; the last dimension counts slowest. */
static void deliver(const struct writer *writer, struct tny_copies *copies)
{
  const struct tny_lattice *lattice = &writer->lattice;
  const uint32_t last = lattice->dimensions - 1, blocks = bundle_blocks(lattice, last);
  for (uint32_t coordinate = 0; coordinate < lattice->size[last]; coordinate++) {
    const struct bundle from = {writer, last, coordinate};
    if (offset_of(writer, last, coordinate) > 0 && is_in_order(&from))
      continue;
    for (uint32_t i = 0; i < blocks; i++)
      tny_copies_add(copies, location(writer, lattice->dimensions, block_of(&from, i)),
                     output_at(&from, i));
  }
  tny_copies_finish(copies);
}

static void emit(const struct tny_problem *problem, uint32_t rank, struct tny_builder *builder)
{
  struct writer writer = {.lattice = lattice_of(problem), .builder = builder};
  const struct tny_lattice *lattice = &writer.lattice;
  struct tny_copies copies = {.builder = builder};
  uint32_t phase = 0;
  writer.here = tny_lattice_index(problem, lattice, rank);
  writer.arrived[0] = most_sent(lattice);
  for (uint32_t d = 1; d < lattice->dimensions; d++)
    writer.arrived[d] = writer.arrived[d - 1] + stage_blocks(lattice, d - 1);
  for (uint32_t d = 0; d < lattice->dimensions; d++) {
    const uint32_t first = builder->steps.count;
    for (uint32_t shift = 1; shift < lattice->size[d]; shift++)
      exchange(&writer, d, shift, phase++, &copies);
    copies.wait_first = first;
    copies.wait_end = builder->steps.count;
  }
  if (lattice->dimensions > 0)
    deliver(&writer, &copies);
  else
    tny_builder_copy(builder, tny_span_blocks(TNY_INPUT, rank, 1),
                     tny_span_blocks(TNY_OUTPUT, rank, 1));
}

static struct tny_claim claim(const struct tny_problem *problem)
{
  const struct tny_lattice lattice = lattice_of(problem);
  struct tny_claim claim = {.scratch_blocks = most_sent(&lattice), .port_messages = 1};
  for (uint32_t d = 0; d < lattice.dimensions; d++) {
    claim.rounds += lattice.size[d] - 1;
    claim.blocks_sent_max += stage_blocks(&lattice, d);
    claim.scratch_blocks += stage_blocks(&lattice, d);
    if (d >= lattice.cables_from && claim.grid_link_messages < lattice.size[d] / 2)
      claim.grid_link_messages = lattice.size[d] / 2;
  }
  claim.phases = claim.rounds;
  return claim;
}

const struct tny_algorithm tny_alltoall_dimension_wise = {
    .collective = TNY_ALLTOALL,
    .name = "dimension-wise",
    .source = "traeff2026",
    .summary = "bundles along each dimension of a torus in turn",
    .needs = "any p, the cluster",
    .parameter = {.name = "dimensions", .standard = 0, .least = 1},
    .cut = TNY_CUT_BY_PHASE,
    .pacing = TNY_PACE_RECEIVES,
    .by_name_only = true,
    .claim = claim,
    .emit = emit,
};
