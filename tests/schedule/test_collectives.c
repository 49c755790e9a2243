/* The table of collectives against the definitions, which stand here once more, written out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <tourney/algorithm.h>

enum { RANKS_MAX = 6 };

/* By their definitions, the input block that belongs in an output block; false: there is no such
   output block. */
static bool of_broadcast(uint32_t root, uint32_t rank, uint32_t block, struct tny_origin *origin)
{
  *origin = (struct tny_origin){root, 0};
  return block == 0 && rank != root;
}

static bool of_allgather(uint32_t root, uint32_t rank, uint32_t block, struct tny_origin *origin)
{
  (void)root, (void)rank;
  *origin = (struct tny_origin){block, 0};
  return true;
}

static bool of_alltoall(uint32_t root, uint32_t rank, uint32_t block, struct tny_origin *origin)
{
  (void)root;
  *origin = (struct tny_origin){block, rank};
  return true;
}

static bool of_gather(uint32_t root, uint32_t rank, uint32_t block, struct tny_origin *origin)
{
  *origin = (struct tny_origin){block, 0};
  return rank == root;
}

static bool of_scatter(uint32_t root, uint32_t rank, uint32_t block, struct tny_origin *origin)
{
  *origin = (struct tny_origin){root, rank};
  return block == 0;
}

/* Where blocks are combined, the contribution of rank 0. */
static bool of_reduce(uint32_t root, uint32_t rank, uint32_t block, struct tny_origin *origin)
{
  *origin = (struct tny_origin){0, 0};
  return block == 0 && rank == root;
}

static bool of_reduce_scatter(uint32_t root, uint32_t rank, uint32_t block,
                              struct tny_origin *origin)
{
  (void)root;
  *origin = (struct tny_origin){0, rank};
  return block == 0;
}

static bool of_allreduce(uint32_t root, uint32_t rank, uint32_t block, struct tny_origin *origin)
{
  (void)root, (void)rank;
  *origin = (struct tny_origin){0, 0};
  return block == 0;
}

/* No rank has anything. */
static bool of_barrier(uint32_t root, uint32_t rank, uint32_t block, struct tny_origin *origin)
{
  (void)root, (void)rank, (void)block, (void)origin;
  return false;
}

static bool is_reduction(enum tny_collective collective)
{
  return collective == TNY_REDUCE || collective == TNY_REDUCE_SCATTER ||
         collective == TNY_ALLREDUCE;
}

static bool is_defined(enum tny_collective collective, uint32_t root, uint32_t rank, uint32_t block,
                       struct tny_origin *origin)
{
  static bool (*const definitions[TNY_COLLECTIVE_COUNT])(uint32_t, uint32_t, uint32_t,
                                                         struct tny_origin *) = {
      [TNY_BROADCAST] = of_broadcast,
      [TNY_ALLGATHER] = of_allgather,
      [TNY_ALLTOALL] = of_alltoall,
      [TNY_GATHER] = of_gather,
      [TNY_SCATTER] = of_scatter,
      [TNY_REDUCE] = of_reduce,
      [TNY_REDUCE_SCATTER] = of_reduce_scatter,
      [TNY_ALLREDUCE] = of_allreduce,
      [TNY_BARRIER] = of_barrier};
  if (!definitions[collective])
    fail_msg("%s has no definition here", tny_collective_name(collective));
  return definitions[collective](root, rank, block, origin);
}

static void each_row_is_complete_and_its_standard_exists(void **state)
{
  (void)state;
  for (unsigned i = 0; i < TNY_COLLECTIVE_COUNT; i++) {
    const enum tny_collective collective = (enum tny_collective)i;
    const struct tny_collective_row *row = tny_collective_row(collective);
    enum tny_collective found;
    assert_non_null(row->name);
    assert_non_null(row->title);
    assert_non_null(row->standard);
    assert_non_null(tny_algorithm_find(collective, row->standard));
    assert_int_equal(tny_collective_parse(row->name, &found, NULL), TNY_OK);
    assert_int_equal(found, collective);
  }
}

