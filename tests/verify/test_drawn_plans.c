/* What the runtime would run, proved: plans for drawn clusters, ranks, collectives and sizes, of
   the algorithm that the runtime takes there or of any other, cut and clocked by the runtime's own
   function. Plans near its limits, 512 chunks and 65,536 limited messages, are among them. */
#include "support/sample.h"
#include "support/setting.h"

#include <tourney/model.h>
#include <tourney/verify.h>

enum {
  PLANS = 2400,
  STEPS_MAX = 100000, /* of a plan that is proved, as its algorithm's claim has it ... */
  LARGE_MAX = 600000,
  LARGE_PLANS = 40,           /* ... and so many are larger, up to this */
  CHOSEN_RANKS_MAX = 12,      /* choosing plans with every algorithm: ... */
  CHOSEN_BYTES_MAX = 1 << 24, /* ... seconds, for many ranks or long blocks */
};

/* What is to be among the plans. */
enum kind {
  KIND_BROADCAST,
  KIND_ALLGATHER,
  KIND_ALLTOALL,
  KIND_CHOSEN,
  KIND_IN_PLACE,
  KIND_CROWDED,
  KIND_GRID,
  KIND_IRREGULAR,
  KIND_ZONES,
  KIND_LIMITED,
  KIND_SEGMENTS,
  KIND_MOST_CHUNKS,
  KIND_MOST_MESSAGES,
  KINDS
};

static const char *const kind_names[KINDS] = {
    [KIND_BROADCAST] = "broadcasts",
    [KIND_ALLGATHER] = "all-gathers",
    [KIND_ALLTOALL] = "all-to-alls",
    [KIND_CHOSEN] = "of the algorithm that the runtime takes",
    [KIND_IN_PLACE] = "in place too",
    [KIND_CROWDED] = "with several ranks on a host",
    [KIND_GRID] = "on rings, tori and meshes",
    [KIND_IRREGULAR] = "on irregular clusters",
    [KIND_ZONES] = "on clusters of zones",
    [KIND_LIMITED] = "with their links limited to windows",
    [KIND_SEGMENTS] = "run several times, for a block each",
    [KIND_MOST_CHUNKS] = "in 480 chunks or more",
    [KIND_MOST_MESSAGES] = "limited, of 50,000 messages or more",
};

/* From 1 to 2^bits - 1, as many of each length. */
static uint64_t draw_size(uint64_t *seed, uint32_t bits)
{
  const uint32_t shift = draw(seed, bits);
  return ((uint64_t)1 << shift) + draw(seed, 1u << shift);
}

/* A generator's text, with links and buffers of a few kinds. */
static void draw_cluster(uint64_t *seed, char *text, size_t bytes)
{
  static const char *const links[] = {
      "",
      ",link=20Mbit/s",
      ",link=100Mbit/s,buffer=128KiB",
      ",link=1Gbit/s,latency=20us,buffer=256KiB",
      ",link=10Gbit/s,latency=2us,buffer=16MiB",
      ",link=20Mbit/s,buffer=16KiB",
  };
  const uint32_t a = 1 + draw(seed, 9), b = 1 + draw(seed, 9), c = 1 + draw(seed, 9);
  const char *link = links[draw(seed, sizeof links / sizeof *links)];
  switch (draw(seed, 9)) {
  case 0:
    snprintf(text, bytes, "single:%u%s", 2 + draw(seed, 30), link);
    break;
  case 1:
    snprintf(text, bytes, "switches:%u+%u%s", a, b, link);
    break;
  case 2:
    snprintf(text, bytes, "switches:%u+%u+%u%s", a, b, c, link);
    break;
  case 3:
    snprintf(text, bytes, "ring:%u%s", 3 + draw(seed, 14), link);
    break;
  case 4:
    snprintf(text, bytes, "torus:%ux%u%s", 4, 4 + 4 * draw(seed, 2), link);
    break;
  case 5:
    snprintf(text, bytes, "mesh:%ux%u%s", 2 + draw(seed, 4), 2 + draw(seed, 4), link);
    break;
  case 6:
    snprintf(text, bytes, "fattree:%u%s", 2 + 2 * draw(seed, 2), link);
    break;
  case 7:
    snprintf(text, bytes, "zones:%u+%u+%u,delay=%ums%s", a, b, c, 1 + draw(seed, 10), link);
    break;
  default:
    snprintf(text, bytes, "irregular:%u,switches=%u,seed=%u%s", 21 + draw(seed, 8),
             2 + draw(seed, 2), draw(seed, 1000), link);
    break;
  }
}

