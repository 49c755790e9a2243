/* A neighbourhood's pattern out of what each rank knows of its own edges (src/mpi/pattern.c): the
   messages that it has, the edges that it refuses, and the memory that it takes. */
#include "support/memory.h"

#include <string.h>

#include "core/random.h"
#include "mpi/pattern.h"

enum { RANKS_MOST = 12, EDGES_MOST = 3, DRAWS = 400, MANY = 2048 };

/* How many edges lead from one rank to another; and the same as each rank lists its own. */
struct drawn {
  uint32_t p;
  int edges[RANKS_MOST][RANKS_MOST];
  int counts[2 * RANKS_MOST], places[RANKS_MOST];
  int list[2 * EDGES_MOST * RANKS_MOST * RANKS_MOST];
  struct tny_edge_ends ends;
};

static void list_edges(struct drawn *drawn)
{
  int total = 0;
  for (uint32_t rank = 0; rank < drawn->p; rank++) {
    drawn->places[rank] = total;
    for (int receives = 0; receives < 2; receives++) {
      const int before = total;
      for (uint32_t other = 0; other < drawn->p; other++) {
        const int edges = receives ? drawn->edges[other][rank] : drawn->edges[rank][other];
        for (int i = 0; i < edges; i++)
          drawn->list[total++] = (int)other;
      }
      drawn->counts[2 * rank + (uint32_t)receives] = total - before;
    }
  }
  drawn->ends = (struct tny_edge_ends){drawn->p, drawn->counts, drawn->places, drawn->list};
}

/* Of pairs one in three has edges, where `parallel` up to three, ranks with themselves too. */
static void draw(struct drawn *drawn, uint64_t *state, bool parallel)
{
  *drawn = (struct drawn){.p = 1 + (uint32_t)(tny_random_share(state) * RANKS_MOST)};
  for (uint32_t from = 0; from < drawn->p; from++)
    for (uint32_t to = 0; to < drawn->p; to++)
      if (tny_random_share(state) < 1.0 / 3)
        drawn->edges[from][to] = parallel ? 1 + (int)(tny_random_share(state) * EDGES_MOST) : 1;
  list_edges(drawn);
}

static uint32_t messages_most(const struct drawn *drawn)
{
  uint32_t most = 0;
  for (uint32_t rank = 0; rank < drawn->p; rank++) {
    uint32_t sends = 0, receives = 0;
    for (uint32_t other = 0; other < drawn->p; other++) {
      sends += drawn->edges[rank][other] > 0;
      receives += drawn->edges[other][rank] > 0;
    }
    most = sends > most ? sends : most;
    most = receives > most ? receives : most;
  }
  return most;
}

static bool has_parallels(const struct drawn *drawn)
{
  for (uint32_t from = 0; from < drawn->p; from++)
    for (uint32_t to = 0; to < drawn->p; to++)
      if (drawn->edges[from][to] > 1)
        return true;
  return false;
}

static void a_pattern_has_a_message_for_each_two_ranks_with_edges(void **state)
{
  (void)state;
  uint64_t random = 7;
  struct drawn drawn;
  for (int i = 0; i < DRAWS; i++) {
    struct tny_group_pattern pattern;
    struct tny_pattern *spread;
    bool parallels = false;
    draw(&drawn, &random, i % 2);
    assert_int_equal(tny_group_pattern_make(&drawn.ends, &pattern, &parallels), TNY_OK);
    assert_true(pattern.id != 0);
    assert_int_equal(pattern.messages_most, messages_most(&drawn));
    assert_int_equal(parallels, has_parallels(&drawn));
    assert_int_equal(tny_group_pattern_spread(&pattern, drawn.p, &spread, NULL), TNY_OK);
    assert_int_equal(spread->rank_count, drawn.p);
    for (uint32_t from = 0; from < drawn.p; from++)
      for (uint32_t to = 0; to < drawn.p; to++)
        assert_int_equal(spread->bytes[from * drawn.p + to], drawn.edges[from][to] > 0);
    tny_pattern_free(spread);
    tny_group_pattern_release(&pattern);
  }
}

/* One rank says another number of edges than the other end does, or another rank. */
static void an_edge_that_one_end_alone_knows_is_refused(void **state)
{
  (void)state;
  uint64_t random = 11;
  struct drawn drawn;
  for (int i = 0; i < DRAWS; i++) {
    struct tny_group_pattern pattern;
    bool parallels;
    draw(&drawn, &random, i % 2);
    struct drawn other = drawn;
    const uint32_t from = (uint32_t)(tny_random_share(&random) * drawn.p);
    const uint32_t to = (uint32_t)(tny_random_share(&random) * drawn.p);
    const uint32_t liar = (uint32_t)(tny_random_share(&random) * drawn.p);
    other.edges[from][to] = (other.edges[from][to] + 1) % EDGES_MOST;
    list_edges(&other);
    /* The liar's lists are those of the other graph, where it is an end of the edge. */
    struct drawn mixed = {.p = drawn.p};
    int total = 0;
    for (uint32_t rank = 0; rank < drawn.p; rank++) {
      const struct drawn *said = rank == liar ? &other : &drawn;
      const int count = said->counts[2 * rank] + said->counts[2 * rank + 1];
      mixed.places[rank] = total;
      memcpy(&mixed.counts[2 * rank], &said->counts[2 * rank], 2 * sizeof(int));
      memcpy(&mixed.list[total], &said->list[said->places[rank]], (size_t)count * sizeof(int));
      total += count;
    }
    mixed.ends = (struct tny_edge_ends){mixed.p, mixed.counts, mixed.places, mixed.list};
    const bool is_wrong = (liar == from) != (liar == to);
    assert_int_equal(tny_group_pattern_make(&mixed.ends, &pattern, &parallels),
                     is_wrong ? TNY_REFUSED : TNY_OK);
    tny_group_pattern_release(&pattern);
  }
}