static void outputs_are_made_of_the_blocks_that_the_definition_says(void **state)
{
  (void)state;
  for (unsigned i = 0; i < TNY_COLLECTIVE_COUNT; i++)
    for (uint32_t p = 1; p <= RANKS_MAX; p++)
      for (uint32_t root = 0; root < (tny_collective_has_root((enum tny_collective)i) ? p : 1);
           root++)
        for (uint32_t rank = 0; rank < p; rank++) {
          const enum tny_collective collective = (enum tny_collective)i;
          uint32_t blocks = 0;
          struct tny_origin origin;
          while (blocks < p && is_defined(collective, root, rank, blocks, &origin)) {
            const struct tny_origin found =
                is_reduction(collective) ? tny_collective_contribution(collective, rank, 0)
                                         : tny_collective_origin(collective, root, rank, blocks);
            assert_int_equal(found.rank, origin.rank);
            assert_int_equal(found.block, origin.block);
            assert_true(origin.block <
                        tny_rank_blocks(collective, TNY_INPUT, p, root, origin.rank));
            blocks++;
          }
          assert_int_equal(tny_rank_blocks(collective, TNY_OUTPUT, p, root, rank), blocks);
        }
}

static void every_rank_contributes_its_block_in_rank_order(void **state)
{
  (void)state;
  for (uint32_t k = 0; k < RANKS_MAX; k++)
    for (uint32_t rank = 0; rank < RANKS_MAX; rank++) {
      const struct tny_origin one = tny_collective_contribution(TNY_REDUCE, rank, k);
      const struct tny_origin all = tny_collective_contribution(TNY_ALLREDUCE, rank, k);
      const struct tny_origin own = tny_collective_contribution(TNY_REDUCE_SCATTER, rank, k);
      assert_true(one.rank == k && one.block == 0);
      assert_true(all.rank == k && all.block == 0);
      assert_true(own.rank == k && own.block == rank);
    }
}

/* Counts, of all blocks that ranks outside `to` have, those that a rank of `to` gets. `to` is a
   set, a bit a rank. Where blocks are combined, one partial result of each goes over, if any rank
   outside has a part in it. */
static uint64_t count_crossing(enum tny_collective collective, uint32_t p, uint32_t root,
                               uint32_t to)
{
  bool crosses[RANKS_MAX][RANKS_MAX] = {{false}};
  uint64_t count = 0;
  for (uint32_t rank = 0; rank < p; rank++)
    for (uint32_t block = 0; block < p; block++) {
      struct tny_origin origin;
      const bool is_there = (to >> rank & 1) && is_defined(collective, root, rank, block, &origin);
      if (is_there && (is_reduction(collective) ? to + 1 < 1u << p : !(to >> origin.rank & 1)))
        crosses[origin.rank][origin.block] = true;
    }
  for (uint32_t rank = 0; rank < p; rank++)
    for (uint32_t block = 0; block < p; block++)
      count += crosses[rank][block];
  return count;
}

static void the_load_on_a_cut_is_what_its_far_side_gets_from_the_near_one(void **state)
{
  (void)state;
  for (unsigned i = 0; i < TNY_COLLECTIVE_COUNT; i++)
    for (uint32_t p = 1; p <= RANKS_MAX; p++)
      for (uint32_t root = 0; root < p; root++)
        for (uint32_t to = 0; to < 1u << p; to++) {
          const bool root_to = to >> root & 1;
          const uint64_t inside = (uint64_t)__builtin_popcount(to);
          const struct tny_sides sides = {p - inside, inside, !root_to, root_to};
          assert_int_equal(tny_collective_load((enum tny_collective)i, sides),
                           count_crossing((enum tny_collective)i, p, root, to));
        }
}

/* Which collectives have a property, a bit each. */
static unsigned having(bool (*property)(enum tny_collective))
{
  unsigned found = 0;
  for (unsigned i = 0; i < TNY_COLLECTIVE_COUNT; i++)
    found |= (unsigned)property((enum tny_collective)i) << i;
  return found;
}

