/* Choices: on every cluster here what comes first is near the least time that the links allow; for
   thousands of ranks too, and quickly. */
#include "support/setting.h"

#include <time.h>

#include <tourney/model.h>

static struct tny_problem problem_on(const struct setting *setting, enum tny_collective collective)
{
  struct tny_problem problem = setting->problem;
  problem.collective = collective;
  return problem;
}

/* The first of the ranking as the runtime has it. */
static struct tny_candidate choose(const struct setting *setting, enum tny_collective collective,
                                   uint64_t block_bytes)
{
  struct tny_ranking ranking;
  const struct tny_problem problem = problem_on(setting, collective);
  const struct tny_model model = tny_model_make(&setting->network, problem.rank_count, NULL);
  assert_int_equal(tny_model_rank(&model, &problem, tny_model_limits, block_bytes, &ranking, NULL),
                   TNY_OK);
  const struct tny_candidate first = ranking.list[0];
  tny_ranking_free(&ranking);
  return first;
}

static double bound_ns(const struct setting *setting, enum tny_collective collective,
                       uint64_t block_bytes)
{
  struct tny_bound bound;
  assert_int_equal(tny_bound_compute(setting->routes, setting->hosts, setting->cluster->host_count,
                                     collective, 0, block_bytes, &bound, NULL),
                   TNY_OK);
  return 1e9 * bound.seconds;
}

/* --- slow trunks within a site --- */

/* Three switches of four hosts, a cable between each two; two of eight, three cables between. */
static struct tny_cluster *slow_trunks(uint32_t switches, uint32_t hosts, const char *cables)
{
  struct tny_text text = {0};
  struct tny_cluster *cluster;
  struct tny_error error = {0};
  tny_text_add(&text, "cluster 1 slow\n");
  for (uint32_t host = 0; host < switches * hosts; host++)
    tny_text_add(&text, "host h%u\n", host);
  for (uint32_t s = 0; s < switches; s++)
    tny_text_add(&text, "switch s%u\n", s);
  tny_text_add(&text, "%s", cables);
  for (uint32_t host = 0; host < switches * hosts; host++)
    tny_text_add(&text, "cable s%u h%u 1000000000 5000 65536\n", host / hosts, host);
  if (tny_cluster_read_flat(text.bytes, &cluster, &error))
    fail_msg("line %u: %s", error.line, error.text);
  tny_text_release(&text);
  return cluster;
}

#define TENTH " 100000000 5000 65536\n"
#define FIFTH_OF_20 " 4000000 5000 65536\n"

/* How much more than the bound the fullest links of the phases take in the plan that is chosen, in
   percent; what was chosen when slow trunks counted as wide had that of the last column. */
struct slow_case {
  const char *generated; /* NULL: the ones below */
  uint32_t switches, hosts;
  const char *cables;
  enum tny_collective collective;
  double percent_at_most, percent_once;
};

static const struct slow_case slow_cases[] = {
    {NULL, 3, 4, "cable s0 s1" TENTH "cable s1 s2" TENTH "cable s2 s0" TENTH, TNY_ALLGATHER, 9,
     107.5},
    {NULL, 2, 8, "cable s0 s1" TENTH "cable s0 s1" TENTH "cable s0 s1" TENTH, TNY_ALLGATHER, 26.3,
     65},
    {"irregular:60,switches=5,seed=8002,trunk=200Mbit/s", 0, 0, NULL, TNY_ALLGATHER, 13, 124.2},
    {"mesh:3x3,trunk=200Mbit/s", 0, 0, NULL, TNY_ALLGATHER, 0, 100},
    {"mesh:3x3,trunk=200Mbit/s", 0, 0, NULL, TNY_ALLTOALL, 33.4, 100},
    {NULL, 3, 4, "cable s0 s1" TENTH "cable s1 s2" TENTH "cable s2 s0" TENTH, TNY_ALLTOALL, 0,
     5.6}};

/* Phase by phase the fullest link at the raw rate, as the certificate has it. */
static double phases_ns(const struct tny_schedule *schedule, const struct setting *setting,
                        uint64_t block_bytes)
{
  const struct tny_cluster *cluster = setting->cluster;
  uint32_t phase_count = 0;
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++)
      if (schedule->ranks[rank].steps[i].kind == TNY_SEND &&
          schedule->ranks[rank].steps[i].phase >= phase_count)
        phase_count = schedule->ranks[rank].steps[i].phase + 1;
  double *ns = tny_new((size_t)phase_count * cluster->link_count, sizeof *ns), sum = 0;
  assert_non_null(ns);
  for (uint32_t rank = 0; rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (step->kind != TNY_SEND)
        continue;
      uint32_t node = setting->hosts[rank], link;
      for (;
           (link = tny_routes_next(setting->routes, node, setting->hosts[step->peer])) != TNY_NONE;
           node = cluster->links[link].to)
        ns[(size_t)step->phase * cluster->link_count + link] +=
            8e9 * (double)tny_span_bytes(&step->span, block_bytes) /
            (double)cluster->links[link].bandwidth_bps;
    }
  for (uint32_t phase = 0; phase < phase_count; phase++) {
    double longest = 0;
    for (uint32_t link = 0; link < cluster->link_count; link++) {
      const double busy = ns[(size_t)phase * cluster->link_count + link];
      longest = busy > longest ? busy : longest;
    }
    sum += longest;
  }
  tny_free(ns);
  return sum;
}

