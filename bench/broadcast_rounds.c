/* The table of docs/broadcast.md: how many rounds broadcasts need for a message of many pieces, and
   how long they take. Every schedule is proved first: data, progress, claim. It prints Markdown,
   which is the same each time.
   usage: broadcast_rounds [PIECES] (64) */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <tourney/verify.h>

#include "core/alloc.h"
#include "core/text.h"

#include "mapping.h"

/* --- clusters --- */

/* `switches` of `hosts` each: in a line; around one without hosts; or irregular, of `hosts` in all,
   where `seeds` networks are averaged over. */
enum shape { LINE, STAR, IRREGULAR };

struct row {
  const char *name;
  enum shape shape;
  uint32_t switches, hosts, seeds;
};

static const struct row rows[] = {
    {"one switch, 32 hosts", LINE, 1, 32, 1},
    {"line of 4 switches, 8 hosts each", LINE, 4, 8, 1},
    {"line of 16, 16 each", LINE, 16, 16, 1},
    {"line of 32, 32 each", LINE, 32, 32, 1},
    {"star of 4 switches, 8 hosts each", STAR, 4, 8, 1},
    {"star of 16, 16 each", STAR, 16, 16, 1},
    {"star of 32, 32 each", STAR, 32, 32, 1},
    {"irregular, 10 switches, 128 hosts (mean of 100)", IRREGULAR, 10, 128, 100},
    {"irregular, 73 switches, 1024 hosts", IRREGULAR, 73, 1024, 1},
};
enum { ROWS = sizeof rows / sizeof *rows };

static enum tny_status make_cluster(const struct row *row, uint32_t seed,
                                    struct tny_cluster **cluster, struct tny_error *error)
{
  struct tny_text text = {0};
  char *words = NULL;
  const uint32_t switches = row->switches, hosts = switches * row->hosts;
  if (row->shape == IRREGULAR)
    tny_text_add(&text, "irregular:%" PRIu32 ",switches=%" PRIu32 ",seed=%" PRIu32, row->hosts,
                 switches, seed);
  for (uint32_t i = 0; row->shape == LINE && i < switches; i++)
    tny_text_add(&text, "%s%" PRIu32, i ? "+" : switches > 1 ? "switches:" : "single:", row->hosts);
  if (row->shape == STAR)
    tny_text_add(&text, "cluster 1 star\nswitch core\n");
  for (uint32_t i = 0; row->shape == STAR && i < switches; i++)
    tny_text_add(&text, "switch s%" PRIu32 "\ncable core s%" PRIu32 " 1000000000 5000 65536\n", i,
                 i);
  for (uint32_t i = 0; row->shape == STAR && i < hosts; i++)
    tny_text_add(&text,
                 "host h%" PRIu32 "\ncable s%" PRIu32 " h%" PRIu32 " 1000000000 5000 65536\n", i,
                 i / row->hosts, i);
  enum tny_status status = tny_text_take(&text, &words, error);
  if (status == TNY_OK)
    status = row->shape == STAR ? tny_cluster_read_flat(words, cluster, error)
                                : tny_cluster_generate(words, cluster, error);
  tny_text_free(words);
  return status;
}

/* --- schedules --- */

static const char *const names[] = {"switch-ordered-chain", "switch-ordered-binomial", "circulant",
                                    "switch-circulant"};
enum { NAMES = sizeof names / sizeof *names };

/* The figures of a row, as sums over its networks. */
struct figures {
  double ranks, least;
  double rounds[NAMES], message_times[NAMES];
  uint32_t link_messages[NAMES];
};

/* Returns the sum over all phases of the messages on the fullest link. */
static uint64_t count_message_times(const struct tny_schedule *schedule,
                                    const struct tny_network *network, uint32_t phase_count)
{
  const struct tny_cluster *cluster = network->routes->cluster;
  uint32_t *messages = calloc((size_t)phase_count * cluster->link_count, sizeof *messages);
  uint64_t message_times = 0;
  for (uint32_t rank = 0; messages && rank < schedule->rank_count; rank++)
    for (uint32_t i = 0; i < schedule->ranks[rank].count; i++) {
      const struct tny_step *step = &schedule->ranks[rank].steps[i];
      if (!tny_step_starts_message(step->kind))
        continue;
      const uint32_t to = network->host_of_rank[step->peer];
      uint32_t node = network->host_of_rank[rank], link;
      for (; (link = tny_routes_next(network->routes, node, to)) != TNY_NONE;
           node = cluster->links[link].to)
        messages[(size_t)step->phase * cluster->link_count + link]++;
    }
  for (uint32_t phase = 0; messages && phase < phase_count; phase++) {
    uint32_t most = 0;
    for (uint32_t link = 0; link < cluster->link_count; link++) {
      const uint32_t here = messages[(size_t)phase * cluster->link_count + link];
      most = here > most ? here : most;
    }
    message_times += most;
  }
  free(messages);
  return message_times;
}

