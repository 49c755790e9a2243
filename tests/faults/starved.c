/* An MPI program whose runtime runs out of memory at one allocation after another of a collective's
   first call: each time on a communicator of its own, whose second call finds memory again. What
   comes must be right data, or the error class MPI_ERR_NO_MEM, of which a line tells, and which
   ends the job as an error without a handler does. The last line says how many allocations there
   are.
   usage: starved COLLECTIVE=ALGORITHM plain|strided|neighbours|uneven RANK|all FIRST
     neighbours: an all-to-all among neighbours instead; uneven: MPI_Alltoallv
     FIRST: the allocation to begin with; 0: memory runs out in MPI_Init, as starve.c has it, and
     one call follows */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tourney/runtime.h>

enum { COUNT = 1800, RANKS_MAX = 16 };

/* In the runtime that starve.c is part of. */
void tourney_starve(uint64_t n) __attribute__((weak));
int tourney_is_starved(void) __attribute__((weak));

static int world_rank, allocation;
static int send[2 * COUNT * RANKS_MAX], receive[2 * COUNT * RANKS_MAX];

static void say(const char *what)
{
  char line[256];
  snprintf(line, sizeof line, "allocation %d: rank %d: %s\n", allocation, world_rank, what);
  if (write(STDOUT_FILENO, line, strlen(line)) < 0)
    _exit(3);
}

static void on_error(MPI_Comm *comm, int *code, ...)
{
  int class;
  MPI_Error_class(*code, &class);
  say(class == MPI_ERR_NO_MEM ? "no memory" : "another error");
  MPI_Abort(*comm, 7);
}

static int element(int from, int to, int i)
{
  return from * 1000003 + to * 10007 + i;
}

/* One collective of COUNT integers a block, each `spread` integers from the next. */
struct trial {
  char
      which; /* the last letter of the collective's name; 'n': MPI_Neighbor_alltoall; 'v': uneven */
  int spread;
  MPI_Datatype type;
  MPI_Comm comm;
};

/* The same on a torus of p x 1: each rank has blocks for the ranks beside it, and two of the same
   elements for itself, whichever comes first. */
enum { SLOTS = 4 };
static bool are_neighbours_right(const struct trial *trial)
{
  int rank, p, peers[SLOTS];
  MPI_Comm_rank(trial->comm, &rank);
  MPI_Comm_size(trial->comm, &p);
  for (int slot = 0; slot < SLOTS; slot++)
    peers[slot] = slot == 0 ? (rank + p - 1) % p : slot == 1 ? (rank + 1) % p : rank;
  for (int i = 0; i < SLOTS * COUNT; i++) {
    send[i] = element(rank, peers[i / COUNT], i % COUNT);
    receive[i] = -1;
  }
  MPI_Neighbor_alltoall(send, COUNT, trial->type, receive, COUNT, trial->type, trial->comm);
  for (int i = 0; i < SLOTS * COUNT; i++)
    if (receive[i] != element(peers[i / COUNT], rank, i % COUNT))
      return false;
  return true;
}

static int uneven_count(int from, int to)
{
  return COUNT - 500 * ((from + 2 * to) % 4);
}

static bool is_uneven_right(const struct trial *trial)
{
  int rank, p, sent[RANKS_MAX], received[RANKS_MAX], places[RANKS_MAX];
  MPI_Comm_rank(trial->comm, &rank);
  MPI_Comm_size(trial->comm, &p);
  for (int peer = 0; peer < p; peer++) {
    sent[peer] = uneven_count(rank, peer);
    received[peer] = uneven_count(peer, rank);
    places[peer] = COUNT * peer;
    for (int i = 0; i < COUNT; i++) {
      send[COUNT * peer + i] = element(rank, peer, i);
      receive[COUNT * peer + i] = -1;
    }
  }
  MPI_Alltoallv(send, sent, places, trial->type, receive, received, places, trial->type,
                trial->comm);
  for (int i = 0; i < COUNT * p; i++)
    if (receive[i] != (i % COUNT < received[i / COUNT] ? element(i / COUNT, rank, i % COUNT) : -1))
      return false;
  return true;
}