static void patterns_are_the_same_where_all_their_messages_are(void **state)
{
  (void)state;
  uint64_t random = 13;
  struct drawn drawn;
  for (int i = 0; i < DRAWS; i++) {
    struct tny_group_pattern one, same, other;
    bool parallels;
    draw(&drawn, &random, false);
    assert_int_equal(tny_group_pattern_make(&drawn.ends, &one, &parallels), TNY_OK);
    assert_int_equal(tny_group_pattern_make(&drawn.ends, &same, &parallels), TNY_OK);
    const uint32_t from = (uint32_t)(tny_random_share(&random) * drawn.p);
    const uint32_t to = (uint32_t)(tny_random_share(&random) * drawn.p);
    drawn.edges[from][to] = !drawn.edges[from][to];
    list_edges(&drawn);
    assert_int_equal(tny_group_pattern_make(&drawn.ends, &other, &parallels), TNY_OK);
    assert_true(tny_group_pattern_is_same(&one, &same, drawn.p));
    assert_false(tny_group_pattern_is_same(&one, &other, drawn.p));
    other.id = one.id; /* as if that were chance */
    assert_false(tny_group_pattern_is_same(&one, &other, drawn.p));
    const struct tny_group_pattern elsewhere = {.id = one.id};
    assert_true(tny_group_pattern_is_same(&one, &elsewhere, drawn.p));
    tny_group_pattern_release(&one);
    tny_group_pattern_release(&same);
    tny_group_pattern_release(&other);
  }
}

static void where_all_send_to_all_nothing_is_spread(void **state)
{
  (void)state;
  const struct tny_group_pattern all = {.id = 0};
  struct tny_pattern *spread;
  assert_int_equal(tny_group_pattern_spread(&all, 5, &spread, NULL), TNY_OK);
  assert_null(spread);
}

/* A ring of many ranks: what is kept grows with its edges, not with its pairs of ranks. */
static void a_pattern_takes_memory_by_its_messages(void **state)
{
  (void)state;
  static int counts[2 * MANY], places[MANY], list[4 * MANY];
  for (int rank = 0; rank < MANY; rank++) {
    const int before = (rank + MANY - 1) % MANY, behind = (rank + 1) % MANY;
    int *own = &list[4 * rank];
    counts[2 * rank] = counts[2 * rank + 1] = 2;
    places[rank] = 4 * rank;
    own[0] = own[2] = before < behind ? before : behind;
    own[1] = own[3] = before < behind ? behind : before;
  }
  const struct tny_edge_ends ends = {MANY, counts, places, list};
  struct tny_group_pattern pattern;
  bool parallels;
  const uint64_t before = tny_alloc_bytes();
  assert_int_equal(tny_group_pattern_make(&ends, &pattern, &parallels), TNY_OK);
  assert_in_range(tny_alloc_bytes() - before, 3 * MANY * 4, 5 * MANY * 4);
  assert_int_equal(pattern.messages_most, 2);
  tny_group_pattern_release(&pattern);
}

static enum tny_status make(const void *subject, struct tny_error *error)
{
  const struct drawn *drawn = subject;
  struct tny_group_pattern pattern;
  struct tny_pattern *spread = NULL;
  bool parallels;
  enum tny_status status = tny_group_pattern_make(&drawn->ends, &pattern, &parallels);
  if (status == TNY_OK)
    status = tny_group_pattern_spread(&pattern, drawn->p, &spread, error);
  error->status = status;
  tny_pattern_free(spread);
  tny_group_pattern_release(&pattern);
  return status;
}

static void patterns_survive_running_out_of_memory(void **state)
{
  (void)state;
  uint64_t random = 17;
  struct drawn drawn;
  draw(&drawn, &random, true);
  assert_in_range(starve(make, &drawn), 4, 8);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pattern_has_a_message_for_each_two_ranks_with_edges),
      cmocka_unit_test(an_edge_that_one_end_alone_knows_is_refused),
      cmocka_unit_test(patterns_are_the_same_where_all_their_messages_are),
      cmocka_unit_test(where_all_send_to_all_nothing_is_spread),
      cmocka_unit_test(a_pattern_takes_memory_by_its_messages),
      cmocka_unit_test(patterns_survive_running_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
