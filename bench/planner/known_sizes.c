/* The tables of docs/planner.md for exchanges whose sizes all ranks know, and for neighbourhoods of
   unlike sizes: how near plans come to the bound of just these sizes, flit by flit on a modelled
   network. Plans are cut as the runtime cuts them for such a call, with every block in all the
   plan's pieces, and with blocks cut by their own length; ranks aren't paced by numbers of
   messages, as the runtime paces them by bytes. Each is simulated twice: data alone, and with
   Ethernet's and MPI's headers and with what ranks' processors take for a message (the machine that
   the model takes where none was measured). It prints Markdown: how many pieces the longest block
   is cut in, and both shares. It exits with 1 where a plan
   that is run once, cut as the runtime does it, has less than 95 % of the bound.
   usage: known_sizes */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tourney/model.h>
#include <tourney/pattern.h>
#include <tourney/simulate.h>

#include "model/cost.h"

#include "bench/mapping.h"

enum {
  MEAN = 16384,
  FLIT_BYTES = 32,
  PACKET_FLITS = TNY_FRAME_BYTES / FLIT_BYTES,
  HEADER_FLITS = TNY_FRAME_COST_BYTES / FLIT_BYTES,
};
#define TARGET 0.95

/* --- sizes --- */

enum sizes { ONE_TO_EIGHT, ZIPF, LONG, LONGER, SIZES };
static const char *const titles[] = {"1:8", "Zipf", "one 8 times as long", "one 64 times as long"};

/* Gives the blocks that a pattern has their sizes. */
static bool draw(struct tny_pattern *pattern, enum tny_collective collective, enum sizes sizes)
{
  const uint32_t p = pattern->rank_count;
  const bool is_even = sizes == LONG || sizes == LONGER;
  const struct tny_unevenness spread = {.by_zipf = sizes == ZIPF,
                                        .least_part = 1,
                                        .most_part = is_even ? 1 : 8,
                                        .seed = 1,
                                        .mean_bytes = MEAN};
  if (tny_pattern_draw(pattern, collective, &spread, NULL) != TNY_OK)
    return false;
  for (uint32_t i = 0; is_even && i < p; i++) {
    const uint32_t at = collective == TNY_REDUCE_SCATTER ? i * p + p / 2 : p / 2 * p + i;
    pattern->bytes[at] *= sizes == LONG ? 8 : 64;
  }
  return true;
}

/* The size by which the runtime chooses a plan: the mean of a rank's blocks, as many as the rank
   with the most has, on the side that has most bytes, and at least half the longest. Of what all
   ranks know, a side is all blocks. */
static uint64_t chosen_by(const struct tny_pattern *pattern, enum tny_collective collective)
{
  const uint32_t p = pattern->rank_count;
  uint64_t fullest = 0, longest = 0;
  uint32_t most = 1;
  for (uint32_t rank = 0; rank < p; rank++) {
    uint64_t sums[2] = {0, 0};
    uint32_t counts[2] = {0, 0};
    for (uint32_t other = 0; other < p; other++) {
      const uint64_t bytes[2] = {pattern->bytes[rank * p + other],
                                 pattern->bytes[other * p + rank]};
      for (int side = 0; side < 2; side++) {
        const bool is_one = collective == (side ? TNY_REDUCE_SCATTER : TNY_ALLGATHER);
        sums[side] += is_one ? 0 : bytes[side];
        counts[side] += bytes[side] > 0;
        longest = bytes[side] > longest ? bytes[side] : longest;
      }
    }
    for (int side = 0; side < 2; side++) {
      fullest = sums[side] > fullest ? sums[side] : fullest;
      most = counts[side] > most ? counts[side] : most;
    }
  }
  const uint64_t mean = (fullest + most - 1) / most, half = (longest + 1) / 2;
  return mean > half ? mean : half;
}

static uint64_t longest_of(const struct tny_pattern *pattern)
{
  const size_t p = pattern->rank_count;
  uint64_t longest = 0;
  for (size_t block = 0; block < p * p; block++)
    longest = pattern->bytes[block] > longest ? pattern->bytes[block] : longest;
  return longest;
}

/* Of what all ranks know: a row, or a column, has as many blocks as there are ranks, all alike or
   all that there are. */
