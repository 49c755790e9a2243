/* An MPI program that is linked with the runtime and run by smpirun: the collectives natively and
   by the runtime, in simulated time, and what they give. Rank 0 prints a line for each:
     COLLECTIVE BYTES NATIVE_MS OURS_MS ALGORITHM WRONG
   where WRONG counts ranks with a wrong byte, of all calls. A collective is called twice natively,
   and then CALLS times by the runtime, of which the last counts: before that it plans and makes its
   communicator, or its guard tries what is faster.
   usage: simulated CALLS COLLECTIVE:BYTES... */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tourney/runtime.h>

static int rank, rank_count;

enum which { BCAST, ALLGATHER, ALLTOALL, COLLECTIVES };
static const char *const names[] = {"bcast", "allgather", "alltoall"};

struct job {
  enum which which;
  size_t bytes;
  unsigned char *input, *output;
};

/* The byte of a block from one rank to another, or to all (0). */
static unsigned char byte_of(int from, int to, size_t i, int round)
{
  return (unsigned char)((size_t)from * 31 + (size_t)to * 17 + i * 7 + (i >> 8) +
                         (size_t)round * 5);
}

static int blocks_in(enum which which)
{
  return which == ALLTOALL ? rank_count : 1;
}

static int blocks_out(enum which which)
{
  return which == BCAST ? 1 : rank_count;
}

static void call(const struct job *job)
{
  const int bytes = (int)job->bytes;
  switch (job->which) {
  case BCAST:
    MPI_Bcast(rank == 0 ? job->input : job->output, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    break;
  case ALLGATHER:
    MPI_Allgather(job->input, bytes, MPI_BYTE, job->output, bytes, MPI_BYTE, MPI_COMM_WORLD);
    break;
  case ALLTOALL:
    MPI_Alltoall(job->input, bytes, MPI_BYTE, job->output, bytes, MPI_BYTE, MPI_COMM_WORLD);
    break;
  case COLLECTIVES:
    break;
  }
}

static void fill(const struct job *job, int round)
{
  for (int to = 0; to < blocks_in(job->which); to++)
    for (size_t i = 0; i < job->bytes; i++)
      job->input[(size_t)to * job->bytes + i] =
          byte_of(rank, job->which == ALLTOALL ? to : 0, i, round);
  memset(job->output, 0, (size_t)blocks_out(job->which) * job->bytes);
}

static bool is_right(const struct job *job, int round)
{
  if (job->which == BCAST && rank == 0)
    return true;
  for (int from = 0; from < blocks_out(job->which); from++)
    for (size_t i = 0; i < job->bytes; i++)
      if (job->output[(size_t)from * job->bytes + i] !=
          byte_of(from, job->which == ALLTOALL ? rank : 0, i, round))
        return false;
  return true;
}

/* What served the last call. */
static const char *served_by;

/* Calls so many times, and on while the guard tries; adds to *wrong, and returns the last one's
   milliseconds at the slowest rank. */
static double time_calls(const struct job *job, int calls, int *wrong)
{
  double ms = 0;
  for (int round = 0; round < calls || tourney_is_trying(); round++) {
    fill(job, round);
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    call(job);
    ms = 1e3 * (MPI_Wtime() - begin);
    *wrong += !is_right(job, round);
  }
  served_by = tourney_last_algorithm();
  MPI_Allreduce(MPI_IN_PLACE, &ms, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return ms;
}

static void measure(struct job *job, int calls)
{
  int wrong = 0;
  job->input = malloc((size_t)blocks_in(job->which) * job->bytes);
  job->output = malloc((size_t)blocks_out(job->which) * job->bytes);
  if (!job->input || !job->output)
    MPI_Abort(MPI_COMM_WORLD, 2);
  tourney_set_native(1);
  const double native_ms = time_calls(job, 2, &wrong);
  tourney_set_native(0);
  const double ours_ms = time_calls(job, calls, &wrong);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s %zu %.3f %.3f %s %d\n", names[job->which], job->bytes, native_ms, ours_ms, served_by,
           wrong);
  fflush(stdout);
  free(job->input);
  free(job->output);
}

static bool read_job(const char *text, struct job *job)
{
  const char *colon = strchr(text, ':');
  for (int which = 0; colon && which < COLLECTIVES; which++)
    if (strncmp(text, names[which], (size_t)(colon - text)) == 0 &&
        strlen(names[which]) == (size_t)(colon - text)) {
      *job = (struct job){.which = (enum which)which, .bytes = strtoul(colon + 1, NULL, 10)};
      return job->bytes > 0;
    }
  return false;
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  const int calls = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 0;
  for (int i = 2; i < argc; i++) {
    struct job job = {0};
    if (calls < 1 || !read_job(argv[i], &job))
      MPI_Abort(MPI_COMM_WORLD, 2);
    measure(&job, calls);
  }
  MPI_Finalize();
  return 0;
}
