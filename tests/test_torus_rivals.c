/* The rivals of the phases: message passing, store and forward, two stages. */
#include "torus_support.h"

static void what_the_rivals_cannot_serve_is_refused_with_the_reason(void **state)
{
  (void)state;
  assert_string_equal(refusal("mesh:4x4", "store-and-forward", 1), "needs a ring or torus");
  assert_string_equal(refusal("ring:4", "store-and-forward", 2), "needs one rank a host");
  assert_string_equal(refusal("ring:8", "two-stage", 1),
                      "needs a 2-D torus or mesh with as many ranks on each host");
}

static void message_passing_sends_in_order_of_the_ranks_or_in_an_order_of_its_own(void **state)
{
  (void)state;
  enum { P = 9 };
  uint32_t orders[P][P - 1];
  for (uint32_t random = 0; random < 2; random++) {
    struct setting setting;
    set_up(&setting, "single:9", random ? "message-passing-random" : "message-passing", 1);
    plan(&setting, whole);
    for (uint32_t rank = 0; rank < P; rank++) {
      const struct tny_steps *steps = &setting.schedule->ranks[rank];
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
    tear_down(&setting);
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

static void store_and_forward_loads_every_link_with_the_bound(void **state)
{
  (void)state;
  const char *const clusters[] = {"ring:3",    "ring:4",      "ring:5",     "ring:6",
                                  "ring:8",    "ring:17",     "torus:3x3",  "torus:4x4",
                                  "torus:3x8", "torus:7x4",   "torus:5x5",  "torus:8x8",
                                  "torus:6x6", "torus:3x4x5", "torus:4x4x4"};
  for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
    struct setting setting;
    set_up(&setting, clusters[i], "store-and-forward", 1);
    const struct tny_shape *shape = &setting.cluster->shape;
    const struct tny_report report = prove(&setting, whole, 0);
    const struct tny_claim claim = claim_of(&setting);
    assert_int_equal(report.phases, claim.phases);
    assert_int_equal(report.phase_link_messages, claim.port_messages);
    uint64_t *load = tny_new(setting.cluster->link_count, sizeof *load);
    assert_int_equal(
        tny_verify_load(setting.schedule, &setting.network, shape->dimension_count, load, NULL),
        TNY_OK);
    /* In pieces: side * side / 4 bundles each way together. A link may have half a bundle more than
       that, where the side is even and not a multiple of 4. */
    for (uint32_t link = 0; link < setting.cluster->link_count; link++) {
      const uint32_t a = setting.cluster->links[link].from, b = setting.cluster->links[link].to;
      const uint32_t stride = a > b ? a - b : b - a;
      if (!is_trunk(setting.cluster, link))
        continue;
      uint32_t d = 0, below = 1;
      while (d + 1 < shape->dimension_count && stride % (below * shape->size[d]) == 0)
        below *= shape->size[d++];
      const uint64_t side = shape->size[d], pieces = shape->dimension_count;
      const uint64_t most =
          (side * side / 4 + 1) / 2 * (setting.problem.rank_count / side) * pieces;
      assert_true(load[link] <= most);
      if (side % 2 == 1 || side % 4 == 0)
        assert_int_equal(load[link], most);
    }
    tny_free(load);
    tear_down(&setting);
  }
}

static void store_and_forward_puts_one_message_on_a_link_in_a_phase(void **state)
{
  (void)state;
  const char *const clusters[] = {"ring:5",    "ring:8",    "torus:5x5",
                                  "torus:8x8", "torus:3x8", "torus:3x4x5"};
  for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
    struct setting setting;
    set_up(&setting, clusters[i], "store-and-forward", 1);
    plan(&setting, whole);
    const uint32_t phases = claim_of(&setting).phases;
    uint32_t *uses = count_uses(&setting, phases, false);
    for (size_t cell = 0; cell < (size_t)phases * setting.cluster->link_count; cell++)
      assert_true(uses[cell] <= claim_of(&setting).grid_link_messages);
    tny_free(uses);
    /* Odd equal sides: no idle link at all. */
    if (setting.cluster->shape.size[0] == 5)
      expect_one_message(&setting, phases, false);
    tear_down(&setting);
  }
}

static void two_stages_are_right_on_tori_and_meshes_and_keep_their_promise(void **state)
{
  (void)state;
  const char *const clusters[] = {"torus:4x4",  "torus:8x8", "torus:12x8", "torus:4x8", "torus:3x5",
                                  "torus:6x10", "mesh:4x4",  "mesh:3x7",   "mesh:2x2",  "mesh:8x2"};
  for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
    struct setting setting;
    set_up(&setting, clusters[i], "two-stage", 1);
    const uint32_t promised = claim_of(&setting).grid_link_messages;
    const struct tny_report report = prove(&setting, whole, promised);
    assert_int_equal(report.phases, claim_of(&setting).phases);
    assert_int_equal(report.phase_link_messages, promised);
    for (uint32_t chunks = 1; chunks <= 3; chunks += 2)
      for (uint32_t window = 1; window <= 2; window++)
        prove(&setting, (struct tny_pace){.chunk_count = chunks, .window = window}, promised);
    tear_down(&setting);
  }
}

static void two_stages_serve_several_ranks_a_host(void **state)
{
  (void)state;
  const char *const clusters[] = {"torus:4x4", "torus:4x8", "torus:3x5", "mesh:3x7", "mesh:2x2"};
  for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
    for (uint32_t ranks_a_host = 2; ranks_a_host <= 5; ranks_a_host += 1 + ranks_a_host % 2) {
      struct setting setting;
      set_up(&setting, clusters[i], "two-stage", ranks_a_host);
      const uint32_t *size = setting.cluster->shape.size;
      assert_int_equal(claim_of(&setting).rounds, ranks_a_host * size[0] - 1 + size[1] - 1);
      prove(&setting, whole, 0);
      prove(&setting, (struct tny_pace){.chunk_count = 3, .window = 1}, 0);
      tear_down(&setting);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_the_rivals_cannot_serve_is_refused_with_the_reason),
      cmocka_unit_test(message_passing_sends_in_order_of_the_ranks_or_in_an_order_of_its_own),
      cmocka_unit_test(store_and_forward_loads_every_link_with_the_bound),
      cmocka_unit_test(store_and_forward_puts_one_message_on_a_link_in_a_phase),
      cmocka_unit_test(two_stages_are_right_on_tori_and_meshes_and_keep_their_promise),
      cmocka_unit_test(two_stages_serve_several_ranks_a_host),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