static uint64_t mean_of(const struct tny_pattern *pattern)
{
  const size_t p = pattern->rank_count;
  uint64_t sum = 0;
  for (size_t block = 0; block < p * p; block++)
    sum += pattern->bytes[block];
  return sum / (p * p) + 1;
}

/* --- plans --- */

/* The best algorithm by what is predicted of even blocks, as the runtime chooses it. */
static const struct tny_algorithm *choose(const struct tny_problem *problem,
                                          const struct tny_model *model, uint64_t bytes)
{
  struct tny_ranking ranking;
  const struct tny_algorithm *best = NULL;
  if (tny_model_rank(model, problem, tny_model_limits, tny_model_size_class(bytes), &ranking,
                     NULL) == TNY_OK)
    for (uint32_t i = 0; !best && i < ranking.count; i++)
      if (!ranking.list[i].why_not && !ranking.list[i].choice.algorithm->plans_bytes &&
          tny_algorithm_takes_uneven(ranking.list[i].choice.algorithm))
        best = ranking.list[i].choice.algorithm;
  tny_ranking_free(&ranking);
  return best;
}

struct wanted {
  const struct tny_algorithm *algorithm;
  const struct tny_problem *problem;
  struct tny_sizes sizes;
  bool is_unpaced; /* but for what limits links */
};

/* To be run so many times, each over the next part of all blocks. */
struct plan {
  struct tny_schedule *schedule;
  uint32_t segment_count;
  uint64_t cut_bytes; /* as tny_program_make takes them, of whole blocks */
};

static enum tny_status make_plan(const struct wanted *wanted, struct plan *plan,
                                 struct tny_error *error)
{
  const struct tny_network *network = wanted->problem->network;
  const struct tny_model model = tny_model_make(network, network->rank_count, NULL);
  const struct tny_algorithm *algorithm = wanted->algorithm;
  struct tny_problem prepared;
  uint64_t budget;
  *plan = (struct plan){.cut_bytes = wanted->sizes.longest_bytes};
  enum tny_status status = tny_problem_prepare(algorithm, wanted->problem, &prepared, error);
  if (status == TNY_OK)
    status = tny_model_chunk_budget(algorithm, &prepared, network, &budget, error);
  if (status == TNY_OK) {
    struct tny_segments run =
        tny_model_segments_for(&model, algorithm, &prepared, budget, wanted->sizes);
    plan->segment_count = run.count;
    run.pace.window = wanted->is_unpaced ? 0 : run.pace.window;
    status = tny_plan_all(algorithm, &prepared, run.pace, &plan->schedule, error);
  }
  tny_problem_release(algorithm, &prepared);
  return status;
}

/* --- simulations --- */

enum costs { DATA_ALONE, WITH_OVERHEADS, COSTS };

static uint64_t *list_sizes(const struct tny_pattern *pattern, enum tny_collective collective)
{
  const uint32_t p = pattern->rank_count;
  uint64_t *sizes = calloc((size_t)p * p, sizeof *sizes);
  if (!sizes || collective == TNY_ALLTOALL)
    return sizes ? memcpy(sizes, pattern->bytes, (size_t)p * p * sizeof *sizes) : NULL;
  for (uint32_t rank = 0; rank < p; rank++) {
    const uint32_t other = rank == 0 ? 1 : 0;
    sizes[rank] = pattern->bytes[collective == TNY_ALLGATHER ? rank * p + other : other * p + rank];
  }
  return sizes;
}

/* Adds MPI's own header to each message. */
static void add_headers(struct tny_program *program)
{
  for (uint32_t id = 0; id < program->first[program->rank_count]; id++)
    if (!tny_op_is_work(&program->ops[id]) && program->ops[id].bytes > 0)
      program->ops[id].bytes += TNY_MESSAGE_COST_BYTES;
}

