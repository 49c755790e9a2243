/* The phased all-to-all of rings and tori against its construction, Figure 1 and the bound. */
#include "torus_support.h"

#include "planner/phases/tournament.h"

static void prove_phases(const char *cluster, bool both_ways)
{
  struct trial trial;
  begin(&trial, cluster, both_ways ? "phases" : "phases-unidirectional", 1);
  const uint32_t p = trial.on.problem.rank_count, n = trial.on.cluster->shape.size[0];
  const uint32_t bound = p * n / (both_ways ? 8 : 4);
  const struct tny_report report = prove(&trial, whole, 1);
  assert_int_equal(report.phases, bound);
  assert_int_equal(report.rounds, p - 1);
  assert_int_equal(claim_of(&trial).phases, bound);
  assert_int_equal(claim_of(&trial).grid_link_messages, 1);
  expect_one_message(&trial, bound, !both_ways);
  end(&trial);
}

static void on_rings_the_phases_are_the_bound_and_use_each_link_once(void **state)
{
  (void)state;
  char cluster[32];
  for (uint32_t n = 4; n <= 64; n += 4) {
    snprintf(cluster, sizeof cluster, "ring:%u", n);
    prove_phases(cluster, false);
    if (n >= 8)
      prove_phases(cluster, true);
  }
}

static void on_tori_the_phases_are_the_bound_and_use_each_link_once(void **state)
{
  (void)state;
  prove_phases("torus:4x4", false);
  prove_phases("torus:8x8", false);
  prove_phases("torus:12x12", false);
  prove_phases("torus:8x8", true);
  prove_phases("torus:12x12", true);
  prove_phases("torus:16x16", true);
}

/* By phase and node of a whole schedule with one rank a host: the node that it sends to, TNY_NONE:
   none. */
static uint32_t *table_of(const struct trial *trial, uint32_t phases)
{
  const uint32_t p = trial->on.problem.rank_count;
  uint32_t *table = tny_new((size_t)phases * p, sizeof *table);
  assert_non_null(table);
  memset(table, 0xff, (size_t)phases * p * sizeof *table);
  for (uint32_t rank = 0; rank < p; rank++) {
    const struct tny_steps *steps = &trial->schedule->ranks[rank];
    for (uint32_t i = 0; i < steps->count; i++)
      if (steps->steps[i].kind == TNY_SEND) {
        uint32_t *to = &table[steps->steps[i].phase * (size_t)p + trial->on.hosts[rank]];
        assert_int_equal(*to, TNY_NONE);
        *to = trial->on.hosts[steps->steps[i].peer];
      }
  }
  return table;
}

/* A chain on a ring of n nodes: by node whom it sends to, itself included; TNY_NONE: not in it. */
struct chain {
  uint32_t to[16];
};

static struct chain no_chain(void)
{
  struct chain chain;
  memset(chain.to, 0xff, sizeof chain.to);
  return chain;
}

/* (a, b) with a < b, clockwise. */
static struct chain chain_of_game(uint32_t n, uint32_t a, uint32_t b)
{
  const uint32_t h = n / 2;
  struct chain chain = no_chain();
  chain.to[a] = b;
  chain.to[b] = a + h;
  chain.to[a + h] = b + h;
  chain.to[b + h] = a;
  return chain;
}

/* (a, a): clockwise for even a, counterclockwise for odd ones. */
static struct chain special_chain(uint32_t n, uint32_t a)
{
  const uint32_t h = n / 2, other = a % 2 == 0 ? a + 1 : a - 1;
  struct chain chain = no_chain();
  chain.to[a] = a;
  chain.to[a + h] = a + h;
  chain.to[other] = other + h;
  chain.to[other + h] = other;
  return chain;
}

static struct chain reversed(uint32_t n, const struct chain *chain)
{
  struct chain back = no_chain();
  for (uint32_t x = 0; x < n; x++)
    if (chain->to[x] != TNY_NONE)
      back.to[chain->to[x]] = x;
  return back;
}

/* The tuples of a ring: by tuple, index of the chain and direction (clockwise, counterclockwise).
   */
struct tuples {
  uint32_t n;
  struct chain chains[8][4][2];
};

