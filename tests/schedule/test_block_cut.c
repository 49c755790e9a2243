/* How blocks are cut where they differ in size: whatever the numbers, pieces are the whole block,
   each at most one part, evenly spread; and no part is much shorter than the plan's pieces. */
#include "support/memory.h"

#include "schedule/block_cut.h"

enum { BYTES_MAX = 70, PIECES_MAX = 13, BLOCKS = 7 };

struct wanted {
  uint64_t bytes, piece_bytes;
  uint32_t pieces, number;
};

static struct tny_block_parts parts_of(const struct wanted *wanted, uint32_t piece, uint32_t pieces)
{
  const struct tny_span span = {
      .count = 1, .chunk = piece, .chunk_count = wanted->pieces, .chunks = pieces};
  return tny_block_cut_parts(tny_block_cut_make(wanted->bytes, wanted->piece_bytes, wanted->number),
                             &span);
}

/* As many as have room for it, one at the least, and no more than the plan has pieces. */
static uint32_t parts_wanted(const struct wanted *wanted)
{
  uint32_t parts = 1;
  while (parts * wanted->piece_bytes < wanted->bytes)
    parts++;
  return parts < wanted->pieces ? parts : wanted->pieces;
}

static void check(const struct wanted *wanted)
{
  const uint32_t count = parts_wanted(wanted);
  uint32_t end = 0;
  for (uint32_t piece = 0; piece < wanted->pieces; piece++) {
    const struct tny_block_parts parts = parts_of(wanted, piece, 1);
    assert_int_equal(parts.count, count);
    assert_int_equal(parts.first, end);
    assert_in_range(parts.end, end, end + 1);
    end = parts.end;
  }
  assert_int_equal(end, count);
  for (uint32_t run = 1; run <= wanted->pieces; run++)
    for (uint32_t piece = 0; piece + run <= wanted->pieces; piece++) {
      const struct tny_block_parts parts = parts_of(wanted, piece, run);
      const uint32_t least = run * count / wanted->pieces;
      assert_int_equal(parts.first, parts_of(wanted, piece, 1).first);
      assert_int_equal(parts.end, parts_of(wanted, piece + run - 1, 1).end);
      assert_in_range(parts.end - parts.first, least, least + (run * count % wanted->pieces != 0));
    }
  if (count > 1 && count < wanted->pieces)
    assert_true(2 * (wanted->bytes / count + 1) > wanted->piece_bytes);
}

static void pieces_are_the_block_however_short_it_is(void **state)
{
  (void)state;
  struct wanted wanted;
  for (wanted.bytes = 0; wanted.bytes <= BYTES_MAX; wanted.bytes++)
    for (wanted.piece_bytes = 1; wanted.piece_bytes < 12; wanted.piece_bytes++)
      for (wanted.pieces = 1; wanted.pieces <= PIECES_MAX; wanted.pieces++)
        for (wanted.number = 0; wanted.number < BLOCKS; wanted.number++)
          check(&wanted);
}

static void without_a_cut_each_piece_is_a_part(void **state)
{
  (void)state;
  for (uint32_t pieces = 1; pieces <= PIECES_MAX; pieces++)
    for (uint32_t piece = 0; piece < pieces; piece++) {
      const struct tny_span span = {
          .count = 1, .chunk = piece, .chunk_count = pieces, .chunks = pieces - piece};
      const struct tny_block_parts parts = tny_block_cut_parts((struct tny_block_cut){0}, &span);
      assert_int_equal(parts.first, piece);
      assert_int_equal(parts.end, pieces);
      assert_int_equal(parts.count, pieces);
    }
}

/* Of 64 blocks of one part, each eighth of 16 pieces has 8; a few more or less where lots fall. */
static void short_blocks_are_dealt_to_all_pieces_alike(void **state)
{
  enum { SHORT = 64, PIECES = 16, GROUP = 2 };
  uint32_t blocks[PIECES / GROUP] = {0};
  (void)state;
  for (uint32_t number = 0; number < SHORT; number++)
    for (uint32_t piece = 0; piece < PIECES; piece++) {
      const struct wanted wanted = {
          .bytes = 5, .piece_bytes = 10, .pieces = PIECES, .number = number};
      const struct tny_block_parts parts = parts_of(&wanted, piece, 1);
      blocks[piece / GROUP] += parts.end - parts.first;
    }
  for (uint32_t group = 0; group < PIECES / GROUP; group++)
    assert_in_range(blocks[group], 6, 10);
}

static void the_longest_of_blocks_has_a_part_for_each_piece(void **state)
{
  (void)state;
  const struct wanted wanted = {
      .bytes = UINT64_MAX, .piece_bytes = 1, .pieces = UINT32_MAX, .number = UINT32_MAX};
  const struct tny_block_parts parts = parts_of(&wanted, UINT32_MAX - 1, 1);
  assert_int_equal(parts.first, UINT32_MAX - 1);
  assert_int_equal(parts.end, UINT32_MAX);
  const struct wanted nearly = {.bytes = (uint64_t)UINT32_MAX - 1,
                                .piece_bytes = 1,
                                .pieces = UINT32_MAX,
                                .number = UINT32_MAX};
  assert_int_equal(parts_of(&nearly, 0, UINT32_MAX).first, 0);
  assert_int_equal(parts_of(&nearly, 0, UINT32_MAX).end, UINT32_MAX - 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_are_the_block_however_short_it_is),
      cmocka_unit_test(without_a_cut_each_piece_is_a_part),
      cmocka_unit_test(short_blocks_are_dealt_to_all_pieces_alike),
      cmocka_unit_test(the_longest_of_blocks_has_a_part_for_each_piece),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
