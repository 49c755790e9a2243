/* Fuzz target: the input as a part of a plan, with a check that fits. What is accepted can be run,
   and is packed and unpacked alike. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "plan/parts.h"
#include "schedule/pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
  if (!condition)
    abort();
}

static void pack_and_unpack(const struct tny_steps *steps)
{
  struct tny_bytes packed = {0};
  struct tny_steps again;
  tny_steps_pack(steps, &packed);
  require(!packed.failed);
  require(tny_steps_unpack(packed.bytes, packed.length, &again, NULL) == TNY_OK);
  require(again.count == steps->count && again.after_total == steps->after_total);
  require(again.count == 0 ||
          memcmp(again.steps, steps->steps, again.count * sizeof *again.steps) == 0);
  tny_steps_release(&again);
  tny_bytes_release(&packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct tny_bytes sealed = {0};
  struct tny_steps steps;
  tny_bytes_add(&sealed, data, size);
  tny_bytes_add_fixed(&sealed, tny_hash_bytes(TNY_HASH_START, data, size));
  const struct tny_parts_head head = {
      .form = TNY_PARTS_EMITTED,
      .stages = {
          .piece_count = 1, .cut_count = 2, .run = 1, .pacing = TNY_PACE_RECEIVES, .window = 2}};
  const struct tny_part_view part = {.head = &head,
                                     .collective = TNY_ALLTOALL,
                                     .rank_count = 8,
                                     .rank = 3,
                                     .bytes = sealed.bytes,
                                     .count = sealed.length};
  if (tny_part_steps(&part, &steps, NULL) == TNY_OK)
    tny_steps_release(&steps);
  if (tny_steps_unpack(sealed.bytes, sealed.length, &steps, NULL) == TNY_OK) {
    pack_and_unpack(&steps);
    tny_steps_release(&steps);
  }
  tny_bytes_release(&sealed);
  return 0;
}