/* Tuple i > 0 is a round of the tournament. In which order its games stand is free; `table`, of the
   ring's phases one way, has the order. There, chain l of tuple i is phase 2 (i q + l). */
static void make_tuples(struct tuples *tuples, uint32_t n, const uint32_t *table)
{
  const uint32_t h = n / 2, q = n / 4;
  tuples->n = n;
  for (uint32_t l = 0; l < q; l++) {
    tuples->chains[0][l][0] = special_chain(n, 2 * l);
    tuples->chains[0][l][1] = special_chain(n, 2 * l + 1);
  }
  for (uint32_t i = 1; i < h; i++) {
    for (uint32_t l = 0; l < q; l++) {
      const uint32_t *to = &table[(size_t)(i * q + l) * 2 * n];
      uint32_t a = 0;
      while (a < h && to[a] >= h)
        a++;
      assert_true(a < h);
      assert_int_equal(tny_tournament_partner(h, i - 1, a), to[a]);
      tuples->chains[i][l][0] = chain_of_game(n, a, to[a]);
      tuples->chains[i][l][1] = reversed(n, &tuples->chains[i][l][0]);
    }
  }
}

static void read_tuples(struct tuples *tuples, uint32_t n)
{
  struct trial ring;
  char cluster[32];
  snprintf(cluster, sizeof cluster, "ring:%u", n);
  begin(&ring, cluster, "phases-unidirectional", 1);
  plan(&ring, whole);
  uint32_t *table = table_of(&ring, n * n / 4);
  make_tuples(tuples, n, table);
  tny_free(table);
  end(&ring);
}

/* The dot product of tuple i, one direction, with tuple j turned by k, another direction. */
struct product {
  uint32_t i, j, k, along_x, along_y;
};

/* Adds a dot product's messages to a phase; no node may send two. */
static void overlay(const struct tuples *tuples, struct product product, uint32_t *to)
{
  const uint32_t n = tuples->n, q = n / 4;
  for (uint32_t l = 0; l < q; l++) {
    const uint32_t m = (l + product.k) % q;
    const struct chain *along_x = &tuples->chains[product.i][l][product.along_x];
    const struct chain *along_y = &tuples->chains[product.j][m][product.along_y];
    for (uint32_t node = 0; node < n * n; node++) {
      const uint32_t x = along_x->to[node % n], y = along_y->to[node / n];
      if (x == TNY_NONE || y == TNY_NONE)
        continue;
      assert_int_equal(to[node], TNY_NONE);
      to[node] = x + n * y;
    }
  }
}

/* Phase by phase: { M_i . r^k(M_j) } over the four directions, or the overlays of two of them. */
static void construct(const struct tuples *tuples, uint32_t phase, bool both_ways, uint32_t *to)
{
  const uint32_t h = tuples->n / 2, q = tuples->n / 4, kinds = both_ways ? 2 : 4;
  const uint32_t kind = phase % kinds, k = phase / kinds % q, pair = phase / kinds / q;
  const struct product first = {pair / h, pair % h, k, both_ways ? 0 : kind / 2, kind % 2};
  overlay(tuples, first, to);
  if (!both_ways)
    return;
  const struct product second = {first.i, first.j, k + 1, 1, !first.along_y};
  overlay(tuples, second, to);
}

static void compare_with_construction(uint32_t n, bool both_ways)
{
  struct trial torus;
  struct tuples tuples;
  char cluster[32];
  uint32_t expected[16 * 16];
  read_tuples(&tuples, n);
  snprintf(cluster, sizeof cluster, "torus:%ux%u", n, n);
  begin(&torus, cluster, both_ways ? "phases" : "phases-unidirectional", 1);
  plan(&torus, whole);
  const uint32_t phases = n * n * n / (both_ways ? 8 : 4);
  uint32_t *table = table_of(&torus, phases);
  for (uint32_t phase = 0; phase < phases; phase++) {
    memset(expected, 0xff, sizeof expected);
    construct(&tuples, phase, both_ways, expected);
    for (uint32_t node = 0; node < n * n; node++) {
      const uint32_t to = table[phase * (size_t)n * n + node];
      assert_int_equal(to == TNY_NONE && expected[node] == node ? node : to, expected[node]);
    }
  }
  tny_free(table);
  end(&torus);
}

