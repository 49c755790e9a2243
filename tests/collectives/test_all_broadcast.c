/* The all-gather on a circulant graph, by which all ranks broadcast at once: each block takes the
   fewest rounds that a broadcast can take, and a rank has one neighbour each way in a round. The
   same of the reduce-scatter, backwards. */
#include "support/setting.h"

#include <tourney/verify.h>

static const struct tny_algorithm *find(enum tny_collective collective)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(collective, "circulant");
  assert_non_null(algorithm);
  return algorithm;
}

static struct tny_schedule *plan(enum tny_collective collective, uint32_t p, uint32_t pieces)
{
  const struct tny_problem problem = {.collective = collective, .rank_count = p};
  struct tny_schedule *schedule;
  assert_int_equal(tny_plan_all(find(collective), &problem,
                                (struct tny_pace){.chunk_count = pieces}, &schedule, NULL),
                   TNY_OK);
  return schedule;
}

/* Data, progress and the claim. */
static void prove(enum tny_collective collective, uint32_t p, uint32_t pieces)
{
  const struct tny_problem problem = {.collective = collective, .rank_count = p};
  const struct tny_problem settled = tny_plan_problem(find(collective), &problem, pieces);
  const struct tny_claim claim = tny_algorithm_claim(find(collective), &settled);
  struct tny_schedule *schedule = plan(collective, p, pieces);
  struct tny_report report;
  struct tny_error error = {0};
  if (tny_verify_schedule(schedule, &report, &error) != TNY_OK ||
      tny_verify_claim(&report, &claim, &error) != TNY_OK)
    fail_msg("%s of %u ranks, %u pieces: %s", tny_collective_name(collective), p, pieces,
             error.text);
  tny_schedule_free(schedule);
}

static uint32_t log2_ceil(uint32_t count)
{
  uint32_t digits = 0;
  while ((uint32_t)1 << digits < count)
    digits++;
  return digits;
}

static void any_number_of_ranks_and_pieces_is_served(void **state)
{
  (void)state;
  for (uint32_t p = 1; p <= 24; p++)
    for (uint32_t pieces = 1; pieces <= 2 * log2_ceil(p) + 3; pieces++) {
      prove(TNY_ALLGATHER, p, pieces);
      prove(TNY_REDUCE_SCATTER, p, pieces);
    }
}

/* A round has a phase for each block. Every block but a rank's own has to come through its port. */
static void the_claim_is_of_as_many_rounds_as_a_broadcast_takes(void **state)
{
  (void)state;
  for (uint32_t p = 1; p <= 70; p++)
    for (uint32_t pieces = 1; pieces <= 9; pieces += 4) {
      struct tny_problem problem = {
          .collective = TNY_ALLGATHER, .rank_count = p, .piece_count = pieces};
      const struct tny_claim claim = tny_algorithm_claim(find(TNY_ALLGATHER), &problem);
      assert_int_equal(claim.phases, p > 1 ? p * (pieces - 1 + log2_ceil(p)) : 0);
      assert_int_equal(claim.blocks_sent_max, p - 1);
      problem.collective = TNY_REDUCE_SCATTER;
      const struct tny_claim turned = tny_algorithm_claim(find(TNY_REDUCE_SCATTER), &problem);
      assert_int_equal(turned.phases, claim.phases);
      assert_int_equal(turned.blocks_sent_max, p - 1);
      assert_true(turned.scratch_blocks <= 3 * p);
    }
}

/* The skips of a graph of p vertices: p halved again and again, rounded up; returns how many. */
static uint32_t find_skips(uint32_t p, uint32_t skips[32])
{
  const uint32_t count = log2_ceil(p);
  uint32_t skip = p;
  for (uint32_t i = count; i-- > 0;)
    skips[i] = skip -= skip / 2;
  return count;
}

/* Walks through the messages that a rank sends: `round` of each by the skip on which it goes.
   Rounds take the skips in turns, so that the last round takes the longest one. */
