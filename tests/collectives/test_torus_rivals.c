/* The rivals of the phases: message passing, store and forward, two stages. */
#include "torus_support.h"

static void what_the_rivals_cannot_serve_is_refused_with_the_reason(void **state)
{
  (void)state;
  const char *const not_a_torus = "needs a ring or torus with as many ranks on each host";
  assert_string_equal(refusal("mesh:4x4", "store-and-forward", 1), not_a_torus);
  assert_string_equal(refusal("single:8", "store-and-forward", 1), not_a_torus);
  assert_null(refusal("ring:4", "store-and-forward", 5));
  assert_string_equal(refusal("ring:8", "two-stage", 1),
                      "needs a 2-D torus or mesh with as many ranks on each host");
}

static void nodes_with_different_numbers_of_ranks_are_refused_with_the_reason(void **state)
{
  (void)state;
  enum { P = 8 };
  const uint32_t uneven[][P] = {
      {0, 0, 0, 1, 1, 2, 2, 3}, {3, 3, 0, 1, 2, 3, 0, 1}, {0, 0, 1, 1, 2, 2, 2, 2}};
  const struct tny_algorithm *algorithm = tny_algorithm_find(TNY_ALLTOALL, "store-and-forward");
  struct tny_cluster *ring = open_cluster("ring:4");
  for (uint32_t p = P - 1; p <= P; p++) {
    for (size_t i = 0; i < sizeof uneven / sizeof *uneven; i++) {
      struct tny_placement *placement;
      assert_int_equal(tny_placement_make(ring, uneven[i], p, &placement, NULL), TNY_OK);
      const struct tny_problem problem = {
          .collective = TNY_ALLTOALL, .rank_count = p, .placement = placement};
      assert_string_equal(algorithm->refuse(&problem),
                          "needs a ring or torus with as many ranks on each host");
      tny_placement_free(placement);
    }
  }
  tny_cluster_free(ring);
}

static void message_passing_sends_in_order_of_the_ranks_or_in_an_order_of_its_own(void **state)
{
  (void)state;
  enum { P = 9 };
  uint32_t orders[P][P - 1];
  for (uint32_t random = 0; random < 2; random++) {
    struct trial trial;
    begin(&trial, "single:9", random ? "message-passing-random" : "message-passing", 1);
    plan(&trial, whole);
    for (uint32_t rank = 0; rank < P; rank++) {
      const struct tny_steps *steps = &trial.schedule->ranks[rank];
      uint32_t sent = 0;
      for (uint32_t i = 0; i < steps->count; i++) {
        assert_int_equal(steps->steps[i].after_count, 0);
        if (steps->steps[i].kind == TNY_SEND)
          orders[rank][sent++] = steps->steps[i].peer;
      }
      assert_int_equal(sent, P - 1);
      for (uint32_t i = 0; !random && i < P - 1; i++)
        assert_int_equal(orders[rank][i], i + (i >= rank));
    }
    end(&trial);
  }
  /* No two ranks send alike, as seen from themselves: so it is no shift. */
  for (uint32_t a = 0; a < P; a++)
    for (uint32_t b = 0; b < a; b++) {
      uint32_t alike = 0;
      for (uint32_t i = 0; i < P - 1; i++)
        alike += (orders[a][i] + P - a) % P == (orders[b][i] + P - b) % P;
      assert_true(alike < P - 1);
    }
}

/* In pieces of a block, of all ranks of a node: what store and forward puts on a cable of this
   dimension, both ways together. */
static uint64_t bundles_load(const struct trial *trial, uint32_t dimension)
{
  const struct tny_shape *shape = &trial->on.cluster->shape;
  const uint64_t side = shape->size[dimension], p = trial->on.problem.rank_count;
  return side * side / 4 * (p / side) * trial->on.placement->ranks_a_node * shape->dimension_count;
}

