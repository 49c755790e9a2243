/* Where the data of a plan's blocks lies in memory. */
#ifndef TOURNEY_MPI_AREAS_H
#define TOURNEY_MPI_AREAS_H

#include <stdbool.h>

#include "schedule/block_cut.h"

/* Where a block is, its bytes, and how they are cut, where blocks differ. */
struct tny_lone_block {
  char *memory;
  uint64_t bytes;
  struct tny_block_cut cut;
};
/* Where a schedule's buffers lie in memory: of each block, `bytes` bytes from where it begins. */
struct tny_area {
  char *memory;    /* of the first block */
  uint64_t stride; /* from block to block; in an uneven call's scratch space, from piece to piece */
  /* Not NULL: of an uneven call, each block by itself. Then a plan's spans are of single blocks. */
  const struct tny_lone_block *blocks;
};
/* What a rank may have in flight, where its window is in bytes. */
struct tny_window {
  uint64_t bytes;    /* 0: the plan's own pace is all there is */
  uint32_t messages; /* at most; 0: any number */
  bool is_balanced;  /* what a rank sends is what it gets, passed on: bytes for bytes */
};
struct tny_reduction;
struct tny_port;
struct tny_buffers {
  struct tny_area areas[3]; /* by enum tny_buffer; the input is only read */
  uint64_t bytes;
  const struct tny_reduction *operation; /* of a reduction, whose blocks are cut between elements */
  struct tny_window window;              /* of an uneven call */
  struct tny_port *port;                 /* that its sends have to find room in; else NULL */
  uint32_t port_sending;                 /* how many ranks of this host send there at once */
  /* Blocks are cut by their own length: both ends of a message know what it has, and leave it out
     where that is nothing. */
  bool leaves_out_empty;
};

/* Part `index` of `count` of something `bytes` long, all parts within a byte of each other. */
struct tny_part {
  uint64_t offset, bytes;
};
static inline struct tny_part tny_part_of(uint64_t bytes, uint32_t index, uint32_t count)
{
  const uint64_t length = bytes / count, longer = bytes % count;
  return (struct tny_part){
      .offset = length * index + (index < longer ? index : longer),
      .bytes = length + (index < longer),
  };
}

/* The same of elements, which aren't cut. */
static inline struct tny_part tny_part_of_elements(uint64_t bytes, uint64_t element_bytes,
                                                   uint32_t index, uint32_t count)
{
  const struct tny_part part = tny_part_of(bytes / element_bytes, index, count);
  return (struct tny_part){.offset = part.offset * element_bytes,
                           .bytes = part.bytes * element_bytes};
}

/* The part of a block by itself that a span covers. */
static inline struct tny_part tny_part_of_lone(const struct tny_lone_block *block,
                                               uint64_t element_bytes, const struct tny_span *span)
{
  const struct tny_block_parts parts = tny_block_cut_parts(block->cut, span);
  const struct tny_part first =
      tny_part_of_elements(block->bytes, element_bytes, parts.first, parts.count);
  const struct tny_part behind =
      tny_part_of_elements(block->bytes, element_bytes, parts.end, parts.count);
  return (struct tny_part){.offset = first.offset, .bytes = behind.offset - first.offset};
}

#endif