static void a_nodes_turns_are_the_papers_dot_products(void **state)
{
  (void)state;
  compare_with_construction(4, false);
  compare_with_construction(8, false);
  compare_with_construction(12, false);
  compare_with_construction(8, true);
  compare_with_construction(12, true);
  compare_with_construction(16, true);
}

/* Figure 1: each phase by its message within the first half, and all its messages. */
struct figure_phase {
  const char *name;
  bool clockwise;
  uint32_t to[8]; /* by node; itself: 0 hops; 9: none */
};

static const struct figure_phase figure_1[] = {
    {"(0,1)", true, {1, 4, 9, 9, 5, 0, 9, 9}},  {"(2,3)", true, {9, 9, 3, 6, 9, 9, 7, 2}},
    {"(0,2)", true, {2, 9, 4, 9, 6, 9, 0, 9}},  {"(1,3)", true, {9, 3, 9, 5, 9, 7, 9, 1}},
    {"(0,3)", true, {3, 9, 9, 4, 7, 9, 9, 0}},  {"(1,2)", true, {9, 2, 5, 9, 9, 6, 1, 9}},
    {"(0,0)", true, {0, 5, 9, 9, 4, 1, 9, 9}},  {"(2,2)", true, {9, 9, 2, 7, 9, 9, 6, 3}},
    {"(1,0)", false, {5, 0, 9, 9, 1, 4, 9, 9}}, {"(3,2)", false, {9, 9, 7, 2, 9, 9, 3, 6}},
    {"(2,0)", false, {6, 9, 0, 9, 2, 9, 4, 9}}, {"(3,1)", false, {9, 7, 9, 1, 9, 3, 9, 5}},
    {"(3,0)", false, {7, 9, 9, 0, 3, 9, 9, 4}}, {"(2,1)", false, {9, 6, 1, 9, 9, 2, 5, 9}},
    {"(1,1)", false, {4, 1, 9, 9, 0, 5, 9, 9}}, {"(3,3)", false, {9, 9, 6, 3, 9, 9, 2, 7}},
};
enum { FIGURE_PHASES = sizeof figure_1 / sizeof *figure_1 };

static bool is_same(const struct figure_phase *figure, const uint32_t *to)
{
  for (uint32_t node = 0; node < 8; node++) {
    const bool sends = figure->to[node] != 9 && figure->to[node] != node;
    if (to[node] != (sends ? figure->to[node] : TNY_NONE))
      return false;
  }
  return true;
}

/* Whether every trunk link up, or every one down, carries a message of the phase. */
static bool goes_around(const struct trial *trial, const uint32_t *uses, bool clockwise)
{
  const struct tny_cluster *cluster = trial->on.cluster;
  for (uint32_t link = 0; link < cluster->link_count; link++) {
    const uint32_t from = cluster->links[link].from, to = cluster->links[link].to;
    if (tny_link_is_trunk(cluster, link) && uses[link] != (((from + 1) % 8 == to % 8) == clockwise))
      return false;
  }
  return true;
}

static void on_a_ring_of_8_the_phases_are_those_of_figure_1(void **state)
{
  (void)state;
  struct trial trial;
  begin(&trial, "ring:8", "phases-unidirectional", 1);
  plan(&trial, whole);
  uint32_t *table = table_of(&trial, FIGURE_PHASES);
  uint32_t *uses = count_uses(&trial, FIGURE_PHASES, false);
  for (uint32_t f = 0; f < FIGURE_PHASES; f++) {
    uint32_t phase = 0;
    while (phase < FIGURE_PHASES && !is_same(&figure_1[f], &table[phase * 8]))
      phase++;
    if (phase == FIGURE_PHASES)
      fail_msg("no phase %s", figure_1[f].name);
    if (!goes_around(&trial, &uses[phase * trial.on.cluster->link_count], figure_1[f].clockwise))
      fail_msg("phase %s doesn't go around the ring in its direction", figure_1[f].name);
  }
  tny_free(uses);
  tny_free(table);
  end(&trial);
}

