/* What planning once takes where no MPI is needed to tell: one process plans for all ranks and
   packs their parts into a file; then, for each rank, a process of its own reads its part and makes
   its steps of it. A line of CSV: processor seconds and peak memory of the planner, processor
   seconds of all receivers together, peak memory of the largest, and what they have in all. usage:
   parts CLUSTER COLLECTIVE ALGORITHM BYTES */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tourney/model.h>

#include "core/alloc.h"
#include "mapping.h"
#include "plan/parts.h"

/* A process that ended. */
struct used {
  double seconds;
  long peak_kib;
};

struct task {
  const char *cluster;
  enum tny_collective collective;
  struct tny_algorithm_choice choice;
  uint64_t bytes;
  FILE *file; /* the head, where each part begins, the parts */
  uint32_t rank_count;
};

static void fail(const char *what)
{
  fprintf(stderr, "parts: %s\n", what);
  exit(1);
}

/* Makes and packs all parts. */
static void plan(const struct task *task)
{
  struct bench_mapping mapping;
  if (bench_mapping_open(&mapping, task->cluster, 1, NULL) != TNY_OK)
    fail("no such cluster");
  struct tny_problem problem = mapping.problem, prepared;
  struct tny_parts parts;
  uint64_t budget = 0;
  problem.collective = task->collective;
  problem.parameter = task->choice.parameter;
  const struct tny_model model = tny_model_make(problem.network, problem.rank_count, NULL);
  const struct tny_algorithm *algorithm = task->choice.algorithm;
  if (tny_problem_prepare(algorithm, &problem, &prepared, NULL) != TNY_OK ||
      tny_model_chunk_budget(algorithm, &prepared, problem.network, &budget, NULL) != TNY_OK)
    fail("the algorithm doesn't plan this");
  const struct tny_segments run =
      tny_model_segments(&model, algorithm, &prepared, budget, task->bytes);
  const struct tny_parts_wanted wanted = {.choice = task->choice,
                                          .problem = &prepared,
                                          .pace = run.pace,
                                          .segment_count = run.count,
                                          .with_parts = true};
  if (tny_parts_make(&wanted, &parts, NULL) != TNY_OK)
    fail("no plan");
  const size_t begins = (size_t)parts.rank_count + 1;
  if (fwrite(&parts.head, sizeof parts.head, 1, task->file) != 1 ||
      fwrite(parts.first, sizeof *parts.first, begins, task->file) != begins ||
      fwrite(parts.bytes.bytes, 1, parts.bytes.length, task->file) != parts.bytes.length ||
      fflush(task->file) == EOF)
    fail("the parts can't be written");
}

static void read_at(const struct task *task, uint64_t offset, void *into, size_t count)
{
  if (pread(fileno(task->file), into, count, (off_t)offset) != (ssize_t)count)
    fail("the parts can't be read");
}

/* Reads one rank's part and makes its steps. */
static void receive(const struct task *task, uint32_t rank)
{
  struct tny_parts_head head;
  uint64_t between[2];
  struct tny_steps steps;
  read_at(task, 0, &head, sizeof head);
  read_at(task, sizeof head + rank * sizeof *between, between, sizeof between);
  const size_t count = (size_t)(between[1] - between[0]);
  uint8_t *bytes = tny_new(count, 1);
  if (!bytes)
    fail("no memory");
  read_at(task, sizeof head + (task->rank_count + UINT64_C(1)) * sizeof *between + between[0],
          bytes, count);
  const struct tny_part_view part = {.head = &head,
                                     .collective = task->collective,
                                     .rank_count = task->rank_count,
                                     .rank = rank,
                                     .bytes = bytes,
                                     .count = count};
  if (tny_part_steps(&part, &steps, NULL) != TNY_OK)
    fail("a part can't be run");
}

/* Runs the planner (rank TNY_NONE) or a receiver in a process of its own. */
static struct used run(const struct task *task, uint32_t rank)
{
  struct rusage used;
  int status;
  const pid_t child = fork();
  if (child == 0) {
    if (rank == TNY_NONE)
      plan(task);
    else
      receive(task, rank);
    _exit(0);
  }
  if (child < 0 || wait4(child, &status, 0, &used) != child || status != 0)
    fail("a process failed");
  return (struct used){(double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec),
                       used.ru_maxrss};
}

int main(int argc, char **argv)
{
  struct task task = {.file = tmpfile()};
  if (argc != 5 || !task.file || tny_collective_parse(argv[2], &task.collective, NULL) != TNY_OK ||
      tny_algorithm_parse(task.collective, argv[3], &task.choice, NULL) != TNY_OK)
    fail("usage: parts CLUSTER COLLECTIVE ALGORITHM BYTES");
  task.cluster = argv[1];
  task.bytes = strtoull(argv[4], NULL, 10);
  struct tny_cluster *cluster;
  if (tny_cluster_generate(argv[1], &cluster, NULL) != TNY_OK)
    fail("no such cluster");
  task.rank_count = cluster->host_count;
  tny_cluster_free(cluster);
  const struct used planner = run(&task, TNY_NONE);
  struct used sum = {0};
  for (uint32_t rank = 0; rank < task.rank_count; rank++) {
    const struct used one = run(&task, rank);
    sum.seconds += one.seconds;
    if (one.peak_kib > sum.peak_kib)
      sum.peak_kib = one.peak_kib;
  }
  fseek(task.file, 0, SEEK_END);
  printf("cluster,algorithm,ranks,bytes,planner_cpu_s,planner_peak_mib,receivers_cpu_s,"
         "receiver_peak_mib,parts_mib\n");
  printf("\"%s\",%s,%u,%llu,%.3f,%.1f,%.3f,%.1f,%.2f\n", argv[1], argv[3], task.rank_count,
         (unsigned long long)task.bytes, planner.seconds, (double)planner.peak_kib / 1024,
         sum.seconds, (double)sum.peak_kib / 1024, (double)ftell(task.file) / (1 << 20));
  return 0;
}
