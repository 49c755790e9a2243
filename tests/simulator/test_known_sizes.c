/* How near all-gathers and reduce-scatters of unlike blocks come to the bound of just these sizes,
   by plans that know none of them: simulated, data alone, on a network whose switches have buffers
   as in docs/lab.md, with blocks cut by their own length (schedule/block_cut.h). */
#include "simulate_support.h"

#include <tourney/model.h>
#include <tourney/pattern.h>

enum { MEAN = 16384, FLIT_BYTES = 64, PACKET_FLITS = 23 };
#define SHARE_LEAST 0.95

struct subject {
  const char *cluster;
  enum tny_collective collective;
};

/* 1:8, by Zipf's law, or all alike but for one that is so many times as long. */
struct sizes {
  const char *spread;
  uint64_t times;
};

static struct tny_pattern *draw_sizes(const struct subject *subject, const struct sizes *sizes,
                                      uint32_t p)
{
  struct tny_unevenness spread = {.mean_bytes = MEAN};
  struct tny_pattern *pattern;
  assert_int_equal(tny_unevenness_parse(sizes->spread, &spread, NULL), TNY_OK);
  assert_int_equal(tny_pattern_uneven(p, subject->collective, &spread, &pattern, NULL), TNY_OK);
  for (uint32_t i = 0; i < p; i++) {
    const bool gathers = subject->collective == TNY_ALLGATHER;
    pattern->bytes[gathers ? p / 2 * p + i : i * p + p / 2] *= sizes->times;
  }
  return pattern;
}

/* By rank. */
static struct tny_sizes list_sizes(const struct subject *subject, const struct tny_pattern *pattern,
                                   uint64_t *list)
{
  const uint32_t p = pattern->rank_count;
  uint64_t longest = 0, sum = 0;
  for (uint32_t rank = 0; rank < p; rank++) {
    const bool gathers = subject->collective == TNY_ALLGATHER;
    list[rank] = pattern->bytes[gathers ? rank * p : rank];
    longest = list[rank] > longest ? list[rank] : longest;
    sum += list[rank];
  }
  return (struct tny_sizes){.longest_bytes = longest, .mean_bytes = sum / p + 1};
}

static struct tny_schedule *plan(const struct bench *bench, const struct subject *subject,
                                 struct tny_sizes sizes)
{
  const struct tny_algorithm *algorithm =
      tny_algorithm_find(subject->collective, "switch-ordered-ring");
  const struct tny_network *network = &bench->setting.network;
  const struct tny_model model = tny_model_make(network, network->rank_count, NULL);
  struct tny_problem wanted = bench->setting.problem, problem;
  struct tny_schedule *schedule;
  uint64_t budget;
  wanted.collective = subject->collective;
  assert_int_equal(tny_problem_prepare(algorithm, &wanted, &problem, NULL), TNY_OK);
  assert_int_equal(tny_model_chunk_budget(algorithm, &problem, network, &budget, NULL), TNY_OK);
  struct tny_pace pace = tny_model_segments_for(&model, algorithm, &problem, budget, sizes).pace;
  pace.window = 0; /* the runtime's is in bytes */
  assert_int_equal(tny_plan_all(algorithm, &problem, pace, &schedule, NULL), TNY_OK);
  tny_problem_release(algorithm, &problem);
  return schedule;
}

static void check(const struct subject *subject, const struct sizes *sizes)
{
  struct bench bench;
  bench_open(&bench, subject->cluster, 0);
  const struct tny_network *network = &bench.setting.network;
  const struct tny_link *link = &bench.setting.cluster->links[0];
  const uint32_t p = network->rank_count;
  struct tny_pattern *pattern = draw_sizes(subject, sizes, p);
  uint64_t list[SETTING_RANKS_MAX];
  double bound;
  struct tny_program *program;
  const struct tny_sizes unlike = list_sizes(subject, pattern, list);
  struct tny_schedule *schedule = plan(&bench, subject, unlike);
  bench.network.switching = TNY_SWITCH_CUT_THROUGH;
  bench.network.buffering = TNY_BUFFER_SHARED;
  bench.network.depth = (uint32_t)(link->buffer_bytes / FLIT_BYTES);
  bench.hosts.flit_bytes = FLIT_BYTES;
  bench.hosts.packet_flits = PACKET_FLITS;
  assert_int_equal(tny_program_make(schedule, unlike.longest_bytes, list, &program, NULL), TNY_OK);
  struct tny_simulation *simulation = run_program(&bench, program);
  assert_int_equal(tny_bound_uneven(network, subject->collective, pattern, &bound, NULL), TNY_OK);
  const double cycle = 8.0 * FLIT_BYTES / (double)link->bandwidth_bps;
  const double share = bound / ((double)simulation->cycles * cycle);
  print_message("%s, %s, %s, one %llu times as long: %.1f %%\n", subject->cluster,
                tny_collective_name(subject->collective), sizes->spread,
                (unsigned long long)sizes->times, 100 * share);
  assert_true(share >= SHARE_LEAST);
  assert_true(share <= 1);
  tny_simulation_free(simulation);
  tny_program_free(program);
  tny_schedule_free(schedule);
  tny_pattern_free(pattern);
  bench_close(&bench);
}

/* At 64 ranks one block 64 times as long as the others is run in segments, which this doesn't look
   at. */
static void rings_come_near_the_bound_whatever_the_sizes(void **state)
{
  static const struct {
    const char *cluster;
    size_t sizes;
  } rows[] = {{"single:16,link=20Mbit/s", 4},
              {"switches:8+8,link=20Mbit/s", 4},
              {"single:64,link=20Mbit/s", 3}};
  static const struct sizes sizes[] = {{"1:8", 1}, {"zipf", 1}, {"1:1", 8}, {"1:1", 64}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (size_t k = 0; k < rows[i].sizes; k++) {
      check(&(struct subject){rows[i].cluster, TNY_ALLGATHER}, &sizes[k]);
      check(&(struct subject){rows[i].cluster, TNY_REDUCE_SCATTER}, &sizes[k]);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rings_come_near_the_bound_whatever_the_sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