static void slow_trunks_within_a_site_are_loaded_little(void **state)
{
  (void)state;
  const uint64_t sizes[] = {16384, 1 << 20};
  for (size_t i = 0; i < 2 * sizeof slow_cases / sizeof *slow_cases; i++) {
    const struct slow_case *at = &slow_cases[i / 2];
    const uint64_t block_bytes = sizes[i % 2];
    struct setting setting;
    struct tny_schedule *schedule;
    set_up_on(&setting,
              at->generated ? open_cluster(at->generated)
                            : slow_trunks(at->switches, at->hosts, at->cables),
              TNY_MAP_BLOCK, 0);
    assert_int_equal(setting.placement->zone_count, 1);
    const struct tny_algorithm_choice choice = choose(&setting, at->collective, block_bytes).choice;
    const struct tny_problem problem = problem_on(&setting, at->collective);
    /* Whole blocks, but for the pieces that several rings share. */
    const struct tny_pace pace = {.chunk_count = 1};
    assert_int_equal(tny_plan_all(choice.algorithm, &problem, pace, &schedule, NULL), TNY_OK);
    const double percent = 100 * (phases_ns(schedule, &setting, block_bytes) /
                                      bound_ns(&setting, at->collective, block_bytes) -
                                  1);
    if (percent > at->percent_at_most + 0.1 || percent >= at->percent_once)
      fail_msg("case %zu, %llu bytes: %s takes %.1f %% more than the bound, once it was %.1f", i,
               (unsigned long long)block_bytes, choice.algorithm->name, percent, at->percent_once);
    tny_schedule_free(schedule);
    tear_down(&setting);
  }
}

/* --- thousands of ranks --- */

/* What is chosen takes no longer, by the prediction, than so many times the least time that the
   links allow, and a step for each round that it takes with whole messages (a broadcast: the
   doublings; the others: the ranks but one).

   Headers cost 6 %, in chunks as short as one or two frames 8 %, of 1 KiB 10 %; an all-to-all's
   phases on several switches aren't all as full. On a torus whose sides aren't as its phases need
   them, all-to-all shares links. A broadcast of 1 MiB in pieces costs another tenth, and a round
   for each switch in turn, which on fat trees of 288 of these are as many as its pieces (which are
   no shorter than what a rank takes for a message: 20 us, 2.5 KB at this rate); on a torus nothing
   pipelines without sharing links. Of shorter ones the doublings cost most: as many times the
   message as there are. An all-reduce is a reduce and a broadcast: of 1 MiB, the headers of both
   count; of shorter ones, what is combined in each round, a sixteenth of the message's own time. */
struct large_case {
  const char *cluster;
  double broadcast, alltoall; /* of 1 MiB; any */
};

static const struct large_case large_cases[] = {
    {"single:512", 1.12, 1.11},
    {"single:1000", 1.12, 1.11},
    {"single:2000", 1.12, 1.11},
    {"single:4000", 1.12, 1.11},
    {"switches:128+128+128+128", 1.2, 1.11},
    {"switches:300+200+500", 1.2, 1.11},
    {"switches:1000+1000+1000+1000", 1.2, 1.11},
    {"fattree:12", 2, 1.13},
    {"fattree:24", 4.7, 1.13},
    {"torus:16x32", 7, 4},
    {"torus:32x32", 11.6, 1.11},
    {"torus:64x64", 19, 1.11},
};

enum { LARGE_CASES = sizeof large_cases / sizeof *large_cases };

/* Does each port need to carry no more than a block? */
static bool is_one_block(enum tny_collective collective)
{
  return collective == TNY_BROADCAST || collective == TNY_REDUCE || collective == TNY_ALLREDUCE;
}

/* Of 1 MiB. All links are alike, so that no cut is worse for a broadcast or an all-gather than a
   port; an all-reduce needs the ports for two of h blocks (see bounds.c). */
static double least_ns(const struct setting *setting, enum tny_collective collective)
{
  const struct tny_link *port = &setting->cluster->links[0];
  const double block_ns = 8e9 * (1 << 20) / (double)port->bandwidth_bps;
  if (collective == TNY_ALLTOALL || collective == TNY_ALLREDUCE)
    return bound_ns(setting, collective, 1 << 20);
  return is_one_block(collective) ? block_ns : block_ns * (setting->cluster->host_count - 1);
}

static double rounds_of(const struct setting *setting, enum tny_collective collective)
{
  double doublings = 0;
  for (uint32_t reached = 1; reached < setting->cluster->host_count; reached *= 2)
    doublings++;
  return is_one_block(collective) ? doublings : setting->cluster->host_count - 1;
}