/* Plans, proves and counts. A tree sends the message whole, so that a round of it is of all
   pieces. */
static enum tny_status add_figures(const struct tny_problem *raw, uint32_t which, uint32_t pieces,
                                   struct figures *figures, struct tny_error *error)
{
  const struct tny_algorithm *algorithm = tny_algorithm_find(TNY_BROADCAST, names[which]);
  const bool is_tree = which == 1;
  const struct tny_pace pace = {.chunk_count = is_tree ? 1 : pieces};
  struct tny_schedule *schedule = NULL;
  struct tny_problem problem;
  struct tny_report report;
  enum tny_status status = tny_problem_prepare(algorithm, raw, &problem, error);
  if (status == TNY_OK)
    status = tny_plan_all(algorithm, &problem, pace, &schedule, error);
  if (status == TNY_OK)
    status = tny_verify_schedule(schedule, &report, error);
  if (status == TNY_OK && algorithm->cut == TNY_CUT_OWN) {
    const struct tny_problem settled = tny_plan_problem(algorithm, &problem, pieces);
    const struct tny_claim claim = tny_algorithm_claim(algorithm, &settled);
    status = tny_verify_claim(&report, &claim, error);
  }
  const uint32_t rounds = status == TNY_OK ? report.rounds : 0;
  if (status == TNY_OK)
    status = tny_verify_links(schedule, raw->network, 0, &report, error);
  if (status == TNY_OK) {
    const uint32_t each = is_tree ? pieces : 1;
    figures->rounds[which] += (double)rounds * each;
    figures->message_times[which] +=
        (double)count_message_times(schedule, raw->network, report.phases) * each;
    if (report.phase_link_messages > figures->link_messages[which])
      figures->link_messages[which] = report.phase_link_messages;
  }
  tny_schedule_free(schedule);
  tny_problem_release(algorithm, &problem);
  return status;
}

/* Takes the cluster over. */
static enum tny_status add_cluster(struct tny_cluster *cluster, uint32_t pieces,
                                   struct figures *figures, struct tny_error *error)
{
  struct bench_mapping mapping;
  enum tny_status status = bench_mapping_open_on(&mapping, cluster, 1, error);
  const uint32_t p = mapping.problem.rank_count;
  mapping.problem.collective = TNY_BROADCAST;
  mapping.problem.root = p / 3;
  for (uint32_t which = 0; status == TNY_OK && which < NAMES; which++)
    status = add_figures(&mapping.problem, which, pieces, figures, error);
  uint32_t doublings = 0;
  while ((uint32_t)1 << doublings < p)
    doublings++;
  figures->ranks += p;
  figures->least += pieces - 1 + doublings;
  bench_mapping_close(&mapping);
  return status;
}

/* Prints the rounds; where links carry several messages at once, also the times of one message that
   the rounds take. */
static void print_cell(const struct figures *figures, uint32_t which, uint32_t seeds)
{
  printf(" %.0f", figures->rounds[which] / seeds);
  if (figures->link_messages[which] > 1)
    printf(" (%u on a link: %.0f)", figures->link_messages[which],
           figures->message_times[which] / seeds);
  printf(" |");
}

static enum tny_status print_row(const struct row *row, uint32_t pieces, struct tny_error *error)
{
  struct figures figures = {0};
  enum tny_status status = TNY_OK;
  for (uint32_t seed = 1; status == TNY_OK && seed <= row->seeds; seed++) {
    struct tny_cluster *cluster;
    status = make_cluster(row, seed, &cluster, error);
    if (status == TNY_OK)
      status = add_cluster(cluster, pieces, &figures, error);
  }
  if (status != TNY_OK)
    return status;
  printf("| %s | %.0f | %.0f |", row->name, figures.ranks / row->seeds, figures.least / row->seeds);
  for (uint32_t which = 0; which < NAMES; which++)
    print_cell(&figures, which, row->seeds);
  puts("");
  return TNY_OK;
}

int main(int argc, char **argv)
{
  const uint32_t pieces = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 64;
  struct tny_error error = {0};
  enum tny_status status = pieces > 0 ? TNY_OK : TNY_BAD_INPUT;
  puts("| cluster | ranks | least rounds | chain | binomial tree | circulant | switch-circulant |\n"
       "|---|---|---|---|---|---|---|");
  for (uint32_t i = 0; status == TNY_OK && i < ROWS; i++)
    status = print_row(&rows[i], pieces, &error);
  if (status != TNY_OK)
    fprintf(stderr, "%s\n", error.text);
  return status == TNY_OK ? 0 : 1;
}