static void properties_are_those_of_the_definitions(void **state)
{
  (void)state;
  const unsigned b = 1u << TNY_BROADCAST, g = 1u << TNY_ALLGATHER, a = 1u << TNY_ALLTOALL;
  const unsigned to_root = 1u << TNY_GATHER, from_root = 1u << TNY_SCATTER;
  const unsigned r = 1u << TNY_REDUCE, s = 1u << TNY_REDUCE_SCATTER, all = 1u << TNY_ALLREDUCE;
  assert_int_equal(having(tny_collective_has_root), b | to_root | from_root | r);
  assert_int_equal(having(tny_collective_reduces), r | s | all);
  assert_int_equal(having(tny_collective_synchronizes), 1u << TNY_BARRIER);
  assert_int_equal(having(tny_collective_shares_result), all);
  assert_int_equal(having(tny_collective_is_one_message), b);
  assert_int_equal(having(tny_collective_is_pairwise), a);
  assert_int_equal(having(tny_collective_has_own_block), g | to_root);
  assert_int_equal(having(tny_collective_may_be_in_place), g | a | to_root | r | s | all);
  assert_int_equal(having(tny_collective_has_one_buffer), b);
  assert_int_equal(having(tny_collective_is_served), b | g | a);
  assert_int_equal(tny_collective_in_place(TNY_ALLGATHER, 3), 3);
  assert_int_equal(tny_collective_in_place(TNY_GATHER, 3), 3);
  assert_int_equal(tny_collective_in_place(TNY_ALLTOALL, 3), 0);
  assert_int_equal(tny_collective_in_place(TNY_REDUCE_SCATTER, 3), 0);
}

/* MPI has the two of every rank to every rank. */
static void neighbourhoods_have_the_forms_that_mpi_has(void **state)
{
  (void)state;
  for (unsigned i = 0; i < TNY_COLLECTIVE_COUNT; i++) {
    const struct tny_collective_row *row = tny_collective_row((enum tny_collective)i);
    char name[64];
    assert_int_equal(row->neighbour_name != NULL, i == TNY_ALLGATHER || i == TNY_ALLTOALL);
    assert_int_equal(row->uneven_neighbour_name != NULL, row->neighbour_name != NULL);
    if (!row->neighbour_name)
      continue;
    snprintf(name, sizeof name, "neighbor_%s", row->name);
    assert_string_equal(row->neighbour_name, name);
    snprintf(name, sizeof name, "neighbor_%s", row->uneven_name);
    assert_string_equal(row->uneven_neighbour_name, name);
  }
}

static void lists_name_those_that_belong(void **state)
{
  (void)state;
  assert_string_equal(tny_collective_names(NULL, ", ", " or ").text,
                      "bcast, allgather, alltoall, gather, scatter, reduce, reducescatter, "
                      "allreduce or barrier");
  assert_string_equal(tny_collective_titles(tny_collective_has_root, ", ", " or ").text,
                      "broadcast, gather, scatter or reduce");
  assert_string_equal(tny_collective_titles(tny_collective_is_served, "/", "/").text,
                      "broadcast/all-gather/all-to-all");
  assert_string_equal(tny_collective_article(TNY_ALLGATHER), "an");
  assert_string_equal(tny_collective_article(TNY_BROADCAST), "a");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_row_is_complete_and_its_standard_exists),
      cmocka_unit_test(outputs_are_made_of_the_blocks_that_the_definition_says),
      cmocka_unit_test(every_rank_contributes_its_block_in_rank_order),
      cmocka_unit_test(the_load_on_a_cut_is_what_its_far_side_gets_from_the_near_one),
      cmocka_unit_test(properties_are_those_of_the_definitions),
      cmocka_unit_test(neighbourhoods_have_the_forms_that_mpi_has),
      cmocka_unit_test(lists_name_those_that_belong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
