/* What the verifier says about links: messages of a phase, bytes, messages in flight. */
#include "support/memory.h"
#include "support/setting.h"
#include "support/text.h"

#include <tourney/model.h>
#include <tourney/separate.h>
#include <tourney/verify.h>

static struct tny_schedule *plan(const struct setting *setting, enum tny_collective collective,
                                 const char *name, struct tny_pace pace)
{
  struct tny_problem problem = setting->problem;
  struct tny_schedule *schedule;
  struct tny_error error = {0};
  const struct tny_algorithm *algorithm = tny_algorithm_find(collective, name);
  assert_non_null(algorithm);
  problem.collective = collective;
  if (tny_plan_all(algorithm, &problem, pace, &schedule, &error) != TNY_OK)
    fail_msg("%s", error.text);
  return schedule;
}

/* Two messages from switch to switch, both in phase 0. */
static const char two_cross[] =
    "tourney schedule 1\ncollective alltoall\nranks 4\nroot 0\nalgorithm test\nchunks 3\n"
    "scratch 0\n"
    "rank 0\n0 send 2 input[2] phase 0\n"
    "rank 1\n0 send 3 input[3] 1/3 phase 0\n"
    "rank 2\n0 recv 0 output[0] phase 0\n"
    "rank 3\n0 recv 1 output[1] 1/3 phase 0\n";

static uint32_t trunk_of(const struct tny_cluster *cluster)
{
  for (uint32_t link = 0; link < cluster->link_count; link++)
    if (cluster->links[link].from >= cluster->host_count &&
        cluster->links[link].to >= cluster->host_count)
      return link;
  return TNY_NONE;
}

static void two_messages_on_a_link_in_a_phase_are_caught(void **state)
{
  (void)state;
  struct setting setting;
  struct tny_schedule *schedule = read_text(two_cross);
  struct tny_report report;
  struct tny_error error = {0};
  set_up(&setting, "switches:2+2", TNY_MAP_BLOCK, 4);
  assert_int_equal(tny_verify_links(schedule, &setting.network, 1, &report, &error), TNY_BROKEN);
  assert_non_null(strstr(error.text, "phase 0 puts 2 messages on the link "));
  assert_non_null(strstr(error.text, ", 1 allowed: rank 0 step 0 (send to 2) and rank 1 step 0 "
                                     "(send to 3)"));
  assert_int_equal(tny_verify_links(schedule, &setting.network, 2, &report, NULL), TNY_OK);
  assert_int_equal(tny_verify_links(schedule, &setting.network, 0, &report, NULL), TNY_OK);
  assert_int_equal(report.phases, 1);
  assert_int_equal(report.phase_link_messages, 2);
  assert_true(setting.cluster->links[report.phase_link].from >= setting.cluster->host_count);
  tear_down(&setting);
  set_up(&setting, "single:4", TNY_MAP_BLOCK, 4);
  assert_int_equal(tny_verify_links(schedule, &setting.network, 1, &report, NULL), TNY_OK);
  tear_down(&setting);
  tny_schedule_free(schedule);
}