/* The dimension that a trunk of a torus goes along. */
static uint32_t dimension_of(const struct tny_cluster *cluster, uint32_t link)
{
  const struct tny_shape *shape = &cluster->shape;
  const uint32_t a = cluster->links[link].from, b = cluster->links[link].to;
  const uint32_t stride = a > b ? a - b : b - a;
  uint32_t d = 0, below = 1;
  while (d + 1 < shape->dimension_count && stride % (below * shape->size[d]) == 0)
    below *= shape->size[d++];
  return d;
}

/* A bundle goes all of its way each way around, but half around an even side it goes one way. So a
   link may have half a bundle more than its half, where the side isn't a multiple of 4. */
static void expect_trunks_at_the_bound(const struct trial *trial, const uint64_t *load)
{
  const struct tny_shape *shape = &trial->on.cluster->shape;
  for (uint32_t link = 0; link < trial->on.cluster->link_count; link++) {
    if (!tny_link_is_trunk(trial->on.cluster, link))
      continue;
    const uint32_t d = dimension_of(trial->on.cluster, link), side = shape->size[d];
    const uint64_t both_ways = bundles_load(trial, d), bundles = (uint64_t)side * side / 4;
    const uint64_t most = both_ways / bundles * ((bundles + 1) / 2);
    assert_true(load[link] <= most);
    if (side % 2 == 1 || side % 4 == 0)
      assert_int_equal(load[link], most);
  }
}

/* All that goes over its trunks goes through a node's port once, and nothing else does. */
static void expect_ports_at_the_bound(const struct trial *trial, const uint64_t *load)
{
  const struct tny_cluster *cluster = trial->on.cluster;
  uint64_t most = 0;
  for (uint32_t d = 0; d < cluster->shape.dimension_count; d++)
    most += bundles_load(trial, d);
  for (uint32_t link = 0; link < cluster->link_count; link++)
    assert_true(tny_link_is_trunk(cluster, link) || load[link] <= most);
}

static void store_and_forward_loads_every_link_with_the_bound(void **state)
{
  (void)state;
  const char *const clusters[] = {"ring:3",    "ring:4",      "ring:5",     "ring:6",
                                  "ring:8",    "ring:17",     "torus:3x3",  "torus:4x4",
                                  "torus:3x8", "torus:7x4",   "torus:5x5",  "torus:8x8",
                                  "torus:6x6", "torus:3x4x5", "torus:4x4x4"};
  for (uint32_t i = 0; i < 3 * sizeof clusters / sizeof *clusters; i++) {
    struct trial trial;
    begin(&trial, clusters[i / 3], "store-and-forward", 1 + i % 3);
    const struct tny_report report = prove(&trial, whole, 0);
    const struct tny_claim claim = claim_of(&trial);
    assert_int_equal(report.phases, claim.phases);
    assert_int_equal(report.phase_link_messages, claim.port_messages);
    const uint32_t block_bytes = trial.on.cluster->shape.dimension_count; /* so a piece is a byte */
    uint64_t *load = tny_new(trial.on.cluster->link_count, sizeof *load);
    assert_int_equal(tny_verify_load(trial.schedule, &trial.on.network, block_bytes, load, NULL),
                     TNY_OK);
    expect_trunks_at_the_bound(&trial, load);
    expect_ports_at_the_bound(&trial, load);
    tny_free(load);
    end(&trial);
  }
}

static void store_and_forward_puts_a_message_of_each_rank_on_a_link_in_a_phase(void **state)
{
  (void)state;
  const char *const clusters[] = {"ring:5",    "ring:8",    "torus:5x5",
                                  "torus:8x8", "torus:3x8", "torus:3x4x5"};
  for (uint32_t i = 0; i < 3 * sizeof clusters / sizeof *clusters; i++) {
    struct trial trial;
    const uint32_t ranks_a_host = 1 + i % 3;
    begin(&trial, clusters[i / 3], "store-and-forward", ranks_a_host);
    plan(&trial, whole);
    const uint32_t phases = claim_of(&trial).phases;
    assert_int_equal(claim_of(&trial).grid_link_messages, ranks_a_host);
    uint32_t *uses = count_uses(&trial, phases, false);
    for (size_t cell = 0; cell < (size_t)phases * trial.on.cluster->link_count; cell++)
      assert_true(uses[cell] <= ranks_a_host);
    tny_free(uses);
    /* Odd equal sides: no idle link at all. */
    if (trial.on.cluster->shape.size[0] == 5 && ranks_a_host == 1)
      expect_one_message(&trial, phases, false);
    end(&trial);
  }
}

