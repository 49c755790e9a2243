/* The list of native algorithms, and who drops out of the turns of a row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/turns.h"
#include "cli/shared/peers.h"

static const enum tny_collective collectives[] = {TNY_BROADCAST, TNY_ALLGATHER, TNY_ALLTOALL};
#define COLLECTIVE_COUNT (sizeof collectives / sizeof *collectives)

static void every_collective_has_peers_of_different_names(void **state)
{
  (void)state;
  for (size_t c = 0; c < COLLECTIVE_COUNT; c++) {
    struct peer peers[PEERS_MAX];
    const size_t count = peers_of(collectives[c], peers);
    assert_true(count >= 4);
    for (size_t i = 0; i < count; i++) {
      assert_int_equal(strcspn(peers[i].name, " /'\""), strlen(peers[i].name));
      for (size_t j = 0; j < i; j++)
        assert_string_not_equal(peers[i].name, peers[j].name);
    }
  }
}

static void an_algorithm_takes_part_at_every_size(void **state)
{
  (void)state;
  for (uint64_t bytes = 1; bytes < 8 << 20; bytes = 2 * bytes + 1) {
    for (size_t a = 0; a < peer_algorithm_count; a++) {
      struct peer peers[PEERS_MAX];
      const size_t count = peers_of(peer_algorithms[a].collective, peers);
      size_t here = 0;
      if (peer_algorithms[a].ranks == PEER_TWO)
        continue;
      for (size_t i = 0; i < count; i++)
        here += peers[i].algorithm == &peer_algorithms[a] && bytes >= peers[i].bytes_min &&
                bytes <= peers[i].bytes_max;
      assert_true(here >= 1);
    }
  }
}

static void a_message_is_not_cut_into_one_segment(void **state)
{
  (void)state;
  struct peer peers[PEERS_MAX];
  const size_t count = peers_of(TNY_BROADCAST, peers);
  for (size_t i = 0; i < count; i++)
    assert_true(peers[i].bytes_min > peers[i].segment_bytes);
}

static void han_has_no_alltoall(void **state)
{
  (void)state;
  struct peer peers[PEERS_MAX];
  assert_string_equal(peers[peers_of(TNY_BROADCAST, peers) - 1].name, "han");
  assert_string_equal(peers[peers_of(TNY_ALLTOALL, peers) - 1].name, "tuned:alltoall=linear");
}

static void peers_much_slower_than_the_best_peer_drop_out(void **state)
{
  (void)state;
  struct bench_turn turns[] = {{0}, {0}, {.is_peer = true}, {.is_peer = true}, {.is_peer = true}};
  const double first[] = {9, 1, 2, 3.9, 4.1};
  for (int i = 0; i < 5; i++)
    bench_turn_add(&turns[i], first[i]);
  bench_turns_drop(turns, 5);
  assert_int_equal(bench_turns_left(turns, 5), 4); /* native is slow and stays; 4.1 > 2 * 2 */
  assert_true(turns[4].out);
  for (int i = 0; i < 4; i++)
    bench_turn_add(&turns[i], first[i]);
  bench_turns_drop(turns, 5);
  assert_true(turns[3].out); /* 3.9 > 1.5 * 2 */
  bench_turn_add(&turns[2], 1.9);
  assert_float_equal(turns[2].least_seconds, 1.9, 1e-12);
}

static void one_without_a_turn_neither_drops_out_nor_is_best(void **state)
{
  (void)state;
  struct bench_turn turns[] = {{.is_peer = true}, {.is_peer = true}};
  bench_turn_add(&turns[1], 5);
  bench_turns_drop(turns, 2);
  assert_int_equal(bench_turns_left(turns, 2), 2);
}

static void every_round_has_each_once_and_turns_round(void **state)
{
  (void)state;
  for (uint32_t count = 1; count < 9; count++)
    for (uint64_t round = 0; round < 6; round++) {
      uint32_t order[8], next[8], seen = 0;
      bench_turns_order(count, round, order);
      bench_turns_order(count, round + 1, next);
      for (uint32_t place = 0; place < count; place++) {
        seen |= 1U << order[place];
        if (round % 2 == 0)
          assert_int_equal(order[place], next[count - 1 - place]);
      }
      assert_int_equal(seen, (1U << count) - 1);
    }
}

/* Of 4 that take turns, each comes right after each other in about a quarter of the rounds. */
static void none_always_comes_after_the_same_other(void **state)
{
  (void)state;
  enum { COUNT = 4, ROUNDS = 400 };
  uint32_t after[COUNT][COUNT] = {{0}}, order[COUNT];
  for (uint64_t round = 0; round < ROUNDS; round++) {
    bench_turns_order(COUNT, round, order);
    for (uint32_t place = 1; place < COUNT; place++)
      after[order[place]][order[place - 1]]++;
  }
  for (uint32_t i = 0; i < COUNT; i++)
    for (uint32_t j = 0; j < COUNT; j++)
      assert_true(i == j || (after[i][j] > ROUNDS / 8 && after[i][j] < ROUNDS * 3 / 8));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_collective_has_peers_of_different_names),
      cmocka_unit_test(an_algorithm_takes_part_at_every_size),
      cmocka_unit_test(a_message_is_not_cut_into_one_segment),
      cmocka_unit_test(han_has_no_alltoall),
      cmocka_unit_test(peers_much_slower_than_the_best_peer_drop_out),
      cmocka_unit_test(one_without_a_turn_neither_drops_out_nor_is_best),
      cmocka_unit_test(every_round_has_each_once_and_turns_round),
      cmocka_unit_test(none_always_comes_after_the_same_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