static enum tny_status simulate(const struct bench_mapping *mapping, struct tny_program *program,
                                enum costs costs, double *seconds, struct tny_error *error)
{
  const struct tny_cluster *cluster = mapping->cluster;
  const struct tny_machine machine = tny_machine_default(cluster->links[0].bandwidth_bps);
  const bool has_costs = costs == WITH_OVERHEADS;
  const struct tny_network_model network = {
      .routes = mapping->routes,
      .switching = TNY_SWITCH_CUT_THROUGH,
      .buffering = TNY_BUFFER_SHARED,
      .channels = 1,
      .depth = (uint32_t)(cluster->links[0].buffer_bytes / FLIT_BYTES),
      .switch_cycles = 1,
      .link_cycles = 1,
      .inject_cycles = 1,
      .eject_cycles = 1,
      .credit_cycles = 1,
      .ports = 1,
      .cycle_ns = 8e9 * FLIT_BYTES / (double)cluster->links[0].bandwidth_bps,
      .seed = 1};
  const struct tny_host_model hosts = {
      .host_of_rank = mapping->hosts,
      .send_ns = has_costs ? (double)machine.send_overhead_ns : 0,
      .recv_ns = has_costs ? (double)machine.receive_overhead_ns : 0,
      .send_byte_ns = has_costs ? (double)machine.byte_overhead_ps / 1000 : 0,
      .recv_byte_ns = has_costs ? (double)machine.byte_overhead_ps / 1000 : 0,
      .tokens_apart = true,
      .flit_bytes = FLIT_BYTES,
      .packet_flits = PACKET_FLITS,
      .header_flits = has_costs ? HEADER_FLITS : 0};
  struct tny_simulation *simulation = NULL;
  if (has_costs)
    add_headers(program);
  const enum tny_status status =
      tny_simulate(&network, &hosts, program, NULL, &simulation, NULL, error);
  if (status == TNY_OK)
    *seconds = (double)simulation->cycles * network.cycle_ns / 1e9;
  tny_simulation_free(simulation);
  return status;
}

/* Fills the seconds that a plan takes for blocks of these sizes, at the most: segments may overlap,
   and are taken to follow each other. */
static enum tny_status time_plan(const struct bench_mapping *mapping, const struct plan *plan,
                                 const struct tny_pattern *pattern, double seconds[COSTS],
                                 struct tny_error *error)
{
  const uint32_t p = pattern->rank_count, segments = plan->segment_count;
  uint64_t *sizes = list_sizes(pattern, plan->schedule->collective);
  enum tny_status status = sizes ? TNY_OK : TNY_NO_MEMORY;
  for (size_t i = 0; status == TNY_OK && i < (size_t)p * p; i++)
    sizes[i] = (sizes[i] + segments - 1) / segments;
  for (enum costs costs = 0; status == TNY_OK && costs < COSTS; costs++) {
    struct tny_program *program = NULL;
    status = tny_program_make(plan->schedule, plan->cut_bytes / segments, sizes, &program, error);
    if (status == TNY_OK)
      status = simulate(mapping, program, costs, &seconds[costs], error);
    seconds[costs] *= segments;
    tny_program_free(program);
  }
  free(sizes);
  return status;
}

/* --- what all ranks know --- */

struct known_row {
  const char *cluster;
  enum tny_collective collective;
  enum sizes sizes;
};

/* Every block in all pieces of a plan for the size by which it is chosen; and blocks cut by their
   own length, of a plan for the longest. */
enum cut { IN_ALL_PIECES, BY_LENGTH, CUTS };

struct known {
  struct bench_mapping mapping;
  struct tny_pattern *pattern;
  const struct tny_algorithm *algorithm;
  double bound, seconds[CUTS][COSTS];
  uint32_t pieces[CUTS]; /* of the longest block */
  bool is_segmented;     /* the latter plan is run more than once */
};

static enum tny_status open_known(const struct known_row *row, struct known *known,
                                  struct tny_error *error)
{
  const struct tny_unevenness alike = {.least_part = 1, .most_part = 1, .mean_bytes = 1};
  *known = (struct known){0};
  enum tny_status status = bench_mapping_open(&known->mapping, row->cluster, 1, error);
  if (status != TNY_OK)
    return status;
  known->mapping.problem.collective = row->collective;
  status = tny_pattern_uneven(known->mapping.problem.rank_count, row->collective, &alike,
                              &known->pattern, error);
  if (status == TNY_OK && !draw(known->pattern, row->collective, row->sizes))
    status = TNY_NO_MEMORY;
  return status == TNY_OK ? tny_bound_uneven(&known->mapping.network, row->collective,
                                             known->pattern, &known->bound, error)
                          : status;
}