/* The i-th ranks of the nodes among themselves, but for what a node's ranks hand each other. */
static void store_and_forward_goes_on_once_a_node_is_done(void **state)
{
  (void)state;
  enum { RANKS_A_HOST = 3 };
  struct trial trial;
  begin(&trial, "torus:3x4", "store-and-forward", RANKS_A_HOST);
  plan(&trial, whole);
  for (uint32_t rank = 0; rank < trial.on.problem.rank_count; rank++) {
    const struct tny_steps *steps = &trial.schedule->ranks[rank];
    for (uint32_t i = 0; i < steps->count; i++) {
      const struct tny_step *step = &steps->steps[i];
      if (step->kind != TNY_SEND)
        continue;
      const bool is_inside = trial.on.hosts[step->peer] == trial.on.hosts[rank];
      assert_int_equal(is_inside, step->phase < RANKS_A_HOST - 1);
      if (!is_inside)
        assert_int_equal(step->peer % RANKS_A_HOST, rank % RANKS_A_HOST);
    }
  }
  end(&trial);
}

static void two_stages_are_right_on_tori_and_meshes_and_keep_their_promise(void **state)
{
  (void)state;
  const char *const clusters[] = {"torus:4x4",  "torus:8x8", "torus:12x8", "torus:4x8", "torus:3x5",
                                  "torus:6x10", "mesh:4x4",  "mesh:3x7",   "mesh:2x2",  "mesh:8x2"};
  for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
    struct trial trial;
    begin(&trial, clusters[i], "two-stage", 1);
    const uint32_t promised = claim_of(&trial).grid_link_messages;
    const struct tny_report report = prove(&trial, whole, promised);
    assert_int_equal(report.phases, claim_of(&trial).phases);
    assert_int_equal(report.phase_link_messages, promised);
    for (uint32_t chunks = 1; chunks <= 3; chunks += 2)
      for (uint32_t window = 1; window <= 2; window++)
        prove(&trial, (struct tny_pace){.chunk_count = chunks, .window = window}, promised);
    end(&trial);
  }
}

static void two_stages_serve_several_ranks_a_host(void **state)
{
  (void)state;
  const char *const clusters[] = {"torus:4x4", "torus:4x8", "torus:3x5", "mesh:3x7", "mesh:2x2"};
  for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
    for (uint32_t ranks_a_host = 2; ranks_a_host <= 5; ranks_a_host += 1 + ranks_a_host % 2) {
      struct trial trial;
      begin(&trial, clusters[i], "two-stage", ranks_a_host);
      const uint32_t *size = trial.on.cluster->shape.size;
      assert_int_equal(claim_of(&trial).rounds, ranks_a_host * size[0] - 1 + size[1] - 1);
      prove(&trial, whole, 0);
      prove(&trial, (struct tny_pace){.chunk_count = 3, .window = 1}, 0);
      end(&trial);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_the_rivals_cannot_serve_is_refused_with_the_reason),
      cmocka_unit_test(nodes_with_different_numbers_of_ranks_are_refused_with_the_reason),
      cmocka_unit_test(message_passing_sends_in_order_of_the_ranks_or_in_an_order_of_its_own),
      cmocka_unit_test(store_and_forward_loads_every_link_with_the_bound),
      cmocka_unit_test(store_and_forward_puts_a_message_of_each_rank_on_a_link_in_a_phase),
      cmocka_unit_test(store_and_forward_goes_on_once_a_node_is_done),
      cmocka_unit_test(two_stages_are_right_on_tori_and_meshes_and_keep_their_promise),
      cmocka_unit_test(two_stages_serve_several_ranks_a_host),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