/* What is planned. */
struct plan {
  char cluster[120];
  struct setting on;
  struct tny_model model;
  struct tny_algorithm_choice choice;
  bool is_chosen;
  struct tny_problem problem;            /* prepared */
  uint64_t block_bytes, steps, messages; /* the last two at most */
  struct tny_segments run;
};

static void draw_setting(struct plan *plan, uint64_t *seed)
{
  draw_cluster(seed, plan->cluster, sizeof plan->cluster);
  struct tny_cluster *cluster = open_cluster(plan->cluster);
  const uint32_t ranks_max = cluster->host_count * (draw(seed, 4) ? 1 : 2 + draw(seed, 2));
  const uint32_t most = ranks_max < SETTING_RANKS_MAX ? ranks_max : SETTING_RANKS_MAX;
  const uint32_t ranks = draw(seed, 2) || most < 3 ? most : 2 + draw(seed, most - 1);
  set_up_on(&plan->on, cluster, draw(seed, 2) ? TNY_MAP_BLOCK : TNY_MAP_INTERLEAVED, ranks);
  plan->model = tny_model_make(&plan->on.network, ranks, NULL);
  plan->block_bytes = draw_size(seed, 31);
}

/* The algorithm that the runtime takes. */
static void choose(struct plan *plan)
{
  struct tny_ranking ranking;
  struct tny_problem problem = plan->on.problem;
  problem.root = 0;
  assert_int_equal(tny_model_rank(&plan->model, &problem, tny_model_limits,
                                  tny_model_size_class(plan->block_bytes), &ranking, NULL),
                   TNY_OK);
  plan->choice = ranking.list[0].why_not
                     ? (struct tny_algorithm_choice){.algorithm = tny_model_default_algorithm(
                                                         problem.collective)}
                     : ranking.list[0].choice;
  plan->is_chosen = true;
  tny_ranking_free(&ranking);
}

static void draw_algorithm(struct plan *plan, uint64_t *seed)
{
  uint32_t count = 0, number;
  for (uint32_t i = 0; tny_algorithms[i]; i++)
    count += tny_algorithms[i]->collective == plan->on.problem.collective;
  number = draw(seed, count);
  for (uint32_t i = 0; tny_algorithms[i]; i++)
    if (tny_algorithms[i]->collective == plan->on.problem.collective && number-- == 0)
      plan->choice.algorithm = tny_algorithms[i];
  const struct tny_parameter *parameter = &plan->choice.algorithm->parameter;
  plan->choice.parameter = parameter->name ? parameter->standard : 0;
}

/* As src/mpi/plans.c does: the problem prepared, its chunk budget, its segments. False where the
   algorithm refuses it. */
static bool settle(struct plan *plan)
{
  const struct tny_algorithm *algorithm = plan->choice.algorithm;
  struct tny_error error = {0};
  uint64_t chunk_budget_bytes = 0;
  plan->on.problem.parameter = plan->choice.parameter;
  if (tny_algorithm_refusal(algorithm, &plan->on.problem))
    return false;
  if (tny_problem_prepare(algorithm, &plan->on.problem, &plan->problem, &error) != TNY_OK ||
      tny_model_chunk_budget(algorithm, &plan->problem, &plan->on.network, &chunk_budget_bytes,
                             &error) != TNY_OK)
    fail_msg("%s on %s: %s", algorithm->name, plan->cluster, error.text);
  plan->run = tny_model_segments(&plan->model, algorithm, &plan->problem, chunk_budget_bytes,
                                 plan->block_bytes);
  const struct tny_problem whole = tny_plan_problem(algorithm, &plan->problem, 1);
  plan->messages = tny_algorithm_claim(algorithm, &whole).blocks_sent_max * whole.rank_count *
                   plan->run.pace.chunk_count;
  plan->steps = 4 * plan->messages;
  return true;
}

static bool has_zones(const struct plan *plan)
{
  return plan->on.placement->zone_count > 1;
}