static enum tny_status time_known(struct known *known, enum cut cut, struct tny_error *error)
{
  const struct tny_problem *problem = &known->mapping.problem;
  const struct tny_model model = tny_model_make(problem->network, problem->rank_count, NULL);
  const uint64_t chosen = chosen_by(known->pattern, problem->collective);
  const struct tny_sizes alike = {.longest_bytes = chosen},
                         unlike = {.longest_bytes = longest_of(known->pattern),
                                   .mean_bytes = mean_of(known->pattern)};
  struct plan plan;
  known->algorithm = choose(problem, &model, chosen);
  if (!known->algorithm)
    return TNY_REFUSED;
  const struct wanted wanted = {.algorithm = known->algorithm,
                                .problem = problem,
                                .sizes = cut == BY_LENGTH ? unlike : alike,
                                .is_unpaced = true};
  enum tny_status status = make_plan(&wanted, &plan, error);
  if (cut != BY_LENGTH)
    plan.cut_bytes = 0;
  if (status == TNY_OK) {
    known->pieces[cut] = plan.schedule->chunk_count * plan.segment_count;
    known->is_segmented = plan.segment_count > 1;
    status = time_plan(&known->mapping, &plan, known->pattern, known->seconds[cut], error);
  }
  tny_schedule_free(plan.schedule);
  return status;
}

/* Prints shares of the bound. Returns whether the target is met. */
static bool print_known(const struct known_row *row)
{
  struct known known;
  struct tny_error error = {0};
  enum tny_status status = open_known(row, &known, &error);
  for (enum cut cut = 0; status == TNY_OK && cut < CUTS; cut++)
    status = time_known(&known, cut, &error);
  if (status == TNY_OK)
    printf("| %s | %s | %s | %s | %" PRIu32 ": %.1f, %.1f %% | %" PRIu32 ": %.1f, %.1f %% |\n",
           row->cluster, tny_collective_name(row->collective), titles[row->sizes],
           known.algorithm->name, known.pieces[IN_ALL_PIECES],
           100 * known.bound / known.seconds[IN_ALL_PIECES][DATA_ALONE],
           100 * known.bound / known.seconds[IN_ALL_PIECES][WITH_OVERHEADS],
           known.pieces[BY_LENGTH], 100 * known.bound / known.seconds[BY_LENGTH][DATA_ALONE],
           100 * known.bound / known.seconds[BY_LENGTH][WITH_OVERHEADS]);
  else
    fprintf(stderr, "%s, %s: %s\n", row->cluster, titles[row->sizes], error.text);
  fflush(stdout);
  tny_pattern_free(known.pattern);
  bench_mapping_close(&known.mapping);
  return status == TNY_OK &&
         (known.is_segmented || known.bound >= TARGET * known.seconds[BY_LENGTH][DATA_ALONE]);
}

static bool print_all_known(void)
{
  static const char *const clusters[] = {"single:16,link=20Mbit/s", "single:64,link=20Mbit/s",
                                         "switches:8+8,link=20Mbit/s",
                                         "switches:32+32,link=20Mbit/s"};
  static const enum tny_collective collectives[] = {TNY_ALLGATHER, TNY_REDUCE_SCATTER};
  bool good = true;
  puts("| cluster | collective | blocks | algorithm | all in as many pieces | cut by their length "
       "|\n"
       "|---|---|---|---|---:|---:|");
  for (size_t cluster = 0; cluster < sizeof clusters / sizeof *clusters; cluster++)
    for (int collective = 0; collective < 2; collective++)
      for (enum sizes sizes = 0; sizes < SIZES; sizes++) {
        const struct known_row row = {clusters[cluster], collectives[collective], sizes};
        good = print_known(&row) && good;
      }
  return good;
}

/* --- neighbourhoods --- */

/* Who are neighbours: on a periodic grid of 4 x 4 ranks, or drawn. */
struct neighbour_row {
  const char *cluster;
  bool is_grid;
  enum sizes sizes;
};

static enum tny_status make_edges(const struct neighbour_row *row, uint32_t p,
                                  struct tny_pattern **pattern, struct tny_error *error)
{
  const struct tny_shape grid = {.dimension_count = 2, .size = {4, p / 4, 1}, .wraps = true};
  const struct tny_pattern_chance chance = {.density = 0.25, .seed = 1};
  return row->is_grid ? tny_pattern_neighbours(&grid, 1, pattern, error)
                      : tny_pattern_random(p, chance, 1, pattern, error);
}

/* The plans that are compared. */
enum form { PHASES_AS_PLANNED, PHASES_UNPACED, OPEN_SHOP, FORMS };