static void take_rounds(const struct tny_schedule *schedule, uint32_t rank,
                        uint32_t *round_of_block)
{
  const struct tny_steps *steps = &schedule->ranks[rank];
  const uint32_t p = schedule->rank_count, pieces = schedule->chunk_count;
  uint32_t skips[32];
  const uint32_t turns = find_skips(p, skips), rounds = pieces - 1 + turns;
  uint32_t round = 0;
  for (uint32_t block = 0; block < p; block++)
    round_of_block[block] = TNY_NONE;
  for (uint32_t i = 0; i < steps->count; i++) {
    const struct tny_step *step = &steps->steps[i];
    if (step->kind != TNY_SEND)
      continue;
    const uint32_t block = step->span.buffer == TNY_INPUT ? rank : step->span.first;
    const uint32_t skip = (step->peer + p - rank) % p;
    /* On to the next round where the skip is another one, or the block has had its piece. */
    while (skips[(round + turns - rounds % turns) % turns] != skip ||
           round_of_block[block] == round)
      round++;
    round_of_block[block] = round;
    assert_int_equal(step->span.count, 1);
    assert_int_equal(step->span.chunks, 1);
    assert_true(round < rounds);
  }
}

/* Each rank sends at most one piece of a block in a round, so that no broadcast of them takes more
   rounds than there are. */
static void each_block_takes_the_rounds_of_one_broadcast(void **state)
{
  (void)state;
  static const uint32_t counts[] = {2, 3, 4, 5, 8, 13, 16, 17, 31, 33, 64};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    for (uint32_t pieces = 1; pieces <= 11; pieces += 2) {
      uint32_t round_of_block[64];
      struct tny_schedule *schedule = plan(TNY_ALLGATHER, counts[i], pieces);
      for (uint32_t rank = 0; rank < counts[i]; rank++) {
        take_rounds(schedule, rank, round_of_block);
        assert_true(round_of_block[rank] < pieces - 1 + log2_ceil(counts[i]));
      }
      tny_schedule_free(schedule);
    }
}

/* Is it a message of this kind, of the root's block? */
static bool is_of(const struct tny_step *step, enum tny_step_kind kind, uint32_t rank,
                  uint32_t root)
{
  const uint32_t block = step->span.buffer == TNY_INPUT ? rank : step->span.first;
  return step->kind == kind && block == root;
}

/* The messages of one kind, of one block, are those of its broadcast, in the same order. */
static void compare(const struct tny_schedule *all, const struct tny_schedule *one, uint32_t rank,
                    enum tny_step_kind kind)
{
  const struct tny_steps *steps = &one->ranks[rank];
  uint32_t at = 0;
  for (uint32_t i = 0; i < all->ranks[rank].count; i++) {
    const struct tny_step *step = &all->ranks[rank].steps[i];
    if (!is_of(step, kind, rank, one->root))
      continue;
    while (at < steps->count && steps->steps[at].kind != kind)
      at++;
    assert_true(at < steps->count);
    assert_int_equal(step->peer, steps->steps[at].peer);
    assert_int_equal(step->span.chunk, steps->steps[at++].span.chunk);
  }
  while (at < steps->count)
    assert_int_not_equal(steps->steps[at++].kind, kind);
}

static void a_block_goes_the_way_of_its_broadcast(void **state)
{
  (void)state;
  enum { P = 21, PIECES = 7 };
  struct tny_schedule *all = plan(TNY_ALLGATHER, P, PIECES), *one;
  for (uint32_t root = 0; root < P; root++) {
    const struct tny_problem problem = {.collective = TNY_BROADCAST, .rank_count = P, .root = root};
    assert_int_equal(tny_plan_all(find(TNY_BROADCAST), &problem,
                                  (struct tny_pace){.chunk_count = PIECES}, &one, NULL),
                     TNY_OK);
    for (uint32_t rank = 0; rank < P; rank++) {
      compare(all, one, rank, TNY_SEND);
      compare(all, one, rank, TNY_RECV);
    }
    tny_schedule_free(one);
  }
  tny_schedule_free(all);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_number_of_ranks_and_pieces_is_served),
      cmocka_unit_test(the_claim_is_of_as_many_rounds_as_a_broadcast_takes),
      cmocka_unit_test(each_block_takes_the_rounds_of_one_broadcast),
      cmocka_unit_test(a_block_goes_the_way_of_its_broadcast),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
