/* A program for networks and ranks that fail: calls of one collective in a row, each checked
   against its definition, of which a rank may come late to one, or kill itself in the middle of it.
   Rank 0 prints a line when the first call is over, and one at the end.
   usage: faults COLLECTIVE BYTES CALLS [late RANK CALL MS | die RANK CALL US]
   COLLECTIVE  bcast, allgather, alltoall
   late        RANK sleeps for MS milliseconds before CALL
   die         RANK is killed US microseconds after it began with CALL */
#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include <tourney/runtime.h>

static int rank, rank_count;

/* The byte at a place of the block that a rank has for another in a call. */
static unsigned char stamp(int from, int to, int call, int place)
{
  return (unsigned char)(1 + 31 * from + 7 * to + 13 * call + place);
}

/* A collective: how many blocks go in and come out, and for whom they are; 0: for all alike. */
struct exchange {
  const char *name;
  int bytes;
  unsigned char *input, *output;
};

static void fill_blocks(const struct exchange *exchange, int call, bool is_personal)
{
  for (int to = 0; to < (is_personal ? rank_count : 1); to++)
    for (int place = 0; place < exchange->bytes; place++)
      exchange->input[(size_t)to * (size_t)exchange->bytes + (size_t)place] =
          stamp(rank, is_personal ? to : 0, call, place);
}

static long count_wrong(const struct exchange *exchange, int from, int block, int to, int call)
{
  long wrong = 0;
  const unsigned char *bytes = exchange->output + (size_t)block * (size_t)exchange->bytes;
  for (int place = 0; place < exchange->bytes; place++)
    wrong += bytes[place] != stamp(from, to, call, place);
  return wrong;
}

/* Returns how many bytes are wrong. */
static long broadcast(const struct exchange *exchange, int call)
{
  const int root = call % rank_count;
  fill_blocks(exchange, call, false);
  memcpy(exchange->output, exchange->input, (size_t)exchange->bytes);
  MPI_Bcast(exchange->output, exchange->bytes, MPI_BYTE, root, MPI_COMM_WORLD);
  return count_wrong(exchange, root, 0, 0, call);
}

static long gather_all(const struct exchange *exchange, int call)
{
  long wrong = 0;
  fill_blocks(exchange, call, false);
  MPI_Allgather(exchange->input, exchange->bytes, MPI_BYTE, exchange->output, exchange->bytes,
                MPI_BYTE, MPI_COMM_WORLD);
  for (int from = 0; from < rank_count; from++)
    wrong += count_wrong(exchange, from, from, 0, call);
  return wrong;
}

static long exchange_all(const struct exchange *exchange, int call)
{
  long wrong = 0;
  fill_blocks(exchange, call, true);
  MPI_Alltoall(exchange->input, exchange->bytes, MPI_BYTE, exchange->output, exchange->bytes,
               MPI_BYTE, MPI_COMM_WORLD);
  for (int from = 0; from < rank_count; from++)
    wrong += count_wrong(exchange, from, from, rank, call);
  return wrong;
}

static long perform(const struct exchange *exchange, int call)
{
  if (strcmp(exchange->name, "bcast") == 0)
    return broadcast(exchange, call);
  if (strcmp(exchange->name, "allgather") == 0)
    return gather_all(exchange, call);
  if (strcmp(exchange->name, "alltoall") == 0)
    return exchange_all(exchange, call);
  MPI_Abort(MPI_COMM_WORLD, 2);
  return 0;
}

static void end_now(int number)
{
  (void)number;
  kill(getpid(), SIGKILL);
}

/* What the program was told to have happen, and to whom. */
struct fault {
  const char *what;
  int rank, call;
  long amount;
};

static void let_happen(const struct fault *fault)
{
  if (strcmp(fault->what, "late") == 0)
    usleep((useconds_t)(fault->amount * 1000));
  if (strcmp(fault->what, "die") != 0)
    return;
  const struct itimerval timer = {
      .it_value = {.tv_sec = fault->amount / 1000000, .tv_usec = fault->amount % 1000000 + 1}};
  signal(SIGALRM, end_now);
  setitimer(ITIMER_REAL, &timer, NULL);
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  if (argc != 4 && argc != 8)
    MPI_Abort(MPI_COMM_WORLD, 2);
  struct exchange exchange = {.name = argv[1], .bytes = atoi(argv[2])};
  const int calls = atoi(argv[3]);
  const struct fault fault =
      argc == 8 ? (struct fault){argv[4], atoi(argv[5]), atoi(argv[6]), strtol(argv[7], NULL, 10)}
                : (struct fault){.what = "none", .rank = -1};
  long wrong = 0, all_wrong = 0, planned = 0;
  exchange.input = malloc((size_t)exchange.bytes * (size_t)rank_count);
  exchange.output = malloc((size_t)exchange.bytes * (size_t)rank_count);
  if (!exchange.input || !exchange.output)
    MPI_Abort(MPI_COMM_WORLD, 9);
  for (int call = 0; call < calls; call++) {
    if (rank == fault.rank && call == fault.call)
      let_happen(&fault);
    wrong += perform(&exchange, call);
    planned += tourney_last_algorithm && strcmp(tourney_last_algorithm(), "native") != 0;
    if (call == 0 && rank == 0) {
      printf("begun\n");
      fflush(stdout);
    }
  }
  MPI_Reduce(&wrong, &all_wrong, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s: %d calls, %ld bytes wrong, %ld planned\n", exchange.name, calls, all_wrong,
           planned);
  free(exchange.input);
  free(exchange.output);
  MPI_Finalize();
  return all_wrong > 0;
}