/* Makes the call; returns whether all is as it must be. */
static bool is_right(const struct trial *trial)
{
  int rank, p;
  if (trial->which == 'n')
    return are_neighbours_right(trial);
  if (trial->which == 'v')
    return is_uneven_right(trial);
  MPI_Comm_rank(trial->comm, &rank);
  MPI_Comm_size(trial->comm, &p);
  const bool personal = trial->which == 'l', broadcast = trial->which == 't';
  for (int i = 0; i < 2 * COUNT * p; i++) {
    send[i] = element(rank, personal ? i / trial->spread / COUNT : 0, i / trial->spread % COUNT);
    receive[i] = broadcast && rank == 0 ? send[i] : -1;
  }
  if (broadcast)
    MPI_Bcast(receive, COUNT, trial->type, 0, trial->comm);
  else if (personal)
    MPI_Alltoall(send, COUNT, trial->type, receive, COUNT, trial->type, trial->comm);
  else
    MPI_Allgather(send, COUNT, trial->type, receive, COUNT, trial->type, trial->comm);
  for (int from = 0; from < (broadcast ? 1 : p); from++)
    for (int i = 0; i < COUNT; i++)
      if (receive[(from * COUNT + i) * trial->spread] != element(from, personal ? rank : 0, i))
        return false;
  return true;
}

/* Gives the communicator's ranks neighbours. */
static void make_torus(MPI_Comm *comm)
{
  MPI_Comm plain = *comm;
  int sides[2] = {0, 1};
  const int periods[2] = {1, 1};
  MPI_Comm_size(plain, &sides[0]);
  MPI_Cart_create(plain, 2, sides, periods, 0, comm);
  MPI_Comm_free(&plain);
}

static void check(const struct trial *trial)
{
  if (is_right(trial))
    return;
  say("wrong data");
  MPI_Abort(trial->comm, 8);
}

/* Lets the n-th allocation of this rank's call fail, and all behind it. Returns whether that came
   to pass at any rank. */
static bool starve(struct trial *trial, bool is_victim, MPI_Errhandler handler)
{
  int is_met = 0;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &trial->comm); /* no other has these ranks */
  if (trial->which == 'n')
    make_torus(&trial->comm);
  MPI_Comm_set_errhandler(trial->comm, handler);
  if (is_victim)
    tourney_starve((uint64_t)allocation);
  check(trial);
  is_met = is_victim && tourney_is_starved();
  tourney_starve(0);
  check(trial);
  MPI_Comm_free(&trial->comm);
  MPI_Allreduce(MPI_IN_PLACE, &is_met, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return is_met;
}

int main(int argc, char **argv)
{
  MPI_Errhandler handler;
  MPI_Init(&argc, &argv);
  tourney_starve(0);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  if (argc != 5)
    MPI_Abort(MPI_COMM_WORLD, 2);
  const bool is_victim = strcmp(argv[3], "all") == 0 || atoi(argv[3]) == world_rank;
  struct trial trial = {.which = strcmp(argv[2], "neighbours") == 0 ? 'n'
                                 : strcmp(argv[2], "uneven") == 0   ? 'v'
                                                                    : strchr(argv[1], '=')[-1],
                        .spread = strcmp(argv[2], "strided") == 0 ? 2 : 1,
                        .comm = MPI_COMM_WORLD};
  MPI_Type_create_resized(MPI_INT, 0, trial.spread * (MPI_Aint)sizeof(int), &trial.type);
  MPI_Type_commit(&trial.type);
  MPI_Comm_create_errhandler(on_error, &handler);
  tourney_set_algorithm(argv[1]);
  allocation = atoi(argv[4]);
  if (allocation == 0)
    check(&trial);
  else
    while (starve(&trial, is_victim, handler))
      allocation++;
  if (world_rank == 0)
    printf("all %d allocations\n", allocation - 1);
  MPI_Finalize();
  return 0;
}