/* What a rank takes for a message in and one out: with short blocks that, and not the link, decides
   where each rank sends one in every round. */
static double overheads_ns(const struct tny_model *model)
{
  return (double)(model->machine.send_overhead_ns + model->machine.receive_overhead_ns);
}

static double allowed_times(const struct setting *setting, const struct large_case *at,
                            enum tny_collective collective, uint64_t bytes)
{
  if (collective == TNY_ALLTOALL)
    return at->alltoall;
  if (collective == TNY_ALLGATHER)
    return bytes > 1024 ? 1.09 : setting->placement->grid.dimension_count > 0 ? 2.2 : 1.11;
  if (collective == TNY_ALLREDUCE)
    return bytes == 1 << 20 ? 1.02 * at->broadcast : 1.6 * rounds_of(setting, collective);
  return bytes == 1 << 20 ? at->broadcast : 1.5 * rounds_of(setting, collective);
}

/* A barrier takes a round of the longest ways for each doubling at most, but for the headers. */
static void a_barrier_of_thousands_of_ranks_is_predicted(const struct setting *setting,
                                                         const struct tny_model *model)
{
  const struct tny_candidate first = choose(setting, TNY_BARRIER, 1);
  double rounds = 0;
  for (uint32_t known = 1; known < setting->cluster->host_count; known *= 2)
    rounds++;
  if (first.why_not)
    fail_msg("%s: %s", first.choice.algorithm->name, first.why_not);
  assert_true((double)first.prediction.ns >= bound_ns(setting, TNY_BARRIER, 1));
  assert_true((double)first.prediction.ns < 2.5 * rounds * (double)model->step_ns);
}

static void what_is_chosen_for_thousands_of_ranks_is_near_the_bound(void **state)
{
  (void)state;
  const uint64_t sizes[] = {1024, 65536, 1 << 20};
  for (uint32_t i = 0; i < LARGE_CASES; i++) {
    struct setting setting;
    set_up(&setting, large_cases[i].cluster, TNY_MAP_BLOCK, 0);
    const struct tny_model model =
        tny_model_make(&setting.network, setting.cluster->host_count, NULL);
    a_barrier_of_thousands_of_ranks_is_predicted(&setting, &model);
    for (unsigned c = 0; c < TNY_COLLECTIVE_COUNT; c++) {
      const enum tny_collective collective = (enum tny_collective)c;
      if (tny_collective_synchronizes(collective))
        continue;
      const double longest_least = least_ns(&setting, collective);
      const double steps_ns = rounds_of(&setting, collective) * (double)model.step_ns;
      for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const struct tny_candidate first = choose(&setting, collective, sizes[s]);
        const double ns = (double)first.prediction.ns,
                     least = longest_least * (double)sizes[s] / (1 << 20);
        const double times = allowed_times(&setting, &large_cases[i], collective, sizes[s]);
        if (first.why_not)
          fail_msg("%s on %s, %llu bytes: %s", tny_collective_name(collective),
                   large_cases[i].cluster, (unsigned long long)sizes[s], first.why_not);
        assert_true(ns >= least);
        const double busy_ns = rounds_of(&setting, collective) * overheads_ns(&model);
        if (ns > times * (least > busy_ns ? least : busy_ns) + steps_ns)
          fail_msg("%s on %s, %llu bytes: %s takes %.2f times the least time and its steps",
                   tny_collective_name(collective), large_cases[i].cluster,
                   (unsigned long long)sizes[s], first.choice.algorithm->name,
                   (ns - steps_ns) / least);
      }
    }
    tear_down(&setting);
  }
}

static double cpu_seconds(void)
{
  struct timespec now;
  assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now), 0);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Measured: 0.03 to 0.6 s; gathers on a fat tree, 1 s. Ten times as much is allowed, for slow
   machines and sanitizers; message by message it would be minutes. */
static void choosing_for_four_thousand_ranks_takes_little(void **state)
{
  (void)state;
  const char *const clusters[] = {"single:4000", "switches:1000+1000+1000+1000", "fattree:24",
                                  "torus:64x64", "irregular:4000,switches=200,seed=1"};
  for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
    struct setting setting;
    set_up(&setting, clusters[i], TNY_MAP_BLOCK, 0);
    for (unsigned c = 0; c < TNY_COLLECTIVE_COUNT; c++) {
      const double begun = cpu_seconds();
      const struct tny_candidate first = choose(&setting, (enum tny_collective)c, 1 << 20);
      const double seconds = cpu_seconds() - begun;
      if (seconds > 10)
        fail_msg("%s on %s: %.1f s to choose %s", tny_collective_name((enum tny_collective)c),
                 clusters[i], seconds, first.choice.algorithm->name);
    }
    tear_down(&setting);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slow_trunks_within_a_site_are_loaded_little),
      cmocka_unit_test(what_is_chosen_for_thousands_of_ranks_is_near_the_bound),
      cmocka_unit_test(choosing_for_four_thousand_ranks_takes_little),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