/* The network of 3 ranks says nothing of a fourth, and what lies behind its list is nobody's. */
static void ranks_that_the_network_does_not_place_are_refused(void **state)
{
  (void)state;
  struct setting setting;
  struct tny_schedule *schedule = read_text(two_cross), *apart;
  set_up(&setting, "switches:2+2", TNY_MAP_BLOCK, 3);
  uint32_t *hosts = calloc(3, sizeof *hosts); /* exactly: a fourth is out of bounds */
  uint64_t load_bytes[16];
  uint32_t in_flight[16];
  struct tny_budget budgets[16];
  memcpy(hosts, setting.hosts, 3 * sizeof *hosts);
  struct tny_network network = {setting.routes, hosts, 3};
  for (int round = 0; round < 2; round++) {
    const char *const says = round == 0 ? "4 ranks, but the network says where 3 of them sit"
                                        : "rank 3 sits on host 4, but the cluster's hosts are 0";
    struct tny_error errors[6];
    memset(errors, 0, sizeof errors);
    assert_int_equal(tny_verify_links(schedule, &network, 0, NULL, &errors[0]), TNY_REFUSED);
    assert_int_equal(tny_verify_separated(schedule, &network, &errors[1]), TNY_REFUSED);
    assert_int_equal(tny_verify_load(schedule, &network, 1, load_bytes, &errors[2]), TNY_REFUSED);
    assert_int_equal(tny_verify_in_flight(schedule, &network, 100, in_flight, &errors[3]),
                     TNY_REFUSED);
    assert_int_equal(tny_model_budgets(schedule, &network, 1, budgets, &errors[4]), TNY_REFUSED);
    assert_int_equal(
        tny_pass_separate(schedule, &network, TNY_SEPARATE_TOKENS, &apart, NULL, &errors[5]),
        TNY_REFUSED);
    assert_null(apart);
    for (int i = 0; i < 6; i++)
      assert_non_null(strstr(errors[i].text, says));
    hosts = realloc(hosts, 4 * sizeof *hosts);
    assert_non_null(hosts);
    hosts[3] = setting.cluster->host_count;
    network = (struct tny_network){setting.routes, hosts, 4};
  }
  free(hosts);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

static void messages_of_one_host_use_no_link(void **state)
{
  (void)state;
  struct setting setting;
  struct tny_schedule *schedule = read_text(two_cross);
  struct tny_report report;
  uint64_t load[16];
  set_up(&setting, "single:2", TNY_MAP_BLOCK, 4);
  for (uint32_t rank = 0; rank < 4; rank++)
    setting.hosts[rank] = rank % 2;
  assert_int_equal(tny_verify_links(schedule, &setting.network, 1, &report, NULL), TNY_OK);
  assert_int_equal(report.phase_link_messages, 0);
  assert_int_equal(report.phase_link, TNY_NONE);
  assert_int_equal(tny_verify_load(schedule, &setting.network, 1000, load, NULL), TNY_OK);
  for (uint32_t link = 0; link < setting.cluster->link_count; link++)
    assert_int_equal(load[link], 0);
  tear_down(&setting);
  tny_schedule_free(schedule);
}

static void load_counts_each_byte_once(void **state)
{
  (void)state;
  struct setting setting;
  struct tny_schedule *schedule = read_text(two_cross);
  uint64_t load[16];
  set_up(&setting, "switches:2+2", TNY_MAP_BLOCK, 4);
  assert_int_equal(tny_verify_load(schedule, &setting.network, 1000, load, NULL), TNY_OK);
  const uint32_t trunk = trunk_of(setting.cluster);
  assert_int_equal(load[trunk] + load[trunk ^ 1], 1000 + 333);
  tny_schedule_free(schedule);
  /* 2 x 2 blocks each way, whatever the chunks. */
  const struct tny_pace thirds = {.chunk_count = 3, .window = 0};
  schedule = plan(&setting, TNY_ALLTOALL, "shuffle", thirds);
  assert_int_equal(tny_verify_load(schedule, &setting.network, 1000, load, NULL), TNY_OK);
  assert_int_equal(load[trunk], 4000);
  assert_int_equal(load[trunk ^ 1], 4000);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

/* A second way to find what is in flight: try every set of received messages and tokens that can be
   reached, for schedules of a few. Sends start as soon as they may and are complete at once: later
   ones could only have less in flight. */
enum { BRUTE_MAX = 22 };

struct brute {
  const struct tny_schedule *schedule;
  uint32_t count;                           /* messages and tokens */
  uint32_t from[BRUTE_MAX], out[BRUTE_MAX]; /* sender and its step */
  uint32_t to[BRUTE_MAX], in[BRUTE_MAX];    /* receiver and its step */
  uint32_t crossing;                        /* those on the link looked at, a bit each */
  uint8_t *seen;                            /* by set of received ones */
  uint32_t most;
};

static bool same_kind(enum tny_step_kind out, enum tny_step_kind in)
{
  return (out == TNY_SEND && in == TNY_RECV) || (out == TNY_TOKEN_OUT && in == TNY_TOKEN_IN);
}

static void brute_match(struct brute *brute)
{
  const struct tny_schedule *schedule = brute->schedule;
  bool taken[8][64] = {{false}}; /* by rank and step */
  for (uint32_t from = 0; from < schedule->rank_count; from++) {
    for (uint32_t i = 0; i < schedule->ranks[from].count; i++) {
      const struct tny_step *out = &schedule->ranks[from].steps[i];
      if (out->kind != TNY_SEND && out->kind != TNY_TOKEN_OUT)
        continue;
      const struct tny_steps *peer = &schedule->ranks[out->peer];
      for (uint32_t j = 0; j < peer->count; j++) {
        if (taken[out->peer][j] || peer->steps[j].peer != from ||
            !same_kind(out->kind, peer->steps[j].kind))
          continue;
        taken[out->peer][j] = true;
        assert_true(brute->count < BRUTE_MAX);
        brute->from[brute->count] = from;
        brute->out[brute->count] = i;
        brute->to[brute->count] = out->peer;
        brute->in[brute->count++] = j;
        break;
      }
    }
  }
}

/* What can start once `received` are, and no others; a bit a step. */
static void brute_start(const struct brute *brute, uint32_t received, uint64_t *started)
{
  for (uint32_t rank = 0; rank < brute->schedule->rank_count; rank++) {
    const struct tny_steps *steps = &brute->schedule->ranks[rank];
    uint64_t complete = 0;
    started[rank] = 0;
    for (uint32_t m = 0; m < brute->count; m++)
      if (brute->to[m] == rank && (received >> m & 1))
        complete |= (uint64_t)1 << brute->in[m];
    bool open[2] = {true, true};
    for (uint32_t i = 0; i < steps->count; i++) {
      const bool receives =
          steps->steps[i].kind == TNY_RECV || steps->steps[i].kind == TNY_TOKEN_IN;
      for (uint32_t k = 0; k < steps->steps[i].after_count; k++)
        if (!(complete >> steps->after[steps->steps[i].after_first + k] & 1))
          open[receives] = false;
      if (open[receives])
        started[rank] |= (uint64_t)1 << i;
      if (open[receives] && !receives)
        complete |= (uint64_t)1 << i;
    }
  }
}

static void brute_visit(struct brute *brute, uint32_t received)
{
  uint64_t started[BRUTE_MAX];
  if (brute->seen[received])
    return;
  brute->seen[received] = 1;
  brute_start(brute, received, started);
  uint32_t in_flight = 0;
  for (uint32_t m = 0; m < brute->count; m++)
    if ((brute->crossing >> m & 1) && !(received >> m & 1) &&
        (started[brute->from[m]] >> brute->out[m] & 1))
      in_flight++;
  if (in_flight > brute->most)
    brute->most = in_flight;
  for (uint32_t m = 0; m < brute->count; m++)
    if (!(received >> m & 1) && (started[brute->from[m]] >> brute->out[m] & 1) &&
        (started[brute->to[m]] >> brute->in[m] & 1))
      brute_visit(brute, received | (uint32_t)1 << m);
}

static uint32_t brute_in_flight(const struct setting *setting, const struct tny_schedule *schedule,
                                uint32_t wanted)
{
  struct brute brute = {.schedule = schedule};
  brute_match(&brute);
  for (uint32_t m = 0; m < brute.count; m++) {
    if (schedule->ranks[brute.from[m]].steps[brute.out[m]].kind != TNY_SEND)
      continue;
    const uint32_t to = setting->hosts[brute.to[m]];
    uint32_t link;
    for (uint32_t node = setting->hosts[brute.from[m]];
         (link = tny_routes_next(setting->routes, node, to)) != TNY_NONE;
         node = setting->cluster->links[link].to)
      if (link == wanted)
        brute.crossing |= (uint32_t)1 << m;
  }
  brute.seen = tny_new((size_t)1 << brute.count, 1);
  brute_visit(&brute, 0);
  tny_free(brute.seen);
  return brute.most;
}

struct flight_case {
  const char *cluster;
  enum tny_collective collective;
  const char *algorithm;
  uint32_t rank_count;
  struct tny_pace pace;
};

static const struct flight_case flight_cases[] = {
    {"switches:2+2", TNY_ALLTOALL, "shuffle", 4, {1, 0, 0}},
    {"switches:2+2", TNY_ALLTOALL, "shuffle", 4, {1, 1, 0}},
    {"switches:2+2", TNY_ALLTOALL, "shift", 4, {1, 1, 0}},
    {"switches:2+1", TNY_ALLTOALL, "shuffle", 3, {2, 0, 0}},
    {"switches:2+1", TNY_ALLTOALL, "shuffle", 3, {2, 1, 0}},
    {"switches:2+1", TNY_ALLTOALL, "shuffle", 3, {3, 2, 0}},
    {"switches:2+1", TNY_ALLTOALL, "shift", 3, {3, 2, 0}},
    {"switches:2+2", TNY_ALLGATHER, "ring", 4, {1, 0, 0}},
    {"switches:2+2", TNY_ALLGATHER, "switch-ordered-ring", 4, {1, 1, 0}},
    {"switches:2+1", TNY_ALLGATHER, "switch-ordered-ring", 3, {3, 2, 0}},
    {"switches:2+2", TNY_BROADCAST, "pipelined-linear", 4, {4, 0, 0}},
    {"switches:2+2", TNY_BROADCAST, "pipelined-linear", 4, {4, 1, 0}},
    {"switches:2+2", TNY_BROADCAST, "switch-ordered-chain", 4, {4, 2, 0}},
    {"switches:3+2", TNY_BROADCAST, "binomial", 5, {3, 0, 0}},
};

static void messages_in_flight_are_what_trying_every_interleaving_finds(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof flight_cases / sizeof *flight_cases; i++) {
    const struct flight_case *c = &flight_cases[i];
    struct setting setting;
    uint32_t in_flight[32];
    set_up(&setting, c->cluster, i % 2 ? TNY_MAP_INTERLEAVED : TNY_MAP_BLOCK, c->rank_count);
    struct tny_schedule *schedule = plan(&setting, c->collective, c->algorithm, c->pace);
    assert_int_equal(tny_verify_in_flight(schedule, &setting.network, 100, in_flight, NULL),
                     TNY_OK);
    for (uint32_t link = 0; link < setting.cluster->link_count; link++)
      if (in_flight[link] != brute_in_flight(&setting, schedule, link))
        fail_msg("case %zu link %u: %u", i, link, in_flight[link]);
    tny_schedule_free(schedule);
    tear_down(&setting);
  }
}

static void credits_keep_the_window_of_a_chain_on_every_link(void **state)
{
  (void)state;
  struct setting setting;
  uint32_t in_flight[64];
  set_up(&setting, "switches:4+4", TNY_MAP_INTERLEAVED, 8);
  for (uint32_t window = 1; window < 9; window++) {
    const struct tny_pace pace = {.chunk_count = 20, .window = window};
    struct tny_schedule *schedule = plan(&setting, TNY_BROADCAST, "switch-ordered-chain", pace);
    assert_int_equal(tny_verify_in_flight(schedule, &setting.network, 1000, in_flight, NULL),
                     TNY_OK);
    for (uint32_t link = 0; link < setting.cluster->link_count; link++)
      assert_true(in_flight[link] <= window);
    assert_int_equal(
        in_flight[trunk_of(setting.cluster)] + in_flight[trunk_of(setting.cluster) ^ 1], window);
    tny_schedule_free(schedule);
  }
  tear_down(&setting);
}

static void too_many_messages_for_the_in_flight_count_are_refused(void **state)
{
  (void)state;
  struct setting setting;
  uint32_t in_flight[64];
  const struct tny_pace whole = {.chunk_count = 1, .window = 0};
  set_up(&setting, "single:8", TNY_MAP_BLOCK, 8);
  struct tny_schedule *schedule = plan(&setting, TNY_ALLTOALL, "shift", whole);
  assert_int_equal(tny_verify_in_flight(schedule, &setting.network, 6, in_flight, NULL),
                   TNY_REFUSED);
  assert_int_equal(tny_verify_in_flight(schedule, &setting.network, 7, in_flight, NULL), TNY_OK);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

struct looking {
  const struct tny_schedule *schedule;
  const struct tny_network *network;
};

static enum tny_status look_at_links(const void *subject, struct tny_error *error)
{
  const struct looking *of = subject;
  uint32_t in_flight[64];
  enum tny_status status = tny_verify_links(of->schedule, of->network, 0, NULL, error);
  if (status == TNY_OK)
    status = tny_verify_in_flight(of->schedule, of->network, 100, in_flight, error);
  return status;
}

static void looking_at_links_out_of_memory_says_so(void **state)
{
  (void)state;
  struct setting setting;
  const struct tny_pace pace = {.chunk_count = 2, .window = 1};
  set_up(&setting, "switches:2+2", TNY_MAP_BLOCK, 4);
  struct tny_schedule *schedule = plan(&setting, TNY_ALLTOALL, "shuffle", pace);
  const struct looking looking = {schedule, &setting.network};
  assert_true(starve(look_at_links, &looking) > 0);
  tny_schedule_free(schedule);
  tear_down(&setting);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_messages_on_a_link_in_a_phase_are_caught),
      cmocka_unit_test(ranks_that_the_network_does_not_place_are_refused),
      cmocka_unit_test(messages_of_one_host_use_no_link),
      cmocka_unit_test(load_counts_each_byte_once),
      cmocka_unit_test(messages_in_flight_are_what_trying_every_interleaving_finds),
      cmocka_unit_test(credits_keep_the_window_of_a_chain_on_every_link),
      cmocka_unit_test(too_many_messages_for_the_in_flight_count_are_refused),
      cmocka_unit_test(looking_at_links_out_of_memory_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