static void count_kinds(const struct plan *plan, bool in_place, uint32_t *kinds)
{
  const struct tny_placement *placement = plan->on.placement;
  const enum tny_collective collective = plan->problem.collective;
  const bool is_limited = plan->run.pace.limit_message_bytes > 0;
  const bool is_of[KINDS] = {
      [KIND_BROADCAST] = collective == TNY_BROADCAST,
      [KIND_ALLGATHER] = collective == TNY_ALLGATHER,
      [KIND_ALLTOALL] = collective == TNY_ALLTOALL,
      [KIND_CHOSEN] = plan->is_chosen,
      [KIND_IN_PLACE] = in_place,
      [KIND_CROWDED] = placement->host_count<
          placement->rank_count, [KIND_GRID] = plan->on.cluster->shape.dimension_count> 0,
      [KIND_IRREGULAR] = strncmp(plan->cluster, "irregular", 9) == 0,
      [KIND_ZONES] = has_zones(plan),
      [KIND_LIMITED] = is_limited,
      [KIND_SEGMENTS] = plan->run.count > 1,
      [KIND_MOST_CHUNKS] = plan->run.pace.chunk_count >= 480,
      [KIND_MOST_MESSAGES] = is_limited && plan->messages >= 50000,
  };
  for (int kind = 0; kind < KINDS; kind++)
    kinds[kind] += is_of[kind];
}

/* Proves that the plan is right, and in place where it runs so; returns whether it does. */
static bool prove(const struct plan *plan, struct tny_error *error)
{
  struct tny_schedule *schedule;
  struct tny_report report;
  enum tny_status status =
      tny_plan_all(plan->choice.algorithm, &plan->problem, plan->run.pace, &schedule, error);
  if (status == TNY_OK)
    status = tny_verify_schedule(schedule, &report, error);
  bool in_place = status == TNY_OK && schedule->collective == TNY_ALLGATHER;
  for (uint32_t rank = 0; in_place && rank < schedule->rank_count; rank++)
    in_place = tny_steps_keep_input(&schedule->ranks[rank], rank);
  if (in_place)
    status = tny_verify_in_place(schedule, error);
  if (status == TNY_OK)
    status = tny_verify_links(schedule, &plan->on.network, 0, &report, error);
  tny_schedule_free(schedule);
  return in_place;
}

/* Draws a plan; false where there is none, or one that is too large. */
static bool draw_plan(struct plan *plan, uint64_t *seed, bool is_large)
{
  *plan = (struct plan){0};
  draw_setting(plan, seed);
  struct tny_problem *problem = &plan->on.problem;
  problem->collective = (enum tny_collective)draw(seed, TNY_COLLECTIVE_COUNT);
  if (problem->collective == TNY_BROADCAST)
    problem->root = draw(seed, problem->rank_count);
  if (!is_large && problem->rank_count <= CHOSEN_RANKS_MAX &&
      plan->block_bytes <= CHOSEN_BYTES_MAX && draw(seed, 2))
    choose(plan);
  else
    draw_algorithm(plan, seed);
  if (settle(plan) && plan->steps <= (is_large ? LARGE_MAX : STEPS_MAX) &&
      plan->steps > (is_large ? STEPS_MAX : 0))
    return true;
  if (plan->problem.rank_count > 0)
    tny_problem_release(plan->choice.algorithm, &plan->problem);
  tear_down(&plan->on);
  return false;
}

static void every_plan_that_the_runtime_would_run_is_proved(void **state)
{
  (void)state;
  uint32_t kinds[KINDS] = {0};
  uint64_t seed = 20261122, steps = 0;
  for (uint32_t made = 0; made < sample_of(PLANS);) {
    struct plan plan;
    struct tny_error error = {0};
    if (!draw_plan(&plan, &seed, made < sample_of(LARGE_PLANS)))
      continue;
    const bool in_place = prove(&plan, &error);
    if (error.status != TNY_OK)
      fail_msg("%s %s, %u ranks on %s, root %u, %llu bytes (%u chunks, window %u, limit of %u "
               "bytes): %s",
               tny_collective_name(plan.problem.collective), plan.choice.algorithm->name,
               plan.problem.rank_count, plan.cluster, plan.problem.root,
               (unsigned long long)plan.block_bytes, plan.run.pace.chunk_count,
               plan.run.pace.window, plan.run.pace.limit_message_bytes, error.text);
    count_kinds(&plan, in_place, kinds);
    steps += plan.steps;
    tny_problem_release(plan.choice.algorithm, &plan.problem);
    tear_down(&plan.on);
    made++;
  }
  print_message("%u plans proved, of up to %llu steps together:\n", sample_of(PLANS),
                (unsigned long long)steps);
  for (int kind = 0; kind < KINDS; kind++)
    print_message("%6u %s\n", kinds[kind], kind_names[kind]);
  for (int kind = 0; kind < KINDS; kind++)
    assert_true(kinds[kind] >= sample_of(10));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_plan_that_the_runtime_would_run_is_proved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