/* Phases are planned for blocks alike, pieces by all sizes. */
static enum tny_status time_form(const struct bench_mapping *mapping,
                                 const struct tny_pattern *const patterns[2], enum form form,
                                 double seconds[COSTS], struct tny_error *error)
{
  const bool by_sizes = form == OPEN_SHOP;
  const struct tny_pattern *sized = patterns[1];
  struct tny_problem problem = mapping->problem;
  problem.collective = TNY_ALLTOALL;
  problem.pattern = patterns[by_sizes];
  const struct wanted wanted = {
      .algorithm = tny_algorithm_find(TNY_ALLTOALL, by_sizes ? "open-shop" : "planned-phases"),
      .problem = &problem,
      .sizes = {.longest_bytes = by_sizes ? longest_of(sized) : chosen_by(sized, TNY_ALLTOALL)},
      .is_unpaced = form == PHASES_UNPACED};
  struct plan plan;
  enum tny_status status = make_plan(&wanted, &plan, error);
  if (status == TNY_OK)
    status = time_plan(mapping, &plan, sized, seconds, error);
  tny_schedule_free(plan.schedule);
  return status;
}

static bool print_neighbours(const struct neighbour_row *row, struct tny_error *error)
{
  struct bench_mapping mapping;
  struct tny_pattern *edges = NULL, *sized = NULL;
  double bound = 0, seconds[FORMS][COSTS];
  enum tny_status status = bench_mapping_open(&mapping, row->cluster, 1, error);
  const uint32_t p = mapping.problem.rank_count;
  if (status == TNY_OK)
    status = make_edges(row, p, &edges, error);
  if (status == TNY_OK)
    status = make_edges(row, p, &sized, error);
  if (status == TNY_OK && !draw(sized, TNY_ALLTOALL, row->sizes))
    status = TNY_NO_MEMORY;
  if (status == TNY_OK)
    status = tny_bound_uneven(&mapping.network, TNY_ALLTOALL, sized, &bound, error);
  for (enum form form = 0; status == TNY_OK && form < FORMS; form++)
    status = time_form(&mapping, (const struct tny_pattern *const[]){edges, sized}, form,
                       seconds[form], error);
  if (status == TNY_OK)
    printf("| %s | %s | %s | %.1f, %.1f %% | %.1f, %.1f %% | %.1f, %.1f %% |\n", row->cluster,
           row->is_grid ? "grid 4x4" : "drawn, 25 %", titles[row->sizes],
           100 * bound / seconds[PHASES_AS_PLANNED][DATA_ALONE],
           100 * bound / seconds[PHASES_AS_PLANNED][WITH_OVERHEADS],
           100 * bound / seconds[PHASES_UNPACED][DATA_ALONE],
           100 * bound / seconds[PHASES_UNPACED][WITH_OVERHEADS],
           100 * bound / seconds[OPEN_SHOP][DATA_ALONE],
           100 * bound / seconds[OPEN_SHOP][WITH_OVERHEADS]);
  else
    fprintf(stderr, "%s, %s: %s\n", row->cluster, titles[row->sizes], error->text);
  fflush(stdout);
  tny_pattern_free(edges);
  tny_pattern_free(sized);
  bench_mapping_close(&mapping);
  return status == TNY_OK;
}

static bool print_all_neighbours(void)
{
  static const char *const clusters[] = {"single:16,link=20Mbit/s", "switches:8+8,link=20Mbit/s",
                                         "torus:4x4,link=20Mbit/s",
                                         "irregular:16,switches=2,seed=1,link=20Mbit/s"};
  bool good = true;
  puts("\n| cluster | neighbours | blocks | planned-phases | not paced | open-shop |\n"
       "|---|---|---|---:|---:|---:|");
  for (size_t cluster = 0; cluster < sizeof clusters / sizeof *clusters; cluster++)
    for (int is_grid = 1; is_grid >= 0; is_grid--)
      for (enum sizes sizes = 0; sizes < SIZES; sizes++) {
        struct tny_error error = {0};
        const struct neighbour_row row = {clusters[cluster], is_grid, sizes};
        good = print_neighbours(&row, &error) && good;
      }
  return good;
}

int main(void)
{
  const bool is_near = print_all_known();
  return print_all_neighbours() && is_near ? 0 : 1;
}
