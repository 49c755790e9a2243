/* Plans without interposition: a program that makes its own collectives by <tourney/plan.h>.

   In each round the ranks exchange blocks, all with all, and each adds up what it got the round
   before while the exchange is under way: two plans take turns. At the end each rank is told the
   sums of all. They are checked against what they must be.

     mpicc planned_exchange.c $(pkg-config --cflags --libs tourney-plans-openmpi)
     mpirun -n 4 ./a.out single:4                  (on hosts of this cluster)
     TOURNEY_MAP=block mpirun -n 4 ./a.out single:4     (on one machine, to try it) */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tourney/plan.h>

enum { ROUNDS = 20, NUMBERS = 4096 /* a block */ };

static int rank, rank_count;

static void fail(const char *what)
{
  fprintf(stderr, "planned_exchange: rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static struct tourney_plan *make(enum tny_collective collective, uint64_t block_bytes,
                                 const char *cluster)
{
  const struct tourney_plan_request request = {
      .collective = collective, .block_bytes = block_bytes, .cluster = cluster};
  struct tourney_plan *plan;
  struct tny_error error = {0};
  if (tourney_plan_new(MPI_COMM_WORLD, &request, &plan, &error) != TNY_OK)
    fail(error.text);
  return plan;
}

/* What rank `from` sends to rank `to` in a round, at each place of the block. */
static uint64_t number(int from, int to, int round, int place)
{
  return (uint64_t)from * 1000003 + (uint64_t)to * 10007 + (uint64_t)round * 101 + (uint64_t)place;
}

static void fill(uint64_t *blocks, int round)
{
  for (int to = 0; to < rank_count; to++)
    for (int i = 0; i < NUMBERS; i++)
      blocks[to * NUMBERS + i] = number(rank, to, round, i);
}

static uint64_t add(const uint64_t *blocks)
{
  uint64_t sum = 0;
  for (int i = 0; i < rank_count * NUMBERS; i++)
    sum += blocks[i];
  return sum;
}

static uint64_t sum_of(int receiver)
{
  uint64_t sum = 0;
  for (int round = 0; round < ROUNDS; round++)
    for (int from = 0; from < rank_count; from++)
      for (int i = 0; i < NUMBERS; i++)
        sum += number(from, receiver, round, i);
  return sum;
}

/* Returns the sum of all that this rank got. */
static uint64_t exchange(struct tourney_plan *plans[2])
{
  const size_t numbers = (size_t)rank_count * NUMBERS;
  uint64_t *send[2], *receive[2], sum = 0;
  for (int i = 0; i < 2; i++) {
    send[i] = malloc(numbers * sizeof **send);
    receive[i] = malloc(numbers * sizeof **receive);
    if (!send[i] || !receive[i])
      fail("no memory");
  }
  for (int round = 0; round <= ROUNDS; round++) {
    const int now = round % 2, before = 1 - now;
    if (round < ROUNDS) {
      fill(send[now], round);
      if (tourney_plan_start(plans[now], send[now], receive[now]) != MPI_SUCCESS)
        fail("a plan can't be started");
    }
    if (round > 0) {
      if (tourney_plan_wait(plans[before]) != MPI_SUCCESS)
        fail("a message failed");
      sum += add(receive[before]);
    }
  }
  for (int i = 0; i < 2; i++) {
    free(send[i]);
    free(receive[i]);
  }
  return sum;
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  const char *cluster = argc > 1 ? argv[1] : NULL; /* else what TOURNEY_CLUSTER says */
  const uint64_t block_bytes = NUMBERS * sizeof(uint64_t);
  struct tourney_plan *plans[] = {make(TNY_ALLTOALL, block_bytes, cluster),
                                  make(TNY_ALLTOALL, block_bytes, cluster)};
  struct tourney_plan *gather = make(TNY_ALLGATHER, sizeof(uint64_t), cluster);
  uint64_t *sums = malloc((size_t)rank_count * sizeof *sums);
  if (!sums)
    fail("no memory");
  sums[rank] = exchange(plans);
  if (tourney_plan_start(gather, MPI_IN_PLACE, sums) != MPI_SUCCESS ||
      tourney_plan_wait(gather) != MPI_SUCCESS)
    fail("the sums didn't arrive");
  for (int r = 0; r < rank_count; r++)
    if (sums[r] != sum_of(r))
      fail("a sum is wrong");
  if (rank == 0)
    printf("%d ranks, %d exchanges of %llu bytes a block by %s: all sums are right\n", rank_count,
           ROUNDS, (unsigned long long)block_bytes, tourney_plan_algorithm(plans[0]));
  free(sums);
  tourney_plan_free(plans[0]);
  tourney_plan_free(plans[1]);
  tourney_plan_free(gather);
  MPI_Finalize();
  return 0;
}