static void with_several_ranks_a_host_a_host_still_sends_one_message_a_phase(void **state)
{
  (void)state;
  const char *const clusters[] = {"ring:8", "ring:12", "torus:8x8"};
  for (uint32_t i = 0; i < 6; i++) {
    struct trial trial;
    const uint32_t k = i < 3 ? 2 : 3;
    begin(&trial, clusters[i % 3], i < 3 ? "phases" : "phases-unidirectional", k);
    const struct tny_report report = prove(&trial, whole, 1);
    assert_int_equal(report.phases, claim_of(&trial).phases);
    assert_int_equal(report.rounds, trial.on.problem.rank_count - 1);
    end(&trial);
  }
}

static void phases_in_chunks_and_paced_keep_their_links_to_themselves(void **state)
{
  (void)state;
  const char *const names[] = {"phases", "phases-unidirectional"};
  for (uint32_t i = 0; i < 2; i++) {
    struct trial trial;
    begin(&trial, i == 0 ? "torus:8x8" : "ring:8", names[i], 1 + i);
    for (uint32_t chunks = 1; chunks <= 3; chunks++)
      for (uint32_t window = 1; window <= 4; window *= 2)
        prove(&trial, (struct tny_pace){.chunk_count = chunks, .window = window}, 1);
    end(&trial);
  }
}

static void a_send_waits_for_its_ranks_previous_send_and_receive(void **state)
{
  (void)state;
  struct trial trial;
  begin(&trial, "torus:8x8", "phases", 2);
  plan(&trial, whole);
  for (uint32_t rank = 0; rank < trial.on.problem.rank_count; rank++) {
    const struct tny_steps *steps = &trial.schedule->ranks[rank];
    uint32_t sent = TNY_NONE, last[2] = {TNY_NONE, TNY_NONE};
    for (uint32_t i = 0; i + 1 < steps->count; i++) {
      const struct tny_step *step = &steps->steps[i];
      /* Sends and receives come in twos, of one turn. */
      if (i % 2 == 0) {
        last[0] = sent;
        last[1] = i == 0 ? TNY_NONE : 2 * i - 3 - sent;
      }
      if (step->kind == TNY_RECV) {
        assert_int_equal(step->after_count, 0);
        continue;
      }
      sent = i;
      assert_int_equal(step->after_count, last[0] == TNY_NONE ? 0 : 2);
      for (uint32_t k = 0; k < step->after_count; k++)
        assert_int_equal(steps->after[step->after_first + k], last[k]);
    }
  }
  end(&trial);
}

static void what_has_no_phases_is_refused_with_the_reason(void **state)
{
  (void)state;
  assert_string_equal(refusal("single:8", "phases", 1),
                      "needs a ring or a 2-D torus with as many ranks on each host");
  assert_string_equal(refusal("mesh:8x8", "phases", 1), "needs a ring or a 2-D torus");
  assert_string_equal(refusal("torus:4x4x4", "phases", 1), "needs a ring or a 2-D torus");
  assert_string_equal(refusal("torus:8x16", "phases", 1), "needs a torus with two equal sides");
  assert_string_equal(refusal("ring:10", "phases", 1), "needs a side of a multiple of 4 nodes");
  assert_string_equal(refusal("torus:4x4", "phases", 1),
                      "needs a side of at least 8 nodes; phases-unidirectional takes 4");
  assert_null(refusal("torus:4x4", "phases-unidirectional", 2));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(on_rings_the_phases_are_the_bound_and_use_each_link_once),
      cmocka_unit_test(on_tori_the_phases_are_the_bound_and_use_each_link_once),
      cmocka_unit_test(a_nodes_turns_are_the_papers_dot_products),
      cmocka_unit_test(on_a_ring_of_8_the_phases_are_those_of_figure_1),
      cmocka_unit_test(with_several_ranks_a_host_a_host_still_sends_one_message_a_phase),
      cmocka_unit_test(phases_in_chunks_and_paced_keep_their_links_to_themselves),
      cmocka_unit_test(a_send_waits_for_its_ranks_previous_send_and_receive),
      cmocka_unit_test(what_has_no_phases_is_refused_with_the_reason),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
